"""One window, shown until it is painted: what the benchmark measures from outside."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TextIO

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow


class _FirstPaint(QObject):
    """Ends the application once a widget has had its first paint event."""

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, QApplication.quit)
        return False


def paint_once(kind: str, out: TextIO) -> int:
    """Show the program's window (``first``) or an empty one of Qt (``bare``); say ``painted``."""
    with tempfile.TemporaryDirectory() as folder:
        app, window = _bare() if kind == "bare" else _first(Path(folder))
        watch = _FirstPaint()
        window.installEventFilter(watch)
        window.show()
        status = app.exec()
        out.write("painted\n")
        out.flush()
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
