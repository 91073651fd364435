"""Storms over scenarios: inputs with origin, who waits, and the vCPUs that would help."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from models.base.errors import ModelError
from models.base.fields import with_value
from models.base.quantities import FloatArray
from models.resilience.storms import (
    StormKind,
    StormStudy,
    storms_asked,
    study_storm,
    vcpus_to_drain,
)
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import Assumptions, Scenario
from models.scenario.workloads import WorkloadKind
from models.transient.network import drained_at
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    with_policy,
)

KIND = StormKind
BLOCK = a_scenario(vms=(a_vm(users=4000.0),))
"""The building block: 4,000 users on 2 vCPUs and 8 GiB."""


@cache
def study(scenario: Scenario, kind: StormKind = KIND.RECONNECT) -> StormStudy:
    return study_storm(scenario, KNOWLEDGE, kind)


def drain(scenario: Scenario, within_s: float, vm: str = "m1") -> int | None:
    return vcpus_to_drain(scenario, KNOWLEDGE, KIND.RECONNECT, vm=vm, within_s=within_s)


def test_everybody_reconnecting_keeps_a_building_block_busy_for_minutes() -> None:
    """4,000 logins of 5 × 11.2 ms: 224 core-seconds for 2 vCPUs that mail keeps 29 % busy."""
    storm = study(BLOCK)
    (server,) = storm.servers
    assert server.vm == "m1"
    assert server.users == 4000.0
    assert server.drained_s == pytest.approx(224 / (2 - 0.57), rel=0.2)
    assert server.peak_waiting > 1000
    assert server.peak_extra_ms > 1000
    assert storm.drained_s == server.drained_s
    assert storm.worst is server
    undisturbed = predict(BLOCK).vms.response_ms.value[0]
    assert server.peak_response_ms == pytest.approx(undisturbed + server.peak_extra_ms)
    assert server.response_ms is not None
    assert server.response_ms[-1] == pytest.approx(undisturbed, rel=0.2)
    assert len(storm.time_s) == len(storm.waiting) == len(server.login_ms)


def test_inputs_are_assumed_until_somebody_gives_them() -> None:
    inputs = study(BLOCK).inputs
    assert [(each.field, each.value, each.origin) for each in inputs] == [
        ("reconnect_s", 60.0, "assumed"),
        ("login_actions", 5.0, "assumed"),
    ]
    said = with_value(BLOCK, "assumptions.login_actions", 3.0)
    said = with_origin(said, Origin.CUSTOMER, "assumptions.login_actions")
    assert study(said).inputs[1].origin == "customer said"
    assert [each.field for each in study(BLOCK, KIND.HOLIDAY).inputs] == [
        "holiday_login_s",
        "login_actions",
        "holiday_peak_factor",
        "holiday_s",
    ]


def test_a_holiday_is_slower_and_longer() -> None:
    short, long = study(BLOCK), study(BLOCK, KIND.HOLIDAY)
    assert (long.servers[0].peak_extra_ms) < short.servers[0].peak_extra_ms
    assert (long.drained_s or 0) > (short.drained_s or 0)


def test_waiting_people_are_counted_as_people() -> None:
    """With a derating of 2 half as many people are as many benchmark users."""
    halved = with_policy(a_scenario(vms=(a_vm(users=2000.0),)), benchmark_derating=2.0)
    one, two = study(BLOCK).servers[0], study(halved).servers[0]
    assert two.users == 2000.0
    assert two.peak_waiting == pytest.approx(one.peak_waiting / 2)
    assert two.drained_s == pytest.approx(one.drained_s)


def test_more_vcpus_drain_it_sooner_and_the_fewest_are_found() -> None:
    found = drain(BLOCK, 70.0)
    assert found is not None
    assert found > 2
    for vcpus, enough in ((found, True), (found - 1, False)):
        given = a_scenario(vms=(a_vm(users=4000.0, vcpus=vcpus),))
        assert ((study(given).drained_s or np.inf) <= 70.0) == enough
    assert drain(BLOCK, 600.0) == 2


def test_vcpus_are_no_more_than_the_host_has_cores() -> None:
    heavy = replace(BLOCK, assumptions=Assumptions(login_actions=100.0))
    assert drain(heavy, 61.0) is None


def test_neighbours_and_other_load_share_the_cores() -> None:
    alone = study(BLOCK).servers[0]
    crowd = replace(BLOCK, vms=tuple(a_vm(f"m{n}", 4000.0) for n in range(8)))
    beside = study(crowd).servers[0]
    assert beside.drained_s is not None
    assert alone.drained_s is not None
    assert beside.drained_s > alone.drained_s
    generic = a_vm("g1", 0.0, kind=WorkloadKind.GENERIC, cpu_mhz=7.5 * 2930, vcpus=8)
    busy = study(replace(BLOCK, vms=(*BLOCK.vms, generic)))
    assert [each.vm for each in busy.servers] == ["m1"]
    assert (busy.servers[0].drained_s or np.inf) > alone.drained_s


def test_few_drives_are_the_bottleneck() -> None:
    few = replace(BLOCK, pools=(a_pool(spindles=12),))
    assert study(few).servers[0].peak_extra_ms > study(BLOCK).servers[0].peak_extra_ms


def test_without_data_nothing_is_made_up() -> None:
    inotes = a_scenario(vms=(a_vm(users=1000.0, kind=WorkloadKind.DOMINO_INOTES),))
    (server,) = study(inotes).servers
    assert (server.response_ms, server.peak_response_ms) == (None, None)
    assert server.peak_extra_ms > 0
    sametime = a_scenario(vms=(a_vm(users=1000.0, kind=WorkloadKind.SAMETIME_COMMUNITY),))
    storm = study(sametime)
    assert (storm.servers, storm.silent, storm.worst) == ((), ("m1",), None)
    assert storm.drained_s is None
    with pytest.raises(ModelError, match="no CPU data"):
        drain(sametime, 60.0)
    with pytest.raises(ModelError, match="m9"):
        drain(BLOCK, 60.0, vm="m9")


def test_servers_of_several_hosts_storm_together() -> None:
    storm = study(a_cluster_of(2, vms=4, users=3000.0))
    assert [each.vm for each in storm.servers] == ["m1", "m2", "m3", "m4"]
    assert storm.waiting.max() <= sum(each.peak_waiting for each in storm.servers) * (1 + 1e-9)
    assert storm.offline[0] <= 12_000


def test_all_servers_are_drained_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand servers, each of which looked at all of them, took seconds."""
    asked = []

    def counted(*columns: FloatArray) -> FloatArray:
        asked.append(columns)
        return drained_at(*columns)

    monkeypatch.setattr("models.transient.network.drained_at", counted)
    found = study_storm(a_cluster_of(3, vms=6), KNOWLEDGE, KIND.RECONNECT)
    assert len(found.servers) == 6
    assert len(asked) == 1


def test_storms_are_asked_for_by_stating_their_inputs() -> None:
    """A proposal speaks of a storm only where somebody said within which time users come back."""
    scenario = BLOCK
    assert storms_asked(scenario) == ()
    login = with_origin(scenario, Origin.MANUAL, "assumptions.login_actions")
    assert storms_asked(login) == ()
    cut = with_origin(scenario, Origin.CUSTOMER, "assumptions.reconnect_s")
    assert storms_asked(cut) == (StormKind.RECONNECT,)
    both = with_origin(cut, Origin.MANUAL, "assumptions.holiday_login_s")
    assert storms_asked(both) == (StormKind.RECONNECT, StormKind.HOLIDAY)


def test_a_storm_can_be_given_up() -> None:
    steps: list[int] = []

    class Enough(Exception):
        pass

    def check() -> None:
        steps.append(1)
        if len(steps) == 3:
            raise Enough

    with pytest.raises(Enough):
        study_storm(BLOCK, KNOWLEDGE, StormKind.RECONNECT, check=check)
    assert len(steps) == 3


def test_what_cannot_be_powered_on_is_left_out() -> None:
    beside = replace(BLOCK, vms=(*BLOCK.vms, a_vm("m2", 4000.0, vcpus=99)))
    storm = study(beside)
    assert [server.vm for server in storm.servers] == ["m1"]
    assert (storm.refused, storm.silent) == (("m2",), ())
    with pytest.raises(ModelError):
        drain(beside, 600.0, "m2")
