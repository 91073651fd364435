"""How far off the model is where it did not look: the table behind `validate`.

Family A is refitted with each point left out alone (``inside``: all but the last of a series;
``beyond``: the last) and with each series left out, CPU and response together (``series``).

Of family B each of its four runs is left out and predicted by the others (``run``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import BoolArray, FloatArray
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.evidence.calibration import Calibration, outside_constants, rounded
from models.evidence.constants import family_constants
from models.evidence.knowledge import Knowledge
from models.evidence.rows import EvidenceRow, by_id
from models.evidence.uncertainty import NOMINAL, TUNED_CONSTANTS
from models.fitting.baselines import BASELINES, PERCENTAGE_BASELINES, held_out_baseline
from models.fitting.family_a_fit import CPU, RESPONSE, Points, fit_law
from models.fitting.family_b_runs import REST, runs_left_out
from models.fitting.field_servers import field_checks
from models.fitting.holdout import HoldOut, Tick, held_out, no_tick
from models.fitting.transfers import RELEASE, TransferCheck, transfer_checks

ALL = "all"
SURE = 0.95
"""Share of tables, made with exact intervals, that `IntervalCoverage.least` to `most` covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalCoverage:
    """Held-out points inside their nested intervals.

    Attributes:
        quantity, split: of the points, or ``all``.
        n, inside: points, and those inside.
        least, most: how many of n independent points exact 90 % intervals would hold, in 95 of 100
            cases.
    """

    quantity: str
    split: str
    n: int
    inside: int
    least: int
    most: int

    @property
    def coverage_pct(self) -> float:
        return 100.0 * self.inside / self.n


def interval_coverage(quantity: str, split: str, inside: Sequence[bool]) -> IntervalCoverage:
    """Counts points inside, with the range of an exact interval beside it."""
    least, most = expected_range(len(inside))
    return IntervalCoverage(
        quantity=quantity,
        split=split,
        n=len(inside),
        inside=sum(map(bool, inside)),
        least=least,
        most=most,
    )


def expected_range(n: int, *, share: float = NOMINAL, sure: float = SURE) -> tuple[int, int]:
    """The central range of a binomial count, at most (1 − sure)/2 of probability on either side.

    Args:
        n: independent points.
        share: probability that an interval holds its point.
        sure: least probability of the range.

    >>> expected_range(8), expected_range(35)
    ((5, 8), (28, 35))
    """
    tail = (1.0 - sure) / 2.0
    chances = [math.comb(n, k) * share**k * (1.0 - share) ** (n - k) for k in range(n + 1)]
    return _first_beyond(chances, tail), n - _first_beyond(chances[::-1], tail)


def _first_beyond(chances: Sequence[float], tail: float) -> int:
    total = 0.0
    for count, chance in enumerate(chances):
        total += chance
        if total > tail:
            return count
    return len(chances) - 1


INSIDE, BEYOND, SERIES_SPLIT = "inside", "beyond", "series"
TRANSFER, A_TO_B, RUN = "transfer", "A→B", "run"
OWN = "own"
"""Family and split of somebody's own servers, which no fit ever saw (`models.against`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Errors over the held-out points of one quantity and split.

    Attributes:
        n: number of points.
        mape_pct, median_ape_pct, p90_ape_pct: mean, median and 90th percentile of the absolute
            percentage error.
        coverage_pct: share of points inside their nested 90 % intervals.
        log_error: mean |ln(predicted/measured)|.
        bias: mean ln(predicted/measured).
        parameters: constants tuned on the family.
        baseline_mape_pct: the best of straight line, line plus square and hyperbola; None where
            a baseline, fitted to one series, has nothing to say.
        baseline_log_error: the best of these and the exponential.
    """

    family: str
    quantity: str
    split: str
    n: int
    mape_pct: float
    median_ape_pct: float
    p90_ape_pct: float
    coverage_pct: float
    log_error: float
    bias: float
    parameters: int
    baseline_mape_pct: float | None
    baseline_log_error: float | None

    def to_data(self) -> dict[str, Any]:
        """The row as texts and numbers."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Accuracy:
        """The row from what `to_data` gave.

        Raises:
            ModelError: a field is missing, or there is another.
        """
        try:
            return cls(**data)
        except TypeError as error:
            raise ModelError(str(error), field="accuracy") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutPoint:
    """One held-out point with its prediction and nested 90 % interval."""

    family: str
    quantity: str
    split: str
    evidence: str
    measured: float
    predicted: float
    low: float
    high: float

    @property
    def is_inside(self) -> bool:
        """Whether the measured figure lies inside the interval of its prediction."""
        return self.low <= self.measured <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineError:
    """Errors of one naive baseline over the points that it can predict."""

    quantity: str
    split: str
    baseline: str
    n: int
    mape_pct: float
    log_error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchecked:
    """A family that is too small to hold anything out, and why."""

    family: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """The accuracy table with everything needed to recompute it.

    `transfers` holds families against each other; `applied` the runs of family B, each by the
    others, the transfer from A to B, and production against field servers and makers' sizes, with
    its points; `unchecked` says why families can't be held out.
    """

    accuracy: tuple[Accuracy, ...]
    points: tuple[HeldOutPoint, ...]
    baselines: tuple[BaselineError, ...]
    unchecked: tuple[Unchecked, ...]
    transfers: tuple[TransferCheck, ...] = ()
    applied: tuple[Accuracy, ...] = ()
    applied_points: tuple[HeldOutPoint, ...] = ()

    @property
    def of_families(self) -> tuple[Accuracy, ...]:
        """What is shipped with the calibration: points left out, and whole runs of family B."""
        return (*self.accuracy, *(row for row in self.applied if row.split == RUN))

    def coverage(self) -> tuple[IntervalCoverage, ...]:
        """Points inside their intervals: each row of the table, each quantity, and all of them."""
        rows = [(row.quantity, row.split) for row in self.accuracy]
        pooled = [(quantity, ALL) for quantity in dict.fromkeys(quantity for quantity, _ in rows)]
        return tuple(
            interval_coverage(
                quantity, split, [point.is_inside for point in self._chosen(quantity, split)]
            )
            for quantity, split in (*rows, *pooled, (ALL, ALL))
        )

    def _chosen(self, quantity: str, split: str) -> list[HeldOutPoint]:
        return [
            point
            for point in self.points
            if quantity in {ALL, point.quantity} and split in {ALL, point.split}
        ]

    def to_data(self) -> dict[str, Any]:
        """The validation as plain lists and dictionaries."""
        return {
            "accuracy": [row.to_data() for row in (*self.accuracy, *self.applied)],
            "points": [asdict(point) for point in (*self.points, *self.applied_points)],
            "baselines": [asdict(row) for row in self.baselines],
            "unchecked": [asdict(row) for row in self.unchecked],
            "coverage": [
                asdict(row) | {"coverage_pct": _digits(row.coverage_pct)} for row in self.coverage()
            ],
            "transfers": [asdict(row) for row in self.transfers],
        }


UNCHECKED = (
    Unchecked(family="C", reason=say("Single figures before and after: nothing to hold out")),
    Unchecked(family="D", reason=say("One point known to be feasible, without CPU figures")),
    Unchecked(family="E", reason=say("Single factors and shares: nothing to hold out")),
    Unchecked(family="F", reason=say("Single shares of CPU: nothing to hold out")),
)


def validate(rows: Sequence[EvidenceRow], catalog: Catalog, tick: Tick = no_tick) -> Validation:
    """Refits with points and series held out; about a thousand small fits, a few seconds.

    Args:
        rows: the evidence.
        catalog: for the SPEC rates of the measured machines.
        tick: told between fits which share is done; what it raises ends the work.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    constants = rounded(family_constants(by_id(rows)))
    outside = outside_constants(constants)
    result = held_out(rows, tick, **outside)
    law = Calibration(
        law=rounded(fit_law(rows, **outside)),
        uncertainty=rounded(result.uncertainty()),
        constants=constants,
    )
    transfers = transfer_checks(rows, Knowledge(catalog, law))
    carried = [check for check in transfers if check.by == RELEASE]
    runs = map(rounded, runs_left_out(by_id(rows), law))
    points = _applied_points((*runs, *carried, *field_checks(rows, law)))
    cpu = _quantity(CPU, result.cpu_alone, result.cpu_series)
    response = _quantity(RESPONSE, result.response_alone, result.response_series)
    return Validation(
        accuracy=cpu.accuracy + response.accuracy,
        points=cpu.points + response.points,
        baselines=cpu.baselines + response.baselines,
        unchecked=UNCHECKED,
        transfers=transfers,
        applied=tuple(errors_of_points(points)),
        applied_points=points,
    )


def _applied_points(checks: Sequence[TransferCheck]) -> tuple[HeldOutPoint, ...]:
    """The checks of what is applied beyond its family, as points."""
    return tuple(
        HeldOutPoint(
            family=A_TO_B if check.by == RELEASE else check.family,
            quantity=check.quantity,
            split=RUN if check.by == REST else TRANSFER,
            evidence=check.evidence,
            measured=check.measured,
            predicted=check.predicted,
            low=check.low,
            high=check.high,
        )
        for check in checks
    )


def errors_of_points(points: Sequence[HeldOutPoint]) -> Iterator[Accuracy]:
    """A row for each family, quantity and split among points; nothing naive stands beside them."""
    keys = dict.fromkeys((point.family, point.quantity, point.split) for point in points)
    for family, quantity, split in keys:
        found = [
            point
            for point in points
            if (point.family, point.quantity, point.split) == (family, quantity, split)
        ]
        measured, predicted = np.array([(each.measured, each.predicted) for each in found]).T
        percent, logarithm = (
            100.0 * np.abs(predicted / measured - 1.0),
            np.log(predicted / measured),
        )
        yield Accuracy(
            family=family,
            quantity=quantity,
            split=split,
            n=len(found),
            mape_pct=_digits(percent.mean()),
            median_ape_pct=_digits(np.median(percent)),
            p90_ape_pct=_digits(np.quantile(percent, 0.9)),
            coverage_pct=_digits(float(100.0 * np.mean([point.is_inside for point in found]))),
            log_error=_digits(np.abs(logarithm).mean()),
            bias=_digits(logarithm.mean()),
            parameters=0,
            baseline_mape_pct=None,
            baseline_log_error=None,
        )


def _quantity(quantity: str, alone: HoldOut, series: HoldOut) -> Validation:
    last = alone.points.last
    splits = (
        (INSIDE, alone, ~last),
        (BEYOND, alone, last),
        (SERIES_SPLIT, series, np.ones_like(last)),
    )
    baselines = tuple(
        row
        for split, _, chosen in splits[:2]
        for row in _baselines(quantity, split, alone.points, chosen)
    )
    return Validation(
        accuracy=tuple(_accuracy(quantity, *split, baselines) for split in splits),
        points=tuple(point for split in splits for point in _points(quantity, *split)),
        baselines=baselines,
        unchecked=(),
    )


def _accuracy(
    quantity: str,
    split: str,
    result: HoldOut,
    chosen: BoolArray,
    baselines: Sequence[BaselineError],
) -> Accuracy:
    measured, predicted = result.points.value[chosen], result.value[chosen]
    low, high = (end[chosen] for end in result.intervals())
    percent, logarithm = 100.0 * np.abs(predicted / measured - 1.0), np.log(predicted / measured)
    rivals = [row for row in baselines if row.split == split]
    in_percent = [row.mape_pct for row in rivals if row.baseline in PERCENTAGE_BASELINES]
    return Accuracy(
        family="A",
        quantity=quantity,
        split=split,
        n=len(measured),
        mape_pct=_digits(percent.mean()),
        median_ape_pct=_digits(np.median(percent)),
        p90_ape_pct=_digits(np.quantile(percent, 0.9)),
        coverage_pct=_digits(100.0 * ((low <= measured) & (measured <= high)).mean()),
        log_error=_digits(np.abs(logarithm).mean()),
        bias=_digits(logarithm.mean()),
        parameters=TUNED_CONSTANTS,
        baseline_mape_pct=min(in_percent, default=None),
        baseline_log_error=min((row.log_error for row in rivals), default=None),
    )


def _points(
    quantity: str, split: str, result: HoldOut, chosen: BoolArray
) -> tuple[HeldOutPoint, ...]:
    low, high = result.intervals()
    return tuple(
        HeldOutPoint(
            family="A",
            quantity=quantity,
            split=split,
            evidence=result.points.ids[index],
            measured=float(result.points.value[index]),
            predicted=_digits(result.value[index]),
            low=_digits(low[index]),
            high=_digits(high[index]),
        )
        for index in np.flatnonzero(chosen)
    )


def _baselines(
    quantity: str, split: str, points: Points, chosen: BoolArray
) -> tuple[BaselineError, ...]:
    return tuple(
        _baseline(quantity, split, name, held_out_baseline(curve, points)[chosen], points, chosen)
        for name, curve in BASELINES.items()
    )


def _baseline(
    quantity: str,
    split: str,
    name: str,
    predicted: FloatArray,
    points: Points,
    chosen: BoolArray,
) -> BaselineError:
    known = ~np.isnan(predicted)
    ratio = predicted[known] / points.value[chosen][known]
    return BaselineError(
        quantity=quantity,
        split=split,
        baseline=name,
        n=int(known.sum()),
        mape_pct=_digits(100.0 * np.abs(ratio - 1.0).mean()),
        log_error=_digits(np.abs(np.log(ratio)).mean()),
    )


def _digits(value: float) -> float:
    return rounded(float(value))
