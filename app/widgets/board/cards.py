"""Painting of single cards from their faces.

A card is a few parts, each a value of its own: when a response time changes, the name beside it
is copied, not painted (`card_cache`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter

from app.icons import draw_icon
from app.language import tr
from app.theme import Theme
from app.widgets.board.faces import HostFace, PoolFace, VmFace
from app.widgets.board.layout import BRIEF_HEAD, HOST_HEAD, METER_ROW, PADDING
from app.widgets.meters import (
    MIDDLE,
    RIGHT,
    Meter,
    alike,
    draw_badge,
    draw_meter,
    draw_text,
    draw_track,
    draw_verdict,
    draw_verdict_icon,
    text_width,
    verdict_width,
)
from app.widgets.painting import draw_box
from models.predict.prediction import Shown, Verdict
from models.scenario.workloads import WORKLOADS, WorkloadKind

Face = HostFace | VmFace | PoolFace
RADIUS = 8.0
CARD_RADIUS = 6.0
BADGE = tr("reference system")
METER_GAP = 14.0
TALL_FROM = 40.0
TALLER_FROM = 76.0
RESERVE_STEP = 12.0
CPU_ROW = 16.0
CPU_WIDEST = "CPU 100.0 %"


class Part(NamedTuple):
    """A piece of a card: what draws it, where, and the value it shows."""

    draw: Callable[..., None]
    rect: QRectF
    value: Hashable


@dataclass(frozen=True, slots=True)
class Head:
    """Frame, name and verdict of a host or pool."""

    icon: str
    name: str
    model: str
    detail: str
    is_reference: bool
    verdict: Shown | None


@dataclass(frozen=True, slots=True)
class Label:
    """Frame, name and detail of a VM; the reserves keep clear what stands to their right."""

    name: str
    kind: WorkloadKind
    detail: str
    more: str
    is_off: bool
    name_reserve: float
    detail_reserve: float


@dataclass(frozen=True, slots=True)
class Response:
    """A response time; `is_known` is False for the words that stand for no data."""

    text: str
    is_known: bool
    size: float


def draw_card(painter: QPainter, rect: QRectF, face: Face, theme: Theme, scale: float) -> None:
    """Paints the card of any face."""
    for part in parts(face, rect, scale):
        part.draw(painter, part.rect, part.value, theme, scale)


def parts(face: Face, rect: QRectF, scale: float) -> Iterator[Part]:
    """What the card of a face in `rect` is made of."""
    if isinstance(face, VmFace):
        return _vm_parts(face, rect, scale)
    return _holder_parts(face, rect, scale)


def _holder_parts(face: HostFace | PoolFace, rect: QRectF, scale: float) -> Iterator[Part]:
    icon = "server" if isinstance(face, HostFace) else "database"
    head = Head(icon, face.name, face.model, face.detail, face.is_reference, face.verdict)
    yield Part(draw_head, rect, head)
    top = HOST_HEAD if face.model or face.detail else BRIEF_HEAD
    gap = METER_GAP * scale
    width = (rect.width() - 2 * PADDING * scale - gap) / 2
    for position, meter in enumerate(alike(face.meters, width, scale)):
        row, column = divmod(position, 2)
        x = rect.x() + PADDING * scale + column * (width + gap)
        y = rect.y() + (top + row * METER_ROW) * scale
        yield Part(draw_meter, QRectF(x, y, width, METER_ROW * scale), meter)


def _vm_parts(face: VmFace, rect: QRectF, scale: float) -> Iterator[Part]:
    is_tall = rect.height() >= TALL_FROM * scale
    response = Response(
        face.response, face.response[:1].isdigit(), (12.5 if is_tall else 11.5) * scale
    )
    label = _label(face, response, scale, is_tall=is_tall)
    yield Part(draw_tall_label if is_tall else draw_low_label, rect, label)
    if is_tall:
        yield from _tall_parts(face, rect, scale, response)
    else:
        yield from _low_parts(face, rect, scale, response)


def _label(face: VmFace, response: Response, scale: float, *, is_tall: bool) -> Label:
    used = text_width(response.text, response.size, _weight(response)) if response.text else 0.0
    word = 0.0
    if face.verdict is not None:
        word = verdict_width(face.verdict, 11 * scale) if is_tall else 18 * scale
    name = used if is_tall else used + word
    reserves = _reserved(name), _reserved(word)
    return Label(face.name, face.kind, face.detail, face.more, face.is_off, *reserves)


def _reserved(width: float) -> float:
    """`width` in coarse steps, so that a label is not painted anew for every digit."""
    return 0.0 if width <= 0 else -(-(width + 6) // RESERVE_STEP) * RESERVE_STEP


def _tall_parts(face: VmFace, rect: QRectF, scale: float, response: Response) -> Iterator[Part]:
    right = rect.right() - 8 * scale
    if response.text:
        width = text_width(response.text, response.size, _weight(response)) + 1
        box = QRectF(right - width, rect.y() + 6 * scale, width, 17 * scale)
        yield Part(_draw_response, box, response)
    if face.verdict is not None:
        width = verdict_width(face.verdict, 11 * scale)
        box = QRectF(right - width, rect.y() + 23 * scale, width, 15 * scale)
        yield Part(_draw_verdict, box, face.verdict)
    if face.cpu is not None:
        width = rect.width() - 16 * scale
        top = rect.bottom() - CPU_ROW * scale
        yield Part(_draw_cpu, QRectF(rect.x() + 8 * scale, top, width, 13 * scale), face.cpu)


def _low_parts(face: VmFace, rect: QRectF, scale: float, response: Response) -> Iterator[Part]:
    """Name, response and the verdict's icon on one line; its word is in tip and inspector."""
    right = rect.right() - 8 * scale
    if face.verdict is not None:
        size = 13 * scale
        box = QRectF(right - size, rect.center().y() - size / 2, size, size)
        yield Part(_draw_verdict_icon, box, face.verdict)
        right -= size + 5 * scale
    if response.text:
        width = text_width(response.text, response.size, _weight(response)) + 1
        yield Part(_draw_response, QRectF(right - width, rect.y(), width, rect.height()), response)


def _weight(response: Response) -> QFont.Weight:
    return QFont.Weight.DemiBold if response.is_known else QFont.Weight.Normal


# ---------------------------------------------------------------------------- drawing


def _frame(painter: QPainter, rect: QRectF, theme: Theme, radius: float, fill: str) -> None:
    draw_box(painter, rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, ground=fill, edge=theme.line)


def draw_head(painter: QPainter, rect: QRectF, head: Head, theme: Theme, scale: float) -> None:
    """The frame of a host or pool; icon, name and verdict; what it is on the lines below."""
    _frame(painter, rect, theme, RADIUS * scale, theme.panel)
    pad = PADDING * scale
    line = QRectF(rect.x() + pad, rect.y() + 8 * scale, rect.width() - 2 * pad, 18 * scale)
    size = 16 * scale
    draw_icon(painter, QRectF(line.x(), line.y() + scale, size, size), head.icon, theme.muted)
    used = 0.0
    if head.verdict is not None:
        draw_verdict(painter, line, head.verdict, theme, 12 * scale)
        used = verdict_width(head.verdict, 12 * scale) + 8 * scale
    name = line.adjusted(22 * scale, 0, -used, 0)
    weight = QFont.Weight.DemiBold
    draw_text(
        painter, name, head.name, colour=theme.text, size_px=14 * scale, weight=weight, elide=MIDDLE
    )
    below = QRectF(line.x(), rect.y() + 27 * scale, line.width(), 16 * scale)
    if head.is_reference:
        used = draw_badge(painter, below, BADGE, theme, 9.5 * scale) + 6 * scale
        below = below.adjusted(0, 0, -used, 0)
    draw_text(painter, below, head.model, colour=theme.text, size_px=11.5 * scale)
    # The end of the last line is left to the sign that folds a host.
    last = QRectF(line.x(), rect.y() + 43 * scale, line.width() - 18 * scale, 16 * scale)
    draw_text(painter, last, head.detail, colour=theme.muted, size_px=11 * scale)


def draw_tall_label(
    painter: QPainter, rect: QRectF, label: Label, theme: Theme, scale: float
) -> None:
    """The frame of a VM; icon and name, and what it is below."""
    _begin_label(painter, rect, label, theme, scale)
    draw_kind(painter, QPointF(rect.x() + 8 * scale, rect.y() + 7 * scale), label, theme, scale)
    top = QRectF(rect.x() + 28 * scale, rect.y() + 6 * scale, rect.width() - 36 * scale, 17 * scale)
    name = top.adjusted(0, 0, -label.name_reserve, 0)
    weight = QFont.Weight.Medium
    draw_text(
        painter,
        name,
        label.name,
        colour=theme.text,
        size_px=13 * scale,
        weight=weight,
        elide=MIDDLE,
    )
    # From the icon's edge on: beside the verdict there is no width to spare.
    line = QRectF(
        rect.x() + 8 * scale, rect.y() + 23 * scale, rect.width() - 16 * scale, 15 * scale
    )
    below = line.adjusted(0, 0, -label.detail_reserve, 0)
    draw_text(painter, below, label.detail, colour=theme.muted, size_px=11 * scale)
    if rect.height() >= TALLER_FROM * scale:
        third = line.translated(0, 16 * scale)
        draw_text(painter, third, label.more, colour=theme.muted, size_px=11 * scale)
    painter.restore()


def draw_low_label(
    painter: QPainter, rect: QRectF, label: Label, theme: Theme, scale: float
) -> None:
    """The frame of a VM with its icon and name on one line."""
    _begin_label(painter, rect, label, theme, scale)
    top = rect.center().y() - 7.5 * scale
    draw_kind(painter, QPointF(rect.x() + 8 * scale, top), label, theme, scale)
    name = rect.adjusted(28 * scale, 0, -8 * scale - label.name_reserve, 0)
    draw_text(painter, name, label.name, colour=theme.text, size_px=12 * scale, elide=MIDDLE)
    painter.restore()


def _begin_label(painter: QPainter, rect: QRectF, label: Label, theme: Theme, scale: float) -> None:
    _frame(painter, rect, theme, CARD_RADIUS * scale, theme.raised)
    painter.save()
    if label.is_off:
        painter.setOpacity(painter.opacity() * 0.6)


def draw_kind(painter: QPainter, at: QPointF, label: Label, theme: Theme, scale: float) -> None:
    """The kind of workload as a coloured icon."""
    size = 15 * scale
    box = QRectF(at.x(), at.y(), size, size)
    draw_icon(painter, box, WORKLOADS[label.kind].icon, theme.workload(label.kind))


def _draw_cpu(painter: QPainter, rect: QRectF, meter: Meter, theme: Theme, scale: float) -> None:
    """The CPU of a VM's vCPUs: named, for the verdict beside it is about the response as well."""
    size = 10.5 * scale
    is_over = meter.share is not None and meter.verdict is not Verdict.FITS
    colour = theme.verdict(meter.verdict) if is_over else theme.muted
    draw_text(painter, rect, f"{meter.label} {meter.text}", colour=colour, size_px=size)
    left = rect.x() + text_width(CPU_WIDEST, size) + 8 * scale
    track = QRectF(left, rect.center().y() - 2 * scale, rect.right() - left, 4 * scale)
    draw_track(painter, track, meter, theme, scale * 0.7)


def _draw_verdict(
    painter: QPainter, rect: QRectF, verdict: Shown, theme: Theme, scale: float
) -> None:
    draw_verdict(painter, rect, verdict, theme, 11 * scale)


def _draw_verdict_icon(
    painter: QPainter, rect: QRectF, verdict: Shown, theme: Theme, _scale: float
) -> None:
    draw_verdict_icon(painter, rect.center(), verdict, theme, rect.width())


def _draw_response(
    painter: QPainter, rect: QRectF, response: Response, theme: Theme, _scale: float
) -> None:
    draw_text(
        painter,
        rect,
        response.text,
        colour=theme.text if response.is_known else theme.muted,
        size_px=response.size,
        weight=_weight(response),
        align=RIGHT,
    )
