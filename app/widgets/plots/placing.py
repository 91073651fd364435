"""Where names of points stand on a chart, so that none lies over another or over a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF

POINT_PX = 7.0
"""Half the side of what a point takes."""
NEAR_PX = 10.0
"""From a point to a name beside it, which needs no line to it."""
STEPS_ACROSS = 24
"""Places that are tried across the room."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The box of a name; `leads`: it stands so far from its point that a line leads there."""

    box: QRectF
    leads: bool

    def nearest_to(self, point: QPointF) -> QPointF:
        """Where a line from a point meets the box."""
        box = self.box
        return QPointF(
            min(max(point.x(), box.left()), box.right()),
            min(max(point.y(), box.top()), box.bottom()),
        )


def placed(
    points: Sequence[QPointF],
    sizes: Sequence[QSizeF],
    room: QRectF,
    others: Sequence[QPointF] = (),
    kept: Sequence[QRectF] = (),
) -> list[Placed | None]:
    """A box for the name of each point [px], the nearest one that is free.

    Args:
        others: points without a name, which no name covers either; `kept`: boxes likewise.

    Returns: None for a name that has no room at all.
    """
    taken = [
        QRectF(at.x() - POINT_PX, at.y() - POINT_PX, 2 * POINT_PX, 2 * POINT_PX)
        for at in (*points, *others)
    ]
    taken += kept
    found = list[Placed | None]()
    for at, size in zip(points, sizes, strict=True):
        free = (
            box
            for box in _places(at, size, room)
            if room.contains(box) and not any(box.intersects(each) for each in taken)
        )
        box = next(free, None)
        if box is None:
            found.append(None)
            continue
        taken.append(box)
        place = Placed(box, leads=False)
        gap = place.nearest_to(at) - at
        leads = max(abs(gap.x()), abs(gap.y())) > NEAR_PX + 1.0
        found.append(Placed(box, leads))
    return found


def _places(at: QPointF, size: QSizeF, room: QRectF) -> list[QRectF]:
    """Beside the point on either side, above and below it, then all over the room, by distance."""
    w, h = size.width(), size.height()
    right, left = at.x() + NEAR_PX, at.x() - NEAR_PX - w
    middle, above, below = at.y() - h / 2, at.y() - NEAR_PX - h, at.y() + NEAR_PX
    beside = [(right, middle), (left, middle), (at.x() - w / 2, above), (at.x() - w / 2, below)]
    beside += [(right, above), (left, above), (right, below), (left, below)]
    across = max((room.width() - w) / STEPS_ACROSS, 1.0)
    rows = int(max(room.height() - h, 0.0) / (h / 2)) + 1
    grid = [
        (room.left() + column * across, room.top() + row * h / 2)
        for column in range(STEPS_ACROSS + 1)
        for row in range(rows)
    ]
    grid.sort(key=lambda place: abs(place[0] + w / 2 - at.x()) / 2 + abs(place[1] + h / 2 - at.y()))
    return [QRectF(x, y, w, h) for x, y in (*beside, *grid)]
