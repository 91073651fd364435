"""Networks of one closed class, many scenarios at once: the problem, its answer, its saddle point.

Sources: see `models.queueing.distributions`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import FloatArray, IntArray
from models.base.texts import say
from models.queueing.distributions import multiply, products_without_each, short_part

_NEWTON_STEPS = 12
_CLOSE = 0.003


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
class OneClass:
    """B scenarios of equal stations; arguments of `single_class.solve_single_class`."""

    demand: FloatArray
    servers: IntArray
    population: FloatArray
    think: FloatArray
    opened: FloatArray

    @property
    def free(self) -> FloatArray:
        """Servers left by open classes, c − a, shape (M, B)."""
        return self.servers[:, None] - self.opened

    def pick(self, rows: IntArray) -> OneClass:
        """Some of the scenarios; the batch axis stays the contiguous one, unlike by [:, rows]."""
        return OneClass(
            np.take(self.demand, rows, axis=1),
            self.servers,
            self.population[rows],
            self.think[rows],
            np.take(self.opened, rows, axis=1),
        )


def saddle_point(batch: OneClass) -> FloatArray:
    """Throughput at which independent stations would hold about N customers on average, (B,).

    Any value below saturation gives the same answer; one near this keeps all probabilities within
    the range of floating point. Newton's method on s, where throughput = limit × s/(1 + s)
    [jobs/s], with Sakasegawa's ρ^√(2c+2)/(1 − ρ) for the number waiting. Valid for open load below
    the servers.

    Raises:
        ModelError: a scenario without any demand and think time.

    >>> users = np.array([4000.0])
    >>> demand = np.array([[0.02], [0.002]])
    >>> nobody = np.zeros_like(demand)
    >>> batch = OneClass(demand, np.array([8, 1]), users, np.array([10.0]), nobody)
    >>> int(saddle_point(batch)[0])  # the network carries 394.4
    393
    """
    free = batch.free
    with np.errstate(divide="ignore", over="ignore"):
        limit = np.min(free / batch.demand, axis=0, initial=np.inf)
    bounded = np.isfinite(limit)
    n, think = batch.population, batch.think
    if np.any(~bounded & (think <= 0) & (n > 0)):
        raise ModelError(say("a closed class needs a demand or a think time above 0"))
    limit = np.where(bounded, limit, 1.0)
    share = batch.demand * limit / free
    power = np.sqrt(2.0 * batch.servers + 2.0)[:, None]
    direct = limit * (think + batch.demand.sum(axis=0))
    s = _one_queue(n, direct)
    for _ in range(_NEWTON_STEPS):
        change = _excess(s, n, direct, share, power)
        s = np.clip(s - change, 0.25 * s, n + 1.0)
        if np.all(np.abs(change) <= _CLOSE * s):
            break
    delay_only = n / np.where(think > 0, think, 1.0)
    return np.where(bounded, limit * (s / (1.0 + s)), delay_only)


def _one_queue(n: FloatArray, direct: FloatArray) -> FloatArray:
    """Where direct·s/(1 + s) + s = n: one single server and what never waits; s ≥ 0."""
    half = 0.5 * (n - direct - 1.0)
    root = np.sqrt(half * half + n)
    return np.asarray(np.where(half < 0, n / (root + np.abs(half)), half + root))


def _excess(
    s: FloatArray, population: FloatArray, direct: FloatArray, share: FloatArray, power: FloatArray
) -> FloatArray:
    """Newton's step: what the stations hold beyond N, over its slope in s."""
    rise = 1.0 / (1.0 + s)
    carried = s * rise
    rho = share * carried
    idle = rise + (1.0 - share) * carried
    waiting = rho**power / idle
    held = direct * carried + waiting.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = waiting * (power / rho + 1.0 / idle) * share
    slope = np.where(rho > 0, slope, 0.0).sum(axis=0)
    return np.asarray((held - population) / ((direct + slope) * rise * rise))


@dataclass(frozen=True, slots=True, eq=False)
class Stations:
    """The queues at a throughput below saturation, as distributions
    (`models.queueing.distributions`).

    Attributes:
        ratio: of the geometric part of each queue, shape (M, B).
        count: probabilities of 0, 1, … customers in the short parts of all multi-server queues
            together, shape (degree + 1, B).
        slopes: P′/P of one multi-server queue times the short parts of the others, by queue.
    """

    ratio: FloatArray
    count: FloatArray
    slopes: dict[int, FloatArray]

    @staticmethod
    def of(batch: OneClass, tilt: FloatArray) -> Stations:
        closed = batch.demand * tilt
        most = int(batch.population.max(initial=0))
        many = [m for m in range(len(batch.servers)) if batch.servers[m] > 1]
        ratio = closed / batch.free
        if not many:
            return Stations(ratio, np.ones((1, closed.shape[1])), {})
        parts = [short_part(int(batch.servers[m]), closed[m], batch.opened[m], most) for m in many]
        count, others = products_without_each([part.count for part in parts], most)
        slopes = {
            m: multiply(part.slope, other, most)
            for m, part, other in zip(many, parts, others, strict=True)
        }
        return Stations(ratio, count, slopes)

    @property
    def last(self) -> int:
        """How many populations below N − 1 the sums reach down to."""
        return len(self.count)


@dataclass(slots=True, eq=False)
class Sums:
    """What is gathered over the states of one population.

    Attributes:
        constant: the normalising constant, shape (B,).
        geometric: mean customers in each queue's geometric part times that, shape (M, B).
        slope: P′/P of each multi-server queue, likewise.
    """

    constant: FloatArray
    geometric: FloatArray
    slope: FloatArray

    @staticmethod
    def nothing(shape: tuple[int, ...]) -> Sums:
        return Sums(np.zeros(shape[1]), np.zeros(shape), np.zeros(shape))

    def stretch(self, free: FloatArray) -> FloatArray:
        """Residence time of an arrival per second of demand, F′/F, shape (M, B)."""
        whole = np.where(self.constant > 0, self.constant, 1.0)
        return np.asarray((1.0 + self.geometric / whole) / free + self.slope / whole)


def answer_of(batch: OneClass, tilt: FloatArray, now: Sums, before: Sums) -> SingleClassBatch:
    """X = τ·G(N−1)/G(N), and residence times D·F′/F over the state that an arrival meets.
    A scenario whose constant G(N) is not above 0 has no answer.
    """
    busy = (batch.population > 0) & (now.constant > 0)
    whole = np.where(now.constant > 0, now.constant, 1.0)
    throughput = np.where(busy, tilt * before.constant / whole, 0.0)
    free = batch.free
    queue_length = throughput * batch.demand * before.stretch(free)
    return SingleClassBatch(throughput, queue_length, now.stretch(free))
