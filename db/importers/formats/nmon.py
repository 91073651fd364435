"""nmon of AIX and Linux: lines of comma-separated values, each named by what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from db.errors import StoreError
from db.importers.disks import add_disk_total
from db.importers.opening import Opened
from db.importers.sampled import (
    NO_USE,
    Known,
    Tracks,
    disk_counter,
    machine_counter,
    month_of,
    number,
    sampled,
    seconds_of_day,
)
from models.base.texts import say
from models.intake.records import Part, Quantity

_DISK_SECTION = re.compile(r"DISK(XFER|READ|WRITE|BUSY)(\d*)\Z")
_DISK_UNITS: dict[str, Known] = {
    "XFER": Known("IO/s", Quantity.IOPS),
    "READ": Known("KiB/s"),
    "WRITE": Known("KiB/s"),
    "BUSY": Known("%"),
}
_CPU = {
    "user%": Known("%"),
    "sys%": Known("%"),
    "wait%": Known("%"),
    "idle%": Known("%"),
    "steal%": Known("%", Quantity.STEAL_PCT),
}
_MEMORY: dict[str, Known] = {
    "memtotal": Known("MiB", Quantity.RAM_TOTAL_MIB),
    "memfree": Known("MiB"),
    "cached": Known("MiB"),
    "buffers": Known("MiB"),
    "active": Known("MiB"),
    "real free(mb)": Known("MiB", Quantity.RAM_FREE_MIB),
    "real total(mb)": Known("MiB", Quantity.RAM_TOTAL_MIB),
}
_PROCESSES: dict[str, Known] = {
    "runnable": Known("threads", Quantity.RUN_QUEUE),
    "swap-in": Known(""),
}
_PARTITION: dict[str, Known] = {
    "physicalcpu": Known("cores"),
    "virtualcpus": Known(""),
    "entitled": Known("cores"),
}
_TABLES = {"CPU_ALL": _CPU, "MEM": _MEMORY, "PROC": _PROCESSES, "LPAR": _PARTITION}
CPU_NAME = "CPU_ALL User% + Sys%"
FREE_NAME = "MEM memfree + cached + buffers"


def read_nmon(lines: Iterable[str], file: str, unnamed: str) -> Tracks:
    """The series of one machine and its disks.

    Raises:
        StoreError: it holds no samples.
    """
    tracks = Tracks(file)
    machine = unnamed
    about: list[list[str]] = []
    heads: dict[str, list[str]] = {}
    times: dict[str, float] = {}
    for line in lines:
        fields = [each.strip() for each in line.rstrip("\r\n").split(",")]
        section = fields[0]
        if section == "AAA" and len(fields) > 2:
            machine = fields[2] if fields[1] == "host" else machine
            about.append(fields[1:])
        elif section == "ZZZZ" and len(fields) > 3:
            times[fields[1]] = _moment(fields[2], fields[3])
        elif len(fields) > 2 and re.fullmatch(r"T\d+", fields[1]):
            time = times.get(fields[1])
            if section not in heads:
                tracks.unread[Part.SECTION, section, NO_USE] += 1
            elif time is not None:
                _put(tracks, machine, section, heads[section], fields[2:], time)
        elif section in _TABLES or _DISK_SECTION.fullmatch(section):
            heads[section] = fields[2:]
        elif section == "TOP":
            tracks.unread[Part.SECTION, section, NO_USE] += 1
    if not tracks.of:
        raise StoreError(say("holds no samples"), file)
    _note_machine(tracks, machine, about)
    add_disk_total(tracks, machine)
    return tracks


_CLOCK = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)\s*MHz|MHz\D{0,3}(\d+(?:\.\d+)?)")


def _note_machine(tracks: Tracks, machine: str, about: Iterable[list[str]]) -> None:
    """Processors and their clock, where lines of AAA name them: the last number of processors is
    that of those that are online."""
    for name, *rest in about:
        if name == "cpus" and (online := [int(each) for each in rest if each.isdigit()]):
            tracks.cpus[machine] = online[-1]
        elif (found := _CLOCK.search(" ".join(rest))) is not None:
            tracks.speeds_mhz[machine] = float(found[1] or found[2])


def _moment(clock: str, date: str) -> float:
    day, month, year = [*re.split(r"[-/. ]", date), "", "", ""][:3]
    seconds = seconds_of_day(clock)
    number_of = month_of(month)
    if seconds is None or not day.isdigit() or not year.isdigit() or number_of is None:
        return float("nan")
    try:
        return datetime(int(year), number_of, int(day), tzinfo=UTC).timestamp() + seconds
    except (ValueError, OverflowError):
        return float("nan")


def _known(value: float) -> float:
    """Not a number where nmon writes -1: what its system has no figure of."""
    return value if value > -1.0 else float("nan")


def _put(
    tracks: Tracks, machine: str, section: str, head: list[str], fields: list[str], time: float
) -> None:
    disks = _DISK_SECTION.fullmatch(section)
    if disks is not None:
        name = f"DISK{disks[1]}"
        for device, field in zip(head, fields, strict=False):
            if device:
                counter = disk_counter(machine, device, name, _DISK_UNITS[disks[1]])
                tracks.put(counter, time, number(field))
        return
    values = {
        name.casefold(): _known(number(field))
        for name, field in zip(head, fields, strict=False)
        if name
    }
    known = _TABLES[section]
    for name, value in values.items():
        if name in known:
            tracks.put(machine_counter(machine, f"{section} {name}", known[name]), time, value)
    if section == "CPU_ALL" and (cpus := values.get("cpus", 0.0)) >= 1.0:
        tracks.cpus[machine] = int(cpus)
    if section == "CPU_ALL" and {"user%", "sys%"} <= values.keys():
        busy = values["user%"] + values["sys%"]
        tracks.put(machine_counter(machine, CPU_NAME, Known("%", Quantity.CPU_PCT)), time, busy)
    if section == "MEM" and {"memfree", "cached", "buffers"} <= values.keys():
        free = values["memfree"] + values["cached"] + values["buffers"]
        tracks.put(
            machine_counter(machine, FREE_NAME, Known("MiB", Quantity.RAM_FREE_MIB)), time, free
        )


def _sniff(file: Opened) -> float | None:
    return 0.9 if re.search(r"^AAA,\w+,", file.start, re.MULTILINE) else None


IMPORTER = sampled(
    kind="nmon",
    title="nmon",
    looks_for=say("nmon: lines that begin with AAA and ZZZZ"),
    sniff=_sniff,
    tracks=lambda file: read_nmon(file.lines(), file.name, file.stem),
)
