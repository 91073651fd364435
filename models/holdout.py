"""Family A with points and series held out: what the law predicts where it did not look.

Every prediction comes from fits that leave out the point (or its whole series, CPU and response
together). For the interval of a point each residual comes from a fit that leaves out that point
*and* the residual's own point, so an interval is made without the point it is for (nested).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models.evidence import EvidenceRow
from models.family_a import (
    FamilyALaw,
    base_response_ms,
    cpu_pct,
    gain_at_response,
    knee_users,
    response_ms,
)
from models.family_a_fit import (
    CPU,
    RESPONSE,
    SERIES,
    Points,
    fit_cpus,
    fit_responses,
    points,
)
from models.quantities import FloatArray, IntArray
from models.uncertainty import (
    HalfWidths,
    Uncertainty,
    conformal_quantile,
    interval,
    log_half_width,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class HoldOut:
    """Predictions of one quantity with groups of points held out.

    Attributes:
        points: the measured points.
        group: which points are held out together, shape (n,).
        predicted: [i, j] is the prediction of point j with the groups of i and j left out, so the
            diagonal is the prediction of a point from a fit that did not see it; shape (n, n).
        gain: d ln R / d ln load there, shape (n, n); 0 for CPU.
    """

    points: Points
    group: IntArray
    predicted: FloatArray
    gain: FloatArray

    @property
    def value(self) -> FloatArray:
        """Prediction of each point from a fit without its group, shape (n,)."""
        return np.diag(self.predicted).copy()

    @cached_property
    def scores(self) -> FloatArray:
        """Held-out residuals in units of the interval's half width for q = 1, shape (n, n)."""
        residual = np.abs(np.log(self.predicted / self.points.value))
        return np.asarray(residual / log_half_width(_UNIT, load_gain=self.gain))

    def quantile(self) -> float:
        """Half width q for new points: from every point's own held-out residual."""
        return conformal_quantile(np.diag(self.scores))

    def intervals(self) -> tuple[FloatArray, FloatArray]:
        """Nested 90 % intervals of the held-out points, (low, high), each of shape (n,)."""
        q = np.array(
            [
                conformal_quantile(row[self.group != own])
                for row, own in zip(self.scores, self.group, strict=True)
            ]
        )
        return interval(self.value, q * log_half_width(_UNIT, load_gain=np.diag(self.gain)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HeldOut:
    """Both quantities, with points left out alone and with whole series left out."""

    cpu_alone: HoldOut
    cpu_series: HoldOut
    response_alone: HoldOut
    response_series: HoldOut

    def uncertainty(self) -> Uncertainty:
        """Half widths of the intervals for new configurations and numbers of users."""
        return Uncertainty(
            cpu=_widths(self.cpu_alone, self.cpu_series),
            response=_widths(self.response_alone, self.response_series),
        )


def held_out(rows: Sequence[EvidenceRow], *, think_time_ms: float, miss_exponent: float) -> HeldOut:
    """Refits family A with each point, each pair, each series and each pair of series left out."""
    cpu, response = points(rows, CPU), points(rows, RESPONSE)

    def responses(weights: FloatArray) -> FamilyALaw:
        return fit_responses(
            response, weights, think_time_ms=think_time_ms, miss_exponent=miss_exponent
        )

    whole = responses(np.ones((1, len(response))))
    alone = np.arange(len(response)), np.arange(len(cpu))
    series = _pairs(len(SERIES))
    without = responses(_weights(response.series, series))
    return HeldOut(
        response_alone=_response(
            response, alone[0], responses(_weights(alone[0], _pairs(len(response))))
        ),
        response_series=_response(response, response.series, without),
        cpu_alone=_cpu(cpu, alone[1], fit_cpus(cpu, _weights(alone[1], _pairs(len(cpu))), whole)),
        cpu_series=_cpu(cpu, cpu.series, fit_cpus(cpu, _weights(cpu.series, series), without)),
    )


_UNIT = HalfWidths(known=1.0, unknown=1.0)


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


def _response(response: Points, group: IntArray, laws: FamilyALaw) -> HoldOut:
    values = response_ms(laws, **response.where)
    where = {name: response.where[name] for name in ("platform", "storage", "ram_gib")}
    gains = gain_at_response(
        base_response_ms(laws, ram_gib=response.ram_gib),
        response.users / knee_users(laws, **where),
        values,
        think_time_ms=laws.think_time_ms,
    )
    return _hold_out(response, group, values, gains)


def _cpu(cpu: Points, group: IntArray, laws: FamilyALaw) -> HoldOut:
    values = cpu_pct(laws, **cpu.where)
    return _hold_out(cpu, group, values, np.zeros_like(values))


def _hold_out(measured: Points, group: IntArray, values: FloatArray, gains: FloatArray) -> HoldOut:
    """Picks from (pairs, points) the fit that leaves out the groups of i and j, at point j."""
    groups = int(group.max()) + 1
    fit = np.zeros((groups, groups), dtype=np.int64)
    first, second = np.triu_indices(groups)
    fit[first, second] = fit[second, first] = np.arange(len(first))
    chosen = fit[group[:, None], group[None, :]]
    column = np.arange(len(measured))[None, :]
    return HoldOut(
        points=measured,
        group=group,
        predicted=values[chosen, column],
        gain=gains[chosen, column],
    )
