"""The years ahead as bands: a row for each number, in the colours of how it stands to its limit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import local, tr
from app.look import LOOK
from app.theme import Theme
from app.widgets.legend import VERDICT_SIGNS, Legend
from app.widgets.marks import scaled_font
from app.widgets.painting import RIGHT, draw_ground, draw_line
from app.widgets.roles import tell_value
from app.wording import locale_style, tip_text
from models.predict.predicted import unit_of
from models.predict.prediction import Prediction, Verdict
from models.scenario.wording import input_text, value_text, with_unit
from models.studies.runway import MONTHS_OF_A_YEAR
from models.tell.runway import STATES, Band, value_in

LEAST_ROW_LINES, MOST_ROW_LINES, AXIS_LINES = 1.25, 4.0, 1.5
BAR_SHARE, MOST_BAR_LINES = 0.56, 1.5
NAMES_SHARE, GAP_PX, VALUE_LINES = 0.22, 10, 5.0
PATTERNS = {
    Verdict.AT_RISK: Qt.BrushStyle.BDiagPattern,
    Verdict.NOT_KNOWN: Qt.BrushStyle.Dense6Pattern,
    Verdict.DOES_NOT_FIT: Qt.BrushStyle.DiagCrossPattern,
}
"""On top of the colour: no state is told by that alone."""


class RunwayBands(QWidget):
    """Bands over the months, the year that is shown across all of them.

    A click on a row, or Return, asks why its number is what it is.

    Signals:
        asked: the number, as `NumberRef`.
    """

    asked = Signal(object)
    spoken_role = QAccessible.Role.Chart

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bands: tuple[Band, ...] = ()
        self.at: int | None = None
        """The row under the pointer, or that the keys have come to."""
        self.values: tuple[str, ...] = ()
        """Of each band its number in the month that is shown."""
        self._last = self._planned = self.months = 0.0
        self._axis: tuple[float, float] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("When each number passes its limit"))
        LOOK.changed.connect(self.update)

    def show_bands(self, bands: Sequence[Band], *, last: float, planned: float) -> None:
        """Shows these, over so many months; `planned`: where the plan ends."""
        self.bands, self._last, self._planned = tuple(bands), last, planned
        self.at, self.values = None, ("",) * len(self.bands)
        self.setMinimumHeight(self.minimumSizeHint().height())
        self.updateGeometry()
        self.update()

    def show_year(self, months: float, prediction: Prediction) -> None:
        """What the window shows: a line across at that month, and each number then."""
        self.months = months
        self.values = tuple(map(partial(_value, prediction), self.bands))
        self.update()

    def set_axis(self, left: float, right: float) -> None:
        """From where to where the months go: above the slider [px]."""
        self._axis = (left, right)
        self.update()

    @property
    def names_px(self) -> int:
        """What the names take at the left."""
        return round(self.width() * NAMES_SHARE)

    @property
    def spoken_value(self) -> str:
        """The row that is read; else all of them."""
        told = [
            ": ".join((local(band.name), ", ".join(filter(None, (value, _limit(band), when)))))
            for band, value in zip(self.bands, self.values, strict=True)
            for when in (local(band.text),)
        ]
        return "; ".join(told if self.at is None else told[self.at : self.at + 1])

    def minimumSizeHint(self) -> QSize:
        return QSize(0, round(self._line * (LEAST_ROW_LINES * len(self.bands) + AXIS_LINES)))

    def sizeHint(self) -> QSize:
        return QSize(0, round(self._line * (MOST_ROW_LINES * len(self.bands) + AXIS_LINES)))

    @property
    def _line(self) -> float:
        return QFontMetricsF(self.font()).height()

    # ------------------------------------------------------------------ painting

    def row(self, place: int) -> QRectF:
        """Where a row lies."""
        room = self.height() - AXIS_LINES * self._line
        high = min(room / max(len(self.bands), 1), MOST_ROW_LINES * self._line)
        return QRectF(0, place * high, self.width(), high)

    def at_month(self, month: float) -> float:
        """Where a month lies."""
        left, right = self._axis or (self.names_px + GAP_PX, self.width() * 0.75)
        return left + (right - left) * month / max(self._last, 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = LOOK.theme
        for place, band in enumerate(self.bands):
            self._paint_row(painter, self.row(place), band, place, theme)
        self._paint_axis(painter, theme)
        painter.end()

    def _paint_row(
        self, painter: QPainter, row: QRectF, band: Band, place: int, theme: Theme
    ) -> None:
        is_here = place == self.at
        draw_ground(
            painter,
            row.adjusted(1, 1, -1, -1),
            is_near=is_here and not self.hasFocus(),
            has_focus=is_here and self.hasFocus(),
        )
        name = QRectF(6, row.top(), self.at_month(0.0) - GAP_PX - 6, row.height())
        draw_line(painter, name, local(band.name), self.font(), theme.text)
        bar = QRectF(row)
        bar.setHeight(min(row.height() * BAR_SHARE, MOST_BAR_LINES * self._line))
        bar.moveCenter(row.center())
        for stretch in band.stretches:
            part = QRectF(bar)
            part.setLeft(self.at_month(stretch.start))
            part.setRight(self.at_month(stretch.end))
            fill_state(painter, part, stretch.verdict, theme)
        self._paint_crossing(painter, bar, band, theme)
        value = QRectF(self.at_month(self._last) + GAP_PX, row.top(), 0, row.height())
        value.setWidth(VALUE_LINES * self._line)
        draw_line(painter, value, self.values[place], self.font(), theme.accent, RIGHT)
        words = QRectF(value.right() + GAP_PX, row.top(), 0, row.height())
        words.setRight(row.right() - 4)
        draw_line(painter, words, local(band.text), self.font(), theme.text)

    def _paint_crossing(self, painter: QPainter, bar: QRectF, band: Band, theme: Theme) -> None:
        """A mark where it passes its limit, and a line with ends over the months where it may."""
        middle = bar.center().y()
        if band.low is not None and band.high is not None and band.high > band.low:
            ends = [self.at_month(band.low), self.at_month(band.high)]
            for colour, width in ((theme.panel, 4.0), (theme.text, 1.6)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawLine(QLineF(ends[0], middle, ends[1], middle))
                for end in ends:
                    painter.drawLine(QLineF(end, middle - 3.5, end, middle + 3.5))
        if band.month:
            at = self.at_month(band.month)
            for colour, width in ((theme.panel, 5.0), (theme.text, 2.6)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawLine(QLineF(at, bar.top() - 2, at, bar.bottom() + 2))

    def _paint_axis(self, painter: QPainter, theme: Theme) -> None:
        """A tick a year, the end of the plan, and the line of what is shown."""
        if not self.bands:
            return
        foot = self.row(len(self.bands) - 1).bottom()
        line, font = self._line, scaled_font(self.font(), 0.92)
        for year in range(int(self._last // MONTHS_OF_A_YEAR) + 1):
            at = self.at_month(float(year * MONTHS_OF_A_YEAR))
            painter.setPen(QPen(QColor(theme.line_strong), 1.0))
            painter.drawLine(QLineF(at, 0.0, at, foot + 3))
            words = tr("today") if not year else tr("year {year}", year=year)
            box = QRectF(at - 4 * line, foot + 3, 8 * line, line)
            painter.setFont(font)
            painter.setPen(QColor(theme.muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        if 0 < self._planned < self._last:
            at = self.at_month(self._planned)
            painter.setPen(QPen(QColor(theme.text), 1.4, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(at, 0.0, at, foot + 3))
        at = self.at_month(self.months)
        painter.setPen(QPen(QColor(theme.accent), 2.4))
        painter.drawLine(QLineF(at, 0.0, at, foot + 3))

    # ------------------------------------------------------------------ pointer and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go(self._row_at(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._go(self._row_at(event))
            self._ask()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.hasFocus():
            self._go(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._go(0 if self.at is None and self.bands else self.at)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._go(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and self.bands:
            here = 0 if self.at is None else self.at + step
            self._go(min(max(here, 0), len(self.bands) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_E):
            self._ask()
        else:
            super().keyPressEvent(event)

    def _row_at(self, event: QMouseEvent) -> int | None:
        inside = (n for n in range(len(self.bands)) if self.row(n).contains(event.position()))
        return next(inside, None)

    def _go(self, at: int | None) -> None:
        if at == self.at:
            return
        self.at = at
        can_ask = at is not None and self.bands[at].asked is not None
        self.setToolTip(tip_text("" if at is None else self.spoken_value))
        self.setCursor(Qt.CursorShape.PointingHandCursor if can_ask else Qt.CursorShape.ArrowCursor)
        tell_value(self)
        self.update()

    def _ask(self) -> None:
        if self.at is not None and (asked := self.bands[self.at].asked) is not None:
            self.asked.emit(asked)


class BandsLegend(Legend):
    """What the colours of the bands mean, and the marks on them."""

    PASSES, MAY, PLAN = "passes", "may", "plan"

    def __init__(self, parent: QWidget | None = None) -> None:
        states = ((sign, local(STATES[verdict])) for sign, verdict in VERDICT_SIGNS.items())
        marks = (
            (self.PASSES, tr("passes its limit")),
            (self.MAY, tr("may pass it")),
            (self.PLAN, tr("end of the plan")),
        )
        super().__init__((*states, *marks), parent)

    def draw_sign(self, painter: QPainter, box: QRectF, sign: str, theme: Theme) -> None:
        middle = box.center()
        if sign in VERDICT_SIGNS:
            key = QRectF(box.left(), middle.y() - 5, box.width(), 10)
            fill_state(painter, key, VERDICT_SIGNS[sign], theme)
            return
        painter.setPen(QPen(QColor(theme.text), 2.6 if sign == self.PASSES else 1.6))
        if sign == self.MAY:
            painter.drawLine(QLineF(box.left(), middle.y(), box.right(), middle.y()))
            for end in (box.left(), box.right()):
                painter.drawLine(QLineF(end, middle.y() - 3.5, end, middle.y() + 3.5))
            return
        if sign == self.PLAN:
            painter.setPen(QPen(QColor(theme.text), 1.4, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(middle.x(), middle.y() - 7, middle.x(), middle.y() + 7))


def _value(prediction: Prediction, band: Band) -> str:
    """Its number in a prediction; of what no derivation speaks of, nothing."""
    if band.asked is None:
        return ""
    unit = unit_of(band.asked.field)
    return local(value_text(value_in(band, prediction), unit, style=locale_style()))


def _limit(band: Band) -> str:
    if band.asked is None:
        return ""
    words = with_unit(input_text(band.limit), unit_of(band.asked.field))
    return tr("limit {limit}", limit=words)


def fill_state(painter: QPainter, part: QRectF, verdict: Verdict, theme: Theme) -> None:
    """A part of a band: the colour of how a number stands, under a pattern of its own."""
    ground = QColor(theme.fill(verdict))
    ground.setAlphaF(0.75)
    painter.fillRect(part, ground)
    if verdict in PATTERNS:
        lines = QColor(theme.panel)
        lines.setAlphaF(0.55)
        painter.fillRect(part, QBrush(lines, PATTERNS[verdict]))
