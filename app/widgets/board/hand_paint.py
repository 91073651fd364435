"""What follows the hand, over the board: the card in it, the words beside it, bands and links."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from app.icons import draw_icon
from app.language import tr, trn
from app.theme import Theme
from app.widgets.board.arrange import VM_TALL
from app.widgets.board.card_cache import CardPainter
from app.widgets.board.cards import RADIUS
from app.widgets.board.layout import HOST_HEAD, HOST_METERS, BoardLayout, Box
from app.widgets.board.scene import TRAY, Carry, Lost, Scene, Standing
from app.widgets.board.signs import draw_outline, draw_tag
from app.widgets.meters import draw_text, text_width
from app.widgets.painting import draw_box
from models.predict.prediction import Verdict

BELOW_ROW = 54.0
PILL = 28.0
CLEARANCE = 6.0
EDGE = 8.0
CARD_WIDTH = 200.0
WAITING = tr("calculating…")


def paint_hand(painter: QPainter, scene: Scene, area: Box, cards: CardPainter) -> None:
    """What follows the pointer or the keys."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    state = scene.state
    if state.partners or state.secondary is not None:
        _paint_links(painter, scene)
    if state.hovered is not None and state.carry is None:
        box = scene.layout.box(state.hovered)
        if box is not None:
            draw_outline(painter, scene.layout, box, scene.theme.line_strong, 1.2)
    if state.band is not None:
        _paint_band(painter, state.band, scene.theme)
    if state.carry is not None:
        _paint_target(painter, scene, state.carry)
    _paint_standings(painter, scene, area)
    if state.lost is not None:
        _paint_restarts(painter, scene, state.lost, area, cards)
    if state.carry is not None:
        _paint_carry(painter, scene, state.carry, area, cards)


# ------------------------------------------------------------------------- what is dragged


def _paint_carry(
    painter: QPainter, scene: Scene, carry: Carry, area: Box, cards: CardPainter
) -> None:
    """The cards being dragged and the words beside them."""
    left, top = ghost_corner(scene.layout, carry, area)
    for offset, id in reversed(list(enumerate(carry.ids[:3]))):
        box = card_in_hand(scene.layout, id)
        x = left + 5 * offset
        y = top + 5 * offset
        rect = QRectF(x, y, box.w, box.h)
        _paint_shadow(painter, rect)
        cards.draw(painter, rect, scene.faces.face(id), scene.theme, scene.layout.scale)
        ghost = Box(x, y, box.w, box.h)
        draw_outline(painter, scene.layout, ghost, scene.theme.ghost, 1.5)
    if len(carry.ids) > 3:
        box = card_in_hand(scene.layout, carry.ids[0])
        at = QPointF(left + box.w, top)
        words = trn("{count} VM", "{count} VMs", len(carry.ids))
        draw_tag(painter, at, words, "layers", scene.theme, scene.theme.accent, scene.layout.scale)
    if carry.words:
        _paint_words(painter, scene, carry, area)


def _paint_standings(painter: QPainter, scene: Scene, area: Box) -> None:
    """Which host is best and which can’t take it, over the cards' upper edges."""
    theme = scene.theme
    for id, standing in scene.state.standings.items():
        box = scene.layout.hosts.get(id)
        if box is None or not box.meets(area):
            continue
        if standing is Standing.BEST:
            _paint_tag(painter, scene, box, area, tr("most headroom"), "circle-check", theme.ok)
        elif standing is Standing.UNSEEN:
            _paint_tag(painter, scene, box, area, tr("does not see its disks"), "ban", theme.bad)
        elif standing is Standing.REFUSED:
            _paint_tag(painter, scene, box, area, tr("can’t be here"), "ban", theme.bad)


def _paint_tag(
    painter: QPainter, scene: Scene, box: Box, area: Box, text: str, icon: str, ground: str
) -> None:
    """A tag across the upper edge of a card, or of what is seen of it, clear of its name."""
    scale = scene.layout.scale
    y = max(box.y, area.y + 10 * scale)
    at = QPointF(box.x + box.w / 2, y)
    draw_tag(painter, at, text, icon, scene.theme, ground, scale)


def card_in_hand(layout: BoardLayout, id: str) -> Box:
    """The card of a VM, of the usual size where it is folded away."""
    box = layout.vms.get(id)
    scale = layout.scale
    return box or Box(0, 0, CARD_WIDTH * scale, VM_TALL[0] * scale)


def ghost_corner(layout: BoardLayout, carry: Carry, area: Box) -> tuple[float, float]:
    """Where the card being dragged stands: at the pointer, but beside the meters of the target.

    They are what one looks at while aiming, unless a drop is refused. It stays inside of what is
    visible.
    """
    x, y = carry.x - carry.grab_x, carry.y - carry.grab_y
    if not carry.ids:
        return x, y
    ghost = card_in_hand(layout, carry.ids[0])
    meters = None if carry.is_refused else meters_box(layout, carry.target)
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


def _paint_target(painter: QPainter, scene: Scene, carry: Carry) -> None:
    """A tinted ground and a strong outline; few large curves, for they cost most of a frame."""
    box = scene.layout.tray if carry.target == TRAY else scene.layout.box(carry.target or "")
    if box is None:
        return
    colour = scene.theme.bad if carry.is_refused else scene.theme.accent
    tint = QColor(colour)
    tint.setAlpha(16)
    painter.fillRect(QRectF(*box.inset(2)), tint)
    radius = RADIUS * scene.layout.scale
    draw_box(painter, QRectF(*box), radius, edge=colour, width=3)


def _paint_shadow(painter: QPainter, rect: QRectF) -> None:
    shade = QColor("#000000")
    shade.setAlpha(34)
    draw_box(painter, rect.adjusted(-3, -1, 3, 5), 9, ground=shade)


def pill_corner(layout: BoardLayout, carry: Carry, area: Box, width: float) -> tuple[float, float]:
    """Where the words stand: below what is being dragged, else above it, never on the meters."""
    x = max(area.x + EDGE, min(carry.x + 14, area.right - width - EDGE))
    top, bottom = carry.y, carry.y + BELOW_ROW - CLEARANCE
    if carry.ids:
        top = ghost_corner(layout, carry, area)[1]
        height = card_in_hand(layout, carry.ids[0]).h
        bottom = top + height + 5 * (min(len(carry.ids), 3) - 1)
    meters = meters_box(layout, carry.target)
    places = [bottom + CLEARANCE, top - PILL - CLEARANCE]
    if meters is not None:
        places.append(meters.y - PILL - CLEARANCE)
        # At last over the card being dragged, but not over its name.
        places.append(max(area.bottom - PILL - 5, top + 22 * layout.scale))
        places.append(meters.bottom + CLEARANCE)
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
    known = WAITING if carry.is_waiting else carry.outcome
    text = f"{carry.words}: {known}" if known else carry.words
    width = min(text_width(text, size, weight) + 44, area.w - 16)
    x, y = pill_corner(scene.layout, carry, area, width)
    pill = QRectF(x, y, width, PILL)
    draw_box(painter, pill, 14, ground=_ground(carry, theme))
    icon = QRectF(pill.x() + 10, pill.y() + 6, 16, 16)
    draw_icon(painter, icon, "ban" if carry.is_refused else "arrow-right", theme.on_accent)
    words = pill.adjusted(32, 0, -10, 0)
    draw_text(painter, words, text, colour=theme.on_accent, size_px=size, weight=weight)


def _ground(carry: Carry, theme: Theme) -> str:
    """The colour of what a drop would come to: the verdict's where it is not a good one."""
    if carry.is_refused:
        return theme.bad
    if carry.verdict in (Verdict.AT_RISK, Verdict.DOES_NOT_FIT):
        return theme.verdict(carry.verdict)
    return theme.accent


def _paint_band(painter: QPainter, band: Box, theme: Theme) -> None:
    fill = QColor(theme.accent)
    fill.setAlpha(36)
    painter.setPen(QPen(QColor(theme.accent), 1))
    painter.setBrush(fill)
    painter.drawRect(QRectF(*band))


# ---------------------------------------------------------------------------- who belongs together


def _paint_links(painter: QPainter, scene: Scene) -> None:
    """Lines from the current VM to its Domino cluster and to its Fault Tolerance secondary."""
    layout, state, theme = scene.layout, scene.state, scene.theme
    home = layout.vms.get(state.current or "")
    if home is None:
        return
    for partner in state.partners:
        box = layout.vms.get(partner)
        if box is not None:
            _paint_link(painter, home, box, theme.sametime, Qt.PenStyle.SolidLine)
            draw_outline(painter, layout, box.inset(-1), theme.sametime, 1.4)
    there = layout.mirror_box(state.secondary or "")
    if there is not None:
        _paint_link(painter, home, there, theme.accent, Qt.PenStyle.DashLine)
        draw_outline(painter, layout, there, theme.accent, 1.4, dashed=True)


def _paint_link(painter: QPainter, one: Box, other: Box, colour: str, style: Qt.PenStyle) -> None:
    start, end = QRectF(*one).center(), QRectF(*other).center()
    start.setX(min(max(end.x(), one.x), one.right))
    end.setX(min(max(start.x(), other.x), other.right))
    bend = (end.x() - start.x()) / 2
    path = QPainterPath(start)
    path.cubicTo(QPointF(start.x() + bend, start.y()), QPointF(end.x() - bend, end.y()), end)
    painter.setPen(QPen(QColor(colour), 1.6, style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    for point in (start, end):
        painter.drawEllipse(point, 3, 3)


# ---------------------------------------------------------------------------- a host lost


def _paint_restarts(
    painter: QPainter, scene: Scene, lost: Lost, area: Box, cards: CardPainter
) -> None:
    """The VMs on the survivors that take them over, and how many these are on each."""
    layout, theme = scene.layout, scene.theme
    for vm, there in layout.ghosts.items():
        start = layout.vms.get(vm)
        if lost.progress < 1.0 and start is not None:
            _paint_on_its_way(painter, scene, start, there, lost.progress)
        elif vm in scene.ghosts and there.meets(area):
            cards.draw(painter, QRectF(*there), scene.ghosts[vm], theme, layout.scale)
            draw_outline(painter, layout, there, theme.ghost, 1.5, dashed=True)
    for host, vms in layout.restarted.items():
        box = layout.hosts.get(host)
        if box is not None and box.meets(area):
            words = trn("takes over {count} VM", "takes over {count} VMs", len(vms))
            _paint_tag(painter, scene, box, area, words, "arrow-right", theme.accent)
    gone = layout.hosts.get(lost.host)
    if gone is not None:
        _paint_tag(painter, scene, gone, area, tr("host lost"), "circle-x", theme.bad)


def _paint_on_its_way(
    painter: QPainter, scene: Scene, start: Box, there: Box, progress: float
) -> None:
    ends = zip(start, there, strict=True)
    box = Box(*(one + (other - one) * progress for one, other in ends))
    draw_outline(painter, scene.layout, box, scene.theme.accent, 2.0)
