"""What painted widgets and delegates draw again and again: boxes, lines of words, grounds."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle

from app.look import LOOK

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CUT_AT_END, CUT_IN_MIDDLE = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle


def draw_box(
    painter: QPainter,
    box: QRectF,
    radius: float,
    *,
    ground: QColor | str | None = None,
    edge: QColor | str | None = None,
    width: float = 1.0,
) -> None:
    """A rectangle with round corners, filled, with an edge so wide, or both."""
    painter.setPen(Qt.PenStyle.NoPen if edge is None else QPen(QColor(edge), width))
    painter.setBrush(Qt.BrushStyle.NoBrush if ground is None else QColor(ground))
    painter.drawRoundedRect(box, radius, radius)


def draw_line(
    painter: QPainter,
    box: QRectF,
    words: str,
    font: QFont,
    colour: str,
    align: Qt.AlignmentFlag = LEFT,
    cut: Qt.TextElideMode = CUT_AT_END,
) -> None:
    """One line of words, with an ellipsis for what has no room."""
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetricsF(font).elidedText(words, cut, max(box.width(), 0.0))
    painter.drawText(box, align, shown)


def draw_ground(
    painter: QPainter,
    box: QRectF,
    *,
    is_near: bool,
    has_focus: bool,
    is_chosen: bool = False,
    radius: float = 6.0,
    width: float = 1.5,
) -> None:
    """The ground of what the pointer is at, the keys are at, or what is chosen; else none."""
    if is_near or has_focus or is_chosen:
        theme = LOOK.theme
        ground = theme.accent_soft if is_chosen else theme.raised
        edge = theme.accent if has_focus else None
        draw_box(painter, box, radius, ground=ground, edge=edge, width=width)


def draw_row_ground(
    painter: QPainter,
    box: QRectF,
    state: QStyle.StateFlag,
    *,
    is_chosen: bool = False,
    radius: float = 6.0,
) -> None:
    """The same of a row that a delegate paints."""
    draw_ground(
        painter,
        box,
        is_near=bool(state & QStyle.StateFlag.State_MouseOver),
        has_focus=bool(state & QStyle.StateFlag.State_HasFocus),
        is_chosen=is_chosen,
        radius=radius,
    )
