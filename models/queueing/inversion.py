"""Several closed classes by numerical inversion of their generating function: exact to rounding.

At throughputs τ below saturation the numbers S_r of customers of each class at independent
stations have the generating function

    E[Π z_r^S_r] = exp(Σ λ_r·(z_r − 1))·Π_m P_m(z)·(1 − ρ_m)/(1 − Σ_r ρ_rm·z_r),   λ_r = Z_r·τ_r,

with P_m the short part of a station of several servers (`models.queueing.distributions`), and
G(N) ∝ P(S = N) is the mean of E[z^S]·z^(−N) over a grid of points with |z_r| = 1. The thinkers
make it fall as exp(−Σ λ_r·(1 − cos t_r)), so that of the grid some twenty points a class count,
however many customers there are: three classes of thousands, whose population vectors nobody can
visit, take some ten thousand.

A grid {t: B·t = 0 modulo 2π} takes N for N + k·B with whole k. It may be as coarse as Chernoff's
bound on P(S = N + k·B) allows, which is proved coordinate by coordinate. Customers at a saturated
queue vary together; rows of B along them (from the covariance of S) make the other coordinates
short.

Any τ gives the same answer. It decides how far the tails reach and how far terms cancel, and is put
below the saddle point by what comes out cheapest (`LOWERED`). What is left out, and rounding, are
compared with the sum that came out.

Sources:
    1. G. L. Choudhury, K. K. Leung, W. Whitt, "Calculating normalization constants of closed
       queueing networks by numerically inverting their generating functions", Journal of the
       ACM 42(5), 1995.
    2. I. H. Sloan, S. Joe, "Lattice Methods for Multiple Integration", 1994.
    3. J. Abate, W. Whitt, "Numerical inversion of probability generating functions", Operations
       Research Letters 12(4), 1992.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from models.base.quantities import ComplexArray, FloatArray, IntArray
from models.queueing.distributions import ShortPart, short_part
from models.queueing.lattice import ClosedAnswer, ClosedProblem, unsaturated

_DROPPED_LOG = 25.0
"""What is left out is at most exp(−25) = 1.4e-11 of the sum, by the estimate made beforehand."""

TRUSTED = 3e-10
"""Share of the sum that what is left out and rounding may reach together afterwards."""

LOWERED = tuple((more, few) for few in (0.0, 3.0) for more in (0.0, 2.0, 6.0, 16.0))
"""How much oftener a queue counts than it is there, and how far small classes are put below N_r."""

_FEW = 30
"""Customers below which a class is small: it then needs no more than N_r + 3 points."""

_MOST_LOST = 9.5
"""Terms cancel by exp(9.5) at most, four of sixteen digits."""

_SLIGHT = 2.0
"""Customers by which a class moves another below which they are taken as independent."""

_FEWEST = 20
_POINT, _POINT_STATION = 100.0, 20.0  # additions in the time of a point, and of it at a station
_EXPONENTS = np.geomspace(1e-6, 1.0, 100)
_NEWTON_STEPS = 60
_CHUNK = 2_048
_TINY = 1e-300

_Array = TypeVar("_Array", FloatArray, ComplexArray)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Where and how densely the generating function is sampled.

    Attributes:
        tilt: throughput τ of each class [jobs/s], shape (R,).
        order: the classes in the order of the rows of `basis`, shape (R,).
        basis: B, of whole numbers, upper triangular, shape (R, R).
        reach: points taken on either side of z = 1 along each row, at most, shape (R,).
        decay: what Σ λ_r·(1 − cos t_r) is at most.
        dropped_log: ln of each of the 2R tails and of all points that are left out.
        additions: what it costs, about.
    """

    tilt: FloatArray
    order: IntArray
    basis: FloatArray
    reach: IntArray
    decay: float
    dropped_log: float
    additions: float

    @staticmethod
    def of(problem: ClosedProblem, guess: FloatArray) -> Plan:
        """The cheapest of a few.

        Args:
            problem: the network.
            guess: approximate throughput of each class, shape (R,); it decides nothing but cost.
        """
        plans = [
            plan for tilt, lost in _tilts(problem, guess) for plan in _plans(problem, tilt, lost)
        ]
        return min(plans, key=lambda plan: plan.additions)


def fewest_additions(problem: ClosedProblem) -> float:
    """Additions [1] that every `Plan` takes, about.

    Half of Π min(N_r + 1, 20) points, times the share of a cube that is within the ball in it, at
    what a point takes. Valid for any network; to a factor of four.

    Two customers of different classes at a queue: 2·2·π/4/2 points.

    >>> one, two = np.ones((2, 1)), np.ones(2, dtype=np.int64)
    >>> problem = ClosedProblem(one, np.ones(1), two, think=1.0 * two, open_load=np.zeros(1))
    >>> round(fewest_additions(problem) / (_POINT + _POINT_STATION), 4)
    1.5708
    """
    each = np.log(np.minimum(problem.population + 1.0, _FEWEST)).sum()
    points = math.exp(min(float(each) + _ball_log(len(problem.population)), 300.0)) / 2.0
    return float(points * (_POINT + _POINT_STATION * problem.demand.shape[1]))


def _ball_log(dimensions: int) -> float:
    """ln of the share of a cube that is within the ball in it."""
    half = 0.5 * dimensions
    return float(half * math.log(math.pi) - math.lgamma(half + 1.0) - dimensions * math.log(2.0))


def _tilts(problem: ClosedProblem, guess: FloatArray) -> Iterator[tuple[FloatArray, float]]:
    """Throughputs at and below the saddle point, and −ln G(N) expected there."""
    saddle = _Saddle(problem, guess)
    n = problem.population.astype(np.float64)
    best = saddle.minimum(saddle.start, 0.0, n)
    least, spread = saddle.height(best), saddle.spread_log(best)
    for more, few in LOWERED:
        wanted = np.where(n < _FEW, n * np.exp(-np.sqrt(2.0 * few / n)), n)
        u = saddle.minimum(best, more, wanted)
        lost = saddle.height(u) - least
        if lost <= _MOST_LOST:
            yield np.exp(u), lost + spread


class _Saddle:
    """ln of the generating function over Π z_r^N_r at z = exp(u); short parts taken as Poisson."""

    def __init__(self, problem: ClosedProblem, guess: FloatArray) -> None:
        self.problem, self.free = problem, problem.servers - problem.open_load
        self.population = problem.population.astype(np.float64)
        rate = np.maximum(unsaturated(problem, guess) * (1.0 - 1e-3), _TINY)
        self.start = np.log(rate)
        self.think = problem.think + problem.demand @ _Generating(problem, rate).short_slopes()

    def _value(self, u: FloatArray, more: float, wanted: FloatArray) -> float:
        rate = np.exp(u)
        idle = 1.0 - rate @ self.problem.demand / self.free
        if np.any(idle <= 0):
            return math.inf
        return float(rate @ self.think - (1.0 + more) * np.log(idle).sum() - wanted @ u)

    def height(self, u: FloatArray) -> float:
        return self._value(u, 0.0, self.population)

    def spread_log(self, u: FloatArray) -> float:
        """−ln of a normal distribution's density at its centre."""
        _, matrix = self._slopes(u, 0.0, self.population)
        return 0.5 * float(np.linalg.slogdet(2.0 * np.pi * matrix + np.eye(len(u)))[1])

    def _slopes(
        self, u: FloatArray, more: float, wanted: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        ratio = np.exp(u)[:, None] * self.problem.demand / self.free
        odds = ratio / (1.0 - ratio.sum(axis=0))
        own = np.exp(u) * self.think + (1.0 + more) * odds.sum(axis=1)
        return own - wanted, np.diag(own + _TINY) + (1.0 + more) * odds @ odds.T

    def minimum(self, u: FloatArray, more: float, wanted: FloatArray) -> FloatArray:
        """Newton's method; the function is convex, and steps that do not descend are halved."""
        value = self._value(u, more, wanted)
        for _ in range(_NEWTON_STEPS):
            slope, matrix = self._slopes(u, more, wanted)
            step = -np.linalg.solve(matrix, slope)
            gain = float(-slope @ step)
            length, trial = min(1.0, 3.0 / max(float(np.max(np.abs(step))), 1e-3)), math.inf
            while gain > 1e-3 and trial > value - 0.1 * length * gain and length > 1e-9:
                trial = self._value(u + length * step, more, wanted)
                length *= 0.5
            if not trial < value:
                break
            u, value = u + 2.0 * length * step, trial
        return u


def _plans(problem: ClosedProblem, tilt: FloatArray, lost: float) -> Iterator[Plan]:
    """With circles class by class, and along what varies together where that is another plan."""
    generating = _Generating(problem, tilt)
    apart = np.eye(len(tilt))
    yield _plan(generating, lost, np.arange(len(tilt)), apart)
    order, lower = _factors(generating.covariance)
    if np.any(lower != apart):
        yield _plan(generating, lost, order, lower)


def _plan(generating: _Generating, lost: float, order: IntArray, lower: FloatArray) -> Plan:
    """Rows of B as short as Chernoff's bound allows, one after the other.

    N + k·B with k ≠ 0 has some |k_i| ≥ 1, and k_i = (S − N)·d_i/B_ii with d_i the column of B⁻¹
    times B_ii, which the rows before decide.
    """
    population = generating.problem.population
    classes = len(order)
    need = _DROPPED_LOG + lost + math.log(2.0 * classes)
    basis, directions = np.zeros((classes, classes)), np.zeros((classes, classes))
    for i, r in enumerate(order):
        direction = directions[i]
        direction[r] = 1.0
        for j in range(i):
            direction -= basis[j, i] / basis[j, j] * directions[j]
        centre, further = float(direction @ population), float(np.max(np.abs(direction)))
        above = generating.tail(direction, need) - centre
        below = generating.tail(-direction, need) + centre
        if np.count_nonzero(direction) == 1:
            below = min(below, float(population[r]))
        basis[i, i] = 2 * math.ceil(0.5 * (max(above, below, 0.0) + further)) + 1
        basis[i, i + 1 :] = np.rint(basis[i, i] * lower[i + 1 :, i])
    period = np.diag(basis)
    decay = need + generating.most_met_log
    most = 2.0 * generating.thinking[order]
    angle = 2.0 * np.arcsin(np.sqrt(decay / np.maximum(most, decay)))
    reach = np.minimum(np.floor(angle / (2.0 * np.pi) * period) + 1.0, period // 2)
    along = np.log(np.maximum(angle / np.pi * period, 1.0)).sum()
    narrow = int(np.count_nonzero(angle < np.pi))
    points = math.exp(min(float(along) + _ball_log(narrow), 300.0)) / 2.0
    return Plan(
        generating.tilt,
        order,
        basis,
        reach.astype(np.int64),
        decay,
        -need,
        points * generating.additions,
    )


def _factors(covariance: FloatArray) -> tuple[IntArray, FloatArray]:
    """Order of the classes, and L of A = L·D·Lᵀ in it: who varies most, given the others, first."""
    rest, lower = covariance.copy(), np.zeros_like(covariance)
    left, order = list(range(len(rest))), []
    for i in range(len(rest)):
        r = max(left, key=lambda each: float(rest[each, each]))
        left.remove(r)
        order.append(r)
        column = rest[:, r] / rest[r, r]
        rest -= np.outer(column, rest[r].copy())
        lower[:, i] = np.where(np.abs(column) * math.sqrt(covariance[r, r]) < _SLIGHT, 0.0, column)
        lower[r, i] = 1.0
    lower = lower[order]
    return np.array(order), np.tril(lower)


class _Generating:
    """The generating function at one tilt."""

    def __init__(self, problem: ClosedProblem, tilt: FloatArray) -> None:
        self.problem, self.tilt = problem, tilt
        self.free = problem.servers - problem.open_load
        self.load = problem.demand * tilt[:, None]
        self.thinking = problem.think * tilt
        closed = self.load.sum(axis=0)
        self.ratio = self.load / self.free
        self.used = self.ratio.sum(axis=0)
        self.idle = 1.0 - self.used
        self.odds = self.ratio / self.idle
        self.mix = self.load / np.where(closed > 0, closed, 1.0)
        most = int(problem.population.sum())
        self.short: dict[int, ShortPart] = {
            m: short_part(int(c), closed[m : m + 1], problem.open_load[m : m + 1], most)
            for m, c in enumerate(problem.servers)
            if c > 1
        }
        own = self.thinking + self.odds.sum(axis=1) + self.load @ self.short_slopes()
        self.covariance = np.diag(own + 1e-12) + self.odds @ self.odds.T
        met = 1.0 / (self.free * self.idle) + self.short_slopes()
        self.most_met_log = math.log(float(np.max(met, initial=1.0)))

    @property
    def additions(self) -> float:
        """In the time of what one point takes, about."""
        terms = sum(2.0 * len(part.count) for part in self.short.values())
        return _POINT + _POINT_STATION * len(self.free) + terms

    def short_slopes(self) -> FloatArray:
        """P′/P at z = 1."""
        slopes = np.zeros(len(self.free))
        for m, part in self.short.items():
            slopes[m] = part.slope.sum()
        return slopes

    def tail(self, direction: FloatArray, need: float) -> float:
        """K with E[F′/F; direction·S ≥ K] ≤ exp(−need) at every station, by Chernoff's bound."""
        variance = float(direction @ self.covariance @ direction)
        steepest = max(float(np.max(direction @ self.odds, initial=0.0)), 0.1)
        s = min(4.0 * math.sqrt(2.0 * need / variance), 1.0 / steepest) * _EXPONENTS
        grown = np.expm1(np.multiply.outer(direction, s))
        odds = self.odds.T @ grown
        inside = np.all(odds < 1.0 - 1e-9, axis=0)
        s, grown, odds = s[inside], grown[:, inside], odds[:, inside]
        log = self.thinking @ grown - np.log1p(-odds).sum(axis=0)
        met = 1.0 / ((self.free * self.idle)[:, None] * (1.0 - odds))
        with np.errstate(over="ignore", invalid="ignore"):
            for m, part in self.short.items():
                v = 1.0 + self.mix[:, m] @ grown
                value = _polynomial(part.count[:, 0], v)
                log += np.log(value)
                met[m] += _polynomial(part.slope[:, 0], v) / value
        log += np.log(np.max(met, axis=0, initial=1.0)) + need
        return float(np.min(np.where(np.isfinite(log), log, np.inf) / s))

    def at(self, z: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
        """The product over all queues at points z, shape (R, K), and F′/F at each, (M, K)."""
        used = np.einsum("rm,rk->mk", self.ratio, z)  # a matrix product would start threads
        idle = 1.0 - used
        met = 1.0 / (self.free[:, None] * idle)
        value = np.prod(self.idle[:, None] / idle, axis=0)
        for m, part in self.short.items():
            v = used[m] / max(self.used[m], _TINY)
            short = _polynomial(part.count[:, 0], v) + _TINY
            value *= short
            met[m] += _polynomial(part.slope[:, 0], v) / short
        return value, met


def _polynomial(coefficients: FloatArray, v: _Array) -> _Array:
    out = np.full_like(v, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        out *= v
        out += coefficient
    return out


def solve_by_inversion(problem: ClosedProblem, plan: Plan) -> ClosedAnswer | None:
    """Solve a closed or mixed network by inversion of its generating function.

    Args:
        problem: the network.
        plan: `Plan.of` it.

    Returns:
        The measures, or None where what was left out, or what rounding may have done, could not
        be shown to be below `TRUSTED`.

    Equation: X_r = G(N − e_r)/G(N); R_rm = D_rm·E[F′/F] over the state met on arrival. Valid for
    product-form networks. Source: 1 (above), with the points of 2.

    Two machines, each of a class of its own, and one who repairs them; broken for 1 s on average
    once a second, p ∝ 1, 1, 1, 2 for none, either or both: 0.4 repairs a second of each.

    >>> one, two = np.ones(1), np.ones(2)
    >>> repair = ClosedProblem(np.ones((2, 1)), one, population=two, think=two, open_load=0 * one)
    >>> answer = solve_by_inversion(repair, Plan.of(repair, guess=0.4 * two))
    >>> answer.throughput.round(6).tolist() if answer else None
    [0.4, 0.4]
    """
    generating = _Generating(problem, plan.tilt)
    queues, classes = len(generating.free), len(plan.tilt)
    size, sums, met_sums = 0.0, np.zeros(classes + 1), np.zeros((queues, classes + 1))
    for z, weight in _points(generating, plan):
        value, met = generating.at(z)
        value *= weight
        size += float(np.abs(value).sum())
        shifted = np.concatenate((value * z, value[None]))
        sums += shifted.real.sum(axis=1)
        met_sums += np.einsum("mk,rk->mr", met, shifted).real
    whole = math.exp(plan.dropped_log + float(np.log(np.diag(plan.basis)).sum()))
    unsure = (2.0 * classes + 1.0) * whole + 4.0 * np.finfo(np.float64).eps * size
    if not unsure <= TRUSTED * float(sums.min()):
        return None
    residence = problem.demand * (met_sums[:, :-1] / sums[:-1]).T
    return ClosedAnswer(plan.tilt * sums[:-1] / sums[-1], residence, met_sums[:, -1] / sums[-1])


def _points(generating: _Generating, plan: Plan) -> Iterator[tuple[ComplexArray, ComplexArray]]:
    """Points z, (R, K), and the thinkers' factor times z^(−N) there; half of them, doubled.

    B·t = 2π·j with whole j, and the number at −j is the conjugate of that at j. Rows are taken from
    the last to the first; what has fallen by more than `plan.decay` goes no further.
    """
    order, basis = plan.order, plan.basis
    thinking = generating.thinking[order]
    turns = _turns(basis, generating.problem.population[order])
    last = len(order) - 1
    open_ = [(last, _Block(np.zeros((last + 1, 1)), np.zeros(1), np.zeros(1), np.ones(1)))]
    while open_:
        i, block = open_.pop()
        if i < 0:
            z = np.empty_like(block.angle, dtype=np.complex128)
            z[order] = np.exp(1j * block.angle)
            phase = thinking @ np.sin(block.angle) - 2.0 * np.pi * block.turned
            yield z, block.weight * np.exp(1j * phase - block.fallen)
            continue
        k = np.arange(0 if i == last else -plan.reach[i], plan.reach[i] + 1.0)
        most = max(1, _CHUNK // len(k))
        if len(block.weight) > most:
            rows = np.arange(len(block.weight))
            open_ += [(i, block.pick(rows[j : j + most])) for j in range(0, len(rows), most)]
            continue
        offset = basis[i, i + 1 :] @ block.angle[i + 1 :] / (2.0 * np.pi)
        nearest = np.rint(offset)
        angle = 2.0 * np.pi * ((nearest - offset)[:, None] + k) / basis[i, i]
        fallen = block.fallen[:, None] + 2.0 * thinking[i] * np.sin(0.5 * angle) ** 2
        old, new = np.nonzero(fallen <= plan.decay)
        deeper = block.pick(old)
        deeper.angle[i], deeper.fallen[:] = angle[old, new], fallen[old, new]
        deeper.turned[:] += turns[i] * (nearest[old] + k[new])
        deeper.turned[:] -= np.rint(deeper.turned)
        if i == last:
            deeper.weight[k[new] > 0] = 2.0
        open_.append((i - 1, deeper))


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Some points: angles t, (R, K), by how much the thinkers' factor has fallen, N·t in turns."""

    angle: FloatArray
    fallen: FloatArray
    turned: FloatArray
    weight: FloatArray

    def pick(self, rows: IntArray) -> _Block:
        return _Block(self.angle[:, rows], self.fallen[rows], self.turned[rows], self.weight[rows])


def _turns(basis: FloatArray, population: IntArray) -> list[float]:
    """N·B⁻¹ modulo 1, which is c of N·t = 2π·c·j, but for whole turns; in fractions."""
    out: list[Fraction] = []
    for i, n in enumerate(population):
        before = (c * int(basis[j, i]) for j, c in enumerate(out))
        out.append((int(n) - sum(before, Fraction(0))) / int(basis[i, i]))
    return [float(c - round(c)) for c in out]
