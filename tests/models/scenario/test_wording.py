"""Numbers in words: digits follow certainty."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from models.base.quantities import NO_DATA, Basis, Quantity
from models.scenario.wording import (
    GERMAN,
    LEAST_SAID,
    THIN,
    about_text,
    crossing_text,
    decimals_for,
    exact_text,
    full_text,
    input_text,
    number,
    range_text,
    value_text,
)


def quantity(value: float, low: float, high: float) -> Quantity:
    return Quantity(value, low, high, Basis.INTERPOLATED)


def test_a_wide_interval_leaves_two_digits() -> None:
    assert value_text(quantity(45.31, 41, 52), "%") == f"45{THIN}%"
    assert range_text(quantity(45.31, 41, 52), "%") == f"41–52{THIN}%"
    assert value_text(quantity(1234, 800, 1700), "IOPS") == f"1,200{THIN}IOPS"


def test_a_narrow_interval_keeps_the_digits_it_warrants() -> None:
    assert value_text(quantity(45.31, 45.2, 45.4), "%") == f"45.3{THIN}%"


def test_each_end_is_rounded_by_its_own_magnitude() -> None:
    assert range_text(quantity(1200.0, 31.4, 5230.0), "ms") == f"31–5,200{THIN}ms"
    assert range_text(quantity(9.5, 0.4, math.inf), "ms") == f"0.40–∞{THIN}ms"
    assert range_text(quantity(200_000.0, 123_456.7, math.inf), "ms") == f"120,000–∞{THIN}ms"
    assert full_text(quantity(9.5, 0.4, math.inf)).endswith("(0.40–∞, interpolated)")
    assert "," not in full_text(quantity(9.5, 0.4, math.nan)), "it has no ends"
    assert range_text(quantity(-19.0, -85.0, -19.0), "%") == f"−85 to −19{THIN}%"
    assert range_text(quantity(9.5, 0.4, 163.0), "ms") == f"0.40–160{THIN}ms"
    assert range_text(quantity(390.0, 0.0, 3620.0)) == "0–3,600"


@given(st.floats(1.0, 1e6), st.floats(1, 1e4), st.floats(1, 1e4))
def test_no_end_that_is_not_nothing_is_shown_as_nothing(
    value: float, below: float, above: float
) -> None:
    """What is next to nothing is said to be less than what counts."""
    ends = range_text(quantity(value, value / below, value * above)).split("–")
    assert all(float(end.replace(",", "").removeprefix(f"<{THIN}")) > 0 for end in ends)


@given(st.floats(1e-9, 0.0999), st.floats(1.0, 100.0))
def test_digits_end_where_nothing_follows_from_them(value: float, spread: float) -> None:
    """Ready time of 0.0044 %, whatever its interval; an input stands as it was given."""
    tiny = quantity(value, value / spread, value * spread)
    for text in (value_text(tiny, "%"), about_text(tiny, "%"), value_text(tiny, "%", limit=10.0)):
        assert text == f"<{THIN}0.1{THIN}%"
    assert value_text(tiny, "%", style=GERMAN) == f"<{THIN}0,1{THIN}%"
    assert exact_text(0.0044) == "0.0044"


def test_only_uncertain_numbers_are_about() -> None:
    assert about_text(quantity(45.0, 41, 52), "%").startswith("about ")
    assert not about_text(Quantity(16.0, 16.0, 16.0, Basis.RULE), "GiB").startswith("about")


def test_no_data_is_said_in_words() -> None:
    assert full_text(Quantity(24_000.0, None, None, Basis.RULE), "ms") == f"24,000{THIN}ms (rule)"
    assert value_text(NO_DATA, "%") == about_text(NO_DATA) == full_text(NO_DATA) == "no data"
    assert range_text(NO_DATA) == ""


def test_a_german_reader_gets_a_comma() -> None:
    assert number(1234.5, 1, style=GERMAN) == "1.234,5"


def test_minus_zero_is_zero() -> None:
    assert number(-0.0001, 1) == "0.0"


@given(
    st.floats(LEAST_SAID, 1e7),
    st.floats(0.001, 0.9),
)
def test_rounding_stays_inside_the_interval(value: float, share: float) -> None:
    half = value * share
    decimals = decimals_for(value, half)
    assert abs(round(value, decimals) - value) <= max(half, 0.05 * value)
    assert math.isfinite(decimals)


def test_a_crossing_is_worded_once_and_an_endless_interval_has_no_end() -> None:
    closed = crossing_text(5000.0, (4400.0, 5600.0), Basis.EXTRAPOLATED, 1000.0)
    assert closed == f"1,000{THIN}ms at about 5,000 users (4,400–5,600, extrapolated)"
    for high in (None, 296_500.0):
        text = crossing_text(12_700.0, (6400.0, high), Basis.TRANSFERRED, 1000.0)
        assert text == f"1,000{THIN}ms at about 13,000 users (6,400 or more, transferred)"
    assert crossing_text(None, (None, None), Basis.NO_DATA, 1000.0) == ""
    few = crossing_text(3.0, (1.0, 5.0), Basis.EXTRAPOLATED, 1000.0)
    assert "about 3 users (1–5, extrapolated)" in few
    narrow = crossing_text(12.0, (11.9, 12.2), Basis.EXTRAPOLATED, 1000.0)
    assert "about 12 users (12, extrapolated)" in narrow


def test_a_proposal_has_inputs_in_digits_that_people_read() -> None:
    given = (255.6611328, 3.4433594, 512.0, 0.0000123, 0.15, 87.5)
    assert [input_text(each) for each in given] == [
        "255.66",
        "3.44",
        "512",
        "0.000012",
        "0.15",
        "87.5",
    ]
