"""Small drawn signs that stand beside every colour: verdict, basis and severity as icon and word.

Free functions, so that widgets, delegates and pictures share them.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.icons import draw_icon
from app.theme import VERDICT_INKS, Theme
from app.widgets.painting import draw_box
from models.base.quantities import Basis
from models.predict.prediction import Severity, Shown, Verdict

_VERDICT_ICONS = {
    Verdict.FITS: "circle-check",
    Verdict.NOT_KNOWN: "own-unknown",
    Verdict.AT_RISK: "triangle-alert",
    Verdict.DOES_NOT_FIT: "circle-x",
}
SEVERITY_ICONS = {
    Severity.ERROR: "circle-x",
    Severity.WARNING: "triangle-alert",
    Severity.ADVICE: "info",
}
_NO_DATA_ICON = "circle-dashed"


Judged = Verdict | Shown | None
"""A verdict, or as it is shown: what fits on assumptions only has a look of its own."""


def verdict_icon(verdict: Judged) -> str:
    if isinstance(verdict, Shown):
        return "own-assumed" if verdict.is_assumed else verdict_icon(verdict.verdict)
    return _NO_DATA_ICON if verdict is None else _VERDICT_ICONS[verdict]


def verdict_ink(verdict: Judged) -> str:
    """Name of the verdict's colour in a theme."""
    if isinstance(verdict, Shown):
        return "accent" if verdict.is_assumed else verdict_ink(verdict.verdict)
    return "muted" if verdict is None else VERDICT_INKS[verdict]


def verdict_colour(verdict: Judged, theme: Theme) -> str:
    return theme.ink(verdict_ink(verdict))


def severity_colour(severity: Severity, theme: Theme) -> str:
    colours = {Severity.ERROR: theme.bad, Severity.WARNING: theme.warn}
    return colours.get(severity, theme.accent)


def scaled_font(font: QFont, factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """`font` at `factor` times its size, whether that is given in points or in pixels."""
    result = QFont(font)
    if font.pixelSize() > 0:
        result.setPixelSize(max(1, round(font.pixelSize() * factor)))
    else:
        result.setPointSizeF(font.pointSizeF() * factor)
    result.setWeight(weight)
    return result


def draw_verdict(painter: QPainter, rect: QRectF, verdict: Judged, theme: Theme) -> None:
    """The icon of a verdict in its colour; a dashed circle for no data."""
    draw_icon(painter, rect, verdict_icon(verdict), verdict_colour(verdict, theme))


def chip_size(font: QFont, text: str) -> QSizeF:
    """Room that `draw_chip` needs."""
    metrics = QFontMetricsF(font)
    height = metrics.height() + 4
    return QSizeF(metrics.horizontalAdvance(text) + height + 8, height)


def draw_chip(painter: QPainter, rect: QRectF, icon: str, text: str, colour: str) -> None:
    """Icon and word on a soft ground of the same colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = QColor(colour)
    ground.setAlphaF(0.12)
    draw_box(painter, rect, rect.height() / 2, ground=ground)
    side = rect.height() - 6
    draw_icon(painter, QRectF(rect.left() + 5, rect.top() + 3, side, side), icon, colour)
    painter.setPen(QColor(colour))
    words = rect.adjusted(side + 8, 0, -4, 0)
    painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
    painter.restore()


def draw_basis(painter: QPainter, rect: QRectF, basis: Basis, colour: str) -> None:
    """Where a number comes from, as a sketch: points are measurements, the ring is the number.

    On a point; between two points; beyond them; carried over; a rule's line; an empty ring.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / 16, rect.height() / 16)
    _BASIS_SKETCHES[basis](painter, QColor(colour))
    painter.restore()


def _dot(painter: QPainter, x: float, y: float, colour: QColor, radius: float = 2.0) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(x, y), radius, radius)


def _ring(
    painter: QPainter,
    x: float,
    y: float,
    colour: QColor,
    style: Qt.PenStyle = Qt.PenStyle.SolidLine,
    radius: float = 3.2,
) -> None:
    painter.setPen(QPen(colour, 1.5, style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(x, y), radius, radius)


def _stroke(painter: QPainter, points: list[QPointF], colour: QColor) -> None:
    painter.setPen(QPen(colour, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPolyline(points)


def _measured(painter: QPainter, colour: QColor) -> None:
    _ring(painter, 8, 8, colour, radius=5)
    _dot(painter, 8, 8, colour, radius=2.4)


def _interpolated(painter: QPainter, colour: QColor) -> None:
    _dot(painter, 2.2, 12, colour)
    _ring(painter, 8, 8, colour)
    _dot(painter, 13.8, 4, colour)


def _extrapolated(painter: QPainter, colour: QColor) -> None:
    _dot(painter, 2.2, 13, colour)
    _dot(painter, 6.4, 10, colour)
    _ring(painter, 12, 5, colour)


def _transferred(painter: QPainter, colour: QColor) -> None:
    _dot(painter, 2.6, 8, colour)
    _stroke(painter, [QPointF(5.4, 8), QPointF(8.2, 8)], colour)
    _ring(painter, 12, 8, colour)


def _rule(painter: QPainter, colour: QColor) -> None:
    for y, right in ((4, 13), (8, 13), (12, 9)):
        _stroke(painter, [QPointF(3, y), QPointF(right, y)], colour)


def _no_data(painter: QPainter, colour: QColor) -> None:
    _ring(painter, 8, 8, colour, Qt.PenStyle.DotLine, radius=5)


_BASIS_SKETCHES = {
    Basis.MEASURED: _measured,
    Basis.INTERPOLATED: _interpolated,
    Basis.EXTRAPOLATED: _extrapolated,
    Basis.TRANSFERRED: _transferred,
    Basis.RULE: _rule,
    Basis.NO_DATA: _no_data,
}
