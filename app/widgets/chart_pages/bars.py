"""What the pages of bars share: they follow every view while they are seen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.session import Session, View
from app.widgets.chart_pages.page import ChartPage
from app.widgets.labels import Empty


class BarsPage(ChartPage):
    """Bars of the view as it is, each of them an item and a number.

    Signals:
        picked: id of the item whose bar was clicked.
        asked: the number whose bar was double-clicked, as `NumberRef`.
    """

    picked = Signal(str)
    asked = Signal(object)

    def __init__(
        self,
        session: Session,
        legend: tuple[tuple[str, str], ...],
        empty: Empty,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(legend, empty, parent)
        self._session = session
        session.view_changed.connect(self._view_changed)

    def refresh(self) -> None:
        """Shows the view as it is."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _view_changed(self, _view: View) -> None:
        if self.isVisible():
            self.refresh()
