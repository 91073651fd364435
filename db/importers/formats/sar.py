"""What sar and mpstat print."""

from __future__ import annotations

import re
from collections.abc import Sequence

from db.importers.importer import Importer
from db.importers.opening import Opened
from db.importers.sysstat import read_sar
from models.intake.records import Records
from models.texts import say

_ROW = re.compile(
    r"^\d{1,2}:\d\d:\d\d(?:\s+[AaPp][Mm])?\s+(?:CPU|DEV|IFACE|kbmemfree|tps|runq-sz|proc/s|pswpin/s)\s",
    re.MULTILINE,
)


def _sniff(file: Opened) -> float | None:
    return 0.9 if _ROW.search(file.start) else None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    return read_sar(file.lines(), file.name, file.stem).records(IMPORTER.kind)


IMPORTER = Importer(
    kind="sar",
    title="sar, mpstat",
    looks_for=say("sar or mpstat: times of day before columns such as CPU, DEV or kbmemfree"),
    sniff=_sniff,
    read=_read,
)
