"""What all charts share, and the one file that knows pyqtgraph: axes, marks, and pictures.

It costs more start-up time than all of Qt: import it when a chart is first shown. Everything is
told by shape as well as by colour, so that a chart survives a greyscale printer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainterPath,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QWidget

from app.look import LOOK
from app.theme import Theme
from app.widgets.marks import scaled_font
from app.widgets.parts import in_column
from app.widgets.plots.flat import leave_out_opengl
from app.wording import locale_style
from models.scenario.wording import number

leave_out_opengl()

import pyqtgraph as pg  # noqa: E402

pg.setConfigOptions(antialias=True)

Numbers = npt.ArrayLike
SOLID, DASHED, DOTTED = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine
CIRCLE, SQUARE, TRIANGLE, DIAMOND, CROSS, DOWN = "o", "s", "t1", "d", "x", "t"
"""Signs of points; `DOWN` is the triangle that says that the point lies beyond the edge."""

ABOVE, MOST_DRAWN = 10.0, 1e6
"""Height of what lies above all that is drawn, and of how many items that holds."""

TYPE = 0.92
"""Size of the words on a chart, over that of the window's."""

LABEL_PX = 18.0
"""Height that a number of an axis needs."""

NAME_LETTERS = 8
"""So many letters of a cut name on an axis still tell which it is."""

NAMES_APART_PX = 8.0
"""Room between two names along an axis."""

FARTHEST = 1e9
"""What is drawn ends here, in the units of the axes: far out of sight."""


class Ticks(pg.AxisItem):  # type: ignore[misc]
    """Numbers in the user's locale; on a logarithmic scale 1, 2 and 5 of each decade, or 1."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.is_log = False
        self._names: Sequence[str] = ()
        self.enableAutoSIPrefix(False)
        if orientation == "bottom":
            # Names that were away for a while would find less room than their letters need.
            self.setStyle(autoReduceTextSpace=False)

    @property
    def names(self) -> Sequence[str]:
        """What stands at 0, 1, 2 … in place of numbers; empty for numbers."""
        return self._names

    @names.setter
    def names(self, names: Sequence[str]) -> None:
        self._names = names
        self.picture = None  # pyqtgraph draws it anew for another range only
        self.update()

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.names:
            return [(1.0, [float(i) for i in range(len(self.names))])]
        if not self.is_log:
            found: list[tuple[float, list[float]]] = super().tickValues(low, high, size)
            if self.orientation == "left" and found and high > low:
                found[0] = _apart(*found[0], least=LABEL_PX * (high - low) / size)
            return found[:1] if size < 160 else found[:2]
        decades = range(math.floor(low), math.ceil(high) + 1)
        is_close = size < 3 * LABEL_PX * (high - low)
        values = [d + math.log10(m) for d in decades for m in ((1,) if is_close else (1, 2, 5))]
        return [(1.0, [v for v in values if low - 1e-9 <= v <= high + 1e-9])]

    def boundingRect(self) -> QRectF:
        """A number at the very end of an upright axis, such as the 0 below all, stands half over
        it; pyqtgraph leaves out what does not lie in here."""
        over = LABEL_PX / 2 if self.orientation == "left" else 0.0
        rect: QRectF = super().boundingRect()
        return rect.adjusted(0.0, -over, 0.0, over)

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        if self.names:
            return [self._name(int(v)) if 0 <= v < len(self.names) else "" for v in values]
        style = locale_style()
        shown = [10**v if self.is_log else v for v in values]
        step = spacing if spacing and not self.is_log else 1.0
        decimals = 0 if step >= 1 else min(math.ceil(-math.log10(step)), 6)
        return [
            number(v, decimals if step < 1 else int(0 < abs(v) < 1), style=style) for v in shown
        ]

    def _name(self, place: int) -> str:
        """The name at a place of a level axis, cut to the room between two of them: pyqtgraph
        leaves out what goes beyond the axis, and draws the rest over each other."""
        if self.orientation != "bottom":
            return self.names[place]
        low, high = self.range
        room = self.size().width() / max(high - low, 1.0) - NAMES_APART_PX
        font = self.style["tickFont"] or self.font()
        return QFontMetricsF(font).elidedText(
            self.names[place], Qt.TextElideMode.ElideMiddle, max(room, 0.0)
        )

    def labelString(self) -> str:
        """What the axis is called, cut in its middle where the axis is shorter: a unit ends it.

        Where too little of the name would be left, the unit stands alone, or nothing.
        """
        room = self.size().height() if self.orientation == "left" else self.size().width()
        font = QFont(self.label.font())
        font.setPixelSize(int(self.labelStyle.get("font-size", "13px").removesuffix("px")))
        metrics = QFontMetricsF(font)
        name, comma, unit = self.labelText.rpartition(", ")
        if not comma:
            name, unit = unit, ""
        for_name = room - metrics.horizontalAdvance(comma + unit)
        least = min(metrics.horizontalAdvance(name), NAME_LETTERS * metrics.averageCharWidth())
        text = unit if for_name < least else self.labelText
        words = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        style = ";".join(f"{key}: {value}" for key, value in self.labelStyle.items())
        return f"<span style='{style}'>{escape(words)}</span>"

    def resizeEvent(self, event: Any = None) -> None:
        if self.label is not None:
            self.label.setHtml(self.labelString())
        super().resizeEvent(event)


def _apart(step: float, values: list[float], *, least: float) -> tuple[float, list[float]]:
    """Numbers of an axis that are at least so far from each other.

    >>> _apart(10.0, [0.0, 10.0, 20.0, 30.0], least=12.0)
    (20.0, [0.0, 20.0])
    """
    every = max(1, math.ceil(least / step))
    return step * every, [value for value in values if round(value / step) % every == 0]


class Chart(QWidget):
    """Ground, axes, marks and type of a chart, and a picture of itself.

    A bare `ViewBox` with two axes: pyqtgraph's `PlotItem` makes seven menus that nobody opens and
    that outlive the chart.

    Signals:
        double_clicked: somewhere between the axes.
        read: what stands under the pointer, in words; empty when it left.
    """

    spoken_role = QAccessible.Role.Chart

    double_clicked = Signal()
    read = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawn: dict[str, list[Any]] = {}
        self._spare: dict[str, list[Any]] = {}
        self._count = 0
        self._dressed: Theme | None = None
        self._type = TYPE
        self._level_name: Any = None
        self._axes = {side: Ticks(side) for side in ("left", "bottom")}
        self.box = pg.ViewBox(enableMenu=False)
        self.box.setMouseEnabled(x=False, y=False)
        self.canvas = pg.GraphicsView(self, background=None)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.viewport().setMouseTracking(True)
        self.canvas.scene().sigMouseMoved.connect(self._hovered)
        self.canvas.scene().sigMouseClicked.connect(self._clicked)
        self._put_together()
        self.box.sigResized.connect(self._resized)
        LOOK.changed.connect(self.redraw)

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
        in_column(self).put(self.canvas)

    def _resized(self, _box: object = None) -> None:
        """The room between the axes has another size."""

    def _dress(self) -> None:
        """What is not drawn anew takes the colours of the theme."""
        theme = self._dressed = LOOK.theme
        self.canvas.setBackground(theme.panel)
        for axis in self._axes.values():
            axis.setPen(pg.mkPen(theme.line_strong))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTickFont(scaled_font(self.font(), TYPE))
            axis.setStyle(tickLength=-4, tickTextOffset=6)

    def redraw(self) -> None:
        """Draws everything again, in the colours of the theme.

        What was drawn before is taken up again, kind by kind: to make an item and to put it into
        the scene costs more than to draw it.
        """
        if self._dressed is not LOOK.theme:
            self._dress()
        self._spare, self._drawn, self._count = self._drawn, {}, 0
        self._draw()
        for items in self._spare.values():
            for item in items:
                self.box.removeItem(item)
        self._spare = {}

    def _draw(self) -> None:
        """Draws everything, from the bottom up."""

    def picture(self) -> QPixmap:
        """The chart as it stands, for the clipboard."""
        return self.grab()

    @property
    def spoken_value(self) -> str:
        return self.accessibleDescription()

    def data_text(self) -> str:
        """What is drawn, as lines of figures set apart by tabs; empty where there is nothing."""
        return ""

    # ------------------------------------------------------------------ words for drawing

    def _pen(self, colour: str, width: float = 1.5, style: Qt.PenStyle = SOLID) -> QPen:
        pen: QPen = pg.mkPen(colour, width=width, style=style)
        return pen

    def _brush(
        self, colour: str, pattern: Qt.BrushStyle = Qt.BrushStyle.SolidPattern, alpha: int = 255
    ) -> QBrush:
        ink = QColor(colour)
        ink.setAlpha(alpha)
        return QBrush(ink, pattern)

    def _show_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        self.box.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)

    def _put(self, kind: str, make: Callable[[], Any], *, above: bool = False) -> Any:
        """An item of this kind over all that was drawn so far: one from before, or a new one."""
        spare = self._spare.get(kind)
        item = spare.pop() if spare else self._add(make())
        self._drawn.setdefault(kind, []).append(item)
        self._count += 1
        item.setZValue(ABOVE if above else ABOVE * self._count / MOST_DRAWN)
        return item

    def _add(self, item: Any, *, above: bool = False) -> Any:
        """An item of the chart's own, which stays until the chart goes."""
        if above:
            item.setZValue(ABOVE)
        if item.parentItem() is None:
            self.box.addItem(item, ignoreBounds=True)
        return item

    def _take_off(self, items: list[Any]) -> None:
        """Takes off what was drawn, and forgets it."""
        for item in items:
            for drawn in self._drawn.values():
                if item in drawn:
                    drawn.remove(item)
                    self.box.removeItem(item)
        items.clear()

    def _line(self, x: Numbers, y: Numbers, pen: QPen, connect: Any = "all") -> None:
        """A line through points; `connect` says which are joined to the next, or `pairs`."""
        item = self._put("line", pg.PlotCurveItem)
        item.setData(np.asarray(x, float), np.asarray(y, float), pen=pen, connect=connect)

    def _band(self, x: Numbers, low: Numbers, high: Numbers, edge: QPen, fill: QBrush) -> None:
        """The ground between two lines, as far as both are known, as one shape."""
        ends = np.stack([np.asarray(each, float) for each in (x, low, high)])
        known = np.isfinite(ends).all(axis=0)
        ends = np.clip(ends[:, known], -FARTHEST, FARTHEST)
        path = QPainterPath()
        if ends.shape[1] > 1:
            around = np.concatenate([ends[:2], ends[::2, ::-1]], axis=1)
            path = pg.arrayToQPath(*np.append(around, around[:, :1], axis=1))
        self._path(path, edge, fill)

    def _points(
        self,
        x: Numbers,
        y: Numbers,
        *,
        sign: str,
        size: float,
        pen: QPen,
        brush: QBrush | str | None,
        above: bool = False,
    ) -> Any:
        item = self._put("points", pg.ScatterPlotItem, above=above)
        x, y = np.asarray(x, float), np.asarray(y, float)
        item.setData(x, y, symbol=sign, size=size, pen=pen, brush=brush)
        return item

    def _own_sign(self, sign: str, size: float) -> Any:
        """A sign of the chart's own above all else, open; at no place at first."""
        return self._add(pg.ScatterPlotItem(symbol=sign, size=size, brush=None), above=True)

    def _level(self, y: float, pen: QPen) -> None:
        """A line across, at a height."""
        self._straight(0, y, pen)

    def _upright(self, x: float, pen: QPen) -> None:
        """A line from top to bottom."""
        self._straight(90, x, pen)

    def _straight(self, angle: int, at: float, pen: QPen) -> None:
        item = self._put(f"straight-{angle}", lambda: pg.InfiniteLine(angle=angle))
        item.setPos(at)
        item.setPen(pen)

    def _cursor(self) -> Any:
        """The line that follows the pointer; not shown at first."""
        line = pg.InfiniteLine(angle=90, movable=False)
        line.setZValue(ABOVE)
        line.hide()
        return line

    def _bars(
        self, x: Numbers, heights: Numbers, *, width: float, pen: QPen, brush: QBrush | None
    ) -> None:
        opts = {"x": x, "height": heights, "width": width, "brush": brush, "pen": pen}
        self._put("bars", lambda: pg.BarGraphItem(**opts)).setOpts(**opts)

    def _lying_bars(
        self, y: Numbers, lengths: Numbers, *, width: float, pen: QPen, brush: QBrush | None
    ) -> None:
        """Bars from the left edge to the right."""
        opts = {"x0": 0, "y": y, "width": lengths, "height": width, "brush": brush, "pen": pen}
        self._put("lying-bars", lambda: pg.BarGraphItem(**opts)).setOpts(**opts)

    def _path(self, path: QPainterPath, pen: QPen, fill: QBrush | None = None) -> None:
        item = self._put("path", pg.QtWidgets.QGraphicsPathItem)
        item.setPath(path)
        item.setPen(pen)
        item.setBrush(fill or QBrush())

    def _words(
        self, text: str, colour: str, anchor: tuple[float, float], *, ground: bool = True
    ) -> Any:
        """Words on a ground of the chart's colour, which no line shines through; not placed yet."""
        item = pg.TextItem()
        self._word(item, text, colour, anchor, ground=ground)
        return item

    def _word(
        self, item: Any, text: str, colour: str, anchor: tuple[float, float], *, ground: bool
    ) -> None:
        item.fill = QBrush(QColor(LOOK.theme.panel) if ground else QColor(0, 0, 0, 0))
        font = scaled_font(self.font(), self._type, QFont.Weight.Medium)
        if item.textItem.font() != font:
            item.setFont(font)
        item.setText(text, QColor(colour))
        item.setAnchor(anchor)
        item.update()

    def _put_words(
        self,
        text: str,
        colour: str,
        anchor: tuple[float, float],
        x: float,
        y: float,
        *,
        ground: bool = True,
    ) -> Any:
        item = self._put("words", pg.TextItem)
        self._word(item, text, colour, anchor, ground=ground)
        item.setPos(x, y)
        return item

    def _put_below(self, item: Any) -> Any:
        """Below all that is drawn: a ground there hides the grid alone and cuts nothing."""
        item.setZValue(0.0)
        return item

    def _name_level(self, text: str) -> None:
        """What the level axis is called, beside its numbers: a line of its own costs height."""
        if self._level_name is None:
            self._level_name = pg.LabelItem("", justify="right")
            self.grid.addItem(self._level_name, 1, 0)
        size = f"{round(max(self.font().pixelSize(), 13) * 0.92)}px"
        self._level_name.setText(text, color=LOOK.theme.muted, size=size)

    @property
    def level_name(self) -> str:
        """What stands before the numbers of the level axis."""
        return "" if self._level_name is None else str(self._level_name.text)

    def _label(self, side: str, text: str) -> None:
        size = self.font().pixelSize() if self.font().pixelSize() > 0 else 13
        style = {"color": LOOK.theme.muted, "font-size": f"{round(size * 0.92)}px"}
        self._axes[side].setLabel(text, **style)

    # ------------------------------------------------------------------ the pointer

    def _hovered(self, at: QPointF) -> None:
        """The pointer is over the chart at a position of the scene."""

    def leaveEvent(self, event: QEvent) -> None:
        self._read_nothing()

    def _read_nothing(self) -> None:
        self.read.emit("")

    def _clicked(self, event: Any) -> None:
        if event.double() and self._inside(event.scenePos()):
            self.double_clicked.emit()

    def _inside(self, at: QPointF) -> bool:
        box: QRectF = self.box.sceneBoundingRect()
        return box.contains(at)

    def _x_at(self, at: QPointF) -> float:
        """The axis' value at a position of the scene."""
        return float(self.box.mapSceneToView(at).x())

    def place_of(self, x: float, y: float) -> QPointF:
        """Where a point of the axes lies in the scene."""
        found: QPointF = self.box.mapViewToScene(QPointF(x, y))
        return found
