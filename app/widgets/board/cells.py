"""The cells of the board: a host with its VMs, the tray, a pool; each painted as one piece."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from app.language import tr, trn
from app.theme import Theme
from app.widgets.board.card_cache import CardPainter
from app.widgets.board.faces import HostFace
from app.widgets.board.layout import BoardLayout, Box
from app.widgets.board.scene import TRAY, BoardState, Scene, Standing
from app.widgets.board.signs import (
    draw_fold_sign,
    draw_glow,
    draw_outline,
    draw_stripe,
)
from app.widgets.marks import verdict_colour
from app.widgets.meters import CENTRE, RIGHT, draw_text, draw_verdict, text_width, verdict_width
from models.base.lettering import set_apart
from models.predict.prediction import Shown
from models.scenario.wording import THIN

REACH = 5.0
"""Outlines and glows hang over the edge of a cell by at most this."""

FAINT = 0.35
DIM = 0.22


class Cell(NamedTuple):
    """One piece: `id` of the host or pool, or `TRAY`; `cards`: of the VMs in it."""

    id: str
    box: Box
    cards: tuple[str, ...] = ()


def cells_in(layout: BoardLayout, area: Box) -> Iterator[Cell]:
    """The cells that lie in an area of the board, wholly or in part."""
    for id, box in layout.hosts.items():
        if box.meets(area):
            yield Cell(id, box, layout.shown_cards(id))
    if layout.tray is not None and layout.tray_cards and layout.tray.meets(area):
        yield Cell(TRAY, layout.tray, layout.tray_cards)
    for id, box in layout.pools.items():
        if box.meets(area):
            yield Cell(id, box)


def group_ground(theme: Theme) -> QColor:
    """The ground that cells stand on."""
    if not theme.is_dark:
        return QColor(theme.ground).lighter(103)
    ground, panel = QColor(theme.ground), QColor(theme.panel)
    return QColor(
        (ground.red() + panel.red()) // 2,
        (ground.green() + panel.green()) // 2,
        (ground.blue() + panel.blue()) // 2,
    )


def looks(scene: Scene, cell: Cell) -> tuple[Any, ...]:
    """All that a painting of the cell follows from, size and theme apart; for comparison."""
    state, ids = scene.state, {cell.id, *cell.cards}
    faces = tuple(scene.faces.face(id) for id in cell.cards)
    own = None if cell.id == TRAY else scene.faces.face(cell.id)
    return (
        own,
        faces,
        cell.cards,
        state.selected & ids,
        state.focused if state.focused in ids else None,
        _faint(state) & ids,
        None if state.matches is None else state.matches & ids,
        tuple(state.tints.get(id) for id in cell.cards) if state.tints else None,
        state.standings.get(cell.id),
        state.lost is not None and state.lost.host == cell.id,
        scene.layout.restarted.get(cell.id),
        cell.id in scene.layout.folded,
        _mirrored_names(scene, cell.id),
        _hidden_verdicts(scene, cell.id),
    )


def paint_cell(painter: QPainter, scene: Scene, cell: Cell, cards: CardPainter) -> None:
    """The host or pool with its VMs, and the signs on them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if cell.id != TRAY:
        _paint_holder(painter, scene, cell, cards)
    _paint_vms(painter, scene, cell, cards)
    _paint_signs(painter, scene, cell)


def _faint(state: BoardState) -> frozenset[str]:
    carried = state.carry.ids if state.carry is not None else ()
    return state.cut.union(carried)


def _mirrored_names(scene: Scene, host: str) -> tuple[str, ...]:
    """Names of the VMs whose Fault Tolerance secondaries run on a host."""
    ids = scene.layout.mirrored.get(host, ())
    return tuple(set_apart(scene.scenario.vm(id).name) for id in ids)


def _paint_mirror(painter: QPainter, scene: Scene, host: str) -> None:
    """The secondaries at the foot of their host, quietly: they serve nobody yet."""
    box = scene.layout.mirror_box(host)
    if box is None:
        return
    theme, scale = scene.theme, scene.layout.scale
    draw_outline(painter, scene.layout, box, theme.line_strong, 1.0, dashed=True)
    words = QRectF(*box).adjusted(8 * scale, 0, -8 * scale, 0)
    text = tr("FT secondary: {names}", names=", ".join(_mirrored_names(scene, host)))
    draw_text(painter, words, text, colour=theme.muted, size_px=11 * scale)


def _hidden_verdicts(scene: Scene, host: str) -> tuple[Shown | None, ...]:
    """Of the VMs on a host that have no card."""
    faces = map(scene.faces.face, scene.layout.hidden.get(host, ()))
    return tuple(face.verdict for face in faces)


def _paint_more(painter: QPainter, scene: Scene, host: str) -> None:
    """How many VMs have no card on their host, and on how many of them the worst verdict is."""
    box, verdicts = scene.layout.more_box(host), _hidden_verdicts(scene, host)
    if box is None:
        return
    theme, scale = scene.theme, scene.layout.scale
    line, size = QRectF(*box).adjusted(8 * scale, 0, -8 * scale, 0), 12 * scale
    known = [verdict for verdict in verdicts if verdict is not None]
    if known:
        worst = max(known, key=attrgetter("badness"))
        draw_verdict(painter, line, worst, theme, size)
        line.setWidth(line.width() - verdict_width(worst, size) - 6 * scale)
        if known.count(worst) < len(verdicts):
            some = f"{known.count(worst)}{THIN}×"
            ink = verdict_colour(worst, theme)
            draw_text(painter, line, some, colour=ink, size_px=size, align=RIGHT)
            line.setWidth(line.width() - text_width(some, size) - 6 * scale)
    shown = scene.layout.cards[host]
    count = len(verdicts)
    words = trn("{count} VM", "{count} VMs", count)
    if shown:
        words = trn("{count} more VM", "{count} more VMs", count)
    draw_text(painter, line, words, colour=theme.text, size_px=size)


def _paint_holder(painter: QPainter, scene: Scene, cell: Cell, cards: CardPainter) -> None:
    layout, theme, scale = scene.layout, scene.theme, scene.layout.scale
    standing, box = scene.state.standings.get(cell.id), cell.box
    if standing is Standing.BEST:
        draw_glow(painter, layout, box, theme.ok)
    is_out = standing is not None and standing.is_out
    face = scene.faces.face(cell.id)
    is_away = isinstance(face, HostFace) and face.is_away
    painter.setOpacity(0.5 if is_out or is_away else _opacity(scene, cell.id))
    cards.draw(painter, QRectF(*box), face, theme, scale)
    painter.setOpacity(1.0)
    if cell.id not in layout.hosts:
        return
    _paint_mirror(painter, scene, cell.id)
    _paint_more(painter, scene, cell.id)
    if scene.is_live:
        draw_fold_sign(painter, layout, cell.id, theme)
    is_empty = not (
        layout.cards[cell.id] or layout.hidden.get(cell.id) or layout.restarted.get(cell.id)
    )
    if is_empty and cell.id not in layout.folded:
        top = box.y + layout.host_top
        line = QRectF(box.x, top, box.w, box.bottom - top - 6 * scale)
        size = 11.5 * scale
        unlisted = scene.scenario.host(cell.id).unlisted_vms
        nothing = tr("in maintenance") if is_away else tr("no VMs")
        words = (
            trn("{count} VM that isn’t listed", "{count} VMs that aren’t listed", unlisted)
            if unlisted
            else nothing
        )
        draw_text(painter, line, words, colour=theme.muted, size_px=size, align=CENTRE)


def _paint_vms(painter: QPainter, scene: Scene, cell: Cell, cards: CardPainter) -> None:
    state, scale, faint = scene.state, scene.layout.scale, _faint(scene.state)
    standing = state.standings.get(cell.id)
    share = 0.5 if standing is Standing.UNSEEN else 1.0
    for id in cell.cards:
        rect = QRectF(*scene.layout.vms[id])
        opacity = share * _opacity(scene, id)
        painter.setOpacity(FAINT * opacity if id in faint else opacity)
        cards.draw(painter, rect, scene.faces.face(id), scene.theme, scale)
        tint = state.tints.get(id)
        if tint is not None:
            stripe = QRectF(rect.x() + scale, rect.y(), 5 * scale, rect.height())
            stripe.adjust(0, 5 * scale, 0, -5 * scale)
            draw_stripe(painter, stripe, tint, scene.theme, scale)
    painter.setOpacity(1.0)


def _opacity(scene: Scene, id: str) -> float:
    """What a search doesn't find stands back."""
    matches = scene.state.matches
    return 1.0 if matches is None or id in matches else DIM


def _paint_signs(painter: QPainter, scene: Scene, cell: Cell) -> None:
    state, layout, theme = scene.state, scene.layout, scene.theme
    for id in (cell.id, *cell.cards):
        box = layout.vms.get(id) or cell.box
        if id in state.selected:
            draw_outline(painter, layout, box, theme.accent, 2.0)
        if id == state.focused:
            ring = box.inset(-3.0 * layout.scale)
            draw_outline(painter, layout, ring, theme.accent, 1.5, dashed=True)
    if state.lost is not None and state.lost.host == cell.id:
        _paint_lost(painter, scene, cell.box)


def _paint_lost(painter: QPainter, scene: Scene, box: Box) -> None:
    """Hatching and a word over the card of a host that is gone."""
    theme, scale = scene.theme, scene.layout.scale
    painter.setPen(Qt.PenStyle.NoPen)
    for colour, alpha, style in (
        (theme.panel, 50, Qt.BrushStyle.SolidPattern),
        (theme.bad, 45, Qt.BrushStyle.BDiagPattern),
    ):
        veil = QColor(colour)
        veil.setAlpha(alpha)
        painter.setBrush(QBrush(veil, style))
        painter.drawRoundedRect(QRectF(*box), 8 * scale, 8 * scale)
    draw_outline(painter, scene.layout, box, theme.bad, 2.5)
