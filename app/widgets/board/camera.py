"""Which part of the board is seen, and how large: zoom levels, scrolling, and the way to a card."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, QTimer, Signal
from PySide6.QtWidgets import QAbstractScrollArea

from app.widgets.board.layout import BoardLayout, Box
from app.work import pause

ZOOMS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
SCROLL_EDGE_PX = 28
SCROLL_STEP_PX = 9
SCROLL_AFTER_MS = 300
"""A hand that only passes the edge on its way does not scroll."""

SCROLL_INTERVAL_MS = 16
ROOM_PX = 12.0
LEAST_AT_FIRST = 0.8
"""Smaller than this a new board would be whole but not read: it then begins at 100 %."""


class Camera(QObject):
    """The scroll bars and the zoom of one board.

    Signals:
        zoom_changed: the new zoom, 1 is 100 %.
        drifted: it scrolled because the hand stays at an edge.
    """

    zoom_changed = Signal(float)
    drifted = Signal()

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self.zoom = 1.0
        self._drift_px = 0
        self._drifting = QTimer(self)
        self._drifting.setInterval(SCROLL_INTERVAL_MS)
        self._drifting.timeout.connect(self._drift)
        self._dwell = pause(self, SCROLL_AFTER_MS, self._drifting.start)
        for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
            bar.setSingleStep(24)

    # ------------------------------------------------------------------ where

    @property
    def offset(self) -> QPointF:
        bars = self._area.horizontalScrollBar(), self._area.verticalScrollBar()
        return QPointF(bars[0].value(), bars[1].value())

    @property
    def seen(self) -> Box:
        """The part of the board that the viewport shows."""
        offset, room = self.offset, self._area.viewport().size()
        return Box(offset.x(), offset.y(), float(room.width()), float(room.height()))

    def to_board(self, position: QPointF) -> tuple[float, float]:
        """Viewport to board coordinates."""
        on_board = position + self.offset
        return on_board.x(), on_board.y()

    def fit_bars(self, layout: BoardLayout) -> None:
        """Lets the scroll bars reach over the whole layout."""
        room = self._area.viewport().size()
        for bar, length, page in (
            (self._area.verticalScrollBar(), layout.height, room.height()),
            (self._area.horizontalScrollBar(), layout.width, room.width()),
        ):
            bar.setPageStep(page)
            bar.setRange(0, max(0, round(length) - page))

    def reveal(self, box: Box) -> None:
        """Scrolls so far that a box is in view, from its top where it is higher than that."""
        bar, room = self._area.verticalScrollBar(), self._area.viewport().height()
        if box.y < bar.value() or box.h > room:
            bar.setValue(round(box.y - ROOM_PX))
        elif box.bottom > bar.value() + room:
            bar.setValue(round(box.bottom - room + ROOM_PX))

    # ------------------------------------------------------------------ how large

    def set_zoom(self, zoom: float) -> None:
        zoom = min(max(zoom, ZOOMS[0]), ZOOMS[-1])
        if zoom != self.zoom:
            self.zoom = zoom
            self.zoom_changed.emit(zoom)

    def zoom_in(self) -> None:
        self.set_zoom(next((z for z in ZOOMS if z > self.zoom + 1e-6), ZOOMS[-1]))

    def zoom_out(self) -> None:
        self.set_zoom(next((z for z in reversed(ZOOMS) if z < self.zoom - 1e-6), ZOOMS[0]))

    def zoom_to_fit(self, laid_out: Callable[[float], BoardLayout]) -> None:
        """The largest zoom up to 100 % at which the whole board is in view.

        Args:
            laid_out: the layout at a zoom.
        """
        self.set_zoom(self._fitting(laid_out) or ZOOMS[0])

    def zoom_at_first(self, laid_out: Callable[[float], BoardLayout]) -> None:
        """The same where what is then seen can be read, else 100 %."""
        zoom = self._fitting(laid_out) or 0.0
        self.set_zoom(zoom if zoom >= LEAST_AT_FIRST else 1.0)

    def _fitting(self, laid_out: Callable[[float], BoardLayout]) -> float | None:
        room = self._area.viewport().height()
        zooms = (zoom for zoom in reversed(ZOOMS) if zoom <= 1.0)
        return next((zoom for zoom in zooms if laid_out(zoom).height <= room), None)

    # ------------------------------------------------------------------ at the edges

    def drift_at(self, position: QPointF) -> None:
        """The hand is there with something in it: at the upper and lower edge the board follows."""
        self._drift_px = edge_step(position.y(), self._area.viewport().height())
        if self._drift_px == 0:
            self.hold_still()
        elif not (self._drifting.isActive() or self._dwell.isActive()):
            self._dwell.start()

    def hold_still(self) -> None:
        self._dwell.stop()
        self._drifting.stop()

    def _drift(self) -> None:
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + self._drift_px)
        self.drifted.emit()


def edge_step(y: float, height: float) -> int:
    """Pixels to scroll by at a height of the viewport: the nearer to the edge, the more.

    >>> edge_step(100, 400), edge_step(0, 400), edge_step(386, 400), edge_step(500, 400)
    (0, -9, 5, 9)
    """
    above, below = SCROLL_EDGE_PX - y, y - (height - SCROLL_EDGE_PX)
    depth = max(above, below, 0.0)
    step = -(-min(depth / SCROLL_EDGE_PX, 1.0) * SCROLL_STEP_PX // 1)
    return int(-step if above > below else step)
