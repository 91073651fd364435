"""Bars of the view as it is: the load of every host, and every resource against its limit."""

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
from models.base.lettering import set_apart
from models.predict.predicted import NumberRef
from models.studies.bottleneck import ResourceLoad, bottleneck, nearest_failing, resource_loads

if TYPE_CHECKING:
    from app.widgets.plots.hosts import LoadBars
    from app.widgets.plots.utilisation import UtilisationBars

LOAD_LEGEND = (
    ("full", "CPU"),
    ("hatched", "RAM"),
    ("outline", tr("if another host fails")),
    ("mark", tr("limit")),
)
UTILISATION_LEGEND = (
    ("plain", tr("normal")),
    ("plain-hatched", tr("worst failure")),
    ("post", tr("limit")),
)


class BarsPage(ChartPage):
    """Bars that follow every view while they are seen, each of them an item and a number.

    Signals:
        picked: id of the item whose bar was clicked.
        asked: the number whose bar was double-clicked, as `NumberRef`.
    """

    picked = Signal(str)
    asked = Signal(object)
    legend_entries: tuple[tuple[str, str], ...] = ()
    nothing = ""
    """What to say where there are no bars."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(self.legend_entries, Empty("server", self.nothing), parent)
        self._session = session
        session.view_changed.connect(self._view_changed)

    def refresh(self) -> None:
        """Shows the view as it is."""
        words = self._draw(self._session.view) if self.chart is not None else ""
        if words:
            self.show_chart(words)
        else:
            self.show_empty(self.nothing)

    def _draw(self, view: View) -> str:
        """Draws the bars; what they say in a line, empty where there are none."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _view_changed(self, _view: View) -> None:
        if self.isVisible():
            self.refresh()


class LoadPage(BarsPage):
    """CPU and RAM of every host."""

    chart: LoadBars | None = None
    legend_entries = LOAD_LEGEND
    nothing = tr("Add a host to see its load.")

    def load(self) -> None:
        from app.widgets.plots.hosts import LoadBars

        self.chart = self._put(LoadBars(self))
        self.chart.picked.connect(self.picked)
        self.chart.asked.connect(self._ask)

    def _draw(self, view: View) -> str:
        loads = host_loads(view.scenario, view.prediction)
        if self.chart is None or not loads:
            return ""
        self.chart.show_loads(loads)
        return trn(
            "{count} host, per cent of cores and of memory",
            "{count} hosts, per cent of cores and of memory",
            len(loads),
        )

    def _ask(self, host: str, field: str) -> None:
        self.asked.emit(NumberRef("hosts", host, field))


class UtilisationPage(BarsPage):
    """Resources in per cent of their limits, the bottleneck named."""

    chart: UtilisationBars | None = None
    legend_entries = UTILISATION_LEGEND
    nothing = tr("Add hosts and VMs to see what is used up first.")

    def load(self) -> None:
        from app.widgets.plots.utilisation import UtilisationBars

        self.chart = self._put(UtilisationBars(self))
        self.chart.picked.connect(self.picked)
        self.chart.asked.connect(self._ask)

    def _draw(self, view: View) -> str:
        loads = resource_loads(view.scenario, view.prediction)
        first, nearer = bottleneck(loads), nearest_failing(loads)
        if self.chart is None or first is None:
            return ""
        names = {item.id: set_apart(item.name) for item in view.scenario.items()}
        self.chart.show_loads(loads, names)
        from app.widgets.plots.utilisation import load_words

        words = tr("Bottleneck: {load}", load=load_words(first, names))
        if nearer is None:
            return words
        return tr("{words}; nearer still {load}", words=words, load=load_words(nearer, names))

    def _ask(self, each: ResourceLoad) -> None:
        self.asked.emit(NumberRef(each.table, each.gauge.subject, each.gauge.field))
