"""A number by hand: a slider whose range follows the number."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from models.base.limits import Limit

FAR_BELOW = 10.0
"""A range so many times what the number needs is too wide to aim in."""


class NumberSlider(QSlider):
    """A number by hand; its range stays as long as the same items are shown.

    It grows when a typed number does not fit into it, but never under the hand.

    Args:
        limit: bounds of the number.
        step: by which a key moves it, where the range is not shorter than a hundred of them.
        grain: the smallest difference, one position of the handle.
        least_top: end of the range for small numbers.

    Signals:
        moved_to: the number under the handle, while it moves.
        finished: the handle was let go.
    """

    moved_to = Signal(object)
    finished = Signal()

    def __init__(
        self,
        *,
        limit: Limit | None = None,
        step: float = 100.0,
        grain: float = 1.0,
        least_top: float = 1000.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._limit = limit or Limit(ge=0)
        self._step = step
        self._grain = grain
        self._least_top = least_top
        self._is_showing = False
        self._owner: str | None = None
        self.valueChanged.connect(self._moved)
        self.sliderReleased.connect(self.finished)

    def show_value(self, value: float | None, owner: str = "") -> None:
        """Puts the handle at a number of `owner`, the items it belongs to."""
        if self.isSliderDown():
            return
        number = value or 0.0
        self._is_showing = True
        top, end = slider_top(number, self._least_top), self.maximum() * self._grain
        is_far_below = end > FAR_BELOW * top and not self.hasFocus()
        if owner != self._owner or end < max(number, self._least_top / 10) or is_far_below:
            self._owner = owner
            self._set_range(top)
        self.setValue(round(number / self._grain))
        self._is_showing = False

    def _set_range(self, top: float) -> None:
        limit = self._limit
        low = 1 if limit.ge is None else math.ceil(limit.ge / self._grain)
        most = top if limit.le is None else min(top, limit.le)
        positions = round(most / self._grain)
        self.setRange(low, positions)
        self.setSingleStep(max(1, min(round(self._step / self._grain), positions // 100)))
        self.setPageStep(max(1, positions // 20))

    def _moved(self, position: int) -> None:
        if not self._is_showing:
            step = self.singleStep()
            nearest = round(position / step) * step
            self.moved_to.emit(max(nearest, self.minimum()) * self._grain)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finished.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def slider_top(value: float, least: float = 1000.0) -> float:
    """End of the slider's range: 1, 2, 5 or 10 times the least one …, at least twice the number.

    >>> slider_top(4000), slider_top(0), slider_top(12_000), slider_top(14.5, least=16)
    (10000.0, 1000.0, 50000.0, 32.0)
    """
    top = float(least)
    factors = (2, 2.5, 2)
    index = 0
    while top < 2 * value and top < 1e9:
        top *= factors[index % 3]
        index += 1
    return top
