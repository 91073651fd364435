"""Small signs on the board: outlines, the sign that folds, stripes of colour, tags."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from app.icons import draw_icon
from app.theme import Theme
from app.widgets.board.cards import CARD_RADIUS, RADIUS
from app.widgets.board.layout import BoardLayout, Box, fold_box
from app.widgets.board.tints import Pattern, Tint
from app.widgets.meters import CENTRE, draw_text, text_width
from app.widgets.painting import draw_box

TAG_PX = 10.5
TAG_HEIGHT = 16.0
STRIPE = 4.0
DASHES = {
    Pattern.DASHES: [1.75, 0.75],
    Pattern.DOTS: [0.01, 1.75],
    Pattern.MIXED: [1.75, 1.5, 0.01, 1.5],
}
"""In widths of the stripe, which has round ends."""


def draw_outline(
    painter: QPainter,
    layout: BoardLayout,
    box: Box,
    colour: str,
    width: float,
    *,
    dashed: bool = False,
) -> None:
    """A line along the edge of a card."""
    pen = QPen(QColor(colour), width)
    if dashed:
        pen.setDashPattern([3, 2])
    radius = (CARD_RADIUS if box.h < 60 * layout.scale else RADIUS) * layout.scale
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(*box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


def draw_glow(painter: QPainter, layout: BoardLayout, box: Box, colour: str) -> None:
    """Light around a card: rings that grow fainter outwards."""
    radius = RADIUS * layout.scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, alpha in ((9.0, 40), (6.0, 80), (2.5, 255)):
        light = QColor(colour)
        light.setAlpha(alpha)
        painter.setPen(QPen(light, width * max(layout.scale, 0.7)))
        painter.drawRoundedRect(QRectF(*box), radius, radius)


def draw_fold_sign(painter: QPainter, layout: BoardLayout, id: str, theme: Theme) -> None:
    """The chevron that folds a site, cluster or host; it points to the side when that is folded."""
    box = fold_box(layout, id)
    if box is not None:
        side = 15 * layout.scale
        middle = QRectF(*box).center()
        square = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
        name = "chevron-right" if id in layout.folded else "chevron-down"
        draw_icon(painter, square, name, theme.muted)


def draw_stripe(painter: QPainter, rect: QRectF, tint: Tint, theme: Theme, scale: float) -> None:
    """An upright stripe of a tint through the middle of `rect`: colour and pattern."""
    colour = QColor(getattr(theme, tint.colour))
    x, width = rect.center().x(), STRIPE * scale
    line = QLineF(x, rect.top() + width / 2, x, rect.bottom() - width / 2)
    if tint.pattern is Pattern.HOLLOW:
        painter.setPen(QPen(colour, 1.2 * scale))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        box = QRectF(x - width / 2, rect.top(), width, rect.height())
        painter.drawRoundedRect(box, width / 2, width / 2)
    elif tint.pattern is Pattern.DOUBLE:
        painter.setPen(QPen(colour, 1.5 * scale))
        for aside in (-1.4 * scale, 1.4 * scale):
            painter.drawLine(line.translated(aside, 0))
    else:
        pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        if tint.pattern in DASHES:
            pen.setDashPattern(DASHES[tint.pattern])
        painter.setPen(pen)
        painter.drawLine(line)


def tag_width(text: str, scale: float) -> float:
    """The width that a tag with an icon takes."""
    return text_width(text, TAG_PX * scale, QFont.Weight.DemiBold) + 30 * scale


def draw_tag(
    painter: QPainter, at: QPointF, text: str, icon: str, theme: Theme, ground: str, scale: float
) -> None:
    """Icon and words on a filled ground, centred at `at`."""
    width, height = tag_width(text, scale), TAG_HEIGHT * scale
    box = QRectF(at.x() - width / 2, at.y() - height / 2, width, height)
    draw_box(painter, box, height / 2, ground=ground)
    side = 11 * scale
    square = QRectF(box.x() + 6 * scale, box.center().y() - side / 2, side, side)
    draw_icon(painter, square, icon, theme.on_accent)
    words = box.adjusted(20 * scale, 0, -6 * scale, 0)
    draw_text(
        painter,
        words,
        text,
        colour=theme.on_accent,
        size_px=TAG_PX * scale,
        weight=QFont.Weight.DemiBold,
        align=CENTRE,
    )
