"""What sadf exports of sar's records: -d, -p or -j."""

from __future__ import annotations

import re

from db.errors import StoreError
from db.importers.formats.iostat import put_iostat_json
from db.importers.opening import Opened
from db.importers.sampled import Tracks, sampled
from db.importers.sysstat import MAX_JSON, read_sadf, read_sadf_json, read_sadf_pairs
from models.base.texts import say

_BLOCKS = re.compile(r"^#\s*hostname;interval;timestamp", re.MULTILINE)
_PAIRS = re.compile(r"^\S+\t-?\d+\t[\d: -]+(?:UTC)?\t\S+\t[%\w./-]+\t-?[\d.,]+\s*$", re.MULTILINE)
_JSON = re.compile(r'\s*\{\s*"sysstat"\s*:')


def _sniff(file: Opened) -> float | None:
    known = _BLOCKS.search(file.start) or _PAIRS.search(file.start) or _JSON.match(file.start)
    return 0.95 if known else None


def _tracks(file: Opened) -> Tracks:
    if _JSON.match(file.start):
        text, held = [], 0
        for line in file.lines():
            held += len(line)
            if held > MAX_JSON:
                most = f"{MAX_JSON // 2**20:,}"
                raise StoreError(say("holds more than {count} MB", count=most), file.name)
            text.append(line)
        return read_sadf_json("".join(text), file.name, put_iostat_json)
    reader = read_sadf if _BLOCKS.search(file.start) else read_sadf_pairs
    return reader(file.lines(), file.name)


IMPORTER = sampled(
    kind="sadf",
    title="sadf",
    looks_for=say(
        "sadf -d, -p or -j: host name, interval and time stamp of every value; iostat and mpstat "
        "as JSON"
    ),
    sniff=_sniff,
    tracks=_tracks,
)
