"""The worked example of a refresh: a made-up site of 200 VMs, written as RVTools would export it.

`python packaging/example_site.py` makes the export, imports it as `headroom import` does, with CPU
as the export has it and I/O assumed, and writes `resources/examples/site-refresh.json`. Nobody's
data: names, sizes and loads come from a generator with a seed.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlsxwriter

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "resources" / "examples" / "site-refresh.json"
SEED = 7
ARRAY, DISK, DRIVES, RAID = "gen-afa-mid", "nvme", 16, "6"
"""Published figures of an array, in the place of data stores of which an export has none."""

Cell = str | float
Tabs = dict[str, list[list[Cell]]]


@dataclass(frozen=True, slots=True)
class Centre:
    """A data centre: its cluster, hosts, and the size of what runs in it."""

    name: str
    short: str
    hosts: int
    vms: int


@dataclass(frozen=True, slots=True)
class Role:
    """VMs of one purpose. MHz are what all vCPUs of one took when the export was made."""

    name: str
    system: str
    vcpus: Sequence[int]
    ram_gib: Sequence[int]
    disk_gib: Sequence[int]
    mhz_a_vcpu: tuple[int, int]
    share: int


CENTRES = (Centre("Riverside", "rvs", 7, 120), Centre("Hilltop", "hlt", 5, 80))
WINDOWS, LINUX = "Microsoft Windows Server 2019 (64-bit)", "Red Hat Enterprise Linux 8 (64-bit)"
ROLES = (
    Role("app", WINDOWS, (2, 4), (8, 16), (80, 120, 200), (120, 420), 34),
    Role("web", LINUX, (2,), (4, 8), (40, 60), (80, 300), 20),
    Role("db", LINUX, (4, 8), (32, 48, 64), (300, 500), (250, 650), 12),
    Role("file", WINDOWS, (2,), (8,), (800, 1500), (60, 180), 6),
    Role("print", WINDOWS, (2,), (4,), (60,), (40, 120), 4),
    Role("dc", WINDOWS, (2,), (8,), (60,), (60, 160), 4),
    Role("test", LINUX, (1, 2), (2, 4), (40,), (20, 140), 20),
)
HOST = ("Dell Inc.", "PowerEdge R730", "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", 2400, 14)
HOST_GIB = 384
MAIL_USERS = 250
NOTES = (
    "A site as RVTools exports it, made up: 200 VMs on 12 hosts of 2016 in two data centers, thin "
    "disks, four mail servers of Domino 14. Such an export holds no CPU and no I/O over time, so "
    "both are assumed here for every VM: 4 to 12 % of a core each vCPU, 10 to 40 IOPS each VM. The "
    "arrays are assumed too. A week of measuring would narrow all of it."
)


def main() -> int:
    tabs = site(random.Random(SEED))
    with tempfile.TemporaryDirectory() as folder:
        book, made = Path(folder) / "rvtools.xlsx", Path(folder) / "site.json"
        write(tabs, book)
        mail = [str(row[0]) for row in tabs["vInfo"] if "-mail" in str(row[0])]
        confirmed = [f"--confirm={name}=domino-nrpc:{MAIL_USERS}" for name in mail]
        command = [sys.executable, "-m", "app", "import", str(book), "-o", str(made), *confirmed]
        assumed = ["--assume-cpu=4-12%", "--assume-iops=10-40"]
        subprocess.run([*command, *assumed], check=True, cwd=ROOT)
        scenario = json.loads(made.read_text(encoding="utf-8"))
    OUT.write_text(json.dumps(finished(scenario), indent=1) + "\n", encoding="utf-8")
    return 0


def site(chance: random.Random) -> Tabs:
    """All tabs of the export."""
    tabs: Tabs = {
        "vInfo": [
            [
                *("VM", "Powerstate", "Template", "CPUs", "Memory", "NICs", "Disks"),
                *("Total disk capacity MiB", "Provisioned MiB", "In Use MiB", "Path"),
                *("Datacenter", "Cluster", "Host", "OS according to the configuration file"),
                *("VM ID", "VM UUID", "VI SDK Server", "VI SDK UUID"),
            ]
        ],
        "vCPU": [["VM", "Powerstate", "CPUs", "Overall", "Reservation", "VM ID"]],
        "vHost": [
            [
                *("Host", "Datacenter", "Cluster", "in Maintenance Mode", "CPU Model", "Speed"),
                *("HT Active", "# CPU", "Cores per CPU", "# Cores", "# Memory", "ESX Version"),
                *("Vendor", "Model"),
            ]
        ],
        "vCluster": [["Name", "NumHosts", "HA enabled", "AdmissionControlEnabled"]],
        "vDatastore": [["Name", "Type", "Capacity MiB", "In Use MiB", "# Hosts", "Hosts"]],
    }
    for centre in CENTRES:
        add_centre(tabs, centre, chance)
    return tabs


def add_centre(tabs: Tabs, centre: Centre, chance: random.Random) -> None:
    hosts = [f"esx-{centre.short}-{n}" for n in range(1, centre.hosts + 1)]
    cluster = f"{centre.short}-production"
    vendor, model, processor, mhz, cores = HOST
    for host in hosts:
        tabs["vHost"].append(
            [
                *(host, centre.name, cluster, "False", processor, mhz, "True", 2, cores),
                *(2 * cores, HOST_GIB * 1024, "VMware ESXi 7.0.3 build-21930508", vendor, model),
            ]
        )
    tabs["vCluster"].append([cluster, len(hosts), "True", "True"])
    mail = Role("mail", WINDOWS, (4,), (16,), (600,), (500, 800), 1)
    shares = [role.share for role in ROLES]
    roles = [mail, mail, *chance.choices(ROLES, shares, k=centre.vms - 2)]
    counts: dict[str, int] = {}
    used = 0
    for at, role in enumerate(roles):
        number = counts[role.name] = counts.get(role.name, 0) + 1
        name = f"{centre.short}-{role.name}{number:02}"
        used += add_vm(tabs, name, role, centre, hosts[at % len(hosts)], chance)
    store = f"ds-{centre.short}"
    tabs["vDatastore"].append([store, "VMFS", int(used * 1.6), used, len(hosts), ", ".join(hosts)])


def add_vm(
    tabs: Tabs, name: str, role: Role, centre: Centre, host: str, chance: random.Random
) -> int:
    """A VM in its tabs; what its thin disks use [MiB]."""
    id = f"vm-{len(tabs['vInfo'])}"
    vcpus, ram = chance.choice(role.vcpus), chance.choice(role.ram_gib) * 1024
    disk = chance.choice(role.disk_gib) * 1024
    used = int(disk * chance.uniform(0.35, 0.7)) + ram
    path = f"[ds-{centre.short}] {name}/{name}.vmx"
    tabs["vInfo"].append(
        [
            *(name, "poweredOn", "False", vcpus, ram, 1, 1, disk, disk + ram, used, path),
            *(centre.name, f"{centre.short}-production", host, role.system, id),
            *(f"4200-{len(tabs['vInfo']):08x}", "vcenter.example", "made-up"),
        ]
    )
    tabs["vCPU"].append([name, "poweredOn", vcpus, vcpus * chance.randint(*role.mhz_a_vcpu), 0, id])
    return used


def write(tabs: Tabs, path: Path) -> None:
    book = xlsxwriter.Workbook(path)
    for name, rows in tabs.items():
        sheet = book.add_worksheet(name)
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    book.close()


def finished(scenario: dict[str, Any]) -> dict[str, Any]:
    """What a planner adds to the import: an array with figures and the years to come."""
    scenario |= {
        "name": "Two data centers as imported",
        "customer": "Worked example: a site to be refreshed",
        "notes": NOTES,
        "catalog": {},
        "growth": {"years": 3, "users_pct": 3, "load_pct": 3},
    }
    for pool in scenario["pools"]:
        pool |= {"array": ARRAY, "disk": DISK, "spindles": DRIVES, "raid": RAID}
        pool["origins"] = dict.fromkeys(("array", "disk", "spindles", "raid"), "default")
    for vm in scenario["vms"]:
        if vm["workload"]["kind"] == "domino-nrpc":
            vm["workload"] |= {"release": "14.0", "registered_users": 700, "mail_file_mb": 300}
    made: dict[str, Any] = shortened(scenario)
    return made


def shortened(value: Any) -> Any:
    """Without what is left open: a reader of the file takes it as it is left out."""
    if isinstance(value, list):
        return [shortened(each) for each in value]
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items() if each not in (None, [], {})}
    return value


if __name__ == "__main__":
    raise SystemExit(main())
