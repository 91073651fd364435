"""Legends of charts: small drawings with words, outside the plot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import tr
from app.look import LOOK
from app.theme import Theme
from app.widgets.marks import scaled_font
from app.wording import tip_text
from models.predict.prediction import Verdict

SIGN_PX, GAP_PX, APART_PX = 18, 4, 9
KEY_PX = SIGN_PX + GAP_PX + APART_PX
BAND_ALPHA = 44
"""How much of the accent a band of 90 % has; the charts draw theirs with the same."""
VERDICT_SIGNS = {
    "fits": Verdict.FITS,
    "not-known": Verdict.NOT_KNOWN,
    "at-risk": Verdict.AT_RISK,
    "does-not-fit": Verdict.DOES_NOT_FIT,
}


class Legend(QWidget):
    """What the signs of a chart mean, as a line of small drawings with words."""

    spoken_role = QAccessible.Role.StaticText

    def __init__(self, entries: tuple[tuple[str, str], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all = entries
        self.entries = entries
        """Those that are shown."""
        self._fitted: tuple[tuple[tuple[str, str], ...], int] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend: ") + ", ".join(words for _, words in entries))

    def set_entries(self, entries: tuple[tuple[str, str], ...]) -> None:
        """Says other things; `fit` decides how many of them are shown."""
        if entries != self._all:
            self._all = self.entries = entries
            self.setAccessibleName(tr("Legend: ") + ", ".join(words for _, words in entries))
            self.updateGeometry()
            self.update()

    def fit(self, room: int) -> bool:
        """Shows as many of the first entries as fit into `room` [px]; False when none does."""
        if (self._all, room) == self._fitted:
            return bool(self.entries)
        self._fitted = (self._all, room)
        shown = self._all
        while shown and self._width(shown) + self._width_of_more(shown) >= room:
            shown = shown[:-1]
        if shown != self.entries:
            self.entries = shown
            missing = self._all[len(shown) :]
            others = ", ".join(words for _, words in missing)
            self.setToolTip(tip_text(tr("Also: ") + others) if missing else "")
            self.updateGeometry()
            self.update()
        return bool(shown)

    def _width(self, entries: tuple[tuple[str, str], ...]) -> int:
        metrics = QFontMetrics(scaled_font(self.font(), 0.92))
        return sum(metrics.horizontalAdvance(words) + KEY_PX for _, words in entries)

    def _more(self, entries: tuple[tuple[str, str], ...]) -> str:
        """How many are left out: the tool tip names them."""
        missing = len(self._all) - len(entries)
        return f"+{missing}" if missing else ""

    def _width_of_more(self, entries: tuple[tuple[str, str], ...]) -> int:
        metrics = QFontMetrics(scaled_font(self.font(), 0.92))
        return metrics.horizontalAdvance(self._more(entries))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._fitted = None

    def draw_sign(self, painter: QPainter, box: QRectF, sign: str, theme: Theme) -> None:
        """Draws one sign; a legend with signs of its own draws them here."""
        draw_key(painter, box, sign, theme)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(scaled_font(self.font(), 0.92))
        width = self._width(self.entries) + self._width_of_more(self.entries)
        return QSize(width, metrics.height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled_font(self.font(), 0.92))
        x = 0.0
        for sign, words in self.entries:
            self.draw_sign(painter, QRectF(x, 0, SIGN_PX, self.height()), sign, LOOK.theme)
            width = painter.fontMetrics().horizontalAdvance(words)
            painter.setPen(QColor(LOOK.theme.muted))
            painter.drawText(
                QRectF(x + SIGN_PX + GAP_PX, 0, width + 4, self.height()),
                Qt.AlignmentFlag.AlignVCenter,
                words,
            )
            x += width + KEY_PX
        painter.drawText(
            QRectF(x, 0, self.width() - x, self.height()),
            Qt.AlignmentFlag.AlignVCenter,
            self._more(self.entries),
        )
        painter.end()


def draw_key(painter: QPainter, box: QRectF, sign: str, theme: Theme) -> None:
    """One sign of a legend: ``line``, ``dashed``, ``band``, ``dot``, ``cross``, ``full``,
    ``hatched``, ``outline``, ``mark`` or ``post``; of points ``circle``, ``square``,
    ``triangle``, ``open``,
    ``bar`` and ``miss``; of bars in any colour ``plain`` and ``plain-hatched``; of verdicts
    ``fits``, ``at-risk`` and ``does-not-fit``."""
    middle = box.center()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    bar = QRectF(middle.x() - 6, middle.y() - 5, 12, 10)
    if sign in ("line", "dashed"):
        style = Qt.PenStyle.DashLine if sign == "dashed" else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(theme.accent), 2.4, style, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()))
    elif sign == "cross":
        painter.setPen(QPen(QColor(theme.warn), 2.4))
        painter.drawLine(bar.topLeft(), bar.bottomRight())
        painter.drawLine(bar.bottomLeft(), bar.topRight())
    elif sign == "dot":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.text))
        painter.drawEllipse(middle, 4, 4)
    elif sign == "post":
        painter.setPen(QPen(QColor(theme.text), 2.2))
        painter.drawLine(QPointF(middle.x(), bar.top() - 2), QPointF(middle.x(), bar.bottom() + 2))
    elif sign == "mark":
        painter.setPen(QPen(QColor(theme.text), 2.2))
        painter.drawLine(QPointF(box.left() + 2, middle.y()), QPointF(box.right() - 2, middle.y()))
    elif sign in ("bar", "miss"):
        colour, style = (
            (theme.line_strong, Qt.PenStyle.SolidLine)
            if sign == "bar"
            else (theme.bad, Qt.PenStyle.DashLine)
        )
        painter.setPen(QPen(QColor(colour), 2, style, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(middle.x(), bar.top() - 2), QPointF(middle.x(), bar.bottom() + 2))
    elif sign in ("circle", "square", "triangle", "open"):
        _draw_point(painter, middle, sign, theme)
    elif sign in VERDICT_SIGNS:
        _draw_verdict(painter, middle, sign, theme)
    else:
        _draw_patch(painter, bar, sign, theme)


def _draw_point(painter: QPainter, middle: QPointF, sign: str, theme: Theme) -> None:
    """A sign of a storage path; open where the figure is doubted."""
    colours = {"circle": theme.generic, "square": theme.sametime, "triangle": theme.nrpc}
    colour = QColor(colours.get(sign, theme.text))
    painter.setPen(QPen(colour, 1.8) if sign == "open" else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if sign == "open" else colour)
    if sign == "square":
        painter.drawRect(QRectF(middle.x() - 4.5, middle.y() - 4.5, 9, 9))
    elif sign == "triangle":
        _draw_triangle(painter, middle)
    else:
        painter.drawEllipse(middle, 4.5, 4.5)


def _draw_triangle(painter: QPainter, middle: QPointF) -> None:
    corners = [QPointF(middle.x() + x, middle.y() + y) for x, y in ((-5, 4), (5, 4), (0, -5))]
    painter.drawPolygon(corners)


def _draw_verdict(painter: QPainter, middle: QPointF, sign: str, theme: Theme) -> None:
    """The sign of a point by the verdict there, in its colour."""
    colour = QColor(theme.verdict(VERDICT_SIGNS[sign]))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if sign == "fits":
        painter.drawEllipse(middle, 4.5, 4.5)
    elif sign == "not-known":
        painter.drawRect(QRectF(middle.x() - 4, middle.y() - 4, 8, 8))
    elif sign == "at-risk":
        _draw_triangle(painter, middle)
    else:
        painter.setPen(QPen(colour, 2.4))
        for rise in (-4, 4):
            painter.drawLine(middle + QPointF(-4, -rise), middle + QPointF(4, rise))


def _draw_patch(painter: QPainter, bar: QRectF, sign: str, theme: Theme) -> None:
    band = QColor(theme.accent)
    band.setAlpha(BAND_ALPHA)
    pen, brush, style = {
        "band": (QColor(theme.line), band, Qt.BrushStyle.SolidPattern),
        "full": (QColor(theme.nrpc), QColor(theme.nrpc), Qt.BrushStyle.SolidPattern),
        "plain": (QColor(theme.muted), QColor(theme.muted), Qt.BrushStyle.SolidPattern),
        "plain-hatched": (QColor(theme.muted), QColor(theme.muted), Qt.BrushStyle.BDiagPattern),
        "hatched": (QColor(theme.inotes), QColor(theme.inotes), Qt.BrushStyle.BDiagPattern),
        "outline": (QColor(theme.muted), QColor(theme.muted), Qt.BrushStyle.NoBrush),
    }[sign]
    dashed = Qt.PenStyle.DashLine if sign == "outline" else Qt.PenStyle.SolidLine
    painter.setPen(QPen(pen, 1.3, dashed))
    painter.setBrush(brush)
    filled = painter.brush()
    filled.setStyle(style)
    painter.setBrush(filled)
    painter.drawRect(bar)
