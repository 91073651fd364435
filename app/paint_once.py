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
        self._out.write("painted\n")
        self._out.flush()
        QCoreApplication.quit()


def paint_once(kind: str, out: TextIO) -> int:
    """Show the program's window (``first``) or an empty one of Qt (``bare``); say ``painted``."""
    with tempfile.TemporaryDirectory() as folder:
        app, window = _bare() if kind == "bare" else _first(Path(folder))
        watch = _FirstPaint(out)
        window.installEventFilter(watch)
        window.show()
        status = app.exec()
        window.hide()
    return status


def _bare() -> tuple[QApplication, QMainWindow]:
    return QApplication(["headroom"]), QMainWindow()


def _first(folder: Path) -> tuple[QApplication, QMainWindow]:
    """The window on the worked example, with settings that are nobody's."""
    from app.settings import Settings
    from app.windows.main import application, main_window

    app = application()
    return app, main_window(demo=True, settings=Settings(folder / "settings.ini"))
