"""The board by real events: what is carried shows at once, only a drop changes anything."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.mime import CatalogItem, CatalogKind, mime_of_catalog
from app.session import Session
from app.widgets.board.faces import HostFace, VmFace
from app.widgets.board.scene import TRAY
from app.widgets.board.view import BoardView
from models.host_loss import secondaries
from models.scenario.scenario import Host, Vm
from tests.app import samples
from tests.app.gestures import (
    LEFT,
    at,
    drag,
    drag_enter,
    drag_leave,
    drag_to,
    drop,
    on_screen,
    press,
    release,
)
from tests.app.sessions import session_of
from tests.app.widgets.board.boards import settle, show


def place(session: Session, vm: str) -> str | None:
    return session.scenario.vm(vm).host


def cpu_of(session: Session, host: str) -> float:
    value = session.view.prediction.hosts.quantity(host, "cpu_pct").value
    assert value is not None
    return value


class TestCarrying:
    def test_a_drop_moves_the_vm_as_one_named_step(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        before = cpu_of(session, "h1"), cpu_of(session, "h2")
        drag(board, "m1", "h2")
        settle(qtbot, session)
        after = cpu_of(session, "h1"), cpu_of(session, "h2")
        assert place(session, "m1") == "h2"
        assert after[0] < before[0]
        assert after[1] > before[1]
        assert session.stack.undoText() == "Move Mail-01 to esx2"
        assert session.stack.count() == 1
        session.stack.undo()
        settle(qtbot, session)
        assert place(session, "m1") == "h1"
        assert (cpu_of(session, "h1"), cpu_of(session, "h2")) == before

    def test_hovering_shows_what_a_drop_would_mean(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        stored = session.project
        before = cpu_of(session, "h2")
        press(board, "m1")
        drag_to(board, at(board, "h2"))
        settle(qtbot, session)
        assert session.view.is_preview
        assert cpu_of(session, "h2") > before
        assert session.project is stored
        assert session.stack.count() == 0
        carry = board.state.carry
        assert carry is not None
        assert (carry.ids, carry.target, carry.is_refused) == (("m1",), "h2", False)
        assert carry.words == "Move Mail-01 to esx2"
        face = board.scene.faces.face("h2")
        assert isinstance(face, HostFace)
        assert face.meters[0].ghost is not None
        assert face.meters[0].ghost < (face.meters[0].share or 0.0)
        release(board, QPoint(2, 2))
        settle(qtbot, session)
        assert not session.view.is_preview

    def test_escape_puts_it_back(self, qtbot: QtBot, board: BoardView, session: Session) -> None:
        stored = session.project
        press(board, "m1")
        drag_to(board, at(board, "h2"))
        QTest.keyClick(board, Qt.Key.Key_Escape)
        assert board.state.carry is None
        release(board, at(board, "h2"))
        settle(qtbot, session)
        assert session.project is stored
        assert not session.view.is_preview
        assert session.view.prediction is session.view.committed

    def test_dropping_it_where_it_was_is_no_step(self, board: BoardView, session: Session) -> None:
        drag(board, "m1", "h1")
        assert session.stack.count() == 0

    def test_leaving_the_board_drops_nothing(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        press(board, "m1")
        drag_to(board, at(board, "h2"))
        drag_to(board, QPoint(-200, 100))
        assert board.state.carry is not None
        assert board.state.carry.target is None
        release(board, QPoint(-200, 100))
        settle(qtbot, session)
        assert session.stack.count() == 0

    def test_the_tray_takes_it_off_its_host(self, board: BoardView, session: Session) -> None:
        tray = on_screen(board, board.board_layout.tray)
        press(board, "m1")
        drag_to(board, tray)
        assert board.state.carry is not None
        assert board.state.carry.target == TRAY
        release(board, tray)
        assert place(session, "m1") is None
        assert session.stack.undoText() == "Take Mail-01 off its host"

    def test_several_selected_vms_move_as_one_step(
        self, board: BoardView, session: Session
    ) -> None:
        keys = Qt.KeyboardModifier.ControlModifier
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
        QTest.mouseClick(board.viewport(), LEFT, keys, at(board, "m2"))
        QTest.mouseClick(board.viewport(), LEFT, keys, at(board, "m8"))
        drag(board, "m2", "h3")
        assert [place(session, id) for id in ("m1", "m2", "m8")] == ["h3"] * 3
        assert session.stack.count() == 1
        assert session.stack.undoText() == "Move 3 VMs to esx3"

    def test_a_small_move_is_a_click(self, board: BoardView, session: Session) -> None:
        press(board, "m1")
        QTest.mouseMove(board.viewport(), at(board, "m1") + QPoint(2, 1))
        assert board.state.carry is None
        release(board, at(board, "m1"))
        assert board.state.selected == {"m1"}

    def test_a_refused_drop_says_why_and_changes_nothing(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        def bare(host: Host) -> Host:
            return replace(host, hypervisor="none")

        scenario = session.scenario.place(["m5"], "h1").edit(Host, "h2", bare)
        session.edit(scenario, "Make esx2 physical")
        settle(qtbot, session)
        stored = session.project
        press(board, "m1")
        drag_to(board, at(board, "h2"))
        carry = board.state.carry
        assert carry is not None
        assert carry.is_refused
        assert carry.words == "esx2 is a physical server and already runs Mail-02"
        with qtbot.waitSignal(session.message) as said:
            release(board, at(board, "h2"))
        assert said.args == [f"Not moved: {carry.words}."]
        settle(qtbot, session)
        assert session.project is stored
        assert not session.view.is_preview

    def test_the_layout_stands_still_while_something_is_carried(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        before = board.board_layout
        press(board, "m1")
        drag_to(board, at(board, "h2"))
        settle(qtbot, session)
        assert board.board_layout is before
        release(board, at(board, "h2"))
        settle(qtbot, session)
        assert board.board_layout is not before


class TestSelecting:
    def test_a_click_selects(self, board: BoardView) -> None:
        for id in ("m1", "h2", "p1"):
            QTest.mouseClick(board.viewport(), LEFT, pos=at(board, id))
            assert board.state.selected == {id}
        QTest.mouseClick(board.viewport(), LEFT, pos=QPoint(2, 2))
        assert board.state.selected == set()

    def test_a_click_on_one_of_several_selects_it(self, board: BoardView) -> None:
        keys = Qt.KeyboardModifier.ControlModifier
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
        QTest.mouseClick(board.viewport(), LEFT, keys, at(board, "m2"))
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m2"))
        assert board.state.selected == {"m2"}

    def test_a_band_selects_the_cards_it_touches(self, board: BoardView) -> None:
        layout = board.board_layout
        start = on_screen(board, layout.hosts["h1"])
        QTest.mousePress(board.viewport(), LEFT, pos=start)
        drag_to(board, at(board, "m2"))
        assert board.state.band is not None
        assert {"m1", "m2"} <= board.state.selected
        release(board, at(board, "m2"))
        assert board.state.band is None
        assert {"m1", "m2"} <= board.state.selected

    def test_arrows_and_shift(self, board: BoardView) -> None:
        board.setFocus()
        QTest.keyClick(board, Qt.Key.Key_Home)
        assert board.state.current == "c1"
        QTest.keyClick(board, Qt.Key.Key_Down)
        QTest.keyClick(board, Qt.Key.Key_Down)
        assert board.state.current is not None
        first = board.state.current
        QTest.keyClick(board, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        assert first in board.state.selected
        assert len(board.state.selected) == 2

    def test_a_reader_hears_what_is_current(self, board: BoardView) -> None:
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
        words = board.accessibleDescription()
        assert words.startswith("VM Mail-01, on esx1, 1,500 users")
        face = board.scene.faces.face("m1")
        assert isinstance(face, VmFace)
        assert face.verdict is not None
        assert face.verdict.words in words
        assert face.response in words
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "h1"))
        assert board.accessibleDescription().startswith("Host esx1")

    def test_enter_asks_for_the_inspector(self, qtbot: QtBot, board: BoardView) -> None:
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
        with qtbot.waitSignal(board.activated) as asked:
            QTest.keyClick(board, Qt.Key.Key_Return)
        assert asked.args == ["m1"]


class TestFromTheCatalog:
    server = CatalogItem(CatalogKind.SERVER, "nehalem-ept")
    mail = CatalogItem(CatalogKind.WORKLOAD, "domino-nrpc")

    def test_a_server_becomes_a_host(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        data, point = mime_of_catalog(self.server), at(board, "c1")
        assert drag_enter(board, point, data)
        settle(qtbot, session)
        assert session.view.is_preview
        assert len(session.view.scenario.hosts) == 4
        assert len(session.scenario.hosts) == 3
        assert drop(board, point, data)
        assert [host.name for host in session.scenario.hosts][-1] == "esx4"
        assert session.scenario.hosts[-1].cluster == "c1"
        assert session.stack.undoText() == "Add esx4 to Mail"
        settle(qtbot, session)
        assert "h4" in board.board_layout.hosts

    def test_a_workload_becomes_a_vm_on_the_host(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        data, point = mime_of_catalog(self.mail), at(board, "h2")
        assert drag_enter(board, point, data)
        assert drop(board, point, data)
        added = session.scenario.vms[-1]
        assert (added.name, added.host) == ("Mail-03", "h2")
        assert session.stack.undoText() == "Add Mail-03 to esx2"

    def test_leaving_takes_the_preview_away(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        drag_enter(board, at(board, "c1"), mime_of_catalog(self.server))
        drag_leave(board)
        settle(qtbot, session)
        assert not session.view.is_preview
        assert board.state.carry is None

    def test_a_hypervisor_needs_a_host(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        data = mime_of_catalog(CatalogItem(CatalogKind.HYPERVISOR, "vsphere-5.0"))
        assert not drag_enter(board, at(board, "p1"), data)
        assert not drop(board, at(board, "p1"), data)
        assert session.stack.count() == 0
        drag_enter(board, at(board, "h2"), data)
        assert drop(board, at(board, "h2"), data)
        assert session.scenario.host("h2").hypervisor == "vsphere-5.0"


class TestShowing:
    def test_a_changed_scenario_is_laid_out_anew(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        session.edit(session.scenario.without(["h3"]), "Delete esx3")
        settle(qtbot, session)
        assert set(board.board_layout.hosts) == {"h1", "h2"}
        assert board.state.selected == set()

    def test_an_ft_secondary_stands_on_its_host_whatever_is_selected(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        scenario = session.scenario
        assert not board.board_layout.mirrored
        protected = scenario.edit(Vm, "m1", lambda vm: replace(vm, vcpus=1, fault_tolerance=True))
        hosts = tuple(replace(host, ft_logging_gbps=10.0) for host in protected.hosts)
        session.edit(replace(protected, hosts=hosts), "Protect")
        settle(qtbot, session)
        expected = secondaries(session.scenario, session.knowledge)
        assert expected
        assert board.board_layout.mirrored == {expected["m1"]: ("m1",)}
        assert board.board_layout.mirror_box(expected["m1"]) is not None
        session.stack.undo()
        settle(qtbot, session)
        assert not board.board_layout.mirrored

    def test_a_vm_that_is_off_has_no_numbers(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        def off(vm: Vm) -> Vm:
            return replace(vm, powered_on=False)

        session.edit(session.scenario.edit(Vm, "m1", off), "Switch off")
        settle(qtbot, session)
        face = board.scene.faces.face("m1")
        assert isinstance(face, VmFace)
        assert (face.response, face.verdict, face.is_off) == ("", None, True)

    def test_zoom_to_fit_shows_everything(self, qtbot: QtBot) -> None:
        session = session_of(samples.scenario(hosts=9, vms=40))
        board = show(qtbot, session)
        board.zoom_to_fit()
        assert board.camera.zoom < 1.0
        board.zoom_reset()
        assert board.camera.zoom == 1.0
        session.deleteLater()

    def test_reveal_scrolls(self, qtbot: QtBot) -> None:
        session = session_of(samples.scenario(hosts=9, vms=40))
        board = show(qtbot, session)
        assert board.verticalScrollBar().value() == 0
        board.reveal("p2")
        assert board.verticalScrollBar().value() > 0
        session.deleteLater()

    def test_a_resize_between_edit_and_evaluation_paints_what_is_known(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        session.edit(session.scenario.with_item(samples.vm(99, "h1")), "Add Mail-99")
        assert not session.is_settled
        board.resize(700, 800)
        board.viewport().repaint()
        assert "m99" not in board.board_layout.vms
        settle(qtbot, session)
        assert "m99" in board.board_layout.vms
