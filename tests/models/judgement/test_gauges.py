"""The dials show the worst item, and judge it as the verdict does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.base.quantities import NO_DATA, Basis, Quantity
from models.failure.mode import Mode
from models.judgement.gauges import (
    NOTHING_FAILS_OVER,
    NOTHING_RUNS,
    gauge_of,
    gauges,
    nearest_gauges,
    worst,
)
from models.predict.predicted import DIALS, FAILURE
from models.predict.prediction import FailureMode, Headroom, Shortfall, Verdict
from models.proposal.design import headroom_bars
from models.scenario.scenario import DiskMode, Policy, Scenario
from models.scenario.workloads import WorkloadKind
from tests.app import samples
from tests.models.worlds import (
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    with_policy,
    workload,
)


def test_each_dial_names_the_item_it_is_the_worst_of() -> None:
    scenario = samples.scenario(3, 7)
    prediction = samples.prediction(scenario)
    found = gauges(scenario, prediction)
    assert tuple(gauge.field for gauge in found) == tuple(DIALS)
    cpu = found[0]
    hosts, vms = prediction.hosts, prediction.vms
    loads = dict(
        zip((*hosts.ids, *vms.ids), (*hosts.cpu_pct.value, *vms.cpu_pct.value), strict=True)
    )
    assert cpu.quantity.value == np.nanmax(list(loads.values()))
    assert loads[cpu.subject] == cpu.quantity.value
    assert cpu.quantity.value is not None
    assert cpu.load == pytest.approx(cpu.quantity.value / 70)


def test_cpu_and_iops_are_shown_at_peak() -> None:
    scenario = samples.scenario()
    peaky = replace(scenario, policy=Policy(peak_factor_cpu=2.0, peak_factor_iops=1.5))
    prediction = samples.prediction(scenario)
    plain, peak = gauges(scenario, prediction), gauges(peaky, prediction)
    for position, factor in ((0, 2.0), (2, 1.5)):
        before, after = plain[position].quantity, peak[position].quantity
        assert before.value is not None
        assert after.value == pytest.approx(before.value * factor)
        assert "at peak" in peak[position].note
    assert peak[1].quantity == plain[1].quantity


def test_no_data_is_never_the_worst() -> None:
    numbers = samples.numbers(np.array([np.nan, 10.0, 5.0]))
    found = worst(("a", "b", "c"), numbers, 70.0)
    assert found is not None
    assert found.subject == "b"
    assert worst(("a",), samples.numbers(np.array([np.nan])), 70.0) is None
    assert worst((), samples.numbers(np.array([])), 70.0) is None


def test_an_item_without_a_limit_is_left_out() -> None:
    numbers = samples.numbers(np.array([900.0, 100.0]))
    found = worst(("a", "b"), numbers, np.array([np.nan, 1000.0]))
    assert found is not None
    assert found.subject == "b"


@pytest.mark.parametrize(
    ("value", "high", "verdict"),
    [
        (50.0, 55.0, Verdict.FITS),
        (50.0, 71.0, Verdict.AT_RISK),
        (64.0, 65.0, Verdict.AT_RISK),
        (71.0, 75.0, Verdict.DOES_NOT_FIT),
    ],
)
def test_judged_as_the_verdict_judges(value: float, high: float, verdict: Verdict) -> None:
    quantity = Quantity(value, value, high, Basis.INTERPOLATED)
    assert gauge_of("cpu_pct", quantity, 70.0).verdict is verdict


def test_without_data_or_limit_there_is_no_verdict() -> None:
    assert gauge_of("cpu_pct", NO_DATA, 70.0).verdict is None
    known = Quantity(5.0, 5.0, 5.0, Basis.RULE)
    assert gauge_of("iops", known, None).verdict is None


def mode(host: str, cpu: float) -> FailureMode:
    quantity = Quantity(cpu, cpu * 0.8, cpu * 1.2, Basis.TRANSFERRED, ("row",))
    return FailureMode(
        mode=Mode.of_hosts((host,)),
        cpu_pct=quantity,
        ram_pct=NO_DATA,
        response_ms=NO_DATA,
        shortfall=Shortfall(),
        not_restarted=(),
        verdict=Verdict.FITS,
    )


def test_an_empty_host_is_not_the_fullest_beside_a_physical_server() -> None:
    server, vm = a_host(hypervisor="none"), a_vm(ram_gib=24.0, disk_mode=DiskMode.PHYSICAL)
    scenario = a_scenario(hosts=(server, a_host("h2")), vms=(vm,))
    dial = gauges(scenario, predict(scenario))[1]
    assert (dial.subject, dial.limit) == ("h1", None)
    shared = replace(scenario, vms=(vm, a_vm("m2", host="h2")))
    assert gauges(shared, predict(shared))[1].subject == "h2"
    idle = replace(scenario, vms=(replace(vm, powered_on=False),))
    assert gauges(idle, predict(idle))[1].note == NOTHING_RUNS


def test_the_failure_dial_is_no_better_than_the_worst_failure() -> None:
    """It is of CPU and RAM; response times and hosts that stand alone are not."""
    pair = a_cluster_of(2, vms=2)
    assert gauges(pair, predict(pair))[-1].verdict is Verdict.FITS
    slow = with_policy(pair, response_limit_ms=1.0)
    dial = gauges(slow, predict(slow))[-1]
    assert dial.load is not None
    assert dial.load < 0.9
    assert dial.worse is not None
    assert (dial.worse.host, dial.verdict) == ("h1", Verdict.DOES_NOT_FIT)
    alone = replace(pair.hosts[0], id="h9", cluster=None)
    mixed = replace(pair, hosts=(*pair.hosts, alone), vms=(*pair.vms, a_vm("m9", host="h9")))
    dial = gauges(mixed, predict(mixed))[-1]
    assert dial.worse is not None
    assert (dial.subject, dial.worse.host) == ("h1", "h9")
    assert dial.verdict is Verdict.FITS, "who is down changes no verdict"


def on_slower_cores(share: float) -> Scenario:
    """A cluster of two kinds, in which the VM of `h3` takes that share of its fast core."""
    trio = a_cluster_of(3, vms=0)
    slow = [
        replace(each, server="intel-clovertown-whitebox", ram_gib=32.0) for each in trio.hosts[:2]
    ]
    busy = a_vm("m3", host="h3", kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * share, iops=1.0)
    others = a_vm("m1", 100.0, host="h1", ram_gib=2.0), a_vm("m2", 100.0, host="h2", ram_gib=16.0)
    return replace(trio, hosts=(*slow, trio.hosts[2]), vms=(*others, busy))


def test_the_failure_dial_names_the_host_whose_vm_restarts_on_slower_cores() -> None:
    scenario = on_slower_cores(0.6)
    prediction = predict(scenario)
    dial = gauges(scenario, prediction)[-1]
    assert prediction.binding is not None
    assert (dial.subject, prediction.binding.subject) == ("h3", "h3")
    assert dial.load == pytest.approx(prediction.binding.load)


def test_the_failure_dial_names_that_host_also_where_something_else_decides_the_verdict() -> None:
    cluster = on_slower_cores(0.45)
    alone = replace(cluster.hosts[2], id="h9", cluster=None, ram_gib=16.0)
    there = a_vm("m9", host="h9", kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.66, iops=1.0)
    full = replace(there, ram_gib=15.0)
    prediction = predict(
        scenario := replace(cluster, hosts=(*cluster.hosts, alone), vms=(*cluster.vms, full))
    )
    deciding = prediction.binding, prediction.runner_up
    assert [each and (each.subject, each.mode) for each in deciding] == [
        ("h9", "normal"),
        ("m9", "normal"),
    ]
    dial = gauges(scenario, prediction)[-1]
    load = prediction.headroom.restarting
    assert load is not None
    assert (dial.subject, dial.note) == (load.subject, load.mode) == ("h3", "host h3")
    assert dial.load == pytest.approx(load.load)


def test_of_two_hosts_whose_vms_restart_alike_the_first_by_id_is_named() -> None:
    """They have no room for each other's VM, so that both go to slower cores."""
    cluster = on_slower_cores(0.6)
    *slow, fast = cluster.hosts
    fast = replace(fast, ram_gib=9.0)
    pair = fast, replace(fast, id="h4", name="H4")
    vms = (*cluster.vms, replace(cluster.vms[-1], id="m4", name="M4", host="h4"))
    for hosts in (pair, pair[::-1]):
        prediction = predict(replace(cluster, hosts=(*slow, *hosts), vms=vms))
        restarting = prediction.headroom.restarting
        assert restarting is not None
        assert restarting.subject == "h3"


def test_failure_headroom_is_what_the_prediction_says_with_the_deciding_interval() -> None:
    scenario = samples.scenario()
    headroom = Headroom(
        cpu_pct=None, ram_pct=None, iops_pct=None, response_pct=None, failure_pct=20.0
    )
    prediction = replace(
        samples.prediction(scenario),
        headroom=headroom,
        failures=(mode("h1", 40.0), mode("h2", 56.0)),
    )
    gauge = gauges(scenario, prediction)[-1]
    assert gauge.field == FAILURE
    assert gauge.quantity.value == 20.0
    assert gauge.subject == "h2"
    assert gauge.load == pytest.approx(0.8)
    assert gauge.quantity.low == pytest.approx(4.0)
    assert gauge.quantity.high == pytest.approx(36.0)
    assert gauge.quantity.evidence == ("row",)


def test_where_nothing_fails_over_it_is_said() -> None:
    scenario = samples.scenario()
    headroom = Headroom(cpu_pct=1.0, ram_pct=1.0, iops_pct=1.0, response_pct=1.0, failure_pct=None)
    prediction = replace(samples.prediction(scenario), headroom=headroom)
    assert gauges(scenario, prediction)[-1].note == NOTHING_FAILS_OVER


def test_an_empty_scenario_has_nothing_to_show() -> None:
    empty = Scenario(name="Empty")
    found = gauges(empty, samples.prediction(empty))
    assert {gauge.note for gauge in found} == {NOTHING_RUNS}
    assert all(gauge.verdict is None for gauge in found)


def test_the_failure_dial_names_what_is_nearest_its_limit_at_peak() -> None:
    scenario = a_cluster_of(2, vms=4)
    scenario = replace(scenario, hosts=tuple(replace(h, ram_gib=48.0) for h in scenario.hosts))
    peaky = with_policy(scenario, peak_factor_cpu=8.0)
    for each, resource in ((scenario, "ram_pct"), (peaky, "cpu_pct")):
        prediction = predict(each)
        dial = gauges(each, prediction)[-1]
        mode = next(m for m in prediction.failures if m.host == dial.subject)
        limit = 100.0 if resource == "ram_pct" else each.policy.cpu_limit_pct
        factor = 1.0 if resource == "ram_pct" else each.policy.peak_factor_cpu
        value = getattr(mode, resource).value
        assert prediction.headroom.failure_pct == pytest.approx(100 - 100 * value * factor / limit)
        assert dial.quantity.evidence == getattr(mode, resource).evidence


def test_the_bars_of_the_proposal_are_judged_as_the_dials_are() -> None:
    """Where an interval alone passes the limit the dial was amber, and the bar green."""
    other_release = a_vm(workload=workload(4000.0, release="7.0.2"))
    scenario = a_scenario(vms=(other_release,), pools=(a_pool(spindles=12),))
    prediction = predict(scenario)
    dials = nearest_gauges(scenario, prediction)
    bars = headroom_bars(scenario, prediction).rows
    told = [(bar, dial) for bar, dial in zip(bars, dials, strict=True) if dial.verdict is not None]
    assert [bar.verdict for bar, _ in told] == [dial.verdict for _, dial in told]
    uncertain = [bar.label for bar in bars if bar.text.endswith("% of the limit left; may pass it")]
    assert {"CPU of M1", "Disk utilisation of P1"} <= set(uncertain)
    assert {bar.verdict for bar in bars if bar.label in uncertain} == {Verdict.AT_RISK}
