"""Options as points: what they weigh against what they leave; the front of the best is a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QWidget

from app.language import local, tr, trn
from app.look import LOOK
from app.widgets.marks import scaled_font
from app.widgets.plots.canvas import CIRCLE, DOTTED, TYPE, Chart
from app.widgets.plots.placing import placed
from app.widgets.roles import tell_value
from models.options.option import NAMES, UNITS, Measure, Option, front_of

REACH_PX = 14
"""How near the pointer must come to a point to mean it."""
POINT_PX, RING_PX = 11, 19
MARGIN = 0.08
"""Room around the points, as a share of what they span."""
WORTH_SEEING = 2.0
"""What has more than so many times the measure of the whole front is counted, not drawn: the
front would shrink to a dot."""
LEAST_PX = 170
APART_PX = 10.0


class OptionsChart(Chart):
    """A measure to the right, least headroom upwards; arrow keys go from point to point.

    Signals:
        chosen: number of the option, from 1, whose point was clicked or gone to.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options: tuple[Option, ...] = ()
        self.measure = UNITS
        self._told: tuple[str, ...] = ()
        self._current = 0
        self._front = list[tuple[float, float]]()
        self.setMinimumHeight(LEAST_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Options: headroom against what they take"))
        self.written = list[tuple[str, QRectF]]()
        """What is written beside points, and where [px]."""
        self._ring = self._own_sign(CIRCLE, RING_PX)

    def show_options(
        self,
        options: tuple[Option, ...],
        current: str,
        told: tuple[str, ...] = (),
        measure: Measure = UNITS,
    ) -> None:
        """Shows these; `current` is the number of the chosen one, `told` what each is called."""
        self.options, self.measure = options, measure
        self._told = told
        self._current = int(current or 0)
        self.redraw()
        self.setAccessibleDescription(self._told_of(self._current))
        tell_value(self)

    @property
    def drawn(self) -> dict[int, tuple[float, float]]:
        """Numbers of the options that have a point, and where on the axes it lies."""
        weighed = {
            number: (value, max(each.least_headroom, 0.0))
            for number, each in enumerate(self.options, start=1)
            if (value := self.measure.of(each)) is not None
        }
        front = [self.measure.of(each) or 0.0 for each in front_of(self.options, self.measure)]
        most = WORTH_SEEING * max(front, default=0.0)
        return {
            number: at
            for number, at in weighed.items()
            if at[0] <= most or number == self._current or self.options[number - 1].names
        }

    # ------------------------------------------------------------------ drawing

    def _draw(self) -> None:
        self.written = []
        points = self.drawn
        if not points:
            return
        theme = LOOK.theme
        at = np.array(list(points.values()))
        self._scale(at)
        self._label("left", tr("least headroom, %"))
        self._label("bottom", local(self.measure.name))
        best = {id(each) for each in front_of(self.options, self.measure)}
        front = [place for number, place in points.items() if id(self.options[number - 1]) in best]
        front.sort()
        self._front = front
        self._line([x for x, _ in front], [y for _, y in front], self._pen(theme.accent))
        rest = [place for place in points.values() if place not in front]
        for places, ink in ((rest, theme.muted), (front, theme.accent)):
            if places:
                self._dots(places, ink, theme.panel)
        chosen = [points[self._current]] if self._current in points else []
        if chosen:
            self._dots(chosen, theme.accent, theme.accent)
        beyond = self._beyond_words(len(points))
        self._name_points(points, [self._say_beyond(beyond)] if beyond else [])

    def _scale(self, at: Any) -> None:
        low, high = at.min(axis=0), at.max(axis=0)
        edge = MARGIN * max(high[0] - low[0], 1.0)
        most = max(high[1], 1.0)
        self._show_range(
            (low[0] - edge, high[0] + 2 * edge), (-MARGIN * most, (1.0 + 3.0 * MARGIN) * most)
        )

    def _dots(self, places: list[tuple[float, float]], ink: str, fill: str) -> None:
        self._points(
            [x for x, _ in places],
            [y for _, y in places],
            sign=CIRCLE,
            size=POINT_PX,
            pen=self._pen(ink),
            brush=fill,
        )

    def _resized(self, _box: object = None) -> None:
        """Names have another room."""
        self.redraw()

    def _px(self, at: tuple[float, float]) -> QPointF:
        """Where a point of the axes lies in the room between them [px]."""
        found: QPointF = self.box.mapFromView(QPointF(*at))
        return found

    def _name_points(self, points: dict[int, tuple[float, float]], kept: Sequence[QRectF]) -> None:
        """Writes what is best at something beside its point, or at the end of a line from it, and
        not where something else is `kept`."""
        named = [number for number in points if self.options[number - 1].names]
        words = [
            ", ".join(local(NAMES[name]) for name in self.options[number - 1].names)
            for number in named
        ]
        sizes = [self._size_of(each) for each in words]
        others = [self._px(at) for number, at in points.items() if number not in named]
        others += _along([self._px(at) for at in self._front])
        room = QRectF(self.box.rect())
        found = placed([self._px(points[number]) for number in named], sizes, room, others, kept)
        for number, name, place in zip(named, words, found, strict=True):
            if place is None:
                continue
            if place.leads:
                end = self.box.mapToView(place.nearest_to(self._px(points[number])))
                x, y = points[number]
                self._line([x, end.x()], [y, end.y()], self._pen(LOOK.theme.muted, 1.0, DOTTED))
            start = self.box.mapToView(place.box.topLeft())
            self._put_words(name, LOOK.theme.text, (0.0, 0.0), start.x(), start.y(), ground=False)
            self.written.append((name, place.box))

    def _size_of(self, words: str) -> QSizeF:
        metrics = QFontMetricsF(scaled_font(self.font(), TYPE, QFont.Weight.Medium))
        return QSizeF(metrics.horizontalAdvance(words) + 10, metrics.height() + 8)

    def _beyond_words(self, drawn: int) -> str:
        """How many options have no point: too far to the right, or not known there."""
        unknown = sum(self.measure.of(each) is None for each in self.options)
        farther = len(self.options) - unknown - drawn
        said = []
        if farther:
            said.append(trn("{count} more, farther right", "{count} more, farther right", farther))
        if unknown:
            said.append(trn("{count} without a price", "{count} without a price", unknown))
        return "; ".join(said)

    def _say_beyond(self, words: str) -> QRectF:
        """Says that at the lower right: where [px]."""
        (_, right), (low, _) = self.box.viewRange()
        self._put_words(words, LOOK.theme.muted, (1.0, 1.0), right, low, ground=False)
        size, end = self._size_of(words), QRectF(self.box.rect()).bottomRight()
        return QRectF(end - QPointF(size.width(), size.height()), size)

    # ------------------------------------------------------------------ pointer and keys

    def _near(self, at: QPointF) -> int:
        """Number of the option whose point is at a position of the scene; 0 for none."""
        near = [
            ((self.place_of(*place) - at).manhattanLength(), number)
            for number, place in self.drawn.items()
        ]
        distance, number = min(near, default=(REACH_PX + 1.0, 0))
        return number if distance <= REACH_PX else 0

    def _told_of(self, number: int) -> str:
        return self._told[number - 1] if 0 < number <= len(self._told) else ""

    def _clicked(self, event: Any) -> None:
        if number := self._near(event.scenePos()):
            self.chosen.emit(str(number))

    def _hovered(self, at: QPointF) -> None:
        number = self._near(at)
        self._mark(number)
        self.canvas.setToolTip(self._told_of(number))

    def _read_nothing(self) -> None:
        self._mark(0)
        super()._read_nothing()

    def _mark(self, number: int) -> None:
        places = [self.drawn[number]] if number else []
        self._ring.setData([x for x, _ in places], [y for _, y in places])
        self._ring.setPen(self._pen(LOOK.theme.accent))
        self.canvas.setCursor(
            Qt.CursorShape.PointingHandCursor if number else Qt.CursorShape.ArrowCursor
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        points = self.drawn
        if step is None or not points:
            super().keyPressEvent(event)
            return
        order = sorted(points, key=lambda number: points[number])
        there = order.index(self._current) if self._current in order else -step
        self.chosen.emit(str(order[min(max(there + step, 0), len(order) - 1)]))


def _along(line: list[QPointF]) -> list[QPointF]:
    """Points of a line that lie so close that no name fits between two of them."""
    found = list[QPointF]()
    for start, end in pairwise(line):
        steps = int((end - start).manhattanLength() / APART_PX)
        found += [start + (end - start) * (step / (steps + 1)) for step in range(1, steps + 1)]
    return found
