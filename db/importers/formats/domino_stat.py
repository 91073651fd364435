"""Statistics of a Domino server: what `show stat` prints, by console or log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from db.errors import StoreError
from db.importers.figures import Marks, marks_of
from db.importers.importer import Importer
from db.importers.opening import Opened
from db.importers.sampled import Known, Tracks, machine_counter, moment
from models.base.texts import say
from models.intake.records import (
    DominoRecord,
    Note,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    Summary,
)

_KNOWN = re.compile(
    r"\b(?:ADMINP|Agent|Calendar|Database|Disk|Domino|Http|Mail|Mem|Monitor|NET|Platform|Replica|"
    r"Server|Stats|SMTP|Traveler|DAOS|FT|LDAP|POP3|IMAP|Update)\.[^=:\n]{0,200}[=:]\s"
)
MOST_LINES = 200_000
LONGEST_LINE = 2000

_LOG_PREFIX = re.compile(
    r"^\s*\[([0-9A-Fa-f]+)(?:[:\-][0-9A-Fa-f:\-]*)?\]\s+(\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4},?\s+\d{1,2}:\d\d"
    r"(?::\d\d)?(?:\s*[AaPp]\.?[Mm]\.?)?)\s"
)
"""What a console log puts before each line: the process and the moment."""
_BUILD = "Server.Version.Notes.BuildNumber"
_NAME, _UPTIME = "Server.Name", "Server.ElapsedTime"
_PAIR = re.compile(r"\s*([A-Za-z][^=]*)=(.*)")
_EXPORTED = re.compile(r"([A-Z]\w*\.[^\s=:]+|Time|StatTime|Server):\s(.*)")
"""A field of a statistics document, as Notes exports it as structured text."""
KEY = re.compile(r"^[A-Za-z][\w$]*\.[^=\s][^=]*$")
_TIMES = frozenset(("Time", "StatTime"))
_REPEATED = frozenset({"Server.Task"})
"""Keys that stand in one print for each of several things."""


class _Field(NamedTuple):
    """Statistics behind a field, the first that is there, and the most that can be."""

    keys: tuple[str, ...]
    most: float
    factor: float = 1.0


_CPU = "Platform.System.PctCombinedCpuUtil"
_QUEUE, _DEPTH = "Replica.Cluster.SecondsOnQueue", "Replica.Cluster.WorkQueueDepth"
_CACHE = "Database.DbCache"
_FIELDS: dict[str, tuple[_Field, ...]] = {
    "users": (_Field(("Server.Users",), 1e7),),
    "users_peak": (_Field(("Server.Users.Peak",), 1e7),),
    "active_15min": (_Field(("Server.Users.Active15Min", "Server.Users.15Min"), 1e7),),
    "traveler_users": (_Field(("Traveler.Push.Users.Total",), 1e7),),
    "traveler_devices": (_Field(("Traveler.Push.Devices.Total",), 1e7),),
    "trans_per_minute": (_Field(("Server.Trans.PerMinute",), 1e12),),
    "trans_per_minute_peak": (_Field(("Server.Trans.PerMinute.Peak",), 1e12),),
    "trans_total": (_Field(("Server.Trans.Total",), 1e18),),
    "cpus": (_Field(("Server.CPU.Count",), 10_000),),
    "cpu_pct_avg": (_Field((f"{_CPU}.Avg",), 100),),
    "cpu_pct_peak": (_Field((f"{_CPU}.Peak",), 100),),
    "ram_mib": (
        _Field(("Platform.Memory.RAM.TotalMBytes", "Mem.PhysicalRAM_MB"), 1e9),
        _Field(("Mem.PhysicalRAM",), 1e9, 2.0**-20),
    ),
    "availability_index": (_Field(("Server.AvailabilityIndex",), 100),),
    "expansion_factor": (_Field(("Server.ExpansionFactor",), 1e6),),
    "buffer_pool_mb": (_Field(("Database.Database.BufferPool.Maximum.Megabytes",), 1e6),),
    "buffer_reads_pct": (_Field(("Database.Database.BufferPool.PerCentReadsInBuffer",), 100),),
    "db_cache_entries": (_Field((f"{_CACHE}.CurrentEntries",), 1e7),),
    "db_cache_most": (_Field((f"{_CACHE}.MaxEntries",), 1e7),),
    "db_cache_high": (_Field((f"{_CACHE}.HighWaterMark",), 1e7),),
    "queue_s": (_Field((f"{_QUEUE}.Avg", _QUEUE), 1e7),),
    "queue_most_s": (_Field((f"{_QUEUE}.Max",), 1e7),),
    "queue_depth": (_Field((f"{_DEPTH}.Avg", _DEPTH), 1e7),),
    "queue_depth_most": (_Field((f"{_DEPTH}.Max",), 1e7),),
    "mail_routed": (_Field(("Mail.TotalRouted",), 1e15),),
    "dropped": (_Field(("Server.Sessions.Dropped",), 1e12),),
}
_COUNTED = (
    ("Server.Users", Known("")),
    ("Server.Users.Active15Min", Known("")),
    ("Server.Trans.PerMinute", Known("1/min", Quantity.TRANSACTIONS)),
    (_CPU, Known("%", Quantity.CPU_PCT)),
    ("Server.AvailabilityIndex", Known("")),
    (_QUEUE, Known("s")),
)
"""Statistics of a moment, whose values over several prints are a series."""
_DISK = re.compile(r"(?:Platform\.LogicalDisk|Platform\.PhysicalDisk)\.\w+\.(Reads|Writes)PerSec")
_BUSY = re.compile(r"Platform\.(?:Logical|Physical)Disk\.\w+\.PctUtil(?:\.Avg)?")
_SIZE = re.compile(r"Disk\.(.+)\.Size")


@dataclass(slots=True)
class _Print:
    """One print of show stat: values by key with the rows they stand in."""

    process: str = ""
    time: float | None = None
    pairs: dict[str, str] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    @property
    def server(self) -> str:
        return server_name(self.pairs.get(_NAME) or self.pairs.get("Server", ""))


def read_domino_statistics(lines: Iterable[str], file: str, unnamed: str) -> Records:
    """The statistics of each server of a file, and what several prints of one are over time.

    Where a server printed them several times, as in a log, the last print of each counts.

    Args:
        unnamed: the server's name where no statistic says it.

    Raises:
        StoreError: they are none.
    """
    prints = list(_prints(lines, file))
    if sum(1 for each in prints for key in each.pairs if KEY.match(key)) < 3:
        raise StoreError(say("holds no statistics of a Domino server"), file)
    marks = marks_of((value for each in prints for value in each.pairs.values()), "")
    keys = {key for each in prints for key in each.pairs}
    records = Records(file=file, kind=IMPORTER.kind, tables={"": len(keys)})
    for server, own in _by_server(prints, unnamed).items():
        _add_server(records, server, own, marks)
    return records


def _prints(lines: Iterable[str], file: str) -> Iterator[_Print]:
    """Prints in their order: one ends where a key comes again, or another process prints."""
    now = _Print()
    for row, line in enumerate(lines, start=1):
        if row > MOST_LINES:
            most = f"{MOST_LINES:,}"
            reason = say("holds more than {most} lines: a print of show stat is enough", most=most)
            raise StoreError(reason, file)
        text = line[:LONGEST_LINE]
        stamp = _LOG_PREFIX.match(text)
        text = text[stamp.end() :] if stamp else text
        found = _EXPORTED.match(text) or _PAIR.match(text)
        if found is None:
            continue
        key, value = found[1].rstrip(), found[2].strip()
        process = stamp[1] if stamp else now.process
        if (key in now.pairs and key not in _REPEATED) or process != now.process:
            if now.pairs:
                yield now
            now = _Print(process)
        now.pairs[key], now.rows[key] = value, row
        if now.time is None and (stamp is not None or key in _TIMES):
            now.time = moment(stamp[2] if stamp is not None else value)
    if now.pairs:
        yield now


def _by_server(prints: Sequence[_Print], unnamed: str) -> dict[str, list[_Print]]:
    """Prints of each server; one without a name is of the server whose process printed before,
    else of the one before it, else of the first that has a name."""
    named = [each.server for each in prints if each.server]
    before = named[0] if named else unnamed
    of_process: dict[str, str] = {}
    found: dict[str, list[_Print]] = {}
    for each in prints:
        before = each.server or (of_process.get(each.process) if each.process else None) or before
        of_process[each.process] = before
        found.setdefault(before, []).append(each)
    return found


def _add_server(records: Records, server: str, prints: Sequence[_Print], marks: Marks) -> None:
    """Add one server's record, the last print of each key, and its series."""
    file = records.file
    pairs = {key: value for each in prints for key, value in each.pairs.items()}
    rows = {key: row for each in prints for key, row in each.rows.items()}
    numbers = {
        key: value for key, text in pairs.items() if (value := marks.number(text)) is not None
    }
    found: dict[str, float] = {}
    places: dict[str, Place] = {}
    for name, key, value in _known(numbers):
        if value is None:
            text = say("{key} = {value} can’t be, and is left out", key=key, value=pairs[key])
            records.notes.append(Note("doubted-statistic", text))
        else:
            found[name], places[name] = value, Place(file, "", rows[key], key)
    if (uptime := duration_s(pairs.get(_UPTIME, ""))) is not None:
        found["uptime_s"], places["uptime_s"] = uptime, Place(file, "", rows[_UPTIME], _UPTIME)
    for name, (key, value) in _disks(numbers).items():
        found[name], places[name] = value, Place(file, "", rows[key], key)
    version = pairs.get("Server.Version.Notes", "")
    records.tool_version = version
    machine = pairs.get("Server.MachineName") or pairs.get("Platform.System.HostName", "")
    record = DominoRecord(
        server=server,
        machine=machine,
        release=release_in(version) or release_in(pairs.get(_BUILD, "")),
        os=pairs.get("Server.Version.OS", ""),
        places=places,
        statistics=numbers,
        is_apart=False,
        **found,
    )
    records.domino.append(record)
    records.series += _series(record, prints, marks, file)


def _known(numbers: Mapping[str, float]) -> Iterator[tuple[str, str, float | None]]:
    """Fields with the statistic behind each, and its value; None for what can't be."""
    for name, several in _FIELDS.items():
        for each in several:
            key = next((key for key in each.keys if key in numbers), None)
            if key is not None:
                value = numbers[key] * each.factor
                yield name, key, value if 0 <= value <= each.most else None
                break


def _disks(numbers: Mapping[str, float]) -> dict[str, tuple[str, float]]:
    """What disks come to, each with a key that says so: the space of all and what is used of it
    [MiB], the busiest one."""
    found: dict[str, tuple[str, float]] = {}
    sizes = [(key, drive[1]) for key in numbers if (drive := _SIZE.fullmatch(key))]
    free = {name: numbers.get(f"Disk.{name}.Free") for _, name in sizes}
    if sizes and all(each is not None for each in free.values()):
        total = sum(numbers[key] for key, _ in sizes)
        left = sum(each or 0.0 for each in free.values())
        found["disk_mib"] = sizes[0][0], total * 2.0**-20
        found["disk_used_mib"] = sizes[0][0], max(total - left, 0.0) * 2.0**-20
    busy = {key: numbers[key] for key in numbers if _BUSY.fullmatch(key) and numbers[key] <= 100}
    means = {key: value for key, value in busy.items() if key.endswith(".Avg")} or busy
    if means:
        busiest = max(means, key=means.__getitem__)
        found["disk_busy_pct"] = busiest, means[busiest]
    return found


def _series(
    record: DominoRecord, prints: Sequence[_Print], marks: Marks, file: str
) -> Iterator[SeriesRecord]:
    """What several prints are over time, and the I/Os that the server counted since its start."""
    name = record.server.partition("/")[0]
    tracks = Tracks(file)
    if record.cpus:
        tracks.cpus[name] = int(record.cpus)
    timed = [each for each in prints if each.time is not None]
    if len({each.time for each in timed}) > 1:
        for each in sorted(timed, key=lambda each: each.time or 0.0):
            for key, known in _COUNTED:
                value = marks.number(each.pairs.get(key, ""))
                if value is not None:
                    tracks.put(machine_counter(name, key, known), each.time, value)
    first = min((row for each in timed for row in each.rows.values()), default=1)
    yield from tracks.records(IMPORTER.kind, first).series
    rates = [key for key in record.statistics if _DISK.fullmatch(key)]
    if rates:
        numbers = record.statistics
        means = sum(numbers.get(f"{key}.Avg", numbers[key]) for key in rates)
        peaks = [numbers.get(f"{key}.Peak") for key in rates]
        most = None if None in peaks else sum(each or 0.0 for each in peaks)
        rows = {key: row for each in prints for key, row in each.rows.items()}
        yield SeriesRecord(
            subject=Subject.MACHINE,
            name=name,
            counter=IOPS_NAME,
            unit="IO/s",
            quantity=Quantity.IOPS,
            summary=Summary(mean=means, max=most),
            place=Place(file, "", rows[rates[0]], rates[0]),
            vcpus=tracks.cpus.get(name),
        )


IOPS_NAME = "ReadsPerSec + WritesPerSec of all disks"


def server_name(text: str) -> str:
    """A server's name in its short form, without the words of its parts.

    >>> server_name("CN=Mail01/OU=Berlin/O=Acme")
    'Mail01/Berlin/Acme'
    """
    return re.sub(r"(?i)\b(?:CN|OU\d?|O|C)=", "", text).strip()


def release_in(text: str) -> str:
    """The release in a version's text, without fix packs.

    >>> release_in("Release 9.0.1FP8"), release_in("Build V1202_06082022")
    ('9.0.1', '12.0.2')
    """
    found = re.search(r"\b(\d{1,2}(?:\.\d{1,2}){1,2})", text)
    if found is not None:
        return found[1]
    built = re.search(r"\bV(\d{1,2})(\d)(\d)_", text)
    return "" if built is None else ".".join(built.groups())


def duration_s(text: str) -> float | None:
    """A duration in any of the forms that Domino prints [s]; None for none.

    >>> duration_s("24 days 23:51:42"), duration_s("0 Hours 58 Minutes 48 Seconds")
    (2159502.0, 3528.0)
    """
    if re.search(r"\d{10}", text):
        return None  # no server is up for so long
    clock = re.search(r"(\d{1,3}):(\d\d):(\d\d)", text)
    if clock is not None:
        days = re.match(r"\s*(\d+)\s+\D", text)
        whole = int(days[1]) if days else 0
        hours, minutes, seconds = (int(each) for each in clock.groups())
        return float(whole * 86_400 + hours * 3600 + minutes * 60 + seconds)
    units = {"d": 86_400, "t": 86_400, "j": 86_400, "h": 3600, "s": 1, "m": 60}
    parts = re.findall(r"(\d+)\s*([A-Za-z])([A-Za-z]*)", text)
    if not parts:
        return None
    total = 0
    for count, first, rest in parts:
        unit = 3600 if (first + rest).casefold().startswith("st") else units.get(first.casefold())
        if unit is None:
            return None
        total += int(count) * unit
    return float(total)


def _sniff(file: Opened) -> float | None:
    known = sum(1 for line in file.start.splitlines()[:2000] if _KNOWN.search(line))
    return 0.9 if known >= 3 else None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    return read_domino_statistics(file.lines(), file.name, file.stem)


IMPORTER = Importer(
    kind="domino-stat",
    title="Domino: show stat",
    looks_for=say("show stat of a Domino server: lines such as Server.Users = 138"),
    sniff=_sniff,
    read=_read,
)
