"""The verdict: what decides, in which words, and how it bends to the policy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.judgement.binding import (
    Reasons,
    binding_text,
    deciding,
    mode_reason,
    nearest,
    other_reason,
)
from models.judgement.gauges import gauges
from models.judgement.verdict import POWER_ON
from models.predict.prediction import Finding, Prediction, Verdict
from models.proposal.design import headroom_bars
from models.resilience.designs import compare_designs
from models.resilience.study import study_failures
from models.scenario.scenario import Admission, AdmissionPolicy, DiskMode, Policy, Scenario
from models.scenario.wording import value_text
from models.scenario.workloads import WorkloadKind
from models.single_changes.fixes import fixes
from models.studies.bottleneck import resource_loads
from models.whatif import what_if
from tests.models.worlds import (
    KNOWLEDGE,
    MEASURED_HERE,
    RESERVING,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    predict,
    with_policy,
    wv21,
)

CASES: dict[str, tuple[Scenario, Verdict, str, str]] = {
    "response is nearest": (
        wv21("clovertown", "vmfs", 7.25, 4000.0),
        Verdict.FITS,
        "m1",
        "cpu_pct",
    ),
    "memory over nine tenths": (
        a_scenario(vms=(a_vm(ram_gib=66.0),)),
        Verdict.AT_RISK,
        "h1",
        "ram_pct",
    ),
    "memory over": (
        a_scenario(vms=(a_vm(ram_gib=40.0), a_vm("m2", ram_gib=40.0))),
        Verdict.DOES_NOT_FIT,
        "h1",
        "ram_pct",
    ),
    "a VM larger than its host": (
        a_scenario(vms=(a_vm(ram_gib=80.0),)),
        Verdict.DOES_NOT_FIT,
        "h1",
        "ram_pct",
    ),
    "own vCPUs over": (
        a_scenario(vms=(a_vm(users=11_000.0),)),
        Verdict.DOES_NOT_FIT,
        "m1",
        "cpu_pct",
    ),
    "too few drives": (
        a_scenario(
            pools=(a_pool(spindles=4),),
            vms=(a_vm(kind=WorkloadKind.GENERIC, iops=600.0, cpu_mhz=1.0),),
        ),
        Verdict.DOES_NOT_FIT,
        "p1",
        "utilisation_pct",
    ),
    "too little space": (
        a_scenario(vms=(a_vm(registered_users=200_000.0),)),
        Verdict.DOES_NOT_FIT,
        "p1",
        "capacity_pct",
    ),
    "network": (
        a_scenario(vms=(a_vm(kind=WorkloadKind.GENERIC, network_mbps=90_000.0, cpu_mhz=1.0),)),
        Verdict.DOES_NOT_FIT,
        "h1",
        "network_pct",
    ),
    "interval reaches over": (
        a_scenario(vms=(a_vm(users=8500.0),)),
        Verdict.AT_RISK,
        "m1",
        "cpu_pct",
    ),
    "a host may not fail": (
        replace(a_cluster_of(1, vms=1), clusters=(RESERVING,)),
        Verdict.AT_RISK,
        "h1",
        "ram_pct",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_decides(case: str) -> None:
    scenario, verdict, subject, resource = CASES[case]
    prediction = predict(scenario)
    assert prediction.verdict is verdict
    assert prediction.binding is not None
    assert (prediction.binding.subject, prediction.binding.resource) == (subject, resource)
    assert prediction.sentence.startswith(verdict.label.capitalize())
    assert prediction.runner_up != prediction.binding


def test_a_pool_that_holds_nothing_does_not_fit_with_vms_on_it() -> None:
    pools = (a_pool("p1", spindles=2, raid="dp"), a_pool("p2"))
    for fields in ({}, {"pool": "p2", "log_pool": "p1"}, {"disk_gib": 10.0}):
        scenario = a_scenario(pools=pools, vms=(a_vm(**fields), a_vm("m2", pool="p2")))
        prediction = predict(scenario)
        assert prediction.verdict is Verdict.DOES_NOT_FIT
        assert prediction.sentence.startswith("Does not fit: P1 has 2 drives, of which")
        assert prediction.binding is not None
        assert (prediction.binding.subject, prediction.binding.resource) == ("p1", POWER_ON)
        assert prediction.pools.verdict_of(0) is Verdict.DOES_NOT_FIT
        assert prediction.pools.verdict_of(1) is Verdict.FITS
        assert prediction.vms.verdict.tolist() == [Verdict.DOES_NOT_FIT, Verdict.FITS]
        best = fixes(scenario, KNOWLEDGE, prediction).best
        assert best is not None
        assert best.verdict is not Verdict.DOES_NOT_FIT
        assert what_if(scenario, KNOWLEDGE, factor=np.ones(1)).verdict.tolist() == [3]
        assert binding_text(prediction.binding, str).startswith("What stands on p1 can’t be")
    small = a_scenario(pools=(a_pool("p1", spindles=20, raid="6", raid_group=2),))
    assert [each.fix for each in found(predict(small), "no-drives")] == [
        "Make its RAID groups larger."
    ]
    unused = predict(a_scenario(pools=pools, vms=(a_vm(pool="p2"),)))
    assert unused.verdict is Verdict.DOES_NOT_FIT
    assert unused.pools.verdict.tolist() == [Verdict.DOES_NOT_FIT, Verdict.FITS]


def test_sentences_can_be_read_out() -> None:
    fits = predict(a_cluster_of(3, vms=3)).sentence
    assert "any one host may fail" in fits
    assert fits.endswith(
        "Users are counted as benchmark users: the benchmark’s part of the load. "
        "Judged by the high ends (conservative); measure one server."
    )
    derated = predict(with_policy(a_cluster_of(3, vms=3), benchmark_derating=2.25)).sentence
    assert "One user counts as 2.25 benchmark users: the benchmark’s part" in derated
    over = predict(a_scenario(vms=(a_vm(users=11_000.0),))).sentence
    assert over.startswith("Does not fit: M1’s CPU is about 79\u202f%, limit 70\u202f%")
    may = predict(a_scenario(vms=(a_vm(users=8500.0),))).sentence
    assert "but may reach" in may


def test_what_is_over_its_limit_reads_so_everywhere() -> None:
    """Rounded it would be 70 of 70 %."""
    work: dict[str, Any] = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 2933 * 0.7019, "iops": 1.0}
    busy = a_vm(vcpus=1, measured_on=MEASURED_HERE, **work)
    prediction = predict(a_scenario(vms=(busy,)))
    assert prediction.sentence.startswith("Does not fit: M1’s CPU is 70.2\u202f%, limit 70\u202f%")
    (finding,) = found(prediction, "cpu-over-limit")
    assert finding.text == "M1 asks for 70.2 % of its 1 vCPU at peak; the limit is 70 %."
    assert Reasons(Policy(), prediction).of_vm(0) == "CPU 70.2\u202f%, limit 70\u202f%"


def test_a_response_has_the_digits_of_the_row_in_sentence_and_finding() -> None:
    slow = replace(wv21("clovertown", "vmfs", 7.25, 9000.0), policy=Policy(cpu_limit_pct=100.0))
    prediction = predict(slow)
    assert prediction.binding is not None
    assert prediction.binding.resource == "response_ms"
    (finding,) = found(prediction, "response-over-limit")
    said = value_text(prediction.vms.response_ms[0])
    assert f"about {said}\u202fms" in prediction.sentence
    assert f"about {said} ms" in finding.text


def test_peaks_decide() -> None:
    scenario = a_scenario(vms=(a_vm(users=4000.0),))
    assert predict(scenario).verdict is Verdict.FITS
    peaky = with_policy(scenario, peak_factor_cpu=67 / 28, peak_factor_iops=1993 / 744)
    prediction = predict(peaky)
    assert prediction.verdict is not Verdict.FITS
    assert prediction.hosts.cpu_peak_pct[0] == pytest.approx(
        prediction.hosts.cpu_pct.value[0] * 67 / 28
    )
    assert prediction.vms.cpu_pct.value[0] == predict(scenario).vms.cpu_pct.value[0]


def test_headroom_is_what_is_left_of_the_limit() -> None:
    prediction = predict(a_scenario(vms=(a_vm(users=4000.0),)))
    head = prediction.headroom
    assert head.cpu_pct == pytest.approx(100 * (1 - prediction.vms.cpu_pct.value[0] / 70))
    assert head.ram_pct == pytest.approx(100 - prediction.hosts.ram_pct.value[0])
    assert head.response_pct == pytest.approx(100 - prediction.vms.response_ms.value[0] / 10)
    assert head.failure_pct is None
    deep = predict(a_scenario(vms=(a_vm(users=30_000.0),))).headroom
    assert deep.cpu_pct is not None
    assert deep.cpu_pct < -200, "offered load counts, not what can run"


def test_what_is_not_known_is_said_and_can_put_at_risk() -> None:
    sametime: dict[str, Any] = {
        "kind": WorkloadKind.SAMETIME_COMMUNITY,
        "release": "7.5.1",
        "ram_gib": 4.0,
    }
    mux = a_vm("x1", 50_000.0, **{**sametime, "kind": WorkloadKind.SAMETIME_MUX})
    proven = predict(a_scenario(vms=(a_vm(users=50_000.0, **sametime), mux)))
    assert proven.verdict is Verdict.NOT_KNOWN
    assert proven.sentence.startswith("Fits in RAM and space; CPU and I/O not known for 2 VMs; 2 S")
    beyond = predict(a_scenario(vms=(a_vm(users=90_000.0, vcpus=8, **sametime),)))
    assert beyond.verdict is Verdict.AT_RISK


def test_of_what_is_not_known_host_and_failure_are_named() -> None:
    base = a_cluster_of(2, vms=2, kind=WorkloadKind.GENERIC, vcpus=3)
    after = predict(base)
    words = "with H1 gone, what has no data could take the CPU of H2 over its limit"
    assert after.sentence.startswith(f"At risk: {words}.")
    assert [each.subject for each in found(after, "unknown-cpu")] == ["h1", "h2"]
    assert found(after, "unknown-cpu")[0].text == f"W{words[1:]}."
    decides = deciding(after)
    assert isinstance(decides, Finding)
    assert (decides.rule, decides.subject) == ("unknown-cpu", "h1")
    as_it_is = predict(base.place(["m2"], "h1"))
    words = "what has no data could take the CPU of H1 over its limit"
    assert as_it_is.sentence.startswith(f"At risk: {words}.")
    assert [each.subject for each in found(as_it_is, "unknown-cpu")] == ["h1"]


def test_beside_what_is_known_to_work_a_host_may_reach_what_the_others_may() -> None:
    """The chat server’s vCPUs are no part of it; the mail servers’ are not taken off either."""
    mail = tuple(a_vm(f"m{n}", 7000.0, vcpus=4, ram_gib=4.0) for n in range(4))
    chat = a_vm("s1", 50_000.0, kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1", ram_gib=4.0)
    mux = a_vm("x1", 0.0, kind=WorkloadKind.SAMETIME_MUX, release="7.5.1", ram_gib=2.0)
    for vms in (mail, (*mail, chat, mux)):
        scenario = a_scenario(pools=(a_pool(spindles=168),), vms=vms)
        prediction = predict(with_policy(scenario, disk_limit_pct=100.0, response_limit_ms=1e5))
        assert prediction.sentence.startswith(
            "At risk: H1’s CPU is about 50\u202f% of 70\u202f% but may reach 96\u202f%;"
        )


def test_items_have_verdicts_of_their_own() -> None:
    prediction = predict(
        a_scenario(
            hosts=(a_host("h1"), a_host("h2")),
            vms=(a_vm("m1", 11_000.0), a_vm("m2", 500.0, host="h2"), a_vm("m3", host=None)),
        )
    )
    verdicts = [Verdict.DOES_NOT_FIT, Verdict.FITS, Verdict.AT_RISK]
    assert prediction.vms.verdict.tolist() == verdicts
    assert prediction.hosts.verdict_of(1) is Verdict.FITS


@pytest.mark.parametrize("overcommit", [0.8, 1.0, 1.5])
def test_a_physical_server_may_give_its_system_all_of_its_memory(overcommit: float) -> None:
    policy = Policy(benchmark_derating=1.0, memory_overcommit=overcommit)
    hosts = (a_host(hypervisor="none"), a_host("h2"))
    vms = (a_vm(ram_gib=72.0, disk_mode=DiskMode.PHYSICAL), a_vm("m2", host="h2"))
    mixed = a_scenario(hosts=hosts, vms=vms, policy=policy)
    alone = replace(mixed, hosts=hosts[:1], vms=vms[:1])
    for scenario in (mixed, alone):
        prediction = predict(scenario)
        assert prediction.verdict is Verdict.FITS
        assert prediction.hosts.ram_pct.value[0] == pytest.approx(100.0)
        assert prediction.hosts.verdict.tolist() == [Verdict.FITS] * len(scenario.hosts)
        assert Reasons(policy, prediction).of_host(0) == ""
        loads = [each.gauge for each in resource_loads(scenario, prediction)]
        assert ("h1", "ram_pct") not in {(each.subject, each.field) for each in loads}
        assert prediction.binding is not None
        assert (prediction.binding.subject, prediction.binding.resource) != ("h1", "ram_pct")
        tried = what_if(scenario, KNOWLEDGE, factor=np.ones(1))
        assert tried.verdict.tolist() == [Verdict.FITS]
    rows = resource_loads(alone, predict(alone))
    assert "ram_pct" not in {each.gauge.field for each in rows}, "nor an empty row"
    dial, own = gauges(mixed, predict(mixed))[1], gauges(alone, predict(alone))[1]
    assert (dial.subject, dial.limit) == ("h2", 100.0 * overcommit)
    assert (own.subject, own.limit, own.verdict) == ("h1", None, None)
    bars = headroom_bars(alone, predict(alone)).rows
    assert bars[-1].text == "down: 1,000 users"
    assert not [bar for bar in bars if bar.label.startswith("RAM")], "it has no limit"
    normal = study_failures(alone, KNOWLEDGE)[0]
    assert normal.ram_pct == predict(alone).hosts.ram_pct[0], "no limit, but no secret either"
    assert normal.ram_limit_pct is None
    assert normal.shown == predict(alone).shown
    assert normal.shortfall.ram_gib == 0.0


@pytest.mark.parametrize("overcommit", [0.8, 1.0, 1.5])
def test_a_physical_server_has_no_more_memory_than_is_installed(overcommit: float) -> None:
    """Whatever hypervisors may promise."""
    policy = Policy(benchmark_derating=1.0, memory_overcommit=overcommit)
    scenario = a_scenario(
        hosts=(a_host(hypervisor="none"),),
        vms=(a_vm(ram_gib=73.0, disk_mode=DiskMode.PHYSICAL),),
        policy=policy,
    )
    prediction = predict(scenario)
    assert prediction.verdict is Verdict.DOES_NOT_FIT
    assert prediction.hosts.verdict.tolist() == [Verdict.DOES_NOT_FIT]
    assert prediction.headroom.ram_pct == pytest.approx(100 * (1 - 73 / 72))
    assert "limit 100" in Reasons(policy, prediction).of_host(0)
    (finding,) = [each for each in prediction.findings if each.rule == "ram-over-limit"]
    assert "lacks 1 GiB" in finding.text
    dial = gauges(scenario, prediction)[1]
    assert (dial.limit, dial.verdict) == (100.0, Verdict.DOES_NOT_FIT)
    normal = study_failures(scenario, KNOWLEDGE)[0]
    assert normal.shortfall.ram_gib == pytest.approx(1.0)
    tried = what_if(scenario, KNOWLEDGE, factor=np.ones(1))
    assert tried.verdict.tolist() == [Verdict.DOES_NOT_FIT]
    deciding = compare_designs(scenario, KNOWLEDGE)[0].normal.deciding
    assert deciding is not None
    assert (deciding.resource, deciding.limit) == ("ram_pct", 100.0)


def test_normal_operation_of_a_study_takes_the_host_nearest_its_own_limit_of_memory() -> None:
    """73 GiB on a physical server's 72, beside a hypervisor's host with more, which may have it."""
    policy = Policy(benchmark_derating=1.0, memory_overcommit=1.5)
    scenario = a_scenario(
        hosts=(a_host(hypervisor="none"), a_host("h2")),
        vms=(
            a_vm(ram_gib=73.0, disk_mode=DiskMode.PHYSICAL),
            a_vm("m2", host="h2", ram_gib=40.0),
            a_vm("m3", host="h2", ram_gib=46.0),
        ),
        policy=policy,
    )
    prediction = predict(scenario)
    assert prediction.hosts.ram_pct.value[1] > prediction.hosts.ram_pct.value[0]
    study = study_failures(scenario, KNOWLEDGE)
    normal = study[0]
    assert (normal.ram_host, normal.ram_limit_pct) == ("h1", 100.0)
    assert normal.ram_pct.value == pytest.approx(100 * 73 / 72)
    assert mode_reason(policy, normal) == Reasons(policy, prediction).of_host(0)
    assert study.loads[1][0] == pytest.approx(73 / 72)


def test_a_looser_policy_gives_no_worse_verdict() -> None:
    tight = a_scenario(vms=(a_vm(users=11_000.0),))
    loose = with_policy(tight, cpu_limit_pct=100.0, response_limit_ms=1e6)
    assert predict(loose).verdict <= predict(tight).verdict


def test_the_first_by_id_decides_among_equals() -> None:
    scenario = a_scenario(vms=(a_vm("m2"), a_vm("m1"), a_vm("m3")))
    binding = predict(scenario).binding
    turned = predict(replace(scenario, vms=scenario.vms[::-1])).binding
    assert binding == turned


def test_the_reason_is_said_where_no_number_is_near_its_limit() -> None:
    homeless = predict(a_scenario(vms=(a_vm("m1", host=None), a_vm("m2", host=None))))
    why = "2 VMs have no host, and how they would run is not known"
    assert homeless.sentence.startswith(f"At risk: {why}.")
    assert other_reason(homeless) == why
    assert homeless.binding is None or homeless.binding.subject == "p1"
    assert homeless.headroom.ram_pct is None
    assert homeless.hosts.verdict_of(0) is None
    trio = a_cluster_of(3, vms=6, users=4000.0)
    slow = predict(trio).failures[0].response_ms
    assert slow.value is not None
    assert slow.high is not None
    prediction = predict(with_policy(trio, response_limit_ms=(slow.value + slow.high) / 2))
    assert prediction.verdict is Verdict.AT_RISK
    assert "up to" in prediction.sentence or "may reach" in prediction.sentence


def test_an_empty_host_decides_nothing() -> None:
    """Its console takes more of its little memory than all VMs of the large one."""
    hosts, small = (a_host("h1", ram_gib=64.0), a_host("h2", ram_gib=4.0)), a_vm(ram_gib=2.0)
    placed = predict(a_scenario(hosts=hosts, vms=(small,)))
    large, empty = placed.hosts.ram_pct.value
    assert empty > large
    assert placed.headroom.ram_pct == pytest.approx(100.0 - large)
    assert placed.hosts.verdict_of(1) is Verdict.FITS
    more = predict(a_scenario(hosts=hosts, vms=(small, a_vm("m2", host=None))))
    assert more.verdict is Verdict.AT_RISK
    assert other_reason(more).startswith("1 VM has no host")
    assert more.hosts.verdict_of(1) is None
    assert [str(word) for word, _ in nearest(more)] == [
        "Nearest limit",
        *["Next in line"] * (len(more.nearest) - 1),
    ]


def test_survivors_over_their_limit_are_told_of_after_who_is_gone() -> None:
    """Six servers on two hosts that take half of each: one host is not enough for them."""
    prediction = predict(a_cluster_of(2, vms=6, users=9000.0, vcpus=4))
    assert prediction.verdict is Verdict.AT_RISK
    assert prediction.binding is not None
    assert prediction.binding.mode == "host h1"
    assert prediction.sentence.startswith(
        "At risk: with H1 gone, CPU of the survivors would reach about 97\u202f%, limit 70\u202f%"
    )


def test_a_vm_that_restarts_on_slower_cores_is_told_of_as_such() -> None:
    """One vCPU of eight cores that it fills: the hosts that are left stay below 15 %."""
    busy = a_vm(kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.6, iops=1.0)
    pair = a_cluster_of(2, vms=0)
    slower = replace(pair.hosts[1], server="intel-clovertown-whitebox", ram_gib=32.0)
    scenario = replace(pair, hosts=(pair.hosts[0], slower), vms=(busy,))
    prediction = predict(scenario)
    (mode, _) = prediction.failures
    assert mode.cpu_pct.value is not None
    assert mode.cpu_pct.value < 15.0
    assert prediction.binding is not None
    said = f"{prediction.binding.value:.0f}"
    assert prediction.sentence.startswith(
        f"At risk: with H1 gone, CPU of M1 on H2 would reach about {said}\u202f%, limit 70"
    )
    text = binding_text(prediction.binding, str.upper)
    assert text == f"CPU of M1 on H2 with H1 lost: {said} of 70\u202f%"
    studied = study_failures(scenario, KNOWLEDGE).of("host h1")
    assert studied is not None
    for row in (mode, studied):
        reason = mode_reason(scenario.policy, row).replace("\u202f", " ")
        assert reason == f"CPU of a VM {said} %, limit 70 %"
    doubled = replace(scenario, hosts=(*scenario.hosts, replace(slower, id="h3", name="H3")))
    counted = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=2)
    doubled = replace(doubled, clusters=(replace(pair.clusters[0], admission=counted),))
    (finding,) = found(predict(doubled), "n-plus-k")
    assert f"gone CPU of M1 on H3 would reach about {said}\u202f%, limit 70" in finding.text


def test_failures_of_unlike_scenarios_are_unlike() -> None:
    one, other = (predict(a_cluster_of(2, vms=2, users=users)) for users in (1000.0, 2000.0))
    assert one.failures == tuple(one.failures)
    assert one.failures != other.failures


def test_no_headroom_of_cpu_where_a_loaded_host_has_no_data() -> None:
    silent = {"kind": WorkloadKind.GENERIC, "ram_gib": 1.0}
    trio = a_cluster_of(3, vms=3)
    vms = tuple(a_vm(f"m{n}", 0.0, host=trio.hosts[0].id, **silent) for n in range(2))
    unknown = replace(trio, vms=vms)
    prediction = predict(unknown)
    assert (prediction.headroom.cpu_pct, prediction.headroom.failure_pct) == (None, None)
    assert gauges(unknown, prediction)[0].quantity.value is None


def test_what_is_switched_off_was_not_measured() -> None:
    scenario = wv21("clovertown", "vmfs", 7.25, 4000.0)
    off = replace(scenario, vms=tuple(replace(vm, powered_on=False) for vm in scenario.vms))
    assert predict(scenario).vms.cpu_pct[0].measured is not None
    assert predict(off).vms.cpu_pct[0].measured is None


def test_a_vm_that_is_off_refuses_nothing() -> None:
    assert predict(a_scenario(vms=(a_vm(vcpus=12, powered_on=False),))).verdict is Verdict.FITS


def test_one_vm_among_very_many_that_cannot_be_powered_on_decides() -> None:
    crowd = [a_vm(f"m{n}", vcpus=12) for n in range(300)]
    prediction = predict(a_scenario(vms=tuple(crowd)))
    assert prediction.verdict is Verdict.DOES_NOT_FIT
    assert prediction.binding is not None
    assert prediction.binding.resource == POWER_ON


def test_a_vm_of_which_a_rule_finds_an_error_wears_what_that_weighs() -> None:
    prediction = predict(a_scenario(vms=(a_vm(fault_tolerance=True), a_vm("m2"))))
    assert found(prediction, "ft-single-vcpu")
    assert prediction.vms.verdict.tolist() == [Verdict.DOES_NOT_FIT, Verdict.FITS]


def test_the_network_of_the_survivors_puts_at_risk_where_it_passes_its_limit() -> None:
    base = a_cluster_of(2, vms=2, users=3800.0, vcpus=4)

    def found(gbps: float) -> Prediction:
        hosts = tuple(replace(host, nics=1, nic_gbps=gbps) for host in base.hosts)
        return predict(replace(base, hosts=hosts))

    slow, fast = found(0.1), found(0.2)
    assert slow.verdict is slow.by_resource["network"] is Verdict.AT_RISK
    assert "with H1 gone, network load of H2 would reach" in slow.sentence
    assert "any one host may fail" not in slow.sentence
    assert fast.verdict is Verdict.FITS
    assert "any one host may fail" in fast.sentence


def test_a_survivor_runs_no_more_vms_than_its_hypervisor_grants() -> None:
    """HA of vSphere 4.0 runs 100 virtual machines on a host of a small cluster."""

    def found(count: int) -> Prediction:
        base = a_cluster_of(2, vms=2, users=0.0)
        host = a_host("h1", server="nehalem-ept", hypervisor="vsphere-4.0", ram_gib=96.0)
        host = replace(host, cluster=base.hosts[0].cluster)
        hosts = (replace(host, name="H1"), replace(host, id="h2", name="H2"))
        small = replace(base.vms[0], vcpus=1, ram_gib=0.1)
        vms = tuple(
            replace(small, id=f"m{row}", name=f"M{row}", host=f"h{row % 2 + 1}")
            for row in range(count)
        )
        return predict(with_policy(replace(base, hosts=hosts, vms=vms), vcpus_per_core_limit=99.0))

    assert "would run" not in found(100).sentence
    many = found(104)
    assert many.verdict is Verdict.AT_RISK
    assert "would run 104 VMs; its hypervisor grants 100" in many.sentence


def test_several_hosts_may_not_fail_where_the_network_of_those_left_passes_its_limit() -> None:
    base = a_cluster_of(4, vms=4, users=3800.0, vcpus=4)

    def sentence(lost: int, gbps: float) -> str:
        control = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=lost)
        clusters = tuple(replace(each, admission=control) for each in base.clusters)
        hosts = tuple(replace(host, nics=1, nic_gbps=gbps) for host in base.hosts)
        return predict(replace(base, clusters=clusters, hosts=hosts)).sentence

    assert "any 3 hosts of Mail may fail at once" in sentence(3, 1.0)
    assert "any 2 hosts of Mail may fail at once" in sentence(2, 0.2)
    # What two survivors carry is too much for one.
    assert "with H1, H2 and H3 gone, network load of H4 would reach" in sentence(3, 0.2)
    assert "may fail" not in sentence(2, 0.1)
