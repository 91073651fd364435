"""Erlang's formulas and single queues against tables, published examples and each other."""

from __future__ import annotations

import json
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import ModelError
from models.queueing import erlang_b, erlang_c, mg1, mmc, mmck
from models.queueing.batch import Waiting
from models.queueing.single import QueueMeasures

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "single_queue.json").read_text(encoding="utf-8")
)["cases"]


def _measured(case: dict[str, Any]) -> dict[str, float]:
    kind = case["kind"]
    if kind == "erlangb":
        return {"erlang_b": float(erlang_b(case["c"], case["offered"]))}
    if kind == "mg1":
        found = mg1(case["arrival_rate"], case["service"], case["cv2"])
    elif kind == "mmck":
        found = mmck(case["arrival_rate"], case["service"], case["c"], case["K"])
    else:
        found = mmc(case["arrival_rate"], case["service"], case["c"])
    loss = erlang_b(case.get("c", 1), case["arrival_rate"] * case["service"])
    return {
        "erlang_b": float(loss),
        "erlang_c": float(found.waiting_probability),
        "Lq": float(found.waiting),
        "Wq": float(found.wait),
        "R": float(found.response_time),
        "U": float(found.utilisation),
        "p0": float(found.empty_probability),
        "pK": float(found.loss_probability),
    }


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_published_values(case: dict[str, Any]) -> None:
    measured = _measured(case)
    for name, value in case["expected"].items():
        tolerance = case["tol"]["abs"] + case["tol"]["rel"] * abs(value)
        assert measured[name] == pytest.approx(value, abs=tolerance, rel=0), name


@given(st.integers(1, 3000), st.floats(0.0, 1.0, exclude_max=True))
def test_erlang_c_lies_between_b_and_one(servers: int, use: float) -> None:
    load = servers * use
    b, c = float(erlang_b(servers, load)), float(erlang_c(servers, load))
    assert 0.0 <= b <= c <= 1.0
    if load > 0 and servers > 1:
        assert c <= load / servers  # a second server helps those who would have waited


def test_erlang_functions_near_and_beyond_saturation() -> None:
    assert float(erlang_c(5000, 5000 * (1 - 1e-12))) == pytest.approx(1.0, abs=1e-6)
    assert erlang_c(4, 7.0) == 1.0
    assert float(erlang_b(1, 1e12)) == pytest.approx(1.0)
    assert float(erlang_b(4000, 1e-3)) == 0.0
    assert float(erlang_b(0, 3.0)) == 1.0


def test_shapes_broadcast() -> None:
    found = erlang_c(np.array([[1], [4], [16]]), np.array([0.2, 0.9]))
    assert found.shape == (3, 2)
    assert found[0].tolist() == pytest.approx([0.2, 0.9])
    assert found[1, 1] == pytest.approx(float(erlang_c(4, 0.9)))
    assert mmc(np.array([1.0, 2.0]), 0.1, np.array([[1], [2]])).response_time.shape == (2, 2)


@given(st.integers(1, 60), st.floats(0.001, 0.999))
def test_mmck_with_much_room_is_mmc(servers: int, use: float) -> None:
    use = min(use, 0.9)
    rate = servers * use
    whole, cut = mmc(rate, 1.0, servers), mmck(rate, 1.0, servers, servers + 600)
    assert float(cut.response_time) == pytest.approx(float(whole.response_time), rel=1e-9)
    assert float(cut.empty_probability) == pytest.approx(float(whole.empty_probability), rel=1e-9)
    assert float(cut.waiting_probability) == pytest.approx(
        float(whole.waiting_probability), rel=1e-9, abs=1e-15
    )


@given(st.floats(0.0, 50.0), st.integers(1, 20), st.integers(0, 30))
def test_mmck_keeps_littles_law_and_loses_by_erlang(rate: float, c: int, more: int) -> None:
    found = mmck(rate, 1.0, c, c + more)
    customers = float(found.throughput * found.response_time)
    assert float(found.customers) == pytest.approx(customers, rel=1e-9, abs=1e-12)
    if more == 0:
        assert float(found.loss_probability) == pytest.approx(float(erlang_b(c, rate)), rel=1e-9)


@pytest.mark.parametrize("use", [0.25, 0.5, 0.99, 1.0, 1.5, 40.0])
@pytest.mark.parametrize(("servers", "room"), [(1, 1), (1, 40), (4, 5), (8, 300)])
def test_mmck_is_the_sum_over_its_states(use: float, servers: int, room: int) -> None:
    rate = servers * use
    weights = [Fraction(1)]
    for n in range(1, room + 1):
        weights.append(weights[-1] * Fraction(rate) / min(n, servers))
    whole = sum(weights)
    waiting = sum((n - servers) * w for n, w in enumerate(weights) if n > servers) / whole
    accepted = 1 - weights[-1] / whole
    found = mmck(rate, 1.0, servers, room)
    assert float(found.loss_probability) == pytest.approx(float(weights[-1] / whole), rel=1e-12)
    assert float(found.empty_probability) == pytest.approx(float(1 / whole), rel=1e-12)
    assert float(found.throughput) == pytest.approx(float(Fraction(rate) * accepted), rel=1e-12)
    assert float(found.waiting) == pytest.approx(float(waiting), rel=1e-12)
    assert float(found.utilisation) == pytest.approx(use * float(accepted), rel=1e-12)
    late = sum(weights[servers:room]) / whole / accepted
    assert float(found.waiting_probability) == pytest.approx(float(late), rel=1e-12)


def test_mmck_has_room_for_any_number() -> None:
    room = 1e12
    found = mmck(np.array([0.5, 1.0, 2.0]), 1.0, 1, room)
    np.testing.assert_allclose(found.customers, [1.0, room / 2, room - 1], rtol=1e-12)
    np.testing.assert_allclose(found.loss_probability, [0.0, 1 / (room + 1), 0.5], rtol=1e-12)
    np.testing.assert_allclose(found.response_time, [2.0, room / 2 + 0.5, room - 1], rtol=1e-12)


def test_mg1_with_exponential_service_is_mm1() -> None:
    rate = np.linspace(0.0, 0.99, 12)
    general, exponential = mg1(rate, 1.0, 1.0), mmc(rate, 1.0)
    for measure in fields(QueueMeasures):
        one, other = getattr(general, measure.name), getattr(exponential, measure.name)
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15, err_msg=measure.name)


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mmc(3.0, 1.0, 3), "the queue is saturated: utilisation 1"),
        (lambda: mmc(-1.0, 1.0), "arrival_rate: must be finite and ≥ 0"),
        (lambda: mmc(1.0, float("nan")), "service_time: must be finite and ≥ 0"),
        (lambda: mmc(1.0, 1.0, 1.5), "servers: must be whole numbers ≥ 1"),
        (lambda: mmck(1.0, 1.0, 3, 2), "capacity: must be whole numbers ≥ servers"),
        (lambda: mmck(1.0, 1.0, 3, float("inf")), "capacity: must be whole numbers ≥ servers"),
        (lambda: mg1(1.0, 0.5, -1.0), "squared_variation: must be finite and ≥ 0"),
        (lambda: erlang_b(1, -0.1), "offered_load: must be finite and ≥ 0"),
        (lambda: erlang_c(0, 0.1), "servers: must be ≥ 1"),
    ],
)
def test_impossible_queues_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ModelError) as refused:
        call()
    assert str(refused.value) == message
