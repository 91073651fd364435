"""Statistics of a Domino server: what `show stat` prints, by console or log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from db.errors import StoreError
from db.importers.figures import marks_of
from db.importers.importer import Importer
from db.importers.opening import Opened
from models.intake.records import DominoRecord, Note, Place, Records
from models.texts import say

_KNOWN = re.compile(
    r"\b(?:ADMINP|Agent|Calendar|Database|Disk|Domino|Http|Mail|Mem|Monitor|NET|Platform|Replica|"
    r"Server|Stats|SMTP|Traveler|DAOS|FT|LDAP|POP3|IMAP|Update)\.[^=]*?\s*=\s"
)
MOST_LINES = 200_000
LONGEST_LINE = 2000

_LOG_PREFIX = re.compile(
    r"^\s*\[[0-9A-Fa-f:\-]+\]\s+\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4},?\s+\d{1,2}:\d\d(?::\d\d)?"
    r"(?:\s*[AaPp]\.?[Mm]\.?)?\s"
)
_BUILD = "Server.Version.Notes.BuildNumber"
_PAIR = re.compile(r"^\s*([A-Za-z][^=]*?)\s*=\s?(.*?)\s*$")
KEY = re.compile(r"^[A-Za-z][\w$]*(?:\.[^=\s][^=]*)+$")


_FIELDS: dict[str, tuple[tuple[str, ...], float]] = {
    "users": (("Server.Users",), 1e7),
    "users_peak": (("Server.Users.Peak",), 1e7),
    "active_15min": (("Server.Users.Active15Min", "Server.Users.15Min"), 1e7),
    "trans_per_minute": (("Server.Trans.PerMinute",), 1e12),
    "trans_per_minute_peak": (("Server.Trans.PerMinute.Peak",), 1e12),
    "trans_total": (("Server.Trans.Total",), 1e18),
    "cpus": (("Server.CPU.Count",), 10_000),
    "cpu_pct_avg": (("Platform.System.PctCombinedCpuUtil.Avg",), 100),
    "cpu_pct_peak": (("Platform.System.PctCombinedCpuUtil.Peak",), 100),
    "ram_mib": (("Platform.Memory.RAM.TotalMBytes", "Mem.PhysicalRAM_MB"), 1e9),
    "availability_index": (("Server.AvailabilityIndex",), 100),
    "buffer_pool_mb": (("Database.Database.BufferPool.Maximum.Megabytes",), 1e6),
    "buffer_reads_pct": (("Database.Database.BufferPool.PerCentReadsInBuffer",), 100),
    "mail_routed": (("Mail.TotalRouted",), 1e15),
    "dropped": (("Server.Sessions.Dropped",), 1e12),
}
"""Statistics behind each field of a record, the first that is there, and the most that can be."""


def read_domino_statistics(lines: Iterable[str], file: str, unnamed: str) -> Records:
    """The statistics of one server.

    Where they were printed several times, as in a log, the last print counts.

    Args:
        unnamed: the server's name where no statistic says it.

    Raises:
        StoreError: they are none.
    """
    pairs, rows = _pairs(lines, file)
    if sum(1 for key in pairs if KEY.match(key)) < 3:
        raise StoreError(say("holds no statistics of a Domino server"), file)
    marks = marks_of((value for values in pairs.values() for value in values), "")
    numbers = {
        key: value
        for key, values in pairs.items()
        if (value := marks.number(values[-1])) is not None
    }
    found: dict[str, float] = {}
    places: dict[str, Place] = {}
    records = Records(file=file, kind=IMPORTER.kind, tables={"": len(pairs)})
    for name, (keys, most) in _FIELDS.items():
        key = next((each for each in keys if each in numbers), None)
        if key is None:
            continue
        if 0 <= numbers[key] <= most:
            found[name], places[name] = numbers[key], Place(file, "", rows[key], key)
        else:
            text = say("{key} = {value} can’t be, and is left out", key=key, value=pairs[key][-1])
            records.notes.append(Note("doubted-statistic", text))
    if (uptime := duration_s(_text(pairs, "Server.ElapsedTime"))) is not None:
        found["uptime_s"] = uptime
        places["uptime_s"] = Place(file, "", rows["Server.ElapsedTime"], "Server.ElapsedTime")
    version = _text(pairs, "Server.Version.Notes")
    records.tool_version = version
    server = server_name(_text(pairs, "Server.Name"))
    records.domino.append(
        DominoRecord(
            server=server or unnamed,
            machine=_text(pairs, "Server.MachineName", "Platform.System.HostName"),
            release=release_in(version) or release_in(_text(pairs, _BUILD)),
            os=_text(pairs, "Server.Version.OS"),
            places=places,
            statistics=numbers,
            **found,
        )
    )
    return records


def _pairs(lines: Iterable[str], file: str) -> tuple[dict[str, list[str]], dict[str, int]]:
    """All values of each key, and the row of its last."""
    pairs: dict[str, list[str]] = {}
    rows: dict[str, int] = {}
    for row, line in enumerate(lines, start=1):
        if row > MOST_LINES:
            most = f"{MOST_LINES:,}"
            reason = say("holds more than {most} lines: a print of show stat is enough", most=most)
            raise StoreError(reason, file)
        found = _PAIR.match(_LOG_PREFIX.sub("", line[:LONGEST_LINE]))
        if found is not None:
            pairs.setdefault(found[1], []).append(found[2])
            rows[found[1]] = row
    return pairs, rows


def _text(pairs: Mapping[str, Sequence[str]], *keys: str) -> str:
    return next((pairs[key][-1] for key in keys if key in pairs), "")


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
