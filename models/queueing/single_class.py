"""Exact solution of closed networks of one class, many scenarios at once.

Sources: see `models.queueing.tilt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.errors import ModelError
from models.quantities import FloatArray, IntArray
from models.queueing.tilt import (
    multiply,
    poisson_pmf,
    products_without_each,
    short_part,
)

CHUNK = 1_500
"""Scenarios solved together: their arrays stay in the processor's cache."""

DROPPED_LOG = 30.0
"""States are left out whose joint probability is below exp(−30) = 1e-13."""

_NEWTON_STEPS = 12


@dataclass(frozen=True, slots=True, eq=False)
class SingleClassBatch:
    """Exact answers for B scenarios.

    Attributes:
        throughput: X [jobs/s], shape (B,).
        queue_length: mean closed customers at each queue, shape (M, B).
        stretch: residence time of an arriving open customer per second of demand, shape
            (M, B); 1 at an empty station.
    """

    throughput: FloatArray
    queue_length: FloatArray
    stretch: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    demand: FloatArray
    servers: IntArray
    population: FloatArray
    think: FloatArray
    opened: FloatArray

    def pick(self, rows: IntArray) -> _Chunk:
        """Some of the scenarios; the batch axis stays the contiguous one, unlike by [:, rows]."""
        return _Chunk(
            np.take(self.demand, rows, axis=1),
            self.servers,
            self.population[rows],
            self.think[rows],
            np.take(self.opened, rows, axis=1),
        )


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
    of at most N positive terms plus 1e-13 for states left out, below 1e-10 up to N = 100,000.
    The time grows with the spread of the number of customers in queues: about the square root
    of N under light load, N when saturated.

    Raises:
        ModelError: a scenario without any demand and think time, or too long a computation.
    """
    opened = np.zeros_like(demand) if open_load is None else open_load
    batch = _Chunk(demand, servers, population, think, opened)
    tilt = _tilt(batch)
    steps = _window(population, think * tilt)
    order = np.argsort(-steps, kind="stable")
    out = SingleClassBatch(np.zeros_like(population), np.zeros_like(demand), np.ones_like(demand))
    for start in range(0, len(order), CHUNK):
        pick = order[start : start + CHUNK]
        together = _aligned_steps(population[pick], think[pick] * tilt[pick], steps[pick])
        inner = np.argsort(-together, kind="stable")
        pick = pick[inner]
        part = batch.pick(pick)
        answer = _solve_chunk(part, _aligned_tilt(part, tilt[pick]), together[inner])
        out.throughput[pick] = answer.throughput
        out.queue_length[:, pick] = answer.queue_length
        out.stretch[:, pick] = answer.stretch
    return out


def steps_needed(
    demand: FloatArray,
    servers: IntArray,
    population: FloatArray,
    think: FloatArray,
    open_load: FloatArray,
) -> IntArray:
    """Length of the recursion for each scenario, to judge its cost beforehand; shape (B,)."""
    tilt = _tilt(_Chunk(demand, servers, population, think, open_load))
    return _window(population, think * tilt)


def _tilt(batch: _Chunk) -> FloatArray:
    """Throughput at which independent stations would hold about N customers on average.

    Any value below saturation gives the same answer; this one keeps all probabilities within
    the range of floating point. Newton's method on s, where throughput = limit × s/(1 + s),
    with Sakasegawa's ρ^√(2c+2)/(1 − ρ) for the number waiting.
    """
    free = batch.servers[:, None] - batch.opened
    with np.errstate(divide="ignore", over="ignore"):
        limit = np.min(free / batch.demand, axis=0, initial=np.inf)
    bounded = np.isfinite(limit)
    n, think = batch.population, batch.think
    if np.any(~bounded & (think <= 0) & (n > 0)):
        raise ModelError("a closed class needs a demand or a think time above 0")
    limit = np.where(bounded, limit, 1.0)
    share = batch.demand * limit / free
    power = np.sqrt(2.0 * batch.servers + 2.0)[:, None]
    s = n / (1.0 + limit * (think + batch.demand.sum(axis=0)))
    for _ in range(_NEWTON_STEPS):
        change = _excess(s, batch, limit, share, power)
        s = np.clip(s - change, 0.25 * s, n + 1.0)
        if np.all(np.abs(change) <= 0.003 * s):
            break
    delay_only = n / np.where(think > 0, think, 1.0)
    return np.where(bounded & (n > 0), limit * (s / (1.0 + s)), np.where(n > 0, delay_only, 1.0))


def _excess(
    s: FloatArray, batch: _Chunk, limit: FloatArray, share: FloatArray, power: FloatArray
) -> FloatArray:
    rise = 1.0 / (1.0 + s)
    rho = share * (s * rise)
    idle = rise + (1.0 - share) * (s * rise)
    waiting = rho**power / idle
    direct = limit * (batch.think + batch.demand.sum(axis=0))
    held = direct * (s * rise) + waiting.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = waiting * (power / rho + 1.0 / idle) * share
    slope = np.where(rho > 0, slope, 0.0).sum(axis=0)
    return np.asarray((held - batch.population) / ((direct + slope) * rise * rise))


def _window(population: FloatArray, thinking: FloatArray) -> IntArray:
    """How far below N the recursion starts.

    P(Poisson(λ) ≤ λ − d) ≤ exp(−d²/(2λ)), Chernoff's bound, for the thinking customers.
    """
    first = thinking - np.sqrt(2.0 * DROPPED_LOG * thinking)
    first = np.clip(np.floor(first), 0.0, population)
    return (population - first).astype(np.int64)


def _aligned_tilt(batch: _Chunk, tilt: FloatArray) -> FloatArray:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Stations:
    ratio: FloatArray
    count: FloatArray
    slopes: dict[int, FloatArray]


def _stations(batch: _Chunk, tilt: FloatArray) -> _Stations:
    c = batch.servers[:, None]
    closed = batch.demand * tilt
    most = int(batch.population.max(initial=0))
    many = [m for m in range(len(c)) if batch.servers[m] > 1]
    ratio = closed / (c - batch.opened)
    if not many:
        return _Stations(ratio, np.ones((1, closed.shape[1])), {})
    parts = [short_part(int(batch.servers[m]), closed[m], batch.opened[m], most) for m in many]
    count, others = products_without_each([part.count for part in parts], most)
    slopes = {
        m: multiply(part.slope, other, most)
        for m, part, other in zip(many, parts, others, strict=True)
    }
    return _Stations(ratio, count, slopes)


class _Sums:
    """What is gathered at population N (`lag` 0) or N − 1 (`lag` 1)."""

    def __init__(self, lag: int, shape: tuple[int, int]) -> None:
        self.lag = lag
        self.constant = np.zeros(shape[1])
        self.geometric = np.zeros(shape)
        self.slope = np.zeros(shape)

    def add(self, i: int, stations: _Stations, g: FloatArray, u: FloatArray) -> None:
        power = i - self.lag
        width = len(g)
        if 0 <= power < len(stations.count):
            weight = stations.count[power, :width]
            self.constant[:width] += weight * g
            self.geometric[:, :width] += weight * u
        for m, slope in stations.slopes.items():
            if 0 <= power < len(slope):
                self.slope[m, :width] += slope[power, :width] * g

    def stretch(self, servers: FloatArray) -> FloatArray:
        whole = np.where(self.constant > 0, self.constant, 1.0)
        return np.asarray((1.0 + self.geometric / whole) / servers + self.slope / whole)


def _solve_chunk(batch: _Chunk, tilt: FloatArray, steps: IntArray) -> SingleClassBatch:
    stations = _stations(batch, tilt)
    now, before = _Sums(0, batch.demand.shape), _Sums(1, batch.demand.shape)
    _recur(batch, tilt, steps, stations, (now, before))
    busy = batch.population > 0
    if np.any(now.constant <= 0):
        raise ModelError("the network is too large to be solved exactly")
    throughput = np.where(busy, tilt * before.constant / now.constant, 0.0)
    free = batch.servers[:, None] - batch.opened
    queue_length = throughput * batch.demand * before.stretch(free)
    return SingleClassBatch(throughput, queue_length, now.stretch(free))


def _recur(
    batch: _Chunk,
    tilt: FloatArray,
    steps: IntArray,
    stations: _Stations,
    sums: tuple[_Sums, ...],
) -> None:
    """Convolve thinkers and geometric parts upwards in the population.

    g(n) of stations 1…m obeys g_m(n) = g_{m−1}(n) + ρ_m·g_m(n−1); the geometric part's mean
    times g obeys u_m(n) = ρ_m·(u_m(n−1) + g(n−1)). Scenarios are sorted by their number of
    steps, so that those under way are always the first ones.
    """
    queues = len(stations.ratio)
    rho = np.concatenate((stations.ratio, stations.ratio))
    state = np.zeros_like(rho)
    last = len(stations.count)
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
            if k <= last:
                for gathered in sums:
                    gathered.add(k, stations, g, means)


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
