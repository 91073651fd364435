"""Small pictures of boards: what stands where, and how it fares, in a few rectangles."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from app.theme import Theme
from app.widgets.board.arrange import layout_board
from app.widgets.board.layout import BoardLayout, Box
from models.prediction import Prediction, Verdict
from models.scenario import Scenario

BOARD_PX = 900.0
"""Width at which the board is laid out before it is made small."""
MOST_KEPT = 64
HEAD_SHARE = 0.34
"""How much of a host's box its head takes in the picture."""


def draw_thumbnail(
    painter: QPainter,
    rect: QRectF,
    scenario: Scenario,
    prediction: Prediction | None,
    theme: Theme,
) -> None:
    """The board of a scenario in `rect`, whole or its upper part where it is high.

    Hosts and pools show their verdict by colour and by how much of their head is filled; VMs their
    workload. The row beside the picture says the verdict in words.
    """
    layout = layout_board(scenario, BOARD_PX, 1.0)
    scale = rect.width() / BOARD_PX
    scale = max(min(scale, rect.height() / max(layout.height, 1.0)), scale * 0.6)
    painter.save()
    painter.setClipRect(rect)
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    _draw_frames(painter, layout, scale, theme)
    _draw_holders(painter, layout, prediction, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    kinds = {vm.id: vm.workload.kind for vm in scenario.vms}
    for id, box in layout.vms.items():
        painter.setBrush(QColor(theme.workload(kinds[id])))
        painter.drawRect(_rect(box.inset(2.0)))
    painter.restore()


def _draw_frames(painter: QPainter, layout: BoardLayout, scale: float, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.line_strong), 0.7 / scale))
    painter.setBrush(QColor(theme.ground))
    frames = [*layout.clusters.values(), layout.storage, layout.tray]
    for box in frames:
        if box is not None:
            painter.drawRoundedRect(_rect(box), 14, 14)


def _draw_holders(
    painter: QPainter, layout: BoardLayout, prediction: Prediction | None, theme: Theme
) -> None:
    verdicts = _verdicts(prediction)
    painter.setPen(Qt.PenStyle.NoPen)
    for boxes in (layout.hosts, layout.pools):
        for id, box in boxes.items():
            painter.setBrush(QColor(theme.panel))
            painter.drawRect(_rect(box))
            verdict = verdicts.get(id)
            share = HEAD_SHARE if verdict is None else HEAD_SHARE * (0.4 + 0.3 * verdict.value)
            painter.setBrush(QColor(theme.track if verdict is None else theme.fill(verdict)))
            painter.drawRect(QRectF(box.x, box.y, box.w, min(box.h, 200.0) * share))


def _verdicts(prediction: Prediction | None) -> dict[str, Verdict]:
    if prediction is None:
        return {}
    return {
        id: Verdict(int(code))
        for table in (prediction.hosts, prediction.pools)
        for id, code in zip(table.ids, table.verdict, strict=True)
    }


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.w, box.h)


class Thumbnails:
    """Pictures made when they are first asked for, and kept as long as they are true."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], tuple[Scenario, Prediction | None, QPixmap]] = {}

    def picture(
        self,
        scenario: Scenario,
        prediction: Prediction | None,
        size: QSize,
        theme: Theme,
        ratio: float = 1.0,
    ) -> QPixmap:
        """The board in `size` device-independent pixels, sharp at `ratio`."""
        # The values are kept beside the picture, so that their ids can't come back as others'.
        key = (id(scenario), id(prediction), size.width(), size.height(), theme.name, ratio)
        held = self._kept.get(key)
        if held is not None:
            return held[2]
        picture = _drawn(scenario, prediction, size, theme, ratio)
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (scenario, prediction, picture)
        return picture

    def __len__(self) -> int:
        return len(self._kept)


def _drawn(
    scenario: Scenario, prediction: Prediction | None, size: QSize, theme: Theme, ratio: float
) -> QPixmap:
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(QColor(theme.raised))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inner = QRectF(0, 0, size.width(), size.height()).adjusted(2, 2, -2, -2)
    draw_thumbnail(painter, inner, scenario, prediction, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.line), 1))
    painter.drawRoundedRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1), 4, 4)
    painter.end()
    return picture
