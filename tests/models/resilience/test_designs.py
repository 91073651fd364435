"""HA alone, Domino clusters, both; and what members of a cluster can take over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.failure.mode import ModeKind
from models.failure.restart_time import Downtime
from models.physics.scenario_to_arrays import to_arrays
from models.predict.prediction import Verdict
from models.resilience.designs import Design, DesignRow, compare_designs, moved_users, paired
from models.resilience.domino_members import (
    MemberCapacity,
    cpu_limit_users,
    member_capacities,
)
from models.resilience.study import study_failures
from models.scenario.scenario import DiskMode, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    members,
    predict,
    refused,
    with_policy,
)


def capacities(scenario: Scenario) -> tuple[MemberCapacity, ...]:
    return member_capacities(scenario, KNOWLEDGE)


def compare(scenario: Scenario) -> dict[Design, DesignRow]:
    return {row.design: row for row in compare_designs(scenario, KNOWLEDGE)}


@pytest.mark.parametrize(("count", "users"), [(2, 2000.0), (3, 2667.0), (4, 3000.0), (6, 3333.0)])
def test_users_of_a_lost_member_are_shared(count: int, users: float) -> None:
    """n like members with L·(n − 1)/n users each carry L = 4,000 with one lost."""
    for capacity in capacities(members(count, users)):
        assert capacity.members == count
        assert capacity.in_failover == pytest.approx(4000.0, abs=1.0)


def test_the_busiest_network_is_one_of_those_that_are_known() -> None:
    chat = a_vm("m3", host="h0", kind=WorkloadKind.SAMETIME_COMMUNITY)
    scenario = members(2, 1000.0).with_item(a_host("h0")).with_item(chat)
    known = predict(scenario).hosts.quantity("h2", "network_pct")
    assert predict(scenario).hosts.quantity("h0", "network_pct").value is None
    network = compare(scenario)[Design.CLUSTER].normal.network_pct
    assert network.value == pytest.approx(known.value)


def test_the_documents_pattern_fits_exactly() -> None:
    """2,000 active users a clustered server, 4,000 in failover, on 2 vCPUs and 16 GB."""
    for capacity in capacities(members(2, 2000.0)):
        assert (capacity.members, capacity.in_failover) == (2, 4000.0)
        assert capacity.pattern_users == 4000.0
        assert capacity.fits
        assert capacity.replicators == 2
        assert capacity.queue_s == pytest.approx(21.5, abs=0.1)
    assert not any(each.fits for each in capacities(members(2, 2100.0)))


def test_the_cpu_rule_decides_where_the_pattern_does_not() -> None:
    """Table 3: 4,000 users take 32 % of 2 vCPUs, so 70 % is reached at 8,750."""
    (one, _) = capacities(members(2, 2000.0, ram_gib=24.0))
    assert one.pattern_users is None
    assert one.cpu_users == pytest.approx(8750.0, rel=0.01)
    assert one.limit_users == one.cpu_users
    assert not capacities(members(2, 4500.0, ram_gib=24.0))[0].fits
    assert capacities(members(2, 4300.0, ram_gib=24.0))[0].fits


def test_a_derating_halves_the_pattern() -> None:
    (one, _) = capacities(with_policy(members(2, 1000.0), benchmark_derating=2.0))
    assert one.pattern_users == 2000.0
    assert one.fits


def test_larger_clusters_share_and_need_more_replicators() -> None:
    (one, *_) = capacities(members(4, 3000.0))
    assert (one.in_failover, one.members, one.replicators) == (4000.0, 4, 4)
    assert one.queue_s is None, "more than three were not measured"
    assert one.fits


def test_the_worst_partner_counts_and_those_that_run() -> None:
    scenario = members(3, 1000.0)
    big = scenario.edit(
        Vm, "m3", lambda vm: replace(vm, workload=replace(vm.workload, active_users=3000.0))
    )
    (one, *_) = capacities(big)
    assert (one.lost, one.in_failover) == ("m3", 2500.0)
    off = big.edit(Vm, "m2", lambda vm: replace(vm, powered_on=False))
    assert [each.vm for each in capacities(off)] == ["m1", "m3"]
    assert capacities(off)[0].in_failover == 4000.0
    assert capacities(a_cluster_of(2, vms=2)) == ()


def test_the_cpu_limit_is_where_a_prediction_reaches_it() -> None:
    scenario = a_cluster_of(1, vms=1, release="7.0.2", users=2000.0)
    limits = cpu_limit_users(to_arrays(scenario, CATALOG), scenario, KNOWLEDGE)
    at = replace(scenario, vms=(a_vm(users=float(limits[0]), release="7.0.2"),))
    assert predict(at).vms.cpu_pct.value[0] == pytest.approx(70.0, rel=0.02)


def test_the_cpu_limit_is_that_of_the_server_however_many_users_it_has() -> None:
    few, many = (
        capacities(members(2, users, vcpus=1))[0].cpu_users for users in (30_000.0, 300_000.0)
    )
    assert few == pytest.approx(4375.0, rel=0.01)
    assert many == pytest.approx(few, rel=0.01)


def test_without_data_there_is_no_limit() -> None:
    sametime = members(2, 100.0, kind=WorkloadKind.SAMETIME_COMMUNITY, ram_gib=4.0)
    (one, _) = capacities(sametime)
    assert (one.cpu_users, one.pattern_users, one.fits) == (None, None, None)


# --- designs ----------------------------------------------------------------------------------


def test_downtime_by_design() -> None:
    rows = compare(a_cluster_of(2, vms=2, users=2000.0, ram_gib=16.0))
    assert [(row.downtime, row.patching) for row in rows.values()] == [
        (Downtime.MINUTES, Downtime.MINUTES),
        (Downtime.SECONDS, Downtime.SECONDS),
        (Downtime.NONE, Downtime.SECONDS),
    ]


def test_a_cluster_costs_in_normal_operation_and_holds_replicas() -> None:
    rows = compare(a_cluster_of(2, vms=2, users=2000.0, ram_gib=16.0))
    alone, clustered = rows[Design.HA], rows[Design.CLUSTER]
    assert (clustered.normal.cpu_pct.value or 0) > (alone.normal.cpu_pct.value or 0)
    assert (clustered.normal.network_pct.value or 0) > 0
    assert alone.replica_gib == 0
    assert clustered.replica_gib == pytest.approx(2 * 2000 * 87.5 / 1000 * 1e9 / 2**30)
    grown = a_cluster_of(2, vms=2, users=2000.0, ram_gib=16.0)
    grown = replace(grown, policy=replace(grown.policy, mail_growth_pct=50.0))
    grown_gib = compare(grown)[Design.CLUSTER].replica_gib
    assert grown_gib == pytest.approx(1.5 * clustered.replica_gib)


def test_a_partner_without_a_host_takes_no_users() -> None:
    base = a_cluster_of(2, vms=2, users=1000.0, ram_gib=16.0)
    one, two = (
        replace(vm, cluster_partners=(partner,))
        for vm, partner in zip(base.vms, ("m2", "m1"), strict=True)
    )
    scenario = replace(base, vms=(one, replace(two, host=None)))
    assert compare(scenario)[Design.CLUSTER].without_server == 1000.0


REFUSED: tuple[dict[str, object], ...] = (
    {"vcpus": 99},
    {"ram_gib": 400.0},
    {"disk_mode": DiskMode.PHYSICAL},
)
"""What can't be powered on, on any host of these."""


@pytest.mark.parametrize("fields", REFUSED)
def test_a_partner_that_cannot_be_powered_on_takes_no_users(fields: dict[str, Any]) -> None:
    scenario = members(2, 1000.0).edit(Vm, "m2", lambda vm: replace(vm, **fields))
    assert refused(scenario) == {"m2"}
    row = compare(scenario)[Design.CLUSTER]
    assert (row.worst_host, row.without_server) == ("h1", 1000.0)
    trio = members(3, 1000.0).edit(Vm, "m2", lambda vm: replace(vm, **fields))
    assert compare(trio)[Design.CLUSTER].without_server == 0.0
    one, three = capacities(trio)
    assert [(one.vm, one.in_failover), (three.vm, three.in_failover)] == [
        ("m1", 2000.0),
        ("m3", 2000.0),
    ], "nor does it share what the others take over"


def test_nobody_loses_what_never_ran() -> None:
    scenario = members(2, 1000.0).edit(Vm, "m2", lambda vm: replace(vm, vcpus=99))
    ha = compare(scenario)[Design.HA]
    assert (ha.verdict, ha.normal.refused) == (Verdict.DOES_NOT_FIT, "m2")
    assert (ha.without_server, ha.downtime) == (0.0, Downtime.MINUTES)
    both = replace(scenario, vms=tuple(replace(vm, vcpus=99) for vm in scenario.vms))
    assert {row.without_server for row in compare(both).values()} == {0.0}


def test_with_ha_memory_moves_and_with_a_cluster_users_do() -> None:
    rows = compare(a_cluster_of(2, vms=2, users=2000.0, ram_gib=16.0))
    ha, cluster, both = (rows[each] for each in Design)
    assert ha.worst.ram_pct.value == pytest.approx(2 * (ha.normal.ram_pct.value or 0), rel=0.05)
    assert cluster.worst.ram_pct.value == pytest.approx(cluster.normal.ram_pct.value)
    assert both.worst.ram_pct.value == pytest.approx(ha.worst.ram_pct.value)
    alone = 28.74  # table 1: nothing is pushed by a partner that is lost, or to it
    assert cluster.worst.cpu_pct.value == pytest.approx(alone * 2 / 8), "on 8 cores"
    assert (cluster.without_server, both.without_server) == (0.0, 0.0)


def test_partners_on_the_failed_host_are_no_help() -> None:
    scenario = replace(
        a_cluster_of(2, vms=0),
        vms=(
            a_vm("m1", cluster_partners=("m2",), ram_gib=16.0),
            a_vm("m2", cluster_partners=("m1",), ram_gib=16.0),
        ),
    )
    cluster = compare(scenario)[Design.CLUSTER]
    assert (cluster.worst_host, cluster.without_server) == ("h1", 2000.0)


def test_what_ha_can_not_restart_has_no_server() -> None:
    tight = a_cluster_of(2, vms=2, users=1000.0, ram_gib=60.0)
    rows = compare(tight)
    assert rows[Design.HA].without_server == 1000.0
    assert rows[Design.CLUSTER].without_server == 0.0


def test_pairs_stand_on_different_hosts_and_are_alike() -> None:
    scenario = replace(
        a_cluster_of(2, vms=0),
        vms=(
            a_vm("m1", 1000.0, host="h1"),
            a_vm("m2", 3000.0, host="h1"),
            a_vm("m3", 2900.0, host="h2"),
            a_vm("m4", 1100.0, host="h2"),
            a_vm("m5", 500.0, host="h2"),
        ),
    )
    partners = {vm.id: vm.cluster_partners for vm in paired(scenario).vms}
    assert partners == {
        "m1": ("m4",),
        "m4": ("m1",),
        "m2": ("m3", "m5"),
        "m3": ("m2", "m5"),
        "m5": ("m2", "m3"),
    }
    assert paired(members(2, 10.0)) == members(2, 10.0)


@pytest.mark.parametrize(
    ("hosts", "pairs"),
    [
        ("h1 h2 h1 h2 h3 h3", 3),
        ("h1 h2 h3 h3", 2),
        ("h1 h2 h3 h3 h3", 2),
        ("h3 h1 h3 h2 h3", 2),
        ("h1 h1 h1 h2", 1),
        ("h1 h2 h3 h1 h2 h3 h4", 3),
    ],
)
def test_as_many_pairs_as_there_can_be(hosts: str, pairs: int) -> None:
    vms = tuple(a_vm(f"m{at}", host=host) for at, host in enumerate(hosts.split(), 1))
    scenario = a_scenario(hosts=tuple(a_host(f"h{n}") for n in range(1, 5)), vms=vms)
    found = paired(scenario).vms
    groups = {frozenset({vm.id, *vm.cluster_partners}) for vm in found if vm.cluster_partners}
    assert len(groups) == pairs
    assert max(map(len, groups)) - min(map(len, groups)) <= 1 or hosts == "h1 h1 h1 h2"
    assert sum(map(len, groups)) == len(vms)
    assert all(len({vm.host for vm in found if vm.id in group}) > 1 for group in groups)


def test_nothing_to_compare_without_domino() -> None:
    generic = a_cluster_of(2, vms=2, kind=WorkloadKind.GENERIC, cpu_mhz=100.0)
    assert compare(generic) == {}


def test_users_are_conserved_or_counted() -> None:
    scenario = members(3, 1200.0)
    started = {"m1", "m2", "m3"}
    there = to_arrays(scenario, CATALOG)
    left, without = moved_users(there, scenario, {"m1", "m2"}, started)
    assert (left.vms.active_users.tolist(), without) == ([0.0, 0.0, 3600.0], 0.0)
    none, without = moved_users(there, scenario, {"m1", "m2", "m3"}, started)
    assert without == 3600.0
    assert none.vms.active_users.sum() == 0.0


def test_the_comparison_leaves_the_rest_alone() -> None:
    scenario = a_cluster_of(2, vms=2, users=100.0, ram_gib=16.0)
    for row in compare(scenario).values():
        assert row.scenario.hosts == scenario.hosts
        assert row.normal.verdict is Verdict.FITS
        assert not found(predict(row.scenario), "ram-over-limit")


def test_a_design_fits_no_better_than_its_scenario() -> None:
    """Network, space and what can't be powered on count as in `evaluate`."""
    slow = members(2, 4000.0)
    slow = replace(slow, hosts=tuple(replace(host, nic_gbps=0.1, nics=1) for host in slow.hosts))
    full = replace(members(2, 2000.0, mail_file_mb=400.0), pools=(a_pool(spindles=20, raid="5"),))
    wide = members(2, 100.0).edit(Vm, "m1", lambda vm: replace(vm, vcpus=12))
    for scenario, resource in ((slow, "network_pct"), (full, "capacity_pct"), (wide, "")):
        row = compare(scenario)[Design.CLUSTER]
        assert predict(row.scenario).verdict is Verdict.DOES_NOT_FIT
        assert row.normal.verdict is row.verdict is Verdict.DOES_NOT_FIT
        assert row.normal.refused == ("" if resource else "m1")
        if resource:
            assert row.normal.deciding is not None
            assert row.normal.deciding.resource == resource


def test_what_is_known_to_have_worked_is_no_risk_and_not_known() -> None:
    """20,000 Sametime users on 6 of 8 cores: no CPU data, but an installation that ran."""
    community = a_vm(
        "s1", 20_000.0, host="h1", vcpus=6, ram_gib=4.0, kind=WorkloadKind.SAMETIME_COMMUNITY
    )
    scenario = members(2, 100.0)
    mux = a_vm("x1", 0.0, vcpus=1, ram_gib=2.0, kind=WorkloadKind.SAMETIME_MUX)
    scenario = replace(scenario, vms=(*scenario.vms, community, mux))
    assert predict(scenario).verdict is Verdict.NOT_KNOWN
    kinds = (ModeKind.NORMAL, ModeKind.CONTROLLER, ModeKind.PARTNER)
    study = study_failures(scenario, KNOWLEDGE, which=kinds)
    assert {mode.verdict for mode in study} == {Verdict.NOT_KNOWN}
    assert all(row.normal.verdict is Verdict.NOT_KNOWN for row in compare(scenario).values())


def test_the_worst_host_is_the_one_nearest_its_limit() -> None:
    """RAM at 92 of 100 % is less than CPU at 67 of 70 %."""
    base = a_cluster_of(2, vms=2, users=6400.0, vcpus=4, ram_gib=32.0)
    slow = replace(base.hosts[1], server="ibm-x3650", ram_gib=144.0)
    row = compare(replace(base, hosts=(base.hosts[0], slow)))[Design.HA]
    assert (row.worst.cpu_pct.value or 0) < 70.0
    assert row.worst_host == "h1", "all is on the slow one then"


def test_where_nothing_takes_over_users_wait_until_it_is_repaired() -> None:
    """A host alone: neither HA nor a cluster helps, whatever the design is called."""
    for row in compare(a_cluster_of(1, vms=1)).values():
        assert row.without_server == 1000.0
        assert (row.downtime, row.worst.verdict) == (Downtime.REPAIR, Verdict.DOES_NOT_FIT)
        assert row.normal.verdict is Verdict.FITS
