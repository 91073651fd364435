"""Intervals: the right rank, always around the prediction, never narrower with more users."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.evidence.family_a import response_at_load
from models.evidence.uncertainty import (
    HalfWidths,
    conformal_quantile,
    interval,
    log_half_width,
    response_interval,
    response_score,
    widening,
)

THINK = 78_000.0
positive = st.floats(1.0, 1e3)
loads = st.floats(0.0, 3.0)
halves = st.floats(0.0, 3.0)


@pytest.mark.parametrize(("n", "rank"), [(9, 9), (19, 18), (31, 29), (34, 32), (5, 5)])
def test_the_quantile_has_the_conformal_rank(n: int, rank: int) -> None:
    scores = np.arange(1.0, n + 1.0)[::-1]
    assert conformal_quantile(scores) == rank


@given(positive, loads, halves)
def test_a_response_lies_in_its_interval(base: float, load: float, half: float) -> None:
    low, high = response_interval(base, load, half, think_time_ms=THINK)
    middle = response_at_load(base, load, think_time_ms=THINK)
    assert low <= middle * (1 + 1e-12)
    assert middle <= high * (1 + 1e-12)
    assert low > 0
    assert np.isfinite(high)


@given(positive, halves)
def test_both_ends_rise_with_the_load(base: float, half: float) -> None:
    low, high = response_interval(base, np.linspace(0.0, 3.0, 200), half, think_time_ms=THINK)
    assert np.all(np.diff(low) > 0)
    assert np.all(np.diff(high) > 0)


@given(positive, loads, st.floats(0.01, 3.0), st.sampled_from([-1.0, 1.0]))
def test_the_score_is_the_least_half_width_that_holds_a_response(
    base: float, load: float, half: float, side: float
) -> None:
    ends = response_interval(base, load, half, think_time_ms=THINK)
    at_the_end = np.array([ends[0] if side < 0 else ends[1]])
    score = response_score(np.array([base]), np.array([load]), at_the_end, think_time_ms=THINK)
    assert score == pytest.approx(half, rel=1e-6)


def test_half_widths_grow_outside_and_by_transfer() -> None:
    widths = HalfWidths(known=0.3, unknown=0.5)
    assert log_half_width(widths) == 0.3
    assert log_half_width(widths, measured_configuration=False) == 0.5
    assert log_half_width(widths, steps_outside=2.0) == pytest.approx(0.6)
    assert log_half_width(widths, transfer=0.4) == pytest.approx(0.5)


def test_half_widths_grow_to_three_times_and_no_further() -> None:
    widths = HalfWidths(known=0.2, unknown=0.3)
    steps = np.linspace(0.0, 100.0, 500)
    known, unknown = (
        log_half_width(widths, steps_outside=steps, measured_configuration=is_known)
        for is_known in (True, False)
    )
    assert np.all(np.diff(known) >= 0)
    assert known[-1] == pytest.approx(0.6)
    assert np.all(unknown > known)


@given(st.floats(0.01, 0.25), st.floats(1.0, 10.0))
def test_the_low_end_of_a_load_never_falls(half: float, last: float) -> None:
    """Loads grow with users at least in proportion, past the last run of so many thousand too."""
    users = np.linspace(1.0, 60.0, 2_000)
    width = half * widening(np.maximum(users - last, 0.0))
    low, _ = interval(users, width)
    if half * (last + 4.0) <= 2.0:  # as everywhere in the calibration: 1.3 and 1.6
        assert np.all(np.diff(low) > 0)


def test_an_interval_is_a_factor_to_both_sides() -> None:
    low, high = interval(np.array([100.0]), np.log(1.25))
    assert low == pytest.approx(80.0)
    assert high == pytest.approx(125.0)
