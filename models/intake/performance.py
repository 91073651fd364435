"""What was measured of VMs over time, joined to the inventory: by id first, by name last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from models.intake.match_vms import VmFinder
from models.intake.notes import named
from models.intake.records import (
    HostRecord,
    Place,
    Quantity,
    SeriesRecord,
    Subject,
    VmRecord,
)

_UP = (0, 50, 90, 95, 99, 100)


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure of a series at a percentile; `stands_in`: another one than was asked for."""

    value: float
    place: Place
    stands_in: bool


@dataclass(slots=True)
class Measured:
    """Series by VM (the identity of its record) and quantity, those of a VM that is listed and
    left out, those of no VM, and each name none of whose counters is used, with these."""

    by_vm: dict[int, dict[Quantity, SeriesRecord]] = field(default_factory=dict)
    left_out: list[SeriesRecord] = field(default_factory=list)
    unmatched: list[SeriesRecord] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)

    def reading(self, vm: VmRecord, quantity: Quantity, percentile: int) -> Reading | None:
        """The figure of a VM; a tool that has not the percentile gives the next higher one."""
        series = self.by_vm.get(id(vm), {}).get(quantity)
        return None if series is None else at(series, percentile)

    def ram_in_use(self, vms: Iterable[VmRecord], percentile: int) -> dict[int, float]:
        """Memory in use over time [MiB], by the identity of a VM's record."""
        if not self.by_vm:
            return {}
        found = ((id(vm), ram_mib(self, vm, percentile)) for vm in vms)
        return {key: reading.value for key, reading in found if reading is not None}


def at(series: SeriesRecord, percentile: int) -> Reading | None:
    """A series at a percentile, or at the next higher one that it has, else the next lower."""
    first = _UP.index(percentile)
    for index in (*range(first, len(_UP)), *range(first - 1, -1, -1)):
        value = series.at(_UP[index])
        if value is not None:
            return Reading(value, series.place, index != first)
    return None


def matched(
    series: Iterable[SeriesRecord], vms: Sequence[VmRecord], others: Sequence[VmRecord] = ()
) -> Measured:
    """Series of VMs, and of machines that are called as a VM is; the longest of each quantity.

    Args:
        vms: those that are taken; `others` are listed as well: what is of one of these is of no
            other, and in no number.
    """
    find, find_other = VmFinder(vms), VmFinder(others)
    of_machines = [each for each in series if each.subject in (Subject.VM, Subject.MACHINE)]
    found = Measured(unused=_unused(of_machines))
    for each in of_machines:
        if each.is_apart:
            found.unmatched.append(each)
            continue
        vm = _vm_of(each, find)
        if vm is None:
            is_other = _vm_of(each, find_other) is not None
            (found.left_out if is_other else found.unmatched).append(each)
            continue
        of_vm = found.by_vm.setdefault(id(vm), {})
        before = of_vm.get(each.quantity)
        if each.quantity and (before is None or each.summary.n > before.summary.n):
            of_vm[each.quantity] = each
    return found


def _unused(series: Sequence[SeriesRecord]) -> list[str]:
    used = {each.name for each in series if each.quantity}
    counters: dict[str, list[str]] = {}
    for each in series:
        if each.name not in used:
            counters.setdefault(each.name, []).append(each.counter)
    return [f"{name} ({named(these)})" for name, these in counters.items()]


def _vm_of(series: SeriesRecord, find: VmFinder) -> VmRecord | None:
    vm = find(id=series.id, name=series.name)
    if vm is None and series.subject is Subject.MACHINE:
        vm = find(name=series.name.partition(".")[0])
    return vm


def cpu_mhz(
    measured: Measured, vm: VmRecord, host: HostRecord | None, percentile: int
) -> Reading | None:
    """CPU of a VM [MHz]: as measured, or its per cent of a core or of its vCPUs at the clock of
    its host, else at the one that its file names."""
    mhz = measured.reading(vm, Quantity.CPU_MHZ, percentile)
    if mhz is not None:
        return mhz
    of_host = host.speed_mhz if host is not None else None
    for quantity, cores in ((Quantity.CPU_CORE_PCT, 1.0), (Quantity.CPU_PCT, vm.vcpus)):
        share = measured.reading(vm, quantity, percentile)
        series = measured.by_vm.get(id(vm), {}).get(quantity)
        speed = of_host or (None if series is None else series.speed_mhz)
        if share is not None and speed and cores:
            return Reading(share.value / 100.0 * cores * speed, share.place, share.stands_in)
    return None


def ram_mib(measured: Measured, vm: VmRecord, percentile: int) -> Reading | None:
    """RAM of a VM in use [MiB]: as measured, or its memory less what is free.

    A high percentile of what is used is a low one of what is free.
    """
    used = measured.reading(vm, Quantity.RAM_MIB, percentile)
    free = measured.by_vm.get(id(vm), {}).get(Quantity.RAM_FREE_MIB)
    left = None if free is None else free.summary.below(percentile)
    if used is not None or free is None or left is None or not vm.ram_mib:
        return used
    in_use = max(vm.ram_mib - left * free.factor, 0.0)
    return Reading(in_use, free.place, stands_in=False)


READY_PCT, COSTOP_PCT = 5.0, 3.0
"""Per vCPU: from here on waiting is felt, by VMware's usual advice."""


def contention(measured: Measured, vm: VmRecord, percentile: int) -> Mapping[str, float]:
    """What says that a VM got less than it asked for, by the name of the figure."""
    figures = {
        "ready_pct": (Quantity.READY_PCT, READY_PCT),
        "costop_pct": (Quantity.COSTOP_PCT, COSTOP_PCT),
        "balloon_mib": (Quantity.BALLOON_MIB, 0.0),
        "swapped_mib": (Quantity.SWAPPED_MIB, 0.0),
        "swap_in": (Quantity.SWAP_IN, 0.0),
        "swap_out": (Quantity.SWAP_OUT, 0.0),
        "run_queue": (Quantity.RUN_QUEUE, 2.0 * (vm.vcpus or float("inf"))),
    }
    found = {}
    for name, (quantity, limit) in figures.items():
        reading = measured.reading(vm, quantity, percentile)
        value = reading.value if reading is not None else getattr(vm, name, None)
        if value is not None and value > limit:
            found[name] = value
    return found
