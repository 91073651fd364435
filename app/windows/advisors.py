"""Who opens the *Advisors*, which are imported when they are first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.windows.pages import OnePage, PageStack

if TYPE_CHECKING:
    from app.session import Session
    from app.widgets.users_asked import UsersAsked
    from app.windows.advisors_page import AdvisorsPage
    from app.windows.dialogs import Dialogs


class AdvisorCommands(OnePage["AdvisorsPage"]):
    """Owner of their page."""

    def __init__(self, stack: PageStack, dialogs: Dialogs, session: Session) -> None:
        def make() -> AdvisorsPage:
            from app.windows.advisors_page import AdvisorsPage

            return AdvisorsPage(dialogs, session)

        super().__init__("advisors", make, stack)

    def open_topic(self, id: str) -> None:
        """Shows one of the topics."""
        self.shown().page(id)

    def ask_users(self, asked: UsersAsked) -> None:
        """User arithmetic for a field that asks for it."""
        self.shown().page("users").serve(asked)
