"""RVTools as a workbook, one sheet a tab."""

from __future__ import annotations

from collections.abc import Sequence

from db.importers import rvtools
from db.importers.importer import Importer
from db.importers.opening import Opened
from db.importers.sampled import NO_USE
from db.importers.tables import sheet_table
from models.base.texts import say
from models.intake.records import NotRead, Part, Records


def _sheets(file: Opened) -> dict[str, str]:
    """Names of the sheets by tab, of a workbook whose sheets were renamed by their headings."""
    if file.workbook is None:
        return {}
    if IMPORTER.kind not in file.memo:
        file.memo[IMPORTER.kind] = _found(file, file.workbook.names)
    found: dict[str, str] = file.memo[IMPORTER.kind]
    return found


def _found(file: Opened, names: Sequence[str]) -> dict[str, str]:
    tabs = {tab: name for name in names if (tab := rvtools.tab_of(name)) in rvtools.TABS}
    if "vinfo" in tabs:
        return tabs
    for name in names:
        table = sheet_table(file, name)
        tab = "" if table is None else rvtools.tab_by_head(table)
        if tab:
            tabs.setdefault(tab, name)
    return tabs


def _sniff(file: Opened) -> float | None:
    sheet = _sheets(file).get("vinfo")
    table = None if sheet is None else sheet_table(file, sheet)
    return 0.95 if table is not None and rvtools.is_inventory(table) else None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    tables = {tab: sheet_table(file, name) for tab, name in _sheets(file).items()}
    records = rvtools.read(
        {tab: table for tab, table in tables.items() if table is not None}, file.name, IMPORTER.kind
    )
    names = () if file.workbook is None else file.workbook.names
    taken = set(_sheets(file).values())
    records.not_read += (
        NotRead(file.name, Part.SHEET, name, NO_USE, matters=False)
        for name in names
        if name not in taken
    )
    return records


IMPORTER = Importer(
    kind="rvtools-xlsx",
    title="RVTools (Excel)",
    looks_for=say("RVTools (a sheet vInfo with VM, Powerstate, CPUs and Memory)"),
    sniff=_sniff,
    read=_read,
)
