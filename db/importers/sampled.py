"""Series of samples while they are read: values per counter, and what each counter measures."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from db.errors import StoreError
from models.series import SeriesStatistics, statistics_of
from models.texts import say

MOST_VALUES = 25_000_000
"""Values that are held of one file, 200 MB; 48 hours of a sample a second are 172,800 a counter."""


class Measure(StrEnum):
    """What a counter measures, by which performance is joined with servers."""

    CPU_PCT = "cpu-pct"
    """Of all CPUs of its subject."""
    CPU_OF_ONE_PCT = "cpu-of-one-pct"
    """Of one CPU, summed."""
    CPU_MHZ = "cpu-mhz"
    READY_PCT = "ready-pct"
    """Ready, of one vCPU, summed over vCPUs."""
    COSTOP_PCT = "costop-pct"
    STEAL_PCT = "steal-pct"
    RUN_QUEUE = "run-queue"
    IOPS = "iops"
    READ_IOPS = "read-iops"
    WRITE_IOPS = "write-iops"
    LATENCY_MS = "latency-ms"
    RAM_USED_MIB = "ram-used-mib"
    RAM_FREE_MIB = "ram-free-mib"
    RAM_USED_PCT = "ram-used-pct"
    RAM_TOTAL_MIB = "ram-total-mib"
    RAM_ACTIVE_MIB = "ram-active-mib"
    BALLOONED_MIB = "ballooned-mib"
    SWAPPED_MIB = "swapped-mib"
    SWAP_PER_S = "swap-per-s"
    NETWORK_MBPS = "network-mbps"
    CPUS = "cpus"


class Subject(StrEnum):
    """What kind of thing a series is of."""

    SERVER = "server"
    """An operating system, in a VM or on a machine of its own."""
    VM = "vm"
    HOST = "host"
    DEVICE = "device"
    """A disk, adapter or process of one of those."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """One counter of one subject.

    Attributes:
        subject: name of the server, VM or host; `device`: of its part, empty for the whole.
        name: as its tool calls it, in English.
        scale: what values are multiplied by to be of `unit`.
        column: where it stands in its file, as people find it there.
    """

    subject: str
    kind: Subject
    name: str
    unit: str
    measure: Measure | None = None
    device: str = ""
    scale: float = 1.0
    column: str = ""


@dataclass(slots=True)
class Track:
    """A counter with its samples."""

    counter: Counter
    times: array[float] = field(default_factory=lambda: array("d"))
    values: array[float] = field(default_factory=lambda: array("d"))

    def statistics(self) -> SeriesStatistics | None:
        times = self.times if len(self.times) == len(self.values) else None
        found = statistics_of(self.values, times)
        return found


@dataclass(slots=True)
class Tracks:
    """The tracks of one file, by subject, device and name; refuses more values than can be held."""

    file: str
    of: dict[tuple[str, str, str], Track] = field(default_factory=dict)
    held: int = 0

    def put(self, counter: Counter, time: float | None, value: float) -> None:
        """Add a sample; `time` in seconds, None where the file has none."""
        key = counter.subject, counter.device, counter.name
        track = self.of.get(key)
        if track is None:
            track = self.of[key] = Track(counter)
        if time is not None:
            track.times.append(time)
        track.values.append(value * counter.scale)
        self.count(1)

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


NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?\Z")


def number(text: str) -> float:
    """A number of a table whose thousands are not set apart, NaN for anything else.

    >>> number("1,5"), number("12.25"), number("-")
    (1.5, 12.25, nan)
    """
    try:
        return float(text)
    except ValueError:
        pass
    text = text.strip()
    return float(text.replace(",", ".")) if NUMBER.match(text) else float("nan")


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
    (re.compile(r"(\d{4})-(\d\d?)-(\d\d?)"), (0, 1, 2)),
    (re.compile(r"(\d\d?)/(\d\d?)/(\d{4}|\d\d)"), (2, 0, 1)),
    (re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4}|\d\d)"), (2, 1, 0)),
)


def day_of(text: str) -> float | None:
    """Midnight of the first date in a text [s since 1970], None for none; with slashes the month
    leads, as tools write it in the C locale, unless it can't be one.

    >>> day_of("11/30/2021") == day_of("2021-11-30") == day_of("30.11.2021")
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
            return datetime(
                year + 2000 if year < 100 else year, month, day, tzinfo=UTC
            ).timestamp()
        except ValueError:
            return None
    return None


def moment(text: str) -> float | None:
    """A date and a time of day in a text [s since 1970], or a number of seconds; None for none.

    >>> moment("2021-09-16 20:33:13 UTC") == moment("09/16/2021 08:33:13 PM") == moment("1631824393")
    True
    """
    text = text.strip()
    if text.isdigit() and len(text) in (9, 10):
        return float(text)
    day = day_of(text)
    clock = re.search(r"\d{1,2}:\d\d:\d\d(?:\s*[AaPp][Mm])?", text)
    seconds = None if clock is None else seconds_of_day(clock[0])
    return None if day is None or seconds is None else day + seconds


def sum_tracks(
    tracks: Iterable[Track], counter: Counter
) -> Track | None:
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


def matched(names: Mapping[str, tuple[Measure | None, str, float]], name: str) -> (
    tuple[Measure | None, str, float] | None
):
    """What a table of counters says of a name, letters' case aside."""
    return names.get(name.casefold())
