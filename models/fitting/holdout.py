"""Family A with points and series held out: what the law predicts where it did not look.

Every prediction comes from fits that leave out the point (or its whole series, CPU and response
together). For the interval of a point each residual comes from a fit that leaves out that point
*and* the residual's own point, so an interval is made without the point it is for (nested).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from models.base.quantities import FloatArray, IntArray
from models.evidence.calibration import Calibration, outside_constants, rounded
from models.evidence.constants import family_constants
from models.evidence.family_a import (
    FamilyALaw,
    base_response_ms,
    cpu_pct,
    measured_runs,
    path_load,
    stretch_power,
)
from models.evidence.rows import EvidenceRow, by_id
from models.evidence.uncertainty import (
    HalfWidths,
    Uncertainty,
    conformal_quantile,
    interval,
    response_interval,
    response_score,
)
from models.fitting.family_a_fit import (
    CPU,
    RESPONSE,
    SERIES,
    Points,
    fit_cpus,
    fit_law,
    fit_responses,
    path_response_ms,
    points,
)

Tick = Callable[[float], None]
"""Told between fits which share of the work is done; it may raise to give up."""


def no_tick(_share: float) -> None:
    """Nobody waits for the fits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HoldOut:
    """Predictions of one quantity with groups of points held out.

    Matrices have the entry [i, j] for point j predicted with the groups of i and j left out, so
    the diagonal holds what a fit predicts for a point that it did not see; shape (n, n).

    Attributes:
        points: the measured points.
        group: which points are held out together, shape (n,).
        predicted: predictions.
        scores: least half width t whose interval holds the measured value.
    """

    points: Points
    group: IntArray
    predicted: FloatArray
    scores: FloatArray

    @property
    def value(self) -> FloatArray:
        """Prediction of each point from a fit without its group, shape (n,)."""
        return np.diag(self.predicted).copy()

    def quantile(self) -> float:
        """Half width for new points: from every point's own held-out residual."""
        return conformal_quantile(np.diag(self.scores))

    @property
    def half_widths(self) -> FloatArray:
        """Half width for each point, made without its group (nested), shape (n,)."""
        rows = zip(self.scores, self.group, strict=True)
        return np.array([conformal_quantile(row[self.group != own]) for row, own in rows])

    def intervals(self) -> tuple[FloatArray, FloatArray]:
        """Nested 90 % intervals of the held-out points, (low, high), each of shape (n,)."""
        return interval(self.value, self.half_widths)


@dataclass(frozen=True, kw_only=True, eq=False)
class ResponseHoldOut(HoldOut):
    """Held-out responses, with what their intervals need.

    Attributes:
        base_ms, load, stretch: response of the idle server [ms], load [1] and `stretch_power` [1],
            shape (n, n).
        think_time_ms: think time [ms].
    """

    base_ms: FloatArray
    load: FloatArray
    stretch: FloatArray
    think_time_ms: float

    def intervals(self) -> tuple[FloatArray, FloatArray]:
        """Nested 90 % intervals [ms], wider where the load is near saturation."""
        return response_interval(
            np.diag(self.base_ms),
            np.diag(self.load),
            self.half_widths,
            think_time_ms=self.think_time_ms,
            stretch=np.diag(self.stretch),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOut:
    """Both quantities, with points left out alone and with whole series left out."""

    cpu_alone: HoldOut
    cpu_series: HoldOut
    response_alone: ResponseHoldOut
    response_series: ResponseHoldOut

    def uncertainty(self) -> Uncertainty:
        """Half widths of the intervals for new configurations and numbers of users."""
        return Uncertainty(
            cpu=_widths(self.cpu_alone, self.cpu_series),
            response=_widths(self.response_alone, self.response_series),
        )


def held_out(
    rows: Sequence[EvidenceRow],
    tick: Tick = no_tick,
    /,
    *,
    think_time_ms: float,
    miss_exponent: float,
) -> HeldOut:
    """Refits family A with each point, each pair, each series and each pair of series left out."""
    cpu, response = points(rows, CPU), points(rows, RESPONSE)

    def responses(weights: FloatArray, share: float) -> FamilyALaw:
        tick(share)
        return fit_responses(
            response, weights, think_time_ms=think_time_ms, miss_exponent=miss_exponent
        )

    def cpus(group: IntArray, laws: FamilyALaw, share: float) -> HoldOut:
        tick(share)
        fitted = fit_cpus(cpu, _weights(group, _pairs(int(group.max()) + 1)), laws)
        return _cpu(cpu, group, fitted)

    whole = responses(np.ones((1, len(response))), 0.0)
    alone = np.arange(len(response)), np.arange(len(cpu))
    series = _pairs(len(SERIES))
    without = responses(_weights(response.series, series), 0.03)
    return HeldOut(
        response_alone=_response(
            response, alone[0], responses(_weights(alone[0], _pairs(len(response))), 0.1)
        ),
        response_series=_response(response, response.series, without),
        cpu_alone=cpus(alone[1], whole, 0.55),
        cpu_series=cpus(cpu.series, without, 0.95),
    )


def _widths(alone: HoldOut, series: HoldOut) -> HalfWidths:
    """An unmeasured configuration is never trusted more than a measured one."""
    known = alone.quantile()
    return HalfWidths(known=known, unknown=max(known, series.quantile()))


def _pairs(groups: int) -> IntArray:
    """Every unordered pair of groups, a group with itself among them; shape (b, 2)."""
    return np.stack(np.triu_indices(groups), axis=1)


def _weights(group: IntArray, pairs: IntArray) -> FloatArray:
    out = (group == pairs[:, :1]) | (group == pairs[:, 1:])
    return np.where(out, 0.0, 1.0)


def _response(response: Points, group: IntArray, laws: FamilyALaw) -> ResponseHoldOut:
    predicted = _left_out(group, path_response_ms(laws, response))
    base = _left_out(group, base_response_ms(laws, ram_gib=response.ram_gib))
    load = _left_out(group, path_load(laws, **response.where))
    stretch = _left_out(group, stretch_power(laws, response.platform, response.storage))
    return ResponseHoldOut(
        points=response,
        group=group,
        predicted=predicted,
        scores=response_score(
            base, load, response.value, think_time_ms=laws.think_time_ms, stretch=stretch
        ),
        base_ms=base,
        load=load,
        stretch=stretch,
        think_time_ms=laws.think_time_ms,
    )


def _cpu(cpu: Points, group: IntArray, laws: FamilyALaw) -> HoldOut:
    predicted = _left_out(group, cpu_pct(laws, **cpu.where))
    scores = np.abs(np.log(predicted / cpu.value))
    return HoldOut(points=cpu, group=group, predicted=predicted, scores=scores)


def _left_out(group: IntArray, values: FloatArray) -> FloatArray:
    """Picks from (pairs, n) the entry [i, j]: the fit without the groups of i and j, at point j."""
    groups = int(group.max()) + 1
    fit = np.zeros((groups, groups), dtype=np.int64)
    first, second = np.triu_indices(groups)
    fit[first, second] = fit[second, first] = np.arange(len(first))
    chosen = fit[group[:, None], group[None, :]]
    return np.asarray(values[chosen, np.arange(len(group))[None, :]])


def calibrate(rows: Sequence[EvidenceRow]) -> Calibration:
    """The calibration from the evidence: the same rows always give the same value.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    constants = rounded(family_constants(by_id(rows)))
    outside = outside_constants(constants)
    law = rounded(fit_law(rows, **outside))
    return Calibration(
        law=law,
        uncertainty=rounded(held_out(rows, **outside).uncertainty()),
        constants=constants,
        runs=measured_runs(rows),
    )
