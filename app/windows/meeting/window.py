"""The window on the projector: it follows the project until it is frozen or blanked."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.outlook import OutlookRun
from app.selection import Selection
from app.session import Session
from app.widgets.board.scene import BoardState
from app.widgets.parts import in_column
from app.windows.meeting.board import MeetingBoard
from app.windows.meeting.storage import MeetingStorage
from app.windows.meeting.verdict import MeetingVerdict
from app.work import pause

TYPE_PX = 24.0
"""18 points at 96 dots an inch: the smallest type on a screen of 1,080 lines; on others so much
larger or smaller that it is read from the same distance."""

SCREEN_LINES = 1080.0
PREVIEW_MS = 40
"""While a VM is dragged the hand comes first: this window follows a little behind."""


class MeetingWindow(QWidget):
    """Verdict, board and pools of the scenario in view: no file name, notes or other scenarios.

    Signals:
        closed: it is gone. freeze_asked, blank_asked: a key of this window asks for it.
    """

    closed = Signal()
    freeze_asked = Signal()
    blank_asked = Signal()

    def __init__(
        self,
        session: Session,
        selection: Selection,
        outlook: OutlookRun | None = None,
    ) -> None:
        super().__init__()
        self._outlook = outlook
        self._session = session
        self._selection = selection
        self._is_frozen = False
        self.setWindowTitle("Headroom")
        self.setAccessibleName(tr("Headroom, for the meeting"))
        self.setAutoFillBackground(True)
        self.verdict = MeetingVerdict(self)
        self.board = MeetingBoard(self)
        self.storage = MeetingStorage(self)
        in_column(self, gap=0).put(self.verdict, (self.board, 1), self.storage)
        self.setFocusProxy(self.board)
        self._later = pause(self, 0, self.refresh)
        session.view_changed.connect(self._changed)
        selection.changed.connect(self._changed)
        if outlook is not None:
            outlook.changed.connect(self._changed)
        self.refresh()

    # ------------------------------------------------------------------ what is shown

    @property
    def is_frozen(self) -> bool:
        return self._is_frozen

    @property
    def is_blank(self) -> bool:
        return self.board.isHidden()

    def freeze(self, is_frozen: bool) -> None:
        """Holds the picture while the project is edited; then shows the project as it is."""
        self._is_frozen = is_frozen
        self._later.stop()
        if not is_frozen:
            self.refresh()

    def blank(self, is_blank: bool) -> None:
        """Shows nothing at all."""
        for part in (self.verdict, self.board, self.storage):
            part.setHidden(is_blank)

    def _changed(self, _what: object = None) -> None:
        if not self._is_frozen and not self._later.isActive():
            self._later.start(PREVIEW_MS if self._session.view.is_preview else 0)

    def refresh(self) -> None:
        """Shows the project as it is, whatever has been asked for."""
        session, selection = self._session, self._selection
        view = session.view
        state = BoardState(selected=frozenset(selection.ids), current=selection.current)
        found = None if self._outlook is None or view.is_preview else self._outlook.outlook
        besides = None if found is None else found.besides
        self.verdict.show_view(view, session.scenario, besides)
        self.storage.show_view(view, session.scenario, session.catalog)
        self.board.show_view(view, session.scenario, session.catalog, state)
        if selection.current is not None and not view.is_preview:
            self.board.reveal(selection.current)

    # ------------------------------------------------------------------ the window

    def show_on(self, screen: QScreen) -> None:
        """Fills a screen."""
        self.setGeometry(screen.geometry())
        self.showFullScreen()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        unit = TYPE_PX * event.size().height() / SCREEN_LINES
        for part in (self.verdict, self.storage, self.board):
            part.set_unit(unit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What the board leaves over: it scrolls by the other keys."""
        if event.key() == Qt.Key.Key_F:
            self.freeze_asked.emit()
        elif event.key() == Qt.Key.Key_B:
            self.blank_asked.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._later.stop()
        self.closed.emit()
        super().closeEvent(event)
