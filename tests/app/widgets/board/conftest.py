"""A board with the real model and a made-up scenario, and what tests ask of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_calibration
from app.selection import Selection
from app.session import Session
from app.widgets.board.view import BoardView
from models.project import Project
from models.scenario import Scenario
from resources.catalog_files import load_catalog
from tests.app import samples


def session_of(scenario: Scenario) -> Session:
    return Session(Project.of(scenario), load_catalog(), shipped_calibration())


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


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    session = session_of(samples.scenario())
    yield session
    session.deleteLater()


@pytest.fixture
def board(qtbot: QtBot, session: Session) -> BoardView:
    return show(qtbot, session)
