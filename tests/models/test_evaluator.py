"""An edit evaluated from what was known before equals a full evaluation, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any

import numpy as np
import pytest

import models.evaluator
from app.synthetic import OVERLOAD, synthetic_scenario
from models.demands import VmStage, vm_stage
from models.errors import ModelError
from models.evaluate import evaluate
from models.evaluator import Evaluator
from models.judgement.rules import MOST_PER_RULE
from models.physics import edited
from models.physics.arrays import Arrays
from models.physics.edited import differ
from models.prediction import Prediction
from models.quantities import Basis, Series
from models.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    DiskMode,
    Host,
    Pool,
    RestartPriority,
    Scenario,
    Vm,
)
from models.workloads import WorkloadKind
from tests.models.worlds import (
    CALIBRATION,
    CATALOG,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    predict,
    wv21,
)

MACHINES = (
    ("nehalem-ept", "vsphere-4.0"),
    ("nehalem-ept", "vsphere-4.1"),
    ("intel-clovertown-whitebox", "esx-3.0.1"),
    ("ibm-x366", "none"),
)
KINDS = (*WorkloadKind, *(WorkloadKind.DOMINO_NRPC,) * 4)


@pytest.fixture(autouse=True)
def _few_vms_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits go the way of large scenarios in small ones."""
    monkeypatch.setattr(edited, "FEW", 0)


def a_world(random: Random) -> Scenario:
    """Some clusters of like or unlike hosts, pools, and VMs of every kind anywhere."""
    alike = random.random() < 0.5
    machines = [MACHINES[0]] if alike else MACHINES
    hosts = tuple(_host(random, f"h{n}", machines) for n in range(random.randint(2, 9)))
    pools = tuple(a_pool(f"p{n}", spindles=random.choice((4, 35, 100))) for n in range(3))
    vms = tuple(_vm(random, f"m{n}", hosts) for n in range(random.randint(8, 40)))
    affinity: tuple[Affinity, ...] = ()
    if random.random() < 0.2:
        pair = (vms[0].id, vms[1].id)
        affinity = (Affinity(id="a1", kind=AffinityKind.APART, vms=pair),)
    clusters = tuple(_tolerating(f"c{n}", random.choice((1, 1, 1, 2))) for n in range(3))
    return a_scenario(clusters=clusters, hosts=hosts, pools=pools, vms=vms, affinity=affinity)


def _tolerating(id: str, failures: int) -> Cluster:
    counted = AdmissionPolicy.HOST_FAILURES
    return Cluster(
        id=id, name=id.upper(), admission=Admission(policy=counted, host_failures=failures)
    )


def _host(random: Random, id: str, machines: Sequence[tuple[str, str]]) -> Host:
    server, hypervisor = random.choice(machines)
    cluster = random.choice((None, "c0", "c1", "c2"))
    ram_gib, link = random.choice((16.0, 72.0)), random.choice((None, 1.0))
    return a_host(
        id,
        server=server,
        hypervisor=hypervisor,
        cluster=cluster,
        ram_gib=ram_gib,
        ft_logging_gbps=link,
    )


def _vm(random: Random, id: str, hosts: tuple[Host, ...]) -> Vm:
    return a_vm(
        id,
        users=random.choice((0.0, 500.0, 2000.0, 4000.0)),
        kind=random.choice(KINDS),
        release=random.choice(("8.5.1", "7.0.2")),
        cpu_mhz=300.0,
        iops=20.0,
        host=random.choice((None, *(host.id for host in hosts))),
        pool=random.choice((None, "p0", "p1", "p2")),
        vcpus=random.choice((1, 2, 4)),
        ram_gib=random.choice((4.0, 8.0, 14.5)),
        disk_mode=random.choice((DiskMode.VMFS, DiskMode.RDM)),
        powered_on=random.random() < 0.9,
        cluster_partners=(f"m{random.randint(0, 7)}",) if random.random() < 0.2 else (),
    )


Change = Callable[[Random, Scenario, Vm], Scenario]


def _of_vm(change: Callable[[Random, Vm], Vm]) -> Change:
    return lambda random, scenario, vm: scenario.with_item(change(random, vm))


CHANGES: tuple[Change, ...] = (
    lambda random, s, vm: s.place([vm.id], random.choice((None, *(h.id for h in s.hosts)))),
    lambda random, s, vm: s.place([v.id for v in s.vms[:3]], random.choice(s.hosts).id),
    lambda random, s, vm: s.place([vm.id], random.choice(s.hosts).id),
    _of_vm(lambda random, vm: replace(vm, ram_gib=vm.ram_gib * 1.5)),
    _of_vm(lambda random, vm: replace(vm, pool=random.choice((None, "p0", "p1", "p2")))),
    _of_vm(lambda random, vm: replace(vm, powered_on=not vm.powered_on)),
    _of_vm(lambda random, vm: replace(vm, fault_tolerance=not vm.fault_tolerance)),
    _of_vm(lambda random, vm: replace(vm, restart_priority=random.choice(tuple(RestartPriority)))),
    _of_vm(lambda random, vm: replace(vm, cluster_partners=() if vm.cluster_partners else ("m1",))),
    _of_vm(lambda random, vm: replace(vm, log_pool="p2", log_disk_gib=10.0)),
    _of_vm(lambda random, vm: replace(vm, workload=replace(vm.workload, active_users=1234.0))),
    _of_vm(lambda random, vm: replace(vm, workload=replace(vm.workload, release="8.0"))),
    lambda random, s, vm: s.edit(
        Host, random.choice(s.hosts).id, lambda host: replace(host, ram_gib=host.ram_gib + 8)
    ),
    lambda random, s, vm: s.edit(
        Host, random.choice(s.hosts).id, lambda host: replace(host, cluster="c1")
    ),
    lambda random, s, vm: s.edit(
        Pool, random.choice(s.pools).id, lambda pool: replace(pool, spindles=pool.spindles + 4)
    ),
    _of_vm(lambda random, vm: replace(vm, name=f"{vm.name} again")),
    _of_vm(lambda random, vm: replace(vm, guest_bits=random.choice((None, 32, 64)))),
    _of_vm(lambda random, vm: replace(vm, disk_mode=random.choice(tuple(DiskMode)))),
    _of_vm(lambda random, vm: replace(vm, lun=random.choice((None, "L1")))),
    lambda random, s, vm: s.edit(
        Host, random.choice(s.hosts).id, lambda host: replace(host, name=f"{host.name} again")
    ),
    lambda random, s, vm: s.edit(
        Pool, random.choice(s.pools).id, lambda pool: replace(pool, name=f"{pool.name} again")
    ),
    lambda random, s, vm: s.edit(
        Host, random.choice(s.hosts).id, lambda host: _on(host, random.choice(MACHINES))
    ),
    lambda random, s, vm: replace(
        s, assumptions=replace(s.assumptions, login_actions=random.choice((1.0, 5.0, 400.0)))
    ),
    lambda random, s, vm: s.waive("derating-one", "", random.choice(("Known", "Accepted"))),
    lambda random, s, vm: replace(s, affinity=() if s.affinity else (_alone(s, random),)),
    lambda random, s, vm: s.without([vm.id]),
    lambda random, s, vm: s.with_item(_tolerating("c1", random.choice((1, 2)))),
)


def _on(host: Host, machine: tuple[str, str]) -> Host:
    server, hypervisor = machine
    return replace(host, server=server, hypervisor=hypervisor)


def _alone(scenario: Scenario, random: Random) -> Affinity:
    """A rule that binds two VMs to one host."""
    kind = random.choice((AffinityKind.MUST_RUN_ON, AffinityKind.TOGETHER))
    vms = tuple(vm.id for vm in scenario.vms[:2])
    hosts = (scenario.hosts[0].id,) if kind is AffinityKind.MUST_RUN_ON else ()
    return Affinity(id="a1", kind=kind, vms=vms, hosts=hosts)


def edits(random: Random, scenario: Scenario, count: int) -> Iterator[Scenario]:
    """Scenarios that follow one another by small edits."""
    for _ in range(count):
        change = random.choice(CHANGES)
        scenario = change(random, scenario, random.choice(scenario.vms))
        yield scenario


def assert_equal(one: Prediction, other: Prediction) -> None:
    """Every number, verdict and sentence is the same."""
    for table in ("vms", "hosts", "pools"):
        these, those = getattr(one, table), getattr(other, table)
        for field in fields(these):
            first, second = getattr(these, field.name), getattr(those, field.name)
            if isinstance(first, Series):
                _assert_series(first, second, f"{table}.{field.name}")
            elif isinstance(first, dict):
                assert first.keys() == second.keys()
                for resource, column in first.items():
                    np.testing.assert_array_equal(column, second[resource], f"{table}.{resource}")
            else:
                np.testing.assert_array_equal(first, second, f"{table}.{field.name}")
    for field in fields(one):
        if field.name not in ("vms", "hosts", "pools", "failures"):
            assert getattr(one, field.name) == getattr(other, field.name), field.name
    assert tuple(one.failures) == tuple(other.failures)


def _assert_series(one: Series, other: Series, name: str) -> None:
    for part in ("value", "low", "high", "judged_high", "basis", "measured"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part), name)
    these, those = (
        [series.sources[code] for code in series.evidence.tolist()] for series in (one, other)
    )
    assert these == those, name


@pytest.mark.parametrize("seed", range(40))
def test_an_edit_gives_what_a_full_evaluation_gives(seed: int) -> None:
    random = Random(seed)
    world = a_world(random)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    for scenario in (world, *edits(random, world, 8), world):
        full = evaluate(scenario, CATALOG, CALIBRATION)
        assert_equal(evaluator.evaluate(scenario), full)


@pytest.mark.parametrize("load", [1.0, OVERLOAD])
def test_moves_through_a_large_estate(load: float) -> None:
    """Several clusters, so that most failures are those of before."""
    scenario = synthetic_scenario(64, 400, load=load)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    evaluator.evaluate(scenario)
    for vm, host in (("m0", "h1"), ("m1", "h40"), ("m0", "h0"), ("m399", "h63"), ("m1", "h1")):
        scenario = scenario.place([vm], host)
        full = evaluate(scenario, CATALOG, CALIBRATION)
        assert_equal(evaluator.evaluate(scenario), full)


@pytest.mark.parametrize("few", [0, 1000])
def test_other_figures_of_a_vm_among_few_are_worked_out_with_all(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = synthetic_scenario(4, 20)
    monkeypatch.setattr(edited, "FEW", few)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    evaluator.evaluate(scenario)
    looked_at: list[int] = []

    def part(arrays: Arrays, *rest: Any) -> VmStage:
        looked_at.append(len(arrays.vms))
        return vm_stage(arrays, *rest)

    monkeypatch.setattr(models.evaluator, "vm_stage", part)
    after = scenario.with_item(replace(scenario.vms[0], ram_gib=12.0))
    assert_equal(evaluator.evaluate(after), evaluate(after, CATALOG, CALIBRATION))
    assert looked_at == ([] if few else [1])


def test_no_data_differs_from_a_figure_and_not_from_no_data() -> None:
    one, other = np.array([[1.0, np.nan, np.nan, 1.0]]), np.array([[1.0, np.nan, 2.0, np.nan]])
    assert differ(one, other).tolist() == [False, False, True, True]


def test_like_vms_that_change_places_meet_other_neighbours() -> None:
    """No host carries another load than before, but each of the two is on another one."""
    pair = a_vm("m0", 4000.0, host="h0"), a_vm("m1", 4000.0, host="h1")
    crowd = tuple(a_vm(f"m{n}", 4000.0, host="h1") for n in range(2, 10))
    before = a_scenario(hosts=(a_host("h0"), a_host("h1")), vms=(*pair, *crowd))
    after = before.place_each({"m0": "h1", "m1": "h0"})
    evaluator = Evaluator(CATALOG, CALIBRATION)
    was = evaluator.evaluate(before).vms.ready_pct.value
    now = evaluator.evaluate(after)
    assert_equal(now, evaluate(after, CATALOG, CALIBRATION))
    assert now.vms.ready_pct.value[:2].tolist() == was[:2].tolist()[::-1]
    assert was[0] < was[1]


@pytest.mark.parametrize("path", ["rdm", "vmfs"])
@pytest.mark.parametrize("platform", ["clovertown", "x366"])
def test_another_patch_level_is_another_machine(platform: str, path: str) -> None:
    """ESX 3.0.2 has the figures of 3.0.1, on which the runs were made."""
    scenario = wv21(platform, path, 14.5, 3000.0)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    host = scenario.hosts[0]
    for release in ("esx-3.0.1", "esx-3.0.2", "esx-3.0.1"):
        after = scenario.edit(Host, host.id, lambda h: replace(h, hypervisor=release))  # noqa: B023
        assert_equal(evaluator.evaluate(after), evaluate(after, CATALOG, CALIBRATION))


def test_a_third_vm_beside_two_that_ran_is_no_longer_the_run() -> None:
    third = a_vm("m3", 4000.0, host=None)
    scenario = a_scenario(vms=(a_vm("m1", 4000.0), a_vm("m2", 4000.0), third))
    evaluator = Evaluator(CATALOG, CALIBRATION)
    for host, basis in ((None, Basis.MEASURED), ("h1", Basis.TRANSFERRED), (None, Basis.MEASURED)):
        after = scenario.place(["m3"], host)
        found = evaluator.evaluate(after)
        assert found.vms.quantity("m1", "ready_pct").basis is basis
        assert_equal(found, evaluate(after, CATALOG, CALIBRATION))


def test_what_was_evaluated_before_is_of_no_account() -> None:
    """More releases than findings are listed: which of them are is the scenario's doing alone."""
    vms = tuple(a_vm(f"m{n}", release=f"release {n}") for n in range(2 * MOST_PER_RULE))
    first = a_scenario(vms=vms)
    predict(replace(first, vms=vms[::-1]))
    turned = replace(first, vms=tuple(replace(vm, name=vm.name) for vm in vms[::-1]))
    ids = [each.subject for each in found(predict(turned), "release-without-evidence")]
    assert ids == [each.subject for each in found(predict(first), "release-without-evidence")]


def test_a_move_that_lets_a_vm_start_changes_whose_logins_are_long() -> None:
    """It can reserve its memory on the other host, not beside its neighbour."""

    def mail(id: str, gib: float) -> Vm:
        reserved = {"ram_gib": gib, "memory_reservation_gib": gib}
        return a_vm(id, 4000.0, release="7.0.2", vcpus=1, host="h2", **reserved)

    crowd = (a_vm(f"x{n}", 1.0, ram_gib=1.0) for n in range(6))
    hosts = a_host("h1", ram_gib=72.0), a_host("h2", ram_gib=24.0)
    scenario = a_scenario(hosts=hosts, vms=(mail("m1", 8.0), mail("m2", 20.0), *crowd))
    moved = scenario.place(["m2"], "h1")
    evaluator = Evaluator(CATALOG, CALIBRATION)
    (before,) = found(evaluator.evaluate(scenario), "reconnect-storm")
    after = evaluator.evaluate(moved)
    assert found(after, "reconnect-storm") != [before]
    assert_equal(after, predict(moved))


def test_there_and_back_is_where_it_was() -> None:
    scenario = synthetic_scenario(20, 200)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    before = evaluator.evaluate(scenario)
    there = scenario.place(["m7"], "h0")
    assert evaluator.evaluate(there).hosts.cpu_pct.value[0] > before.hosts.cpu_pct.value[0]
    assert_equal(evaluator.evaluate(there.place(["m7"], "h7")), before)


def test_the_same_scenario_is_not_worked_out_twice() -> None:
    scenario = synthetic_scenario(4, 20)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    assert evaluator.evaluate(scenario) is evaluator.evaluate(scenario)


def test_a_scenario_that_is_wrong_says_so_and_leaves_the_last_one() -> None:
    scenario = synthetic_scenario(4, 20)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    before = evaluator.evaluate(scenario)
    wrong = scenario.edit(Vm, "m3", lambda vm: replace(vm, host="nowhere"))
    with pytest.raises(ModelError, match="nowhere") as found:
        evaluator.evaluate(wrong)
    assert found.value.field == "vms[3].host"
    assert evaluator.evaluate(scenario) is before


def test_another_policy_changes_all() -> None:
    scenario = synthetic_scenario(4, 20)
    evaluator = Evaluator(CATALOG, CALIBRATION)
    evaluator.evaluate(scenario)
    stricter = replace(scenario, policy=replace(scenario.policy, benchmark_derating=3.0))
    full = evaluate(stricter, CATALOG, CALIBRATION)
    assert_equal(evaluator.evaluate(stricter), full)
