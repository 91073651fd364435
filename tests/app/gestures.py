"""Real mouse, key and drag events for tests, at positions of the board."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.board.layout import Box
from app.widgets.board.view import BoardView

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


def at_rest(qtbot: QtBot, window: QWidget) -> None:
    """Until every widget keeps its place: what is measured before a layout is done is stale."""
    asked: list[list[QWidget]] = []
    looks: list[list[QRect]] = []

    def is_still() -> bool:
        """No look is taken before the events that wait have been heard; what was asked is held,
        for Python to meet each widget once."""
        asked.append(window.findChildren(QWidget) if asked else [])
        looks.append([widget.geometry() for widget in asked[-1] if widget.isVisible()])
        return len(looks) > 2 and looks[-1] == looks[-2]

    qtbot.waitUntil(is_still)


def on_screen(board: BoardView, box: Box | None, dx: float = 0.0, dy: float = 0.0) -> QPoint:
    """The middle of a box (or its head, where it is high) in viewport coordinates."""
    assert box is not None
    x = box.x + box.w / 2 + dx - board.horizontalScrollBar().value()
    y = box.y + min(box.h, 40.0) / 2 + dy - board.verticalScrollBar().value()
    return QPoint(round(x), round(y))


def at(board: BoardView, id: str) -> QPoint:
    return on_screen(board, board.board_layout.box(id))


def press(board: BoardView, id: str, keys: Qt.KeyboardModifier = PLAIN) -> None:
    QTest.mousePress(board.viewport(), LEFT, keys, at(board, id))


def drag_to(board: BoardView, point: QPoint) -> None:
    """Moves the pressed mouse there, by way of a point close by."""
    for each in (point + QPoint(3, 3), point):
        QTest.mouseMove(board.viewport(), each)


def release(board: BoardView, point: QPoint) -> None:
    QTest.mouseRelease(board.viewport(), LEFT, PLAIN, point)


def drag(board: BoardView, id: str, target: str) -> None:
    """Presses on one card, carries it over another and lets go."""
    press(board, id)
    drag_to(board, at(board, target))
    release(board, at(board, target))


def _send(widget: QWidget, event: QEvent) -> None:
    QApplication.sendEvent(widget, event)


def drag_enter(board: BoardView, point: QPoint, data: QMimeData) -> bool:
    """A drag from elsewhere comes onto the board and moves; whether it may be dropped there."""
    copy = Qt.DropAction.CopyAction
    _send(board.viewport(), QDragEnterEvent(point, copy, data, LEFT, PLAIN))
    move = QDragMoveEvent(point, copy, data, LEFT, PLAIN)
    _send(board.viewport(), move)
    return move.isAccepted()


def drop(board: BoardView, point: QPoint, data: QMimeData) -> bool:
    event = QDropEvent(QPointF(point), Qt.DropAction.CopyAction, data, LEFT, PLAIN)
    _send(board.viewport(), event)
    return event.isAccepted()


def drag_leave(board: BoardView) -> None:
    _send(board.viewport(), QDragLeaveEvent())
