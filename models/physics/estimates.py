"""Numbers on their way to a `Series`: value, interval, basis and evidence as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.base.quantities import Basis, BoolArray, FloatArray, IntArray, Series, judged_end
from models.physics.columns import blank, filled, some, sums_by

MEASURED, INTERPOLATED, EXTRAPOLATED, TRANSFERRED, RULE, NO_DATA = (int(basis) for basis in Basis)
"""`Basis` codes as plain numbers: an enumeration's members are slow to reach and to convert."""


class Sources:
    """Distinct tuples of evidence ids, numbered in order of first use; 0 is none."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, ...], int] = {(): 0}
        self._mixes: dict[bytes, tuple[int, int]] = {}
        self._all: tuple[tuple[str, ...], ...] = ((),)

    def copy(self) -> Sources:
        """The same numbers, to go on from."""
        there = Sources()
        there._codes, there._mixes, there._all = self._codes.copy(), self._mixes.copy(), self._all
        return there

    def code(self, ids: tuple[str, ...]) -> int:
        return self._codes.setdefault(ids, len(self._codes))

    def all(self) -> tuple[tuple[str, ...], ...]:
        """In the order of their codes; the same tuple as long as none is added."""
        if len(self._all) < len(self._codes):
            self._all = tuple(self._codes)
        return self._all

    def behind_sums(
        self, parts: Estimate, position: IntArray, count: int
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
        """Basis and evidence of sums of `parts` by position (−1: nobody's), shape (count,).

        Evidence is all ids behind the parts, in whatever order.
        """
        pairs, mixes = parts.evidence * BASES + parts.basis, self._mixes
        keys = _bits_by(position, pairs, count, len(self._codes) * BASES)
        for key in keys:
            if key not in mixes:
                mixes[key] = self._mixed(int.from_bytes(key, "little"))
        found = [mixes[key] for key in keys]
        return (
            np.array([basis for basis, _ in found], dtype=np.int8),
            np.array([code for _, code in found], dtype=np.int32),
        )

    def _mixed(self, pairs: int) -> tuple[int, int]:
        """Basis and evidence of a sum over parts of which these bits say what is there."""
        tuples, mask = self.all(), 0
        ids: set[str] = set()
        while pairs:
            code, basis = divmod(pairs.bit_length() - 1, BASES)
            pairs ^= 1 << (code * BASES + basis)
            mask |= 1 << basis
            if basis != NO_DATA:
                ids.update(tuples[code])
        return int(_WEAKEST[mask]), self.code(tuple(sorted(ids)))

    def joined(
        self, codes: npt.NDArray[np.int32], more: Sequence[tuple[str, ...]], which: IntArray
    ) -> npt.NDArray[np.int32]:
        """Codes of the ids behind `codes` and of `more[which]` together, each shape (n,)."""
        if not any(more):
            return codes
        pairs, tuples = codes * len(more) + which, self.all()
        table = np.zeros(len(tuples) * len(more), np.int32)
        for pair in np.bincount(pairs).nonzero()[0].tolist():
            code, extra = divmod(pair, len(more))
            table[pair] = self.code(tuple(dict.fromkeys(tuples[code] + more[extra])))
        return table.take(pairs)

    def both(
        self, codes: npt.NDArray[np.int32], others: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        """Codes of the ids behind `codes` and `others` together, each shape (n,)."""
        distinct, which = np.unique(others, return_inverse=True)
        tuples = self.all()
        return self.joined(codes, [tuples[code] for code in distinct.tolist()], which)


def _bits_by(position: IntArray, numbers: IntArray, count: int, most: int) -> list[bytes]:
    """For each of `count` positions (−1: nobody's) the numbers below `most` that are there, as the
    bits of one integer, least first."""
    words = -(-most // WORD)
    # Row 0 is what belongs to nobody.
    there = np.zeros((count + 1) * words * WORD, dtype=np.bool_)
    there[(position + 1) * (words * WORD) + numbers] = True
    packed = np.packbits(there, bitorder="little")[words * WORD // 8 :]
    found: list[bytes] = packed.view(f"V{words * WORD // 8}").tolist()
    return found


WORD = 64


class NoSources(Sources):
    """For batches that nobody asks for evidence: every tuple is none."""

    def code(self, ids: tuple[str, ...]) -> int:
        return 0

    def behind_sums(
        self, parts: Estimate, position: IntArray, count: int
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
        there = np.zeros((count + 1, BASES), dtype=np.bool_)
        there[position + 1, parts.basis] = True
        masks = np.packbits(there[1:], axis=1, bitorder="little")[:, 0]
        return _WEAKEST[masks], np.zeros(count, dtype=np.int32)

    def joined(
        self, codes: npt.NDArray[np.int32], more: Sequence[tuple[str, ...]], which: IntArray
    ) -> npt.NDArray[np.int32]:
        return codes

    def both(
        self, codes: npt.NDArray[np.int32], others: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        return codes


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
    def exact(cls, value: FloatArray, basis: int) -> Estimate:
        """Figures that follow from the input without error; NaN is no data."""
        count = len(value)
        codes = filled(count, basis, np.int8)
        codes[np.isnan(value)] = NO_DATA
        ends = np.empty((3, count))
        ends[:] = value
        return cls(ends, codes, np.zeros(count, dtype=np.int32), blank(count))

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
        known: BoolArray = self.basis != NO_DATA
        return known

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
        """Set the items `where` out of columns of all: interval from value·below to value.

        What is set so was not measured in this very configuration.
        """
        np.copyto(self.ends, value, where=where)
        np.copyto(self.measured, np.nan, where=where)
        if below != 1.0:
            np.multiply(self.ends[1], below, out=self.ends[1], where=where)
        np.copyto(self.basis, basis, where=where, casting="unsafe")
        np.copyto(self.evidence, evidence, where=where, casting="unsafe")

    def drop(self, where: BoolArray) -> None:
        """No data for the items `where`."""
        if some(where):
            np.copyto(self.ends, np.nan, where=where)
            np.copyto(self.measured, np.nan, where=where)
            np.copyto(self.basis, NO_DATA, where=where, casting="unsafe")
            np.copyto(self.evidence, 0, where=where, casting="unsafe")

    def weaken(self, where: BoolArray, basis: int) -> None:
        """The basis of the items `where` is at best `basis`; no longer a measured figure."""
        changed = where & self.known
        if some(changed):
            weaker = np.maximum(self.basis, basis)
            np.copyto(self.basis, weaker, where=changed, casting="unsafe")
            np.copyto(self.measured, np.nan, where=changed)

    def close(self) -> None:
        """Let nobody write to it any more."""
        for column in (self.ends, self.basis, self.evidence, self.measured):
            column.flags.writeable = False

    def series(self, sources: Sources, share: float = 1.0) -> Series:
        """The finished column, sharing this estimate's arrays, which can't be written any more.

        Args:
            share: of the policy's posture, for the end that is judged.
        """
        ends = self.ends
        return Series(
            ends[0],
            ends[1],
            ends[2],
            judged_end(ends[0], ends[2], share),
            self.basis,
            self.evidence,
            sources.all(),
            self.measured,
        )


def total(
    parts: Estimate,
    position: IntArray,
    count: int,
    sources: Sources,
    *,
    ceiling: FloatArray | None = None,
) -> Estimate:
    """Sums of `parts` by position (−1: nobody's), as `summed` has them.

    Args:
        ceiling: what a part without data counts as at the high end; None: as nothing.
    """
    return summed(sums_by(position, known_ends(parts, ceiling), count), parts, position, sources)


def known_ends(parts: Estimate, ceiling: FloatArray | None = None) -> FloatArray:
    """Values and ends of parts, 0 where there is no data (at the high end `ceiling`), (3, n)."""
    unknown = parts.basis == NO_DATA
    if not some(unknown):
        return parts.ends
    ends = np.where(unknown, 0.0, parts.ends)
    if ceiling is not None:
        np.copyto(ends[2], ceiling, where=unknown)
    return ends


def summed(ends: FloatArray, parts: Estimate, position: IntArray, sources: Sources) -> Estimate:
    """Sums (3, count) of `parts` by position, with their basis and evidence.

    A sum is never *measured* itself. The ends of the intervals add up: the parts share one law
    and err together. Where parts have no data the sum is the known part, by rule. Nothing known at
    all is no data; nothing there at all is zero.
    """
    count = ends.shape[1]
    basis, evidence = sources.behind_sums(parts, position, count)
    sums = Estimate(ends, basis, evidence, blank(count))
    sums.drop(basis == NO_DATA)
    return sums


def _weakest_of(mask: int) -> int:
    """Basis of a sum whose parts have the bases in a bit mask.

    At best interpolated; by rule where nothing is there, or some parts have no data.
    """
    known = mask & ~(1 << NO_DATA)
    if not known:
        return NO_DATA if mask else RULE
    return max(known.bit_length() - 1, INTERPOLATED if known == mask else RULE)


BASES = len(Basis)
_WEAKEST = np.array([_weakest_of(mask) for mask in range(1 << BASES)], dtype=np.int8)


def taken(parts: Estimate, rows: IntArray) -> Estimate:
    """The items `rows` of an estimate, in that order; rows may repeat."""
    return Estimate(
        parts.ends.take(rows, axis=1), parts.basis[rows], parts.evidence[rows], parts.measured[rows]
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
