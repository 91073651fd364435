"""Numbers of many failure modes side by side, a column each."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from models.base.quantities import BoolArray, FloatArray, IntArray

Codes = npt.NDArray[np.int8]
NOT_JUDGED = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """What the worst host, VM and pool come to in each of m modes; NaN for no data.

    Attributes:
        response_ms, ready_pct: value, low and high end, shape (3, m); `cpu_pct` with the high end
            that verdicts look at, (4, m).
        vm_cpu_pct: value and high end of the VM with the fullest vCPUs, (2, m).
        ram_limit_pct: what `ram_pct` is held against, (m,).
        cpu_host, ram_host, pool: positions of the items that are worst, −1 for none.
        iops, disk_pct: load and utilisation of the busiest pool, with ends, (3, m).
        short_ram_gib, short_cpu_ghz, short_iops: what is missing in units.
        unknown: VMs without CPU data that run on the hosts that `cpu_pct` is of, and on the pools
            of `iops` without data of that, (2, m).
        codes: `Verdict` codes, −1 where nothing is judged.
    """

    cpu_pct: FloatArray
    cpu_host: IntArray
    ram_pct: FloatArray
    ram_limit_pct: FloatArray
    ram_host: IntArray
    vm_cpu_pct: FloatArray
    response_ms: FloatArray
    ready_pct: FloatArray
    iops: FloatArray
    disk_pct: FloatArray
    pool: IntArray
    short_ram_gib: FloatArray
    short_cpu_ghz: FloatArray
    short_iops: FloatArray
    unknown: FloatArray
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def of(self, rows: IntArray | BoolArray) -> Columns:
        """The modes `rows`."""
        return Columns(**{f.name: getattr(self, f.name)[..., rows] for f in fields(Columns)})


def joined(parts: list[Columns], order: IntArray) -> Columns:
    """The modes of all parts, in this order of their positions one after the other."""
    return Columns(
        **{
            f.name: np.concatenate([getattr(each, f.name) for each in parts], axis=-1)[..., order]
            for f in fields(Columns)
        }
    )


def greatest_by(
    group: IntArray, values: FloatArray, count: int, *, none: float = np.nan
) -> tuple[FloatArray, IntArray]:
    """Per group the greatest of each row (k, g), and the position of that of the first row.

    Groups without a known value have `none` and −1.
    """
    found = np.full((len(values), count), none)
    at = np.full(count, NOT_JUDGED)
    known = np.flatnonzero(~np.isnan(values[0]))
    order = known[np.argsort(values[0, known], kind="stable")]
    at[group[order]] = order
    there = at >= 0
    found[:, there] = values[:, at[there]]
    for most, row in zip(found, values, strict=True):
        np.fmax.at(most, group[known], row[known])
    return found, at
