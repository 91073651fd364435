"""A whole window, and what tests ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_knowledge
from app.lifetime import hold
from app.session import Session
from app.settings import Settings
from app.windows.dialogs import Answer, Dialogs, Instead
from app.windows.export import Export
from app.windows.main import first_session
from app.windows.pages import PageStack
from app.windows.window import MainWindow
from app.work import InlineWorker
from models.project.project import Project
from models.tell.blocks import Section
from tests.app.gestures import at_rest

NEVER_MS = 24 * 3_600_000
WITH_CHARTS = 1366, 1000
"""Size of a window that has room for a chart below the board."""


@dataclass
class Answers(Dialogs):
    """Answers that are given in advance, and what was said."""

    path: Path | None = None
    text: str | None = None
    answer: Answer = Answer.CANCEL
    yes: bool = True
    instead: Instead = Instead.CANCEL
    problems: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    told: list[Section] = field(default_factory=list)

    def open_file(self, title: str, folder: Path, filter: str) -> Path | None:
        return self.path

    def save_file(self, title: str, proposed: Path, filter: str, ending: str) -> Path | None:
        return self.path

    def ask_to_save(self, name: str) -> Answer:
        self.asked.append(name)
        return self.answer

    def ask_text(self, title: str, label: str, text: str) -> str | None:
        return self.text

    def ask_yes(self, question: str, detail: str, yes: str, no: str) -> bool:
        return self.yes

    def ask_to_delete(self, what: str, detail: str) -> bool:
        return self.yes

    def ask_to_replace(self, what: str, detail: str) -> bool:
        self.asked.append(what)
        return self.yes

    def ask_instead(self, what: str, detail: str = "", *, may_replace: bool = False) -> Instead:
        (self.asked if may_replace else self.problems).append(what)
        return self.instead

    def show_problem(self, sentence: str) -> None:
        self.problems.append(sentence)

    def show_sections(self, title: str, sentence: str, sections: Sequence[Section]) -> None:
        self.told += sections


def at_start(qtbot: QtBot, settings: Settings, answers: Answers) -> MainWindow:
    """A window at the start page, as it opens without a file; not shown yet."""
    window = MainWindow(settings, worker=InlineWorker(), dialogs=answers)
    window.setWindowState(Qt.WindowState.WindowNoState)
    session = first_session()
    window.furnish(session, at_start=True)
    session.setParent(window)
    window.worker.setParent(window)
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(1366, 768)
    return window


def complete(qtbot: QtBot, window: MainWindow) -> None:
    """Shows it, complete and in front."""
    with qtbot.waitSignal(window.completed):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def made(project: Project, settings: Settings, answers: Answers) -> MainWindow:
    session = Session(project, shipped_knowledge())
    window = MainWindow(settings, worker=InlineWorker(), dialogs=answers)
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen of the tests is a small one
    window.resize(*WITH_CHARTS)
    window.furnish(session)
    session.setParent(window)
    window.worker.setParent(window)
    return window


def wait_for_charts(qtbot: QtBot, window: MainWindow) -> None:
    """Until the first chart stands and every part keeps its place.

    A window that ends while the chart is made takes Qt down with it.
    """
    qtbot.waitUntil(lambda: hasattr(window, "charts"))
    if window.charts.curve.isVisible():
        qtbot.waitUntil(lambda: window.charts.curve.chart is not None)
    at_rest(qtbot, window)


def forget_changes(window: MainWindow) -> None:
    window.session.stack.setClean()


def lone_stack(qtbot: QtBot, folder: Path) -> PageStack:
    """Pages without a window around them."""
    stack = PageStack(QWidget(), Settings(folder / "settings.ini"))
    hold(stack)
    qtbot.addWidget(stack, before_close_func=PageStack.close_pages)
    stack.show()
    return stack


def trigger(window: MainWindow, id: str) -> None:
    action = window.actions_by_id[id]
    assert action.isEnabled(), id
    action.trigger()


def propose(window: MainWindow, path: Path | None, language: str = "") -> None:
    """Writes the proposal, as its page would have it written."""
    assert path is not None
    window.files.write_proposal(Export(path=path, code=language))


def settle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.session.is_settled)


def choices(window: MainWindow, id: str) -> tuple[QMenu, dict[str, QAction]]:
    menu = window.actions_by_id.submenu(id)
    menu.aboutToShow.emit()
    return menu, {action.text(): action for action in menu.actions() if action.text()}


def begin(qtbot: QtBot, window: MainWindow) -> None:
    """Shows a window that nothing is in yet."""
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.painted):
        window.show()
