r"""Tables of counters as Windows and esxtop write them: PDH-CSV and PDH-TSV.

    "(PDH-CSV 4.0) (zone)(bias)","\\host\Object(instance)\Counter",…
    "11/24/2026 09:00:00.000","12.5",…

The first line is read alone, so that of tens of thousands of columns only those that are asked for
are ever turned into numbers.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from operator import itemgetter

import numpy as np

from db.errors import StoreError
from db.importers.sampled import Counter, Track, Tracks, moment, number
from models.base.record import record
from models.base.texts import say

HEAD = re.compile(r'"?\(PDH-(?:CSV|TSV) 4\.0\)')
TALK_LINES, TALK_LETTERS = 10, 2_000
"""What a console may say before the first line, and on it, as where its terminal is not known."""
_DELIMITERS = (",", ";", "\t")
CHUNK = 512
"""Rows that are held at a time."""


_HOSTED = re.compile(r"[^\\(]+\\(?:[^\\(]+\(.*\)|[^\\(]+)\\[^\\]+\Z")
"""A path with three parts, whose host some tools write behind a single mark."""


def is_pdh(start: str) -> bool:
    """Whether a file that begins so is such a table."""
    return HEAD.search(start[:TALK_LETTERS]) is not None


@record
class Path:
    r"""A counter's address, `\\host\object(instance)\counter`; empty where it says none."""

    host: str
    object: str
    instance: str
    counter: str


def path_of(text: str) -> Path | None:
    r"""The address that a column is headed by; None for none.

    An instance may hold any sign, so it ends at the last `)\`.

    >>> path_of(r"\\esx1\Group Cpu(12:mail (old)\1)\% Used")
    Path(host='esx1', object='Group Cpu', instance='12:mail (old)\\1', counter='% Used')
    >>> path_of(r"\srv1\Memory\Available MBytes")
    Path(host='srv1', object='Memory', instance='', counter='Available MBytes')
    >>> path_of(r"\\esx1\Physical Cpu Load\Cpu Load (1 Minute Avg)").instance
    ''
    """
    start = text.find("\\")
    if start < 0:
        return None
    host, rest = "", text[start:].rstrip('" ')
    if rest.startswith("\\\\"):
        host, _, rest = rest[2:].partition("\\")
    rest = rest.lstrip("\\")
    if not host and _HOSTED.match(rest):
        host, _, rest = rest.partition("\\")
    end = rest.rfind(")\\")
    opened = rest.find("(")
    if 0 <= opened < end and "\\" not in rest[:opened]:
        return Path(host, rest[:opened], rest[opened + 1 : end], rest[end + 2 :])
    object, _, counter = rest.rpartition("\\")
    return Path(host, object, "", counter) if object else None


def read_pdh(
    lines: Iterable[str],
    tracks: Tracks,
    choose: Callable[[list[Path | None]], dict[int, Counter]],
    *,
    without_first: bool = False,
) -> None:
    """Read the chosen columns of a table into `tracks`; rows that are cut are left out.

    Args:
        choose: the counters to read, by column, from the addresses of all columns.
        without_first: leave the first sample out, which holds rates since the machine started.

    Raises:
        StoreError: it holds no rows, or none of the counters that are looked for.
    """
    source, first = _begun(lines)
    delimiter = max(
        _DELIMITERS, key=lambda each: first.count(f'"{each}"') or first.count(each) / 1e3
    )
    header = next(csv.reader(chain([first], source), delimiter=delimiter), [])
    chosen = choose([path_of(each) for each in header])
    if not chosen:
        raise StoreError(say("has none of the counters that are looked for"), tracks.file)
    columns = sorted(chosen)
    pick = itemgetter(0, *columns)
    of = [Track(chosen[column]) for column in columns]
    times = array("d")
    rows = _rows(source, len(header), delimiter)
    # What is not asked for of a row is dropped before the next is read.
    picked = (pick(row) if row else None for row in rows)
    while chunk := list(islice(picked, CHUNK)):
        tracks.cut += chunk.count(None)
        stamped = [(time, row[1:]) for row in chunk if row and (time := moment(row[0])) is not None]
        if without_first and not times and stamped:
            stamped, without_first = stamped[1:], False
        _append(of, [row for _, row in stamped])
        times.extend(time for time, _ in stamped)
        tracks.count(len(columns) * len(stamped))
    if not times:
        raise StoreError(say("holds no samples"), tracks.file)
    times = _spread(times)
    for track in of:
        track.times = times
        counter = track.counter
        tracks.of[counter.subject, counter.device, counter.name] = track


def _begun(lines: Iterable[str]) -> tuple[Iterator[str], str]:
    """The lines after the first of the table, and that line, without talk before it."""
    source = iter(lines)
    said = list(islice(source, TALK_LINES))
    for at, line in enumerate(said):
        if found := HEAD.search(line):
            return chain(said[at + 1 :], source), line[found.start() :]
    return chain(said[1:], source), said[0] if said else ""


def _rows(lines: Iterator[str], width: int, delimiter: str) -> Iterator[list[str]]:
    """Rows of the table, an empty one for each that is cut; blank lines and talk are no rows."""
    between = f'"{delimiter}"'
    for read in lines:
        line = read.strip("\r\n ")
        if not line or not (line[0] in '"' or line[0].isdigit()):
            continue
        if line[0] == '"':
            # esxtop ends its lines with a column that is not quoted.
            end = line.rindex('"')
            row = [*line[1:end].split(between), *line[end + 1 :].split(delimiter)[1:]]
        else:
            row = line.split(delimiter)
        if len(row) != width:
            row = next(csv.reader([line], delimiter=delimiter), [])
        if len(row) == width or (len(row) == width + 1 and not row[-1].strip()):
            yield row
        else:
            yield []


def _append(of: list[Track], rows: list[tuple[str, ...]]) -> None:
    """Add the values of these rows to their tracks."""
    if not rows:
        return
    for track, texts in zip(of, zip(*rows, strict=True), strict=True):
        try:
            track.values.extend(array("d", map(float, texts)))
        except ValueError:
            track.values.extend(map(number, texts))


def _spread(times: array[float]) -> array[float]:
    """Times that a spreadsheet cut to whole minutes, spread over them again; others as they are."""
    column = np.array(times)
    if len(column) < 3 or np.any(column % 60) or np.all(np.diff(column) > 0):
        return times
    starts = np.concatenate([[True], np.diff(column) != 0])
    group = np.cumsum(starts) - 1
    size = np.bincount(group)
    within = np.arange(len(column)) - np.flatnonzero(starts)[group]
    most = max(int(size.max()), 1)
    # A first or last minute that is not full keeps the interval of the full ones.
    return array("d", (column + within * (60.0 / most)).tolist())
