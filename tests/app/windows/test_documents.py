"""A document that the system asks the running program to open is opened, early or late."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFileOpenEvent
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.windows.documents import Application, Documents
from app.windows.main import opened_window
from app.windows.window import MainWindow
from db.codec import scenario_to_json
from models.scenario.scenario import Scenario

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def window(qtbot: QtBot, qapp: Application, tmp_path: Path) -> MainWindow:
    window = opened_window(settings=Settings(tmp_path / "settings.ini"))
    Documents(qapp, window)
    qtbot.addWidget(window)
    return window


def document(folder: Path, name: str) -> Path:
    path = folder / f"{name}.json"
    path.write_bytes(scenario_to_json(Scenario(name=name)))
    return path


def ask_for(app: Application, path: Path) -> bool:
    return QCoreApplication.sendEvent(app, QFileOpenEvent(str(path)))


def test_the_document_of_the_start_is_opened_when_the_window_is_complete(
    qtbot: QtBot, qapp: Application, window: MainWindow, tmp_path: Path
) -> None:
    assert ask_for(qapp, document(tmp_path, "first"))
    assert ask_for(qapp, document(tmp_path, "second"))
    with qtbot.waitSignal(window.completed):
        window.show()
    assert window.session.scenario.name == "second"
    assert not window.start.is_open


def test_a_later_one_takes_the_place_of_what_is_open(
    qtbot: QtBot, qapp: Application, window: MainWindow, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.completed):
        window.show()
    assert ask_for(qapp, document(tmp_path, "later"))
    assert window.session.scenario.name == "later"


def test_a_document_without_a_file_is_left_alone(
    qtbot: QtBot, qapp: Application, window: MainWindow
) -> None:
    with qtbot.assertNotEmitted(qapp.asked_to_open):
        QCoreApplication.sendEvent(qapp, QFileOpenEvent(""))
    assert window.isHidden()
