"""Background work: values come back to who asked, late ones are dropped, faults are handed on."""

from __future__ import annotations

import gc
import threading
import weakref

import shiboken6
from PySide6.QtCore import QThreadPool
from pytestqt.qtbot import QtBot

from app.work import Context, InlineWorker, Job, Task, Worker

LONG_S = 180
"""Only where the test hangs."""


class Listener:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self.errors: list[Exception] = []
        self.shares: list[float] = []

    def done(self, value: object) -> None:
        self.values.append(value)

    def failed(self, error: Exception) -> None:
        self.errors.append(error)

    def progress(self, share: float) -> None:
        self.shares.append(share)


def test_a_value_comes_back_to_this_thread(qtbot: QtBot) -> None:
    worker, listener = Worker(), Listener()
    threads: list[int] = []

    def task(context: Context) -> int:
        threads.append(threading.get_ident())
        context.report(0.5)
        return 42

    with qtbot.waitSignal(worker.busy_changed, check_params_cb=lambda busy: not busy):
        worker.start(task, listener.done, listener.failed, listener.progress)
    assert listener.values == [42]
    assert listener.shares == [0.5]
    assert threads != [threading.get_ident()]
    worker.deleteLater()


def test_a_fault_is_handed_on(qtbot: QtBot) -> None:
    worker, listener = InlineWorker(), Listener()

    def task(_context: Context) -> int:
        raise ValueError("no such thing")

    worker.start(task, listener.done, listener.failed)
    assert [str(error) for error in listener.errors] == ["no such thing"]
    assert not worker.is_busy
    worker.deleteLater()


def test_a_cancelled_task_stops_and_says_nothing(qtbot: QtBot) -> None:
    worker, listener = Worker(), Listener()
    started, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def task(context: Context) -> int:
        try:
            started.set()
            go_on.wait(LONG_S)
            context.check()
            return 1
        finally:
            ended.set()

    token = worker.start(task, listener.done, listener.failed)
    assert started.wait(LONG_S)
    worker.cancel(token)
    go_on.set()
    assert ended.wait(LONG_S)
    qtbot.waitUntil(lambda: not worker.is_busy)
    assert (listener.values, listener.errors) == ([], [])
    worker.deleteLater()


def test_a_late_value_is_dropped(qtbot: QtBot) -> None:
    worker, listener = Worker(), Listener()
    go_on = threading.Event()

    def slow(_context: Context) -> int:
        go_on.wait(LONG_S)
        return 1

    def quick(_context: Context) -> int:
        return 2

    token = worker.start(slow, listener.done, listener.failed)
    worker.cancel(token)
    go_on.set()
    with qtbot.waitSignal(worker.busy_changed, check_params_cb=lambda busy: not busy):
        worker.start(quick, listener.done, listener.failed)
    assert listener.values == [2]
    worker.deleteLater()


def test_a_closed_window_is_told_nothing(qtbot: QtBot) -> None:
    """The worker goes with its window while the task still runs, cancelled or not."""
    for is_cancelled in (True, False):
        worker, listener = Worker(), Listener()
        started, may_end = threading.Event(), threading.Event()
        worker.start(_job(started, may_end), listener.done, listener.failed)
        assert started.wait(LONG_S)
        if is_cancelled:
            worker.cancel_all()
        pool = QThreadPool.globalInstance()
        shiboken6.delete(worker)
        may_end.set()
        assert pool.waitForDone(60_000)
        assert (listener.values, listener.errors) == ([], [])


def _job(started: threading.Event, may_end: threading.Event) -> Task:
    def task(context: Context) -> int:
        started.set()
        may_end.wait(LONG_S)
        context.report(1.0)
        return 1

    return task


def test_a_task_that_nobody_wants_is_let_go_while_it_still_waits(qtbot: QtBot) -> None:
    queue: list[Job] = []

    class Busy:
        """A pool that has no thread to spare."""

        def start(self, job: Job, /) -> None:
            queue.append(job)

    class Large:
        ran = False

        def __call__(self, _context: Context) -> int:
            Large.ran = True
            return 1

    worker, listener = Worker(Busy()), Listener()
    task = Large()
    held = weakref.ref(task)
    token = worker.start(task, listener.done, listener.failed)
    del task
    assert held() is not None
    worker.cancel(token)
    gc.collect()
    assert held() is None
    queue.pop().run()
    assert not Large.ran
    assert (listener.values, listener.errors) == ([], [])
    worker.deleteLater()
