"""vmstat of Linux, AIX and Solaris: run queue, memory, paging and CPU of one server."""

from __future__ import annotations

import re
from collections.abc import Iterable

from db.errors import StoreError
from db.importers.opening import Opened
from db.importers.sampled import Known, Tracks, machine_counter, moment, number, sampled
from db.importers.titles import note_configuration
from models.base.texts import say
from models.intake.records import Quantity

_KIB = 1 / 1024
# What a guest once swapped out says nothing of now (swpd); what it swaps does (si, so).
_COLUMNS: dict[str, Known] = {
    "r": Known("threads", Quantity.RUN_QUEUE),
    "b": Known("threads"),
    "swpd": Known("KiB"),
    "free": Known("KiB"),
    "buff": Known("KiB"),
    "cache": Known("KiB"),
    "inact": Known("KiB"),
    "active": Known("KiB"),
    "avm": Known("4 KiB", Quantity.RAM_MIB, 4 * _KIB),
    "fre": Known("4 KiB"),
    "si": Known("KiB/s", Quantity.SWAP_IN),
    "so": Known("KiB/s", Quantity.SWAP_OUT),
    "pi": Known("pages/s", Quantity.SWAP_IN),
    "po": Known("pages/s", Quantity.SWAP_OUT),
    "bi": Known("blocks/s"),
    "bo": Known("blocks/s"),
    "us": Known("%"),
    "sy": Known("%"),
    "id": Known("%"),
    "wa": Known("%"),
    "st": Known("%", Quantity.STEAL_PCT),
    "pc": Known("cores"),
}
HEADER = re.compile(r"^\s*r\s+b\s(?:.*\s)?us\s+sy\s+id(?:\s|$)")
_CPU = ("us", "sy", "id", "wa", "st", "pc", "ec")
_SHARES = frozenset(("us", "sy", "id", "wa", "st"))
CPU_NAME = "us + sy"


def read_vmstat(lines: Iterable[str], file: str, server: str) -> Tracks:
    """The series of one server; the first row, since the machine started, is left out.

    Memory is in KiB unless `-S` was given, which the table does not say.

    Args:
        server: whose it is; the file doesn't say.

    Raises:
        StoreError: it holds no rows but the first.
    """
    tracks = Tracks(file)
    names: list[str] = []
    seen = 0
    for row, line in enumerate(lines, start=1):
        if HEADER.match(line):
            names = line.split()
            continue
        if note_configuration(tracks, server, line):
            continue
        fields = line.split()
        if not names or not fields or not fields[0].isdigit():
            continue
        place = _places(names)
        if len(fields) < 1 + max(place.values()):
            continue
        seen += 1
        if seen > 1:
            _put(tracks, server, fields, place, row, len(names))
    if not tracks.of:
        reason = say("holds only the averages since the server started: run vmstat 60 for a day")
        if not seen:
            reason = say("holds no rows of vmstat")
        raise StoreError(reason, file)
    return tracks


def _places(names: list[str]) -> dict[str, int]:
    """Column of each name; of names that AIX and Solaris have twice those of CPU stand last."""
    first = names.index("us")
    place = {name: index for index, name in enumerate(names) if index < first}
    place = {name: index for name, index in place.items() if name not in _CPU}
    return place | {
        name: index for index, name in enumerate(names) if name in _CPU and index >= first
    }


def _put(
    tracks: Tracks, server: str, fields: list[str], place: dict[str, int], row: int, width: int
) -> None:
    # A time stamp stands behind the columns; its zone heads one of them.
    time = moment(" ".join(fields[-2:])) if len(fields) > 2 else None
    values = {name: number(fields[index]) for name, index in place.items()}
    for name, value in values.items():
        if name in _COLUMNS:
            put = tracks.put_share if name in _SHARES else tracks.put
            put(machine_counter(server, name, _COLUMNS[name]), time, value)
    busy = machine_counter(server, CPU_NAME, Known("%", Quantity.CPU_PCT))
    tracks.put_share(busy, time, values["us"] + values["sy"])


def _sniff(file: Opened) -> float | None:
    return 0.9 if any(HEADER.match(line) for line in file.start.splitlines()[:200]) else None


IMPORTER = sampled(
    kind="vmstat",
    title="vmstat",
    looks_for=say("vmstat: a line of columns from r and b to us, sy and id"),
    sniff=_sniff,
    tracks=lambda file: read_vmstat(file.lines(), file.name, file.stem),
)
