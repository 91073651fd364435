"""Measured figures against held-out predictions, with the line on which both are equal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.look import LOOK
from app.qtmodels.accuracy import PlotPoint, measured_text
from app.theme import Theme
from app.widgets.plots.canvas import (
    CIRCLE,
    DASHED,
    DIAMOND,
    DOTTED,
    SQUARE,
    TRIANGLE,
    Chart,
)
from app.wording import locale_style
from models.predict.predicted import unit_of
from models.scenario.wording import about_text, number, range_text

POINT_SIGNS = {"physical": CIRCLE, "rdm": SQUARE, "vmfs": TRIANGLE}
"""Signs of the storage paths: circle, square, triangle."""
REACH_PX = 14
"""How near the pointer must come to a point to mean it."""


class AccuracyChart(Chart):
    """Measured figures against held-out predictions, with the line on which both are equal.

    A bar is the 90 % range of a prediction: where it misses the line, the range missed the
    measurement. Signs and colours are storage paths; cells that their authors doubt are open.

    Signals:
        picked: evidence id of the point that was clicked.
    """

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.points: tuple[PlotPoint, ...] = ()
        self.chosen = ""
        self._ring, self._halo = self._own_sign(CIRCLE, 19), self._own_sign(CIRCLE, 19)
        self.setAccessibleName(tr("Measured against predicted"))

    @property
    def is_log(self) -> bool:
        """Response times span decades; per cent of CPU don't."""
        return bool(self.points) and self.points[0].point.quantity.endswith("_ms")

    def show_points(self, points: tuple[PlotPoint, ...]) -> None:
        if points != self.points:
            self.points = points
            self.setAccessibleDescription(tr("The table beside the chart lists every point."))
            self.redraw()

    def choose(self, id: str) -> None:
        """Rings the point with this evidence id, if it is shown."""
        self.chosen = id
        self._circle(self._ring, next((p for p in self.points if p.id == id), None))

    def _draw(self) -> None:
        self._halo.clear()
        if not self.points:
            self._ring.clear()
            return
        for axis in self._axes.values():
            axis.is_log = self.is_log
            axis.setGrid(26)
        unit = unit_of(self.points[0].point.quantity)
        self._label("left", tr("predicted, {unit}", unit=unit))
        self._label("bottom", tr("measured, {unit}", unit=unit))
        self._fit()
        self._draw_identity()
        self._draw_ranges()
        for path in sorted({each.path for each in self.points}):
            for is_doubted in (False, True):
                self._draw_signs(path, is_doubted)
        self._ring.setPen(self._pen(LOOK.theme.accent, 2.6))
        self._halo.setPen(self._pen(LOOK.theme.line_strong, 1.6))
        self.choose(self.chosen)

    def _at(self, value: float) -> float:
        return math.log10(max(value, 1e-3)) if self.is_log else value

    def _fit(self) -> None:
        """Both axes alike, so that the line rises corner to corner; bars may leave the chart."""
        held = [each.point for each in self.points]
        seen = [value for p in held for value in (p.measured, p.predicted)]
        low, high = (min(seen) / 1.5, max(seen) * 1.6) if self.is_log else (0.0, max(seen) * 1.12)
        ends = self._at(low) if self.is_log else 0.0, self._at(high)
        self._show_range(ends, ends)

    def _draw_identity(self) -> None:
        ends = self.box.viewRange()[0]
        self._line(ends, ends, self._pen(LOOK.theme.line_strong, 1.6))
        at = ends[0] + 0.97 * (ends[1] - ends[0])
        self._put_words(tr("predicted = measured"), LOOK.theme.muted, (1.04, 0), at, at)

    def _draw_ranges(self) -> None:
        """Bars that miss the line are dashed and strong: their range missed the measurement."""
        theme = LOOK.theme
        for is_inside, pen in (
            (True, self._pen(theme.line_strong, 1.2)),
            (False, self._pen(theme.bad, 2.0, DASHED)),
        ):
            chosen = [p for p in self.points if not p.is_doubted and p.is_inside is is_inside]
            self._draw_bars(chosen, pen)
        doubted = [p for p in self.points if p.is_doubted]
        self._draw_bars(doubted, self._pen(theme.line_strong, 1.0, DOTTED))

    def _draw_bars(self, chosen: list[PlotPoint], pen: QPen) -> None:
        if not chosen:
            return
        x = np.repeat([self._at(p.point.measured) for p in chosen], 2)
        y = [self._at(end) for p in chosen for end in (p.point.low, p.point.high)]
        self._line(x, y, pen, "pairs")

    def _draw_signs(self, path: str, is_doubted: bool) -> None:
        chosen = [p for p in self.points if p.path == path and p.is_doubted is is_doubted]
        if not chosen:
            return
        theme = LOOK.theme
        colour = path_colour(path, theme)
        self._points(
            [self._at(p.point.measured) for p in chosen],
            [self._at(p.point.predicted) for p in chosen],
            sign=POINT_SIGNS.get(path, DIAMOND),
            size=10,
            pen=self._pen(colour, 2.0) if is_doubted else self._pen(theme.panel, 1.0),
            brush=theme.panel if is_doubted else colour,
        )

    def _circle(self, item: Any, each: PlotPoint | None) -> None:
        if each is None:
            item.clear()
        else:
            item.setData([self._at(each.point.measured)], [self._at(each.point.predicted)])

    def near(self, at: QPointF) -> PlotPoint | None:
        """The point at a position of the scene; the nearest of several."""
        if not self.points or not self._inside(at):
            return None
        places = [
            self.place_of(self._at(p.point.measured), self._at(p.point.predicted))
            for p in self.points
        ]
        away = [math.hypot(place.x() - at.x(), place.y() - at.y()) for place in places]
        nearest = int(np.argmin(away))
        return self.points[nearest] if away[nearest] <= REACH_PX else None

    def _hovered(self, at: QPointF) -> None:
        each = self.near(at)
        if self.points:
            self._circle(self._halo, each)
        cursor = Qt.CursorShape.ArrowCursor if each is None else Qt.CursorShape.PointingHandCursor
        self.canvas.viewport().setCursor(cursor)
        self.read.emit(point_words(each) if each is not None else "")

    def _clicked(self, event: Any) -> None:
        each = self.near(event.scenePos())
        if each is not None:
            self.picked.emit(each.id)

    def _read_nothing(self) -> None:
        self._halo.clear()
        super()._read_nothing()


def path_colour(path: str, theme: Theme) -> str:
    """The colour of a storage path; its sign says the same without colour."""
    colours = {"physical": theme.generic, "rdm": theme.sametime, "vmfs": theme.nrpc}
    return colours.get(path, theme.text)


def point_words(each: PlotPoint) -> str:
    """``Clovertown VMFS 14.5 GB, 4,000 users: measured 46 %, predicted about 45 % (…)``."""
    style = locale_style()
    unit = unit_of(each.point.quantity)
    users = (
        ""
        if each.users is None
        else tr(", {users} users", users=number(each.users, -1, style=style))
    )
    about = local(about_text(each.predicted, unit, style=style))
    spread = range_text(each.predicted, unit, style=style)
    if each.is_doubted:
        note = tr("; doubted by its authors, not counted")
    else:
        note = "" if each.is_inside else tr("; outside its range")
    measured = measured_text(each.point, style)
    return tr(
        "{label}{users}: measured {measured}, predicted {about} ({spread}){note}",
        label=each.label,
        users=users,
        measured=measured,
        about=about,
        spread=spread,
        note=note,
    )
