"""The board as a painting: free functions over values, for window, picture and paper alike."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from app.icons import draw_icon
from app.language import tr, trn
from app.theme import Theme
from app.widgets.board.card_cache import CardPainter, DirectCards
from app.widgets.board.cards import RADIUS
from app.widgets.board.cells import cells_in, group_ground, paint_cell
from app.widgets.board.faces import HostFace
from app.widgets.board.hand_paint import paint_hand
from app.widgets.board.layout import PADDING, BoardLayout, Box, is_alone, site_head
from app.widgets.board.scene import Scene
from app.widgets.board.signs import draw_fold_sign, draw_outline
from app.widgets.board.sites import paint_site
from app.widgets.meters import (
    CENTRE,
    draw_failure_mark,
    draw_limit_mark,
    draw_text,
    draw_verdict,
    text_width,
    verdict_width,
)
from app.wording import locale_style
from models.base.lettering import set_apart
from models.scenario.scenario import AdmissionPolicy, Cluster
from models.scenario.wording import exact_text

EMPTY_TITLE = tr("Nothing on the board yet")
EMPTY_HINTS = (
    tr(
        "Drag a server from the catalog onto this board to add a host, "
        "then a workload onto the host."
    ),
    tr("Or open an example from the File menu."),
)
LEGEND_FROM, LEGEND_PX, LEGEND_APART = 560.0, 11.0, 30.0
"""Width of a box that has a legend, its letters, and the room beside each of its words."""

FOLD_SIGN = 22.0
"""Room that the sign that folds takes of a heading."""

Mark = tuple[str, float, Callable[[QPainter, QPointF, Theme, float], None]]
"""Words of the legend, the room they take with their mark, and who draws that."""


def paint_board(
    painter: QPainter, scene: Scene, visible: Box | None = None, cards: CardPainter | None = None
) -> None:
    """Paints what of the board lies in `visible` (None: all of it)."""
    cards = cards or DirectCards()
    area = visible or Box(0, 0, scene.layout.width, scene.layout.height)
    paint_frames(painter, scene, area)
    for cell in cells_in(scene.layout, area):
        paint_cell(painter, scene, cell, cards)
    paint_hand(painter, scene, area, cards)
    if scene.state.carry is not None and not scene.scenario.items():
        paint_empty(painter, area, scene.theme)


def paint_frames(painter: QPainter, scene: Scene, area: Box) -> None:
    """What holds the cards: clusters, the tray of VMs not placed, storage."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    layout, state = scene.layout, scene.state
    for id, box in layout.sites.items():
        if box.meets(area):
            paint_site(painter, scene, id, box)
            if id == state.focused:
                head = site_head(layout, id)
                draw_outline(painter, layout, head, scene.theme.accent, 2.0)
    for id, box in layout.clusters.items():
        if box.meets(area):
            _paint_cluster(painter, scene, id, box)
            if id in state.selected:
                draw_outline(painter, layout, box, scene.theme.accent, 2.0)
            if id == state.focused:
                draw_outline(painter, layout, box, scene.theme.accent, 1.5, dashed=True)
    if layout.tray is not None and layout.tray.meets(area):
        _paint_tray(painter, scene, layout.tray)
    for id, box in layout.storage.items():
        if box.meets(area):
            count = _pools_in(layout, id)
            detail = trn("{count} pool", "{count} pools", count)
            _paint_group(painter, box, tr("Storage"), detail, scene, icon="hard-drive")


def _pools_in(layout: BoardLayout, frame: str) -> int:
    """How many pools stand in a frame of storage."""
    if frame:
        return len(layout.in_site[frame].pools)
    frames = [len(site.pools) for key, site in layout.in_site.items() if key in layout.storage]
    return len(layout.pools) - sum(frames)


def paint_empty(painter: QPainter, area: Box, theme: Theme) -> None:
    """What to do on an empty board."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = area.y + area.h / 2
    size = 48.0
    icon = QRectF(area.x + area.w / 2 - size / 2, middle - 84, size, size)
    draw_icon(painter, icon, "server", theme.line_strong)
    title = QRectF(area.x + 16, middle - 24, area.w - 32, 26)
    weight = QFont.Weight.DemiBold
    draw_text(
        painter, title, EMPTY_TITLE, colour=theme.text, size_px=18, weight=weight, align=CENTRE
    )
    for row, hint in enumerate(EMPTY_HINTS):
        line = QRectF(area.x + 16, middle + 10 + 22 * row, area.w - 32, 20)
        draw_text(painter, line, hint, colour=theme.muted, size_px=13, align=CENTRE)


def _paint_cluster(painter: QPainter, scene: Scene, id: str, box: Box) -> None:
    layout = scene.layout
    hosts = layout.members[id]
    if is_alone(id):
        title, detail = tr("Stand-alone hosts"), tr("nothing fails over between them")
    else:
        cluster = scene.scenario.cluster(id)
        title, detail = set_apart(cluster.name), _cluster_detail(cluster, len(hosts))
    marks = () if scene.is_live or id != next(iter(layout.clusters)) else _legend(box, scene)
    room = sum(width for _, width, _ in marks) or FOLD_SIGN * layout.scale
    is_solid = not is_alone(id)
    _paint_group(painter, box, title, detail, scene, icon="layers", is_solid=is_solid, room=room)
    _paint_legend(painter, box, scene, marks)
    if id in layout.folded and is_solid:
        _paint_summary(painter, scene, hosts, box)
    elif not hosts:
        _paint_hint(painter, box, tr("Drag a server here to add a host"), scene)
    if scene.is_live:
        draw_fold_sign(painter, layout, id, scene.theme)


def _paint_summary(painter: QPainter, scene: Scene, hosts: tuple[str, ...], box: Box) -> None:
    """What a folded cluster holds: VMs, and the worst verdict of its hosts."""
    scale, theme = scene.layout.scale, scene.theme
    line = QRectF(box.x, box.bottom - 34 * scale, box.w, 24 * scale)
    line.adjust(34 * scale, 0, -PADDING * scale, 0)
    layout = scene.layout
    vms = sum(len(layout.cards[host]) + len(layout.hidden.get(host, ())) for host in hosts)
    words = trn("{count} VM folded away", "{count} VMs folded away", vms)
    draw_text(painter, line, words, colour=theme.text, size_px=12 * scale)
    faces = [face for host in hosts if isinstance(face := scene.faces.face(host), HostFace)]
    verdicts = [face.verdict for face in faces if face.verdict is not None]
    if verdicts:
        worst = max(verdicts, key=attrgetter("badness"))
        left = line.x() + text_width(words, 12 * scale) + 14 * scale
        width = verdict_width(worst, 12 * scale) + 2
        word = QRectF(left, line.y(), width, line.height())
        draw_verdict(painter, word, worst, theme, 12 * scale)


def _legend(box: Box, scene: Scene) -> tuple[Mark, ...]:
    """What the marks of the meters mean, with the room each takes; none in a narrow box."""
    scale = scene.layout.scale
    if box.w < LEGEND_FROM * scale:
        return ()
    marks = ((tr("worst host lost"), draw_failure_mark), (tr("limit"), draw_limit_mark))
    return tuple(
        (words, text_width(words, LEGEND_PX * scale) + LEGEND_APART * scale, draw)
        for words, draw in marks
    )


def _paint_legend(painter: QPainter, box: Box, scene: Scene, marks: tuple[Mark, ...]) -> None:
    """The legend at the right end of the first heading."""
    scale, theme = scene.layout.scale, scene.theme
    right, middle = box.right - PADDING * scale, box.y + 18 * scale
    for words, room, draw in marks:
        width = room - LEGEND_APART * scale
        text = QRectF(right - width, middle - 9 * scale, width, 18 * scale)
        draw_text(painter, text, words, colour=theme.muted, size_px=LEGEND_PX * scale)
        draw(painter, QPointF(text.x() - 9 * scale, middle), theme, scale)
        right -= room


def _cluster_detail(cluster: Cluster, count: int) -> str:
    hosts = trn("{count} host", "{count} hosts", count)
    admission = cluster.admission
    words = {
        AdmissionPolicy.NONE: tr("no HA admission control"),
        AdmissionPolicy.HOST_FAILURES: trn(
            "HA tolerates {count} host failure",
            "HA tolerates {count} host failures",
            admission.host_failures,
        ),
        AdmissionPolicy.PERCENTAGE: tr(
            "HA reserves {cpu_pct} % CPU, {ram_pct} % RAM",
            cpu_pct=exact_text(admission.cpu_pct, style=locale_style()),
            ram_pct=exact_text(admission.ram_pct, style=locale_style()),
        ),
        AdmissionPolicy.DEDICATED: tr("HA with a dedicated failover host"),
    }
    return f"{hosts}, {words[admission.policy]}"


def _paint_group(
    painter: QPainter,
    box: Box,
    title: str,
    detail: str,
    scene: Scene,
    *,
    icon: str,
    is_solid: bool = True,
    room: float = 0.0,
) -> None:
    """A frame with a heading; `room` is kept free at its right end."""
    theme, scale = scene.theme, scene.layout.scale
    style = Qt.PenStyle.SolidLine if is_solid else Qt.PenStyle.DashLine
    painter.setPen(QPen(QColor(theme.line), 1.0, style))
    painter.setBrush(group_ground(theme))
    radius = (RADIUS + 2) * scale
    painter.drawRoundedRect(QRectF(*box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    line = QRectF(
        box.x + PADDING * scale,
        box.y + min(9 * scale, (box.h - 18 * scale) / 2),
        box.w - 2 * PADDING * scale,
        18 * scale,
    )
    size = 16 * scale
    draw_icon(painter, QRectF(line.x(), line.y() + scale, size, size), icon, theme.muted)
    weight = QFont.Weight.DemiBold
    text = line.adjusted(22 * scale, 0, -room, 0)
    draw_text(painter, text, title, colour=theme.text, size_px=13 * scale, weight=weight)
    used = text_width(title, 13 * scale, weight) + 12 * scale
    rest = text.adjusted(used, 0, 0, 0)
    draw_text(painter, rest, detail, colour=theme.muted, size_px=11.5 * scale)


def _paint_hint(painter: QPainter, box: Box, text: str, scene: Scene) -> None:
    scale = scene.layout.scale
    line = QRectF(box.x, box.bottom - 34 * scale, box.w, 24 * scale)
    draw_text(painter, line, text, colour=scene.theme.muted, size_px=12 * scale, align=CENTRE)


def _paint_tray(painter: QPainter, scene: Scene, tray: Box) -> None:
    count = len(scene.layout.tray_cards)
    detail = (
        trn("{count} VM", "{count} VMs", count)
        if count
        else tr("drop a VM here to take it off its host")
    )
    _paint_group(
        painter, tray, tr("Not placed"), detail, scene, icon="circle-dashed", is_solid=False
    )
