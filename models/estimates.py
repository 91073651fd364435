"""Numbers on their way to a `Series`: value, interval, basis and evidence as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from models.quantities import Basis, BoolArray, FloatArray, IntArray, Series

MEASURED, INTERPOLATED, EXTRAPOLATED, TRANSFERRED, RULE, NO_DATA = (int(basis) for basis in Basis)
"""`Basis` codes as plain numbers: an enumeration's members are slow to reach and to convert."""


class Sources:
    """Distinct tuples of evidence ids, numbered in order of first use; 0 is none."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, ...], int] = {(): 0}

    def code(self, ids: tuple[str, ...]) -> int:
        return self._codes.setdefault(ids, len(self._codes))

    def all(self) -> tuple[tuple[str, ...], ...]:
        return tuple(self._codes)

    def unions(
        self, rows: IntArray, codes: npt.NDArray[np.int32], count: int
    ) -> npt.NDArray[np.int32]:
        """For each of `count` sums the code of all ids behind its parts, in whatever order."""
        together = np.zeros(count, dtype=np.uint64)
        np.bitwise_or.at(together, rows, np.uint64(1) << codes.astype(np.uint64))
        masks, inverse = np.unique(together, return_inverse=True)
        tuples = self.all()
        merged = np.array([self.code(_merged(tuples, int(mask))) for mask in masks], dtype=np.int32)
        return merged[inverse] if count else np.zeros(0, dtype=np.int32)


@dataclass(slots=True, eq=False)
class Estimate:
    """One number for each of n items; NaN and `Basis.NO_DATA` where there is no evidence.

    `measured` is the figure of this very configuration, NaN where it wasn't measured.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    measured: FloatArray = field(default_factory=lambda: np.empty(0))

    @classmethod
    def no_data(cls, count: int) -> Estimate:
        """Nothing known about any of `count` items."""
        value, low, high, measured = np.full((4, count), np.nan)
        basis = np.full(count, NO_DATA, dtype=np.int8)
        return cls(value, low, high, basis, np.zeros(count, dtype=np.int32), measured)

    @classmethod
    def exact(cls, value: FloatArray, basis: int, evidence: int = 0) -> Estimate:
        """Figures that follow from the input without error; NaN is no data."""
        known = ~np.isnan(value)
        return cls(
            value,
            value,
            value,
            np.where(known, basis, NO_DATA).astype(np.int8),
            np.where(known, evidence, 0).astype(np.int32),
            np.full(len(value), np.nan),
        )

    @property
    def known(self) -> BoolArray:
        return np.asarray(self.basis != NO_DATA)

    def __len__(self) -> int:
        return len(self.value)

    def put(
        self,
        where: BoolArray,
        value: npt.ArrayLike,
        *,
        below: npt.ArrayLike = 1.0,
        above: npt.ArrayLike = 1.0,
        basis: npt.ArrayLike,
        evidence: npt.ArrayLike = 0,
    ) -> None:
        """Set the items `where`: interval from value·below to value·above."""
        self.value[where] = value
        self.low[where] = np.asarray(value) * below
        self.high[where] = np.asarray(value) * above
        self.basis[where] = basis
        self.evidence[where] = evidence

    def drop(self, where: BoolArray) -> None:
        """No data for the items `where`."""
        for array in (self.value, self.low, self.high, self.measured):
            array[where] = np.nan
        self.basis[where] = NO_DATA
        self.evidence[where] = 0

    def weaken(self, where: BoolArray, basis: int) -> None:
        """The basis of the items `where` is at best `basis`; no longer a measured figure."""
        changed = where & self.known
        self.basis[changed] = np.maximum(self.basis[changed], basis)
        self.measured[changed] = np.nan

    def series(self, sources: Sources) -> Series:
        """The finished column, sharing this estimate's arrays, which can't be written any more."""
        return Series(
            self.value,
            self.low,
            self.high,
            self.basis,
            self.evidence,
            sources.all(),
            self.measured,
        )


def _merged(tuples: tuple[tuple[str, ...], ...], mask: int) -> tuple[str, ...]:
    ids = {id for code, ids in enumerate(tuples) if mask >> code & 1 for id in ids}
    return tuple(sorted(ids))


def total(
    parts: Estimate,
    position: IntArray,
    count: int,
    sources: Sources,
    *,
    ceiling: FloatArray | None = None,
) -> Estimate:
    """Sums of `parts` by position (−1: nobody's).

    A sum is never *measured* itself. The ends of the intervals add up: the parts share one law
    and err together. Where parts have no data the sum is the known part, by rule; its high end
    takes the unknown parts at `ceiling`, where given. Nothing known at all is no data; nothing
    there at all is zero.
    """
    there = position >= 0
    rows, known = position[there], parts.known[there]
    unknown = np.bincount(rows[~known], minlength=count)
    found = np.bincount(rows[known], minlength=count)
    columns = [
        # bincount of nothing counts in integers, weights or not
        np.bincount(rows, weights=np.where(known, column[there], 0.0), minlength=count).astype(
            np.float64
        )
        for column in (parts.value, parts.low, parts.high)
    ]
    if ceiling is not None:
        at_most = np.where(known, 0.0, ceiling[there])
        columns[2] = columns[2] + np.bincount(rows, weights=at_most, minlength=count)
    basis = np.full(count, INTERPOLATED, dtype=np.int8)
    np.maximum.at(basis, rows[known], parts.basis[there][known])
    basis[(found + unknown) == 0] = RULE
    basis[unknown > 0] = np.maximum(basis[unknown > 0], RULE)
    evidence = sources.unions(rows[known], parts.evidence[there][known], count)
    sums = Estimate(columns[0], columns[1], columns[2], basis, evidence, np.full(count, np.nan))
    sums.drop((found == 0) & (unknown > 0))
    return sums


def ends(parts: Estimate) -> FloatArray:
    """Value, low and high end, shape (3, n)."""
    return np.array([parts.value, parts.low, parts.high])


def taken(parts: Estimate, rows: IntArray) -> Estimate:
    """The items `rows` of an estimate, in that order; rows may repeat."""
    return Estimate(
        parts.value[rows],
        parts.low[rows],
        parts.high[rows],
        parts.basis[rows],
        parts.evidence[rows],
        parts.measured[rows],
    )


def scaled(parts: Estimate, factor: FloatArray) -> Estimate:
    """Every item times its factor; NaN makes no data of it."""
    result = Estimate(
        parts.value * factor,
        parts.low * factor,
        parts.high * factor,
        parts.basis.copy(),
        parts.evidence.copy(),
        parts.measured * factor,
    )
    result.drop(np.isnan(factor))
    return result


def at_most(parts: Estimate, ceiling: FloatArray) -> Estimate:
    """Every item, and both ends of its interval, not above its ceiling."""
    return Estimate(
        np.minimum(parts.value, ceiling),
        np.minimum(parts.low, ceiling),
        np.minimum(parts.high, ceiling),
        parts.basis.copy(),
        parts.evidence.copy(),
        parts.measured.copy(),
    )
