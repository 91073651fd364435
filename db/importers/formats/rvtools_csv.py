"""RVTools as CSV: one file a tab, in a folder or an archive, or vInfo alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from db.errors import StoreError
from db.importers import rvtools
from db.importers.importer import Importer
from db.importers.opening import Opened
from db.importers.tables import Table, text_table
from models.base.texts import say
from models.intake.records import Records


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
    exports: dict[str, dict[str, Table]] = {}
    found = [(file, *there) for file in files if (there := _tab(file)) is not None]
    are_several = len({tab for _, tab, _ in found}) < len(found)
    for file, tab, table in found:
        exports.setdefault(_prefix(file) if are_several else "", {})[tab] = table
    whole = [tables for tables in exports.values() if "vinfo" in tables]
    if not whole:
        raise StoreError(rvtools.NO_VMS, files[0].name)
    name = files[0].name if len(files) == 1 else files[0].folder
    records = rvtools.read(whole[0], name, IMPORTER.kind)
    for tables in whole[1:]:
        records.add(rvtools.read(tables, name, IMPORTER.kind))
    return records


def _prefix(file: Opened) -> str:
    """What the files of one export have in common where a folder holds several."""
    return re.sub(r"(?:tab)?d?v[A-Za-z_]+$", "", file.stem)


IMPORTER = Importer(
    kind="rvtools-csv",
    title="RVTools (CSV)",
    looks_for=say("RVTools_tabvInfo.csv and its companions"),
    sniff=_sniff,
    read=_read,
    is_set=True,
)
