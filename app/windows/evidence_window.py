"""The window of the *Evidence* page."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.calibrated import shipped_evidence
from app.language import tr
from app.session import Session
from app.settings import Settings
from app.widgets.evidence.page import EvidencePage
from app.widgets.evidence.run import AccuracyRun
from app.widgets.parts import in_column
from app.windows.page_windows import BesideWindow
from app.work import Worker


class EvidenceWindow(BesideWindow):
    """Stands beside the project; closing it gives up what is still calculated."""

    def __init__(
        self,
        run: AccuracyRun,
        settings: Settings,
        parent: QWidget | None = None,
        scenario: tuple[Session, Worker] | None = None,
    ) -> None:
        super().__init__(tr("Evidence \N{EN DASH} Headroom"), "evidence", settings, parent)
        self._run = run
        self.page = EvidencePage(run, shipped_evidence(), self, scenario)
        in_column(self).put(self.page)
        self.take_place(QSize(1340, 720))

    def give_up(self) -> None:
        self._run.cancel()
