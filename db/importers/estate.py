"""Tables of hosts and of data stores beside VMs, by what their columns are called."""

from __future__ import annotations

from collections.abc import Mapping

from db.importers.tables import Columns, Table, Want, count, mhz, mib, number, text
from models.intake.records import DatastoreRecord, HostRecord, Records

HOST: Mapping[str, Want] = {
    "name": text("host", "hostname", "esxhost", "esxihost", "servername", "name", "server"),
    "cluster": text("cluster", "clustername"),
    "datacenter": text("datacenter", "datacentername", "rechenzentrum", "site"),
    "vcenter": text("vcenter", "vcenterserver", "visdkserver"),
    "vendor": text("vendor", "manufacturer", "hersteller", "make"),
    "model": text("model", "servermodel", "hardwaremodel", "modell"),
    "cpu_model": text("cpumodel", "processor", "processortype", "cputype", "cpu", "prozessor"),
    "speed_mhz": mhz("cpu", "speed", "cpuspeed", "cpufrequency", "clock", "clockspeed", "takt"),
    "sockets": count("cpusockets", "sockets", "#cpu", "numcpu", "cpus", "processors", "sockel"),
    "cores_each": count("corespersocket", "corespercpu", "coresperprocessor"),
    "cores": count(
        "totalcores", "cores", "#cores", "cpucores", "numcores", "kerne", "totalcpucores"
    ),
    "ram_mib": mib(
        "memory", "ram", "mem", "totalmemory", "memorysize", "arbeitsspeicher", unit="mib"
    ),
    "hypervisor": text("esxiversion", "esxversion", "hypervisor", "version", "hypervisorversion"),
    "nics": count("nics", "#nics"),
    "cpu_pct_now": number("cpuusage%", "cpu%"),
}
DATASTORE: Mapping[str, Want] = {
    "name": text("datastore", "datastorename", "name", "datenspeicher"),
    "kind": text("type", "filesystem", "typ"),
    "capacity_mib": mib(
        "capacity", "size", "totalcapacity", "kapazität", unit="mib", is_whole=False
    ),
    "provisioned_mib": mib("provisioned", "provisionedspace", unit="mib", is_whole=False),
    "in_use_mib": mib(
        "used", "inuse", "usedspace", "usedcapacity", "belegt", unit="mib", is_whole=False
    ),
    "free_mib": mib("free", "freespace", "frei", unit="mib", is_whole=False),
}
_OF_HOSTS = frozenset(
    (*HOST["sockets"].keys, *HOST["cores_each"].keys, *HOST["model"].keys, *HOST["vendor"].keys)
) - {"cpus"}


def is_of_hosts(table: Table) -> bool:
    """Whether the rows of a table are hosts: sockets or a make beside cores and memory, and no
    column of what VMs alone have."""
    keys = table.keys
    has = sum(not keys.isdisjoint(HOST[name].keys) for name in ("name", "cores", "ram_mib"))
    has_each = not keys.isdisjoint(HOST["cores_each"].keys)
    of_vms = {"vcpu", "vcpus", "numvcpu", "guestos", "powerstate", "vmname", "vm", "template"}
    return has + has_each >= 3 and not keys.isdisjoint(_OF_HOSTS) and keys.isdisjoint(of_vms)


def is_of_datastores(table: Table) -> bool:
    """Whether its rows are data stores: a capacity beside what is used or free of it."""
    keys = table.keys
    wanted = ("name", "capacity_mib")
    has = all(not keys.isdisjoint(DATASTORE[name].keys) for name in wanted)
    used = any(not keys.isdisjoint(DATASTORE[name].keys) for name in ("in_use_mib", "free_mib"))
    return has and used


def read_hosts(records: Records, table: Table) -> None:
    """Add the hosts of a table to the records."""
    columns = Columns(table, HOST)
    rows = list(columns.rows())
    for _, row, places in rows:
        each = row.pop("cores_each", None)
        if each and row.get("sockets") and "cores" not in row:
            row["cores"], places["cores"] = each * row["sockets"], places["cores_each"]
        if row.get("name"):
            records.hosts.append(HostRecord(**row, places=places))
    _close(records, table, columns, len(rows))


def read_datastores(records: Records, table: Table) -> None:
    """Add the data stores of a table to the records."""
    columns = Columns(table, DATASTORE)
    rows = list(columns.rows())
    records.datastores += (
        DatastoreRecord(**row, places=places) for _, row, places in rows if row.get("name")
    )
    _close(records, table, columns, len(rows))


def _close(records: Records, table: Table, columns: Columns, rows: int) -> None:
    records.tables[table.name or "rows"] = rows
    records.notes += columns.notes()
    records.not_read += columns.not_read()
