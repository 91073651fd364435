"""Lists of VMs out of vCenter: PowerCLI's Export-Csv, and ExportList.csv of the web client."""

from __future__ import annotations

import re
from collections.abc import Sequence

from db.importers.importer import Importer
from db.importers.inventory import VM, read_vms
from db.importers.opening import Opened
from db.importers.tables import Table, count, mhz, mib, needs, text, text_table
from models.base.texts import say
from models.intake.records import Note, Records

_MOMENT = {
    "cpu_mhz_now": mhz("hostcpu", "cpuhôte", "cpuhost"),
    "ram_consumed_mib": mib(
        "hostmem", "hostmemory", "mémoirehôte", "hostarbeitsspeicher", "memoriahost", is_whole=False
    ),
}
_WANTS = {
    **VM,
    **_MOMENT,
    "vcpus": count("numcpu", "cpus"),
    "ram_mib": mib("memory", "memorysize", unit="mb", is_whole=False),
    "folder": text("folder"),
}
_OBJECT = re.compile(r"VMware\.[\w.]+")
_ID = re.compile(r"VirtualMachine-(vm-\d+)")


def _sniff(file: Opened) -> float | None:
    if file.workbook is not None:
        return None
    table = text_table(file)
    if table is None:
        return None
    is_powercli = needs(table.keys, "name", "powerstate", "numcpu")
    return 0.8 if is_powercli else 0.7 if _is_list(table) else None


def _is_list(table: Table) -> bool:
    return needs(
        table.keys,
        ("name", "nom", "nome"),
        VM["power"].keys,
        VM["provisioned_mib"].keys,
        VM["in_use_mib"].keys,
        tuple(key for want in _MOMENT.values() for key in want.keys),
    )


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    records = Records(file=file.name, kind=IMPORTER.kind)
    table = text_table(file)
    if table is not None:
        for vm, _, _ in read_vms(records, table, _WANTS):
            for name in ("host", "folder", "os", "cluster", "datastore"):
                if _OBJECT.fullmatch(getattr(vm, name)):
                    setattr(vm, name, "")
            # PowerCLI writes a guest as "name:system".
            vm.os = vm.os.partition(":")[2] or vm.os
            found = _ID.fullmatch(vm.id)
            vm.id = found[1] if found else vm.id
    records.notes.append(Note("no-performance", NO_PERFORMANCE))
    return records


NO_PERFORMANCE = say(
    "Lists of vCenter hold no IOPS, and of CPU only the moment: neither is sized from."
)
IMPORTER = Importer(
    kind="vcenter-csv",
    title="vCenter, PowerCLI",
    looks_for=say("PowerCLI (Name, PowerState, NumCpu) or a list of VMs exported from vCenter"),
    sniff=_sniff,
    read=_read,
)
