"""Nominal 90 % intervals from held-out residuals, on the log scale.

A residual enters only as its fit did not see it (leave-one-out, conformal: R. F. Barber,
E. J. Candès, A. Ramdas, R. J. Tibshirani, "Predictive inference with the jackknife+", Annals of
Statistics 49, 2021). Near saturation a small error of the load is a large error of the response,
so a half width t of a response means t of the response *and* `LOAD_SHARE`·t of the load.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.family_a import FITTED_PARAMETERS, load_at_response, response_at_load
from models.quantities import FloatArray

NOMINAL = 0.9
"""Share of points that an interval should hold."""

LOAD_SHARE = 0.05
"""Weight of an error of the load beside an error of the response itself [1]: the round number that
gives the narrowest intervals. It moves no prediction, but counts as tuned."""

TUNED_CONSTANTS = FITTED_PARAMETERS + 1
"""Constants tuned on family A: the law's parameters and `LOAD_SHARE`."""

WIDENING_PER_STEP = 0.5
"""Growth of the half width per step outside the measured range [1 per 1,000 users or per doubling
of RAM]: stated, not measured, as no run went further."""


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
    """The ⌈level·(n + 1)⌉-th smallest of n held-out scores; the largest where n is too small.

    >>> conformal_quantile([0.1, 0.4, 0.2, 0.3, 0.9, 0.5, 0.6, 0.8, 0.7])
    0.9
    """
    ordered = np.sort(np.asarray(scores, dtype=np.float64))
    rank = int(np.ceil(level * (len(ordered) + 1)))
    return float(ordered[min(rank, len(ordered)) - 1])


def log_half_width(
    widths: HalfWidths,
    *,
    steps_outside: npt.ArrayLike = 0.0,
    measured_configuration: npt.ArrayLike = True,
    transfer: npt.ArrayLike = 0.0,
) -> FloatArray:
    """Half width t of the 90 % interval in ln [1], for `interval` and `response_interval`.

    t = √((q·(1 + 0.5·steps))² + transfer²)

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
    outside = 1.0 + WIDENING_PER_STEP * np.asarray(steps_outside, dtype=np.float64)
    return np.asarray(np.hypot(q * outside, transfer))


def interval(value: npt.ArrayLike, half_width: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Low and high end: value·e^(−t) and value·e^t, in the value's unit.

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
) -> tuple[FloatArray, FloatArray]:
    """Low and high end of a response [ms]: R(load·e^(∓0.05·t))·e^(∓t).

    Both ends rise with the load, as `models.family_a.response_at_load` does, and enclose it.

    >>> low, high = response_interval(40.0, 0.8, 0.5, think_time_ms=1e9)  # 40/(1 − 0.8) = 200
    >>> round(float(low)), round(float(high))
    (110, 367)
    """
    t, z = half_width, think_time_ms
    low = response_end(base_ms, load, half_width=t, side=-1.0, think_time_ms=z)
    return low, response_end(base_ms, load, half_width=t, side=1.0, think_time_ms=z)


def response_end(
    base_ms: npt.ArrayLike,
    load: npt.ArrayLike,
    *,
    half_width: npt.ArrayLike,
    side: npt.ArrayLike,
    think_time_ms: float,
) -> FloatArray:
    """One end of `response_interval`: its low one at side −1, high at 1, the value itself at 0."""
    moved = np.exp(np.clip(np.multiply(side, half_width), -50.0, 50.0))
    shifted = np.asarray(load, dtype=np.float64) * moved**LOAD_SHARE
    return np.asarray(response_at_load(base_ms, shifted, think_time_ms=think_time_ms) * moved)


def load_interval_at_response(
    base_ms: npt.ArrayLike,
    limit_ms: npt.ArrayLike,
    half_width: npt.ArrayLike,
    *,
    think_time_ms: float,
) -> tuple[FloatArray, FloatArray]:
    """Loads between which a response crosses a limit [1]: where `response_interval`'s ends do.

    Times the users that saturate the bottleneck, this is the interval of the users at which 1 s is
    crossed, which is always extrapolated: no run passed 1 s.

    >>> low, high = load_interval_at_response(40.0, 200.0, 0.5, think_time_ms=1e12)
    >>> round(float(low), 3), round(float(high), 3)  # 0.8 without error
    (0.654, 0.901)
    """
    t = np.asarray(half_width, dtype=np.float64)

    def end(side: float) -> FloatArray:
        moved = np.exp(np.clip(side * t, -50.0, 50.0))
        limit = np.asarray(limit_ms, dtype=np.float64) * moved
        return load_at_response(base_ms, limit, think_time_ms=think_time_ms) * moved**LOAD_SHARE

    return end(-1.0), end(1.0)


def response_score(
    base_ms: FloatArray, load: FloatArray, measured_ms: FloatArray, *, think_time_ms: float
) -> FloatArray:
    """The least half width t whose `response_interval` holds a measured response, by bisection."""
    low = np.zeros(np.broadcast_shapes(base_ms.shape, load.shape, measured_ms.shape))
    high = np.full(low.shape, 20.0)
    for _ in range(60):
        t = (low + high) / 2.0
        least, most = response_interval(base_ms, load, t, think_time_ms=think_time_ms)
        holds = (least <= measured_ms) & (measured_ms <= most)
        low, high = np.where(holds, low, t), np.where(holds, t, high)
    return high
