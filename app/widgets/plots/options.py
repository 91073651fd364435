"""Options as points: what they weigh against what they leave; the front of the best is a line."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Signal
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.look import LOOK
from app.widgets.plots.canvas import CIRCLE, Chart
from models.options.option import NAMES, Option, Options

REACH_PX = 14
"""How near the pointer must come to a point to mean it."""
POINT_PX = 11
MARGIN = 0.08
"""Room around the points, as a share of what they span."""


class OptionsChart(Chart):
    """Units to the right, least headroom upwards.

    Signals:
        chosen: number of the option, from 1, whose point was clicked.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options: tuple[Option, ...] = ()
        self._front: tuple[Option, ...] = ()
        self._current = ""
        self.setMinimumHeight(170)
        self.setAccessibleName(tr("Options: units against headroom"))
        self.canvas.scene().sigMouseClicked.connect(self._clicked)

    def show_options(self, found: Options | None, current: str) -> None:
        """Shows these; `current` is the number of the chosen one."""
        self.options = () if found is None else tuple(found.options)
        self._front = () if found is None else tuple(found.front)
        self._current = current
        self.redraw()

    def _draw(self) -> None:
        if not self.options:
            return
        theme = LOOK.theme
        units = [each.units for each in self.options]
        most = max(*(each.least_headroom for each in self.options), 1.0)
        edge = MARGIN * max(max(units) - min(units), 1.0)
        self._show_range(
            (min(units) - edge, max(units) + edge), (-MARGIN * most, (1.0 + 3.0 * MARGIN) * most)
        )
        self._label("left", tr("least headroom, %"))
        self._label("bottom", tr("units"))
        line = np.array([(each.units, each.least_headroom) for each in self._front])
        if line.size:
            self._line(line[:, 0], line[:, 1], self._pen(theme.accent))
        front = {id(each) for each in self._front}
        for number, each in enumerate(self.options, start=1):
            ink = theme.accent if id(each) in front else theme.muted
            self._points(
                [each.units],
                [each.least_headroom],
                sign=CIRCLE,
                size=POINT_PX,
                pen=self._pen(ink),
                brush=theme.accent if str(number) == self._current else theme.panel,
            )
            if each.names:
                names = ", ".join(local(NAMES[name]) for name in each.names)
                place = (each.units, max(each.least_headroom, 0.0))
                self._put_words(names, theme.text, (-0.04, 1.1), *place, ground=False)

    def _clicked(self, event: Any) -> None:
        at: QPointF = event.scenePos()
        near = []
        for number, each in enumerate(self.options, start=1):
            place = self.place_of(each.units, max(each.least_headroom, 0.0))
            near.append(((place - at).manhattanLength(), -number))
        distance, number = min(near, default=(REACH_PX + 1.0, 0))
        if distance <= REACH_PX:
            self.chosen.emit(str(-number))
