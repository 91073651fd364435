"""Tables with a row for each VM: the names that columns go by, and their records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
    several,
    text,
)
from models.base.texts import say
from models.intake.records import (
    Note,
    NotRead,
    Part,
    Place,
    Power,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    Summary,
    VmRecord,
)

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
    "tags": several(
        *("tags", "tag", "vspheretags", "vspheretag", "vmtags", "vmtag", "summaryvspheretag"),
        "summarytags",
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
        *("vcpus", "vcpu", "#vcpus", "#vcpu", "virtualcpus", "virtualcpu", "cpus", "numcpu"),
        *("vmcpu", "cpu", "cores", "cpucount", "#cpu", "cpucores", "numberofcpus", "anzahlvcpu"),
        *(
            "anzahlcpu",
            "prozessoren",
            "vcpucount",
            "numvcpu",
            "numcpus",
            "allocatedprocessorcorecount",
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
    rows, first = 0, len(records.vms)
    for row_number, values, places in columns.rows():
        rows += 1
        name = values.pop("name", "" if "name" in columns else f"VM {row_number}")
        if not name:
            continue
        for field, factor in factors.items():
            if field in values:
                values[field] *= factor
        own = {key: values.pop(key) for key in list(values) if key in _FIELDS}
        own |= power_said(own)
        vm = VmRecord(name=name, places={k: v for k, v in places.items() if k in own}, **own)
        records.vms.append(vm)
        yield vm, values, places
    records.tables[table.name or "rows"] = rows
    records.previews.append(table.preview())
    records.notes += columns.notes()
    records.not_read += columns.not_read()
    finish_rows(records, first)


def power_said(row: Mapping[str, Any]) -> dict[str, Any]:
    """Power of a row, or the word for it that nobody knows."""
    said = row.get("power")
    is_word = isinstance(said, str) and not isinstance(said, Power)
    return {"power": None, "power_word": said} if is_word else {}


_TOTAL = re.compile(
    r"(?:grand )?total|sum|summe|gesamt(?:summe)?|totale|total général|somme|suma|toplam|итого"
    r"|合計",
    re.IGNORECASE,
)
_ADDED = ("vcpus", "ram_mib", "provisioned_mib", "disks_mib", "in_use_mib")


def finish_rows(records: Records, first: int) -> None:
    """Leave out a last row that adds up the VMs above it, and mark VMs whose power alone isn't
    said.

    Args:
        first: index of the first VM of the table.
    """
    *vms, last = records.vms[first:] or (None,)
    if last is not None and _is_total(last, vms):
        records.vms.pop()
        records.series = [each for each in records.series if each.name != last.name]
        at = next(iter(last.places.values()), None)
        where = "" if at is None else f"{at.row}"
        records.not_read.append(NotRead(records.file, Part.ROW, where, ADDS_UP))
    of_table = records.vms[first:]
    if any(vm.power or vm.power_word for vm in of_table):
        for vm in of_table:
            if vm.power is None and vm.power_word is None:
                vm.power_word = ""


ADDS_UP = say("adds up the rows above it, and is no VM")


def _is_total(last: VmRecord, vms: Sequence[VmRecord]) -> bool:
    """Whether a row is of no VM: each of its figures, of which it has two at least, is the sum of
    its column, or it is called so and names neither host nor power."""
    if len(vms) < 2 or last.power or last.host or last.is_template:
        return False
    sums = {name: sum(getattr(vm, name) or 0.0 for vm in vms) for name in _ADDED}
    there = {name: value for name in _ADDED if (value := getattr(last, name)) is not None}
    adds_up = all(abs(value - sums[name]) <= 0.01 * sums[name] for name, value in there.items())
    return (len(there) > 1 and adds_up) or (
        _TOTAL.fullmatch(last.name.strip()) is not None and adds_up
    )


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
