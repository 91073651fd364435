"""Totals of a site of which there is no list: a text of a few lines such as ``vms=412``."""

from __future__ import annotations

from collections.abc import Sequence

from db.errors import refused
from db.importers.importer import Importer
from db.importers.opening import Opened
from models.base.errors import ModelError
from models.base.texts import say
from models.intake.records import Records
from models.intake.stated_totals import NAMES, NEEDED, pairs_of, records_of, totals_of

MOST_BYTES = 4096
"""A text with more says more than totals."""


def _sniff(file: Opened) -> float | None:
    if file.workbook is not None or len(file.head) > MOST_BYTES:
        return None
    found = [name for name, _ in pairs_of("".join(file.lines()))]
    is_known = NEEDED[0] in found and sum(name in NAMES for name in found) * 2 > len(found)
    return 0.97 if is_known else None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    try:
        totals = totals_of("".join(file.lines()))
    except ModelError as error:
        raise refused(error, file.name) from error
    return records_of(totals, file.name, IMPORTER.kind)


IMPORTER = Importer(
    kind="totals",
    title=say("Totals alone"),
    looks_for=say("totals of VMs (lines vms=, vcpus=, ram_gib=)"),
    sniff=_sniff,
    read=_read,
)
