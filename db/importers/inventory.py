"""Tables with a row for each VM: the names that columns go by, and their records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from db.importers.profile import FIELDS, ColumnOf, Profile
from db.importers.tables import (
    MOST_LISTED,
    Columns,
    Table,
    Want,
    count,
    flag,
    mhz,
    mib,
    number,
    power,
    text,
)
from models.intake.records import (
    Note,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    Summary,
    VmRecord,
)
from models.texts import say

VM: Mapping[str, Want] = {
    "name": text(
        *("vm", "vmname", "name", "machinename", "virtualmachine", "virtualmachinename", "server"),
        *("servername", "computername", "nom", "nome", "maschine", "maschinenname", "nomdelavm"),
        "hostname",
    ),
    "id": text("vmid", "moid", "mobid", "id"),
    "uuid": text("uuid", "vmuuid", "instanceuuid"),
    "vcenter": text("vcenter", "vcenterserver", "visdkserver"),
    "datacenter": text("datacenter", "datacentername", "rechenzentrum"),
    "cluster": text("cluster", "clustername"),
    "host": text("host", "vmhost", "esxhost", "esxihost", "parenthost", "hôte"),
    "datastore": text("datastore", "datastorename", "datenspeicher"),
    "folder": text("folder", "ordner", "dossier"),
    "os": text(
        *("os", "guestos", "vmos", "operatingsystem", "betriebssystem", "systèmedexploitation"),
        *("sistemaoperativo", "osname", "guest"),
    ),
    "power": power(
        *(
            "powerstate",
            "power",
            "vmpower",
            "vmpowerpoweredon",
            "powerstatus",
            "powerstats",
            "state",
        ),
        *("zustand", "status", "état", "etat", "stato", "isrunning"),
    ),
    "is_template": flag("template", "istemplate"),
    "vcpus": count(
        *("cpus", "vcpu", "vcpus", "numcpu", "vmcpu", "cpu", "cores", "cpucount", "#vcpu"),
        *("#vcpus", "#cpu", "virtualcpu", "virtualcpus", "cpucores", "numberofcpus", "anzahlvcpu"),
        *(
            "anzahlcpu",
            "prozessoren",
            "vcpucount",
            "numvcpu",
            "numcpus",
            "nombredecpu",
            "numerocpu",
        ),
    ),
    "ram_mib": mib(
        *("memory", "ram", "mem", "vmmem", "vmmemory", "memorysize", "provisionedmemory", "vram"),
        *("arbeitsspeicher", "speicher", "mémoire", "memoire", "memoria", "ramsize", "vmram"),
        unit="",
        is_whole=False,
    ),
    "provisioned_mib": mib(
        *("provisioned", "provisionedspace", "vmprovisioned", "provisionedstorage", "storage"),
        *("disksize", "totaldisk", "disk", "diskspace", "totalstorage", "festplatte"),
        *("bereitgestellterspeicherplatz", "bereitgestellterspeicher", "espaceprovisionné"),
        *("spaziosottopostoaprovisioning", "spazioassegnato"),
        unit="",
        is_whole=False,
    ),
    "in_use_mib": mib(
        *(
            "used",
            "usedspace",
            "inuse",
            "vmused",
            "usedstorage",
            "diskused",
            "belegterspeicherplatz",
        ),
        *("verwendeterspeicherplatz", "verwendeterspeicher", "espaceutilisé", "spazioutilizzato"),
        unit="",
        is_whole=False,
    ),
}
"""Fields of a VM by what their columns are called in several tools and languages."""


def read_vms(
    records: Records, table: Table, wants: Mapping[str, Want]
) -> Iterator[tuple[VmRecord, dict[str, Any], dict[str, Place]]]:
    """VMs of a table, added to the records, each with what its row says besides.

    A row without a name is called by its number where the table names none at all.
    """
    columns = Columns(table, wants, most=MOST_LISTED)
    factors = {name: _factor_found(columns, name, records) for name in _UNSAID}
    rows = 0
    for row_number, values, places in columns.rows():
        rows += 1
        name = values.pop("name", "" if "name" in columns else f"VM {row_number}")
        if not name:
            continue
        for field, factor in factors.items():
            if field in values:
                values[field] *= factor
        own = {key: values.pop(key) for key in list(values) if key in _FIELDS}
        vm = VmRecord(name=name, places={k: v for k, v in places.items() if k in own}, **own)
        records.vms.append(vm)
        yield vm, values, places
    records.tables[table.name or "rows"] = rows
    records.previews.append(table.preview())
    records.notes += columns.notes()


def guessed_profile(table: Table) -> Profile:
    """What the columns of a table are by what they are called, for a person to correct."""
    found = Columns(table, {**VM, **MEASURED}).found
    return Profile(
        columns={
            name: ColumnOf(column.heading) for name, column in found.items() if name in FIELDS
        },
        sheet=table.name,
    )


_FIELDS = frozenset(VmRecord.__dataclass_fields__)
_UNSAID = ("ram_mib", "provisioned_mib", "in_use_mib")
_LIKELY_GIB = 1500.0
"""A column without unit whose middle value is below is taken for GiB: few VMs have so little as
1,500 MiB, and few so much as 1,500 GiB."""


def _factor_found(columns: Columns, name: str, records: Records) -> float:
    """MiB of a column's numbers where neither heading nor cells name a unit."""
    column = columns.found.get(name)
    if column is None or column.want.unit or column.has_unit:
        return 1.0
    cells, has_unit = columns.sample(name)
    if not cells or has_unit:
        return 1.0
    is_gib = median(cells) < _LIKELY_GIB
    text = say(
        "{file}: the unit of “{column}” isn’t said; {unit} is taken.",
        file=records.file,
        column=column.heading,
        unit="GiB" if is_gib else "MiB",
    )
    records.notes.append(Note("unit-assumed", text))
    return 1024.0 if is_gib else 1.0


def statistic(
    vm: VmRecord,
    quantity: Quantity,
    counter: str,
    unit: str,
    place: Place,
    summary: Summary,
    *,
    subject: Subject = Subject.VM,
) -> SeriesRecord:
    """What a tool says of a VM's past without its samples."""
    return SeriesRecord(
        subject=subject,
        name=vm.name,
        id=vm.id,
        counter=counter,
        unit=unit,
        summary=summary,
        place=place,
        quantity=quantity,
        on=vm.host,
    )


MEASURED: Mapping[str, Want] = {
    "cpu_pct": number("cpuutilizationin%", "cpuutilization%", "cpuusage%", "cpu%"),
    "cpu_mhz": mhz("cpuusage", "cpuused", "cpudemand"),
    "iops": number("iops", "totaliops"),
    "used_ram_mib": mib("memoryused", "usedmemory", "ramused", is_whole=False),
}
"""Columns of what was measured, by field."""

_MEASURES = {
    "cpu_mhz": (Quantity.CPU_MHZ, "MHz"),
    "cpu_pct": (Quantity.CPU_PCT, "%"),
    "iops": (Quantity.IOPS, "IOPS"),
    "used_ram_mib": (Quantity.RAM_MIB, "MiB"),
}


def means(
    vm: VmRecord, row: Mapping[str, Any], places: Mapping[str, Place]
) -> Iterator[SeriesRecord]:
    """What was measured of a VM, where nothing says that it is not the mean."""
    for name, (quantity, unit) in _MEASURES.items():
        if name in row:
            place, summary = places[name], Summary(mean=row[name])
            yield statistic(vm, quantity, place.column, unit, place, summary)
