"""How long a series was measured, as far as its clock can be believed."""

from __future__ import annotations

import pytest

from models.intake.grade import span_days
from models.intake.records import Summary

DAY_S = 86_400.0


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [(0.0, 6.5 * DAY_S, 7.0), (0.0, 4e12, None), (9e9, 0.0, None), (None, None, 1.0)],
    ids=["a week", "ends in another era", "ends before it begins", "no clock"],
)
def test_a_span_is_one_that_somebody_can_have_measured(
    start: float | None, end: float | None, days: float | None
) -> None:
    assert span_days(Summary(n=2, start=start, end=end, interval_s=0.5 * DAY_S)) == days
