"""A failure played through comes to what the failure table says of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.errors import ModelError
from models.host_loss import HostLoss, as_mode, lose_host, secondaries, verdict_on
from models.predict.prediction import FailureMode, Prediction, Verdict
from models.scenario.scenario import Host, RestartPriority, Scenario, Vm
from models.stages import restarts
from tests.app import samples
from tests.chance import dear
from tests.models.worlds import KNOWLEDGE, a_cluster_of, predict


def lose(scenario: Scenario, host: str) -> HostLoss:
    return lose_host(scenario, KNOWLEDGE, host)


def mode_of(prediction: Prediction, host: str) -> FailureMode:
    return next(mode for mode in prediction.failures if mode.host == host)


@st.composite
def clusters(draw: st.DrawFn) -> Scenario:
    """One cluster with hosts of two kinds, tight in memory or not."""
    hosts = draw(st.integers(2, 4))
    vms = draw(st.integers(1, 9))
    scenario = samples.scenario(hosts=hosts, vms=vms, unplaced=0)
    ram = draw(st.sampled_from([20.0, 40.0, 96.0]))

    def sized(host: Host) -> Host:
        return replace(host, ram_gib=ram)

    for host in scenario.hosts:
        scenario = scenario.edit(Host, host.id, sized)
    if draw(st.booleans()):
        scenario = scenario.edit(
            Host, "h2", lambda host: replace(host, server="intel-clovertown-whitebox")
        )
    return scenario


@given(clusters())
@dear()
def test_the_survivors_stand_as_the_failure_table_says(scenario: Scenario) -> None:
    """Response times too, where all restart: the table leaves the load of what is down on disks."""
    before = predict(scenario)
    for host in scenario.hosts:
        mode = mode_of(before, host.id)
        if mode.verdict is None:
            continue
        loss = lose(scenario, host.id)
        after = predict(loss.scenario)
        rows = [row for row, id in enumerate(after.hosts.ids) if id != host.id]
        assert mode.ram_pct.value == pytest.approx(after.hosts.ram_pct.value[rows].max())
        assert mode.cpu_pct.value == pytest.approx(
            np.nanmax(after.hosts.cpu_pct.value[rows]), nan_ok=True
        )
        assert sorted(loss.down) == sorted(mode.stranded)
        if mode.response_ms.value is not None and not loss.down:
            running = np.nanmax(after.vms.response_ms.value)
            assert mode.response_ms.value == pytest.approx(running)


def test_vms_restart_in_the_order_of_ha() -> None:
    scenario = samples.scenario(hosts=3, vms=6, unplaced=0).place(["m2", "m3"], "h1")
    scenario = scenario.edit(
        Vm, "m3", lambda vm: replace(vm, restart_priority=RestartPriority.HIGH)
    )
    loss = lose(scenario, "h1")
    assert next(iter(loss.restarted)) == "m3"
    failover = restarts(scenario, KNOWLEDGE)
    ids = [scenario.vms[row].id for row in failover.moved_vm[failover.moved_mode == 0]]
    assert list(loss.restarted) == ids


def test_what_is_not_to_restart_stays_down() -> None:
    scenario = samples.scenario(hosts=3, vms=3, unplaced=0)
    scenario = scenario.edit(
        Vm, "m1", lambda vm: replace(vm, restart_priority=RestartPriority.DISABLED)
    )
    loss = lose(scenario, "h1")
    assert (dict(loss.restarted), loss.down) == ({}, ("m1",))
    assert not loss.scenario.vm("m1").powered_on
    assert loss.place_of("m1") is None


def test_outside_a_cluster_nothing_restarts() -> None:
    scenario = samples.scenario(hosts=2, vms=2, unplaced=0)
    scenario = scenario.edit(Host, "h1", lambda host: replace(host, cluster=None))
    assert lose(scenario, "h1").down == ("m1",)


def test_an_ft_secondary_goes_on_where_it_is() -> None:
    def protected(vm: Vm) -> Vm:
        return replace(vm, fault_tolerance=True, vcpus=1)

    def logged(host: Host) -> Host:
        return replace(host, ft_logging_gbps=1.0)

    scenario = samples.scenario(hosts=3, vms=3, unplaced=0).edit(Vm, "m1", protected)
    for host in scenario.hosts:
        scenario = scenario.edit(Host, host.id, logged)
    where = secondaries(scenario, KNOWLEDGE)
    assert set(where) == {"m1"}
    loss = lose(scenario, "h1")
    assert loss.taken_over == where
    assert loss.place_of("m1") == where["m1"]
    assert not loss.scenario.vm("m1").fault_tolerance
    other = lose(scenario, where["m1"])
    assert other.scenario.vm("m1").host == "h1"
    assert not other.scenario.vm("m1").fault_tolerance


def test_the_rest_of_the_scenario_is_untouched() -> None:
    scenario = samples.scenario(hosts=3, vms=6)
    loss = lose(scenario, "h2")
    assert loss.scenario.pools == scenario.pools
    assert [vm for vm in loss.scenario.vms if vm.host == "h2"] == []
    kept = [vm for vm in scenario.vms if vm.host != "h2"]
    assert [vm for vm in loss.scenario.vms if vm in kept] == kept


def test_the_prediction_is_judged_as_its_mode() -> None:
    scenario = samples.scenario(hosts=3, vms=6, unplaced=0)
    shown = as_mode(predict(lose(scenario, "h2").scenario), Verdict.DOES_NOT_FIT, "esx2 is lost")
    assert (shown.verdict, shown.sentence) == (Verdict.DOES_NOT_FIT, "Does not fit: esx2 is lost.")
    assert shown.headroom.failure_pct is None
    assert not shown.failures
    assert np.isnan(shown.hosts.failure_cpu_pct).all()


def test_a_failure_that_fits_is_shown_as_a_fit() -> None:
    scenario = a_cluster_of(3, vms=3)
    lost = scenario.hosts[0].id
    mode = mode_of(predict(scenario), lost)
    shown = as_mode(predict(lose(scenario, lost).scenario), mode.verdict, "esx1 is lost").shown
    assert mode.shown is not None
    assert shown == mode.shown
    assert shown.verdict is Verdict.FITS


def test_the_verdict_is_that_of_the_failure_table() -> None:
    scenario = samples.scenario(hosts=3, vms=2, unplaced=0)
    before = predict(scenario)
    modes = {host: mode_of(before, host) for host in ("h1", "h3")}
    assert verdict_on(lose(scenario, "h1"), modes["h1"]) is modes["h1"].verdict
    assert modes["h3"].verdict is None
    assert verdict_on(lose(scenario, "h3"), modes["h3"]) is None


def test_where_nothing_restarts_it_does_not_fit() -> None:
    scenario = samples.scenario(hosts=2, vms=2, unplaced=0)
    alone = scenario.edit(Host, "h1", lambda host: replace(host, cluster=None))
    mode = mode_of(predict(alone), "h1")
    assert mode.verdict is None
    assert verdict_on(lose(alone, "h1"), mode) is Verdict.DOES_NOT_FIT


def test_an_unknown_host_is_named() -> None:
    with pytest.raises(ModelError, match="h9"):
        lose(samples.scenario(), "h9")
