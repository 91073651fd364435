"""A page that is open once, in a window of its own that is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget


class OnePage(QObject):
    """Opens the one page, or brings it to the front."""

    def __init__(self, make: Callable[[], QDialog], window: QWidget) -> None:
        super().__init__(window)
        self._make = make
        self._opened: QDialog | None = None

    @property
    def opened(self) -> QDialog | None:
        """The window while it is open."""
        return self._opened

    def open(self) -> None:
        if self._opened is None:
            self._opened = self._make()
            self._opened.finished.connect(self._forget)
        self._opened.show()
        self._opened.raise_()
        self._opened.activateWindow()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _forget(self) -> None:
        self._opened = None
