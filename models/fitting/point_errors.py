"""Errors over any choice of held-out points, and cells that no fit and no error ever sees.

Doubted cells hold a figure that its authors suspect. Unprinted ones belong to runs of which another
figure was printed: the law is extrapolated to them, and that nothing was printed is no failure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.base.quantities import FloatArray
from models.evidence.calibration import Calibration, rounded
from models.evidence.family_a import (
    MeasuredRun,
    base_response_ms,
    cpu_pct,
    path_load,
    response_ms,
    stretch_power,
)
from models.evidence.rows import BLANK, EvidenceRow
from models.evidence.uncertainty import interval, log_half_width, response_interval
from models.fitting.family_a_fit import CPU, RESPONSE
from models.fitting.validation import HeldOutPoint

DOUBTED = "doubted"
"""Split of the cells that their authors doubt: left out of every fit, counted nowhere."""

UNPRINTED = "unprinted"
"""Split of the responses of runs whose CPU was printed and whose response was not."""


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


def point_errors(points: Sequence[HeldOutPoint]) -> PointErrors | None:
    """The errors over these points, doubted and unprinted ones left out; None where none remains.

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
    counted = [point for point in points if point.split not in {DOUBTED, UNPRINTED}]
    if not counted:
        return None
    ratio = np.array([point.predicted / point.measured for point in counted])
    inside = [point.is_inside for point in counted]
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


def unprinted_points(
    calibration: Calibration, rows: Sequence[EvidenceRow]
) -> tuple[HeldOutPoint, ...]:
    """What the shipped law says of responses that were not printed although their run was made.

    Clovertown RDM at 5,000 users, with both RAM sizes. `measured` is NaN; the low end is that of
    the last run with a response, past which nothing says that the knee is a limit.
    """
    runs = {run.id: run for run in calibration.runs}
    return tuple(
        _extrapolated(calibration, runs[_beside(row)], row.id)
        for row in rows
        if row.family == "A" and row.kind == BLANK and row.metric == RESPONSE
        if _beside(row) in runs
    )


def _beside(row: EvidenceRow) -> str:
    """Id of the CPU figure of the same run."""
    return row.id.removesuffix(RESPONSE) + CPU


def _extrapolated(calibration: Calibration, run: MeasuredRun, id: str) -> HeldOutPoint:
    law, half, where = calibration.law, calibration.uncertainty.response, _where(run)
    last = max(
        other.users
        for other in calibration.runs
        if other.quantity == RESPONSE
        and (other.platform, other.storage, other.ram_gib)
        == (run.platform, run.storage, run.ram_gib)
    )
    base, load = base_response_ms(law, ram_gib=where["ram_gib"]), path_load(law, **where)
    wide = log_half_width(half, steps_outside=(run.users - last) / 1000.0)
    rest: dict[str, Any] = {
        "think_time_ms": law.think_time_ms,
        "stretch": stretch_power(law, where["platform"], where["storage"]),
    }
    low, _ = response_interval(base, load * last / run.users, half.known, **rest)
    _, high = response_interval(base, load, wide, **rest)
    return HeldOutPoint(
        family="A",
        quantity=RESPONSE,
        split=UNPRINTED,
        evidence=id,
        measured=math.nan,
        predicted=rounded(response_ms(law, **where).item()),
        low=rounded(low.item()),
        high=rounded(high.item()),
    )


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
    base, load = base_response_ms(law, ram_gib=where["ram_gib"]), path_load(law, **where)
    value = response_ms(law, **where)
    half = np.array(calibration.uncertainty.response.known)
    stretch = stretch_power(law, where["platform"], where["storage"])
    low, high = response_interval(
        base, load, half, think_time_ms=law.think_time_ms, stretch=stretch
    )
    return value.item(), low.item(), high.item()


def _where(run: MeasuredRun) -> dict[str, FloatArray]:
    names = ("platform", "storage", "ram_gib", "users")
    return {name: np.array([getattr(run, name)]) for name in names}
