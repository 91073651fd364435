"""Statistics of a Domino server: what `show stat` prints, by console or log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from db.errors import StoreError
from models.texts import say

MOST_LINES = 200_000
LONGEST_VALUE = 2000

_LOG_PREFIX = re.compile(
    r"^\s*\[[0-9A-Fa-f:\-]+\]\s+\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4},?\s+\d{1,2}:\d\d(?::\d\d)?"
    r"(?:\s*[AaPp]\.?[Mm]\.?)?\s"
)
_PAIR = re.compile(r"^\s*([A-Za-z][^=]*?)\s*=\s?(.*?)\s*$")
KEY = re.compile(r"^[A-Za-z][\w$]*(?:\.[^=\s][^=]*)+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class DominoStatistics:
    """What a sizing looks at, None for what is not there or can't be; counters are since restart.

    Attributes:
        users: sessions connected at that moment; `users_peak`: the most since restart;
            `active_15min`: users with a transaction within 15 minutes. Three different counts.
        cpu_pct_avg, cpu_pct_peak: of all CPUs since restart [%].
        dropped: sessions that were dropped.
        pairs: all of it, as it stands there; a key that repeats has all its values.
        doubted: keys whose values can't be, such as more than 100 % of the CPUs.
    """

    server: str
    release: str = ""
    system: str = ""
    users: float | None = None
    users_peak: float | None = None
    active_15min: float | None = None
    trans_per_minute: float | None = None
    trans_per_minute_peak: float | None = None
    trans_total: float | None = None
    uptime_s: float | None = None
    cpus: int | None = None
    cpu_pct_avg: float | None = None
    cpu_pct_peak: float | None = None
    ram_mib: float | None = None
    buffer_pool_mb: float | None = None
    mail_routed: float | None = None
    availability_index: float | None = None
    dropped: float | None = None
    pairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    doubted: tuple[str, ...] = ()
    rows: Mapping[str, int] = field(default_factory=dict)


def read_domino_statistics(lines: Iterable[str], file: str, unnamed: str) -> DominoStatistics:
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
    return _statistics(pairs, rows, unnamed)


def _pairs(
    lines: Iterable[str], file: str
) -> tuple[dict[str, tuple[str, ...]], dict[str, int]]:
    pairs: dict[str, list[str]] = {}
    rows: dict[str, int] = {}
    for row, line in enumerate(lines, start=1):
        if row > MOST_LINES:
            reason = say("holds more than {most} lines: one print of show stat is enough", most=f"{MOST_LINES:,}")
            raise StoreError(reason, file)
        found = _PAIR.match(_LOG_PREFIX.sub("", line[:LONGEST_VALUE]))
        if found is None:
            continue
        key = found[1]
        pairs.setdefault(key, []).append(found[2])
        rows[key] = row
    return {key: tuple(values) for key, values in pairs.items()}, rows


def _statistics(
    pairs: dict[str, tuple[str, ...]], rows: dict[str, int], unnamed: str
) -> DominoStatistics:
    marks = marks_of([value for values in pairs.values() for value in values])
    doubted: list[str] = []

    def of(*keys: str, most: float = 1e18) -> float | None:
        for key in keys:
            if key not in pairs:
                continue
            value = value_of(pairs[key][-1], marks)
            if value is not None and 0 <= value <= most:
                return value
            if value is not None:
                doubted.append(key)
        return None

    cpus = of("Server.CPU.Count", "Platform.System.NumProcessors", most=10_000)
    ram = of("Platform.Memory.RAM.TotalMBytes", "Mem.PhysicalRAM_MB", most=1e9)
    if ram is None and (octets := of("Mem.PhysicalRAM")) is not None:
        ram = octets / 2**20
    uptime = pairs.get("Server.ElapsedTime", ("",))[-1]
    combined = "Platform.System.PctCombinedCpuUtil"
    return DominoStatistics(
        server=server_name(_text(pairs, "Server.Name")) or unnamed,
        release=release_in(_text(pairs, "Server.Version.Notes", "Server.Version.Notes.BuildNumber")),
        system=_text(pairs, "Server.Version.OS"),
        users=of("Server.Users", most=1e7),
        users_peak=of("Server.Users.Peak", most=1e7),
        active_15min=of("Server.Users.Active15Min", "Server.Users.Active.15Min", most=1e7),
        trans_per_minute=of("Server.Trans.PerMinute"),
        trans_per_minute_peak=of("Server.Trans.PerMinute.Peak"),
        trans_total=of("Server.Trans.Total"),
        uptime_s=duration_s(uptime),
        cpus=None if cpus is None else int(cpus),
        cpu_pct_avg=of(f"{combined}.Avg", most=100.0),
        cpu_pct_peak=of(f"{combined}.Peak", most=100.0),
        ram_mib=ram,
        buffer_pool_mb=of("Database.Database.BufferPool.Maximum.Megabytes", most=1e6),
        mail_routed=of("Mail.TotalRouted"),
        availability_index=of("Server.AvailabilityIndex", most=100.0),
        dropped=of("Server.Sessions.Dropped"),
        pairs=pairs,
        doubted=tuple(dict.fromkeys(doubted)),
        rows=rows,
    )


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


# --- numbers ----------------------------------------------------------------------------------

_NUMBER = re.compile(r"[-+]?\d[\d.,'’\u00a0\u202f ]*(?:[eE][+-]?\d+)?\Z")


@dataclass(frozen=True, slots=True)
class Marks:
    """How a file writes numbers: its decimal mark, and what sets thousands apart."""

    decimal: str = "."
    group: str = ","


def marks_of(values: Iterable[str]) -> Marks:
    """The marks of numbers, decided once for a whole file.

    A value with two kinds of marks, or with one twice, tells; `2.978` alone does not. Where no
    value does, a mark with other than three digits behind it is the decimal one.

    >>> marks_of(["2.978", "199.281.758.208"]).decimal, marks_of(["5'075'542'016", "2.978"]).decimal
    (',', '.')
    """
    votes = {".": 0, ",": 0}
    group = ""
    for value in values:
        text = value.strip()
        if not _NUMBER.match(text):
            continue
        plain = re.split(r"[eE]", text)[0]
        seen = [each for each in plain if each in ".,'’\u00a0\u202f "]
        if not seen:
            continue
        last = seen[-1]
        if last not in votes:
            group = group or last
            continue
        if len(set(seen)) > 1:
            votes[last] += 100
            group = group or next(each for each in seen if each != last)
        elif len(seen) > 1:
            votes["," if last == "." else "."] += 100
            group = group or last
        elif len(plain.rsplit(last, 1)[1]) != 3 or "e" in text.lower():
            votes[last] += 1
    decimal = "," if votes[","] > votes["."] else "."
    if not group or group == decimal:
        group = "." if decimal == "," else ","
    return Marks(decimal, group)


def value_of(text: str, marks: Marks) -> float | None:
    """A number by the marks of its file; None for what is none.

    >>> value_of("1.6098053448E+12", Marks()), value_of("199.281.758.208", Marks(",", "."))
    (1609805344800.0, 199281758208.0)
    """
    text = text.strip()
    if not _NUMBER.match(text):
        return None
    plain = re.sub(r"['’\u00a0\u202f ]", "", text)
    plain = plain.replace(marks.group, "") if marks.group in ".," else plain
    try:
        return float(plain.replace(marks.decimal, "."))
    except ValueError:
        return None


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
