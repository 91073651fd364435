"""The window of scenarios side by side."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.predictions import Predictions
from app.session import Session
from app.settings import Settings
from app.widgets.compare.panel import ComparePanel
from app.widgets.parts import in_column
from app.windows.page_windows import BesideWindow

LEAST_SIZE, SIZE, SHARE = QSize(1040, 640), QSize(1560, 860), 0.85
"""At first it has room for four scenarios, but no more than this share of the window that it stands
beside unless that is less than the least."""


class CompareWindow(BesideWindow):
    """Begins with the scenario in view and what it is best compared with."""

    def __init__(
        self,
        session: Session,
        predictions: Predictions,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        title = tr("Compare scenarios \N{EN DASH} Headroom")
        super().__init__(title, "compare", settings, parent)
        self.panel = ComparePanel(session, predictions, self)
        self.panel.shown_requested.connect(session.show)
        self.panel.choose(worth_comparing(session))
        in_column(self).put(self.panel)
        beside = parent.size() if parent is not None else SIZE
        self.take_place(SIZE.boundedTo((beside * SHARE).expandedTo(LEAST_SIZE)))


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
