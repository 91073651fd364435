"""Plain records of what customers' files say, each number with the cell that it stands in.

Readers (`db/importers`) make them, the mapper (`models/intake/mapping.py`) makes a scenario of
them. Units are those of the names: MiB are 2^20 bytes, MHz, per cent. None is "not said".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from models.base.quantities import FloatArray


class Place(NamedTuple):
    """A cell of a file, as people count: the first row is 1.

    Attributes:
        table: sheet, or a table inside the file; empty where the file is one table.
        column: its heading as the file has it.
    """

    file: str
    table: str
    row: int
    column: str


Places = Mapping[str, Place]
"""Where a record's numbers stand, by the name of its field."""


class Power(StrEnum):
    ON = "on"
    OFF = "off"
    SUSPENDED = "suspended"


class Key(NamedTuple):
    """What tells two things of a kind apart: the id within its vCenter."""

    id: str
    vcenter: str


@dataclass(slots=True, kw_only=True)
class VmRecord:
    """A VM of an inventory.

    Attributes:
        id: of the tool, such as ``vm-123``: unique within `vcenter` only.
        vcpus, ram_mib: as configured.
        provisioned_mib: with swap, snapshots and, under vSAN, replicas; `disks_mib`: of its
            virtual disks; `in_use_mib`: taken on the datastore; `guest_mib`: capacity of the
            guest's file systems; `consumed_mib`: used in them.
        cpu_mhz_now, cpu_pct_now, ram_active_mib, ram_consumed_mib: of the moment of the export,
            never a peak.
        ready_pct: time that it waits for a processor; `costop_pct`, `balloon_mib`, `swapped_mib`.
        ram_limit_mib …: as set; None for no limit.
        is_share: its figures are an equal share of totals that somebody states, `iops` and
            `cpu_mhz` among them; nobody else states those.
        is_chosen: whether it is of the part of the inventory that somebody chose.
        power_word: what its file says of its power where nobody knows the word, empty where it
            says it of other VMs only; None where `power` is known, or the file says nothing of it.
    """

    name: str
    places: dict[str, Place] = field(default_factory=dict)
    id: str = ""
    uuid: str = ""
    vcenter: str = ""
    datacenter: str = ""
    cluster: str = ""
    host: str = ""
    datastore: str = ""
    folder: str = ""
    os: str = ""
    tags: tuple[str, ...] = ()
    power: Power | None = None
    power_word: str | None = None
    is_template: bool = False
    is_placeholder: bool = False
    is_chosen: bool = True
    vcpus: float | None = None
    ram_mib: float | None = None
    provisioned_mib: float | None = None
    disks_mib: float | None = None
    in_use_mib: float | None = None
    guest_mib: float | None = None
    consumed_mib: float | None = None
    cpu_mhz_now: float | None = None
    cpu_pct_now: float | None = None
    ram_active_mib: float | None = None
    ram_consumed_mib: float | None = None
    ready_pct: float | None = None
    costop_pct: float | None = None
    balloon_mib: float | None = None
    swapped_mib: float | None = None
    ram_limit_mib: float | None = None
    ram_reservation_mib: float | None = None
    cpu_reservation_mhz: float | None = None
    iops: float | None = None
    cpu_mhz: float | None = None
    is_share: bool = False

    @property
    def key(self) -> Key:
        """By id, else by UUID, else by name, data center and host."""
        by_name = f"{self.name}\t{self.datacenter}\t{self.host}"
        return Key(self.id or self.uuid or by_name, self.vcenter)


@dataclass(slots=True, kw_only=True)
class HostRecord:
    """A host: `sockets`, `cores` and `threads` of the whole machine, `speed_mhz` of a core.

    Attributes:
        hypervisor: as the file has it, such as ``VMware ESXi 7.0.3 build-19193900``.
        is_chosen: whether it is of the part of the inventory that somebody chose.
        vms_on, vms_total: VMs that it reports, the running ones and all with templates.
        bought: the date as the file has it.
        cpu_pct_now, ram_pct_now: of the moment of the export.
    """

    name: str
    places: dict[str, Place] = field(default_factory=dict)
    vcenter: str = ""
    datacenter: str = ""
    cluster: str = ""
    vendor: str = ""
    model: str = ""
    cpu_model: str = ""
    hypervisor: str = ""
    in_maintenance: bool = False
    is_chosen: bool = True
    sockets: float | None = None
    cores: float | None = None
    threads: float | None = None
    speed_mhz: float | None = None
    ram_mib: float | None = None
    nics: float | None = None
    bought: str = ""
    vms_on: float | None = None
    vms_total: float | None = None
    cpu_pct_now: float | None = None
    ram_pct_now: float | None = None


@dataclass(slots=True, kw_only=True)
class ClusterRecord:
    """A cluster; `failover_hosts`: host failures that its admission control reserves for."""

    name: str
    places: dict[str, Place] = field(default_factory=dict)
    vcenter: str = ""
    datacenter: str = ""
    hosts: float | None = None
    cores: float | None = None
    ram_mib: float | None = None
    has_ha: bool | None = None
    has_admission: bool | None = None
    failover_hosts: float | None = None


@dataclass(slots=True, kw_only=True)
class DatastoreRecord:
    """A datastore; `kind` as the file has it, such as VMFS, NFS, vsan; `host_names` see it."""

    name: str
    places: dict[str, Place] = field(default_factory=dict)
    vcenter: str = ""
    datacenter: str = ""
    kind: str = ""
    capacity_mib: float | None = None
    provisioned_mib: float | None = None
    in_use_mib: float | None = None
    free_mib: float | None = None
    hosts: float | None = None
    host_names: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class DiskRecord:
    """A virtual disk, or with `is_partition` a file system of a guest.

    Attributes:
        vm: key of its VM as far as the row says; `vm_name`: its name.
        identity: of a disk that several VMs share, empty for one of its own.
        capacity_mib: of the disk or file system; `consumed_mib`: used in the file system.
    """

    vm: Key
    vm_name: str
    name: str
    place: Place
    is_partition: bool = False
    identity: str = ""
    datastore: str = ""
    capacity_mib: float | None = None
    consumed_mib: float | None = None


# --- what was measured over time --------------------------------------------------------------


class Subject(StrEnum):
    """What a series is of."""

    VM = "vm"
    HOST = "host"
    DATASTORE = "datastore"
    DEVICE = "device"
    MACHINE = "machine"
    """An operating system's own figures: physical server or guest, its file does not say."""


class Quantity(StrEnum):
    """What a series measures, as far as the mapper has a use for it; the rest is only listed.

    Units: MHz, per cent of the subject's processors, host I/Os per second, MiB, Mbit/s, ms.
    `CPU_CORE_PCT` is per cent of one core, summed over vCPUs, `READY_PCT` and `COSTOP_PCT` are per
    vCPU. `RUN_QUEUE` counts what waits or runs. `RAM_ACTIVE_MIB` was touched within a while,
    `RAM_FREE_MIB` can be had without paging, `PAGING` is what goes to and from disk a second.
    `BALLOON_MIB` and `SWAPPED_MIB` are what a hypervisor took of a VM's memory, `SWAP_IN` and
    `SWAP_OUT` what anybody swaps a second, in units of the tool: what is not 0 counts.
    """

    CPU_MHZ = "cpu_mhz"
    CPU_PCT = "cpu_pct"
    CPU_CORE_PCT = "cpu_core_pct"
    STEAL_PCT = "steal_pct"
    IOPS = "iops"
    RAM_ACTIVE_MIB = "ram_active_mib"
    RAM_FREE_MIB = "ram_free_mib"
    RAM_TOTAL_MIB = "ram_total_mib"
    PAGING = "paging"
    SWAP_IN = "swap_in"
    SWAP_OUT = "swap_out"
    RAM_MIB = "ram_mib"
    READY_PCT = "ready_pct"
    COSTOP_PCT = "costop_pct"
    BALLOON_MIB = "balloon_mib"
    SWAPPED_MIB = "swapped_mib"
    NETWORK_MBPS = "network_mbps"
    LATENCY_MS = "latency_ms"
    TRANSACTIONS = "transactions_per_min"
    RUN_QUEUE = "run_queue"
    OTHER = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a series comes to; percentiles by linear interpolation between order statistics.

    A tool that reports statistics only leaves the others None.

    Attributes:
        n: samples with a value; 0 where a tool does not say.
        start, end: seconds since 1970, UTC as far as the file says.
        interval_s: median distance of the samples [s].
        gaps: places where more than one and a half intervals lie between two samples, and samples
            without a value.
    """

    n: int = 0
    start: float | None = None
    end: float | None = None
    interval_s: float | None = None
    gaps: int = 0
    min: float | None = None
    p1: float | None = None
    p5: float | None = None
    p10: float | None = None
    mean: float | None = None
    p50: float | None = None
    p90: float | None = None
    p95: float | None = None
    p99: float | None = None
    max: float | None = None

    def at(self, percentile: int) -> float | None:
        """50, 90, 95, 99, or 100 for the peak; 0 for the mean."""
        by_number = {0: self.mean, 50: self.p50, 90: self.p90, 95: self.p95, 99: self.p99}
        return self.max if percentile == 100 else by_number[percentile]

    def below(self, percentile: int) -> float | None:
        """What is left at a percentile of what is used: 5 for 95, the least for the peak."""
        by_number = {0: self.mean, 50: self.p50, 90: self.p10, 95: self.p5, 99: self.p1}
        return self.min if percentile == 100 else by_number[percentile]


def summarised(times: FloatArray, values: FloatArray) -> Summary:
    """The summary of samples; NaN is a sample without a value.

    Args:
        times: seconds, ascending, (n,); empty where nobody knows them.
        values: (n,).

    >>> summary = summarised(np.array([0.0, 60.0, 120.0, 300.0]), np.array([1.0, 2.0, np.nan, 4.0]))
    >>> summary.n, summary.interval_s, summary.gaps, summary.p50, summary.max
    (3, 60.0, 2, 2.0, 4.0)
    """
    known = values[np.isfinite(values)]
    steps = np.diff(times) if len(times) > 1 else np.empty(0)
    positive = steps[steps > 0]
    interval = float(np.median(positive)) if len(positive) else None
    gaps = len(values) - len(known)
    if interval is not None:
        gaps += int(np.count_nonzero(steps > 1.5 * interval))
    start, end = (float(times[0]), float(times[-1])) if len(times) else (None, None)
    summary = Summary(n=len(known), start=start, end=end, interval_s=interval, gaps=gaps)
    if not len(known):
        return summary
    least, p1, p5, p10, p50 = np.percentile(known, (0, 1, 5, 10, 50)).tolist()
    p90, p95, p99, most = np.percentile(known, (90, 95, 99, 100)).tolist()
    low = replace(summary, mean=float(known.mean()), min=least, p1=p1, p5=p5, p10=p10, p50=p50)
    return replace(low, p90=p90, p95=p95, p99=p99, max=most)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRecord:
    """One counter of one thing over time.

    Attributes:
        name: of the thing as the file has it: of the VM, host or device; `id`: the tool's, if any.
        counter: as the file names it, in English; `unit`: of `summary`, as the file has it.
        quantity: what it is to the mapper; `summary` times `factor` is in that quantity's unit.
        on: host that it was measured on, where the file says.
        is_apart: somebody says that it is of no VM of the inventory.
        vcpus: of its VM or machine, `speed_mhz`: clock of one of them, where the file says so.
        place: heading of its column, first row of its samples.
        times, values: of the samples, for a picture; empty where they were not kept.
    """

    subject: Subject
    name: str
    counter: str
    unit: str
    summary: Summary
    place: Place
    quantity: Quantity = Quantity.OTHER
    factor: float = 1.0
    id: str = ""
    on: str = ""
    is_apart: bool = False
    vcpus: int | None = None
    speed_mhz: float | None = None
    times: FloatArray = field(default_factory=lambda: np.empty(0))
    values: FloatArray = field(default_factory=lambda: np.empty(0))

    def at(self, percentile: int) -> float | None:
        """As `Summary.at`, in the quantity's unit."""
        value = self.summary.at(percentile)
        return None if value is None else value * self.factor


@dataclass(frozen=True, slots=True, kw_only=True)
class DominoRecord:
    """Statistics that a Domino server keeps of itself; cumulative ones since its start.

    Attributes:
        server: its name; `machine`: name of the computer, where the file says.
        availability_index: 100 idle, 0 full. `buffer_reads_pct`: database reads in the pool.
        users: sessions at that moment, `users_peak`: the most since the start, `active_15min`:
            users with a transaction within 15 minutes: three different counts.
        dropped: sessions that the server dropped.
        traveler_users, traveler_devices: registered with Traveler there.
        expansion_factor: response over that of an idle server. `db_cache_entries`: databases held
            open now, `db_cache_high` the most of them, `db_cache_most` room for.
        queue_s, queue_depth: of the cluster replicator, on the average, and `…_most` at worst.
        disk_mib, disk_used_mib: all drives that the server sees, and what is used of them;
            `disk_busy_pct`: the busiest, on the average.
        cpu_pct_avg, cpu_pct_peak: of the machine, since the start.
        statistics: every number of the file by its name.
        is_apart: somebody says that it is of no VM of the inventory.
    """

    server: str
    places: dict[str, Place] = field(default_factory=dict)
    machine: str = ""
    release: str = ""
    users: float | None = None
    users_peak: float | None = None
    active_15min: float | None = None
    traveler_users: float | None = None
    traveler_devices: float | None = None
    trans_per_minute: float | None = None
    trans_per_minute_peak: float | None = None
    trans_total: float | None = None
    uptime_s: float | None = None
    cpus: float | None = None
    cpu_pct_avg: float | None = None
    cpu_pct_peak: float | None = None
    ram_mib: float | None = None
    availability_index: float | None = None
    expansion_factor: float | None = None
    db_cache_entries: float | None = None
    db_cache_most: float | None = None
    db_cache_high: float | None = None
    queue_s: float | None = None
    queue_most_s: float | None = None
    queue_depth: float | None = None
    queue_depth_most: float | None = None
    disk_mib: float | None = None
    disk_used_mib: float | None = None
    disk_busy_pct: float | None = None
    buffer_pool_mb: float | None = None
    buffer_reads_pct: float | None = None
    mail_routed: float | None = None
    dropped: float | None = None
    os: str = ""
    is_apart: bool = False
    statistics: Mapping[str, float] = field(default_factory=dict)

    @property
    def devices_per_user(self) -> float | None:
        """Devices of each Traveler user; None where there are none."""
        if not self.traveler_users or self.traveler_devices is None:
            return None
        return self.traveler_devices / self.traveler_users


# --- a file with its records ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader or the mapper has to say: `rule` is for scripts, `text` for people."""

    rule: str
    text: str


class Part(StrEnum):
    """What of a file was not read; the word is its field in JSON."""

    SHEET = "sheet"
    SECTION = "section"
    COLUMN = "column"
    COUNTER = "counter"
    DEVICE = "device"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class NotRead:
    """Something of a file that no reader took, so that nothing goes without a word.

    Attributes:
        name: heading, counter or sheet as the file has it; of a row its number or what it names.
        why: the reason as a clause, without a full stop: "of a language that isn’t known".
        count: how many lines, samples or cells that is; at least 1.
        matters: whether a size could be another one for it, so that a scenario remembers it.
    """

    file: str
    part: Part
    name: str
    why: str
    count: int = 1
    matters: bool = True


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a table as the file has them."""

    table: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(slots=True, kw_only=True)
class Records:
    """What one export says, be it a file or several.

    Attributes:
        file: as shown; `kind`: of the registry; `tool_version`: as the file has it, or empty.
        tables: rows of each table that was read.
        named: what people named it by: paths of files, folders and archives.
        not_read: what of it nobody took.
        encoding: of the letters of its texts; empty of workbooks.
        vcenters: names of the vCenters whose records bear an id of it instead.
    """

    file: str
    kind: str
    tool_version: str = ""
    encoding: str = ""
    named: tuple[str, ...] = ()
    tables: dict[str, int] = field(default_factory=dict)
    previews: list[Preview] = field(default_factory=list)
    vms: list[VmRecord] = field(default_factory=list)
    hosts: list[HostRecord] = field(default_factory=list)
    clusters: list[ClusterRecord] = field(default_factory=list)
    datastores: list[DatastoreRecord] = field(default_factory=list)
    disks: list[DiskRecord] = field(default_factory=list)
    series: list[SeriesRecord] = field(default_factory=list)
    domino: list[DominoRecord] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    not_read: list[NotRead] = field(default_factory=list)
    vcenters: dict[str, str] = field(default_factory=dict)

    def add(self, other: Records) -> None:
        """Take over what another export of the same kind says."""
        for name in _LISTS:
            getattr(self, name).extend(getattr(other, name))
        self.vcenters |= other.vcenters
        for name, count in other.tables.items():
            self.tables[name] = self.tables.get(name, 0) + count


_LISTS = (
    *("previews", "vms", "hosts", "clusters", "datastores", "disks", "series", "domino", "notes"),
    "not_read",
)
