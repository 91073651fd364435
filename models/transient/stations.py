"""A station that jobs of two classes share, a step of time further.

Jobs share c servers equally (processor sharing, which is what a scheduler and a disk queue come to
on average). How many servers are busy follows from how many jobs there are, as it would be if that
number stood still: the *pointwise stationary fluid flow approximation*. With a servers busy on
average there are

    Q(a) = a·(1 + W(a)),  W(a) = ρ^(√(2(c+1)) − 1) / (c·(1 − ρ)),  ρ = a/c

jobs, which is M/M/c by Sakasegawa's formula for the waiting; the other way round Q jobs keep a(Q)
servers busy. Far above c that is all of them, and the fluid is exact; well below it is every job's
own; between the two it is good to a few per cent.

Sources: W. P. Wang, D. Tipper, S. Banerjee, "A simple approximation for modeling nonstationary
queues", IEEE INFOCOM 1996; H. Sakasegawa, "An approximation formula L_q ≈ α·ρ^β/(1−ρ)", Annals of
the Institute of Statistical Mathematics 29 (1977), pp. 67-75.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.quantities import FloatArray, IntArray

FULLEST = 1 - 1e-9
MOST_ITERATIONS = 60
PRECISION = 1e-7


def jobs_and_slope(busy: FloatArray, servers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean number of jobs Q [1] when `busy` of `servers` are busy on average, and dQ/da.

    Valid up to ρ = 1 − 10⁻⁹, where a fluid has all servers busy.

    >>> jobs_and_slope(np.array([0.5, 6.4]), np.array([1.0, 8.0]))[0].round(2).tolist()
    [1.0, 8.34]
    """
    power = np.sqrt(2 * (servers + 1)) - 1
    rho = np.minimum(busy / servers, FULLEST)
    spare = 1 - rho
    waits = rho**power / (servers * spare)
    slope = waits * (np.where(rho > 0, power / np.where(rho > 0, rho, 1.0), 0.0) + 1 / spare)
    return busy * (1 + waits), 1 + waits + busy * slope / servers


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Which of n columns share a station: `index` of each, −1 for none, of `count`."""

    index: IntArray
    count: int
    matrix: FloatArray

    @classmethod
    def of(cls, index: IntArray, count: int) -> Groups:
        return cls(index, count, (index[:, None] == np.arange(count)).astype(np.float64))

    def sums(self, values: FloatArray) -> FloatArray:
        """Sums over the columns of each station, (b, n) to (b, g)."""
        return np.asarray(values @ self.matrix)

    def each(self, values: FloatArray, nowhere: float) -> FloatArray:
        """The station's value for each column, (b, g) to (b, n)."""
        beyond = np.full((len(values), 1), nowhere)
        return np.asarray(np.concatenate([values, beyond], axis=1)[:, self.index])


def share_per_job(
    ready: FloatArray,
    service_s: FloatArray,
    servers: FloatArray,
    step_s: float,
    speed: FloatArray,
    groups: Groups | None = None,
    *,
    start: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Servers that each job gets at the end of a step [1], (b, g): between 0 and `speed`; and
    1/(1 − ρ) there, from which the search of the next step may `start`.

    Of `ready` jobs, those that were there and those that came, B_k of each class k, there stay
    B_k/(1 + h·s/D_k) when each job gets s servers over the step h: an implicit step, which stays
    stable however short the services are. s follows from the number that stays, Q = Σ B_k/(1 +
    h·s/D_k), as s = speed·a(Q)/Q; it is found by Newton's method on 1/(1 − ρ), in which Q is nearly
    straight.

    Args:
        ready: (2, b, n); service_s: D of each class, (2, 1, n) or (2, b, n).
        servers: c > 0, (b, g); speed: what a server does of its nominal rate, (b, g).
        groups: columns that share a station; None: each has its own, and g is n.

    Valid for any step and any number of jobs; good to a few per cent about saturation.

    100 jobs of 1 s at one server: within a second it finishes one, 99 stay, and each had 1/99.

    >>> ready, one = np.array([[[0.0]], [[100.0]]]), np.ones((1, 1))
    >>> share, _ = share_per_job(ready, np.ones((2, 1, 1)), one, 1.0, one)
    >>> share.round(3).tolist()
    [[0.01]]
    """

    def together(values: FloatArray) -> FloatArray:
        summed: FloatArray = values.sum(axis=0)
        return summed if groups is None else groups.sums(summed)

    total = together(ready)
    pace = step_s / service_s
    low, high = np.ones(servers.shape), np.full(servers.shape, 1 / (1 - FULLEST))
    crowd, per_job = np.clip(1 + total / servers if start is None else start, low, high), speed
    for _ in range(MOST_ITERATIONS):
        busy = servers * (1 - 1 / crowd)
        jobs, slope = jobs_and_slope(busy, servers)
        safe = np.where(jobs > 0, jobs, 1.0)
        per_job = np.where(jobs > 0, busy / safe, 1.0) * speed
        each = per_job if groups is None else groups.each(per_job, 1.0)
        stays = ready / (1 + pace * each)
        excess = jobs - together(stays)
        found = np.abs(excess) <= PRECISION * (1 + jobs)
        if found.all():
            break
        high, low = np.where(excess > 0, crowd, high), np.where(excess > 0, low, crowd)
        leaving = together(stays * pace / (1 + pace * each))
        steep = slope + leaving * speed * (jobs - busy * slope) / safe**2
        following = crowd - excess * crowd**2 / (servers * np.where(steep > 0, steep, 1.0))
        inside = (following > low) & (following < high) & (steep > 0)
        tried = np.where(inside, following, np.sqrt(low * high))
        crowd = np.where(found, crowd, tried)
    return per_job, crowd
