"""What holds for every test: no display, no warnings, nothing left behind.

pyproject.toml makes warnings errors and has pytest-qt fail a test on Qt's log messages and on
exceptions in slots. Here: the platform, Hypothesis, the hunt for leaks, tests in a real X server.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

if TYPE_CHECKING:
    from PySide6.QtCore import QObject, QThread, QThreadPool, QTimer
    from PySide6.QtWidgets import QApplication, QWidget

# Each worker, and each program that a test starts, would compile everything anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Set before Qt is imported anywhere. A test that needs a real window says so with the mark
# `xvfb`; whoever wants to watch sets QT_QPA_PLATFORM before starting pytest.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_SCALE_FACTOR", "1")
# Qt warns where there is no UTF-8 locale, and numbers would read differently from desk to desk.
os.environ["LC_ALL"] = "C.UTF-8"

INSIDE_XVFB = "HEADROOM_INSIDE_XVFB"
XVFB_SCREEN = "-screen 0 1920x1080x24 +extension GLX"

# What a test waits for comes, if late: the machine may be busy with other things. These end what
# hangs, and say of what; `faulthandler_timeout` of pyproject.toml ends all else.
XVFB_TIMEOUT_S = 1500
PATIENCE_MS = 180_000
GRACE_S = 180.0

# How long an example takes says more about the machine than about the code. What a change breaks
# few examples show; what is rare has the many of `make test-slow`.
FEW, MANY = 5, 400
UNHURRIED = settings(deadline=None, max_examples=FEW, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", UNHURRIED)
settings.register_profile("ci", UNHURRIED, derandomize=True)
settings.register_profile("slow", UNHURRIED, max_examples=MANY)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    """The application object of the tests is that of the program."""
    from app.windows.documents import Application

    return Application


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """With the program's type, whichever test comes first: a machine need not have it."""
    from app.stylesheet import load_fonts

    load_fonts()
    return qapp


# ---------------------------------------------------------------------------- waiting


class PatientBot(QtBot):
    """A QtBot that gives up only when something hangs: a busy machine is no reason to fail.

    Its widgets live until it has closed them, as those of a program do: pytest-qt's own are only
    referred to weakly, and a test that has returned no longer holds them.
    """

    def addWidget(self, widget: QWidget, **kwargs: Any) -> None:
        from app.lifetime import hold

        super().addWidget(widget, **kwargs)
        hold(widget)

    def waitUntil(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> None:
        super().waitUntil(*args, timeout=timeout, **kwargs)

    def waitSignal(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> Any:
        return super().waitSignal(*args, timeout=timeout, **kwargs)

    def waitSignals(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> Any:
        return super().waitSignals(*args, timeout=timeout, **kwargs)

    def waitExposed(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> Any:
        return super().waitExposed(*args, timeout=timeout, **kwargs)

    def waitActive(self, *args: Any, timeout: int = PATIENCE_MS, **kwargs: Any) -> Any:
        return super().waitActive(*args, timeout=timeout, **kwargs)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's, patient."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def _same_look() -> Iterator[None]:
    """The next test begins in the light theme, without a style sheet that this one has set."""
    yield
    if "app.look" not in sys.modules or "PySide6.QtWidgets" not in sys.modules:
        return
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QFontDatabase
    from PySide6.QtWidgets import QApplication

    from app.look import LOOK
    from app.theme import LIGHT

    LOOK.use(LIGHT)
    app = QApplication.instance()
    if isinstance(app, QApplication) and app.styleSheet():
        # Windows that only wait for their end take no other look: Qt has crashed over them.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        app.setStyleSheet("")
        app.setPalette(app.style().standardPalette())
        app.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont))


# ---------------------------------------------------------------------------- answers


@pytest.fixture(autouse=True)
def _few_answers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of a leave-behind is coarse but in slow tests and where its bytes are compared: it
    is asked what a page is like."""
    if request.node.get_closest_marker("slow") is None and "HEADROOM_PROMISED" not in os.environ:
        monkeypatch.setattr("models.studies.leave_behind.STEPS", ((0, 2, 1),))


# ---------------------------------------------------------------------------- real X


class XvfbItem(pytest.Item):
    """A test marked `xvfb`, run in a process and an X server of its own.

    One process can hold one QApplication, and the one of this process is offscreen.
    """

    def runtest(self) -> None:
        """Run the test of the same name in a second pytest; fail with its output."""
        if not sys.platform.startswith("linux"):
            pytest.skip("there is no X server on this system")
        if shutil.which("xvfb-run") is None:
            pytest.fail("xvfb-run is missing; `make test` installs it", pytrace=False)
        command = ["xvfb-run", "-a", "-s", XVFB_SCREEN, sys.executable, "-m", "pytest", "-q"]
        command += ["-p", "no:cacheprovider", "-m", "", self.nodeid]
        environ = {**os.environ, "QT_QPA_PLATFORM": "xcb", INSIDE_XVFB: "1"}
        done = subprocess.run(
            command,
            cwd=self.config.rootpath,
            env=environ,
            capture_output=True,
            text=True,
            timeout=XVFB_TIMEOUT_S,
            check=False,
        )
        if done.returncode:
            pytest.fail(done.stdout + done.stderr, pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shuffle", metavar="SEED", help="run files, and the tests of each, in an order by chance"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Nothing that is collected is garbage: looking for some took a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_sessionstart() -> None:
    """Garbage is looked for less often: a window of many thousand objects is made all the time."""
    gc.set_threshold(50_000, 20, 100)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Seeds of a test marked `seeds`: the `plain` first, and the `slow` where slow tests are run.

    Thousands of tests that no plain run takes would each be made and put away by every worker.
    """
    mark = metafunc.definition.get_closest_marker("seeds")
    if mark is None:
        return
    plain, slow = mark.kwargs["plain"], mark.kwargs["slow"]
    only_plain = metafunc.config.option.markexpr == "not slow"
    more = () if only_plain else range(plain, slow)
    at_length = (pytest.param(seed, marks=pytest.mark.slow) for seed in more)
    metafunc.parametrize("seed", [*range(plain), *at_length])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put tests in another order if asked, and an XvfbItem in the place of each marked `xvfb`."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        items.sort(
            key=lambda item: [crc32(f"{seed} {part}".encode()) for part in (item.path, item.nodeid)]
        )
    if os.environ.get(INSIDE_XVFB):
        return
    for at, item in enumerate(items):
        if item.get_closest_marker("xvfb") and item.parent is not None:
            items[at] = XvfbItem.from_parent(item.parent, name=item.name)


# ---------------------------------------------------------------------------- leaks


@dataclass(frozen=True)
class Standing:
    """What runs or stands open at one moment."""

    threads: frozenset[threading.Thread]
    workers: frozenset[int] = frozenset()
    timers: frozenset[int] = frozenset()
    windows: frozenset[int] = frozenset()


def _wrappers() -> list[QObject]:
    """All living wrappers of timers, threads and pools; none while no test has started Qt."""
    if "PySide6.QtWidgets" not in sys.modules:
        return []
    import shiboken6

    wrappers = cast("list[QObject]", shiboken6.getAllValidWrappers())
    return [each for each in wrappers if _may_run(type(each))]


_MAY_RUN: dict[type, bool] = {}


def _may_run(kind: type) -> bool:
    """Asked of every object that Qt has wrapped, before and after each test."""
    if kind not in _MAY_RUN:
        from PySide6.QtCore import QThread, QThreadPool, QTimer

        _MAY_RUN[kind] = issubclass(kind, (QTimer, QThread, QThreadPool))
    return _MAY_RUN[kind]


def _running_timers(wrappers: list[QObject]) -> list[QTimer]:
    from PySide6.QtCore import QTimer

    return [w for w in wrappers if isinstance(w, QTimer) and w.isActive()]


def _windows() -> list[QWidget]:
    from PySide6.QtWidgets import QApplication

    return QApplication.topLevelWidgets() if QApplication.instance() else []


def _address(wrapper: QObject) -> int:
    import shiboken6

    return int(shiboken6.getCppPointer(wrapper)[0])


def _threads() -> frozenset[threading.Thread]:
    """Without those that Qt started and Python merely met: Python learns of no end of theirs."""
    alive = threading.enumerate()
    return frozenset(t for t in alive if not isinstance(t, threading._DummyThread))


def _standing() -> Standing:
    if "PySide6.QtWidgets" not in sys.modules:
        return Standing(_threads())
    wrappers = _wrappers()
    return Standing(
        _threads(),
        frozenset(map(_address, _at_work(wrappers))),
        frozenset(map(_address, _running_timers(wrappers))),
        frozenset(map(_address, _windows())),
    )


def _settle() -> None:
    """Let what is on its way out go: deferred deletes, garbage, threads at their last line.

    What is left after that stands for longer than a test: no later search looks at it again.
    """
    if "PySide6.QtWidgets" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        if QCoreApplication.instance():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            QCoreApplication.processEvents()
    gc.collect()
    gc.freeze()


def _at_work(wrappers: list[QObject]) -> list[QThread | QThreadPool]:
    """Qt's pools that run a job, and its threads; the GUI's own apart."""
    if "PySide6.QtWidgets" not in sys.modules:
        return []
    from PySide6.QtCore import QThread, QThreadPool

    wrappers = [QThreadPool.globalInstance(), *wrappers]
    pools = {w for w in wrappers if isinstance(w, QThreadPool) and w.activeThreadCount()}
    threads = {w for w in wrappers if isinstance(w, QThread) and w.isRunning()}
    return [*pools, *(threads - {QThread.currentThread()})]


def _comes_to_rest(worker: QThread | QThreadPool) -> bool:
    from PySide6.QtCore import QThread

    wait_ms = int(GRACE_S * 1000)
    if isinstance(worker, QThread):
        return worker.wait(wait_ms)
    return worker.waitForDone(wait_ms)


def _left_behind(before: Standing) -> list[str]:
    """In words, what stands now and did not stand `before`; what is about to end is waited for."""
    workers = [w for w in _at_work(_wrappers()) if _address(w) not in before.workers]
    found = [f"running job in {w}" for w in workers if not _comes_to_rest(w)]
    _settle()
    for thread in _threads() - before.threads:
        thread.join(GRACE_S)
    now = _standing()
    found += [f"living {thread}" for thread in now.threads - before.threads]
    if now.timers - before.timers:
        timers = [t for t in _running_timers(_wrappers()) if _address(t) not in before.timers]
        found += [f"running {timer} of {timer.parent()}" for timer in timers]
    if now.windows - before.windows:
        found += [f"open {w}" for w in _windows() if _address(w) not in before.windows]
    return found


@pytest.fixture(autouse=True, scope="module")
def _only_what_this_file_makes_is_searched() -> None:
    """Whatever stands before a file's first test stays: no search for garbage looks at it again.

    Half of a window's test was spent on walking through the modules of all tests, and through all
    that the files before had worked out.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves threads, jobs, running timers or windows behind."""
    before = _standing()
    yield
    if isinstance(request.node, pytest.Function):
        request.node.funcargs.clear()  # a window that pytest holds is no garbage yet, and frozen
    found = [] if _standing() == before else _left_behind(before)
    if found:
        pytest.fail(f"{request.node.name} left behind: " + "; ".join(found), pytrace=False)
