"""A storm over time: who waits, and how long the worst server takes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget

from app.language import local
from app.widgets.parts import in_row
from app.widgets.plots.blocks import BlockChart
from models.spreadsheets import table_text
from models.tell.blocks import TimePlot


class StormChart(QWidget):
    """Users that wait on the left, the response of the worst server on the right.

    Signals:
        read: what stands under the pointer, in words.
    """

    read = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.users, self.response = BlockChart(self), BlockChart(self)
        row = in_row(self)
        for chart in (self.users, self.response):
            row.addWidget(chart)
            chart.read.connect(self.read)

    def show_plots(self, plots: Sequence[TimePlot], words: str) -> None:
        """Shows both of a storm; `words` say the same."""
        self.users.show_plot(plots[0])
        self.response.show_plot(plots[1])
        self.setAccessibleName(words)

    def picture(self) -> QPixmap:
        """Both as they stand, for the clipboard."""
        return self.grab()

    def data_text(self) -> str:
        """What is drawn, as lines of figures set apart by tabs."""
        plots = [chart.plot for chart in (self.users, self.response)]
        drawn = [plot for plot in plots if isinstance(plot, TimePlot)]
        curves = [curve for plot in drawn for curve in plot.curves]
        if not curves:
            return ""
        heads = (local(drawn[0].x_label), *(local(curve.label) for curve in curves))
        rows = zip(drawn[0].x, *(curve.values for curve in curves), strict=True)
        return table_text(heads, ([f"{value:.6g}" for value in row] for row in rows))
