"""esxtop in batch mode: what hosts and their VMs used, sample by sample."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterable

from db.importers.pdh import Path, read_pdh
from db.importers.sampled import Counter, Measure, Subject, Tracks

_HOST: dict[tuple[str, str], tuple[str, Measure | None]] = {
    ("physical cpu", "% util time"): ("%", Measure.CPU_PCT),
    ("physical cpu", "% processor time"): ("%", None),
    ("physical cpu", "% core util time"): ("%", None),
    ("physical cpu load", "cpu load (1 minute avg)"): ("", None),
    ("memory", "machine mbytes"): ("MiB", Measure.RAM_TOTAL_MIB),
    ("memory", "kernel mbytes"): ("MiB", None),
    ("memory", "free mbytes"): ("MiB", Measure.RAM_FREE_MIB),
    ("memory", "swap used mbytes"): ("MiB", Measure.SWAPPED_MIB),
    ("memory", "memctl current mbytes"): ("MiB", Measure.BALLOONED_MIB),
    ("memory", "memory overcommit (1 minute avg)"): ("", None),
}
_VM: dict[tuple[str, str], tuple[str, Measure | None]] = {
    ("group cpu", "% used"): ("% of a core", Measure.CPU_OF_ONE_PCT),
    ("group cpu", "% run"): ("% of a core", None),
    ("group cpu", "% ready"): ("% of a vCPU", Measure.READY_PCT),
    ("group cpu", "% costop"): ("% of a vCPU", Measure.COSTOP_PCT),
    ("group cpu", "% max limited"): ("% of a vCPU", None),
    ("group cpu", "% demand"): ("% of a core", None),
    ("group memory", "memory size mbytes"): ("MiB", Measure.RAM_TOTAL_MIB),
    ("group memory", "memory consumed size mbytes"): ("MiB", Measure.RAM_USED_MIB),
    ("group memory", "touched mbytes"): ("MiB", Measure.RAM_ACTIVE_MIB),
    ("group memory", "swapped mbytes"): ("MiB", Measure.SWAPPED_MIB),
    ("group memory", "memctl mbytes"): ("MiB", Measure.BALLOONED_MIB),
    ("virtual disk", "commands/sec"): ("IO/s", Measure.IOPS),
    ("virtual disk", "reads/sec"): ("IO/s", Measure.READ_IOPS),
    ("virtual disk", "writes/sec"): ("IO/s", Measure.WRITE_IOPS),
    ("virtual disk", "average millisec/command"): ("ms", Measure.LATENCY_MS),
    ("virtual disk", "average millisec/read"): ("ms", None),
    ("virtual disk", "average millisec/write"): ("ms", None),
}
_DEVICE: dict[str, tuple[str, Measure | None]] = {
    "commands/sec": ("IO/s", Measure.IOPS),
    "mbytes read/sec": ("MiB/s", None),
    "mbytes written/sec": ("MiB/s", None),
    "average guest millisec/command": ("ms", Measure.LATENCY_MS),
    "average driver millisec/command": ("ms", None),
    "average kernel millisec/command": ("ms", None),
    "average queue millisec/command": ("ms", None),
}
_DISKS = frozenset({"physical disk adapter", "physical disk scsi device", "physical disk"})
_VCPU_WORLD = re.compile(r"(\d+):(.*?):(\d+):(?:vmx-vcpu-|vcpu-)(\d+)")
_GROUP = re.compile(r"(\d+):(.*)", re.DOTALL)
_SYSTEM = frozenset(
    "idle system helper drivers ft vmotion init vmsyslogd uwdaemons console rdma "
    "swapobjd likewise".split()
)
"""Groups of the host's own; its other daemons have their number after a dot."""


def read_esxtop(lines: Iterable[str], file: str) -> tuple[Tracks, int]:
    """The series of hosts, VMs and disks, and the rows that were cut.

    The first sample is left out: it holds rates since the host started. Used and ready times are
    sums over the worlds of a VM, as the host writes them: divided by its vCPUs they are per vCPU.
    """
    tracks = Tracks(file)
    return tracks, read_pdh(lines, tracks, _chosen, without_first=True)


def _chosen(paths: list[Path | None]) -> dict[int, Counter]:
    vcpus = _vcpus(paths)
    chosen: dict[int, Counter] = {}
    for column, path in enumerate(paths):
        counter = None if path is None else _counter(path, column, vcpus)
        if counter is not None:
            chosen[column] = counter
    return chosen


def vcpus_of(names: Iterable[str]) -> dict[str, int]:
    """Virtual CPUs of each VM by its group's number, from the worlds that a header names.

    >>> vcpus_of(["7:mail: a:11:vmx-vcpu-0:mail", "7:mail: a:12:vmx-vcpu-1:mail", "7:x:9:vmx"])
    {'7': 2}
    """
    worlds = {(found[1], found[4]) for each in names if (found := _VCPU_WORLD.match(each))}
    return dict(Tally(group for group, _ in worlds))


def _vcpus(paths: list[Path | None]) -> dict[str, int]:
    return vcpus_of({p.instance for p in paths if p is not None and p.object == "Vcpu"})


def _counter(path: Path, column: int, vcpus: dict[str, int]) -> Counter | None:
    object, counter = path.object.strip().casefold(), path.counter.strip()
    key = object, counter.casefold()
    name = f"{path.object}\\{counter}"
    where = f"column {column + 1}"
    if key in _HOST and path.instance in ("", "_Total"):
        unit, measure = _HOST[key]
        return Counter(
            subject=path.host, kind=Subject.HOST, name=name, unit=unit, measure=measure, column=where
        )
    if key in _VM:
        group = _GROUP.fullmatch(path.instance)
        vm = path.instance if group is None else group[2]
        if object != "virtual disk" and not _is_vm(group, vcpus):
            return None
        unit, measure = _VM[key]
        whole = object != "virtual disk" or ":" not in path.instance or group is not None
        vm, _, disk = (vm, "", "") if whole else path.instance.partition(":")
        return Counter(
            subject=vm,
            kind=Subject.VM,
            name=f"{path.object}({path.instance})\\{counter}",
            unit=unit,
            measure=measure if not disk else None,
            column=where,
        )
    if object in _DISKS and counter.casefold() in _DEVICE:
        unit, measure = _DEVICE[counter.casefold()]
        return Counter(
            subject=path.host,
            kind=Subject.DEVICE,
            device=path.instance,
            name=f"{path.object}({path.instance})\\{counter}",
            unit=unit,
            measure=measure,
            column=where,
        )
    return None


def _is_vm(group: re.Match[str] | None, vcpus: dict[str, int]) -> bool:
    """Whether a group is a VM's: one with vCPUs, and without such columns none of the host's own."""
    if group is None:
        return False
    if vcpus:
        return group[1] in vcpus
    return group[2] not in _SYSTEM and re.search(r"\.\d+$", group[2]) is None
