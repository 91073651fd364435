"""One closed class by numerical inversion of its generating function: exact to rounding, fast.

At a throughput τ below saturation the number S of customers at independent stations (a Poisson
number of thinkers, a geometric number at each queue) has the generating function

    E[z^S] = exp(λ·(z − 1))·Π_m (1 − ρ_m)/(1 − ρ_m·z),   λ = Z·τ,

and G(n) ∝ P(S = n) is the mean of E[z^S]·z^(−n) over K equidistant points of the unit circle, up
to P(S = n ± K) + P(S = n ± 2K) + … The thinkers make the integrand fall as exp(−λ·(1 − cos t)),
so that of the K points only some twenty near z = 1 count, where a recursion over the population
takes hundreds of steps.

What is left out is bounded by Chernoff's bound on both sides and checked against the sum that
came out. τ is put below the saddle point, where the geometric tail above N + K is shorter; the
price is that terms cancel by exp(`LOWERED`²/2) = 90 at most, two of sixteen digits.

Sources:
    1. J. Abate, W. Whitt, "Numerical inversion of probability generating functions", Operations
       Research Letters 12(4), 1992.
    2. G. L. Choudhury, K. K. Leung, W. Whitt, "Calculating normalization constants of closed
       queueing networks by numerically inverting their generating functions", Journal of the
       ACM 42(5), 1995.
    3. L. N. Trefethen, J. A. C. Weideman, "The exponentially convergent trapezoidal rule", SIAM
       Review 56(3), 2014.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.quantities import BoolArray, FloatArray, IntArray
from models.queueing.one_class import OneClass, SingleClassBatch, Stations, Sums, answer_of

LOWERED = 3.0
"""How many standard deviations the throughput is put below the saddle point, at most."""

_REACH = 8.0
"""Standard deviations at which Chernoff's bound is taken, at most: exp(−8²/2) = 1e-14."""

_NEAR_POLE = 0.8
"""How near the bound goes to the pole of the busiest queue, 1 being there."""

_DROPPED_LOG = 32.3
"""What is left out is at most exp(−32.3) = 1e-14 of the sum, by the estimate made beforehand."""

TRUSTED = 1e-13
"""Share of the sum that the bound may reach afterwards."""

_WORKING_SET = 8_192
"""Numbers per array, so that all of them stay in the processor's cache."""

_LARGEST_PRODUCT = 1 << 18
"""Multiplications per matrix product, below which BLAS stays on one thread."""


@dataclass(frozen=True, slots=True, eq=False)
class Contour:
    """Where and how densely each scenario's generating function is sampled, shape (B,).

    Attributes:
        tilt: throughput τ.
        up, down: exponents u, d of Chernoff's bounds on the tails of S.
        period: points K of the whole circle.
        extent: the angle up to which they count, from z = 1 on over the upper half circle.
    """

    tilt: FloatArray
    up: FloatArray
    down: FloatArray
    period: FloatArray
    extent: FloatArray

    @property
    def count(self) -> FloatArray:
        """Points to be taken, 1 and more."""
        return np.asarray(np.floor(self.extent * self.period / (2.0 * np.pi)) + 1.0)

    @staticmethod
    def of(batch: OneClass, saddle: FloatArray) -> Contour:
        """Go below the saddle point where a geometric tail above asks for a small exponent."""
        thinking, load = batch.think * saddle, batch.demand * saddle
        rho = load / batch.free
        idle = 1.0 - rho
        variance = thinking + (rho / (idle * idle) + load).sum(axis=0)
        spread = np.sqrt(np.maximum(variance, 1.0))
        above = np.minimum(_NEAR_POLE * idle.min(axis=0, initial=1.0), _REACH / spread)
        below = _REACH / np.sqrt(thinking + 1.0)
        lowered = np.clip(0.5 * (below - above), 0.0, LOWERED / spread)
        tilt, up, down = saddle * np.exp(-lowered), above + lowered, below - lowered
        a, b = _tails(batch, tilt, up, down)
        need = _DROPPED_LOG + np.log(2.5 * spread) + 0.5 * (lowered * spread) ** 2
        period = np.maximum((need + a) / up, np.minimum((need + b) / down, batch.population + 1.0))
        most = 2.0 * batch.think * tilt
        with np.errstate(divide="ignore", over="ignore"):
            extent = 2.0 * np.arcsin(np.sqrt(np.minimum(need / most, 1.0)))
        return Contour(tilt, up, down, np.ceil(period), extent)

    def pick(self, rows: IntArray) -> Contour:
        columns = (self.tilt, self.up, self.down, self.period, self.extent)
        return Contour(*(column[rows] for column in columns))

    def aligned(self, batch: OneClass) -> Contour:
        """Scenarios of equal population get equal distributions of thinkers, where they are near.

        Then the thinkers, the one factor that needs exponentials, are computed once for all.
        """
        if len(self.tilt) < 2 or np.ptp(batch.population) > 0 or np.any(batch.think <= 0):
            return self
        tilt = (batch.think * self.tilt).min() / batch.think
        lower = np.log(self.tilt / tilt)
        if np.any(lower > 0.1 * self.down):
            return self
        return Contour(tilt, self.up + lower, self.down - lower, self.period, self.extent)


def _tails(
    batch: OneClass, tilt: FloatArray, up: FloatArray, down: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """a and b of P(S ≥ N + K) ≤ exp(a − u·K) and P(S ≤ N − K) ≤ exp(b − d·K)."""
    thinking, load = batch.think * tilt, batch.demand * tilt
    odds = load / (batch.free - load)
    grown, shrunk = np.expm1(up), np.expm1(-down)
    a = thinking * grown - np.log1p(-odds * grown).sum(axis=0)
    b = thinking * shrunk - np.log1p(-odds * shrunk).sum(axis=0)
    short = float(np.sum(batch.servers - 1))
    return a + (short - batch.population) * up, b + batch.population * down


def solve_by_contour(batch: OneClass, contour: Contour) -> tuple[SingleClassBatch, BoolArray]:
    """Solve one chunk of scenarios with thinkers and customers.

    Args:
        batch: the scenarios, all with the same stations.
        contour: `Contour.of` them.

    Returns:
        The answers, and which of them what was left out can't have moved by `TRUSTED`, (B,).
    """
    nodes = _Nodes.of(int(contour.period.max()), float(contour.extent.max()))
    contour = contour.aligned(batch)
    stations = Stations.of(batch, contour.tilt)
    start = batch.population - stations.last
    g, met = _inverted(batch.think * contour.tilt, stations, nodes, start)
    means = np.empty((len(stations.ratio), *g.shape))
    means[:, 0] = met - g[0]
    for step in range(stations.last):
        means[:, step + 1] = stations.ratio * (means[:, step] + g[step])
    now = Sums.of(stations, g[1:], means[:, 1:])
    before = Sums.of(stations, g[:-1], means[:, :-1])
    trusted = _left_out(batch, contour, nodes) <= TRUSTED * np.minimum(
        now.constant, before.constant
    )
    return answer_of(batch, contour.tilt, now, before), np.asarray(trusted)


def _left_out(batch: OneClass, contour: Contour, nodes: _Nodes) -> FloatArray:
    """Bound of the probability that aliases and the points that are not taken hide."""
    a, b = _tails(batch, contour.tilt, contour.up, contour.down)
    hidden = np.exp(a - contour.up * nodes.period)
    below = np.exp(b - contour.down * nodes.period)
    hidden += np.where(nodes.period > batch.population, 0.0, below)
    if not nodes.whole:
        hidden += np.exp(-batch.think * contour.tilt * (1.0 - np.cos(nodes.beyond)))
    return np.asarray(hidden)


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """Points exp(i·t) of the upper half circle from t = 0 on; the lower half mirrors them.

    Attributes:
        period: K, odd, so that no point but z = 1 is its own mirror image.
        angle: t, shape (J,).
    """

    period: int
    angle: FloatArray

    @staticmethod
    def of(period: int, extent: float) -> _Nodes:
        odd = period | 1
        apart = 2.0 * np.pi / odd
        count = min(int(extent / apart) + 1, (odd + 1) // 2)
        return _Nodes(odd, np.arange(float(count)) * apart)

    @property
    def whole(self) -> bool:
        return 2 * len(self.angle) > self.period

    @property
    def beyond(self) -> float:
        """The first angle that is left out."""
        return len(self.angle) * 2.0 * np.pi / self.period


def _inverted(
    thinking: FloatArray, stations: Stations, nodes: _Nodes, start: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """P(thinkers and geometric parts = n) over Π(1 − ρ) for n from `start` on, and at `start` the
    same with each queue's geometric part twice (which is its mean number plus one, times that).

    Returns:
        Shapes (last + 1, B) and (M, B).
    """
    populations = np.arange(stations.last + 1.0)
    g = np.zeros((len(populations), len(start)))
    met = np.zeros_like(stations.ratio)
    most = min(_WORKING_SET, _LARGEST_PRODUCT // len(populations)) // len(start)
    blocks = _Blocks(thinking, start, stations.ratio, nodes, max(most, 1))
    for first in range(0, len(nodes.angle), blocks.size):
        angle = nodes.angle[first : first + blocks.size]
        real, imaginary = blocks.integrand(angle)
        turned = np.multiply.outer(populations, angle)
        g += np.cos(turned) @ real
        g += np.sin(turned) @ imaginary
        blocks.add_met(met, real, imaginary)
    return g, met


class _Blocks:
    """The integrand at some points at a time, in arrays that are used again.

    Memory that is taken and given back at this rate costs more than the arithmetic.
    """

    def __init__(
        self,
        thinking: FloatArray,
        start: FloatArray,
        ratio: FloatArray,
        nodes: _Nodes,
        size: int,
    ) -> None:
        alike = len(start) > 0 and np.ptp(thinking) == 0.0 and np.ptp(start) == 0.0
        self._thinking, self._start = (thinking[:1], start[:1]) if alike else (thinking, start)
        self._idle, self._ratio, self._period = 1.0 - ratio, ratio, nodes.period
        self.size = min(size, len(nodes.angle))
        shape = (self.size, len(start))
        self._cosines, self._sines = np.empty((len(ratio), *shape)), np.empty((len(ratio), *shape))
        self._real, self._imaginary, self._spare = (np.empty(shape) for _ in range(3))

    def integrand(self, angle: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Real and imaginary part at these points, weights in, shape (J, B)."""
        count = len(angle)
        real, imaginary, spare = (
            array[:count] for array in (self._real, self._imaginary, self._spare)
        )
        real[:], imaginary[:] = self._thinkers(angle)
        slip, sine = 2.0 * np.sin(0.5 * angle) ** 2, np.sin(angle)
        for m, rho in enumerate(self._ratio):
            a, b = self._cosines[m, :count], self._sines[m, :count]
            self._geometric(rho, self._idle[m], slip, sine, a, b, spare)
            np.multiply(imaginary, b, out=spare)
            b_real = np.multiply(real, b)
            np.multiply(real, a, out=real)
            np.subtract(real, spare, out=real)
            np.multiply(imaginary, a, out=imaginary)
            np.add(imaginary, b_real, out=imaginary)
        return real, imaginary

    def add_met(self, met: FloatArray, real: FloatArray, imaginary: FloatArray) -> None:
        """Adds the real part of the integrand times each queue's factor."""
        count = len(real)
        for m, (a, b) in enumerate(zip(self._cosines, self._sines, strict=True)):
            met[m] += np.einsum("jb,jb->b", real, a[:count])
            met[m] -= np.einsum("jb,jb->b", imaginary, b[:count])

    def _thinkers(self, angle: FloatArray) -> tuple[FloatArray, FloatArray]:
        """exp(λ·(z − 1))·z^(−start); (J, B), or (J, 1) where all scenarios are the same."""
        size = np.exp(np.multiply.outer(-2.0 * np.sin(0.5 * angle) ** 2, self._thinking))
        size *= np.where(angle > 0.0, 2.0, 1.0)[:, None] / self._period
        # λ·sin t − start·t without the difference of two large numbers
        turn = np.multiply.outer(np.sin(angle) - angle, self._thinking)
        turn += np.multiply.outer(angle, self._thinking - self._start)
        return size * np.cos(turn), size * np.sin(turn)

    @staticmethod
    def _geometric(
        rho: FloatArray,
        idle: FloatArray,
        slip: FloatArray,
        sine: FloatArray,
        real: FloatArray,
        imaginary: FloatArray,
        spare: FloatArray,
    ) -> None:
        """1/(1 − ρz), z = exp(it), from 1 − cos t and sin t."""
        np.multiply(slip[:, None], rho, out=real)
        np.multiply(2.0, real, out=spare)
        np.add(spare, idle * idle, out=spare)
        np.add(real, idle, out=real)
        np.divide(real, spare, out=real)
        np.multiply(sine[:, None], rho, out=imaginary)
        np.divide(imaginary, spare, out=imaginary)
