"""What the fields of catalog entries are called, their units, and what they may hold.

The one place where these bounds stand: the dialogs for entries of one's own, the catalog's text
files, the library and the entries that a project brings are all held to them. Like those of a
scenario they are far beyond any machine; they keep what can't be out of the arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from models.catalog import (
    Array,
    Disk,
    Generation,
    Hypervisor,
    MemoryOverhead,
    Processor,
    Profile,
    Provenance,
    RaidLevel,
    Release,
    Server,
    Sizing,
    Support,
)
from models.fields import Field, bounds_of, fields_of
from models.limits import LEAST, Limit
from models.scenario import Host, Vm, Workload
from models.texts import say

_ANY = Limit()


@dataclass(frozen=True, slots=True)
class CatalogField:
    """One field of a kind of entry; its type is the one of the dataclass.

    Attributes:
        words: what it is called where it stands alone, and its unit.
        limit: bounds of a number, or of each number of a list.
        scale: what is shown over what is stored: 100 for a share shown in per cent.
        is_needed: a text must say something.
        is_long: a text may have several lines.
    """

    words: Field
    limit: Limit = _ANY
    scale: float = 1.0
    is_needed: bool = False
    is_long: bool = False


MOST_OF_A_LIST = 200
"""Of the sizes of memory and of vCPUs in a table of overheads, and of the words in a list."""

_COUNT = Limit(ge=1, le=1e6)
_RATE = Limit(ge=LEAST, le=1e6)
_MHZ = Limit(ge=1, le=20_000)
_GIB = bounds_of(Host, "ram_gib")
_YEAR = Limit(ge=1960, le=2100)
_PENALTY = Limit(ge=1, le=100)
_ORDINAL = Limit(ge=1, le=1000)


def _field(label: str, unit: str = "", limit: Limit = _ANY, *, scale: float = 1.0) -> CatalogField:
    return CatalogField(Field(label, unit=unit), limit, scale)


def _text(label: str, *, needed: bool = False, long: bool = False) -> CatalogField:
    return CatalogField(Field(label), is_needed=needed, is_long=long)


def _fields(**fields: CatalogField) -> Mapping[str, CatalogField]:
    return MappingProxyType(fields)


def _of_scenario(cls: type, name: str) -> CatalogField:
    field = fields_of(cls)[name]
    return CatalogField(field, field.limit)


_NAMED = {"id": _text(say("id"), needed=True), "name": _text(say("name"), needed=True)}
_PROVENANCE = _field(say("source"))

CATALOG_FIELDS: Mapping[type, Mapping[str, CatalogField]] = MappingProxyType(
    {
        Provenance: _fields(
            source=_text(say("source"), needed=True, long=True),
            confidence=_text(say("confidence"), needed=True),
            note=_text(say("note"), long=True),
            assumed=_text(say("what is assumed")),
        ),
        Processor: _fields(
            **_NAMED,
            vendor=_text(say("maker")),
            generation=_text(say("generation")),
            chips=_field(say("processors measured together"), "", Limit(ge=1, le=256)),
            cores_per_socket=_field(say("cores of a processor"), "", Limit(ge=1, le=4096)),
            threads_per_core=_field(say("threads of a core"), "", Limit(ge=1, le=16)),
            base_mhz=_field(say("clock of a core"), "MHz", _MHZ),
            spec_rate=_field(say("SPEC rate"), "", _RATE),
            spec_basis=_text(say("benchmark")),
            hardware_virtualisation=_field(say("hardware virtualisation")),
            nested_paging=_field(say("nested paging")),
            provenance=_PROVENANCE,
        ),
        Server: _fields(
            **_NAMED,
            vendor=_text(say("maker")),
            model=_text(say("model")),
            year=_field(say("year of release"), "", _YEAR),
            sockets=_field(say("sockets"), "", Limit(ge=1, le=256)),
            processor=_text(say("processor")),
            generation=_text(say("generation")),
            cores=_field(say("cores in all"), "", Limit(ge=1, le=16_384)),
            threads=_field(say("hardware threads"), "", Limit(ge=1, le=131_072)),
            base_mhz=_field(say("clock of a core"), "MHz", _MHZ),
            spec_rate=_field(say("SPEC rate"), "", _RATE),
            hardware_virtualisation=_field(say("hardware virtualisation")),
            nested_paging=_field(say("nested paging")),
            max_ram_gib=_field(say("most RAM"), "GiB", _GIB),
            nics=_field(say("network ports"), "", Limit(ge=1, le=1000)),
            nic_gbps=_field(say("speed of a network port"), "Gb/s", bounds_of(Host, "nic_gbps")),
            rack_units=_field(say("height in the rack"), "", Limit(ge=1, le=100)),
            role=_field(say("role")),
            platform=_field(say("measured machine")),
            provenance=_PROVENANCE,
        ),
        Array: _fields(
            **_NAMED,
            vendor=_text(say("maker")),
            model=_text(say("model")),
            kind=_text(say("kind of array")),
            year=_field(say("year of release"), "", _YEAR),
            cache_gib=_field(say("cache"), "GiB", _GIB),
            max_drives=_field(say("most drives"), "", Limit(ge=1, le=100_000)),
            raid_levels=_text(say("RAID levels offered")),
            ceiling_iops=_field(say("most I/Os of the controllers"), "IOPS", Limit(ge=1, le=1e9)),
            latency_ms=_field(say("latency"), "ms", Limit(ge=LEAST, le=1000)),
            write_penalty=_field(say("write penalty"), "", _PENALTY),
            read_cache_hit=_field(
                say("share of reads served by the cache"), "%", Limit(ge=0, le=1), scale=100
            ),
            role=_field(say("role")),
            provenance=_PROVENANCE,
        ),
        Disk: _fields(
            **_NAMED,
            iops=_field(say("I/Os of a drive"), "IOPS", Limit(ge=1, le=1e9)),
            service_ms=_field(say("service time of a drive"), "ms", Limit(ge=LEAST, le=1000)),
            capacity_gb=_field(say("size of a drive"), "GB", Limit(ge=LEAST, le=1e9)),
            flash=_field(say("flash")),
            provenance=_PROVENANCE,
        ),
        RaidLevel: _fields(
            **_NAMED,
            write_penalty=_field(say("write penalty"), "", _PENALTY),
            mirrored=_field(say("mirrored")),
            parity_drives=_field(say("parity drives of a RAID group"), "", Limit(ge=0, le=1000)),
            group_drives=_field(say("drives of a RAID group"), "", Limit(ge=0, le=100_000)),
            fewest_drives=_field(say("fewest drives of a RAID group"), "", Limit(ge=1, le=100_000)),
            provenance=_PROVENANCE,
        ),
        Hypervisor: _fields(
            **_NAMED,
            version=_field(say("version"), "", Limit(ge=0, le=1000)),
            max_vcpus_per_vm=_field(say("most vCPUs per VM"), "", _COUNT),
            max_ram_gib_per_vm=_field(say("most RAM per VM"), "GiB", _GIB),
            max_ram_gib_per_host=_field(say("most RAM per host"), "GiB", _GIB),
            max_logical_cpus_per_host=_field(say("most logical processors per host"), "", _COUNT),
            max_vms_per_host=_field(say("most VMs per host"), "", _COUNT),
            max_vcpus_per_core=_field(say("most vCPUs per core"), "", _RATE),
            max_hosts_per_cluster=_field(say("most hosts per cluster"), "", _COUNT),
            console_gib=_field(
                say("RAM that the hypervisor takes for itself"), "GiB", Limit(ge=0, le=1e6)
            ),
            slot_cpu_mhz=_field(
                say("CPU of a slot in admission control"), "MHz", Limit(ge=1, le=1e6)
            ),
            ft_max_vcpus=_field(say("most vCPUs of a VM with FT"), "", Limit(ge=0, le=10_000)),
            ft_max_vms_per_host=_field(say("most VMs with FT per host"), "", Limit(ge=0, le=1e6)),
            ft_max_ram_gib=_field(say("most RAM of a VM with FT"), "GiB", _GIB),
            ft_disables_nested_paging=_field(say("FT turns nested paging off")),
            memory_overhead=_field(say("memory for each VM")),
            transferred=_text(say("what is taken from another release")),
            provenance=_PROVENANCE,
            year=_field(say("year of release"), "", _YEAR),
            max_vcpus_per_host=_field(say("most vCPUs per host"), "", _COUNT),
            max_vms_per_cluster=_field(say("most VMs per cluster"), "", _COUNT),
            ha_max_vms_per_host=_field(say("most VMs per host in a small cluster"), "", _COUNT),
            ha_max_vms_per_host_large=_field(
                say("most VMs per host in a large cluster"), "", _COUNT
            ),
            ft_max_vcpus_standard=_field(
                say("most vCPUs of a VM with FT, smaller licences"), "", Limit(ge=0, le=10_000)
            ),
            ft_max_vcpus_per_host=_field(
                say("most vCPUs with FT per host"), "", Limit(ge=0, le=1e6)
            ),
            end_of_support=_field(say("last day of support")),
            licensed_cores=_field(say("fewest cores licensed per processor"), "", _COUNT),
        ),
        MemoryOverhead: _fields(
            ram_mib=_field(say("RAM of a VM"), "MiB", Limit(ge=LEAST, le=1e9)),
            vcpus=_field(say("vCPUs of a VM"), "", Limit(ge=1, le=10_000)),
            mib=_field(say("memory for each VM"), "MiB", Limit(ge=LEAST, le=1e9)),
            evidence=_text(say("evidence")),
        ),
        Profile: _fields(
            **_NAMED,
            vcpus=_of_scenario(Vm, "vcpus"),
            ram_gib=_of_scenario(Vm, "ram_gib"),
            workload=_field(say("workload")),
            provenance=_PROVENANCE,
        ),
        Generation: _fields(
            **_NAMED,
            number=_field(say("number of the generation"), "", _ORDINAL),
            year=_field(say("year of release"), "", _YEAR),
            provenance=_PROVENANCE,
        ),
        Release: _fields(
            **_NAMED,
            product=_field(say("product")),
            number=_text(say("major and minor number"), needed=True),
            ordinal=_field(say("which major release it is"), "", _ORDINAL),
            year=_field(say("year of release"), "", _YEAR),
            end_of_support=_field(say("last day of support")),
            extended_support=_field(say("last day of support bought on top")),
            provenance=_PROVENANCE,
        ),
        Support: _fields(
            **_NAMED,
            product=_field(say("product")),
            releases=_text(say("releases it speaks of"), needed=True),
            standing=_field(say("what it says")),
            hypervisors=_text(say("hypervisors it speaks of"), needed=True),
            guests=_text(say("guest systems it speaks of"), needed=True),
            guest_bits=CatalogField(fields_of(Vm)["guest_bits"], Limit(ge=32, le=64)),
            year=_field(say("year of the statement"), "", _YEAR),
            provenance=_PROVENANCE,
        ),
        Sizing: _fields(
            **_NAMED,
            product=_field(say("product")),
            figure=_field(say("what the figure is")),
            users=_field(say("users of the figure"), "", Limit(ge=LEAST, le=1e9)),
            what=_text(say("what is counted")),
            cores=_field(say("cores in all"), "", Limit(ge=LEAST, le=16_384)),
            ram_gib=_field(say("RAM"), "GiB", _GIB),
            releases=_text(say("releases it speaks of"), needed=True),
            provenance=_PROVENANCE,
        ),
        Workload: MappingProxyType(
            {name: _of_scenario(Workload, name) for name in fields_of(Workload)}
        ),
    }
)


def is_whole(cls: type, name: str) -> bool:
    """Whether a field holds a whole number."""
    return int in _types(cls, name)


def may_be_unknown(cls: type, name: str) -> bool:
    """Whether a field may hold no value."""
    return type(None) in _types(cls, name)


def _types(cls: type, name: str) -> tuple[Any, ...]:
    hint = get_type_hints(cls)[name]
    return get_args(hint) or (hint,)


def field_of(cls: type, name: str) -> CatalogField:
    """The words and bounds of a field of an entry."""
    return CATALOG_FIELDS[cls][name]


def label_of(name: str) -> str:
    """What a field is called that some kind of entry has; its name where none has it."""
    kinds: tuple[Any, ...] = tuple(CATALOG_FIELDS.values())
    words = next((fields[name].words.label for fields in kinds if name in fields), None)
    return name.replace("_", " ") if words is None else words
