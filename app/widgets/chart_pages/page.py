"""What all chart pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QToolButton, QWidget

from app.language import tr
from app.widgets.labels import Empty, OneLine
from app.widgets.legend import Legend
from app.widgets.parts import in_column, in_row, switch, tool_button

if TYPE_CHECKING:
    from app.widgets.plots.blocks import StormChart
    from app.widgets.plots.canvas import Chart

C = TypeVar("C", bound="Chart | StormChart")


class ChartPage(QWidget):
    """A chart under a line that reads it, with what to say where there is nothing to draw.

    `load` makes the chart when it is first shown: that brings pyqtgraph. The legend belongs to
    the page, but stands where there is room for it, beside the tabs.

    Signals:
        furnished: whether there is a chart (`has_chart`) may have changed.
    """

    furnished = Signal()
    chart: Chart | StormChart | None = None
    """None until the page was first shown."""

    def __init__(
        self, legend: tuple[tuple[str, str], ...], empty: Empty, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.legend = Legend(legend, self)
        self.reading = OneLine("", self)
        self.empty = empty
        self.copy_button = tool_button(self, "copy", tip=tr("Copy the chart as a picture"))
        self.copy_button.clicked.connect(self.copy)
        figures = tr("Copy the figures, for a spreadsheet")
        self.data_button = tool_button(self, "own-data", tip=figures)
        self.data_button.clicked.connect(self.copy_data)
        self.buttons = in_row(gap=2)
        self.under_head = in_column(around=(10, 0, 10, 0))
        self.has_chart = False
        self._summary = ""
        self._place = QStackedLayout()
        self._place.addWidget(empty)
        self._lay_out()

    def load(self) -> None:
        """Makes the chart."""
        raise NotImplementedError

    def copy(self) -> None:
        """Puts a picture of the chart on the clipboard."""
        if self.chart is not None:
            QGuiApplication.clipboard().setPixmap(self.chart.picture())

    def copy_data(self) -> None:
        """Puts the figures of the chart on the clipboard, as text for a spreadsheet."""
        if self.chart is not None:
            QGuiApplication.clipboard().setText(self.chart.data_text())

    def show_empty(self, text: str) -> None:
        self.empty.say(text)
        self.summarise("")
        self._place.setCurrentWidget(self.empty)
        self._furnish(False)

    def show_chart(self, summary: str) -> None:
        self.summarise(summary)
        if self.chart is not None:
            self._place.setCurrentWidget(self.chart)
        self._furnish(True)

    def summarise(self, text: str) -> None:
        self._summary = text
        self.reading.setText(text)

    def read(self, words: str) -> None:
        """What stands under the pointer; without it the summary."""
        self.reading.setText(words or self._summary)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.chart is None:
            self.load()

    def _put(self, chart: C) -> C:
        """Takes a chart, whose words under the pointer are read out."""
        chart.read.connect(self.read)
        self._place.addWidget(chart)
        return chart

    def _furnish(self, has_chart: bool) -> None:
        for button in (self.copy_button, self.data_button):
            button.setVisible(has_chart)
        self.has_chart = has_chart
        self.furnished.emit()

    def _lay_out(self) -> None:
        self.head = in_row(around=(10, 4, 6, 0)).put(
            (self.reading, 1), self.buttons, self.copy_button, self.data_button
        )
        self.column = in_column(self, gap=2, around=(0, 0, 0, 4)).put(
            self.head, self.under_head, (self._place, 1)
        )


def log_button(parent: QWidget) -> QToolButton:
    """Switches a chart of response times to a logarithmic scale."""
    tip = tr("Logarithmic scale of response time")
    return switch(parent, "log", tip=tip, name=tr("Logarithmic scale"))
