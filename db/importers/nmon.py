"""nmon of AIX and Linux: lines of comma-separated values, each named by what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from db.errors import StoreError
from db.importers.iostat import add_disk_total, disk_counter
from db.importers.sampled import Counter, Measure, Subject, Tracks, number, seconds_of_day
from models.texts import say

_MONTHS = {
    name: index
    for index, names in enumerate(
        (
            "jan jän janv",
            "feb fév févr",
            "mar mär mrz mars",
            "apr avr avril",
            "may mai mag",
            "jun juin giu",
            "jul juil lug",
            "aug août ago",
            "sep sept set",
            "oct okt ott",
            "nov",
            "dec dez déc dic",
        ),
        start=1,
    )
    for name in names.split()
}
_DISK_SECTION = re.compile(r"DISK(XFER|READ|WRITE|BUSY)(\d*)\Z")
_DISK_UNITS: dict[str, tuple[str, Measure | None]] = {
    "XFER": ("IO/s", Measure.IOPS),
    "READ": ("KiB/s", None),
    "WRITE": ("KiB/s", None),
    "BUSY": ("%", None),
}
_CPU = {
    "user%": ("%", None),
    "sys%": ("%", None),
    "wait%": ("%", None),
    "idle%": ("%", None),
    "steal%": ("%", Measure.STEAL_PCT),
}
_MEMORY: dict[str, tuple[str, Measure | None]] = {
    "memtotal": ("MiB", Measure.RAM_TOTAL_MIB),
    "memfree": ("MiB", None),
    "cached": ("MiB", None),
    "buffers": ("MiB", None),
    "active": ("MiB", None),
    "real free(mb)": ("MiB", Measure.RAM_FREE_MIB),
    "real total(mb)": ("MiB", Measure.RAM_TOTAL_MIB),
}
_PROCESSES: dict[str, tuple[str, Measure | None]] = {
    "runnable": ("threads", Measure.RUN_QUEUE),
    "swap-in": ("", None),
}
_PARTITION: dict[str, tuple[str, Measure | None]] = {
    "physicalcpu": ("cores", None),
    "virtualcpus": ("", None),
    "entitled": ("cores", None),
}
_TABLES = {"CPU_ALL": _CPU, "MEM": _MEMORY, "PROC": _PROCESSES, "LPAR": _PARTITION}
CPU_NAME = "CPU_ALL User% + Sys%"
FREE_NAME = "MEM memfree + cached + buffers"


def read_nmon(lines: Iterable[str], file: str, unnamed: str) -> Tracks:
    """The series of one server and its disks.

    Raises:
        StoreError: it holds no samples.
    """
    tracks = Tracks(file)
    server = unnamed
    heads: dict[str, list[str]] = {}
    times: dict[str, float] = {}
    for line in lines:
        fields = [each.strip() for each in line.rstrip("\r\n").split(",")]
        section = fields[0]
        if section == "AAA" and len(fields) > 2 and fields[1] == "host":
            server = fields[2]
        elif section == "ZZZZ" and len(fields) > 3:
            times[fields[1]] = _moment(fields[2], fields[3])
        elif len(fields) > 2 and re.fullmatch(r"T\d+", fields[1]):
            time = times.get(fields[1])
            if section in heads and time is not None:
                _put(tracks, server, section, heads[section], fields[2:], time)
        elif section in _TABLES or _DISK_SECTION.fullmatch(section):
            heads[section] = fields[2:]
    if not tracks.of:
        raise StoreError(say("holds no samples"), file)
    add_disk_total(tracks, server)
    return tracks


def _moment(clock: str, date: str) -> float:
    day, month, year = (re.split(r"[-/. ]", date) + ["", "", ""])[:3]
    seconds = seconds_of_day(clock)
    number_of = _MONTHS.get(month.casefold().rstrip("."))
    if seconds is None or not day.isdigit() or not year.isdigit() or number_of is None:
        return float("nan")
    try:
        return datetime(int(year), number_of, int(day), tzinfo=UTC).timestamp() + seconds
    except ValueError:
        return float("nan")


def _put(
    tracks: Tracks, server: str, section: str, head: list[str], fields: list[str], time: float
) -> None:
    disks = _DISK_SECTION.fullmatch(section)
    if disks is not None:
        name = f"DISK{disks[1]}"
        for device, field in zip(head, fields, strict=False):
            if device:
                counter = disk_counter(server, device, name, *_DISK_UNITS[disks[1]])
                tracks.put(counter, time, number(field))
        return
    values = {
        name.casefold(): number(field) for name, field in zip(head, fields, strict=False) if name
    }
    known = _TABLES[section]
    for name, value in values.items():
        if name in known:
            tracks.put(_of_server(server, f"{section} {name}", *known[name]), time, value)
    if section == "CPU_ALL" and {"user%", "sys%"} <= values.keys():
        busy = values["user%"] + values["sys%"]
        tracks.put(_of_server(server, CPU_NAME, "%", Measure.CPU_PCT), time, busy)
    if section == "MEM" and {"memfree", "cached", "buffers"} <= values.keys():
        free = values["memfree"] + values["cached"] + values["buffers"]
        tracks.put(_of_server(server, FREE_NAME, "MiB", Measure.RAM_FREE_MIB), time, free)


def _of_server(server: str, name: str, unit: str, measure: Measure | None) -> Counter:
    return Counter(
        subject=server, kind=Subject.SERVER, name=name, unit=unit, measure=measure, column=name
    )
