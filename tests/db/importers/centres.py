"""A made-up customer: 258 VMs on 20 hosts in 11 data centres, thin disks, two reservations, and
nothing of what anything was measured to take, as RVTools exports it."""

from __future__ import annotations

import random
from pathlib import Path

from tests.db.importers.estates import VCLUSTER, VCPU, VHOST, VINFO, Cell, Tabs, as_xlsx

CENTRES = (
    *("Aachen", "Bergen", "Cadiz", "Derby", "Essen", "Faro", "Genoa", "Halle", "Izmir", "Jena"),
    "Kobe",
)
HOSTS, VMS = 20, 258
PROCESSOR = "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz"
RESERVED_MHZ = 8000
THICK_MIB, FULL = 3.1, 0.74
"""Provisioned space over that of a data store, and how full it is."""


def centres(path: Path, *, vms: int = VMS, seed: int = 1) -> Path:
    """The export as a workbook."""
    chance = random.Random(seed)
    tabs: Tabs = {
        "vInfo": [list(VINFO)],
        "vCPU": [list(VCPU)],
        "vHost": [list(VHOST)],
        "vCluster": [list(VCLUSTER)],
        "vDatastore": [["Name", "Type", "Capacity MiB", "In Use MiB", "# Hosts", "Hosts"]],
    }
    provisioned = [0] * len(CENTRES)
    for number in range(vms):
        host = number % HOSTS
        provisioned[host % len(CENTRES)] += _vm(tabs, number, host, chance)
    for host in range(HOSTS):
        tabs["vHost"].append(_host(host, len(range(host, vms, HOSTS))))
    for at, centre in enumerate(CENTRES):
        members = [_name(host) for host in range(at, HOSTS, len(CENTRES))]
        cores, ram = 40 * len(members), 786048 * len(members)
        tabs["vCluster"].append(
            [f"cl-{centre.lower()}", len(members), cores, 99, ram, "True", "True", 1]
        )
        size = int(provisioned[at] / THICK_MIB)
        tabs["vDatastore"].append(
            [f"ds-{centre.lower()}", "NFS", size, int(FULL * size), 2, ", ".join(members)]
        )
    return as_xlsx(tabs, path)


def _name(host: int) -> str:
    return f"esx{host:02}.{CENTRES[host % len(CENTRES)].lower()}.example"


def _host(host: int, vms: int) -> list[Cell]:
    centre = CENTRES[host % len(CENTRES)]
    return [
        *(_name(host), centre, f"cl-{centre.lower()}", "False", PROCESSOR, 2494, "True", 2, 20, 40),
        *(20, 786048, 8, vms, vms, vms / 40, "VMware ESXi 7.0.3 build-19193900", "Dell Inc."),
        *("PowerEdge R640", ""),
    ]


def _vm(tabs: Tabs, number: int, host: int, chance: random.Random) -> int:
    """A VM in its tabs; what it has provisioned [MiB]."""
    centre = CENTRES[host % len(CENTRES)]
    name, id, store = f"app-{number:03}", f"vm-{number}", f"ds-{centre.lower()}"
    vcpus, ram = chance.choice((1, 2, 2, 4, 8)), 1024 * chance.choice((4, 8, 16, 16, 32, 64))
    disk = 1024 * chance.randrange(80, 400)
    used = int(disk * FULL / THICK_MIB)
    system = chance.choice(("Microsoft Windows Server 2019 (64-bit)", "Debian GNU/Linux 11"))
    tabs["vInfo"].append(
        [
            *(name, "poweredOn", "False", "False", vcpus, "", ram, 1, 1, disk, "/dc/vm"),
            *(disk + ram, used, f"[{store}] {name}/{name}.vmx", "", "", centre),
            *(f"cl-{centre.lower()}", _name(host), system, system, id, f"421f-{number:08x}"),
            *("vc.example", "c0ffee-1"),
        ]
    )
    reserved = RESERVED_MHZ if number < 2 else 0
    tabs["vCPU"].append([name, "poweredOn", vcpus, vcpus, 1, "", "", reserved, id])
    return disk + ram
