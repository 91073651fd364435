"""Scenarios side by side."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.language import tr
from app.predictions import Predictions
from app.session import Session
from app.widgets.compare.panel import ComparePanel
from app.widgets.parts import in_column
from app.windows.pages import Page


class ComparePage(Page):
    """Begins with the scenario in view and what it is best compared with."""

    def __init__(
        self,
        session: Session,
        predictions: Predictions,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Compare scenarios"), parent)
        self.panel = ComparePanel(session, predictions, self)
        self.panel.shown_requested.connect(session.show)
        self.panel.choose(worth_comparing(session))
        in_column(self).put(self.panel)


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
