"""Error of the approximations against exact answers, over loads and server counts.

`python -m tests.models.queueing.error_grid` prints the tables of docs/queueing.md; the test
beside this file repeats parts of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from models.queueing.approximate import ClosedBatchAnswer, solve_approximate
from models.queueing.batch import ClosedBatch
from models.queueing.lattice import ClosedAnswer, ClosedProblem, convolution, effort
from models.queueing.network import CustomerClass, Network, Station
from models.queueing.solve import ACCURATE, accurate_error, solve

LOADS = (0.3, 0.6, 0.8, 0.9, 1.0, 1.2, 1.6, 2.5)
SERVERS: dict[str, tuple[int, ...]] = {
    "1": (1,),
    "2-4": (2, 4),
    "8-16": (8, 16),
    "1-16": (1, 1, 2, 4, 8, 16),
}
MOST_VECTORS = 150_000
OPEN_USES = (0.3, 0.6, 0.9, 0.99)
HEAVY_CUSTOMERS = (1, 2, 3, 5, 8, 16)
KINDS = {
    "shape": "of any load",
    "heavy": "one of 1-3 heavy customers",
    "hardly": "one of 1-8 who hardly think",
    "compete": "two stations compete",
    "open": "the same beside open classes",
}


@dataclass(frozen=True)
class Case:
    """Errors of one network: the worst class of each method, and what was stated.

    With open load what it meets at each queue counts as a class, too. For `solve`, `fast` is the
    accurate method alone and `accurate` what comes out.
    """

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
    return _compared(partial(random_problem, rng, load, servers), count)


def cases_of_few(customers: int, count: int, seed: int) -> list[Case]:
    """The same where so many heavy customers fill a station that many light ones pass."""
    return _compared(partial(few_heavy, np.random.default_rng([seed, customers]), customers), count)


def cases_of_mixed(use: float, count: int, seed: int) -> list[Case]:
    """The same beside open classes that keep queues busy to a share of up to `use`."""
    rng = np.random.default_rng([seed, int(use * 100)])
    return _compared(partial(beside_open, rng, use), count)


def beside_open(rng: np.random.Generator, use: float) -> tuple[ClosedProblem, int]:
    """A network of this application's shape whose closed classes have what open ones leave."""
    problem, times = random_problem(rng, float(rng.choice(LOADS)), SERVERS["1-16"])
    shares = use * rng.random(len(problem.servers))
    shares[int(rng.integers(len(shares)))] = use
    demand = problem.demand * (1.0 - shares)
    return replace(problem, demand=demand, open_load=shares * problem.servers), times


def few_heavy(rng: np.random.Generator, customers: int) -> tuple[ClosedProblem, int]:
    """Batch work of seconds beside interactive work of milliseconds, on 1-8 servers and a disk."""
    servers = np.array([int(rng.choice([1, 2, 4, 8])), 1])
    batch = np.exp(rng.uniform(np.log([0.5, 0.01]), np.log([5.0, 0.2])))
    light = np.exp(rng.uniform(np.log([0.001, 0.0005]), np.log([0.02, 0.005])))
    think = np.exp(rng.uniform(np.log([0.1, 10.0]), np.log([10.0, 60.0])))
    population = np.array([customers, rng.integers(50, 400)])
    return ClosedProblem(np.array([batch, light]), servers, population, think, np.zeros(2)), 1


def any_shape(rng: np.random.Generator) -> tuple[ClosedProblem, int]:
    """One class of 2-2,000 customers, two of up to 300 or three of up to 50, on 1-6 stations whose
    demands spread by 0.4, 1 or 2 of their logarithm, at 0.4-8 times what the busiest can do."""
    classes, stations = int(rng.choice([1, 2, 2, 3])), int(rng.integers(1, 7))
    most = {1: 2_000, 2: 300, 3: 50}[classes]
    population = np.exp(rng.uniform(np.log(2), np.log(most), classes)).astype(np.int64)
    think = np.exp(rng.uniform(-0.5, 4.2, classes))
    servers = rng.choice([1, 1, 2, 4, 8, 16], stations)
    demand = np.exp(rng.normal(0.0, rng.choice([0.4, 1.0, 2.0]), (classes, stations))) * servers
    demand *= rng.random((classes, stations)) < 0.85
    demand[:, 0] += 1e-3
    load = rng.choice([0.4, 0.7, 0.9, 1.0, 1.1, 1.3, 1.8, 3.0, 8.0])
    demand *= load / ((population / think) @ demand / servers).max()
    return ClosedProblem(demand, servers, population, think, np.zeros(stations)), 1


def summary_of_any(count: int, seed: int = 1) -> str:
    """Errors of the accurate method over networks of any shape, in a sentence."""
    found = _compared(partial(any_shape, np.random.default_rng(seed)), count)
    accurate = np.array([case.accurate for case in found]) * 100
    stated = np.array([case.stated for case in found]) * 100
    return (
        f"{count:,} networks of any shape: mean {accurate.mean():.2f} %, 99th percentile "
        f"{np.percentile(accurate, 99):.1f} %, worst {accurate.max():.1f} %; stated "
        f"{np.median(stated):.1f} % in the median, too little in {(accurate > stated).sum()}"
    )


def many_classes(rng: np.random.Generator, kind: str) -> ClosedProblem:
    """Four classes that differ, of 20 to 600 customers each, on 2-12 stations of 1-16 servers.

    `shape` is like the first table; `heavy` has 1-3 customers who ask 0.5-10 s of the first station
    beside three classes that load it up to 0.95; `hardly` has 1-8 who think 0.01-0.5 s; `compete`
    has two stations within a tenth of each other at 1.2-5 times what they can do and 8-30 customers
    in three of its classes, and `open` the same beside open classes.
    """
    stations = int(rng.integers(2, 13))
    servers = rng.choice([1, 1, 2, 4, 8, 16], stations)
    demand = np.exp(rng.normal(0.0, 0.8, (4, stations)) + rng.normal(0.0, 0.6, stations)) * servers
    demand *= rng.random((4, stations)) < 0.85
    demand[:, :2] += 1e-3
    population = np.exp(rng.uniform(np.log(20), np.log(600), 4)).astype(np.int64)
    think = np.exp(rng.uniform(0.0, np.log(60.0), 4))
    load, some = float(rng.choice(LOADS)), np.ones(4, dtype=bool)
    if kind in {"heavy", "hardly"}:
        some[0] = False
        population[0] = rng.integers(1, 4 if kind == "heavy" else 9)
        load = rng.uniform(0.05, 0.95)
        think[0] = np.exp(rng.uniform(np.log(0.01), np.log(0.5)))
    if kind in {"compete", "open"}:
        population[1:] = rng.integers(8, 31, 3)
        first, second = ((population / think) @ demand / servers)[:2]
        demand[:, 1] *= first / second * rng.uniform(0.9, 1.1)
        demand[:, 2:] *= 0.3
        load = rng.uniform(1.2, 5.0)
    demand *= load / ((population / think)[some] @ demand[some] / servers).max()
    if kind == "heavy":
        demand[0] = np.exp(rng.uniform(np.log(0.01), np.log(0.3), stations))
        demand[0, 0] = np.exp(rng.uniform(np.log(0.5), np.log(10.0)))
        think[0] = np.exp(rng.uniform(np.log(0.1), np.log(10.0)))
    use = np.zeros(stations)
    if kind == "open":
        use = rng.choice(OPEN_USES) * rng.random(stations)
    return ClosedProblem(demand * (1.0 - use), servers, population, think, use * servers)


def network_of(problem: ClosedProblem) -> Network:
    """The same as a network, with what load is open in one class."""
    opened = bool(np.any(problem.open_load))
    classes = [
        CustomerClass(f"c{r}", int(n), float(z))
        for r, (n, z) in enumerate(zip(problem.population, problem.think, strict=True))
    ]
    service = [[float(x) for x in row] for row in problem.demand.T]
    if opened:
        classes.append(CustomerClass("open", arrival_rate=1.0))
        for row, load in zip(service, problem.open_load, strict=True):
            row.append(float(load))
    stations = tuple(
        Station(f"s{m}", "queue", (1.0,) * len(row), tuple(row), int(c))
        for m, (row, c) in enumerate(zip(service, problem.servers, strict=True))
    )
    return Network(tuple(classes), stations)


def cases_of_solve(kind: str, count: int, seed: int) -> list[Case]:
    """Errors of what `solve` calls approximate, where the automatic choice is an exact method."""
    rng = np.random.default_rng([seed, len(kind), ord(kind[0])])
    out: list[Case] = []
    while len(out) < count:
        problem = many_classes(rng, kind)
        network = network_of(problem)
        exact, plain = solve(network), solve_approximate(batch_of(problem))
        if exact.method == ACCURATE:
            continue
        found = solve(network, "approximate")
        with np.errstate(invalid="ignore"):
            meets = found.residence_time[:, 4:] / exact.residence_time[:, 4:] - 1.0
            plainly = plain.stretch * problem.open_load[:, None] / exact.residence_time[:, 4:] - 1.0
        errors = [
            max(
                float(np.max(np.abs(response / exact.response_time[:4] - 1.0))),
                float(np.nanmax(np.abs(opened), initial=0.0)),
            )
            for response, opened in (
                (plain.residence[..., 0].sum(axis=1), plainly),
                (found.response_time[:4], meets),
            )
        ]
        out.append(Case(errors[0], errors[1], found.error_estimate))
    return out


def _compared(draw: Callable[[], tuple[ClosedProblem, int]], count: int) -> list[Case]:
    out: list[Case] = []
    while len(out) < count:
        problem, times = draw()
        guess = problem.population / (problem.think + problem.demand.sum(axis=1))
        if effort(problem, guess)[0] > MOST_VECTORS:
            continue
        exact = convolution(problem, guess)
        if exact is None:
            continue
        split = repeated(problem, times)
        fast = solve_approximate(batch_of(split), "fast")
        accurate = solve_approximate(batch_of(split), "accurate")
        stated = accurate_error(split, fast, accurate)
        out.append(Case(worst(fast, exact, problem), worst(accurate, exact, problem), stated))
    return out


def worst(found: ClosedBatchAnswer, exact: ClosedAnswer, problem: ClosedProblem) -> float:
    """Largest relative error of a class's response time, and of what an open one meets."""
    response = found.residence[..., 0].sum(axis=1).reshape(-1, len(problem.think))
    opened = problem.open_load > 0
    meets = found.stretch[opened, 0] / exact.stretch[opened] - 1.0
    errors = np.abs(response / exact.residence.sum(axis=1) - 1.0)
    return float(max(np.max(errors), np.max(np.abs(meets), initial=0.0)))


def table(count: int, seed: int = 1) -> str:
    """The table as Markdown."""
    lines = [
        "| offered load | servers | fast, mean | fast, worst | accurate, mean | accurate, worst |",
        "|---|---|---|---|---|---|",
    ]
    for load in LOADS:
        for name, servers in SERVERS.items():
            found = cases(load, servers, count, seed)
            lines.append(f"| {load:g} | {name} {_errors(found, 3)}")
    return "\n".join(lines)


def table_of_few(count: int, seed: int = 1) -> str:
    """The second table as Markdown."""
    lines = [
        "| heavy customers | fast, mean | fast, worst | accurate, mean | accurate, worst |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {customers} {_errors(cases_of_few(customers, count, seed), 2)}"
        for customers in HEAVY_CUSTOMERS
    ]
    return "\n".join(lines)


def table_of_mixed(count: int, seed: int = 1) -> str:
    """The third table as Markdown."""
    lines = [
        "| open classes use up to | fast, mean | fast, worst | accurate, mean | accurate, worst |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {use:g} {_errors(cases_of_mixed(use, count, seed), 2)}" for use in OPEN_USES]
    return "\n".join(lines)


def table_of_solve(count: int, seed: int = 1) -> str:
    """The fourth table as Markdown."""
    lines = [
        "| four classes | accurate, mean | worst | corrected, mean | worst | stated, median |",
        "|---|---|---|---|---|---|",
    ]
    for kind, name in KINDS.items():
        found = cases_of_solve(kind, count, seed)
        stated = np.median([case.stated for case in found]) * 100
        lines.append(f"| {name} {_errors(found, 3)} {stated:.1f} % |")
    return "\n".join(lines)


def _errors(found: Sequence[Case], decimals: int) -> str:
    """The last four cells of a row; the accurate method's mean with so many decimals."""
    fast, accurate = (
        np.array([getattr(case, name) for case in found]) * 100 for name in ("fast", "accurate")
    )
    return (
        f"| {fast.mean():.2f} % | {fast.max():.1f} % "
        f"| {accurate.mean():.{decimals}f} % | {accurate.max():.2f} % |"
    )


if __name__ == "__main__":
    per_cell = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    sys.stdout.write(table(per_cell) + "\n\n" + table_of_few(2 * per_cell) + "\n\n")
    sys.stdout.write(table_of_mixed(2 * per_cell) + "\n\n")
    sys.stdout.write(table_of_solve(per_cell) + "\n\n")
    sys.stdout.write(summary_of_any(100 * per_cell) + "\n")
