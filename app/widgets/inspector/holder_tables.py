"""The inspector's fields of what holds VMs and their data: hosts, pools, clusters."""

from __future__ import annotations

from collections.abc import Callable

from app.widgets.inspector.specs import (
    Section,
    Slide,
    choice_spec,
    failure_groups,
    from_catalog,
    from_scenario,
    number_spec,
    of_enum,
    raid_levels,
    several_spec,
    text_spec,
)
from models.scenario import Admission, AdmissionPolicy, Cluster, Host, Pool

HOST_SECTIONS = (
    Section(
        title="Machine",
        specs=(
            choice_spec(Host, "server", "Server", from_catalog("servers")),
            choice_spec(Host, "hypervisor", "Hypervisor", from_catalog("hypervisors")),
            number_spec(Host, "ram_gib", "RAM", unit="GiB", step=4, slide=Slide(1.0, 64.0)),
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
                suggest=failure_groups,
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
            number_spec(
                Pool, "spindles", "Drives", unit="drives", whole=True, slide=Slide(1.0, 24.0)
            ),
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
            several_spec(
                Admission,
                "more_failover_hosts",
                "More of them",
                from_scenario("hosts"),
                noun="further failover hosts",
                empty="none",
                applies=_admits(AdmissionPolicy.DEDICATED),
                hint="Hosts that stand by beside the failover host, from vSphere 5.0 on",
            ),
        ),
    ),
    Section(
        title="Slots",
        folded=True,
        specs=(
            number_spec(
                Admission,
                "slot_cpu_cap_mhz",
                "CPU at most",
                unit="MHz",
                step=100,
                noun="CPU slot cap",
                optional=True,
                empty="no cap",
                hint="das.slotCpuInMHz: upper bound of a CPU slot",
            ),
            number_spec(
                Admission,
                "slot_ram_cap_mib",
                "RAM at most",
                unit="MiB",
                step=256,
                noun="RAM slot cap",
                optional=True,
                empty="no cap",
                hint="das.slotMemInMB: upper bound of a memory slot",
            ),
            number_spec(
                Admission,
                "vm_cpu_min_mhz",
                "CPU per VM",
                unit="MHz",
                step=32,
                noun="CPU of a VM without reservation",
                optional=True,
                empty="as the release",
                hint="das.vmCpuMinMHz: what a VM without CPU reservation counts as",
            ),
            number_spec(
                Admission,
                "vm_ram_min_mib",
                "RAM per VM",
                unit="MiB",
                step=32,
                noun="RAM of a VM without reservation",
                optional=True,
                empty="as the release",
                hint="das.vmMemoryMinMB: what a VM without memory reservation counts as",
            ),
        ),
    ),
)
