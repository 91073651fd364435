"""What sar and mpstat print."""

from __future__ import annotations

import re

from db.importers.opening import Opened
from db.importers.sampled import sampled
from db.importers.sysstat import read_sar
from models.texts import say

_ROW = re.compile(
    r"^\d{1,2}:\d\d:\d\d(?:\s+[AaPp][Mm])?\s+(?:CPU|DEV|IFACE|kbmemfree|tps|runq-sz|proc/s|pswpin/s)\s",
    re.MULTILINE,
)


def _sniff(file: Opened) -> float | None:
    return 0.9 if _ROW.search(file.start) else None


IMPORTER = sampled(
    kind="sar",
    title="sar, mpstat",
    looks_for=say("sar or mpstat: times of day before columns such as CPU, DEV or kbmemfree"),
    sniff=_sniff,
    tracks=lambda file: read_sar(file.lines(), file.name, file.stem),
)
