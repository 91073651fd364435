"""Nominal 90 % intervals from held-out residuals, on the log scale.

A residual enters only as its fit did not see it (leave-one-out, conformal). Source: R. F. Barber,
E. J. Candès, A. Ramdas, R. J. Tibshirani, "Predictive inference with the jackknife+", Annals of
Statistics 49, 2021; docs/model.md, "Intervals". Near saturation a small error of the load is a
large error of the response, so a half width t of a response means t of the response *and*
`LOAD_SHARE`·t of the load.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.base.quantities import FloatArray
from models.evidence.family_a import FITTED_PARAMETERS, response_at_load

NOMINAL = 0.9
"""Share of points that an interval should hold."""

LOAD_SHARE = 0.04
"""Weight of an error of the load beside an error of the response itself [1]: the round number that
gives the narrowest intervals of points left out alone. It moves no prediction, but counts as
tuned."""

TUNED_CONSTANTS = FITTED_PARAMETERS + 1
"""Constants tuned on family A: the law's parameters and `LOAD_SHARE`."""

WIDENING_PER_STEP = 0.5
"""Growth of the half width per step outside the measured range [1 per 1,000 users or per doubling
of RAM]: stated, not measured, as no run went further."""

WIDEST = 3.0
"""How many times the half width grows at most. Loads grow with users at least in proportion; with
more growth than this the low end of an extrapolation would fall while the load rises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfWidths:
    """Half widths of the 90 % interval of one quantity, in ln.

    Attributes:
        known: for a configuration that was measured at other numbers of users; from points left
            out alone, the last of each series among them.
        unknown: for a configuration that was not measured; from whole series left out.
    """

    known: float
    unknown: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertainty:
    """Half widths of both quantities of family A."""

    cpu: HalfWidths
    response: HalfWidths


def conformal_quantile(scores: npt.ArrayLike, *, level: float = NOMINAL) -> float:
    """The ⌈level·(n + 1)⌉-th smallest of n held-out scores; the largest where n is too small [1].

    Valid where the scores and that of the new point are exchangeable: then at least `level` of new
    points lie within it, and at most 1/(n + 1) more.

    Args:
        scores: shape (n,), any unit.
        level: share of points to be held.

    >>> conformal_quantile([0.1, 0.4, 0.2, 0.3, 0.9, 0.5, 0.6, 0.8, 0.7])
    0.9
    """
    ordered = np.sort(np.asarray(scores, dtype=np.float64))
    rank = int(np.ceil(level * (len(ordered) + 1)))
    return float(ordered[min(rank, len(ordered)) - 1])


def widening(steps_outside: npt.ArrayLike) -> FloatArray:
    """How many times the half width grows outside the measured range [1]: 1 + 0.5·steps, to 3.

    Valid as a statement, not as a measurement: no run went further (`WIDENING_PER_STEP`).

    >>> widening([0.0, 1.0, 30.0]).tolist()
    [1.0, 1.5, 3.0]
    """
    steps = np.asarray(steps_outside, dtype=np.float64)
    return np.minimum(1.0 + WIDENING_PER_STEP * steps, WIDEST)


def log_half_width(
    widths: HalfWidths,
    *,
    steps_outside: npt.ArrayLike = 0.0,
    measured_configuration: npt.ArrayLike = True,
    transfer: npt.ArrayLike = 0.0,
) -> FloatArray:
    """Half width t of the 90 % interval in ln [1], for `interval` and `response_interval`.

    t = √((q·widening(steps))² + transfer²)

    Valid for the quantities of family A, and beyond with a `transfer`: what factors add is taken as
    independent of what the law misses.

    Args:
        widths: q, by whether the configuration was measured.
        steps_outside: distance from the measured range, as `WIDENING_PER_STEP` counts it.
        measured_configuration: whether platform, storage path and RAM were measured together.
        transfer: half width in ln that factors to other hardware, releases or workloads add.

    >>> widths = HalfWidths(known=0.6, unknown=1.0)
    >>> log_half_width(widths, steps_outside=[0.0, 1.0]).round(3).tolist()
    [0.6, 0.9]
    """
    q = np.where(measured_configuration, widths.known, widths.unknown)
    return np.asarray(np.hypot(q * widening(steps_outside), transfer))


def interval(value: npt.ArrayLike, half_width: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Low and high end: value·e^(−t) and value·e^t, in the value's unit.

    Args:
        value: above 0, any unit.
        half_width: t ≥ 0 [ln], cut off at 50.

    Valid where errors are relative: a factor of two either way is as likely at any size.

    >>> low, high = interval(100.0, np.log(2.0))
    >>> round(float(low)), round(float(high))
    (50, 200)
    """
    factor = np.exp(np.minimum(half_width, 50.0))
    middle = np.asarray(value, dtype=np.float64)
    return np.asarray(middle / factor), np.asarray(middle * factor)


def response_interval(
    base_ms: npt.ArrayLike,
    load: npt.ArrayLike,
    half_width: npt.ArrayLike,
    *,
    think_time_ms: float,
    stretch: npt.ArrayLike = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Low and high end of a response [ms]: R(load·e^(∓0.04·t))·e^(∓t).

    Both ends rise with the load, as `family_a.response_at_load` does, and enclose it. Valid for
    any load; t from `log_half_width`.

    >>> low, high = response_interval(40.0, 0.8, 0.5, think_time_ms=1e9)  # 40/(1 − 0.8) = 200
    >>> round(float(low)), round(float(high))
    (112, 359)
    """
    low, high = (
        response_end(
            base_ms,
            load,
            half_width=half_width,
            side=side,
            think_time_ms=think_time_ms,
            stretch=stretch,
        )
        for side in (-1.0, 1.0)
    )
    return low, high


def response_end(
    base_ms: npt.ArrayLike,
    load: npt.ArrayLike,
    *,
    half_width: npt.ArrayLike,
    side: npt.ArrayLike,
    think_time_ms: float,
    stretch: npt.ArrayLike = 0.0,
) -> FloatArray:
    """One end of `response_interval` [ms]: low at side −1, high at 1, the value itself at 0.

    R(load·e^(0.04·side·t))·e^(side·t); load and t may differ by side. Valid for any load ≥ 0.

    >>> ends = response_end(40.0, 0.8, half_width=0.5, side=[-1.0, 0.0, 1.0], think_time_ms=1e9)
    >>> ends.round().tolist()
    [112.0, 200.0, 359.0]
    """
    moved = np.exp(np.clip(np.multiply(side, half_width), -50.0, 50.0))
    shifted = np.asarray(load, dtype=np.float64) * moved**LOAD_SHARE
    middle = response_at_load(base_ms, shifted, think_time_ms=think_time_ms, stretch=stretch)
    return np.asarray(middle * moved)


def response_score(
    base_ms: FloatArray,
    load: FloatArray,
    measured_ms: FloatArray,
    *,
    think_time_ms: float,
    stretch: npt.ArrayLike = 0.0,
) -> FloatArray:
    """The least half width t whose `response_interval` holds a measured response [ln].

    The t with R(load·e^(∓0.04·t))·e^(∓t) = measured, by bisection to 2^(−60) of 20, the widest that
    is looked at. It is what a held-out residual is for a quantity whose interval is not symmetric.
    Valid for any load and measured responses above 0.

    >>> one = np.ones(1)
    >>> float(response_score(40 * one, 0.8 * one, 359.0 * one, think_time_ms=1e9)[0].round(2))
    0.5
    """
    low = np.zeros(np.broadcast_shapes(base_ms.shape, load.shape, measured_ms.shape))
    high = np.full(low.shape, 20.0)
    for _ in range(60):
        t = (low + high) / 2.0
        least, most = response_interval(
            base_ms, load, t, think_time_ms=think_time_ms, stretch=stretch
        )
        holds = (least <= measured_ms) & (measured_ms <= most)
        low, high = np.where(holds, low, t), np.where(holds, t, high)
    return high
