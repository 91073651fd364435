"""Beside the verdict: how far it holds, what decides, and a button that mends it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.language import Language
from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.beyond_verdict import CALCULATING as BESIDES_CALCULATING
from app.widgets.labels import ShorterLine
from app.widgets.verdict import VerdictBar
from app.work import InlineWorker
from models.predict.prediction import Binding, Finding, Severity, Verdict
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Pool,
    Scenario,
)
from models.scenario.wording import GERMAN, THIN
from models.single_changes.fixes import fixes
from models.studies.flip import Flip, Flips, Lost, Step, flips
from models.tell.outlook import (
    CALCULATING,
    NOTHING_FIXES,
    Causes,
    distance_text,
    fix_text,
    flips_text,
    flips_tip,
    nothing_text,
)
from resources.translation_files import load_messages
from tests.app import samples
from tests.app.kept import kept
from tests.app.sessions import two_hosts
from tests.models.worlds import KNOWLEDGE, a_cluster_of, a_host


def tight(scenario: Scenario) -> Scenario:
    """At risk for one reason: the survivors of a failure lack RAM."""
    for id in ("h1", "h2"):
        scenario = scenario.edit(Host, id, lambda host: replace(host, ram_gib=20.0))
    return scenario.edit(Pool, "p1", lambda pool: replace(pool, spindles=100))


FLIPS, FIXES = kept(flips), kept(fixes)


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found about the same scenario is worked out once."""
    monkeypatch.setattr("models.studies.flip.flips", FLIPS)
    monkeypatch.setattr("models.single_changes.fixes.fixes", FIXES)


@pytest.fixture
def bar(
    qtbot: QtBot, mail_session: Session, selection: Selection, monkeypatch: pytest.MonkeyPatch
) -> Iterator[VerdictBar]:
    """What is ahead is worked out when a test says so, however long it takes to get there."""
    monkeypatch.setattr("app.outlook.REST_MS", 3_600_000)
    mail_session.edit(tight(mail_session.scenario), "Less RAM")
    mail_session.flush()
    window = QWidget()
    qtbot.addWidget(window)
    worker = InlineWorker(window)
    bar = VerdictBar(mail_session, parent=window, selection=selection, worker=worker)
    bar.setGeometry(8, 8, 1350, 150)
    window.resize(1366, 170)
    with qtbot.waitExposed(window):
        window.show()
    yield bar
    window.close()


def known(bar: VerdictBar) -> None:
    bar.outlook.begin()


def test_it_says_that_it_calculates_then_what_it_found(bar: VerdictBar) -> None:
    assert bar.lines.flips == CALCULATING
    assert not bar.fix.isVisible()
    known(bar)
    assert "users" in bar.lines.flips
    assert bar.fix.isVisible()
    assert bar.lines.distance.startswith("1 VM without room with esx1 gone")
    assert "; next " in bar.lines.distance


def test_a_click_makes_the_fix_as_one_step(bar: VerdictBar, mail_session: Session) -> None:
    known(bar)
    fix = bar.fix.fix
    assert fix is not None
    assert bar.fix.words == fix_text(fix)
    steps = mail_session.stack.count()
    QTest.mouseClick(bar.fix, Qt.MouseButton.LeftButton)
    mail_session.flush()
    assert mail_session.stack.count() == steps + 1
    assert mail_session.stack.undoText() == fix.change.text
    assert mail_session.view.prediction.verdict is fix.verdict
    assert not bar.fix.isVisible()
    mail_session.stack.undo()
    mail_session.flush()
    assert bar.fix.isVisible(), "it is known already"


def test_what_is_shown_belongs_to_what_is_in_view(bar: VerdictBar, mail_session: Session) -> None:
    known(bar)
    mail_session.edit(two_hosts(1), "Another design")
    mail_session.flush()
    assert not bar.fix.isVisible()
    assert bar.lines.flips == CALCULATING
    bar.fix.make()
    assert mail_session.stack.undoText() == "Another design"
    bar.give_up()


def test_what_is_in_the_hand_is_never_spoken_of_with_what_was_found_before(
    bar: VerdictBar, mail_session: Session
) -> None:
    known(bar)
    before, distance = bar.lines.flips, bar.lines.distance
    mail_session.preview(mail_session.scenario.place(["m1"], None))
    mail_session.flush()
    assert bar.lines.flips == CALCULATING
    view = mail_session.view
    assert bar.lines.distance == distance_text(view.prediction, view.scenario)
    assert bar.lines.distance != distance
    mail_session.clear_preview()
    mail_session.flush()
    assert (bar.lines.flips, bar.lines.distance) == (before, distance)


def test_the_outlook_has_a_row_of_its_own_where_the_nudges_leave_no_room(bar: VerdictBar) -> None:
    known(bar)
    assert bar.lines.x() > bar.nudges.geometry().right()
    for width in (890, 1000, 1350):
        bar.resize(width, 170)
        lines = bar.lines.findChildren(ShorterLine)
        assert [line.text() for line in lines if line.text() and not line.shown] == []
        assert [line.width() for line in lines if line.width() < 150] == []
        assert bar.lines.y() > bar.nudges.y() or width == 1350


def test_the_fix_has_the_room_that_is_there(qtbot: QtBot, bar: VerdictBar) -> None:
    known(bar)
    fix = bar.fix
    assert fix is not None
    assert fix.fix is not None
    qtbot.waitUntil(lambda: fix.text() == fix.words)


def test_long_words_take_two_lines(qtbot: QtBot, bar: VerdictBar) -> None:
    known(bar)
    fix = bar.fix
    assert fix is not None
    assert fix.fix is not None
    qtbot.waitUntil(lambda: fix.text() == fix.words)
    one = fix.sizeHint()
    fix.resize(fix.AROUND + (one.width() - fix.AROUND) * 2 // 3, one.height())
    assert fix.text().replace("\n", " ") == fix_text(fix.fix, brief=True)
    assert fix.text().count("\n") == 1
    assert fix.sizeHint().height() > one.height()
    assert fix.words in fix.accessibleName()


def test_longer_words_end_in_an_ellipsis(bar: VerdictBar) -> None:
    known(bar)
    bar.fix.resize(100, bar.fix.height())
    assert bar.fix.text().endswith("…")
    assert bar.fix.words in bar.fix.toolTip()
    LOOK.use(DARK)
    assert bar.minimumSizeHint().width() <= 1366 - 16


def test_that_nothing_mends_it_has_room_in_a_narrow_place(qtbot: QtBot, bar: VerdictBar) -> None:
    fix = bar.fix
    assert fix is not None
    known(bar)
    fix.words, fix._brief = NOTHING_FIXES, "No single fix"
    fix.resize(fix.AROUND + fix.fontMetrics().horizontalAdvance("No single fix") - 4, fix.height())
    assert fix.text() == "No single\nfix"


def test_in_a_narrow_place_it_says_the_same_in_fewer_words(qtbot: QtBot) -> None:
    line = ShorterLine()
    qtbot.addWidget(line)
    text = "Fits up to 5,120 users or 1.34× load per user, but not with a host lost"
    brief = "Fits up to 5,120 users or 1.34× load, not with a host lost"
    line.say(text, brief)
    wide = line.fontMetrics().horizontalAdvance(text)
    line.resize(wide + 2, 20)
    assert line.shown == text
    line.resize(wide - 4, 20)
    assert line.shown == brief
    line.resize(60, 20)
    assert line.shown.endswith("…")
    assert (line.text(), line.toolTip()) == (text, text)
    line.say(text, brief, "Holds")
    line.resize(wide - 4, 20)
    assert line.shown == brief
    line.resize(60, 20)
    assert line.shown == "Holds"
    spare = ShorterLine(is_dispensable=True)
    qtbot.addWidget(spare)
    spare.say("in normal operation", "normal")
    spare.resize(10, 20)
    assert spare.shown == ""


def flip(up: Step | None = None, down: Step | None = None, now: float = 1.0) -> Flip:
    return Flip(now=now, up=up, down=down)


class TestWords:
    scenario = samples.scenario()

    def said(self, flips: Flips) -> str:
        return flips_text(flips, self.scenario)

    def test_a_fit_is_told_up_to_where(self) -> None:
        risk = Verdict.AT_RISK
        flips = Flips(
            verdict=Verdict.FITS,
            users=flip(Step(5123.9, risk), now=3800.0),
            load=flip(Step(1.3489, risk)),
            lost=Lost(("h1",), risk),
            tried=1,
        )
        assert self.said(flips) == (
            "Fits up to 5,120 users or 1.34× load per user, but not with a host lost"
        )
        assert "hosts lost: esx1" in flips_tip(flips, self.scenario)
        german = flips_text(flips, self.scenario).said(Language("de", load_messages("de"), GERMAN))
        assert "5.120" in german
        assert "1,34×" in german

    def test_it_is_told_alike_before_and_after_the_step_from_fits_to_at_risk(self) -> None:
        """And what is told is never less than what there is."""
        users = Step(12_000.1, Verdict.AT_RISK), Step(13_302.0, Verdict.DOES_NOT_FIT)
        fits = Flips(
            verdict=Verdict.FITS,
            users=Flip(now=12_000.0, up=users[0], down=None, beyond=users[1]),
            load=flip(Step(1.0000083, Verdict.AT_RISK)),
            lost=Lost(("h1",), Verdict.AT_RISK),
            tried=1,
        )
        least = partial(flips_text, scenario=self.scenario, causes=Causes.NUMBERS_ALONE)
        assert least(fits) == "Fits up to these 12,000 users; does not fit beyond 13,300"
        assert self.said(fits) == (
            "Fits up to these 12,000 users, but not with a host lost; does not fit beyond 13,300"
        )
        down = Step(11_999.98, Verdict.FITS)
        risk = Flips(
            verdict=Verdict.AT_RISK,
            users=flip(users[1], down, now=12_100.0),
            load=None,
            lost=None,
            tried=1,
        )
        assert least(risk) == "Fits up to 12,000 users; does not fit beyond 13,300"

    @pytest.mark.parametrize("now", [87.0, 12_038.0, 123_456.0])
    @pytest.mark.parametrize("factor", [1.0, 1.00001, 1.0009, 1.004, 1.3])
    def test_what_fits_now_is_never_told_as_more_than_fits(self, now: float, factor: float) -> None:
        flips = Flips(
            verdict=Verdict.FITS,
            users=flip(Step(now * factor, Verdict.AT_RISK), now=now),
            load=flip(Step(factor, Verdict.AT_RISK)),
            lost=None,
            tried=1,
        )
        for causes in Causes:
            said = flips_text(flips, self.scenario, causes=causes)
            (told,) = re.findall(r"([\d,]+) users", said)
            assert float(told.replace(",", "")) >= now
            assert ("these" in said) == (float(told.replace(",", "")) == now)
            assert "1.00×" not in said

    def test_todays_load_is_said_as_such(self) -> None:
        step = flip(Step(1.004, Verdict.AT_RISK))
        flips = Flips(verdict=Verdict.FITS, users=flip(), load=step, lost=None, tried=1)
        assert self.said(flips) == "Fits up to today’s load per user"

    def test_that_nothing_holds_without_any_host_goes_without_saying(self) -> None:
        everything = tuple(host.id for host in self.scenario.hosts)
        for hosts, said in (
            (everything[:-1], f"Holds, but not with {len(everything) - 1} hosts lost"),
            (everything, "Holds"),
        ):
            lost = Lost(hosts, Verdict.DOES_NOT_FIT)
            flips = Flips(verdict=Verdict.FITS, users=None, load=None, lost=lost, tried=1)
            assert self.said(flips) == said

    def test_a_restart_is_of_the_vm_that_restarts(self) -> None:
        binding = Binding(
            subject="h2",
            resource="cpu_pct",
            mode="host h2",
            value=90.0,
            limit=70.0,
            own=True,
            vm="m1",
            host="h1",
        )
        flips = Flips(
            verdict=Verdict.FITS,
            users=None,
            load=None,
            lost=Lost(("h2",), Verdict.AT_RISK, binding),
            tried=1,
        )
        name = self.scenario.vm("m1").name
        assert f"(CPU of {name} with esx2 gone)" in self.said(flips)

    def test_it_names_what_gives_way_once_for_each(self) -> None:
        disks = Binding(
            subject="p1", resource="utilisation_pct", mode="normal", value=71.0, limit=70.0
        )
        memory = Binding(subject="h2", resource="ram_pct", mode="host h2", value=130.0, limit=100.0)
        flips = Flips(
            verdict=Verdict.FITS,
            users=flip(Step(5123.9, Verdict.AT_RISK, disks), now=3800.0),
            load=flip(Step(1.3489, Verdict.AT_RISK, disks)),
            lost=Lost(("h1",), Verdict.AT_RISK, memory),
            tried=1,
        )
        pool = self.scenario.pool("p1").name
        assert self.said(flips) == (
            f"Fits up to 5,120 users or 1.34× load per user (disk utilisation of {pool}), "
            "but not with a host lost (RAM with esx2 gone)"
        )
        brief = flips_text(flips, self.scenario, causes=Causes.BRIEF, brief=True)
        assert brief == ("Fits up to 5,120 users or 1.34× load (disks), not with a host lost (RAM)")
        unsaid = flips_text(flips, self.scenario, causes=Causes.UNSAID, brief=True)
        assert unsaid == "Fits up to 5,120 users or 1.34× load, not with a host lost"
        nearest = Binding(
            subject="m1", resource="response_ms", mode="normal", value=58.0, limit=1000.0
        )
        tip = flips_tip(flips, self.scenario, nearest=nearest)
        assert f"now nearest: response time of {self.scenario.vm('m1').name}; with more" in tip
        tip = flips_tip(flips, self.scenario, nearest=disks)
        assert "now nearest" not in tip

    def test_where_there_is_little_room_the_number_of_users_is_said_alone(self) -> None:
        flips = Flips(
            verdict=Verdict.AT_RISK,
            users=flip(
                Step(105_400.0, Verdict.DOES_NOT_FIT), Step(51_690.0, Verdict.FITS), now=54_000.0
            ),
            load=flip(Step(1.95, Verdict.DOES_NOT_FIT), Step(0.957, Verdict.FITS)),
            lost=None,
            tried=1,
        )
        said = flips_text(flips, self.scenario, causes=Causes.USERS_ALONE)
        assert said == "Fits up to 51,600 users; does not fit beyond 105,000 users"

    def test_numbers_that_have_room_are_not_cut_for_a_host_lost(self) -> None:
        flips = Flips(
            verdict=Verdict.AT_RISK,
            users=flip(Step(39_150.0, Verdict.DOES_NOT_FIT), Step(9_479.0, Verdict.FITS)),
            load=None,
            lost=Lost(("h1",), Verdict.DOES_NOT_FIT),
            tried=1,
        )
        alone, least = (
            flips_text(flips, self.scenario, causes=causes)
            for causes in (Causes.USERS_ALONE, Causes.NUMBERS_ALONE)
        )
        assert alone == f"{least} users; does not fit with esx1 lost"
        assert least == "Fits up to 9,470 users; does not fit beyond 39,100"
        busier = flip(Step(1.36, Verdict.DOES_NOT_FIT))
        down_alone = replace(flips, users=flip(down=Step(9_479.0, Verdict.FITS)), load=busier)
        said = flips_text(down_alone, self.scenario, causes=Causes.NUMBERS_ALONE)
        assert said == "Fits up to 9,470 users; does not fit beyond 1.36× load per user"
        only = replace(flips, users=None)
        said = flips_text(only, self.scenario, causes=Causes.NUMBERS_ALONE)
        assert said == "Does not fit with esx1 lost"

    def test_a_rule_that_gives_way_is_named_by_its_title(self) -> None:
        error = Finding(
            rule="ft-logging-users",
            severity=Severity.ERROR,
            subject="m1",
            clause="Text",
            fix="Fix.",
            source="Table",
        )
        up = Step(9524.0, Verdict.DOES_NOT_FIT, error)
        flips = Flips(
            verdict=Verdict.AT_RISK, users=flip(up, now=7000.0), load=None, lost=None, tried=0
        )
        assert self.said(flips) == (
            "Does not fit beyond 9,520 users (Fault Tolerance: users per logging link, Mail-01)"
        )

    def test_users_and_load_each_have_their_own_cause(self) -> None:
        response, cpu = (
            Binding(subject="m1", resource=field, mode="normal", value=2.0, limit=1.0)
            for field in ("response_ms", "cpu_pct")
        )
        flips = Flips(
            verdict=Verdict.AT_RISK,
            users=flip(Step(9524.0, Verdict.DOES_NOT_FIT, response), now=7000.0),
            load=flip(Step(1.36, Verdict.DOES_NOT_FIT, cpu)),
            lost=None,
            tried=0,
        )
        assert self.said(flips) == (
            "Does not fit beyond 9,520 users (response time of Mail-01) or 1.36× load per user "
            "(CPU of Mail-01)"
        )

    def test_a_fit_may_hold_whatever(self) -> None:
        flips = Flips(verdict=Verdict.FITS, users=flip(), load=flip(), lost=None, tried=1)
        assert self.said(flips) == "Holds whatever the number of users"
        said = "the loss of a host does not change this verdict"
        assert said in flips_tip(flips, self.scenario)
        all_of_them = replace(flips, tried=len(self.scenario.hosts))
        for doubtful in (all_of_them, replace(flips, verdict=Verdict.AT_RISK)):
            assert "loss of" not in flips_tip(doubtful, self.scenario)

    def test_what_is_at_risk_says_both_ways(self) -> None:
        flips = Flips(
            verdict=Verdict.AT_RISK,
            users=flip(Step(9524.0, Verdict.DOES_NOT_FIT), Step(3012.0, Verdict.FITS), 7000.0),
            load=flip(Step(1.36, Verdict.DOES_NOT_FIT), Step(0.43, Verdict.FITS)),
            lost=Lost(("h1", "h2"), Verdict.DOES_NOT_FIT),
            tried=2,
        )
        assert self.said(flips) == (
            "Fits up to 3,010 users or 0.43× load per user; does not fit beyond 9,520 users or "
            "1.36× load per user; does not fit with esx1 and esx2 lost"
        )

    def test_what_no_number_of_users_mends(self) -> None:
        flips = Flips(verdict=Verdict.DOES_NOT_FIT, users=flip(), load=flip(), lost=None, tried=0)
        assert self.said(flips) == "No number of users changes this"

    def test_nothing_to_say_is_nothing(self) -> None:
        flips = Flips(verdict=Verdict.FITS, users=None, load=None, lost=None, tried=0)
        assert self.said(flips) == ""

    def test_distances(self) -> None:
        prediction = samples.prediction(self.scenario)
        binding = Binding(subject="h1", resource="ram_pct", mode="normal", value=96.0, limit=100.0)
        other = replace(binding, subject="h2", mode="host h2", value=130.0)
        said = distance_text(replace(prediction, binding=binding, runner_up=other), self.scenario)
        assert said == f"RAM of esx1: 4{THIN}% left; next RAM with esx2 gone: 30{THIN}% over"
        far = replace(binding, resource="response_ms", value=1e6)
        alone = replace(prediction, binding=far, runner_up=None)
        assert distance_text(alone, self.scenario) == ("Response time of esx1: far over")

    def test_what_comes_next_is_said_where_one_change_is_not_enough(
        self, mail_session: Session
    ) -> None:
        scenario = mail_session.scenario
        for id in ("h1", "h2"):
            scenario = scenario.edit(Host, id, lambda host: replace(host, ram_gib=20.0))
        mail_session.edit(scenario, "Less RAM")
        mail_session.flush()
        prediction = mail_session.view.prediction
        found = fixes(scenario, mail_session.knowledge, prediction)
        best = found.best
        assert best is not None
        assert best.verdict is Verdict.AT_RISK
        assert "→ then " in fix_text(best)

    def test_without_a_fix_the_finding_speaks(self) -> None:
        prediction = samples.prediction(self.scenario)
        assert nothing_text(replace(prediction, findings=())) == NOTHING_FIXES


def test_a_worse_failure_than_a_hosts_stands_below_the_sentence(
    bar: VerdictBar, mail_session: Session
) -> None:
    """Both hosts in one rack: nothing survives, whatever the loss of one of them comes to."""
    assert not bar.besides.isVisible()
    scenario = two_hosts()
    for host in scenario.hosts:
        scenario = scenario.edit(Host, host.id, in_the_rack)
    mail_session.edit(scenario, "One rack")
    mail_session.flush()
    known(bar)
    assert bar.besides.isVisible()
    assert bar.besides.words.text().startswith("Besides: Group Rack-1 fails: ")
    assert bar.besides.verdict is Verdict.DOES_NOT_FIT
    mail_session.preview(scenario.place(["m1"], "h2"))
    mail_session.flush()
    assert bar.besides.words.text() == BESIDES_CALCULATING
    mail_session.clear_preview()
    mail_session.edit(two_hosts(), "No rack")
    mail_session.flush()
    known(bar)
    assert not bar.besides.isVisible()


def in_the_rack(host: Host) -> Host:
    return replace(host, failure_group="Rack-1")


def test_a_host_that_stands_alone_is_named_as_any_of_a_cluster_may_fail() -> None:
    mail = two_hosts()
    outside = replace(mail.hosts[0], id="h9", name="esx9", cluster=None)
    scenario = replace(mail, hosts=(*mail.hosts, outside))
    lost = Lost(("h9",), Verdict.AT_RISK, alone=True)
    flips = Flips(verdict=Verdict.FITS, users=None, load=None, lost=lost, tried=1)
    assert flips_text(flips, scenario) == "Holds, but not with esx9 lost"


def test_so_is_a_physical_server_listed_in_a_cluster() -> None:
    lax = Cluster(id="c1", name="Mail", admission=Admission(policy=AdmissionPolicy.NONE))
    apart = a_host("h1", name="x366", cluster="c1", hypervisor="none")
    base = a_cluster_of(3, vms=3, ram_gib=4.0)
    scenario = replace(base, clusters=(lax,), hosts=(apart, *base.hosts[1:]))
    scenario = scenario.with_item(replace(base.vm("m1"), ram_gib=2.0, disk_mode=DiskMode.PHYSICAL))
    ahead = flips(scenario, KNOWLEDGE)
    assert ahead.verdict is Verdict.FITS
    assert ", but not with x366 lost (" in flips_text(ahead, scenario)
