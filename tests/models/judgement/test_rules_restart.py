"""Restarts on slower machines than the one that the search takes."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from models.failure.restarted import OnSlower
from models.judgement.against_limits import NORMAL
from models.predict.demands import demands_of
from models.predict.prediction import Verdict
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    Scenario,
    Vm,
)
from models.scenario.workloads import WorkloadKind
from models.stages import evaluated
from models.tell.headline import headline
from models.whatif import what_if
from tests.models.judgement.more_cases import kept_apart
from tests.models.worlds import (
    KNOWLEDGE,
    RESERVING,
    a_host,
    a_scenario,
    a_vm,
    found,
    predict,
    with_policy,
)

FAST, SLOW = "nehalem-ept", "intel-clovertown-whitebox"
GUEST = a_vm("m1", kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.6, iops=1.0, ram_gib=8.0)
LARGE = a_vm("m2", 10.0, host="h3", ram_gib=16.0)
"""What makes the slow host the fuller one."""


def three_hosts(*vms: Vm) -> Scenario:
    """Two fast hosts of 96 GiB and a slow one of 32 GiB in a cluster."""
    return a_scenario(
        clusters=(RESERVING,),
        hosts=(
            a_host("h1", server=FAST, ram_gib=96.0, cluster="c1"),
            a_host("h2", server=FAST, ram_gib=96.0, cluster="c1"),
            a_host("h3", server=SLOW, ram_gib=32.0, cluster="c1"),
        ),
        vms=vms,
    )


def standing_by(host: str) -> Scenario:
    admission = Admission(policy=AdmissionPolicy.DEDICATED, failover_host=host)
    cluster = Cluster(id="c1", name="Mail", admission=admission)
    return replace(three_hosts(GUEST, LARGE), clusters=(cluster,))


def kept_on(*hosts: str) -> Scenario:
    rule = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=hosts)
    return replace(three_hosts(GUEST, LARGE), affinity=(rule,))


def ruled(kind: AffinityKind, vms: str, hosts: str = "") -> Scenario:
    rule = Affinity(id="r1", kind=kind, vms=tuple(vms.split()), hosts=tuple(hosts.split()))
    return replace(three_hosts(GUEST, LARGE), affinity=(rule,))


def test_a_slower_host_that_the_search_does_not_take_is_told_of() -> None:
    prediction = predict(three_hosts(GUEST, LARGE))
    (finding,) = found(prediction, "restart-slower")
    assert finding.subject == "m1"
    there = predict(three_hosts(replace(GUEST, host="h3"))).vms.cpu_pct.value[0]
    assert finding.text == (
        f"M1 may restart on H3, where it would ask for {there:.0f} % of its vCPUs, limit 70 %: "
        "HA looks for room, not for speed."
    )
    assert prediction.failures[0].verdict is not Verdict.DOES_NOT_FIT


def with_left_on_slow(gib: float, *, fast: str, slow: str) -> Scenario:
    """The cluster with a release for fast hosts and one for H3, and so much memory left there."""
    base = three_hosts(GUEST, LARGE)
    hosts = [replace(each, hypervisor=fast) for each in base.hosts[:2]]
    last = replace(base.hosts[2], hypervisor=slow)
    ram = predict(replace(base, hosts=(*hosts, last))).hosts.ram_pct.value[2]
    last = replace(last, ram_gib=ram / 100.0 * last.ram_gib + gib)
    return replace(base, hosts=(*hosts, last))


@pytest.mark.parametrize(
    ("fast", "slow", "told"),
    [("vsphere-5.0", "vsphere-6.0", ["m1"]), ("vsphere-6.0", "vsphere-5.0", [])],
)
def test_room_is_for_what_it_takes_on_a_host_of_that_kind(
    fast: str, slow: str, told: list[str]
) -> None:
    """Its overhead is 0.22 GiB under vSphere 5.0 and 0.08 under 6.0; 8.15 GiB are left."""
    takes = []
    for release in (fast, slow):
        host = a_host(server=FAST, hypervisor=release)
        there = predict(a_scenario(hosts=(host,), vms=(GUEST,)))
        takes.append(float(there.vms.ram_gib.value[0]))
    assert min(takes) < 8.15 < max(takes)
    prediction = predict(with_left_on_slow(8.15, fast=fast, slow=slow))
    assert [each.subject for each in found(prediction, "restart-slower")] == told
    assert prediction.failures[0].verdict is not Verdict.DOES_NOT_FIT


def test_all_slower_hosts_that_may_take_it_are_named_and_no_others() -> None:
    base = three_hosts(GUEST, LARGE, replace(LARGE, id="m4", host="h4"), a_vm("m5", host="h5"))
    of_kind = replace(base.hosts[2], ram_gib=96.0)
    slow = [replace(of_kind, id=f"h{number}", name=f"H{number}") for number in (4, 5)]
    full = a_vm("m6", 10.0, host="h6", ram_gib=28.0)
    third = replace(base.hosts[2], id="h6", name="H6")
    scenario = replace(base, hosts=(*base.hosts, *slow, third), vms=(*base.vms, full))
    told = {each.subject: each for each in found(predict(scenario), "restart-slower")}
    assert told["m1"].text.startswith("M1 may restart on H3, H4 and H5, where it would ask for ")
    assert told["m1"].fix == "Keep it off H3, H4 and H5 by a rule, or give it more vCPUs."


def test_of_unlike_slower_hosts_the_most_that_it_would_ask_for_is_told() -> None:
    base = three_hosts(GUEST, LARGE)
    slower = a_host("h4", server="r740-4214", ram_gib=64.0, cluster="c1")
    full = a_vm("m4", 10.0, host="h4", ram_gib=48.0)
    scenario = replace(base, hosts=(*base.hosts, slower), vms=(*base.vms, full))
    told = {each.subject: each for each in found(predict(scenario), "restart-slower")}
    on = [predict(scenario.place(["m1"], id)).vms.cpu_pct.value[0] for id in ("h3", "h4")]
    assert on[0] != on[1]
    assert told["m1"].text.startswith(
        f"M1 may restart on H3 and H4, where it would ask for up to {max(on):.0f} % of its vCPUs"
    )


def test_where_wishes_are_against_all_hosts_only_a_must_rule_helps() -> None:
    home = ruled(AffinityKind.SHOULD_RUN_ON, "m1", "h1")
    (finding,) = found(predict(home), "restart-slower")
    assert finding.fix == "Keep it off H3 by a must-rule, or give it more vCPUs."
    wish = Affinity(id="r2", kind=AffinityKind.SHOULD_RUN_ON, vms=("m1",), hosts=("h1", "h2"))
    wished = replace(home, affinity=(*home.affinity, wish))
    assert found(predict(wished), "restart-slower") == [finding]
    must = replace(wish, kind=AffinityKind.MUST_RUN_ON)
    assert not found(predict(replace(home, affinity=(*home.affinity, must))), "restart-slower")
    (easier,) = found(predict(three_hosts(GUEST, LARGE)), "restart-slower")
    assert easier.fix == "Keep it off H3 by a rule, or give it more vCPUs."


def without_room_on_h2() -> Scenario:
    """The cluster with a second host on which M1 finds no room."""
    scenario = three_hosts(GUEST, replace(LARGE, host="h2"))
    return scenario.with_item(replace(scenario.host("h2"), ram_gib=24.0))


def test_where_it_does_restart_there_the_failure_says_so() -> None:
    prediction = predict(without_room_on_h2())
    assert not found(prediction, "restart-slower")
    assert prediction.failures[0].verdict is Verdict.DOES_NOT_FIT
    (finding,) = found(prediction, "n-plus-one")
    assert finding.text == "With H1 gone, CPU of M1 on H3 passes its limit."
    assert finding.fix == "Give it more vCPUs."


def test_of_two_hosts_none_can_be_avoided() -> None:
    pair = three_hosts(GUEST)
    pair = replace(pair, hosts=(pair.hosts[0], pair.hosts[2]))
    (finding,) = found(predict(pair), "n-plus-one")
    assert finding.text == "With H1 gone, CPU of M1 on H3 passes its limit."
    assert finding.fix == "Give it more vCPUs."


def test_what_passes_its_limit_on_a_like_machine_too_is_no_failures_doing() -> None:
    over = replace(GUEST, workload=replace(GUEST.workload, cpu_mhz=2933 * 0.8))
    prediction = predict(three_hosts(over, LARGE))
    assert not found(prediction, "n-plus-one")
    assert not found(prediction, "restart-slower")
    assert prediction.binding is not None
    assert prediction.binding.mode == NORMAL


def test_of_an_interval_the_vm_is_named_that_it_is_of() -> None:
    """M1 asks for 57 % there, that much and no more; M3 for 43 %, and may for 97."""
    exact = replace(GUEST, workload=replace(GUEST.workload, cpu_mhz=2933 * 0.45))
    mail = a_vm("m3", 1400.0, vcpus=1)
    pair = three_hosts(exact, mail)
    pair = with_policy(replace(pair, hosts=(pair.hosts[0], pair.hosts[2])), response_limit_ms=1e6)
    prediction = predict(pair)
    assert prediction.binding is not None
    assert prediction.binding.vm == "m3"
    there = predict(pair.place(["m3"], "h3")).vms.cpu_pct
    place = prediction.vms.index("m3")
    assert prediction.binding.value == pytest.approx(there.value[place])
    assert prediction.binding.high == pytest.approx(there.high[place])
    calm = predict(with_policy(pair, cpu_limit_pct=99.0)).binding
    assert calm is not None
    assert (calm.own, calm.vm) == (True, "m1")
    restarting = prediction.headroom.restarting
    assert restarting is not None
    assert restarting.vm == "m1"
    assert restarting.value > prediction.binding.value


@pytest.mark.parametrize(
    "scenario",
    [
        kept_on("h1", "h2"),
        standing_by("h2"),
        ruled(AffinityKind.SHOULD_RUN_ON, "m1", "h1 h2"),
        ruled(AffinityKind.APART, "m1 m2"),
        three_hosts(replace(GUEST, ram_gib=40.0), LARGE),
        three_hosts(replace(GUEST, ram_gib=16.0), LARGE),
        three_hosts(
            replace(GUEST, cpu_reservation_mhz=9_000.0),
            replace(LARGE, cpu_reservation_mhz=15_000.0),
        ),
        three_hosts(replace(GUEST, cpu_reservation_mhz=22_000.0), LARGE),
        three_hosts(replace(GUEST, vcpus=2), LARGE),
        with_policy(three_hosts(GUEST, LARGE), cpu_limit_pct=80.0),
    ],
    ids=[
        "rule",
        "standby",
        "wish",
        "apart",
        "memory",
        "what stands there",
        "what is reserved there",
        "reservation",
        "vcpus",
        "limit",
    ],
)
def test_a_host_that_does_not_take_it_or_is_fast_enough_is_not(scenario: Scenario) -> None:
    assert not found(predict(scenario), "restart-slower")


@pytest.mark.parametrize("scenario", [kept_on("h1", "h3"), standing_by("h3")])
def test_nobody_is_told_twice(scenario: Scenario) -> None:
    """It restarts on the slow host, which is the only one that may take it."""
    assert predict(scenario).failures[0].verdict is Verdict.DOES_NOT_FIT
    assert not found(predict(scenario), "restart-slower")


def test_restarts_on_slower_cores_are_worked_out_once_for_all_modes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = without_room_on_h2()
    numbers = evaluated(demands_of(scenario, KNOWLEDGE), scenario.policy)
    made = []

    def counted(*given: Any) -> OnSlower:
        made.append(OnSlower.of(*given))
        return made[-1]

    monkeypatch.setattr("models.judgement.failure_table.OnSlower", SimpleNamespace(of=counted))
    table = numbers.failures
    over = [table.restarts_over(row) for row in range(len(table.ids))]
    fullest = [table.fullest_restart(row) for row in range(len(table.ids))]
    assert [[each.vm for each in of_mode] for of_mode in over] == [[0], [], []]
    assert [each and each.vm for each in fullest] == [0, None, None]
    assert len(made) == 1


def test_a_rule_that_a_restart_breaks_puts_at_risk_where_the_loss_is_to_be_survived() -> None:
    two, three = (predict(kept_apart(hosts)) for hosts in (2, 3))
    (finding,) = found(two, "restart-together")
    assert finding.text == (
        "M1 and M2 are to be kept apart; with H1 lost HA restarts 2 of them on H2."
    )
    assert two.verdict is Verdict.AT_RISK
    assert [mode.verdict for mode in two.failures] == [Verdict.AT_RISK] * 2
    assert two.failures[0].note == "a survivor would run 2 VMs that a rule keeps apart"
    assert "with H1 gone, H2 would run 2 VMs that a rule keeps apart" in two.sentence
    assert headline(kept_apart(2), two).action == "Add a host to the cluster."
    assert three.verdict is Verdict.FITS
    assert not found(three, "restart-together")


def test_a_rule_that_a_restart_breaks_is_told_where_no_loss_is_to_be_survived() -> None:
    lax = replace(kept_apart(2), clusters=(Cluster(id="c1", name="Mail"),))
    prediction = predict(lax)
    assert found(prediction, "restart-together")
    assert prediction.verdict is Verdict.FITS
    assert prediction.failures[0].verdict is Verdict.AT_RISK


def test_what_stood_together_before_is_no_failures_doing() -> None:
    base = kept_apart(2)
    together = replace(base, vms=tuple(replace(vm, host="h1") for vm in base.vms))
    prediction = predict(together)
    assert found(prediction, "affinity-broken")
    assert not found(prediction, "restart-together")
    assert prediction.failures[0].verdict is Verdict.FITS


def test_each_of_many_what_ifs_has_the_rule_of_its_own_copy() -> None:
    """Sweeps and chances judge copies side by side."""
    for hosts, verdict in ((2, Verdict.AT_RISK), (3, Verdict.FITS)):
        scenario = kept_apart(hosts)
        batch = what_if(scenario, KNOWLEDGE, factor=[1.0] * 3)
        assert [Verdict(int(code)) for code in batch.verdict] == [verdict] * 3
