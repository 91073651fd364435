"""The inspector's fields of what holds VMs and their data: hosts, pools, clusters."""

from __future__ import annotations

from collections.abc import Callable

from app.language import tr
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
        title=tr("Machine"),
        specs=(
            choice_spec(Host, "server", tr("Server"), from_catalog("servers")),
            choice_spec(Host, "hypervisor", tr("Hypervisor"), from_catalog("hypervisors")),
            number_spec(Host, "ram_gib", "RAM", unit="GiB", step=4, slide=Slide(1.0, 64.0)),
        ),
    ),
    Section(
        title=tr("Availability"),
        specs=(
            choice_spec(
                Host, "cluster", tr("Cluster"), from_scenario("clusters", tr("stands alone"))
            ),
            text_spec(
                Host,
                "failure_group",
                tr("Fails with"),
                noun=tr("failure group"),
                suggest=failure_groups,
                optional=True,
                empty=tr("nothing else"),
                hint=tr("Chassis, rack or site that fails as one"),
            ),
        ),
    ),
    Section(
        title=tr("Network"),
        specs=(
            number_spec(
                Host,
                "nics",
                tr("Ports"),
                unit=tr("ports"),
                noun=tr("network ports"),
                whole=True,
                optional=True,
                empty=tr("as in the catalog"),
            ),
            number_spec(
                Host,
                "nic_gbps",
                tr("Port speed"),
                unit="Gb/s",
                optional=True,
                empty=tr("as in the catalog"),
            ),
            number_spec(
                Host,
                "ft_logging_gbps",
                tr("FT logging"),
                unit="Gb/s",
                noun=tr("FT logging network"),
                optional=True,
                empty=tr("no such network"),
            ),
        ),
    ),
)

POOL_SECTIONS = (
    Section(
        title=tr("Disks"),
        specs=(
            choice_spec(Pool, "array", tr("Array"), from_catalog("arrays")),
            choice_spec(Pool, "disk", tr("Disk"), from_catalog("disks"), noun=tr("disk type")),
            number_spec(
                Pool,
                "spindles",
                tr("Drives"),
                unit=tr("drives"),
                whole=True,
                slide=Slide(1.0, 24.0),
            ),
            number_spec(Pool, "hot_spares", tr("Hot spares"), unit=tr("drives"), whole=True),
        ),
    ),
    Section(
        title=tr("Layout"),
        specs=(
            choice_spec(Pool, "raid", "RAID", raid_levels, noun=tr("RAID level")),
            number_spec(
                Pool,
                "raid_group",
                tr("Group size"),
                unit=tr("drives"),
                noun=tr("RAID group size"),
                whole=True,
                optional=True,
                empty=tr("as in the catalog"),
            ),
            number_spec(
                Pool,
                "read_share",
                tr("Reads"),
                unit="%",
                noun=tr("share of reads"),
                scale=100,
                step=5,
                optional=True,
                empty=tr("model’s default"),
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
        title=tr("HA admission control"),
        specs=(
            choice_spec(
                Admission,
                "policy",
                tr("Policy"),
                of_enum(
                    AdmissionPolicy,
                    {
                        AdmissionPolicy.NONE: tr("none"),
                        AdmissionPolicy.HOST_FAILURES: tr("host failures tolerated"),
                        AdmissionPolicy.PERCENTAGE: tr("percentage reserved"),
                        AdmissionPolicy.DEDICATED: tr("dedicated failover host"),
                    },
                ),
                noun=tr("admission policy"),
            ),
            number_spec(
                Admission,
                "host_failures",
                tr("Tolerates"),
                unit=tr("hosts"),
                noun=tr("host failures"),
                whole=True,
                applies=_admits(AdmissionPolicy.HOST_FAILURES),
            ),
            number_spec(
                Admission,
                "cpu_pct",
                tr("CPU reserved"),
                unit="%",
                step=5,
                applies=_admits(AdmissionPolicy.PERCENTAGE),
            ),
            number_spec(
                Admission,
                "ram_pct",
                tr("RAM reserved"),
                unit="%",
                step=5,
                applies=_admits(AdmissionPolicy.PERCENTAGE),
            ),
            choice_spec(
                Admission,
                "failover_host",
                tr("Failover host"),
                from_scenario("hosts", tr("not chosen")),
                applies=_admits(AdmissionPolicy.DEDICATED),
            ),
            several_spec(
                Admission,
                "more_failover_hosts",
                tr("More of them"),
                from_scenario("hosts"),
                noun=tr("further failover hosts"),
                empty=tr("none"),
                applies=_admits(AdmissionPolicy.DEDICATED),
                hint=tr("Hosts that stand by beside the failover host, from vSphere 5.0 on"),
            ),
        ),
    ),
    Section(
        title=tr("Slots"),
        folded=True,
        specs=(
            number_spec(
                Admission,
                "slot_cpu_cap_mhz",
                tr("CPU at most"),
                unit="MHz",
                step=100,
                noun=tr("CPU slot cap"),
                optional=True,
                empty=tr("no cap"),
                hint=tr("das.slotCpuInMHz: upper bound of a CPU slot"),
            ),
            number_spec(
                Admission,
                "slot_ram_cap_mib",
                tr("RAM at most"),
                unit="MiB",
                step=256,
                noun=tr("RAM slot cap"),
                optional=True,
                empty=tr("no cap"),
                hint=tr("das.slotMemInMB: upper bound of a memory slot"),
            ),
            number_spec(
                Admission,
                "vm_cpu_min_mhz",
                tr("CPU per VM"),
                unit="MHz",
                step=32,
                noun=tr("CPU of a VM without reservation"),
                optional=True,
                empty=tr("as the release"),
                hint=tr("das.vmCpuMinMHz: what a VM without CPU reservation counts as"),
            ),
            number_spec(
                Admission,
                "vm_ram_min_mib",
                tr("RAM per VM"),
                unit="MiB",
                step=32,
                noun=tr("RAM of a VM without reservation"),
                optional=True,
                empty=tr("as the release"),
                hint=tr("das.vmMemoryMinMB: what a VM without memory reservation counts as"),
            ),
        ),
    ),
)
