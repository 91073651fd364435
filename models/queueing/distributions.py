"""Stations as probability distributions: what the exact solvers convolve.

A product-form station with c servers has the generating function of M/M/c,

    F(y) = Σ yⁿ / Πⱼ min(j, c) = P(y) / (1 − y/c),   P(y) = Σ_{j<c} (1 − j/c)·yʲ/j!,

where y is the sum over classes of demand × transform variable. P has positive coefficients and
ends at c − 1, so that a network of multi-server stations is a network of single servers of
demand D/c, times one short polynomial. No subtraction occurs anywhere, which is what makes the
sums stable where the recursion of load-dependent mean value analysis is not.

Evaluated at the throughputs of the network ("tilted"), every factor becomes a probability
distribution: a Poisson number of thinking customers, a geometric number and a short number at
each queue. The normalising constant becomes the probability that they add up to the population,
which needs no scaling by hand and can't overflow.

Open classes of load a at the station turn F(y) into F(a + y). The geometric factor then has
ratio y/(c − a), and the polynomial is P(a + y), again with positive coefficients.

Sources:
    1. J. P. Buzen, "Computational algorithms for closed queueing networks with exponential
       servers", Communications of the ACM 16(9), 1973.
    2. F. Baskett, K. M. Chandy, R. R. Muntz, F. G. Palacios, "Open, closed, and mixed networks
       of queues with different classes of customers", Journal of the ACM 22(2), 1975.
    3. M. Reiser, H. Kobayashi, "Queueing networks with multiple closed chains: theory and
       computational algorithms", IBM Journal of Research and Development 19(3), 1975.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.base.quantities import FloatArray

_STIRLING_FROM = 32.0
_SMALL = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1.0, _STIRLING_FROM)))))


def log_factorial(n: FloatArray) -> FloatArray:
    """ln n! = Σ ln k, valid for whole n ≥ 0: a table below 32, Stirling's series (error < 1e-14)
    above.

    >>> float(np.round(log_factorial(np.array([5.0, 100.0])), 9)[1])
    363.739375556
    """
    big = np.maximum(n, _STIRLING_FROM)
    series = big * np.log(big) - big + 0.5 * np.log(2 * np.pi * big)
    series += (1.0 - (1.0 - 2.0 / (7.0 * big * big)) / (30.0 * big * big)) / (12.0 * big)
    small = _SMALL[np.minimum(n, _STIRLING_FROM - 1).astype(np.int64)]
    return np.where(n < _STIRLING_FROM, small, series)


def poisson_pmf(n: FloatArray, mean: FloatArray) -> FloatArray:
    """Probability of n events, e^(−λ)·λⁿ/n! [1]; mean 0 puts all of it on n = 0.

    Valid for whole n ≥ 0 and λ ≥ 0; the relative error is about n·1e-16 far from the mean.

    >>> poisson_pmf(np.array([0.0, 2.0]), np.array([1.0, 2.0])).round(4).tolist()
    [0.3679, 0.2707]
    """
    safe = np.maximum(mean, np.finfo(float).tiny)
    return np.exp(n * np.log(safe) - safe - log_factorial(n))


@dataclass(frozen=True, slots=True, eq=False)
class ShortPart:
    """The polynomial factor of one multi-server station, tilted.

    Attributes:
        count: probabilities of 0, 1, … closed customers in it, shape (degree + 1, B).
        slope: coefficients of P′/P on the same scale, shape (degree, B) or (1, B).
    """

    count: FloatArray
    slope: FloatArray


def short_part(servers: int, closed: FloatArray, opened: FloatArray, most: int) -> ShortPart:
    """Expand P(opened + closed·v) in powers of v, up to the power `most`.

    Args:
        servers: c ≥ 1.
        closed: tilted load of the closed classes y [erlang], shape (B,).
        opened: load of the open classes a [erlang], shape (B,), with a + y < c.
        most: highest power needed (a population).

    The terms of P become Poisson probabilities of a + y; open customers are then thinned out
    binomially, one power at a time (Horner), so that every step adds positive numbers.
    """
    load = opened + closed
    safe = np.where(load > 0, load, 1.0)
    share_open = np.where(load > 0, opened / safe, 0.0)
    j = np.arange(float(servers))[:, None]
    weight = poisson_pmf(j, load) * (1.0 - j / servers)
    count = _thin(weight, share_open, most)
    slope = _thin(j[1:] * weight[1:], share_open, most) / safe
    if servers > 1:
        slope[0] = np.where(load > 0, slope[0], 1.0 - 1.0 / servers)
    total = count.sum(axis=0)
    return ShortPart(count / total, slope / total)


def _thin(weight: FloatArray, share_open: FloatArray, most: int) -> FloatArray:
    if len(weight) == 0:
        return np.zeros((1, weight.shape[1]))
    if not np.any(share_open):
        return weight[: most + 1].copy()
    out = np.zeros((min(len(weight), most + 1), weight.shape[1]))
    for term in weight[::-1]:
        shifted = (1.0 - share_open) * out[:-1]
        out *= share_open
        out[1:] += shifted
        out[0] += term
    return out


def multiply(a: FloatArray, b: FloatArray, most: int) -> FloatArray:
    """Product of polynomials with the batch axis last, cut after the power `most`: Σ aᵢ·bₙ₋ᵢ.

    Valid for any coefficients, and without cancellation for positive ones.

    >>> multiply(np.array([[1.0], [2.0]]), np.array([[3.0], [1.0]]), 2)[:, 0].tolist()
    [3.0, 7.0, 2.0]
    """
    if len(a) < len(b):
        a, b = b, a
    out = np.zeros((min(len(a) + len(b) - 1, most + 1), a.shape[1]))
    for shift, factor in enumerate(b[: len(out)]):
        width = min(len(a), len(out) - shift)
        out[shift : shift + width] += factor * a[:width]
    return out


def products_without_each(
    parts: list[FloatArray], most: int
) -> tuple[FloatArray, list[FloatArray]]:
    """The product Π of all polynomials, and for each one Π/itself: the product of the others.

    Valid as `multiply` is, which is all it uses: where one is zero, too.

    >>> whole, others = products_without_each([np.array([[1.0], [2.0]]), np.array([[3.0]])], 9)
    >>> whole[:, 0].tolist(), others[1][:, 0].tolist()
    ([3.0, 6.0], [1.0, 2.0])
    """
    one = np.ones((1, parts[0].shape[1]))
    if len(parts) == 1:
        return parts[0][: most + 1], [one]
    before = [one]
    for part in parts:
        before.append(multiply(before[-1], part, most))
    others, after = [], one
    for part, left in zip(reversed(parts), reversed(before[:-1]), strict=True):
        others.append(multiply(left, after, most))
        after = multiply(after, part, most)
    return before[-1], others[::-1]
