"""Numbers are rounded alike on every machine, however their last bits fell out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.calibrated import shipped_knowledge
from app.synthetic import synthetic_scenario
from models.base.rounding import NOISE, rounded, steady
from models.predict.demands import demands_of
from models.stages import undisturbed

HALVES = [0.5, 2.5, 12.345, 64.233325, 0.02924375, 1e-7 + 5e-13, -31.4159265, 1.5e12]


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("digits", range(1, NOISE))
def test_last_bits_turn_no_digit(half: float, digits: int) -> None:
    near = [half]
    for _ in range(20):
        near = [math.nextafter(near[0], -math.inf), *near, math.nextafter(near[-1], math.inf)]
    assert len({rounded(each, digits) for each in near}) == 1


@given(st.floats(1e-12, 1e15), st.integers(1, 12))
def test_what_is_rounded_stays_and_is_near(value: float, digits: int) -> None:
    once = rounded(value, digits)
    assert rounded(once, digits) == once
    assert once == pytest.approx(value, rel=0.51 * 10.0 ** (1 - digits))


@pytest.mark.parametrize(("half", "up"), [(0.5, 0.5), (2.5, 3.0), (-2.5, -3.0), (1.25, 1.0)])
def test_halves_go_away_from_zero(half: float, up: float) -> None:
    assert rounded(half, 1) == up


def test_what_is_no_number_stays_what_it_is() -> None:
    assert math.isnan(rounded(math.nan))
    assert rounded(-math.inf) == -math.inf
    assert rounded(0.0) == 0.0


@given(st.floats(1e-9, 1e9))
def test_what_is_steady_stays_and_is_near(value: float) -> None:
    once = steady(value)
    assert steady(once) == once
    assert float(once) == pytest.approx(value, rel=5.1e-10)


@pytest.mark.parametrize("stated", [0.1, 110.3, 28.745, 721.325, 0.4375, 70.0, 1e9])
def test_a_stated_decimal_is_steady_whatever_its_last_bits(stated: float) -> None:
    near = [math.nextafter(stated, to) for to in (-math.inf, math.inf)]
    assert steady([stated, *near]).tolist() == [stated] * 3


def test_what_exponentials_have_a_part_in_is_steady_to_the_bit() -> None:
    """Demands and responses, of which all else is made by sums and quotients."""
    scenario = synthetic_scenario(4, 30)
    normal = undisturbed(demands_of(scenario, shipped_knowledge()), scenario.policy)
    vm = normal.vm
    for ends in (vm.cores.ends, vm.io.ends, normal.responses.estimate.ends):
        known = ends[~np.isnan(ends)]
        assert len(known) > 30
        assert np.array_equal(known, steady(known))
