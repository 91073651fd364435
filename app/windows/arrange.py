"""Who opens the page of arrangements; its window is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.settings import Settings
from app.windows.dialogs import Dialogs

if TYPE_CHECKING:
    from app.windows.arrange_window import ArrangeWindow


class ArrangeCommands(QObject):
    """Opens the one page of arrangements."""

    def __init__(
        self, session: Session, settings: Settings, dialogs: Dialogs, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session, self._settings = session, settings
        self._dialogs, self._window = dialogs, window
        self._opened: ArrangeWindow | None = None

    @property
    def opened(self) -> ArrangeWindow | None:
        """The window while it is open."""
        return self._opened

    def open(self) -> None:
        """Shows the page and looks at once, or brings it to the front."""
        from app.windows.arrange_window import ArrangeWindow

        if self._opened is None:
            self._opened = ArrangeWindow(self._session, self._settings, self._dialogs, self._window)
            self._opened.finished.connect(self._forget)
            self._opened.look()
        self._opened.show()
        self._opened.raise_()
        self._opened.activateWindow()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _forget(self) -> None:
        self._opened = None
