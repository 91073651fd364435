"""The storm on screen: the model's curves, in the background, never those of another scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.background import Background
from app.look import LOOK
from app.session import Session
from app.theme import DARK
from app.widgets.failure.storm import LINES_BELOW, NOTHING, StormPage
from app.widgets.sections.view import CALCULATING, in_one_line
from app.wording import tip_text
from app.work import InlineWorker, Job, Worker
from models.base.errors import ModelError
from models.explain.storm_terms import RESPONSE, VCPUS, WAITING
from models.resilience.storms import StormKind, storms_asked, study_storm, vcpus_to_drain
from models.scenario.scenario import Assumptions, Scenario
from models.tell.storms import input_facts, spare_fact, storm_facts, storm_plots
from tests.app.kept import kept
from tests.app.sessions import Place, session_of, two_hosts


@pytest.fixture
def mail_session(qtbot: QtBot) -> Iterator[Session]:
    """One server: a storm over more takes seconds."""
    short = Assumptions(holiday_login_s=120.0, holiday_s=240.0)
    session = session_of(replace(two_hosts(1), assumptions=short))
    yield session
    session.deleteLater()


STUDY = kept(study_storm, lambda kind, **_: kind)


@pytest.fixture(autouse=True)
def studied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A storm over the same; `tests/models/resilience/test_storms.py` has it to itself."""
    monkeypatch.setattr("app.widgets.failure.storm.study_storm", STUDY)


@pytest.fixture
def page(place: Place, mail_session: Session) -> StormPage:
    page = StormPage(mail_session, InlineWorker())
    place(page, 820, 260)
    return page


def test_the_curves_are_the_models(page: StormPage, mail_session: Session) -> None:
    session = mail_session
    study = study_storm(session.scenario, session.knowledge, StormKind.RECONNECT)
    assert page.chart is not None
    plots = storm_plots(study, session.scenario)
    assert (page.chart.users.plot, page.chart.response.plot) == plots
    assert page.reading.text() == in_one_line(storm_facts(study, session.scenario))
    assert "(assumed)" in page.below.words
    assert in_one_line(input_facts(study)) in page.below.words
    assert len(page.chart.data_text().splitlines()) == 1 + len(plots[0].x)


def test_the_limit_is_named_where_the_line_is_far_above_it(page: StormPage) -> None:
    assert page.chart is not None
    chart = page.chart.response
    assert chart.plot is not None
    assert chart.plot.limit is not None
    assert max(chart.curves[0].values) > 3 * chart.plot.limit
    (words,) = chart._drawn["words"]
    assert words.toPlainText().startswith("limit")


def test_the_kind_is_read_whole_in_every_language(
    place: Place, mail_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    longer = {kind: f"Wiederanmeldung {kind}" for kind in StormKind}
    monkeypatch.setattr("app.widgets.failure.storm.KINDS", longer)
    page = StormPage(mail_session, InlineWorker())
    place(page, 700, 260)
    assert page.kind.width() >= page.kind.words_width


def test_what_cannot_be_powered_on_is_said_to_be_left_out(
    page: StormPage, mail_session: Session, qtbot: QtBot
) -> None:
    session = mail_session
    (vm,) = session.scenario.vms
    wide = replace(vm, id="wide", name="Wide", vcpus=99)
    session.edit(replace(session.scenario, vms=(vm, wide)), "Add a VM")
    said = "Left out: Wide (can’t be powered on)"
    qtbot.waitUntil(lambda: page.below.words.startswith(said))
    assert said not in page.reading.text()


def test_where_no_server_can_be_powered_on_it_says_so(
    page: StormPage, mail_session: Session, qtbot: QtBot
) -> None:
    session = mail_session
    wide = tuple(replace(vm, vcpus=99) for vm in session.scenario.vms)
    session.edit(replace(session.scenario, vms=wide), "Set vCPUs")
    said = "No server with users and CPU data can be powered on"
    qtbot.waitUntil(lambda: page.empty.isVisible() and page.empty.text == said)
    assert page.below.words == "Left out: Mail-01 (can’t be powered on)"


def test_a_time_that_is_none_is_refused_in_words(
    qtbot: QtBot, page: StormPage, mail_session: Session
) -> None:
    page.within.setFocus()
    page.within.selectAll()
    QTest.keyClicks(page.within, "soon")
    with qtbot.waitSignal(mail_session.message) as said:
        QTest.keyClick(page.within, Qt.Key.Key_Return)
    assert said.args[0].startswith("Not changed: ")
    assert "soon" in said.args[0]


def test_the_vcpus_that_end_it_in_time_are_asked_of_the_model(
    qtbot: QtBot, page: StormPage, mail_session: Session
) -> None:
    session = mail_session
    page.within.setFocus()
    page.within.selectAll()
    QTest.keyClicks(page.within, "1")
    QTest.keyClick(page.within, Qt.Key.Key_Return)
    study = page.study
    assert study is not None
    assert study.worst is not None
    id = study.worst.vm
    vcpus = vcpus_to_drain(
        session.scenario,
        session.knowledge,
        StormKind.RECONNECT,
        vm=id,
        within_s=60.0,
    )
    vm = session.scenario.vm(id)
    said = in_one_line([spare_fact(vm.name, vcpus, vm.vcpus, 60.0)])
    qtbot.waitUntil(lambda: said in page.below.words)


def test_little_room_leaves_whole_lines_and_a_chart(place: Place, page: StormPage) -> None:
    place(page, 640, 200)
    assert page.chart is not None
    assert page.below.text().count("\n") < LINES_BELOW
    assert page.below.height() >= page.below.sizeHint().height()
    assert tip_text(page.below.words) == page.below.toolTip()
    assert page.chart.users.box.height() > 40


def test_another_kind_is_another_storm(page: StormPage) -> None:
    page.kind.committed.emit(StormKind.HOLIDAY)
    study = page.study
    assert study is not None
    assert study.kind is StormKind.HOLIDAY
    assert "Activity after a holiday over the usual one: 1.5" in page.below.words
    LOOK.use(DARK)


def test_a_busy_day_is_asked_for_no_vcpus_that_end_it(qtbot: QtBot, page: StormPage) -> None:
    qtbot.waitUntil(lambda: "vCPU" in page.below.words)
    page.kind.committed.emit(StormKind.HOLIDAY)
    qtbot.waitUntil(lambda: page.is_settled)
    assert "vCPU" not in page.below.words
    assert page.within.isHidden()
    page.kind.committed.emit(StormKind.RECONNECT)
    qtbot.waitUntil(lambda: "vCPU" in page.below.words)
    assert page.within.isVisible()


class Held:
    """Keeps jobs until they are wanted."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start(self, job: Job, /) -> None:
        self.jobs.append(job)


def test_a_storm_over_the_scenario_before_is_dropped(
    qtbot: QtBot, place: Place, mail_session: Session
) -> None:
    held = Held()
    page = StormPage(mail_session, Worker(held))
    place(page, 820, 260)
    assert page.reading.text() == CALCULATING
    late = held.jobs.pop()
    scenario = mail_session.scenario
    vms = tuple(replace(vm, vcpus=2) for vm in scenario.vms)
    mail_session.edit(replace(scenario, vms=vms), "Fewer vCPUs")
    mail_session.flush()
    late.run()
    assert page.study is None
    assert page.reading.text() == CALCULATING
    qtbot.waitUntil(lambda: len(held.jobs) == 1)
    held.jobs.pop().run()
    assert page.study is not None


def test_without_users_it_says_so(qtbot: QtBot, page: StormPage, mail_session: Session) -> None:
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    qtbot.waitUntil(page.empty.isVisible)
    assert page.empty.text == NOTHING


def test_servers_that_are_there_are_not_asked_for(
    qtbot: QtBot, page: StormPage, mail_session: Session
) -> None:
    """They have users, but no host: what lacks is that."""
    scenario = mail_session.scenario
    everyone = [vm.id for vm in scenario.vms]
    mail_session.edit(scenario.place(everyone, None), "Take all off their hosts")
    mail_session.flush()
    qtbot.waitUntil(page.empty.isVisible)
    assert page.empty.text.startswith("Put a Domino server with users on a host")


def test_while_it_is_worked_out_it_says_that_and_not_that_servers_lack(
    place: Place, mail_session: Session
) -> None:
    page = StormPage(mail_session, Worker(Held()))
    place(page, 820, 260)
    assert page.empty.text == CALCULATING
    assert page.reading.text() == CALCULATING


def test_its_inputs_are_stated_as_one_step_and_left_open_by_another(
    page: StormPage, mail_session: Session
) -> None:
    page.stated.click()
    mail_session.flush()
    assert StormKind.RECONNECT in storms_asked(mail_session.scenario)
    assert mail_session.stack.undoText() == "State the inputs of a storm: Reconnect"
    page.stated.click()
    mail_session.flush()
    assert StormKind.RECONNECT not in storms_asked(mail_session.scenario)
    mail_session.stack.undo()
    mail_session.flush()
    assert StormKind.RECONNECT in storms_asked(mail_session.scenario)
    assert page.stated.isChecked()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModelError("must be ≥ 0", field="vms[0].ram_gib"), "vms[0].ram_gib: must be ≥ 0"),
        (KeyError("m1"), "an error of the program"),
    ],
)
def test_a_study_that_fails_says_so_and_an_error_of_the_program_is_reported(
    qtbot: QtBot, mail_session: Session, error: Exception, said: str
) -> None:
    def fails(*_of: object) -> None:
        raise error

    background = Background(mail_session, InlineWorker(mail_session), fails, mail_session)
    with qtbot.captureExceptions() as raised:
        background.want(True)
    assert [each for _kind, each, _trace in raised if each is error] == (
        [] if isinstance(error, ModelError) else [error]
    )
    assert background.problem == said
    assert not background.is_calculating


def test_every_number_opens_its_evidence(qtbot: QtBot, page: StormPage) -> None:
    chart = page.chart
    assert chart is not None
    qtbot.waitUntil(lambda: "vCPUs" in page.below.words)
    for ask, field in (
        (page.why_button.click, RESPONSE),
        (chart.users.double_clicked.emit, WAITING),
        (chart.response.double_clicked.emit, RESPONSE),
        (page.below.asked.emit, VCPUS),
    ):
        with qtbot.waitSignal(page.told) as told:
            ask()
        fields = [each.asked.field for each in told.args[0]]
        assert fields[0] == field
        assert {WAITING, RESPONSE} <= set(fields)
