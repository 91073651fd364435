"""RVTools as CSV: one file a tab, in a folder or an archive, or vInfo alone."""

from __future__ import annotations

from collections.abc import Sequence

from db.errors import StoreError
from db.importers import rvtools
from db.importers.importer import Importer
from db.importers.opening import Opened
from db.importers.tables import Table, text_table
from models.intake.records import Records
from models.texts import say


def _tab(file: Opened) -> tuple[str, Table] | None:
    """The tab that a file is by its headings, and where those don't say by its name."""
    if file.workbook is not None or not file.start:
        return None
    named = rvtools.tab_of(file.stem)
    is_named = "tab" in file.stem.casefold() and named
    if is_named and named not in rvtools.TABS:
        return None
    table = text_table(file)
    if table is None:
        return None
    tab = rvtools.tab_by_head(table) or (named if is_named else "")
    if tab == "vinfo" and not rvtools.is_inventory(table):
        return None
    return (tab, table) if tab else None


def _sniff(file: Opened) -> float | None:
    if "tab" in file.stem.casefold() and rvtools.tab_of(file.stem) and file.start:
        return 0.95 if file.workbook is None else None
    found = _tab(file)
    return None if found is None else 0.85


def _read(files: Sequence[Opened]) -> Records:
    tables = dict(found for file in files if (found := _tab(file)) is not None)
    if "vinfo" not in tables:
        raise StoreError(say("has no vInfo: RVTools lists its VMs there"), files[0].name)
    name = files[0].name if len(files) == 1 else files[0].folder
    return rvtools.read(tables, name, IMPORTER.kind)


IMPORTER = Importer(
    kind="rvtools-csv",
    looks_for=say("RVTools_tabvInfo.csv and its companions"),
    sniff=_sniff,
    read=_read,
    is_set=True,
)
