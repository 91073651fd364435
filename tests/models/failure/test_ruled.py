"""Restarts under rules: must-rules always hold, others where there is room; standby hosts first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from models.judgement.binding import binding_text
from models.judgement.gauges import gauges
from models.physics.scenario_to_arrays import to_arrays
from models.predict.prediction import Verdict
from models.proposal.design import headroom_bars
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    Scenario,
)
from models.stages import restarts
from models.whatif import what_if
from tests.chance import dear
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_vm,
    found,
    predict,
    refused,
    with_policy,
)

KIND = AffinityKind


def ruled(scenario: Scenario, *rules: tuple[AffinityKind, str, str]) -> Scenario:
    """With rules such as ``(KIND.MUST_RUN_ON, "m1 m2", "h1")``."""
    return replace(
        scenario,
        affinity=tuple(
            Affinity(id=f"r{n}", kind=kind, vms=tuple(vms.split()), hosts=tuple(hosts.split()))
            for n, (kind, vms, hosts) in enumerate(rules)
        ),
    )


def places(scenario: Scenario, host: str) -> dict[str, str | None]:
    """Where each VM of a host restarts when it fails; None for nowhere."""
    failover, arrays = restarts(scenario, KNOWLEDGE), to_arrays(scenario, CATALOG)
    (mode,) = np.flatnonzero(failover.failed == arrays.hosts.ids.index(host))
    rows = np.flatnonzero(failover.moved_mode == mode)
    return {
        arrays.vms.ids[failover.moved_vm[row]]: None
        if failover.moved_to[row] < 0
        else arrays.hosts.ids[failover.members[mode, failover.moved_to[row]]]
        for row in rows.tolist()
    }


THREE = a_cluster_of(3, vms=3)


def test_a_must_rule_decides_where() -> None:
    for host in ("h2", "h3"):
        assert places(ruled(THREE, (KIND.MUST_RUN_ON, "m1", f"h1 {host}")), "h1") == {"m1": host}


def test_a_vm_that_no_survivor_may_run_stays_down_and_lacks_no_memory() -> None:
    scenario = ruled(THREE, (KIND.MUST_RUN_ON, "m1", "h1"))
    assert places(scenario, "h1") == {"m1": None}
    prediction = predict(scenario)
    mode = prediction.failures[0]
    assert (mode.stranded, mode.verdict) == (["m1"], Verdict.DOES_NOT_FIT)
    assert mode.shortfall.ram_gib == 0
    assert prediction.verdict is Verdict.AT_RISK
    assert "1 VM finds no room that rules" in prediction.sentence
    assert "RAM short" not in prediction.sentence
    (finding,) = found(prediction, "n-plus-one")
    assert "1 VM finds no room (by rules, reservations or limits)" in finding.text
    assert finding.fix.startswith("Let rules allow another host")


def test_of_several_must_rules_all_hold() -> None:
    scenario = ruled(THREE, (KIND.MUST_RUN_ON, "m1", "h1 h2"), (KIND.MUST_RUN_ON, "m1 m2", "h1 h3"))
    assert places(scenario, "h1") == {"m1": None}


def test_preferences_hold_where_there_is_room_and_only_there() -> None:
    apart = ruled(THREE, (KIND.APART, "m1 m2", ""))
    assert places(apart, "h1") == {"m1": "h3"}
    liked = ruled(THREE, (KIND.SHOULD_RUN_ON, "m1", "h3"))
    assert places(liked, "h1") == {"m1": "h3"}
    full = liked.with_item(replace(liked.host("h3"), ram_gib=9.0))
    assert places(full, "h1") == {"m1": "h2"}
    both = ruled(apart, (KIND.APART, "m1 m2 m3", ""))
    assert places(both, "h1")["m1"] in {"h2", "h3"}


def test_vms_that_restart_are_kept_apart_from_each_other() -> None:
    scenario = ruled(a_cluster_of(3, vms=2, host="h1"), (KIND.APART, "m1 m2", ""))
    assert set(places(scenario, "h1").values()) == {"h2", "h3"}


def test_standby_hosts_go_first_and_others_when_they_are_full() -> None:
    admission = Admission(policy=AdmissionPolicy.DEDICATED, failover_host="h3")
    led = replace(
        a_cluster_of(3, vms=0),
        clusters=(Cluster(id="c1", name="Mail", admission=admission),),
        vms=tuple(a_vm(f"m{n}", host="h1", ram_gib=8.0) for n in range(4)),
    )
    assert set(places(led, "h1").values()) == {"h3"}
    small = led.with_item(replace(led.host("h3"), ram_gib=20.0))
    assert sorted(map(str, places(small, "h1").values())) == ["h2", "h2", "h3", "h3"]


def test_cpu_reservations_need_free_mhz() -> None:
    """A host has 8 × 2,930 MHz: of VMs with 9,000 MHz each it takes two."""
    vms = [a_vm(f"m{n}", host="h1", cpu_reservation_mhz=9000.0) for n in range(2)]
    other = a_vm("m9", host="h2", cpu_reservation_mhz=9000.0)
    scenario = replace(a_cluster_of(2, vms=0), vms=(*vms, other))
    there = places(scenario, "h1")
    assert sorted(map(str, there.values())) == ["None", "h2"]
    mode = predict(scenario).failures[0]
    assert len(mode.not_restarted) == 1
    assert mode.verdict is Verdict.DOES_NOT_FIT


def test_what_its_host_cannot_reserve_never_ran() -> None:
    vms = tuple(a_vm(f"m{n}", host="h1", cpu_reservation_mhz=9000.0) for n in range(3))
    scenario = replace(a_cluster_of(2, vms=0), vms=vms)
    assert refused(scenario) == {"m2"}
    prediction = predict(scenario)
    assert prediction.verdict is Verdict.DOES_NOT_FIT
    assert prediction.binding is not None
    assert (prediction.binding.subject, prediction.binding.rule) == ("m2", "reservation-over-host")
    assert "M2 reserves 9,000\u202fMHz, which H1 can’t keep" in prediction.sentence
    assert places(scenario, "h1") == {"m0": "h2", "m1": "h2"}


def test_memory_reservations_bind_where_memory_is_overcommitted() -> None:
    loose = with_policy(a_cluster_of(2, vms=0), memory_overcommit=2.0)
    hosts = ("h1", "h1", "h2", "h2")
    vms = tuple(a_vm(f"m{n}", host=hosts[n], ram_gib=30.0) for n in range(4))
    reserved = tuple(replace(vm, memory_reservation_gib=30.0) for vm in vms)
    assert None not in places(replace(loose, vms=vms), "h1").values()
    assert list(places(replace(loose, vms=reserved), "h1").values()).count(None) == 2


hosts = st.sampled_from(["h1", "h2", "h3", "h4"])
subsets = st.lists(hosts, min_size=1, max_size=3, unique=True)


@st.composite
def worlds(draw: st.DrawFn) -> Scenario:
    count = draw(st.integers(1, 10))
    base = a_cluster_of(4, vms=0)
    vms = [f"m{n}" for n in range(count)]
    some = st.lists(st.sampled_from(vms), min_size=1, max_size=4, unique=True)
    rules = []
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from([KIND.MUST_RUN_ON, KIND.SHOULD_RUN_ON, KIND.APART]))
        by_host = kind is not KIND.APART
        rules.append((kind, " ".join(draw(some)), " ".join(draw(subsets)) if by_host else ""))
    scenario = replace(
        base,
        hosts=tuple(
            replace(h, ram_gib=draw(st.sampled_from([18.0, 36.0, 72.0]))) for h in base.hosts
        ),
        vms=tuple(
            a_vm(
                id,
                draw(st.sampled_from([100.0, 1000.0])),
                host=draw(hosts),
                ram_gib=draw(st.sampled_from([2.0, 8.0, 15.0])),
                cpu_reservation_mhz=draw(st.sampled_from([None, None, 8000.0])),
            )
            for id in vms
        ),
    )
    return ruled(scenario, *rules)


def allowed(scenario: Scenario, vm: str) -> set[str]:
    found = {host.id for host in scenario.hosts}
    for rule in scenario.affinity:
        if rule.kind is KIND.MUST_RUN_ON and vm in rule.vms:
            found &= set(rule.hosts)
    return found


@dear()
@given(worlds(), hosts)
def test_nothing_breaks_a_must_rule_and_nothing_stays_down_that_has_a_place(
    scenario: Scenario, failed: str
) -> None:
    prediction = predict(scenario)
    need = dict(zip(prediction.vms.ids, prediction.vms.ram_gib.value.tolist(), strict=True))
    there = places(scenario, failed)
    never = refused(scenario)
    assert set(there) == {vm.id for vm in scenario.vms if vm.host == failed} - never
    final = {vm.id: there.get(vm.id, vm.host) for vm in scenario.vms}

    def room(host: str) -> tuple[float, float]:
        on = [vm for vm in scenario.vms if final[vm.id] == host]
        ram = scenario.host(host).ram_gib - 0.265625 - sum(need[vm.id] for vm in on)
        return ram, 8 * 2930.0 - sum(
            vm.cpu_reservation_mhz or 0.0 for vm in on if vm.id not in never
        )

    def takes(host: str, id: str) -> bool:
        ram, mhz = room(host)
        fits = need[id] <= ram * (1 - 1e-9)
        return fits and (scenario.vm(id).cpu_reservation_mhz or 0.0) <= mhz * (1 - 1e-9)

    for id, host in there.items():
        may = allowed(scenario, id) - {failed}
        if host is None:
            assert not any(takes(other, id) for other in may)
            continue
        assert host in may
        mates = {
            other
            for rule in scenario.affinity
            if rule.kind is KIND.APART and id in rule.vms
            for other in rule.vms
            if other != id
        }
        if any(final[mate] == host for mate in mates):
            lonely = {h for h in may if not any(final[mate] == h for mate in mates)}
            later = {vm for vm in there if vm in mates}
            assert later or not any(takes(other, id) for other in lonely)


@dear()
@given(worlds(), hosts)
def test_a_rule_that_binds_nothing_changes_nothing(scenario: Scenario, failed: str) -> None:
    vms = tuple(replace(vm, cpu_reservation_mhz=None) for vm in scenario.vms)
    bare = replace(scenario, vms=vms, affinity=())
    everywhere = ruled(bare, (KIND.MUST_RUN_ON, " ".join(v.id for v in vms), "h1 h2 h3 h4"))
    assert places(bare, failed) == places(everywhere, failed)


@dear()
@given(worlds(), hosts)
def test_what_ifs_obey_the_same_rules(scenario: Scenario, failed: str) -> None:
    down = [[False] * 4, [host.id == failed for host in scenario.hosts]]
    after = what_if(scenario, KNOWLEDGE, hosts_down=down).host[1]
    there = places(scenario, failed)
    never = {vm.id for vm in scenario.vms if vm.host == failed} & refused(scenario)
    for vm, host in zip(scenario.vms, after.tolist(), strict=True):
        expected = None if vm.id in never else there.get(vm.id, vm.host)
        assert (None if host < 0 else scenario.hosts[host].id) == expected


def test_vms_without_room_are_counted_where_a_number_would_stand_for_memory() -> None:
    """The deciding number, the dial, the comparison and the proposal's bar say how many."""
    scenario = ruled(THREE, (KIND.MUST_RUN_ON, "m2", "h2"))
    prediction = predict(scenario)
    assert prediction.binding is not None
    assert (prediction.binding.subject, prediction.binding.stranded) == ("h2", 1)
    assert binding_text(prediction.binding, str.upper) == "VMs that find no room with H2 lost: 1"
    headroom = prediction.headroom
    assert (headroom.stranded, headroom.stranding) == (1, "h2")
    dial = gauges(scenario, prediction)[-1]
    assert (dial.stranded, dial.subject, dial.verdict) == (1, "h2", Verdict.DOES_NOT_FIT)
    assert headroom_bars(scenario, prediction).rows[0].text == "1 VM finds no room"
    fine = predict(THREE)
    assert fine.binding is not None
    assert (fine.binding.stranded, fine.headroom.stranded, fine.headroom.stranding) == (0, 0, "")
