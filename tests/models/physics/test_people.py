"""Whoever gives servers other users moves the owners of mail files with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.failure.mode import ModeKind
from models.physics.columns import NOBODY
from models.physics.people import with_users_moved, without_server
from models.physics.scenario_to_arrays import to_arrays
from models.predict.prediction import Verdict
from models.resilience.designs import compare_designs
from models.resilience.domino_members import cpu_limit_users
from models.resilience.study import study_failures
from models.scenario.growth import grown
from models.scenario.scenario import Growth, LoadBasis, Loss, Posture, Scenario
from models.single_changes import changes
from models.studies.curves import response_curve
from models.studies.flip import flips
from models.studies.parameter_study import Varied, changed
from models.whatif import what_if
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    found,
    members,
    predict,
    with_policy,
)
from tests.sweeps import often


def produced(scenario: Scenario, posture: Posture = Posture.AGGRESSIVE) -> Scenario:
    return with_policy(scenario, load_basis=LoadBasis.PRODUCTION, posture=posture)


def clustered(count: int, users: float, **fields: Any) -> Scenario:
    return produced(members(count, users, vcpus=8, release="12.0", **fields))


def stated(scenario: Scenario) -> Scenario:
    """The same with the registered users that are assumed where nobody says."""
    return replace(
        scenario,
        vms=tuple(
            replace(
                vm,
                workload=replace(vm.workload, registered_users=vm.workload.active_users / 0.35),
            )
            for vm in scenario.vms
        ),
    )


def _partner_losses(scenario: Scenario) -> object:
    study = study_failures(scenario, KNOWLEDGE, which=(ModeKind.PARTNER,))
    return [(mode.verdict, mode.response_ms.value, mode.cpu_pct.value) for mode in study]


def _verdict(scenario: Scenario) -> object:
    prediction = predict(scenario)
    return prediction.verdict, dict(prediction.by_resource)


def _batch(scenario: Scenario) -> object:
    return what_if(scenario, KNOWLEDGE, factor=[0.5, 1.0, 1.3, 2.0]).verdict.tolist()


def _busier(scenario: Scenario) -> object:
    return what_if(scenario, KNOWLEDGE, work=[0.5, 1.0, 1.3, 2.0]).verdict.tolist()


def _designs(scenario: Scenario) -> object:
    return [(row.verdict, row.worst.cpu_pct.value) for row in compare_designs(scenario, KNOWLEDGE)]


def _limits(scenario: Scenario) -> object:
    return cpu_limit_users(to_arrays(scenario, CATALOG), scenario, KNOWLEDGE).tolist()


def _curve(scenario: Scenario) -> object:
    users = np.linspace(105.0, 2625.0, 7)
    return response_curve(scenario, KNOWLEDGE, "m1", users).response_ms.value.tolist()


def _steps(scenario: Scenario) -> object:
    flip = flips(scenario, KNOWLEDGE)
    steps = [each.up for each in (flip.users, flip.load) if each is not None]
    return [(step.to, step.at) for step in steps if step is not None]


def _years_ahead(scenario: Scenario) -> object:
    ahead = grown(replace(scenario, growth=Growth(years=3.0, users_pct=15.0)), 3.0)
    return _verdict(ahead), _partner_losses(ahead)


def _more_users(scenario: Scenario) -> object:
    return _verdict(changes.users(scenario, ["m1"], 700.0).scenario)


def _study(scenario: Scenario) -> object:
    more = Varied("vms[*].workload.active_users", (1.4,), is_factor=True)
    return _verdict(changed(scenario, more, 1.4))


WAYS = (
    _verdict,
    _partner_losses,
    _batch,
    _busier,
    _designs,
    _limits,
    _curve,
    _steps,
    _years_ahead,
    _more_users,
    _study,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize(
    ("count", "users"), often([(2, 1500.0), (3, 1400.0), (2, 500.0)], [(3, 1400.0)])
)
def test_registered_users_as_they_are_assumed_change_nothing(
    way: Callable[[Scenario], object], count: int, users: float
) -> None:
    scenario = clustered(count, users)
    said, unsaid = _flat(way(stated(scenario))), _flat(way(scenario))
    assert said == pytest.approx(unsaid, rel=5e-4, nan_ok=True)


def _flat(of: Any) -> list[float]:
    """Numbers and verdicts of anything that holds them."""
    if isinstance(of, dict):
        of = list(of.values())
    if isinstance(of, list | tuple):
        return [number for each in of for number in _flat(each)]
    return [-1.0 if of is None else float(of)]


@pytest.mark.parametrize("posture", Posture)
@pytest.mark.parametrize(("users", "owners"), [(1500.0, 4200.0), (700.0, 1960.0), (400.0, 3000.0)])
def test_a_pair_is_no_better_than_one_server_with_the_users_of_both(
    users: float, owners: float, posture: Posture
) -> None:
    pair = produced(clustered(2, users, registered_users=owners), posture)
    both = produced(clustered(2, 2 * users, registered_users=2 * owners), posture)
    alone = replace(both, vms=(replace(both.vms[0], cluster_partners=()),))
    alone = with_policy(alone, survive=())
    assert min(predict(alone).verdict, Verdict.AT_RISK) <= predict(pair).verdict


def test_a_lost_partner_brings_the_other_work_of_its_users() -> None:
    pair = clustered(2, 800.0, registered_users=2400.0)
    pair = with_policy(pair, survive=(Loss.PARTNER,))
    prediction = predict(pair)
    assert prediction.verdict is prediction.by_resource["cpu"] is Verdict.AT_RISK
    assert predict(with_policy(pair, survive=())).verdict is Verdict.FITS
    assert len(found(prediction, "partner-capacity")) == 2
    normal, lost, _ = study_failures(pair, KNOWLEDGE, which=(ModeKind.NORMAL, ModeKind.PARTNER))
    assert (lost.iops.value or 0.0) > 0.8 * (normal.iops.value or 0.0)
    assert (lost.cpu_pct.value or 0.0) > 1.5 * (normal.cpu_pct.value or 0.0)


@pytest.mark.parametrize("posture", Posture)
def test_what_partners_can_carry_is_judged_as_the_loss_is(posture: Posture) -> None:
    """The finding speaks where the posture's end of a member's CPU passes, and there alone."""
    for users in (200.0, 500.0, 900.0, 1400.0):
        pair = produced(clustered(2, users, registered_users=3 * users), posture)
        prediction = predict(pair)
        over = bool(found(prediction, "partner-capacity"))
        assert not over or prediction.by_resource["cpu"] is not Verdict.FITS
        if prediction.normal is Verdict.FITS and prediction.by_resource["cpu"] is Verdict.FITS:
            assert not over


def test_space_is_that_of_the_replicas_which_were_there_before() -> None:
    pair = clustered(2, 1000.0, registered_users=3000.0)
    pair = replace(pair, policy=replace(pair.policy, survive=(Loss.PARTNER,)))
    arrays = to_arrays(pair, CATALOG)
    lost = without_server(arrays.vms, np.array([0]), np.array([[False, True]]))
    assert lost.files_mb.tolist() == arrays.vms.files_mb.tolist()
    assert lost.mail_owners.tolist() == [0.0, 6000.0]


def test_users_whose_owners_are_stated_join_others_whose_are_not() -> None:
    trio = clustered(3, 350.0, mail_file_mb=100.0)
    first = replace(
        trio.vms[0],
        workload=replace(trio.vms[0].workload, registered_users=3000.0, mail_file_mb=400.0),
    )
    vms = to_arrays(trio.with_item(first), CATALOG).vms
    heirs = np.array([[False, True, True], [True, False, False], [False, False, False]])
    copies = vms.taken(np.tile(np.arange(3), 3))
    moved = with_users_moved(copies, np.array([0, 1, NOBODY]), heirs)
    owners = moved.mail_owners.reshape(3, 3).round(6).tolist()
    assert owners == [[0.0, 2500.0, 2500.0], [4000.0, 0.0, 1000.0], [3000.0, 1000.0, 1000.0]]
    assert moved.registered_assumed.tolist()[:3] == [False, True, True]
    assert moved.mail_file_mb.tolist()[1] == (1000.0 * 100.0 + 1500.0 * 400.0) / 2500.0
    assert moved.active_users.sum() == pytest.approx(copies.active_users.sum())


@pytest.mark.parametrize("owners", [0.0, 100.0, 999.0, 1000.0])
def test_fewer_registered_than_active_users_count_as_these(owners: float) -> None:
    few, as_many = (
        predict(produced(a_cluster_of(2, vms=1, users=1000.0, registered_users=each)))
        for each in (owners, 1000.0)
    )
    for table, number in (("vms", "cpu_pct"), ("pools", "iops"), ("pools", "capacity_pct")):
        id = getattr(few, table).ids[0]
        values = [getattr(each, table).quantity(id, number).value for each in (few, as_many)]
        assert values[0] == values[1]
    assert bool([f for f in found(few, "registered-users") if f.subject]) is (owners < 1000.0)


def test_a_server_without_users_still_does_its_own_work() -> None:
    """The first user brings no more than a user: no step from nothing."""
    empty, one = (
        predict(produced(a_cluster_of(2, vms=1, users=users, release="12.0")))
        for users in (0.0, 1.0)
    )
    before, after = (each.vms.quantity("m1", "cpu_pct").value or 0.0 for each in (empty, one))
    assert before > 0.0
    assert after == pytest.approx(before, rel=0.02)
    assert "Load of production" in empty.sentence
