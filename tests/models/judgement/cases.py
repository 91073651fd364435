"""Of each rule a scenario that trips it and one that doesn’t."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from models.scenario.origin import Origin
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    DiskMode,
    ImportNote,
    LoadBasis,
    Scenario,
    Site,
)
from models.scenario.workloads import WorkloadKind
from tests.models.judgement.more_cases import BARE, MORE_CASES, on
from tests.models.worlds import (
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_traveler,
    a_vm,
    with_policy,
    wv21,
)

OK = a_scenario(vms=(a_vm(system_disk_gib=20.0),))
PURCHASE = a_scenario(
    hosts=(a_host(server="r740-6148", hypervisor="vsphere-6.7"),),
    pools=(a_pool(array="gen-afa-mid", disk="nvme", spindles=24, raid="6"),),
)
FT_PAIR = replace(
    a_cluster_of(2, vms=1, vcpus=1, fault_tolerance=True),
    hosts=(
        a_host("h1", cluster="c1", ft_logging_gbps=1.0),
        a_host("h2", cluster="c1", ft_logging_gbps=1.0),
    ),
)


def vm(**fields: Any) -> Scenario:
    users = fields.pop("users", 1000.0)
    return a_scenario(vms=(a_vm("m1", users, **fields),))


def travelers(count: int, users: float, **fields: Any) -> Scenario:
    return a_scenario(
        vms=tuple(
            a_traveler(f"t{n}", traveler_users=users, **{"traveler_pool": True, **fields})
            for n in range(count)
        )
    )


def traveler(users: float, **fields: Any) -> Scenario:
    return a_scenario(vms=(a_traveler("t1", traveler_users=users, **fields),))


def two(**fields: Any) -> Scenario:
    return a_scenario(vms=(a_vm("m1", **fields), a_vm("m2", **fields)))


def host(**fields: Any) -> Scenario:
    return a_scenario(hosts=(a_host(**fields),))


def pool(**fields: Any) -> Scenario:
    return a_scenario(pools=(a_pool(**fields),))


def five(**fields: Any) -> Scenario:
    """A pool of 20 drives in RAID 5."""
    return pool(**{"raid": "5", "spindles": 20, **fields})


def busy_pool(spindles: int) -> Scenario:
    return a_scenario(pools=(a_pool(spindles=spindles),), vms=(a_vm(users=4000.0),))


def ft(users: float, gbps: float | None = 1.0, **fields: Any) -> Scenario:
    hosts = tuple(replace(h, ft_logging_gbps=gbps) for h in FT_PAIR.hosts)
    one = a_vm(users=users, vcpus=1, fault_tolerance=True)
    return replace(FT_PAIR, hosts=hosts, vms=(replace(one, **fields),))


def rules_of(kind: AffinityKind, hosts: tuple[str, str], on: tuple[str, ...] = ()) -> Scenario:
    base = a_cluster_of(2, vms=0)
    return replace(
        base,
        vms=(a_vm("m1", host=hosts[0]), a_vm("m2", host=hosts[1])),
        affinity=(Affinity(id="a1", kind=kind, vms=("m1", "m2"), hosts=on),),
    )


def admission(policy: AdmissionPolicy) -> Scenario:
    cluster = Cluster(id="c1", name="Mail", admission=Admission(policy=policy))
    return replace(a_cluster_of(2, vms=2), clusters=(cluster,))


def partners(groups: dict[str, str], vms: int = 2, **fields: Any) -> Scenario:
    """Members of a Domino cluster on two hosts, which stand in groups by their ids."""
    base = a_cluster_of(2, vms=0)
    pair = (("m1", "h1", "m2"), ("m2", "h2", "m1"))[:vms]
    return replace(
        base,
        hosts=tuple(replace(each, failure_group=groups.get(each.id, "")) for each in base.hosts),
        vms=tuple(
            a_vm(id, host=home, cluster_partners=(other,) if vms == 2 else (), **fields)
            for id, home, other in pair
        ),
    )


def tolerating(failures: int, **fields: Any) -> Scenario:
    counted = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=failures)
    cluster = Cluster(id="c1", name="Mail", admission=counted)
    return replace(a_cluster_of(3, vms=3, **fields), clusters=(cluster,))


def in_one_cluster(count: int) -> Scenario:
    return a_cluster_of(count, vms=0)


SILENT = {"kind": WorkloadKind.GENERIC}


def beside_unknown() -> Scenario:
    """A mail server beside VMs that could fill its host."""
    others = tuple(a_vm(f"g{n}", vcpus=8, kind=WorkloadKind.GENERIC) for n in (1, 2))
    return a_scenario(vms=(a_vm("m1", 208.0), *others))


def calibrated(basis: LoadBasis, **site: Any) -> Scenario:
    """A scenario in the benchmark basis, measured in another or the same."""
    return with_policy(a_scenario(), site=Site(load_basis=basis, cpu_factor=1.5, **site))


def silent_pair(vcpus: int) -> Scenario:
    """Two hosts, and two servers without figures that together could fill one."""
    return replace(
        a_cluster_of(2, vms=0),
        vms=tuple(
            a_vm(f"m{n}", host=f"h{n}", kind=WorkloadKind.GENERIC, vcpus=vcpus) for n in (1, 2)
        ),
    )


SAMETIME = {"kind": WorkloadKind.SAMETIME_COMMUNITY, "release": "7.5.1"}
KIND = AffinityKind
X366_64 = wv21("x366", "vmfs", 6.0, 1000.0)
ON_X366 = replace(X366_64.vms[0], guest_bits=64)
READY = a_scenario(vms=tuple(a_vm(f"m{n}", 9000.0) for n in range(5)))
RUN_2000 = wv21("clovertown", "vmfs", 14.5, 2000.0)
CASES: dict[str, list[tuple[Scenario, Scenario]]] = {
    "cpu-over-limit": [
        (vm(users=11_000.0), OK),
        (a_scenario(vms=tuple(a_vm(f"m{n}", 9000.0) for n in range(5))), OK),
    ],
    "response-over-limit": [(wv21("clovertown", "vmfs", 14.5, 8000.0), OK)],
    "site-basis": [
        (calibrated(LoadBasis.PRODUCTION), calibrated(LoadBasis.BENCHMARK)),
        (calibrated(LoadBasis.BENCHMARK, benchmark_derating=2.0), OK),
    ],
    "response-range": [
        (beside_unknown(), OK),
        (a_scenario(vms=(a_vm("m1"), a_vm("m2", 30_000.0, vcpus=8))), OK),
    ],
    "ram-over-limit": [(vm(ram_gib=80.0), OK)],
    "vcpus-per-core": [(a_scenario(vms=tuple(a_vm(f"m{n}", vcpus=8) for n in range(5))), OK)],
    "ready-time": [
        (a_scenario(vms=tuple(a_vm(f"m{n}", 13_000.0) for n in range(5))), vm(users=4000.0))
    ],
    "no-nested-paging": [
        (host(server="ibm-x3650"), OK),
        (host(server="ibm-x3650"), host(server="ibm-x3650", hypervisor="esx-3.5")),
    ],
    "inotes-peaks": [
        (vm(kind=WorkloadKind.DOMINO_INOTES, users=4000.0), vm(users=4000.0)),
        (
            vm(kind=WorkloadKind.DOMINO_INOTES, users=4000.0),
            vm(kind=WorkloadKind.DOMINO_INOTES, users=3000.0),
        ),
        (
            vm(kind=WorkloadKind.DOMINO_INOTES, users=4000.0, ram_gib=16.0),
            vm(kind=WorkloadKind.DOMINO_INOTES, users=3800.0, ram_gib=16.0),
        ),
    ],
    "hung-system": [
        (a_cluster_of(2, vms=1), OK),
        (a_cluster_of(2, vms=1), partners({})),
    ],
    "site-recovery": [
        (partners({"h1": "north", "h2": "south"}, vms=1), partners({"h1": "north"}, vms=1)),
        (
            partners({"h1": "north", "h2": "south"}, vms=1),
            partners({"h1": "north", "h2": "south"}),
        ),
    ],
    "browser-failover": [
        (partners({}, kind=WorkloadKind.DOMINO_INOTES), partners({})),
    ],
    "network-40": [(vm(kind=WorkloadKind.GENERIC, network_mbps=90_000.0), OK)],
    "pool-utilisation": [(busy_pool(4), OK), (busy_pool(5), busy_pool(6))],
    "disk-latency": [(busy_pool(4), busy_pool(20))],
    "pool-capacity": [(vm(registered_users=1e6), OK), (vm(registered_users=130_000.0), OK)],
    "no-drives": [(pool(spindles=2, hot_spares=2), OK)],
    "n-plus-one": [(a_cluster_of(1, vms=1), a_cluster_of(2, vms=2))],
    "n-plus-k": [(tolerating(2, ram_gib=30.0), tolerating(1, ram_gib=30.0))],
    "admission-none": [
        (admission(AdmissionPolicy.NONE), admission(AdmissionPolicy.HOST_FAILURES)),
        (admission(AdmissionPolicy.NONE), a_cluster_of(1, vms=1)),
    ],
    "unplaced": [(vm(host=None), OK), (vm(host=None), vm(host=None, powered_on=False))],
    "local-disk": [(two(disk_mode=DiskMode.LOCAL), vm(disk_mode=DiskMode.LOCAL))],
    "ft-single-vcpu": [
        (ft(1000.0, vcpus=2), ft(1000.0)),
        (wv21("clovertown", "vmfs", 7.25, 1000.0).with_item(a_vm(fault_tolerance=True)), OK),
        (on("none", ft(1000.0, disk_mode=DiskMode.PHYSICAL)), BARE),
    ],
    "ft-logging-users": [
        (ft(2500.0), ft(2000.0)),
        (ft(1000.0, gbps=None), ft(4000.0, gbps=10.0)),
        (ft(2500.0), on("vsphere-6.7", ft(2500.0))),
    ],
    "ft-no-secondary": [(replace(FT_PAIR, hosts=FT_PAIR.hosts[:1]), ft(1000.0))],
    "vm-maximum": [(vm(vcpus=9), OK), (vm(ram_gib=300.0), vm(ram_gib=200.0))],
    "ram-over-host": [(vm(ram_gib=80.0), vm(ram_gib=72.0))],
    "reservation-over-host": [
        (vm(cpu_reservation_mhz=30_000.0), vm(cpu_reservation_mhz=20_000.0)),
        (
            a_scenario(
                vms=tuple(
                    a_vm(f"m{n}", ram_gib=40.0, memory_reservation_gib=40.0) for n in range(2)
                )
            ),
            vm(ram_gib=40.0, memory_reservation_gib=40.0),
        ),
    ],
    "no-host-can-run": [
        (vm(host=None, vcpus=64), vm(host=None)),
        (vm(host=None, ram_gib=100.0), vm(host=None, ram_gib=70.0)),
    ],
    "vcpus-over-host": [
        (X366_64.with_item(replace(ON_X366, vcpus=9)), X366_64),
    ],
    "host-maximum": [
        (host(ram_gib=1e5), OK),
        (a_scenario(vms=tuple(a_vm(f"m{n}", 1.0, ram_gib=0.1) for n in range(321))), OK),
    ],
    "cluster-maximum": [(in_one_cluster(33), in_one_cluster(32))],
    "guest-64-without-vt": [
        (X366_64.with_item(ON_X366), X366_64),
        (X366_64.with_item(ON_X366), vm(guest_bits=64)),
    ],
    "guest-32-over-4-gib": [(vm(guest_bits=32), vm(guest_bits=32, ram_gib=4.0))],
    "memory-in-use": [(vm(**SILENT, memory_gib=9.0), vm(**SILENT, memory_gib=2.0))],
    "memory-limit": [(vm(memory_limit_gib=4.0), vm(memory_limit_gib=8.0))],
    "shared-lun": [(two(lun="lun7"), vm(lun="lun7"))],
    "reference-system": [(wv21("clovertown", "vmfs", 7.25, 1000.0), PURCHASE)],
    "mail-file-size": [(vm(mail_file_mb=0.2), vm(mail_file_mb=2.0))],
    "hypervisor-era": [
        (
            host(server="r760-6430", hypervisor="esx-3.5"),
            host(server="r760-6430", hypervisor="vsphere-8.0"),
        ),
        (
            host(server="r720", hypervisor="esx-3.5"),
            host(server="r720", hypervisor="vsphere-4.1"),
        ),
        (
            host(server="ibm-x366", hypervisor="vsphere-8.0", ram_gib=16.0),
            host(server="ibm-x366", hypervisor="vsphere-4.0", ram_gib=16.0),
        ),
    ],
    "storage-path": [
        (vm(disk_mode=DiskMode.VSAN), on("vsphere-5.5", vm(disk_mode=DiskMode.VSAN))),
        (vm(disk_mode=DiskMode.PHYSICAL), BARE),
        (on("none", vm()), vm(host=None, disk_mode=DiskMode.PHYSICAL)),
        (on("none", vm(disk_mode=DiskMode.RDM)), vm(disk_mode=DiskMode.RDM)),
        (on("none", vm(disk_mode=DiskMode.VSAN)), on("none", vm(disk_mode=DiskMode.LOCAL))),
    ],
    "assumed-load": [
        (
            vm(
                kind=WorkloadKind.GENERIC,
                cpu_mhz=500.0,
                origins=(("workload.cpu_mhz", Origin.ASSUMED),),
            ),
            vm(kind=WorkloadKind.GENERIC, cpu_mhz=500.0),
        ),
    ],
    "pool-not-seen": [
        (
            a_scenario(hosts=(a_host("h1"), a_host("h2")), pools=(a_pool(hosts=("h2",)),)),
            a_scenario(hosts=(a_host("h1"), a_host("h2")), pools=(a_pool(hosts=("h1",)),)),
        ),
    ],
    "raid-group": [
        (five(raid_group=2), five(raid_group=3)),
        (five(spindles=2), five(spindles=3)),
        (five(spindles=4, hot_spares=2), five(spindles=5, hot_spares=2)),
        (five(raid_group=21), five(raid_group=20)),
        (pool(raid="6", raid_group=3), pool(raid="6", raid_group=4)),
        (five(raid_group=2), pool(raid="10", spindles=2)),
    ],
    "raid-not-offered": [(pool(raid="5"), OK)],
    "drives-not-taken": [
        (pool(disk="nvme", spindles=20), pool(disk="sata-7k2", spindles=20)),
        (
            pool(array="gen-afa-mid", disk="sata-7k2", spindles=20, raid="6"),
            pool(array="gen-afa-mid", disk="nvme-gen3", spindles=20, raid="6"),
        ),
        (
            pool(array="aff-a800", disk="fc-15k-144gb", spindles=20),
            pool(array="aff-a800", disk="ssd-sata", spindles=20),
        ),
        (
            pool(array="pure-c60", disk="sata-7k2", spindles=20, raid="6"),
            pool(array="pure-c60", disk="nvme", spindles=20, raid="6"),
        ),
        (
            pool(array="ibm-ds4800", disk="ssd-sata", spindles=20, raid="5"),
            pool(array="ibm-ds4800", disk="sas-15k", spindles=20, raid="5"),
        ),
        (
            pool(array="ds3400", disk="fc-15k-144gb", spindles=20, raid="5"),
            pool(array="ds3400", disk="sas-10k", spindles=20, raid="5"),
        ),
    ],
    "too-many-drives": [
        (pool(spindles=169), pool(spindles=168)),
        (
            pool(array="ds3400", disk="sas-15k", spindles=96, raid="5"),
            pool(array="ds3400", disk="sas-15k", spindles=48, raid="5"),
        ),
    ],
    "affinity-broken": [
        (rules_of(KIND.APART, ("h1", "h1")), rules_of(KIND.APART, ("h1", "h2"))),
        (rules_of(KIND.TOGETHER, ("h1", "h2")), rules_of(KIND.TOGETHER, ("h1", "h1"))),
        (
            rules_of(KIND.MUST_RUN_ON, ("h1", "h2"), ("h1",)),
            rules_of(KIND.MUST_RUN_ON, ("h1", "h1"), ("h1",)),
        ),
    ],
    "affinity-contradictory": [
        (
            replace(
                rules_of(KIND.TOGETHER, ("h1", "h1")),
                affinity=(
                    Affinity(id="a1", kind=KIND.TOGETHER, vms=("m1", "m2")),
                    Affinity(id="a2", kind=KIND.APART, vms=("m1", "m2")),
                ),
            ),
            rules_of(KIND.TOGETHER, ("h1", "h1")),
        )
    ],
    "partners-on-one-host": [
        (
            a_scenario(
                vms=(a_vm("m1", cluster_partners=("m2",)), a_vm("m2", cluster_partners=("m1",)))
            ),
            replace(
                a_cluster_of(2, vms=0),
                vms=(
                    a_vm("m1", cluster_partners=("m2",)),
                    a_vm("m2", host="h2", cluster_partners=("m1",)),
                ),
            ),
        )
    ],
    "release-without-evidence": [(vm(release="9.0.1"), OK), (vm(release="8.0"), OK)],
    "users-per-ram": [
        (vm(users=4000.0, ram_gib=2.0), vm(users=4000.0, ram_gib=6.0)),
        (vm(users=4000.0, memory_limit_gib=2.0), vm(users=4000.0, ram_gib=2.0, powered_on=False)),
    ],
    "derating-one": [(OK, with_policy(OK, benchmark_derating=2.0))],
    "doubted-cell": [
        (wv21("x366", "vmfs", 6.0, 1200.0), wv21("x366", "vmfs", 6.0, 2000.0)),
        (wv21("clovertown", "vmfs", 14.5, 3000.0), wv21("clovertown", "rdm", 14.5, 3000.0)),
    ],
    "sametime-no-data": [(vm(**SAMETIME), OK)],
    "traveler-no-data": [(traveler(100.0), traveler(100.0, cpu_mhz=500.0))],
    "traveler-devices": [
        (traveler(500.0), traveler(400.0)),
        (traveler(4000.0, traveler_pool=True), traveler(3700.0, traveler_pool=True)),
        (traveler(300.0, devices_per_user=2.0), traveler(250.0, devices_per_user=2.0)),
    ],
    "traveler-pool": [(travelers(2, 2000.0), travelers(3, 2000.0)), (travelers(6, 2600.0), OK)],
    "traveler-space": [
        (traveler(100.0, documents_per_user=None), traveler(100.0)),
        (
            traveler(100.0, documents_per_user=None),
            traveler(100.0, documents_per_user=None, disk_gib=9.0),
        ),
        (
            traveler(100.0, documents_per_user=None),
            traveler(100.0, documents_per_user=None, traveler_pool=True),
        ),
    ],
    "generic-no-data": [(vm(**SILENT), vm(**SILENT, cpu_mhz=100.0))],
    "unknown-cpu": [
        (vm(**SILENT, vcpus=8), vm(**SILENT, vcpus=4)),
        (silent_pair(3), silent_pair(2)),
    ],
    "host-in-maintenance": [
        (
            replace(
                a_cluster_of(2, vms=1), hosts=(a_host("h1"), a_host("h2", in_maintenance=True))
            ),
            OK,
        )
    ],
    "unlisted-vms": [(a_scenario(hosts=(a_host(unlisted_vms=3),)), OK)],
    "import-left-out": [
        (
            replace(OK, import_notes=(ImportNote(rule="left-out", text="x", count=6),)),
            replace(OK, import_notes=(ImportNote(rule="peaks", text="x"),)),
        )
    ],
    "stated-totals": [
        (
            replace(OK, import_notes=(ImportNote(rule="stated-totals", text="x", count=6),)),
            replace(OK, import_notes=(ImportNote(rule="peaks", text="x"),)),
        )
    ],
    "no-pool": [(vm(pool=None), OK)],
    "log-pool-no-data": [
        (
            a_scenario(pools=(a_pool("p1"), a_pool("p2")), vms=(a_vm(log_pool="p2"),)),
            a_scenario(pools=(a_pool("p1"), a_pool("p2")), vms=(a_vm(), a_vm("m2", pool="p2"))),
        )
    ],
    "knee-shared": [
        (
            RUN_2000.with_item(replace(RUN_2000.vms[0], id="m2")),
            RUN_2000.with_item(replace(RUN_2000.vms[0], id="m2", pool=None)),
        )
    ],
    "space-unstated": [(vm(), OK)],
    "ready-time-watch": [(READY, vm(users=4000.0))],
} | MORE_CASES
"""Pairs of a scenario that trips the rule and one that doesn't."""
