"""Who opens the *Advisors* window, which is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.settings import Settings
from app.windows.page_windows import OnePage

if TYPE_CHECKING:
    from app.session import Session
    from app.widgets.users_asked import UsersAsked
    from app.windows.advisors_window import AdvisorsWindow
    from app.windows.dialogs import Dialogs


class AdvisorCommands(OnePage["AdvisorsWindow"]):
    """Opens the one Advisors window."""

    def __init__(
        self, window: QWidget, settings: Settings, dialogs: Dialogs, session: Session
    ) -> None:
        def make() -> AdvisorsWindow:
            from app.windows.advisors_window import AdvisorsWindow

            return AdvisorsWindow(settings, dialogs, session, window)

        super().__init__(make, window)

    def open_topic(self, id: str) -> None:
        """Shows the window at one of its topics."""
        self.shown().page(id)

    def ask_users(self, asked: UsersAsked) -> None:
        """User arithmetic for a field that asks for it."""
        self.shown().page("users").serve(asked)
