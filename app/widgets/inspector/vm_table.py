"""The inspector's fields of VMs."""

from __future__ import annotations

from collections.abc import Callable

from app.language import tr
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
from models.inputs import workload_applies
from models.limits import GUEST_BITS
from models.scenario import DiskMode, RestartPriority, Vm, Workload
from models.wording import DISK_MODES, RESTART_PRIORITIES
from models.workloads import WORKLOADS, WorkloadKind

WORKLOAD_NAMES = {kind: work.name for kind, work in WORKLOADS.items()}


def _has(name: str) -> Callable[[Vm], bool]:
    return lambda vm: workload_applies(vm.workload.kind, name)


VM_SECTIONS = (
    Section(
        title=tr("Users"),
        specs=(
            number_spec(
                Workload,
                "active_users",
                tr("Active users"),
                unit=tr("users"),
                step=100,
                whole=True,
                slide=Slide(1.0, 1000.0),
                applies=_has("active_users"),
                hint=tr("At work at the same time; not registered, not merely connected"),
            ),
            choice_spec(Workload, "kind", tr("Workload"), of_enum(WorkloadKind, WORKLOAD_NAMES)),
            text_spec(
                Workload,
                "release",
                tr("Release"),
                suggest=releases,
                empty=tr("not said"),
                applies=_has("release"),
            ),
            number_spec(
                Workload,
                "registered_users",
                tr("Registered"),
                noun=tr("registered users"),
                unit=tr("users"),
                step=100,
                whole=True,
                optional=True,
                empty=tr("as many as active"),
                applies=_has("registered_users"),
                hint=tr("Owners of mail files on this server: they need disk space"),
            ),
            number_spec(
                Workload,
                "mail_file_mb",
                tr("Mail file"),
                unit="MB",
                step=10,
                applies=_has("mail_file_mb"),
            ),
            number_spec(
                Workload,
                "cpu_mhz",
                "CPU",
                unit="MHz",
                step=100,
                optional=True,
                empty=tr("no data"),
                applies=_has("cpu_mhz"),
            ),
            number_spec(
                Workload,
                "iops",
                tr("Disk load"),
                unit="IOPS",
                step=10,
                optional=True,
                empty=tr("no data"),
                applies=_has("iops"),
            ),
            number_spec(
                Workload,
                "memory_gib",
                tr("Memory in use"),
                unit="GiB",
                optional=True,
                empty=tr("no data"),
                applies=_has("memory_gib"),
            ),
            number_spec(
                Workload,
                "disk_gib",
                tr("Disk space"),
                unit="GiB",
                step=10,
                optional=True,
                empty=tr("no data"),
                applies=_has("disk_gib"),
            ),
            number_spec(
                Workload,
                "network_mbps",
                tr("Network"),
                unit="Mb/s",
                optional=True,
                empty=tr("no data"),
                applies=_has("network_mbps"),
            ),
        ),
    ),
    Section(
        title=tr("Machine"),
        specs=(
            choice_spec(Vm, "host", tr("Host"), from_scenario("hosts", tr("not placed"))),
            number_spec(Vm, "vcpus", "vCPUs", unit="vCPU", whole=True, slide=Slide(1.0, 8.0)),
            number_spec(Vm, "ram_gib", "RAM", unit="GiB", step=0.5, slide=Slide(0.5, 16.0)),
            flag_spec(Vm, "powered_on", tr("Powered on"), noun=tr("power")),
            flag_spec(Vm, "fault_tolerance", tr("Fault Tolerance"), noun=tr("Fault Tolerance")),
        ),
    ),
    Section(
        title=tr("Storage"),
        specs=(
            choice_spec(Vm, "disk_mode", tr("Disk mode"), of_enum(DiskMode, DISK_MODES)),
            choice_spec(Vm, "pool", tr("Pool"), from_scenario("pools", tr("none"))),
            choice_spec(
                Vm, "log_pool", tr("Log pool"), from_scenario("pools", tr("with the data"))
            ),
        ),
    ),
    Section(
        title=tr("Resources and restart"),
        folded=True,
        specs=(
            choice_spec(
                Vm,
                "restart_priority",
                tr("HA restart"),
                of_enum(RestartPriority, RESTART_PRIORITIES),
                noun=tr("HA restart priority"),
            ),
            number_spec(
                Vm,
                "memory_reservation_gib",
                tr("RAM reserved"),
                unit="GiB",
                optional=True,
                empty=tr("none"),
            ),
            number_spec(
                Vm, "memory_limit_gib", tr("RAM limit"), unit="GiB", optional=True, empty=tr("none")
            ),
            number_spec(
                Vm,
                "cpu_reservation_mhz",
                tr("CPU reserved"),
                unit="MHz",
                step=100,
                optional=True,
                empty=tr("none"),
            ),
            choice_spec(
                Vm,
                "guest_bits",
                tr("Guest"),
                fixed(
                    {
                        None: tr("not said"),
                        **{bits: tr("{bits} bit", bits=bits) for bits in GUEST_BITS},
                    }
                ),
                noun=tr("guest system"),
            ),
            text_spec(Vm, "lun", "LUN", suggest=luns, optional=True, empty=tr("its own")),
            number_spec(
                Vm,
                "system_disk_gib",
                tr("System disk"),
                unit="GiB",
                optional=True,
                empty=tr("default"),
            ),
            number_spec(
                Vm, "log_disk_gib", tr("Log disk"), unit="GiB", optional=True, empty=tr("default")
            ),
            flag_spec(
                Vm,
                "dedicated_nic",
                tr("Network port of its own"),
                noun=tr("dedicated network port"),
            ),
        ),
    ),
    Section(
        title=tr("Domino cluster and groups"),
        folded=True,
        specs=(
            partners_spec(
                tr("Partners"),
                noun=tr("Domino cluster partners"),
                empty=tr("in no cluster"),
                hint=tr("The other members of its Domino cluster; they name this one in turn"),
            ),
            list_spec(
                Vm,
                "groups",
                tr("Groups"),
                empty=tr("in no group"),
                hint=tr("Names of groups that rules speak of, with commas between them"),
            ),
        ),
    ),
)
