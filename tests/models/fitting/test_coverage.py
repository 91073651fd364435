"""How many points exact intervals would hold: binomial, and the table's own count beside it."""

from __future__ import annotations

import math

import pytest

from models.fitting.validation import expected_range, interval_coverage


@pytest.mark.parametrize("n", [1, 5, 8, 27, 32, 35, 134])
def test_the_range_leaves_at_most_a_fortieth_on_either_side(n: int) -> None:
    least, most = expected_range(n)
    chance = [math.comb(n, k) * 0.9**k * 0.1 ** (n - k) for k in range(n + 1)]
    assert sum(chance[:least]) <= 0.025
    assert sum(chance[most + 1 :]) <= 0.025
    assert sum(chance[: least + 1]) > 0.025
    assert sum(chance[most:]) > 0.025


def test_counts() -> None:
    found = interval_coverage("cpu_pct", "series", [True] * 34 + [False])
    assert (found.n, found.inside, found.least, found.most) == (35, 34, 28, 35)
    assert found.coverage_pct == pytest.approx(97.14, abs=0.01)
