"""Work that is too slow for the window's thread: a value in, a value out.

A `Job` owns no QObject. The `Relay` lives in the window's thread and tells who asked; a result
that nobody waits for any more is dropped.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal, Slot

from app.language import local, tr
from models.base.texts import SpokenError

Report = Callable[[float], None]
Task = Callable[["Context"], Any]

log = logging.getLogger(__name__)


class Cancelled(Exception):
    """Raised inside a task once nobody wants its result."""


def reason(error: Exception) -> str:
    """What to say of a task that failed; of an error of the program nothing but that it is one."""
    return local(error) if isinstance(error, SpokenError) else tr("an error of the program")


def raise_own(error: Exception) -> None:
    """Leaves what the program did wrong to who reports such errors; what a file or a scenario did
    is said."""
    if not isinstance(error, SpokenError):
        raise error


def pause(parent: QObject, rest_ms: int, act: Callable[[], object]) -> QTimer:
    """A timer that acts once when nobody has started it anew for so long."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(rest_ms)
    timer.timeout.connect(act)
    return timer


class Context:
    """What a running task may do besides computing: say how far it is, and notice a cancel."""

    def __init__(self, cancel: threading.Event, report: Report) -> None:
        self._cancel = cancel
        self.report = report

    def check(self) -> None:
        """To be called between chunks of work.

        Raises:
            Cancelled: the user has given up.
        """
        if self._cancel.is_set():
            raise Cancelled


class Relay(QObject):
    """Carries results from pool threads to the window's thread.

    Signals:
        done: token and value; failed: token and exception; progress: token and share from 0 to 1.
    """

    done = Signal(object, object)
    failed = Signal(object, object)
    progress = Signal(object, float)


class Errand:
    """A task for as long as somebody wants its result.

    Given up it is let go at once: it may wait behind others in the pool for long, and holds what
    it was to work on, which can be large.
    """

    __slots__ = ("_task", "cancelled")

    def __init__(self, task: Task) -> None:
        self._task: Task | None = task
        self.cancelled = threading.Event()

    def cancel(self) -> None:
        self.cancelled.set()
        self._task = None

    def run(self, report: Report) -> Any:
        """What the task returns.

        Raises:
            Cancelled: nobody wants it any more.
        """
        task = self._task
        if task is None:
            raise Cancelled
        return task(Context(self.cancelled, report))


class Job(QRunnable):
    """One errand with its token."""

    def __init__(self, token: int, errand: Errand, relay: Relay) -> None:
        super().__init__()
        self._token = token
        self._errand = errand
        self._relay = relay

    def run(self) -> None:
        try:
            value = self._errand.run(self._report)
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 - whatever it was must reach the user
            log.info("a job failed: %s", type(error).__name__)
            self._tell("failed", error)
        else:
            self._tell("done", value)

    def _report(self, share: float) -> None:
        self._tell("progress", share)

    def _tell(self, signal: str, value: Any) -> None:
        """Says it to whoever still waits: with its window closed, the relay is gone."""
        if self._errand.cancelled.is_set():
            return
        try:
            getattr(self._relay, signal).emit(self._token, value)
        except RuntimeError:
            log.info("nobody waits for a job any more")


class Pool(Protocol):
    """Where jobs run."""

    def start(self, job: Job, /) -> None: ...


class InlinePool:
    """Runs jobs at once in the caller's thread: for tests and the command line."""

    def start(self, job: Job, /) -> None:
        job.run()


class Worker(QObject):
    """Starts tasks and gives each result to the one who asked.

    Signals:
        busy_changed: whether any task is under way.
    """

    busy_changed = Signal(bool)

    def __init__(self, pool: Pool | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool or _shared_pool()
        self._relay = Relay(self)
        self._relay.done.connect(self._done)
        self._relay.failed.connect(self._failed)
        self._relay.progress.connect(self._progressed)
        self._waiting: dict[int, _Waiting] = {}
        self._last = 0

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting)

    def start(
        self,
        task: Task,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        progress: Callable[[float], None] | None = None,
    ) -> int:
        """Runs `task(context)`; calls `done` or `failed` in this thread. Returns the token."""
        self._last += 1
        errand = Errand(task)
        self._waiting[self._last] = _Waiting(done, failed, progress, errand)
        self.busy_changed.emit(True)
        token = self._last
        self._pool.start(Job(token, errand, self._relay))
        return token

    def cancel(self, token: int) -> None:
        """Gives up on a task: it doesn't begin, or stops at its next check; no result comes."""
        waiting = self._take(token)
        if waiting is not None:
            waiting.errand.cancel()

    def cancel_all(self) -> None:
        for token in tuple(self._waiting):
            self.cancel(token)

    def _take(self, token: int) -> _Waiting | None:
        waiting = self._waiting.pop(token, None)
        if waiting is not None and not self._waiting:
            self.busy_changed.emit(False)
        return waiting

    @Slot(object, object)
    def _done(self, token: int, value: Any) -> None:
        waiting = self._take(token)
        if waiting is not None:
            waiting.done(value)

    @Slot(object, object)
    def _failed(self, token: int, error: Exception) -> None:
        waiting = self._take(token)
        if waiting is not None:
            waiting.failed(error)

    @Slot(object, float)
    def _progressed(self, token: int, share: float) -> None:
        waiting = self._waiting.get(token)
        if waiting is not None and waiting.progress is not None:
            waiting.progress(share)


class InlineWorker(Worker):
    """A worker whose results are there when `start` returns."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(InlinePool(), parent)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Who asked for a task, and the way to stop it."""

    done: Callable[[Any], None]
    failed: Callable[[Exception], None]
    progress: Callable[[float], None] | None
    errand: Errand


class OneTask:
    """The one task that somebody waits for: the next takes the place of the one before.

    Args:
        changed: called when a task begins, and when it ends, before its result is told.
    """

    def __init__(self, worker: Worker, changed: Callable[[], None] = lambda: None) -> None:
        self._worker = worker
        self._changed = changed
        self._token: int | None = None
        self.is_running = False

    def start(
        self,
        task: Task,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        progress: Callable[[float], None] | None = None,
    ) -> None:
        """As `Worker.start`."""
        self.cancel(is_told=False)
        self.is_running = True
        self._changed()
        ends = partial(self._ended, done), partial(self._ended, failed)
        token = self._worker.start(task, *ends, progress)
        self._token = token if self.is_running else None

    def cancel(self, *, is_told: bool = True) -> None:
        """Gives up what is under way.

        Args:
            is_told: whoever waits is told where something was; else another task begins at once.
        """
        if self._token is not None:
            self._worker.cancel(self._token)
        was_running = self.is_running
        self._token, self.is_running = None, False
        if was_running and is_told:
            self._changed()

    def _ended(self, tell: Callable[[Any], None], what: Any) -> None:
        self._token, self.is_running = None, False
        self._changed()
        tell(what)


class _QtPool:
    """The process-wide thread pool of Qt."""

    def start(self, job: Job, /) -> None:
        QThreadPool.globalInstance().start(job)


def _shared_pool() -> Pool:
    return _QtPool()
