"""A document that the system asks the running program to open is opened, early or late."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFileOpenEvent
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.windows.documents import Application, Documents
from app.windows.main import opened_window
from app.windows.window import MainWindow
from db.answers import hash_of, project_with
from db.codec import scenario_to_json
from db.errors import StoreError
from db.stated import fingerprint
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


def test_a_page_left_with_a_customer_leads_back_to_its_project(
    qtbot: QtBot, qapp: Application, window: MainWindow, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.completed):
        window.show()
    design = document(tmp_path, "signed")
    assert window.files.open_path(design)
    assert window.files.open_path(document(tmp_path, "other"))
    head = {"format": "headroom-answer", "version": 1, "hash": fingerprint(Scenario(name="signed"))}
    page = tmp_path / "a.answer.html"
    script = '<script type="application/json" id="headroom-answer">'
    page.write_text(f"<!doctype html>{script}{json.dumps(head)}</script>", encoding="utf-8")
    assert window.files.open_path(page)
    assert window.session.scenario.name == "signed"
    assert project_with("0" * 64, [str(design)], window.session.catalog) is None
    page.write_text("<p>", encoding="utf-8")
    with pytest.raises(StoreError, match="no page that Headroom has written"):
        hash_of(page)
