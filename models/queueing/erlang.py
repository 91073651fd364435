"""Erlang's loss and waiting formulas, for real offered loads and any number of servers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.errors import ModelError
from models.quantities import FloatArray


def erlang_b(servers: npt.ArrayLike, offered_load: npt.ArrayLike) -> FloatArray:
    """Probability that an arrival is lost in M/M/c/c.

    Args:
        servers: number of servers c ≥ 0, any shape.
        offered_load: arrival rate × service time a ≥ 0 [erlang]; broadcasts against `servers`.

    Returns:
        B(c, a) in the broadcast shape.

    Equation: B(0, a) = 1; B(n, a) = a·B(n−1, a) / (n + a·B(n−1, a)).

    Valid for every a ≥ 0, with service times of any distribution of the given mean. The
    recursion adds positive terms only: c in the thousands and loads beyond c lose no digits.

    Sources:
        1. A. K. Erlang, "Solution of some problems in the theory of probabilities of
           significance in automatic telephone exchanges", 1917.
        2. R. B. Cooper, "Introduction to Queueing Theory", 2nd ed., 1981, eq. 3.3-4.

    Raises:
        ModelError: a negative or non-finite argument, or a fractional number of servers.

    >>> round(float(erlang_b(2, 1.0)), 10)  # (1/2) / (1 + 1 + 1/2)
    0.2
    """
    c, a = _servers_and_load(servers, offered_load)
    return _recursion(c, a)


def erlang_c(servers: npt.ArrayLike, offered_load: npt.ArrayLike) -> FloatArray:
    """Probability that an arrival has to wait in M/M/c.

    Args:
        servers: number of servers c ≥ 1, any shape.
        offered_load: a = arrival rate × service time [erlang]; broadcasts against `servers`.

    Returns:
        C(c, a) in the broadcast shape; 1 where a ≥ c, the limit at saturation.

    Equation: C = B / (1 − ρ + ρ·B) with ρ = a/c and B = `erlang_b`.

    Valid for Poisson arrivals and exponential service.

    Sources: A. K. Erlang, 1917; L. Kleinrock, "Queueing Systems, Volume 1", 1975, eq. 3.40.

    Raises:
        ModelError: a negative or non-finite argument, a fractional number of servers, or none.

    >>> round(float(erlang_c(5, 4.0)), 12)
    0.554112554113
    """
    c, a = _servers_and_load(servers, offered_load)
    if np.any(c < 1):
        raise ModelError("must be ≥ 1", field="servers")
    a = np.minimum(a, c)
    loss = _recursion(c, a)
    return np.asarray(loss / ((1.0 - a / c) + a / c * loss))


def _recursion(c: FloatArray, a: FloatArray) -> FloatArray:
    shape = np.broadcast_shapes(c.shape, a.shape)
    loss = np.ones(shape)
    lowest, highest = (int(c.min()), int(c.max())) if c.size else (0, 0)
    for n in range(1, highest + 1):
        carried = a * loss
        carried /= n + carried
        loss = carried if n <= lowest else np.where(n <= c, carried, loss)
    return loss


def _servers_and_load(
    servers: npt.ArrayLike, offered_load: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    c = np.asarray(servers, dtype=np.float64)
    a = np.asarray(offered_load, dtype=np.float64)
    if not np.all(np.isfinite(c)) or np.any(c != np.floor(c)) or np.any(c < 0):
        raise ModelError("must be whole numbers ≥ 0", field="servers")
    if not np.all(np.isfinite(a)) or np.any(a < 0):
        raise ModelError("must be finite and ≥ 0", field="offered_load")
    return c, a
