"""The board as a painting: free functions over values, for window, picture and paper alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from app.icons import draw_icon
from app.theme import Theme
from app.widgets.board.cards import RADIUS, CardPainter, DirectCards
from app.widgets.board.faces import FaceBook
from app.widgets.board.layout import (
    HOST_HEAD,
    HOST_METERS,
    PADDING,
    STANDALONE,
    BoardLayout,
    Box,
)
from app.widgets.meters import CENTRE, draw_failure_mark, draw_limit_mark, draw_text, text_width
from models.scenario import AdmissionPolicy, Cluster, Scenario

EMPTY_TITLE = "Nothing on the board yet"
EMPTY_HINTS = (
    "Drag a server from the catalog onto this board to add a host, then a workload onto the host.",
    "Or open an example from the File menu.",
)
TRAY = "$tray"
LEGEND_FROM = 560.0
BELOW_ROW = 54.0
PILL = 28.0
CLEARANCE = 6.0
EDGE = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """What is in the hand over the board.

    Attributes:
        ids: the VMs in the hand; empty while something new comes from the catalog.
        x, y: where the pointer is; `grab_x`, `grab_y`: where in the card it holds.
        target: id of the host or pool below, or `TRAY`; None over nothing that could take it.
        words: what a drop would do, or why it can't.
        is_refused: a drop here does nothing.
    """

    ids: tuple[str, ...] = ()
    x: float = 0.0
    y: float = 0.0
    grab_x: float = 0.0
    grab_y: float = 0.0
    target: str | None = None
    words: str = ""
    is_refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """What the user is doing at the board: selection, pointer, hand."""

    selected: frozenset[str] = frozenset()
    current: str | None = None
    has_focus: bool = False
    hovered: str | None = None
    cut: frozenset[str] = frozenset()
    carry: Carry | None = None
    band: Box | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a painting needs; `scenario` is the stored one, which the layout follows."""

    layout: BoardLayout
    scenario: Scenario
    faces: FaceBook
    theme: Theme
    state: BoardState = field(default_factory=BoardState)


def paint_board(
    painter: QPainter, scene: Scene, visible: Box | None = None, cards: CardPainter | None = None
) -> None:
    """Paints what of the board lies in `visible` (None: all of it)."""
    cards = cards or DirectCards()
    area = visible or Box(0, 0, scene.layout.width, scene.layout.height)
    paint_still(painter, scene, area, cards)
    paint_hand(painter, scene, area, cards)


def paint_still(painter: QPainter, scene: Scene, area: Box, cards: CardPainter) -> None:
    """What stays as it is while only the pointer moves."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for id, box in scene.layout.clusters.items():
        if box.meets(area):
            _paint_cluster(painter, scene, id, box, area, cards)
    _paint_tray(painter, scene, area, cards)
    _paint_pools(painter, scene, area, cards)
    _paint_signs(painter, scene, area)


def paint_hand(painter: QPainter, scene: Scene, area: Box, cards: CardPainter) -> None:
    """What follows the pointer."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    state = scene.state
    if state.hovered is not None and state.carry is None:
        box = scene.layout.box(state.hovered)
        _paint_outline(painter, scene, box, scene.theme.line_strong, 1.2)
    if state.band is not None:
        _paint_band(painter, state.band, scene.theme)
    if state.carry is not None:
        if not scene.scenario.items():
            paint_empty(painter, area, scene.theme)
        _paint_carry(painter, scene, state.carry, area, cards)


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


def _paint_cluster(
    painter: QPainter, scene: Scene, id: str, box: Box, area: Box, cards: CardPainter
) -> None:
    layout = scene.layout
    hosts = layout.members[id]
    if id == STANDALONE:
        title, detail = "Stand-alone hosts", "nothing fails over between them"
    else:
        cluster = scene.scenario.cluster(id)
        title, detail = cluster.name, _cluster_detail(cluster, len(hosts))
    _paint_group(painter, box, title, detail, scene, icon="layers", is_solid=id != STANDALONE)
    if id == next(iter(layout.clusters)):
        _paint_legend(painter, box, scene)
    if not hosts:
        _paint_hint(painter, box, "Drag a server here to add a host", scene)
    for host in hosts:
        if layout.hosts[host].meets(area):
            _paint_host(painter, scene, host, cards)


def _paint_legend(painter: QPainter, box: Box, scene: Scene) -> None:
    """What the marks of the meters mean, once, at the right end of the first heading."""
    scale, theme = scene.layout.scale, scene.theme
    right, middle = box.right - PADDING * scale, box.y + 18 * scale
    size = 11 * scale
    if box.w < LEGEND_FROM * scale:
        return
    for words, draw in (("worst host lost", draw_failure_mark), ("limit", draw_limit_mark)):
        width = text_width(words, size)
        text = QRectF(right - width, middle - 9 * scale, width, 18 * scale)
        draw_text(painter, text, words, colour=theme.muted, size_px=size)
        draw(painter, QPointF(text.x() - 9 * scale, middle), theme, scale)
        right = text.x() - 30 * scale


def _cluster_detail(cluster: Cluster, count: int) -> str:
    hosts = f"{count} host" + ("" if count == 1 else "s")
    admission = cluster.admission
    words = {
        AdmissionPolicy.NONE: "no HA admission control",
        AdmissionPolicy.HOST_FAILURES: f"HA tolerates {admission.host_failures} host "
        + ("failure" if admission.host_failures == 1 else "failures"),
        AdmissionPolicy.PERCENTAGE: f"HA reserves {admission.cpu_pct:g} % CPU, "
        f"{admission.ram_pct:g} % RAM",
        AdmissionPolicy.DEDICATED: "HA with a dedicated failover host",
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
) -> None:
    """A frame with a heading."""
    theme, scale = scene.theme, scene.layout.scale
    style = Qt.PenStyle.SolidLine if is_solid else Qt.PenStyle.DashLine
    painter.setPen(QPen(QColor(theme.line), 1.0, style))
    painter.setBrush(QColor(theme.ground).lighter(103) if not theme.is_dark else QColor("#161b21"))
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
    text = line.adjusted(22 * scale, 0, 0, 0)
    draw_text(painter, text, title, colour=theme.text, size_px=13 * scale, weight=weight)
    used = text_width(title, 13 * scale, weight) + 12 * scale
    rest = text.adjusted(used, 0, 0, 0)
    draw_text(painter, rest, detail, colour=theme.muted, size_px=11.5 * scale)


def _paint_hint(painter: QPainter, box: Box, text: str, scene: Scene) -> None:
    scale = scene.layout.scale
    line = QRectF(box.x, box.bottom - 34 * scale, box.w, 24 * scale)
    draw_text(painter, line, text, colour=scene.theme.muted, size_px=12 * scale, align=CENTRE)


def _paint_host(painter: QPainter, scene: Scene, id: str, cards: CardPainter) -> None:
    layout, theme, scale = scene.layout, scene.theme, scene.layout.scale
    box = layout.hosts[id]
    face = scene.faces.face(id)
    cards.draw(painter, QRectF(*box), face, theme, scale)
    if not layout.cards[id]:
        top = box.y + (HOST_HEAD + HOST_METERS + 6) * scale
        line = QRectF(box.x, top, box.w, box.bottom - top - 6 * scale)
        colour = theme.muted
        draw_text(painter, line, "no VMs", colour=colour, size_px=11.5 * scale, align=CENTRE)
    _paint_vms(painter, scene, layout.cards[id], cards)


def _paint_vms(painter: QPainter, scene: Scene, ids: Iterable[str], cards: CardPainter) -> None:
    carried = scene.state.carry.ids if scene.state.carry is not None else ()
    for id in ids:
        faint = id in carried or id in scene.state.cut
        painter.setOpacity(0.35 if faint else 1.0)
        _paint_vm(painter, scene, id, QRectF(*scene.layout.vms[id]), cards)
    painter.setOpacity(1.0)


def _paint_vm(painter: QPainter, scene: Scene, id: str, rect: QRectF, cards: CardPainter) -> None:
    face = scene.faces.face(id)
    cards.draw(painter, rect, face, scene.theme, scene.layout.scale)


def _paint_tray(painter: QPainter, scene: Scene, area: Box, cards: CardPainter) -> None:
    layout = scene.layout
    if layout.tray is None or not layout.tray.meets(area):
        return
    count = len(layout.tray_cards)
    plural = "" if count == 1 else "s"
    detail = f"{count} VM{plural}" if count else "drop a VM here to take it off its host"
    _paint_group(
        painter, layout.tray, "Not placed", detail, scene, icon="circle-dashed", is_solid=False
    )
    _paint_vms(painter, scene, layout.tray_cards, cards)


def _paint_pools(painter: QPainter, scene: Scene, area: Box, cards: CardPainter) -> None:
    layout = scene.layout
    if layout.storage is None or not layout.storage.meets(area):
        return
    count = len(layout.pools)
    detail = f"{count} pool" + ("" if count == 1 else "s")
    _paint_group(painter, layout.storage, "Storage", detail, scene, icon="hard-drive")
    for id, box in layout.pools.items():
        if box.meets(area):
            face = scene.faces.face(id)
            cards.draw(painter, QRectF(*box), face, scene.theme, layout.scale)


def _paint_signs(painter: QPainter, scene: Scene, area: Box) -> None:
    """Selection and focus, over the cards so that these stay cached."""
    state, layout = scene.state, scene.layout
    for id in state.selected:
        box = layout.box(id)
        if box is not None and box.meets(area):
            _paint_outline(painter, scene, box, scene.theme.accent, 2.0)
    if state.has_focus and state.current is not None:
        box = layout.box(state.current)
        if box is not None:
            _paint_outline(painter, scene, box.inset(-3.5), scene.theme.accent, 1.5, dashed=True)


def _paint_outline(
    painter: QPainter,
    scene: Scene,
    box: Box | None,
    colour: str,
    width: float,
    *,
    dashed: bool = False,
) -> None:
    if box is None:
        return
    pen = QPen(QColor(colour), width)
    if dashed:
        pen.setDashPattern([3, 2])
    radius = (6.0 if box.h < 60 * scene.layout.scale else RADIUS) * scene.layout.scale
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(*box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


def _paint_band(painter: QPainter, band: Box, theme: Theme) -> None:
    fill = QColor(theme.accent)
    fill.setAlpha(36)
    painter.setPen(QPen(QColor(theme.accent), 1))
    painter.setBrush(fill)
    painter.drawRect(QRectF(*band))


def _paint_carry(
    painter: QPainter, scene: Scene, carry: Carry, area: Box, cards: CardPainter
) -> None:
    """The target, the cards in the hand and the words beside them."""
    colour = scene.theme.bad if carry.is_refused else scene.theme.accent
    target = scene.layout.tray if carry.target == TRAY else scene.layout.box(carry.target or "")
    if target is not None:
        _paint_target(painter, scene, target, colour)
    left, top = ghost_corner(scene.layout, carry, area)
    for offset, id in reversed(list(enumerate(carry.ids[:3]))):
        box = scene.layout.vms[id]
        x = left + 5 * offset
        y = top + 5 * offset
        _paint_shadow(painter, QRectF(x, y, box.w, box.h))
        _paint_vm(painter, scene, id, QRectF(x, y, box.w, box.h), cards)
        _paint_outline(painter, scene, Box(x, y, box.w, box.h), scene.theme.ghost, 1.5)
    if carry.words:
        _paint_words(painter, scene, carry, area)


def ghost_corner(layout: BoardLayout, carry: Carry, area: Box) -> tuple[float, float]:
    """Where the card in the hand stands: at the pointer, but beside the meters of the target.

    They are what one looks at while aiming. It stays inside of what is visible.
    """
    x, y = carry.x - carry.grab_x, carry.y - carry.grab_y
    if not carry.ids:
        return x, y
    ghost = layout.vms[carry.ids[0]]
    meters = meters_box(layout, carry.target)
    if meters is not None and meters.meets(Box(x, y, ghost.w, ghost.h)):
        y = meters.bottom + CLEARANCE
        if y + ghost.h > area.bottom:
            y = meters.y - ghost.h - CLEARANCE
    x = max(area.x + EDGE, min(x, area.right - ghost.w - EDGE))
    y = max(area.y + EDGE, min(y, area.bottom - ghost.h - EDGE))
    return x, y


def meters_box(layout: BoardLayout, id: str | None) -> Box | None:
    """Name and meters of a host or pool; None for anything else."""
    box = layout.hosts.get(id or "") or layout.pools.get(id or "")
    return None if box is None else box._replace(h=(HOST_HEAD + HOST_METERS) * layout.scale)


def _paint_target(painter: QPainter, scene: Scene, box: Box, colour: str) -> None:
    """A tinted ground and a strong outline; few large curves, for they cost most of a frame."""
    tint = QColor(colour)
    tint.setAlpha(16)
    painter.fillRect(QRectF(*box.inset(2)), tint)
    radius = RADIUS * scene.layout.scale
    painter.setPen(QPen(QColor(colour), 3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(*box), radius, radius)


def _paint_shadow(painter: QPainter, rect: QRectF) -> None:
    shade = QColor("#000000")
    shade.setAlpha(34)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shade)
    painter.drawRoundedRect(rect.adjusted(-3, -1, 3, 5), 9, 9)


def pill_corner(layout: BoardLayout, carry: Carry, area: Box, width: float) -> tuple[float, float]:
    """Where the words stand: below what is in the hand, else above it, never on the meters."""
    x = max(area.x + EDGE, min(carry.x + 14, area.right - width - EDGE))
    top, bottom = carry.y, carry.y + BELOW_ROW - CLEARANCE
    if carry.ids:
        top = ghost_corner(layout, carry, area)[1]
        bottom = top + layout.vms[carry.ids[0]].h + 5 * (min(len(carry.ids), 3) - 1)
    meters = meters_box(layout, carry.target)
    places = [bottom + CLEARANCE, top - PILL - CLEARANCE]
    if meters is not None:
        places += [meters.bottom + CLEARANCE, meters.y - PILL - CLEARANCE]
    for y in places:
        is_inside = area.y + 4 <= y and y + PILL <= area.bottom - 4
        if is_inside and (meters is None or not meters.meets(Box(x, y, width, PILL))):
            return x, y
    return x, max(area.y + 4, min(places[0], area.bottom - PILL - 4))


def _paint_words(painter: QPainter, scene: Scene, carry: Carry, area: Box) -> None:
    """What a drop would do, in a pill near the pointer that stays inside what is visible."""
    theme = scene.theme
    size = 12.5
    weight = QFont.Weight.Medium
    width = min(text_width(carry.words, size, weight) + 44, area.w - 16)
    x, y = pill_corner(scene.layout, carry, area, width)
    pill = QRectF(x, y, width, PILL)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.bad if carry.is_refused else theme.accent))
    painter.drawRoundedRect(pill, 14, 14)
    icon = QRectF(pill.x() + 10, pill.y() + 6, 16, 16)
    draw_icon(painter, icon, "ban" if carry.is_refused else "arrow-right", theme.on_accent)
    text = pill.adjusted(32, 0, -10, 0)
    draw_text(painter, text, carry.words, colour=theme.on_accent, size_px=size, weight=weight)
