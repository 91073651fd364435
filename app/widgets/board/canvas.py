"""Keeps painted cells, so that a frame copies what did not change and paints what did.

While the user pans or zooms a frame has a deadline: cells that it has no time for stand as blank
cards and come with the next frames.
"""

from __future__ import annotations

from collections import OrderedDict
from time import perf_counter
from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap

from app.widgets.board.card_cache import CachedCards
from app.widgets.board.cards import RADIUS
from app.widgets.board.cells import REACH, Cell, cells_in, group_ground, looks, paint_cell
from app.widgets.board.layout import PADDING, Box
from app.widgets.board.paint import paint_frames
from app.widgets.board.scene import TRAY, Scene
from app.widgets.meters import draw_text
from app.widgets.painting import draw_box
from models.base.lettering import set_apart

MOST_BYTES = 96 * 2**20
"""Painted cells that are kept; a screen of 3,840 × 2,160 shows 33 MB."""


class _Kept(NamedTuple):
    """A painted cell: at which size, showing what."""

    size: tuple[Any, ...]
    looks: tuple[Any, ...]
    pixmap: QPixmap

    @property
    def bytes(self) -> int:
        return self.pixmap.width() * self.pixmap.height() * 4


class Canvas:
    """The board of one window, painted cell by cell."""

    def __init__(self) -> None:
        self.cards = CachedCards()
        """The painted parts of cards, for whoever paints what is being dragged."""
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._bytes = 0
        self._grounds: dict[str, QColor] = {}

    def clear(self) -> None:
        self.cards.clear()
        self._kept.clear()
        self._bytes = 0

    def paint(
        self, painter: QPainter, scene: Scene, area: Box, *, within_s: float | None = None
    ) -> bool:
        """Paints what lies in `area`; False when there was no time for all of it.

        Args:
            within_s: time after which cells that were not painted yet stay blank; None: no limit.
        """
        end = None if within_s is None else perf_counter() + within_s
        paint_frames(painter, scene, area)
        is_complete = True
        for cell in cells_in(scene.layout, area):
            is_late = end is not None and perf_counter() > end
            kept = self._found(scene, cell, painter, is_late=is_late)
            if kept is None:
                _paint_blank(painter, scene, cell)
                is_complete = False
            else:
                reach = REACH * scene.layout.scale
                painter.drawPixmap(QPointF(cell.box.x - reach, cell.box.y - reach), kept.pixmap)
        return is_complete

    def _found(self, scene: Scene, cell: Cell, painter: QPainter, *, is_late: bool) -> _Kept | None:
        """The painted cell, painted now where it must be; None where that takes too long."""
        ratio = painter.device().devicePixelRatioF()
        size = (cell.box.w, cell.box.h, scene.layout.scale, scene.theme.name, ratio)
        kept = self._kept.get(cell.id)
        if kept is not None and kept.size != size:
            kept = None
        if is_late and kept is None:
            return None
        shown = looks(scene, cell)
        if kept is None or kept.looks != shown:
            kept = _Kept(size, shown, self._painted(scene, cell, ratio))
            self._keep(cell.id, kept)
        else:
            self._kept.move_to_end(cell.id)
        return kept

    def _painted(self, scene: Scene, cell: Cell, ratio: float) -> QPixmap:
        reach = REACH * scene.layout.scale
        width, height = cell.box.w + 2 * reach, cell.box.h + 2 * reach
        pixmap = QPixmap(round(width * ratio + 0.5), round(height * ratio + 0.5))
        pixmap.setDevicePixelRatio(ratio)
        # The tray is a frame of its own, which is painted below its cards.
        pixmap.fill(Qt.GlobalColor.transparent if cell.id == TRAY else self._ground(scene))
        painter = QPainter(pixmap)
        painter.translate(reach - cell.box.x, reach - cell.box.y)
        paint_cell(painter, scene, cell, self.cards)
        painter.end()
        return pixmap

    def _ground(self, scene: Scene) -> QColor:
        name = scene.theme.name
        if name not in self._grounds:
            self._grounds[name] = group_ground(scene.theme)
        return self._grounds[name]

    def _keep(self, id: str, kept: _Kept) -> None:
        before = self._kept.pop(id, None)
        self._bytes += kept.bytes - (before.bytes if before is not None else 0)
        self._kept[id] = kept
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.bytes


def _paint_blank(painter: QPainter, scene: Scene, cell: Cell) -> None:
    """A card that is not painted yet: its frame and its name."""
    theme, scale = scene.theme, scene.layout.scale
    if cell.id == TRAY:
        return
    draw_box(painter, QRectF(*cell.box), RADIUS * scale, ground=theme.panel, edge=theme.line)
    line = QRectF(cell.box.x, cell.box.y + 8 * scale, cell.box.w, 18 * scale)
    line.adjust((PADDING + 22) * scale, 0, -PADDING * scale, 0)
    name = next(
        (
            set_apart(item.name)
            for items in (scene.scenario.hosts, scene.scenario.pools)
            for item in items
            if item.id == cell.id
        ),
        "",
    )
    size, weight = 14 * scale, QFont.Weight.DemiBold
    draw_text(painter, line, name, colour=theme.text, size_px=size, weight=weight)
