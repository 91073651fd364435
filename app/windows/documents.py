"""Documents that the system asks the running program to open: on macOS, a double click on one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.windows.window import MainWindow


class Application(QApplication):
    """The application object.

    Signals:
        asked_to_open: the system has a document for the program.
    """

    asked_to_open = Signal(str)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.asked_to_open.emit(event.file())
            return True
        return super().event(event)


class Documents(QObject):
    """Opens them in the window; the last of those that come before it is complete, then."""

    def __init__(self, app: Application, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._waiting: Path | None = None
        self._is_complete = False
        app.asked_to_open.connect(self.open)
        window.completed.connect(self._complete)

    def open(self, file: str) -> None:
        if not self._is_complete:
            self._waiting = Path(file)
        elif self._window.files.may_close():
            self._window.files.open_path(Path(file))

    def _complete(self) -> None:
        self._is_complete = True
        if self._waiting is not None:
            self.open(str(self._waiting))
            self._waiting = None
