"""How quickly the window answers: a hand over the board, scrolling, zooming, edits. Real events.

And what it costs while nobody does anything.

Runs in a process of its own (``--paint-once gestures``), for a process can have one application.
A frame lasts from the event until everything that it called for is painted.
"""

from __future__ import annotations

import gc
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import TextIO

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from app.bench_queueing import rounded
from app.calibrated import shipped_knowledge
from app.session import Session
from app.settings import Settings
from app.stylesheet import apply_theme
from app.synthetic import synthetic_scenario
from app.theme import DARK, LIGHT
from app.widgets.board.view import BoardView
from app.windows.files import example_project
from app.windows.main import application
from app.windows.window import MainWindow
from models.project.project import Project
from models.scenario.scenario import Vm
from resources.example_files import Example, load_examples

LARGE, USUAL = (100, 1_000), (20, 200)
SIZE = (1920, 1080)
SIDES = (254, 300)
FRAME_S = 1 / 60
STEPS = 12
"""Moves from one host to the next."""

REST_S = 0.15
"""How long the hand stays on a host to read its numbers."""

SETTLED_S = 1.0
"""After which nothing is left that was put off for a moment."""

IDLE_S = 2.0
ROUNDS = 3
PANS, ZOOMS, EDITS, OPENINGS, KILLS, THEMES = 120, 30, 40, 3, 8, 8
SEED = 1


def measure(out: TextIO) -> int:
    """Measure everything once and write it as one line of JSON."""
    app = application()
    apply_theme(app, LIGHT)
    with tempfile.TemporaryDirectory() as folder:
        idle_pct = max(_idle_pct(each, Path(folder) / "idle.ini") for each in load_examples())
        large = Bench.of(Project.of(synthetic_scenario(*LARGE)), Path(folder) / "large.ini")
        found = {
            "idle_cpu_pct": rounded(idle_pct),
            "open_ms": large.open_ms(),
            **large.hover_ms(),
            "pan_frame_ms": _spread(large.pan_ms()),
            "zoom_frame_ms": _spread(large.zoom_ms()),
            "host_lost_ms": _spread(large.host_lost_ms()),
        }
        large.close()
        usual = Bench.of(Project.of(synthetic_scenario(*USUAL)), Path(folder) / "usual.ini")
        found["edit_to_paint_ms"] = _spread(usual.edit_ms())
        found["theme_cpu_ms"] = _spread(usual.theme_cpu_ms())
        usual.close()
    out.write(json.dumps(found) + "\n")
    return 0


@dataclass(frozen=True, slots=True)
class Bench:
    """A window on an estate, and what is done to it."""

    window: MainWindow
    session: Session

    @classmethod
    def of(cls, project: Project, settings: Path) -> Bench:
        """The window as somebody has it open, with everything in its place."""
        session = Session(project, shipped_knowledge())
        window = MainWindow(Settings(settings))
        waiting = QEventLoop()
        window.completed.connect(waiting.quit)
        window.furnish(session)
        session.setParent(window)
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.resize(*SIZE)
        window.show()
        left, right = SIDES
        window.columns.setSizes([left, SIZE[0] - left - right, right])
        waiting.exec()
        gc.enable()
        for _ in range(10):
            _work()
        return cls(window, session)

    @property
    def board(self) -> BoardView:
        return self.window.board

    def close(self) -> None:
        self.session.stack.setClean()
        self.window.close()
        self.window.deleteLater()
        _work()

    def idle_cpu_pct(self) -> float:
        """What the process takes of a core while nobody does anything, once nothing is left to be
        worked out."""
        self._until_painted()
        while self.window.worker.is_busy or self.window.verdict.is_calculating:
            _pass(SETTLED_S)
        _pass(SETTLED_S)
        begin, taken = time.perf_counter(), time.process_time()
        _pass(IDLE_S)
        return 100.0 * (time.process_time() - taken) / (time.perf_counter() - begin)

    def open_ms(self) -> float:
        """Opening another project of this size, until it is painted; the median."""
        project = self.session.project
        durations = []
        for _ in range(OPENINGS):
            start = time.perf_counter()
            self.session.open(Project.of(replace(project.scenario)), None)
            self._until_painted()
            durations.append(_since(start))
        return rounded(sorted(durations)[OPENINGS // 2])

    def hover_ms(self) -> dict[str, object]:
        """Moves with a VM being dragged over all hosts in sight, resting on each: frames of the
        moves, and how long until the numbers of a drop are painted."""
        board, moves, rests = self.board, [], []
        hosts = self._hosts_in_sight()
        order = random.Random(SEED)
        self._mouse(QEvent.Type.MouseButtonPress, self._middle("m0"))
        path = [host for _ in range(ROUNDS) for host in order.sample(hosts, len(hosts))]
        for start, end in pairwise(path):
            for spot in _between(self._middle(start), self._middle(end)):
                begin = time.perf_counter()
                self._mouse(QEvent.Type.MouseMove, spot)
                _work()
                moves.append(_since(begin))
                _wait_until(begin + FRAME_S)
            begin = time.perf_counter()
            self._until_painted()
            rests.append(_since(begin))
            while time.perf_counter() < begin + REST_S:
                _work()
        board.cancel()
        self._until_painted()
        return {"hover_frame_ms": _spread(moves), "hover_rest_ms": _spread(rests)}

    def pan_ms(self) -> list[float]:
        """Scrolling from the top down by the height of a card at a time, and back."""
        bar = self.board.verticalScrollBar()
        places = [*range(0, 37 * PANS, 37), *range(37 * PANS, 0, -400)]
        return [_timed(lambda y=place: bar.setValue(y)) for place in places]  # type: ignore[misc]

    def zoom_ms(self) -> list[float]:
        """Frames while zooming out and in again, those that complete a frame among them."""
        durations = []
        for step in range(ZOOMS):
            zoom = self.board.zoom_out if step % 10 < 5 else self.board.zoom_in
            durations.append(_timed(zoom))
            while not self.board.is_complete:
                durations.append(_timed(lambda: None))
        return durations

    def host_lost_ms(self) -> list[float]:
        """From pressing K on a host until meters and verdict without it are painted."""
        durations = []
        for host in self._hosts_in_sight()[:KILLS]:
            self.window.selection.set([host])
            self._until_painted()
            start = time.perf_counter()
            press = QKeyEvent(
                QEvent.Type.KeyPress, Qt.Key.Key_K, Qt.KeyboardModifier.NoModifier, "k"
            )
            QCoreApplication.sendEvent(self.board, press)
            self._until_painted()
            durations.append(_since(start))
            self.board.outage.end()
            self._until_painted()
        return durations

    def edit_ms(self) -> list[float]:
        """Edits of one number until all that follows from it is painted."""
        ids = [vm.id for vm in self.session.scenario.vms]
        durations = []
        for number in range(EDITS):
            start = time.perf_counter()
            users = 100.0 + number
            scenario = self.session.scenario.edit(
                Vm,
                ids[number % len(ids)],
                lambda vm, users=users: replace(  # type: ignore[misc]
                    vm, workload=replace(vm.workload, active_users=users)
                ),
            )
            self.session.edit(scenario, "Change users")
            self._until_painted()
            durations.append(_since(start))
        return durations

    def theme_cpu_ms(self) -> list[float]:
        """Time of the processor from choosing another theme until all is painted in it."""
        durations = []
        for number in range(THEMES):
            start = time.process_time()
            self.window.looks.set_theme(LIGHT if number % 2 else DARK)
            self._until_painted()
            durations.append((time.process_time() - start) * 1000.0)
        return durations

    def _until_painted(self) -> None:
        _work()
        while not (self.session.is_settled and self.board.is_complete):
            _work()
        _work()

    def _hosts_in_sight(self) -> list[str]:
        layout, seen = self.board.board_layout, self.board.camera.seen
        return [id for id, box in layout.hosts.items() if box.meets(seen) and box.y + 60 < seen.h]

    def _middle(self, id: str) -> QPointF:
        box = self.board.shown_box(id)
        assert box is not None
        return QPointF(box.x + box.w / 2, box.y + min(box.h, 40) / 2) - self.board.camera.offset

    def _mouse(self, kind: QEvent.Type, at: QPointF) -> None:
        viewport = self.board.viewport()
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        is_press = kind is QEvent.Type.MouseButtonPress
        place = QPointF(viewport.mapToGlobal(QPoint(0, 0))) + at
        plain = Qt.KeyboardModifier.NoModifier
        event = QMouseEvent(kind, at, place, left if is_press else none, left, plain)
        QCoreApplication.sendEvent(viewport, event)


def _idle_pct(example: Example, settings: Path) -> float:
    bench = Bench.of(example_project(example), settings)
    found = bench.idle_cpu_pct()
    bench.close()
    return found


def _between(start: QPointF, end: QPointF) -> Iterator[QPointF]:
    for step in range(1, STEPS + 1):
        yield start + (end - start) * (step / STEPS)


def _work() -> None:
    """Whatever waits to be done, painting included."""
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)


def _pass(duration_s: float) -> None:
    """Time in which the window waits for events, as it does while nobody does anything."""
    waiting = QEventLoop()
    QTimer.singleShot(round(duration_s * 1000), waiting.quit)
    waiting.exec()


def _wait_until(moment: float) -> None:
    """The pace of a hand: the next event comes with the next frame of the screen."""
    while time.perf_counter() < moment:
        time.sleep(0.0005)


def _timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    _work()
    return _since(start)


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000.0


def _spread(durations: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile [ms]."""
    cuts = quantiles(durations, n=20, method="inclusive")
    return {"p50": rounded(cuts[9]), "p95": rounded(cuts[18])}
