"""Predicted numbers: a value is never shown without its range, basis and evidence.

Units are part of every name (``ram_gib``, ``latency_ms``, ``cpu_pct``). GiB is 2**30 bytes and
GB is 10**9 bytes; the two meet only in `gib_from_gb`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from math import isnan
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from models.base.record import record
from models.base.rounding import steady
from models.base.texts import Text, say

FloatArray = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

GIB_PER_GB = 1e9 / 2**30
Z_90 = NormalDist().inv_cdf(0.95)
"""Standard deviations from the middle of a 90 % interval to its ends."""


def gib_from_gb(gb: float) -> float:
    """Decimal gigabytes [GB] to binary gibibytes [GiB]: 10⁹/2³⁰ times as many.

    Valid for any size. Source: IEC 80000-13, the binary prefixes.

    >>> round(gib_from_gb(36.0), 2)
    33.53
    """
    return gb * GIB_PER_GB


class Basis(IntEnum):
    """Where a number comes from, from the strongest claim to none.

    The order matters: a number derived from several others has the weakest of their bases.
    """

    MEASURED = 0
    INTERPOLATED = 1
    EXTRAPOLATED = 2
    TRANSFERRED = 3
    RULE = 4
    NO_DATA = 5

    @property
    def label(self) -> Text:
        """The word shown to people and written to JSON, such as ``no data``."""
        return _LABELS[self]


_LABELS = {
    Basis.MEASURED: say("measured"),
    Basis.INTERPOLATED: say("interpolated"),
    Basis.EXTRAPOLATED: say("extrapolated"),
    Basis.TRANSFERRED: say("transferred"),
    Basis.RULE: say("rule"),
    Basis.NO_DATA: say("no data"),
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """One predicted number with its nominal 90 % interval.

    Attributes:
        value: the model's value; None where there is no evidence.
        low, high: ends of the nominal 90 % interval; None with `value`.
        basis: where the number comes from.
        evidence: readable ids of the evidence rows behind it.
        measured: the measured figure where this very configuration was measured.
        judged_high: the end that a verdict looks at, by the policy's posture and without what is
            known to have worked; None where that is `high`.
        unknown: VMs without data behind it; the number is a lower bound where there are any.
    """

    value: float | None
    low: float | None
    high: float | None
    basis: Basis
    evidence: tuple[str, ...] = ()
    measured: float | None = None
    judged_high: float | None = None
    unknown: int = 0

    @property
    def at_least(self) -> bool:
        """Whether it is a part of the number, and so no more than a lower bound."""
        return self.value is not None and self.unknown > 0

    @property
    def is_exact(self) -> bool:
        """Whether there is nothing more to say than the value: no interval, and no part missing."""
        return self.low == self.high and not self.at_least

    @property
    def high_to_judge(self) -> float | None:
        """The high end that a verdict looks at."""
        return self.high if self.judged_high is None else self.judged_high

    def times(self, factor: float) -> Quantity:
        """The same number in another measure; nobody measured that."""
        ends = (self.value, self.low, self.high, self.judged_high)
        value, low, high, judged = (None if end is None else end * factor for end in ends)
        return replace(self, value=value, low=low, high=high, measured=None, judged_high=judged)


NO_DATA = Quantity(None, None, None, Basis.NO_DATA)

FURTHEST = 30.0
"""Ends of a response over its value, and its value over them, beyond which a range says nothing:
as far as from an idle server to the limit of the documents, 1 s. Stated."""

MINUTES_MS, SLOW_MS = 60_000.0, 1000.0
"""High end of a response from which on a range says nothing: nobody works with such a server. But
one whose value is past the limit of the documents is slow as far as anybody can tell. Stated."""


def judged_end(value: FloatArray, high: FloatArray, share: float) -> FloatArray:
    """The end of a number that is judged, in its unit: value·(high/value)^share.

    Intervals are nominal 90 % ones of errors that are relative, as a log-normal law has them, so
    the 80th percentile is at a share of 0.8416/1.6449 (`scenario.Posture`). Valid where they are;
    what has no value, or is nothing, is judged by its high end, as its interval is no factor.
    Source: quantiles of the normal law; docs/model.md, "Production".

    >>> value, high = np.array([10.0, 0.0, np.nan]), np.array([40.0, 5.0, 6.0])
    >>> [judged_end(value, high, share).round(1).tolist() for share in (1.0, 0.5, 0.0)]
    [[40.0, 5.0, 6.0], [20.0, 5.0, 6.0], [10.0, 0.0, 6.0]]
    """
    if share == 1.0:
        return high
    known = value > 0 if share > 0 else ~np.isnan(value)
    ratio = np.divide(high, value, out=np.ones(np.shape(value)), where=known & (value > 0))
    return np.where(known, value * steady(ratio**share), high)


def says_nothing(ends: FloatArray) -> BoolArray:
    """Responses [ms] whose range says nothing, so that they are not known; (3, n) gives (n,).

    high > 30·value, low < value/30, or a high end of a minute and more, of a value below 1 s. Valid
    for whatever makes it so wide: loads that nobody knows, runs far away, a resource that may be
    full. Source: docs/model.md, "Intervals"; stated.

    From 11 ms to 45 minutes, to 250 ms, and from 4 s to 90 s:

    >>> says_nothing(np.array([[53.0, 53.0, 9e3], [11.0, 11.0, 4e3], [2.7e6, 250.0, 9e4]])).tolist()
    [True, False, False]
    """
    value, low, high = ends
    wide = (high > FURTHEST * value) | (FURTHEST * low < value) | (high >= MINUTES_MS)
    return np.asarray(wide & (value < SLOW_MS))


def drawn_at(value: FloatArray, low: FloatArray, high: FloatArray, z: FloatArray) -> FloatArray:
    """Numbers with an error of so many standard deviations, in their unit.

    value·(high/value)^(z/1.6449) for z ≥ 0 and value·(value/low)^(z/1.6449) below: at ±1.6449 the
    interval's own ends. What is nothing, or has no data, stays as it is. Valid where the intervals
    are, as `judged_end` has it. Source: docs/model.md, “Intervals”.

    >>> ends = [np.full(3, each) for each in (10.0, 5.0, 40.0)]
    >>> drawn_at(*ends, np.array([-1.6449, 0.0, 1.6449])).round(2).tolist()
    [5.0, 10.0, 40.0]
    """
    share = z / Z_90
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.log(np.where(value > 0, high / value, 1.0))
        down = np.log(np.where((value > 0) & (low > 0), value / low, 1.0))
        found = value * np.exp(np.where(share >= 0, share * up, share * down))
    return np.where(np.isfinite(found), steady(found), value)


@record
class Series:
    """Many `Quantity`s of one kind as arrays, read-only, NaN where there is no data.

    Attributes:
        value, low, high: shape (n,), in the unit that the field's name says.
        judged_high: as `Quantity` has it, `high` itself where it is the same for all, shape (n,).
        basis: `Basis` codes, shape (n,), int8.
        evidence: index into `sources`, shape (n,), int32.
        sources: distinct tuples of evidence ids.
        measured: shape (n,), NaN where this configuration was not measured.
        unknown: VMs without data behind each, shape (n,); None where there are none.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    judged_high: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    sources: tuple[tuple[str, ...], ...]
    measured: FloatArray
    unknown: FloatArray | None = None

    def __post_init__(self) -> None:
        for array in (self.value, self.low, self.high, self.judged_high):
            array.setflags(write=False)
        for part in (self.basis, self.evidence, self.measured):
            part.setflags(write=False)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: int) -> Quantity:
        return _quantity(self.sources, *(column[index].item() for column in self._columns))

    def __iter__(self) -> Iterator[Quantity]:
        """Several times as quick as one after the other by its index."""
        return map(partial(_quantity, self.sources), *(each.tolist() for each in self._columns))

    @property
    def _columns(self) -> tuple[npt.NDArray[Any], ...]:
        """As `_quantity` takes them."""
        unknown = () if self.unknown is None else (self.unknown,)
        numbers = (self.value, self.low, self.high, self.judged_high, self.measured)
        return (self.basis, self.evidence, *numbers, *unknown)


def _quantity(
    sources: Sequence[tuple[str, ...]],
    code: int,
    evidence: int,
    value: float,
    low: float,
    high: float,
    judged_high: float,
    measured: float,
    unknown: float = 0,
) -> Quantity:
    """One number of a `Series`."""
    basis, ids = _BASES[code], sources[evidence] if sources else ()
    if basis is Basis.NO_DATA or isnan(value):
        return Quantity(None, None, None, Basis.NO_DATA, ids, unknown=int(unknown))
    own = None if isnan(measured) else measured
    judged = None if judged_high == high else judged_high
    return Quantity(value, low, high, basis, ids, own, judged, int(unknown))


_BASES = tuple(Basis)


def series(
    value: FloatArray,
    low: FloatArray,
    high: FloatArray,
    *,
    basis: npt.ArrayLike,
    sources: Sequence[tuple[str, ...]] = ((),),
    evidence: npt.ArrayLike = 0,
    measured: FloatArray | None = None,
) -> Series:
    """A `Series` from broadcastable parts; copies what it would otherwise freeze."""
    shape = np.shape(value)
    top = np.array(np.broadcast_to(high, shape), dtype=np.float64)
    return Series(
        np.array(value, dtype=np.float64),
        np.array(np.broadcast_to(low, shape), dtype=np.float64),
        top,
        top,
        np.array(np.broadcast_to(basis, shape), dtype=np.int8),
        np.array(np.broadcast_to(evidence, shape), dtype=np.int32),
        tuple(sources),
        np.full(shape, np.nan) if measured is None else np.array(measured, dtype=np.float64),
    )
