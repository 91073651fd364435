"""What members of Domino clusters take for their partners: who sends, how much, and to whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.base.quantities import Basis
from models.evidence.domino_cluster import cluster_law
from models.failure.mode import ModeKind
from models.physics.arrays import side_by_side
from models.physics.scenario_to_arrays import to_arrays
from models.predict.prediction import Verdict
from models.resilience.study import study_failures
from models.scenario.scenario import Scenario, Vm
from models.scenario.workloads import WorkloadKind
from models.studies.curves import response_curve
from models.whatif import what_if
from tests.models.worlds import (
    CALIBRATION,
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    with_policy,
)

LAW = cluster_law(CALIBRATION.constants.cluster_r5)


def pair(first: float, second: float, **fields: Any) -> Scenario:
    """Two partners of family B with 16 GB on hosts of their own."""
    shape: dict[str, Any] = {"ram_gib": 16.0, **fields}
    vms = (
        a_vm("m1", first, cluster_partners=("m2",), **shape),
        a_vm("m2", second, host="h2", cluster_partners=("m1",), **shape),
    )
    return replace(a_cluster_of(2, vms=0), vms=vms)


def old_pair(first: float, second: float) -> Scenario:
    """The same under family A, as R5's clusters were: physical or on the first ESX."""
    hosts = tuple(
        a_host(id, server="intel-clovertown-whitebox", hypervisor="esx-3.0.1", ram_gib=32.0)
        for id in ("h1", "h2")
    )
    shape: dict[str, Any] = {"release": "7.0.2", "vcpus": 4}
    return replace(pair(first, second, **shape), hosts=hosts, clusters=())


def cpu_and_io(scenario: Scenario) -> np.ndarray:
    vms = predict(scenario).vms
    return np.array([vms.cpu_pct.value, vms.iops.value])


def test_two_like_members_come_out_as_table_3_has_them() -> None:
    vms = predict(pair(4000.0, 4000.0)).vms
    assert vms.cpu_pct.value == pytest.approx([32.0, 32.0])
    assert vms.iops.value == pytest.approx([1130.0, 1130.0])
    assert vms.cpu_pct[0].basis is Basis.MEASURED
    assert vms.cpu_pct[0].measured == 32.0


def test_a_standby_works_for_the_active_one() -> None:
    vms = predict(pair(4000.0, 0.0)).vms
    # Family C divides CPU in halves: 28.74 % alone, 32 % where both are active.
    assert vms.cpu_pct.value == pytest.approx([30.37, 1.63], abs=0.01)
    assert vms.cpu_pct[0].basis is Basis.TRANSFERRED
    active, standby = vms.iops.value
    assert active + standby == pytest.approx(1130.0)
    assert standby > 0.2 * active


def test_family_a_takes_what_r5_took() -> None:
    active, standby = old_pair(2000.0, 0.0), old_pair(0.0, 2000.0)
    single = replace(active, vms=(replace(active.vms[0], cluster_partners=()),))
    alone, both = cpu_and_io(single)[:, 0], cpu_and_io(active)
    assert both[0] == pytest.approx(alone[0] * np.array([1.32, 0.32]), rel=1e-6)
    assert both[1] == pytest.approx(alone[1] * np.array([1.21, LAW.receive_disk.value]), rel=1e-6)
    assert cpu_and_io(standby)[:, 0] == pytest.approx(both[:, 1], rel=1e-6)
    ids = set(predict(active).vms.cpu_pct[1].evidence)
    assert set(LAW.receive_cpu.evidence) - set(LAW.push_cpu.evidence) <= ids


def test_a_partner_that_does_not_run_sends_nothing() -> None:
    sent = cpu_and_io(pair(1000.0, 3000.0))[:, 0]
    for change in ({"powered_on": False}, {"host": None}):
        scenario = pair(1000.0, 3000.0)
        quiet = scenario.with_item(replace(scenario.vm("m2"), **change))
        assert np.all(cpu_and_io(quiet)[:, 0] < sent)
        alone = quiet.edit(Vm, "m1", lambda vm: replace(vm, cluster_partners=()))
        assert cpu_and_io(quiet)[:, 0] == pytest.approx(cpu_and_io(alone)[:, 0])
        mbps = [predict(each).vms.network_mbps.value[0] for each in (quiet, alone)]
        assert mbps[0] == mbps[1]


def test_a_server_has_nobody_to_push_to_when_its_partner_is_lost() -> None:
    """Neither family asks for more than a server alone with the users of both."""
    for two in (pair(1000.0, 2000.0), old_pair(1000.0, 2000.0)):
        alone = replace(two, vms=(replace(two.vms[0], cluster_partners=()),))
        work = replace(alone.vms[0].workload, active_users=3000.0)
        alone = replace(alone, vms=(replace(alone.vms[0], workload=work),))
        (mode,) = [
            each
            for each in study_failures(two, KNOWLEDGE, which=(ModeKind.PARTNER,))
            if each.mode.subject == "m2"
        ]
        assert mode.cpu_pct.value == pytest.approx(predict(alone).hosts.cpu_pct.value[0])
        assert mode.iops.value == pytest.approx(predict(alone).pools.iops.value[0])


def test_a_partner_that_is_named_takes_replicas_whether_or_not_it_names_others() -> None:
    both, one_way = pair(4000.0, 0.0), pair(4000.0, 0.0)
    one_way = one_way.edit(Vm, "m2", lambda vm: replace(vm, cluster_partners=()))
    assert cpu_and_io(one_way) == pytest.approx(cpu_and_io(both))
    assert cpu_and_io(one_way)[0, 1] > 0


def test_what_is_pushed_crosses_the_network_of_both() -> None:
    """Table 3: 6 MB/s with 4,000 users on either; what one sends the other receives."""
    mbps = predict(pair(4000.0, 4000.0)).vms.network_mbps
    assert mbps.value == pytest.approx([48.0, 48.0])
    assert mbps.low == pytest.approx([24.0, 24.0])
    active, standby = predict(pair(4000.0, 0.0)).vms.network_mbps.value
    single = predict(a_scenario(vms=(a_vm(users=4000.0),))).vms.network_mbps.value[0]
    assert single < active < 48.0
    assert 0 < standby < 24.0
    assert active + standby >= 48.0


def test_databases_are_spread_over_the_partners() -> None:
    shape: dict[str, Any] = {"ram_gib": 16.0}
    vms = (
        a_vm("m1", 3000.0, cluster_partners=("m2", "m3"), **shape),
        a_vm("m2", 0.0, cluster_partners=("m1",), **shape),
        a_vm("m3", 0.0, cluster_partners=("m1",), **shape),
    )
    arrays = to_arrays(a_scenario(vms=vms), CATALOG)
    assert arrays.vms.received_users.tolist() == [0.0, 1500.0, 1500.0]


def test_derated_users_are_derated_at_their_partners_too() -> None:
    once = cpu_and_io(pair(1000.0, 2000.0))
    twice = cpu_and_io(with_policy(pair(500.0, 1000.0), benchmark_derating=2.0))
    assert twice == pytest.approx(once)


def test_copies_side_by_side_send_within_themselves() -> None:
    arrays = to_arrays(pair(1000.0, 2000.0), CATALOG)
    users = np.array([[1000.0, 2000.0], [10.0, 20.0], [0.0, 7.0]])
    copies = side_by_side(arrays, 3, active_users=users.ravel())
    assert copies.vms.received_users.reshape(3, 2).tolist() == users[:, ::-1].tolist()
    some = copies.vms.taken(np.array([5, 0]))
    assert some.received_users.tolist() == [0.0, 2000.0]


def test_what_ifs_and_curves_say_what_evaluate_says() -> None:
    scenario = pair(1000.0, 2000.0)
    users = np.array([[1000.0, 2000.0], [3000.0, 500.0]])
    found = what_if(scenario, KNOWLEDGE, users=users)
    for row, (first, second) in enumerate(users.tolist()):
        vms = predict(pair(first, second)).vms
        assert found.vm_cpu_pct.value[row] == pytest.approx(vms.cpu_pct.value)
    curve = response_curve(scenario, KNOWLEDGE, "m1", [3000.0])
    expected = predict(pair(3000.0, 2000.0)).vms.response_ms.value[0]
    assert curve.response_ms.value[0] == pytest.approx(expected, rel=1e-6)


def test_replicas_take_space_where_the_partner_keeps_its_data() -> None:
    scenario = pair(2000.0, 1000.0, mail_file_mb=400.0)
    pools = (a_pool("p1"), a_pool("p2"))
    apart = replace(scenario, pools=pools).edit(Vm, "m2", lambda vm: replace(vm, pool="p2"))
    each = predict(apart).pools.capacity_pct.value
    alone = replace(apart, vms=tuple(replace(vm, cluster_partners=()) for vm in apart.vms))
    own = predict(alone).pools.capacity_pct.value
    assert own[0] == pytest.approx(2 * own[1])
    assert each == pytest.approx([own.sum(), own.sum()]), "each holds the other's a second time"
    quiet = apart.edit(Vm, "m1", lambda vm: replace(vm, powered_on=False))
    assert predict(quiet).pools.capacity_pct.value == pytest.approx(each), "they are on disk"
    grown = predict(with_policy(apart, mail_growth_pct=50.0)).pools.capacity_pct.value
    assert grown == pytest.approx(1.5 * each)


def test_replicas_are_spread_over_the_partners() -> None:
    vms = (
        a_vm("m1", 3000.0, pool="p1", cluster_partners=("m2", "m3")),
        a_vm("m2", 0.0, pool="p2", cluster_partners=("m1",)),
        a_vm("m3", 0.0, pool="p3", cluster_partners=("m1",)),
    )
    pools = tuple(a_pool(id) for id in ("p1", "p2", "p3"))
    pct = predict(a_scenario(vms=vms, pools=pools)).pools.capacity_pct.value
    assert pct[1:] == pytest.approx([pct[0] / 2, pct[0] / 2])


def test_a_pool_that_holds_the_servers_need_not_hold_their_replicas() -> None:
    full = pair(2000.0, 2000.0, mail_file_mb=400.0)
    full = replace(full, pools=(a_pool(spindles=20, raid="dp"),))
    alone = replace(full, vms=tuple(replace(vm, cluster_partners=()) for vm in full.vms))
    assert 50 < predict(alone).pools.capacity_pct.value[0] < 80
    assert predict(full).verdict is Verdict.DOES_NOT_FIT
    users = np.array([[2000.0, 2000.0], [900.0, 900.0]])
    more, fewer = what_if(full, KNOWLEDGE, users=users).verdict.tolist()
    assert more == Verdict.DOES_NOT_FIT > fewer


def test_more_users_of_a_partner_are_never_less_work() -> None:
    previous = np.zeros(2)
    for users in (0.0, 10.0, 500.0, 4000.0, 20_000.0):
        now = cpu_and_io(old_pair(1000.0, users))[:, 0]
        assert np.all(now >= previous)
        previous = now


def test_inotes_takes_nothing_as_nobody_measured_it() -> None:
    scenario = pair(1000.0, 2000.0)
    work = replace(scenario.vms[0].workload, kind=WorkloadKind.DOMINO_INOTES)
    inotes = replace(scenario.vms[0], workload=work)
    with_partner = cpu_and_io(scenario.with_item(inotes))[:, 0]
    alone = cpu_and_io(scenario.with_item(replace(inotes, cluster_partners=())))[:, 0]
    assert with_partner == pytest.approx(alone)
