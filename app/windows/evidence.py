"""Who opens *Evidence*; the page itself is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.windows.pages import OnePage, PageStack

if TYPE_CHECKING:
    from app.session import Session
    from app.widgets.evidence.run import AccuracyRun
    from app.windows.evidence_page import EvidenceStage
    from app.work import Worker


class EvidenceCommands(OnePage["EvidenceStage"]):
    """Owner of its page; the accuracy stays known when that is closed."""

    def __init__(
        self,
        stack: PageStack,
        worker: Worker,
        session: Session | None = None,
    ) -> None:
        def make() -> EvidenceStage:
            from app.windows.evidence_page import EvidenceStage

            scenario = None if session is None else (session, worker)
            return EvidenceStage(self.run, scenario)

        super().__init__("evidence", make, stack)
        self._worker = worker
        self._run: AccuracyRun | None = None

    @property
    def run(self) -> AccuracyRun:
        """The accuracy, known or still to be calculated."""
        from app.widgets.evidence.run import AccuracyRun

        if self._run is None:
            self._run = AccuracyRun(self._worker, parent=self)
        return self._run

    def open_row(self, id: str) -> None:
        """Shows a row of evidence."""
        self.shown().page.open_row(id)
