"""Error of the approximations against exact answers, over loads and server counts.

`python -m tests.models.queueing.error_grid` prints the table of docs/queueing.md; the test
beside this file repeats a part of it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.quantities import FloatArray
from models.queueing.approximate import solve_approximate
from models.queueing.batch import ClosedBatch
from models.queueing.lattice import ClosedProblem, convolution, effort
from models.queueing.solve import accurate_error

LOADS = (0.3, 0.6, 0.8, 0.9, 1.0, 1.2, 1.6, 2.5)
SERVERS: dict[str, tuple[int, ...]] = {
    "1": (1,),
    "2-4": (2, 4),
    "8-16": (8, 16),
    "1-16": (1, 1, 2, 4, 8, 16),
}
MOST_VECTORS = 150_000


@dataclass(frozen=True)
class Case:
    """Errors of one network: the worst class of each method, and what was stated."""

    fast: float
    accurate: float
    stated: float


def random_problem(
    rng: np.random.Generator, load: float, servers: Sequence[int]
) -> tuple[ClosedProblem, int]:
    """A network of this application's shape, and how often each of its classes is repeated.

    1-4 kinds of classes, each present once or twice (up to 8 classes), 3-20 stations, think
    times of 1-60 s, 40 to 3,000 customers; the busiest station is offered `load` of its
    capacity by N/Z.
    """
    kinds = int(rng.choice([1, 2, 2, 3, 3, 4]))
    stations = int(rng.integers(3, 21))
    c = rng.choice(servers, stations)
    demand = np.exp(rng.normal(0.0, 0.8, (kinds, stations)) + rng.normal(0.0, 0.6, stations)) * c
    demand *= rng.random((kinds, stations)) < 0.85
    demand[:, 0] += 1e-3
    low, high = {1: (100, 3000), 2: (50, 700), 3: (20, 120), 4: (10, 30)}[kinds]
    population = rng.integers(low, high, kinds)
    if kinds > 1 and rng.random() < 0.3:
        population[0] = rng.integers(1, 6)
    think = np.exp(rng.uniform(0.0, np.log(60.0), kinds))
    offered = ((population / think) @ demand / c).max()
    problem = ClosedProblem(demand * load / offered, c, population, think, np.zeros(stations))
    return problem, int(rng.choice([1, 1, 2]))


def repeated(problem: ClosedProblem, times: int) -> ClosedProblem:
    """The same network with every class split into `times` classes of almost equal size."""
    if times == 1 or problem.population.min() < times:
        return problem
    parts = [(problem.population + i) // times for i in range(times)]
    return ClosedProblem(
        np.tile(problem.demand, (times, 1)),
        problem.servers,
        np.concatenate(parts),
        np.tile(problem.think, times),
        problem.open_load,
    )


def batch_of(problem: ClosedProblem) -> ClosedBatch:
    """One network as a batch."""
    return ClosedBatch(
        problem.demand[..., None],
        problem.servers,
        problem.population[:, None].astype(np.float64),
        problem.think[:, None],
        problem.open_load[:, None],
    )


def cases(load: float, servers: Sequence[int], count: int, seed: int) -> list[Case]:
    """Errors of `count` random networks that an exact method can reach."""
    rng = np.random.default_rng([seed, int(load * 100), len(servers), max(servers)])
    out: list[Case] = []
    while len(out) < count:
        problem, times = random_problem(rng, load, servers)
        guess = problem.population / (problem.think + problem.demand.sum(axis=1))
        if effort(problem, guess)[0] > MOST_VECTORS:
            continue
        exact = convolution(problem, guess)
        if exact is None:
            continue
        split = repeated(problem, times)
        truth = np.tile(exact.residence.sum(axis=1), len(split.think) // len(problem.think))
        fast = solve_approximate(batch_of(split), "fast")
        accurate = solve_approximate(batch_of(split), "accurate")
        stated = accurate_error(split, fast, accurate)
        out.append(Case(worst(fast.residence, truth), worst(accurate.residence, truth), stated))
    return out


def worst(residence: FloatArray, truth: FloatArray) -> float:
    """Largest relative error of a class's response time."""
    return float(np.max(np.abs(residence[..., 0].sum(axis=1) / truth - 1.0)))


def table(count: int, seed: int = 1) -> str:
    """The table as Markdown."""
    lines = [
        "| offered load | servers | fast, mean | fast, worst | accurate, mean | accurate, worst |",
        "|---|---|---|---|---|---|",
    ]
    for load in LOADS:
        for name, servers in SERVERS.items():
            found = cases(load, servers, count, seed)
            fast = np.array([case.fast for case in found]) * 100
            accurate = np.array([case.accurate for case in found]) * 100
            lines.append(
                f"| {load:g} | {name} | {fast.mean():.2f} % | {fast.max():.1f} % "
                f"| {accurate.mean():.3f} % | {accurate.max():.2f} % |"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table(int(sys.argv[1]) if len(sys.argv) > 1 else 20) + "\n")
