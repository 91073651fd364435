"""Batches of closed networks, and the chance of waiting at a station of several servers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.base.quantities import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ClosedBatch:
    """B closed networks of equal shape, the batch axis last.

    Attributes:
        demand: service demand D of each class at each queue [s], shape (R, M, B).
        servers: servers c of each queue, shape (M,), the same in all scenarios.
        population: customers N > 0 of each class, shape (R, B).
        think: think time and demand at delay stations Z [s], shape (R, B).
        open_load: load of open classes [erlang], shape (M, B), below `servers`.
    """

    demand: FloatArray
    servers: IntArray
    population: FloatArray
    think: FloatArray
    open_load: FloatArray


def erlang_c(servers: npt.ArrayLike, offered_load: npt.ArrayLike) -> FloatArray:
    """Probability that an arrival has to wait in M/M/c.

    Args:
        servers: whole number of servers c ≥ 1, any shape.
        offered_load: a = arrival rate × service time [erlang]; broadcasts against `servers`.

    Returns:
        C(c, a) in the broadcast shape; 1 where a ≥ c, the limit at saturation.

    Equation: B(0) = 1, B(n) = a·B(n−1)/(n + a·B(n−1)), C = B(c)/(1 − ρ + ρ·B(c)) with ρ = a/c.

    Valid for Poisson arrivals and exponential service. The recursion adds positive terms only: c
    in the thousands loses no digits.

    Sources: A. K. Erlang, 1917; L. Kleinrock, "Queueing Systems, Volume 1", 1975, eq. 3.40.

    >>> round(float(erlang_c(5, 4.0)), 12)
    0.554112554113
    """
    c = np.asarray(servers, dtype=np.float64)
    a = np.minimum(np.asarray(offered_load, dtype=np.float64), c)
    loss = np.ones(a.shape)
    lowest, highest = (int(c.min()), int(c.max())) if c.size else (0, 0)
    for n in range(1, highest + 1):
        carried = a * loss
        carried /= n + carried
        loss = carried if n <= lowest else np.where(n <= c, carried, loss)
    return np.asarray(loss / ((1.0 - a / c) + a / c * loss))


class Waiting:
    """Erlang's C and its derivative at the stations with several servers.

    With open load o, a station is taken as c servers of speed 1 − o/c.
    """

    def __init__(self, servers: IntArray) -> None:
        self.many = np.flatnonzero(servers > 1)
        order = np.argsort(servers[self.many], kind="stable")
        self.many = self.many[order]
        self.c = servers[self.many].astype(np.float64)[:, None]

    def idle_term(self, a: FloatArray) -> tuple[FloatArray, FloatArray]:
        """J = c − a + C(c, a) and dJ/da [1] for a at the multi-server stations.

        B = 1/I with I(n) = 1 + I(n−1)·n/a; dB/da = (c/a − 1 + B)·B. J falls from c to 1.
        Valid for 0 ≤ a ≤ c. Source: Erlang's loss recursion, as in `erlang_c`.

        Two servers, one of them busy: C = 1/3.

        >>> float(Waiting(np.array([2])).idle_term(np.array([[1.0]]))[0].round(3)[0, 0])
        1.333
        """
        c = self.c
        a = np.clip(a, 1e-9, c * (1.0 - 1e-12))
        loss = np.ones_like(a)
        top = int(c[-1, 0]) if len(c) else 0
        for n in range(1, top + 1):
            row = int(np.searchsorted(c[:, 0], n))
            part = loss[row:]
            carried = a[row:] * part
            np.divide(carried, carried + n, out=part)
        free = c - a
        whole = free + a * loss
        wait = c * loss / whole
        slope_loss = (free / a + loss) * loss
        slope = (c * slope_loss * free + c * loss * (1.0 - loss)) / (whole * whole)
        return free + wait, slope - 1.0
