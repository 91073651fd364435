"""Memory: guest RAM, hypervisor overhead per VM, service console, share of the host."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.catalog import MemoryOverhead
from models.identity import Itself
from models.physics.arrays import Arrays
from models.physics.columns import some
from models.quantities import BoolArray, FloatArray, IntArray

MIB_PER_GIB = 1024.0


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

    Source: vSphere 4.0 Resource Management Guide, table 3-2.

    >>> table = MemoryOverhead(
    ...     ram_mib=(8192.0, 16384.0), vcpus=(1, 2), mib=((222.3, 331.13), (334.96, 508.37))
    ... )
    >>> overhead_mib(table, np.array([8192.0, 12288.0]), np.array([1.0, 2.0]))[0].round(2)
    array([222.3 , 419.75])
    """
    grid = _grid(Itself(table))
    row, along_ram = _cell(grid.ram_mib, np.maximum(ram_mib, grid.ram_mib[0]))
    column, along_vcpus = _cell(grid.vcpus, np.maximum(vcpus, grid.vcpus[0]))
    cell = row * grid.leaning.shape[1] + column
    upper_left, lower_left, upper_right, lower_right = grid.corners.take(cell, axis=1)
    left = upper_left * (1 - along_ram) + lower_left * along_ram
    right = upper_right * (1 - along_ram) + lower_right * along_ram
    value = left * (1 - along_vcpus) + right * along_vcpus
    outside = (ram_mib > grid.ram_mib[-1]) | (vcpus > grid.vcpus[-1])
    return value, grid.leaning.take(cell) | outside


def vm_ram_gib(arrays: Arrays) -> tuple[FloatArray, BoolArray]:
    """Memory that a VM takes on its host: guest RAM plus hypervisor overhead [GiB].

    A VM that isn't placed, or runs on a physical server, has no overhead.

    Returns:
        Memory [GiB] (n,), and whether the overhead leans on a gap of its table (n,).
    """
    vms, hosts = arrays.vms, arrays.hosts
    overhead = np.zeros(len(vms))
    leaning = np.zeros(len(vms), dtype=np.bool_)
    for code, entry in enumerate(hosts.hypervisors):
        there = vms.at.hypervisor == code
        if entry.memory_overhead is None or not some(there):
            continue
        mib, gap = overhead_mib(entry.memory_overhead, vms.ram_gib * MIB_PER_GIB, vms.vcpus)
        np.copyto(overhead, mib / MIB_PER_GIB, where=there)
        np.copyto(leaning, gap | ("memory_overhead" in entry.transferred), where=there)
    return vms.ram_gib + overhead, leaning


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """A table of overheads cell by cell, r rows and c columns of figures.

    Attributes:
        ram_mib, vcpus: of rows and columns.
        corners: the four figures around each cell, rows first, shape (4, cells).
        leaning: cells with a gap in one of the corners that lie across, shape (r − 1, c − 1).
    """

    ram_mib: FloatArray
    vcpus: FloatArray
    corners: FloatArray
    leaning: BoolArray


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
    )


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


def _cell(grid: FloatArray, at: FloatArray) -> tuple[IntArray, FloatArray]:
    """The lower corner of the cell that holds `at`, and how far along; > 1 beyond the last."""
    if len(grid) == 1:
        return np.zeros(len(at), dtype=np.int64), np.zeros(len(at))
    corner = grid[1:-1].searchsorted(at, side="right")
    low = grid.take(corner)
    return corner, (at - low) / (grid[1:].take(corner) - low)
