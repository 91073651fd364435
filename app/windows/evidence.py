"""Who opens the *Evidence* window; the page itself is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.settings import Settings

if TYPE_CHECKING:
    from app.session import Session
    from app.widgets.evidence import AccuracyRun
    from app.windows.evidence_window import EvidenceWindow
    from app.work import Worker


class EvidenceCommands(QObject):
    """Opens the one Evidence window; the accuracy stays known when it is closed."""

    def __init__(
        self,
        window: QWidget,
        worker: Worker,
        settings: Settings,
        session: Session | None = None,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._worker = worker
        self._settings = settings
        self._session = session
        self._opened: EvidenceWindow | None = None
        self._run: AccuracyRun | None = None

    @property
    def opened(self) -> EvidenceWindow | None:
        """The window while it is open."""
        return self._opened

    @property
    def run(self) -> AccuracyRun:
        """The accuracy, known or still to be calculated."""
        from app.widgets.evidence import AccuracyRun

        if self._run is None:
            self._run = AccuracyRun(self._worker, parent=self)
        return self._run

    def open(self) -> None:
        """Shows the window, or brings it to the front."""
        self._shown()

    def open_row(self, id: str) -> None:
        """Shows the window at a row of evidence."""
        self._shown().page.open_row(id)

    def close(self) -> None:
        """Closes the window, if it is open."""
        if self._opened is not None:
            self._opened.close()

    def _shown(self) -> EvidenceWindow:
        from app.windows.evidence_window import EvidenceWindow

        if self._opened is None:
            scenario = None if self._session is None else (self._session, self._worker)
            self._opened = EvidenceWindow(self.run, self._settings, self._window, scenario)
            self._opened.finished.connect(self._forget)
        self._opened.show()
        self._opened.raise_()
        self._opened.activateWindow()
        return self._opened

    def _forget(self, _what: object = None) -> None:
        self._opened = None
