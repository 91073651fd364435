"""Putting cards onto a painter: freshly painted, or from parts that were painted before."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.theme import Theme
from app.widgets.board.cards import Face, Part, draw_card, parts

OVERHANG = 6.0
"""Marks hang over the edge of a part by at most this."""


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
    """Keeps painted parts by value, size and theme; a frame then copies pixels.

    `limit` parts are kept; the one not used for longest goes first. The parts of a face are
    found by the face's identity first, for that is how it comes while nothing changes.
    """

    def __init__(self, limit: int = 3000) -> None:
        self._limit = limit
        self._pixmaps: OrderedDict[tuple[Any, ...], QPixmap] = OrderedDict()
        self._placed: dict[int, _Placed] = {}

    def draw(self, painter: QPainter, rect: QRectF, face: Face, theme: Theme, scale: float) -> None:
        size = (
            rect.width(),
            rect.height(),
            theme.name,
            scale,
            painter.device().devicePixelRatioF(),
        )
        placed = self._placed.get(id(face))
        if placed is None or placed.face is not face or placed.size != size:
            placed = _Placed(face, size, self._pieces(face, rect, theme, scale, size[-1]))
            if len(self._placed) >= self._limit:
                self._placed.clear()
            self._placed[id(face)] = placed
        corner = rect.topLeft()
        for offset, pixmap in placed.pieces:
            painter.drawPixmap(corner + offset, pixmap)

    def clear(self) -> None:
        self._pixmaps.clear()
        self._placed.clear()

    def _pieces(
        self, face: Face, rect: QRectF, theme: Theme, scale: float, ratio: float
    ) -> tuple[tuple[QPointF, QPixmap], ...]:
        overhang = QPointF(OVERHANG * scale, OVERHANG * scale)
        return tuple(
            (
                part.rect.topLeft() - rect.topLeft() - overhang,
                self._pixmap(part, theme, scale, ratio),
            )
            for part in parts(face, rect, scale)
        )

    def _pixmap(self, part: Part, theme: Theme, scale: float, ratio: float) -> QPixmap:
        width, height = part.rect.width(), part.rect.height()
        key = (part.draw, part.value, width, height, theme.name, scale, ratio)
        pixmap = self._pixmaps.get(key)
        if pixmap is not None:
            self._pixmaps.move_to_end(key)
            return pixmap
        pixmap = self._pixmaps[key] = _painted(part, theme, scale, ratio)
        if len(self._pixmaps) > self._limit:
            self._pixmaps.popitem(last=False)
        return pixmap


class _Placed(NamedTuple):
    """The painted parts of one face and where they stand in its card; keeps the face alive."""

    face: Face
    size: tuple[float, float, str, float, float]
    pieces: tuple[tuple[QPointF, QPixmap], ...]


def _painted(part: Part, theme: Theme, scale: float, ratio: float) -> QPixmap:
    """A part with a margin for marks that hang over its edge."""
    margin = OVERHANG * scale
    width, height = part.rect.width(), part.rect.height()
    pixmap = QPixmap(
        round((width + 2 * margin) * ratio + 0.5), round((height + 2 * margin) * ratio + 0.5)
    )
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    part.draw(painter, QRectF(margin, margin, width, height), part.value, theme, scale)
    painter.end()
    return pixmap
