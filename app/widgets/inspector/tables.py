"""Which fields the inspector shows, under which headings: their paths, kind by kind."""

from __future__ import annotations

from collections.abc import Mapping

from app.language import tr
from app.widgets.inspector.specs import Section, Spec
from models.base.fields import fields_of
from models.scenario.scenario import (
    Assumptions,
    Calibrated,
    Cluster,
    Host,
    Maintenance,
    Observed,
    Pool,
    Scenario,
    Site,
    Vm,
)


def _section(kind: type, title: str, *paths: str, folded: bool = False) -> Section:
    specs = tuple(Spec(kind, path) for path in paths)
    return Section(title=title, specs=specs, folded=folded)


def _inside(part: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{part}.{name}" for name in names)


SECTIONS: Mapping[type, tuple[Section, ...]] = {
    Vm: (
        _section(
            Vm,
            tr("Users"),
            *_inside("workload", "active_users", "kind", "release", "registered_users"),
            *_inside("workload", "traveler_users", "documents_per_user", "devices_per_user"),
            "workload.traveler_pool",
            *_inside("workload", "profile", "mail_file_mb", "cpu_mhz", "cpu_spread", "iops"),
            *_inside("workload", "iops_spread", "memory_gib"),
            *_inside("workload", "buffer_pool_mb", "daos_saving_pct", "view_index_pct"),
            *_inside("workload", "full_text_pct", "disk_gib"),
            *_inside("workload", "network_mbps", "measured_on.server"),
            "workload.measured_on.hypervisor",
        ),
        _section(Vm, tr("Machine"), "host", "vcpus", "ram_gib", "powered_on", "fault_tolerance"),
        _section(Vm, tr("Storage"), "disk_mode", "pool", "log_pool"),
        _section(
            Vm,
            tr("Resources and restart"),
            *("restart_priority", "memory_reservation_gib", "memory_limit_gib"),
            *("cpu_reservation_mhz", "guest_bits", "guest_pae", "lun", "system_disk_gib"),
            *("log_disk_gib", "dedicated_nic"),
            folded=True,
        ),
        _section(Vm, tr("Domino cluster and groups"), "cluster_partners", "groups", folded=True),
        _section(
            Vm, tr("After going live"), *_inside("observed", *fields_of(Observed)), folded=True
        ),
        _section(
            Vm,
            tr("Its own measurement"),
            *_inside("calibrated", *fields_of(Calibrated)),
            folded=True,
        ),
    ),
    Host: (
        _section(Host, tr("Machine"), "server", "hypervisor", "ram_gib"),
        _section(
            Host,
            tr("Availability"),
            *("cluster", "failure_group", "site", "bought_year", "in_maintenance"),
        ),
        _section(Host, tr("What runs on it"), "unlisted_vms", folded=True),
        _section(Host, tr("Network"), "nics", "nic_gbps", "ft_logging_gbps"),
    ),
    Pool: (
        _section(Pool, tr("Disks"), "array", "disk", "spindles", "hot_spares"),
        _section(Pool, tr("Layout"), "raid", "raid_group", "read_share"),
        _section(Pool, tr("Seen by"), "hosts"),
        _section(Pool, "vSAN", "failures_to_tolerate", "reserve_pct", folded=True),
    ),
    Cluster: (
        _section(
            Cluster,
            tr("HA admission control"),
            *_inside("admission", "policy", "host_failures", "cpu_pct", "ram_pct"),
            *_inside("admission", "failover_host", "more_failover_hosts"),
        ),
        _section(
            Cluster,
            tr("Slots"),
            *_inside("admission", "slot_cpu_cap_mhz", "slot_ram_cap_mib"),
            *_inside("admission", "vm_cpu_min_mhz", "vm_ram_min_mib"),
            folded=True,
        ),
        _section(Cluster, tr("Domino cluster"), "replicas_per_user"),
        _section(Cluster, tr("Place"), "site"),
    ),
    Scenario: (
        _section(
            Scenario,
            tr("Limits"),
            *_inside("policy", "cpu_limit_pct", "response_limit_ms", "disk_limit_pct"),
            *_inside("policy", "network_limit_pct", "capacity_limit_pct"),
            *_inside("policy", "vcpus_per_core_limit", "memory_overcommit"),
        ),
        _section(
            Scenario,
            tr("Load"),
            *_inside("policy", "load_basis", "posture"),
            *_inside("policy", "benchmark_derating", "benchmark_derating_chat"),
            *_inside("policy", "peak_factor_cpu", "peak_factor_iops"),
        ),
        _section(Scenario, tr("Losses"), "policy.survive"),
        _section(
            Scenario,
            tr("Calibration to the site"),
            *_inside("policy.site", *fields_of(Site)),
            folded=True,
        ),
        _section(
            Scenario,
            tr("Years ahead"),
            *_inside("growth", "years", "users_pct", "mail_pct", "load_pct", "season_pct"),
            *_inside("policy", "mail_growth_pct", "load_factor"),
        ),
        _section(
            Scenario,
            tr("Maintenance window"),
            *_inside("maintenance", *fields_of(Maintenance)),
            folded=True,
        ),
        _section(
            Scenario,
            tr("Assumptions"),
            *(f"assumptions.{name}" for name in fields_of(Assumptions)),
            folded=True,
        ),
        _section(Scenario, tr("Proposal"), "customer", "author", "notes"),
    ),
}
