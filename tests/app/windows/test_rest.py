"""A window at rest is at rest: nothing is painted or laid out while nobody does anything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractAnimation, QEvent, QObject, QSize, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.windows.files import example_project
from app.windows.window import MainWindow
from resources.example_files import Example, load_examples
from tests.app.gestures import at_rest
from tests.app.windows.whole import NEVER_MS, Answers, forget_changes, made, wait_for_charts
from tests.packaging.loading import ROOT
from tests.sweeps import often

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

SIZES = {
    "laptop": QSize(1366, 768),
    "desk": QSize(1920, 1080),
    "small": QSize(1024, 700),
    "half": QSize(683, 700),
}
QUIET_MS, ROUNDS = 300, 5
"""What is put off for longer is no timer or animation that runs: `put_off` looks for those. The
last of a change of size may still be on its way, a loop is so in every round."""

STIRRING = (QEvent.Type.Paint, QEvent.Type.UpdateRequest, QEvent.Type.LayoutRequest)


class Watch(QObject):
    """Counts what stirs, by kind of widget and of event."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self.seen: Counter[tuple[str, str]] = Counter()
        self._app = app
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in STIRRING:
            self.seen[type(watched).__name__, event.type().name] += 1
        return False

    def stop(self) -> None:
        self._app.removeEventFilter(self)


@pytest.fixture
def watch(qapp: QApplication) -> Iterator[Watch]:
    watch = Watch(qapp)
    yield watch
    watch.stop()


def put_off(window: MainWindow) -> list[str]:
    """What runs of timers and animations: of each the name of its owner."""
    timers = (each for each in window.findChildren(QTimer) if each.isActive())
    soon = [type(each.parent()).__name__ for each in timers if each.interval() < NEVER_MS]
    running = QAbstractAnimation.State.Running
    animations = window.findChildren(QAbstractAnimation)
    return soon + [type(each.parent()).__name__ for each in animations if each.state() == running]


def is_quiet(qtbot: QtBot, watch: Watch) -> bool:
    """Whether nothing stirs for a while."""
    watch.seen.clear()
    qtbot.wait(QUIET_MS)
    return watch.seen == Counter()


@pytest.mark.parametrize(
    "example", often(load_examples(), load_examples()[:1]), ids=lambda example: example.id
)
def test_nothing_stirs_at_rest(
    qtbot: QtBot, tmp_path: Path, watch: Watch, example: Example
) -> None:
    """In any size of the window, one after the other."""
    window = made(example_project(example), Settings(tmp_path / "settings.ini"), Answers())
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(SIZES["laptop"])
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    predictions, board = window.predictions, window.board
    for name, size in SIZES.items():
        window.resize(size)
        qtbot.waitUntil(
            lambda: window.session.is_settled and predictions.is_complete and board.is_complete
        )
        qtbot.waitUntil(lambda: put_off(window) == [])
        at_rest(qtbot, window)
        assert any(is_quiet(qtbot, watch) for _ in range(ROUNDS)), (name, watch.seen)
        assert put_off(window) == [], name


IN_GERMAN = """
import sys
from app.settings import Settings
from app.speech import begin
begin(Settings())
import pytest
from app.language import tr
assert tr("Scenarios") == "Szenarien"
sys.exit(pytest.main(sys.argv[1:]))
"""
"""A language is taken once in a process, before anything has words."""


@pytest.mark.slow
def test_nor_does_it_in_german() -> None:
    command = [sys.executable, "-c", IN_GERMAN, "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-k", "nothing_stirs", str(Path(__file__))]
    environ = {**os.environ, "HEADROOM_LANGUAGE": "de", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        command, env=environ, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
