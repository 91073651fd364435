"""The list of undo steps: what was done, in order, and the way back to any point of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QUndoView, QWidget

from app.language import tr
from app.session import Session
from app.widgets.parts import in_column, wrapped
from app.windows.pages import OnePage, Page, PageStack


class HistoryCommands(OnePage["HistoryPage"]):
    """Owner of Edit ▸ History."""

    def __init__(self, session: Session, stack: PageStack) -> None:
        super().__init__("history", lambda: HistoryPage(session), stack)

    def open(self) -> None:
        self.shown().list.setFocus()


class HistoryPage(Page):
    """A click on a step goes back or forth to it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(tr("History"), parent)
        self.list = QUndoView(session.stack, self)
        self.list.setEmptyLabel(tr("As it was opened"))
        self.list.setAccessibleName(tr("Steps"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        hint = wrapped(
            tr("Choose a step to go back or forth to it; nothing is lost by looking."),
            self,
            role="muted",
        )
        in_column(self, around=None).put(hint, (self.list, 1))
