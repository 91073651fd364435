"""Exact solution of closed networks of one class, many scenarios at once.

Sources: see `models.queueing.distributions`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import FloatArray, IntArray
from models.base.texts import say
from models.queueing.distributions import poisson_pmf
from models.queueing.one_class import (
    OneClass,
    SingleClassBatch,
    Stations,
    Sums,
    answer_of,
    saddle_point,
)

DROPPED_LOG = 30.0
"""States are left out whose joint probability is below exp(−30) = 1e-13."""


def steps_needed(population: FloatArray, thinking: FloatArray) -> IntArray:
    """How far below N the recursion starts, shape (B,).

    P(Poisson(λ) ≤ λ − d) ≤ exp(−d²/(2λ)), Chernoff's bound, for the thinking customers.

    >>> import numpy as np
    >>> steps_needed(np.array([4000.0, 100.0]), np.array([3950.0, 0.0])).tolist()
    [537, 100]
    """
    first = thinking - np.sqrt(2.0 * DROPPED_LOG * thinking)
    first = np.clip(np.floor(first), 0.0, population)
    return (population - first).astype(np.int64)


def solve_by_recursion(batch: OneClass, saddle: FloatArray, steps: IntArray) -> SingleClassBatch:
    """Solve one chunk of scenarios.

    Args:
        saddle: `one_class.saddle_point` of each, shape (B,).
        steps: `steps_needed`, shape (B,).

    Raises:
        ModelError: all states have vanished below the range of floating point.
    """
    together = _aligned_steps(batch.population, batch.think * saddle, steps)
    order = np.argsort(-together, kind="stable")
    answer = _solve_sorted(batch.pick(order), saddle[order], together[order])
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return SingleClassBatch(
        answer.throughput[back],
        np.take(answer.queue_length, back, axis=1),
        np.take(answer.stretch, back, axis=1),
    )


def _solve_sorted(batch: OneClass, saddle: FloatArray, steps: IntArray) -> SingleClassBatch:
    tilt = _aligned_tilt(batch, saddle)
    stations = Stations.of(batch, tilt)
    now, before = Sums.nothing(batch.demand.shape), Sums.nothing(batch.demand.shape)
    _recur(batch, tilt, steps, stations, (now, before))
    if np.any(now.constant <= 0):
        raise ModelError(say("the network is too large to be solved exactly"))
    return answer_of(batch, tilt, now, before)


def _aligned_tilt(batch: OneClass, tilt: FloatArray) -> FloatArray:
    """Give scenarios of equal population the same Poisson distribution of thinkers, if near."""
    if np.ptp(batch.population) > 0 or np.any(batch.think <= 0):
        return tilt
    thinking = batch.think * tilt
    common = thinking.min()
    near = np.ptp(thinking) ** 2 < 100.0 * common
    return common / batch.think if near else tilt


def _aligned_steps(population: FloatArray, thinking: FloatArray, steps: IntArray) -> IntArray:
    """Let all scenarios of a chunk start together, where that is within floating point."""
    together = np.minimum(steps.max(initial=0), population)
    short = thinking - (population - together)
    safe = (short * short < 400.0 * thinking) | (steps == together)
    return np.where(safe, together, steps).astype(np.int64)


def _recur(
    batch: OneClass,
    tilt: FloatArray,
    steps: IntArray,
    stations: Stations,
    sums: tuple[Sums, Sums],
) -> None:
    """Convolve thinkers and geometric parts upwards in the population.

    g(n) of stations 1…m obeys g_m(n) = g_{m−1}(n) + ρ_m·g_m(n−1); the geometric part's mean
    times g obeys u_m(n) = ρ_m·(u_m(n−1) + g(n−1)). Scenarios are sorted by their number of
    steps, so that those under way are always the first ones. `sums` are those at N and N − 1.
    """
    queues = len(stations.ratio)
    rho = np.concatenate((stations.ratio, stations.ratio))
    state = np.zeros_like(rho)
    entries = [int(i) for i in np.unique(steps)[::-1]]
    thinkers = _Thinkers(batch.think * tilt, batch.population - steps)
    for i, until in zip(entries, [*entries[1:], -1], strict=True):
        old = int(np.searchsorted(-steps, -i, side="left"))
        width = int(np.searchsorted(-steps, -i, side="right"))
        source = thinkers.advance(old, width, i - until)
        here, factor = state[:, :width], rho[:, :width]
        rows, means = list(here[:queues]), here[queues:]
        g = rows[-1] if rows else np.zeros(width)
        for k, level in zip(range(i, until, -1), source, strict=True):
            np.add(means, g, out=means)
            np.multiply(here, factor, out=here)
            below = level
            for row in rows:  # np.add.accumulate along the first axis is ten times slower
                np.add(row, below, out=row)
                below = row
            g = rows[-1] if rows else np.broadcast_to(level, (width,))
            if k <= stations.last:
                for lag, gathered in enumerate(sums):
                    _gather(gathered, k - lag, stations, g, means)


def _gather(sums: Sums, power: int, stations: Stations, g: FloatArray, means: FloatArray) -> None:
    """Add the states with `power` customers in the short parts."""
    width = len(g)
    if 0 <= power < len(stations.count):
        weight = stations.count[power, :width]
        sums.constant[:width] += weight * g
        sums.geometric[:, :width] += weight * means
    for m, slope in stations.slopes.items():
        if 0 <= power < len(slope):
            sums.slope[m, :width] += slope[power, :width] * g


class _Thinkers:
    """Poisson probabilities of n, n + 1, … thinking customers, from which g is built.

    One number per step where all scenarios have the same distribution, else one array.
    """

    def __init__(self, mean: FloatArray, first: FloatArray) -> None:
        self.mean, self.n = mean, first
        self.level = poisson_pmf(first, mean)
        self.same = bool(len(mean)) and np.ptp(mean) == 0.0 and np.ptp(first) == 0.0

    def advance(self, old: int, width: int, count: int) -> Iterator[FloatArray | np.float64]:
        """The next `count` probabilities of scenarios 0…`width`, of which `old` are under way."""
        if self.same:
            ratios = self.mean[0] / (self.n[0] + np.arange(1.0, count))
            yield from self.level[0] * np.concatenate(([1.0], np.cumprod(ratios)))
            return
        ratio = np.empty(width)
        mean, n, level = self.mean[:width], self.n[:width], self.level[:width]
        entered = level[old:].copy()
        n[old:] -= 1.0
        for k in range(count):
            np.add(n, 1.0, out=n)
            np.divide(mean, np.maximum(n, 1.0) if k == 0 else n, out=ratio)
            np.multiply(level, ratio, out=level)
            if k == 0:
                level[old:] = entered
            yield level


CHUNK = 1_500
"""Scenarios that are solved together."""


def solve_single_class(
    demand: FloatArray,
    servers: IntArray,
    population: FloatArray,
    think: FloatArray,
    open_load: FloatArray | None = None,
) -> SingleClassBatch:
    """Solve closed single-class networks of multi-server queues and a delay, exactly.

    Args:
        demand: service demand at each queue D = visits × service [s], shape (M, B).
        servers: servers c of each queue, shape (M,), the same in all scenarios.
        population: customers N ≥ 0 (whole numbers), shape (B,).
        think: think time plus demand at delay stations Z [s], shape (B,).
        open_load: load a of open classes [erlang], shape (M, B), below `servers`; default none.

    Equation: X(N) = G(N−1)/G(N); residence at a queue D·F′/F averaged over the state that an
    arrival meets, with N − 1 customers (arrival theorem).

    Valid for product-form networks (processor sharing, or first come first served with one
    exponential service time per station). The relative error is that of double precision sums
    plus 1e-13 for states left out, below 1e-10 up to N = 100,000.

    Raises:
        ModelError: a scenario without any demand and think time, or too long a computation.

    >>> one = solve_single_class(
    ...     np.array([[0.02], [0.002]]), np.array([8, 1]), np.array([4000.0]), np.array([10.0])
    ... )
    >>> round(float(one.throughput[0]), 9)
    394.446504891
    """
    opened = np.zeros_like(demand) if open_load is None else open_load
    batch = OneClass(demand, servers, population, think, opened)
    saddle = saddle_point(batch)
    steps = steps_needed(population, think * saddle)
    out = SingleClassBatch(np.zeros_like(population), np.zeros_like(demand), np.ones_like(demand))
    dearest_first = np.argsort(-steps, kind="stable")
    for start in range(0, len(steps), CHUNK):  # a chunk costs what its worst does
        rows = dearest_first[start : start + CHUNK]
        answer = solve_by_recursion(batch.pick(rows), saddle[rows], steps[rows])
        out.throughput[rows] = answer.throughput
        out.queue_length[:, rows] = answer.queue_length
        out.stretch[:, rows] = answer.stretch
    return out


def single_class_effort(
    demand: FloatArray,
    servers: IntArray,
    population: FloatArray,
    think: FloatArray,
    open_load: FloatArray,
) -> IntArray:
    """Steps of the recursion that each scenario takes, to judge it beforehand; shape (B,).

    Arguments as `solve_single_class` takes them.
    """
    batch = OneClass(demand, servers, population, think, open_load)
    return steps_needed(population, think * saddle_point(batch))
