"""How the number of customers at a station varies, given the populations of the classes.

One customer less in class r lowers the mean number at station m by cov(n_m, T_r)-like terms
that Schweitzer and Linearizer extrapolate. Here they are computed: each station has the
distribution

    p(n) ∝ f(n)·yⁿ·exp(−κ·(n − Q)²/2),

with f of the c-server station and its open load, and the rest of the network as a normal
distribution of precision κ, found from the others' variances (expectation propagation). y is set so
that the mean is Q. For an infinite population κ = 0 and p is that of M/M/c.

Sources:
    1. T. P. Minka, "Expectation propagation for approximate Bayesian inference", 2001.
    2. M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, 23.1.30
       (Euler-Maclaurin summation).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.queueing.batch import ClosedBatch, Waiting
from models.queueing.distributions import log_factorial, short_part

_DIRECT = 7
_SECOND_ORDER = 0.25
"""Weight of the third moment in the fall of Q. It is 0 where the rest of the network consists of
thinking customers (Poisson) and 0.5 where it is normal; the value between serves both."""
_DEPTH = 14.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS
_NODE_POWERS = np.stack([_NODES**i for i in range(3)], axis=1)
_NODE_MOMENTS = np.stack([_WEIGHTS * _NODES**i for i in range(4)])
_TINY = 1e-300
LIGHT = 0.03
MOST_TABLED = 512
"""Servers of a station up to which open load is in f; from 700 on Poisson's weights underflow."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments of p(n): offset of the mean from Q, variance, third central moment, idle term.

    `idle` is E[j] with j = max(c − n, 0) + [n ≥ c], or what an open load makes of it
    (`Table.spare`), `idle_with_n` its covariance with n, `unused` the mean share of what open
    classes leave of the servers that closed ones do not use.
    """

    offset: FloatArray
    variance: FloatArray
    third: FloatArray
    idle: FloatArray
    unused: FloatArray
    idle_with_n: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What f says of a station of c servers and an open load a, as columns or one for all.

    With f(n) = Fⁿ(a)/n!, F of M/M/c, and g(n) = f(n)·(c − a)ⁿ, which is flat from c − 1 on:

    Attributes:
        log_g: ln g(n) for n = 0 … c + 7, but for a constant.
        spare: (n + 1)·(g(n + 1)/g(n) − 1) for n < c: the residence time per second of demand of
            who meets n is (n + 1 + spare)/(c − a).
        unused: 1 − g(n − 1)/g(n) for n < c: n there use (c − a)·(1 − unused) of the servers.
    """

    log_g: FloatArray
    spare: FloatArray
    unused: FloatArray

    @staticmethod
    def closed(servers: int) -> Table:
        """Without open load g(n) = cⁿ/n!, spare is c − 1 − n and unused 1 − n/c."""
        n = np.arange(float(servers + _DIRECT + 1))
        log_g = np.minimum(n, servers) * np.log(servers) - log_factorial(np.minimum(n, servers))
        spare = servers - 1.0 - n[:servers]
        return Table(log_g[:, None], spare[:, None], (1.0 - n[:servers] / servers)[:, None])

    @staticmethod
    def of(servers: int, open_load: FloatArray) -> Table:
        """For loads of shape (…); columns of that shape.

        g adds up the coefficients of P(a + y)·e^(−c) at y = c − a, all positive.
        """
        if not np.any(open_load):
            return Table.closed(servers)
        load = open_load.ravel()
        count = short_part(servers, servers - load, load, servers).count
        g = np.cumsum(count, axis=0)
        after = np.concatenate((count[1:], np.zeros_like(count[:1])))
        log_g = np.log(np.concatenate((g, np.repeat(g[-1:], _DIRECT + 1, axis=0))))
        spare = np.arange(1.0, servers + 1.0)[:, None] * after / g
        columns = (-1, *open_load.shape)
        return Table(log_g.reshape(columns), spare.reshape(columns), (count / g).reshape(columns))

    def pick(self, stations: IntArray, scenarios: IntArray) -> Table:
        """The columns of some pairs, of loads of shape (stations, scenarios)."""
        if self.log_g.ndim == 2:
            return self
        return Table(*(each[:, stations, scenarios] for each in self._parts))

    def at(self, scenarios: IntArray) -> Table:
        """All stations of some scenarios, which are along the last axis."""
        if self.log_g.ndim == 2:
            return self
        return Table(*(np.take(each, scenarios, axis=-1) for each in self._parts))

    @property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self.log_g, self.spare, self.unused


def station_moments(
    servers: int,
    tilt: FloatArray,
    queue: FloatArray,
    precision: FloatArray,
    table: Table | None = None,
) -> Moments:
    """Moments of the distribution above for stations of equal server count.

    Args:
        servers: c.
        tilt: ln(y/(c − a)) with a the open load, shape (K,).
        queue: Q, the centre of the normal factor, shape (K,).
        precision: κ, 0 < κ ≤ 1, shape (K,).
        table: of the open loads, with K columns; default none.

    The first c + 7 terms are added one by one, the rest by Euler-Maclaurin with 16 Gauss
    nodes. The error is below 1e-3 of the standard deviation for κ ≤ 1, and below 1e-5 for
    κ ≤ 0.1.
    """
    table = Table.closed(servers) if table is None else table
    count = servers + _DIRECT
    n = np.arange(float(count + 1))
    steps = np.stack([np.ones_like(n), n, n * n], axis=1)
    half = 0.5 * precision
    logs = steps @ np.stack([-half * queue * queue, tilt + precision * queue, -half])
    logs += table.log_g
    start = count - queue
    decay = precision * start - tilt
    falling = np.maximum(-decay, 0.0) ** 2 / (2.0 * precision)
    top = np.maximum(logs[:-1].max(axis=0), logs[-1] + falling)
    logs -= top
    direct = np.exp(logs[:-1])
    powers = np.stack([np.ones(count), n[:-1], n[:-1] ** 2, n[:-1] ** 3])
    sums = _shifted(powers @ direct, -queue)
    sums += _tail(start, decay, precision, logs[-1])
    mean, second, third = sums[1:] / sums[0]
    variance = second - mean * mean
    central = third - mean * (3.0 * second - 2.0 * mean * mean)
    held = direct[:servers] / sums[0]
    weighted = table.spare * held
    idle = weighted.sum(axis=0)
    with_n = n[:servers] @ weighted - idle * (mean + queue)
    unused = (table.unused * held).sum(axis=0)
    return Moments(mean, np.maximum(variance, _TINY), central, 1.0 + idle, unused, with_n)


def _nearer(tilt: FloatArray, m: Moments) -> FloatArray:
    """Newton's step towards mean Q, of at most two standard deviations."""
    far = np.minimum(2.0 / np.sqrt(m.variance), 0.7)
    return np.asarray(tilt - np.clip(m.offset / m.variance, -far, far))


def _shifted(raw: FloatArray, by: FloatArray) -> FloatArray:
    """Σ w·(x + by)^i from Σ w·x^i, i = 0 … 3, shape (4, K)."""
    m0, m1, m2, m3 = raw
    s1 = m1 + by * m0
    s2 = m2 + by * (m1 + s1)
    s3 = m3 + by * (2.0 * m2 + by * m1 + s2)
    return np.stack([m0, s1, s2, s3])


def _tail(
    start: FloatArray, decay: FloatArray, precision: FloatArray, log_first: FloatArray
) -> FloatArray:
    """Σ_{k≥0} d^i·exp(log_first − decay·k − κ·k²/2), d = start + k, for i = 0 … 3; (4, K)."""
    rising = decay < 0
    peak = np.where(rising, -decay / precision, 0.0)
    reach = np.sqrt(2.0 * _DEPTH / precision)
    b = np.maximum(decay, 0.0)
    beyond = 2.0 * _DEPTH / (b + np.sqrt(b * b + 2.0 * _DEPTH * precision))
    low = np.maximum(peak - reach, 0.0)
    width = np.where(rising, peak + reach, beyond) - low
    half = 0.5 * precision
    height = _NODE_POWERS @ np.stack(
        [
            log_first - low * (decay + half * low),
            -width * (decay + precision * low),
            -half * width * width,
        ]
    )
    raw = _NODE_MOMENTS @ np.exp(height, out=height)
    square = width * width
    raw *= np.stack([width, square, square * width, square * square])
    return _shifted(raw, start + low) + _end_terms(start, decay, precision, log_first)


def _end_terms(
    d: FloatArray, decay: FloatArray, precision: FloatArray, log_first: FloatArray
) -> FloatArray:
    """Euler-Maclaurin's terms at k = 0: g/2 − g′/12 + g‴/720 for g = d^i·exp(…)."""
    first = np.exp(log_first)
    b = np.minimum(decay, 4.0)
    w1, w2, w3 = -b, b * b - precision, b * (3.0 * precision - b * b)
    e0 = 0.5 - w1 / 12.0 + w3 / 720.0
    e1 = -1.0 / 12.0 + w2 / 240.0
    e2 = w1 / 120.0
    rows = [e0, d * e0 + e1, d * (d * e0 + 2.0 * e1) + e2]
    rows.append(d * (d * (d * e0 + 3.0 * e1) + 3.0 * e2) + 1.0 / 120.0)
    return np.asarray(first * np.stack(rows))


class Spread:
    """Correction of Schweitzer's and Erlang's terms, carried from step to step."""

    def __init__(self, batch: ClosedBatch, tables: dict[int, Table] | None = None) -> None:
        self.batch = batch
        self.waiting = Waiting(batch.servers)
        self.many = self.waiting.many
        self.groups: dict[int, IntArray] = {
            int(c): np.flatnonzero(batch.servers == c) for c in np.unique(batch.servers)
        }
        self.tables = {} if tables is None else tables
        for c in self.groups if tables is None else ():
            self.tables[c] = self._table(c)
        self.open_gain = np.zeros_like(batch.open_load)
        self.tilt = np.zeros(0)
        self.precision = np.zeros(batch.open_load.shape)
        self.fits = 3

    def _table(self, servers: int) -> Table:
        tabled = 1 < servers <= MOST_TABLED
        opened = self.batch.open_load[self.groups[servers]]
        return Table.of(servers, opened) if tabled else Table.closed(servers)

    def pick(self, rows: IntArray, batch: ClosedBatch) -> Spread:
        """The same for some of the scenarios, of which `batch` consists."""
        out = Spread(batch, {c: table.at(rows) for c, table in self.tables.items()})
        out.fits = self.fits
        out.precision = np.take(self.precision, rows, axis=1)
        out.tilt = np.take(self.tilt, rows, axis=1)
        return out

    def correction(self, throughput: FloatArray, residence: FloatArray) -> FloatArray:
        """h of `models.queueing.approximate` for the current solution, shape (R, M, B)."""
        batch = self.batch
        by_class = throughput[:, None] * residence
        queue = np.maximum(by_class.sum(axis=0), 1e-12)
        mix = by_class / queue
        thinking = throughput * batch.think
        if not self.tilt.size:
            free = batch.servers[:, None] - batch.open_load
            used = (throughput[:, None] * batch.demand).sum(axis=0) / free
            self.tilt = np.log(np.clip(used, 1e-12, 1.0 - 1e-9))
            self.precision = 1.0 / (thinking.sum(axis=0) + queue.sum(axis=0) + 1.0) + 0.0 * queue
        moments = self._fit(queue)
        shift = self._couple(queue, mix, thinking, moments.variance)
        fall = shift * (moments.variance - _SECOND_ORDER * shift * moments.third)
        there = by_class / batch.population[:, None]
        elsewhere = there.sum(axis=1, keepdims=True) - there
        least = (1.0 + there - elsewhere) / np.maximum(batch.population, 1.0)[:, None] - 1.0
        fall = np.clip(fall, least, np.minimum(queue, 4.0))
        # A first customer of an empty class takes nobody away.
        fall *= np.minimum(batch.population, 1.0)[:, None]
        weight = throughput[:, None] * batch.demand
        mean_fall = (weight * fall).sum(axis=0) / np.maximum(weight.sum(axis=0), _TINY)
        fall -= np.maximum(mean_fall - 1.0, 0.0)
        out = there - fall
        out[:, self.many] += self._idle_gain(moments, fall[:, self.many])
        return out

    def _idle_gain(self, moments: Moments, fall: FloatArray) -> FloatArray:
        """What c − a + P(n ≥ c) at one customer less exceeds c − a + C(c, a).

        Leaves in `open_gain` what it is without taking a customer away.
        """
        many = self.many
        idle, opened = moments.idle[many], self.batch.open_load[many]
        c = self.batch.servers[many][:, None]
        erlang, _ = self.waiting.idle_term(c - (c - opened) * moments.unused[many])
        known = (opened == 0) | (c <= MOST_TABLED)
        self.open_gain[many] = np.where(known, idle - erlang, 0.0)
        slope = moments.idle_with_n[many] / moments.variance[many]
        return np.where(known, idle - erlang - fall * slope, 0.0)

    def _fit(self, queue: FloatArray) -> Moments:
        """Moments at the present y, which is then moved so that the mean becomes Q (Newton)."""
        out = Moments(*(np.empty_like(queue) for _ in range(6)))
        for c, rows in self.groups.items():
            whole = np.ones((len(rows), queue.shape[1]), dtype=bool)
            if c == 1:
                whole = self._fit_light(rows, queue[rows], out)
            place = (rows[np.nonzero(whole)[0]], np.nonzero(whole)[1])
            tilt = self.tilt[place]
            table = self.tables[c].pick(*np.nonzero(whole))
            m = station_moments(c, tilt, queue[place], self.precision[place], table)
            for _ in range(self.fits - 1):
                tilt = _nearer(tilt, m)
                m = station_moments(c, tilt, queue[place], self.precision[place], table)
            self.tilt[place] = _nearer(tilt, m)
            for name in Moments.__slots__:
                getattr(out, name)[place] = getattr(m, name)
        self.fits = 1
        return out

    def _fit_light(self, rows: IntArray, q: FloatArray, out: Moments) -> BoolArray:
        """Single servers that the population hardly constrains; returns where they are others.

        At κ = 0 the distribution is geometric with variance v = Q(1 + Q). To first order in κ
        at a fixed mean the variance is v − 2κv², which is exact to 1e-3 below κv = 0.015.
        """
        variance = q * (1.0 + q)
        bound = self.precision[rows] * variance
        out.offset[rows] = 0.0
        out.variance[rows] = variance / (1.0 + 2.0 * bound)
        out.third[rows] = variance * (1.0 + 2.0 * q)
        out.idle[rows], out.unused[rows], out.idle_with_n[rows] = 1.0, 1.0 / (1.0 + q), 0.0
        heavy = np.asarray(bound > LIGHT)
        self.tilt[rows] = np.where(heavy, self.tilt[rows], np.log(q / (1.0 + q)))
        return heavy

    def _couple(
        self, queue: FloatArray, mix: FloatArray, thinking: FloatArray, variance: FloatArray
    ) -> FloatArray:
        """New precisions; returns the shift of ln y per customer of class r, (R, M, B)."""
        classes = len(mix)
        site = variance / np.maximum(1.0 - self.precision * variance, 1e-6)
        spread = np.empty((classes, classes, queue.shape[1]))
        weighted = (site - queue) * mix
        for r in range(classes):
            spread[r] = (weighted * mix[r]).sum(axis=1)
            spread[r, r] += thinking[r] + (queue * mix[r]).sum(axis=0) + 1e-9
        inverse = _inverse(spread)
        answer = np.zeros_like(mix)
        for r in range(classes):
            answer += inverse[:, r, None] * mix[r]
        q = (answer * mix).sum(axis=0)
        left = np.maximum(1.0 - site * q, 1e-7)
        precision = q / left
        self.precision = np.clip(precision, 1e-12, 1.0)
        # Where the normal distribution is kept wider than it came out, so is what moves it.
        answer *= self.precision / np.maximum(precision, _TINY)
        return np.asarray(answer / left)


def _inverse(matrix: FloatArray) -> FloatArray:
    """Inverse of positive definite matrices with the batch axis last, (R, R, B)."""
    a = matrix.copy()
    size = len(a)
    for i in range(size):
        pivot = 1.0 / a[i, i]
        a[i, i] = 1.0
        a[i] *= pivot
        for j in range(size):
            if j != i:
                factor = a[j, i].copy()
                a[j, i] = 0.0
                a[j] -= factor * a[i]
    return a
