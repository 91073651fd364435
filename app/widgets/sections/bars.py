"""Bars with their limits, each with its name before and its words behind it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import local
from app.look import LOOK
from app.widgets.dials import Reading, draw_bar
from app.widgets.marks import draw_verdict
from app.widgets.sections.block import BlockWidget
from models.tell.blocks import Bar, Bars

BAR_LINES, APART_PX = 1.7, 12
MOST_OF_LIMIT = 2.5
"""A scale of bars that begin somewhere ends here, over the value that they are compared with, or
over all of a limit: one that goes far beyond would leave nothing of the others."""

WHOLE = 100.0


class BarsWidget(BlockWidget):
    spoken_role = QAccessible.Role.Chart

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.block = Bars((), "")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_block(self, block: Bars) -> None:
        self.block = block
        self.setAccessibleName(local(block.alt))
        self.updateGeometry()
        self.update()

    @property
    def spoken_value(self) -> str:
        """Every bar in words."""
        return "; ".join(f"{local(bar.label)}: {local(bar.text)}" for bar in self.block.rows)

    def sizeHint(self) -> QSize:
        lines = len(self.block.rows) + sum(bool(bar.head) for bar in self.block.rows)
        return QSize(0, round(self._line_px * lines))

    @property
    def _line_px(self) -> float:
        return self.fontMetrics().height() * BAR_LINES

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics = QPainter(self), self.fontMetrics()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rows = self.block.rows
        widest = [
            max((metrics.horizontalAdvance(local(words)) + 2 for words in column), default=0)
            for column in ([bar.label for bar in rows], [bar.text for bar in rows])
        ]
        before, behind = min(widest[0], self.width() // 3), min(widest[1], self.width() // 2)
        line = QRectF(0, 0, self.width(), self._line_px)
        for bar in rows:
            if bar.head:
                self._write(painter, line, local(bar.head), LOOK.theme.muted)
                line.translate(0, self._line_px)
            self._paint_bar(painter, line, bar, before, behind)
            line.translate(0, self._line_px)
        painter.end()

    def _paint_bar(
        self, painter: QPainter, line: QRectF, bar: Bar, before: int, behind: int
    ) -> None:
        name = QRectF(line.left(), line.top(), before, line.height())
        self._write(painter, name, local(bar.label), LOOK.theme.text)
        room = QRectF(0, line.top() + line.height() * 0.2, 0, line.height() * 0.6)
        room.setLeft(before + APART_PX)
        room.setRight(line.right() - behind - APART_PX)
        if self._is_span:
            self._paint_span(painter, room, bar)
        else:
            sign = QRectF(room.left(), room.top(), room.height(), room.height())
            draw_verdict(painter, sign, bar.verdict, LOOK.theme)
            room.setLeft(sign.right() + APART_PX / 2)
            draw_bar(painter, room, _reading(bar), LOOK.theme)
        words = QRectF(line.right() - behind, line.top(), behind, line.height())
        self._write(painter, words, local(bar.text), LOOK.theme.text, is_right=True)

    def _write(
        self, painter: QPainter, box: QRectF, words: str, colour: str, *, is_right: bool = False
    ) -> None:
        painter.setPen(QColor(colour))
        side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
        shown = self.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideRight, round(box.width())
        )
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, shown)

    @property
    def _is_span(self) -> bool:
        return any(bar.start is not None for bar in self.block.rows)

    def _scale(self) -> tuple[float, float]:
        """The ends of the scale that all spans share."""
        ends = [
            each
            for bar in self.block.rows
            for each in (bar.start, bar.value, bar.limit)
            if each is not None
        ]
        bases = [bar.limit for bar in self.block.rows if bar.limit is not None]
        low, high = min(ends, default=0.0), max(ends, default=1.0)
        if bases:
            high = min(high, MOST_OF_LIMIT * max(bases[0], WHOLE))
        return low, max(high, low + 1e-9)

    def _paint_span(self, painter: QPainter, room: QRectF, bar: Bar) -> None:
        """From where it begins to where it ends, with a mark at the number as it stands."""
        theme, (low, high) = LOOK.theme, self._scale()

        def at(value: float) -> float:
            share = min(max((value - low) / (high - low), 0.0), 1.0)
            return room.left() + share * room.width()

        painter.fillRect(room.adjusted(0, 2, 0, -2), QColor(theme.track))
        if bar.value is not None and bar.start is not None:
            span = QRectF(room)
            span.setLeft(at(bar.start))
            span.setRight(max(at(bar.value), span.left() + 1.0))
            painter.fillRect(span, QColor(theme.accent))
        if bar.limit is not None:
            painter.setPen(QPen(QColor(theme.text), 2.0))
            x = at(bar.limit)
            painter.drawLine(QLineF(x, room.top() - 2, x, room.bottom() + 2))


def _reading(bar: Bar) -> Reading:
    load, low, high = (
        None if each is None or not bar.limit else each / bar.limit
        for each in (bar.value, bar.low, bar.high)
    )
    return Reading(load=load, low=low, high=high, verdict=bar.verdict)
