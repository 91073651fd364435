"""What sar recorded: as text of sar (and mpstat), and as sadf exports it (-d, -p, -j).

All of them have the same columns under nearly the same names; `_FIELDS` knows them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from db.errors import StoreError
from db.importers.disks import add_disk_total
from db.importers.sampled import (
    NO_USE,
    Known,
    Tracks,
    disk_counter,
    figure,
    machine_counter,
    moment,
    number,
    seconds_of_day,
    turned,
)
from db.importers.titles import note_configuration, note_restart, title_of
from models.base.texts import say
from models.intake.records import Part, Quantity

_KIB = 1 / 1024
_FIELDS: dict[str, Known] = {
    "%user": Known("%"),
    "%usr": Known("%"),
    "%nice": Known("%"),
    "%system": Known("%"),
    "%sys": Known("%"),
    "%iowait": Known("%"),
    "%wio": Known("%"),
    "%steal": Known("%", Quantity.STEAL_PCT),
    "%irq": Known("%"),
    "%soft": Known("%"),
    "%guest": Known("%"),
    "%gnice": Known("%"),
    "%idle": Known("%"),
    "kbmemfree": Known("KiB"),
    "kbavail": Known("KiB", Quantity.RAM_FREE_MIB, _KIB),
    "kbmemused": Known("KiB"),
    "%memused": Known("%"),
    "kbbuffers": Known("KiB"),
    "kbcached": Known("KiB"),
    "kbcommit": Known("KiB"),
    "kbactive": Known("KiB"),
    "kbswpused": Known("KiB"),
    "pswpin/s": Known("pages/s", Quantity.SWAP_IN),
    "pswpout/s": Known("pages/s", Quantity.SWAP_OUT),
    "runq-sz": Known("threads", Quantity.RUN_QUEUE),
    "ldavg-1": Known(""),
    "ldavg-5": Known(""),
    "ldavg-15": Known(""),
    "blocked": Known(""),
    "rtps": Known("IO/s"),
    "wtps": Known("IO/s"),
    "tps": Known("IO/s", Quantity.IOPS),
    "r+w/s": Known("IO/s", Quantity.IOPS),
    "%busy": Known("%"),
    "avque": Known(""),
    "blks/s": Known("blocks/s"),
    "kbs/s": Known("KiB/s"),
    "avwait": Known("ms"),
    "avserv": Known("ms"),
    "physc": Known("cores"),
    "bread/s": Known("blocks/s"),
    "bwrtn/s": Known("blocks/s"),
    "rd_sec/s": Known("sectors/s"),
    "wr_sec/s": Known("sectors/s"),
    "rkb/s": Known("KiB/s"),
    "wkb/s": Known("KiB/s"),
    "await": Known("ms", Quantity.LATENCY_MS),
    "svctm": Known("ms"),
    "avgqu-sz": Known(""),
    "aqu-sz": Known(""),
    "%util": Known("%"),
    "rxkb/s": Known("KiB/s"),
    "txkb/s": Known("KiB/s"),
}
_DEVICES = frozenset({"DEV", "IFACE", "device"})
_PROCESSORS = frozenset({"CPU", "cpu"})
_PARTS = frozenset({"NODE", "FAN", "TEMP", "IN", "BUS", "FILESYSTEM", "MOUNTPOINT", "TTY", "INTR"})
"""Other parts of a machine whose rows are no figures of the whole."""
_ALL = frozenset({"-1", "all", "-"})
_NO_WORK = ("%idle", "%iowait", "%wio", "%steal")
_SHARES = frozenset((*_NO_WORK, "%user", "%usr", "%nice", "%system", "%sys", "%memused"))
CPU_NAME = "100 - %idle - %iowait - %steal"
TOTAL_NAME, FREE_NAME = "kbmemfree + kbmemused", "kbmemfree + kbbuffers + kbcached"


def _put_row(
    tracks: Tracks,
    machine: str,
    time: float | None,
    names: list[str],
    fields: list[str],
) -> None:
    """Put one row of an activity; of processors only all of them together."""
    if names[-1] in _DEVICES:
        names, fields = turned(names), turned(fields)
    key, device = names[0], ""
    if key in _PROCESSORS:
        if fields[0] not in _ALL:
            tracks.put_processor(machine, fields[0])
            return
        names, fields = names[1:], fields[1:]
    elif key in _DEVICES:
        device = fields[0]
        names, fields = names[1:], fields[1:]
    elif key in _PARTS:
        tracks.unread[Part.SECTION, key, NO_USE] += 1
        return
    values = {name: figure(field) for name, field in zip(names, fields, strict=False)}
    _put_values(tracks, machine, device, time, values)


def _put_values(
    tracks: Tracks, machine: str, device: str, time: float | None, values: Mapping[str, float]
) -> None:
    for name, value in values.items():
        known = _FIELDS.get(name.casefold())
        if known is None:
            tracks.unread[Part.COLUMN, name, NO_USE] += 1
        elif device:
            tracks.put(disk_counter(machine, device, name, known), time, value)
        elif name.casefold() in _SHARES:
            tracks.put_share(machine_counter(machine, name, known), time, value)
        else:
            tracks.put(machine_counter(machine, name, known), time, value)
    if device:
        return
    if "%idle" in values:
        busy = 100.0 - sum(values.get(each, 0.0) for each in _NO_WORK)
        known = Known("%", Quantity.CPU_PCT)
        tracks.put_share(machine_counter(machine, CPU_NAME, known), time, busy)
    if "kbmemused" in values:
        _put_memory(tracks, machine, time, values)


def _put_memory(
    tracks: Tracks, machine: str, time: float | None, values: Mapping[str, float]
) -> None:
    """Memory as a whole, and what can be had where no column says it.

    Used and free are the whole of it with older releases; newer ones count caches to neither, and
    the share that is used tells the whole.
    """
    free, used = values.get("kbmemfree", 0.0), values["kbmemused"]
    total, pct = free + used, values.get("%memused", 0.0)
    if pct > 0.0 and abs(used / total * 100.0 - pct) > 0.02:
        total = used / pct * 100.0
    known = Known("KiB", Quantity.RAM_TOTAL_MIB, _KIB)
    tracks.put(machine_counter(machine, TOTAL_NAME, known), time, total)
    if "kbavail" not in values and {"kbbuffers", "kbcached"} <= values.keys():
        free += values["kbbuffers"] + values["kbcached"]
        known = Known("KiB", Quantity.RAM_FREE_MIB, _KIB)
        tracks.put(machine_counter(machine, FREE_NAME, known), time, free)


def _finished(tracks: Tracks, reason: str) -> Tracks:
    """With I/Os of all disks where sar itself has no sum of them."""
    if not tracks.of:
        if tracks.single:
            reason = say("holds rows of single processors alone, none of all of them (sar -u ALL)")
        raise StoreError(reason, tracks.file)
    for machine in {each.counter.subject for each in tracks.of.values()}:
        if (machine, "", "tps") not in tracks.of:
            add_disk_total(tracks, machine)
    return tracks


# --- sadf -------------------------------------------------------------------------------------


def read_sadf(lines: Iterable[str], file: str) -> Tracks:
    """The series of `sadf -d`: blocks of rows, each under a line of its columns' names.

    Raises:
        StoreError: it holds no rows.
    """
    tracks = Tracks(file)
    names: list[str] = []
    for line in lines:
        text = line.strip()
        if text.startswith("#"):
            if "[...]" in text:
                raise StoreError(say("has headings that are cut: write it by sadf -d alone"), file)
            names = [each.strip() for each in text.lstrip("# ").split(";")][3:]
            continue
        fields = text.split(";")
        if note_restart(tracks, fields[0], text) or len(fields) < 4 or not names:
            continue
        if len(fields) - 3 == len(names):
            _put_row(tracks, fields[0], moment(fields[2]), names, fields[3:])
    return _finished(tracks, say("holds no rows of sadf"))


def read_sadf_pairs(lines: Iterable[str], file: str) -> Tracks:
    """The series of `sadf -p`: one value a line, host, interval, time, device, field, value.

    Raises:
        StoreError: it holds no rows.
    """
    tracks = Tracks(file)
    pending: dict[str, float] = {}
    at: tuple[str, float | None] = ("", None)
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if note_restart(tracks, fields[0], line) or len(fields) != 6 or fields[1] == "-1":
            continue
        machine, time = fields[0], moment(fields[2])
        device, name, value = fields[3], fields[4], number(fields[5])
        if (machine, time) != at:
            _put_values(tracks, at[0], "", at[1], pending)
            pending, at = {}, (machine, time)
        if device in ("-", "all"):
            pending[name] = value
        elif device.startswith("cpu"):
            tracks.put_processor(machine, device)
        else:
            _put_values(tracks, machine, device, time, {name: value})
    _put_values(tracks, at[0], "", at[1], pending)
    return _finished(tracks, say("holds no rows of sadf"))


MAX_JSON = 100 * 2**20
_JSON_CPU = {
    "user": "%user",
    "usr": "%usr",
    "nice": "%nice",
    "system": "%system",
    "sys": "%sys",
    "iowait": "%iowait",
    "steal": "%steal",
    "idle": "%idle",
}
_JSON_MEMORY = {
    "memfree": "kbmemfree",
    "avail": "kbavail",
    "memused": "kbmemused",
    "memused-percent": "%memused",
    "buffers": "kbbuffers",
    "cached": "kbcached",
    "commit": "kbcommit",
    "swpused": "kbswpused",
}


Reports = Callable[[Tracks, str, Sequence[Mapping[str, Any]]], bool]


def read_sadf_json(text: str, file: str, of_iostat: Reports) -> Tracks:
    """The series of `sadf -j`, or of iostat and mpstat with `-o JSON`.

    Args:
        of_iostat: puts the reports of a machine where they are of iostat; False for any others.

    Raises:
        StoreError: it is no JSON of sadf, or holds no samples.
    """
    tracks = Tracks(file)
    try:
        hosts = json.loads(text)["sysstat"]["hosts"]
        for host in hosts:
            machine, cpus = str(host["nodename"]), host.get("number-of-cpus")
            if isinstance(cpus, int) and cpus > 0:
                tracks.cpus[machine] = cpus
            if not of_iostat(tracks, machine, host["statistics"]):
                for each in host["statistics"]:
                    _put_json(tracks, machine, str(host.get("date", "")), each)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(say("is not what sadf -j writes"), file) from None
    return _finished(tracks, say("holds no rows of sadf"))


def _put_json(tracks: Tracks, machine: str, day: str, sample: Mapping[str, Any]) -> None:
    stamp = sample.get("timestamp") or {}
    if isinstance(stamp, str):  # of mpstat, a time of the day that the host names
        stamp = {"date": day, "time": stamp}
    time = moment(f"{stamp.get('date', '')} {stamp.get('time', '')}")
    for key in ("cpu-load", "cpu-load-all"):
        for each in sample.get(key) or ():
            if str(each.get("cpu")) in _ALL:
                _put_values(tracks, machine, "", time, _renamed(each, _JSON_CPU))
            else:
                tracks.put_processor(machine, str(each.get("cpu")))
    _put_values(tracks, machine, "", time, _renamed(sample.get("memory") or {}, _JSON_MEMORY))
    _put_values(tracks, machine, "", time, _renamed(sample.get("queue") or {}, {}))
    swap = sample.get("swap-pages") or {}
    _put_values(tracks, machine, "", time, {f"{name}/s": _float(swap[name]) for name in swap})
    if "io" in sample:
        _put_values(tracks, machine, "", time, {"tps": _float(sample["io"].get("tps"))})
    for each in sample.get("disk") or ():
        values = _renamed(each, {"rkB": "rkB/s", "wkB": "wkB/s", "util": "%util"})
        _put_values(tracks, machine, str(each.get("disk-device")), time, values)


def _renamed(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, float]:
    return {
        names.get(key, key): float(value)
        for key, value in values.items()
        if isinstance(value, int | float)
    }


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


# --- sar --------------------------------------------------------------------------------------


def read_sar(lines: Iterable[str], file: str, unnamed: str) -> Tracks:
    """The series of sar's own text, or of mpstat's; averages at its end are left out.

    Linux (sysstat), AIX, HP-UX and Solaris, in any language that keeps the names of columns.

    Args:
        unnamed: the machine's name where the file has no line of title.

    Raises:
        StoreError: it holds no rows.
    """
    tracks = Tracks(file)
    section = _Section(unnamed)
    for line in lines:
        title = title_of(line)
        if title is not None:
            section = _Section(title.machine, title.day)
            if title.cpus is not None:
                tracks.cpus[title.machine] = title.cpus
        elif not (
            note_configuration(tracks, section.machine, line)
            or note_restart(tracks, section.machine, line)
        ):
            _take_line(tracks, section, line)
    return _finished(tracks, say("holds no rows of sar"))


@dataclass(slots=True)
class _Section:
    """Where in a file a line stands: rows under one line of headings.

    Attributes:
        day: midnight of its first day [s]; `days` have gone by since, `last` is the second of the
            day of the row before.
        names: headings; empty where what follows has none that are known.
        unknown: the headings that nobody knows.
    """

    machine: str
    day: float | None = None
    days: int = 0
    last: int = 0
    names: list[str] = field(default_factory=list)
    unknown: str = ""

    def time(self) -> float:
        return (self.day or 0.0) + self.days * 86_400.0 + self.last


def _take_line(tracks: Tracks, section: _Section, line: str) -> None:
    seconds, rest = _timed(line)
    fields = rest.split()
    if not fields:
        if not line.strip():
            section.names, section.unknown = [], ""
        return
    if fields[0] == "COM":  # a comment that somebody put into the data
        return
    if seconds is None:
        # Of several devices AIX, HP-UX and Solaris write the time beside the first one alone.
        if not (line[:1].isspace() and section.names[:1] == ["device"]):
            return
    elif all(figure(each) != figure(each) for each in fields):
        _begin(section, seconds, fields)
        return
    else:
        section.days += seconds < section.last - 12 * 3600
        section.last = seconds
    names = section.names
    if names[1:4] == _TOPOLOGY and fields[0] in _ALL and len(fields) == len(names) - 3:
        # Of all processors together mpstat -T leaves blank where they stand.
        names = [names[0], *names[4:]]
    if section.unknown:
        tracks.unread[Part.SECTION, section.unknown, NO_USE] += 1
    elif len(fields) == len(names):
        _put_row(tracks, section.machine, section.time(), names, fields)
    elif names:
        tracks.cut += 1


_TOPOLOGY = ["CORE", "SOCK", "NODE"]


def _begin(section: _Section, seconds: int, fields: list[str]) -> None:
    """Take headings; each activity begins with the first hour again."""
    is_known = any(each.casefold() in _FIELDS for each in fields)
    section.names, section.last, section.days = fields if is_known else [], seconds, 0
    section.unknown = "" if is_known else " ".join(fields[:3])


_CLOCK = re.compile(r"(\d{1,2}:\d\d:\d\d(?:\s+[AaPp][Mm])?)\s+(.*)$")
_EASTERN = re.compile(
    r"\s*(?:(?P<half>午前|午後|上午|下午|오전|오후)\s*)?"
    r"(\d{1,2})[時时시]\s?(\d\d)[分분]\s?(\d\d)[秒초]"
)
"""A time of day in Japanese, Chinese or Korean, as strftime’s %X writes it there."""


def _timed(line: str) -> tuple[int | None, str]:
    """Second of the day that a line begins with, None for none, and what stands behind it.

    >>> _timed("10:00:01 PM  all 1"), _timed("17時45分02秒  CPU"), _timed("Average: 1")
    ((79201, 'all 1'), (63902, 'CPU'), (None, 'Average: 1'))
    """
    found = _EASTERN.match(line)
    if found is not None:
        half = {"午後": " PM", "下午": " PM", "오후": " PM"}.get(found["half"] or "", "")
        half = half or (" AM" if found["half"] else "")
        clock = f"{found[2]}:{found[3]}:{found[4]}{half}"
        return seconds_of_day(clock), line[found.end() :].strip()
    plain = _CLOCK.match(line)
    if plain is None:
        return None, line
    return seconds_of_day(" ".join(plain[1].split())), plain[2].strip()


def begins_section(line: str) -> bool:
    """Whether a line is one of sar's headings: a time of day before the names of columns."""
    seconds, rest = _timed(line)
    fields = rest.split()[:3]
    names = {*_FIELDS, *map(str.casefold, (*_DEVICES, *_PROCESSORS)), "proc/s"}
    return seconds is not None and bool(fields) and any(f.casefold() in names for f in fields)
