"""A waterfall: numbers that follow from one another, as bars whose ends can be dragged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import tr
from app.look import LOOK
from app.widgets.marks import scaled_font
from app.widgets.painting import RIGHT, draw_box, draw_line
from app.widgets.parts import in_column
from app.widgets.roles import tell_value

LINES, GAP_PX, GRIP_PX, REACH_PX = 2.5, 12, 6, 12
MOST_BEFORE = 0.35
"""Part of the width that names take at most."""

ROOM_ABOVE = 1.25
"""The longest bar leaves so much room, to be dragged into."""

STEPS = 200
"""A drag goes by about so many round steps from end to end."""

_KEYS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
}


@dataclass(frozen=True, slots=True)
class StepBar:
    """One bar: its number and that of the bar it follows from, None: not known, or none; `text`
    in words, `how` it follows and its source, as short as there is room for, whole in `tip`.
    `is_free`: its end can be dragged."""

    label: str
    value: float | None
    of: float | None
    text: str
    how: str
    tip: str
    is_free: bool


def round_step(top: float) -> float:
    """The round step, 1, 2 or 5 of a power of ten and at least 1, of a drag over so many.

    >>> round_step(2331.0), round_step(100.0), round_step(120_000.0)
    (20.0, 1.0, 1000.0)
    """
    exact = max(top / STEPS, 1.0)
    power = 10.0 ** math.floor(math.log10(exact))
    return next(power * part for part in (1.0, 2.0, 5.0, 10.0) if power * part >= exact)


class Waterfall(QWidget):
    """Bars below each other on one scale, which stands still while one is dragged.

    Signals:
        dragged: which bar, and the number at its end.
    """

    dragged = Signal(int, float)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.rows: list[StepRow] = []
        self.top = 1.0
        self.before_px = self.behind_px = 0.0
        self._column = in_column(self, gap=0, around=(10, 0, 10, 0))

    def show_bars(self, bars: Sequence[StepBar]) -> None:
        while len(self.rows) < len(bars):
            row = StepRow(len(self.rows), self)
            row.dragged.connect(self.dragged)
            row.let_go.connect(self._scale)
            self.rows.append(row)
            self._column.addWidget(row)
        metrics = QFontMetricsF(self.font())
        self.before_px = max(metrics.horizontalAdvance(bar.label) for bar in bars)
        self.behind_px = max(metrics.horizontalAdvance(bar.text) for bar in bars)
        for row, bar in zip(self.rows, bars, strict=True):
            row.show_bar(bar)
        if not any(row.is_held for row in self.rows):
            self._scale()

    def _scale(self) -> None:
        self.top = ROOM_ABOVE * max(1.0, *(row.bar.value or 0.0 for row in self.rows))
        for row in self.rows:
            row.update()


class StepRow(QWidget):
    """One bar with its name, number and source; the arrow keys move its end too.

    Signals:
        dragged: its place, and the number at its end.
        let_go: the hand has left it.
    """

    spoken_role = QAccessible.Role.Slider
    dragged = Signal(int, float)
    let_go = Signal()

    def __init__(self, place: int, owner: Waterfall) -> None:
        super().__init__(owner)
        self._place, self._owner = place, owner
        self.bar = StepBar("", None, None, "", "", "", False)
        self.is_held = False
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def spoken_value(self) -> str:
        return self.bar.text

    def show_bar(self, bar: StepBar) -> None:
        self.bar = bar
        self.setAccessibleName(bar.label)
        self.setAccessibleDescription(bar.tip)
        self.setToolTip(bar.tip)
        free = Qt.FocusPolicy.StrongFocus if bar.is_free else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(free)
        tell_value(self)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, round(self.fontMetrics().height() * LINES))

    @property
    def room(self) -> QRectF:
        """Where the bar may stand."""
        owner, high = self._owner, self.fontMetrics().height()
        left = min(owner.before_px, self.width() * MOST_BEFORE) + GAP_PX
        right = self.width() - owner.behind_px - GAP_PX
        return QRectF(left, high * 0.25, max(right - left, 1.0), high)

    @property
    def end(self) -> float:
        """Where the bar ends [px]."""
        return self._x(self.bar.value or 0.0)

    def _x(self, value: float) -> float:
        room = self.room
        return room.left() + room.width() * min(value / self._owner.top, 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, room = QPainter(self), LOOK.theme, self.room
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_box(painter, room, 3, ground=theme.track)
        self._paint_bar(painter, room)
        line = QRectF(0, room.top(), self.width(), room.height())
        name = QRectF(line)
        name.setWidth(room.left() - GAP_PX / 2)
        draw_line(painter, name, self.bar.label, self.font(), theme.text)
        painter.setPen(QColor(theme.muted if self.bar.value is None else theme.text))
        painter.drawText(line, RIGHT, self.bar.text)
        below = QRectF(room.left(), room.bottom(), self.width() - room.left(), room.height())
        draw_line(painter, below, self.bar.how, scaled_font(self.font(), 0.86), theme.muted)
        painter.end()

    def _paint_bar(self, painter: QPainter, room: QRectF) -> None:
        """The bar, what it lost or gained against the one it follows from, and its grip."""
        theme, end, before = LOOK.theme, self.end, self._x(self.bar.of or 0.0)
        if self.bar.value is not None:
            gone = QRectF(room)
            gone.setLeft(min(end, before))
            gone.setRight(max(end, before))
            bar = QRectF(room)
            bar.setRight(end)
            ground = theme.accent if self.bar.is_free else theme.unknown_fill
            draw_box(painter, bar, 3, ground=ground)
            if self.bar.of:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(theme.line_strong), 1, Qt.PenStyle.DashLine))
                painter.drawRect(gone)
        if self.bar.is_free:
            grip = QRectF(end - GRIP_PX / 2, room.top() - 2, GRIP_PX, room.height() + 4)
            edge = theme.text if self.hasFocus() or self.is_held else theme.accent
            draw_box(painter, grip, 3, ground=theme.panel, edge=edge, width=2)

    # ------------------------------------------------------------------ by hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._reaches(event):
            self.is_held = True
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.is_held:
            near = self._reaches(event)
            self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)
            return
        room = self.room
        share = (event.position().x() - room.left()) / room.width()
        self._move_to(min(max(share, 0.0), 1.0) * self._owner.top)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.is_held:
            self.is_held = False
            self.let_go.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = _KEYS.get(Qt.Key(event.key()))
        if steps is None or not self.bar.is_free:
            super().keyPressEvent(event)
        else:
            step = round_step(self._owner.top)
            self._move_to((self.bar.value or 0.0) + steps * step)

    def _reaches(self, event: QMouseEvent) -> bool:
        return self.bar.is_free and abs(event.position().x() - self.end) <= REACH_PX

    def _move_to(self, value: float) -> None:
        """Asks for a round number; nothing is 0, for no server has 0 users."""
        step = round_step(self._owner.top)
        rounded = max(round(value / step), 1) * step
        if rounded != self.bar.value:
            self.dragged.emit(self._place, rounded)


DRAG_TIP = tr("Drag the end, or press ← and →")
