"""Azure Migrate: assessments and discovery reports, as CSV or a sheet of a workbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from db.errors import StoreError
from db.importers.importer import Importer
from db.importers.inventory import VM, read_vms, statistic
from db.importers.opening import Opened
from db.importers.tables import Table, Want, count, mib, needs, number, tables_of, text
from models.base.texts import say
from models.intake.records import Note, Place, Quantity, Records, Summary, VmRecord

_WANTS = {
    "name": text("machinename", "machine", "servername"),
    "os": text("operatingsystem", "operatingsystemname", "osname"),
    "host": text("vmhost", "host"),
    "power": VM["power"],
    "vcpus": count("cores"),
    "ram_mib": mib("memory", unit="mb"),
    "provisioned_mib": mib("storage", unit="gb", is_whole=False),
    "in_use_mib": mib("storageinuse", "storageutilization", unit="gb", is_whole=False),
    "cpu_pct": number("cpuutilizationin%", "cpuutilization%", "cpuutilizationpercentage"),
    "ram_pct": number("memoryutilizationin%", "memoryutilization%", "memoryutilizationpercentage"),
    "read_ops": number("diskreadops", "diskreadopsoperationspersecond", "diskreadinops"),
    "write_ops": number("diskwriteops", "diskwriteopsoperationspersecond", "diskwriteinops"),
}


_MOST_DISKS = 20
_OF_DISKS: Mapping[str, Want] = {
    key: want
    for at in range(1, _MOST_DISKS + 1)
    for key, want in (
        (f"size_{at}", mib(f"disk{at}size", unit="gb", is_whole=False)),
        (f"read_{at}", number(f"disk{at}readopsoperationspersecond", f"disk{at}readops")),
        (f"write_{at}", number(f"disk{at}writeopsoperationspersecond", f"disk{at}writeops")),
    )
}
"""Columns of the template by which servers are handed over without an appliance, a disk each."""


def _is_report(table: Table) -> bool:
    return needs(table.keys, ("machinename", "servername"), "cores", "memory") and not (
        needs(table.keys, "sockets") or needs(table.keys, "model")
    )


def _sniff(file: Opened) -> float | None:
    return 0.8 if any(map(_is_report, tables_of(file).values())) else None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    records = Records(file=file.name, kind=IMPORTER.kind)
    reports = [table for table in tables_of(file).values() if _is_report(table)]
    if not reports:
        raise StoreError(say("holds no table"), file.name)
    # Further sheets assess the same machines for other targets, some of them or none.
    report = max(reports, key=_worth)
    _read_table(records, report)
    if len(reports) > 1:
        text = say("{file}: of its sheets, “{sheet}” is read", file=file.name, sheet=report.name)
        records.notes.append(Note("sheets-left-out", text))
    if records.series:
        records.notes.append(Note("azure-percentile", _PERCENTILE))
    return records


def _worth(table: Table) -> tuple[bool, bool, int]:
    """What a sheet is worth: whether it holds machines, what was measured of them, how many."""
    rows = sum(1 for _ in table.rows())
    measured = (*_WANTS["cpu_pct"].keys, *_WANTS["read_ops"].keys)
    return rows > 0, not table.keys.isdisjoint(measured), rows


def _read_table(records: Records, table: Table) -> None:
    for vm, rest, places in read_vms(records, table, {**_WANTS, **_OF_DISKS}):
        _add_disks(vm, rest, places)
        figures = []
        if "cpu_pct" in rest:
            figures.append((Quantity.CPU_PCT, "%", rest["cpu_pct"], "cpu_pct"))
        if "ram_pct" in rest and vm.ram_mib is not None:
            used = rest["ram_pct"] / 100.0 * vm.ram_mib
            figures.append((Quantity.RAM_MIB, "MiB", used, "ram_pct"))
        if "read_ops" in rest and "write_ops" in rest:
            both = rest["read_ops"] + rest["write_ops"]
            figures.append((Quantity.IOPS, "IOPS", both, "read_ops"))
        for quantity, unit, value, name in figures:
            place, summary = places[name], Summary(p95=value)
            records.series.append(statistic(vm, quantity, place.column, unit, place, summary))


def _add_disks(vm: VmRecord, rest: dict[str, Any], places: dict[str, Place]) -> None:
    """Sums of the disks of a row: their sizes, and reads and writes where no column has them."""
    for name, stem in (("read_ops", "read_"), ("write_ops", "write_"), ("disks_mib", "size_")):
        keys = [key for key in rest if key.startswith(stem) and key[len(stem) :].isdecimal()]
        if not keys:
            continue
        total, place = sum(rest[key] for key in keys), places[keys[0]]
        if name == "disks_mib":
            vm.disks_mib, vm.places[name] = total, place
        elif name not in rest:
            rest[name], places[name] = total, place


_PERCENTILE = say(
    "Azure Migrate doesn’t write which percentile its utilisation is: its default, the 95th, "
    "is taken."
)

IMPORTER = Importer(
    kind="azure-migrate",
    title="Azure Migrate",
    looks_for=say("Azure Migrate (Machine Name, Cores, Memory)"),
    sniff=_sniff,
    read=_read,
    is_general=True,
)
