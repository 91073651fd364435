"""Meeting mode: opens the second window, holds and blanks it from the first one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QLabel, QMainWindow

from app.language import tr
from app.outlook import OutlookRun
from app.selection import Selection
from app.session import Session
from app.windows.menus import ActionBook

if TYPE_CHECKING:
    from app.windows.meeting.window import MeetingWindow
    from models.tell.meeting import MeetingStep


class MeetingCommands(QObject):
    """Owner of the meeting acts in the View menu; says in the status bar how the screen stands."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        selection: Selection,
        outlook: OutlookRun | None = None,
    ) -> None:
        super().__init__(window)
        self._outlook = outlook
        self._window = window
        self._session = session
        self._selection = selection
        self._actions: ActionBook | None = None
        self._says = QLabel(window)
        self._says.setContentsMargins(8, 0, 8, 0)
        self._says.hide()
        window.statusBar().addPermanentWidget(self._says)
        self.opened: MeetingWindow | None = None
        self._began: datetime | None = None
        self._steps: list[MeetingStep] = []
        session.stack.indexChanged.connect(self._changed)

    def set_actions(self, actions: ActionBook) -> None:
        self._actions = actions
        self._tell()

    def toggle(self) -> None:
        """Opens the window for the meeting, on another screen if there is one; or closes it."""
        if self.opened is not None:
            self.opened.close()
            return
        from app.windows.meeting.window import MeetingWindow

        self.opened = MeetingWindow(self._session, self._selection, self._outlook)
        self.opened.closed.connect(self._forget)
        self._began, self._steps = datetime.now().astimezone(), []
        self.opened.freeze_asked.connect(self.freeze)
        self.opened.blank_asked.connect(self.blank)
        self.opened.show_on(other_screen(self._window.screen(), QGuiApplication.screens()))
        self._tell()

    def freeze(self) -> None:
        """Holds the picture, or lets it follow again."""
        if self.opened is not None:
            self.opened.freeze(not self.opened.is_frozen)
        self._tell()

    def blank(self) -> None:
        """Shows nothing, or the picture again."""
        if self.opened is not None:
            self.opened.blank(not self.opened.is_blank)
        self._tell()

    def close(self) -> None:
        if self.opened is not None:
            self.opened.close()

    def _forget(self) -> None:
        if self.opened is not None:
            self.opened.deleteLater()
            self.opened = None
            self._keep()
        self._window.activateWindow()
        self._tell()

    def _changed(self, index: int) -> None:
        """A step was made, or taken back, while the customer looks on."""
        if self.opened is None:
            return
        from models.tell.meeting import MeetingStep

        stack = self._session.stack
        self._session.flush()
        what = stack.text(index - 1) if index else tr("Everything undone")
        self._steps.append(
            MeetingStep(at=_now(), what=what, verdict=str(self._session.view.committed.shown.words))
        )

    def _keep(self) -> None:
        """The log of a meeting in which something was changed goes with the project."""
        if self._began is None or not self._steps:
            return
        from models.tell.meeting import Meeting

        began = self._began.isoformat(timespec="seconds")
        meeting = Meeting(began=began, ended=_now(), steps=tuple(self._steps))
        self._session.keep_meeting(meeting)
        self._began, self._steps = None, []

    def _tell(self) -> None:
        shown = self.opened
        words = tr("Meeting screen: shows this project")
        if shown is not None and shown.is_frozen:
            words = tr("Meeting screen: frozen")
        if shown is not None and shown.is_blank:
            words = tr("Meeting screen: blank")
        self._says.setText(words)
        self._says.setVisible(shown is not None)
        if self._actions is None:
            return
        self._actions["meeting.toggle"].setChecked(shown is not None)
        for id, is_set in (
            ("meeting.freeze", shown is not None and shown.is_frozen),
            ("meeting.blank", shown is not None and shown.is_blank),
        ):
            self._actions[id].setEnabled(shown is not None)
            self._actions[id].setChecked(is_set)


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def other_screen(own: QScreen, screens: list[QScreen]) -> QScreen:
    """The first screen that is not our own; our own where there is no other."""
    return next((screen for screen in screens if screen is not own), own)
