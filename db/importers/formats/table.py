"""Any table with a row for each VM: by a profile of its columns, else by what they are called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from db.errors import StoreError
from db.importers.estate import is_of_datastores, is_of_hosts, read_datastores, read_hosts
from db.importers.figures import Marks
from db.importers.importer import Importer
from db.importers.inventory import MEASURED, VM, means, read_vms
from db.importers.opening import Opened
from db.importers.profile import FLAGS, LISTS, SPACES, TEXTS, Profile
from db.importers.saved_profiles import has_columns
from db.importers.tables import (
    As,
    Table,
    Want,
    keyed,
    sheet_table,
    tables_of,
    text_table,
)
from models.base.texts import say
from models.intake.records import NotRead, Part, Power, Records

_SIZED = ("vcpus", "ram_mib")
_TELLING = ("name", "power", "os", "provisioned_mib", "cluster", "host")


def _sniff(file: Opened) -> float | None:
    if file.profile is not None:
        return 0.89 if has_columns(file, file.profile) else 0.1
    return 0.2 if any(map(_is_inventory, tables_of(file).values())) else None


def _is_inventory(table: Table) -> bool:
    if is_of_hosts(table):
        return False
    sized = sum(not table.keys.isdisjoint(VM[name].keys) for name in _SIZED)
    telling = sum(not table.keys.isdisjoint(VM[name].keys) for name in _TELLING)
    return sized > 0 and sized + telling >= 3


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    records = Records(file=file.name, kind=IMPORTER.kind)
    if file.profile is None:
        _read_all(records, file)
    else:
        _read_told(records, file, file.profile)
    return records


def _read_all(records: Records, file: Opened) -> None:
    """Every table by what its columns are called: VMs, hosts, data stores; others are named."""
    tables = tables_of(file)
    if not any(map(_is_inventory, tables.values())):
        if not tables:
            raise StoreError(say("holds no table"), file.name)
        raise StoreError(NO_COLUMNS, file.name)
    for name, table in tables.items():
        if is_of_hosts(table):
            read_hosts(records, table)
        elif _is_inventory(table):
            for vm, rest, places in read_vms(records, table, {**VM, **MEASURED}):
                vm.cluster = vm.cluster or (_cluster_of(name) if len(tables) > 1 else "")
                records.series += means(vm, rest, places)
        elif is_of_datastores(table):
            read_datastores(records, table)
        else:
            count = sum(1 for _ in table.rows())
            records.not_read.append(NotRead(file.name, Part.SHEET, name, UNKNOWN_SHEET, count))
    for name in () if file.workbook is None else file.workbook.names:
        if name not in tables:
            records.not_read.append(NotRead(file.name, Part.SHEET, name, UNKNOWN_SHEET))


UNKNOWN_SHEET = say("no table of VMs, hosts or data stores whose columns are known")
_CLUSTER = re.compile(r"cluster\b.*", re.IGNORECASE)


def _cluster_of(sheet: str) -> str:
    """The cluster that a sheet of VMs is of, where it is called so."""
    return sheet.strip() if _CLUSTER.match(sheet.strip()) else ""


def _read_told(records: Records, file: Opened, profile: Profile) -> None:
    """The one table whose columns somebody told."""
    table = _table(file, profile)
    for vm, rest, places in read_vms(records, table, _wants(profile)):
        word = (vm.power_word or "").casefold()
        if profile.on and vm.power is None:
            vm.power, vm.power_word = (Power.ON if word in profile.on else Power.OFF), None
        records.series += means(vm, rest, places)
    for name in () if file.workbook is None else file.workbook.names:
        if name != table.name:
            records.not_read.append(NotRead(file.name, Part.SHEET, name, NOT_TOLD))


NOT_TOLD = say("nobody said what its columns are")


def _table(file: Opened, profile: Profile) -> Table:
    if file.workbook is None:
        found = text_table(file, profile.delimiter)
        if found is not None and profile.decimal:
            found = replace(found, marks=Marks(profile.decimal, is_sure=True))
    else:
        found = _sheet(file, profile)
    if found is None:
        raise StoreError(say("holds no table"), file.name)
    there = {keyed(heading) for heading in found.head}
    for name, column in profile.columns.items():
        if keyed(column.heading) not in there:
            sentence = say("has no column “{heading}”", heading=column.heading)
            raise StoreError(sentence, file.name, field=name)
    return found


NO_COLUMNS = say(
    "has no columns that are known to be vCPUs and memory of VMs; say by --columns what they are"
)


def _sheet(file: Opened, profile: Profile) -> Table | None:
    names = [] if file.workbook is None else file.workbook.names
    if profile.sheet and profile.sheet not in names:
        raise StoreError(say("has no sheet “{sheet}”", sheet=profile.sheet), file.name)
    tables = [sheet_table(file, name) for name in ([profile.sheet] if profile.sheet else names)]
    wanted = {each.heading.strip() for each in profile.columns.values()}
    there = [table for table in tables if table is not None]
    return max(there, key=lambda table: len(wanted & set(table.head)), default=None)


def _wants(profile: Profile) -> Mapping[str, Want]:
    """The columns of a profile; each has one name."""
    wants = {}
    for name, column in profile.columns.items():
        keys = (keyed(column.heading)[0],)
        if name in TEXTS:
            wants[name] = Want(keys, As.TEXT)
        elif name in LISTS:
            wants[name] = Want(keys, As.NAMES)
        elif name in FLAGS:
            is_word = name == "power" and bool(profile.on)
            kind = As.POWER if name == "power" else As.FLAG
            wants["power_word" if is_word else name] = Want(keys, As.TEXT if is_word else kind)
        elif name in SPACES:
            wants[name] = Want(keys, As.MIB, column.unit, is_whole=False)
        elif name == "cpu_mhz":
            wants[name] = Want(keys, As.MHZ, column.unit or "mhz", is_whole=False)
        else:
            wants[name] = Want(keys, As.NUMBER, is_whole=False)
    return wants


IMPORTER = Importer(
    kind="table",
    title=say("Any table"),
    looks_for=say("any table with columns for name, vCPUs and memory of VMs"),
    sniff=_sniff,
    read=_read,
    is_general=True,
)
