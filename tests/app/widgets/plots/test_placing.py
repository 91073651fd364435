"""Names of points lie in the room, over no other name and over no point."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QPointF, QRectF, QSizeF

from app.widgets.plots.placing import placed

ROOM = QRectF(0, 0, 400, 160)


def test_names_of_points_that_lie_together_lie_apart() -> None:
    points = [QPointF(200, 80), QPointF(203, 80), QPointF(206, 78), QPointF(204, 84)]
    found = placed(points, [QSizeF(120, 24)] * 4, ROOM, [QPointF(230, 80)])
    boxes = [each.box for each in found if each is not None]
    assert len(boxes) == 4
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))
    signs = [QRectF(at.x() - 1, at.y() - 1, 2, 2) for at in (*points, QPointF(230, 80))]
    assert not any(box.intersects(sign) for box in boxes for sign in signs)
    assert all(ROOM.contains(box) for box in boxes)


def test_a_line_leads_to_a_name_that_stands_away_from_its_point() -> None:
    crowd = [QPointF(x, y) for x in range(150, 260, 10) for y in range(40, 130, 10)]
    far, near = QPointF(200, 80), QPointF(350, 20)
    found = placed([far, near], [QSizeF(80, 20)] * 2, ROOM, crowd)
    assert found[0] is not None
    assert found[0].leads
    assert found[1] is not None
    assert not found[1].leads


def test_a_name_without_room_is_left_out() -> None:
    assert placed([QPointF(50, 50)], [QSizeF(500, 20)], ROOM) == [None]


def test_what_is_kept_free_has_no_name() -> None:
    kept = QRectF(200, 100, 200, 60)
    found = placed([QPointF(250, 90)], [QSizeF(120, 24)], ROOM, kept=[kept])[0]
    assert found is not None
    assert not found.box.intersects(kept)
