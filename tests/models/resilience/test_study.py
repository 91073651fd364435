"""The failure study against `evaluate`, failures played through, and brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.quantities import Basis
from models.failure.mode import ModeKind
from models.host_loss import lose_host
from models.judgement.failure_modes import NOTHING_TO_FAIL_OVER, STANDS_ALONE
from models.physics.estimates import Estimate, Sources
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import vm_stage
from models.predict.prediction import FailureMode, Verdict
from models.resilience.designs import compare_designs, without_partners
from models.resilience.host_losses import NOTHING_LEFT
from models.resilience.modes import EVERY_KIND, modes_of
from models.resilience.no_host_lost import worst_quantity
from models.resilience.placements import NO_ALLOWED, NO_MACHINE, NO_RESERVATION, NO_SURVIVOR
from models.resilience.study import FailureStudy, study_failures
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Assumptions,
    Cluster,
    DiskMode,
    Host,
    RestartPriority,
    Scenario,
    Vm,
)
from models.scenario.workloads import WorkloadKind
from tests.chance import dear
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    members,
    predict,
    refused,
    with_policy,
    workload,
    wv21,
)

KIND = ModeKind
HOST_KINDS = (KIND.HOST, KIND.TWO_HOSTS, KIND.GROUP)


def study(scenario: Scenario, *which: ModeKind) -> FailureStudy:
    return study_failures(scenario, KNOWLEDGE, which=which or EVERY_KIND)


def mode_of(scenario: Scenario, id: str) -> FailureMode:
    found = study(scenario).of(id)
    assert found is not None
    return found


def test_what_loses_all_its_vms_carries_nothing_rather_than_a_rest_of_rounding() -> None:
    """Loads that don't add up in the order in which they are taken away again."""
    vms = tuple(
        a_vm(f"m{n}", 400.0 + n * 7.1, host=f"h{n % 2 + 1}", ram_gib=4.0 + n / 3) for n in range(9)
    )
    mode = mode_of(replace(a_cluster_of(2, vms=0), vms=vms), "hosts h1, h2")
    assert (mode.iops.value, mode.disk_pct.value) == (0.0, 0.0)


def test_where_nothing_runs_no_mode_fits() -> None:
    scenario = a_cluster_of(2, vms=2)
    idle = replace(scenario, vms=tuple(replace(vm, powered_on=False) for vm in scenario.vms))
    words = {each.mode.kind: each.shown and each.shown.words for each in study(idle)}
    assert (words[KIND.NORMAL], words[KIND.HOST]) == ("nothing to judge", None)
    assert mode_of(scenario, "normal").shown != mode_of(idle, "normal").shown


def test_a_physical_server_without_cpu_data_has_no_ready_time_either() -> None:
    chat = a_vm(disk_mode=DiskMode.PHYSICAL)
    chat = replace(chat, workload=replace(chat.workload, kind=WorkloadKind.SAMETIME_COMMUNITY))
    scenario = replace(a_scenario(hosts=(a_host(hypervisor="none"),)), vms=(chat,))
    assert predict(scenario).vms.quantity("m1", "ready_pct").value is None
    assert mode_of(scenario, "normal").ready_pct.value is None


def gone(scenario: Scenario, mode: FailureMode) -> Scenario:
    """The scenario as the mode leaves it: hosts gone, VMs in their places, others switched off."""
    left = scenario
    for restart in mode.restarted:
        left = left.place([restart.vm], restart.host)
    for takeover in mode.taken_over:
        left = left.place([takeover.vm], takeover.host)
    lost = {*(s.vm for s in mode.not_restarted), *mode.stays_down}
    taken = {each.vm for each in mode.taken_over}
    vms = tuple(
        replace(
            vm,
            powered_on=vm.powered_on and vm.id not in lost,
            fault_tolerance=vm.fault_tolerance and vm.id not in taken,
        )
        for vm in left.vms
    )
    return replace(left, vms=vms).without(mode.mode.hosts)


MIXED = (
    ("nehalem-ept", "vsphere-4.1", 24.0),
    ("nehalem-ept", "vsphere-4.1", 48.0),
    ("intel-clovertown-whitebox", "esx-3.0.1", 16.0),
    ("r740-6148", "vsphere-6.7", 96.0),
)


@st.composite
def worlds(draw: st.DrawFn) -> Scenario:
    """Two clusters of unlike hosts and one alone; groups, priorities, rules, VMs switched off, some
    on local disks, some too large for some of the hosts."""
    kinds = draw(st.lists(st.sampled_from(MIXED), min_size=3, max_size=6))
    hosts = tuple(
        a_host(
            f"h{n}",
            server=server,
            hypervisor=release,
            ram_gib=ram,
            cluster=draw(st.sampled_from(["c1", "c1", "c2"])) if n else None,
            failure_group=draw(st.sampled_from([None, "A", "B"])),
        )
        for n, (server, release, ram) in enumerate(kinds)
    )
    ids = [host.id for host in hosts]

    def vm(n: int) -> Vm:
        generic = draw(st.booleans())
        own = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 3000.0, "iops": 50.0} if generic else {}
        return a_vm(
            f"m{n}",
            0.0 if generic else draw(st.floats(0, 4000)),
            host=draw(st.sampled_from(ids)),
            vcpus=draw(st.sampled_from([1, 2, 4, 12])),
            ram_gib=draw(st.sampled_from([2.0, 6.0, 13.0, 17.0])) + n / 61,  # no two just alike
            disk_mode=draw(st.sampled_from([DiskMode.VMFS, DiskMode.VMFS, DiskMode.LOCAL])),
            powered_on=draw(st.sampled_from([True, True, True, False])),
            restart_priority=draw(st.sampled_from(RestartPriority)),
            **own,
        )

    vms = tuple(vm(n) for n in range(draw(st.integers(1, 12))))
    rules = []
    for n in range(draw(st.integers(0, 2))):
        named = draw(st.lists(st.sampled_from([v.id for v in vms]), min_size=1, unique=True))
        allowed = draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
        rules.append(
            Affinity(
                id=f"r{n}", kind=AffinityKind.MUST_RUN_ON, vms=tuple(named), hosts=tuple(allowed)
            )
        )
    return a_scenario(
        clusters=(Cluster(id="c1", name="C1"), Cluster(id="c2", name="C2")),
        hosts=hosts,
        vms=vms,
        affinity=tuple(rules),
    )


Needs = dict[tuple[str, str], tuple[float, float, float]]


def needs(scenario: Scenario) -> Needs:
    """CPU, memory and share of the vCPUs' limit of each VM on each host, from predictions with the
    VM placed there."""
    found = {}
    for host in scenario.hosts:
        there = replace(scenario, vms=tuple(replace(vm, host=host.id) for vm in scenario.vms))
        arrays = to_arrays(there, CATALOG)
        stage = vm_stage(arrays, there.policy.derating, KNOWLEDGE, Sources())
        for row, vm in enumerate(there.vms):
            own = max(0.0, float(np.nan_to_num(stage.cores.value[row]))) / vm.vcpus / 0.7
            found[vm.id, host.id] = float(stage.asked[row]), float(stage.ram_gib[row]), own
    return found


ORDER = list(RestartPriority)


def runs_on(vm: Vm, host: Host) -> bool:
    """Whether the host has the logical processors, and its release grants the VM its size."""
    server, release = CATALOG.servers[host.server], CATALOG.hypervisors[host.hypervisor]
    grants = (server.threads, release.max_vcpus_per_vm or np.inf)
    return vm.vcpus <= min(grants) and vm.ram_gib <= (release.max_ram_gib_per_vm or np.inf)


def by_hand(scenario: Scenario, down: set[str], cost: Needs) -> dict[str, str | None]:
    """Where the VMs of hosts that are down restart, VM by VM, with loops and dictionaries."""
    hosts = {host.id: host for host in scenario.hosts}
    cores = dict(zip(hosts, to_arrays(scenario, CATALOG).hosts.cores.tolist(), strict=True))
    console = {h.id: CATALOG.hypervisors[h.hypervisor].console_gib or 0.0 for h in hosts.values()}
    ram = {id: console[id] for id in hosts}
    cpu = dict.fromkeys(hosts, 0.0)
    running = [vm for vm in scenario.vms if vm.powered_on and vm.host is not None]
    never = refused(scenario)
    for vm in running:
        assert vm.host is not None
        cpu[vm.host] += cost[vm.id, vm.host][0]
        ram[vm.host] += cost[vm.id, vm.host][1]
    waiting = [
        vm
        for vm in running
        if vm.host in down
        and vm.id not in never
        and hosts[vm.host].cluster
        and vm.restart_priority is not RestartPriority.DISABLED
        and vm.disk_mode is not DiskMode.LOCAL
    ]

    def own(vm: Vm, id: str) -> float:
        here, there = cost[vm.id, vm.host or ""][2], cost[vm.id, id][2]
        return there if there > here else 0.0

    waiting.sort(
        key=lambda vm: (
            ORDER.index(vm.restart_priority),
            -cost[vm.id, vm.host or ""][1],
            -cost[vm.id, vm.host or ""][0],
            vm.id,
        )
    )
    places: dict[str, str | None] = {}
    for vm in waiting:
        allowed = set(hosts)
        for rule in scenario.affinity:
            if vm.id in rule.vms:
                allowed &= set(rule.hosts)
        if runs_on(vm, hosts[vm.host or ""]):
            allowed &= {id for id, host in hosts.items() if runs_on(vm, host)}
        home = hosts[vm.host or ""].cluster
        may = [id for id in hosts if hosts[id].cluster == home and id not in down and id in allowed]

        def used(id: str, vm: Vm = vm) -> tuple[float, float]:
            cores_there, gib_there, _ = cost[vm.id, id]
            gib, busy = ram[id] + gib_there, cpu[id] + cores_there
            fullest = float(max(gib / hosts[id].ram_gib, busy / (cores[id] * 0.7)))
            return max(fullest, own(vm, id)), fullest

        def fits(id: str, vm: Vm = vm) -> bool:
            return ram[id] + cost[vm.id, id][1] <= hosts[id].ram_gib * (1 + 1e-12)

        best = min(filter(fits, may), key=used, default=None)
        places[vm.id] = best
        if best is not None:
            cpu[best] += cost[vm.id, best][0]
            ram[best] += cost[vm.id, best][1]
    return places


@dear()
@given(worlds())
def test_restarts_are_those_of_a_loop(scenario: Scenario) -> None:
    cost = needs(scenario)
    for mode in study(scenario, *HOST_KINDS):
        expected = by_hand(scenario, set(mode.mode.hosts), cost)
        found = {each.vm: each.host for each in mode.restarted}
        assert found | dict.fromkeys((s.vm for s in mode.not_restarted), None) == expected


@dear()
@given(worlds())
def test_every_mode_is_the_prediction_of_what_is_left(scenario: Scenario) -> None:
    """Host by host and VM by VM, in the clusters that lose hosts; loads add up or VMs are named."""
    before = predict(scenario)
    for mode in study(scenario, *HOST_KINDS):
        if mode.verdict is None:
            continue
        down = set(mode.mode.hosts)
        hit = {scenario.host(id).cluster for id in down} - {None}
        clusters = {
            c
            for c in hit
            if any(
                vm.powered_on and vm.host in down and scenario.host(vm.host).cluster == c
                for vm in scenario.vms
            )
        }
        left = gone(scenario, mode)
        after = predict(left)
        rows = [r for r, h in enumerate(left.hosts) if h.cluster in clusters]
        vms = [
            r
            for r, vm in enumerate(left.vms)
            if vm.powered_on and vm.host and left.host(vm.host).cluster in clusters
        ]
        lost = {s.vm for s in mode.not_restarted}
        placed = {r.vm for r in mode.restarted} | lost | set(mode.stays_down)
        assert placed == {vm.id for vm in scenario.vms if vm.powered_on and vm.host in down}
        for restart in mode.restarted:
            assert restart.host not in down
            for rule in scenario.affinity:
                assert restart.vm not in rule.vms or restart.host in rule.hosts
        if rows:
            assert mode.ram_pct.value == pytest.approx(after.hosts.ram_pct.value[rows].max())
            if mode.cpu_pct.value is not None:
                cpu = after.hosts.cpu_pct.value[rows]
                assert mode.cpu_pct.value == pytest.approx(np.nanmax(cpu))
            worst = before.hosts.ids.index(mode.ram_host)
            assert scenario.hosts[worst].cluster in clusters
        if mode.ready_pct.value is not None and vms:
            assert mode.ready_pct.value == pytest.approx(
                np.nanmax(after.vms.ready_pct.value[vms]), abs=1e-9
            )
        if mode.response_ms.value is not None and not lost and not mode.stays_down:
            assert mode.response_ms.value == pytest.approx(
                np.nanmax(after.vms.response_ms.value[vms])
            )
        if mode.iops.value is not None:
            rest = NOTHING_LEFT * before.pools.iops.value.max()
            assert mode.iops.value == pytest.approx(
                after.pools.iops.value.max(), rel=1e-9, abs=rest
            )
        for_memory = {s.vm for s in mode.not_restarted if s.reason not in (NO_ALLOWED, NO_MACHINE)}
        assert (mode.shortfall.ram_gib > 0) == bool(for_memory)
        assert mode.verdict is Verdict.DOES_NOT_FIT or not lost


@dear()
@given(worlds())
def test_the_worst_host_of_each_resource_is_the_maximum_over_all_failures(
    scenario: Scenario,
) -> None:
    found = {each.resource: each for each in study(scenario, KIND.HOST).worst_hosts()}
    everything: dict[str, list[tuple[float, str]]] = {}
    for host in scenario.hosts:
        mode = mode_of(scenario, f"host {host.id}")
        if mode.verdict is None:
            continue
        loss = lose_host(scenario, KNOWLEDGE, host.id)
        after = predict(loss.scenario)
        rows = [
            r for r, h in enumerate(scenario.hosts) if h.cluster == host.cluster and h.id != host.id
        ]
        if not rows:
            continue
        for name, column in (("cpu_pct", after.hosts.cpu_pct), ("ram_pct", after.hosts.ram_pct)):
            values = column.value[rows]
            if not np.isnan(values).all():
                everything.setdefault(name, []).append((float(np.nanmax(values)), host.id))
    for name, pairs in everything.items():
        worst = max(value for value, _ in pairs)
        assert found[name].value.value == pytest.approx(worst)
        assert found[name].host in {host for value, host in pairs if value == pytest.approx(worst)}


@dear()
@given(worlds())
def test_a_hosts_failure_is_what_evaluate_says(scenario: Scenario) -> None:
    predicted, studied = predict(scenario), study(scenario, KIND.HOST)
    assert [mode.mode.id for mode in studied] == [mode.id for mode in predicted.failures]
    for mode, other in zip(studied, predicted.failures, strict=True):
        for name in ("cpu_pct", "ram_pct", "response_ms"):
            one, two = getattr(mode, name), getattr(other, name)
            assert (one.value, one.low, one.high) == (two.value, two.low, two.high)
        assert mode.verdict == other.verdict
        assert mode.stranded == other.stranded
        assert mode.shortfall.ram_gib == other.shortfall.ram_gib
        assert mode.shortfall.cpu_ghz == other.shortfall.cpu_ghz
        if mode.verdict is None:
            assert mode.note == other.note


@st.composite
def guarded_worlds(draw: st.DrawFn) -> Scenario:
    """The same with Fault Tolerance, reservations, standby hosts and rules of every kind."""
    base = draw(worlds())
    ids, hosts = [vm.id for vm in base.vms], [host.id for host in base.hosts]
    vms = tuple(
        replace(
            vm,
            fault_tolerance=vm.vcpus == 1 and draw(st.booleans()),
            cpu_reservation_mhz=draw(st.sampled_from([None, None, 4000.0])),
            memory_reservation_gib=draw(st.sampled_from([None, 2.0])),
        )
        for vm in base.vms
    )
    more = tuple(
        Affinity(
            id=f"s{n}",
            kind=draw(st.sampled_from([AffinityKind.SHOULD_RUN_ON, AffinityKind.APART])),
            vms=tuple(draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))),
            hosts=tuple(draw(st.lists(st.sampled_from(hosts), min_size=1, unique=True))),
        )
        for n in range(draw(st.integers(0, 2)))
    )
    more = tuple(
        replace(rule, hosts=()) if rule.kind is AffinityKind.APART else rule for rule in more
    )
    standing_by = [host.id for host in base.hosts if host.cluster == "c1"][:1]
    admission = Admission()
    is_dedicated = draw(st.booleans())
    if standing_by and is_dedicated:
        admission = Admission(policy=AdmissionPolicy.DEDICATED, failover_host=standing_by[0])
    return replace(
        with_policy(base, memory_overcommit=draw(st.sampled_from([1.0, 1.5]))),
        clusters=(replace(base.clusters[0], admission=admission), *base.clusters[1:]),
        hosts=tuple(replace(host, ft_logging_gbps=1.0) for host in base.hosts),
        vms=vms,
        affinity=(*base.affinity, *more),
    )


@dear()
@given(guarded_worlds())
def test_in_every_mode_each_vm_is_somewhere_it_may_be_or_named(scenario: Scenario) -> None:
    """Nothing stands on a host that is gone, against a must-rule, or where it can't run."""
    hosts = {host.id: host for host in scenario.hosts}
    for mode in study(scenario):
        gone = set(mode.mode.hosts)
        placed = [(each.vm, each.host) for each in mode.restarted]
        placed += [(each.vm, each.host) for each in mode.taken_over]
        named = [vm for vm, _ in placed]
        named += [each.vm for each in mode.not_restarted] + list(mode.stays_down)
        lost = {vm.id for vm in scenario.vms if vm.powered_on and vm.host in gone}
        assert sorted(named) == sorted(lost), mode.mode.id
        for id, place in placed:
            vm = scenario.vm(id)
            assert place not in gone
            assert hosts[place].cluster == hosts[vm.host or ""].cluster
            assert vm.disk_mode is not DiskMode.LOCAL
            assert runs_on(vm, hosts[place]) or not runs_on(vm, hosts[vm.host or ""])
            for rule in scenario.affinity:
                must = rule.kind is AffinityKind.MUST_RUN_ON and id in rule.vms
                assert not must or place in rule.hosts


@dear()
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_hosts_changes_nothing_but_the_order_of_rows(
    scenario: Scenario, dice: Random
) -> None:
    hosts = list(scenario.hosts)
    dice.shuffle(hosts)
    other = replace(scenario, hosts=tuple(hosts))
    one, two = predict(scenario), predict(other)
    assert (one.verdict, one.sentence, one.binding) == (two.verdict, two.sentence, two.binding)
    assert one.headroom == two.headroom
    assert list(one.vms.response_ms.value) == pytest.approx(
        list(two.vms.response_ms.value), nan_ok=True
    )
    for id in one.hosts.ids:
        there = [table.hosts.index(id) for table in (one, two)]
        pair = zip((one.hosts, two.hosts), there, strict=True)
        cpu = [(t.failure_cpu_pct[row], t.failure_ram_pct[row]) for t, row in pair]
        assert cpu[0] == pytest.approx(cpu[1], nan_ok=True)
    assert {mode.host: mode for mode in one.failures} == {m.host: m for m in two.failures}
    first, second = study(scenario, *HOST_KINDS), study(other, *HOST_KINDS)
    found = {frozenset(mode.mode.hosts) | {mode.mode.maintenance}: mode for mode in second}
    for mode in first:
        again = found[frozenset(mode.mode.hosts) | {mode.mode.maintenance}]
        assert set(mode.restarted) == set(again.restarted)
        # Of two hosts that are equal but for rounding either is named.
        assert mode.cpu_pct.value == pytest.approx(again.cpu_pct.value)
        assert mode.ram_pct.value == pytest.approx(again.ram_pct.value)
        assert (mode.verdict, mode.not_restarted) == (again.verdict, again.not_restarted)
    assert [w.host for w in first.worst_hosts()] == [w.host for w in second.worst_hosts()]


# --- single cases -----------------------------------------------------------------------------


def test_modes_are_listed_kind_by_kind() -> None:
    scenario = replace(
        a_cluster_of(3, vms=2, cluster_partners=()),
        vms=(
            a_vm("m1", cluster_partners=("m2",)),
            a_vm("m2", host="h2", cluster_partners=("m1",)),
            a_vm("m3", vcpus=1, fault_tolerance=True),
        ),
    )
    scenario = scenario.edit(Host, "h3", lambda host: replace(host, failure_group="Rack-1"))
    assert [mode.id for mode in modes_of(scenario)] == [
        "normal",
        *("host h1", "host h2", "host h3"),
        *("hosts h1, h2", "hosts h1, h3", "hosts h2, h3"),
        "group Rack-1",
        *("maintenance h1, host h2", "maintenance h1, host h3", "maintenance h2, host h1"),
        *("maintenance h2, host h3", "maintenance h3, host h1", "maintenance h3, host h2"),
        "controller p1",
        *("partner m1", "partner m2"),
        "ft m3",
    ]
    assert len(modes_of(scenario, [KIND.HOST])) == 3


def test_of_like_hosts_the_first_by_id_takes_a_vm() -> None:
    scenario = a_cluster_of(4, vms=1)
    for hosts in (scenario.hosts, scenario.hosts[::-1]):
        mode = mode_of(replace(scenario, hosts=hosts), "host h1")
        assert [each.host for each in mode.restarted] == ["h2"]
        assert mode.cpu_host == "h2"


def test_an_empty_or_lonely_host_has_nothing_to_fail_over() -> None:
    scenario = a_cluster_of(2, vms=1).with_item(a_host("h9")).with_item(a_vm("m9", host="h9"))
    empty, lonely = mode_of(scenario, "host h2"), mode_of(scenario, "host h9")
    assert (empty.verdict, empty.note) == (None, NOTHING_TO_FAIL_OVER)
    assert (lonely.verdict, lonely.note, lonely.stays_down) == (None, STANDS_ALONE, ("m9",))
    assert empty.cpu_pct.value is None


def test_normal_operation_stands_beside_the_failures() -> None:
    scenario = a_cluster_of(2, vms=4)
    mode, prediction = mode_of(scenario, "normal"), predict(scenario)
    assert mode.cpu_pct.value == pytest.approx(prediction.hosts.cpu_pct.value.max())
    assert mode.ram_pct.value == pytest.approx(prediction.hosts.ram_pct.value.max())
    assert mode.response_ms.value == pytest.approx(prediction.vms.response_ms.value.max())
    assert mode.ready_pct.value == pytest.approx(prediction.vms.ready_pct.value.max())
    assert mode.iops.value == pytest.approx(prediction.pools.iops.value.max())
    assert mode.verdict is Verdict.FITS
    busy = mode_of(with_policy(scenario, cpu_limit_pct=1.0), "normal")
    assert busy.verdict is Verdict.DOES_NOT_FIT
    assert busy.shortfall.cpu_ghz > 0


def test_normal_operation_rests_on_what_evaluate_says_of_it() -> None:
    """One measured run, alone: its response is measured here too, and no factor transfers it."""
    scenario = wv21("clovertown", "vmfs", 14.5, 4000.0)
    prediction, mode = predict(scenario), mode_of(scenario, "normal")
    normal = compare_designs(scenario, KNOWLEDGE)[0].normal
    response = prediction.vms.response_ms[0]
    assert (response.basis, response.measured) == (Basis.MEASURED, 65.0)
    assert mode.response_ms == normal.response_ms == response
    assert mode.cpu_pct == normal.cpu_pct == prediction.hosts.cpu_pct[0]
    assert mode.disk_pct == normal.disk_pct == prediction.pools.utilisation_pct[0]


def test_ready_time_of_the_run_itself_is_measured_in_a_study_too() -> None:
    scenario = a_scenario(vms=(a_vm("m1", 4000.0), a_vm("m2", 4000.0)))
    ready = predict(scenario).vms.quantity("m1", "ready_pct")
    assert (ready.basis, ready.measured is None) == (Basis.MEASURED, False)
    assert mode_of(scenario, "normal").ready_pct == ready


def test_memory_of_physical_servers_alone_is_that_of_the_fullest() -> None:
    """None has a limit; beside a host that has one they don't count."""
    bare = {"server": "ibm-x366", "hypervisor": "none", "cluster": None}
    hosts = a_host("h1", ram_gib=32.0, **bare), a_host("h2", ram_gib=16.0, **bare), a_host("h3")
    vms = tuple(a_vm(f"m{n}", host=f"h{n}", disk_mode=DiskMode.PHYSICAL) for n in (1, 2))
    scenario = a_scenario(hosts=hosts[:2], vms=vms)
    used, mode = predict(scenario).hosts.ram_pct, mode_of(scenario, "normal")
    assert (mode.ram_host, mode.ram_pct) == ("h2", used[1])
    assert used[1].value == 50.0
    (design,) = {each.normal.ram_pct for each in compare_designs(scenario, KNOWLEDGE)}
    assert design == used[1]
    assert mode.ram_limit_pct is None
    assert mode == mode_of(scenario, "normal")
    virtual = replace(scenario, hosts=hosts, vms=(*vms, a_vm("m3", host="h3")))
    assert mode_of(virtual, "normal").ram_host == "h3"


def test_two_runs_together_are_measured_by_nobody() -> None:
    """Value and high end of the worst response are of two VMs."""
    ends = np.array([70.0, 30.0, 400.0])
    one = np.array([[70.0, 60.0], [30.0, 20.0], [100.0, 400.0]])
    estimate = Estimate(one, np.zeros(2, np.int8), np.zeros(2, np.int32), np.array([65.0, 58.0]))
    found = worst_quantity(ends, estimate, 0, Sources())
    assert (found.basis, found.measured) == (Basis.INTERPOLATED, None)
    alone = worst_quantity(one[:, 0], estimate, 0, Sources())
    assert (alone.basis, alone.measured) == (Basis.MEASURED, 65.0)


def test_what_is_known_of_a_failure_names_its_evidence() -> None:
    """Two clusters: one of family B, one of family A. The second says nothing about the first."""
    base = a_cluster_of(2, vms=3)
    other = {"server": "intel-clovertown-whitebox", "hypervisor": "esx-3.0.1", "cluster": "c2"}
    scenario = replace(
        base,
        clusters=(*base.clusters, Cluster(id="c2", name="Other")),
        hosts=(*base.hosts, a_host("h3", **other), a_host("h4", **other)),
        vms=(*base.vms, a_vm("m9", host="h3", workload=workload(3000.0, release="7.0.2"))),
    )
    prediction, studied = predict(scenario), study(scenario)
    behind = {vm.id: prediction.vms.quantity(vm.id, "response_ms").evidence for vm in scenario.vms}
    assert set(behind["m1"]).isdisjoint(behind["m9"])
    for mode in studied:
        for name in ("cpu_pct", "response_ms", "ready_pct", "iops", "disk_pct"):
            assert getattr(mode, name).evidence or getattr(mode, name).value is None
    for host, vms in (("h1", base.vms), ("h3", scenario.vms[-1:])):
        alone, failed = studied.of(f"host {host}"), prediction.failures
        assert alone is not None
        wanted = {id for vm in vms for id in behind[vm.id]}
        assert set(alone.response_ms.evidence) == wanted
        (same,) = (each for each in failed if each.host == host)
        assert same.response_ms == alone.response_ms
    both = studied.of("hosts h1, h3")
    assert both is not None
    assert set(both.response_ms.evidence) == {*behind["m1"], *behind["m9"]}
    pool = prediction.pools.quantity("p1", "iops")
    assert both.iops.evidence == pool.evidence


def test_two_hosts_of_different_clusters_are_two_single_failures() -> None:
    base = a_cluster_of(2, vms=2)
    scenario = replace(
        base,
        clusters=(*base.clusters, Cluster(id="c2", name="Other")),
        hosts=(*base.hosts, a_host("h3", cluster="c2"), a_host("h4", cluster="c2")),
        vms=(*base.vms, a_vm("m3", 3000.0, host="h3")),
    )
    both = mode_of(scenario, "hosts h1, h3")
    singles = [mode_of(scenario, f"host {id}") for id in ("h1", "h3")]
    values = [each.cpu_pct.value or 0.0 for each in singles]
    assert both.cpu_pct.value == max(values)
    assert {each.vm for each in both.restarted} == {"m1", "m3"}


def test_a_group_may_take_a_whole_cluster() -> None:
    scenario = a_cluster_of(2, vms=2)
    hosts = tuple(replace(host, failure_group="Site") for host in scenario.hosts)
    mode = mode_of(replace(scenario, hosts=hosts), "group Site")
    assert mode.verdict is Verdict.DOES_NOT_FIT
    assert {s.reason for s in mode.not_restarted} == {NO_SURVIVOR}
    assert mode.shortfall.ram_gib == pytest.approx(sum(predict(scenario).vms.ram_gib.value))


def test_in_maintenance_vms_move_first_and_all_of_them() -> None:
    base = a_cluster_of(3, vms=0)
    disabled = RestartPriority.DISABLED
    scenario = replace(
        base,
        vms=(
            a_vm("m1", host="h1", restart_priority=disabled),
            a_vm("m2", host="h2", ram_gib=20.0),
            a_vm("m3", host="h2", restart_priority=disabled),
        ),
    )
    mode = mode_of(scenario, "maintenance h1, host h2")
    moved = [(r.vm, r.host, r.moved_before) for r in mode.restarted]
    assert moved == [("m1", "h3", True), ("m2", "h3", False)]
    assert mode.stays_down == ("m3",)


def test_why_a_vm_finds_no_place_is_said() -> None:
    must = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",))
    ruled = replace(a_cluster_of(2, vms=1), affinity=(must,))
    (stranded,) = mode_of(ruled, "host h1").not_restarted
    assert stranded.reason == NO_ALLOWED
    pair = tuple(a_vm(f"m{n}", host=f"h{n}", cpu_reservation_mhz=20_000.0) for n in (1, 2))
    greedy = replace(a_cluster_of(2, vms=0), vms=pair)
    (stranded,) = mode_of(greedy, "host h1").not_restarted
    assert stranded.reason == NO_RESERVATION
    small = a_cluster_of(2, vms=1).with_item(a_host("h2", cluster="c1", ram_gib=4.0))
    (stranded,) = mode_of(small, "host h1").not_restarted
    assert stranded.reason.startswith("no host has 8.3")


def test_where_the_least_used_host_is_too_small_the_one_with_most_room_takes_over() -> None:
    """14 of 16 GiB are free there, 32 of 72 on the second, 16 of 96 on the third."""
    base = a_cluster_of(4, vms=0)
    for host, gib in zip(base.hosts[1:], (16.0, 72.0, 96.0), strict=True):
        base = base.with_item(replace(host, ram_gib=gib))
    memory = {"m1": 20.0, "m2": 2.0, "m3": 40.0, "m4": 80.0}
    vms = tuple(a_vm(id, 10.0, host=f"h{id[1]}", ram_gib=gib) for id, gib in memory.items())
    (restart,) = mode_of(replace(base, vms=vms), "host h1").restarted
    assert (restart.vm, restart.host) == ("m1", "h3")


def test_what_finds_no_room_is_short_where_most_room_is_left() -> None:
    """40 GiB beside 20 of 48 lack about 12; beside 60 of 72 they would lack 28."""
    base = a_cluster_of(3, vms=0)
    scenario = replace(
        base.with_item(replace(base.hosts[2], ram_gib=48.0)),
        vms=(
            a_vm("m1", 10.0, host="h1", ram_gib=40.0),
            a_vm("m2", 10.0, host="h2", ram_gib=60.0),
            a_vm("m3", 10.0, host="h3", ram_gib=20.0),
        ),
    )
    mode = mode_of(scenario, "host h1")
    assert [each.vm for each in mode.not_restarted] == ["m1"]
    assert mode.shortfall.ram_gib == pytest.approx(12.0, abs=2.0)


@pytest.mark.parametrize(
    ("reserved", "finds_a_place"),
    [
        ({"cpu_reservation_mhz": 11_700.0}, True),
        ({"cpu_reservation_mhz": 11_800.0}, False),
        ({"memory_reservation_gib": 35.0}, True),
        ({"memory_reservation_gib": 37.0}, False),
    ],
)
def test_two_like_reservations_take_half_a_host_each(
    reserved: dict[str, float], finds_a_place: bool
) -> None:
    """Eight cores of 2,933 MHz and 72 GiB; memory is overcommitted, so it isn't what is short."""
    scenario = a_cluster_of(2, vms=2, users=10.0, ram_gib=40.0, **reserved)
    mode = mode_of(with_policy(scenario, memory_overcommit=2.0), "host h1")
    assert [each.vm for each in mode.restarted] == (["m1"] if finds_a_place else [])


def test_a_host_with_everything_against_it_is_better_than_none() -> None:
    """h3 stands by and is too small; h2 is not where m1 should run, and m2 is to be apart of it."""
    standing = Admission(policy=AdmissionPolicy.DEDICATED, failover_host="h3")
    base = a_cluster_of(3, vms=2, users=10.0)
    scenario = replace(
        base.with_item(replace(base.hosts[2], ram_gib=4.0)),
        clusters=(Cluster(id="c1", name="Mail", admission=standing),),
        affinity=(
            Affinity(id="r1", kind=AffinityKind.APART, vms=("m1", "m2")),
            Affinity(id="r2", kind=AffinityKind.SHOULD_RUN_ON, vms=("m1",), hosts=("h1",)),
        ),
    )
    (restart,) = mode_of(scenario, "host h1").restarted
    assert (restart.vm, restart.host) == ("m1", "h2")


def test_preferences_that_a_restart_breaks_are_named() -> None:
    rules = (
        Affinity(id="apart", kind=AffinityKind.APART, vms=("m1", "m2")),
        Affinity(id="pair", kind=AffinityKind.TOGETHER, vms=("m1", "m3")),
        Affinity(id="should", kind=AffinityKind.SHOULD_RUN_ON, vms=("m1",), hosts=("h1",)),
    )
    scenario = replace(
        a_cluster_of(2, vms=0),
        vms=(a_vm("m1"), a_vm("m2", host="h2"), a_vm("m3", host="h2")),
        affinity=rules,
    )
    (restart,) = mode_of(scenario, "host h1").restarted
    assert restart.breaks == ("apart", "should")


def test_the_worst_hosts_of_cpu_and_ram_may_differ() -> None:
    """h1 holds the CPU load, h2 the memory."""
    scenario = replace(
        a_cluster_of(3, vms=0),
        vms=(
            a_vm("m1", 8000.0, host="h1", ram_gib=2.0, vcpus=4),
            a_vm("m2", 10.0, host="h2", ram_gib=50.0),
            a_vm("m3", 3000.0, host="h3", ram_gib=4.0),
        ),
    )
    worst = {each.resource: each for each in study(scenario, KIND.HOST).worst_hosts()}
    assert worst["cpu_pct"].host != worst["ram_pct"].host
    assert worst["ram_pct"].host == "h2"
    assert worst["cpu_pct"].load == pytest.approx((worst["cpu_pct"].value.value or 0) / 70.0)


def test_cpu_and_disks_are_over_their_limits_at_peak_the_others_as_they_are() -> None:
    policy = {
        "cpu_limit_pct": 60.0,
        "peak_factor_cpu": 1.5,
        "memory_overcommit": 1.25,
        "response_limit_ms": 400.0,
        "disk_limit_pct": 80.0,
        "peak_factor_iops": 3.0,
    }
    found = study(with_policy(a_cluster_of(3, vms=3, users=4000.0), **policy), KIND.HOST)
    assert len(found) == 3
    for row, mode in enumerate(found):
        by_hand = [
            (mode.cpu_pct.value or 0.0) * 1.5 / 60.0,
            (mode.ram_pct.value or 0.0) / 125.0,
            (mode.response_ms.value or 0.0) / 400.0,
            (mode.disk_pct.value or 0.0) * 3.0 / 80.0,
        ]
        assert min(by_hand) > 0.1
        assert found.loads[:, row].tolist() == pytest.approx(by_hand)
    loads = {each.resource: each.load for each in found.worst_hosts()}
    for resource, row in (("cpu_pct", 0), ("ram_pct", 1), ("response_ms", 2), ("disk_pct", 3)):
        assert loads[resource] == pytest.approx(found.loads[row].max())


def test_ranked_puts_the_worst_first_and_what_is_not_judged_last() -> None:
    scenario = replace(
        a_cluster_of(3, vms=0),
        vms=(a_vm("m1", host="h1", ram_gib=70.0), a_vm("m2", host="h2", ram_gib=30.0)),
    )
    studied = study(scenario, KIND.HOST)
    ids = [studied.modes[row].id for row in studied.ranked()]
    assert ids[-1] == "host h3"
    codes = [studied.columns.codes[row] for row in studied.ranked()]
    assert codes == sorted(codes, reverse=True)


def test_of_failures_that_do_not_fit_the_one_that_lacks_most_memory_is_the_worst() -> None:
    memory = {"m1": 40.0, "m2": 60.0, "m3": 50.0}
    vms = tuple(a_vm(id, host=f"h{id[1]}", ram_gib=gib) for id, gib in memory.items())
    studied = study(replace(a_cluster_of(3, vms=0), vms=vms), KIND.HOST)
    ranked = [studied[row] for row in studied.ranked()]
    assert ranked[0].mode.subject == "h2"
    short = [mode.shortfall.ram_gib or 0.0 for mode in ranked]
    assert short == sorted(short, reverse=True)
    assert short[0] > short[-1] > 0


def test_io_of_vms_that_stay_down_leaves_their_own_pool() -> None:
    pools = (a_pool("p1"), a_pool("p2"), a_pool("p3"))
    vms = (
        a_vm("m1", 4000.0, host="h1", pool="p1", restart_priority=RestartPriority.DISABLED),
        a_vm("m2", 3000.0, host="h2", pool="p2"),
        a_vm("m3", 100.0, host="h1", pool="p3"),
    )
    scenario = replace(a_cluster_of(2, vms=0), pools=pools, vms=vms)
    alone = predict(scenario).pools
    normal, lost = mode_of(scenario, "normal"), mode_of(scenario, "host h1")
    assert (normal.pool, normal.iops.value) == ("p1", alone.quantity("p1", "iops").value)
    assert lost.stays_down == ("m1",)
    assert lost.pool == "p2"
    assert lost.iops.value == pytest.approx(alone.quantity("p2", "iops").value)


# --- servers and controllers ------------------------------------------------------------------


def test_users_of_a_lost_partner_move_and_its_vm_stays() -> None:
    """2,000 active users a server, 4,000 in failover: as one that has no partner (table 1)."""
    scenario = members(2, 2000.0)
    mode = mode_of(scenario, "partner m1")
    moved = scenario.edit(Vm, "m2", _with_users(4000.0)).edit(Vm, "m1", _with_users(0.0))
    after = predict(without_partners(moved))
    assert mode.cpu_pct.value == pytest.approx(after.hosts.cpu_pct.value.max())
    assert after.vms.cpu_pct.value[1] == pytest.approx(28.74)
    assert mode.response_ms.value == pytest.approx(after.vms.response_ms.value[1])
    assert mode.ram_pct.value == pytest.approx(predict(scenario).hosts.ram_pct.value.max())
    assert mode.note == "2,000 users of M1 move to M2 (4,000 then)"
    assert mode.verdict is Verdict.FITS
    assert mode.restarted == ()


def _with_users(users: float) -> Callable[[Vm], Vm]:
    return lambda vm: replace(vm, workload=replace(vm.workload, active_users=users))


def test_users_spread_over_all_partners_that_run() -> None:
    mode = mode_of(members(4, 1000.0), "partner m1")
    assert mode.note == (
        "1,000 users of M1 move to M2 (1,333 then), M3 (1,333 then), M4 (1,333 then)"
    )


def test_without_a_partner_that_runs_users_have_no_server() -> None:
    scenario = members(2, 2000.0).edit(Vm, "m2", lambda vm: replace(vm, powered_on=False))
    mode = mode_of(scenario, "partner m1")
    assert mode.verdict is Verdict.DOES_NOT_FIT
    assert mode.note == "no partner of M1 runs: its 2,000 users have no server"


def test_a_partner_that_cannot_be_powered_on_serves_nobody() -> None:
    pair = members(2, 2000.0).edit(Vm, "m2", lambda vm: replace(vm, vcpus=99))
    mode = mode_of(pair, "partner m1")
    assert mode.note == "no partner of M1 runs: its 2,000 users have no server"
    trio = members(3, 1000.0).edit(Vm, "m2", lambda vm: replace(vm, vcpus=99))
    assert mode_of(trio, "partner m1").note == "1,000 users of M1 move to M3 (2,000 then)"


def test_a_partner_that_cannot_be_powered_on_is_not_lost() -> None:
    trio = members(3, 1000.0)
    wide = trio.edit(Vm, "m2", lambda vm: replace(vm, vcpus=99))
    assert [mode.mode.subject for mode in study(wide, KIND.PARTNER)] == ["m1", "m3"]
    assert not study(members(3, 1000.0, vcpus=99), KIND.PARTNER)


def test_a_controller_takes_its_share_along() -> None:
    """An array whose controllers carry 10,000 I/Os/s carries 5,000 with one of them."""
    scenario = a_scenario(
        pools=(a_pool(array="ibm-ds4800", raid="10", spindles=200),),
        vms=tuple(a_vm(f"m{n}", 4000.0) for n in range(3)),
    )
    ceiling = CATALOG.arrays["ibm-ds4800"].ceiling_iops
    assert ceiling is not None
    normal, mode = mode_of(scenario, "normal"), mode_of(scenario, "controller p1")
    assert mode.iops.value == pytest.approx(normal.iops.value)
    assert mode.disk_pct.value == pytest.approx(
        100 * (normal.iops.value or 0) / (ceiling / 2), rel=0.5
    )
    assert (mode.disk_pct.value or 0) >= (normal.disk_pct.value or 0)
    assert mode.note.startswith("one of 2 controllers (assumed) gone")
    alone = replace(scenario, assumptions=Assumptions(array_controllers=1))
    assert mode_of(alone, "controller p1").verdict is Verdict.DOES_NOT_FIT


def test_the_loss_of_a_controller_without_a_figure_is_not_known() -> None:
    silent = [id for id, a in CATALOG.arrays.items() if a.ceiling_iops is None]
    scenario = a_scenario(pools=(a_pool(array=silent[0]),))
    mode = mode_of(scenario, "controller p1")
    assert (mode.verdict, mode.note[:7]) == (Verdict.NOT_KNOWN, "no data")
    assert mode.disk_pct.value is None
    empty = replace(scenario, pools=(*scenario.pools, a_pool("p2", array=silent[0])))
    assert mode_of(empty, "controller p2").verdict is not Verdict.NOT_KNOWN


# --- Fault Tolerance --------------------------------------------------------------------------


def protected(hosts: int, **fields: Any) -> Scenario:
    base = a_cluster_of(hosts, vms=0)
    logged = tuple(replace(host, ft_logging_gbps=1.0) for host in base.hosts)
    vm = a_vm(**{"vcpus": 1, "fault_tolerance": True, **fields})
    return replace(base, hosts=logged, vms=(vm,))


def test_a_secondary_takes_over_and_a_new_one_starts_elsewhere() -> None:
    scenario = protected(3)
    mode = mode_of(scenario, "ft m1")
    (takeover,) = mode.taken_over
    assert mode.restarted == ()
    fresh = ({"h2", "h3"} - {takeover.host}).pop()
    assert f"a new secondary starts on {fresh.upper()}" in mode.note
    assert "response while it takes over: no data" in mode.note
    once = predict(scenario).vms.ram_gib.value[0] + 0.265625
    assert mode.ram_pct.value == pytest.approx(100 * once / 72.0)
    assert mode.verdict is Verdict.FITS


def test_with_two_hosts_it_runs_on_unprotected() -> None:
    mode = mode_of(protected(2), "ft m1")
    assert "it runs on unprotected" in mode.note
    alone = a_scenario(vms=(a_vm(vcpus=1, fault_tolerance=True),))
    assert mode_of(alone, "ft m1").note == f"it has no secondary; {STANDS_ALONE}"
    down = protected(2, vcpus=2, restart_priority=RestartPriority.DISABLED)
    assert mode_of(down, "ft m1").note == "it has no secondary; 1 VM stays down"
    never_ran = "1 VM can’t be powered on, so it did not run before either"
    assert mode_of(protected(2, ram_gib=400.0), "ft m1").note == never_ran


@pytest.mark.parametrize("why", ["no network", "stands by", "no such release", "other processor"])
def test_a_new_secondary_starts_only_where_one_may_run(why: str) -> None:
    """As the first one: `ft_secondaries` leaves out the same hosts."""
    scenario = protected(3)
    if why == "no network":
        scenario = scenario.edit(Host, "h3", lambda host: replace(host, ft_logging_gbps=None))
    elif why == "stands by":
        kept = Admission(policy=AdmissionPolicy.DEDICATED, failover_host="h3")
        scenario = replace(scenario, clusters=(replace(scenario.clusters[0], admission=kept),))
    elif why == "no such release":
        scenario = scenario.edit(Host, "h2", lambda host: replace(host, hypervisor="esx-3.5"))
    else:
        added = replace(scenario.hosts[1], id="h4", name="H4")
        scenario = replace(scenario, hosts=(*scenario.hosts, added)).edit(
            Host, "h3", lambda host: replace(host, server="r740-6148", ram_gib=512.0)
        )
    mode = mode_of(scenario, "ft m1")
    assert [each.host for each in mode.taken_over] == ["h2"]
    if why == "other processor":
        assert "a new secondary starts on H4" in mode.note
    else:
        assert "it runs on unprotected" in mode.note


def test_a_new_secondary_counts_where_it_starts() -> None:
    scenario = protected(3, ram_gib=30.0)
    full = (a_vm("m2", host="h2", ram_gib=20.0), a_vm("m3", host="h3", ram_gib=20.0))
    mode = mode_of(replace(scenario, vms=(*scenario.vms, *full)), "ft m1")
    host = mode_of(replace(scenario, vms=(*scenario.vms, *full)), "host h1")
    assert mode.ram_pct.value is not None
    assert host.ram_pct.value is not None
    assert mode.ram_pct.value >= host.ram_pct.value


def test_both_hosts_of_a_protected_vm_may_be_gone() -> None:
    scenario = protected(3)
    (takeover,) = mode_of(scenario, "ft m1").taken_over
    pair = sorted(["h1", takeover.host])
    mode = mode_of(scenario, f"hosts {pair[0]}, {pair[1]}")
    assert [each.vm for each in mode.restarted] == ["m1"]


def test_all_pairs_of_a_small_cluster_are_there() -> None:
    studied = study(a_cluster_of(5, vms=5), KIND.TWO_HOSTS)
    assert {mode.hosts for mode in studied.modes} == set(
        combinations([f"h{n + 1}" for n in range(5)], 2)
    )


def test_a_scenario_without_hosts_has_no_failure_to_study() -> None:
    study = study_failures(Scenario(name="Empty"), KNOWLEDGE)
    assert [mode.mode.kind for mode in study] == [ModeKind.NORMAL]
    assert study.worst_hosts() == ()


def test_no_failure_claims_a_fit_that_normal_operation_does_not() -> None:
    """Of one of the servers neither CPU nor response is known, and it restarts somewhere."""
    chat = a_vm("m9", 500.0, host="h1", kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1")
    base = a_cluster_of(3, vms=3)
    scenario = replace(base, vms=(*base.vms, chat))
    prediction = predict(scenario)
    assert prediction.verdict is Verdict.NOT_KNOWN
    shown = [mode.shown for mode in (*prediction.failures, *study(scenario, ModeKind.HOST))]
    (row, *_) = compare_designs(scenario, KNOWLEDGE)
    for each in (prediction.shown, *shown, row.normal.shown):
        assert each is not None
        assert (each.verdict, each.words) == (Verdict.NOT_KNOWN, "not known")


def test_a_study_can_be_given_up_between_its_steps() -> None:
    """Two hosts at a time are many scenarios; nobody waits for those of the scenario before."""

    class GivenUp(Exception):
        pass

    calls = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 2:
            raise GivenUp

    with pytest.raises(GivenUp):
        study_failures(a_cluster_of(3, vms=3), KNOWLEDGE, which=EVERY_KIND, check=check)
    assert len(calls) == 2
