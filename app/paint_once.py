"""One window, shown until it is painted: what the benchmark measures from outside."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TextIO

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QMainWindow


class _FirstPaint(QObject):
    """Says ``painted`` once a widget has been painted, before anything that waits for that."""

    def __init__(self, out: TextIO) -> None:
        super().__init__()
        self._out = out
        self._is_waiting = True

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._is_waiting:
            # The event comes before the painting; an event posted now comes after it.
            self._is_waiting = False
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User))
        return False

    def customEvent(self, _event: QEvent) -> None:
        self.say()

    def say(self) -> None:
        self._out.write("painted\n")
        self._out.flush()
        QCoreApplication.quit()


def paint_once(kind: str, out: TextIO) -> int:
    """Show a window of this kind; say ``painted`` once it is on the screen.

    Kinds:
        bare: an empty window of Qt, with NumPy imported: what any program of this sort needs.
        first: the program's window on the worked example, as soon as there is one.
        full: the same, once verdict and board show numbers.
        gestures: large estates in a window in use; says figures instead of ``painted``.
    """
    if kind == "gestures":
        from app.bench_window import measure

        return measure(out)
    with tempfile.TemporaryDirectory() as folder:
        watch = _FirstPaint(out)
        app, window = _bare(watch) if kind == "bare" else _ours(kind, Path(folder), watch)
        window.show()
        status = app.exec()
        window.hide()
    return status


def _bare(watch: _FirstPaint) -> tuple[QApplication, QMainWindow]:
    import numpy  # noqa: F401, ICN001 - it is the import that is measured

    app, window = QApplication(["headroom"]), QMainWindow()
    window.installEventFilter(watch)
    return app, window


def _ours(kind: str, folder: Path, watch: _FirstPaint) -> tuple[QApplication, QMainWindow]:
    """The window on the worked example, with settings that are nobody's."""
    from app.settings import Settings
    from app.windows.main import application, opened_window

    app = application()
    window = opened_window(demo=True, settings=Settings(folder / "settings.ini"))
    if kind == "first":
        window.installEventFilter(watch)
    else:
        window.furnished.connect(watch.say)
    return app, window
