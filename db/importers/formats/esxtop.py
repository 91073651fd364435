"""esxtop in batch mode: what hosts and their VMs used, sample by sample."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Collection, Iterable
from dataclasses import replace

from db.importers.opening import Opened
from db.importers.pdh import Path, is_pdh, read_pdh
from db.importers.sampled import Counter, Known, Tracks, sampled
from models.base.texts import say
from models.intake.records import Quantity, Subject

_HOST: dict[tuple[str, str], Known] = {
    ("physical cpu", "% util time"): Known("%", Quantity.CPU_PCT),
    ("physical cpu", "% processor time"): Known("%"),
    ("physical cpu", "% core util time"): Known("%"),
    ("physical cpu load", "cpu load (1 minute avg)"): Known(""),
    ("memory", "machine mbytes"): Known("MiB", Quantity.RAM_TOTAL_MIB),
    ("memory", "kernel mbytes"): Known("MiB"),
    ("memory", "free mbytes"): Known("MiB", Quantity.RAM_FREE_MIB),
    ("memory", "swap used mbytes"): Known("MiB", Quantity.SWAPPED_MIB),
    ("memory", "memctl current mbytes"): Known("MiB", Quantity.BALLOON_MIB),
    ("memory", "memory overcommit (1 minute avg)"): Known(""),
}
_VM: dict[tuple[str, str], Known] = {
    ("group cpu", "% used"): Known("% of a core", Quantity.CPU_CORE_PCT),
    ("group cpu", "% run"): Known("% of a core"),
    ("group cpu", "% ready"): Known("% of a vCPU", Quantity.READY_PCT),
    ("group cpu", "% costop"): Known("% of a vCPU", Quantity.COSTOP_PCT),
    ("group cpu", "% max limited"): Known("% of a vCPU"),
    ("group cpu", "% demand"): Known("% of a core"),
    ("group memory", "memory size mbytes"): Known("MiB", Quantity.RAM_TOTAL_MIB),
    ("group memory", "memory consumed size mbytes"): Known("MiB", Quantity.RAM_MIB),
    ("group memory", "touched mbytes"): Known("MiB", Quantity.RAM_ACTIVE_MIB),
    ("group memory", "swapped mbytes"): Known("MiB", Quantity.SWAPPED_MIB),
    ("group memory", "memctl mbytes"): Known("MiB", Quantity.BALLOON_MIB),
    ("virtual disk", "commands/sec"): Known("IO/s", Quantity.IOPS),
    ("virtual disk", "reads/sec"): Known("IO/s", Quantity.OTHER),
    ("virtual disk", "writes/sec"): Known("IO/s", Quantity.OTHER),
    ("virtual disk", "average millisec/command"): Known("ms", Quantity.LATENCY_MS),
    ("virtual disk", "average millisec/read"): Known("ms"),
    ("virtual disk", "average millisec/write"): Known("ms"),
}
_DEVICE: dict[str, Known] = {
    "commands/sec": Known("IO/s", Quantity.IOPS),
    "mbytes read/sec": Known("MiB/s"),
    "mbytes written/sec": Known("MiB/s"),
    "average guest millisec/command": Known("ms", Quantity.LATENCY_MS),
    "average driver millisec/command": Known("ms"),
    "average kernel millisec/command": Known("ms"),
    "average queue millisec/command": Known("ms"),
}
_DISKS = frozenset({"physical disk adapter", "physical disk scsi device", "physical disk"})
_VCPU_WORLD = re.compile(r"(\d+):(.*?):(\d+):(?:vmx-vcpu-|vcpu-)(\d+)")
_GROUP = re.compile(r"(\d+):(.*)", re.DOTALL)
_PER_VCPU = frozenset({Quantity.READY_PCT, Quantity.COSTOP_PCT})
_SYSTEM = frozenset(
    [
        "idle",
        "system",
        "helper",
        "drivers",
        "ft",
        "vmotion",
        "init",
        "vmsyslogd",
        "uwdaemons",
        "console",
        "rdma",
        "swapobjd",
        "likewise",
    ]
)
"""Groups of the host's own; its other daemons have their number after a dot."""


def read_esxtop(lines: Iterable[str], file: str) -> Tracks:
    """The series of hosts, VMs and disks.

    The first sample is left out: it holds rates since the host started. Used and ready times are
    sums over the worlds of a VM, as the host writes them: divided by its vCPUs they are per vCPU.
    """
    tracks = Tracks(file)
    read_pdh(lines, tracks, _chosen, without_first=True)
    return tracks


def _chosen(paths: list[Path | None]) -> dict[int, Counter]:
    vcpus, names = _vcpus(paths), _groups(paths)
    chosen: dict[int, Counter] = {}
    for column, path in enumerate(paths):
        counter = None if path is None else _counter(path, column, vcpus, names)
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


def _groups(paths: list[Path | None]) -> frozenset[str]:
    """What groups are called: the VMs among them, whose names may hold a colon."""
    named = (path for path in paths if path is not None and path.object.startswith("Group "))
    found = (_GROUP.fullmatch(path.instance) for path in named)
    return frozenset(each[2] for each in found if each is not None)


def _disk_of(instance: str, names: Collection[str]) -> tuple[str, str]:
    """VM and disk of an instance such as ``mail:scsi0:0``; no disk where it is all of them."""
    if instance in names:
        return instance, ""
    marks = (at for at, mark in enumerate(instance) if mark == ":")
    at = next((at for at in marks if instance[:at] in names), instance.find(":"))
    return (instance, "") if at < 0 else (instance[:at], instance[at + 1 :])


def _counter(
    path: Path, column: int, vcpus: dict[str, int], names: Collection[str]
) -> Counter | None:
    object, counter = path.object.strip().casefold(), path.counter.strip()
    key = object, counter.casefold()
    if key in _HOST and path.instance in ("", "_Total"):
        name = path.instance and f"({path.instance})"
        return _named(path, column, Subject.HOST, path.host, f"{name}\\{counter}", _HOST[key])
    name = f"({path.instance})\\{counter}"
    if key in _VM:
        group = _GROUP.fullmatch(path.instance)
        if object != "virtual disk":
            if group is None or not _is_vm(group, vcpus):
                return None
            known = _VM[key]
            if known.quantity in _PER_VCPU:
                if group[1] not in vcpus:
                    known = Known(known.unit)
                else:
                    known = known._replace(factor=1.0 / vcpus[group[1]])
            counted = _named(path, column, Subject.VM, group[2], name, known)
            return replace(counted, vcpus=vcpus.get(group[1]))
        vm, disk = _disk_of(path.instance, names)
        known = Known(_VM[key].unit) if disk else _VM[key]
        return _named(path, column, Subject.VM, vm, name, known)
    known_device = _DEVICE.get(counter.casefold()) if object in _DISKS else None
    if known_device is not None and path.instance:
        return _named(path, column, Subject.DEVICE, path.host, name, known_device)
    return None


def _named(
    path: Path, column: int, kind: Subject, subject: str, name: str, known: Known
) -> Counter:
    return Counter(
        subject=subject,
        kind=kind,
        name=f"{path.object}{name}",
        known=known,
        on=path.host if kind is Subject.VM else "",
        device=path.instance if kind is Subject.DEVICE else "",
        column=f"#{column + 1}",
    )


def _is_vm(group: re.Match[str], vcpus: dict[str, int]) -> bool:
    """Whether a group is a VM: one with vCPUs; without such columns, none of the host's own."""
    if vcpus:
        return group[1] in vcpus
    return group[2] not in _SYSTEM and re.search(r"\.\d+$", group[2]) is None


def _sniff(file: Opened) -> float | None:
    start = file.start
    if not is_pdh(start):
        return None
    return (
        0.95 if re.search(r"\\(?:Physical Cpu|Group Cpu|Vcpu|Group Memory)[(\\]", start) else None
    )


IMPORTER = sampled(
    kind="esxtop-csv",
    title="esxtop",
    looks_for=say("esxtop in batch mode: counters such as Group Cpu"),
    sniff=_sniff,
    tracks=lambda file: read_esxtop(file.lines(), file.name),
)
