"""Painting of single cards from their faces, and the cache that keeps painted ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap

from app.icons import draw_icon
from app.theme import Theme
from app.widgets.board.faces import HostFace, PoolFace, VmFace
from app.widgets.board.layout import HOST_HEAD, METER_ROW, PADDING
from app.widgets.meters import (
    RIGHT,
    Meter,
    draw_badge,
    draw_meter,
    draw_text,
    draw_track,
    draw_verdict,
    draw_verdict_icon,
    text_width,
    verdict_width,
)
from models.scenario import WorkloadKind

Face = HostFace | VmFace | PoolFace
RADIUS = 8.0
BADGE = "reference system"
KIND_ICONS = {
    WorkloadKind.DOMINO_NRPC: "mail",
    WorkloadKind.DOMINO_INOTES: "globe",
    WorkloadKind.SAMETIME_COMMUNITY: "message-square",
    WorkloadKind.SAMETIME_MUX: "network",
    WorkloadKind.GENERIC: "box",
}


class CardPainter(Protocol):
    """Puts a card onto a painter: freshly painted, or from a cache."""

    def draw(
        self, painter: QPainter, rect: QRectF, face: Face, theme: Theme, scale: float
    ) -> None: ...


class DirectCards:
    """Paints every card anew: for pictures, SVG and paper."""

    def draw(self, painter: QPainter, rect: QRectF, face: Face, theme: Theme, scale: float) -> None:
        draw_card(painter, rect, face, theme, scale)


class CachedCards:
    """Keeps painted cards by face, size and theme; a frame then copies pixels.

    `limit` cards are kept; the one not used for longest goes first.
    """

    def __init__(self, limit: int = 3000) -> None:
        self._limit = limit
        self._pixmaps: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()

    def draw(self, painter: QPainter, rect: QRectF, face: Face, theme: Theme, scale: float) -> None:
        device = painter.device()
        ratio = device.devicePixelRatioF()
        key = (face, rect.width(), rect.height(), theme.name, scale, ratio)
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._paint(rect, face, theme, scale, ratio)
            self._pixmaps[key] = pixmap
            if len(self._pixmaps) > self._limit:
                self._pixmaps.popitem(last=False)
        else:
            self._pixmaps.move_to_end(key)
        painter.drawPixmap(QPointF(rect.x() - 1, rect.y() - 1), pixmap)

    def clear(self) -> None:
        self._pixmaps.clear()

    @staticmethod
    def _paint(rect: QRectF, face: Face, theme: Theme, scale: float, ratio: float) -> QPixmap:
        width, height = rect.width() + 2, rect.height() + 2
        pixmap = QPixmap(round(width * ratio + 0.5), round(height * ratio + 0.5))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_card(painter, QRectF(1, 1, rect.width(), rect.height()), face, theme, scale)
        painter.end()
        return pixmap


def draw_card(painter: QPainter, rect: QRectF, face: Face, theme: Theme, scale: float) -> None:
    """Paints the card of any face."""
    _DRAW[type(face)](painter, rect, face, theme, scale)


def _frame(
    painter: QPainter,
    rect: QRectF,
    theme: Theme,
    scale: float,
    *,
    fill: str,
    radius: float = RADIUS,
) -> None:
    painter.setPen(QPen(QColor(theme.line), 1))
    painter.setBrush(QColor(fill))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius * scale, radius * scale)


def _draw_host(painter: QPainter, rect: QRectF, face: HostFace, theme: Theme, scale: float) -> None:
    _frame(painter, rect, theme, scale, fill=theme.panel)
    _draw_head(painter, rect, face, theme, scale, icon="server")
    top = rect.y() + HOST_HEAD * scale
    inner = rect.adjusted(PADDING * scale, 0, -PADDING * scale, 0)
    _draw_meters(painter, QRectF(inner.x(), top, inner.width(), 0), face.meters, theme, scale)


def _draw_pool(painter: QPainter, rect: QRectF, face: PoolFace, theme: Theme, scale: float) -> None:
    _frame(painter, rect, theme, scale, fill=theme.panel)
    _draw_head(painter, rect, face, theme, scale, icon="database")
    top = rect.y() + HOST_HEAD * scale
    inner = rect.adjusted(PADDING * scale, 0, -PADDING * scale, 0)
    _draw_meters(painter, QRectF(inner.x(), top, inner.width(), 0), face.meters, theme, scale)


def _draw_head(
    painter: QPainter,
    rect: QRectF,
    face: HostFace | PoolFace,
    theme: Theme,
    scale: float,
    *,
    icon: str,
) -> None:
    """Icon, name and verdict; below them what it is, and whether it is only a reference."""
    pad = PADDING * scale
    line = QRectF(rect.x() + pad, rect.y() + 8 * scale, rect.width() - 2 * pad, 18 * scale)
    size = 16 * scale
    draw_icon(painter, QRectF(line.x(), line.y() + scale, size, size), icon, theme.muted)
    used = 0.0
    if face.verdict is not None:
        draw_verdict(painter, line, face.verdict, theme, 12 * scale)
        used = verdict_width(face.verdict, 12 * scale) + 8 * scale
    name = line.adjusted(22 * scale, 0, -used, 0)
    weight = QFont.Weight.DemiBold
    draw_text(painter, name, face.name, colour=theme.text, size_px=14 * scale, weight=weight)
    below = QRectF(line.x(), rect.y() + 27 * scale, line.width(), 16 * scale)
    if face.is_reference:
        used = draw_badge(painter, below, BADGE, theme, 9.5 * scale) + 6 * scale
        below = below.adjusted(0, 0, -used, 0)
    draw_text(painter, below, face.model, colour=theme.text, size_px=11.5 * scale)
    last = QRectF(line.x(), rect.y() + 43 * scale, line.width(), 16 * scale)
    draw_text(painter, last, face.detail, colour=theme.muted, size_px=11 * scale)


def _draw_meters(
    painter: QPainter, area: QRectF, meters: tuple[Meter, ...], theme: Theme, scale: float
) -> None:
    """Two columns of meters."""
    gap = 14 * scale
    width = (area.width() - gap) / 2
    for position, meter in enumerate(meters):
        row, column = divmod(position, 2)
        rect = QRectF(
            area.x() + column * (width + gap),
            area.y() + row * METER_ROW * scale,
            width,
            METER_ROW * scale,
        )
        draw_meter(painter, rect, meter, theme, scale)


def _draw_vm(painter: QPainter, rect: QRectF, face: VmFace, theme: Theme, scale: float) -> None:
    _frame(painter, rect, theme, scale, fill=theme.raised, radius=6.0)
    painter.save()
    if face.is_off:
        painter.setOpacity(painter.opacity() * 0.6)
    _draw_stripe(painter, rect, face, theme, scale)
    if rect.height() < 40 * scale:
        _draw_vm_line(painter, rect, face, theme, scale)
    else:
        _draw_vm_lines(painter, rect, face, theme, scale)
    painter.restore()


def _draw_stripe(painter: QPainter, rect: QRectF, face: VmFace, theme: Theme, scale: float) -> None:
    """The kind of workload as a coloured icon."""
    size = 15 * scale
    top = rect.y() + (7 * scale if rect.height() >= 40 * scale else (rect.height() - size) / 2)
    box = QRectF(rect.x() + 8 * scale, top, size, size)
    draw_icon(painter, box, KIND_ICONS[face.kind], theme.workload(face.kind))


def _draw_vm_lines(
    painter: QPainter, rect: QRectF, face: VmFace, theme: Theme, scale: float
) -> None:
    top = QRectF(rect.x() + 28 * scale, rect.y() + 6 * scale, rect.width() - 36 * scale, 17 * scale)
    used = _draw_response(painter, top, face, theme, 12.5 * scale)
    weight = QFont.Weight.Medium
    name = top.adjusted(0, 0, -used, 0)
    draw_text(painter, name, face.name, colour=theme.text, size_px=13 * scale, weight=weight)
    below = QRectF(top.x(), rect.y() + 23 * scale, top.width(), 15 * scale)
    if face.verdict is not None:
        draw_verdict(painter, below, face.verdict, theme, 11 * scale)
        used = verdict_width(face.verdict, 11 * scale) + 6 * scale
    draw_text(
        painter,
        below.adjusted(0, 0, -used if face.verdict is not None else 0, 0),
        face.detail,
        colour=theme.muted,
        size_px=11 * scale,
    )
    if face.cpu is not None:
        bar = QRectF(
            rect.x() + 8 * scale,
            rect.bottom() - 8.5 * scale,
            rect.width() - 16 * scale,
            3.5 * scale,
        )
        draw_track(painter, bar, face.cpu, theme, scale * 0.7)


def _draw_vm_line(
    painter: QPainter, rect: QRectF, face: VmFace, theme: Theme, scale: float
) -> None:
    """Name, response and the verdict's icon on one line; its word is in the inspector."""
    line = rect.adjusted(28 * scale, 0, -8 * scale, 0)
    if face.verdict is not None:
        size = 13 * scale
        centre = QPointF(line.right() - size / 2, line.center().y())
        draw_verdict_icon(painter, centre, face.verdict, theme, size)
        line = line.adjusted(0, 0, -size - 5 * scale, 0)
    used = _draw_response(painter, line, face, theme, 11.5 * scale)
    name = line.adjusted(0, 0, -used, 0)
    draw_text(painter, name, face.name, colour=theme.text, size_px=12 * scale)


def _draw_response(
    painter: QPainter, line: QRectF, face: VmFace, theme: Theme, size: float
) -> float:
    if not face.response:
        return 0.0
    known = face.cpu is not None and face.response[0].isdigit()
    colour = theme.text if known else theme.muted
    weight = QFont.Weight.DemiBold if known else QFont.Weight.Normal
    draw_text(painter, line, face.response, colour=colour, size_px=size, weight=weight, align=RIGHT)
    return text_width(face.response, size, weight) + 6


_DRAW: dict[type, Callable[..., None]] = {
    HostFace: _draw_host,
    VmFace: _draw_vm,
    PoolFace: _draw_pool,
}
