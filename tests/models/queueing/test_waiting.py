"""Erlang's C against tables and published examples, and the term that approximations make of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.queueing.batch import Waiting, erlang_c


@pytest.mark.parametrize(
    ("servers", "load", "waits"),
    [
        (1, 0.9, 0.9),
        (3, 2.0, 4 / 9),  # PDQ, demo mmm.R
        (5, 4.0, 0.5541125541125541),
        (8, 7.6, 0.8441686306096838),  # this and the next by the recursion at 40 digits
        (1000, 980.0, 0.4122002923652815),
        (4, 7.0, 1.0),
    ],
)
def test_published_values(servers: int, load: float, waits: float) -> None:
    assert float(erlang_c(servers, load)) == pytest.approx(waits, rel=1e-9)


@given(st.integers(1, 3000), st.floats(0.0, 1.0, exclude_max=True))
def test_a_second_server_helps_who_would_have_waited(servers: int, use: float) -> None:
    waits = float(erlang_c(servers, servers * use))
    assert 0.0 <= waits <= 1.0
    if use > 0 and servers > 1:
        assert waits <= use


def test_near_saturation_nearly_all_wait() -> None:
    assert float(erlang_c(5000, 5000 * (1 - 1e-12))) == pytest.approx(1.0, abs=1e-6)


def test_shapes_broadcast() -> None:
    found = erlang_c(np.array([[1], [4], [16]]), np.array([0.2, 0.9]))
    assert found.shape == (3, 2)
    assert found[0].tolist() == pytest.approx([0.2, 0.9])
    assert found[1, 1] == pytest.approx(float(erlang_c(4, 0.9)))


def test_derivative_of_waiting_term_is_its_slope() -> None:
    waiting = Waiting(np.array([1, 16, 2, 8]))
    load = np.array([[0.3, 1.9], [2.0, 7.9], [3.0, 15.9]])
    step = 1e-6
    _, slope = waiting.idle_term(load)
    above, below = waiting.idle_term(load + step)[0], waiting.idle_term(load - step)[0]
    np.testing.assert_allclose(slope, (above - below) / (2 * step), rtol=1e-5)
    servers = np.array([[2], [8], [16]])
    np.testing.assert_allclose(
        waiting.idle_term(load)[0], servers - load + erlang_c(servers, load), rtol=1e-12
    )
