"""The window of scenarios side by side."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.language import tr
from app.predictions import Predictions
from app.session import Session
from app.settings import Settings
from app.widgets.compare import ComparePanel

LEAST_SIZE, SIZE, SHARE = (1040, 640), (1560, 860), 0.85
"""At first it has room for four scenarios, but no more than this share of the window that it stands
beside unless that is less than the least."""


class CompareWindow(QDialog):
    """Stands beside the project's window and follows what is changed there."""

    def __init__(
        self,
        session: Session,
        predictions: Predictions,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Compare scenarios \N{EN DASH} Headroom"))
        self._settings = settings
        self.panel = ComparePanel(session, predictions, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.panel)
        geometry = settings.state("compare")
        if geometry is None or not self.restoreGeometry(geometry):
            beside = parent.size() if parent is not None else QSize(*SIZE)
            share = (beside * SHARE).expandedTo(QSize(*LEAST_SIZE))
            room = self.screen().availableGeometry().size()
            self.resize(QSize(*SIZE).boundedTo(share).boundedTo(room))

    def done(self, result: int) -> None:
        """However it is closed, it comes by here."""
        self._settings.set_state("compare", self.saveGeometry())
        super().done(result)
