"""What a failure adds to what is wrong already, and what is advised: one host gone, or several."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.predict.prediction import Verdict
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    Loss,
    RestartPriority,
    Scenario,
)
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import (
    MEASURED_HERE,
    RESERVING,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    found,
    predict,
    with_policy,
)

FAST, SLOW = "nehalem-ept", "intel-clovertown-whitebox"
BUSY = a_vm("busy", host="h3", kind=WorkloadKind.GENERIC, vcpus=8, cpu_mhz=2933 * 7.0, iops=1.0)
"""It takes seven of the eight cores of its host."""


def tolerating(failures: int, scenario: Scenario) -> Scenario:
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=failures)
    return replace(scenario, clusters=(Cluster(id="c1", name="Mail", admission=admission),))


def small(*vms: str) -> Scenario:
    base = a_cluster_of(4, vms=0)
    placed = dict(pair.split("@") for pair in vms)
    return replace(
        base, vms=tuple(a_vm(id, 200.0, host=host, ram_gib=4.0) for id, host in placed.items())
    )


def overloaded() -> Scenario:
    base = small("m1@h1", "m2@h2", "m4@h4")
    return replace(base, vms=(*base.vms, BUSY))


def beside_busy(users: float) -> Scenario:
    """M1 with so many users and BUSY, on two hosts."""
    scenario = overloaded()
    return replace(
        scenario,
        hosts=(scenario.host("h1"), scenario.host("h3")),
        vms=(a_vm("m1", users, host="h1", ram_gib=4.0), scenario.vm("busy")),
    )


def test_what_is_over_its_limit_without_a_failure_is_not_told_as_its_doing() -> None:
    prediction = predict(overloaded())
    of = {finding.subject: finding for finding in found(prediction, "n-plus-one")}
    assert of["h1"].text == "With H1 gone, CPU of H3 is over its limit without any failure."
    assert of["h1"].fix == "Mend that first: no failure brings it about."
    short = {mode.host: mode.shortfall.cpu_ghz for mode in prediction.failures}
    assert 0 < short["h1"] < short["h3"], "what surviving it would take, BUSY's own lack included"
    assert "GHz are short" in of["h3"].text


def test_a_failure_that_adds_to_a_host_over_its_limit_is_told_by_all_that_is_short() -> None:
    """Two hosts, so that M1 comes to BUSY."""
    pair = beside_busy(users=2000.0)
    prediction = predict(pair)
    modes = {mode.host: mode for mode in prediction.failures}
    busy = predict(pair.place(["m1"], "h3")).hosts.cpu_peak_pct[1]
    short = (busy - pair.policy.cpu_limit_pct) / 100 * 8 * 2.933
    assert modes["h1"].shortfall.cpu_ghz == pytest.approx(short, rel=1e-3)
    (finding,) = (each for each in found(prediction, "n-plus-one") if each.subject == "h1")
    assert "GHz are short" in finding.text


def test_what_a_failure_adds_unseen_is_not_told_as_its_doing() -> None:
    """Two hundred users are 0.4 % of what BUSY takes: both come to the same two digits."""
    prediction = predict(beside_busy(users=200.0))
    (finding,) = (each for each in found(prediction, "n-plus-one") if each.subject == "h1")
    assert finding.text == "With H1 gone, CPU of H3 is over its limit without any failure."


def test_of_memory_and_responses_the_same_is_told() -> None:
    base = small("m1@h1", "m2@h2", "m3@h3")
    full = base.with_item(replace(base.host("h3"), ram_gib=3.0))
    (finding, *_) = found(predict(full), "n-plus-one")
    assert finding.text == "With H1 gone, RAM of H3 is over its limit without any failure."
    slow = with_policy(base, response_limit_ms=1.0)
    (finding, *_) = found(predict(slow), "n-plus-one")
    assert finding.text == ("With H1 gone, response time passes its limit as without any failure.")
    assert finding.fix == "Mend that first: no failure brings it about."


def test_of_several_hosts_the_same_is_told() -> None:
    left_down = replace(BUSY, restart_priority=RestartPriority.DISABLED)
    (finding,) = found(predict(tolerating(2, overloaded().with_item(left_down))), "n-plus-k")
    assert "CPU of H3 is over its limit without any failure; 3 of 6 sets" in finding.text
    assert finding.fix == "Mend that first: no failure brings it about."
    (finding,) = found(predict(tolerating(2, overloaded())), "n-plus-k")
    assert "CPU of the survivors would reach" in finding.text
    assert finding.fix.startswith("Add a host")


def test_of_several_hosts_response_over_its_limit_is_not_told_as_their_doing() -> None:
    left_down = small("m1@h1")
    left_down = replace(left_down, hosts=left_down.hosts[:3])
    slow = with_policy(tolerating(2, with_load(left_down, h2=1.0)), response_limit_ms=1.0)
    for vm in slow.vms:
        slow = slow.with_item(replace(vm, restart_priority=RestartPriority.DISABLED))
    prediction = predict(slow)
    (finding,) = found(prediction, "n-plus-k")
    assert "with H2 and H3 gone response time passes its limit as without any" in finding.text
    assert finding.fix == "Mend that first: no failure brings it about."
    assert "H2 and H3 gone" not in prediction.sentence, "it is said of normal operation already"
    assert prediction.verdict is Verdict.DOES_NOT_FIT


def test_of_what_was_over_its_limit_before_and_rises_both_are_told() -> None:
    loaded = with_load(small("m1@h1", "m2@h2", "m3@h3"), h1=2.0, h2=2.0, h3=2.0, h4=2.0)
    slow = with_policy(tolerating(2, loaded), response_limit_ms=1.0)
    (finding,) = found(predict(slow), "n-plus-k")
    said = "response time of the survivors, over its limit without any failure too, would reach"
    assert said in finding.text
    assert finding.fix.startswith("Add a host")


def test_a_rise_that_nobody_sees_is_not_told_as_the_doing_of_several() -> None:
    """The response of M1 and M2 may pass its limit in any case; a loss adds 0.2 % to that."""
    base = with_policy(a_cluster_of(4, vms=8, users=2000.0), survive=(Loss.HOST,))
    busy = (a_vm("m1", 8000.0), a_vm("m2", 8000.0))
    dealt = [replace(vm, host=f"h{n // 2 + 1}") for n, vm in enumerate(base.vms)]
    prediction = predict(tolerating(2, replace(base, vms=(*busy, *dealt[2:]))))
    assert prediction.verdict is Verdict.AT_RISK
    assert "may reach" in prediction.sentence
    assert "gone" not in prediction.sentence
    assert not found(prediction, "n-plus-k")


def with_load(scenario: Scenario, **cores: float) -> Scenario:
    """The scenario with a server on each of these hosts that takes so many cores of it."""
    guests = tuple(
        replace(
            BUSY,
            id=f"on-{host}",
            host=host,
            workload=replace(BUSY.workload, cpu_mhz=2933.0 * share),
        )
        for host, share in cores.items()
    )
    return replace(scenario, vms=(*scenario.vms, *guests))


def test_the_loss_is_told_that_brings_something_about_not_one_that_shows_what_was_so() -> None:
    """Each loss shows a response over its limit; only that of H2 and H3 takes CPU over its."""
    base = small("m1@h1", "m2@h2", "m3@h3")
    base = replace(base, hosts=base.hosts[:3])
    slow = with_policy(
        tolerating(2, with_load(base, h1=2.0, h2=2.0, h3=2.0)), response_limit_ms=1.0
    )
    fast = replace(slow, hosts=(replace(slow.hosts[0], server=SLOW), *slow.hosts[1:]))
    prediction = predict(fast)
    (finding,) = found(prediction, "n-plus-k")
    assert "but with H2 and H3 gone CPU of the survivors would reach about " in finding.text
    assert finding.text.endswith("3 of 3 sets of hosts don’t fit.")
    assert finding.fix.startswith("Add a host")
    assert "; with H2 and H3 gone, CPU of the survivors would reach" in prediction.sentence


def test_what_is_near_its_limit_without_a_failure_is_not_told_as_the_doing_of_several() -> None:
    kept = replace(with_load(small(), h3=5.3).vms[0], restart_priority=RestartPriority.DISABLED)
    near = tolerating(2, small("m1@h1", "m2@h2", "m4@h4"))
    prediction = predict(replace(near, vms=(*near.vms, kept)))
    assert prediction.verdict is Verdict.AT_RISK
    assert prediction.sentence.startswith("At risk: BUSY’s CPU is about 66")
    assert "gone, 1,000 users are down." in prediction.sentence
    assert prediction.sentence.count("gone") == 1


def test_vms_that_rules_keep_down_with_several_hosts_are_advised_on_their_rules() -> None:
    base = tolerating(2, small("m1@h1", "m2@h2", "m3@h3"))
    kept = Affinity(id="r", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1", "h2"))
    (finding,) = found(predict(replace(base, affinity=(kept,))), "n-plus-k")
    assert "that rules, reservations and limits leave" in finding.text
    assert finding.fix.startswith("Let rules allow another host")
    full = base.with_item(replace(base.vm("m1"), ram_gib=71.0))
    full = replace(full, vms=tuple(replace(vm, ram_gib=40.0) for vm in full.vms))
    full = replace(full, hosts=full.hosts[:3])
    (finding,) = found(predict(full), "n-plus-k")
    assert finding.fix.startswith("Add a host to the cluster")


def test_what_was_over_before_hides_no_vm_that_rules_keep_down() -> None:
    kept = Affinity(id="r", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",))
    prediction = predict(replace(overloaded(), affinity=(kept,)))
    of = {finding.subject: finding for finding in found(prediction, "n-plus-one")}
    assert of["h1"].text == (
        "With H1 gone, 1 VM finds no room (by rules, reservations or limits) and CPU of H3 is over "
        "its limit without any failure."
    )
    assert of["h1"].fix.startswith("Let rules allow another host")


def test_of_several_hosts_rules_are_advised_on_whatever_was_over_before() -> None:
    kept = Affinity(id="r", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",))
    left_down = replace(BUSY, restart_priority=RestartPriority.DISABLED)
    scenario = replace(overloaded().with_item(left_down), affinity=(kept,))
    (finding,) = found(predict(tolerating(2, scenario)), "n-plus-k")
    assert finding.fix.startswith("Let rules allow another host")


def slow_pair(count: int) -> Scenario:
    """VMs whose vCPU is enough on the fast host and not on the slow one."""
    guests = tuple(
        a_vm(
            f"m{number + 1}",
            kind=WorkloadKind.GENERIC,
            vcpus=1,
            cpu_mhz=2933 * (0.6 + number / 100),
            iops=1.0,
            ram_gib=2.0,
        )
        for number in range(count)
    )
    hosts = (
        a_host("h1", server=FAST, ram_gib=96.0, cluster="c1"),
        a_host("h2", server=SLOW, ram_gib=32.0, cluster="c1"),
    )
    return a_scenario(clusters=(RESERVING,), hosts=hosts, vms=guests)


@pytest.mark.parametrize(
    ("count", "who", "fix"),
    [
        (1, "M1 on H2", "Give it more vCPUs."),
        (2, "M1 on H2 and M2 on H2", "Give more vCPUs to M1 and M2."),
        (
            5,
            "M1 on H2, M2 on H2, M3 on H2 and 2 more",
            "Give more vCPUs to M1, M2, M3 and 2 more.",
        ),
    ],
)
def test_all_vms_that_lack_vcpus_are_named(count: int, who: str, fix: str) -> None:
    (finding,) = found(predict(slow_pair(count)), "n-plus-one")
    assert finding.text == f"With H1 gone, CPU of {who} passes its limit."
    assert finding.fix == fix


def test_of_several_hosts_all_vms_that_lack_vcpus_are_named() -> None:
    pair = slow_pair(2)
    third = replace(pair.hosts[0], id="h3", name="H3")
    scenario = tolerating(2, replace(pair, hosts=(*pair.hosts, third)))
    (finding,) = found(predict(scenario), "n-plus-k")
    assert finding.fix == "Give more vCPUs to M1 and M2."


def test_of_several_hosts_that_is_told_which_is_over_by_most_not_what_may_be() -> None:
    """CPU is over its limit by a sixth and exactly so, response by less and by far at most."""
    base = with_load(small("m1@h1", "m2@h2", "m3@h3"), h1=2.2, h2=2.2, h3=2.2)
    exact = tuple(
        replace(vm, workload=replace(vm.workload, measured_on=MEASURED_HERE))
        if vm.workload.cpu_mhz
        else vm
        for vm in base.vms
    )
    base = tolerating(2, replace(base, hosts=base.hosts[:3], vms=exact))
    worst = predict(base).together[0]
    slowest, limit = worst.response_ms.value, 0.95
    assert slowest is not None
    tight = with_policy(base, response_limit_ms=slowest * limit)
    (finding,) = found(predict(tight), "n-plus-k")
    assert " gone CPU of the survivors would reach about 83.6" in finding.text


def test_what_rules_keep_down_is_not_all_where_cpu_is_short_too() -> None:
    """With H1 and H2 gone M1 may run nowhere, and H3 lacks CPU: one more host helps."""
    base = with_load(small("m1@h1", "m2@h2", "m3@h3"), h1=2.5, h2=2.5, h3=2.5)
    kept = Affinity(id="r", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1", "h2"))
    base = tolerating(2, replace(base, hosts=base.hosts[:3], affinity=(kept,)))
    (finding,) = found(predict(base), "n-plus-k")
    assert "1 VM finds no room that rules, reservations and limits leave" in finding.text
    assert finding.fix.startswith("Add a host")


def test_of_an_interval_after_several_losses_the_vm_is_named_that_it_is_of() -> None:
    """As of one host: M1 asks for 57 % on H2, that much and no more, M3 for 43 %, and may for
    97."""
    exact = slow_pair(1).vms[0]
    exact = replace(exact, workload=replace(exact.workload, cpu_mhz=2933 * 0.45))
    mail = a_vm("m3", 1400.0, vcpus=1)
    pair = with_policy(slow_pair(0), response_limit_ms=1e6)
    third = replace(pair.hosts[0], id="h3", name="H3")
    scenario = tolerating(2, replace(pair, hosts=(*pair.hosts, third), vms=(exact, mail)))
    prediction = predict(scenario)
    there = predict(scenario.place(["m3"], "h2")).vms.cpu_pct
    value, high = (there.value[1], there.high[1])
    (finding,) = found(prediction, "n-plus-k")
    assert f" gone CPU of M3 on H2 is about {value:.0f}" in finding.text
    assert f" but may reach {high:.0f}" in finding.text
