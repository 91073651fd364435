"""Frozen types of the hardware and platform catalog.

Every entry says where its figures come from (`source`, `confidence`) and which of its fields are
somebody's assumption (`assumed`). A figure that nobody published is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from models.errors import ModelError, kind_words
from models.limits import shortened
from models.scenario import Workload
from models.texts import say

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Source, confidence (verbatim, derived, assumed …) and the fields that are assumed."""

    source: str
    confidence: str
    note: str = ""
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Processor:
    """A processor with its published SPEC rate, on the CPU2017-equivalent scale.

    Attributes:
        spec_rate: base rate of `chips` processors together (SPECrate 2017 Integer, or CPU2006
            divided by 9.47: `spec_basis` says which).
    """

    id: str
    name: str
    vendor: str
    generation: str
    chips: int
    cores_per_socket: int
    threads_per_core: int
    base_mhz: float
    spec_rate: float | None
    spec_basis: str
    hardware_virtualisation: bool | None
    nested_paging: bool | None
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
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

    id: str
    name: str
    vendor: str
    model: str
    year: int | None
    sockets: int
    processor: str
    generation: str
    cores: int
    threads: int
    base_mhz: float | None
    spec_rate: float | None
    hardware_virtualisation: bool | None
    nested_paging: bool | None
    max_ram_gib: float | None
    nics: int | None
    nic_gbps: float | None
    rack_units: int | None
    role: Role
    platform: Platform
    provenance: Provenance

    @property
    def spec_rate_per_core(self) -> float | None:
        return None if self.spec_rate is None else self.spec_rate / self.cores


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """A storage array (or one node of a hyper-converged cluster).

    Attributes:
        ceiling_iops: host IOPS the controllers can carry; None when no figure was found.
        latency_ms: service latency of an all-flash array at light load; None otherwise.
        write_penalty: back-end writes per host write where the array's own layout decides it
            (RAID-DP on WAFL); None: by RAID level.
        read_cache_hit: share of reads served by the controllers' cache.
        raid_levels: those the array offers, as in `Pool.raid`; empty when not known.
    """

    id: str
    name: str
    vendor: str
    model: str
    kind: str
    year: int | None
    cache_gib: float | None
    max_drives: int | None
    raid_levels: tuple[str, ...]
    ceiling_iops: float | None
    latency_ms: float | None
    write_penalty: float | None
    read_cache_hit: float | None
    role: Role
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """A disk type: planning IOPS and mean service time [ms] of one drive, decimal capacity [GB];
    None is not known."""

    id: str
    name: str
    iops: float | None
    service_ms: float | None
    capacity_gb: float | None
    flash: bool
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class RaidLevel:
    """A RAID layout: back-end I/Os per host write, and capacity lost per group of drives.

    Attributes:
        mirrored: half of the drives hold copies.
        parity_drives: parity drives per group.
        group_drives: drives per group by default (parity included), 0 when there are no groups.
        fewest_drives: of a group (parity included).
    """

    id: str
    name: str
    write_penalty: float
    mirrored: bool
    parity_drives: int
    group_drives: int
    fewest_drives: int
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A kind of VM of the user's own: what a new VM of this kind begins with."""

    id: str
    name: str
    vcpus: int
    ram_gib: float
    workload: Workload
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOverhead:
    """Hypervisor memory per VM: a table over configured RAM [MiB] and vCPUs, in MiB.

    ``mib[i][j]`` belongs to ``ram_mib[i]`` and ``vcpus[j]``; None where the source has a gap.
    `evidence`: ids of the rows of evidence behind each figure, empty for a figure that has none of
    its own; (), where the table has none at all. It is no part of what the table says.
    """

    ram_mib: tuple[float, ...]
    vcpus: tuple[int, ...]
    mib: tuple[tuple[float | None, ...], ...]
    evidence: tuple[tuple[str, ...], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
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
        transferred: names of fields taken from the nearest listed release.
    """

    id: str
    name: str
    version: tuple[int, int, int]
    max_vcpus_per_vm: int | None
    max_ram_gib_per_vm: float | None
    max_ram_gib_per_host: float | None
    max_logical_cpus_per_host: int | None
    max_vms_per_host: int | None
    max_vcpus_per_core: float | None
    max_hosts_per_cluster: int | None
    console_gib: float | None
    slot_cpu_mhz: float | None
    ft_max_vcpus: int
    ft_max_vms_per_host: int | None
    ft_max_ram_gib: float | None
    ft_disables_nested_paging: bool
    memory_overhead: MemoryOverhead | None
    transferred: tuple[str, ...]
    provenance: Provenance
    year: int | None = None
    max_vcpus_per_host: int | None = None
    max_vms_per_cluster: int | None = None
    ha_max_vms_per_host: int | None = None
    ha_max_vms_per_host_large: int | None = None
    ft_max_vcpus_standard: int | None = None
    ft_max_vcpus_per_host: int | None = None
    end_of_support: date | None = None
    licensed_cores: int | None = None


class Product(StrEnum):
    """What runs in a VM and has releases of its own."""

    DOMINO = "domino"
    SAMETIME = "sametime"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """A generation of server processors, by the text that machines have as their `generation`.

    Attributes:
        number: by microarchitecture, 1 for NetBurst; their difference is the distance.
        year: in which the first of them came out.
    """

    id: str
    name: str
    number: int
    year: int
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A line of releases of Domino or Sametime, its maintenance releases and fix packs included.

    Attributes:
        number: major and minor number as text, ``8.5``.
        ordinal: which major release it is, counted from 1; their difference is the distance.
        end_of_support: last day of support under the usual contract; None where no public
            statement was found, or no end was announced.
        extended_support: last day of support that is bought on top.
    """

    id: str
    name: str
    product: Product
    number: str
    ordinal: int
    year: int | None
    end_of_support: date | None
    extended_support: date | None
    provenance: Provenance


class Standing(StrEnum):
    """What a public statement says of a pair."""

    SUPPORTED = "supported"
    TESTED = "tested"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A public statement on what releases of Domino or Sametime run on.

    Attributes:
        releases: numbers of the lines it speaks of.
        hypervisors: catalog ids; empty: it says nothing of hypervisors.
        guests: guest systems; empty: it says nothing of them.
        guest_bits: 32 or 64, where it is one of them only.
    """

    id: str
    name: str
    product: Product
    releases: tuple[str, ...]
    standing: Standing
    hypervisors: tuple[str, ...]
    guests: tuple[str, ...]
    guest_bits: int | None
    year: int | None
    provenance: Provenance


class Figure(StrEnum):
    """What a published figure is."""

    SIZE = "size"
    LEAST = "least"
    LARGEST_LOAD = "largest-load"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """A size or limit that a maker published, or the largest load reported; no measurement that
    the model is fitted to.

    Attributes:
        users: of the size, the load or the limit; of mail in benchmark users.
        what: what is counted, where it isn't users of mail or chat.
        cores, ram_gib: of the size.
        releases: numbers of the lines it speaks of; empty: it names none.
    """

    id: str
    name: str
    product: Product
    figure: Figure
    users: float | None
    what: str
    cores: float | None
    ram_gib: float | None
    releases: tuple[str, ...]
    provenance: Provenance


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
