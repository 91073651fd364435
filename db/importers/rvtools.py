"""RVTools: the tabs of an export, as sheets of a workbook or as one CSV each.

Only vInfo must be there. Labels in MB (up to 4.0) and MiB (from 4.1) mean the same, 2^20 bytes;
``-DBColumnNames`` writes vInfoVMName for VM. Customers add columns anywhere and leave tabs out.
Tabs with licence keys are never opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from db.errors import StoreError
from db.importers.figures import MIB
from db.importers.inventory import finish_rows, power_said
from db.importers.tables import (
    MOST_LISTED,
    MOST_ROWS,
    Columns,
    Table,
    Want,
    count,
    flag,
    keyed,
    limit,
    mhz,
    mib,
    needs,
    number,
    power,
    several,
    text,
)
from models.base.texts import say
from models.intake.match_vms import VmFinder
from models.intake.records import (
    ClusterRecord,
    DatastoreRecord,
    DiskRecord,
    HostRecord,
    Key,
    Note,
    Place,
    Records,
    VmRecord,
)

_WHERE = {
    "datacenter": text("datacenter"),
    "vcenter": text("visdkuuid", "vcenteruuid", "visdkserver"),
}
_VM = {
    "name": text("vm", "vmname"),
    "id": text("vmid"),
    "uuid": text("vmuuid", "uuid"),
    "host": text("host"),
    **_WHERE,
}
_SET = {"is_template": flag("template"), "is_placeholder": flag("srmplaceholder")}

WANTS: Mapping[str, Mapping[str, Want]] = {
    "vinfo": {
        **_VM,
        **_SET,
        "server": text("visdkserver"),
        "power": power("powerstate"),
        "cluster": text("cluster"),
        "folder": text("folder"),
        "tags": several("tags", "vspheretags"),
        "os": text("osaccordingtothevmwaretools", "ostools", "guestos"),
        "os_file": text("osaccordingtotheconfigurationfile", "os"),
        "path": text("path"),
        "vcpus": count("cpus"),
        "ram_mib": mib("memory"),
        "provisioned_mib": mib("provisioned", "provisionedmib"),
        "in_use_mib": mib("inuse", "inusemib"),
        "disks_mib": mib("totaldiskcapacity", "totaldiskcapacitymib"),
        "ready_pct": number("overallcpureadiness"),
        "cpu_pct_now": number("cpuusage%"),
        "ram_active_mib": mib("activememory"),
    },
    "vcpu": {
        **_VM,
        "vcpus": count("cpus"),
        "cpu_mhz_now": mhz("overall"),
        "cpu_reservation_mhz": limit("reservation"),
        "ready_pct": number("cpuready%", "readiness%"),
        "costop_pct": number("cpucostop", "cpucostop%"),
    },
    "vmemory": {
        **_VM,
        "ram_mib": mib("size", "sizemib"),
        "ram_consumed_mib": mib("consumed"),
        "ram_active_mib": mib("active"),
        "balloon_mib": mib("ballooned"),
        "swapped_mib": mib("swapped"),
        "ram_reservation_mib": limit("reservation"),
        "ram_limit_mib": limit("limit"),
    },
    "vdisk": {
        **_VM,
        "disk": text("disk", "name"),
        "capacity_mib": mib("capacity", "capacitymib"),
        "uuid_of_disk": text("diskuuid"),
        "path": text("diskpath", "path"),
        "sharing": text("sharingmode"),
        "bus": text("sharedbus"),
    },
    "vpartition": {
        **_VM,
        "disk": text("disk"),
        "capacity_mib": mib("capacity", "capacitymib"),
        "consumed_mib": mib("consumed", "consumedmib"),
    },
    "vhost": {
        **_WHERE,
        "name": text("host", "name"),
        "cluster": text("cluster"),
        "cpu_model": text("cpumodel"),
        "speed_mhz": mhz("speed", "cpumhz"),
        "ht": flag("htactive"),
        "sockets": count("#cpu", "numcpu"),
        "cores_each": count("corespercpu", "corespersocket"),
        "cores": count("#cores", "numcpucores"),
        "ram_mib": mib("#memory", "memorysize", "memory"),
        "cpu_pct_now": number("cpuusage%"),
        "ram_pct_now": number("memoryusage%"),
        "nics": count("#nics", "numnics"),
        "vms_total": count("#vmstotal", "vmstotal"),
        "vms_on": count("#vms", "vms"),
        "hypervisor": text("esxversion", "esxiversion", "fullname"),
        "vendor": text("vendor"),
        "model": text("model"),
        "in_maintenance": flag("inmaintenancemode"),
        "bought": text("purchasedate", "dateofpurchase", "purchased", "bought", "kaufdatum"),
    },
    "vcluster": {
        **_WHERE,
        "name": text("name", "cluster"),
        "hosts": count("numhosts", "#hosts"),
        "cores": count("numcpucores", "#cpucores"),
        "ram_mib": mib("totalmemory"),
        "has_ha": flag("haenabled"),
        "has_admission": flag("admissioncontrolenabled"),
        "failover_hosts": count("failoverlevel"),
    },
    "vdatastore": {
        **_WHERE,
        "name": text("name"),
        "kind": text("type"),
        "capacity_mib": mib("capacity", "capacitymib"),
        "provisioned_mib": mib("provisioned", "provisionedmib"),
        "in_use_mib": mib("inuse", "inusemib"),
        "free_mib": mib("free", "freespace"),
        "hosts": count("#hosts", "numhosts"),
        "host_names": several("hosts", "hostnames"),
    },
    "vmetadata": {"version": text("rvtoolsversion"), "major": text("rvtoolsmajorversion")},
}
TABS = frozenset(WANTS)
_KNOWN_BY: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "vcpu": (("vm", "vmname"), ("powerstate",), ("sockets",), ("overall", "max")),
    "vmemory": (("vm", "vmname"), ("size", "sizemib"), ("ballooned",)),
    "vdisk": (("vm", "vmname"), ("diskmode", "thin"), ("capacity", "capacitymib")),
    "vpartition": (("vm", "vmname"), ("consumed", "consumedmib"), ("free%", "free")),
    "vhost": (("host", "name"), ("cpumodel",), ("#cores", "numcpucores")),
    "vcluster": (("name",), ("numhosts",), ("totalcpu",)),
    "vdatastore": (("name",), ("capacity", "capacitymib"), ("siocenabled", "#hosts", "numhosts")),
    "vinfo": (("vm", "vmname"), ("powerstate",), ("cpus",), ("memory",)),
}
_TAB_NAME = re.compile(r"(?:.*tab)?(d?v[a-z_]+)", re.IGNORECASE)
_DATASTORE = re.compile(r"\s*\[([^\]]+)\]")
_LARGEST_MIB = 256 * 2.0**20
"""256 TiB: a host with more says bytes, as ``-DBColumnNames`` does."""


def tab_of(name: str) -> str:
    """The tab that a sheet or file is called: RVTools_tabvInfo.csv is ``vinfo``.

    >>> tab_of("RVTools_tabvInfo"), tab_of("vCPU"), tab_of("Sheet1")
    ('vinfo', 'vcpu', '')
    """
    found = _TAB_NAME.fullmatch(name.strip())
    return found[1].lower() if found else ""


def tab_by_head(table: Table) -> str:
    """The tab whose headings these are, empty for none."""
    for tab, wanted in _KNOWN_BY.items():
        keys = {key.removeprefix(tab) for key in table.keys}
        if needs(keys, *wanted):
            return tab
    return ""


def is_inventory(table: Table) -> bool:
    """Whether a table called vInfo is RVTools' and not that of another tool."""
    raw = {heading.strip() for heading in table.head}
    keys = {key.removeprefix("vinfo") for key in table.keys}
    named = "VM" in raw or any(heading.casefold().startswith("vinfovm") for heading in raw)
    return named and needs(keys, "powerstate", "cpus", ("memory", "provisioned"))


def read(tables: Mapping[str, Table], file: str, kind: str) -> Records:
    """The records of an export.

    Args:
        tables: by tab, ``vinfo`` and whatever there is besides.
        file: name of the export; `kind` of the registry.

    Raises:
        StoreError: there is no ``vinfo``.
    """
    if "vinfo" not in tables:
        raise StoreError(NO_VMS, file)
    records = Records(file=file, kind=kind, tool_version=_version(tables))
    for step, (tab, reader) in enumerate(_READERS.items()):
        tables["vinfo"].file.watch.report(step / len(_READERS))
        if tab in tables:
            most = MOST_LISTED if tab == "vinfo" else MOST_ROWS
            columns = Columns(tables[tab], WANTS[tab], prefix=tab, most=most)
            rows = list(columns.rows())
            records.tables[_LABELS[tab]] = len(rows)
            reader(records, rows)
            records.notes += columns.notes()
            records.not_read += columns.not_read()
            _forget(tables[tab])
    records.previews.append(tables["vinfo"].preview())
    _forget(tables["vinfo"])
    records.notes.append(Note("no-performance", NO_PERFORMANCE))
    return records


NO_VMS = say("has no vInfo: RVTools lists its VMs there")
NO_PERFORMANCE = say(
    "RVTools holds no IOPS, and of CPU only the moment of the export: neither is sized from. "
    "Live Optics, vRealize Operations or esxtop have them."
)
_LABELS = {tab: tab[0] + tab[1:].capitalize() for tab in TABS} | {
    "vcpu": "vCPU",
    "vmetadata": "vMetaData",
}
_Rows = Iterable[tuple[int, dict[str, Any], dict[str, Place]]]


def _forget(table: Table) -> None:
    if table.file.workbook is not None:
        table.file.workbook.forget(table.name)


def _version(tables: Mapping[str, Table]) -> str:
    if "vmetadata" in tables:
        for _, row, _ in Columns(
            tables["vmetadata"], WANTS["vmetadata"], prefix="vmetadata"
        ).rows():
            found = row.get("version") or row.get("major")
            if found:
                return str(found)
    units = {keyed(heading)[1] for heading in tables["vinfo"].head}
    return "4.x" if "mib" in units else "3.x" if "mb" in units else ""


def _read_vms(records: Records, rows: _Rows) -> None:
    first = len(records.vms)
    for _, row, places in rows:
        os_file, path = row.pop("os_file", ""), row.pop("path", "")
        server = row.pop("server", "")
        if not row.get("name"):
            continue
        vcenter = row.get("vcenter")
        if server and vcenter and vcenter != server:
            records.vcenters[vcenter] = server
        row["os"] = row.get("os") or os_file
        said = row | power_said(row)
        records.vms.append(VmRecord(**said, places=places, datastore=_datastore(path)))
    finish_rows(records, first)


def _read_more(records: Records, rows: _Rows) -> None:
    """Figures of vCPU and vMemory, for VMs of vInfo."""
    find = VmFinder(records.vms)
    for _, row, places in rows:
        vm = _found(find, row)
        if vm is None:
            continue
        for name, value in row.items():
            if name not in _VM and getattr(vm, name) is None:
                setattr(vm, name, value)
                vm.places[name] = places[name]


def _found(find: VmFinder, row: Mapping[str, Any]) -> VmRecord | None:
    return find(**{name: row[name] for name in _VM if name in row})


def _key(row: Mapping[str, Any]) -> Key:
    return VmRecord(
        name=row.get("name", ""),
        id=row.get("id", ""),
        uuid=row.get("uuid", ""),
        vcenter=row.get("vcenter", ""),
        datacenter=row.get("datacenter", ""),
        host=row.get("host", ""),
    ).key


def _disks(records: Records, rows: _Rows, *, are_partitions: bool) -> Iterator[DiskRecord]:
    find = VmFinder(records.vms)
    for _, row, places in rows:
        if "capacity_mib" not in row and "consumed_mib" not in row:
            continue
        vm = _found(find, row)
        is_shared = any(
            row.get(name, "").casefold() not in ("", "sharingnone", "nosharing", "none")
            for name in ("sharing", "bus")
        )
        identity = row.get("uuid_of_disk") or row.get("path", "") if is_shared else ""
        yield DiskRecord(
            vm=_key(row) if vm is None else vm.key,
            vm_name=row.get("name", ""),
            name=row.get("disk", ""),
            place=places.get("capacity_mib") or places["consumed_mib"],
            is_partition=are_partitions,
            identity=identity,
            datastore=_datastore(row.get("path", "")),
            capacity_mib=row.get("capacity_mib"),
            consumed_mib=row.get("consumed_mib"),
        )


def _read_disks(records: Records, rows: _Rows) -> None:
    records.disks += _disks(records, rows, are_partitions=False)


def _read_partitions(records: Records, rows: _Rows) -> None:
    records.disks += _disks(records, rows, are_partitions=True)


def _read_hosts(records: Records, rows: _Rows) -> None:
    for _, row, places in rows:
        ht, each = row.pop("ht", None), row.pop("cores_each", None)
        if not row.get("name"):
            continue
        if "cores" not in row and each and row.get("sockets"):
            row["cores"] = each * row["sockets"]
            places["cores"] = places["cores_each"]
        if "sockets" not in row and each and row.get("cores"):
            row["sockets"] = row["cores"] / each
        if ht is not None and "cores" in row:
            row["threads"] = row["cores"] * (2.0 if ht else 1.0)
        if row.get("ram_mib", 0.0) > _LARGEST_MIB:
            row["ram_mib"] *= MIB["bytes"]
        records.hosts.append(HostRecord(**row, places=places))


def _read_clusters(records: Records, rows: _Rows) -> None:
    records.clusters += (
        ClusterRecord(**row, places=places) for _, row, places in rows if row.get("name")
    )


def _read_datastores(records: Records, rows: _Rows) -> None:
    records.datastores += (
        DatastoreRecord(**row, places=places) for _, row, places in rows if row.get("name")
    )


def _datastore(path: str) -> str:
    found = _DATASTORE.match(path)
    return found[1] if found else ""


_READERS = {
    "vinfo": _read_vms,
    "vcpu": _read_more,
    "vmemory": _read_more,
    "vdisk": _read_disks,
    "vpartition": _read_partitions,
    "vhost": _read_hosts,
    "vcluster": _read_clusters,
    "vdatastore": _read_datastores,
}
