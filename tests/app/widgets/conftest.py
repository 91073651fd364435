"""A session with the real model and a made-up scenario, for the panels around the board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from tests.app.gestures import at_rest
from tests.app.sessions import Place, session_of, two_hosts


@pytest.fixture
def mail_session(qtbot: QtBot) -> Iterator[Session]:
    session = session_of(two_hosts())
    yield session
    session.deleteLater()


@pytest.fixture
def selection(qtbot: QtBot) -> Iterator[Selection]:
    selection = Selection()
    yield selection
    selection.deleteLater()


@pytest.fixture
def place(qtbot: QtBot) -> Iterator[Place]:
    """Puts a panel of this size on screen.

    In a window without a layout: the offscreen platform warns of every window that has size hints.
    """
    window = QWidget()
    qtbot.addWidget(window)

    def put(panel: QWidget, width: int, height: int) -> None:
        panel.setParent(window)
        panel.setGeometry(0, 0, width, height)
        window.resize(width, height)
        panel.show()
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        at_rest(qtbot, window)

    yield put
    window.close()
