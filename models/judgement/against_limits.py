"""Values against their limits: which fit, which are at risk, and which of them is nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from models.base.quantities import BoolArray, FloatArray, Quantity, says_nothing
from models.base.record import record
from models.formulas.traced import ONE, PER_CENT, Column, labelled
from models.physics.columns import some
from models.predict.prediction import Binding, Verdict
from models.scenario.wording import judged_quantity

NEAR = 0.9
"""Share of a limit from which on a resource is at risk."""
EPSILON = 1e-9
NORMAL = "normal"
_VERDICTS = tuple(Verdict)
_NOT_KNOWN, _AT_RISK = np.int8(Verdict.NOT_KNOWN), np.int8(Verdict.AT_RISK)


def judged(
    value: FloatArray, high: FloatArray, limit: npt.ArrayLike, near: float = NEAR
) -> npt.NDArray[np.int8]:
    """`Verdict` codes of values against their limits; no data fits, for `Weighed.lacking` to say.

    Args:
        near: share of a limit from which on a value is at risk.

    >>> value = np.array([50.0, 65.0, 50.0, 71.0, np.nan])
    >>> judged(value, np.array([60.0, 66.0, 75.0, 72.0, np.nan]), 70.0).tolist()
    [0, 2, 2, 3, 0]
    """
    bound = np.asarray(limit) * (1 + EPSILON)
    over = value > bound
    doubtful = over | (value > near * bound) | (high > bound)
    codes: npt.NDArray[np.int8] = over.view(np.int8) + _AT_RISK * doubtful.view(np.int8)
    return codes


def may_exceed(value: float, high: float, limit: float) -> bool:
    """Whether an interval alone puts a number at risk."""
    return bool(value <= NEAR * limit and high > limit * (1 + EPSILON))


def over_limit(value: FloatArray, limit: FloatArray | float) -> FloatArray:
    """Numbers over their limits [1], in the same unit; more than 1 is beyond."""
    return labelled("load over limit", value / limit)


def left_pct(load: Column) -> Column:
    """What a load over its limit leaves of that [%]: 100·(1 − load), less than 0 beyond it."""
    return cast(Column, PER_CENT * labelled("what is left of the limit", ONE - cast(Any, load)))


@record
class Weighed:
    """One resource of all items of a kind, as the verdict is to see it.

    Attributes:
        ids: of the items; of the failed hosts where `failing`.
        resource: field name, such as ``cpu_pct``.
        value, high: as judged (at peak where that applies), NaN for no data; `low`: the other end,
            None where it is the value.
        limit: one for all, unless there are `limits`.
        limits: of each item, NaN for none.
        failing: one row a failure mode: over the limit makes the scenario at risk, no worse.
        own: of the vCPUs of VMs that restart, not of what survives.
        lacking: items of whose number some or all has no data; None where all is known.
    """

    ids: Sequence[str]
    resource: str
    value: FloatArray
    high: FloatArray
    limit: float
    limits: FloatArray | None = None
    failing: bool = False
    own: bool = False
    low: FloatArray | None = None
    lacking: BoolArray | None = None


@record
class Judged:
    """The same with its judgement.

    Attributes:
        codes: `Verdict` codes of the items by their numbers; `worst_code`: the worst of those with
            data. `verdicts`: the same, *not known* where a number is lacking that would decide.
        load: value over limit, NaN for no data; `greatest_load`: None when nothing is known.
    """

    ids: Sequence[str]
    resource: str
    value: FloatArray
    high: FloatArray
    limit: float
    limits: FloatArray | None
    failing: bool
    own: bool
    low: FloatArray | None
    codes: npt.NDArray[np.int8]
    load: FloatArray
    worst_code: int
    greatest_load: float | None
    lacking: BoolArray | None
    verdicts: npt.NDArray[np.int8]

    @property
    def lacks(self) -> bool:
        """Whether a number is lacking, in part or in whole."""
        return self.lacking is not None and some(self.lacking)

    @property
    def rank(self) -> tuple[int, float]:
        """Verdict code and greatest load, by which resources stand in line to decide."""
        code = min(self.worst_code, Verdict.AT_RISK) if self.failing else self.worst_code
        return code, self.greatest_load or 0.0

    @property
    def fits(self) -> bool:
        """No item with data is near its limit, with its interval or without."""
        return self.worst_code == 0

    def limit_of(self, row: int) -> float:
        """The limit of one item."""
        return self.limit if self.limits is None else float(self.limits[row])

    def low_of(self, row: int) -> float:
        """The low end of one item’s number."""
        return float((self.value if self.low is None else self.low)[row])

    def alike(self, other: Judged) -> bool:
        """The same resource of the same kind of thing, in the same kind of mode."""
        one, another = ((each.resource, each.failing, each.own) for each in (self, other))
        return one == another

    def worst(self) -> Candidate | None:
        """The item that decides: the worst verdict, then nearest to or furthest over its limit.

        Of items at risk by their interval alone, the one whose high end reaches furthest. The
        first of equals by id.
        """
        if self.greatest_load is None:
            return None
        code = self.worst_code
        if code == Verdict.AT_RISK:
            limits = self.limit if self.limits is None else self.limits
            rank = np.fmax(self.load, self.high / limits)
            rank = np.where((self.codes == code) & ~np.isnan(self.value), rank, -np.inf)
            greatest = np.fmax.reduce(rank)
        else:
            rank, greatest = self.load, self.greatest_load
        # Like hosts differ by the rounding of their sums, which is not to decide.
        rows = (rank >= greatest * (1 - EPSILON)).nonzero()[0].tolist()
        row = min(rows, key=lambda index: self.ids[index])
        id = self.ids[row]
        binding = self.binding(row, id, f"host {id}" if self.failing else NORMAL)
        verdict = _VERDICTS[min(code, Verdict.AT_RISK) if self.failing else code]
        return Candidate(verdict, binding, float(self.high[row]))

    def binding(self, row: int, subject: str, mode: str) -> Binding:
        """The number of one item as one that decides."""
        return Binding(
            subject=subject,
            resource=self.resource,
            mode=mode,
            value=float(self.value[row]),
            limit=self.limit_of(row),
            low=self.low_of(row),
            high=float(self.high[row]),
            own=self.own,
        )

    def headroom_pct(self) -> float | None:
        """What is left until the limit at the worst item, in per cent of the limit."""
        return None if self.greatest_load is None else left_pct(self.greatest_load)


def judge_each(resources: Sequence[Weighed], near: float = NEAR) -> list[Judged]:
    """Judge resources, all in one column: most have few items, and each call costs as much.

    Args:
        near: as `judged` has it.
    """
    value = np.concatenate([each.value for each in resources])
    high = np.concatenate([each.high for each in resources])
    sizes = [len(each.value) for each in resources]
    limit = np.array([each.limit for each in resources], dtype=np.float64).repeat(sizes)
    starts = list(accumulate(sizes, initial=0))
    for start, each in zip(starts, resources, strict=False):
        if each.limits is not None:
            limit[start : start + len(each.limits)] = each.limits
    codes, load = judged(value, high, limit, near), over_limit(value, limit)
    filled = [row for row, size in enumerate(sizes) if size]
    worst, greatest = [0] * len(sizes), [-np.inf] * len(sizes)
    if filled:
        firsts = [starts[row] for row in filled]
        known = codes * ~np.isnan(value)
        worst_there = np.maximum.reduceat(known, firsts).tolist()
        for row, code, most in zip(
            filled, worst_there, np.fmax.reduceat(load, firsts).tolist(), strict=True
        ):
            worst[row], greatest[row] = code, most
    found = []
    for row, each in enumerate(resources):
        part = slice(starts[row], starts[row + 1])
        most = greatest[row]
        found.append(
            Judged(
                each.ids,
                each.resource,
                each.value,
                each.high,
                each.limit,
                each.limits,
                each.failing,
                each.own,
                each.low,
                codes[part],
                load[part],
                worst[row],
                most if most > -np.inf else None,
                each.lacking,
                _verdicts(codes[part], each.lacking),
            )
        )
    return found


def _verdicts(codes: npt.NDArray[np.int8], lacking: BoolArray | None) -> npt.NDArray[np.int8]:
    """Codes of numbers as verdicts on the items."""
    if lacking is None:
        return codes
    return np.where(lacking, np.maximum(codes, _NOT_KNOWN), codes)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may decide the verdict."""

    verdict: Verdict
    binding: Binding
    high: float


def quantity_of(binding: Binding) -> Quantity:
    """The number that decides, as it is judged, with its ends."""
    low, high = (binding.value if end is None else end for end in (binding.low, binding.high))
    return judged_quantity(binding.value, low, high)


def is_vague(binding: Binding) -> bool:
    """A response that isn't known, as its range says nothing, and may pass its limit."""
    found = quantity_of(binding)
    if binding.resource != "response_ms" or binding.stranded or found.value is None:
        return False
    return bool(says_nothing(np.array([found.value, found.low, found.high])))
