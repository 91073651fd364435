"""The charts of sections, and of a storm: lines over time, and response time over users."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import itemgetter

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.look import LOOK
from app.theme import Theme
from app.widgets.legend import BAND_ALPHA, Legend
from app.widgets.parts import in_row
from app.widgets.plots.canvas import DASHED, SOLID, Chart
from app.wording import locale_style
from models.base.spreadsheets import table_text
from models.scenario.wording import number
from models.tell.blocks import Curve, ResponsePlot, TimePlot

PATTERNS = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
)
INKS = ("accent", "sametime", "inotes", "generic")
"""Colours of curves, one after the other; a dashed one has that of the curve before it."""


class BlockChart(Chart):
    """The chart of a block, read under the pointer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot: TimePlot | ResponsePlot | None = None

    @property
    def curves(self) -> tuple[Curve, ...]:
        return () if self.plot is None else curves_of(self.plot)

    def show_plot(self, plot: TimePlot | ResponsePlot) -> None:
        self.plot = plot
        self.setAccessibleName(local(plot.alt))
        self.redraw()

    def _draw(self) -> None:
        plot = self.plot
        if plot is None:
            return
        theme, x = LOOK.theme, np.asarray(_axis(plot), float)
        self._label("bottom", _axis_name(plot))
        unit = local(plot.y_label) if isinstance(plot, TimePlot) else "ms"
        alone = [local(curve.label) for curve in self.curves if len(self.curves) == 1]
        self._label("left", ", ".join((*alone, unit)))
        values = [value for curve in self.curves for value in curve.values if math.isfinite(value)]
        top, end = max(*values, 1.0), float(x[-1]) if len(x) else 1.0
        if isinstance(plot, ResponsePlot):
            top = max(top, plot.limit)
        self._show_range((0.0, end), (0.0, 1.08 * top))
        if isinstance(plot, ResponsePlot):
            self._draw_measured(plot, theme)
        for curve, pen in zip(self.curves, pens(self.curves, theme), strict=True):
            self._line(x, curve.values, pen)
        if plot.limit is not None and plot.limit < 1.05 * top:
            self._level(plot.limit, self._pen(theme.bad, 1.8))
            words = local(plot.limit_label)
            self._put_below(self._put_words(words, theme.bad, (1, 1), end, plot.limit))

    def _draw_measured(self, plot: ResponsePlot, theme: Theme) -> None:
        """The band, what was measured, and where the scenario stands."""
        band = self._brush(theme.accent, alpha=BAND_ALPHA)
        self._band(plot.users, plot.low, plot.high, self._pen(theme.accent, 0.5), band)
        pen = self._pen(theme.text)
        for doubted, brush in ((False, theme.text), (True, None)):
            found = [each for each in plot.points if each.doubted is doubted]
            users, ms = [each.users for each in found], [each.ms for each in found]
            self._points(users, ms, sign="o", size=6, pen=pen, brush=brush)
        if plot.current_users is not None and plot.current_ms is not None:
            here = ([plot.current_users], [plot.current_ms])
            self._points(*here, sign="d", size=11, pen=pen, brush=theme.accent)

    @property
    def spoken_value(self) -> str:
        """Of each curve the highest point, and where it ends."""
        plot, style = self.plot, locale_style()
        if plot is None:
            return ""
        said = list[str]()
        for curve in self.curves:
            points = zip(_axis(plot), curve.values, strict=True)
            known = [(value, x) for x, value in points if math.isfinite(value)]
            if known:
                most, at = max(known, key=itemgetter(0))
                said.append(
                    tr(
                        "{name}: at most {most} at {at}, at the end {last}",
                        name=local(curve.label),
                        most=number(most, style=style),
                        at=number(at, style=style),
                        last=number(known[-1][0], style=style),
                    )
                )
        return "; ".join(said)

    def data_text(self) -> str:
        plot = self.plot
        if plot is None:
            return ""
        heads = (_axis_name(plot), *(local(curve.label) for curve in self.curves))
        rows = zip(_axis(plot), *(curve.values for curve in self.curves), strict=True)
        return table_text(heads, rows)

    def _hovered(self, at: QPointF) -> None:
        plot = self.plot
        if plot is None or not self._inside(at):
            self.read.emit("")
            return
        style, x = locale_style(), self._x_at(at)
        parts = [f"{_axis_name(plot)} {number(x, style=style)}"]
        for curve in self.curves:
            value = float(np.interp(x, _axis(plot), curve.values))
            parts.append(f"{local(curve.label)} {number(value, style=style)}")
        self.read.emit(": ".join((parts[0], ", ".join(parts[1:]))))


class CurveLegend(Legend):
    """The names of the curves of a chart, each behind its line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__((), parent)
        self._curves: tuple[Curve, ...] = ()

    def show_curves(self, curves: tuple[Curve, ...]) -> None:
        self._curves = curves
        self.set_entries(tuple((str(n), local(curve.label)) for n, curve in enumerate(curves)))

    def draw_sign(self, painter: QPainter, box: QRectF, sign: str, theme: Theme) -> None:
        painter.setPen(pens(self._curves, theme)[int(sign)])
        middle = box.center().y()
        painter.drawLine(QPointF(box.left(), middle), QPointF(box.right(), middle))


def curves_of(plot: TimePlot | ResponsePlot) -> tuple[Curve, ...]:
    """The lines of a chart; one of response times is the line of its VM."""
    if isinstance(plot, TimePlot):
        return plot.curves
    return (Curve(plot.vm, plot.value),)


def pens(curves: tuple[Curve, ...], theme: Theme) -> list[QPen]:
    """Of each curve the pen that it is drawn with: where none is dashed for its own sake, each has
    a pattern of its own."""
    result, solid = list[QPen](), 0
    has_dashed = any(curve.dashed for curve in curves)
    for position, curve in enumerate(curves):
        solid += not curve.dashed
        pen = QPen(QColor(theme.ink(INKS[max(solid - 1, 0) % len(INKS)])))
        pen.setWidthF(2.0)
        pen.setCosmetic(True)
        plain = DASHED if curve.dashed else SOLID
        pen.setStyle(plain if has_dashed else PATTERNS[position % len(PATTERNS)])
        result.append(pen)
    return result


def _axis(plot: TimePlot | ResponsePlot) -> tuple[float, ...]:
    return plot.x if isinstance(plot, TimePlot) else plot.users


def _axis_name(plot: TimePlot | ResponsePlot) -> str:
    return local(plot.x_label) if isinstance(plot, TimePlot) else tr("users")


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
