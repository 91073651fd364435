"""Dials and bars: how near a number is to its limit, with its interval and what it was before.

All of them share one scale: the limit is at the same place on every dial, so that a glance from
the back of the room tells which one is past it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFont,
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
from app.theme import Theme
from app.widgets.marks import draw_verdict, scaled_font, verdict_colour
from app.widgets.painting import CUT_IN_MIDDLE, draw_box, draw_ground, draw_line
from app.widgets.roles import tell_value
from app.wording import tip_text
from models.predict.prediction import Verdict
from models.scenario.wording import THIN

START_DEG = 220.0
SWEEP_DEG = 260.0
LOAD_AT_END = 1.25
"""Load at the end of the scale: the limit stands at four fifths of it."""

SIDE_LINES = 4.3
"""Side of a dial's square, in lines of text."""

LEAST_SIDE_LINES, LEAST_RING_LINES = 1.9, 2.6
"""Room that the sign takes at least; a ring smaller than this would not be read."""

NAME_LINES = 1.15
"""Below dial and words the name of the item, over the whole width."""

HINT_LINES, LEAST_LINES = 5.2, 5.1
"""Heights of a dial: five lines of words stand in it."""

VALUE_FACTORS = (1.75, 1.55, 1.35, 1.2, 1.05, 0.9)
SMALL_FACTORS = (0.92, 0.84, 0.78)
LEAST_VALUE_FACTOR = 1.35
"""Type for which the ring makes room: all dials of a row have that of the one with least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a dial or bar draws.

    Attributes:
        load: number over limit; None: no data.
        low, high: its interval, over the limit.
        before: the stored load while something is being dragged; None: nothing is.
        verdict: colours the fill; None: no verdict.
    """

    load: float | None = None
    low: float | None = None
    high: float | None = None
    before: float | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DialText:
    """The words beside a dial; `subject` is the id that a click on it selects.

    `item`: name of what it is the worst of; `reach`: how far the interval goes, where that
    decides, or a failure that is worse, and in `brief` the same in fewer words; `failing`: the
    hosts gone in that, where `item` names others; `warns`: its verdict; `before`: the stored value.
    """

    title: str = ""
    value: str = ""
    item: str = ""
    below: str = ""
    reach: str = ""
    brief: str = ""
    failing: str = ""
    warns: Verdict | None = None
    before: str = ""
    tooltip: str = ""
    subject: str = ""

    @property
    def whose(self) -> tuple[str, str]:
        """What stands before `reach`, and the same in fewer words; empty without `failing`."""
        if not self.failing:
            return "", ""
        return tr("without {subject}:", subject=self.failing), f"{self.failing}:"


def share(load: float) -> float:
    """Position on the scale, 0 to 1; what is beyond its end stays at the end.

    >>> share(1.0), share(9.0), share(-1.0)
    (0.8, 1.0, 0.0)
    """
    return min(max(load / LOAD_AT_END, 0.0), 1.0)


def draw_dial(painter: QPainter, rect: QRectF, reading: Reading, theme: Theme) -> None:
    """An arc gauge in the square `rect`: track, fill, interval, limit mark, what was before."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    width = rect.width() * 0.12
    ring = rect.adjusted(width, width, -width, -width)
    _arc(painter, ring, 0.0, 1.0, _track_pen(reading, width, theme))
    if reading.load is not None:
        _arc(painter, ring, 0.0, share(reading.load), _pen(_fill(reading, theme), width))
        _dial_interval(painter, ring, reading, width, theme)
    _tick(painter, ring, share(1.0), width, _pen(theme.text, max(2.0, width * 0.3)))
    if reading.before is not None:
        at = _on_ring(ring, share(reading.before), 0.0)
        _before_mark(painter, at, width * 0.5, theme)
    side = rect.width() * 0.36
    middle = QRectF(0, 0, side, side)
    middle.moveCenter(rect.center())
    draw_verdict(painter, middle, reading.verdict, theme)
    painter.restore()


def draw_bar(painter: QPainter, rect: QRectF, reading: Reading, theme: Theme) -> None:
    """The same as a horizontal bar; `rect` leaves the limit mark its height."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    thickness = rect.height() * 0.6
    bar = QRectF(rect.left(), rect.center().y() - thickness / 2, rect.width(), thickness)
    draw_box(painter, bar, thickness / 2, ground=theme.track)
    if reading.load is not None:
        filled = QRectF(bar)
        filled.setWidth(max(bar.width() * share(reading.load), thickness))
        draw_box(painter, filled, thickness / 2, ground=_fill(reading, theme))
        _bar_interval(painter, bar, reading, theme)
    x = bar.left() + bar.width() * share(1.0)
    painter.setPen(_pen(theme.text, 2.0))
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))
    if reading.before is not None:
        at = QPointF(bar.left() + bar.width() * share(reading.before), bar.center().y())
        _before_mark(painter, at, thickness * 0.7, theme)
    painter.restore()


def _fill(reading: Reading, theme: Theme) -> str:
    return theme.line_strong if reading.verdict is None else theme.fill(reading.verdict)


def _pen(colour: str, width: float) -> QPen:
    return QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)


def _track_pen(reading: Reading, width: float, theme: Theme) -> QPen:
    pen = _pen(theme.track, width)
    if reading.load is None:
        pen.setDashPattern([0.55, 0.45])
    return pen


def _arc(painter: QPainter, ring: QRectF, start: float, end: float, pen: QPen) -> None:
    """An arc between two positions on the scale, clockwise."""
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    first = round((START_DEG - SWEEP_DEG * start) * 16)
    painter.drawArc(ring, first, -round(SWEEP_DEG * (end - start) * 16))


def _on_ring(ring: QRectF, position: float, outwards: float) -> QPointF:
    angle = math.radians(START_DEG - SWEEP_DEG * position)
    radius = ring.width() / 2 + outwards
    centre = ring.center()
    return QPointF(
        centre.x() + radius * math.cos(angle),
        centre.y() - radius * math.sin(angle),
    )


def _tick(painter: QPainter, ring: QRectF, position: float, width: float, pen: QPen) -> None:
    painter.setPen(pen)
    painter.drawLine(_on_ring(ring, position, -width * 0.9), _on_ring(ring, position, width * 0.9))


def _dial_interval(
    painter: QPainter, ring: QRectF, reading: Reading, width: float, theme: Theme
) -> None:
    """A thin line outside the ring, from low to high."""
    if reading.low is None or reading.high is None or reading.high <= reading.low:
        return
    away = width * 0.82
    outer = ring.adjusted(-away, -away, away, away)
    _arc(painter, outer, share(reading.low), share(reading.high), _pen(theme.muted, 1.6))


def _bar_interval(painter: QPainter, bar: QRectF, reading: Reading, theme: Theme) -> None:
    """A whisker over the bar, from low to high."""
    if reading.low is None or reading.high is None or reading.high <= reading.low:
        return
    low, high = (bar.left() + bar.width() * share(end) for end in (reading.low, reading.high))
    middle = bar.center().y()
    painter.setPen(_pen(theme.text, 1.2))
    painter.drawLine(QPointF(low, middle), QPointF(high, middle))
    for x in (low, high):
        painter.drawLine(QPointF(x, middle - 2.5), QPointF(x, middle + 2.5))


def _before_mark(painter: QPainter, at: QPointF, radius: float, theme: Theme) -> None:
    painter.setPen(_pen(theme.ghost, 2.0))
    painter.setBrush(QColor(theme.panel))
    painter.drawEllipse(at, radius, radius)


class Dial(QWidget):
    """One dial with its words; click, Enter, Space or `E` ask for the item it is the worst of, and
    why its number is what it is.

    Signals:
        activated: id of that item. asked: the number is to be explained.
    """

    spoken_role = QAccessible.Role.Dial

    activated = Signal(str)
    asked = Signal()

    def __init__(
        self,
        title: str,
        parent: QWidget | None = None,
        *,
        widest: str = "",
    ) -> None:
        super().__init__(parent)
        self._widest = widest
        self.sizes = (VALUE_FACTORS[0], SMALL_FACTORS[0])
        self._fitting: tuple[object, tuple[float, float]] = (None, self.sizes)
        self.reading = Reading()
        self.text = DialText(title=title)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    @property
    def spoken_value(self) -> str:
        return self.text.value

    def show_reading(self, reading: Reading, text: DialText) -> None:
        """Shows another number; repaints only when it looks different."""
        if (reading, text) == (self.reading, self.text):
            return
        self.reading, self.text = reading, text
        self.setToolTip(tip_text(text.tooltip))
        parts = (text.value, text.item, text.below, f"{text.whose[0]} {text.reach}".strip())
        said = ", ".join(words for words in parts if words)
        self.setAccessibleName(f"{text.title}: {said}")
        self.setAccessibleDescription(text.tooltip)
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if text.subject else Qt.CursorShape.ArrowCursor
        )
        tell_value(self)
        self.update()

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(self.font()).height()
        wide = line * (SIDE_LINES + 2.0) + self._words_width()
        return QSize(round(wide), round(line * HINT_LINES))

    def minimumSizeHint(self) -> QSize:
        line = QFontMetricsF(self.font()).height()
        return QSize(
            round(line * LEAST_SIDE_LINES + self._words_width()), round(line * LEAST_LINES)
        )

    def _words_width(self) -> float:
        title = QFontMetricsF(self._title_font()).horizontalAdvance(self.text.title)
        font = scaled_font(self.font(), LEAST_VALUE_FACTOR, QFont.Weight.DemiBold)
        value = QFontMetricsF(font).horizontalAdvance(self._widest)
        return max(title, value, QFontMetricsF(self.font()).height() * 5.0)

    def _title_font(self) -> QFont:
        return scaled_font(self.font(), 0.92, QFont.Weight.Medium)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_near = self.underMouse() and bool(self.text.subject)
        draw_ground(painter, box, is_near=is_near, has_focus=self.hasFocus(), radius=8, width=2)
        dial = self._dial_box(box)
        if dial.width() >= QFontMetricsF(self.font()).height() * LEAST_RING_LINES:
            draw_dial(painter, dial, self.reading, LOOK.theme)
        else:
            draw_verdict(painter, dial, self.reading.verdict, LOOK.theme)
        self._paint_words(painter, self._words_box(box))
        self._paint_name(painter, self._name_box(box))
        painter.end()

    def _dial_box(self, box: QRectF) -> QRectF:
        line = QFontMetricsF(self.font()).height()
        above = box.adjusted(0, 0, 0, -line * NAME_LINES)
        beside = box.width() - self._words_width() - line * 0.8
        side = max(min(above.height() - line * 0.2, line * SIDE_LINES, beside), 0.0)
        return QRectF(above.left() + line * 0.3, above.center().y() - side / 2, side, side)

    def _words_box(self, box: QRectF) -> QRectF:
        line = QFontMetricsF(self.font()).height()
        left = self._dial_box(box).right() + line * 0.35
        return QRectF(left, box.top(), box.right() - left, box.height() - line * NAME_LINES)

    def _name_box(self, box: QRectF) -> QRectF:
        """Under the dial, whose foot is open; it may go on below the words."""
        high = QFontMetricsF(self.font()).height() * NAME_LINES
        left = self._dial_box(box).left() + high * 0.45
        return QRectF(left, box.bottom() - high, box.right() - left, high)

    def fitting_sizes(self) -> tuple[float, float]:
        """The largest type in which the value, and what is below it, have room here."""
        width = self._words_box(QRectF(self.rect()).adjusted(1, 1, -1, -1)).width()
        if (self.text, width) != self._fitting[0]:
            text = self.text
            bold = QFont.Weight.DemiBold
            small = [text.before] if text.before else [text.below, text.reach]
            sizes = (
                self._fitting_factor([self._widest, text.value], VALUE_FACTORS, width, bold),
                self._fitting_factor(small, SMALL_FACTORS, width),
            )
            self._fitting = ((text, width), sizes)
        return self._fitting[1]

    def set_sizes(self, sizes: tuple[float, float]) -> None:
        """The type that all dials of a row have in common."""
        if sizes != self.sizes:
            self.sizes = sizes
            self.update()

    def _paint_name(self, painter: QPainter, box: QRectF) -> None:
        font = scaled_font(self.font(), SMALL_FACTORS[0], QFont.Weight.Medium)
        draw_line(painter, box, self.text.item, font, LOOK.theme.text, cut=CUT_IN_MIDDLE)

    def _paint_words(self, painter: QPainter, box: QRectF) -> None:
        """Title, value and what stands below it, as one block in the middle of the height."""
        text, theme = self.text, LOOK.theme
        value = scaled_font(self.font(), self.sizes[0], QFont.Weight.DemiBold)
        below = scaled_font(self.font(), self.sizes[1])
        colour = verdict_colour(self.reading.verdict, theme)
        reach = (self.words_of_failure(below, box.width()), self.reach(below, box.width()))
        ink = colour if text.warns is None else verdict_colour(text.warns, theme)
        small = [(text.below, theme.muted), *((words, ink) for words in reach)]
        if text.before:
            small = [(text.before, theme.ghost)]
        rows = [
            (text.title, self._title_font(), theme.muted, 1.15),
            (text.value, value, colour, 1.55),
            *((words, below, ink, 1.05) for words, ink in small if words),
        ]
        high = sum(height for *_, height in rows)
        line = min(QFontMetricsF(self.font()).height(), box.height() / high)
        y = box.center().y() - line * high / 2
        for words, font, ink, height in rows:
            room = QRectF(box.left(), y, box.width(), line * height)
            draw_line(painter, room, words, font, ink, cut=CUT_IN_MIDDLE)
            y += line * height

    def words_of_failure(self, font: QFont, width: float) -> str:
        """Whose failure it is, in fewer words where there is no room [px] for all of them."""
        whole, brief = self.text.whose
        return whole if QFontMetricsF(font).horizontalAdvance(whole) <= width else brief

    def reach(self, font: QFont, width: float) -> str:
        """In fewer words where there is no room [px] for all: without the unit, which the limit has
        too."""
        reach = self.text.reach
        has_room = QFontMetricsF(font).horizontalAdvance(reach) <= width
        return reach if has_room else self.text.brief or reach.rpartition(THIN)[0] or reach

    def _fitting_factor(
        self,
        words: list[str],
        factors: tuple[float, ...],
        width: float,
        weight: QFont.Weight = QFont.Weight.Normal,
    ) -> float:
        """The largest type in which all words have room; a number is never cut short."""
        for factor in factors:
            metrics = QFontMetricsF(scaled_font(self.font(), factor, weight))
            if max(map(metrics.horizontalAdvance, words)) <= width:
                return factor
        return factors[-1]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._activate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_E):
            self._activate()
        else:
            super().keyPressEvent(event)

    def _activate(self) -> None:
        if self.text.subject:
            self.activated.emit(self.text.subject)
            self.asked.emit()
