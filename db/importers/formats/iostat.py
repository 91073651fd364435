"""iostat of Linux (sysstat), from the oldest columns to the newest: CPU and disks of a machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from db.errors import StoreError
from db.importers.disks import TITLE, add_disk_total
from db.importers.opening import Opened
from db.importers.sampled import (
    Counter,
    Known,
    Tracks,
    day_of,
    disk_counter,
    machine_counter,
    moment,
    number,
    sampled,
)
from models.intake.records import Quantity
from models.texts import say

CPU_LINE = re.compile(r"^\s*avg-cpu:")
DEVICE_LINE = re.compile(r"^\s*Device:?\s")
_UNITS: dict[str, Known] = {
    "tps": Known("IO/s", Quantity.IOPS),
    "r/s": Known("IO/s"),
    "w/s": Known("IO/s"),
    "kb_read/s": Known("KiB/s"),
    "kb_wrtn/s": Known("KiB/s"),
    "mb_read/s": Known("MiB/s"),
    "mb_wrtn/s": Known("MiB/s"),
    "rkb/s": Known("KiB/s"),
    "wkb/s": Known("KiB/s"),
    "rmb/s": Known("MiB/s"),
    "wmb/s": Known("MiB/s"),
    "rsec/s": Known("sectors/s"),
    "wsec/s": Known("sectors/s"),
    "await": Known("ms", Quantity.LATENCY_MS),
    "r_await": Known("ms"),
    "w_await": Known("ms"),
    "f_await": Known("ms"),
    "svctm": Known("ms"),
    "avgqu-sz": Known(""),
    "aqu-sz": Known(""),
    "%util": Known("%"),
}
CPU_NAME = "%user + %nice + %system"


def read_iostat(lines: Iterable[str], file: str, unnamed: str) -> Tracks:
    """The series of one machine and its disks; the first block, since it started, is left out.

    Args:
        unnamed: the machine's name where the file has no line of title.

    Raises:
        StoreError: it holds no block but the first.
    """
    tracks = Tracks(file)
    blocks, machines = 0, {unnamed}
    for machine, time, block in _blocks(lines, unnamed):
        blocks += 1
        machines.add(machine)
        if blocks > 1:
            for counter, value in block:
                tracks.put(counter, time, value)
    if not tracks.of:
        reason = say(
            "holds only the averages since the machine started: run iostat -xt 60 for a day"
        )
        if not blocks:
            reason = say("holds no rows of iostat")
        raise StoreError(reason, file)
    for each in sorted(machines):
        add_disk_total(tracks, each)
    return tracks


def _blocks(
    lines: Iterable[str], unnamed: str
) -> Iterator[tuple[str, float | None, list[tuple[Counter, float]]]]:
    """Server, time and samples of each block; one ends where the next line of CPU begins."""
    machine, time, day = unnamed, None, None
    cpu: list[str] = []
    device: list[str] = []
    block: list[tuple[Counter, float]] = []
    for line in lines:
        title = TITLE.match(line)
        text = line.strip()
        if title is not None:
            machine, day = title[2], day_of(title[3])
        elif CPU_LINE.match(line) or (DEVICE_LINE.match(line) and device and not cpu):
            if block:
                yield machine, time, block
            block = []
            cpu = text.split()[1:] if CPU_LINE.match(line) else []
            device = [] if cpu else text.split()
        elif DEVICE_LINE.match(line):
            device = text.split()
        elif not text:
            continue
        elif _stamp(text, day) is not None:
            if block:
                yield machine, time, block
            block, time, device = [], _stamp(text, day), []
        elif cpu and not device:
            block.extend(_cpu_samples(machine, cpu, text.split()))
        elif device:
            block.extend(_disk_samples(machine, device, text.split()))
    if block:
        yield machine, time, block


def _stamp(text: str, day: float | None) -> float | None:
    """The moment of a line of time alone, as `-t` writes it."""
    if not re.match(r"(Time:\s*)?[\d/.:-]+([T ][\d:]+)?\s*([AaPp][Mm])?(\s*[+-]\d{4})?$", text):
        return None
    if ":" not in text:
        return None
    return moment(text.replace("T", " "))


def _cpu_samples(
    machine: str, names: list[str], fields: list[str]
) -> Iterator[tuple[Counter, float]]:
    values = dict(zip(names, map(number, fields), strict=False))
    for name, value in values.items():
        quantity = Quantity.STEAL_PCT if name == "%steal" else Quantity.OTHER
        yield machine_counter(machine, name, Known("%", quantity)), value
    if "%idle" in values:
        busy = sum(values.get(each, 0.0) for each in ("%user", "%nice", "%system"))
        yield machine_counter(machine, CPU_NAME, Known("%", Quantity.CPU_PCT)), busy


def _disk_samples(
    machine: str, names: list[str], fields: list[str]
) -> Iterator[tuple[Counter, float]]:
    if len(fields) != len(names):
        return
    for name, field in zip(names[1:], fields[1:], strict=True):
        known = _UNITS.get(name.casefold())
        if known is not None:
            yield disk_counter(machine, fields[0], name, known), number(field)


def _sniff(file: Opened) -> float | None:
    lines = file.start.splitlines()[:200]
    if any(DEVICE_LINE.match(line) for line in lines):
        return 0.85
    return 0.6 if any(CPU_LINE.match(line) for line in lines) else None


IMPORTER = sampled(
    kind="iostat",
    title="iostat",
    looks_for=say("iostat: lines that begin with avg-cpu or Device"),
    sniff=_sniff,
    tracks=lambda file: read_iostat(file.lines(), file.name, file.stem),
)
