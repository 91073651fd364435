"""Who opens the *Advisors* window, which is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.settings import Settings

if TYPE_CHECKING:
    from app.session import Session
    from app.widgets.users_asked import UsersAsked
    from app.windows.advisors_window import AdvisorsWindow
    from app.windows.dialogs import Dialogs


class AdvisorCommands(QObject):
    """Opens the one Advisors window."""

    def __init__(
        self, window: QWidget, settings: Settings, dialogs: Dialogs, session: Session
    ) -> None:
        super().__init__(window)
        self._window, self._settings = window, settings
        self._dialogs, self._session = dialogs, session
        self.opened: AdvisorsWindow | None = None

    def open(self) -> None:
        """Shows the window, or brings it to the front."""
        from app.windows.advisors_window import AdvisorsWindow

        if self.opened is None:
            self.opened = AdvisorsWindow(
                self._settings,
                self._dialogs,
                self._session,
                self._window,
            )
            self.opened.finished.connect(self._forget)
        self.opened.show()
        self.opened.raise_()
        self.opened.activateWindow()

    def open_topic(self, id: str) -> None:
        """Shows the window at one of its topics."""
        self.open()
        assert self.opened is not None
        self.opened.page(id)

    def ask_users(self, asked: UsersAsked) -> None:
        """User arithmetic for a field that asks for it."""
        self.open_topic("users")
        assert self.opened is not None
        self.opened.page("users").serve(asked)

    def close(self) -> None:
        """Closes the window, if it is open."""
        if self.opened is not None:
            self.opened.close()

    def _forget(self, _what: object = None) -> None:
        self.opened = None
