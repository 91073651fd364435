"""The scenario file as types: names, defaults and bounds of every field, and its JSON Schema.

The fields correspond one to one to `models.scenario`; bounds come from `models.limits`. What is
required here is what the format promises to require, which is less strict about some texts (the
`name` of an item) and stricter about others (the figures of a Domino workload) than the model.
"""

# Annotations are not postponed here: evaluating their texts costs the start several milliseconds.
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct, field

from models import scenario as model
from models.limits import LIMITS, LINE_LENGTH, LINE_PATTERN, TEXT_LENGTH, TEXT_PATTERN

FORMAT = "headroom-scenario"
VERSION = 1

_POLICY = model.Policy()
_ADMISSION = model.Admission()


def _number(cls: type, name: str, text: str) -> Meta:
    limit = LIMITS[cls][name]
    if limit.gt is None:
        return Meta(ge=limit.ge, le=limit.le, description=text)
    return Meta(gt=limit.gt, le=limit.le, description=text)


def _line(text: str, *, min_length: int = 0) -> Meta:
    return Meta(
        min_length=min_length, max_length=LINE_LENGTH, pattern=LINE_PATTERN, description=text
    )


_ID = _line("Unique in the scenario.", min_length=1)
_NAME = _line("What people call it; by default its id.", min_length=1)


class _Wire(Struct, forbid_unknown_fields=True, kw_only=True):
    """Unknown keys are refused: they are slips of the pen, such as `ram_gb`."""


class Policy(_Wire, kw_only=True):
    """Limits and factors by which verdicts are made."""

    cpu_limit_pct: Annotated[
        float, _number(model.Policy, "cpu_limit_pct", "Average CPU limit of hosts and VMs [%].")
    ] = _POLICY.cpu_limit_pct
    response_limit_ms: Annotated[
        float, _number(model.Policy, "response_limit_ms", "Acceptable mean response time [ms].")
    ] = _POLICY.response_limit_ms
    benchmark_derating: Annotated[
        float,
        _number(
            model.Policy,
            "benchmark_derating",
            "Multiplies the load of each active user: 2 is the documents' “divide by 2”, "
            "1 reproduces a benchmark.",
        ),
    ] = _POLICY.benchmark_derating
    peak_factor_cpu: Annotated[
        float, _number(model.Policy, "peak_factor_cpu", "Peak over average CPU load.")
    ] = _POLICY.peak_factor_cpu
    peak_factor_iops: Annotated[
        float, _number(model.Policy, "peak_factor_iops", "Peak over average disk load.")
    ] = _POLICY.peak_factor_iops
    vcpus_per_core_limit: Annotated[
        float, _number(model.Policy, "vcpus_per_core_limit", "Tolerated vCPUs per physical core.")
    ] = _POLICY.vcpus_per_core_limit
    memory_overcommit: Annotated[
        float,
        _number(
            model.Policy,
            "memory_overcommit",
            "Tolerated configured memory over physical memory; 1 is none.",
        ),
    ] = _POLICY.memory_overcommit
    disk_limit_pct: Annotated[
        float, _number(model.Policy, "disk_limit_pct", "Utilisation limit of a pool's disks [%].")
    ] = _POLICY.disk_limit_pct
    network_limit_pct: Annotated[
        float,
        _number(model.Policy, "network_limit_pct", "Utilisation limit of a host's network [%]."),
    ] = _POLICY.network_limit_pct
    capacity_limit_pct: Annotated[
        float,
        _number(
            model.Policy,
            "capacity_limit_pct",
            "How full a pool may be at the planning horizon [%].",
        ),
    ] = _POLICY.capacity_limit_pct
    mail_growth_pct: Annotated[
        float,
        _number(
            model.Policy,
            "mail_growth_pct",
            "Growth of mail files until the planning horizon [%].",
        ),
    ] = _POLICY.mail_growth_pct


class Admission(_Wire, kw_only=True):
    """How vSphere HA reserves capacity for failures."""

    policy: Annotated[model.AdmissionPolicy, Meta(description="Admission control policy.")]
    host_failures: Annotated[
        int,
        _number(model.Admission, "host_failures", "Host failures to tolerate (host-failures)."),
    ] = _ADMISSION.host_failures
    cpu_pct: Annotated[
        float, _number(model.Admission, "cpu_pct", "CPU kept free (percentage) [%].")
    ] = _ADMISSION.cpu_pct
    ram_pct: Annotated[
        float, _number(model.Admission, "ram_pct", "Memory kept free (percentage) [%].")
    ] = _ADMISSION.ram_pct
    failover_host: Annotated[
        str | None, Meta(description="Id of the host that stands by (dedicated-host).")
    ] = None


class _Item(_Wire, kw_only=True):
    id: Annotated[str, _ID]
    name: Annotated[str, _NAME] | None = None

    def __post_init__(self) -> None:
        if self.name is None:
            self.name = self.id


class Cluster(_Item, kw_only=True):
    """A vSphere HA cluster: hosts name it, failures stay inside it."""

    admission: Annotated[
        Admission | None, Meta(description="HA admission control; by default none.")
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.admission is None:
            self.admission = Admission(policy=model.AdmissionPolicy.NONE)


class Host(_Item, kw_only=True):
    """An ESX host, or a physical server when its hypervisor is `none`."""

    server: Annotated[str, Meta(description="Catalog id of the server model.")]
    hypervisor: Annotated[str, Meta(description="Catalog id of the hypervisor release, or none.")]
    ram_gib: Annotated[float, _number(model.Host, "ram_gib", "Installed memory [GiB].")]
    cluster: Annotated[str | None, Meta(description="Id of its cluster.")] = None
    ft_logging_gbps: (
        Annotated[
            float,
            _number(
                model.Host,
                "ft_logging_gbps",
                "Bandwidth of the Fault Tolerance logging network [Gb/s]; null: there is none.",
            ),
        ]
        | None
    ) = None
    nics: (
        Annotated[
            int, _number(model.Host, "nics", "Network ports for VMs; null: as in the catalog.")
        ]
        | None
    ) = None
    nic_gbps: (
        Annotated[
            float,
            _number(model.Host, "nic_gbps", "Speed of a port [Gb/s]; null: as in the catalog."),
        ]
        | None
    ) = None
    failure_group: Annotated[str, _line("Chassis, rack or site that fails as one.")] | None = None


class Pool(_Item, kw_only=True):
    """Disks of one array used together, shared by every VM that names the pool."""

    array: Annotated[str, Meta(description="Catalog id of the array.")]
    disk: Annotated[str, Meta(description="Catalog id of the disk type.")]
    spindles: Annotated[
        int, _number(model.Pool, "spindles", "Drives in the pool, hot spares included.")
    ]
    raid: Annotated[str, Meta(description="RAID level: 0, 1, 10, 5, 6 or dp.")]
    hot_spares: Annotated[int, _number(model.Pool, "hot_spares", "Drives that stand by empty.")] = 0
    raid_group: (
        Annotated[
            int,
            _number(
                model.Pool,
                "raid_group",
                "Drives per RAID group, parity included; null: as usual for the level.",
            ),
        ]
        | None
    ) = None
    read_share: (
        Annotated[
            float,
            _number(model.Pool, "read_share", "Share of reads in host I/O; null: the model's."),
        ]
        | None
    ) = None


class _Workload(_Wire, kw_only=True, tag_field="kind"):
    registered_users: (
        Annotated[
            float,
            _number(
                model.Workload,
                "registered_users",
                "Owners of mail files on this server; null: as many as are active.",
            ),
        ]
        | None
    ) = None
    cpu_mhz: (
        Annotated[
            float, _number(model.Workload, "cpu_mhz", "Measured CPU of a generic workload [MHz].")
        ]
        | None
    ) = None
    iops: (
        Annotated[float, _number(model.Workload, "iops", "Measured host I/Os per second, generic.")]
        | None
    ) = None
    memory_gib: (
        Annotated[
            float, _number(model.Workload, "memory_gib", "Measured memory in use, generic [GiB].")
        ]
        | None
    ) = None
    disk_gib: (
        Annotated[float, _number(model.Workload, "disk_gib", "Space in use, generic [GiB].")] | None
    ) = None
    network_mbps: (
        Annotated[float, _number(model.Workload, "network_mbps", "Network load, generic [Mb/s].")]
        | None
    ) = None


_RELEASE = _line("Domino or Sametime release, any text, such as 8.5.1.")
_ACTIVE_USERS = _number(
    model.Workload, "active_users", "Users at work at the same time, not registered ones."
)
_MAIL_FILE = _number(model.Workload, "mail_file_mb", "Mean size of a mail file [MB, decimal].")


class _DominoWorkload(_Workload, kw_only=True):
    release: Annotated[str, _RELEASE]
    active_users: Annotated[float, _ACTIVE_USERS]
    mail_file_mb: Annotated[float, _MAIL_FILE]


class _OtherWorkload(_Workload, kw_only=True):
    release: Annotated[str, _RELEASE] = ""
    active_users: Annotated[float, _ACTIVE_USERS] = 0.0
    mail_file_mb: Annotated[float, _MAIL_FILE] = 0.0


class DominoNrpc(_DominoWorkload, kw_only=True, tag=model.WorkloadKind.DOMINO_NRPC.value):
    """Mail by Notes clients."""

    kind: ClassVar[model.WorkloadKind] = model.WorkloadKind.DOMINO_NRPC


class DominoInotes(_DominoWorkload, kw_only=True, tag=model.WorkloadKind.DOMINO_INOTES.value):
    """Mail by browser."""

    kind: ClassVar[model.WorkloadKind] = model.WorkloadKind.DOMINO_INOTES


class SametimeCommunity(
    _OtherWorkload, kw_only=True, tag=model.WorkloadKind.SAMETIME_COMMUNITY.value
):
    """A Sametime community server."""

    kind: ClassVar[model.WorkloadKind] = model.WorkloadKind.SAMETIME_COMMUNITY


class SametimeMux(_OtherWorkload, kw_only=True, tag=model.WorkloadKind.SAMETIME_MUX.value):
    """A Sametime multiplexer."""

    kind: ClassVar[model.WorkloadKind] = model.WorkloadKind.SAMETIME_MUX


class Generic(_OtherWorkload, kw_only=True, tag=model.WorkloadKind.GENERIC.value):
    """Anything else, by its own measured figures."""

    kind: ClassVar[model.WorkloadKind] = model.WorkloadKind.GENERIC


class Vm(_Item, kw_only=True):
    """A virtual machine, or the one operating system of a physical server."""

    host: Annotated[str | None, Meta(description="Id of its host; null: not placed yet.")]
    pool: Annotated[
        str | None, Meta(description="Id of the pool of its data; null: no shared storage.")
    ]
    vcpus: Annotated[int, _number(model.Vm, "vcpus", "Virtual processors.")]
    ram_gib: Annotated[float, _number(model.Vm, "ram_gib", "Configured memory [GiB].")]
    disk_mode: Annotated[model.DiskMode, Meta(description="How it reaches its disks.")]
    workload: Annotated[
        DominoNrpc | DominoInotes | SametimeCommunity | SametimeMux | Generic,
        Meta(description="What its users do."),
    ]
    fault_tolerance: Annotated[bool, Meta(description="VMware Fault Tolerance.")] = False
    powered_on: bool = True
    guest_bits: Annotated[
        Literal[32, 64] | None, Meta(description="32- or 64-bit guest; null: not said.")
    ] = None
    memory_limit_gib: (
        Annotated[float, _number(model.Vm, "memory_limit_gib", "Memory limit [GiB].")] | None
    ) = None
    memory_reservation_gib: (
        Annotated[float, _number(model.Vm, "memory_reservation_gib", "Memory reservation [GiB].")]
        | None
    ) = None
    cpu_reservation_mhz: (
        Annotated[float, _number(model.Vm, "cpu_reservation_mhz", "CPU reservation [MHz].")] | None
    ) = None
    restart_priority: Annotated[model.RestartPriority, Meta(description="HA restart priority.")] = (
        model.RestartPriority.MEDIUM
    )
    lun: Annotated[str, _line("Name of its LUN; VMs that name the same one share it.")] | None = (
        None
    )
    log_pool: Annotated[
        str | None, Meta(description="Id of the pool of the transaction logs; null: with the data.")
    ] = None
    system_disk_gib: (
        Annotated[
            float,
            _number(model.Vm, "system_disk_gib", "Space of the system [GiB]; null: the model's."),
        ]
        | None
    ) = None
    log_disk_gib: (
        Annotated[
            float, _number(model.Vm, "log_disk_gib", "Space of the logs [GiB]; null: the model's.")
        ]
        | None
    ) = None
    dedicated_nic: Annotated[bool, Meta(description="It has a network port of its own.")] = False
    cluster_partners: Annotated[
        tuple[str, ...], Meta(description="Ids of the other members of its Domino cluster.")
    ] = ()
    groups: Annotated[
        tuple[str, ...], Meta(description="Names of groups, such as chassis or site.")
    ] = ()


class Affinity(_Wire, kw_only=True):
    """One rule over VMs and, for the host rules, hosts."""

    id: Annotated[str, _line("Unique among the rules.", min_length=1)]
    kind: Annotated[model.AffinityKind, Meta(description="What the rule asks for.")]
    vms: Annotated[tuple[str, ...], Meta(description="Ids of VMs.", min_length=1)]
    hosts: Annotated[tuple[str, ...], Meta(description="Ids of hosts, for the host rules.")] = ()


class Header(Struct):
    """What tells a scenario file from any other JSON; looked at before the rest."""

    format: object = None
    version: object = None


class Document(_Wire, kw_only=True):
    """A scenario file of Headroom, version 1."""

    format: Literal["headroom-scenario"]
    version: Literal[1]
    name: Annotated[str, _line("Name of the scenario.", min_length=1)]
    hosts: tuple[Host, ...]
    pools: tuple[Pool, ...]
    vms: tuple[Vm, ...]
    policy: Policy = field(default_factory=Policy)
    clusters: tuple[Cluster, ...] = ()
    affinity: tuple[Affinity, ...] = ()
    customer: Annotated[str, _line("Who the design is for.")] = ""
    author: Annotated[str, _line("Who made it.")] = ""
    notes: Annotated[
        str, Meta(max_length=TEXT_LENGTH, pattern=TEXT_PATTERN, description="Free text.")
    ] = ""
