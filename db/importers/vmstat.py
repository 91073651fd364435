"""vmstat of Linux, AIX and Solaris: run queue, memory, paging and CPU of one server."""

from __future__ import annotations

import re
from collections.abc import Iterable

from db.errors import StoreError
from db.importers.sampled import Counter, Measure, Subject, Tracks, moment, number
from models.texts import say

_KIB = 1 / 1024
_COLUMNS: dict[str, tuple[str, Measure | None, float]] = {
    "r": ("threads", Measure.RUN_QUEUE, 1.0),
    "b": ("threads", None, 1.0),
    "swpd": ("MiB", Measure.SWAPPED_MIB, _KIB),
    "free": ("MiB", None, _KIB),
    "buff": ("MiB", None, _KIB),
    "cache": ("MiB", None, _KIB),
    "inact": ("MiB", None, _KIB),
    "active": ("MiB", None, _KIB),
    "avm": ("MiB", Measure.RAM_USED_MIB, 4 * _KIB),
    "fre": ("MiB", None, 4 * _KIB),
    "si": ("KiB/s", Measure.SWAP_PER_S, 1.0),
    "so": ("KiB/s", Measure.SWAP_PER_S, 1.0),
    "pi": ("pages/s", Measure.SWAP_PER_S, 1.0),
    "po": ("pages/s", Measure.SWAP_PER_S, 1.0),
    "bi": ("blocks/s", None, 1.0),
    "bo": ("blocks/s", None, 1.0),
    "us": ("%", None, 1.0),
    "sy": ("%", None, 1.0),
    "id": ("%", None, 1.0),
    "wa": ("%", None, 1.0),
    "st": ("%", Measure.STEAL_PCT, 1.0),
    "pc": ("cores", None, 1.0),
}
HEADER = re.compile(r"^\s*r\s+b\s+.*\bus\s+sy\s+id\b")
_CPU = ("us", "sy", "id", "wa", "st", "pc", "ec")
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
    return place | {name: index for index, name in enumerate(names) if name in _CPU and index >= first}


def _put(
    tracks: Tracks, server: str, fields: list[str], place: dict[str, int], row: int, width: int
) -> None:
    # A time stamp stands behind the columns; its zone heads one of them.
    time = moment(" ".join(fields[-2:])) if len(fields) > 2 else None
    values = {name: number(fields[index]) for name, index in place.items()}
    for name, value in values.items():
        if name in _COLUMNS:
            unit, measure, scale = _COLUMNS[name]
            counter = Counter(
                subject=server,
                kind=Subject.SERVER,
                name=name,
                unit=unit,
                measure=measure,
                scale=scale,
                column=name,
            )
            tracks.put(counter, time, value)
    busy = Counter(
        subject=server,
        kind=Subject.SERVER,
        name=CPU_NAME,
        unit="%",
        measure=Measure.CPU_PCT,
        column=CPU_NAME,
    )
    tracks.put(busy, time, values["us"] + values["sy"])
