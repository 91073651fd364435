"""Who opens the *Evidence* window; the page itself is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.settings import Settings
from app.windows.page_windows import OnePage

if TYPE_CHECKING:
    from app.session import Session
    from app.widgets.evidence.run import AccuracyRun
    from app.windows.evidence_window import EvidenceWindow
    from app.work import Worker


class EvidenceCommands(OnePage["EvidenceWindow"]):
    """Opens the one Evidence window; the accuracy stays known when it is closed."""

    def __init__(
        self,
        window: QWidget,
        worker: Worker,
        settings: Settings,
        session: Session | None = None,
    ) -> None:
        def make() -> EvidenceWindow:
            from app.windows.evidence_window import EvidenceWindow

            scenario = None if session is None else (session, worker)
            return EvidenceWindow(self.run, settings, window, scenario)

        super().__init__(make, window)
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
        """Shows the window at a row of evidence."""
        self.shown().page.open_row(id)
