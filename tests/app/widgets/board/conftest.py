"""A board with the real model and a made-up scenario."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.board.view import BoardView
from tests.app import samples
from tests.app.sessions import session_of
from tests.app.widgets.board.boards import show


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    session = session_of(samples.scenario())
    yield session
    session.deleteLater()


@pytest.fixture
def board(qtbot: QtBot, session: Session) -> BoardView:
    return show(qtbot, session)
