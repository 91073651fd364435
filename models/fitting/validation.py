"""How far off the model is where it did not look: the table behind `validate`.

Family A is refitted with each point left out alone (``inside``: all but the last of a series;
``beyond``: the last) and with each series left out, CPU and response together (``series``).

Production servers and makers' sizes against what the production basis says of them. No benchmark is
behind these figures: servers of customers, measured by others, and sizes that a maker recommends. A
field server is predicted by the other one (`profiles` is the line through both); makers' sizes by
the field servers, of which they know nothing.
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
from models.evidence.profiles import PROFILES
from models.evidence.rows import EvidenceRow, by_id, figure
from models.evidence.uncertainty import NOMINAL, TUNED_CONSTANTS
from models.fitting.baselines import BASELINES, PERCENTAGE_BASELINES, held_out_baseline
from models.fitting.family_a_fit import CPU, RESPONSE, Points, fit_law
from models.fitting.holdout import HoldOut, Tick, held_out, no_tick
from models.fitting.transfers import RELEASE, TransferCheck, transfer_checks
from models.scenario.owners import ACTIVE_OF_REGISTERED
from models.scenario.scenario import Profile
from models.scenario.wording import number

FIELD, VENDOR = "field", "vendor"
LIMIT = 0.70
"""Share of its cores that a server of the maker's size is taken to be busy."""

OTHER_SERVER, BOTH_SERVERS = say("the other field server"), say("both field servers")


def field_checks(
    rows: Sequence[EvidenceRow], calibration: Calibration
) -> tuple[TransferCheck, ...]:
    """Cores and I/Os of each field server by the other, and the maker's sizes by both.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    figures = by_id(rows)
    found = [*_servers(figures, "cpus", "cores"), *_servers(figures, "iops", "iops")]
    return tuple(map(rounded, (*found, *_sizes(figures, calibration))))


def _servers(figures: dict[str, EvidenceRow], what: str, quantity: str) -> list[TransferCheck]:
    work = PROFILES[Profile.BROWSER]
    half = work.iops_half_width if what == "iops" else work.cores_half_width
    half = math.hypot(half, 0.0 if what == "iops" else work.machine_half_width)
    found = []
    for server, other in (("a", "b"), ("b", "a")):
        owners = figure(figures, f"field/{server}/home-users")
        ids = [f"field/{{}}/{what}-{when}" for when in ("mean", "now")]
        there = math.sqrt(math.prod(figure(figures, id.format(other)) for id in ids))
        if what == "cpus":
            there *= owners / figure(figures, f"field/{other}/home-users")
        found += [
            TransferCheck(
                family=FIELD,
                quantity=quantity,
                by=OTHER_SERVER,
                evidence=id.format(server),
                measured=figure(figures, id.format(server)),
                predicted=there,
                low=there * math.exp(-half),
                high=there * math.exp(half),
            )
            for id in ids
        ]
    return found


def _sizes(figures: dict[str, EvidenceRow], calibration: Calibration) -> list[TransferCheck]:
    """HCL's cores for 10, 100 and 1,000 users, at 70 %, by the field servers' line."""
    work, found = PROFILES[Profile.BROWSER], []
    each = calibration.constants.mail85.cpu_core_pct_per_user.value / 100.0
    half = math.hypot(work.cores_half_width, work.machine_half_width)
    for users in (10, 100, 1000):
        other = work.server_cores + work.user_cores * users / 1000.0
        own = users * ACTIVE_OF_REGISTERED * each
        value = (other + own) / LIMIT
        id = f"field/hcl/cores-{users}"
        found.append(
            TransferCheck(
                family=VENDOR,
                quantity="cores",
                by=BOTH_SERVERS,
                evidence=id,
                measured=figure(figures, id),
                predicted=value,
                low=(other * math.exp(-half) + own) / LIMIT,
                high=(other * math.exp(half) + own) / LIMIT,
            )
        )
    return found


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
TRANSFER, A_TO_B = "transfer", "A→B"
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

    `transfers` holds families against each other; `applied` the transfer from A to B and production
    against field servers and makers' sizes, with its points; `unchecked` says why families can't be
    held out.
    """

    accuracy: tuple[Accuracy, ...]
    points: tuple[HeldOutPoint, ...]
    baselines: tuple[BaselineError, ...]
    unchecked: tuple[Unchecked, ...]
    transfers: tuple[TransferCheck, ...] = ()
    applied: tuple[Accuracy, ...] = ()
    applied_points: tuple[HeldOutPoint, ...] = ()

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


SINGLE_FIGURES = (
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
    transfers = transfer_checks(rows, law, catalog)
    carried = [check for check in transfers if check.by == RELEASE]
    points = _applied_points((*carried, *field_checks(rows, law)))
    cpu = _quantity(CPU, result.cpu_alone, result.cpu_series)
    response = _quantity(RESPONSE, result.response_alone, result.response_series)
    return Validation(
        accuracy=cpu.accuracy + response.accuracy,
        points=cpu.points + response.points,
        baselines=cpu.baselines + response.baselines,
        unchecked=unchecked(rows),
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
            split=TRANSFER,
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


def unchecked(rows: Sequence[EvidenceRow]) -> tuple[Unchecked, ...]:
    """The families that are too small to hold anything out; takes no fit.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    return (_family_b(rows), *SINGLE_FIGURES)


def _family_b(rows: Sequence[EvidenceRow]) -> Unchecked:
    table = "vsphere4/table1/dominomail-0{}/{}"
    figures = by_id(rows)

    def spread_pct(metric: str) -> float:
        one, two = (figure(figures, table.format(vm, metric)) for vm in (1, 2))
        return 100.0 * abs(one - two) / ((one + two) / 2.0)

    return Unchecked(
        family="B",
        reason=say(
            "One load (4,000 users) and one run each: nothing to hold out; its two VMs, which ran "
            "the same load, differ by {cpu} % in CPU and {iops} % in IOPS",
            cpu=number(spread_pct("cpu_avg"), 1),
            iops=number(spread_pct("disk_io_avg"), 1),
        ),
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
