"""Nudges act at once, add up while held, say what they did to the verdict, and go back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.marks import scaled_font
from app.widgets.nudges import SIGN_GAP, SIGN_PX, TITLE_EDGE, TITLE_FACTOR, Nudger, NudgeStrip
from app.widgets.verdict import VerdictBar, nudge_text
from app.work import InlineWorker
from models.predict.prediction import Shown, Verdict
from models.project.project import Project
from models.scenario.inputs import with_pin
from models.scenario.scenario import Host, Pool, Scenario
from models.scenario.wording import THIN
from models.single_changes.nudge import Knob

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bar(
    qtbot: QtBot, mail_session: Session, selection: Selection, monkeypatch: pytest.MonkeyPatch
) -> Iterator[VerdictBar]:
    """Nothing is worked out ahead."""
    monkeypatch.setattr("app.outlook.REST_MS", 3_600_000)
    window = QWidget()
    qtbot.addWidget(window)
    bar = VerdictBar(mail_session, selection, InlineWorker(window), window)
    bar.setGeometry(8, 8, 1350, 150)
    window.resize(1366, 170)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield bar
    window.close()


@pytest.fixture
def strip(bar: VerdictBar) -> NudgeStrip:
    return bar.nudges


def click(button: QAbstractButton, times: int = 1) -> None:
    for _ in range(times):
        QTest.mouseClick(button, LEFT)


def ram(session: Session, id: str = "h1") -> float:
    return session.scenario.host(id).ram_gib


def test_names_have_room_and_are_whole_for_those_who_listen(
    strip: NudgeStrip, selection: Selection
) -> None:
    selection.select("m1")
    for nudger in strip.nudgers.values():
        metrics = QFontMetricsF(scaled_font(nudger.font(), TITLE_FACTOR))
        room = nudger.width() - 2 * TITLE_EDGE - 2
        assert metrics.horizontalAdvance(nudger.title) <= room, nudger.title
        assert nudger.aim.who in nudger.accessibleName()
        assert nudger.aim.value in nudger.accessibleName()


def test_both_ends_of_a_range_have_room(strip: NudgeStrip) -> None:
    """At 1366 px and with the window's type."""
    users = strip.nudgers[Knob.USERS]
    for value in ("4,000", "5,000\N{EN DASH}20,000", "10,000\N{EN DASH}20,000"):
        users.show_aim(replace(users.aim, value=value))
        metrics = QFontMetricsF(scaled_font(users.font(), users.value_factor))
        room = users.width() - users.less.width() - SIGN_PX - 2 * SIGN_GAP - 2
        assert metrics.horizontalAdvance(value) <= room, value
    users.show_aim(replace(users.aim, value="4,000"))
    assert users.value_factor == 1.0


def test_a_press_is_one_step_at_once(
    strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    selection.select("h1")
    click(strip.nudgers[Knob.HOST_RAM].more)
    assert ram(mail_session) == 40.0
    assert mail_session.stack.undoText() == f"+8{THIN}GiB RAM in esx1"
    click(strip.nudgers[Knob.HOST_RAM].more)
    assert (ram(mail_session), mail_session.stack.count()) == (48.0, 2)
    mail_session.stack.undo()
    assert ram(mail_session) == 40.0
    mail_session.flush()


def test_holding_the_button_is_one_step(
    qtbot: QtBot, strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    selection.select("h1")
    button = strip.nudgers[Knob.HOST_RAM].more
    QTest.mousePress(button, LEFT)
    qtbot.waitUntil(lambda: ram(mail_session) >= 56.0)
    QTest.mouseRelease(button, LEFT)
    grown = ram(mail_session)
    assert mail_session.stack.count() == 1
    assert mail_session.stack.undoText() == f"+{grown - 32:g}{THIN}GiB RAM in esx1"
    mail_session.stack.undo()
    assert ram(mail_session) == 32.0
    mail_session.flush()


def test_keys_turn_it_and_a_held_key_is_one_step(
    qtbot: QtBot, strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    nudger = strip.nudgers[Knob.VCPUS]
    nudger.setFocus()
    qtbot.waitUntil(nudger.hasFocus)
    for is_repeat in (False, True, True):
        event = QKeyEvent(
            QEvent.Type.KeyPress, Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, "", is_repeat
        )
        QApplication.sendEvent(nudger, event)
    QTest.keyRelease(nudger, Qt.Key.Key_Up)
    assert mail_session.scenario.vm("m1").vcpus == 7
    assert mail_session.stack.undoText() == "+3 vCPUs for Mail-01"
    QTest.keyClick(nudger, Qt.Key.Key_Minus)
    assert (mail_session.scenario.vm("m1").vcpus, mail_session.stack.count()) == (6, 2)
    mail_session.flush()


def test_there_and_back_in_one_gesture_is_no_step(
    qtbot: QtBot, strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    nudger = strip.nudgers[Knob.USERS]
    nudger.setFocus()
    qtbot.waitUntil(nudger.hasFocus)
    QTest.keyPress(nudger, Qt.Key.Key_Up)
    QTest.keyPress(nudger, Qt.Key.Key_Down)
    QTest.keyRelease(nudger, Qt.Key.Key_Down)
    assert (mail_session.stack.count(), strip.count) == (0, 0)
    mail_session.flush()


def test_a_knob_that_is_held_lets_go_of_another_project(
    strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    strip.nudge(Knob.USERS, 1)
    other = replace(mail_session.scenario, name="Other")
    mail_session.open(Project.of(other), None)
    mail_session.flush()
    strip.nudge(Knob.USERS, 1)
    assert mail_session.scenario.name == "Other"
    strip.finish()
    mail_session.flush()


def test_it_says_what_it_did_to_the_verdict(
    bar: VerdictBar, strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    tight = mail_session.scenario
    for id in ("h1", "h2"):
        tight = tight.edit(Host, id, lambda host: replace(host, ram_gib=20.0))
    tight = tight.edit(Pool, "p1", lambda pool: replace(pool, spindles=100))
    mail_session.edit(tight, "Less RAM")
    mail_session.flush()
    before = mail_session.view.prediction.shown.words
    selection.select("h1")
    click(strip.nudgers[Knob.HOSTS].more)
    mail_session.flush()
    after = mail_session.view.prediction.shown.words
    assert before != after
    assert bar.note.text().startswith(f"+1 host, esx3 → {after}; ")
    assert "Failure headroom" in bar.note.text()


def test_words_of_a_nudge() -> None:
    fits, risk = Shown(Verdict.FITS, "fits"), Shown(Verdict.AT_RISK, "at risk")
    assert nudge_text("+1 host", risk, fits, "CPU 45 → 38 %") == "+1 host → fits; CPU 45 → 38 %"
    assert nudge_text("+1 host", risk, risk, "") == (
        "+1 host: still at risk; no number here changes"
    )
    assert nudge_text("+1 host", fits, fits, "CPU 45 → 38 %") == "+1 host; CPU 45 → 38 %"


class TestRestore:
    def test_there_and_back_leaves_nothing_to_restore(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        before = mail_session.scenario
        strip.nudge(Knob.HOSTS, 1)
        strip.finish()
        strip.nudge(Knob.HOSTS, -1)
        strip.restore()
        assert mail_session.scenario == before
        assert strip.count == 0

    def test_it_goes_back_to_where_nudging_began(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        began = mail_session.scenario
        assert not strip.restore_button.isEnabled()
        selection.select("h1")
        click(strip.nudgers[Knob.HOST_RAM].more, 2)
        click(strip.nudgers[Knob.HOSTS].more)
        assert strip.count == 3
        assert "3 nudges ago" in strip.restore_button.toolTip()
        QTest.mouseClick(strip.restore_button, LEFT)
        assert same_inputs(mail_session.scenario, began)
        assert mail_session.stack.undoText() == "Restore the design before 3 nudges"
        assert not strip.restore_button.isEnabled()
        mail_session.stack.undo()
        assert len(mail_session.scenario.hosts) == 3
        mail_session.flush()

    def test_a_host_taken_away_and_put_back_has_its_vms_again(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        began = mail_session.scenario
        homes = {vm.id: vm.host for vm in began.vms}
        nudger = strip.nudgers[Knob.HOSTS]
        selection.select("h1")
        click(nudger.less)
        mail_session.flush()
        assert {vm.id: vm.host for vm in mail_session.scenario.vms} != homes
        click(nudger.more)
        assert same_inputs(mail_session.scenario, began)
        assert not strip.restore_button.isEnabled(), "it is there already"
        click(nudger.less)
        selection.clear()
        click(strip.nudgers[Knob.USERS].more)
        mail_session.flush()
        click(nudger.more)
        assert {vm.id: vm.host for vm in mail_session.scenario.vms} == homes
        assert mail_session.scenario.hosts == began.hosts
        click(nudger.more)
        new = mail_session.scenario.hosts[-1]
        assert mail_session.scenario.vms_on(new.id) == ()
        mail_session.flush()

    def test_hosts_of_another_kind_are_counted_but_left_alone(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("h1")
        assert strip.nudgers[Knob.HOSTS].aim.value == "2"
        other = replace(mail_session.scenario.host("h2"), server="nehalem-ept")
        mail_session.edit(mail_session.scenario.with_item(other), "Choose a server")
        mail_session.flush()
        assert strip.nudgers[Knob.HOSTS].aim.value == "2"
        assert "hosts like esx1 (1)" in strip.nudgers[Knob.HOSTS].toolTip()

    def test_of_a_host_that_stands_alone_all_hosts_are_counted(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        hosts = [replace(host, cluster=None) for host in mail_session.scenario.hosts]
        hosts[1] = replace(hosts[1], server="nehalem-ept")
        alone = replace(mail_session.scenario, hosts=tuple(hosts), clusters=())
        mail_session.edit(alone, "Take the hosts out of the cluster")
        mail_session.flush()
        selection.select("h1")
        assert strip.nudgers[Knob.HOSTS].title == "Hosts"
        assert strip.nudgers[Knob.HOSTS].aim.value == "2"

    def test_after_another_edit_a_host_that_is_gone_is_gone(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("h1")
        click(strip.nudgers[Knob.HOSTS].less)
        left = mail_session.scenario.hosts[0].id
        mail_session.change(lambda s: s.edit(Host, left, _renamed), "Rename")
        selection.select(left)
        click(strip.nudgers[Knob.HOSTS].more)
        assert mail_session.scenario.vms_on(mail_session.scenario.hosts[-1].id) == ()
        mail_session.flush()

    def test_undo_goes_back_in_the_row(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("h1")
        click(strip.nudgers[Knob.HOST_RAM].more, 3)
        mail_session.stack.undo()
        assert strip.count == 2
        mail_session.stack.undo()
        mail_session.stack.undo()
        assert strip.count == 0
        mail_session.flush()

    def test_another_edit_ends_the_row(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("h1")
        click(strip.nudgers[Knob.HOST_RAM].more)
        mail_session.edit(mail_session.scenario.place(["m1"], "h2"), "Move")
        assert strip.count == 0
        click(strip.nudgers[Knob.HOST_RAM].more)
        QTest.mouseClick(strip.restore_button, LEFT)
        assert mail_session.scenario.vm("m1").host == "h2"
        assert ram(mail_session) == 40.0
        mail_session.flush()

    def test_another_scenario_has_its_own(
        self, strip: NudgeStrip, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("h1")
        click(strip.nudgers[Knob.HOST_RAM].more)
        mail_session.edit_project(mail_session.project.duplicated("s1"), "Duplicate")
        assert strip.count == 0
        mail_session.flush()


def _renamed(host: Host) -> Host:
    return replace(host, name="other")


def same_inputs(one: Scenario, other: Scenario) -> bool:
    return (one.hosts, one.vms, one.pools, one.policy) == (
        other.hosts,
        other.vms,
        other.pools,
        other.policy,
    )


def test_what_cannot_be_is_said_and_changes_nothing(
    qtbot: QtBot, strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    nudger = strip.nudgers[Knob.VCPUS]
    with qtbot.waitSignal(mail_session.message) as said:
        click(nudger.less, 6)
    assert said.args == ["Not changed: must be ≥ 1."]
    assert mail_session.scenario.vm("m1").vcpus == 1
    assert mail_session.stack.count() == 3
    mail_session.flush()


def test_a_pinned_value_is_not_nudged(
    qtbot: QtBot, strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    pinned = mail_session.scenario.edit(
        Host, "h1", lambda host: with_pin(host, "ram_gib", pinned=True)
    )
    mail_session.edit(pinned, "Pin")
    mail_session.flush()
    selection.select("h1")
    with qtbot.waitSignal(mail_session.message) as said:
        click(strip.nudgers[Knob.HOST_RAM].more)
    assert said.args == ["Not changed: it is pinned."]
    assert ram(mail_session) == 32.0
    assert mail_session.stack.undoText() == "Pin"
    mail_session.flush()


def test_knobs_show_what_they_would_turn(
    strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    def words(nudger: Nudger) -> str:
        return nudger.accessibleName()

    selection.select("m2")
    assert words(strip.nudgers[Knob.USERS]) == "Users of Mail-02: 2,000"
    selection.set(("m1", "m2"))
    assert words(strip.nudgers[Knob.VM_RAM]) == f"VM RAM of 2 VMs: 7.2{THIN}GiB"
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    assert not any(nudger.isEnabled() for nudger in strip.nudgers.values())
    LOOK.use(DARK)


def test_all_fits_beside_the_dials(bar: VerdictBar, strip: NudgeStrip) -> None:
    assert bar.minimumSizeHint().width() <= 1366 - 16
    assert strip.geometry().right() <= bar.width()
    assert bar.minimumHeight() <= 768 / 4


def test_a_nudge_once_more_is_of_the_same_items(
    strip: NudgeStrip, mail_session: Session, selection: Selection
) -> None:
    """Whatever binds after the first; another selection is another aim."""
    selection.clear()
    mail_session.flush()
    nudger = strip.nudgers[Knob.VM_RAM]
    first = nudger.aim.ids
    for _ in range(6):
        strip.nudge(Knob.VM_RAM, 1)
        strip.finish()
        mail_session.flush()
        assert nudger.aim.ids == first
    selection.select("m3")
    mail_session.flush()
    assert nudger.aim.ids == ("m3",)


def test_nudges_of_a_recommendation_are_told_against_it_and_restored_to_it(
    qtbot: QtBot, bar: VerdictBar, strip: NudgeStrip, mail_session: Session
) -> None:
    recommended = replace(mail_session.scenario, name="Recommended")
    mail_session.take_recommended(mail_session.project.added(recommended), "Take")
    mail_session.flush()
    start = mail_session.scenario
    assert mail_session.recommended is start
    assert not strip.restore_button.isEnabled()
    notes = []
    for _ in range(2):
        strip.nudge(Knob.HOST_RAM, +1)
        strip.finish()
        mail_session.flush()
        notes.append(bar.note.text())
    assert all("gainst the recommendation: " in note for note in notes)
    begins = [re.search(r"RAM (\d+)", note.split("recommendation: ")[1]) for note in notes]
    assert begins[0] is not None
    assert begins[1] is not None
    assert begins[0][0] == begins[1][0]
    assert notes[0] != notes[1]
    mail_session.edit(replace(mail_session.scenario, notes="more"), "Note")
    mail_session.flush()
    assert strip.restore_button.isEnabled()
    click(strip.restore_button)
    mail_session.flush()
    assert mail_session.scenario == start
    assert not strip.restore_button.isEnabled()
    mail_session.stack.undo()
    mail_session.flush()
    assert mail_session.scenario.notes == "more"
    assert strip.restore_button.isEnabled()
