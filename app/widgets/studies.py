"""The studies of `app/studies.py` in one tab: one of them is seen, and worked out while it is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QStackedLayout,
    QWidget,
)

from app.background import Study
from app.selection import Selection
from app.session import Session
from app.studies import STUDIES, costs_told, map_told
from app.widgets.costs import CostsPanel
from app.widgets.parts import STRETCH, in_column, in_row, switch
from app.widgets.sections.view import SectionsPanel
from app.widgets.verdict_map import MapPanel
from app.work import Worker

_OWN: dict[Study, type[SectionsPanel]] = {map_told: MapPanel, costs_told: CostsPanel}
"""Panels of studies that need more than the scenario: inputs to choose, a price book."""


class StudiesPanel(QWidget):
    """Buttons to choose a study by, and below them its sections."""

    def __init__(
        self, session: Session, selection: Selection, worker: Worker, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.panels = tuple(
            _OWN.get(row.study, SectionsPanel)(
                session,
                worker,
                row.study,
                name=row.name,
                icon=row.icon,
                nothing=row.nothing,
                selection=selection,
                is_long=row.is_long,
                parent=self,
            )
            for row in STUDIES
        )
        self.buttons = QButtonGroup(self)
        self._pages = QStackedLayout()
        choices = in_row(around=(10, 2, 10, 0))
        for place, (row, panel) in enumerate(zip(STUDIES, self.panels, strict=True)):
            button = switch(self, row.title, tip=row.name, role="switch")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.buttons.addButton(button, place)
            self._pages.addWidget(panel)
            choices.addWidget(button)
        in_column(self).put(choices.put(STRETCH), (self._pages, 1))
        self.buttons.idToggled.connect(self._toggled)
        self.show_study(0)

    @property
    def is_calculating(self) -> bool:
        return self.panels[self._pages.currentIndex()].is_calculating

    def show_study(self, place: int) -> None:
        """Shows the study at a place of `STUDIES`."""
        button: QAbstractButton = self.buttons.button(place)
        button.setChecked(True)

    def _toggled(self, place: int, is_on: bool) -> None:
        if is_on:
            self._pages.setCurrentIndex(place)
