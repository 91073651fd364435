"""Exact methods against tabulated answers, brute force and each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.base.errors import ModelError
from models.queueing.lattice import ClosedProblem, convolution, exact_mva
from models.queueing.network import CustomerClass, Network, Station
from models.queueing.single_class import solve_single_class
from models.queueing.solve import Solution, solve
from tests.models.queueing.brute import closed_queue_lengths, mmc_response

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "closed_exact.json").read_text(encoding="utf-8")
)["cases"]


def network_of(case: dict[str, Any]) -> Network:
    classes = [
        CustomerClass(c["name"], c["population"], float(c["think_time"])) for c in case["classes"]
    ]
    stations = [
        Station(s["name"], s["type"], tuple(s["visits"]), tuple(s["service"]), s["servers"])
        for s in case["stations"]
    ]
    return Network(tuple(classes), tuple(stations))


def measure(solution: Solution, wanted: dict[str, Any]) -> float:
    r, m = wanted["cls"], wanted["station"]
    match wanted["metric"]:
        case "Xsys":
            return float(solution.throughput[r])
        case "Rsys":
            return float(solution.response_time[r])
        case "Q":
            return float(solution.queue_length[m, r])
        case "U":
            return float(solution.utilisation[m, r])
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_tabulated_answers(case: dict[str, Any]) -> None:
    solution = solve(network_of(case), "exact")
    for wanted in case["expected"]:
        tolerance = case["tol"]["abs"] + case["tol"]["rel"] * abs(wanted["value"])
        assert measure(solution, wanted) == pytest.approx(wanted["value"], rel=0, abs=tolerance)


def test_the_recursion_that_others_ship_is_avoided() -> None:
    """8 servers and 4,000 customers: textbook load-dependent MVA gives a negative throughput."""
    demand = np.array([[0.02], [0.002]])
    answer = solve_single_class(demand, np.array([8, 1]), np.array([4000.0]), np.array([10.0]))
    assert float(answer.throughput[0]) == pytest.approx(394.446504891, rel=1e-11)


@pytest.mark.parametrize("servers", [1, 64])
@pytest.mark.parametrize("offered", [0.5, 0.999999, 1.0, 1.2, 50.0])
def test_hundred_thousand_customers(servers: int, offered: float) -> None:
    population, demand = 100_000, 0.02
    think = population * demand / servers / offered
    answer = solve_single_class(
        np.array([[demand], [1e-9], [0.0]]),
        np.array([servers, 1, 4]),
        np.array([float(population)]),
        np.array([think]),
    )
    throughput = float(answer.throughput[0])
    assert throughput * demand / servers <= 1.0 + 1e-12
    assert float(answer.queue_length.sum()) + throughput * think == pytest.approx(population)
    if offered > 1.1:
        assert throughput == pytest.approx(servers / demand, rel=1e-9)
    if offered < 0.6:
        response = mmc_response(throughput, demand, servers)
        assert throughput == pytest.approx(population / (think + response), rel=1e-9)


def test_many_identical_stations_share_alike() -> None:
    """Balanced single servers without think time: X = N/((N + M − 1)·D)."""
    stations, population = 40, 500
    answer = solve_single_class(
        np.full((stations, 1), 0.3),
        np.ones(stations, dtype=np.int64),
        np.array([500.0]),
        np.zeros(1),
    )
    expected = population / ((population + stations - 1) * 0.3)
    assert float(answer.throughput[0]) == pytest.approx(expected, rel=1e-11)
    np.testing.assert_allclose(answer.queue_length, population / stations, rtol=1e-10)


def test_batch_is_the_same_as_one_by_one() -> None:
    rng = np.random.default_rng(5)
    size = 300
    demand = rng.uniform(0.0, 0.3, (3, size))
    servers = np.array([1, 8, 3])
    population = rng.integers(0, 400, size).astype(np.float64)
    think = np.where(rng.random(size) < 0.2, 0.0, rng.uniform(0.0, 30.0, size))
    opened = servers[:, None] * rng.uniform(0.0, 0.6, (3, size))
    whole = solve_single_class(demand, servers, population, think, opened)
    for i in range(0, size, 7):
        one = slice(i, i + 1)
        single = solve_single_class(
            demand[:, one], servers, population[one], think[one], opened[:, one]
        )
        np.testing.assert_allclose(whole.throughput[one], single.throughput, rtol=1e-11)
        np.testing.assert_allclose(whole.queue_length[:, one], single.queue_length, rtol=1e-10)
        np.testing.assert_allclose(whole.stretch[:, one], single.stretch, rtol=1e-10)


def test_no_queues_at_all() -> None:
    answer = solve_single_class(
        np.zeros((0, 2)), np.zeros(0, dtype=np.int64), np.array([5.0, 0.0]), np.array([2.0, 1.0])
    )
    np.testing.assert_allclose(answer.throughput, [2.5, 0.0], rtol=1e-12)


def test_neither_demand_nor_think_time_is_refused() -> None:
    with pytest.raises(ModelError, match="needs a demand or a think time"):
        solve_single_class(np.zeros((1, 1)), np.array([1]), np.array([3.0]), np.zeros(1))


@st.composite
def small_networks(draw: st.DrawFn) -> Network:
    classes = draw(st.integers(1, 3))
    number = st.floats(0.01, 2.0)
    stations = tuple(
        Station(
            f"s{m}",
            draw(st.sampled_from(("queue", "queue", "queue", "delay"))),
            tuple(draw(st.sampled_from((0.0, 1.0, 2.5))) for _ in range(classes)),
            tuple(draw(number) for _ in range(classes)),
            draw(st.integers(1, 4)),
        )
        for m in range(draw(st.integers(1, 3)))
    )
    members = tuple(
        CustomerClass(f"c{r}", draw(st.integers(1, 4)), draw(st.floats(0.1, 3.0)))
        for r in range(classes)
    )
    return Network(members, stations)


@settings(deadline=None, max_examples=60)
@given(small_networks())
def test_exact_is_the_sum_over_all_states(network: Network) -> None:
    throughput, lengths = closed_queue_lengths(network)
    solution = solve(network, "exact")
    np.testing.assert_allclose(solution.throughput, throughput, rtol=1e-9)
    np.testing.assert_allclose(solution.queue_length, lengths, rtol=1e-9, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_mva_and_convolution_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    classes, queues = int(rng.integers(2, 4)), int(rng.integers(1, 6))
    problem = ClosedProblem(
        rng.uniform(0.0, 0.2, (classes, queues)),
        np.ones(queues, dtype=np.int64),
        rng.integers(1, 15, classes),
        rng.uniform(0.01, 3.0, classes),
        rng.uniform(0.0, 0.7, queues),
    )
    mva = exact_mva(problem)
    convolved = convolution(problem, mva.throughput * rng.uniform(0.5, 1.5))
    assert convolved is not None
    np.testing.assert_allclose(convolved.throughput, mva.throughput, rtol=1e-10)
    np.testing.assert_allclose(convolved.residence, mva.residence, rtol=1e-10)
    np.testing.assert_allclose(convolved.stretch, mva.stretch, rtol=1e-10)


def test_lattice_may_start_high_above_zero() -> None:
    """Two classes of 2,000: 4 million population vectors, of which few matter."""
    problem = ClosedProblem(
        np.array([[0.03, 0.002], [0.03, 0.002]]),
        np.array([16, 1]),
        np.array([2000, 2000]),
        np.array([10.0, 10.0]),
        np.zeros(2),
    )
    answer = convolution(problem, np.array([199.0, 199.0]))
    assert answer is not None
    single = solve_single_class(
        problem.demand[:1].T.copy(), problem.servers, np.array([4000.0]), np.array([10.0])
    )
    assert answer.throughput.sum() == pytest.approx(float(single.throughput[0]), rel=1e-11)


def test_mixed_network_is_the_limit_of_a_closed_one() -> None:
    """An open class behaves as a closed one of many customers who think very long."""
    rate, many = 3.0, 30_000
    visits, service = (1.0, 1.0), (0.2, 0.5)
    stations = (
        Station("cpu", "queue", visits, service, 4),
        Station("disk", "queue", visits, (0.02, 0.1)),
    )
    users = CustomerClass("users", 12, 2.0)
    mixed = solve(Network((users, CustomerClass("mail", arrival_rate=rate)), stations), "exact")
    like_open = CustomerClass("mail", many, many / rate)
    closed = solve(Network((users, like_open), stations), "exact")
    assert mixed.method == "convolution"
    np.testing.assert_allclose(mixed.queue_length, closed.queue_length, rtol=2e-3)
    np.testing.assert_allclose(mixed.throughput, closed.throughput, rtol=2e-3)
