"""Numbers on their way to a `Series`: value, interval, basis and evidence as arrays."""

from __future__ import annotations

from dataclasses import dataclass

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
        distinct = len(self._codes)
        behind = np.zeros(count * distinct, dtype=np.bool_)
        behind[rows * distinct + codes] = True
        seen: dict[bytes, int] = {}
        rows_of = behind.tobytes()
        merged = np.zeros(count, dtype=np.int32)
        for row in range(count):
            key = rows_of[row * distinct : (row + 1) * distinct]
            code = seen.get(key)
            if code is None:
                code = seen[key] = self._merged(key)
            merged[row] = code
        return merged

    def _merged(self, parts: bytes) -> int:
        tuples = self.all()
        ids = {id for code, there in enumerate(parts) if there for id in tuples[code]}
        return self.code(tuple(sorted(ids)))


class NoSources(Sources):
    """For batches that nobody asks for evidence: every tuple is none."""

    def code(self, ids: tuple[str, ...]) -> int:
        return 0

    def unions(
        self, rows: IntArray, codes: npt.NDArray[np.int32], count: int
    ) -> npt.NDArray[np.int32]:
        return np.zeros(count, dtype=np.int32)


@dataclass(slots=True, eq=False)
class Estimate:
    """One number for each of n items; NaN and `Basis.NO_DATA` where there is no evidence.

    Attributes:
        ends: value, low and high end, shape (3, n): what holds for one of them mostly holds for
            all three, so they are computed at once.
        basis: `Basis` codes; `evidence`: codes of `Sources`, shape (n,).
        measured: the figure of this very configuration, NaN where it wasn't measured.
    """

    ends: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    measured: FloatArray

    @classmethod
    def no_data(cls, count: int) -> Estimate:
        """Nothing known about any of `count` items."""
        figures = np.full((4, count), np.nan)
        basis = np.full(count, NO_DATA, dtype=np.int8)
        return cls(figures[:3], basis, np.zeros(count, dtype=np.int32), figures[3])

    @classmethod
    def exact(cls, value: FloatArray, basis: int) -> Estimate:
        """Figures that follow from the input without error; NaN is no data."""
        count = len(value)
        codes = np.full(count, basis, dtype=np.int8)
        codes[np.isnan(value)] = NO_DATA
        ends = np.empty((3, count))
        ends[:] = value
        return cls(ends, codes, np.zeros(count, dtype=np.int32), np.full(count, np.nan))

    @property
    def value(self) -> FloatArray:
        end: FloatArray = self.ends[0]
        return end

    @property
    def low(self) -> FloatArray:
        end: FloatArray = self.ends[1]
        return end

    @property
    def high(self) -> FloatArray:
        end: FloatArray = self.ends[2]
        return end

    @property
    def known(self) -> BoolArray:
        return np.asarray(self.basis != NO_DATA)

    def __len__(self) -> int:
        return len(self.basis)

    def put(
        self,
        where: BoolArray,
        value: npt.ArrayLike,
        *,
        below: float = 1.0,
        basis: npt.ArrayLike,
        evidence: npt.ArrayLike = 0,
    ) -> None:
        """Set the items `where`: interval from value·below to value."""
        self.ends[:, where] = value
        if below != 1.0:
            self.ends[1, where] *= below
        self.basis[where] = basis
        self.evidence[where] = evidence

    def drop(self, where: BoolArray) -> None:
        """No data for the items `where`."""
        if where.any():
            self.ends[:, where] = np.nan
            self.measured[where] = np.nan
            self.basis[where] = NO_DATA
            self.evidence[where] = 0

    def weaken(self, where: BoolArray, basis: int) -> None:
        """The basis of the items `where` is at best `basis`; no longer a measured figure."""
        changed = where & self.known
        if changed.any():
            self.basis[changed] = np.maximum(self.basis[changed], basis)
            self.measured[changed] = np.nan

    def series(self, sources: Sources) -> Series:
        """The finished column, sharing this estimate's arrays, which can't be written any more."""
        value, low, high = self.ends
        return Series(value, low, high, self.basis, self.evidence, sources.all(), self.measured)


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
    here = position >= 0
    counted = here & parts.known
    amounts = np.where(counted, parts.ends, 0.0)
    unknown_at = None
    if not np.array_equal(here, counted):
        unknown_at = here & ~counted
        if ceiling is not None:
            amounts[2] = np.where(unknown_at, ceiling, amounts[2])
    # Row 0 of every sum is what belongs to nobody.
    place, size = position + 1, count + 1
    ends = np.empty((3, count))
    for end, amount in zip(ends, amounts, strict=True):
        end[:] = np.bincount(place, amount, size)[1:]
    rows, codes = position[counted], parts.basis[counted]
    seen = np.zeros(count * BASES, dtype=np.bool_)
    seen[rows * BASES + codes] = True
    weakest = _WEAKEST[np.packbits(seen.reshape(count, BASES), axis=1, bitorder="little")[:, 0]]
    evidence = sources.unions(rows, parts.evidence[counted], count)
    sums = Estimate(ends, weakest, evidence, np.full(count, np.nan))
    if unknown_at is not None:
        lacking = np.zeros(count, dtype=np.bool_)
        lacking[position[unknown_at]] = True
        found = seen.reshape(count, BASES).any(axis=1)
        sums.basis[lacking] = np.maximum(sums.basis[lacking], RULE)
        sums.drop(lacking & ~found)
    return sums


def _weakest_of(mask: int) -> int:
    """Basis of a sum whose parts have the bases in a bit mask: at best interpolated."""
    return max(mask.bit_length() - 1, INTERPOLATED) if mask else RULE


BASES = len(Basis)
_WEAKEST = np.array([_weakest_of(mask) for mask in range(1 << BASES)], dtype=np.int8)


def taken(parts: Estimate, rows: IntArray) -> Estimate:
    """The items `rows` of an estimate, in that order; rows may repeat."""
    return Estimate(
        parts.ends[:, rows], parts.basis[rows], parts.evidence[rows], parts.measured[rows]
    )


def scaled(parts: Estimate, factor: FloatArray) -> Estimate:
    """Every item times its factor; NaN makes no data of it."""
    result = Estimate(
        parts.ends * factor, parts.basis.copy(), parts.evidence.copy(), parts.measured * factor
    )
    result.drop(np.isnan(factor))
    return result


def at_most(parts: Estimate, ceiling: FloatArray) -> Estimate:
    """Every item, and both ends of its interval, not above its ceiling."""
    return Estimate(
        np.minimum(parts.ends, ceiling),
        parts.basis.copy(),
        parts.evidence.copy(),
        parts.measured.copy(),
    )
