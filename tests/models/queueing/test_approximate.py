"""The approximations: their published errors, their behaviour in batches and at the limits."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.base.errors import ModelError
from models.queueing.approximate import Accuracy, solve_approximate
from models.queueing.batch import ClosedBatch
from models.queueing.distributions import log_factorial
from models.queueing.spread import Table, station_moments
from tests.models.queueing.brute import mmc_response
from tests.models.queueing.error_grid import (
    HEAVY_CUSTOMERS,
    KINDS,
    LOADS,
    OPEN_USES,
    SERVERS,
    cases,
    cases_of_few,
    cases_of_mixed,
    cases_of_solve,
)

ROW = re.compile(
    r"^\| ([\d.]+) \| ([\d-]+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$",
    re.MULTILINE,
)
PAGE = Path(__file__).parents[3] / "docs" / "queueing.md"
PER_CELL = 20


def published() -> dict[tuple[float, str], tuple[float, float, float, float]]:
    """The table of docs/queueing.md, by load and servers, in per cent."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {
        (float(row[0]), row[1]): (float(row[2]), float(row[3]), float(row[4]), float(row[5]))
        for row in rows
    }


def test_table_is_complete_and_within_the_bar() -> None:
    table = published()
    assert set(table) == {(load, name) for load in LOADS for name in SERVERS}
    accurate = np.array([[row[2], row[3]] for row in table.values()])
    assert accurate[:, 0].mean() < 0.1
    assert accurate[:, 1].max() < 2.0


@pytest.mark.parametrize(("load", "servers"), [(0.9, "8-16"), (1.6, "1-16")])
@pytest.mark.slow
def test_table_is_what_the_program_does(load: float, servers: str) -> None:
    fast_mean, fast_worst, mean, worst = published()[load, servers]
    found = cases(load, SERVERS[servers], PER_CELL, seed=1)
    assert np.mean([case.fast for case in found]) * 100 == pytest.approx(fast_mean, abs=0.06)
    assert max(case.fast for case in found) * 100 == pytest.approx(fast_worst, abs=0.11)
    assert np.mean([case.accurate for case in found]) * 100 == pytest.approx(mean, abs=0.006)
    assert max(case.accurate for case in found) * 100 == pytest.approx(worst, abs=0.03)
    assert all(case.accurate <= case.stated for case in found)


BESIDE_OPEN = re.compile(
    r"^\| ([\d.]+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$", re.MULTILINE
)
FEW = re.compile(
    r"^\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$", re.MULTILINE
)


def test_few_heavy_customers_are_as_the_table_says() -> None:
    rows = {int(row[0]): row[1:] for row in FEW.findall(PAGE.read_text(encoding="utf-8"))}
    assert tuple(rows) == HEAVY_CUSTOMERS
    _, fast_worst, mean, worst = map(float, rows[3])
    found = cases_of_few(3, 2 * PER_CELL, seed=1)
    assert max(case.fast for case in found) * 100 == pytest.approx(fast_worst, abs=0.11)
    assert np.mean([case.accurate for case in found]) * 100 == pytest.approx(mean, abs=0.02)
    assert max(case.accurate for case in found) * 100 == pytest.approx(worst, abs=0.05)
    assert all(case.accurate <= case.stated for case in found)


@pytest.mark.slow
def test_errors_beside_open_classes_are_as_the_table_says() -> None:
    page = PAGE.read_text(encoding="utf-8").split("**Beside open classes**")[1]
    rows = {float(row[0]): row[1:] for row in BESIDE_OPEN.findall(page)}
    assert tuple(rows) == OPEN_USES
    fast_mean, fast_worst, mean, worst = map(float, rows[0.6])
    found = cases_of_mixed(0.6, 2 * PER_CELL, seed=1)
    assert np.mean([case.fast for case in found]) * 100 == pytest.approx(fast_mean, abs=0.06)
    assert max(case.fast for case in found) * 100 == pytest.approx(fast_worst, abs=0.11)
    assert np.mean([case.accurate for case in found]) * 100 == pytest.approx(mean, abs=0.02)
    assert max(case.accurate for case in found) * 100 == pytest.approx(worst, abs=0.05)
    assert all(case.accurate <= case.stated for case in found)


SOLVED = re.compile(r"^\| ([^|]+) \|" + r" ([\d.]+) % \|" * 5 + "$", re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_errors_of_solve_are_as_the_table_says(kind: str) -> None:
    rows = {row[0]: row[1:] for row in SOLVED.findall(PAGE.read_text(encoding="utf-8"))}
    alone_mean, _, mean, worst, stated = map(float, rows[KINDS[kind]])
    found = cases_of_solve(kind, PER_CELL, seed=1)
    assert np.mean([case.fast for case in found]) * 100 == pytest.approx(alone_mean, abs=0.06)
    assert np.mean([case.accurate for case in found]) * 100 == pytest.approx(mean, abs=0.006)
    assert max(case.accurate for case in found) * 100 == pytest.approx(worst, abs=0.05)
    assert np.median([case.stated for case in found]) * 100 == pytest.approx(stated, abs=0.2)
    assert all(case.accurate <= case.stated for case in found)


@pytest.mark.parametrize(("servers", "opened"), [(2, 0.5), (4, 3.9), (16, 1e-9), (512, 400.0)])
def test_table_of_a_station_is_that_of_its_generating_function(servers: int, opened: float) -> None:
    """f(n) ∝ Σ_k (n + k)!/(n!·k!)·aᵏ/Πⱼ min(j, c), summed over the open customers."""
    n, k = np.arange(servers + 8.0)[:, None], np.arange(4_000.0)
    both = n + k
    logs = k * np.log(opened) - np.maximum(both - servers, 0.0) * np.log(servers)
    logs += log_factorial(both) - log_factorial(n) - log_factorial(k)
    logs -= log_factorial(np.minimum(both, float(servers)))
    top = logs.max(axis=1)
    log_f = top + np.log(np.exp(logs - top[:, None]).sum(axis=1))
    log_g = log_f + n[:, 0] * np.log(servers - opened)
    table = Table.of(servers, np.array([opened]))
    found = table.log_g[:, 0]
    np.testing.assert_allclose(found - found[-1], log_g - log_g[-1], atol=1e-8)
    rises = np.expm1(np.diff(log_g[: servers + 1]))
    np.testing.assert_allclose(table.spare[:, 0], n[1 : servers + 1, 0] * rises, atol=1e-6)
    falls = -np.expm1(-np.diff(log_g[:servers]))
    np.testing.assert_allclose(table.unused[:, 0], np.concatenate(([1.0], falls)), atol=1e-8)


def test_light_users_beside_a_few_batch_jobs() -> None:
    """Three jobs of 5 s fill two servers that 750 users pass in milliseconds.

    The exact response times are from the normalising constant, by convolution of the four
    classes in the logarithmic domain, which shares nothing with this solver.
    """
    found = solve_approximate(
        ClosedBatch(
            np.array([5.0, 0.002, 0.003, 0.001])[:, None, None],
            np.array([2]),
            np.array([3.0, 300.0, 200.0, 250.0])[:, None],
            np.array([1.0, 30.0, 20.0, 60.0])[:, None],
            np.zeros((1, 1)),
        )
    )
    light = found.residence[1:, 0, 0]
    assert light == pytest.approx([0.0037259, 0.0055886, 0.0018630], rel=0.03)
    used = (found.throughput[:, 0] * [5.0, 0.002, 0.003, 0.001]).sum() / 2
    assert used == pytest.approx(0.9705, abs=0.015)


@pytest.mark.parametrize("customers", [1, 2, 3, 5])
def test_customers_who_never_think_queue_behind_each_other(customers: int) -> None:
    """R = N·D at one server, whatever others do elsewhere."""
    demand = np.array([[0.1, 0.0], [0.0, 0.02], [0.0, 0.021]])[..., None]
    population = np.array([customers, 600.0, 700.0])[:, None]
    think = np.array([0.0, 10.0, 11.0])[:, None]
    there = ClosedBatch(demand, np.array([1, 8]), population, think, np.zeros((2, 1)))
    assert solve_approximate(there).residence[0, 0, 0] == pytest.approx(customers * 0.1, rel=1e-3)


def test_a_first_customer_finds_the_others() -> None:
    """Ten customers who hardly think queue at one server; R of an empty class is D·(1 + Q)."""
    there = ClosedBatch(
        np.ones((2, 1, 1)),
        np.array([1]),
        np.array([[10.0], [0.0]]),
        np.array([[0.1], [5.0]]),
        np.zeros((1, 1)),
    )
    assert solve_approximate(there).residence[1, 0, 0] == pytest.approx(10.9, rel=1e-3)


def test_the_only_customer_of_a_class_does_not_wait_for_himself() -> None:
    """One job of 1 s, think time 0.1 s, beside 750 users of milliseconds: R = 1.057 s exactly."""
    there = ClosedBatch(
        np.array([1.0, 0.002, 0.003, 0.001])[:, None, None],
        np.array([1]),
        np.array([1.0, 300.0, 200.0, 250.0])[:, None],
        np.array([0.1, 30.0, 20.0, 60.0])[:, None],
        np.zeros((1, 1)),
    )
    assert solve_approximate(there).residence[0, 0, 0] == pytest.approx(1.05725, rel=0.05)


def batch(seed: int, size: int) -> ClosedBatch:
    rng = np.random.default_rng(seed)
    servers = np.array([1, 8, 1, 2, 16])
    return ClosedBatch(
        rng.uniform(0.0, 0.2, (3, 5, size)) * servers[:, None],
        servers,
        rng.integers(0, 500, (3, size)).astype(np.float64),
        rng.uniform(0.01, 60.0, (3, size)),
        servers[:, None] * np.where(rng.random((5, size)) < 0.5, 0.0, 0.5),
    )


@pytest.mark.parametrize("accuracy", ["fast", "accurate"])
def test_a_batch_of_none_has_no_answers(accuracy: Accuracy) -> None:
    assert solve_approximate(batch(3, 0), accuracy).residence.shape == (3, 5, 0)


@pytest.mark.parametrize("accuracy", ["fast", "accurate"])
def test_batch_is_the_same_as_one_by_one(accuracy: Accuracy) -> None:
    many = batch(3, 700)
    whole = solve_approximate(many, accuracy)
    assert whole.converged.all()
    for i in (0, 1, 250, 511, 512, 699):
        one = ClosedBatch(
            many.demand[..., i : i + 1],
            many.servers,
            many.population[:, i : i + 1],
            many.think[:, i : i + 1],
            many.open_load[:, i : i + 1],
        )
        single = solve_approximate(one, accuracy)
        # The accurate method stops when response times change by less than 2e-4.
        np.testing.assert_allclose(whole.throughput[:, i], single.throughput[:, 0], rtol=3e-4)


def test_a_turning_point_is_no_fixed_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step after which these residence times move back where they came from leaves them as they
    were, a quarter away from where they rest."""
    there = ClosedBatch(
        np.array([[[0.16], [2.57], [0.81]]]),
        np.array([4, 64, 64]),
        np.array([[399.0]]),
        np.array([[6.9]]),
        np.array([[0.3], [3.6], [5.5]]),
    )
    found = solve_approximate(there)
    monkeypatch.setattr("models.queueing.approximate.OUTER_STEPS", 300)
    monkeypatch.setattr("models.queueing.approximate.OUTER_TOLERANCE", 1e-9)
    resting = solve_approximate(there)
    np.testing.assert_allclose(found.residence, resting.residence, rtol=6e-3)
    np.testing.assert_allclose(found.stretch, resting.stretch, rtol=6e-3)


@pytest.mark.parametrize("accuracy", ["fast", "accurate"])
def test_laws_hold_in_every_scenario(accuracy: Accuracy) -> None:
    many = batch(4, 400)
    answer = solve_approximate(many, accuracy)
    cycle = many.think + answer.residence.sum(axis=1)
    np.testing.assert_allclose(answer.throughput * cycle, many.population, rtol=1e-9, atol=1e-8)
    used = (answer.throughput[:, None] * many.demand).sum(axis=0) + many.open_load
    assert np.all(used <= many.servers[:, None] * (1 + 1e-9))
    assert np.all(answer.residence >= many.demand)
    assert np.all(answer.stretch >= 1.0)


def test_endless_population_gives_open_queues() -> None:
    """A million customers who think long arrive like a Poisson stream."""
    rate, service, servers = 7.2, 1.0, 8
    many = ClosedBatch(
        np.array([[[service]]]),
        np.array([servers]),
        np.array([[1e6]]),
        np.array([[1e6 / rate]]),
        np.zeros((1, 1)),
    )
    expected = mmc_response(rate, service, servers)
    answer = solve_approximate(many, "accurate")
    assert float(answer.residence[0, 0, 0]) == pytest.approx(expected, rel=1e-3)


def test_neither_demand_nor_think_time_is_refused() -> None:
    with pytest.raises(ModelError, match="needs a demand or a think time"):
        solve_approximate(
            ClosedBatch(
                np.zeros((1, 1, 1)),
                np.array([1]),
                np.ones((1, 1)),
                np.zeros((1, 1)),
                np.zeros((1, 1)),
            )
        )


@settings(deadline=None)
@given(
    st.sampled_from((1, 2, 4, 8, 16, 64)),
    st.floats(-6.0, -1.0),
    st.floats(-2.0, 2.5),
    st.floats(-5.0, 0.7),
)
def test_moments_are_those_of_the_sum(
    servers: int, log_precision: float, log_queue: float, log_tilt: float
) -> None:
    precision, queue, tilt = 10.0**log_precision, 10.0**log_queue, -(10.0**log_tilt)
    n = np.arange(6000.0)
    ratio = np.log(servers / np.minimum(n[1:], servers))
    logs = n * tilt + np.concatenate(([0.0], np.cumsum(ratio)))
    logs -= 0.5 * precision * (n - queue) ** 2
    p = np.exp(logs - logs.max())
    p /= p.sum()
    mean = float(p @ n)
    variance = float(p @ (n - mean) ** 2)
    found = station_moments(servers, np.array([tilt]), np.array([queue]), np.array([precision]))
    deviation = np.sqrt(variance)
    assert float(found.offset[0]) + queue == pytest.approx(mean, abs=1e-3 * deviation + 1e-9)
    assert float(found.variance[0]) == pytest.approx(variance, rel=1e-3, abs=1e-9)
    third = float(p @ (n - mean) ** 3)
    assert float(found.third[0]) == pytest.approx(third, abs=2.5e-3 * deviation**3 + 1e-9)
    unused = float(p @ np.maximum(1.0 - n / servers, 0.0))
    assert float(found.unused[0]) == pytest.approx(unused, abs=1e-6)
    spare = np.maximum(servers - n, 0.0) + (n >= servers)
    assert float(found.idle[0]) == pytest.approx(float(p @ spare), rel=1e-6)
    with_n = float(p @ (spare * (n - mean)))
    scale = servers * deviation
    assert float(found.idle_with_n[0]) == pytest.approx(with_n, abs=1e-6 * scale + 1e-9)
