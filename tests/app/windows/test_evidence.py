"""The Evidence window: one of it, from menu, key and inspector; closed with all it holds."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from app.actions import MENUS, ActionSpec
from app.look import LOOK
from app.session import Session
from app.settings import Settings
from app.theme import DARK
from app.widgets.evidence.run import AccuracyRun, Held
from app.widgets.plots.accuracy import AccuracyChart
from app.windows.evidence import EvidenceCommands
from app.windows.window import MainWindow
from app.work import Context, Job, Worker
from models.fitting.validation import Validation
from tests.app.pictures import picture_of
from tests.app.sessions import session_of, two_hosts
from tests.app.windows.whole import lone_stack

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CPU_4000 = "wv21/clovertown/vmfs/14.5gb/4000/cpu_pct"
NOTHING = Held(Validation(accuracy=(), points=(), baselines=(), unchecked=()), ())


class Shelf:
    """A pool that never begins."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start(self, job: Job, /) -> None:
        self.jobs.append(job)


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def commands(qtbot: QtBot, tmp_path: Path, shelf: Shelf) -> Iterator[EvidenceCommands]:
    def known(_context: Context) -> Held:
        return NOTHING

    owner = lone_stack(qtbot, tmp_path)
    worker = Worker(shelf, owner)
    commands = EvidenceCommands(owner, worker)
    commands._run = AccuracyRun(worker, known, commands)
    yield commands
    commands.close()


def delete_closed() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()


def test_two_menus_offer_one_act() -> None:
    offering = [
        menu.text
        for menu in MENUS
        for entry in menu.entries
        if isinstance(entry, ActionSpec) and entry.id == "evidence.open"
    ]
    assert offering == ["&View", "&Help"]


def test_there_is_one_window_and_it_goes_to_the_row(commands: EvidenceCommands) -> None:
    commands.open()
    first = commands.opened
    assert first is not None
    commands.open_row(CPU_4000)
    assert commands.opened is first
    current = first.page.rows.view.current
    assert current is not None
    assert current.key == CPU_4000


def test_it_goes_with_all_it_works_out(commands: EvidenceCommands, shelf: Shelf) -> None:
    commands.open()
    window = commands.opened
    assert window is not None
    assert commands.run.is_running
    seen = weakref.ref(window.page)
    commands.close()
    assert commands.opened is None
    assert not commands.run.is_running
    del window
    delete_closed()
    assert seen() is None
    for job in shelf.jobs:
        job.run()
    assert commands.run.result is None


def chart_of(commands: EvidenceCommands) -> AccuracyChart | None:
    assert commands.opened is not None
    return commands.opened.page.points.chart


def test_the_chart_goes_with_its_window(qtbot: QtBot, commands: EvidenceCommands) -> None:
    commands.open()
    assert commands.opened is not None
    commands.opened.page.tabs.setCurrentWidget(commands.opened.page.points)
    qtbot.waitUntil(lambda: chart_of(commands) is not None)
    seen = weakref.ref(chart_of(commands))
    commands.close()
    delete_closed()
    assert seen() is None


def test_what_is_known_stays_known(commands: EvidenceCommands, shelf: Shelf) -> None:
    commands.open()
    shelf.jobs.pop().run()
    assert commands.run.result is NOTHING
    commands.close()
    commands.open()
    assert shelf.jobs == []
    assert commands.opened is not None
    assert commands.opened.page.headline.text() == "Nothing could be held out."


def test_the_theme_reaches_an_open_window_and_the_next_one(commands: EvidenceCommands) -> None:
    commands.open()
    assert commands.opened is not None
    light = picture_of(commands.opened.page)
    LOOK.use(DARK)
    dark = picture_of(commands.opened.page)
    commands.close()
    commands.open()
    assert (dark != light).any()
    assert (picture_of(commands.opened.page) == dark).all()


@pytest.fixture
def main(qtbot: QtBot, tmp_path: Path, shelf: Shelf) -> MainWindow:
    session: Session = session_of(two_hosts())
    window = MainWindow(Settings(tmp_path / "settings.ini"), worker=Worker(shelf))
    window.furnish(session)
    for part in (session, window.worker):
        part.setParent(window)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.completed):
        window.show()
    return window


def test_key_and_drawer_open_it_and_it_closes_with_the_window(
    qtbot: QtBot, main: MainWindow
) -> None:
    action = main.actions_by_id["evidence.open"]
    assert action.shortcut().toString() == "Ctrl+E"
    action.trigger()
    opened = main.evidence.opened
    assert opened is not None
    assert main.evidence.run.is_running
    main.selection.select("m1")
    main.why.evidence_requested.emit(CPU_4000)
    assert main.evidence.opened is opened
    assert opened.page.tabs.currentWidget() is opened.page.all_rows
    current = opened.page.rows.view.current
    assert current is not None
    assert current.key == CPU_4000
    main.close()
    assert main.evidence.opened is None
    assert not main.worker.is_busy
