"""Frozen types of the hardware and platform catalog.

Every entry says where its figures come from (`source`, `confidence`) and which of its fields are
somebody's assumption (`assumed`). A figure that nobody published is None, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from models.base.errors import ModelError, kind_words
from models.base.fields import Field, Word, described, fields_of, needed, of_fields, optional
from models.base.limits import LEAST, shortened
from models.base.texts import say
from models.scenario.scenario import Vm, Workload

T = TypeVar("T")
MOST_OF_A_LIST = 200
"""Of the sizes of memory and of vCPUs in a table of overheads, and of the words in a list."""

_ID = Field(say("id"), text="name")
_NAME = Field(say("name"), text="name")
_PROVENANCE = Field(say("source"))


class Role(StrEnum):
    """Whether an entry may be proposed, or only serves to reproduce a measurement."""

    PURCHASE = "purchase"
    REFERENCE = "reference"


class Platform(StrEnum):
    """Machines on which Domino was measured; other machines are reached by SPEC rate per core."""

    X366 = "x366"
    CLOVERTOWN = "clovertown"
    NEHALEM = "nehalem"
    NONE = ""


@of_fields
class Provenance:
    """Source, confidence (verbatim, derived, assumed …) and the fields that are assumed."""

    source: str = needed(say("source"), text="lines", is_needed=True)
    confidence: str = needed(say("confidence"), text="name")
    note: str = described("", say("note"), text="lines")
    assumed: tuple[str, ...] = described((), say("what is assumed"))


@of_fields
class Processor:
    """A processor with its published SPEC rate, on the CPU2017-equivalent scale.

    Attributes:
        spec_rate: base rate of `chips` processors together (SPECrate 2017 Integer, or CPU2006
            divided by 9.47: `spec_basis` says which).
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    vendor: str = needed(say("maker"))
    generation: str = needed(say("generation"))
    chips: int = needed(say("processors measured together"), ge=1, le=256)
    cores_per_socket: int = needed(say("cores of a processor"), ge=1, le=4096)
    threads_per_core: int = needed(say("threads of a core"), ge=1, le=16)
    base_mhz: float = needed(say("clock of a core"), ge=1, le=20_000)
    spec_rate: float | None = needed(say("SPEC rate"), ge=LEAST, le=1e6)
    spec_basis: str = needed(say("benchmark"))
    hardware_virtualisation: bool | None = needed(say("hardware virtualisation"))
    nested_paging: bool | None = needed(say("nested paging"))
    provenance: Provenance = needed(_PROVENANCE)


GIB_PER_CORE = 8.0
"""RAM that is usual of a host; ours."""


@of_fields
class Server:
    """A server model as it stands in the catalog.

    Attributes:
        cores, threads: of the whole machine.
        base_mhz: nominal clock of a core [MHz]; None when the source does not say.
        spec_rate: of the whole machine, CPU2017-equivalent scale; None when never published.
        hardware_virtualisation: VT-x or AMD-V; None when not known.
        nested_paging: EPT or RVI; None when not known.
        platform: the measured machine this one is, or NONE.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    vendor: str = needed(say("maker"))
    model: str = needed(say("model"))
    year: int | None = needed(say("year of release"), ge=1960, le=2100)
    sockets: int = needed(say("sockets"), ge=1, le=256)
    processor: str = needed(say("processor"))
    generation: str = needed(say("generation"))
    cores: int = needed(say("cores in all"), ge=1, le=16_384)
    threads: int = needed(say("hardware threads"), ge=1, le=131_072)
    base_mhz: float | None = needed(say("clock of a core"), ge=1, le=20_000)
    spec_rate: float | None = needed(say("SPEC rate"), ge=LEAST, le=1e6)
    hardware_virtualisation: bool | None = needed(say("hardware virtualisation"))
    nested_paging: bool | None = needed(say("nested paging"))
    max_ram_gib: float | None = needed(say("most RAM"), ge=LEAST, le=1e6)
    nics: int | None = needed(say("network ports"), ge=1, le=1000)
    nic_gbps: float | None = needed(say("speed of a network port"), ge=LEAST, le=10_000)
    rack_units: int | None = needed(say("height in the rack"), ge=1, le=100)
    role: Role = needed(say("role"))
    platform: Platform = needed(say("measured machine"))
    provenance: Provenance = needed(_PROVENANCE)

    @property
    def spec_rate_per_core(self) -> float | None:
        return None if self.spec_rate is None else self.spec_rate / self.cores

    @property
    def usual_ram_gib(self) -> float:
        """RAM of a machine of which nobody said how much it has [GiB]."""
        usual = GIB_PER_CORE * self.cores
        return usual if self.max_ram_gib is None else min(usual, self.max_ram_gib)

    @property
    def processor_maker(self) -> str:
        """Whose instructions its processors have, by their name: AMD or Intel; empty where that
        isn't known."""
        return maker_of(self.processor)


_MAKERS = {
    "AMD": re.compile(r"\b(?:AMD|EPYC|Opteron)\b", re.IGNORECASE),
    "Intel": re.compile(r"\b(?:Intel|Xeon|Pentium)\b", re.IGNORECASE),
}


def maker_of(processor: str) -> str:
    """The maker of a processor by its name, empty where that isn't known.

    >>> [maker_of(each) for each in ("AMD EPYC 9354", "Intel(R) Xeon(R) CPU E5-2670", "POWER7")]
    ['AMD', 'Intel', '']
    """
    return next((maker for maker, names in _MAKERS.items() if names.search(processor)), "")


class DriveKind(Word):
    """Kinds of drive that no array takes in place of one another."""

    FC = "fc", "Fibre Channel"
    SAS = "sas", "SAS"
    SATA = "sata", say("SATA or NL-SAS")
    SSD = "ssd", say("SSD (SATA or SAS)")
    NVME = "nvme", "NVMe"


class Vsan(Word):
    """Whose drives a pool is made of: an array's, or those of the hosts under vSAN."""

    NONE = "", say("no: in an array")
    OSA = "osa", say("vSAN, original architecture")
    ESA = "esa", say("vSAN, express architecture")


@of_fields
class Array:
    """A storage array, or one node of a hyper-converged cluster, whose figures are per host then.

    Attributes:
        ceiling_iops: host IOPS the controllers can carry; None when no figure was found.
        latency_ms: service latency of an all-flash array at light load; None otherwise.
        write_penalty: back-end writes per host write where the array's own layout decides it
            (RAID-DP on WAFL); None: by RAID level.
        read_cache_hit: share of reads served by the controllers' cache.
        raid_levels: those the array offers, as in `Pool.raid`; empty when not known.
        drive_kinds: drives that go in; empty when not known.
        vsan: architecture of vSAN where the drives are those of the hosts.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    vendor: str = needed(say("maker"))
    model: str = needed(say("model"))
    kind: str = needed(say("kind of array"))
    year: int | None = needed(say("year of release"), ge=1960, le=2100)
    cache_gib: float | None = needed(say("cache"), ge=LEAST, le=1e6)
    max_drives: int | None = needed(say("most drives"), ge=1, le=100_000)
    raid_levels: tuple[str, ...] = needed(say("RAID levels offered"))
    ceiling_iops: float | None = needed(
        say("most I/Os of the controllers"), unit="IOPS", ge=1, le=1e9
    )
    latency_ms: float | None = needed(say("latency"), ge=LEAST, le=1000)
    write_penalty: float | None = needed(say("write penalty"), ge=1, le=100)
    read_cache_hit: float | None = needed(
        say("share of reads served by the cache"), unit="%", ge=0, le=1, is_share=True
    )
    role: Role = needed(say("role"))
    provenance: Provenance = needed(_PROVENANCE)
    drive_kinds: tuple[DriveKind, ...] = described((), say("kinds of drive taken"))
    vsan: Vsan = described(Vsan.NONE, say("drives in the hosts"))

    @property
    def stands_in_hosts(self) -> bool:
        """Whether its drives are those of the hosts themselves: a host that is lost takes them
        along."""
        return self.vsan is not Vsan.NONE or self.kind.startswith("HCI")

    def takes(self, disk: Disk) -> bool | None:
        """Whether drives of this type go into it; None where one of the two isn't known. Disks
        don't go into an all-flash array in any case."""
        if not self.drive_kinds or not disk.kinds:
            return None if disk.flash or self.latency_ms is None else False
        return not set(self.drive_kinds).isdisjoint(disk.kinds)


@of_fields
class Disk:
    """A disk type: planning IOPS and mean service time [ms] of one drive, decimal capacity [GB];
    None is not known. `kinds`: what it is sold as, empty when not known."""

    id: str = needed(_ID)
    name: str = needed(_NAME)
    iops: float | None = needed(say("I/Os of a drive"), unit="IOPS", ge=1, le=1e9)
    service_ms: float | None = needed(say("service time of a drive"), ge=LEAST, le=1000)
    capacity_gb: float | None = needed(say("size of a drive"), ge=LEAST, le=1e9)
    flash: bool = needed(say("flash"))
    provenance: Provenance = needed(_PROVENANCE)
    kinds: tuple[DriveKind, ...] = described((), say("kinds of drive"))


@of_fields
class RaidLevel:
    """A RAID layout: back-end I/Os per host write, and capacity lost per group of drives.

    Attributes:
        mirrored: half of the drives hold copies.
        parity_drives: parity drives per group.
        group_drives: drives per group by default (parity included), 0 when there are no groups.
        fewest_drives: of a group (parity included).
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    write_penalty: float = needed(say("write penalty"), ge=1, le=100)
    mirrored: bool = needed(say("mirrored"))
    parity_drives: int = needed(say("parity drives of a RAID group"), ge=0, le=1000)
    group_drives: int = needed(say("drives of a RAID group"), ge=0, le=100_000)
    fewest_drives: int = needed(say("fewest drives of a RAID group"), ge=1, le=100_000)
    provenance: Provenance = needed(_PROVENANCE)


@of_fields
class Profile:
    """A kind of VM of the user's own: what a new VM of this kind begins with."""

    id: str = needed(_ID)
    name: str = needed(_NAME)
    vcpus: int = needed(fields_of(Vm)["vcpus"])
    ram_gib: float = needed(fields_of(Vm)["ram_gib"])
    workload: Workload = needed(say("workload"))
    provenance: Provenance = needed(_PROVENANCE)


@of_fields
class MemoryOverhead:
    """Hypervisor memory per VM: a table over configured RAM [MiB] and vCPUs, in MiB.

    ``mib[i][j]`` belongs to ``ram_mib[i]`` and ``vcpus[j]``; None where the source has a gap.
    `evidence`: ids of the rows of evidence behind each figure, empty for a figure that has none of
    its own; (), where the table has none at all. It is no part of what the table says.
    """

    ram_mib: tuple[float, ...] = needed(say("RAM of a VM"), ge=LEAST, le=1e9)
    vcpus: tuple[int, ...] = needed(say("vCPUs of a VM"), ge=1, le=10_000)
    mib: tuple[tuple[float | None, ...], ...] = needed(say("memory for each VM"), ge=LEAST, le=1e9)
    evidence: tuple[tuple[str, ...], ...] = described((), say("evidence"), is_compared=False)


@of_fields
class Hypervisor:
    """A hypervisor release with its configuration maximums; None is 'no limit found'.

    Attributes:
        year: of release; None when not said.
        end_of_support: last day of the maker's general support, None where no public statement
            was found.
        console_gib: memory the hypervisor keeps for itself (service console on ESX classic).
        slot_cpu_mhz: default CPU slot of HA admission control [MHz].
        max_vms_per_cluster: powered-on VMs of an HA cluster.
        ha_max_vms_per_host, ha_max_vms_per_host_large: VMs of a host in HA clusters of up to 8
            hosts, and in larger ones.
        ft_max_vcpus: of a protected VM; 0 when Fault Tolerance does not exist.
        ft_max_vcpus_standard: the same with the Standard and Enterprise licences.
        ft_max_vcpus_per_host: vCPUs of primaries and secondaries on a host.
        licensed_cores: cores of a processor that are licensed at least, where licences count cores.
        manages_from: id of the oldest release that vCenter of this release manages; empty where
            that isn't known.
        transferred: names of fields taken from the nearest listed release.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    version: tuple[int, int, int] = needed(say("version"), ge=0, le=1000)
    max_vcpus_per_vm: int | None = needed(say("most vCPUs per VM"), ge=1, le=1e6)
    max_ram_gib_per_vm: float | None = needed(say("most RAM per VM"), unit="GiB", ge=LEAST, le=1e6)
    max_ram_gib_per_host: float | None = needed(
        say("most RAM per host"), unit="GiB", ge=LEAST, le=1e6
    )
    max_logical_cpus_per_host: int | None = needed(
        say("most logical processors per host"), ge=1, le=1e6
    )
    max_vms_per_host: int | None = needed(say("most VMs per host"), ge=1, le=1e6)
    max_vcpus_per_core: float | None = needed(say("most vCPUs per core"), ge=LEAST, le=1e6)
    max_hosts_per_cluster: int | None = needed(say("most hosts per cluster"), ge=1, le=1e6)
    console_gib: float | None = needed(
        say("RAM that the hypervisor takes for itself"), ge=0, le=1e6
    )
    slot_cpu_mhz: float | None = needed(say("CPU of a slot in admission control"), ge=1, le=1e6)
    ft_max_vcpus: int = needed(say("most vCPUs of a VM with FT"), ge=0, le=10_000)
    ft_max_vms_per_host: int | None = needed(say("most VMs with FT per host"), ge=0, le=1e6)
    ft_max_ram_gib: float | None = needed(say("most RAM of a VM with FT"), ge=LEAST, le=1e6)
    ft_disables_nested_paging: bool = needed(say("FT turns nested paging off"))
    memory_overhead: MemoryOverhead | None = needed(say("memory for each VM"))
    transferred: tuple[str, ...] = needed(say("what is taken from another release"))
    provenance: Provenance = needed(_PROVENANCE)
    year: int | None = optional(say("year of release"), ge=1960, le=2100)
    max_vcpus_per_host: int | None = optional(say("most vCPUs per host"), ge=1, le=1e6)
    max_vms_per_cluster: int | None = optional(say("most VMs per cluster"), ge=1, le=1e6)
    ha_max_vms_per_host: int | None = optional(
        say("most VMs per host in a small cluster"), ge=1, le=1e6
    )
    ha_max_vms_per_host_large: int | None = optional(
        say("most VMs per host in a large cluster"), ge=1, le=1e6
    )
    ft_max_vcpus_standard: int | None = optional(
        say("most vCPUs of a VM with FT, smaller licences"), ge=0, le=10_000
    )
    ft_max_vcpus_per_host: int | None = optional(say("most vCPUs with FT per host"), ge=0, le=1e6)
    end_of_support: date | None = optional(say("last day of support"))
    licensed_cores: int | None = optional(say("fewest cores licensed per processor"), ge=1, le=1e6)
    manages_from: str = described("", say("oldest release that its vCenter manages"))


class Product(StrEnum):
    """What runs in a VM and has releases of its own."""

    DOMINO = "domino"
    SAMETIME = "sametime"


@of_fields
class Generation:
    """A generation of server processors, by the text that machines have as their `generation`.

    Attributes:
        number: by microarchitecture, 1 for NetBurst; their difference is the distance.
        year: in which the first of them came out.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    number: int = needed(say("number of the generation"), ge=1, le=1000)
    year: int = needed(say("year of release"), ge=1960, le=2100)
    provenance: Provenance = needed(_PROVENANCE)


@of_fields
class Release:
    """A line of releases of Domino or Sametime, its maintenance releases and fix packs included.

    Attributes:
        number: major and minor number as text, ``8.5``.
        ordinal: which major release it is, counted from 1; their difference is the distance.
        end_of_support: last day of support under the usual contract; None where no public
            statement was found, or no end was announced.
        extended_support: last day of support that is bought on top.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    product: Product = needed(say("product"))
    number: str = needed(say("major and minor number"), text="name")
    ordinal: int = needed(say("which major release it is"), ge=1, le=1000)
    year: int | None = needed(say("year of release"), ge=1960, le=2100)
    end_of_support: date | None = needed(say("last day of support"))
    extended_support: date | None = needed(say("last day of support bought on top"))
    provenance: Provenance = needed(_PROVENANCE)


class Standing(StrEnum):
    """What a public statement says of a pair."""

    SUPPORTED = "supported"
    TESTED = "tested"
    UNSUPPORTED = "unsupported"


@of_fields
class Support:
    """A public statement on what releases of Domino or Sametime run on.

    Attributes:
        releases: numbers of the lines it speaks of.
        hypervisors: catalog ids; empty: it says nothing of hypervisors.
        guests: guest systems; empty: it says nothing of them.
        guest_bits: 32 or 64, where it is one of them only.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    product: Product = needed(say("product"))
    releases: tuple[str, ...] = needed(say("releases it speaks of"), text="name")
    standing: Standing = needed(say("what it says"))
    hypervisors: tuple[str, ...] = needed(say("hypervisors it speaks of"), text="name")
    guests: tuple[str, ...] = needed(say("guest systems it speaks of"), text="name")
    guest_bits: int | None = needed(fields_of(Vm)["guest_bits"], ge=32, le=64)
    year: int | None = needed(say("year of the statement"), ge=1960, le=2100)
    provenance: Provenance = needed(_PROVENANCE)


class Figure(StrEnum):
    """What a published figure is."""

    SIZE = "size"
    LEAST = "least"
    LARGEST_LOAD = "largest-load"
    LIMIT = "limit"


@of_fields
class Sizing:
    """A size or limit that a maker published, or the largest load reported; no measurement that
    the model is fitted to.

    Attributes:
        users: of the size, the load or the limit; of mail in benchmark users.
        what: what is counted, where it isn't users of mail or chat.
        cores, ram_gib: of the size.
        releases: numbers of the lines it speaks of; empty: it names none.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    product: Product = needed(say("product"))
    figure: Figure = needed(say("what the figure is"))
    users: float | None = needed(say("users of the figure"), ge=LEAST, le=1e9)
    what: str = needed(say("what is counted"))
    cores: float | None = needed(say("cores in all"), ge=LEAST, le=16_384)
    ram_gib: float | None = needed(say("RAM"), ge=LEAST, le=1e6)
    releases: tuple[str, ...] = needed(say("releases it speaks of"), text="name")
    provenance: Provenance = needed(_PROVENANCE)


class Metric(Word):
    """What licences of a product are counted by."""

    HYPERVISOR_CORE = "hypervisor-core", say("hypervisor, a core")
    WINDOWS_DATACENTER = "windows-datacenter", say("Windows Server Datacenter, two cores")
    WINDOWS_STANDARD = "windows-standard", say("Windows Server Standard, two cores")
    DOMINO_USER = "domino-user", say("Domino, a user")
    DOMINO_PVU = "domino-pvu", say("Domino, a processor value unit")


@of_fields
class Licence:
    """A maker's public rule by which licences are counted; no price.

    Attributes:
        least_per_processor, least_per_server: cores that are licensed at least. Of hypervisors the
            release has it (`Hypervisor.licensed_cores`).
        pack: cores in a licence.
        minimum_order: licences of an order at least.
        vms_each: VMs that may run on a server whose cores are licensed once; None: any number.
        units_two_sockets, units_four_sockets, units_more_sockets: of a core, by how many sockets
            its server has at most.
        day: on which the rule was published or last changed, where it is known.
    """

    id: str = needed(_ID)
    name: str = needed(_NAME)
    metric: Metric = needed(say("what is counted"))
    least_per_processor: int | None = needed(
        say("fewest cores licensed per processor"), ge=1, le=1e6
    )
    least_per_server: int | None = needed(say("fewest cores licensed per server"), ge=1, le=1e6)
    pack: int | None = needed(say("cores in a licence"), ge=1, le=1e6)
    minimum_order: int | None = needed(say("fewest licences of an order"), ge=1, le=1e6)
    vms_each: int | None = needed(say("VMs for each licensing of a server"), ge=1, le=1e6)
    units_two_sockets: int | None = needed(say("units of a core, two sockets"), ge=1, le=1e6)
    units_four_sockets: int | None = needed(say("units of a core, four sockets"), ge=1, le=1e6)
    units_more_sockets: int | None = needed(say("units of a core, more sockets"), ge=1, le=1e6)
    day: date | None = needed(say("day of the rule"))
    provenance: Provenance = needed(_PROVENANCE)


def _frozen(entries: Mapping[str, T]) -> Mapping[str, T]:
    return MappingProxyType(dict(entries))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalog:
    """All entries by id. Look-ups that fail raise `ModelError` with the id in the sentence."""

    servers: Mapping[str, Server] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)
    disks: Mapping[str, Disk] = field(default_factory=dict)
    raid_levels: Mapping[str, RaidLevel] = field(default_factory=dict)
    hypervisors: Mapping[str, Hypervisor] = field(default_factory=dict)
    processors: Mapping[str, Processor] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    generations: Mapping[str, Generation] = field(default_factory=dict)
    releases: Mapping[str, Release] = field(default_factory=dict)
    support: Mapping[str, Support] = field(default_factory=dict)
    sizings: Mapping[str, Sizing] = field(default_factory=dict)
    licences: Mapping[str, Licence] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.__slots__:
            object.__setattr__(self, name, _frozen(getattr(self, name)))

    def merged(self, other: Catalog) -> Catalog:
        """This catalog with the entries of `other` added; on the same id, `other` wins."""
        both = {name: {**getattr(self, name), **getattr(other, name)} for name in self.__slots__}
        return replace(self, **both)

    def without(self, other: Catalog) -> Catalog:
        """This catalog without the entries whose ids `other` has, kind by kind."""
        left = {
            name: {
                id: entry
                for id, entry in getattr(self, name).items()
                if id not in getattr(other, name)
            }
            for name in self.__slots__
        }
        return replace(self, **left)


def find(entries: Mapping[str, T], id: str, *, field: str, kind: str) -> T:
    """The entry called `id`, or a `ModelError` that names the field and the unknown id."""
    try:
        return entries[id]
    except KeyError:
        raise ModelError(
            say("no {kind} called “{id}” in the catalog", kind=kind_words(kind), id=shortened(id)),
            field=field,
        ) from None
