"""Live Optics: VMs, hosts and what was measured of them, as a workbook (also within an archive)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from db.importers.importer import Importer
from db.importers.inventory import VM, read_vms, statistic
from db.importers.opening import Opened
from db.importers.tables import (
    Columns,
    Table,
    Want,
    count,
    flag,
    mhz,
    mib,
    needs,
    number,
    sheet_table,
    text,
)
from models.base.texts import say
from models.intake.match_vms import VmFinder
from models.intake.records import (
    DatastoreRecord,
    HostRecord,
    Note,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    Summary,
)

_VMS = {
    **VM,
    "id": text("mobid"),
    "uuid": text("instanceuuid", "uuid"),
    "is_template": flag("template"),
    "vcpus": count("virtualcpu"),
    "ram_mib": mib("provisionedmemory", unit="mib"),
    "ram_active_mib": mib("usedmemoryactive"),
    "ram_consumed_mib": mib("consumedmemory"),
    "provisioned_mib": mib("virtualdisksize"),
    "disks_mib": mib("virtualdisksize"),
    "in_use_mib": mib("virtualdiskused"),
    "guest_mib": mib("guestvmdiskcapacity"),
    "consumed_mib": mib("guestvmdiskused"),
}
_PERFORMANCE = {
    "name": text("vmname"),
    "id": text("mobid"),
    "host": text("host"),
    "iops_max": number("peakiops"),
    "iops_mean": number("averageiops"),
    "cpu_mhz_max": mhz("peakvcpu", unit="ghz", is_whole=False),
    "cpu_mhz_mean": mhz("averagevcpu", unit="ghz", is_whole=False),
    "cpu_pct_max": number("peakvcpu%"),
    "cpu_pct_mean": number("averagevcpu%"),
    "ram_mib_max": mib("peakmemory"),
    "ram_mib_mean": mib("avgmemory", "averagememory"),
}
_HOSTS = {
    "name": text("hostname"),
    "datacenter": text("datacenter"),
    "vcenter": text("vcenter"),
    "cluster": text("cluster"),
    "vendor": text("manufacturer", "vendor"),
    "model": text("model"),
    "cpu_model": text("cpudescription"),
    "hypervisor": text("os", "esxversion"),
    "sockets": count("cpusockets"),
    "cores": count("cpucores"),
    "threads": count("cputhreads"),
    "speed_mhz": mhz("cpuclockspeed", unit="ghz", is_whole=False),
    "ram_mib": mib("memory", unit="kib"),
    "vms_on": count("guestvmcount"),
}
_HOST_PERFORMANCE = {
    "name": text("hostname", "host"),
    "iops_max": number("peakiops"),
    "iops_mean": number("averageiops"),
    "iops_p95": number("95%iops", "iops95%", "95thpercentileiops"),
    "cpu_pct_max": number("peakcpu%"),
    "cpu_pct_mean": number("averagecpu%"),
}
_DEVICES = {
    "name": text("devicename"),
    "kind": text("devicetype"),
    "capacity_mib": mib("capacity", unit="gib", is_whole=False),
    "in_use_mib": mib("usedcapacity", unit="gib", is_whole=False),
    "free_mib": mib("freecapacity", unit="gib", is_whole=False),
    "vms": count("vmcount"),
}
_QUANTITIES = {
    "iops": (Quantity.IOPS, "IOPS"),
    "cpu_mhz": (Quantity.CPU_MHZ, "MHz"),
    "cpu_pct": (Quantity.CPU_PCT, "%"),
    "ram_mib": (Quantity.RAM_MIB, "MiB"),
}


def _tables(file: Opened) -> dict[str, Table]:
    if file.workbook is None:
        return {}
    found = {}
    for name in ("VMs", "VM Performance", "ESX Hosts", "ESX Performance", "Host Devices"):
        table = sheet_table(file, name) if name in file.workbook.names else None
        if table is not None:
            found[name] = table
    return found


def _sniff(file: Opened) -> float | None:
    if file.workbook is None or not {"VMs", "ESX Hosts"} & set(file.workbook.names):
        return None
    tables = _tables(file)
    is_vms = "VMs" in tables and needs(tables["VMs"].keys, "vmname", "virtualcpu")
    is_hosts = "ESX Hosts" in tables and needs(tables["ESX Hosts"].keys, "hostname", "cpusockets")
    return 0.95 if is_vms or is_hosts else None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    tables = _tables(file)
    records = Records(file=file.name, kind=IMPORTER.kind)
    if "VMs" in tables:
        list(read_vms(records, tables["VMs"], _VMS))
    if "VM Performance" in tables:
        records.series += _performance(records, tables["VM Performance"])
    if "ESX Hosts" in tables:
        _hosts(records, tables["ESX Hosts"])
    if "ESX Performance" in tables:
        records.series += _host_performance(records, tables["ESX Performance"])
    if "Host Devices" in tables:
        _devices(records, tables["Host Devices"])
    if records.series:
        records.notes.append(Note("live-optics-peaks", _PEAKS))
    return records


_PEAKS = say(
    "Live Optics keeps mean and peak of each VM, no percentile: the peak stands in for a high one. "
    "Peaks of VMs don’t coincide; the 95th percentile of the hosts is the better sum."
)


def _rows(
    records: Records, table: Table, wants: Mapping[str, Want]
) -> Iterator[tuple[dict[str, Any], dict[str, Place]]]:
    columns = Columns(table, wants)
    count = 0
    for _, row, places in columns.rows():
        count += 1
        if row.get("name"):
            yield row, places
    records.tables[table.name or "rows"] = count


def _performance(records: Records, table: Table) -> Iterator[SeriesRecord]:
    find = VmFinder(records.vms)
    for row, places in _rows(records, table, _PERFORMANCE):
        vm = find(id=row.get("id", ""), name=row["name"])
        if vm is None:
            continue
        for stem, (quantity, unit) in _QUANTITIES.items():
            summary, place = _summary(stem, row, places)
            if place is not None:
                yield statistic(vm, quantity, place.column, unit, place, summary)


def _summary(
    stem: str, row: Mapping[str, Any], places: Mapping[str, Place]
) -> tuple[Summary, Place | None]:
    names = [f"{stem}_{each}" for each in ("mean", "p95", "max")]
    mean, p95, most = (row.get(name) for name in names)
    place = next((places[name] for name in reversed(names) if name in places), None)
    return Summary(mean=mean, p95=p95, max=most), place


def _hosts(records: Records, table: Table) -> None:
    for row, places in _rows(records, table, _HOSTS):
        records.hosts.append(HostRecord(**row, places=places))


def _host_performance(records: Records, table: Table) -> Iterator[SeriesRecord]:
    for row, places in _rows(records, table, _HOST_PERFORMANCE):
        for stem in ("iops", "cpu_pct"):
            summary, place = _summary(stem, row, places)
            if place is not None:
                quantity, unit = _QUANTITIES[stem]
                yield SeriesRecord(
                    subject=Subject.HOST,
                    name=row["name"],
                    counter=place.column,
                    unit=unit,
                    summary=summary,
                    place=place,
                    quantity=quantity,
                )


def _devices(records: Records, table: Table) -> None:
    """LUNs of clusters; one that several hosts share is listed by each, under other names."""
    seen: set[tuple[Any, ...]] = set()
    for row, places in _rows(records, table, _DEVICES):
        vms, kind = row.pop("vms", None), row.get("kind", "").casefold()
        same = (row.get("capacity_mib"), row.get("in_use_mib"), row.get("free_mib"), vms)
        if kind == "cluster" and same in seen:
            continue
        seen.add(same)
        records.datastores.append(DatastoreRecord(**row, places=places))


IMPORTER = Importer(
    kind="live-optics",
    title="Live Optics",
    looks_for=say("Live Optics (sheets VMs and ESX Hosts)"),
    sniff=_sniff,
    read=_read,
)
