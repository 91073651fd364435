"""How many queueing networks are solved per second, for ``bench``."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from models.queueing.approximate import Accuracy, solve_approximate
from models.queueing.batch import ClosedBatch
from models.queueing.lattice import ClosedProblem, convolution
from models.queueing.single_class import CHUNK, solve_single_class
from models.queueing.solve import ACCURATE, FAST

RUNS, SHORTEST_S = 5, 0.4
SCENARIOS = 1_024
LIGHT, SATURATED = 0.5, 2.0
ERROR_LOADS = (0.3, 0.6, 0.8, 0.9, 1.0, 1.2, 1.6, 2.5)
METHODS: tuple[tuple[str, Accuracy], ...] = ((FAST, "fast"), (ACCURATE, "accurate"))


def queueing_figures() -> dict[str, Any]:
    """The figures of ``bench`` about solvers: solutions per second, medians.

    `error` is the mean and `error_worst` the largest relative error of a class's response time
    over networks of two classes whose exact answer is computed beside it; both are of these few
    networks, docs/queueing.md has the grid.
    """
    return {
        "network_solutions_per_s": rounded(exact_per_second()),
        "approximate": [
            {
                "method": name,
                "error": rounded(mean),
                "error_worst": rounded(worst),
                "light_per_s": rounded(approximate_per_second(accuracy, LIGHT)),
                "saturated_per_s": rounded(approximate_per_second(accuracy, SATURATED)),
            }
            for name, accuracy in METHODS
            for mean, worst in [approximate_error(accuracy)]
        ],
    }


def exact_per_second() -> float:
    """Single class, 4,000 customers thinking 10 s, 8-server CPU of 20 ms, disk of 2 ms.

    Demands vary by 2 % from scenario to scenario, as in a sweep.
    """
    count = 4 * CHUNK
    rng = np.random.default_rng(1)
    demand = np.array([[0.02], [0.002]]) * rng.uniform(0.98, 1.0, (2, count))
    servers = np.array([8, 1])
    population, think = np.full(count, 4000.0), np.full(count, 10.0)
    return count / _seconds(lambda: solve_single_class(demand, servers, population, think))


def approximate_per_second(accuracy: Accuracy, load: float) -> float:
    """Four classes, 20 stations of which five have 8 servers, 100 customers a class."""
    batch = benchmark_batch(load, SCENARIOS)
    return SCENARIOS / _seconds(lambda: solve_approximate(batch, accuracy))


def benchmark_batch(load: float, count: int, *, classes: int = 4) -> ClosedBatch:
    """Random networks whose busiest station is offered `load` of its capacity."""
    rng = np.random.default_rng(2)
    servers = np.array([8] * 5 + [1] * 15)
    demand = rng.uniform(0.2, 1.0, (classes, 20, count)) * servers[:, None]
    population, think = np.full((classes, count), 100.0), np.full((classes, count), 10.0)
    offered = np.einsum("rb,rmb->mb", population / think, demand / servers[:, None])
    demand *= load / offered.max(axis=0)
    return ClosedBatch(demand, servers, population, think, np.zeros((20, count)))


def approximate_error(accuracy: Accuracy) -> tuple[float, float]:
    """Mean and largest error over the loads, for networks like the timed ones with two classes."""
    errors: list[float] = []
    for load in ERROR_LOADS:
        batch = benchmark_batch(load, 2, classes=2)
        answer = solve_approximate(batch, accuracy)
        response = answer.residence.sum(axis=1)
        for i in range(response.shape[1]):
            problem = ClosedProblem(
                batch.demand[..., i],
                batch.servers,
                batch.population[:, i].astype(np.int64),
                batch.think[:, i],
                batch.open_load[:, i],
            )
            exact = convolution(problem, answer.throughput[:, i])
            assert exact is not None
            truth = exact.residence.sum(axis=1)
            errors += list(np.abs(response[:, i] / truth - 1.0))
    return float(np.mean(errors)), max(errors)


def _seconds(action: Callable[[], object]) -> float:
    """Median duration of at least five calls and as many as fit into 0.4 s."""
    action()
    durations: list[float] = []
    begin = time.perf_counter()
    while len(durations) < RUNS or time.perf_counter() - begin < SHORTEST_S:
        start = time.perf_counter()
        action()
        durations.append(time.perf_counter() - start)
    return median(durations)


def rounded(value: float) -> float:
    """A figure to four digits."""
    return float(f"{value:.4g}")
