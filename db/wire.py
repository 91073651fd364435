"""The scenario file as types: names, defaults and bounds of every field, and its JSON Schema.

The fields correspond one to one to `models.scenario`; bounds come from `models.limits`. What is
required here is what the format promises to require, which is less strict about some texts (the
`name` of an item) and stricter about others (the figures of a Domino workload) than the model.
"""

# Annotations are not postponed here: evaluating their texts costs the start several milliseconds.
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, defstruct, field

from models import scenario as model
from models.inputs import input_paths
from models.limits import (
    LIMITS,
    LINE_LENGTH,
    LINE_PATTERN,
    TEXT_LENGTH,
    TEXT_PATTERN,
)
from models.origin import Origin
from models.workloads import WORKLOADS, KindOfWork, WorkloadKind

FORMAT = "headroom-scenario"
VERSION = 1

_POLICY = model.Policy()
_ADMISSION = model.Admission()
_ASSUMED = model.Assumptions()


def _number(cls: type, name: str, text: str) -> Meta:
    limit = LIMITS[cls][name]
    if limit.gt is None:
        return Meta(ge=limit.ge, le=limit.le, description=text)
    return Meta(gt=limit.gt, le=limit.le, description=text)


def _line(text: str) -> Meta:
    return Meta(max_length=LINE_LENGTH, pattern=LINE_PATTERN, description=text)


def _name(text: str) -> Meta:
    return Meta(min_length=1, max_length=LINE_LENGTH, pattern=LINE_PATTERN, description=text)


def _origins(kind: type) -> Meta:
    return Meta(
        description="Who gave a value, by the path of the field; not said of the others.",
        extra_json_schema={"propertyNames": {"enum": list(input_paths(kind))}},
    )


def _input(kind: type) -> Meta:
    return Meta(extra_json_schema={"enum": list(input_paths(kind))})


_PINS = Meta(
    description="Paths of the fields that no automatic change may touch.",
    extra_json_schema={"uniqueItems": True},
)
ClusterInput = Annotated[str, _input(model.Cluster)]
HostInput = Annotated[str, _input(model.Host)]
PoolInput = Annotated[str, _input(model.Pool)]
VmInput = Annotated[str, _input(model.Vm)]
ScenarioInput = Annotated[str, _input(model.Scenario)]

_ID = _name("Unique in the scenario.")
_NAME = _name("What people call it; by default its id.")
Ref = Annotated[str, _line("An id.")]
GroupName = Annotated[str, _name("Name of a group.")]


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
        Ref | None, Meta(description="Id of the host that stands by (dedicated-host).")
    ] = None
    more_failover_hosts: Annotated[
        tuple[Ref, ...], Meta(description="Ids of further hosts that stand by (from 5.0 on).")
    ] = ()
    slot_cpu_cap_mhz: (
        Annotated[
            float,
            _number(model.Admission, "slot_cpu_cap_mhz", "das.slotCpuInMHz [MHz]; null: no cap."),
        ]
        | None
    ) = None
    slot_ram_cap_mib: (
        Annotated[
            float,
            _number(model.Admission, "slot_ram_cap_mib", "das.slotMemInMB [MiB]; null: no cap."),
        ]
        | None
    ) = None
    vm_cpu_min_mhz: (
        Annotated[
            float,
            _number(
                model.Admission,
                "vm_cpu_min_mhz",
                "das.vmCpuMinMHz [MHz]; null: 256 on 4.x, 32 from 5.0 on.",
            ),
        ]
        | None
    ) = None
    vm_ram_min_mib: (
        Annotated[
            float,
            _number(model.Admission, "vm_ram_min_mib", "das.vmMemoryMinMB [MiB]; null: 0."),
        ]
        | None
    ) = None


def _seconds(name: str, text: str) -> Meta:
    return _number(model.Assumptions, name, f"Assumed: {text}")


class Assumptions(_Wire, kw_only=True):
    """Inputs that no document gives: assumed until somebody measures them."""

    ha_detection_s: Annotated[
        float, _seconds("ha_detection_s", "from a host's death to the order to restart [s].")
    ] = _ASSUMED.ha_detection_s
    guest_boot_s: Annotated[
        float, _seconds("guest_boot_s", "start of a guest's operating system [s].")
    ] = _ASSUMED.guest_boot_s
    domino_start_s: Annotated[
        float, _seconds("domino_start_s", "start of a server's tasks, checks apart [s].")
    ] = _ASSUMED.domino_start_s
    log_replay_s: Annotated[float, _seconds("log_replay_s", "replay of transaction logs [s].")] = (
        _ASSUMED.log_replay_s
    )
    consistency_check_s_per_gib: Annotated[
        float,
        _seconds(
            "consistency_check_s_per_gib",
            "check of databases without transaction logs [s per GiB of mail files].",
        ),
    ] = _ASSUMED.consistency_check_s_per_gib
    reconnect_s: Annotated[
        float, _seconds("reconnect_s", "within which all log in after a network cut [s].")
    ] = _ASSUMED.reconnect_s
    login_actions: Annotated[
        float, _seconds("login_actions", "work of a login, in ordinary actions.")
    ] = _ASSUMED.login_actions
    holiday_login_s: Annotated[
        float, _seconds("holiday_login_s", "within which all log in after a holiday [s].")
    ] = _ASSUMED.holiday_login_s
    holiday_peak_factor: Annotated[
        float, _seconds("holiday_peak_factor", "activity after a holiday over the usual one.")
    ] = _ASSUMED.holiday_peak_factor
    holiday_s: Annotated[float, _seconds("holiday_s", "how long they stay that active [s].")] = (
        _ASSUMED.holiday_s
    )
    array_controllers: Annotated[
        int, _seconds("array_controllers", "controllers that share an array's load.")
    ] = _ASSUMED.array_controllers


class Waiver(_Wire, kw_only=True):
    """Somebody takes responsibility for a finding; it stays listed with the reason."""

    rule: Annotated[str, _name("Id of the rule.")]
    reason: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=TEXT_LENGTH,
            pattern=TEXT_PATTERN,
            description="Why it is accepted.",
        ),
    ]
    subject: Annotated[str, _line("Id of the item it speaks of; empty: the scenario.")] = ""


class _Marked(_Wire, kw_only=True):
    """What carries origins and pins; each kind says which fields they may speak of."""

    origins: dict[str, Origin] = {}
    pins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """The model holds a mapping that can't change."""
        self.origins = tuple(sorted(self.origins.items()))  # type: ignore[assignment]
        self.pins = tuple(sorted(self.pins))


class _Item(_Marked, kw_only=True):
    id: Annotated[str, _ID]
    name: Annotated[str, _NAME] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name is None:
            self.name = self.id


class Cluster(_Item, kw_only=True):
    """A vSphere HA cluster: hosts name it, failures stay inside it."""

    origins: Annotated[dict[str, Origin], _origins(model.Cluster)] = {}
    pins: Annotated[tuple[ClusterInput, ...], _PINS] = ()
    admission: Annotated[
        Admission | None, Meta(description="HA admission control; by default none.")
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.admission is None:
            self.admission = Admission(policy=model.AdmissionPolicy.NONE)


class Host(_Item, kw_only=True):
    """An ESX host, or a physical server when its hypervisor is `none`."""

    server: Annotated[Ref, Meta(description="Catalog id of the server model.")]
    hypervisor: Annotated[Ref, Meta(description="Catalog id of the hypervisor release, or none.")]
    ram_gib: Annotated[float, _number(model.Host, "ram_gib", "Installed memory [GiB].")]
    cluster: Annotated[Ref | None, Meta(description="Id of its cluster.")] = None
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
    origins: Annotated[dict[str, Origin], _origins(model.Host)] = {}
    pins: Annotated[tuple[HostInput, ...], _PINS] = ()


class Pool(_Item, kw_only=True):
    """Disks of one array used together, shared by every VM that names the pool."""

    array: Annotated[Ref, Meta(description="Catalog id of the array.")]
    disk: Annotated[Ref, Meta(description="Catalog id of the disk type.")]
    spindles: Annotated[
        int, _number(model.Pool, "spindles", "Drives in the pool, hot spares included.")
    ]
    raid: Annotated[Ref, Meta(description="RAID level: 0, 1, 10, 5, 6 or dp.")]
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
    origins: Annotated[dict[str, Origin], _origins(model.Pool)] = {}
    pins: Annotated[tuple[PoolInput, ...], _PINS] = ()


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


_CAN_BE_LEFT_OUT: dict[str, tuple[Any, Any]] = {
    "release": (
        Annotated[str, _line("Domino or Sametime release, any text, such as 8.5.1.")],
        "",
    ),
    "active_users": (
        Annotated[
            float,
            _number(
                model.Workload,
                "active_users",
                "Users at work at the same time, not registered ones.",
            ),
        ],
        0.0,
    ),
    "mail_file_mb": (
        Annotated[
            float,
            _number(model.Workload, "mail_file_mb", "Mean size of a mail file [MB, decimal]."),
        ],
        0.0,
    ),
}
"""Fields that some kinds of workload can't do without, and what they are elsewhere."""


def _workload_struct(kind: WorkloadKind, work: KindOfWork) -> type[Struct]:
    """The structure of one kind, such as ``DominoNrpc`` with ``"kind": "domino-nrpc"``."""
    fields = [
        (name, type_) if name in work.required else (name, type_, default)
        for name, (type_, default) in _CAN_BE_LEFT_OUT.items()
    ]
    return defstruct(
        kind.value.title().replace("-", ""),
        fields,
        bases=(_Workload,),
        namespace={"__doc__": work.described, "kind": kind},
        module=__name__,
        kw_only=True,
        tag=kind.value,
    )


WORKLOAD_STRUCTS = {kind: _workload_struct(kind, work) for kind, work in WORKLOADS.items()}
if TYPE_CHECKING:
    AnyWorkload = _Workload
else:
    AnyWorkload = reduce(or_, WORKLOAD_STRUCTS.values())


class Vm(_Item, kw_only=True):
    """A virtual machine, or the one operating system of a physical server."""

    host: Annotated[Ref | None, Meta(description="Id of its host; null: not placed yet.")]
    pool: Annotated[
        Ref | None, Meta(description="Id of the pool of its data; null: no shared storage.")
    ]
    vcpus: Annotated[int, _number(model.Vm, "vcpus", "Virtual processors.")]
    ram_gib: Annotated[float, _number(model.Vm, "ram_gib", "Configured memory [GiB].")]
    disk_mode: Annotated[model.DiskMode, Meta(description="How it reaches its disks.")]
    workload: Annotated[
        AnyWorkload,
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
        Ref | None, Meta(description="Id of the pool of the transaction logs; null: with the data.")
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
        tuple[Ref, ...], Meta(description="Ids of the other members of its Domino cluster.")
    ] = ()
    groups: Annotated[
        tuple[GroupName, ...], Meta(description="Names of groups, such as chassis or site.")
    ] = ()
    origins: Annotated[dict[str, Origin], _origins(model.Vm)] = {}
    pins: Annotated[tuple[VmInput, ...], _PINS] = ()


class Affinity(_Wire, kw_only=True):
    """One rule over VMs and, for the host rules, hosts."""

    id: Annotated[str, _name("Unique among the rules.")]
    kind: Annotated[model.AffinityKind, Meta(description="What the rule asks for.")]
    vms: Annotated[tuple[Ref, ...], Meta(description="Ids of VMs.", min_length=1)]
    hosts: Annotated[tuple[Ref, ...], Meta(description="Ids of hosts, for the host rules.")] = ()


class Header(Struct):
    """What tells a scenario file from any other JSON; looked at before the rest."""

    format: object = None
    version: object = None


class Document(_Marked, kw_only=True):
    """A scenario file of Headroom, version 1."""

    format: Literal["headroom-scenario"]
    version: Literal[1]
    name: Annotated[str, _name("Name of the scenario.")]
    hosts: tuple[Host, ...]
    pools: tuple[Pool, ...]
    vms: tuple[Vm, ...]
    policy: Policy = field(default_factory=Policy)
    clusters: tuple[Cluster, ...] = ()
    affinity: tuple[Affinity, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    assumptions: Assumptions = field(default_factory=Assumptions)
    customer: Annotated[str, _line("Who the design is for.")] = ""
    author: Annotated[str, _line("Who made it.")] = ""
    notes: Annotated[
        str, Meta(max_length=TEXT_LENGTH, pattern=TEXT_PATTERN, description="Free text.")
    ] = ""
    origins: Annotated[dict[str, Origin], _origins(model.Scenario)] = {}
    pins: Annotated[tuple[ScenarioInput, ...], _PINS] = ()
