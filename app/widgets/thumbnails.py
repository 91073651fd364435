"""Small pictures of boards: what stands where, and how it fares, in a few rectangles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from app.theme import Theme
from app.widgets.board.arrange import layout_board
from app.widgets.board.layout import BoardLayout, Box
from app.widgets.painting import draw_box
from models.predict.prediction import Prediction, Shown, Verdict
from models.scenario.scenario import Scenario

BOARD_PX = 900.0
"""Width at which the board is laid out before it is made small."""
HEAD_SHARE = 0.34
HEADS = {
    Verdict.FITS: 0.4,
    Verdict.NOT_KNOWN: 0.55,
    Verdict.AT_RISK: 0.7,
    Verdict.DOES_NOT_FIT: 1.0,
}
"""How much of a host's box its head takes in the picture."""


class Look(NamedTuple):
    """What a picture is drawn for: its size in device-independent pixels, sharp at `ratio`."""

    size: QSize
    theme: Theme
    ratio: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What of a small board stays the same as long as nothing moves: frames and VMs.

    `heads`: the boxes of hosts and pools by their ids; of VMs there may be thousands, and nothing
    is kept of them but what is painted.
    `scale`: of the board's units in the picture.
    """

    picture: QPixmap
    heads: tuple[tuple[str, Box], ...]
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Thumbnail:
    """The picture of a board and what it shows."""

    look: Look
    scenario: Scenario
    prediction: Prediction | None
    ground: Ground
    picture: QPixmap


def thumbnail(
    scenario: Scenario, prediction: Prediction | None, look: Look, before: Thumbnail | None = None
) -> Thumbnail:
    """The board of a scenario as a small picture.

    Where everything stands as it does in `before`, only the verdicts are drawn anew.
    """
    if before is not None and before.look == look and _stand_alike(before.scenario, scenario):
        ground = before.ground
    else:
        ground = draw_ground(scenario, look)
    picture = draw_thumbnail(ground, look, prediction)
    return Thumbnail(look, scenario, prediction, ground, picture)


def _stand_alike(before: Scenario, after: Scenario) -> bool:
    return before is after or places_of(before) == places_of(after)


def draw_ground(scenario: Scenario, look: Look) -> Ground:
    """Frames, holders and VMs, whole or the upper part of the board where it is high."""
    size, theme, ratio = look
    layout = layout_board(scenario, BOARD_PX, 1.0)
    rect = _inner(size)
    scale = rect.width() / BOARD_PX
    scale = max(min(scale, rect.height() / max(layout.height, 1.0)), scale * 0.6)
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(QColor(theme.raised))
    painter = _painter(picture, rect, scale)
    _draw_frames(painter, layout, scale, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.panel))
    for boxes in (layout.hosts, layout.pools):
        painter.drawRects([_rect(box) for box in boxes.values()])
    kinds = {vm.id: vm.workload.kind for vm in scenario.vms}
    cards: dict[str, list[QRectF]] = {}
    for id, box in layout.vms.items():
        cards.setdefault(theme.workload(kinds[id]), []).append(_rect(box.inset(2.0)))
    for colour, rects in cards.items():
        painter.setBrush(QColor(colour))
        painter.drawRects(rects)
    painter.end()
    return Ground(picture, (*layout.hosts.items(), *layout.pools.items()), scale)


def draw_thumbnail(ground: Ground, look: Look, prediction: Prediction | None) -> QPixmap:
    """The board of a scenario: its ground, and on it how everything fares.

    Hosts and pools show their verdict by colour and by how much of their head is filled; VMs their
    workload. The row beside the picture says the verdict in words.
    """
    size, theme, _ = look
    picture = QPixmap(ground.picture)
    painter = _painter(picture, _inner(size), ground.scale)
    _draw_heads(painter, ground.heads, prediction, theme)
    painter.end()
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_box(painter, QRectF(0.5, 0.5, size.width() - 1, size.height() - 1), 4, edge=theme.line)
    painter.end()
    return picture


def _inner(size: QSize) -> QRectF:
    return QRectF(0, 0, size.width(), size.height()).adjusted(2, 2, -2, -2)


def _painter(picture: QPixmap, rect: QRectF, scale: float) -> QPainter:
    """Paints in the units of the board, in the part of the picture that is its own."""
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(rect)
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    return painter


def _draw_frames(painter: QPainter, layout: BoardLayout, scale: float, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.line_strong), 0.7 / scale))
    painter.setBrush(QColor(theme.ground))
    frames = [*layout.clusters.values(), *layout.storage.values(), layout.tray]
    for box in frames:
        if box is not None:
            painter.drawRoundedRect(_rect(box), 14, 14)


def _draw_heads(
    painter: QPainter,
    heads: tuple[tuple[str, Box], ...],
    prediction: Prediction | None,
    theme: Theme,
) -> None:
    verdicts = _shown(prediction)
    painter.setPen(Qt.PenStyle.NoPen)
    for id, box in heads:
        shown = verdicts.get(id)
        verdict = None if shown is None else shown.verdict
        share = HEAD_SHARE if verdict is None else HEAD_SHARE * HEADS[verdict]
        painter.setBrush(QColor(_fill(shown, theme)))
        painter.drawRect(QRectF(box.x, box.y, box.w, min(box.h, 200.0) * share))


def _fill(shown: Shown | None, theme: Theme) -> str:
    """The colour of a head; what fits on assumptions is not green."""
    if shown is None or shown.verdict is None:
        return theme.track
    return theme.accent if shown.is_assumed else theme.fill(shown.verdict)


def _shown(prediction: Prediction | None) -> dict[str, Shown]:
    if prediction is None:
        return {}
    return {
        id: table.shown(row)
        for table in (prediction.hosts, prediction.pools)
        for row, id in enumerate(table.ids)
    }


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.w, box.h)


def places_of(scenario: Scenario) -> tuple[object, ...]:
    """All that decides what stands where, and in which colour."""
    return (
        tuple(cluster.id for cluster in scenario.clusters),
        tuple((host.id, host.cluster) for host in scenario.hosts),
        tuple(pool.id for pool in scenario.pools),
        tuple((vm.id, vm.host, vm.workload.kind) for vm in scenario.vms),
    )
