"""Exact solution of closed and mixed networks of several classes.

Two ways over the lattice of population vectors, level by level of the total population: mean
value analysis where every queue has one server, convolution where some have more.

Sources:
    1. M. Reiser, S. S. Lavenberg, "Mean-value analysis of closed multichain queuing networks",
       Journal of the ACM 27(2), 1980.
    2. S. C. Bruell, G. Balbo, "Computational Algorithms for Closed Queueing Networks", 1980.
    3. `models.queueing.distributions` for the form in which stations are convolved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.base.quantities import FloatArray, IntArray
from models.queueing.distributions import poisson_pmf, short_part

_DROPPED = 1e-12
_WINDOW_LOG = 40.0
_LEVEL = 10_000  # additions in the time that one level takes beside its points


@dataclass(frozen=True, slots=True, eq=False)
class ClosedProblem:
    """One network with closed classes only, each with at least one customer.

    Attributes:
        demand: service demand D of each class at each queue [s], shape (R, M).
        servers: servers of each queue, shape (M,).
        population: customers of each class, shape (R,).
        think: think time and demand at delay stations [s], shape (R,).
        open_load: load that open classes put on each queue [erlang], shape (M,).
    """

    demand: FloatArray
    servers: IntArray
    population: IntArray
    think: FloatArray
    open_load: FloatArray

    @property
    def vectors(self) -> int:
        """Number of population vectors from 0 to the full population, however large."""
        return _vectors(self.population)


def _vectors(population: IntArray) -> int:
    return math.prod(int(n) + 1 for n in population)


@dataclass(frozen=True, slots=True, eq=False)
class ClosedAnswer:
    """Measures of the closed classes.

    Attributes:
        throughput: X of each class [jobs/s], shape (R,).
        residence: residence time of each class at each queue [s], shape (R, M).
        stretch: residence time of an open arrival per second of demand, shape (M,).
    """

    throughput: FloatArray
    residence: FloatArray
    stretch: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Lattice points of one total population, and where their predecessors stand.

    `before[r]` holds for each point the place in the previous level of the point with one
    customer of class r less; a point that has none refers to the place after the last.
    """

    points: IntArray
    before: IntArray


def _levels(shape: tuple[int, ...]) -> Iterator[_Level]:
    size = int(np.prod(shape))
    coordinates = np.unravel_index(np.arange(size), shape)
    total = np.sum(coordinates, axis=0)
    order = np.argsort(total, kind="stable")
    ends = np.cumsum(np.bincount(total))
    rank = np.empty(size, dtype=np.int64)
    rank[order] = np.arange(size) - np.concatenate(([0], ends))[total[order]]
    strides = [int(np.prod(shape[r + 1 :])) for r in range(len(shape))]
    start, previous = 0, 0
    for end in ends:
        points = order[start:end]
        before = [
            np.where(axis[points] > 0, rank[points - stride], previous)
            for axis, stride in zip(coordinates, strides, strict=True)
        ]
        yield _Level(points, np.array(before))
        start, previous = int(end), int(end) - start


def _padded(values: FloatArray) -> FloatArray:
    return np.concatenate((values, np.zeros((len(values), 1))), axis=1)


def exact_mva(problem: ClosedProblem) -> ClosedAnswer:
    """Mean value analysis of single-server queues and delays.

    Equation: R_rm(n) = D_rm/(1 − U_open)·(1 + Q_m(n − e_r)), X_r(n) = n_r/(Z_r + Σ_m R_rm(n)),
    Q_m(n) = Σ_r X_r(n)·R_rm(n), from n = 0 upwards (Reiser and Lavenberg, eq. 3.11; open
    classes by the inflated demand).

    Valid for product-form networks; the recursion is stable for single servers.

    Two customers of a class each at two like queues, X = N/(D·(N + M − 1)) for both together:

    >>> one, two = np.ones(2), np.ones(2, dtype=np.int64)
    >>> like = ClosedProblem(np.ones((2, 2)), two, population=two, think=0 * one, open_load=0 * one)
    >>> exact_mva(like).throughput.round(4).tolist()
    [0.3333, 0.3333]
    """
    free = 1.0 - problem.open_load
    demand = problem.demand / free
    shape = tuple(int(n) + 1 for n in problem.population)
    coordinates = np.unravel_index(np.arange(int(np.prod(shape))), shape)
    queues = demand.shape[1]
    previous = np.zeros((queues, 1))
    throughput = np.zeros(len(shape))
    residence = np.zeros_like(demand)
    for level in _levels(shape):
        met = _padded(previous)
        current = np.zeros((queues, len(level.points)))
        for r, axis in enumerate(coordinates):
            stay = demand[r][:, None] * (1.0 + met[:, level.before[r]])
            count = axis[level.points]
            cycle = np.where(count > 0, problem.think[r] + stay.sum(axis=0), 1.0)
            rate = count / cycle
            current += rate * stay
            throughput[r], residence[r] = rate[-1], stay[:, -1]
        previous = current
    return ClosedAnswer(throughput, residence, (1.0 + previous[:, -1]) / free)


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """The part of the lattice that matters: from `first` to the full population."""

    first: IntArray
    dropped: float

    def shape(self, population: IntArray) -> tuple[int, ...]:
        return tuple(int(n) + 1 for n in population - self.first)


def unsaturated(problem: ClosedProblem, guess: FloatArray) -> FloatArray:
    """Scale guessed throughputs [jobs/s] until every queue is below saturation, shape (R,).

    X·min(1, (1 − 1/(N + 2))/U) with U of the busiest queue. Valid for open load below the servers.

    Eight customers, of whom 4 a second would need two servers: 4·0.9/2.

    >>> one = np.ones((1, 1))
    >>> problem = ClosedProblem(0.5 * one, np.ones(1), np.array([8]), np.ones(1), np.zeros(1))
    >>> unsaturated(problem, np.array([4.0])).round(6).tolist()
    [1.8]
    """
    free = problem.servers - problem.open_load
    use = np.max(guess @ problem.demand / free, initial=0.0)
    most = 1.0 - 1.0 / (problem.population.sum() + 2.0)
    return np.asarray(guess * min(1.0, most / use) if use > 0 else guess)


def _window(population: IntArray, thinking: FloatArray, log_bound: float) -> _Window:
    """Leave out population vectors with fewer thinkers than could matter.

    P(Poisson(λ) ≤ k) ≤ exp(k − λ + k·ln(λ/k)) for k < λ, Chernoff's bound.
    """
    first = np.zeros_like(population)
    dropped = 0.0
    for r, mean in enumerate(thinking):
        depth = np.sqrt(2.0 * log_bound * mean)
        low = int(max(0.0, min(np.floor(mean - depth), float(population[r]))))
        if low > 0:
            k = low - 1.0
            first[r] = low
            dropped += float(np.exp(k - mean + (k * np.log(mean / k) if k > 0 else 0.0)))
    return _Window(first, dropped)


def mva_effort(problem: ClosedProblem) -> int:
    """Additions that `exact_mva` makes, about."""
    return problem.vectors * 3 * problem.demand.size + _LEVEL * int(problem.population.sum())


def effort(problem: ClosedProblem, guess: FloatArray) -> tuple[int, int]:
    """Population vectors that `convolution` visits, and additions it makes, both about.

    Args:
        problem: the network.
        guess: approximate throughput of each class, shape (R,).
    """
    tilt = unsaturated(problem, guess)
    window = _window(problem.population, problem.think * tilt, _WINDOW_LOG)
    steps = problem.population - window.first
    vectors, most = _vectors(steps), int(steps.sum())
    classes, queues = problem.demand.shape
    powers = np.minimum(problem.servers - 1, most)
    passes = 4 * queues + int(powers.sum()) * (2 + int(np.count_nonzero(powers)))
    return vectors, vectors * classes * passes // 2 + _LEVEL * (1 + most)


def convolution(problem: ClosedProblem, guess: FloatArray) -> ClosedAnswer | None:
    """Convolution over the lattice of population vectors, with multi-server queues.

    Args:
        problem: the network.
        guess: approximate throughput of each class, shape (R,); it decides how far down the
            lattice is visited, not the answer.

    Returns:
        The measures, or None when the probability of the states left out could not be shown
        to be below 1e-12 of the normalising constant; then no window is safe.

    Equation: X_r = G(N − e_r)/G(N); R_rm = D_rm·E[F′/F] over the state met on arrival. Valid for
    product-form networks. Source: 2, in the form of 3 (above).

    Three machines, one of its own class, and two who repair them; broken for 1 s on average once a
    second, p ∝ 1, 3, 3, 1.5: 12/8.5 repairs a second, a third of them at the first.

    >>> repair = ClosedProblem(
    ...     demand=np.ones((2, 1)),
    ...     servers=np.array([2]),
    ...     population=np.array([1, 2]),
    ...     think=np.ones(2),
    ...     open_load=np.zeros(1),
    ... )
    >>> answer = convolution(repair, guess=np.array([0.4, 0.8]))
    >>> answer.throughput.round(4).tolist() if answer else None
    [0.4706, 0.9412]
    """
    tilt = unsaturated(problem, guess)
    for log_bound in (_WINDOW_LOG, 4.0 * _WINDOW_LOG):
        window = _window(problem.population, problem.think * tilt, log_bound)
        answer, constant = _Convolution(problem, tilt, window).solve()
        if constant > 0 and window.dropped <= _DROPPED * constant:
            return answer
    return None


class _Convolution:
    def __init__(self, problem: ClosedProblem, tilt: FloatArray, window: _Window) -> None:
        self.problem, self.tilt = problem, tilt
        self.shape = window.shape(problem.population)
        load = problem.demand * tilt[:, None]
        self.closed = load.sum(axis=0)
        self.ratio = load / (problem.servers - problem.open_load)
        safe = np.where(self.closed > 0, self.closed, 1.0)
        self.mix = load / safe
        most = int(problem.population.sum())
        self.short = {
            m: short_part(int(c), self.closed[m : m + 1], problem.open_load[m : m + 1], most)
            for m, c in enumerate(problem.servers)
            if c > 1
        }
        thinking = problem.think * tilt
        source = np.ones(())
        for r, first in enumerate(window.first):
            source = np.multiply.outer(source, _thinkers(thinking[r], int(first), self.shape[r]))
        self.source = source * np.prod(1.0 - self.ratio.sum(axis=0))
        self.levels = list(_levels(self.shape))

    def solve(self) -> tuple[ClosedAnswer, float]:
        """The measures, and the probability that the tilted network holds its population."""
        problem = self.problem
        bare = self._geometric(self.source)
        slope, whole = self._short_parts(bare)
        mean = self._geometric_means(whole)
        corner = tuple(n - 1 for n in self.shape)
        constant = float(whole[corner])
        free = problem.servers - problem.open_load
        throughput = np.zeros(len(self.tilt))
        residence = np.zeros_like(problem.demand)
        for r, tilt in enumerate(self.tilt):
            met = tuple(n - (i == r) for i, n in enumerate(corner))
            fewer = float(whole[met])
            throughput[r] = tilt * fewer / constant if constant > 0 else 0.0
            stay = mean[:, r] / free + slope[:, r]
            residence[r] = problem.demand[r] * stay / (fewer if fewer > 0 else 1.0)
        stretch = (mean[:, -1] / free + slope[:, -1]) / (constant if constant > 0 else 1.0)
        return ClosedAnswer(throughput, residence, stretch), constant

    def _geometric(self, source: FloatArray) -> FloatArray:
        """Convolve all geometric parts: g_m(n) = g_{m−1}(n) + Σ_r ρ_rm·g_m(n − e_r)."""
        flat, out = source.ravel(), np.empty(source.size)
        state = np.zeros((self.ratio.shape[1], 0))
        for level in self.levels:
            state = self._step(state, level)
            below = flat[level.points]
            for row in state:
                np.add(row, below, out=row)
                below = row
            out[level.points] = below
        return out.reshape(self.shape)

    def _geometric_means(self, whole: FloatArray) -> FloatArray:
        """Σ_j of the geometric part added once more, at N − e_1 … N − e_R and N; (M, R + 1)."""
        flat = whole.ravel()
        state = np.zeros((self.ratio.shape[1], 0))
        previous = state
        for level in self.levels:
            previous = _padded(state)
            state = self._step(state, level) + flat[level.points]
        ends = self.levels[-1].before[:, 0]
        return np.concatenate((previous[:, ends], state), axis=1)

    def _step(self, state: FloatArray, level: _Level) -> FloatArray:
        met = _padded(state)
        new = np.zeros((len(state), len(level.points)))
        for r, place in enumerate(level.before):
            new += self.ratio[r][:, None] * met[:, place]
        return new

    def _short_parts(self, bare: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Multiply by the short parts; their slopes at N − e_1 … N − e_R and N, (M, R + 1)."""
        slope = np.zeros((self.ratio.shape[1], bare.ndim + 1))
        reach = 1 + sum(len(part.count) for part in self.short.values())
        near = tuple(slice(max(0, n - reach), None) for n in bare.shape)
        done = bare
        queue = list(self.short.items())
        for i, (m, part) in enumerate(queue):
            part_slope = self._apply(part.slope, done[near], self.mix[:, m])
            for other, later in queue[i + 1 :]:
                part_slope = self._apply(later.count, part_slope, self.mix[:, other])
            slope[m] = _corner(part_slope)
            done = self._apply(part.count, done, self.mix[:, m])
        return slope, done

    @staticmethod
    def _apply(polynomial: FloatArray, values: FloatArray, mix: FloatArray) -> FloatArray:
        """Apply a polynomial in v = Σ_r mix_r·shift_r, by Horner's scheme."""
        out = np.asarray(polynomial[-1, 0] * values)
        for coefficient in polynomial[-2::-1, 0]:
            shifted = np.asarray(coefficient * values)
            for r, share in enumerate(mix):
                if share > 0 and values.shape[r] > 1:
                    upper = (slice(None),) * r + (slice(1, None),)
                    lower = (slice(None),) * r + (slice(None, -1),)
                    shifted[upper] += share * out[lower]
            out = shifted
        return out


def _thinkers(mean: float, first: int, count: int) -> FloatArray:
    n = first + np.arange(float(count))
    peak = int(np.clip(np.floor(mean) - first, 0, count - 1))
    up = np.cumprod(mean / n[peak + 1 :])
    with np.errstate(divide="ignore"):
        down = np.cumprod(n[peak:0:-1] / mean)[::-1] if mean > 0 else np.zeros(peak)
    top = poisson_pmf(n[peak : peak + 1], np.array([mean]))
    return np.asarray(top * np.concatenate((down, [1.0], up)))


def _corner(values: FloatArray) -> FloatArray:
    corner = tuple(n - 1 for n in values.shape)
    before = [
        values[tuple(n - (i == r) for i, n in enumerate(corner))] if corner[r] > 0 else 0.0
        for r in range(values.ndim)
    ]
    return np.array([*before, values[corner]])
