"""Errors over any choice of held-out points, and the cells that no fit and no error ever sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.calibration import Calibration, rounded
from models.family_a import base_response_ms, cpu_pct, path_load, response_ms
from models.family_a_fit import CPU
from models.quantities import FloatArray
from models.runs import MeasuredRun
from models.uncertainty import interval, response_interval
from models.validation import HeldOutPoint

DOUBTED = "doubted"
"""Split of the cells that their authors doubt: left out of every fit, counted nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointErrors:
    """Errors over some held-out points.

    Attributes:
        n: number of points.
        mape_pct: mean of the absolute percentage error.
        log_error: mean |ln(predicted/measured)|.
        coverage_pct: share of points inside their 90 % intervals.
    """

    n: int
    mape_pct: float
    log_error: float
    coverage_pct: float


def is_inside(point: HeldOutPoint) -> bool:
    """Whether the measured figure lies inside the interval of its prediction."""
    return point.low <= point.measured <= point.high


def point_errors(points: Sequence[HeldOutPoint]) -> PointErrors | None:
    """The errors over these points, the doubted ones left out; None where none remains.

    >>> point = HeldOutPoint(
    ...     family="A",
    ...     quantity="cpu_pct",
    ...     split="inside",
    ...     evidence="e",
    ...     measured=10.0,
    ...     predicted=11.0,
    ...     low=9.0,
    ...     high=13.0,
    ... )
    >>> point_errors([point])
    PointErrors(n=1, mape_pct=10.0, log_error=0.09531018, coverage_pct=100.0)
    """
    counted = [point for point in points if point.split != DOUBTED]
    if not counted:
        return None
    ratio = np.array([point.predicted / point.measured for point in counted])
    inside = [is_inside(point) for point in counted]
    return PointErrors(
        n=len(counted),
        mape_pct=rounded(float(100.0 * np.abs(ratio - 1.0).mean())),
        log_error=rounded(float(np.abs(np.log(ratio)).mean())),
        coverage_pct=rounded(float(100.0 * np.mean(inside))),
    )


def doubted_points(calibration: Calibration) -> tuple[HeldOutPoint, ...]:
    """What the shipped law says where the authors doubt their own figure.

    No fit saw these cells, so the prediction is held out like the others; but an error against a
    figure that may be wrong says nothing about the model.
    """
    return tuple(_predicted(calibration, run) for run in calibration.runs if run.doubted)


def _predicted(calibration: Calibration, run: MeasuredRun) -> HeldOutPoint:
    curve = _cpu if run.quantity == CPU else _response
    value, low, high = (rounded(end) for end in curve(calibration, run))
    return HeldOutPoint(
        family="A",
        quantity=run.quantity,
        split=DOUBTED,
        evidence=run.id,
        measured=run.value,
        predicted=value,
        low=low,
        high=high,
    )


def _cpu(calibration: Calibration, run: MeasuredRun) -> tuple[float, float, float]:
    value = cpu_pct(calibration.law, **_where(run))
    low, high = interval(value, np.array(calibration.uncertainty.cpu.known))
    return value.item(), low.item(), high.item()


def _response(calibration: Calibration, run: MeasuredRun) -> tuple[float, float, float]:
    law, where = calibration.law, _where(run)
    base = base_response_ms(law, platform=where["platform"], ram_gib=where["ram_gib"])
    load = path_load(law, **where)
    value = response_ms(law, **where)
    half = np.array(calibration.uncertainty.response.known)
    low, high = response_interval(base, load, half, think_time_ms=law.think_time_ms)
    return value.item(), low.item(), high.item()


def _where(run: MeasuredRun) -> dict[str, FloatArray]:
    names = ("platform", "storage", "ram_gib", "users")
    return {name: np.array([getattr(run, name)]) for name in names}
