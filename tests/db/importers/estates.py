"""Made-up estates as the files of customers' tools: one estate, many forms.

python -m tests.db.importers.estates 10000 big.xlsx
"""

from __future__ import annotations

import csv
import io
import random
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import xlsxwriter

Cell = str | float | int | None
Tabs = dict[str, list[list[Cell]]]

VINFO = (
    *("VM", "Powerstate", "Template", "SRM Placeholder", "CPUs", "Overall Cpu Readiness", "Memory"),
    *("NICs", "Disks", "Total disk capacity MiB", "Folder", "Provisioned MiB", "In Use MiB"),
    *("Path", "Annotation", "Owner of cost", "Datacenter", "Cluster", "Host"),
    *("OS according to the configuration file", "OS according to the VMware Tools", "VM ID"),
    *("VM UUID", "VI SDK Server", "VI SDK UUID"),
)
VCPU = (
    "VM",
    "Powerstate",
    "CPUs",
    "Sockets",
    "Cores p/s",
    "Max",
    "Overall",
    "Reservation",
    "VM ID",
)
VMEMORY = ("VM", "Size MiB", "Consumed", "Swapped", "Ballooned", "Active", "Reservation", "Limit")
VDISK = ("VM", "Disk", "Disk UUID", "Capacity MiB", "Disk Mode", "Sharing mode", "Path", "VM ID")
VPARTITION = ("VM", "Disk", "Capacity MiB", "Consumed MiB", "Free MiB", "Free % ", "VM ID")
VHOST = (
    *("Host", "Datacenter", "Cluster", "in Maintenance Mode", "CPU Model", "Speed", "HT Active"),
    *("# CPU", "Cores per CPU", "# Cores", "CPU usage %", "# Memory", "# NICs", "# VMs total"),
    *("# VMs", "VMs per Core", "ESX Version", "Vendor", "Model", "Assigned License(s)"),
)
VCLUSTER = (
    *("Name", "NumHosts", "NumCpuCores", "TotalCpu", "TotalMemory", "HA enabled"),
    *("AdmissionControlEnabled", "Failover Level"),
)
VDATASTORE = (
    "Name",
    "Type",
    "Capacity MiB",
    "Provisioned MiB",
    "In Use MiB",
    "Free MiB",
    "# Hosts",
)
VLICENSE = ("Name", "Key")
SECRET = "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE"


@dataclass(frozen=True, slots=True)
class Sums:
    """What an importer has to find."""

    listed: int
    taken: int
    off: int
    templates: int
    vcpus: int
    ram_mib: int
    provisioned_mib: int
    disks_mib: int
    in_use_mib: int


def estate(vms: int, seed: int = 1) -> tuple[Tabs, Sums]:
    """Tabs of an RVTools export with so many VMs, and the sums of those that run."""
    chance = random.Random(seed)
    hosts = max(3, vms // 40)
    tabs: Tabs = {
        "vInfo": [list(VINFO)],
        "vCPU": [list(VCPU)],
        "vMemory": [list(VMEMORY)],
        "vDisk": [list(VDISK)],
        "vPartition": [list(VPARTITION)],
        "vHost": [list(VHOST)],
        "vCluster": [list(VCLUSTER)],
        "vDatastore": [list(VDATASTORE)],
        "vLicense": [list(VLICENSE), ["vSphere", SECRET]],
        "vMetaData": [["RVTools major version", "RVTools version"], ["4.7", "4.7.1.4"]],
    }
    sums = dict.fromkeys(("vcpus", "ram_mib", "provisioned_mib", "disks_mib", "in_use_mib"), 0)
    states = {"on": 0, "off": 0, "template": 0}
    on_host: dict[int, list[int]] = {number: [0, 0] for number in range(hosts)}
    for number in range(vms):
        state = "template" if number % 50 == 49 else "off" if number % 7 == 6 else "on"
        states[state] += 1
        host = number % hosts
        on_host[host][0] += 1
        on_host[host][1] += state == "on"
        figures = _vm(tabs, number, host, host % clusters_of(hosts), state, chance)
        if state == "on":
            for name, value in figures.items():
                sums[name] += value
    _places(tabs, hosts, on_host)
    return tabs, Sums(
        listed=vms, taken=states["on"], off=states["off"], templates=states["template"], **sums
    )


def clusters_of(hosts: int) -> int:
    """How many clusters so many hosts make up."""
    return min(4, max(1, hosts // 3))


def _vm(
    tabs: Tabs, number: int, host: int, cluster_at: int, state: str, chance: random.Random
) -> dict[str, int]:
    name, id = f"srv-{number:05d}", f"vm-{1000 + number}"
    power = "poweredOn" if state == "on" else "poweredOff"
    vcpus, ram = chance.choice((1, 2, 4, 8)), 1024 * chance.choice((2, 4, 8, 16, 32))
    disks = [1024 * chance.randrange(20, 200) for _ in range(chance.choice((1, 1, 2, 3)))]
    provisioned = sum(disks) + ram
    used = provisioned * chance.randrange(20, 90) // 100
    store = f"ds{host % 9}"
    cluster, system = f"cluster-{cluster_at}", "Microsoft Windows Server 2019 (64-bit)"
    uuid, vcenter = f"421f-{number:08x}", "c0ffee-1"
    tabs["vInfo"].append(
        [
            *(name, power, str(state == "template"), "False", vcpus, "1%", ram, 1, len(disks)),
            *(sum(disks), "/dc/vm", provisioned, used, f"[{store}] {name}/{name}.vmx"),
            *("a, b; c\n“d”", "me", "dc", cluster, f"esx{host:03d}", system, system, id, uuid),
            *("vc.example", vcenter),
        ]
    )
    tabs["vCPU"].append([name, power, vcpus, vcpus, 1, vcpus * 2500, 100 * vcpus, 0, id])
    tabs["vMemory"].append([name, ram, ram // 2, 0, 0, ram // 4, 0, -1])
    for at, size in enumerate(disks):
        path = f"[{store}] {name}/{name}_{at}.vmdk"
        disk = f"6000C29-{number}-{at}"
        tabs["vDisk"].append(
            [name, f"Hard disk {at + 1}", disk, size, "persistent", "sharingNone", path, id]
        )
        if state == "on":
            half = size // 2
            tabs["vPartition"].append([name, f"{'CDE'[at]}:\\", size, half, size - half, 50, id])
    return {
        "vcpus": vcpus,
        "ram_mib": ram,
        "provisioned_mib": provisioned,
        "disks_mib": sum(disks),
        "in_use_mib": used,
    }


def _places(tabs: Tabs, hosts: int, on_host: Mapping[int, Sequence[int]]) -> None:
    for host in range(hosts):
        total, on = on_host[host]
        tabs["vHost"].append(
            [
                *(f"esx{host:03d}", "dc", f"cluster-{host % clusters_of(hosts)}", "False"),
                *("Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 2494, "True", 2, 20, 40, 20, 786048),
                *(8, total, on, total / 40, "VMware ESXi 7.0.3 build-19193900", "Dell Inc."),
                *("PowerEdge R640", SECRET),
            ]
        )
    for cluster in range(clusters_of(hosts)):
        members = len(range(cluster, hosts, clusters_of(hosts)))
        size = 786048 * members
        tabs["vCluster"].append(
            [f"cluster-{cluster}", members, 40 * members, 99, size, "True", "True", 1]
        )
    for store in range(min(9, hosts)):
        tabs["vDatastore"].append([f"ds{store}", "VMFS", 2**28, 2**27, 2**26, 2**27, 8])


# --- forms ------------------------------------------------------------------------------------


def as_xlsx(tabs: Tabs, path: Path, sheet: Callable[[str], str] = str) -> Path:
    """The tabs as a workbook; `sheet` names a tab's sheet."""
    with xlsxwriter.Workbook(str(path), {"strings_to_numbers": False}) as book:
        for name, rows in tabs.items():
            page = book.add_worksheet(sheet(name))
            for at, row in enumerate(rows):
                page.write_row(at, 0, row)
    return path


@dataclass(frozen=True, slots=True)
class Locale:
    """How a Windows writes a CSV: what sets cells apart, thousands and decimals."""

    delimiter: str
    group: str
    decimal: str
    encoding: str = "utf-8"

    def cell(self, value: Cell) -> str:
        if isinstance(value, int):
            return f"{value:,}".replace(",", self.group)
        if isinstance(value, float):
            return f"{value:.6g}".replace(".", self.decimal)
        return "" if value is None else value


ENGLISH, GERMAN = Locale(",", ",", "."), Locale(";", ".", ",", "cp1252")
FRENCH, ITALIAN = Locale(";", "\u202f", ","), Locale(";", ".", ",", "utf-8-sig")
SWISS = Locale(";", "’", ".", "utf-16")
LOCALES = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "it": ITALIAN,
    "de-CH": SWISS,
}


def as_csv(rows: Sequence[Sequence[Cell]], locale: Locale = ENGLISH) -> bytes:
    """One table as the bytes of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=locale.delimiter, lineterminator="\r\n")
    writer.writerows([[locale.cell(cell) for cell in row] for row in rows])
    return text.getvalue().encode(locale.encoding)


def as_folder(tabs: Tabs, folder: Path, locale: Locale = ENGLISH) -> Path:
    """The tabs as RVTools writes CSV, one file a tab."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tabs.items():
        (folder / f"RVTools_tab{name}.csv").write_bytes(as_csv(rows, locale))
    return folder


def as_zip(folder: Path, path: Path) -> Path:
    """A folder of files as an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"export/{file.name}")
    return path


if __name__ == "__main__":
    as_xlsx(estate(int(sys.argv[1]))[0], Path(sys.argv[2]))


def one_host(path: Path, *, on: str, host: str, vcenter: str, datacenter: str = "DC") -> Path:
    """One host and a VM that stands on it, as its row says."""
    return as_xlsx(
        {
            "vInfo": [
                ["VM", "Powerstate", "CPUs", "Memory", "Host", "VM ID", "Cluster", "Datacenter",
                 "VI SDK Server", "VI SDK UUID"],
                ["app", "poweredOn", 2, 4096, on, "vm-1", "Prod", datacenter, vcenter,
                 f"id of {vcenter}"],
            ],
            "vHost": [
                ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory", "ESX Version",
                 "Cluster", "Datacenter", "VI SDK Server", "VI SDK UUID"],
                [host, "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 2500, 2, 40, 2**19,
                 "ESXi 6.7.0", "Prod", datacenter, vcenter, f"id of {vcenter}"],
            ],
        },
        path,
    )  # fmt: skip
