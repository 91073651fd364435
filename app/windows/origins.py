"""Who gave the value that is being edited, and whether it is pinned, by keyboard and palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.language import tr
from app.session import Session

if TYPE_CHECKING:
    # The inspector is imported once the board is seen.
    from app.widgets.inspector.badge import OriginBadge

NO_FIELD = tr("Go to a field of the inspector first.")


class OriginCommands(QObject):
    """Owner of the acts on the field that has the focus."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session

    def choose(self) -> None:
        """Opens the list of origins beside the field."""
        badge = self._badge()
        if badge is not None:
            badge.open_menu()

    def toggle_pin(self) -> None:
        badge = self._badge()
        if badge is not None:
            badge.pin_asked.emit(not badge.is_pinned)

    def _badge(self) -> OriginBadge | None:
        """The badge of the field with the focus; says so where there is none."""
        from app.widgets.inspector.rows import FieldRow

        widget = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, FieldRow):
            widget = widget.parentWidget()
        badge = None if widget is None else widget.badge
        if badge is None:
            self._session.message.emit(NO_FIELD)
        return badge
