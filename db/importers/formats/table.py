"""Any table with a row for each VM: by a profile of its columns, else by what they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from db.errors import StoreError
from db.importers.figures import Marks
from db.importers.importer import Importer
from db.importers.inventory import MEASURED, VM, means, read_vms
from db.importers.opening import Opened
from db.importers.profile import FLAGS, SPACES, TEXTS, Profile
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
from models.intake.records import Power, Records
from models.texts import say

_SIZED = ("vcpus", "ram_mib")
_TELLING = ("name", "power", "os", "provisioned_mib", "cluster", "host")


def _sniff(file: Opened) -> float | None:
    if file.profile is not None:
        return 0.89 if has_columns(file, file.profile) else 0.1
    return 0.2 if any(map(_is_inventory, tables_of(file).values())) else None


def _is_inventory(table: Table) -> bool:
    sized = sum(not table.keys.isdisjoint(VM[name].keys) for name in _SIZED)
    telling = sum(not table.keys.isdisjoint(VM[name].keys) for name in _TELLING)
    return sized > 0 and sized + telling >= 3


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    table = _table(file)
    records = Records(file=file.name, kind=IMPORTER.kind)
    wants = {**VM, **MEASURED} if file.profile is None else _wants(file.profile)
    for vm, rest, places in read_vms(records, table, wants):
        if file.profile is not None and file.profile.on and vm.power is None:
            vm.power = (
                Power.ON if rest.get("power_word", "").casefold() in file.profile.on else Power.OFF
            )
        records.series += means(vm, rest, places)
    return records


def _table(file: Opened) -> Table:
    profile = file.profile
    if profile is None:
        found = next(filter(_is_inventory, tables_of(file).values()), None)
        if found is None:
            found = next(iter(tables_of(file).values()), None)
    elif file.workbook is None:
        found = text_table(file, profile.delimiter)
        if found is not None and profile.decimal:
            found = replace(found, marks=Marks(profile.decimal, is_sure=True))
    else:
        found = _sheet(file, profile)
    if found is None:
        raise StoreError(say("holds no table"), file.name)
    _check(found, file, profile)
    return found


def _sheet(file: Opened, profile: Profile) -> Table | None:
    names = [] if file.workbook is None else file.workbook.names
    if profile.sheet and profile.sheet not in names:
        raise StoreError(say("has no sheet “{sheet}”", sheet=profile.sheet), file.name)
    tables = [sheet_table(file, name) for name in ([profile.sheet] if profile.sheet else names)]
    wanted = {each.heading.strip() for each in profile.columns.values()}
    there = [table for table in tables if table is not None]
    return max(there, key=lambda table: len(wanted & set(table.head)), default=None)


def _check(table: Table, file: Opened, profile: Profile | None) -> None:
    if profile is None:
        if not _is_inventory(table):
            sentence = say(
                "has no columns that are known to be vCPUs and memory of VMs; say by --columns "
                "what they are"
            )
            raise StoreError(sentence, file.name)
        return
    there = {keyed(heading) for heading in table.head}
    for name, column in profile.columns.items():
        if keyed(column.heading) not in there:
            sentence = say("has no column “{heading}”", heading=column.heading)
            raise StoreError(sentence, file.name, field=name)


def _wants(profile: Profile) -> Mapping[str, Want]:
    """The columns of a profile; each has one name."""
    wants = {}
    for name, column in profile.columns.items():
        keys = (keyed(column.heading)[0],)
        if name in TEXTS:
            wants[name] = Want(keys, As.TEXT)
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
