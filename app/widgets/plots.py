"""The charts on screen; the one file that knows pyqtgraph.

It costs more start-up time than all of Qt: import it when a chart is first shown. Everything is
told by shape as well as by colour, so that a chart survives a greyscale printer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainterPath, QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.qtmodels.accuracy import PlotPoint, measured_text
from app.theme import LIGHT, Theme
from app.widgets.chart_data import CurveView, HostLoad, Standing
from app.widgets.marks import scaled_font
from app.wording import locale_style
from models.curves import Crossing
from models.quantities import Quantity
from models.wording import (
    THIN,
    UNITS,
    about_text,
    crossing_text,
    decimals_for,
    number,
    range_text,
    value_text,
)

pg.setConfigOptions(antialias=True)

MOST_NAMED_HOSTS = 24
MOST_LABELLED_HOSTS = 10
BAR = 0.34


class Ticks(pg.AxisItem):  # type: ignore[misc]
    """Numbers in the user's locale; on a logarithmic scale 1, 2 and 5 of each decade."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.is_log = False
        self.names: Sequence[str] = ()
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.names:
            return [(1.0, [float(i) for i in range(len(self.names))])]
        if not self.is_log:
            found: list[tuple[float, list[float]]] = super().tickValues(low, high, size)
            return found[:1] if size < 160 else found[:2]
        decades = range(math.floor(low), math.ceil(high) + 1)
        values = [d + math.log10(m) for d in decades for m in (1, 2, 5)]
        return [(1.0, [v for v in values if low - 1e-9 <= v <= high + 1e-9])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        if self.names:
            return [self.names[int(v)] if 0 <= v < len(self.names) else "" for v in values]
        style = locale_style()
        shown = [10**v if self.is_log else v for v in values]
        return [number(v, 0 if abs(v) >= 1 or v == 0 else 1, style=style) for v in shown]


class Chart(QWidget):
    """What all charts share: ground, axes, type, and a picture of itself.

    A bare `ViewBox` with two axes: pyqtgraph's `PlotItem` makes seven menus that nobody opens and
    that outlive the chart.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._axes = {side: Ticks(side) for side in ("left", "bottom")}
        self.box = pg.ViewBox(enableMenu=False)
        self.box.setMouseEnabled(x=False, y=False)
        self.canvas = pg.GraphicsView(self, background=None)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.viewport().setMouseTracking(True)
        self.canvas.scene().sigMouseMoved.connect(self._hovered)
        self._put_together()

    def _put_together(self) -> None:
        layout = self.grid = pg.GraphicsLayout()
        layout.setContentsMargins(4, 4, 6, 2)
        layout.setSpacing(0)
        layout.addItem(self._axes["left"], 0, 0)
        layout.addItem(self.box, 0, 1)
        layout.addItem(self._axes["bottom"], 1, 1)
        for axis in self._axes.values():
            axis.linkToView(self.box)
            axis.setZValue(-1)
        self._axes["left"].setGrid(30)
        self.canvas.setCentralItem(layout)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.canvas)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.canvas.setBackground(theme.panel)
        for axis in self._axes.values():
            axis.setPen(pg.mkPen(theme.line_strong))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTickFont(scaled_font(self.font(), 0.92))
            axis.setStyle(tickLength=-4, tickTextOffset=6)
        self.redraw()

    def redraw(self) -> None:
        """Draws everything again, in the colours of the theme."""

    def picture(self) -> QPixmap:
        """The chart as it stands, for the clipboard."""
        return self.grab()

    def _label(self, side: str, text: str) -> None:
        size = self.font().pixelSize() if self.font().pixelSize() > 0 else 13
        style = {"color": self._theme.muted, "font-size": f"{round(size * 0.92)}px"}
        self._axes[side].setLabel(text, **style)

    def _pen(
        self, colour: str, width: float = 1.5, style: Qt.PenStyle = Qt.PenStyle.SolidLine
    ) -> Any:
        return pg.mkPen(colour, width=width, style=style)

    def _words(self, text: str, colour: str, anchor: tuple[float, float]) -> Any:
        ground = QColor(self._theme.panel)
        ground.setAlpha(215)
        item = pg.TextItem(text, color=colour, anchor=anchor, fill=ground)
        item.setFont(scaled_font(self.font(), 0.92, QFont.Weight.Medium))
        return item

    def _hovered(self, at: QPointF) -> None:
        """The pointer is over the chart at a position of the scene."""


class ResponseChart(Chart):
    """Response time against users: line, band, measurements, knee, limit, and where the VM stands.

    Signals:
        read: what stands under the pointer, in words; empty when it left the line.
    """

    read = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curve: CurveView | None = None
        self._is_log = False
        self._standings: list[Any] = []
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self._users_name = pg.LabelItem("users", justify="right")
        self.grid.addItem(self._users_name, 1, 0)
        self.setAccessibleName("Response time against users")

    @property
    def curve(self) -> CurveView | None:
        return self._curve

    @property
    def is_log(self) -> bool:
        return self._is_log

    def set_log(self, is_log: bool) -> None:
        self._is_log = is_log
        self.redraw()

    def show_curve(self, curve: CurveView) -> None:
        """Shows a line; while only the place on it moves, only that is drawn again."""
        before, self._curve = self._curve, curve
        self.setAccessibleDescription(curve_words(curve))
        if before is not None and same_picture(before, curve):
            self._draw_standings(curve)
        else:
            self.redraw()

    def redraw(self) -> None:
        self.box.clear()
        curve = self._curve
        if curve is None:
            return
        self._axes["left"].is_log = self._is_log
        self._label("left", "response time, ms")
        self._name_users()
        self._fit(curve)
        self._draw_band(curve)
        self._draw_line(curve)
        self._draw_limit(curve)
        self._draw_knee(curve)
        self._draw_points(curve)
        self._standings.clear()
        self._draw_standings(curve)
        self._cursor.setPen(self._pen(self._theme.line_strong, 1.0))
        self._cursor.hide()
        self.box.addItem(self._cursor, ignoreBounds=True)

    def _fit(self, curve: CurveView) -> None:
        right = curve.right
        bottom = math.log10(self._floor(curve)) if self._is_log else 0.0
        top = math.log10(curve.top_ms * 2) if self._is_log else curve.top_ms
        self.box.setRange(xRange=(0, right), yRange=(bottom, top), padding=0, disableAutoRange=True)

    def _name_users(self) -> None:
        """The unit stands before the numbers of the axis: a line of its own would cost height."""
        size = f"{round(max(self.font().pixelSize(), 13) * 0.92)}px"
        self._users_name.setText("users", color=self._theme.muted, size=size)

    def _floor(self, curve: CurveView) -> float:
        seen = [p.response_ms for p in curve.points] + [float(np.nanmin(curve.low))]
        lowest = min((ms for ms in seen if ms > 0 and math.isfinite(ms)), default=10.0)
        return float(max(lowest * 0.8, 1.0))

    def _y(self, ms: Any) -> Any:
        return np.log10(np.maximum(ms, 1e-3)) if self._is_log else ms

    def _draw_band(self, curve: CurveView) -> None:
        ends = [
            pg.PlotCurveItem(curve.users, self._y(side), pen=self._pen(self._theme.line, 1.0))
            for side in (curve.low, curve.high)
        ]
        fill = QColor(self._theme.accent)
        fill.setAlpha(38)
        for end in ends:
            self.box.addItem(end)
        self.box.addItem(pg.FillBetweenItem(ends[0], ends[1], brush=fill))

    def _draw_line(self, curve: CurveView) -> None:
        """Solid where measurements lie around it, dashed where they don't."""
        here = curve.is_measured
        solid = np.append(here[:-1] & here[1:], False)
        for joined, style in ((solid, Qt.PenStyle.SolidLine), (~solid, Qt.PenStyle.DashLine)):
            if joined[:-1].any():
                line = pg.PlotCurveItem(
                    curve.users,
                    self._y(curve.value),
                    pen=self._pen(self._theme.accent, 2.4, style),
                    connect=joined.astype(np.int32),
                )
                self.box.addItem(line)

    def _draw_limit(self, curve: CurveView) -> None:
        theme, y = self._theme, self._y(curve.limit_ms)
        line = pg.InfiniteLine(pos=y, angle=0, pen=self._pen(theme.bad, 1.8))
        self.box.addItem(line, ignoreBounds=True)
        words = self._words(f"limit {_ms(curve.limit_ms)}", theme.bad, (0, 1))
        words.setPos(0, y)
        self.box.addItem(words, ignoreBounds=True)
        cross = curve.crossing
        if cross.users is not None and cross.users <= curve.right:
            ring = pg.ScatterPlotItem(
                [cross.users],
                [y],
                symbol="o",
                size=9,
                pen=self._pen(theme.bad, 2),
                brush=theme.panel,
            )
            self.box.addItem(ring)

    def _draw_knee(self, curve: CurveView) -> None:
        if curve.knee is None or curve.knee > curve.right:
            return
        theme = self._theme
        pen = self._pen(theme.line_strong, 1.4, Qt.PenStyle.DotLine)
        self.box.addItem(pg.InfiniteLine(pos=curve.knee, angle=90, pen=pen), ignoreBounds=True)
        words = self._words(f"knee {_users(curve.knee)}", theme.muted, (-0.04, 0.5))
        bottom, top = self.box.viewRange()[1]
        words.setPos(curve.knee, bottom + 0.42 * (top - bottom))
        self.box.addItem(words, ignoreBounds=True)

    def _draw_points(self, curve: CurveView) -> None:
        theme = self._theme
        for doubted, symbol, pen, brush in (
            (False, "o", self._pen(theme.panel, 1), theme.text),
            (True, "x", self._pen(theme.text, 1), theme.warn),
        ):
            chosen = [point for point in curve.points if point.doubted is doubted]
            if chosen:
                item = pg.ScatterPlotItem(
                    [p.users for p in chosen],
                    [float(self._y(p.response_ms)) for p in chosen],
                    symbol=symbol,
                    size=9 if not doubted else 11,
                    pen=pen,
                    brush=brush,
                )
                self.box.addItem(item)

    def _draw_standings(self, curve: CurveView) -> None:
        for item in self._standings:
            self.box.removeItem(item)
        self._standings.clear()
        if curve.before is not None:
            self._draw_standing(curve, curve.before, is_now=False)
        if curve.now is not None:
            self._draw_standing(curve, curve.now, is_now=True)

    def _draw_standing(self, curve: CurveView, standing: Standing, *, is_now: bool) -> None:
        value = standing.response.value
        if value is None:
            return
        theme = self._theme
        colour = theme.accent if is_now else theme.ghost
        ms = min(value, curve.top_ms * 0.985)
        item = pg.ScatterPlotItem(
            [standing.users],
            [float(self._y(ms))],
            symbol="d" if ms == value else "t1",
            size=15,
            pen=self._pen(theme.panel if is_now else colour, 2),
            brush=colour if is_now else theme.panel,
        )
        self._stand(item)
        if is_now:
            text = about_text(standing.response, "ms", style=locale_style())
            right_half = standing.users > 0.6 * curve.right
            words = self._words(text, theme.text, (1.08 if right_half else -0.08, 1.05))
            words.setPos(standing.users, float(self._y(ms)))
            self._stand(words)

    def _stand(self, item: Any) -> None:
        self.box.addItem(item, ignoreBounds=True)
        self._standings.append(item)

    def _hovered(self, at: QPointF) -> None:
        curve = self._curve
        if curve is None:
            return
        box = self.box
        is_inside = box.sceneBoundingRect().contains(at)
        users = float(box.mapSceneToView(at).x())
        words = reading_words(curve, users) if is_inside else ""
        self._cursor.setVisible(bool(words))
        self._cursor.setPos(users)
        self.read.emit(words)

    def leaveEvent(self, event: Any) -> None:
        self._cursor.hide()
        self.read.emit("")


def same_picture(one: CurveView, other: CurveView) -> bool:
    """Whether all but the place of the VM looks the same."""
    return one.curve is other.curve and (one.limit_ms, one.right, one.top_ms) == (
        other.limit_ms,
        other.right,
        other.top_ms,
    )


def reading_words(curve: CurveView, users: float) -> str:
    """What the line says at a number of users, and what was measured near it."""
    read = curve.at(users)
    if read is None:
        return ""
    value, low, high = read
    decimals = decimals_for(value, (high - low) / 2)
    style = locale_style()
    shown = [number(v, decimals, style=style) for v in (value, low, high)]
    words = f"{_users(users)} users: about {shown[0]}{THIN}ms ({shown[1]}–{shown[2]})"
    point = curve.nearest(users, reach=curve.right * 0.02)
    if point is None:
        return words
    doubt = ", doubted by its authors" if point.doubted else ""
    return f"{words}; measured at {_users(point.users)}: {_ms(point.response_ms)}{doubt}"


def curve_words(curve: CurveView) -> str:
    """The chart for those who can't see it, and the line above it for those who can."""
    style = locale_style()
    parts = []
    if curve.now is not None and curve.now.response.value is not None:
        about = about_text(curve.now.response, "ms", style=style)
        parts.append(f"{about} at {_users(curve.now.users)} users")
    if curve.crossing.users is not None:
        parts.append(crossing_words(curve.crossing, curve.limit_ms))
    return "; ".join(parts)


def crossing_words(crossing: Crossing, limit_ms: float) -> str:
    """``1,000 ms at about 5,000 users (4,400–5,600, extrapolated)``."""
    ends = (crossing.low, crossing.high)
    style = locale_style()
    return crossing_text(crossing.users, ends, crossing.basis, limit_ms, style=style)


def _users(users: float) -> str:
    decimals = -1 if users >= 100 else 0
    return number(users, decimals, style=locale_style())


def _ms(ms: float) -> str:
    return f"{number(ms, style=locale_style())}{THIN}ms"


class LoadBars(Chart):
    """CPU and RAM of every host with their limits, and where they would stand if another failed.

    CPU bars are full, RAM bars hatched; the outline is the load in the worst failure.

    Signals:
        picked: id of the host that was clicked.
        read: what stands under the pointer, in words.
    """

    picked = Signal(str)
    read = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._loads: tuple[HostLoad, ...] = ()
        self.canvas.scene().sigMouseClicked.connect(self._clicked)
        self.setAccessibleName("Load by host")

    @property
    def loads(self) -> tuple[HostLoad, ...]:
        return self._loads

    def show_loads(self, loads: tuple[HostLoad, ...]) -> None:
        if loads != self._loads:
            self._loads = loads
            self.setAccessibleDescription("; ".join(map(load_words, loads[:MOST_NAMED_HOSTS])))
            self.redraw()

    def redraw(self) -> None:
        self.box.clear()
        loads = self._loads
        if not loads:
            return
        self._label("left", "per cent")
        named = len(loads) <= MOST_NAMED_HOSTS
        self._axes["bottom"].names = [load.name if named else "" for load in loads]
        self._fit(loads)
        self._draw_bars(-BAR / 2 - 0.02, [load.cpu.quantity for load in loads], self._cpu_brush())
        self._draw_bars(BAR / 2 + 0.02, [load.ram.quantity for load in loads], self._ram_brush())
        self._draw_outlines(-BAR / 2 - 0.02, [load.failure_cpu for load in loads])
        self._draw_outlines(BAR / 2 + 0.02, [load.failure_ram for load in loads])
        self._draw_limits(loads)
        if len(loads) <= MOST_LABELLED_HOSTS:
            for i, load in enumerate(loads):
                self._name_bar(i - BAR / 2 - 0.02, load.cpu.quantity)
                self._name_bar(i + BAR / 2 + 0.02, load.ram.quantity)

    def _name_bar(self, x: float, quantity: Quantity) -> None:
        """The bar's number at its foot, where nothing else is drawn."""
        text = value_text(quantity, "%", style=locale_style())
        words = self._words(text, self._theme.text, (0.5, 1))
        words.setPos(x, 0)
        self.box.addItem(words, ignoreBounds=True)

    def _cpu_brush(self) -> Any:
        return pg.mkBrush(self._theme.nrpc)

    def _ram_brush(self) -> Any:
        brush = pg.mkBrush(self._theme.inotes)
        brush.setStyle(Qt.BrushStyle.BDiagPattern)
        return brush

    def _fit(self, loads: tuple[HostLoad, ...]) -> None:
        seen = [100.0]
        for load in loads:
            seen += [v for v in (load.failure_cpu, load.failure_ram) if v is not None]
            for gauge in (load.cpu, load.ram):
                seen += [v for v in (gauge.quantity.value, gauge.limit) if v is not None]
        self.box.setRange(
            xRange=(-0.6, len(loads) - 0.4),
            yRange=(0, min(max(seen), 250.0) * 1.12),
            padding=0,
            disableAutoRange=True,
        )

    def _draw_bars(self, offset: float, quantities: list[Quantity], brush: Any) -> None:
        x = [i + offset for i, q in enumerate(quantities) if q.value is not None]
        heights = [q.value for q in quantities if q.value is not None]
        if x:
            pen = self._pen(brush.color().name(), 1.2)
            self.box.addItem(pg.BarGraphItem(x=x, height=heights, width=BAR, brush=brush, pen=pen))

    def _draw_outlines(self, offset: float, values: list[float | None]) -> None:
        x = [i + offset for i, value in enumerate(values) if value is not None]
        heights = [value for value in values if value is not None]
        if x:
            pen = self._pen(self._theme.muted, 1.4, Qt.PenStyle.DashLine)
            bars = pg.BarGraphItem(x=x, height=heights, width=BAR, brush=None, pen=pen)
            self.box.addItem(bars)

    def _draw_limits(self, loads: tuple[HostLoad, ...]) -> None:
        """A short strong line over each bar, at its own limit."""
        path = QPainterPath()
        for i, load in enumerate(loads):
            for offset, gauge in ((-BAR / 2 - 0.02, load.cpu), (BAR / 2 + 0.02, load.ram)):
                if gauge.limit is not None:
                    path.moveTo(i + offset - BAR * 0.54, gauge.limit)
                    path.lineTo(i + offset + BAR * 0.54, gauge.limit)
        item = pg.QtWidgets.QGraphicsPathItem(path)
        item.setPen(self._pen(self._theme.text, 2.2))
        self.box.addItem(item, ignoreBounds=True)

    def _at(self, at: QPointF) -> HostLoad | None:
        box = self.box
        if not box.sceneBoundingRect().contains(at):
            return None
        index = round(box.mapSceneToView(at).x())
        return self._loads[index] if 0 <= index < len(self._loads) else None

    def _hovered(self, at: QPointF) -> None:
        load = self._at(at)
        self.read.emit(load_words(load) if load is not None else "")

    def _clicked(self, event: Any) -> None:
        load = self._at(event.scenePos())
        if load is not None:
            self.picked.emit(load.id)

    def leaveEvent(self, event: Any) -> None:
        self.read.emit("")


def load_words(load: HostLoad) -> str:
    """``esx1: CPU 21 % of 70 %, RAM 48.6 % of 100 %; 32 % and 72 % if another host fails``."""
    style = locale_style()
    parts = []
    for word, gauge in (("CPU", load.cpu), ("RAM", load.ram)):
        limit = "" if gauge.limit is None else f" of {number(gauge.limit, style=style)}{THIN}%"
        parts.append(f"{word} {about_text(gauge.quantity, '%', style=style)}{limit}")
    words = f"{load.name}: {', '.join(parts)}"
    if load.failure_cpu is None or load.failure_ram is None:
        return words
    cpu, ram = (number(v, style=style) for v in (load.failure_cpu, load.failure_ram))
    return f"{words}; CPU {cpu}{THIN}% and RAM {ram}{THIN}% if another host fails"


POINT_SIGNS = {"physical": "o", "rdm": "s", "vmfs": "t1"}
"""Signs of the storage paths: circle, square, triangle."""
REACH_PX = 14
"""How near the pointer must come to a point to mean it."""


class AccuracyChart(Chart):
    """Measured figures against held-out predictions, with the line on which both are equal.

    A bar is the 90 % range of a prediction: where it misses the line, the range missed the
    measurement. Signs and colours are storage paths; cells that their authors doubt are open.

    Signals:
        picked: evidence id of the point that was clicked.
        read: the point under the pointer, in words; empty when there is none.
    """

    picked = Signal(str)
    read = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points: tuple[PlotPoint, ...] = ()
        self._chosen = ""
        self._ring = pg.ScatterPlotItem(symbol="o", size=19, brush=None)
        self._halo = pg.ScatterPlotItem(symbol="o", size=19, brush=None)
        self.canvas.scene().sigMouseClicked.connect(self._clicked)
        self.setAccessibleName("Measured against predicted")

    @property
    def points(self) -> tuple[PlotPoint, ...]:
        return self._points

    @property
    def is_log(self) -> bool:
        """Response times span decades; per cent of CPU don't."""
        return bool(self._points) and self._points[0].point.quantity.endswith("_ms")

    @property
    def chosen(self) -> str:
        return self._chosen

    def show_points(self, points: tuple[PlotPoint, ...]) -> None:
        if points != self._points:
            self._points = points
            self.setAccessibleDescription("The table beside the chart lists every point.")
            self.redraw()

    def choose(self, id: str) -> None:
        """Rings the point with this evidence id, if it is shown."""
        self._chosen = id
        self._circle(self._ring, next((p for p in self._points if p.id == id), None))

    def redraw(self) -> None:
        self.box.clear()
        if not self._points:
            return
        for axis in self._axes.values():
            axis.is_log = self.is_log
            axis.setGrid(26)
        unit = UNITS.get(self._points[0].point.quantity, "")
        self._label("left", f"predicted, {unit}")
        self._label("bottom", f"measured, {unit}")
        self._fit()
        self._draw_identity()
        self._draw_ranges()
        for path in sorted({each.path for each in self._points}):
            for is_doubted in (False, True):
                self._draw_signs(path, is_doubted)
        self._ring.setPen(self._pen(self._theme.accent, 2.6))
        self._halo.setPen(self._pen(self._theme.line_strong, 1.6))
        for item in (self._ring, self._halo):
            item.setZValue(10)
            self.box.addItem(item, ignoreBounds=True)
        self.choose(self._chosen)
        self._halo.clear()

    def _at(self, value: float) -> float:
        return math.log10(max(value, 1e-3)) if self.is_log else value

    def _fit(self) -> None:
        """Both axes alike, so that the line rises corner to corner; bars may leave the chart."""
        held = [each.point for each in self._points]
        seen = [value for p in held for value in (p.measured, p.predicted)]
        low, high = (min(seen) / 1.5, max(seen) * 1.6) if self.is_log else (0.0, max(seen) * 1.12)
        ends = self._at(low) if self.is_log else 0.0, self._at(high)
        self.box.setRange(xRange=ends, yRange=ends, padding=0, disableAutoRange=True)

    def _draw_identity(self) -> None:
        ends = self.box.viewRange()[0]
        line = pg.PlotCurveItem(ends, ends, pen=self._pen(self._theme.line_strong, 1.6))
        self.box.addItem(line, ignoreBounds=True)
        words = self._words("predicted = measured", self._theme.muted, (1.04, 0))
        at = ends[0] + 0.97 * (ends[1] - ends[0])
        words.setPos(at, at)
        self.box.addItem(words, ignoreBounds=True)

    def _draw_ranges(self) -> None:
        """Bars that miss the line are dashed and strong: their range missed the measurement."""
        theme = self._theme
        for is_inside, pen in (
            (True, self._pen(theme.line_strong, 1.2)),
            (False, self._pen(theme.bad, 2.0, Qt.PenStyle.DashLine)),
        ):
            chosen = [p for p in self._points if not p.is_doubted and p.is_inside is is_inside]
            self._draw_bars(chosen, pen)
        doubted = [p for p in self._points if p.is_doubted]
        self._draw_bars(doubted, self._pen(theme.line_strong, 1.0, Qt.PenStyle.DotLine))

    def _draw_bars(self, chosen: list[PlotPoint], pen: Any) -> None:
        if not chosen:
            return
        x = np.repeat([self._at(p.point.measured) for p in chosen], 2)
        y = [self._at(end) for p in chosen for end in (p.point.low, p.point.high)]
        bars = pg.PlotCurveItem(x, np.array(y), pen=pen, connect="pairs")
        self.box.addItem(bars, ignoreBounds=True)

    def _draw_signs(self, path: str, is_doubted: bool) -> None:
        chosen = [p for p in self._points if p.path == path and p.is_doubted is is_doubted]
        if not chosen:
            return
        theme = self._theme
        colour = path_colour(path, theme)
        item = pg.ScatterPlotItem(
            [self._at(p.point.measured) for p in chosen],
            [self._at(p.point.predicted) for p in chosen],
            symbol=POINT_SIGNS.get(path, "d"),
            size=10,
            pen=self._pen(colour, 2.0) if is_doubted else self._pen(theme.panel, 1.0),
            brush=theme.panel if is_doubted else colour,
        )
        self.box.addItem(item, ignoreBounds=True)

    def _circle(self, item: Any, each: PlotPoint | None) -> None:
        if each is None:
            item.clear()
        else:
            item.setData([self._at(each.point.measured)], [self._at(each.point.predicted)])

    def near(self, at: QPointF) -> PlotPoint | None:
        """The point at a position of the scene; the nearest of several."""
        if not self._points or not self.box.sceneBoundingRect().contains(at):
            return None
        places = [
            self.box.mapViewToScene(
                QPointF(self._at(p.point.measured), self._at(p.point.predicted))
            )
            for p in self._points
        ]
        away = [math.hypot(place.x() - at.x(), place.y() - at.y()) for place in places]
        nearest = int(np.argmin(away))
        return self._points[nearest] if away[nearest] <= REACH_PX else None

    def _hovered(self, at: QPointF) -> None:
        each = self.near(at)
        if self._points:
            self._circle(self._halo, each)
        cursor = Qt.CursorShape.ArrowCursor if each is None else Qt.CursorShape.PointingHandCursor
        self.canvas.viewport().setCursor(cursor)
        self.read.emit(point_words(each) if each is not None else "")

    def _clicked(self, event: Any) -> None:
        each = self.near(event.scenePos())
        if each is not None:
            self.picked.emit(each.id)

    def leaveEvent(self, event: Any) -> None:
        self._halo.clear()
        self.read.emit("")


def path_colour(path: str, theme: Theme) -> str:
    """The colour of a storage path; its sign says the same without colour."""
    colours = {"physical": theme.generic, "rdm": theme.sametime, "vmfs": theme.nrpc}
    return colours.get(path, theme.text)


def point_words(each: PlotPoint) -> str:
    """``Clovertown VMFS 14.5 GB, 4,000 users: measured 46 %, predicted about 45 % (…)``."""
    style = locale_style()
    unit = UNITS.get(each.point.quantity, "")
    users = "" if each.users is None else f", {_users(each.users)} users"
    about = about_text(each.predicted, unit, style=style)
    spread = range_text(each.predicted, unit, style=style)
    if each.is_doubted:
        note = "; doubted by its authors, not counted"
    else:
        note = "" if each.is_inside else "; outside its range"
    measured = measured_text(each.point, style)
    return f"{each.label}{users}: measured {measured}, predicted {about} ({spread}){note}"
