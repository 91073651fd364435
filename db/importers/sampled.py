"""Series of samples while they are read: values per counter, and what each counter measures."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter as Counted
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from db.errors import StoreError
from db.importers.importer import Importer
from db.importers.opening import Opened
from models.base.texts import say, say_many
from models.intake.records import (
    Note,
    NotRead,
    Part,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    summarised,
)

MOST_VALUES = 25_000_000
"""Values that are held of one file, 200 MB; 48 hours of a sample a second are 172,800 a counter."""


class Known(NamedTuple):
    """A counter that a reader knows: its unit, what it is to the mapper, and what a value is
    multiplied by to be in that quantity's unit."""

    unit: str
    quantity: Quantity = Quantity.OTHER
    factor: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """One counter of one subject.

    Attributes:
        subject: name of the VM, host or machine; `device`: of its part, empty for the whole.
        on: host of a VM; `vcpus`: its vCPUs, where the file names each of them.
        name: as its tool calls it, in English; `column`: heading under which people find it.
    """

    subject: str
    kind: Subject
    name: str
    known: Known
    device: str = ""
    on: str = ""
    column: str = ""
    vcpus: int | None = None


@dataclass(slots=True)
class Track:
    """A counter with its samples; `times` is empty where the file has none."""

    counter: Counter
    times: array[float] = field(default_factory=lambda: array("d"))
    values: array[float] = field(default_factory=lambda: array("d"))

    def record(self, tracks: Tracks, row: int) -> SeriesRecord | None:
        """Its record; None for no value at all. Blanks before the first value are no gap: a rate
        has none for the first sample."""
        values = np.frombuffer(self.values, dtype=np.float64)
        there = np.flatnonzero(np.isfinite(values))
        if not len(there):
            return None
        times = np.empty(0)
        if len(self.times) == len(self.values):
            times = np.frombuffer(self.times, dtype=np.float64)[there[0] :]
        counter = self.counter
        is_part = bool(counter.device)
        return SeriesRecord(
            subject=Subject.DEVICE if is_part else counter.kind,
            name=counter.device or counter.subject,
            on=counter.subject if is_part else counter.on,
            vcpus=counter.vcpus or (None if is_part else tracks.cpus.get(counter.subject)),
            speed_mhz=None if is_part else tracks.speeds_mhz.get(counter.subject),
            counter=counter.name,
            unit=counter.known.unit,
            quantity=counter.known.quantity,
            factor=counter.known.factor,
            summary=summarised(times, values[there[0] :]),
            place=Place(tracks.file, "", row, counter.column or counter.name),
        )


@dataclass(slots=True)
class Tracks:
    """The tracks of one file, by subject, device and name; refuses more values than can be held.

    Attributes:
        cut: rows that were cut in the middle, and left out.
        cpus, speeds_mhz, ram_mib: processors, their clock and memory of machines, as the file
            says them beside its samples; `single`: the numbers of those with rows of their own.
        unread: what nobody took and why, with how often it was met.
    """

    file: str
    of: dict[tuple[str, str, str], Track] = field(default_factory=dict)
    held: int = 0
    cut: int = 0
    cpus: dict[str, int] = field(default_factory=dict)
    single: dict[str, set[int]] = field(default_factory=dict)
    speeds_mhz: dict[str, float] = field(default_factory=dict)
    ram_mib: dict[str, float] = field(default_factory=dict)
    unread: Counted[tuple[Part, str, str]] = field(default_factory=Counted)

    def put(self, counter: Counter, time: float | None, value: float) -> None:
        """Add a sample; `time` in seconds, None where the file has none."""
        key = counter.subject, counter.device, counter.name
        track = self.of.get(key)
        if track is None:
            track = self.of[key] = Track(counter)
        if time is not None:
            track.times.append(time)
        track.values.append(value)
        self.count(1)

    def put_processor(self, machine: str, name: str) -> None:
        """Take note of a processor that has rows of its own: ``0``, ``cpu0``."""
        number = name.removeprefix("cpu")
        if number.isascii() and number.isdigit() and len(number) < _MOST_DIGITS:
            self.single.setdefault(machine, set()).add(int(number))

    def put_share(self, counter: Counter, time: float | None, value: float) -> None:
        """Add a sample in per cent of a whole machine; what can't be has no value, and is said."""
        if value < 0.0 or value > _MOST_SHARE:
            self.unread[Part.COUNTER, counter.name, IMPOSSIBLE] += 1
            value = float("nan")
        self.put(counter, time, value)

    def not_counted(self, devices: Iterable[str], disks: Iterable[str]) -> None:
        """Say which devices are in no sum of I/Os because they lie on these disks."""
        why = say("no I/O counts twice, and {disks} count", disks=first_of(disks))
        for device in devices:
            self.unread[Part.DEVICE, device, why] += 1

    def records(self, kind: str, row: int = 2) -> Records:
        """All of them; `row` is where samples begin."""
        found = Records(file=self.file, kind=kind)
        for machine, numbers in self.single.items():
            # From 0 on without a gap they are all that there are, not a choice of somebody's.
            if len(numbers) > 1 and max(numbers) < len(numbers):
                self.cpus.setdefault(machine, len(numbers))
        for machine, ram in self.ram_mib.items():
            known = Known("MiB", Quantity.RAM_TOTAL_MIB)
            self.put(machine_counter(machine, "memory", known), None, ram)
        series = (track.record(self, row) for track in self.of.values())
        found.series = [each for each in series if each is not None]
        found.not_read = [
            NotRead(self.file, part, name, why, count, matters=why != NO_USE)
            for (part, name, why), count in self.unread.items()
        ]
        found.tables = {"": max((len(track.values) for track in self.of.values()), default=0)}
        if self.cut:
            text = say_many(
                "{count} row is cut off and left out",
                "{count} rows are cut off and left out",
                self.cut,
            )
            found.notes.append(Note("cut-row", text))
        return found

    def count(self, values: int) -> None:
        """Take note of values that are held.

        Raises:
            StoreError: they are too many.
        """
        self.held += values
        if self.held > MOST_VALUES:
            raise StoreError(
                say(
                    "holds more than {most} million values: export fewer counters, a shorter time "
                    "or a longer interval",
                    most=MOST_VALUES // 1_000_000,
                ),
                self.file,
            )


_MOST_DIGITS = 5
_MOST_SHARE = 101.0
"""Per cent: tools round each share of a whole for itself."""
NO_USE = say("a size needs nothing of it")
IMPOSSIBLE = say("a share of a machine that can’t be")


def first_of(names: Iterable[str]) -> str:
    """The first names of many, for a clause."""
    names = list(names)
    return ", ".join(names[:4] + ["…"] * (len(names) > 4))


NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?\Z")


def number(text: str) -> float:
    """A number of a table whose thousands are not set apart, NaN for all else and without end.

    >>> number("1,5"), number("12.25"), number("-")
    (1.5, 12.25, nan)
    """
    try:
        found = float(text)
    except ValueError:
        text = text.strip()
        found = float(text.replace(",", ".")) if NUMBER.match(text) else math.nan
    return found if math.isfinite(found) else math.nan


_HUMAN = re.compile(r"(-?\d+(?:[.,]\d+)?)([%BkMGT])")
_OF_KB = {"%": 1.0, "B": 2.0**-10, "k": 1.0, "M": 2.0**10, "G": 2.0**20, "T": 2.0**30}


def figure(text: str) -> float:
    """The same, or one as sysstat writes for people (``-h``, ``--human``): per cent, or a size in
    the largest unit that fits, here in KiB as its column is.

    >>> figure("12.25"), figure("2.1%"), figure("1.5M"), figure("sda")
    (12.25, 2.1, 1536.0, nan)
    """
    found = _HUMAN.fullmatch(text)
    return number(text) if found is None else number(found[1]) * _OF_KB[found[2]]


def turned(cells: list[str]) -> list[str]:
    """A row that ends in its device, as sysstat writes it with long names, begun by it.

    >>> turned(["1.5", "20", "sda"])
    ['sda', '1.5', '20']
    """
    return [*cells[-1:], *cells[:-1]]


_CLOCK = re.compile(r"(\d{1,2}):(\d\d):(\d\d)(?:[.,]\d+)?\s*([AaPp]\.?[Mm]\.?)?\Z")


def seconds_of_day(text: str) -> int | None:
    """Seconds since midnight of a clock of 12 or of 24 hours, None for anything else.

    >>> seconds_of_day("12:10:01 AM"), seconds_of_day("23:50:01"), seconds_of_day("all")
    (601, 85801, None)
    """
    found = _CLOCK.match(text)
    if found is None:
        return None
    hour, half = int(found[1]), (found[4] or "").lower()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 3600 + int(found[2]) * 60 + int(found[3])


_DAYS = (
    (re.compile(r"(\d{4})[年년]\s?(\d\d?)[月월]\s?(\d\d?)[日일]"), (0, 1, 2)),
    (re.compile(r"(\d{4})-(\d\d?)-(\d\d?)"), (0, 1, 2)),
    (re.compile(r"(\d\d?)/(\d\d?)/(\d{4}|\d\d)"), (2, 0, 1)),
    (re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4}|\d\d)"), (2, 1, 0)),
)


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
_WORDED = re.compile(r"\b(\d{1,2})\.?[ -]([^\W\d_]{3,12})\.?[ -](\d{4})\b")


def month_of(word: str) -> int | None:
    """The number of a month by its name, short or long, in six languages.

    >>> month_of("July"), month_of("OKT"), month_of("decembre"), month_of("Host")
    (7, 10, 12, None)
    """
    name = word.casefold().rstrip(".")
    known = [each for each in _MONTHS if name.startswith(each)]
    return _MONTHS[max(known, key=len)] if known else None


def day_of(text: str) -> float | None:
    """Midnight of the first date in a text [s since 1970], None for none; with slashes the month
    leads, as tools write it in the C locale, unless it can't be one.

    >>> day_of("11/30/2021") == day_of("2021-11-30") == day_of("30.11.2021")
    True
    >>> day_of("12:00 AM 30 November 2021") == day_of("2021-11-30")
    True
    """
    for pattern, order in _DAYS:
        found = pattern.search(text)
        if found is None:
            continue
        year, month, day = (int(found[each + 1]) for each in order)
        if month > 12:
            month, day = day, month
        try:
            return datetime(year + 2000 if year < 100 else year, month, day, tzinfo=UTC).timestamp()
        except ValueError:
            return None
    worded = _WORDED.search(text)
    named = None if worded is None else month_of(worded[2])
    if worded is None or named is None:
        return None
    try:
        return datetime(int(worded[3]), named, int(worded[1]), tzinfo=UTC).timestamp()
    except ValueError:
        return None


def moment(text: str) -> float | None:
    """A date and a time of day in a text [s since 1970], or a number of seconds; None for none.

    >>> moment("2021-09-16 20:33:13 UTC") == moment("09/16/2021 08:33:13 PM") == moment(
    ...     "1631824393"
    ... )
    True
    """
    text = text.strip()
    if text.isdigit() and len(text) in (9, 10):
        return float(text)
    day = day_of(text)
    clock = re.search(r"(\d{1,2}:\d\d)(:\d\d)?(\s*[AaPp][Mm])?", text)
    seconds = (
        None if clock is None else seconds_of_day(f"{clock[1]}{clock[2] or ':00'}{clock[3] or ''}")
    )
    return None if day is None or seconds is None else day + seconds


def sum_tracks(tracks: Iterable[Track], counter: Counter) -> Track | None:
    """Tracks of the same times as one, their sums; None for none."""
    sums: dict[float, float] = {}
    plain: list[float] = []
    for track in tracks:
        if len(track.times) == len(track.values):
            for time, value in zip(track.times, track.values, strict=True):
                sums[time] = sums.get(time, 0.0) + value
        else:
            plain.extend([0.0] * (len(track.values) - len(plain)))
            for index, value in enumerate(track.values):
                plain[index] += value
    if sums:
        times = sorted(sums)
        return Track(counter, array("d", times), array("d", [sums[each] for each in times]))
    return Track(counter, values=array("d", plain)) if plain else None


def machine_counter(machine: str, name: str, known: Known) -> Counter:
    """A counter of an operating system as a whole."""
    return Counter(subject=machine, kind=Subject.MACHINE, name=name, known=known)


def disk_counter(machine: str, device: str, name: str, known: Known) -> Counter:
    """One of a disk of it."""
    return Counter(
        subject=machine,
        kind=Subject.DEVICE,
        device=device,
        name=name,
        known=known,
        column=f"{device} {name}",
    )


def sampled(
    *,
    kind: str,
    title: str,
    looks_for: str,
    sniff: Callable[[Opened], float | None],
    tracks: Callable[[Opened], Tracks],
) -> Importer:
    """The format of files that hold nothing but samples; the rest as `Importer` has it."""

    def read(files: Sequence[Opened]) -> Records:
        return tracks(files[0]).records(kind)

    return Importer(kind=kind, title=title, looks_for=looks_for, sniff=sniff, read=read)
