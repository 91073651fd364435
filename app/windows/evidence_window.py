"""The window of the *Evidence* page."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.calibrated import shipped_evidence
from app.language import tr
from app.session import Session
from app.settings import Settings
from app.widgets.evidence import AccuracyRun, EvidencePage
from app.work import Worker

SIZE = (1340, 720)


class EvidenceWindow(QDialog):
    """Stands beside the project; closing it gives up what is still calculated."""

    def __init__(
        self,
        run: AccuracyRun,
        settings: Settings,
        parent: QWidget | None = None,
        scenario: tuple[Session, Worker] | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Evidence \N{EN DASH} Headroom"))
        self._run = run
        self._settings = settings
        self.page = EvidencePage(run, shipped_evidence(), self, scenario)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.page)
        self._restore()

    def _restore(self) -> None:
        geometry = self._settings.state("evidence")
        if geometry is None or not self.restoreGeometry(geometry):
            room = self.screen().availableGeometry().size()
            self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height()))

    def done(self, result: int) -> None:
        """However it is closed, it comes by here."""
        self._run.cancel()
        self._settings.set_state("evidence", self.saveGeometry())
        super().done(result)
