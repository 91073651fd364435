"""A window in which own hardware is added."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.windows.own_form import OwnForm
from app.windows.window import MainWindow
from models.catalog.own_hardware import custom_server
from models.project.project import Project
from resources.catalog_files import load_processors
from tests.app import samples
from tests.app.windows import whole

R999 = custom_server(
    name="R999", processor=load_processors()["intel-xeon-e5-2650-v4"], sockets=4, year=2016
)
Show = Callable[[Project], MainWindow]


@dataclass
class Answers(whole.Answers):
    """Whether what is added goes to the library too."""

    keep: bool = False

    def ask_yes(self, question: str, detail: str, yes: str, no: str) -> bool:
        self.asked.append(question)
        return self.keep


def field(dialog: OwnForm[Any], name: str) -> Any:
    """A field of a form by its name: of which kind it is, a test knows."""
    return dialog.fields[name]


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def show(qtbot: QtBot, settings: Settings, answers: Answers) -> Iterator[Show]:
    """Makes windows, and holds them until they are closed."""
    windows = []

    def shown(project: Project) -> MainWindow:
        window = whole.made(project, settings, answers)
        windows.append(window)
        qtbot.addWidget(window, before_close_func=whole.forget_changes)
        window.resize(1366, 768)
        with qtbot.waitExposed(window):
            window.show()
        whole.wait_for_charts(qtbot, window)
        return window

    yield shown
    windows.clear()


@pytest.fixture
def window(show: Show) -> MainWindow:
    return show(Project.of(samples.scenario()))
