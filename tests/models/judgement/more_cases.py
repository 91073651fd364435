"""Cases of the rules about failures, clusters, the design and Sametime: tripping, and clean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    DiskMode,
    LoadBasis,
    MeasuredOn,
    RestartPriority,
    Scenario,
    Vm,
)
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import (
    MEASURED_HERE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    on_vsan,
    with_policy,
    wv21,
)

Cases = dict[str, list[tuple[Scenario, Scenario]]]
POLICY = AdmissionPolicy
TWO = a_cluster_of(2, vms=2)
THREE = a_cluster_of(3, vms=3)


def one(**fields: Any) -> Scenario:
    return a_scenario(vms=(a_vm("m1", **fields),))


def in_production(**fields: Any) -> Scenario:
    """One VM with the load of a production server."""
    return with_policy(one(**fields), load_basis=LoadBasis.PRODUCTION)


IN_PRODUCTION = in_production()


def measured(place: MeasuredOn | None) -> Scenario:
    """A load of 500 I/Os a second that was measured there."""
    work = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 500.0, "iops": 500.0}
    return a_scenario(vms=(a_vm("m1", 0.0, measured_on=place, **work),))


def chat(**fields: Any) -> Scenario:
    """A Sametime community server alone."""
    return one(kind=WorkloadKind.SAMETIME_COMMUNITY, mail_file_mb=0.0, **fields)


def admitted(
    policy: AdmissionPolicy, *, base: Scenario = TWO, reserve: float | None = None, **fields: Any
) -> Scenario:
    """A cluster under a policy; `reserve`: GiB that its first VM reserves."""
    cluster = Cluster(id="c1", name="Mail", admission=Admission(policy=policy, **fields))
    vms = (replace(base.vms[0], memory_reservation_gib=reserve), *base.vms[1:])
    return replace(base, clusters=(cluster,), vms=vms)


def large(base: Scenario, host: str) -> Scenario:
    """With twice the memory in one host."""
    return replace(
        base, hosts=tuple(replace(h, ram_gib=144.0) if h.id == host else h for h in base.hosts)
    )


def on(release: str, base: Scenario = TWO) -> Scenario:
    return replace(base, hosts=tuple(replace(h, hypervisor=release) for h in base.hosts))


def protected(hosts: int = 3, vms: int = 1, **fields: Any) -> Scenario:
    base = a_cluster_of(hosts, vms=0)
    linked = tuple(replace(h, ft_logging_gbps=10.0) for h in base.hosts)
    of_vm = {"vcpus": 1, "fault_tolerance": True, **fields}
    many = tuple(a_vm(f"m{n}", 100.0, **of_vm) for n in range(1, vms + 1))
    return replace(base, hosts=linked, vms=many)


def linked(*gbps: float) -> Scenario:
    """A protected VM on three hosts with these logging links, the last one for the rest too."""
    base, links = protected(), (*gbps, gbps[-1], gbps[-1])
    pairs = zip(base.hosts, links, strict=False)
    return replace(base, hosts=tuple(replace(h, ft_logging_gbps=each) for h, each in pairs))


def must(*hosts: str) -> Scenario:
    rule = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=hosts)
    return replace(THREE, affinity=(rule,))


def partners(users: float = 1000.0, *, mutual: bool = True, **fields: Any) -> Scenario:
    """Two cluster members on hosts and pools of their own."""
    back = ("m1",) if mutual else ()
    return replace(
        TWO,
        pools=(a_pool("p1"), a_pool("p2")),
        vms=(
            a_vm("m1", users, cluster_partners=("m2",), **fields),
            a_vm("m2", users, host="h2", pool="p2", cluster_partners=back, **fields),
        ),
    )


def grouped(*groups: str | None) -> Scenario:
    base = partners()
    pairs = zip(base.hosts, groups, strict=True)
    return replace(base, hosts=tuple(replace(h, failure_group=g) for h, g in pairs))


def sharing_disks() -> Scenario:
    base = partners()
    return replace(base, vms=tuple(replace(vm, pool="p1") for vm in base.vms))


def slow_pool(**fields: Any) -> Scenario:
    """One busy VM on few drives."""
    return a_scenario(pools=(a_pool(spindles=4),), vms=(a_vm(users=4000.0, **fields),))


def on_lun(
    *luns: str | None, users: float = 4000.0, spindles: int = 20, mode: DiskMode = DiskMode.VMFS
) -> Scenario:
    return a_scenario(
        pools=(a_pool(spindles=spindles),),
        vms=tuple(a_vm(f"m{n}", users, lun=lun, disk_mode=mode) for n, lun in enumerate(luns)),
    )


def sametime(*kinds: str, **fields: Any) -> Scenario:
    """Servers such as ``community`` and ``mux``, in order ``m0``, ``m1`` …"""
    named = {
        "community": WorkloadKind.SAMETIME_COMMUNITY,
        "mux": WorkloadKind.SAMETIME_MUX,
        "mail": WorkloadKind.DOMINO_NRPC,
    }
    return a_scenario(
        vms=tuple(
            a_vm(f"m{n}", kind=named[kind], release="7.5.1", **fields)
            for n, kind in enumerate(kinds)
        )
    )


def resized(scenario: Scenario, id: str, **fields: Any) -> Scenario:
    return scenario.edit(Vm, id, lambda vm: replace(vm, **fields))


def tiny(count: int, hosts: int) -> Scenario:
    """As many VMs of nothing on the first host of a cluster."""
    base = a_cluster_of(hosts, vms=0)
    return replace(base, vms=tuple(a_vm(f"m{n}", 1.0, ram_gib=0.1) for n in range(count)))


def crowd(count: int) -> Scenario:
    """As many VMs of nothing dealt out to the ten hosts of a cluster."""
    return on("vsphere-5.5", a_cluster_of(10, vms=count, users=1.0, ram_gib=0.1))


def on_a_gigabit(mbps: float) -> Scenario:
    """A VM with this load on the first of two ports of 1 Gb/s."""
    vm = a_vm(kind=WorkloadKind.GENERIC, network_mbps=mbps)
    return a_scenario(hosts=(a_host(nics=2, nic_gbps=1.0),), vms=(vm,))


def in_chassis(count: int, *, on: str) -> Scenario:
    """Six hosts of a release, so many of them in one chassis."""
    base = a_cluster_of(6, vms=1)
    chassis = ["Chassis A"] * count + [None] * (6 - count)
    pairs = zip(base.hosts, chassis, strict=True)
    hosts = tuple(replace(h, hypervisor=on, failure_group=group) for h, group in pairs)
    return replace(base, hosts=hosts)


def slower_beside(vcpus: int = 1) -> Scenario:
    """A busy VM on one of two fast hosts, with a slow and fuller one beside them."""
    base = a_cluster_of(3, vms=0)
    busy = a_vm(kind=WorkloadKind.GENERIC, vcpus=vcpus, cpu_mhz=2933 * 0.6, iops=1.0)
    slow = a_host("h3", cluster="c1", server="intel-clovertown-whitebox", ram_gib=32.0)
    full = a_vm("m2", 10.0, host="h3", ram_gib=16.0)
    return replace(base, hosts=(*base.hosts[:2], slow), vms=(busy, full))


def kept_apart(hosts: int) -> Scenario:
    """Two VMs that a rule keeps apart, on the first two of so many hosts."""
    base = a_cluster_of(hosts, vms=2, users=100.0)
    rule = Affinity(id="r1", kind=AffinityKind.APART, vms=("m1", "m2"))
    return replace(base, affinity=(rule,))


def wide_on_one(vcpus: int) -> Scenario:
    """A VM on a large host, with a smaller one beside it."""
    base = a_cluster_of(2, vms=1, vcpus=vcpus)
    large = a_host("h1", cluster="c1", server="r740-6148", hypervisor="vsphere-6.7")
    return replace(base, hosts=(large, base.hosts[1]))


CHAT = sametime("community", "mux")
X366 = wv21("x366", "vmfs", 6.0, 1000.0)
BARE = wv21("x366", "physical", 6.0, 1000.0)
OVER_PAIR = a_scenario(
    hosts=(a_host("h1"), a_host("h2", server="r740-6148", hypervisor="vsphere-6.7")),
    vms=(),
)

AVAILABILITY: Cases = {
    "admission-not-met": [
        (
            admitted(POLICY.HOST_FAILURES, base=a_cluster_of(2, vms=2, memory_reservation_gib=40)),
            admitted(POLICY.HOST_FAILURES),
        ),
        (admitted(POLICY.PERCENTAGE, ram_pct=60, reserve=72.0), admitted(POLICY.PERCENTAGE)),
        (
            admitted(POLICY.DEDICATED, failover_host="h2"),
            admitted(POLICY.DEDICATED, failover_host="h2", base=a_cluster_of(2, vms=1)),
        ),
    ],
    "admission-share": [
        (
            admitted(POLICY.PERCENTAGE, cpu_pct=25.0, ram_pct=25.0),
            admitted(POLICY.PERCENTAGE, cpu_pct=50.0, ram_pct=50.0),
        )
    ],
    "admission-slot-size": [
        (
            admitted(POLICY.HOST_FAILURES, base=THREE, reserve=8.0),
            admitted(POLICY.HOST_FAILURES, base=THREE, reserve=8.0, slot_ram_cap_mib=2048.0),
        ),
        (
            admitted(POLICY.HOST_FAILURES, base=THREE, reserve=8.0),
            admitted(POLICY.PERCENTAGE, base=THREE, reserve=8.0),
        ),
    ],
    "failover-host-smaller": [
        (
            large(admitted(POLICY.DEDICATED, failover_host="h2"), "h1"),
            large(admitted(POLICY.DEDICATED, failover_host="h2"), "h2"),
        )
    ],
    "ha-maximum": [
        (on("vsphere-4.0", tiny(41, 9)), on("vsphere-4.0", tiny(40, 9))),
        (on("vsphere-4.0", tiny(41, 9)), on("vsphere-4.0", tiny(41, 8))),
        (crowd(4001), crowd(4000)),
    ],
    "vcpu-maximum": [
        (
            a_scenario(vms=tuple(a_vm(f"m{n}", 1.0, vcpus=8, ram_gib=0.5) for n in range(21))),
            a_scenario(vms=tuple(a_vm(f"m{n}", 1.0, vcpus=8, ram_gib=0.5) for n in range(20))),
        )
    ],
    "no-ha": [
        (on("esx-2.5"), on("esx-3.0.1")),
        (on("none", a_cluster_of(2, vms=1, disk_mode=DiskMode.PHYSICAL)), one()),
    ],
    "ha-primary-hosts": [
        (in_chassis(5, on="vsphere-4.1"), in_chassis(4, on="vsphere-4.1")),
        (in_chassis(5, on="vsphere-4.1"), in_chassis(5, on="vsphere-5.0")),
    ],
    "restart-nowhere": [
        (must("h1"), must("h1", "h2")),
        (a_cluster_of(2, vms=1, disk_mode=DiskMode.LOCAL), a_cluster_of(2, vms=1)),
        (
            a_cluster_of(2, vms=1, disk_mode=DiskMode.LOCAL),
            resized(partners(), "m1", disk_mode=DiskMode.LOCAL),
        ),
        (wide_on_one(vcpus=32), wide_on_one(vcpus=8)),
    ],
    "restart-together": [(kept_apart(2), kept_apart(3))],
    "restart-slower": [(slower_beside(), slower_beside(vcpus=2))],
    "restart-disabled": [
        (
            a_cluster_of(2, vms=2, restart_priority=RestartPriority.DISABLED),
            a_cluster_of(2, vms=2, restart_priority=RestartPriority.LOW),
        ),
        (
            a_cluster_of(2, vms=2, restart_priority=RestartPriority.DISABLED),
            partners(restart_priority=RestartPriority.DISABLED),
        ),
    ],
}

FAULT_TOLERANCE: Cases = {
    "ft-host-limit": [(protected(vms=5), protected(vms=4))],
    "ft-link": [
        (on("vsphere-6.0", linked(1.0)), on("vsphere-6.0", protected())),
        (on("vsphere-6.0", linked(10.0, 1.0, 1.0)), on("vsphere-5.5", linked(1.0))),
    ],
    "ft-licence": [
        (on("vsphere-6.7", protected(vcpus=4)), on("vsphere-6.7", protected(vcpus=2))),
    ],
    "ft-nested-paging": [
        (on("vsphere-4.0", protected()), on("vsphere-4.1", protected())),
    ],
    "ft-cost": [
        (protected(), protected(fault_tolerance=False)),
        (protected(), protected(kind=WorkloadKind.GENERIC, cpu_mhz=300.0)),
    ],
    "ft-clock": [
        (
            replace(
                protected(2),
                hosts=(
                    replace(protected(2).hosts[0], server="nehalem-ept"),
                    replace(protected(2).hosts[1], server="ibm-x366"),
                ),
            ),
            protected(2),
        )
    ],
    "ft-processors": [
        (
            replace(
                protected(2),
                hosts=(protected(2).hosts[0], replace(protected(2).hosts[1], server="ibm-x366")),
            ),
            replace(
                protected(3),
                hosts=(*protected(3).hosts[:2], replace(protected(3).hosts[2], server="ibm-x366")),
            ),
        )
    ],
    "ft-disks": [
        (protected(disk_mode=DiskMode.RDM), protected()),
        (protected(pool=None), protected()),
        (protected(disk_mode=DiskMode.LOCAL), protected()),
    ],
    "ft-third-host": [(protected(2), protected(3))],
}

CLUSTERS: Cases = {
    "partner-capacity": [
        (partners(2500.0), partners(2000.0)),
        (partners(9000.0, vcpus=4), partners(2500.0, vcpus=4)),
    ],
    "partner-one-way": [(partners(mutual=False), partners())],
    "cluster-replicators": [(partners(), TWO)],
    "partners-in-one-basket": [
        (grouped("rack 1", "rack 1"), grouped("rack 1", "rack 2")),
        (sharing_disks(), partners()),
    ],
    "reconnect-storm": [
        (one(users=9000.0), one(users=1000.0)),
        (one(users=9000.0), one(users=9000.0, ram_gib=9000.0)),
    ],
}

DESIGN: Cases = {
    "lun-queue-depth": [
        (on_lun("a", "a", "a", spindles=13), on_lun("a", "b", "c", spindles=13)),
        (
            on_lun(None, users=4000.0, spindles=3),
            on_lun(None, users=4000.0, spindles=3, mode=DiskMode.NFS),
        ),
    ],
    "log-with-data": [
        (
            one(),
            a_scenario(pools=(a_pool("p1"), a_pool("p2")), vms=(a_vm(log_pool="p2"),)),
        ),
        (one(log_pool="p1"), one(log_disk_gib=0.0)),
    ],
    "raid-0-data": [(a_scenario(pools=(a_pool(raid="0"),)), a_scenario())],
    "ram-before-spindles": [
        (slow_pool(), slow_pool(guest_bits=32)),
        (slow_pool(), slow_pool(ram_gib=40.0)),
    ],
    "dedicated-nic": [
        (
            one(kind=WorkloadKind.GENERIC, network_mbps=500.0),
            one(kind=WorkloadKind.GENERIC, network_mbps=500.0, dedicated_nic=True),
        ),
        (on_a_gigabit(401.0), on_a_gigabit(399.0)),
    ],
    "overcommit-policy": [(with_policy(a_scenario(), memory_overcommit=1.5), a_scenario())],
    "memory-overcommitted": [
        (
            with_policy(one(ram_gib=80.0), memory_overcommit=2.0),
            with_policy(one(ram_gib=60.0), memory_overcommit=2.0),
        ),
        (
            with_policy(
                one(kind=WorkloadKind.GENERIC, ram_gib=80.0, memory_gib=75.0), memory_overcommit=2.0
            ),
            with_policy(
                one(kind=WorkloadKind.GENERIC, ram_gib=80.0, memory_gib=20.0), memory_overcommit=2.0
            ),
        ),
    ],
    "wider-than-node": [
        (one(ram_gib=40.0), one(ram_gib=30.0)),
        (one(vcpus=6), one(vcpus=4)),
        (one(ram_gib=40.0), BARE),
    ],
    "between-families": [(on("esx-3.5"), a_scenario()), (on("esx-3.5"), BARE)],
    "reserved-share": [
        (one(ram_gib=70.0, memory_reservation_gib=70.0), one(ram_gib=70.0)),
        (one(cpu_reservation_mhz=22_000.0), one(cpu_reservation_mhz=20_000.0)),
    ],
    "kernel-time": [(X366, on("vsphere-4.0", X366)), (X366, BARE)],
    "poor-candidate": [
        (wv21("x366", "physical", 6.0, 8000.0), wv21("x366", "vmfs", 6.0, 8000.0)),
        (wv21("x366", "physical", 6.0, 4000.0), wv21("x366", "physical", 6.0, 3000.0)),
    ],
    "release-upgrade": [
        (one(users=9000.0, release="7.0.2"), one(users=9000.0)),
        (one(users=9000.0, release="7.0.2"), one(users=100.0, release="7.0.2")),
    ],
    "registered-users": [
        (one(registered_users=500.0), one(registered_users=2500.0)),
        (one(), one(registered_users=2500.0)),
    ],
    "measured-peaks": [
        (a_scenario(), with_policy(a_scenario(), peak_factor_cpu=2.4, peak_factor_iops=2.7)),
        (a_scenario(), BARE),
    ],
    "production-sum": [(IN_PRODUCTION, a_scenario())],
    "production-registered": [(IN_PRODUCTION, in_production(registered_users=2500.0))],
    "production-memory": [
        (
            in_production(registered_users=2500.0),
            in_production(ram_gib=64.0, registered_users=2500.0),
        ),
        (in_production(registered_users=2500.0), one(registered_users=2500.0)),
    ],
    "measured-on": [
        (measured(None), measured(MEASURED_HERE)),
        (measured(MeasuredOn(hypervisor="vsphere-4.0")), measured(MEASURED_HERE)),
    ],
    "io-costs-cpu": [
        (measured(None), measured(MEASURED_HERE)),
        (measured(replace(MEASURED_HERE, hypervisor="none")), measured(MEASURED_HERE)),
    ],
    "third-party-tasks": [(a_scenario(), with_policy(a_scenario(), peak_factor_cpu=1.2))],
    "support-statement": [
        (a_scenario(), BARE),
        (on("vsphere-8.0", one(release="14.5")), one(release="")),
        (on("vsphere-8.0", one(release="7.0.2")), BARE),
    ],
    "support-end": [
        (on("vsphere-5.5", one()), on("esx-3.5", one())),
        (on("esx-3.5", one(release="11.0.1")), on("esx-3.5", one(release="14.0"))),
    ],
    "support-guest-bits": [
        (one(release="14.0", guest_bits=32), one(release="14.0", guest_bits=64)),
        (one(release="11.0.1", guest_bits=32), one(release="8.5.1", guest_bits=32)),
    ],
    "release-unknown": [
        (one(release="newest"), one(release="9.0.1 FP10")),
        (one(release="13.0"), one(release="")),
        (chat(release="9.9"), chat(release="7.5.1")),
    ],
    "beyond-published-load": [(one(users=7009.0), one(users=7008.0))],
    "below-published-least": [
        (one(release="14.5", vcpus=1, ram_gib=8.0), one(release="14.5", vcpus=2, ram_gib=4.0)),
        (one(release="12.0.2", ram_gib=3.5), one(release="8.5.1", ram_gib=3.5)),
    ],
    "published-size": [
        (one(users=1000.0, release="14.0"), one(users=1001.0, release="14.0")),
        (one(users=300.0, release="12.0.2"), one(users=300.0, release="8.5.1")),
    ],
    "sametime-limit": [
        (chat(release="12.0.3", users=10001.0), chat(release="12.0.3", users=10000.0)),
        (chat(release="12.0", users=10001.0), chat(release="7.5.1", users=10001.0)),
    ],
}

SAMETIME: Cases = {
    "sametime-no-mux": [(sametime("community"), CHAT)],
    "sametime-mux-size": [
        (CHAT, resized(CHAT, "m1", vcpus=1, ram_gib=2.0)),
        (CHAT, resized(sametime("community", "community", "mux"), "m0", vcpus=4)),
        (CHAT, resized(sametime("community", "community", "mux"), "m0", ram_gib=16.0)),
    ],
    "sametime-meetings": [(CHAT, sametime("mail"))],
    "sametime-clients": [(CHAT, sametime("community", registered_users=400.0))],
    "sametime-ip-sprayer": [
        (
            resized(sametime("community", "community"), "m0", cluster_partners=("m1",)),
            sametime("community"),
        )
    ],
}

ESA: dict[str, Any] = {"array": "vsan-esa", "disk": "nvme", "release": "vsphere-8.0"}


def _reach(mode: DiskMode, scenario: Scenario) -> Scenario:
    return replace(scenario, vms=tuple(replace(vm, disk_mode=mode) for vm in scenario.vms))


def _alone(scenario: Scenario) -> Scenario:
    return replace(scenario, hosts=tuple(replace(host, cluster=None) for host in scenario.hosts))


VSAN: Cases = {
    "vsan-hosts": [
        (on_vsan(1), on_vsan(4)),
        (on_vsan(3), on_vsan(3, raid="1")),
        (on_vsan(5, raid="6"), on_vsan(6, raid="6")),
        (
            on_vsan(4, raid="1", failures_to_tolerate=2),
            on_vsan(5, raid="1", failures_to_tolerate=2),
        ),
        (on_vsan(2, **ESA), on_vsan(3, **ESA)),
        (on_vsan(2, raid="1"), on_vsan(3, raid="1")),
    ],
    "vsan-release": [
        (on_vsan(4, array="vsan-esa", disk="nvme", release="vsphere-7.0"), on_vsan(4, **ESA)),
        (on_vsan(4, release="vsphere-5.5"), on_vsan(4, raid="1", release="vsphere-5.5")),
    ],
    "vsan-cluster": [(_alone(on_vsan()), on_vsan())],
    "vsan-policy": [
        (on_vsan(6, failures_to_tolerate=2), on_vsan(6, raid="1", failures_to_tolerate=2))
    ],
    "vsan-drives": [
        (
            on_vsan(array="ibm-ds4800", disk="fc-15k-36gb"),
            _reach(DiskMode.VMFS, on_vsan(array="ibm-ds4800", disk="fc-15k-36gb")),
        ),
        (_reach(DiskMode.VMFS, on_vsan()), on_vsan()),
    ],
    "vsan-rebuild": [
        (on_vsan(4), on_vsan(5)),
        (
            on_vsan(5, users=7300.0, spindles=5, reserve_pct=0.0),
            on_vsan(5, users=5000.0, spindles=5, reserve_pct=0.0),
        ),
    ],
}


def _pair(one: dict[str, Any], other: dict[str, Any]) -> Scenario:
    """A cluster of two hosts that differ in what is given."""
    common = {"server": "r760-6530", "hypervisor": "vsphere-8.0", "ram_gib": 256.0, "cluster": "c1"}
    return replace(
        a_cluster_of(2, vms=2),
        hosts=(a_host("h1", **common | one), a_host("h2", **common | other)),
    )


OF_2017 = {"server": "r740-6148", "hypervisor": "vsphere-6.7"}
MIXED: Cases = {
    "mixed-makers": [
        (_pair({}, {"server": "r7625-9354"}), _pair({}, {})),
        (
            _pair({}, {"server": "r7625-9354"}),
            _pair({}, {"server": "r7625-9354", "cluster": None}),
        ),
    ],
    "mixed-releases": [
        (_pair({}, {"hypervisor": "vsphere-6.5"}), _pair({}, {})),
        (
            _pair(OF_2017 | {"hypervisor": "vsphere-7.0"}, OF_2017),
            _pair({}, {"server": "r760-8592"}),
        ),
    ],
    "mixed-generations": [
        (_pair({}, {"server": "r740-6148"}), _pair({}, {})),
        (_pair({}, {"server": "r740-6148"}), _pair({}, {"server": "r7625-9354"})),
    ],
}

MORE_CASES: Cases = MIXED | VSAN | AVAILABILITY | FAULT_TOLERANCE | CLUSTERS | DESIGN | SAMETIME
