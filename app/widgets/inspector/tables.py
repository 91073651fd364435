"""The inspector's fields, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.widgets.inspector.specs import (
    Section,
    choice_spec,
    fixed,
    flag_spec,
    from_catalog,
    from_scenario,
    number_spec,
    of_enum,
    raid_levels,
    releases,
    text_spec,
)
from models.limits import GUEST_BITS
from models.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Policy,
    Pool,
    RestartPriority,
    Scenario,
    Vm,
    Workload,
    WorkloadKind,
)
from models.wording import DISK_MODES, WORKLOADS

# --- VMs --------------------------------------------------------------------------------------


def _has_users(vm: Vm) -> bool:
    return vm.workload.kind is not WorkloadKind.GENERIC


def _is_generic(vm: Vm) -> bool:
    return vm.workload.kind is WorkloadKind.GENERIC


def _has_mail(vm: Vm) -> bool:
    return vm.workload.kind.is_domino


VM_SECTIONS = (
    Section(
        title="Users",
        specs=(
            number_spec(
                Workload,
                "active_users",
                "Active users",
                unit="users",
                step=100,
                slider=True,
                applies=_has_users,
                hint="At work at the same time; not registered, not merely connected",
            ),
            choice_spec(Workload, "kind", "Workload", of_enum(WorkloadKind, WORKLOADS)),
            text_spec(
                Workload,
                "release",
                "Release",
                suggest=releases,
                empty="not said",
                applies=_has_users,
            ),
            number_spec(
                Workload,
                "registered_users",
                "Registered",
                noun="registered users",
                unit="users",
                step=100,
                optional=True,
                empty="as many as active",
                applies=_has_mail,
                hint="Owners of mail files on this server: they need disk space",
            ),
            number_spec(
                Workload, "mail_file_mb", "Mail file", unit="MB", step=10, applies=_has_mail
            ),
            number_spec(
                Workload,
                "cpu_mhz",
                "CPU",
                unit="MHz",
                step=100,
                optional=True,
                empty="no data",
                applies=_is_generic,
            ),
            number_spec(
                Workload,
                "iops",
                "Disk load",
                unit="IOPS",
                step=10,
                optional=True,
                empty="no data",
                applies=_is_generic,
            ),
            number_spec(
                Workload,
                "memory_gib",
                "Memory in use",
                unit="GiB",
                optional=True,
                empty="no data",
                applies=_is_generic,
            ),
            number_spec(
                Workload,
                "disk_gib",
                "Disk space",
                unit="GiB",
                step=10,
                optional=True,
                empty="no data",
                applies=_is_generic,
            ),
            number_spec(
                Workload,
                "network_mbps",
                "Network",
                unit="Mb/s",
                optional=True,
                empty="no data",
                applies=_is_generic,
            ),
        ),
    ),
    Section(
        title="Machine",
        specs=(
            choice_spec(Vm, "host", "Host", from_scenario("hosts", "not placed")),
            number_spec(Vm, "vcpus", "vCPUs", unit="vCPU", whole=True),
            number_spec(Vm, "ram_gib", "RAM", unit="GiB", step=0.5),
            flag_spec("powered_on", "Powered on", noun="power"),
            flag_spec("fault_tolerance", "Fault Tolerance", noun="Fault Tolerance"),
        ),
    ),
    Section(
        title="Storage",
        specs=(
            choice_spec(Vm, "disk_mode", "Disk mode", of_enum(DiskMode, DISK_MODES)),
            choice_spec(Vm, "pool", "Pool", from_scenario("pools", "none")),
            choice_spec(Vm, "log_pool", "Log pool", from_scenario("pools", "with the data")),
        ),
    ),
    Section(
        title="Resources and restart",
        folded=True,
        specs=(
            choice_spec(
                Vm,
                "restart_priority",
                "HA restart",
                of_enum(RestartPriority),
                noun="HA restart priority",
            ),
            number_spec(
                Vm,
                "memory_reservation_gib",
                "RAM reserved",
                unit="GiB",
                optional=True,
                empty="none",
            ),
            number_spec(
                Vm, "memory_limit_gib", "RAM limit", unit="GiB", optional=True, empty="none"
            ),
            number_spec(
                Vm,
                "cpu_reservation_mhz",
                "CPU reserved",
                unit="MHz",
                step=100,
                optional=True,
                empty="none",
            ),
            choice_spec(
                Vm,
                "guest_bits",
                "Guest",
                fixed({None: "not said", **{bits: f"{bits} bit" for bits in GUEST_BITS}}),
                noun="guest system",
            ),
            text_spec(Vm, "lun", "LUN", optional=True, empty="its own"),
            number_spec(
                Vm, "system_disk_gib", "System disk", unit="GiB", optional=True, empty="default"
            ),
            number_spec(Vm, "log_disk_gib", "Log disk", unit="GiB", optional=True, empty="default"),
            flag_spec("dedicated_nic", "Network port of its own", noun="dedicated network port"),
        ),
    ),
)

# --- hosts, pools, clusters -------------------------------------------------------------------

HOST_SECTIONS = (
    Section(
        title="Machine",
        specs=(
            choice_spec(Host, "server", "Server", from_catalog("servers")),
            choice_spec(Host, "hypervisor", "Hypervisor", from_catalog("hypervisors")),
            number_spec(Host, "ram_gib", "RAM", unit="GiB", step=4),
        ),
    ),
    Section(
        title="Availability",
        specs=(
            choice_spec(Host, "cluster", "Cluster", from_scenario("clusters", "stands alone")),
            text_spec(
                Host,
                "failure_group",
                "Fails with",
                noun="failure group",
                optional=True,
                empty="nothing else",
                hint="Chassis, rack or site that fails as one",
            ),
        ),
    ),
    Section(
        title="Network",
        specs=(
            number_spec(
                Host,
                "nics",
                "Ports",
                unit="ports",
                noun="network ports",
                whole=True,
                optional=True,
                empty="as in the catalog",
            ),
            number_spec(
                Host,
                "nic_gbps",
                "Port speed",
                unit="Gb/s",
                optional=True,
                empty="as in the catalog",
            ),
            number_spec(
                Host,
                "ft_logging_gbps",
                "FT logging",
                unit="Gb/s",
                noun="FT logging network",
                optional=True,
                empty="no such network",
            ),
        ),
    ),
)

POOL_SECTIONS = (
    Section(
        title="Disks",
        specs=(
            choice_spec(Pool, "array", "Array", from_catalog("arrays")),
            choice_spec(Pool, "disk", "Disk", from_catalog("disks"), noun="disk type"),
            number_spec(Pool, "spindles", "Drives", unit="drives", whole=True),
            number_spec(Pool, "hot_spares", "Hot spares", unit="drives", whole=True),
        ),
    ),
    Section(
        title="Layout",
        specs=(
            choice_spec(Pool, "raid", "RAID", raid_levels, noun="RAID level"),
            number_spec(
                Pool,
                "raid_group",
                "Group size",
                unit="drives",
                noun="RAID group size",
                whole=True,
                optional=True,
                empty="as in the catalog",
            ),
            number_spec(
                Pool,
                "read_share",
                "Reads",
                unit="%",
                noun="share of reads",
                scale=100,
                step=5,
                optional=True,
                empty="model's default",
            ),
        ),
    ),
)


def _admits(policy: AdmissionPolicy) -> Callable[[Cluster], bool]:
    def applies(cluster: Cluster) -> bool:
        return cluster.admission.policy is policy

    return applies


CLUSTER_SECTIONS = (
    Section(
        title="HA admission control",
        specs=(
            choice_spec(
                Admission,
                "policy",
                "Policy",
                of_enum(
                    AdmissionPolicy,
                    {
                        AdmissionPolicy.NONE: "none",
                        AdmissionPolicy.HOST_FAILURES: "host failures tolerated",
                        AdmissionPolicy.PERCENTAGE: "percentage reserved",
                        AdmissionPolicy.DEDICATED: "dedicated failover host",
                    },
                ),
                noun="admission policy",
            ),
            number_spec(
                Admission,
                "host_failures",
                "Tolerates",
                unit="hosts",
                noun="host failures",
                whole=True,
                applies=_admits(AdmissionPolicy.HOST_FAILURES),
            ),
            number_spec(
                Admission,
                "cpu_pct",
                "CPU reserved",
                unit="%",
                step=5,
                applies=_admits(AdmissionPolicy.PERCENTAGE),
            ),
            number_spec(
                Admission,
                "ram_pct",
                "RAM reserved",
                unit="%",
                step=5,
                applies=_admits(AdmissionPolicy.PERCENTAGE),
            ),
            choice_spec(
                Admission,
                "failover_host",
                "Failover host",
                from_scenario("hosts", "not chosen"),
                applies=_admits(AdmissionPolicy.DEDICATED),
            ),
        ),
    ),
)

# --- the scenario -----------------------------------------------------------------------------

SCENARIO_SECTIONS = (
    Section(
        title="Limits",
        specs=(
            number_spec(Policy, "cpu_limit_pct", "CPU", unit="%", noun="CPU limit", step=5),
            number_spec(
                Policy, "response_limit_ms", "Response", unit="ms", noun="response limit", step=50
            ),
            number_spec(Policy, "disk_limit_pct", "Disks", unit="%", noun="disk limit", step=5),
            number_spec(
                Policy, "network_limit_pct", "Network", unit="%", noun="network limit", step=5
            ),
            number_spec(
                Policy,
                "capacity_limit_pct",
                "Disk space",
                unit="%",
                noun="disk space limit",
                step=5,
            ),
            number_spec(
                Policy,
                "vcpus_per_core_limit",
                "vCPUs per core",
                unit="",
                step=0.5,
                noun="limit of vCPUs per core",
            ),
            number_spec(
                Policy,
                "memory_overcommit",
                "RAM overcommit",
                unit="×",
                step=0.1,
                hint="Configured over physical memory that is tolerated; 1 is none",
            ),
        ),
    ),
    Section(
        title="Load",
        specs=(
            number_spec(
                Policy,
                "benchmark_derating",
                "Derating",
                unit="×",
                step=0.1,
                noun="benchmark derating",
                hint="Load of one of your users in benchmark users; the documents say 2",
            ),
            number_spec(
                Policy,
                "peak_factor_cpu",
                "CPU peak",
                unit="×",
                step=0.1,
                noun="CPU peak factor",
                hint="Peak over average",
            ),
            number_spec(
                Policy,
                "peak_factor_iops",
                "IOPS peak",
                unit="×",
                step=0.1,
                noun="IOPS peak factor",
                hint="Peak over average",
            ),
            number_spec(
                Policy,
                "mail_growth_pct",
                "Mail growth",
                unit="%",
                step=5,
                hint="Growth of mail files until the planning horizon",
            ),
        ),
    ),
    Section(
        title="Proposal",
        specs=(
            text_spec(Scenario, "customer", "Customer"),
            text_spec(Scenario, "author", "Author"),
            text_spec(Scenario, "notes", "Notes", lines=True),
        ),
    ),
)

SECTIONS: Mapping[type, tuple[Section, ...]] = {
    Vm: VM_SECTIONS,
    Host: HOST_SECTIONS,
    Pool: POOL_SECTIONS,
    Cluster: CLUSTER_SECTIONS,
    Scenario: SCENARIO_SECTIONS,
}
