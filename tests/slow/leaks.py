"""Opens and closes projects or windows many times and prints what stands after 15 and after 60.

`leaks.py projects|windows`, in a process of its own; JSON on stdout.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication

from app.session import Session
from app.settings import Settings
from app.synthetic import synthetic_scenario
from app.windows.main import application, first_session
from app.windows.window import MainWindow
from db.project import save_project
from models.project.project import Project
from resources.example_files import load_examples

FEW, MANY = 15, 60
"""Until some fifteen have come and gone the allocator still settles: 180 MiB after five, 187 after
fifteen, 191 after sixty and 202 after 160, which is no leak."""
HOSTS, VMS = 10, 100
LONGEST_MOMENT_S = 10.0


def standing() -> dict[str, float]:
    """Memory [MiB] and living Qt objects, after everything on its way out is gone and what was put
    off for a moment is done."""
    settle()
    deadline = time.monotonic() + LONGEST_MOMENT_S
    while put_off() and time.monotonic() < deadline:
        time.sleep(0.02)
        settle()
    wrappers = [each for each in shiboken6.getAllValidWrappers() if isinstance(each, QObject)]
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return {
        "memory_mib": pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
        "objects": len(wrappers),
        "timers": sum(isinstance(each, QTimer) and each.isActive() for each in wrappers),
        "windows": len(QApplication.topLevelWidgets()),
        "jobs": QThreadPool.globalInstance().activeThreadCount(),
    }


def put_off() -> bool:
    timers = [each for each in shiboken6.getAllValidWrappers() if isinstance(each, QTimer)]
    return any(timer.isSingleShot() and timer.isActive() for timer in timers)


def settle() -> None:
    QThreadPool.globalInstance().waitForDone()
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QCoreApplication.processEvents()
        gc.collect()


def opened(folder: Path) -> MainWindow:
    """A window with everything in it."""
    window = MainWindow(Settings(folder / "settings.ini"))
    session = first_session()
    window.furnish(session)
    session.setParent(window)
    waiting = QEventLoop()
    window.completed.connect(waiting.quit)
    window.show()
    waiting.exec()
    return window


def edit(session: Session) -> None:
    """A few steps, so that there is a history to be forgotten."""
    for vm in session.scenario.vms[:5]:
        session.edit(session.scenario.place([vm.id], None), f"Take {vm.name} off")
    session.flush()
    QCoreApplication.processEvents()
    session.stack.setClean()


def projects(folder: Path) -> Callable[[int], None]:
    """One window; each time another project from a file, or an example."""
    path = folder / "estate.headroom"
    save_project(path, Project.of(synthetic_scenario(HOSTS, VMS)), program_version="1")
    window = opened(folder)
    examples = [example.id for example in load_examples()]
    kinds = (None, *examples)  # all of them within the first few

    def once(number: int) -> None:
        example = kinds[number % len(kinds)]
        if example is None:
            window.files.open_path(path)
        else:
            window.files.open_example(example)
        for tab in (2 * number, 2 * number + 1):  # all of them within the first few
            window.charts.setCurrentIndex(tab % window.charts.count())
            QCoreApplication.processEvents()
        window.selection.select(window.session.scenario.vms[0].id)
        edit(window.session)

    return once


def windows(folder: Path) -> Callable[[int], None]:
    """Each time a window of its own, with the dialogs that it opens."""

    def once(number: int) -> None:
        window = opened(folder)
        window.files.open_example(load_examples()[number % 2].id)
        for id in ("start.open", "history.open", "meeting.toggle", "evidence.open", "why.open"):
            window.actions_by_id[id].trigger()
        QCoreApplication.processEvents()
        edit(window.session)
        window.close()
        window.deleteLater()

    return once


def main(kind: str) -> None:
    application()
    QApplication.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as place:
        once = {"projects": projects, "windows": windows}[kind](Path(place))
        found = []
        for number in range(1, MANY + 1):
            once(number)
            settle()
            if number in (FEW, MANY):
                found.append(standing())
        sys.stdout.write(json.dumps(found))
        sys.stdout.flush()
        os._exit(0)  # what is measured is the life, not the end


if __name__ == "__main__":
    main(sys.argv[1])
