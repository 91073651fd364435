"""Response time against users: line, band, measurements, knee, limit, and where the VM stands."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.look import LOOK
from app.widgets.chart_data import CurveView, Standing
from app.widgets.legend import BAND_ALPHA
from app.widgets.plots.canvas import (
    CIRCLE,
    CROSS,
    DASHED,
    DIAMOND,
    DOTTED,
    SOLID,
    TRIANGLE,
    Chart,
)
from app.wording import locale_style
from models.base.spreadsheets import table_text
from models.scenario.wording import THIN, about_text, crossing_text, decimals_for, number
from models.studies.curves import Crossing

NEAR_EDGE = 0.8
"""From this share of the axis on, words stand before what they name, for lack of room."""


class ResponseChart(Chart):
    """A line with its band, what was measured, knee, limit, and where the VM stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curve: CurveView | None = None
        self.is_log = False
        self._standings: list[Any] = []
        self._pointer = self._cursor()
        self.setAccessibleName(tr("Response time against users"))

    def data_text(self) -> str:
        """The line with its range, then what was measured."""
        curve = self.curve
        if curve is None:
            return ""
        rows = zip(curve.users, curve.value, curve.low, curve.high, strict=True)
        points = [
            (p.users, p.response_ms, tr("doubted") if p.doubted else "") for p in curve.points
        ]
        heads = (
            (tr("users"), tr("response ms"), tr("low ms"), tr("high ms")),
            (tr("users"), tr("measured ms"), ""),
        )
        return f"{table_text(heads[0], rows)}\n{table_text(heads[1], points)}"

    def set_log(self, is_log: bool) -> None:
        self.is_log = is_log
        self.redraw()

    def show_curve(self, curve: CurveView) -> None:
        """Shows a line; while only the place on it moves, only that is drawn again."""
        before, self.curve = self.curve, curve
        self.setAccessibleDescription(curve_words(curve))
        if before is not None and same_picture(before, curve):
            self._draw_standings(curve)
        else:
            self.redraw()

    def _draw(self) -> None:
        curve = self.curve
        if curve is None:
            return
        self._axes["left"].is_log = self.is_log
        self._label("left", tr("response time, ms"))
        self._name_level(tr("users"))
        self._fit(curve)
        self._draw_band(curve)
        self._draw_line(curve)
        self._draw_limit(curve)
        self._draw_knee(curve)
        self._draw_points(curve)
        self._standings.clear()
        self._draw_standings(curve)
        self._pointer.setPen(self._pen(LOOK.theme.line_strong, 1.0))
        self._pointer.hide()
        self._add(self._pointer)

    def _fit(self, curve: CurveView) -> None:
        right = curve.right
        bottom = math.log10(self._floor(curve)) if self.is_log else 0.0
        top = math.log10(curve.top_ms * 2) if self.is_log else curve.top_ms
        self._show_range((0, right), (bottom, top))

    def _floor(self, curve: CurveView) -> float:
        seen = [p.response_ms for p in curve.points] + [float(np.nanmin(curve.low))]
        lowest = min((ms for ms in seen if ms > 0 and math.isfinite(ms)), default=10.0)
        return float(max(lowest * 0.8, 1.0))

    def _y(self, ms: Any) -> Any:
        return np.log10(np.maximum(ms, 1e-3)) if self.is_log else ms

    def _draw_band(self, curve: CurveView) -> None:
        edge, fill = (
            self._pen(LOOK.theme.line, 1.0),
            self._brush(LOOK.theme.accent, alpha=BAND_ALPHA),
        )
        self._band(curve.users, self._y(curve.low), self._y(curve.high), edge, fill)

    def _draw_line(self, curve: CurveView) -> None:
        """Solid where measurements lie around it, dashed where they don't."""
        known = np.isfinite(curve.value)
        users, value, here = curve.users[known], curve.value[known], curve.is_covered[known]
        solid = np.append(here[:-1] & here[1:], False)
        for joined, style in ((solid, SOLID), (~solid, DASHED)):
            if joined[:-1].any():
                pen = self._pen(LOOK.theme.accent, 2.4, style)
                self._line(users, self._y(value), pen, joined.astype(np.int32))

    def _draw_limit(self, curve: CurveView) -> None:
        theme, y = LOOK.theme, self._y(curve.limit_ms)
        self._level(y, self._pen(theme.bad, 1.8))
        words = tr("limit {limit_ms}", limit_ms=_ms(curve.limit_ms))
        self._put_words(words, theme.bad, (0, 0.5), 0, y)  # above it a low chart has no room
        cross = curve.crossing
        if cross.users is not None and not cross.from_the_first and cross.users <= curve.right:
            pen = self._pen(theme.bad, 2)
            self._points([cross.users], [y], sign=CIRCLE, size=9, pen=pen, brush=theme.panel)

    def _draw_knee(self, curve: CurveView) -> None:
        if curve.knee is None or curve.knee > curve.right:
            return
        theme = LOOK.theme
        self._upright(curve.knee, self._pen(theme.line_strong, 1.4, DOTTED))
        bottom, top = self.box.viewRange()[1]
        height = bottom + 0.42 * (top - bottom)
        self._put_words(
            tr("knee {knee}", knee=_users(curve.knee)),
            theme.muted,
            (1.04 if curve.knee > NEAR_EDGE * curve.right else -0.04, 0.5),
            curve.knee,
            height,
        )

    def _draw_points(self, curve: CurveView) -> None:
        theme = LOOK.theme
        for doubted, sign, size, pen, brush in (
            (False, CIRCLE, 9, self._pen(theme.panel, 1), theme.text),
            (True, CROSS, 11, self._pen(theme.text, 1), theme.warn),
        ):
            chosen = [point for point in curve.points if point.doubted is doubted]
            if chosen:
                users = [p.users for p in chosen]
                times = [float(self._y(p.response_ms)) for p in chosen]
                self._points(users, times, sign=sign, size=size, pen=pen, brush=brush)

    def _draw_standings(self, curve: CurveView) -> None:
        self._take_off(self._standings)
        if curve.before is not None:
            self._draw_standing(curve, curve.before, is_now=False)
        if curve.now is not None:
            self._draw_standing(curve, curve.now, is_now=True)

    def _draw_standing(self, curve: CurveView, standing: Standing, *, is_now: bool) -> None:
        value = standing.response.value
        if value is None:
            return
        theme = LOOK.theme
        colour = theme.accent if is_now else theme.ghost
        ms = min(value, curve.top_ms * 0.985)
        item = self._points(
            [standing.users],
            [float(self._y(ms))],
            sign=DIAMOND if ms == value else TRIANGLE,
            size=15,
            pen=self._pen(theme.panel if is_now else colour, 2),
            brush=colour if is_now else theme.panel,
        )
        self._standings.append(item)
        if is_now:
            text = local(about_text(standing.response, "ms", style=locale_style()))
            right_half = standing.users > 0.6 * curve.right
            # above it, but below it where it stands at the upper edge
            anchor = (1.08 if right_half else -0.08, 1.05 if ms == value else -0.05)
            place = (standing.users, float(self._y(ms)))
            self._standings.append(self._put_words(text, theme.text, anchor, *place))

    def _hovered(self, at: QPointF) -> None:
        curve = self.curve
        if curve is None:
            return
        users = self._x_at(at)
        words = reading_words(curve, users) if self._inside(at) else ""
        self._pointer.setVisible(bool(words))
        self._pointer.setPos(users)
        self.read.emit(words)

    def _read_nothing(self) -> None:
        self._pointer.hide()
        super()._read_nothing()


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
    words = tr(
        "{users} users: about {value}\u202fms ({low}–{high})",
        users=_users(users),
        value=shown[0],
        low=shown[1],
        high=shown[2],
    )
    point = curve.nearest(users, reach=curve.right * 0.02)
    if point is None:
        return words
    doubt = tr(", doubted by its authors") if point.doubted else ""
    return tr(
        "{words}; measured at {users}: {response_ms}{doubt}",
        words=words,
        users=_users(point.users),
        response_ms=_ms(point.response_ms),
        doubt=doubt,
    )


def curve_words(curve: CurveView) -> str:
    """The chart for those who can't see it, and the line above it for those who can."""
    style = locale_style()
    parts = []
    if curve.now is not None and curve.now.response.value is not None:
        about = local(about_text(curve.now.response, "ms", style=style))
        users = number(curve.now.users, style=style)  # an input, said as it was given
        parts.append(tr("{about} at {users} users", about=about, users=users))
    if curve.crossing.users is not None:
        parts.append(crossing_words(curve.crossing, curve.limit_ms))
    return "; ".join(parts)


def crossing_words(crossing: Crossing, limit_ms: float) -> str:
    """``1,000 ms at about 5,000 users (4,400–5,600, extrapolated)``."""
    if crossing.from_the_first:
        return tr("above {limit_ms} from the first user on", limit_ms=_ms(limit_ms))
    ends = (crossing.low, crossing.high)
    style = locale_style()
    return local(crossing_text(crossing.users, ends, crossing.basis, limit_ms, style=style))


def _users(users: float) -> str:
    decimals = -1 if users >= 100 else 0
    return number(users, decimals, style=locale_style())


def _ms(ms: float) -> str:
    return f"{number(ms, style=locale_style())}{THIN}ms"
