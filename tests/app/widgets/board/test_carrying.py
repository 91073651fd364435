"""With VMs being dragged every host says what it would carry, before anybody lets go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.mime import CatalogItem, CatalogKind, mime_of_catalog
from app.session import Session
from app.widgets.board.faces import HostFace
from app.widgets.board.gestures import DATA_IS_THERE, ONLY_ON_HOSTS
from app.widgets.board.scene import TRAY, Standing
from app.widgets.board.view import BoardView
from models.catalog.catalog import Catalog, Profile, Provenance
from models.evaluate import evaluate
from models.predict.prediction import HostPrediction
from models.project.project import Project
from models.scenario.scenario import Affinity, AffinityKind, Host
from tests.app import samples
from tests.app.gestures import (
    LEFT,
    at,
    drag_enter,
    drag_leave,
    drag_to,
    drop,
    on_screen,
    press,
    release,
)
from tests.app.sessions import session_of
from tests.app.widgets.board.boards import focus, settle, show

CTRL = Qt.KeyboardModifier.ControlModifier


def face_of(board: BoardView, host: str) -> HostFace:
    face = board.scene.faces.face(host)
    assert isinstance(face, HostFace)
    return face


def value(hosts: HostPrediction, host: str, field: str) -> float:
    found = hosts.quantity(host, field).value
    assert found is not None
    return found


def texts(face: HostFace) -> list[str]:
    return [meter.text for meter in face.meters]


def lift(board: BoardView, vm: str) -> None:
    """Takes a VM into the hand and holds it over nothing in particular."""
    press(board, vm)
    drag_to(board, at(board, vm) + QPoint(20, 12))


class TestAfterState:
    def test_all_hosts_say_what_they_would_carry(self, board: BoardView, session: Session) -> None:
        lift(board, "m1")
        for host in ("h2", "h3"):
            dropped = session.scenario.place(["m1"], host)
            after = evaluate(dropped, session.knowledge).hosts
            share = face_of(board, host).meters[0].share
            assert share == pytest.approx(value(after, host, "cpu_pct") / 100, abs=0.003)
            ghost = face_of(board, host).meters[1].ghost
            assert ghost is not None
            assert ghost < (face_of(board, host).meters[1].share or 0.0)
        release(board, at(board, "m1"))

    def test_it_is_there_before_anything_is_predicted(
        self, board: BoardView, session: Session
    ) -> None:
        before = texts(face_of(board, "h3"))
        lift(board, "m1")
        drag_to(board, at(board, "h2"))
        assert not session.view.is_preview
        assert texts(face_of(board, "h3")) != before
        assert texts(face_of(board, "h2")) != before

    def test_the_host_it_comes_from_is_shown_without_it(
        self, board: BoardView, session: Session
    ) -> None:
        lift(board, "m1")
        drag_to(board, at(board, "h2"))
        left = evaluate(session.scenario.place(["m1"], None), session.knowledge)
        share = face_of(board, "h1").meters[1].share
        assert share == pytest.approx(value(left.hosts, "h1", "ram_pct") / 100, abs=0.003)

    def test_over_the_host_it_comes_from_that_is_as_it_is(
        self, board: BoardView, session: Session
    ) -> None:
        before = texts(face_of(board, "h1"))
        lift(board, "m1")
        drag_to(board, at(board, "h2"))
        assert texts(face_of(board, "h1")) != before
        drag_to(board, at(board, "h1"))
        assert texts(face_of(board, "h1")) == before

    def test_what_was_predicted_agrees_with_what_was_foreseen(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        lift(board, "m1")
        drag_to(board, at(board, "h2"))
        foreseen = texts(face_of(board, "h2"))
        settle(qtbot, session)
        assert session.view.is_preview
        assert texts(face_of(board, "h2")) == foreseen
        assert face_of(board, "h2").meters[0].failure is not None

    def test_another_target_never_shows_the_numbers_of_the_last_one(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        lift(board, "m1")
        drag_to(board, at(board, "h2"))
        settle(qtbot, session)
        with qtbot.waitSignal(session.waiting_changed) as waiting:
            drag_to(board, at(board, "h3"))
        assert waiting.args == [True]
        carry = board.state.carry
        assert carry is not None
        assert (carry.target, carry.is_waiting) == ("h3", True)
        assert face_of(board, "h3").meters[0].failure is None
        settle(qtbot, session)
        assert board.state.carry is not None
        assert not board.state.carry.is_waiting
        assert board.state.carry.outcome == session.view.prediction.shown.words

    def test_the_hand_knows_the_verdict_on_a_drop(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        lift(board, "m1")
        drag_to(board, at(board, "h2"))
        settle(qtbot, session)
        carry = board.state.carry
        assert carry is not None
        assert carry.verdict is session.view.prediction.shown.verdict

    def test_a_cluster_and_its_own_pool_refuse_a_vm_in_words(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        lift(board, "m1")
        cluster = next(iter(board.board_layout.clusters.values()))
        frame = on_screen(board, cluster._replace(w=8.0, h=8.0))
        drag_to(board, frame)
        carry = board.state.carry
        assert carry is not None
        assert (carry.target, carry.is_refused, carry.words) == (None, True, ONLY_ON_HOSTS)
        drag_to(board, at(board, "p1"))
        carry = board.state.carry
        assert carry is not None
        assert (carry.is_refused, carry.words) == (True, DATA_IS_THERE)
        drag_to(board, frame)
        with qtbot.waitSignal(session.message) as said:
            release(board, frame)
        assert said.args == [f"Not moved: {ONLY_ON_HOSTS}."]

    def test_a_hand_that_does_not_rest_asks_for_nothing(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        lift(board, "m1")
        with qtbot.assertNotEmitted(session.view_changed):
            for host in ("h2", "h3") * 10:
                drag_to(board, at(board, host))
        assert board.state.carry is not None
        assert board.state.carry.is_waiting


class TestStandings:
    def test_the_best_host_glows(self, board: BoardView, session: Session) -> None:
        lift(board, "m2")
        standings = board.state.standings
        assert standings["h2"] is Standing.HOME
        assert list(standings.values()).count(Standing.BEST) == 1
        release(board, at(board, "m2"))
        assert board.state.standings == {}

    def test_a_host_that_refuses_says_why(self, qtbot: QtBot) -> None:
        rule = Affinity(id="a1", kind=AffinityKind.APART, vms=("m1", "m2"))
        session = session_of(replace(samples.scenario(), affinity=(rule,)))
        board = show(qtbot, session)
        lift(board, "m1")
        assert board.state.standings["h2"] is Standing.REFUSED
        assert face_of(board, "h2").meters[0].ghost is None
        drag_to(board, at(board, "h2"))
        carry = board.state.carry
        assert carry is not None
        assert (carry.words, carry.is_refused) == (
            "Mail-02 and Mail-01 are to be kept apart",
            True,
        )
        release(board, at(board, "h2"))
        assert session.stack.count() == 0
        session.deleteLater()


class TestFromTheCatalog:
    mail = CatalogItem(CatalogKind.WORKLOAD, "domino-nrpc")

    def test_a_new_vm_shows_what_every_host_would_carry(
        self, board: BoardView, session: Session
    ) -> None:
        before = texts(face_of(board, "h3"))
        data, spot = mime_of_catalog(self.mail), at(board, "h2")
        assert drag_enter(board, spot, data)
        assert texts(face_of(board, "h3")) != before
        assert Standing.BEST in board.state.standings.values()
        assert drop(board, spot, data)
        assert board.state.standings == {}
        assert session.stack.count() == 1

    def test_a_workload_of_the_users_own_does_too(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        own = Profile(
            id="own-mail",
            name="Own mail",
            vcpus=2,
            ram_gib=6.0,
            workload=samples.workload(),
            provenance=Provenance(source="Acme Ltd", confidence="assumed"),
        )
        project = replace(session.project, own_catalog=Catalog(profiles={own.id: own}))
        session.edit_project(project, "Add Own mail")
        settle(qtbot, session)
        data, spot = mime_of_catalog(CatalogItem(CatalogKind.WORKLOAD, own.id)), at(board, "h2")
        assert drag_enter(board, spot, data)
        assert Standing.BEST in board.state.standings.values()
        assert drop(board, spot, data)
        assert session.scenario.vms[-1].host == "h2"
        assert session.scenario.vms[-1].ram_gib == 6.0

    def test_it_is_gone_when_the_hand_leaves(self, board: BoardView) -> None:
        before = texts(face_of(board, "h3"))
        drag_enter(board, at(board, "h2"), mime_of_catalog(self.mail))
        drag_leave(board)
        assert board.state.standings == {}
        assert texts(face_of(board, "h3")) == before

    def test_it_is_nothing_for_another_project(self, board: BoardView, session: Session) -> None:
        data, spot = mime_of_catalog(self.mail), at(board, "h2")
        assert drag_enter(board, spot, data)
        other = replace(session.scenario, name="Other")
        session.open(Project.of(other), None)
        assert not drop(board, spot, data)
        assert session.scenario is other
        assert board.state.carry is None

    def test_a_server_changes_no_host(self, board: BoardView) -> None:
        row = CatalogItem(CatalogKind.SERVER, "nehalem-ept")
        drag_enter(board, at(board, "c1"), mime_of_catalog(row))
        assert board.state.standings == {}
        drag_leave(board)


class TestPickedUp:
    def pick_up(self, board: BoardView, *vms: str) -> None:
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, vms[0]))
        for vm in vms[1:]:
            QTest.mouseClick(board.viewport(), LEFT, CTRL, at(board, vm))
        QTest.keyClick(board, Qt.Key.Key_M)

    def target(self, board: BoardView) -> str | None:
        return board.state.carry.target if board.state.carry is not None else None

    def test_arrows_aim_and_enter_drops(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        self.pick_up(board, "m1")
        assert self.target(board) == "h1"
        QTest.keyClick(board, Qt.Key.Key_Right)
        assert self.target(board) == "h2"
        settle(qtbot, session)
        assert session.view.is_preview
        QTest.keyClick(board, Qt.Key.Key_Return)
        assert session.scenario.vm("m1").host == "h2"
        assert session.stack.undoText() == "Move Mail-01 to esx2"
        assert board.state.carry is None

    def test_a_click_drops(self, board: BoardView, session: Session) -> None:
        self.pick_up(board, "m1", "m2")
        QTest.mouseMove(board.viewport(), at(board, "h3"))
        assert self.target(board) == "h3"
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "h3"))
        assert [session.scenario.vm(id).host for id in ("m1", "m2")] == ["h3", "h3"]
        assert session.stack.undoText() == "Move 2 VMs to esx3"
        assert session.stack.count() == 1

    def test_b_aims_at_the_best(self, board: BoardView, session: Session) -> None:
        self.pick_up(board, "m1")
        QTest.keyClick(board, Qt.Key.Key_B)
        target = self.target(board)
        assert target is not None
        assert board.state.standings[target] is Standing.BEST

    def test_escape_puts_it_back(self, qtbot: QtBot, board: BoardView, session: Session) -> None:
        self.pick_up(board, "m1")
        QTest.keyClick(board, Qt.Key.Key_Right)
        QTest.keyClick(board, Qt.Key.Key_Escape)
        settle(qtbot, session)
        assert board.state.carry is None
        assert (session.stack.count(), session.view.is_preview) == (0, False)
        assert board.state.selected == {"m1"}

    def test_the_other_button_puts_it_back(self, board: BoardView, session: Session) -> None:
        self.pick_up(board, "m1")
        QTest.mouseClick(board.viewport(), Qt.MouseButton.RightButton, pos=at(board, "h2"))
        assert board.state.carry is None
        assert session.stack.count() == 0

    def test_the_tray_and_pools_can_be_aimed_at(self, board: BoardView, session: Session) -> None:
        self.pick_up(board, "m1")
        QTest.keyClick(board, Qt.Key.Key_Down)
        assert self.target(board) == TRAY
        QTest.keyClick(board, Qt.Key.Key_Down)
        assert self.target(board) == "p2"
        QTest.keyClick(board, Qt.Key.Key_Left)
        assert self.target(board) == "p1"
        QTest.keyClick(board, Qt.Key.Key_Right)
        QTest.keyClick(board, Qt.Key.Key_Space)
        assert session.scenario.vm("m1").pool == "p2"

    def test_the_focus_elsewhere_puts_it_back(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        focus(qtbot, board)
        self.pick_up(board, "m1")
        board.bar.field.setFocus()
        assert board.state.carry is None
        assert session.stack.count() == 0

    def test_nothing_selected_is_nothing_picked_up(self, board: BoardView) -> None:
        QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "h1"))
        QTest.keyClick(board, Qt.Key.Key_M)
        assert board.state.carry is None

    def test_an_undo_takes_it_out_of_the_hand(self, board: BoardView, session: Session) -> None:
        session.edit(session.scenario.without(["m7"]), "Delete")
        self.pick_up(board, "m1")
        session.stack.undo()
        assert board.state.carry is None


def test_a_vm_in_a_folded_host_can_be_picked_up(
    qtbot: QtBot, board: BoardView, session: Session
) -> None:
    QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
    board.fold_all(True)
    QTest.keyClick(board, Qt.Key.Key_M)
    QTest.keyClick(board, Qt.Key.Key_Right)
    board.viewport().repaint()
    QTest.keyClick(board, Qt.Key.Key_Return)
    assert session.scenario.vm("m1").host == "h2"


def test_a_band_selects_and_the_group_moves_as_one_step(board: BoardView, session: Session) -> None:
    layout = board.board_layout
    start = on_screen(board, layout.hosts["h1"], dx=-60)
    QTest.mousePress(board.viewport(), LEFT, pos=start)
    drag_to(board, at(board, "m2"))
    release(board, at(board, "m2"))
    chosen = [id for id in board.state.selected if id in layout.vms]
    assert len(chosen) > 1
    press(board, chosen[0])
    drag_to(board, at(board, "h3"))
    release(board, at(board, "h3"))
    assert {session.scenario.vm(id).host for id in chosen} == {"h3"}
    assert session.stack.count() == 1


def test_dropping_on_a_host_that_became_another_is_no_crash(
    qtbot: QtBot, board: BoardView, session: Session
) -> None:
    lift(board, "m1")
    drag_to(board, at(board, "h2"))
    session.edit(
        session.scenario.edit(Host, "h2", lambda host: replace(host, name="other")), "Rename"
    )
    settle(qtbot, session)
    assert board.state.carry is None
    release(board, at(board, "h2"))
    assert session.stack.count() == 1


class TestTheGroundGoes:
    """The VM under the hand is undone while the button is down."""

    def added(self, qtbot: QtBot, board: BoardView, session: Session) -> QPoint:
        new = replace(session.scenario.vms[0], id="new", name="New", host="h2")
        session.edit(session.scenario.with_item(new), "Add New")
        settle(qtbot, session)
        return at(board, "new")

    def test_a_button_held_since_before_an_undo_carries_nothing(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        point = self.added(qtbot, board, session)
        press(board, "new")
        session.stack.undo()
        settle(qtbot, session)
        drag_to(board, point + QPoint(40, 40))
        assert board.state.carry is None
        release(board, point + QPoint(40, 40))
        assert session.stack.index() == 0

    def test_neither_does_one_pressed_before_the_board_follows(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        point = self.added(qtbot, board, session)
        session.stack.undo()
        press(board, "new")
        drag_to(board, point + QPoint(40, 40))
        assert board.state.carry is None
        release(board, point + QPoint(40, 40))
        settle(qtbot, session)
        assert session.stack.index() == 0
