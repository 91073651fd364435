"""Load by host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.language import tr, trn
from app.session import Session, View
from app.widgets.chart_data import host_loads
from app.widgets.chart_pages.page import ChartPage
from app.widgets.labels import Empty
from models.explain.asked import Asked

if TYPE_CHECKING:
    from app.widgets.plots import LoadBars

LOAD_LEGEND = (
    ("full", "CPU"),
    ("hatched", "RAM"),
    ("outline", tr("if another host fails")),
    ("mark", tr("limit")),
)


class LoadPage(ChartPage):
    """CPU and RAM of every host.

    Signals:
        picked: id of the host that was clicked.
        asked: the number whose bar was double-clicked, as `Asked`.
    """

    picked = Signal(str)
    asked = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._chart: LoadBars | None = None
        super().__init__(LOAD_LEGEND, Empty("server", tr("Add a host to see its load.")), parent)
        self._session = session
        session.view_changed.connect(self._view_changed)

    @property
    def chart(self) -> LoadBars | None:
        return self._chart

    def load(self) -> None:
        from app.widgets.plots import LoadBars

        self._chart = LoadBars(self)
        self._chart.read.connect(self.read)
        self._chart.picked.connect(self.picked)
        self._chart.asked.connect(self._ask)
        self._put(self._chart)

    def refresh(self) -> None:
        view = self._session.view
        if self._chart is None:
            return
        loads = host_loads(view.scenario, view.prediction)
        if not loads:
            self.show_empty(tr("Add a host to see its load."))
            return
        self._chart.show_loads(loads)
        self.show_chart(
            self._chart,
            trn(
                "{count} host, per cent of cores and of memory",
                "{count} hosts, per cent of cores and of memory",
                len(loads),
            ),
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _view_changed(self, _view: View) -> None:
        if self.isVisible():
            self.refresh()

    def _ask(self, host: str, field: str) -> None:
        self.asked.emit(Asked("hosts", host, field))
