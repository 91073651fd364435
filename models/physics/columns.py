"""Sums of columns by position, and tests of them: what every stage does with its arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record

T = TypeVar("T")
Column = TypeVar("Column", bound="np.ndarray[Any, Any]")

NOBODY = -1
"""Position of nobody, and of nowhere."""


def filled(
    shape: int | tuple[int, ...], value: float, dtype: npt.DTypeLike = np.float64
) -> npt.NDArray[Any]:
    """An array of one value; several times as quick as `np.full` where it is short."""
    column: npt.NDArray[Any] = np.empty(shape, dtype)
    column.fill(value)
    return column


def blank(shape: int | tuple[int, ...]) -> FloatArray:
    """An array of no data, NaN."""
    column: FloatArray = filled(shape, np.nan)
    return column


def looked_up(column: Column, position: IntArray, nowhere: float) -> Column:
    """Figures by position, of which −1 is nowhere; any shape of `position`."""
    table: Any = np.empty(len(column) + 1, column.dtype)
    table[:-1] = column
    table[-1] = nowhere
    found: Column = table.take(position)
    return found


def codes_in(column: IntArray) -> list[int]:
    """The codes that stand in a column, each once, in order.

    `np.unique` imports masked arrays when it is first called, which takes the start 6 ms.
    """
    return sorted(set(column.tolist()))


def some(which: BoolArray) -> bool:
    """Whether any is true; to look through the bytes takes a fraction of `any`'s time."""
    return 1 in which.tobytes()


def every(which: BoolArray) -> bool:
    """Whether all are true, as quickly."""
    return 0 not in which.tobytes()


def sum_by(position: IntArray, weights: FloatArray | IntArray, count: int) -> FloatArray:
    """Sums of `weights` per position, shape (count,); −1 belongs to nobody."""
    # The first sum is what belongs to nobody; counts of nothing are integers, weights or not.
    sums = np.bincount(position + 1, weights, count + 1)[1:]
    return np.asarray(sums, dtype=np.float64)


def ranks(sizes: IntArray) -> IntArray:
    """0, 1, … within each of several groups that follow one another."""
    starts = sizes.cumsum() - sizes
    return np.arange(int(sizes.sum())) - starts.repeat(sizes)


def rows_by(codes: IntArray, most: int) -> IntArray:
    """Rows by their code, from −1 to `most`; those of one code as they stand.

    Small numbers are sorted digit by digit, several times as quickly.
    """
    keys = codes.astype(np.int16) if most <= MOST_OF_TWO_BYTES else codes
    return keys.argsort(kind="stable")


MOST_OF_TWO_BYTES = np.iinfo(np.int16).max


def inverse(order: IntArray) -> IntArray:
    """The place of each in an order of all."""
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place


@lru_cache(maxsize=16)
def rows_by_id(ids: tuple[str, ...]) -> IntArray:
    """Rows in the order of their ids; worked out once for the same ids, not to be written."""
    rows = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.int64)
    rows.flags.writeable = False
    return rows


def sums_by(position: IntArray, columns: FloatArray, count: int) -> FloatArray:
    """The same of each of several columns (k, n), shape (k, count)."""
    # The first place of each row is nobody's.
    width, rows = count + 1, len(columns)
    places = np.arange(1, rows * width + 1, width)[:, None] + position
    sums = np.bincount(places.ravel(), columns.ravel(), rows * width)
    return np.array(sums.reshape(rows, width)[:, 1:], dtype=np.float64)


def at_each(function: np.ufunc, table: FloatArray, position: IntArray, columns: FloatArray) -> None:
    """`function.at` of each row of a table (k, count), with those of `columns` (k, n), in place.

    Rows by number: an array that is gone through as a sequence raises an error at its end.
    """
    for row in range(len(table)):
        function.at(table[row], position, columns[row])


def spread(
    position: IntArray, there: BoolArray, of_rows: FloatArray, cell: IntArray, added: FloatArray
) -> FloatArray:
    """Columns (k, n) of the rows `position` (m, w), 0 where nothing is `there`, with those of what
    is `added` (k, c) at the cells of that table, one row of it after the other: shape (k, m, w)."""
    sums = np.where(there, of_rows.take(position, axis=1), 0.0)
    at_each(np.add, sums.reshape(len(sums), -1), cell, added)
    return sums


@record
class VmsByHost:
    """Rows of the VMs that run, ordered by host; those of host h are rows[starts[h]:][:counts[h]].

    `manned`: hosts with at least one.
    """

    rows: IntArray
    starts: IntArray
    counts: IntArray
    manned: IntArray

    @classmethod
    def of(cls, place: IntArray, hosts: int) -> VmsByHost:
        counts = np.bincount(place + 1, minlength=hosts + 1)
        order = rows_by(place, hosts)
        ends = counts.cumsum()
        nowhere = int(counts[0])
        counts = counts[1:]
        return cls(order[nowhere:], ends[:-1] - nowhere, counts, counts.nonzero()[0])

    def on(self, hosts: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs of these hosts, which may repeat, and for each the place of its host in them."""
        repeats = self.counts[hosts]
        firsts = repeats.cumsum() - repeats
        offsets = np.arange(int(repeats.sum())) + (self.starts[hosts] - firsts).repeat(repeats)
        return self.rows[offsets], np.arange(len(hosts)).repeat(repeats)

    def greatest(self, columns: FloatArray) -> FloatArray:
        """Greatest of each host's VMs: columns (k, n), NaN for no data, become (k, h); −∞ where
        there are no data."""
        found = filled((len(columns), len(self.counts)), -np.inf)
        if len(self.manned):
            ordered = columns.take(self.rows, axis=1)
            starts = self.starts[self.manned]
            found[:, self.manned] = np.fmax.reduceat(ordered, starts, axis=1)
        return np.asarray(np.fmax(found, -np.inf, out=found))
