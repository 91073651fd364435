"""A host is lost as long as it is held, and the project knows nothing of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.board.face_store import GONE
from app.widgets.board.faces import HostFace, VmFace
from app.widgets.board.outage import LET_GO_MS
from app.widgets.board.view import BoardView
from app.widgets.gauge_text import name_of, number_text
from app.wording import locale_style
from models.judgement.gauges import gauges
from models.predict.prediction import Verdict
from models.scenario.scenario import Host, Workload
from models.scenario.wording import value_text
from models.scenario.workloads import WorkloadKind
from tests.app.gestures import LEFT, at, drag_to, press, release
from tests.app.widgets.board.boards import focus, settle

K = Qt.Key.Key_K


def hold(board: BoardView, host: str = "h1") -> None:
    """Presses K with a host selected, and keeps it down."""
    QTest.mouseClick(board.viewport(), LEFT, pos=at(board, host))
    QTest.keyPress(board, K)


def let_go(qtbot: QtBot, board: BoardView) -> None:
    """The key is up, and stays up."""
    QTest.keyRelease(board, K)
    qtbot.waitUntil(lambda: board.state.lost is None)


def repeat(board: BoardView) -> None:
    """What the system sends while a key stays down."""
    for kind in (QEvent.Type.KeyRelease, QEvent.Type.KeyPress):
        plain = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(board, QKeyEvent(kind, K, plain, "k", True))


def share(board: BoardView, host: str, meter: int) -> float:
    face = board.scene.faces.face(host)
    assert isinstance(face, HostFace)
    return face.meters[meter].share or 0.0


class TestByKey:
    def test_it_is_lost_while_k_is_down(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        stored, before = session.project, share(board, "h2", 1)
        hold(board)
        settle(qtbot, session)
        lost = board.state.lost
        assert lost is not None
        assert lost.host == "h1"
        assert session.view.is_preview
        assert share(board, "h1", 1) == 0.0
        assert share(board, "h2", 1) + share(board, "h3", 1) > 2 * before
        assert session.project is stored
        let_go(qtbot, board)
        settle(qtbot, session)
        assert not session.view.is_preview
        assert share(board, "h2", 1) == before
        assert (session.project is stored, session.stack.count()) == (True, 0)

    def test_a_repeating_key_is_one_press(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        hold(board)
        settle(qtbot, session)
        lost = board.state.lost
        with qtbot.assertNotEmitted(session.view_changed):
            for _ in range(5):
                repeat(board)
        assert board.state.lost is not None
        assert lost is not None
        assert board.state.lost.places == lost.places

    def test_the_host_of_a_vm_is_meant_where_a_vm_is_current(self, board: BoardView) -> None:
        hold(board, "m2")
        assert board.state.lost is not None
        assert board.state.lost.host == "h2"

    def test_a_repeat_that_looks_like_a_release_is_one_press(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        """What X11 sends now and then while a key stays down: not marked as a repeat."""
        hold(board)
        settle(qtbot, session)
        with qtbot.assertNotEmitted(session.view_changed, wait=2 * LET_GO_MS):
            for _ in range(5):
                QTest.keyRelease(board, K)
                QTest.keyPress(board, K)
        assert board.state.lost is not None

    def test_a_machine_that_is_gone_has_no_numbers(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        hold(board)
        settle(qtbot, session)
        face = board.scene.faces.face("h1")
        assert isinstance(face, HostFace)
        for meter in face.meters:
            assert (meter.text, meter.share, meter.ghost, meter.failure) == (GONE, 0.0, None, None)
        moved = board.scene.faces.face("m1")
        assert isinstance(moved, VmFace)
        response = session.view.prediction.vms.quantity("m1", "response_ms")
        assert moved.more == f"{value_text(response, 'ms')} there"

    def test_the_banner_says_mode_and_verdict(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        modes = session.view.committed.failures
        mode = next(mode for mode in modes if mode.host == "h1")
        assert mode.verdict is not None
        hold(board)
        words = board.bar.banner.words
        assert words.startswith(f"esx1 lost: {mode.verdict.label}; at worst CPU ")
        assert board.bar.banner.isVisible()
        let_go(qtbot, board)
        assert not board.bar.banner.isVisible()

    def test_a_fit_of_what_is_not_known_is_not_claimed(
        self, board: BoardView, session: Session
    ) -> None:
        """Of Sametime servers neither CPU nor response times are known."""
        kinds = (WorkloadKind.SAMETIME_MUX, WorkloadKind.SAMETIME_COMMUNITY)
        for place, vm in enumerate(session.scenario.vms):
            users = 1000.0 if place else 1000.0 * (len(session.scenario.vms) - 1)
            work = Workload(kind=kinds[min(place, 1)], release="7.5.1", active_users=users)
            session.edit(session.scenario.with_item(replace(vm, workload=work)), "Chat")
        session.flush()
        hold(board)
        assert board.bar.banner.words.startswith("esx1 lost: not known; at worst RAM ")

    def test_its_numbers_are_those_of_the_dials(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        hold(board)
        settle(qtbot, session)
        view = session.view
        for gauge in gauges(view.scenario, view.prediction):
            if gauge.field in ("cpu_pct", "ram_pct", "response_ms"):
                value = number_text(gauge, style=locale_style())
                who = name_of(view.scenario, gauge.subject)
                assert f"{value} ({who})" in board.bar.banner.words

    def test_its_vms_stand_on_the_survivors_inside_their_frames(self, board: BoardView) -> None:
        hold(board)
        scene, lost = board.scene, board.state.lost
        assert lost is not None
        boxes = scene.layout.ghosts
        assert set(boxes) == set(scene.ghosts) == {"m1", "m4", "m7"}
        for vm, box in boxes.items():
            frame = scene.layout.hosts[lost.places[vm] or ""]
            assert frame.x <= box.x
            assert box.right <= frame.right
            assert box.bottom <= frame.bottom
            others = [other for id, other in boxes.items() if id != vm]
            assert not any(box.meets(other) for other in others)

    def test_they_cover_nothing_that_runs_there(self, board: BoardView) -> None:
        before = board.board_layout
        hold(board)
        layout = board.board_layout
        own = {vm: layout.vms[vm] for host in layout.restarted for vm in layout.cards[host]}
        assert set(own) >= {"m2", "m3"}
        for ghost in layout.ghosts.values():
            assert not any(box.meets(ghost) for box in own.values())
        for host, vms in layout.restarted.items():
            frame = layout.hosts[host]
            assert vms
            assert frame.h >= before.hosts[host].h
            assert all(layout.vms[vm].bottom <= frame.bottom for vm in layout.cards[host])

    def test_the_board_is_as_it_was_afterwards(self, qtbot: QtBot, board: BoardView) -> None:
        before = dict(board.board_layout.vms), dict(board.board_layout.hosts)
        hold(board)
        let_go(qtbot, board)
        layout = board.board_layout
        assert before == (dict(layout.vms), dict(layout.hosts))
        assert not layout.ghosts

    def test_every_pane_shows_the_verdict_of_the_mode(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        modes = session.view.committed.failures
        mode = next(mode for mode in modes if mode.host == "h1")
        hold(board)
        settle(qtbot, session)
        assert session.view.prediction.verdict is mode.verdict
        assert "esx1 lost" in session.view.prediction.sentence

    def test_its_vms_say_where_they_go_on(self, board: BoardView) -> None:
        hold(board)
        lost = board.state.lost
        assert lost is not None
        assert set(lost.places) == {"m1", "m4", "m7"}
        for vm, host in lost.places.items():
            face = board.scene.faces.face(vm)
            assert isinstance(face, VmFace)
            assert host is not None
            assert face.response.endswith(board.scene.scenario.host(host).name)

    def test_a_stand_alone_host_takes_its_vms_down(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        session.edit(
            session.scenario.edit(Host, "h1", lambda host: replace(host, cluster=None)), "Alone"
        )
        settle(qtbot, session)
        hold(board)
        lost = board.state.lost
        assert lost is not None
        assert set(lost.places.values()) == {None}
        assert lost.verdict is Verdict.DOES_NOT_FIT
        assert lost.words.startswith("esx1 is lost and has no HA")
        settle(qtbot, session)
        assert session.view.prediction.shown.verdict is Verdict.DOES_NOT_FIT

    def test_with_something_in_the_hand_k_does_nothing(
        self, board: BoardView, session: Session
    ) -> None:
        press(board, "m1")
        drag_to(board, at(board, "h2"))
        QTest.keyPress(board, K)
        assert board.state.lost is None
        assert board.state.carry is not None
        board.lose_host()
        assert board.state.lost is None
        QTest.keyRelease(board, K)
        release(board, at(board, "h2"))
        assert session.scenario.vm("m1").host == "h2"

    def test_losing_the_focus_lets_go(self, qtbot: QtBot, board: BoardView) -> None:
        focus(qtbot, board)
        hold(board)
        board.bar.field.setFocus()
        assert board.state.lost is None

    def test_an_edit_lets_go(self, qtbot: QtBot, board: BoardView, session: Session) -> None:
        hold(board)
        session.edit(session.scenario.without(["m7"]), "Delete Mail-07")
        settle(qtbot, session)
        assert board.state.lost is None
        assert not session.view.is_preview


class TestByHand:
    def test_pressing_and_holding_loses_it(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        press(board, "h2")
        assert board.outage.is_waiting
        assert board.state.lost is None
        qtbot.waitUntil(lambda: board.state.lost is not None)
        settle(qtbot, session)
        assert session.view.is_preview
        drag_to(board, at(board, "h3"))
        assert board.state.band is None
        release(board, at(board, "h3"))
        settle(qtbot, session)
        assert board.state.lost is None
        assert (session.stack.count(), session.view.is_preview) == (0, False)

    def test_a_click_only_selects(self, board: BoardView) -> None:
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "h2"))
        assert board.state.selected == {"h2"}
        assert not board.outage.is_waiting

    def test_a_band_from_a_host_is_no_hold(self, board: BoardView) -> None:
        press(board, "h2")
        assert board.outage.is_waiting
        drag_to(board, at(board, "m2") + QPoint(30, 0))
        assert board.state.band is not None
        assert not board.outage.is_waiting
        release(board, at(board, "m2"))


class TestMotion:
    def test_the_vms_are_on_their_way_for_a_moment(self, qtbot: QtBot, board: BoardView) -> None:
        board.set_motion(True)
        hold(board)
        assert board.state.lost is not None
        assert board.state.lost.progress < 1.0
        qtbot.waitUntil(lambda: board.state.lost is not None and board.state.lost.progress == 1.0)

    def test_without_motion_they_are_there_at_once(self, board: BoardView) -> None:
        board.set_motion(False)
        hold(board)
        assert board.state.lost is not None
        assert board.state.lost.progress == 1.0


def test_for_hands_that_can_not_hold_it_stays_until_asked_again(
    qtbot: QtBot, board: BoardView, session: Session
) -> None:
    QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "h2"))
    board.lose_host()
    settle(qtbot, session)
    assert board.state.lost is not None
    QTest.keyClick(board, Qt.Key.Key_Escape)
    settle(qtbot, session)
    assert board.state.lost is None
    board.lose_host()
    board.lose_host()
    assert board.state.lost is None


@pytest.mark.parametrize("host", ["h1", "h2", "h3"])
def test_what_is_shown_agrees_with_the_failure_table(
    qtbot: QtBot, board: BoardView, session: Session, host: str
) -> None:
    mode = next(m for m in session.view.committed.failures if m.host == host)
    hold(board, host)
    settle(qtbot, session)
    hosts = session.view.prediction.hosts
    others = [row for row, id in enumerate(hosts.ids) if id != host]
    assert max(hosts.ram_pct.value[others]) == pytest.approx(mode.ram_pct.value)
    assert max(hosts.cpu_pct.value[others]) == pytest.approx(mode.cpu_pct.value)
