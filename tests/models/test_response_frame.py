"""The proposal's chart: its scale holds what counts, its label hides nothing that is drawn."""

from __future__ import annotations

import pytest

from models.proposal.response_frame import (
    BOTTOM,
    HEIGHT,
    LEFT,
    TOP,
    WIDTH,
    Frame,
    frame_of,
    label_place,
)
from models.tell.blocks import MeasuredPoint, ResponsePlot

LIMIT = 1000.0


def plot(
    at: float = 3000.0,
    knee: float = 4200.0,
    scale: float = 60.0,
    points: tuple[MeasuredPoint, ...] = (),
    limit: float = LIMIT,
    furthest: float = 6000.0,
) -> ResponsePlot:
    """A curve that rises without end towards the knee."""
    users = tuple(furthest * n / 120 for n in range(121))
    value = tuple(curve(each, knee, scale) for each in users)
    return ResponsePlot(
        vm="Mail-01",
        users=users,
        value=value,
        low=tuple(each / 2 for each in value),
        high=tuple(each * 2.5 for each in value),
        covered=tuple(each <= 4000 for each in users),
        points=points,
        limit=limit,
        limit_label=f"limit {limit:,.0f} ms",
        knee=knee,
        current_users=at,
        current_ms=curve(at, knee, scale),
        current_label=f"{at:,.0f} users: about {curve(at, knee, scale):,.0f} ms",
        alt="",
        note="",
    )


def curve(users: float, knee: float, scale: float) -> float:
    return scale / max(1 - users / knee, 0.001)


def test_the_curve_is_cut_and_not_bent() -> None:
    frame = frame_of(plot())
    assert (frame.high, frame.cut) == (3000.0, True)
    assert frame.y_of(60_000.0) < TOP, "what passes the top leaves the chart"


@pytest.mark.parametrize("ms", [0.5, 12.0, 700.0, 2900.0, 4000.0, 65_000.0])
def test_today_and_the_limit_are_always_on_the_scale(ms: float) -> None:
    each = plot(at=0.0, scale=ms)
    frame = frame_of(each)
    assert TOP < frame.y_of(ms) <= HEIGHT - BOTTOM or ms < 1.0
    assert TOP < frame.y_of(LIMIT) < HEIGHT - BOTTOM


def test_measured_points_are_on_the_scale() -> None:
    points = (MeasuredPoint(500.0, 4.0, False), MeasuredPoint(4100.0, 8000.0, True))
    frame = frame_of(plot(points=points))
    assert (frame.low, frame.high) == (3.0, 10_000.0)
    assert frame.ticks == (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0)


def test_a_curve_that_stays_on_the_scale_is_not_called_cut() -> None:
    assert not frame_of(plot(at=1000.0, knee=100_000.0)).cut


def test_a_scale_spans_a_decade_at_least() -> None:
    frame = frame_of(plot(at=100.0, knee=1e6, scale=900.0, limit=200.0))
    assert frame.high >= 10 * frame.low


@pytest.mark.parametrize("at", [200.0, 1000.0, 2000.0, 3000.0, 3800.0, 4100.0, 4199.0, 5900.0])
@pytest.mark.parametrize("scale", [15.0, 60.0, 240.0, 950.0])
def test_the_label_never_crosses_the_curve(at: float, scale: float) -> None:
    each = plot(at=at, scale=scale)
    frame = frame_of(each)
    place = label_place(each, frame)
    assert place is not None
    box = place.box
    assert box.x >= LEFT
    assert box.x + box.width <= WIDTH
    assert 0 <= box.y <= HEIGHT - BOTTOM - box.height
    fine = (each.users[-1] * n / 5000 for n in range(5001))
    assert not [
        users
        for users in fine
        if box.holds(frame.x_of(users), frame.y_of(_interpolated(each, users)))
    ]
    assert not box.holds(frame.x_of(at), frame.y_of(curve(at, 4200.0, scale)))


def test_the_label_keeps_clear_of_dots_and_of_the_limit() -> None:
    points = tuple(
        MeasuredPoint(users, curve(users, 4200.0, 60.0) * 1.25, False)
        for users in (1000.0, 1500.0, 2000.0, 2500.0)
    )
    each = plot(points=points)
    frame = frame_of(each)
    place = label_place(each, frame)
    assert place is not None
    assert not [p for p in points if place.box.holds(frame.x_of(p.users), frame.y_of(p.ms))]
    assert not place.box.y <= frame.y_of(LIMIT) <= place.box.y + place.box.height


def test_no_label_without_a_point_on_the_chart() -> None:
    each = plot(at=9000.0)
    assert label_place(each, Frame(6000.0, 10.0, 3000.0, (), cut=False)) is None


def _interpolated(each: ResponsePlot, users: float) -> float:
    step = each.users[1]
    n = min(int(users / step), len(each.users) - 2)
    share = users / step - n
    return each.value[n] * (1 - share) + each.value[n + 1] * share
