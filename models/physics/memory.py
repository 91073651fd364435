"""Memory: guest RAM, hypervisor overhead per VM, service console, share of the host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from models.base.identity import Itself
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.base.texts import say
from models.catalog.catalog import MemoryOverhead
from models.formulas.traced import Figure, labelled, plus
from models.physics import hosts as formulas
from models.physics.arrays import Arrays
from models.physics.columns import filled, looked_up, some, sum_by
from models.physics.estimates import Sources
from models.physics.host_columns import HostArrays

MIB_PER_GIB = Figure(1024.0, say("MiB in a GiB"), why=say("binary units"))


def overhead_mib(
    table: MemoryOverhead, ram_mib: FloatArray, vcpus: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Hypervisor memory per VM, bilinear in configured RAM and vCPUs.

    Along RAM the columns are very nearly linear (1 vCPU, ESX 4.0: 222.3 MiB at 8 GiB, 335.0 at
    16), so values beyond the last row follow the last slope; below the first row the first row
    holds. vCPUs beyond the last column follow the slope of the last two.

    Args:
        table: rows of RAM, columns of vCPUs; a gap is bridged linearly along RAM, or where a
            column has fewer than two figures taken from the nearest fuller column.
        ram_mib: configured RAM [MiB], shape (n,).
        vcpus: shape (n,).

    Returns:
        Overhead [MiB] (n,), and whether it leans on a gap or lies outside the table (n,).

    Valid for ESX 4.0 between the rows and columns of the table; beyond them, and for other
    releases, transferred. Source: vSphere 4.0 Resource Management Guide, table 3-2.

    Halfway between the last two of 2 vCPUs, (331.13 + 508.37)/2:

    >>> table = MemoryOverhead(
    ...     ram_mib=(8192.0, 16384.0), vcpus=(1, 2), mib=((222.3, 331.13), (334.96, 508.37))
    ... )
    >>> overhead_mib(table, np.array([8192.0, 12288.0]), np.array([1.0, 2.0]))[0].round(2)
    array([222.3 , 419.75])
    """
    value, leaning, _ = _looked_up(_grid(Itself(table)), ram_mib, vcpus)
    return value, leaning


def _looked_up(
    grid: _Grid, ram_mib: FloatArray, vcpus: FloatArray
) -> tuple[FloatArray, BoolArray, IntArray]:
    """As `overhead_mib`, and which corners of which cell each figure comes from, as a position in
    `_Grid.evidence`, (n,)."""
    row, along_ram = cell_of(grid.ram_mib, ram_mib)
    column, along_vcpus = cell_of(grid.vcpus, vcpus)
    cell = row * grid.leaning.shape[1] + column
    value = within_cell(grid.corners.take(cell, axis=1), along_ram, along_vcpus)
    outside = (ram_mib > grid.ram_mib[-1]) | (vcpus > grid.vcpus[-1])
    corners = cell * 4 + 2 * (along_ram != 0) + (along_vcpus != 0)
    return value, grid.leaning.take(cell) | outside, corners


def within_cell(
    corners: Sequence[FloatArray],
    along_ram: FloatArray,
    along_vcpus: FloatArray,
    widths: Sequence[object] = ("", ""),
) -> FloatArray:
    """A figure between the four around a cell, in their unit.

    a + s·(b − a) along RAM in both columns, and so between these. Valid within the cell, and beyond
    by its slope. Source: bilinear interpolation.

    Args:
        corners: upper left, lower left, upper right and lower right, (n,) each.
        along_ram, along_vcpus: how far down and right s, 1 at the next figure.
        widths: vCPUs of both columns, for a derivation.

    >>> four = [np.array([each]) for each in (1.0, 3.0, 5.0, 7.0)]
    >>> within_cell(four, np.array([0.5]), np.array([0.25])).tolist()
    [3.0]
    """
    upper_left, lower_left, upper_right, lower_right = corners
    left = _between(upper_left, lower_left, along_ram)
    left = labelled("at {count} vCPUs", left, "MiB", count=widths[0])
    right = _between(upper_right, lower_right, along_ram)
    right = labelled("at {count} vCPUs", right, "MiB", count=widths[1])
    return labelled("overhead by the table", _between(left, right, along_vcpus), "MiB")


def _between(first: FloatArray, second: FloatArray, along: FloatArray) -> FloatArray:
    part = labelled("part of the step", along * labelled("step", second - first, "MiB"), "MiB")
    return plus(first, part)


class VmRam(NamedTuple):
    """Memory of VMs with overhead [GiB], whether the overhead leans on a gap of its table or on
    another release's, and the code of the evidence behind it; (n,) each."""

    gib: FloatArray
    leaning: BoolArray
    evidence: npt.NDArray[np.int32]


def vm_ram_gib(arrays: Arrays, sources: Sources | None = None) -> VmRam:
    """Memory that a VM takes on its host: guest RAM plus hypervisor overhead [GiB].

    A VM that isn't placed, or runs on a physical server, has no overhead.

    Args:
        sources: where evidence is numbered; None: nobody asks for it.
    """
    vms, hosts = arrays.vms, arrays.hosts
    overhead = np.zeros(len(vms))
    leaning = np.zeros(len(vms), dtype=np.bool_)
    evidence = np.zeros(len(vms), dtype=np.int32)
    for code, entry in enumerate(hosts.hypervisors):
        there = vms.at.hypervisor == code
        if entry.memory_overhead is None or not some(there):
            continue
        grid = _grid(Itself(entry.memory_overhead))
        mib, gap, corners = _looked_up(grid, vms.ram_gib * MIB_PER_GIB, vms.vcpus)
        if sources is not None and grid.evidence:
            codes = np.zeros(len(grid.evidence), dtype=np.int32)
            for one in np.bincount(corners[there]).nonzero()[0].tolist():
                codes[one] = sources.code(grid.evidence[one])
            np.copyto(evidence, codes.take(corners), where=there)
        np.copyto(overhead, overhead_gib(mib), where=there)
        np.copyto(leaning, gap | ("memory_overhead" in entry.transferred), where=there)
    return VmRam(vms.ram_gib + overhead, leaning, evidence)


def overhead_gib(mib: FloatArray) -> FloatArray:
    """Overhead [GiB] of so many MiB, mib/1024. Valid and from where `overhead_mib` is.

    >>> overhead_gib(np.array([512.0])).tolist()
    [0.5]
    """
    return labelled("overhead", mib / MIB_PER_GIB, "GiB")


def guests_gib(arrays: Arrays) -> FloatArray:
    """Memory that each guest uses: what it was measured with, else what it is given [GiB], (n,)."""
    vms = arrays.vms
    used = np.fmin(vms.own_memory_gib, vms.effective_ram_gib)
    return np.where(np.isnan(vms.own_memory_gib), vms.effective_ram_gib, used)


def in_use_gib(arrays: Arrays) -> FloatArray:
    """Memory that guests use on each host, with the service console [GiB], (h,), at least.

    Σ of what guests were measured with, else of what they are given: Domino fills all of it with
    its caches and the system's. Without the hypervisor's overhead, which is less than a GiB a VM.
    Valid for guests that have run for a while. Source: WV21, conclusions: Domino allocates its
    caches from total RAM.

    A VM of 8 GiB on a host without a console to count:

    >>> from tests.models.worlds import a_scenario, inputs_of
    >>> in_use_gib(inputs_of(a_scenario()).arrays).round(1).tolist()
    [8.3]
    """
    used, hosts = guests_gib(arrays), arrays.hosts
    return formulas.in_use_gib(sum_by(arrays.vms.place, used, len(hosts)), hosts.console_gib)


def swapping(arrays: Arrays) -> BoolArray:
    """Hosts whose guests use more memory than there is, (h,): the hypervisor swaps."""
    return np.asarray(in_use_gib(arrays) > arrays.hosts.ram_gib * (1 + 1e-9))


def answering(arrays: Arrays) -> BoolArray:
    """VMs that run where a response can be predicted, (n,): not where the hypervisor swaps."""
    short = looked_up(swapping(arrays), arrays.vms.host, False)
    return np.asarray(arrays.vms.running & ~short)


def limit_pct(hosts: HostArrays, used_pct: FloatArray, overcommit: float) -> FloatArray:
    """Limit of a host's memory [% of what is installed], shape (h,); NaN for none.

    A hypervisor's hosts share memory out, up to 100·`overcommit` by the policy. A physical server's
    is its one system's, which may have all of it: there is nothing to run short of, unless the
    system is given more than there is.

    Args:
        used_pct: memory of what runs there [% of what is installed], (h,).
        overcommit: memory of VMs over memory installed that the policy tolerates.

    Valid for memory as it is configured: page sharing, ballooning and swapping aren't counted.

    Source: for the overcommit WV21, considerations for production; a physical server's by what it
    is, exact.

    >>> from types import SimpleNamespace
    >>> hosts = SimpleNamespace(physical=np.array([False, True, True]), some_physical=True)
    >>> limit_pct(hosts, np.array([96.0, 100.0, 120.0]), 1.0)
    array([100.,  nan, 100.])
    >>> limit_pct(hosts, np.array([96.0, 100.0, 120.0]), 1.5)
    array([150.,  nan, 100.])
    """
    if not hosts.some_physical:
        return filled(len(used_pct), 100.0 * overcommit)
    own = np.where(used_pct <= 100.0 * (1 + 1e-9), np.nan, 100.0)
    return np.where(hosts.physical, own, 100.0 * overcommit)


@record
class _Grid:
    """A table of overheads cell by cell, r rows and c columns of figures.

    Attributes:
        ram_mib, vcpus: of rows and columns.
        corners: the four figures around each cell, rows first, shape (4, cells).
        leaning: cells with a gap in one of the corners that lie across, shape (r − 1, c − 1).
        evidence: ids behind each cell, four times: of the upper left corner, with the upper right,
            with the lower left, and of all four; of a corner without ids of its own those of the
            two largest sizes with as many vCPUs that have some. () for none at all.
    """

    ram_mib: FloatArray
    vcpus: FloatArray
    corners: FloatArray
    leaning: BoolArray
    evidence: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=32)
def _grid(key: Itself[MemoryOverhead]) -> _Grid:
    table = key.value
    figures, gaps = _filled(table)
    # A single row or column is a cell with itself.
    beyond = [(0, int(size == 1)) for size in figures.shape]
    figures, gaps = np.pad(figures, beyond, "edge"), np.pad(gaps, beyond, "edge")
    corners = figures[:-1, :-1], figures[1:, :-1], figures[:-1, 1:], figures[1:, 1:]
    return _Grid(
        np.array(table.ram_mib),
        np.array(table.vcpus, dtype=np.float64),
        np.array([corner.ravel() for corner in corners]),
        gaps[:-1, :-1] | gaps[1:, 1:],
        tuple(_ids_of_cells(table)) if table.evidence else (),
    )


def _ids_of_cells(table: MemoryOverhead) -> Iterator[tuple[str, ...]]:
    """Ids behind each cell, row after row; a single row or column is a cell with itself."""
    rows, columns = len(table.ram_mib), len(table.vcpus)

    def behind(row: int, column: int) -> list[str]:
        if own := table.evidence[row][column]:
            return [own]
        printed = [table.evidence[r][column] for r in range(rows) if table.evidence[r][column]]
        return printed[-2:]

    for row in range(max(rows - 1, 1)):
        for column in range(max(columns - 1, 1)):
            for down, right in product((0, 1), (0, 1)):
                corners = {
                    (min(row + r, rows - 1), min(column + c, columns - 1))
                    for r in range(down + 1)
                    for c in range(right + 1)
                }
                yield tuple(sorted({id for corner in corners for id in behind(*corner)}))


def _filled(table: MemoryOverhead) -> tuple[FloatArray, BoolArray]:
    """The table without gaps, and where the gaps were."""
    figures = np.array(table.mib, dtype=np.float64)
    gaps = np.isnan(figures)
    rows = np.array(table.ram_mib)
    known = (~gaps).sum(axis=0)
    for column in np.argsort(-known):
        holes = gaps[:, column]
        if holes.any() and known[column] >= 2:
            figures[holes, column] = _line(rows, figures[:, column], rows[holes])
        elif holes.any():
            full = np.flatnonzero(known >= 2)
            nearest = full[np.argmin(np.abs(full - column))]
            figures[holes, column] = figures[holes, nearest]
    return figures, gaps


def _line(x: FloatArray, y: FloatArray, at: FloatArray) -> FloatArray:
    """Linear interpolation, and extrapolation by the last slope, over the known points."""
    known = ~np.isnan(y)
    x, y = x[known], y[known]
    slope = (y[-1] - y[-2]) / (x[-1] - x[-2])
    inside: FloatArray = np.interp(at, x, y)
    return np.where(at > x[-1], y[-1] + slope * (at - x[-1]), inside)


def cell_of(grid: FloatArray, at: FloatArray) -> tuple[IntArray, FloatArray]:
    """The lower corner of the cell that holds `at`, no less than the first, and how far along it
    lies, a share of the cell, > 1 beyond the last: (at − low)/(high − low), (n,) each.

    Valid for a grid that rises. Source: as `within_cell`.

    >>> corner, along = cell_of(np.array([8.0, 16.0]), np.array([10.0, 4.0]))
    >>> corner.tolist(), along.tolist()
    ([0, 0], [0.25, 0.0])
    """
    at = np.maximum(at, grid[0])
    if len(grid) == 1:
        return np.zeros(len(at), dtype=np.int64), np.zeros(len(at))
    corner = grid[1:-1].searchsorted(at, side="right")
    low = grid.take(corner)
    return corner, (at - low) / (grid[1:].take(corner) - low)
