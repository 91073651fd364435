"""Nominal 90 % intervals from held-out residuals, on the log scale.

A residual enters only as its fit did not see it (leave-one-out, conformal: R. F. Barber,
E. J. Candès, A. Ramdas, R. J. Tibshirani, "Predictive inference with the jackknife+", Annals of
Statistics 49, 2021). Near saturation a small error of the load is a large error of the response,
so residuals are measured in units of 1 + `LOAD_SHARE`·g, g = d ln R / d ln load.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.quantities import FloatArray

NOMINAL = 0.9
"""Share of points that an interval should hold."""

LOAD_SHARE = 0.1
"""Weight of an error of the load beside an error of the response itself [1]: a round number."""

WIDENING_PER_STEP = 0.5
"""Growth of the half width per step outside the measured range [1 per 1,000 users or per doubling
of RAM]: stated, not measured, as no run went further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfWidths:
    """Half widths of the 90 % interval of one quantity, in ln and in units of 1 + 0.1·g.

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
    load_gain: npt.ArrayLike = 0.0,
    steps_outside: npt.ArrayLike = 0.0,
    measured_configuration: npt.ArrayLike = True,
    transfer: npt.ArrayLike = 0.0,
) -> FloatArray:
    """Half width of the 90 % interval in ln(value) [1].

    h = √((q·(1 + 0.1·g)·(1 + 0.5·steps))² + transfer²)

    Args:
        widths: q, by whether the configuration was measured.
        load_gain: g = d ln value / d ln load; 0 for quantities without a knee.
        steps_outside: distance from the measured range, as `WIDENING_PER_STEP` counts it.
        measured_configuration: whether platform, storage path and RAM were measured together.
        transfer: half width in ln that factors to other hardware, releases or workloads add.

    >>> widths = HalfWidths(known=0.7, unknown=1.0)
    >>> log_half_width(widths, load_gain=[0.0, 10.0]).tolist()
    [0.7, 1.4]
    """
    q = np.where(measured_configuration, widths.known, widths.unknown)
    gain = 1.0 + LOAD_SHARE * np.asarray(load_gain, dtype=np.float64)
    outside = 1.0 + WIDENING_PER_STEP * np.asarray(steps_outside, dtype=np.float64)
    return np.asarray(np.hypot(q * gain * outside, transfer))


def interval(value: npt.ArrayLike, half_width: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Low and high end of an interval: value·e^(−h) and value·e^(h), in the value's unit.

    >>> low, high = interval(100.0, np.log(2.0))
    >>> round(float(low)), round(float(high))
    (50, 200)
    """
    factor = np.exp(np.minimum(half_width, 50.0))
    middle = np.asarray(value, dtype=np.float64)
    return np.asarray(middle / factor), np.asarray(middle * factor)
