"""The window of the *Evidence* page, and who opens it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.calibrated import shipped_evidence
from app.settings import Settings
from app.theme import LIGHT, Theme
from app.widgets.evidence import AccuracyRun, EvidencePage
from app.work import Worker

SIZE = (1240, 700)


class EvidenceWindow(QDialog):
    """Stands beside the project; closing it gives up what is still calculated."""

    def __init__(
        self, run: AccuracyRun, settings: Settings, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Evidence \N{EN DASH} Headroom")
        self._run = run
        self._settings = settings
        self.page = EvidencePage(run, shipped_evidence(), theme, self)
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


class EvidenceCommands(QObject):
    """Opens the one Evidence window; the accuracy stays known when it is closed."""

    def __init__(self, window: QWidget, worker: Worker, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._theme = LIGHT
        self._opened: EvidenceWindow | None = None
        self.run = AccuracyRun(worker, parent=self)

    @property
    def opened(self) -> EvidenceWindow | None:
        """The window while it is open."""
        return self._opened

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._opened is not None:
            self._opened.page.set_theme(theme)

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
        if self._opened is None:
            self._opened = EvidenceWindow(self.run, self._settings, self._theme, self._window)
            self._opened.finished.connect(self._forget)
        self._opened.show()
        self._opened.raise_()
        self._opened.activateWindow()
        return self._opened

    def _forget(self, _what: object = None) -> None:
        self._opened = None
