"""Single hosts failing: who restarts where, what is short, and what survivors then answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.quantities import Basis
from models.host_loss import lose_host
from models.judgement.against_limits import NORMAL
from models.judgement.failure_modes import NOTHING_TO_FAIL_OVER, STANDS_ALONE
from models.physics.scenario_to_arrays import to_arrays
from models.predict.prediction import Down, FailureMode, Shown, Verdict
from models.resilience.study import study_failures
from models.scenario.scenario import RestartPriority, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from models.whatif import what_if
from tests.chance import dear
from tests.models.failure.designs import failover_of
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    RESERVING,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    predict,
    with_policy,
)


def mode_of(scenario: Scenario, host: str) -> FailureMode:
    return next(mode for mode in predict(scenario).failures if mode.host == host)


def after(scenario: Scenario, host: str) -> Scenario:
    """The scenario as it stands when `host` is gone and its VMs have restarted."""
    failover, arrays = failover_of(scenario), to_arrays(scenario, CATALOG)
    row = next(r for r, h in enumerate(failover.failed) if arrays.hosts.ids[h] == host)
    for mode, vm, column in zip(
        failover.moved_mode, failover.moved_vm, failover.moved_to, strict=True
    ):
        if mode == row:
            target = None
            if column >= 0:
                target = arrays.hosts.ids[failover.members[mode, column]]
            scenario = scenario.place([arrays.vms.ids[vm]], target)
    return scenario.without([host])


MIXED = replace(
    a_cluster_of(4, vms=0),
    pools=(a_pool("p1"), a_pool("p2", spindles=12)),
    vms=tuple(
        a_vm(
            f"m{n}",
            users,
            host=f"h{n % 4 + 1}",
            pool=f"p{n % 2 + 1}",
            vcpus=2 + n % 3,
            ram_gib=4.0 + n % 5,
            release="7.0.2" if n % 3 else "8.5.1",
        )
        for n, users in enumerate((900, 2500, 700, 3100, 1800, 400, 2200, 3600, 150, 2900))
    ),
)


UNLIKE = replace(
    MIXED,
    hosts=(
        replace(MIXED.hosts[0], server="nehalem-ept"),
        replace(MIXED.hosts[1], server="intel-clovertown-whitebox", hypervisor="esx-3.0.1"),
        replace(MIXED.hosts[2], server="ibm-x366", hypervisor="esx-3.0.1"),
        replace(MIXED.hosts[3], server="r740-6148", hypervisor="vsphere-6.7", ram_gib=64.0),
    ),
    vms=(
        *MIXED.vms,
        *(
            a_vm(f"g{n}", host=f"h{n}", kind=WorkloadKind.GENERIC, cpu_mhz=500.0 * n, iops=10.0)
            for n in (1, 2, 3, 4)
        ),
    ),
)
"""Nehalem, Clovertown, x366 and a new machine in one cluster, generic servers among the VMs."""


@pytest.mark.parametrize("host", ["h1", "h2", "h3", "h4"])
@pytest.mark.parametrize("scenario", [MIXED, UNLIKE], ids=["like", "unlike"])
def test_a_failure_mode_is_the_prediction_of_what_is_left(scenario: Scenario, host: str) -> None:
    mode, left = mode_of(scenario, host), predict(after(scenario, host))
    assert mode.not_restarted == ()
    assert mode.cpu_pct.value == pytest.approx(left.hosts.cpu_pct.value.max())
    assert mode.ram_pct.value == pytest.approx(left.hosts.ram_pct.value.max())
    assert mode.response_ms.value == pytest.approx(np.nanmax(left.vms.response_ms.value))


@st.composite
def clusters(draw: st.DrawFn) -> Scenario:
    base = a_cluster_of(draw(st.integers(1, 4)), vms=0)
    hosts = tuple(
        replace(host, ram_gib=draw(st.sampled_from([16.0, 32.0, 72.0]))) for host in base.hosts
    )

    def vm(number: int) -> Vm:
        return a_vm(
            f"m{number}",
            draw(st.floats(0, 6000)),
            host=draw(st.sampled_from([host.id for host in hosts])),
            ram_gib=draw(st.sampled_from([2.0, 8.0, 15.0])),
            release=draw(st.sampled_from(["7.0.2", "8.5.1"])),
            restart_priority=draw(st.sampled_from(list(RestartPriority)[:3])),
        )

    return replace(base, hosts=hosts, vms=tuple(vm(n) for n in range(draw(st.integers(1, 8)))))


@dear()
@given(clusters())
def test_every_failure_mode_adds_up(scenario: Scenario) -> None:
    prediction = predict(scenario)
    for mode in prediction.failures:
        there = [vm for vm in scenario.vms if vm.host == mode.host]
        assert (mode.verdict is None) == (not there)
        if mode.verdict is None:
            assert mode.note == NOTHING_TO_FAIL_OVER
            continue
        left = predict(after(scenario, mode.host))
        fits = [vm.id for vm in there if vm.id not in mode.stranded]
        assert len(fits) + len(mode.not_restarted) == len(there)
        if len(scenario.hosts) > 1:
            assert mode.ram_pct.value == pytest.approx(left.hosts.ram_pct.value.max())
            assert mode.cpu_pct.value == pytest.approx(left.hosts.cpu_pct.value.max())
        swaps = any((each.hosts.ram_pct.value > 100).any() for each in (left, prediction))
        if not swaps and not np.isnan(left.vms.response_ms.value).all():
            slowest = np.nanmax(left.vms.response_ms.value)
            if not mode.not_restarted:  # what stays down takes its disk load along
                assert mode.response_ms.value == pytest.approx(slowest, rel=1e-9)
            assert (mode.response_ms.value or 0.0) >= slowest * (1 - 1e-9)
        all_of_it = sum(
            prediction.vms.ram_gib.value[prediction.vms.index(id)] for id in mode.stranded
        )
        assert mode.shortfall.ram_gib <= all_of_it * (1 + 1e-9)
        assert (mode.shortfall.ram_gib > 0) == bool(mode.not_restarted)
        if len(scenario.hosts) == 1:
            assert mode.shortfall.ram_gib == pytest.approx(all_of_it)
        before = predict(scenario).hosts.ram_pct.value <= 100
        if before.all() and mode.ram_pct.value is not None:
            assert mode.ram_pct.value <= 100 * (1 + 1e-9)


def test_enough_memory_in_sum_does_not_help_a_vm_that_fits_nowhere() -> None:
    hosts = tuple(a_host(f"h{n}", ram_gib=20.0, cluster="c1") for n in (1, 2, 3))
    scenario = a_scenario(
        clusters=(RESERVING,),
        hosts=hosts,
        vms=(
            a_vm("big", 100.0, host="h1", ram_gib=14.0),
            a_vm("m2", 100.0, host="h2", ram_gib=9.0),
            a_vm("m3", 100.0, host="h3", ram_gib=9.0),
        ),
    )
    mode = mode_of(scenario, "h1")
    assert mode.stranded == ["big"]
    assert mode.verdict is Verdict.DOES_NOT_FIT
    prediction = predict(scenario)
    index = [vm.id for vm in scenario.vms].index
    ram, used = prediction.vms.ram_gib.value, prediction.hosts.ram_pct.value / 100 * 20.0
    assert mode.shortfall.ram_gib == pytest.approx(ram[index("big")] - (20.0 - used[1]))
    assert 4 < mode.shortfall.ram_gib < 5
    prediction = predict(scenario)
    assert prediction.verdict is Verdict.AT_RISK
    assert "with H1 gone, 1 VM finds no room" in prediction.sentence
    assert prediction.headroom.failure_pct is not None
    assert prediction.headroom.failure_pct < 0


def test_cpu_and_ram_are_judged_on_the_survivor_that_is_worst_in_each() -> None:
    """A mixed cluster must not pass on memory and fail on CPU with one "worst host"."""
    scenario = a_scenario(
        clusters=(RESERVING,),
        hosts=tuple(
            a_host(f"h{n}", ram_gib=r, cluster="c1") for n, r in ((1, 72.0), (2, 72.0), (3, 20.0))
        ),
        vms=(
            a_vm("cpu", 20_000.0, host="h2", vcpus=8, ram_gib=4.0),
            a_vm("ram", 10.0, host="h3", ram_gib=16.0),
            a_vm("m1", 10.0, host="h1", ram_gib=1.0),
        ),
    )
    mode, hosts = mode_of(scenario, "h1"), predict(scenario).hosts
    assert mode.cpu_pct.value == pytest.approx(hosts.cpu_pct.value[1], rel=0.01)
    assert mode.ram_pct.value == pytest.approx(hosts.ram_pct.value[2], rel=0.15)


@pytest.mark.parametrize(("vcpus", "verdict"), [(3, Verdict.FITS), (4, Verdict.AT_RISK)])
def test_vcpus_per_core_are_held_to_the_policy_not_to_the_cores(
    vcpus: int, verdict: Verdict
) -> None:
    """6 VMs on each of three hosts with 8 cores: 3.4 a core without one of them, or 4.5 of 4."""
    scenario = a_cluster_of(3, vms=18, users=300.0, vcpus=vcpus, ram_gib=4.0)
    prediction = predict(scenario)
    assert prediction.hosts.vcpus_per_core[0] == 6 * vcpus / 8
    assert {mode.verdict for mode in prediction.failures} == {verdict}
    assert prediction.verdict is prediction.by_resource["cpu"] is verdict
    said = "with H1 gone, H2 would run 4.5 vCPUs per core, limit 4" in str(prediction.sentence)
    assert said is (verdict is Verdict.AT_RISK)
    assert what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict.tolist() == [verdict]
    unasked = predict(with_policy(scenario, survive=()))
    assert unasked.verdict is Verdict.FITS
    assert ("any one host may fail" in unasked.sentence) is not said


def test_memory_in_use_is_held_to_what_there_is_after_a_failure() -> None:
    """Ten VMs of 10 GiB on two hosts with 72 GiB each, which the policy lets have twice as
    much: one host takes all of them and swaps, unless they use 6 GiB each."""
    for in_use, verdict in ((10.0, Verdict.AT_RISK), (6.0, Verdict.FITS)):
        scenario = with_policy(
            a_cluster_of(
                2,
                vms=10,
                vcpus=1,
                ram_gib=10.0,
                kind=WorkloadKind.GENERIC,
                cpu_mhz=100.0,
                iops=5.0,
                disk_gib=20.0,
                memory_gib=in_use,
            ),
            memory_overcommit=2.0,
        )
        prediction = predict(scenario)
        assert prediction.verdict is prediction.by_resource["ram"] is verdict
        swaps = "memory in use on H2 would reach" in prediction.sentence
        assert swaps is (verdict is Verdict.AT_RISK)
        assert what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict.tolist() == [verdict]


def test_a_host_without_a_spec_rate_does_not_slow_the_others_pairs() -> None:
    """A restart from a Clovertown to a faster machine is the same beside a machine unknown."""
    from models.catalog.catalog import Catalog
    from models.evaluate import evaluate
    from models.evidence.knowledge import Knowledge
    from tests.models.worlds import CALIBRATION

    server = replace(CATALOG.servers["x3650m5"], id="mystery", spec_rate=None)
    catalog = CATALOG.merged(Catalog(servers={"mystery": server}))
    pair = a_scenario(
        clusters=(RESERVING,),
        hosts=(
            a_host("h1", server="nehalem-ept", cluster="c1"),
            a_host("h2", server="r740-6148", hypervisor="vsphere-6.7", cluster="c1"),
        ),
        vms=(a_vm("m1", 4000.0),),
    )
    beside = replace(pair, hosts=(*pair.hosts, a_host("h3", server="mystery")))
    alone, with_it = (
        evaluate(s, Knowledge(catalog, CALIBRATION)).failures[0] for s in (pair, beside)
    )
    assert with_it.cpu_pct.value == pytest.approx(alone.cpu_pct.value)


def test_two_hosts_lack_the_same_whichever_fails() -> None:
    """What has to be added so that both VMs fit on one host, not the size of whoever is left out.

    The WV21 migration with its small server taken along: 6 and 14.5 GiB on hosts of 16 GiB.
    """
    scenario = a_scenario(
        clusters=(RESERVING,),
        hosts=tuple(
            a_host(
                f"h{n}",
                server="intel-clovertown-whitebox",
                hypervisor="esx-3.0.1",
                ram_gib=16.0,
                cluster="c1",
            )
            for n in (1, 2)
        ),
        vms=(
            a_vm("m1", 1000.0, host="h1", vcpus=4, ram_gib=14.5, release="7.0.2"),
            a_vm("m2", 1000.0, host="h2", vcpus=4, ram_gib=6.0, release="7.0.2"),
        ),
    )
    one, other = mode_of(scenario, "h1"), mode_of(scenario, "h2")
    assert (one.stranded, other.stranded) == (["m1"], ["m2"])
    assert one.shortfall.ram_gib == pytest.approx(other.shortfall.ram_gib)
    assert 5.4 < one.shortfall.ram_gib < 5.9


def test_shortfall_of_cpu_is_in_ghz() -> None:
    scenario = a_cluster_of(2, vms=4, users=14_000.0, vcpus=4)
    mode = mode_of(scenario, "h1")
    assert mode.cpu_pct.value is not None
    over = (mode.cpu_pct.value - 70.0) / 100 * 8 * 2.933
    assert mode.shortfall.cpu_ghz == pytest.approx(over)
    assert mode.verdict is Verdict.DOES_NOT_FIT


def test_peaks_count_in_failures_too() -> None:
    scenario = a_cluster_of(2, vms=4, users=6000.0, vcpus=4)
    assert mode_of(scenario, "h1").verdict is Verdict.FITS
    assert mode_of(with_policy(scenario, peak_factor_cpu=2.0), "h1").verdict is Verdict.DOES_NOT_FIT


def test_hosts_outside_clusters_and_empty_hosts_are_noted_not_passed() -> None:
    scenario = replace(
        a_cluster_of(2, vms=0), vms=(a_vm("m1", host="h1"), a_vm("m2", host="h3"))
    ).with_item(a_host("h3"))
    modes = {mode.host: mode for mode in predict(scenario).failures}
    assert (modes["h2"].verdict, modes["h2"].note) == (None, NOTHING_TO_FAIL_OVER)
    assert (modes["h3"].verdict, modes["h3"].note) == (None, STANDS_ALONE)
    assert modes["h3"].down == Down(vms=1, users=1000.0)
    assert modes["h3"].shown == Shown(Verdict.DOES_NOT_FIT, "down: 1,000 users")
    assert modes["h2"].shown is None
    assert modes["h1"].verdict is Verdict.FITS
    assert "any one host of a cluster may fail" in predict(scenario).sentence
    assert "; with H3 gone, 1,000 users are down." in predict(scenario).sentence
    assert "with H1 gone, 1,000 users are down" in predict(a_scenario()).sentence


def test_high_priority_restarts_first() -> None:
    scenario = a_scenario(
        clusters=(RESERVING,),
        hosts=(a_host("h1", cluster="c1"), a_host("h2", ram_gib=12.0, cluster="c1")),
        vms=(
            a_vm("low", 10.0, ram_gib=10.0, restart_priority=RestartPriority.LOW),
            a_vm("high", 10.0, ram_gib=9.0, restart_priority=RestartPriority.HIGH),
            a_vm("never", 10.0, restart_priority=RestartPriority.DISABLED),
        ),
    )
    mode = mode_of(scenario, "h1")
    assert mode.stranded == ["low"]
    assert mode.note == "1 of its VMs is not restarted"


def test_a_secondary_costs_as_much_as_its_primary_and_needs_no_restart() -> None:
    plain = a_cluster_of(2, vms=1, vcpus=1)
    hosts = tuple(replace(h, ft_logging_gbps=1.0) for h in plain.hosts)
    plain = replace(plain, hosts=hosts)
    ft = plain.with_item(replace(plain.vms[0], fault_tolerance=True))
    before, with_ft = predict(plain).hosts, predict(ft).hosts
    assert before.cpu_pct.value[1] == 0
    assert with_ft.cpu_pct.value[1] == pytest.approx(before.cpu_pct.value[0])
    assert with_ft.ram_pct.value[1] == pytest.approx(before.ram_pct.value[0])
    mode = mode_of(ft, "h1")
    assert mode.cpu_pct.value == pytest.approx(with_ft.cpu_pct.value[1])
    assert not found(predict(ft), "ft-no-secondary")


def test_a_vm_that_runs_on_in_its_secondary_is_judged_there() -> None:
    """Its response counts in the mode like that of a VM that restarts, beside who stands there."""
    base = a_cluster_of(2, vms=0)
    scenario = replace(
        base,
        hosts=tuple(replace(host, ft_logging_gbps=1.0) for host in base.hosts),
        vms=(
            a_vm("m1", 4500.0, host="h1", vcpus=1, fault_tolerance=True),
            a_vm("m2", 3000.0, host="h2", vcpus=4),
        ),
    )
    left = predict(lose_host(scenario, KNOWLEDGE, "h1").scenario)
    mode = mode_of(scenario, "h1")
    assert mode.response_ms.value == pytest.approx(np.nanmax(left.vms.response_ms.value))
    assert mode.response_ms.value == pytest.approx(left.vms.response_ms.value[0])
    studied = study_failures(scenario, KNOWLEDGE)
    for id in ("host h1", "ft m1"):
        taken_over = studied.of(id)
        assert taken_over is not None
        assert taken_over.response_ms.value == mode.response_ms.value
        assert taken_over.ready_pct.value == pytest.approx(np.nanmax(left.vms.ready_pct.value))


@pytest.mark.parametrize("failed", ["h1", "h2", "h3"])
def test_the_high_end_is_the_highest_of_all_vms(failed: str) -> None:
    """6,000 users on 32 GB answer sooner than 4,000 on 16, but nobody measured that."""
    scenario = replace(
        a_cluster_of(3, vms=0),
        vms=(
            a_vm("m1", 4000.0, host="h1", ram_gib=16.0),
            a_vm("m2", 6000.0, host="h2", ram_gib=32.0),
            a_vm("m3", 1000.0, host="h3"),
        ),
    )
    left = predict(after(scenario, failed)).vms.response_ms
    assert np.argmax(left.value) != np.argmax(left.high)
    studied = study_failures(scenario, KNOWLEDGE)
    for mode in (mode_of(scenario, failed), studied.of(f"host {failed}")):
        assert mode is not None
        assert mode.response_ms.value == pytest.approx(left.value.max())
        assert mode.response_ms.high == pytest.approx(left.high.max())
        assert mode.response_ms.low == pytest.approx(left.low.max())
    normal, as_it_stands = studied.of("normal"), predict(scenario).vms.response_ms
    assert normal is not None
    assert normal.response_ms.high == pytest.approx(as_it_stands.high.max())


@pytest.mark.parametrize("vms", [1, 2, 3])
def test_both_tables_say_on_what_the_cpu_of_a_mode_rests(vms: int) -> None:
    """Also where VMs land on a host that was empty: its nought is no ground for anything."""
    scenario = a_cluster_of(3, vms=vms)
    prediction = predict(scenario)
    studied = study_failures(scenario, KNOWLEDGE)
    for mode in prediction.failures:
        other = studied.of(mode.id)
        assert other is not None
        assert (other.cpu_pct.basis, other.cpu_pct.evidence) == (
            mode.cpu_pct.basis,
            mode.cpu_pct.evidence,
        )
        if mode.verdict is not None:
            assert mode.cpu_pct.basis is prediction.hosts.cpu_pct[0].basis is not Basis.RULE


def test_the_hosts_know_where_they_would_stand() -> None:
    prediction = predict(MIXED)
    worst = max(mode.ram_pct.value or 0 for mode in prediction.failures)
    assert np.nanmax(prediction.hosts.failure_ram_pct) == pytest.approx(worst)
    assert np.isnan(predict(a_scenario()).hosts.failure_cpu_pct).all()


def silent(id: str, **fields: object) -> Vm:
    """A server that brings no CPU figure."""
    return a_vm(id, kind=WorkloadKind.GENERIC, **fields)  # type: ignore[arg-type]


def test_survivors_of_unknown_load_are_not_idle() -> None:
    """Four vCPUs without data on the survivor could take half of its eight cores."""
    scenario = replace(
        a_cluster_of(2, vms=0),
        vms=(a_vm("m1", 4000.0, host="h1"), silent("m2", host="h2", vcpus=6)),
    )
    mode = mode_of(scenario, "h1")
    assert mode.cpu_pct.value == pytest.approx(predict(scenario).hosts.cpu_pct.value[0])
    assert mode.cpu_pct.high is not None
    assert mode.cpu_pct.high > 75.0
    assert mode.verdict is Verdict.AT_RISK


def test_a_host_with_parts_without_data_may_reach_no_less_beside_a_failure() -> None:
    """Twelve vCPUs without data on eight cores that nothing lands on."""
    there = a_vm("m2", 500.0, host="h2"), silent("m3", host="h2", vcpus=12, ram_gib=60.0)
    scenario = replace(
        a_cluster_of(3, vms=0), vms=(a_vm("m1", 500.0, host="h1", ram_gib=16.0), *there)
    )
    normal = predict(scenario).hosts.cpu_pct[1].high
    assert normal is not None
    assert normal > 150.0
    assert mode_of(scenario, "h1").cpu_pct.high == pytest.approx(normal)


def test_nothing_known_of_any_survivor_is_no_data_and_no_fit() -> None:
    scenario = replace(
        a_cluster_of(2, vms=0), vms=(silent("m1", host="h1"), silent("m2", host="h2", vcpus=6))
    )
    mode = mode_of(scenario, "h1")
    assert mode.cpu_pct.value is None
    assert mode.verdict is Verdict.AT_RISK
    assert predict(scenario).verdict is Verdict.AT_RISK


def test_what_has_no_data_takes_no_more_than_its_vcpus_at_peak() -> None:
    """Two vCPUs without data are a quarter of eight cores, in normal operation and after a failure;
    two and a half times as many would pass the limit."""
    vms = a_vm("m1", 2000.0, host="h1"), silent("m2", host="h2")
    scenario = with_policy(replace(a_cluster_of(2, vms=0), vms=vms), peak_factor_cpu=2.5)
    assert predict(after(scenario, "h1")).hosts.verdict.tolist() == [Verdict.NOT_KNOWN]
    assert mode_of(scenario, "h1").verdict is Verdict.NOT_KNOWN


def test_loads_next_to_nothing_overflow_nowhere() -> None:
    scenario = a_cluster_of(2, vms=2, users=5e-324)
    assert mode_of(scenario, "h1").verdict is Verdict.FITS


@pytest.mark.parametrize(
    ("users", "verdict"),
    [(5500.0, Verdict.DOES_NOT_FIT), (4500.0, Verdict.AT_RISK), (3000.0, Verdict.FITS)],
)
def test_a_mode_is_no_better_than_a_vm_on_its_own_vcpus(users: float, verdict: Verdict) -> None:
    """Too few vCPUs in normal operation are too few wherever the VM stays or restarts."""
    scenario = replace(
        a_cluster_of(3, vms=0),
        vms=(a_vm("m1", users, host="h1", vcpus=1), a_vm("m2", host="h2")),
    )
    prediction = predict(scenario)
    assert prediction.vms.verdict.tolist() == [verdict, 0]
    assert [mode.verdict for mode in prediction.failures] == [verdict, verdict, None]
    studied = study_failures(scenario, KNOWLEDGE)
    assert [studied[row].verdict for row in range(4)] == [verdict, verdict, verdict, None]
    assert prediction.binding is not None
    assert prediction.binding.mode == NORMAL


def test_a_restarted_vm_is_judged_on_its_own_vcpus_where_it_lands() -> None:
    """One vCPU that is 17 % busy on a new machine is far too few on a Clovertown."""
    vm = a_vm("m1", 1000.0, host="h1", vcpus=1, ram_gib=4.0, release="7.0.2")
    scenario = a_scenario(
        clusters=(RESERVING,),
        hosts=(
            a_host("h1", server="r740-6148", hypervisor="vsphere-6.7", cluster="c1"),
            a_host("h2", server="ibm-x366", hypervisor="esx-3.0.1", cluster="c1"),
        ),
        vms=(replace(vm, workload=replace(vm.workload, active_users=2000.0)),),
    )
    assert predict(scenario).vms.cpu_pct.value[0] < 70
    mode = mode_of(scenario, "h1")
    assert mode.cpu_pct.value is not None
    assert mode.cpu_pct.value < 70
    assert mode.verdict is Verdict.DOES_NOT_FIT
