"""Hosts that stand alone: who is down with them, and what that means for the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.failure.mode import ModeKind
from models.judgement.failure_modes import PARTNERS_SERVE, STANDS_ALONE
from models.judgement.gauges import gauges
from models.predict.prediction import Down, FailureMode, Verdict, worst_first
from models.resilience.study import study_failures
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Loss,
    RestartPriority,
    Scenario,
)
from models.scenario.workloads import WorkloadKind
from models.whatif import what_if
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    members,
    predict,
    with_policy,
)

PHYSICAL: dict[str, Any] = {"disk_mode": DiskMode.PHYSICAL, "vcpus": 8}


def a_pair(**fields: Any) -> Scenario:
    """Two hosts of a cluster with a VM each, and a physical server of its own with users."""
    return (
        a_cluster_of(2, vms=2)
        .with_item(a_host("h9", hypervisor="none", **fields))
        .with_item(a_vm("m9", 3000.0, host="h9", **PHYSICAL))
    )


def studied(scenario: Scenario, *kinds: ModeKind) -> tuple[FailureMode, ...]:
    study = study_failures(scenario, KNOWLEDGE, which=kinds or (ModeKind.HOST,))
    return tuple(study[row] for row in study.ranked())


def test_users_of_a_lone_host_are_down_and_come_first() -> None:
    scenario = a_pair()
    mode = predict(scenario).failures[-1]
    assert (mode.verdict, mode.down, mode.note) == (None, Down(1, 3000.0), STANDS_ALONE)
    assert mode.shown is not None
    assert (mode.shown.verdict, mode.shown.words) == (Verdict.DOES_NOT_FIT, "down: 3,000 users")
    first = studied(scenario)[0]
    assert (first.mode.id, first.down, first.shown) == ("host h9", mode.down, mode.shown)
    both = studied(scenario, ModeKind.TWO_HOSTS)[0]
    assert (both.down, both.verdict) == (mode.down, Verdict.DOES_NOT_FIT)


def test_they_are_said_and_change_no_verdict() -> None:
    scenario = a_pair()
    alone, without = predict(scenario), predict(scenario.without(["m9"]))
    assert alone.verdict is without.verdict is Verdict.FITS
    assert "any one host of a cluster may fail; with H9 gone, 3,000 users are down." in (
        alone.sentence
    )
    assert "down" not in without.sentence
    assert without.failures[-1].shown is None


def test_where_the_policy_wants_failures_survived_they_put_the_design_at_risk() -> None:
    scenario = a_pair(cluster="c1")
    tolerant = Cluster(
        id="c1",
        name="Mail",
        admission=Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=1),
    )
    asked = replace(scenario, clusters=(tolerant,))
    prediction = predict(asked)
    assert prediction.verdict is Verdict.AT_RISK
    assert prediction.sentence.startswith(
        "At risk: with H9 gone, 3,000 users are down, though the failure of a host is to be "
        "survived."
    )
    assert what_if(asked, KNOWLEDGE, factor=[1.0]).verdict.tolist() == [Verdict.AT_RISK]
    reserving_nothing = replace(scenario, clusters=(Cluster(id="c1", name="Mail"),))
    assert predict(reserving_nothing).verdict is Verdict.FITS


def test_users_with_a_cluster_partner_elsewhere_are_not_down() -> None:
    scenario = a_scenario(
        hosts=(a_host("h1"), a_host("h2")),
        vms=(
            a_vm("m1", cluster_partners=("m2",)),
            a_vm("m2", host="h2", cluster_partners=("m1",)),
        ),
    )
    for mode in predict(scenario).failures:
        assert (mode.down, mode.note) == (None, PARTNERS_SERVE)
    (both,) = studied(scenario, ModeKind.TWO_HOSTS)
    assert both.down == Down(2, 2000.0)
    together = replace(scenario, vms=tuple(replace(vm, host="h1") for vm in scenario.vms))
    assert predict(together).failures[0].down == Down(2, 2000.0)


def test_the_dial_says_who_is_down_where_nothing_fails_over() -> None:
    scenario = a_scenario()
    dial = gauges(scenario, predict(scenario))[-1]
    assert (dial.down, dial.subject, dial.note) == (Down(1, 1000.0), "h1", "down: 1,000 users")
    assert gauges(a_pair(), predict(a_pair()))[-1].down is None


@pytest.mark.parametrize(("mux", "users"), [(2, 3000.0), (4, 4000.0)])
def test_users_of_multiplexers_are_those_of_the_servers_behind(mux: int, users: float) -> None:
    fields = {"release": "7.5.1", "ram_gib": 2.0}
    servers = [
        a_vm(f"s{n}", 1500.0, kind=WorkloadKind.SAMETIME_COMMUNITY, **fields) for n in range(2)
    ]
    before = [a_vm(f"x{n}", 1000.0, kind=WorkloadKind.SAMETIME_MUX, **fields) for n in range(mux)]
    (mode,) = predict(a_scenario(vms=(*servers, *before))).failures
    assert mode.down == Down(2 + mux, 0.0, users)


def test_users_of_mail_and_of_chat_who_are_down_are_not_added_up() -> None:
    chat = a_vm("s1", 2500.0, kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1")
    prediction = predict(a_scenario(vms=(a_vm(users=1000.0), chat)))
    (mode,) = prediction.failures
    assert mode.down == Down(2, 1000.0, 2500.0)
    assert mode.down.words == "down: 1,000 mail users and 2,500 chat users"
    assert "with H1 gone, 1,000 mail users and 2,500 chat users are down" in prediction.sentence


def test_servers_without_users_are_counted_themselves() -> None:
    scenario = a_scenario(vms=(a_vm("m1", 0.0, kind=WorkloadKind.GENERIC),))
    prediction = predict(scenario)
    mode = prediction.failures[0]
    assert mode.shown is not None
    assert mode.shown.words == "down: 1 VM"
    assert "with H1 gone, 1 VM is down" in prediction.sentence


def test_tables_without_a_study_have_them_first_as_well() -> None:
    modes = worst_first(predict(a_pair()).failures)
    assert [mode.host for mode in modes] == ["h9", "h1", "h2"]
    idle = predict(a_pair().without(["m9"])).failures
    assert [mode.host for mode in worst_first(idle)] == ["h1", "h2", "h9"]


KEPT_DOWN: tuple[dict[str, Any], ...] = (
    {"disk_mode": DiskMode.LOCAL},
    {"restart_priority": RestartPriority.DISABLED},
)


@pytest.mark.parametrize("fields", KEPT_DOWN)
def test_what_ha_leaves_down_is_down_in_every_loss(fields: dict[str, Any]) -> None:
    """Unless a Domino cluster partner elsewhere serves its users: no host may fail then."""
    scenario = a_cluster_of(2, vms=4, users=500.0, **fields)
    grouped = replace(
        scenario,
        hosts=tuple(replace(host, failure_group=host.id) for host in scenario.hosts),
    )
    prediction = predict(scenario)
    assert prediction.verdict is Verdict.AT_RISK
    assert prediction.sentence.startswith(
        "At risk: with H1 gone, 1,000 users are down (likewise 1 more host), though"
    )
    assert "may fail" not in prediction.sentence
    assert [mode.down for mode in prediction.failures] == [Down(2, 1000.0)] * 2
    assert what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict.tolist() == [2]
    for kind in (ModeKind.HOST, ModeKind.GROUP, ModeKind.MAINTENANCE, ModeKind.TWO_HOSTS):
        modes = studied(grouped, kind)
        assert modes
        assert all(mode.down is not None for mode in modes)
        assert all(mode.shown and mode.shown.verdict is Verdict.DOES_NOT_FIT for mode in modes)
    for survive in ((Loss.GROUP,), (Loss.HOST,)):
        assert predict(with_policy(grouped, survive=survive)).verdict is Verdict.AT_RISK


@pytest.mark.parametrize("fields", KEPT_DOWN)
def test_it_is_told_beside_a_verdict_that_need_not_survive_it(fields: dict[str, Any]) -> None:
    scenario = with_policy(a_cluster_of(2, vms=4, users=500.0, **fields), survive=())
    prediction = predict(scenario)
    assert prediction.verdict is Verdict.FITS
    assert "not every host may fail, which the policy doesn’t ask for" in prediction.sentence
    assert "with H1 gone, 1,000 users are down (likewise 1 more host)" in prediction.sentence
    assert "any one" not in prediction.sentence


@pytest.mark.parametrize("fields", KEPT_DOWN)
def test_whom_a_partner_elsewhere_serves_is_not_down(fields: dict[str, Any]) -> None:
    pair = members(2, 500.0, **fields)
    prediction = predict(pair)
    assert prediction.verdict is Verdict.FITS
    assert [mode.down for mode in prediction.failures] == [None, None]
    assert "any one host may fail" in prediction.sentence
    (both,) = studied(pair, ModeKind.TWO_HOSTS)
    assert both.down == Down(2, 1000.0)
    assert what_if(pair, KNOWLEDGE, factor=[1.0]).verdict.tolist() == [0]


def test_of_a_host_in_maintenance_what_can_not_move_is_down() -> None:
    """HA is not asked for what is moved before; disks of a host's own move nowhere."""
    base = with_policy(a_cluster_of(3, vms=1, users=500.0), survive=())
    for fields, is_down in zip(KEPT_DOWN, (True, False), strict=True):
        scenario = base.with_item(replace(base.vms[0], **fields))
        modes = studied(scenario, ModeKind.MAINTENANCE)
        of_h1 = [mode.down for mode in modes if mode.mode.maintenance == "h1"]
        assert of_h1 == ([Down(1, 500.0)] * 2 if is_down else [None, None])
