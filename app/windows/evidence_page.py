"""Evidence, as a page of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.calibrated import shipped_evidence
from app.language import tr
from app.session import Session
from app.widgets.evidence.page import EvidencePage
from app.widgets.evidence.run import AccuracyRun
from app.widgets.parts import in_column
from app.windows.pages import Page
from app.work import Worker


class EvidenceStage(Page):
    """Closing it gives up what is still calculated."""

    def __init__(
        self,
        run: AccuracyRun,
        scenario: tuple[Session, Worker] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Evidence"), parent)
        self._run = run
        self.page = EvidencePage(run, shipped_evidence(), self, scenario)
        in_column(self).put(self.page)

    def give_up(self) -> None:
        self._run.cancel()
