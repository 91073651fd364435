"""Options as a picture: a chart of all of them, and a card of each that is best at something."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.widgets.option_cards import OptionCards
from app.widgets.parts import in_row
from app.widgets.plots.options import OptionsChart
from models.catalog.catalog import Catalog
from models.options.option import UNITS, Measure, Option
from models.tell.options import card_of, option_sentence

CHART_PX = 300


class OptionsPicture(QWidget):
    """The chart beside the cards.

    Signals:
        chosen: number of an option, from 1; `taken`: the same, whose card says so.
    """

    chosen = Signal(str)
    taken = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart = OptionsChart(self)
        self.chart.setMinimumWidth(CHART_PX)
        self.cards = OptionCards(self)
        in_row(self, gap=8).put((self.chart, 3), (self.cards, 2))
        for part in (self.chart, self.cards):
            part.chosen.connect(self.chosen)
        self.cards.taken.connect(self.taken)

    def show_options(
        self,
        options: tuple[Option, ...],
        current: str,
        catalog: Catalog,
        *,
        site: str = "",
        measure: Measure = UNITS,
    ) -> None:
        """Shows these; `current` is the number of the chosen one, from 1, `site` the one that they
        are for, where there are several, `measure` what headroom is set against."""
        take = tr("Take it for this site") if site else tr("Make it a scenario")
        told = tuple(
            f"{number}: {local(option_sentence(each, catalog))}"
            for number, each in enumerate(options, start=1)
        )
        self.chart.show_options(options, current, told, measure)
        self.cards.show_cards(
            {
                str(number): (each, card_of(each, catalog, site))
                for number, each in enumerate(options, start=1)
                if each.names
            },
            current,
            take,
        )
