"""Who opens the comparison of scenarios; its window is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.predictions import Predictions
from app.session import Session
from app.settings import Settings

if TYPE_CHECKING:
    from app.windows.compare_window import CompareWindow


class CompareCommands(QObject):
    """Opens the one comparison, with the scenario in view and what it is best compared with.

    Signals:
        why_requested: id of a scenario, id of an item and the field of one of its numbers.
    """

    why_requested = Signal(str, str, str)

    def __init__(
        self,
        session: Session,
        predictions: Predictions,
        settings: Settings,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._predictions = predictions
        self._settings = settings
        self._window = window
        self._opened: CompareWindow | None = None

    @property
    def opened(self) -> CompareWindow | None:
        """The window while it is open."""
        return self._opened

    def open(self) -> None:
        """Shows the comparison, or brings it to the front."""
        from app.windows.compare_window import CompareWindow

        if self._opened is None:
            self._opened = CompareWindow(
                self._session, self._predictions, self._settings, self._window
            )
            self._opened.finished.connect(self._forget)
            self._opened.panel.shown_requested.connect(self._session.show)
            self._opened.panel.why_requested.connect(self.why_requested)
            self._opened.panel.choose(worth_comparing(self._session))
        self._opened.show()
        self._opened.raise_()
        self._opened.activateWindow()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _forget(self, _what: object = None) -> None:
        self._opened = None


def worth_comparing(session: Session) -> tuple[str, ...]:
    """The baseline (else the parent, else the first other one) and the scenario in view."""
    project = session.project
    active = project.entry(project.active)
    others = [entry.id for entry in project.entries if entry.id != active.id]
    if not others:
        return (active.id,)
    wished = (project.baseline, active.parent)
    with_it = next((id for id in wished if id in others), others[0])
    return (with_it, active.id)
