"""Nutanix Collector: RVTools' names of sheets with other columns, known by those."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from db.importers.importer import Importer
from db.importers.inventory import power_said, statistic
from db.importers.opening import Opened
from db.importers.tables import (
    Columns,
    Want,
    count,
    flag,
    mhz,
    mib,
    number,
    power,
    sheet_table,
    text,
)
from models.base.texts import say
from models.intake.match_vms import VmFinder
from models.intake.records import (
    ClusterRecord,
    DatastoreRecord,
    DiskRecord,
    HostRecord,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Summary,
    VmRecord,
)

_VM = {
    "name": text("vmname"),
    "id": text("moid"),
    "uuid": text("uuid"),
    "power": power("powerstate"),
    "is_template": flag("template"),
    "host": text("hostname", "host"),
    "cluster": text("clustername"),
    "datacenter": text("datacentername", "datacenter"),
    "datastore": text("datastore", "datastorename"),
    "os": text("guestos"),
}
_FIGURES = {
    "mean": number("average%"),
    "p50": number("median%"),
    "p95": number("95thpercentile%recommended", "95thpercentile%"),
    "max": number("peak%"),
}
_WANTS: Mapping[str, Mapping[str, Want]] = {
    "vmList": {
        **_VM,
        "vcpus": count("vcpus"),
        "ram_mib": mib("memory"),
        "provisioned_mib": mib("capacity"),
        "disks_mib": mib("capacity"),
        "in_use_mib": mib("consumed"),
    },
    "vInfo": {
        **_VM,
        "iops": number("95thpercentileiops"),
        "ready_pct": number("cpureadiness95thpercentile%"),
    },
    "vCPU": {**_VM, **_FIGURES, "vcpus": count("vcpus")},
    "vMemory": {**_VM, **_FIGURES, "ram_mib": mib("size")},
    "vDisk": {**_VM, "capacity": mib("capacity"), "disk": text("diskname")},
    "vPartition": {
        **_VM,
        "capacity": mib("capacity"),
        "consumed": mib("consumed"),
        "disk": text("path", "disk"),
    },
    "vHosts": {
        "name": text("hostname", "hostip"),
        "cluster": text("clustername"),
        "vendor": text("vendor"),
        "model": text("model"),
        "cpu_model": text("cpumodel"),
        "hypervisor": text("hypervisor"),
        "in_maintenance": flag("maintenancemode"),
        "sockets": count("cpus"),
        "cores": count("cpucores"),
        "speed_mhz": mhz("cpuspeed"),
        "ram_mib": mib("memorysize", unit="gib", is_whole=False),
        "nics": count("nics"),
        "vms_on": count("vms"),
        "cpu_pct_now": number("cpuusage", "cpuusage%"),
    },
    "vCluster": {"name": text("clustername"), "datacenter": text("datacenter")},
    "Datastore": {
        "name": text("datastorename"),
        "kind": text("datastoretype"),
        "is_there": flag("accessible"),
        "capacity_mib": mib("capacity"),
        "in_use_mib": mib("consumed"),
        "free_mib": mib("freespace"),
        "hosts": count("hostcount"),
    },
    "Metadata": {"version": text("collectorversion")},
}
_Rows = list[tuple[dict[str, Any], dict[str, Place]]]


def _sniff(file: Opened) -> float | None:
    book = file.workbook
    if book is None:
        return None
    named = [name for name in ("vmList", "vInfo", "vCPU") if name in book.names]
    tables = [table for name in named if (table := sheet_table(file, name)) is not None]
    for table in tables:
        if "VM Name" in table.head and ("MOID" in table.head or table.name == "vmList"):
            return 0.97
    return None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    records = Records(file=file.name, kind=IMPORTER.kind)
    rows = {name: _rows(records, file, name) for name in _WANTS}
    for row, _ in rows["Metadata"]:
        records.tool_version = row.get("version", "")
    for name in ("vmList", "vInfo", "vCPU", "vMemory"):
        _add_vms(records, rows[name])
    records.series += _measured(records, rows)
    records.disks += _disks(records, rows["vDisk"], are_partitions=False)
    records.disks += _disks(records, rows["vPartition"], are_partitions=True)
    for row, places in rows["vHosts"]:
        if row.get("name"):
            records.hosts.append(HostRecord(**row, places=places))
    for row, places in rows["vCluster"]:
        if row.get("name"):
            records.clusters.append(ClusterRecord(**row, places=places))
    for row, places in rows["Datastore"]:
        if row.pop("is_there", True) and row.get("name"):
            records.datastores.append(DatastoreRecord(**row, places=places))
    return records


def _rows(records: Records, file: Opened, name: str) -> _Rows:
    book = file.workbook
    table = None if book is None or name not in book.names else sheet_table(file, name)
    if table is None:
        return []
    rows = [(row, places) for _, row, places in Columns(table, _WANTS[name]).rows()]
    records.tables[name] = len(rows)
    if not records.previews:
        records.previews.append(table.preview())
    return rows


def _add_vms(records: Records, rows: _Rows) -> None:
    """The VMs of the first sheet that lists any, and what the others say of them."""
    find = VmFinder(records.vms) if records.vms else None
    known = VmRecord.__dataclass_fields__
    for row, places in rows:
        own = {key: value for key, value in row.items() if key in known}
        own |= power_said(own)
        if not own.get("name"):
            continue
        cells = {key: place for key, place in places.items() if key in own}
        if find is None:
            records.vms.append(VmRecord(**own, places=cells))
            continue
        vm = find(**_keys(row))
        for key, value in own.items():
            if vm is not None and getattr(vm, key) in (None, ""):
                setattr(vm, key, value)
                if key in cells:
                    vm.places[key] = cells[key]
        if vm is not None and vm.power is not None:
            vm.power_word = None  # one sheet's word that nobody knows, where another is understood


def _keys(row: Mapping[str, Any]) -> dict[str, str]:
    return {key: row[key] for key in ("id", "uuid", "name", "host") if key in row}


def _measured(records: Records, rows: Mapping[str, _Rows]) -> Iterator[SeriesRecord]:
    find = VmFinder(records.vms)
    for sheet in ("vInfo", "vCPU", "vMemory"):
        for row, places in rows[sheet]:
            vm = find(**_keys(row))
            if vm is None:
                continue
            if sheet == "vInfo":
                if "iops" in row:
                    summary, place = Summary(p95=row["iops"]), places["iops"]
                    yield statistic(vm, Quantity.IOPS, place.column, "IOPS", place, summary)
                continue
            figures = {name: row[name] for name in _FIGURES if name in row}
            if not figures:
                continue
            place = places.get("p95") or places[next(iter(figures))]
            if sheet == "vCPU":
                summary = Summary(**figures)
                yield statistic(vm, Quantity.CPU_PCT, place.column, "%", place, summary)
            elif vm.ram_mib:
                used = {name: value / 100.0 * vm.ram_mib for name, value in figures.items()}
                summary = Summary(**used)
                yield statistic(vm, Quantity.RAM_MIB, place.column, "MiB", place, summary)


def _disks(records: Records, rows: _Rows, *, are_partitions: bool) -> Iterator[DiskRecord]:
    find = VmFinder(records.vms)
    for row, places in rows:
        vm = find(**_keys(row))
        place = places.get("capacity") or places.get("consumed")
        if vm is not None and place is not None:
            yield DiskRecord(
                vm=vm.key,
                vm_name=vm.name,
                name=row.get("disk", ""),
                place=place,
                is_partition=are_partitions,
                capacity_mib=row.get("capacity"),
                consumed_mib=row.get("consumed"),
            )


IMPORTER = Importer(
    kind="nutanix-collector",
    title="Nutanix Collector",
    looks_for=say("Nutanix Collector (sheets vmList or vInfo with VM Name and MOID)"),
    sniff=_sniff,
    read=_read,
)
