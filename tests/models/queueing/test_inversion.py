"""Several classes by inversion of their generating function, against other exact answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from models.queueing.approximate import solve_approximate
from models.queueing.inversion import Plan, fewest_additions, solve_by_inversion
from models.queueing.lattice import ClosedAnswer, ClosedProblem, convolution, effort
from models.queueing.network import CustomerClass, Network, Station
from models.queueing.single_class import solve_single_class
from models.queueing.solve import CONVOLUTION, EXACT_ERROR, solve
from tests.chance import dear
from tests.models.queueing.error_grid import batch_of


def inverted(problem: ClosedProblem) -> ClosedAnswer:
    guess = solve_approximate(batch_of(problem)).throughput[:, 0]
    answer = solve_by_inversion(problem, Plan.of(problem, guess))
    assert answer is not None
    return answer


def drawn(seed: int) -> ClosedProblem:
    """Two or three classes, some who never think, open classes beside them, up to ten times what
    the stations can do."""
    rng = np.random.default_rng(seed)
    classes, stations = int(rng.choice([2, 2, 3])), int(rng.integers(1, 6))
    servers = rng.choice([1, 1, 2, 4, 8, 16, 64], stations)
    most = {2: 200, 3: 30}[classes]
    population = np.exp(rng.uniform(0, np.log(most), classes)).astype(np.int64)
    think = np.exp(rng.uniform(-2, 4, classes)) * (rng.random(classes) < 0.9)
    demand = np.exp(rng.normal(0, rng.choice([0.4, 1, 2]), (classes, stations))) * servers
    demand *= rng.random((classes, stations)) < 0.8
    demand[:, 0] += 1e-3
    use = rng.choice([0.3, 0.9, 0.99]) * (rng.random(stations) < 0.3) * (rng.random() < 0.4)
    load = rng.choice([0.3, 0.7, 0.9, 1.0, 1.2, 2.0, 4.0, 10.0])
    demand *= load / ((population / (think + 0.01)) @ demand / servers / (1.0 - use)).max()
    return ClosedProblem(demand, servers, population, think, use * servers)


@dear()
@given(st.integers(0, 2**32 - 1))
def test_inversion_and_convolution_agree(seed: int) -> None:
    problem = drawn(seed)
    guess = solve_approximate(batch_of(problem)).throughput[:, 0]
    assume(effort(problem, guess)[0] < 20_000)
    plan = Plan.of(problem, guess)
    assume(plan.additions < 2e8)
    exact, found = convolution(problem, guess), solve_by_inversion(problem, plan)
    assume(exact is not None and found is not None)
    assert exact is not None
    assert found is not None
    np.testing.assert_allclose(found.throughput, exact.throughput, rtol=EXACT_ERROR)
    np.testing.assert_allclose(found.residence, exact.residence, rtol=EXACT_ERROR)
    np.testing.assert_allclose(found.stretch, exact.stretch, rtol=EXACT_ERROR)
    assert fewest_additions(problem) < 4.0 * plan.additions


@pytest.mark.parametrize("servers", [1, 64])
@pytest.mark.parametrize("offered", [0.5, 0.999999, 1.2, 3.0])
def test_hundred_thousand_customers_of_two_classes_that_are_one(
    servers: int, offered: float
) -> None:
    demand = np.array([0.02, 1e-9, 0.0])
    think = 100_000 * demand[0] / servers / offered
    stations = np.array([servers, 1, 4])
    one = solve_single_class(demand[:, None], stations, np.array([1e5]), np.array([think]))
    population = np.array([30_000, 70_000])
    found = inverted(
        ClosedProblem(np.tile(demand, (2, 1)), stations, population, np.full(2, think), np.zeros(3))
    )
    expected = one.throughput[0] * population / 1e5
    np.testing.assert_allclose(found.throughput, expected, rtol=1e-10)
    residence = one.queue_length[:, 0] / one.throughput[0]
    np.testing.assert_allclose(found.residence, np.tile(residence, (2, 1)), rtol=EXACT_ERROR)


def test_what_cannot_be_vouched_for_is_no_answer() -> None:
    problem = drawn(3)
    plan = Plan.of(problem, solve_approximate(batch_of(problem)).throughput[:, 0])
    assert solve_by_inversion(problem, plan) is not None
    assert solve_by_inversion(problem, replace(plan, dropped_log=-5.0)) is None


def queue(*service: float, servers: int = 1, name: str = "cpu") -> Station:
    return Station(name, "queue", (1.0,) * len(service), service, servers)


def test_light_users_beside_a_few_batch_jobs_are_solved_exactly() -> None:
    """13 million population vectors. Exact response times of users from the normalising constant,
    by convolution of the four classes in the logarithmic domain, as for the approximation."""
    populations, thinks = (3, 300, 200, 250), (1.0, 30.0, 20.0, 60.0)
    members = tuple(
        CustomerClass(f"c{r}", n, z)
        for r, (n, z) in enumerate(zip(populations, thinks, strict=True))
    )
    found = solve(Network(members, (queue(5.0, 0.002, 0.003, 0.001, servers=2),)))
    assert (found.method, found.error_estimate) == (CONVOLUTION, EXACT_ERROR)
    assert found.response_time[1:] == pytest.approx([0.0037259, 0.0055886, 0.0018630], rel=2e-5)


def test_one_who_hardly_thinks_beside_thousands_is_solved_exactly() -> None:
    """He asks 9 s of the CPU every 10 s; the approximation is out by far there."""
    members = (
        CustomerClass("batch", 1, 1.0),
        CustomerClass("mail", 1_200, 30.0),
        CustomerClass("chat", 1_400, 20.0),
        CustomerClass("web", 1_152, 25.0),
    )
    stations = (
        queue(9.0, 0.005, 0.01, 0.0025),
        queue(0.1, 0.002, 0.0015, 0.005, servers=2, name="disk"),
    )
    found = solve(Network(members, stations))
    assert found.method == CONVOLUTION
    held = found.throughput * np.array([1.0, 30.0, 20.0, 25.0]) + found.queue_length.sum(axis=0)
    np.testing.assert_allclose(held, [1, 1_200, 1_400, 1_152], rtol=1e-9)
