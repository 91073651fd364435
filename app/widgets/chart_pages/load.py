"""Load by host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.language import tr, trn
from app.session import Session
from app.widgets.chart_data import host_loads
from app.widgets.chart_pages.bars import BarsPage
from app.widgets.labels import Empty
from models.predicted import NumberRef

if TYPE_CHECKING:
    from app.widgets.plots import LoadBars

LOAD_LEGEND = (
    ("full", "CPU"),
    ("hatched", "RAM"),
    ("outline", tr("if another host fails")),
    ("mark", tr("limit")),
)


class LoadPage(BarsPage):
    """CPU and RAM of every host."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._chart: LoadBars | None = None
        super().__init__(
            session, LOAD_LEGEND, Empty("server", tr("Add a host to see its load.")), parent
        )

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

    def _ask(self, host: str, field: str) -> None:
        self.asked.emit(NumberRef("hosts", host, field))
