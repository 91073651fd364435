"""Who opens the page of recommendations; its window is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.settings import Settings

if TYPE_CHECKING:
    from app.windows.recommend_window import RecommendWindow


class RecommendCommands(QObject):
    """Opens the one page of recommendations."""

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self._opened: RecommendWindow | None = None

    @property
    def opened(self) -> RecommendWindow | None:
        """The window while it is open."""
        return self._opened

    def open(self) -> None:
        """Shows the page, or brings it to the front."""
        from app.windows.recommend_window import RecommendWindow

        if self._opened is None:
            self._opened = RecommendWindow(self._session, self._settings, self._window)
            self._opened.finished.connect(self._forget)
        self._opened.show()
        self._opened.raise_()
        self._opened.activateWindow()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _forget(self) -> None:
        self._opened = None
