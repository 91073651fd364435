"""How the proposal's response chart is laid out: its scale, and a free place for its label.

Lengths are in points from the upper left corner of the chart, y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, inf, log, log10

from models.tell.blocks import ResponsePlot

WIDTH, HEIGHT = 467.7, 209.8
LEFT, RIGHT, TOP, BOTTOM = 34.0, 8.0, 10.0, 30.0

ABOVE_LIMIT, ABOVE_CURRENT = 1.25, 1.5
"""The scale shows this much around the limit, and above today’s response, at least."""

LABEL_HEIGHT = 11.0
LETTER = 4.3
"""Height of the label's line, and the width of one of its letters on average, in points."""

_SIDES = (("left", "above"), ("right", "below"), ("right", "above"), ("left", "below"))
_GAPS = (7.0, 14.0, 24.0, 36.0)
EACH_STEP_AWAY = 25.0
_FINEST = 1.5
"""Distance in points at which a line is sampled when looking for a free place."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        """The point lies inside or on the edge."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """Where the label of today's point goes; `right`: its text ends at the box's right edge."""

    box: Box
    right: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The chart's scale in users and, logarithmic, in milliseconds.

    Attributes:
        low, high: response times at the bottom and at the top [ms].
        ticks: the response times that are marked [ms].
        cut: the curve leaves the chart at the top.
        users: at its right end; `first`: at its left one.
    """

    users: float
    low: float
    high: float
    ticks: tuple[float, ...]
    cut: bool
    first: float = 0.0

    def x_of(self, users: float) -> float:
        """Users as a place across."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (users - self.first) / (self.users - self.first)

    def y_of(self, ms: float) -> float:
        """A response time as a place down; above the chart for one beyond the scale."""
        share = log(max(ms, 1e-3) / self.low) / log(self.high / self.low)
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def frame_of(plot: ResponsePlot) -> Frame:
    """A scale in steps of 1, 3, 10 that holds the limit, today's point and all that was measured.

    The curve itself may leave it at the top: past the knee it rises without end.
    """
    shown = [ABOVE_LIMIT * plot.limit, *(point.ms for point in plot.points)]
    if plot.current_ms is not None:
        shown.append(ABOVE_CURRENT * plot.current_ms)
    least = [plot.limit / ABOVE_LIMIT, *plot.value, *(point.ms for point in plot.points)]
    low = _round_down(max(1.0, min(least)))
    high = max(_round_up(max(shown)), 10 * low)
    cut = max(plot.value, default=0.0) > high
    return Frame(plot.users[-1], low, high, _ticks(low, high), cut, plot.users[0])


def label_place(plot: ResponsePlot, frame: Frame) -> LabelPlace | None:
    """The place beside today's point that covers least; None without such a point."""
    users, ms = plot.current_users, plot.current_ms
    if users is None or ms is None or users > frame.users:
        return None
    at = (frame.x_of(users), frame.y_of(ms))
    width = LETTER * len(plot.current_label) + 2
    places = [_beside(at, width, side, gap) for gap in _GAPS for side in _SIDES]
    costs = [_covered(place.box, plot, frame) for place in places]
    # the nearest of the free places: a step away costs as much as hiding a little of the band
    far = [EACH_STEP_AWAY * (number // len(_SIDES)) for number in range(len(places))]
    return places[min(range(len(places)), key=lambda number: costs[number] + far[number])]


def _beside(at: tuple[float, float], width: float, side: tuple[str, str], gap: float) -> LabelPlace:
    across, down = side
    x = at[0] - gap - width if across == "left" else at[0] + gap
    y = at[1] - gap - LABEL_HEIGHT + 2 if down == "above" else at[1] + gap - 2
    return LabelPlace(Box(x, y, width, LABEL_HEIGHT), across == "left")


def _covered(box: Box, plot: ResponsePlot, frame: Frame) -> float:
    """How much of what is drawn the box would hide: 0 is a free place."""
    if box.x < LEFT or box.x + box.width > WIDTH or box.y < 0:
        return inf
    if box.y + box.height > HEIGHT - BOTTOM:
        return inf
    hidden = 10.0 * _length_inside(box, plot.users, plot.value, frame)
    hidden += sum(100.0 for p in plot.points if box.holds(frame.x_of(p.users), frame.y_of(p.ms)))
    limit = frame.y_of(plot.limit)
    if box.y <= limit <= box.y + box.height:
        hidden += 300.0
    if box.x < LEFT + LETTER * len(plot.limit_label) and box.y < limit < box.y + 2 * box.height:
        hidden += 300.0
    if plot.knee is not None and box.x <= frame.x_of(plot.knee) <= box.x + box.width:
        hidden += 30.0
    edges = (plot.low, plot.high)
    return hidden + 0.5 * sum(_length_inside(box, plot.users, edge, frame) for edge in edges)


def _length_inside(
    box: Box, users: tuple[float, ...], values: tuple[float, ...], frame: Frame
) -> float:
    """How many samples of the line fall into the box."""
    places = [(frame.x_of(u), frame.y_of(ms)) for u, ms in zip(users, values, strict=True)]
    inside = 0
    for (x0, y0), (x1, y1) in pairwise(places):
        steps = max(1, ceil(max(abs(x1 - x0), abs(y1 - y0)) / _FINEST))
        inside += sum(
            box.holds(x0 + (x1 - x0) * n / steps, y0 + (y1 - y0) * n / steps)
            for n in range(steps + 1)
        )
    return float(inside)


def _ticks(low: float, high: float) -> tuple[float, ...]:
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    marks = (lead * 10.0**power for power in powers for lead in (1.0, 3.0))
    return tuple(mark for mark in marks if low <= mark <= high)


def _round_up(value: float) -> float:
    power = 10.0 ** floor(log10(value))
    return next(lead * power for lead in (1.0, 3.0, 10.0) if lead * power >= value * (1 - 1e-9))


def _round_down(value: float) -> float:
    power = 10.0 ** floor(log10(value))
    return 3.0 * power if value >= 3.0 * power else power
