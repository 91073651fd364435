"""From the export to the day when an older project is opened, in the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app import __version__
from app.windows.window import MainWindow
from db.files import open_any, save_whole
from db.signed import all_signed
from db.stated import stated_of
from models.project.project import STATED, Project
from resources.catalog_files import load_catalog
from tests.app.sessions import Waiting
from tests.app.windows.whole import Answers, propose

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def by_an_older_model(project: Project) -> Project:
    """The same as model 1.21 said it: one number was another, one was not known."""
    state = list(stated_of(project.entries[0]))[-1]
    numbers = {**state.numbers, "hosts.cpu_pct": 12.0, "vms.response_ms": None}
    old = replace(state, model="1.21", numbers=numbers)
    return project.with_records(project.active, STATED, [msgspec.json.encode(old).decode()])


def test_an_export_is_kept_in_no_other_project(
    window: MainWindow, answers: Answers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers.path, pool = tmp_path / "offer.html", Waiting()
    monkeypatch.setattr(window.worker, "_pool", pool)
    propose(window, answers.path)
    window.session.open(Project.of(window.session.scenario), None)
    pool.run()
    assert not all_signed(window.session.project)
    assert answers.path.is_file()


def test_an_export_is_kept_and_what_became_other_is_told(
    window: MainWindow, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    answers.path = tmp_path / "offer.html"
    propose(window, answers.path)
    qtbot.waitUntil(lambda: bool(all_signed(window.session.project)))
    assert window.session.is_modified  # what was signed is to be saved
    path = tmp_path / "mine.headroom"
    assert window.files.save_to(path)
    assert not window.session.is_modified
    assert window.files.open_path(path)
    assert answers.told == []
    (signed,) = all_signed(window.session.project)
    assert signed.scenarios[0].stated in stated_of(window.session.project.entries[0])

    old = by_an_older_model(open_any(path, load_catalog()))
    other = tmp_path / "old.headroom"
    save_whole(other, old, load_catalog(), program_version=__version__)
    assert window.files.open_path(other)
    (section,) = answers.told
    text = str(section)
    for words in ("model 1.21", "12\u202f%", "no data", "memory in use beyond what is installed"):
        assert words.replace("\u202f", "\\u202f") in text
