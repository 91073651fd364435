"""Inventories as tools write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from db.importers.registry import read_files
from db.importers.watch import Watch
from models.intake.mapping import imported
from models.intake.options import Options
from models.intake.records import Records
from models.intake.result import ImportResult
from resources.catalog_files import load_catalog, load_processors
from tests.db.importers.estates import (
    Tabs,
)


def result_of(records: Sequence[Records], **options: object) -> ImportResult:
    chosen = replace(Options(), **options)  # type: ignore[arg-type]
    return imported(records, chosen, load_catalog(), load_processors().values(), name="Estate")


def read(*paths: Path, **options: object) -> ImportResult:
    return result_of(read_files(paths, Watch()), **options)


def rules(result: ImportResult) -> set[str]:
    return {note.rule for note in result.notes}


LIVE_OPTICS: Tabs = {
    "VMs": [
        ["VM Name", "MOB ID", "Power State", "Template", "Virtual CPU", "Provisioned Memory (MiB)",
         "Virtual Disk Size (MiB)", "Virtual Disk Used (MiB)", "Host", "Cluster"],
        ["a", "vm-1", "poweredOn", "FALSE", 2, 4096, 10_000, 5000, "esx1", "c"],
        ["a", "vm-2", "poweredOn", "FALSE", 4, 8192, 20_000, 9000, "esx1", "c"],
    ],
    "VM Performance": [
        ["VM Name", "MOB ID", "Peak IOPS", "Average IOPS", "Peak vCPU % (GHz)",
         "Average vCPU (GHz)"],
        ["a", "vm-2", 900.0, 30.0, 3.5, 0.5],
        ["a", "vm-1", 200.0, 10.0, 1.5, 0.25],
    ],
    "ESX Hosts": [
        ["Host Name", "Cluster", "CPU Sockets", "CPU Cores", "CPU Threads", "CPU Description",
         "CPU Clock Speed (GHz)", "Memory (KiB)", "Guest VM Count"],
        ["esx1", "c", 2, 20, 40, "Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz", 2.4,
         512 * 2**20, 2],
    ],
}  # fmt: skip
NUTANIX: Tabs = {
    "vInfo": [
        ["VM Name", "Power State", "95th Percentile IOPS", "Cluster Name", "Host Name", "MOID"],
        ["a", "poweredOn", 100.5, "c", "esx1", "vm-1"],
    ],
    "vCPU": [["VM Name", "vCPUs", "Peak %", "Average %", "95th Percentile % (recommended)", "MOID"],
             ["a", 8, 90.0, 5.0, 25.0, "vm-1"]],
    "vmList": [
        ["VM Name", "Power State", "vCPUs", "Memory (MiB)", "Capacity (MiB)", "Consumed (MiB)",
         "Template", "Host", "Cluster Name"],
        ["a", "poweredOn", 8, 16_384, 102_400, 40_960, "False", "esx1", "c"],
    ],
    "vHosts": [
        ["Cluster Name", "Host Name", "CPUs", "CPU Model", "CPU Cores", "CPU Speed", "Memory Size"],
        ["c", "esx1", 2, "Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz", 20, 2400, 511.661],
    ],
    "Metadata": [["Hypervisor", "Collector Version"], ["vCenter", "7.1.1"]],
}  # fmt: skip
TEXTS = {
    "vcenter-csv": (
        (
            "#TYPE VMware.VimAutomation.ViCore.Impl.V1.VM.UniversalVirtualMachineImpl\n"
            '"Name";"PowerState";"NumCpu";"MemoryMB";"MemoryGB";"ProvisionedSpaceGB";"UsedSpaceGB";"Id"\n'
            '"a";"PoweredOn";"2";"4096";"4";"100,5";"50,25";"VirtualMachine-vm-7"\n'
        ),
        (2.0, 4096.0, 100.5 * 1024, 50.25 * 1024),
    ),
    "vrops-csv": (
        (
            "Name,CPU|Number of CPUs,Memory|Total Capacity,Disk Space|Total Capacity,"
            "Disk Space|Utilization,CPU|Demand (%)\n"
            'a,2,4 GB,"1,024 GB",0.5 TB,12.5\n'
        ),
        (2.0, 4096.0, 1024.0 * 1024, 512.0 * 1024),
    ),
    "azure-migrate": (
        (
            "Machine Name,Operating System,VM Host,Cores,Memory (in MB),CPU Utilization (in %),"
            "Memory Utilization (in %),Storage (in GB)\n"
            "a,Linux,esx1,2,4096,12,50,100\n"
        ),
        (2.0, 4096.0, 102_400.0, None),
    ),
    "table": (
        "Servername;Anzahl CPU;RAM (GB);Festplatte (GB);Power State\na;2;4;1.000,5;poweredOn\n",
        (2.0, 4096.0, 1000.5 * 1024, None),
    ),
}
MARKDOWN = """Hello,

| VM name | Owner, team | vCPU | RAM (GB) | CPU\\|Demand | Power state |
|:-----|:--|---:|---------:|------------|-------------|
| mail 01 | A, B | 2 | 4,5 | 3          | poweredOn   |

Best regards
"""
PSQL = """ Name    | vCPU | RAM (GB) | Power state
---------+------+----------+-------------
 mail 01 |    2 |      4.5 | poweredOn
(1 row)
"""
BOXED = """+---------+------+----------+-------------+
| Name    | vCPU | RAM (GB) | Power state |
+---------+------+----------+-------------+
| mail 01 |    2 |      4.5 | poweredOn   |
+---------+------+----------+-------------+
"""
POWERSHELL = """
Name                 PowerState Num CPUs MemoryGB
----                 ---------- -------- --------
mail 01              PoweredOn  2           4.500

"""
LETTER = """Guten Tag Herr Meier,

VM name      vCPU   RAM (GB)  Power state
mail 01         2       4,5   poweredOn

Mit freundlichen Grüßen
"""
