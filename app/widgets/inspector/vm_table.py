"""The inspector's fields of VMs."""

from __future__ import annotations

from app.widgets.inspector.specs import (
    Section,
    Slide,
    choice_spec,
    fixed,
    flag_spec,
    from_scenario,
    list_spec,
    luns,
    number_spec,
    of_enum,
    partners_spec,
    releases,
    text_spec,
)
from models.limits import GUEST_BITS
from models.scenario import DiskMode, RestartPriority, Vm, Workload, WorkloadKind
from models.wording import DISK_MODES, WORKLOADS


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
                slide=Slide(1.0, 1000.0),
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
            number_spec(Vm, "vcpus", "vCPUs", unit="vCPU", whole=True, slide=Slide(1.0, 8.0)),
            number_spec(Vm, "ram_gib", "RAM", unit="GiB", step=0.5, slide=Slide(0.5, 16.0)),
            flag_spec(Vm, "powered_on", "Powered on", noun="power"),
            flag_spec(Vm, "fault_tolerance", "Fault Tolerance", noun="Fault Tolerance"),
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
            text_spec(Vm, "lun", "LUN", suggest=luns, optional=True, empty="its own"),
            number_spec(
                Vm, "system_disk_gib", "System disk", unit="GiB", optional=True, empty="default"
            ),
            number_spec(Vm, "log_disk_gib", "Log disk", unit="GiB", optional=True, empty="default"),
            flag_spec(
                Vm, "dedicated_nic", "Network port of its own", noun="dedicated network port"
            ),
        ),
    ),
    Section(
        title="Domino cluster and groups",
        folded=True,
        specs=(
            partners_spec(
                "Partners",
                noun="Domino cluster partners",
                empty="in no cluster",
                hint="The other members of its Domino cluster; they name this one in turn",
            ),
            list_spec(
                Vm,
                "groups",
                "Groups",
                empty="in no group",
                hint="Names of groups that rules speak of, with commas between them",
            ),
        ),
    ),
)
