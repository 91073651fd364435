"""iostat of Linux (sysstat), from the oldest columns to the newest: CPU and disks of one server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from db.errors import StoreError
from db.importers.sampled import (
    Counter,
    Measure,
    Subject,
    Tracks,
    day_of,
    moment,
    number,
    sum_tracks,
)
from models.texts import say

TITLE = re.compile(r"^(Linux|AIX|SunOS)\s+\S+\s+\(?([^()\s]+)\)?\s+(.*)$")
CPU_LINE = re.compile(r"^\s*avg-cpu:")
DEVICE_LINE = re.compile(r"^\s*Device:?\s")
CPUS = re.compile(r"\((\d+) CPU\)")
_UNITS: dict[str, tuple[str, Measure | None]] = {
    "tps": ("IO/s", Measure.IOPS),
    "r/s": ("IO/s", Measure.READ_IOPS),
    "w/s": ("IO/s", Measure.WRITE_IOPS),
    "kb_read/s": ("KiB/s", None),
    "kb_wrtn/s": ("KiB/s", None),
    "mb_read/s": ("MiB/s", None),
    "mb_wrtn/s": ("MiB/s", None),
    "rkb/s": ("KiB/s", None),
    "wkb/s": ("KiB/s", None),
    "rmb/s": ("MiB/s", None),
    "wmb/s": ("MiB/s", None),
    "rsec/s": ("sectors/s", None),
    "wsec/s": ("sectors/s", None),
    "await": ("ms", Measure.LATENCY_MS),
    "r_await": ("ms", None),
    "w_await": ("ms", None),
    "f_await": ("ms", None),
    "svctm": ("ms", None),
    "avgqu-sz": ("", None),
    "aqu-sz": ("", None),
    "%util": ("%", None),
}
_VIRTUAL = re.compile(r"(dm-|loop|sr|scd|fd|md|ram|zram|drbd|cciss!.*p\d|nbd)")
_PARTITION = re.compile(r"((?:sd|vd|xvd|hd)[a-z]+|(?:nvme\d+n\d+|mmcblk\d+)p)\d+\Z")
IOPS_NAME, CPU_NAME = "r/s + w/s", "%user + %nice + %system"


def read_iostat(lines: Iterable[str], file: str, unnamed: str) -> Tracks:
    """The series of one server and its disks; the first block, since it started, is left out.

    Args:
        unnamed: the server's name where the file has no line of title.

    Raises:
        StoreError: it holds no block but the first.
    """
    tracks = Tracks(file)
    server, blocks = unnamed, 0
    for server, time, block in _blocks(lines, unnamed):
        blocks += 1
        if blocks > 1:
            for counter, value in block:
                tracks.put(counter, time, value)
    if not tracks.of:
        reason = say("holds only the averages since the server started: run iostat -xt 60 for a day")
        if not blocks:
            reason = say("holds no rows of iostat")
        raise StoreError(reason, file)
    add_disk_total(tracks, server)
    return tracks


def is_disk(device: str) -> bool:
    """Whether a device is a disk of its own: no partition, no volume of others, nothing virtual.

    >>> [each for each in ("sda", "sda1", "dm-0", "nvme0n1", "nvme0n1p2", "loop3") if is_disk(each)]
    ['sda', 'nvme0n1']
    """
    return _VIRTUAL.match(device) is None and _PARTITION.fullmatch(device) is None


def add_disk_total(tracks: Tracks, server: str) -> None:
    """Add the I/Os of all disks of a server, each counted once, as a series of the server's own.

    Transfers (`tps`) where they stand there, else reads and writes.
    """
    for wanted in ((Measure.IOPS,), (Measure.READ_IOPS, Measure.WRITE_IOPS)):
        of_disks = [
            track
            for track in tracks.of.values()
            if track.counter.measure in wanted
            and track.counter.subject == server
            and track.counter.kind is Subject.DEVICE
            and is_disk(track.counter.device)
        ]
        total = sum_tracks(
            of_disks,
            Counter(
                subject=server,
                kind=Subject.SERVER,
                name="tps" if len(wanted) == 1 else IOPS_NAME,
                unit="IO/s",
                measure=Measure.IOPS,
                column=of_disks[0].counter.column if of_disks else "",
            ),
        )
        if total is not None:
            tracks.count(len(total.values))
            tracks.of[server, "", total.counter.name] = total
            return


def _blocks(
    lines: Iterable[str], unnamed: str
) -> Iterator[tuple[str, float | None, list[tuple[Counter, float]]]]:
    """Server, time and samples of each block; one ends where the next line of CPU begins."""
    server, time, day = unnamed, None, None
    cpu: list[str] = []
    device: list[str] = []
    block: list[tuple[Counter, float]] = []
    for line in lines:
        title = TITLE.match(line)
        text = line.strip()
        if title is not None:
            server, day = title[2], day_of(title[3])
        elif CPU_LINE.match(line) or (DEVICE_LINE.match(line) and device and not cpu):
            if block:
                yield server, time, block
            block = []
            cpu = text.split()[1:] if CPU_LINE.match(line) else []
            device = [] if cpu else text.split()
        elif DEVICE_LINE.match(line):
            device = text.split()
        elif not text:
            continue
        elif _stamp(text, day) is not None:
            if block:
                yield server, time, block
            block, time, device = [], _stamp(text, day), []
        elif cpu and not device:
            block.extend(_cpu_samples(server, cpu, text.split()))
        elif device:
            block.extend(_disk_samples(server, device, text.split()))
    if block:
        yield server, time, block


def _stamp(text: str, day: float | None) -> float | None:
    """The moment of a line of time alone, as `-t` writes it."""
    if not re.match(r"(Time:\s*)?[\d/.:-]+([T ][\d:]+)?\s*([AaPp][Mm])?(\s*[+-]\d{4})?$", text):
        return None
    if ":" not in text:
        return None
    found = moment(text.replace("T", " "))
    return found


def _cpu_samples(
    server: str, names: list[str], fields: list[str]
) -> Iterator[tuple[Counter, float]]:
    values = dict(zip(names, map(number, fields), strict=False))
    for name, value in values.items():
        measure = Measure.STEAL_PCT if name == "%steal" else None
        yield _of_server(server, name, measure), value
    if "%idle" in values:
        busy = sum(values.get(each, 0.0) for each in ("%user", "%nice", "%system"))
        yield _of_server(server, CPU_NAME, Measure.CPU_PCT), busy


def _of_server(server: str, name: str, measure: Measure | None) -> Counter:
    return Counter(
        subject=server, kind=Subject.SERVER, name=name, unit="%", measure=measure, column=name
    )


def _disk_samples(
    server: str, names: list[str], fields: list[str]
) -> Iterator[tuple[Counter, float]]:
    if len(fields) != len(names):
        return
    for name, field in zip(names[1:], fields[1:], strict=True):
        unit = _UNITS.get(name.casefold())
        if unit is not None:
            yield disk_counter(server, fields[0], name, *unit), number(field)


def disk_counter(
    server: str, device: str, name: str, unit: str, measure: Measure | None
) -> Counter:
    return Counter(
        subject=server,
        kind=Subject.DEVICE,
        device=device,
        name=name,
        unit=unit,
        measure=measure,
        column=f"{device} {name}",
    )
