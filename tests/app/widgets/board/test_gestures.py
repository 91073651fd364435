"""Any gestures in any order: undo leads back to where they began, byte for byte, redo forward."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.mime import CatalogItem, CatalogKind, mime_of_catalog
from app.session import Session
from app.widgets.board.layout import Box, fold_box
from app.widgets.board.view import BoardView
from db.codec import scenario_to_json
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
from tests.app.widgets.board.boards import show

GESTURES = 250
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PLAIN = Qt.KeyboardModifier.NoModifier
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
ROWS = (
    CatalogItem(CatalogKind.SERVER, "nehalem-ept"),
    CatalogItem(CatalogKind.WORKLOAD, "domino-nrpc"),
    CatalogItem(CatalogKind.WORKLOAD, "generic"),
    CatalogItem(CatalogKind.ARRAY, "ibm-ds4800"),
    CatalogItem(CatalogKind.HYPERVISOR, "vsphere-5.0"),
)


class Player:
    """Somebody who tries everything; the same seed does the same."""

    def __init__(self, board: BoardView, session: Session, seed: int) -> None:
        self.board = board
        self.session = session
        self.random = random.Random(seed)
        self.done: dict[str, int] = {}

    def play(self) -> str:
        """One gesture, from its first event to its last; its name."""
        gestures: list[Callable[[], None]] = [
            *[self.carry] * 6,
            *[self.carry_and_cancel, self.click, self.band, self.arrows, self.pick_up] * 2,
            *[self.from_catalog, self.hold, self.fold, self.zoom, self.find, self.wheel],
            *[self.undo] * 3,
            *[self.redo] * 2,
        ]
        gesture = self.random.choice(gestures)
        self.done[gesture.__name__] = self.done.get(gesture.__name__, 0) + 1
        gesture()
        return gesture.__name__

    def card(self) -> str | None:
        """A VM that can be pressed, scrolled into view."""
        ids = list(self.board.board_layout.vms)
        if not ids:
            return None
        id = self.random.choice(ids)
        self.board.reveal(id)
        return id

    def place(self) -> QPoint:
        """Anywhere: on a host, a pool, the tray, between them or outside."""
        layout = self.board.board_layout
        boxes: list[Box] = [*layout.hosts.values(), *layout.pools.values()]
        if layout.tray is not None:
            boxes.append(layout.tray)
        if self.random.random() < 0.1 or not boxes:
            return QPoint(self.random.randint(-60, 900), self.random.randint(-60, 900))
        return on_screen(self.board, self.random.choice(boxes))

    def carry(self) -> None:
        id = self.card()
        if id is None:
            return
        press(self.board, id, self.random.choice([PLAIN, PLAIN, CTRL]))
        spot = self.place()
        drag_to(self.board, spot)
        for _ in range(self.random.randint(0, 2)):
            spot = self.place()
            drag_to(self.board, spot)
        release(self.board, spot)

    def carry_and_cancel(self) -> None:
        id = self.card()
        if id is None:
            return
        press(self.board, id)
        drag_to(self.board, self.place())
        QTest.keyClick(self.board, Qt.Key.Key_Escape)
        release(self.board, self.place())

    def click(self) -> None:
        layout = self.board.board_layout
        id = self.random.choice([*layout.vms, *layout.hosts, *layout.pools])
        self.board.reveal(id)
        keys = self.random.choice([PLAIN, CTRL, SHIFT])
        QTest.mouseClick(self.board.viewport(), LEFT, keys, at(self.board, id))

    def band(self) -> None:
        QTest.mousePress(self.board.viewport(), LEFT, pos=QPoint(2, self.random.randint(2, 800)))
        spot = self.place()
        drag_to(self.board, spot)
        release(self.board, spot)

    def arrows(self) -> None:
        for _ in range(3):
            keys = self.random.choice([PLAIN, SHIFT, CTRL])
            QTest.keyClick(self.board, self.random.choice(ARROWS), keys)
        QTest.keyClick(self.board, Qt.Key.Key_Space, CTRL)

    def pick_up(self) -> None:
        QTest.keyClick(self.board, Qt.Key.Key_M)
        for _ in range(self.random.randint(0, 3)):
            QTest.keyClick(self.board, self.random.choice([*ARROWS, Qt.Key.Key_B]))
        ends = [Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Escape]
        if self.random.random() < 0.3:
            QTest.mouseMove(self.board.viewport(), self.place())
            QTest.mouseClick(self.board.viewport(), LEFT, pos=self.place())
        QTest.keyClick(self.board, self.random.choice(ends))
        if self.board.state.carry is not None:
            QTest.keyClick(self.board, Qt.Key.Key_Escape)

    def from_catalog(self) -> None:
        data, spot = mime_of_catalog(self.random.choice(ROWS)), self.place()
        drag_enter(self.board, spot, data)
        if self.random.random() < 0.3 or len(self.session.scenario.items()) > 40:
            drag_leave(self.board)
        else:
            drop(self.board, spot, data)

    def hold(self) -> None:
        QTest.keyPress(self.board, Qt.Key.Key_K)
        if self.random.random() < 0.5:
            self.session.flush()
        QTest.keyRelease(self.board, Qt.Key.Key_K)

    def fold(self) -> None:
        layout = self.board.board_layout
        id = self.random.choice([*layout.hosts, *(c for c in layout.clusters if c)] or [""])
        box = fold_box(layout, id)
        if box is not None and self.board.camera.seen.contains(box.x, box.bottom):
            QTest.mouseClick(self.board.viewport(), LEFT, pos=on_screen(self.board, box))
        else:
            self.board.fold_all(self.random.random() < 0.3)

    def zoom(self) -> None:
        self.random.choice([self.board.zoom_in, self.board.zoom_out, self.board.zoom_reset])()

    def wheel(self) -> None:
        bar = self.board.verticalScrollBar()
        bar.setValue(self.random.randint(0, max(bar.maximum(), 1)))

    def find(self) -> None:
        self.board.bar.field.setText(self.random.choice(["mail", "esx2", ""]))
        QTest.keyClick(self.board.bar.field, Qt.Key.Key_Return)
        self.board.bar.field.clear()

    def undo(self) -> None:
        self.session.stack.undo()

    def redo(self) -> None:
        self.session.stack.redo()


def content(session: Session) -> bytes:
    return scenario_to_json(session.scenario)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_many_gestures_lead_back(qtbot: QtBot, seed: int) -> None:
    session = session_of(samples.scenario())
    board = show(qtbot, session)
    board.set_motion(False)
    player = Player(board, session, seed)
    states, pushed = {0: content(session)}, 0
    for number in range(GESTURES):
        before = session.stack.index()
        gesture = player.play()
        QApplication.processEvents()
        index, now = session.stack.index(), content(session)
        if index != before and gesture not in ("undo", "redo"):
            states = {at: state for at, state in states.items() if at <= before}
            pushed += 1
        assert states.setdefault(index, now) == now, (number, player.done)
        assert board.state.carry is None
        qtbot.waitUntil(lambda: board.state.lost is None)
    assert len(player.done) > 12
    assert pushed > 20
    last = session.stack.count()
    end = _walk_to(session, last)
    assert _walk_to(session, 0) == states[0]
    assert _walk_to(session, last) == end
    assert _walk_to(session, 0) == states[0]
    session.flush()
    board.viewport().repaint()
    assert not session.view.is_preview
    session.deleteLater()


def _walk_to(session: Session, index: int) -> bytes:
    session.stack.setIndex(index)
    return content(session)
