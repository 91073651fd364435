"""iostat of Linux (sysstat), from the oldest columns to the newest: CPU and disks of a machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from db.errors import StoreError
from db.importers.disks import add_disk_total
from db.importers.opening import Opened
from db.importers.sampled import (
    Counter,
    Known,
    Tracks,
    disk_counter,
    figure,
    machine_counter,
    moment,
    sampled,
    turned,
)
from db.importers.titles import title_of
from models.base.texts import say
from models.intake.records import Quantity

CPU_LINE = re.compile(r"^\s*avg-cpu:")
DEVICE_LINE = re.compile(r"^\s*Device:?\s|^\s+(?:tps|r/s)\s.*\sDevice\s*$")
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
    """The series of machines and their disks; the first block of each run of iostat, since the
    machine started, is left out.

    Args:
        unnamed: the machine's name where the file has no line of title.

    Raises:
        StoreError: it holds no block but the first.
    """
    tracks = Tracks(file)
    blocks, machines, begun = 0, {unnamed}, -1
    for run, machine, time, block in _blocks(lines, unnamed, tracks.cpus):
        blocks += 1
        machines.add(machine)
        if run == begun:
            for counter, value in block:
                put = tracks.put if counter.device else tracks.put_share
                put(counter, time, value)
        begun = run
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
    lines: Iterable[str], unnamed: str, cpus: dict[str, int]
) -> Iterator[tuple[int, str, float | None, list[tuple[Counter, float]]]]:
    """Run, server, time and samples of each block; one ends where the next line of CPU begins.

    Args:
        cpus: is given the processors that titles name.
    """
    at = _At(unnamed)
    for line in lines:
        title = title_of(line)
        if title is not None or at.ends_block(line):
            if at.block:
                yield at.run, at.machine, at.time, at.block
            at.block = []
        if title is not None:
            at = _At(title.machine, title.day, at.run + 1)
            if title.cpus is not None:
                cpus[title.machine] = title.cpus
        else:
            at.take(line)
    if at.block:
        yield at.run, at.machine, at.time, at.block


@dataclass(slots=True)
class _At:
    """Where in a file a line stands: `cpu` and `device` are the headings above it.

    Attributes:
        is_last: devices stand at the ends of their rows; `alone`: one on a line of its own, as
            older releases write them with `-h`.
    """

    machine: str
    day: float | None = None
    run: int = 0
    time: float | None = None
    cpu: list[str] = field(default_factory=list)
    device: list[str] = field(default_factory=list)
    is_last: bool = False
    alone: list[str] = field(default_factory=list)
    block: list[tuple[Counter, float]] = field(default_factory=list)

    def ends_block(self, line: str) -> bool:
        is_next = DEVICE_LINE.match(line) and self.device and not self.cpu
        return bool(CPU_LINE.match(line) or is_next or _stamp(line.strip(), self.day) is not None)

    def take(self, line: str) -> None:
        fields = line.split()
        if CPU_LINE.match(line):
            self.cpu, self.device = fields[1:], []
        elif DEVICE_LINE.match(line):
            self.is_last = fields[-1] == "Device"
            self.device = turned(fields) if self.is_last else fields
        elif (stamp := _stamp(line.strip(), self.day)) is not None:
            self.time, self.device = stamp, []
        elif self.cpu and not self.device and fields:
            self.block.extend(_cpu_samples(self.machine, self.cpu, fields))
        elif self.device and len(fields) == 1:
            self.alone = fields
        elif self.device:
            cells = turned(fields) if self.is_last else [*self.alone, *fields]
            self.alone = []
            self.block.extend(_disk_samples(self.machine, self.device, cells))


def _stamp(text: str, day: float | None) -> float | None:
    """The moment of a line of time alone, as `-t` writes it."""
    if not re.match(r"(Time:\s*)?[\d/.:-]+([T ][\d:]+)?(\s*[AaPp][Mm])?(\s*[+-]\d{4})?$", text):
        return None
    if ":" not in text:
        return None
    return moment(text.replace("T", " "))


def _cpu_samples(
    machine: str, names: list[str], fields: list[str]
) -> Iterator[tuple[Counter, float]]:
    values = dict(zip(names, map(figure, fields), strict=False))
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
    for name, cell in zip(names[1:], fields[1:], strict=True):
        known = _UNITS.get(name.casefold())
        if known is not None:
            yield disk_counter(machine, fields[0], name, known), figure(cell)


def put_iostat_json(tracks: Tracks, machine: str, reports: Sequence[Mapping[str, Any]]) -> bool:
    """Put the reports of `iostat -o JSON` but the first, which is since the machine started; False
    where they are of another tool.

    Raises:
        TypeError, ValueError, AttributeError: they are not what it writes.
    """
    first = reports[0] if reports else {}
    if "avg-cpu" not in first and not any("disk_device" in each for each in first.get("disk", ())):
        return False
    for report in reports[1:]:
        time = moment(str(report.get("timestamp", ""))) if "timestamp" in report else None
        cpu = report.get("avg-cpu") or {}
        names, cells = [f"%{name}" for name in cpu], [str(value) for value in cpu.values()]
        for counter, value in _cpu_samples(machine, names, cells):
            tracks.put_share(counter, time, value)
        for disk in report.get("disk") or ():
            for counter, value in _disk_samples(
                machine, list(disk), list(map(_cell, disk.values()))
            ):
                tracks.put(counter, time, value)
    return True


def _cell(value: object) -> str:
    return str(value).strip()


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
