"""Memory: guest RAM, hypervisor overhead per VM, service console, share of the host."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from models.arrays import Arrays
from models.catalog import MemoryOverhead
from models.quantities import BoolArray, FloatArray

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
    columns, gaps = _filled(table)
    rows = np.array(table.ram_mib)
    widths = np.array(table.vcpus, dtype=np.float64)
    row, along_ram = _cell(rows, np.maximum(ram_mib, rows[0]))
    column, along_vcpus = _cell(widths, np.maximum(vcpus, widths[0]))
    next_row = np.minimum(row + 1, len(rows) - 1)
    next_column = np.minimum(column + 1, len(widths) - 1)
    left = columns[row, column] * (1 - along_ram) + columns[next_row, column] * along_ram
    right = columns[row, next_column] * (1 - along_ram) + columns[next_row, next_column] * along_ram
    value = left * (1 - along_vcpus) + right * along_vcpus
    outside = (ram_mib > rows[-1]) | (vcpus > widths[-1])
    leaning = gaps[row, column] | gaps[next_row, next_column] | outside
    return value, leaning


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
        if entry.memory_overhead is None:
            continue
        there = vms.at.hypervisor == code
        if not there.any():
            continue
        mib, gap = overhead_mib(entry.memory_overhead, vms.ram_gib * MIB_PER_GIB, vms.vcpus)
        np.copyto(overhead, mib / MIB_PER_GIB, where=there)
        np.copyto(leaning, gap | ("memory_overhead" in entry.transferred), where=there)
    return vms.ram_gib + overhead, leaning


@lru_cache(maxsize=32)
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
    figures.flags.writeable = gaps.flags.writeable = False
    return figures, gaps


def _line(x: FloatArray, y: FloatArray, at: FloatArray) -> FloatArray:
    """Linear interpolation, and extrapolation by the last slope, over the known points."""
    known = ~np.isnan(y)
    x, y = x[known], y[known]
    slope = (y[-1] - y[-2]) / (x[-1] - x[-2])
    inside: FloatArray = np.interp(at, x, y)
    return np.where(at > x[-1], y[-1] + slope * (at - x[-1]), inside)


def _cell(grid: FloatArray, at: FloatArray) -> tuple[np.ndarray, FloatArray]:
    """The lower corner of the cell that holds `at`, and how far along; > 1 beyond the last."""
    if len(grid) == 1:
        return np.zeros(len(at), dtype=np.int64), np.zeros(len(at))
    corner = np.clip(np.searchsorted(grid, at, side="right") - 1, 0, len(grid) - 2)
    return corner, (at - grid[corner]) / (grid[corner + 1] - grid[corner])
