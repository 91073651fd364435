"""What sar recorded: as text of sar (and mpstat), and as sadf exports it (-d, -p, -j).

All of them have the same columns under nearly the same names; `_FIELDS` knows them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from db.errors import StoreError
from db.importers.disks import TITLE, add_disk_total
from db.importers.sampled import (
    Known,
    Tracks,
    day_of,
    disk_counter,
    machine_counter,
    moment,
    number,
    seconds_of_day,
)
from models.intake.records import Quantity
from models.texts import say

_KIB = 1 / 1024
_FIELDS: dict[str, Known] = {
    "%user": Known("%"),
    "%usr": Known("%"),
    "%nice": Known("%"),
    "%system": Known("%"),
    "%sys": Known("%"),
    "%iowait": Known("%"),
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
_DEVICES = frozenset({"DEV", "IFACE"})
_ALL = frozenset({"-1", "all"})
CPU_NAME = "100 - %idle - %iowait - %steal"
RESTART = re.compile(r"LINUX[- ]RESTART")


def _put_row(
    tracks: Tracks,
    machine: str,
    time: float | None,
    names: list[str],
    fields: list[str],
) -> None:
    """Put one row of an activity; of processors only all of them together."""
    key, device = names[0], ""
    if key == "CPU":
        if fields[0] not in _ALL:
            return
        names, fields = names[1:], fields[1:]
    elif key in _DEVICES:
        device = fields[0]
        names, fields = names[1:], fields[1:]
    values = {name: number(field) for name, field in zip(names, fields, strict=False)}
    _put_values(tracks, machine, device, time, values)


def _put_values(
    tracks: Tracks, machine: str, device: str, time: float | None, values: Mapping[str, float]
) -> None:
    for name, value in values.items():
        known = _FIELDS.get(name.casefold())
        if known is None:
            continue
        if device:
            tracks.put(disk_counter(machine, device, name, known), time, value)
        else:
            tracks.put(machine_counter(machine, name, known), time, value)
    if not device and "%idle" in values:
        busy = 100.0 - sum(values.get(each, 0.0) for each in ("%idle", "%iowait", "%steal"))
        known = Known("%", Quantity.CPU_PCT)
        tracks.put(machine_counter(machine, CPU_NAME, known), time, max(busy, 0.0))


def _finished(tracks: Tracks, reason: str) -> Tracks:
    """With I/Os of all disks where sar itself has no sum of them."""
    if not tracks.of:
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
            names = [each.strip() for each in text.lstrip("# ").split(";")][3:]
            continue
        fields = text.split(";")
        if len(fields) < 4 or not names or RESTART.search(text):
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
        if len(fields) != 6 or fields[1] == "-1":
            continue
        machine, time = fields[0], moment(fields[2])
        device, name, value = fields[3], fields[4], number(fields[5])
        if (machine, time) != at:
            _put_values(tracks, at[0], "", at[1], pending)
            pending, at = {}, (machine, time)
        if device in ("-", "all"):
            pending[name] = value
        elif not device.startswith("cpu"):
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
    "buffers": "kbbuffers",
    "cached": "kbcached",
    "commit": "kbcommit",
    "swpused": "kbswpused",
}


def read_sadf_json(text: str, file: str) -> Tracks:
    """The series of `sadf -j`.

    Raises:
        StoreError: it is no JSON of sadf, or holds no samples.
    """
    tracks = Tracks(file)
    try:
        hosts = json.loads(text)["sysstat"]["hosts"]
        for host in hosts:
            for each in host["statistics"]:
                _put_json(tracks, str(host["nodename"]), each)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(say("is not what sadf -j writes"), file) from None
    return _finished(tracks, say("holds no rows of sadf"))


def _put_json(tracks: Tracks, machine: str, sample: Mapping[str, Any]) -> None:
    stamp = sample.get("timestamp") or {}
    time = moment(f"{stamp.get('date', '')} {stamp.get('time', '')}")
    for key in ("cpu-load", "cpu-load-all"):
        for each in sample.get(key) or ():
            if str(each.get("cpu")) in _ALL:
                _put_values(tracks, machine, "", time, _renamed(each, _JSON_CPU))
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

    Args:
        unnamed: the machine's name where the file has no line of title.

    Raises:
        StoreError: it holds no rows.
    """
    tracks = Tracks(file)
    for machine, time, names, fields in _sar_rows(lines, unnamed):
        _put_row(tracks, machine, time, names, fields)
    return _finished(tracks, say("holds no rows of sar"))


def _sar_rows(
    lines: Iterable[str], unnamed: str
) -> Iterator[tuple[str, float | None, list[str], list[str]]]:
    """Server, moment, names and fields of each row; past midnight the day goes on by one."""
    machine, day, days, last = unnamed, None, 0, 0
    names: list[str] = []
    for line in lines:
        title = TITLE.match(line)
        if title is not None:
            machine, day, days, last = title[2], day_of(title[3]), 0, 0
            continue
        found = re.match(r"(\d{1,2}:\d\d:\d\d(?:\s+[AaPp][Mm])?)\s+(.*)$", line)
        if found is None or RESTART.search(line):
            continue
        seconds = seconds_of_day(" ".join(found[1].split()))
        fields = found[2].split()
        if seconds is None or not fields:
            continue
        if _is_header(fields):
            # Each activity begins with the first hour again.
            names, last, days = fields, seconds, 0
            continue
        if seconds < last - 12 * 3600:
            days += 1
        last = seconds
        if len(fields) == len(names):
            base = 0.0 if day is None else day
            yield machine, base + days * 86_400.0 + seconds, names, fields


def _is_header(fields: list[str]) -> bool:
    """Names of columns: none of them a number, unless they are ordinals such as CPU's."""
    return all(number(each) != number(each) for each in fields[:1] + fields[-1:]) and (
        fields[0] in {"CPU", *_DEVICES} or fields[0].casefold() in _FIELDS or "/s" in fields[0]
    )
