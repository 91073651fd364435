"""A board with the real model, and what tests ask of it."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from app.widgets.board.view import BoardView


def show(qtbot: QtBot, session: Session) -> BoardView:
    """The board of a session, on the screen."""
    board = BoardView(session, Selection(session))
    qtbot.addWidget(board)
    board.resize(900, 936)
    with qtbot.waitExposed(board):
        board.show()
    return board


def settle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: session.is_settled)


def focus(qtbot: QtBot, board: BoardView) -> None:
    """Gives the board the keys, as a window in use has them."""
    board.activateWindow()
    qtbot.waitUntil(board.isActiveWindow)
    board.setFocus()
