"""Any input against any number, with today's point that can be dragged along the line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.look import LOOK
from app.theme import LIGHT
from app.widgets.legend import BAND_ALPHA
from app.widgets.plots.canvas import CIRCLE, CROSS, DIAMOND, SOLID, SQUARE, TRIANGLE, Chart
from app.widgets.whatif_text import (
    beyond_words,
    data_text,
    is_passed,
    limit_words,
    reading_words,
    turns_words,
    value_words,
    view_words,
)
from app.widgets.whatif_view import WhatIfView, at, bounds, highest, lowest
from app.wording import tip_text
from models.base.quantities import NO_DATA, Basis, Quantity
from models.predict.prediction import Verdict
from models.studies.sweep import Sweep

SIGNS = {
    Verdict.FITS: CIRCLE,
    Verdict.NOT_KNOWN: SQUARE,
    Verdict.AT_RISK: TRIANGLE,
    Verdict.DOES_NOT_FIT: CROSS,
}
"""Sign of a point by the verdict on the whole scenario there."""

GRIP_PX = 16
SIGN_PX, ROOM_PX = 10, 25
"""Size of a sign, and room above the highest of them for a line of words [px]."""
LIMIT_WORDS = 0.2
"""Nearer to the top than this share of the height, the limit has its words below its line."""


class WhatIfChart(Chart):
    """Line, range, a sign a point that says its verdict, the limit, and a handle on today.

    Signals:
        dragged: the value of the input under the handle, while it is held.
        dropped: where it was let go; let_go: it was put back.
        stepped: moved a little by a key, down (−1) or up (1).
    """

    dragged = Signal(float)
    dropped = Signal(float)
    let_go = Signal()
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view: WhatIfView | None = None
        self._handle: list[Any] = []
        self._held: float | None = None
        self._told: tuple[float, Quantity] | None = None
        self._is_log = False
        self._beyond_px = 0.0
        self._pointer = self._cursor()
        self._said = self._words("", LIGHT.text, (0, 0))
        self._standing_words = ""
        self.canvas.viewport().installEventFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("What if"))

    @property
    def turns(self) -> str:
        """Where the verdict becomes another one along the line, and why."""
        return "" if self.view is None else turns_words(self.view)

    @property
    def is_held(self) -> bool:
        """The handle is being dragged."""
        return self._held is not None

    def show_view(self, view: WhatIfView) -> None:
        """Shows a sweep; where only today's point moved, only that is drawn again."""
        before, self.view = self.view, view
        if before is not None and before.sweep is not view.sweep:
            self._told = None
        turns = turns_words(view)
        self.setAccessibleDescription("; ".join(filter(None, (view_words(view), turns))))
        if before is not None and before.sweep is view.sweep:
            self._draw_handle()
        else:
            self.redraw()

    def tell(self, x: float, number: Quantity) -> None:
        """What was worked out for the value that is held: the line between its points is not."""
        if x == self._held and self._told != (x, number):
            self._told = (x, number)
            self._draw_handle()

    def data_text(self) -> str:
        return "" if self.view is None else data_text(self.view)

    def _draw(self) -> None:
        self._handle.clear()
        self._pointer.hide()
        view = self.view
        if view is None or not np.isfinite(view.sweep.number).any():
            return
        theme = LOOK.theme
        self._name_level(local(view.input.unit))
        self._label("left", local(view.output.unit or view.output.label))
        self._axes["left"].is_log = self.is_log
        self._fit(view)
        self._draw_line(view.sweep)
        self._draw_limit(view)
        self._draw_beyond(view)
        self._draw_signs(view.sweep)
        self._draw_handle()
        self._pointer.setPen(self._pen(theme.line_strong, 1.0))
        self._add(self._pointer)
        self._said = self._put_below(self._put_words("", theme.text, (0, 0), *self._corner()))
        self._say_there(self._standing_words)

    def say(self, words: str) -> None:
        """Words that stand in the corner while nothing is read there."""
        self._standing_words = words
        self._say_there(words)

    def _say_there(self, words: str) -> None:
        room = round(self.box.width() - self._beyond_px * (words == self._standing_words))
        shown = self.fitting(words, room)
        self._said.setText(shown)
        self._said.setToolTip(tip_text(words) if shown != words else "")

    def fitting(self, words: str, room: int) -> str:
        """Where there is no room [px] for all turns with what decides, the turns alone."""
        metrics, view = self.fontMetrics(), self.view
        if view is not None and words == self.turns and metrics.horizontalAdvance(words) > room:
            words = turns_words(view, is_brief=True)
        return metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)

    def _resized(self, _box: object = None) -> None:
        self.redraw()  # words take another share of the height

    def _corner(self) -> tuple[float, float]:
        """Upper left: where the line under the pointer is read out."""
        (left, right), (_, top) = self.box.viewRange()
        return left + 0.01 * (right - left), top

    # ------------------------------------------------------------------ the scale

    @property
    def is_log(self) -> bool:
        """The scale is logarithmic: it is asked for, of times, and no number lies below zero."""
        view = self.view
        is_time = view is not None and view.output.unit == "ms"
        return view is not None and self._is_log and is_time and lowest(view) > 0

    def set_log(self, is_log: bool) -> None:
        self._is_log = is_log
        self.redraw()

    def _y(self, number: Any) -> Any:
        """Where a number stands on the scale."""
        return np.log10(np.maximum(number, 1e-3)) if self.is_log else number

    def _fit(self, view: WhatIfView) -> None:
        first, last = self._ends(view)
        if self.is_log:
            bottom, top = math.log10(0.8 * lowest(view)), math.log10(highest(view))
        else:
            bottom, top = bounds(view)
        room = min(ROOM_PX / max(self.box.height(), 1.0), 0.4)
        above = (top - bottom or 1.0) * room / (1.0 - room)
        self._show_range((first, last), (bottom - (above if bottom < 0 else 0.0), top + above))

    def _height_of(self, pixels: float) -> float:
        """So many pixels of the height, in the numbers of the scale."""
        bottom, top = self.box.viewRange()[1]
        return float(pixels / max(self.box.height(), 1.0) * (top - bottom))

    def _ends(self, view: WhatIfView) -> tuple[float, float]:
        values = [float(v) for v in view.sweep.values] + [view.value]
        first, last = min(values), max(values)
        pad = 0.03 * (last - first or 1.0)
        return first - pad, last + pad

    def _draw_line(self, sweep: Sweep) -> None:
        theme = LOOK.theme
        edge, fill = self._pen(theme.line, 1.0), self._brush(theme.accent, alpha=BAND_ALPHA)
        self._band(sweep.values, self._y(sweep.low), self._y(sweep.high), edge, fill)
        joined = np.append(np.isfinite(sweep.number[:-1]) & np.isfinite(sweep.number[1:]), False)
        if joined.any():
            pen = self._pen(theme.accent, 2.2, SOLID)
            number = np.nan_to_num(sweep.number)
            self._line(sweep.values, self._y(number), pen, joined.astype(np.int32))

    def _draw_limit(self, view: WhatIfView) -> None:
        if view.output.limit is None:
            return
        limit, theme = float(self._y(view.output.limit)), LOOK.theme
        (_, right), (bottom, top) = self.box.viewRange()
        if not bottom <= limit <= top:
            return
        self._level(limit, self._pen(theme.bad, 1.8))
        anchor = (1, 0 if limit > top - LIMIT_WORDS * (top - bottom) else 1)
        self._put_words(limit_words(view), theme.bad, anchor, right, limit)

    def _draw_beyond(self, view: WhatIfView) -> None:
        """At the upper edge: what lies above it, and how far."""
        (_, right), (_, top) = self.box.viewRange()
        words = beyond_words(view, 10**top if self.is_log else top)
        self._beyond_px = 1.1 * self.fontMetrics().horizontalAdvance(words)
        if words:
            colour = LOOK.theme.bad if is_passed(view) else LOOK.theme.text
            self._put_below(self._put_words(words, colour, (1, 0), right, top))

    def _draw_signs(self, sweep: Sweep) -> None:
        """A sign a point; where some lie above the picture, all that do, or nearly, stand level
        below the words at its edge."""
        theme = LOOK.theme
        top = self.box.viewRange()[1][1]
        is_beyond = bool((self._y(np.fmax(sweep.number, 0.0)) > top).any())
        edge = top - self._height_of(ROOM_PX) if is_beyond else np.inf
        for verdict, sign in SIGNS.items():
            chosen = (sweep.verdict == int(verdict)) & np.isfinite(sweep.number)
            if chosen.any():
                colour, heights = theme.verdict(verdict), self._y(sweep.number[chosen])
                self._points(
                    sweep.values[chosen],
                    np.minimum(heights, edge),
                    sign=sign,
                    size=SIGN_PX,
                    pen=self._pen(colour if sign == CROSS else theme.panel, 1.0),
                    brush=colour,
                )

    # ------------------------------------------------------------------ the handle

    def _draw_handle(self) -> None:
        self._take_off(self._handle)
        view, place = self.view, self._handle_place()
        if view is None or place is None:
            return
        theme, (x, y) = LOOK.theme, place
        top = self.box.viewRange()[1][1]
        y = min(y, top)
        colour = theme.ghost if self.is_held else theme.text
        item = self._points(
            [x],
            [y],
            sign=DIAMOND,
            size=17,
            pen=self._pen(theme.panel, 2),
            brush=colour,
            above=True,
        )
        words = value_words(view, x, self.held_number)
        right_half = x > sum(self.box.viewRange()[0]) / 2
        is_high = y > top - self._height_of(2.6 * ROOM_PX)
        # clear of the signs beside it
        anchor = (1.08 if right_half else -0.08, -0.6 if is_high else 1.6)
        self._handle = [item, self._put_words(words, theme.text, anchor, x, y)]

    def _handle_place(self) -> tuple[float, float] | None:
        """Where the handle is: being dragged on the line, else where today stands; without a number
        at today's height, else at the bottom."""
        view = self.view
        if view is None:
            return None
        x = view.value if self._held is None else self._held
        numbers = (each.value for each in (self.held_number, view.now) if each is not None)
        number = next((value for value in numbers if value is not None), None)
        bottom = self.box.viewRange()[1][0]
        return x, bottom if number is None else float(self._y(number))

    @property
    def held_number(self) -> Quantity | None:
        """The number at the value that is held, as worked out, else as the line has it; None where
        none is held."""
        if self._held is None or self.view is None:
            return None
        if self._told is not None and self._told[0] == self._held:
            return self._told[1]
        read = at(self.view.sweep, self._held)
        return NO_DATA if read is None else Quantity(*read, Basis.INTERPOLATED)

    def grip(self) -> QPointF | None:
        """Middle of the handle on the canvas; None where there is none."""
        place = self._handle_place()
        if place is None:
            return None
        return QPointF(self.canvas.mapFromScene(self.place_of(*place)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and watched is self.canvas.viewport():
            return self._mouse(event)
        return super().eventFilter(watched, event)

    def _mouse(self, event: QMouseEvent) -> bool:
        """Whether the event belongs to the handle."""
        kind, grip = event.type(), self.grip()
        near = grip is not None and (event.position() - grip).manhattanLength() <= 2 * GRIP_PX
        if kind is QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.LeftButton:
            if near and self.view is not None:
                self._held = self.view.value
                self.setFocus()
                self._read_nothing()  # the handle says its own value
            return near
        if kind is QEvent.Type.MouseMove and self._held is not None:
            self._drag(self._x_at(QPointF(self.canvas.mapToScene(event.position().toPoint()))))
            return True
        if kind is QEvent.Type.MouseButtonRelease and self._held is not None:
            self._drop()
            return True
        if kind is QEvent.Type.MouseMove:
            shape = Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor
            self.canvas.viewport().setCursor(shape)
        return False

    def _drag(self, x: float) -> None:
        """To a value of the range, a whole one where it must be."""
        view = self.view
        if view is None:
            return
        values = view.sweep.values
        first, last = float(np.min(values)), float(np.max(values))
        grain = 10.0 ** math.floor(math.log10((last - first) / 50))
        if view.input.is_whole:
            grain = max(grain, 1.0)
        held = min(max(round(x / grain) * grain, first), last)
        held = round(held, max(-math.floor(math.log10(grain)), 0))
        if held != self._held:
            self._held = held
            self._draw_handle()
            self.dragged.emit(held)

    def _drop(self) -> None:
        held, view = self._held, self.view
        self._held = None
        self._draw_handle()
        if held is None or view is None or held == view.value:
            self.let_go.emit()
        else:
            self.dropped.emit(held)

    def put_back(self) -> None:
        """What is being dragged goes back to where it was."""
        if self._held is not None:
            self._held = None
            self._draw_handle()
            self.let_go.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() == Qt.Key.Key_Escape and self.is_held:
            self.put_back()
        elif event.key() in keys and not self.is_held:
            self.stepped.emit(keys[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ reading

    def _hovered(self, at_scene: QPointF) -> None:
        view = self.view
        if view is None or self.is_held:
            return
        x = self._x_at(at_scene)
        words = reading_words(view, x) if self._inside(at_scene) else ""
        self._pointer.setVisible(bool(words))
        self._pointer.setPos(x)
        self._say_there(words or self._standing_words)
        self.read.emit(words)

    def _read_nothing(self) -> None:
        self._pointer.hide()
        self._say_there(self._standing_words)
        super()._read_nothing()
