"""The list of undo steps: what was done, in order, and the way back to any point of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QUndoView, QWidget

from app.language import tr
from app.session import Session
from app.widgets.parts import in_column
from app.windows.dialogs import without_icons
from app.windows.page_windows import OnePage

SIZE = (360, 420)


class HistoryCommands(OnePage["HistoryDialog"]):
    """Owner of Edit ▸ History."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(lambda: HistoryDialog(session, parent), parent)

    def open(self) -> None:
        self.shown().list.setFocus()


class HistoryDialog(QDialog):
    """Stays beside the window; a click on a step goes back or forth to it."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("History"))
        self.list = QUndoView(session.stack, self)
        self.list.setEmptyLabel(tr("As it was opened"))
        self.list.setAccessibleName(tr("Steps"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        hint = QLabel(
            tr("Choose a step to go back or forth to it; nothing is lost by looking."), self
        )
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        without_icons(self)
        in_column(self, around=None).put(hint, (self.list, 1), buttons)
        self.resize(*SIZE)
