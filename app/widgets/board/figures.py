"""Which number of a card lies under the pointer: a click on it asks why it is what it is."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from app.widgets.board.cards import Face, Response, parts
from app.widgets.board.faces import HostFace, PoolFace
from app.widgets.meters import CAPTION, CAPTION_SIZE, Meter, text_width

HOST_FIELDS = ("cpu_pct", "ram_pct", "vcpus_per_core", "network_pct")
POOL_FIELDS = ("iops", "utilisation_pct", "capacity_pct", "latency_ms")
"""Numbers that the meters of `face_meters` show, in their order."""


def number_at(face: Face, card: QRectF, scale: float, x: float, y: float) -> str | None:
    """The field of the number at (`x`, `y`) of a card; None where there is none.

    ``failure_cpu_pct`` and ``failure_ram_pct`` are those behind the mark beside a meter's name.
    """
    meter = -1
    for part in parts(face, card, scale):
        is_meter = isinstance(part.value, Meter)
        meter += is_meter
        if not part.rect.contains(x, y):
            continue
        if isinstance(part.value, Response):
            return "response_ms"
        if isinstance(part.value, Meter):
            return _field(face, meter, part.value, part.rect, scale, x, y)
    return None


def _field(
    face: Face, place: int, meter: Meter, row: QRectF, scale: float, x: float, y: float
) -> str:
    if isinstance(face, PoolFace):
        return POOL_FIELDS[place]
    if not isinstance(face, HostFace):
        return "cpu_pct"
    field = HOST_FIELDS[place]
    left = row.left() + text_width(meter.label, CAPTION_SIZE * scale)
    right = row.right() - text_width(meter.text, CAPTION_SIZE * scale)
    is_beside = left < x < right and y < row.top() + CAPTION * scale
    return f"failure_{field}" if meter.failure_text and is_beside else field
