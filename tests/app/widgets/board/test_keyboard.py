"""Everything on the board by keys: going over it, choosing, folding, finding."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.board.layout import Box, fold_box
from app.widgets.board.view import BoardView
from tests.app import samples
from tests.app.gestures import LEFT, at, on_screen
from tests.app.sessions import session_of
from tests.app.widgets.board.boards import focus, show

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def click(board: BoardView, id: str) -> None:
    QTest.mouseClick(board.viewport(), LEFT, pos=at(board, id))


def middle(board: BoardView, box: Box | None) -> QPoint:
    assert box is not None
    return on_screen(board, box, dy=max(box.h - 40, 0) / 2)


class TestChoosing:
    def test_ctrl_arrows_go_without_selecting_and_space_chooses(self, board: BoardView) -> None:
        click(board, "m1")
        QTest.keyClick(board, Qt.Key.Key_Right, CTRL)
        assert board.state.cursor == "m2"
        assert board.state.selected == {"m1"}
        QTest.keyClick(board, Qt.Key.Key_Right, CTRL)
        assert board.state.cursor == "m3"
        QTest.keyClick(board, Qt.Key.Key_Space, CTRL)
        assert board.state.selected == {"m1", "m3"}
        QTest.keyClick(board, Qt.Key.Key_Space)
        assert board.state.selected == {"m1"}

    def test_an_arrow_alone_starts_over(self, board: BoardView) -> None:
        click(board, "m1")
        QTest.keyClick(board, Qt.Key.Key_Right, CTRL)
        QTest.keyClick(board, Qt.Key.Key_Right)
        assert board.state.selected == {"m3"}
        assert board.state.cursor is None

    def test_shift_extends(self, board: BoardView) -> None:
        click(board, "m1")
        for _ in range(2):
            QTest.keyClick(board, Qt.Key.Key_Right, SHIFT)
        assert board.state.selected == {"m1", "m2", "m3"}

    def test_the_ring_follows_the_keys(self, qtbot: QtBot, board: BoardView) -> None:
        focus(qtbot, board)
        click(board, "m1")
        assert board.state.focused == "m1"
        QTest.keyClick(board, Qt.Key.Key_Right, CTRL)
        assert board.state.focused == "m2"
        board.bar.field.setFocus()
        assert board.state.focused is None

    def test_keys_that_mean_nothing_go_on_to_the_window(self, board: BoardView) -> None:
        click(board, "m1")
        QTest.keyClick(board, Qt.Key.Key_M, Qt.KeyboardModifier.AltModifier)
        assert board.state.carry is None


class TestFolding:
    def test_a_click_on_the_sign_folds_and_unfolds(self, board: BoardView) -> None:
        high = board.board_layout.hosts["h1"].h
        sign = middle(board, fold_box(board.board_layout, "h1"))
        QTest.mouseClick(board.viewport(), LEFT, pos=sign)
        assert board.folded == {"h1"}
        assert "m1" not in board.board_layout.vms
        assert "m2" in board.board_layout.vms
        assert board.state.selected == set()
        QTest.mouseClick(board.viewport(), LEFT, pos=sign)
        assert board.board_layout.hosts["h1"].h == high

    def test_a_double_click_on_the_sign_folds_twice(self, qtbot: QtBot, board: BoardView) -> None:
        sign = middle(board, fold_box(board.board_layout, "h1"))
        with qtbot.assertNotEmitted(board.activated):
            QTest.mouseDClick(board.viewport(), LEFT, pos=sign)

    def test_space_folds_hosts_and_clusters(self, board: BoardView) -> None:
        click(board, "h2")
        QTest.keyClick(board, Qt.Key.Key_Space)
        assert board.folded == {"h2"}
        QTest.keyClick(board, Qt.Key.Key_Up)
        assert board.state.current == "c1"
        QTest.keyClick(board, Qt.Key.Key_Space)
        assert board.folded == {"h2", "c1"}
        assert board.board_layout.hosts == {}
        board.viewport().repaint()
        QTest.keyClick(board, Qt.Key.Key_Space)
        assert set(board.board_layout.hosts) == {"h1", "h2", "h3"}

    def test_the_button_folds_all_hosts(self, board: BoardView) -> None:
        QTest.mouseClick(board.bar.fold, LEFT)
        assert board.folded == {"h1", "h2", "h3"}
        assert set(board.board_layout.vms) == {"m8"}
        QTest.mouseClick(board.bar.fold, LEFT)
        assert board.folded == set()

    def test_the_button_follows(self, board: BoardView) -> None:
        for host in ("h1", "h2", "h3"):
            assert not board.bar.fold.isChecked()
            board.toggle_fold(host)
        assert board.bar.fold.isChecked()

    def test_a_host_that_is_gone_is_not_folded(
        self, qtbot: QtBot, board: BoardView, session: Session
    ) -> None:
        board.toggle_fold("h3")
        session.edit(session.scenario.without(["h3"]), "Delete esx3")
        qtbot.waitUntil(lambda: session.is_settled)
        assert board.folded == set()


class TestFinding:
    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("mail-01", {"m1"}),
            ("inotes", {"m2", "m7"}),
            ("chat", {"m3", "m8"}),
            ("not placed", {"m8"}),
            ("esx2 mail-02", {"m2"}),
            ("pool", {"p1", "p2"}),
            ("nothing of that kind", set()),
        ],
    )
    def test_words_find(self, board: BoardView, words: str, found: set[str]) -> None:
        QTest.keyClicks(board.bar.field, words)
        assert set(board.state.matches or ()) == found
        assert board.bar.count.text() == f"{len(found)} found"

    def test_the_slash_goes_to_the_field_and_escape_back(
        self, qtbot: QtBot, board: BoardView
    ) -> None:
        focus(qtbot, board)
        QTest.keyClick(board, Qt.Key.Key_Slash)
        assert board.bar.field.hasFocus()
        QTest.keyClicks(board.bar.field, "mail")
        QTest.keyClick(board.bar.field, Qt.Key.Key_Escape)
        assert board.hasFocus()
        assert board.state.matches is None
        assert board.bar.count.text() == ""

    def test_enter_goes_from_one_to_the_next_and_round(self, board: BoardView) -> None:
        QTest.keyClicks(board.bar.field, "inotes")
        seen = []
        for _ in range(3):
            QTest.keyClick(board.bar.field, Qt.Key.Key_Return)
            seen.append(board.state.current)
        assert seen == ["m7", "m2", "m7"]
        QTest.keyClick(board.bar.field, Qt.Key.Key_Return, SHIFT)
        assert board.state.current == "m2"

    def test_what_is_folded_away_is_unfolded_to_be_seen(self, board: BoardView) -> None:
        board.fold_all(True)
        board.toggle_fold("c1")
        QTest.keyClicks(board.bar.field, "mail-02")
        QTest.keyClick(board.bar.field, Qt.Key.Key_Return)
        assert board.state.current == "m2"
        assert "m2" in board.board_layout.vms
        assert "m1" not in board.board_layout.vms

    def test_escape_on_the_board_ends_a_search(self, qtbot: QtBot, board: BoardView) -> None:
        focus(qtbot, board)
        QTest.keyClicks(board.bar.field, "mail")
        board.setFocus()
        QTest.keyClick(board, Qt.Key.Key_Escape)
        assert board.state.matches is None


class TestZoom:
    def test_ctrl_and_wheel(self, qtbot: QtBot, board: BoardView) -> None:
        for notches, zoom in ((1, 1.1), (-1, 1.0), (-1, 0.9)):
            spot = QPointF(board.viewport().mapTo(board, QPoint(200, 200)))
            handle = board.windowHandle()
            QTest.wheelEvent(handle, spot, QPoint(0, 120 * notches), QPoint(), CTRL)
            assert board.camera.zoom == pytest.approx(zoom)

    def test_what_is_current_stays_in_place(self, qtbot: QtBot) -> None:
        session = session_of(samples.scenario(hosts=9, vms=40))
        board = show(qtbot, session)
        board.reveal("p2")
        click(board, "p2")
        before = board.board_layout.pools["p2"].y - board.camera.offset.y()
        board.zoom_out()
        after = board.board_layout.pools["p2"].y - board.camera.offset.y()
        bar = board.verticalScrollBar()
        assert after == pytest.approx(before, abs=2) or bar.value() == bar.maximum()
        session.deleteLater()

    def test_a_hurried_frame_is_completed(self, qtbot: QtBot) -> None:
        session = session_of(samples.scenario(hosts=12, vms=120))
        board = show(qtbot, session)
        for _ in range(4):
            board.zoom_out()
            qtbot.waitUntil(lambda: board.is_complete)
        session.deleteLater()
