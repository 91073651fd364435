"""Flip distances are where the model itself changes its verdict."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.quantities import FloatArray
from models.physics.scenario_to_arrays import REGISTERED
from models.predict.prediction import Binding, Finding, Verdict
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    LoadBasis,
    RestartPriority,
    Scenario,
    Vm,
)
from models.scenario.workloads import WorkloadKind
from models.studies.flip import (
    Flips,
    Step,
    find_flip,
    flips,
    scaled,
    with_more_load,
    with_more_users,
)
from models.whatif import what_if
from tests.models.explain.terms import examples
from tests.models.physics.chat import in_cluster
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
    with_policy,
    wv21,
)
from tests.sweeps import some

SCENARIOS = {
    **{scenario.name: scenario for scenario in examples()},
    "roomy": a_cluster_of(3, vms=6),
    "alone": a_scenario(),
    "overloaded": a_cluster_of(2, vms=4, users=30_000.0),
    "derated": with_policy(wv21("clovertown", "vmfs", 14.5, 1500.0), benchmark_derating=2.0),
}
STEP = 1.003
"""How near to the true step an answer is."""


@cache
def found(scenario: Scenario) -> Flips:
    return flips(scenario, KNOWLEDGE)


def with_users(scenario: Scenario, factor: float) -> Scenario:
    """More users, registered ones with them where they cost more than space."""
    in_production = scenario.policy.load_basis is LoadBasis.PRODUCTION

    def more(vm: Vm) -> Vm:
        work = replace(vm.workload, active_users=vm.workload.active_users * factor)
        if in_production and work.registered_users is not None:
            work = replace(work, registered_users=round(work.registered_users * factor))
        return replace(vm, workload=work)

    return replace(scenario, vms=tuple(map(more, scenario.vms)))


def with_load(scenario: Scenario, factor: float) -> Scenario:
    """More load per user, where there is one by another field than the search takes."""
    if scenario.policy.load_basis is LoadBasis.PRODUCTION:
        return with_policy(scenario, load_factor=scenario.policy.load_factor * factor)
    derating = scenario.policy.benchmark_derating * factor
    return with_policy(scenario, benchmark_derating=derating)


@pytest.mark.parametrize("name", some(SCENARIOS))
def test_the_verdict_holds_up_to_the_step_and_not_beyond(name: str) -> None:
    scenario = SCENARIOS[name]
    flip = found(scenario)
    assert flip.verdict is predict(scenario).verdict
    for one, changed in ((flip.users, with_users), (flip.load, with_load)):
        if one is None or one.up is None:
            continue
        at = one.up.at / one.now
        for factor in np.linspace(1.0, at, 5):
            assert predict(changed(scenario, float(factor))).verdict is flip.verdict
        assert predict(changed(scenario, at * STEP)).verdict is one.up.to


@pytest.mark.parametrize("name", some(SCENARIOS))
def test_where_it_no_longer_fits_is_told_alike_from_before_and_beyond_the_step(name: str) -> None:
    scenario = SCENARIOS[name]
    users = found(scenario).users
    if users is None or users.beyond is None or users.up is None:
        return
    assert users.up.at < users.beyond.at
    past = users.up.at / users.now * STEP
    beyond = found(with_more_users(scenario, past)).users
    assert beyond is not None
    assert beyond.up is not None
    assert beyond.down is not None
    assert beyond.up.to is users.beyond.to is Verdict.DOES_NOT_FIT
    assert beyond.up.at == pytest.approx(users.beyond.at, rel=1e-3)
    assert beyond.down.at == pytest.approx(users.up.at, rel=1e-3)


@pytest.mark.parametrize("name", ["Building block on three hosts", "alone", "overloaded"])
def test_what_gives_way_is_what_decides_beyond_the_step(name: str) -> None:
    scenario = SCENARIOS[name]
    flip = found(scenario)
    if flip.users is not None and flip.users.up is not None:
        beyond = predict(with_users(scenario, flip.users.up.at / flip.users.now * STEP))
        by = flip.users.up.by
        assert isinstance(by, Binding)
        assert beyond.binding is not None
        assert (by.resource, by.subject) == (beyond.binding.resource, beyond.binding.subject)
    if flip.lost is not None and scenario.clusters:
        assert flip.lost.by is not None


@pytest.mark.parametrize("name", some(SCENARIOS))
def test_brute_force_finds_no_step_before_it(name: str) -> None:
    """A fine grid over the whole way, by the vectorised model."""
    scenario = SCENARIOS[name]
    flip = found(scenario)
    if flip.users is None:
        return
    end = 4.0 if flip.users.up is None else flip.users.up.at / flip.users.now
    grid = np.linspace(1.0, end, 300)
    codes = what_if(scenario, KNOWLEDGE, factor=grid).verdict
    assert (codes == int(flip.verdict)).all()


@pytest.mark.parametrize("name", some(SCENARIOS))
def test_fewer_users_change_it_where_it_says(name: str) -> None:
    scenario = SCENARIOS[name]
    flip = found(scenario)
    if flip.users is None or flip.users.down is None:
        return
    at = flip.users.down.at / flip.users.now
    assert predict(with_users(scenario, at / STEP)).verdict is flip.users.down.to
    assert predict(with_users(scenario, at * STEP)).verdict is flip.verdict


@pytest.mark.parametrize("name", some(SCENARIOS))
def test_verdicts_never_improve_as_load_grows(name: str) -> None:
    grid = np.geomspace(1.0, 40.0, 60)
    codes = what_if(SCENARIOS[name], KNOWLEDGE, factor=grid).verdict
    assert (np.diff(codes.astype(int)) >= 0).all()


@pytest.mark.parametrize("name", some(SCENARIOS))
def test_lost_hosts_are_the_fewest_that_change_it(name: str) -> None:
    scenario = SCENARIOS[name]
    flip = found(scenario)
    if flip.lost is None:
        return
    assert predict(without(scenario, flip.lost.hosts)).verdict > flip.verdict
    if len(flip.lost.hosts) > 1:
        manned = [bool(scenario.vms_on(host.id)) for host in scenario.hosts]
        alone = np.eye(len(manned), dtype=np.bool_)[manned]
        left = what_if(scenario, KNOWLEDGE, hosts_down=alone, others_fail=False)
        assert (left.verdict <= int(flip.verdict)).all()


def test_where_any_one_host_may_fail_two_have_to_be_lost() -> None:
    """Of two hosts one carries all; that it might fail too is another question."""
    flip = found(a_cluster_of(2, vms=2, users=300.0))
    assert "any one host may fail" in predict(a_cluster_of(2, vms=2, users=300.0)).sentence
    assert flip.lost is not None
    assert (flip.lost.hosts, flip.lost.to) == (("h1", "h2"), Verdict.AT_RISK)


def test_without_a_server_users_are_what_gives_way() -> None:
    lost = found(a_scenario(vms=(a_vm(users=300.0),))).lost
    assert lost is not None
    assert (lost.hosts, lost.to) == (("h1",), Verdict.AT_RISK)
    assert isinstance(lost.by, Finding)
    assert (lost.by.rule, lost.by.subject) == ("unplaced", "m1")


@pytest.mark.parametrize(
    ("kept", "hosts"),
    [
        ({"restart_priority": RestartPriority.DISABLED}, ("h1",)),
        ({"disk_mode": DiskMode.LOCAL}, ("h1",)),
        ({"disk_mode": DiskMode.LOCAL, "cluster_partners": ("m2",)}, ("h1", "h2")),
    ],
)
def test_what_stays_down_is_lost_with_its_host_unless_a_partner_serves(
    kept: dict[str, Any], hosts: tuple[str, ...]
) -> None:
    """As in the failure modes."""
    base = with_policy(a_cluster_of(2, vms=2, users=300.0), survive=())
    scenario = base.edit(Vm, "m1", lambda vm: replace(vm, **kept))
    is_served = len(hosts) > 1
    assert ("any one host may fail" in predict(scenario).sentence) is is_served
    lost = found(scenario).lost
    assert lost is not None
    assert lost.hosts == hosts


def test_users_who_go_on_with_a_partner_lose_no_server() -> None:
    hosts = (a_host("h1"), a_host("h2"))
    pair = (a_vm("m1", cluster_partners=("m2",)), a_vm("m2", host="h2", cluster_partners=("m1",)))
    lost = found(a_scenario(hosts=hosts, vms=pair)).lost
    assert lost is not None
    assert (lost.hosts, lost.to) == (("h1", "h2"), Verdict.AT_RISK)
    assert isinstance(lost.by, Finding)
    assert lost.by.rule == "unplaced"


def without(scenario: Scenario, hosts: tuple[str, ...]) -> Scenario:
    """The hosts stand empty and outside their cluster; their VMs stand where HA restarts them."""
    down = np.array([[host.id in hosts for host in scenario.hosts]])
    there = what_if(scenario, KNOWLEDGE, hosts_down=down).host[0]
    ids = [host.id for host in scenario.hosts]
    for vm, row in zip(scenario.vms, there, strict=True):
        scenario = scenario.place([vm.id], None if row < 0 else ids[int(row)])
    for id in hosts:
        scenario = scenario.edit(Host, id, lambda host: replace(host, cluster=None))
    return scenario


class TestSearch:
    @given(st.floats(1.0001, 60.0), st.sampled_from([Verdict.AT_RISK, Verdict.DOES_NOT_FIT]))
    def test_a_step_upwards_is_found_wherever_it_is(self, at: float, to: Verdict) -> None:
        flip = find_flip(lambda f: np.where(f > at, int(to), 0).astype(np.int8), Verdict.FITS)
        assert flip.down is None
        assert flip.up is not None
        assert flip.up.to is to
        assert flip.up.at <= at <= flip.up.at * STEP

    @given(st.floats(0.02, 0.9999))
    def test_a_step_downwards_too(self, at: float) -> None:
        flip = find_flip(lambda f: np.where(f > at, 3, 0).astype(np.int8), Verdict.DOES_NOT_FIT)
        assert flip.up is None
        assert flip.down is not None
        assert flip.down.at <= at * 1.000001 <= flip.down.at * STEP

    def test_the_first_of_two_steps_counts(self) -> None:
        def verdicts(f: np.ndarray) -> np.ndarray:
            return np.select([f > 5.0, f > 1.7], [3, 2], 0).astype(np.int8)

        flip = find_flip(verdicts, Verdict.FITS)
        assert flip.up is not None
        assert flip.up.to is Verdict.AT_RISK
        assert flip.up.at == pytest.approx(1.7, rel=1e-3)

    def test_no_step_is_none(self) -> None:
        flip = find_flip(lambda f: np.zeros(len(f), dtype=np.int8), Verdict.FITS)
        assert (flip.up, flip.down) == (None, None)

    def test_factors_become_users(self) -> None:
        flip = find_flip(lambda f: (f > 2.0).astype(np.int8), Verdict.FITS)
        users = scaled(flip, 1000.0)
        assert users.now == 1000.0
        assert users.up is not None
        assert users.up.at == pytest.approx(2000.0, rel=1e-3)
        assert isinstance(users.up, Step)


STATED: dict[tuple[str, ...], Scenario] = {
    pins: a_cluster_of(
        3, vms=6, users=1000.0, registered_users=2500.0, mail_file_mb=150.0, pins=pins
    )
    for pins in ((), (REGISTERED,))
}


@pytest.mark.parametrize("pins", STATED)
def test_stated_mail_files_grow_with_the_users_unless_they_are_pinned(
    pins: tuple[str, ...],
) -> None:
    """Up to the step it is as for a person who enters so many more users, and not beyond."""
    scenario = with_policy(STATED[pins], survive=())
    flip = found(scenario).users
    assert flip is not None
    assert flip.up is not None
    at = flip.up.at / flip.now
    for factor in np.linspace(1.0, at, 6):
        assert predict(with_more_users(scenario, float(factor))).verdict is Verdict.FITS
    beyond = predict(with_more_users(scenario, at * STEP))
    assert beyond.verdict is flip.up.to
    assert isinstance(flip.up.by, Binding)
    assert beyond.binding is not None
    assert flip.up.by.resource == beyond.binding.resource
    assert (flip.up.by.resource == "capacity_pct") is not bool(pins)


def test_mail_files_stay_when_the_load_per_user_grows() -> None:
    scenario = a_scenario(vms=(a_vm(users=800.0), a_vm("m2", registered_users=50.0)))
    busier = with_more_load(scenario, 3.0)
    assert busier.vms == scenario.vms
    space = [
        predict(each).pools.quantity("p1", "capacity_pct").value for each in (scenario, busier)
    ]
    cpu = [predict(each).vms.quantity("m1", "cpu_pct").value for each in (scenario, busier)]
    assert space[0] == space[1]
    assert (cpu[0] or 0.0) < (cpu[1] or 0.0)


def test_nothing_to_flip_is_nothing() -> None:
    empty = found(Scenario(name="empty"))
    assert (empty.users, empty.load, empty.lost, empty.tried) == (None, None, None, 0)
    idle = found(a_scenario(hosts=(a_host(),), vms=(a_vm(users=0.0),)))
    assert idle.users is None


def test_it_can_be_given_up() -> None:
    class Enough(Exception):
        pass

    def stop() -> None:
        raise Enough

    with pytest.raises(Enough):
        flips(a_scenario(), KNOWLEDGE, check=stop)


def test_it_is_the_same_step_in_batches_of_any_size() -> None:
    asked: list[int] = []

    def verdicts(factors: FloatArray) -> npt.NDArray[np.int8]:
        asked.append(len(factors))
        return np.where(factors > 7.0, 3, np.where(factors < 0.5, 2, 0)).astype(np.int8)

    found = {}
    for batch in (36, 8, 4):
        asked.clear()
        found[batch] = find_flip(verdicts, Verdict.FITS, batch)
        assert max(asked) <= batch
    assert found[36] == found[8] == found[4]


def test_hosts_lost_at_once_are_tried_until_one_can_not_carry_all() -> None:
    counted = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=2)
    scenario = replace(
        a_cluster_of(4, vms=4, ram_gib=20.0, users=300.0),
        clusters=(Cluster(id="c1", name="Mail", admission=counted),),
    )
    lost = found(scenario).lost
    assert lost is not None
    assert (len(lost.hosts), lost.to) == (3, Verdict.AT_RISK)
    assert isinstance(lost.by, Finding)
    assert lost.by.rule == "unplaced"


def test_where_a_failure_passes_what_is_known_to_work_it_gives_way() -> None:
    three = in_cluster(dict.fromkeys(("h1", "h2", "h3"), "ibm-x3650"), 20_000.0)
    users = found(three).users
    assert users is not None
    assert users.up is not None
    assert isinstance(users.up.by, Finding)
    assert (users.up.by.rule, users.up.by.subject) == ("unknown-cpu", "h1")


def test_beyond_the_sametime_that_is_known_to_work_its_finding_gives_way() -> None:
    scenario = SCENARIOS["Sametime 100,000"]
    users = found(scenario).users
    assert users is not None
    assert users.up is not None
    assert users.now == pytest.approx(100_000)
    assert isinstance(users.up.by, Finding)
    assert users.up.by.rule == "sametime-no-data"


def test_users_of_mail_alone_grow_where_there_is_chat() -> None:
    chat = a_vm("s1", 500.0, kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1", ram_gib=4.0)
    mux = a_vm("x1", 500.0, kind=WorkloadKind.SAMETIME_MUX, release="7.5.1", ram_gib=2.0)
    both = a_scenario(vms=(a_vm("m1", 1000.0), chat, mux))
    grown = with_more_users(both, 3.0)
    assert [vm.workload.active_users for vm in grown.vms] == [3000.0, 500.0, 500.0]
    found = flips(both, KNOWLEDGE).users
    assert found is not None
    assert (found.now, found.of_mail) == (1000.0, True)
    alone = flips(a_scenario(vms=(a_vm("m1", 1000.0),)), KNOWLEDGE).users
    assert alone is not None
    assert not alone.of_mail
