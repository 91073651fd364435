"""Every resource against its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.language import tr
from app.session import Session
from app.widgets.chart_pages.bars import BarsPage
from app.widgets.labels import Empty
from models.lettering import set_apart
from models.predicted import NumberRef
from models.studies.bottleneck import ResourceLoad, bottleneck, nearest_failing, resource_loads

if TYPE_CHECKING:
    from app.widgets.plots import UtilisationBars

LEGEND = (
    ("plain", tr("normal")),
    ("plain-hatched", tr("worst failure")),
    ("post", tr("limit")),
)
NOTHING = tr("Add hosts and VMs to see what is used up first.")


class UtilisationPage(BarsPage):
    """Resources in per cent of their limits, the bottleneck named."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._chart: UtilisationBars | None = None
        super().__init__(session, LEGEND, Empty("server", NOTHING), parent)

    @property
    def chart(self) -> UtilisationBars | None:
        return self._chart

    def load(self) -> None:
        from app.widgets.plots import UtilisationBars

        self._chart = UtilisationBars(self)
        self._chart.read.connect(self.read)
        self._chart.picked.connect(self.picked)
        self._chart.asked.connect(self._ask)
        self._put(self._chart)

    def refresh(self) -> None:
        view = self._session.view
        if self._chart is None:
            return
        loads = resource_loads(view.scenario, view.prediction)
        first = bottleneck(loads)
        if first is None:
            self.show_empty(NOTHING)
            return
        names = {item.id: set_apart(item.name) for item in view.scenario.items()}
        self._chart.show_loads(loads, names)
        from app.widgets.plots.utilisation import load_words

        words = tr("Bottleneck: {load}", load=load_words(first, names))
        nearer = nearest_failing(loads)
        if nearer is not None:
            words = tr(
                "{words}; nearer still {load}",
                words=words,
                load=load_words(nearer, names),
            )
        self.show_chart(self._chart, words)

    def _ask(self, each: ResourceLoad) -> None:
        self.asked.emit(NumberRef(each.table, each.gauge.subject, each.gauge.field))
