"""A program that dies: what it left is offered once, recovered whole, and kept until saved."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from app.recovery import Slots
from app.settings import Settings
from app.windows.recovery import _time
from app.windows.window import MainWindow
from db.atomic import digest_of
from db.project import load_project, save_project
from db.recovery import Origin, copies_in, read_copy, write_copy
from models.project.project import Project
from tests.app import samples
from tests.app.gestures import LEFT
from tests.app.windows.whole import (
    Answers,
    choices,
    forget_changes,
    made,
    settle,
    trigger,
    wait_for_charts,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

DYING = """
import sys
from pathlib import Path
from app.settings import Settings
from app.windows.main import application, main_window

app = application()
window = main_window(demo=True, settings=Settings(Path(sys.argv[1])))
window.show()

def edit():
    session = window.session
    session.change(lambda s: s.place([s.vms[0].id], None), "Take it off")
    sys.stdout.write("edited\\n")
    sys.stdout.flush()

window.completed.connect(edit)
app.exec()
"""


@pytest.fixture
def left_behind(settings: Settings) -> Project:
    """What a program that died left: its document, changed."""
    project = Project.of(samples.scenario())
    return kept(settings, project, Origin(name="Estate"))


def kept(settings: Settings, project: Project, origin: Origin, name: str = "a") -> Project:
    write_copy(settings.recovery / f"{name}.headroom", project, origin, program_version="1")
    return project


class Windows:
    """Opens windows on the same settings, one after the other or at once."""

    def __init__(self, qtbot: QtBot, settings: Settings, answers: Answers) -> None:
        self._qtbot, self._settings, self._answers = qtbot, settings, answers

    def __call__(self) -> MainWindow:
        window = made(Project.of(samples.scenario(2, 2)), self._settings, self._answers)
        self._qtbot.addWidget(window, before_close_func=forget_changes)
        with self._qtbot.waitExposed(window):
            window.show()
        wait_for_charts(self._qtbot, window)
        return window


@pytest.fixture
def opened(qtbot: QtBot, settings: Settings, answers: Answers) -> Windows:
    return Windows(qtbot, settings, answers)


def click(window: MainWindow, text: str) -> None:
    buttons = window.recovery.bar.findChildren(QPushButton)
    QTest.mouseClick(next(button for button in buttons if button.text() == text), LEFT)


def test_work_without_a_file_is_offered_by_its_scenario(
    settings: Settings, opened: Windows
) -> None:
    """An imported scenario has a name, and its project none yet."""
    scenario = samples.scenario(2, 2)
    kept(settings, Project.of(replace(scenario, name="Ministry, 2 hosts")), Origin())
    sentence = opened().recovery.bar.sentence
    assert "before this was saved: Ministry, 2 hosts, " in sentence
    assert f"{len(scenario.vms)} VMs, {len(scenario.hosts)} hosts, " in sentence
    assert re.search(r"\b20\d\d\b", sentence)
    assert "Untitled" not in sentence


def test_work_of_a_file_is_offered_by_file_and_scenario(
    settings: Settings, opened: Windows
) -> None:
    project = Project.of(replace(samples.scenario(), name="Growth" + " and more" * 20))
    kept(settings, project, Origin(name="estate.headroom"))
    sentence = opened().recovery.bar.sentence
    assert ": estate.headroom, scenario “Growth and more" in sentence
    assert len(sentence) < 250


@pytest.mark.parametrize("name", ["C", "de_DE", "fr_FR", "ar_EG"])
def test_the_day_is_in_words_of_the_windows_language(name: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(name))
    try:
        said = _time(datetime(2026, 11, 25, 12, 30, tzinfo=UTC))
    finally:
        QLocale.setDefault(before)
    assert "November" in said
    assert "2026" in said


def test_a_killed_program_gives_its_work_back(
    qtbot: QtBot, tmp_path: Path, settings: Settings, opened: Windows
) -> None:
    command = [sys.executable, "-c", DYING, str(tmp_path / "settings.ini")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "edited\n"
        qtbot.waitUntil(lambda: bool(copies_in(settings.recovery)))
        program.send_signal(signal.SIGKILL)
    window = opened()
    assert window.recovery.bar.isVisible()
    assert "Headroom ended before this was saved" in window.recovery.bar.sentence
    click(window, "Recover")
    assert not window.recovery.bar.isVisible()
    assert window.session.scenario.name.startswith("WV21")
    assert window.session.scenario.vms[0].host is None
    assert window.isWindowModified()


class TestRecovering:
    def test_the_copy_stays_until_the_work_is_saved(
        self,
        settings: Settings,
        left_behind: Project,
        opened: Windows,
        answers: Answers,
        tmp_path: Path,
    ) -> None:
        window = opened()
        click(window, "Recover")
        assert window.session.project.entries == left_behind.entries
        assert window.windowTitle().startswith("Estate")
        assert len(copies_in(settings.recovery)) == 1
        answers.path = tmp_path / "estate.headroom"
        trigger(window, "files.save")
        assert not window.isWindowModified()
        assert copies_in(settings.recovery) == []

    def test_dying_again_before_saving_loses_nothing(
        self, settings: Settings, left_behind: Project, opened: Windows
    ) -> None:
        window = opened()
        click(window, "Recover")
        # Another program can't have it while this one lives …
        assert Slots(settings.recovery).abandoned() == []
        path = copies_in(settings.recovery)[0]
        copy = path.read_bytes(), path.with_suffix(".json").read_bytes()
        assert window.session.is_modified
        forget_changes(window)
        window.close()
        # … and after a second death it is offered again.
        path.write_bytes(copy[0])
        path.with_suffix(".json").write_bytes(copy[1])
        assert opened().recovery.bar.isVisible()

    def test_the_saved_file_is_never_touched(
        self, settings: Settings, opened: Windows, tmp_path: Path
    ) -> None:
        file = tmp_path / "estate.headroom"
        before = Project.of(samples.scenario(2, 3))
        save_project(file, before, program_version="1")
        content = file.read_bytes()
        origin = Origin(name=file.name, path=str(file), content=digest_of(file))
        kept(settings, Project.of(samples.scenario()), origin)
        window = opened()
        click(window, "Recover")
        assert window.session.path == file
        assert window.recovery.origin() == origin
        assert file.read_bytes() == content
        trigger(window, "files.save")
        assert load_project(file).scenario == samples.scenario()

    def test_a_file_that_changed_since_is_not_in_danger(
        self, settings: Settings, opened: Windows, tmp_path: Path
    ) -> None:
        file = tmp_path / "estate.headroom"
        origin = Origin(name=file.name, path=str(file), content="1")
        kept(settings, Project.of(samples.scenario()), origin)
        save_project(file, Project.of(samples.scenario(2, 3)), program_version="1")
        window = opened()
        click(window, "Recover")
        assert window.session.path is None
        assert window.statusBar().currentMessage() == (
            "Recovered, not saved yet; estate.headroom has changed since, save under a new name."
        )

    def test_a_damaged_copy_is_one_sentence(
        self, settings: Settings, left_behind: Project, opened: Windows, answers: Answers
    ) -> None:
        path = copies_in(settings.recovery)[0]
        path.write_bytes(path.read_bytes()[:5000])
        window = opened()
        before = window.session.project
        click(window, "Recover")
        assert len(answers.problems) == 1
        assert answers.problems[0].startswith("The unsaved work can’t be recovered: ")
        assert window.session.project is before

    def test_unsaved_work_of_this_window_is_asked_about(
        self, left_behind: Project, opened: Windows, answers: Answers
    ) -> None:
        window = opened()
        window.session.edit(window.session.scenario.place(["m1"], None), "Take off")
        before = window.session.project
        click(window, "Recover")
        assert answers.asked == ["Untitled"]
        assert window.session.project is before
        assert window.recovery.bar.isVisible()


class TestDeclining:
    def test_it_is_offered_once(
        self, settings: Settings, left_behind: Project, opened: Windows
    ) -> None:
        window = opened()
        click(window, "Not now")
        assert not window.recovery.bar.isVisible()
        window.close()
        window = opened()
        assert not window.recovery.bar.isVisible()
        assert len(copies_in(settings.recovery)) == 1

    def test_the_menu_keeps_it(
        self, settings: Settings, left_behind: Project, opened: Windows
    ) -> None:
        window = opened()
        click(window, "Not now")
        _, entries = choices(window, "recovery")
        name = next(text for text in entries if text.startswith("Estate, "))
        entries[name].trigger()
        assert window.session.project.entries == left_behind.entries
        assert window.isWindowModified()
        assert len(copies_in(settings.recovery)) == 1

    def test_the_menu_can_delete_it(
        self, settings: Settings, left_behind: Project, opened: Windows, answers: Answers
    ) -> None:
        window = opened()
        click(window, "Not now")
        _, entries = choices(window, "recovery")
        answers.yes = False
        entries["Delete them all…"].trigger()
        assert len(copies_in(settings.recovery)) == 1
        answers.yes = True
        entries["Delete them all…"].trigger()
        assert copies_in(settings.recovery) == []
        menu, _ = choices(window, "recovery")
        assert isinstance(menu, QMenu)
        assert [(a.text(), a.isEnabled()) for a in menu.actions()] == [("Nothing is kept", False)]

    def test_closing_without_an_answer_settles_it(
        self, left_behind: Project, opened: Windows
    ) -> None:
        opened().close()
        window = opened()
        assert not window.recovery.bar.isVisible()
        _, entries = choices(window, "recovery")
        assert any(text.startswith("Estate, ") for text in entries)

    def test_of_several_the_newest_is_offered_and_the_others_kept(
        self, settings: Settings, left_behind: Project, opened: Windows
    ) -> None:
        newest = Project.of(samples.scenario(4, 4))
        kept(settings, newest, Origin(name="Newest"), "b")
        window = opened()
        assert "Newest" in window.recovery.bar.sentence
        assert "1 more" in window.recovery.bar.sentence
        click(window, "Recover")
        assert window.session.project.entries == newest.entries
        _, entries = choices(window, "recovery")
        assert sum(text.startswith("Estate, ") for text in entries) == 1


def test_two_windows_do_not_fight(qtbot: QtBot, settings: Settings, opened: Windows) -> None:
    first, second = opened(), opened()
    for number, window in enumerate((first, second), start=1):
        session = window.session
        session.edit(session.scenario.place([f"m{number}"], None), "Take off")
        settle(qtbot, window)
    qtbot.waitUntil(lambda: len(copies_in(settings.recovery)) == 2)
    ours = {first.session.scenario.vms: 0, second.session.scenario.vms: 0}
    for path in copies_in(settings.recovery):
        ours[read_copy(path).scenario.vms] += 1
    assert set(ours.values()) == {1}
    forget_changes(first)
    assert len(copies_in(settings.recovery)) == 1
