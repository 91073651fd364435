"""A VM's response over its users: the same numbers as `evaluate`, and where a limit is passed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.base.errors import ModelError
from models.base.quantities import Basis
from models.scenario.scenario import Scenario
from models.scenario.workloads import WorkloadKind
from models.studies.curves import ResponseCurve, response_curve
from tests.models.worlds import (
    KNOWLEDGE,
    a_scenario,
    a_vm,
    predict,
    with_policy,
    wv21,
)

USERS = np.array([0.0, 500.0, 2000.0, 4000.0, 6000.0, 9000.0])


def curve(scenario: Scenario, vm: str = "m1") -> ResponseCurve:
    return response_curve(scenario, KNOWLEDGE, vm, USERS)


BUSY = a_scenario(
    vms=(a_vm("m1", release="7.0.2", vcpus=4), *(a_vm(f"n{n}", 4500.0) for n in range(6)))
)


@pytest.mark.parametrize("scenario", [wv21("clovertown", "vmfs", 14.5, 1000.0), a_scenario(), BUSY])
def test_a_curve_is_evaluate_at_many_numbers_of_users(scenario: Scenario) -> None:
    found = curve(scenario).response_ms
    for row, users in enumerate(USERS):
        vm = scenario.vm("m1")
        there = scenario.with_item(
            replace(vm, workload=replace(vm.workload, active_users=float(users)))
        )
        expected = predict(there).vms.quantity("m1", "response_ms")
        if expected.value is None:
            assert np.isnan(found.value[row:]).all()
            return
        assert found.value[row] == pytest.approx(expected.value, rel=1e-9)
        assert found.high[row] == pytest.approx(expected.high, rel=1e-9)
        assert found[row].basis is expected.basis


def test_measured_points_lie_over_the_curve() -> None:
    found = curve(wv21("clovertown", "vmfs", 14.5, 1000.0))
    assert [(p.users, p.response_ms, p.doubted) for p in found.measured] == [
        (1000, 22, False),
        (2000, 87, False),
        (3000, 861, True),
        (4000, 65, False),
        (5000, 124, False),
        (6000, 682, False),
    ]
    derated = with_policy(wv21("clovertown", "vmfs", 14.5, 1000.0), benchmark_derating=2.0)
    assert [p.users for p in curve(derated).measured] == [500, 1000, 1500, 2000, 2500, 3000]
    assert not curve(a_scenario()).measured


def test_the_data_of_a_line_end_with_its_last_measured_point() -> None:
    alone = curve(wv21("clovertown", "vmfs", 14.5, 1000.0))
    assert alone.covered.tolist() == [False, False, True, True, True, False]
    assert not curve(a_scenario()).covered.any(), "no run of this machine"


def test_a_neighbour_leaves_the_measured_points_where_they_are() -> None:
    alone = wv21("clovertown", "vmfs", 14.5, 1000.0)
    beside = replace(alone, vms=(*alone.vms, replace(alone.vm("m1"), id="m2", name="M2")))
    found = curve(beside)
    assert found.response_ms.basis[2] > Basis.INTERPOLATED, "what the neighbour adds is predicted"
    assert found.covered.tolist() == curve(alone).covered.tolist()


def test_the_second_is_crossed_where_the_curve_passes_it() -> None:
    scenario = wv21("clovertown", "vmfs", 14.5, 1000.0)
    crossing = curve(scenario).crossing
    assert crossing.users is not None
    assert crossing.low is not None
    assert crossing.high is not None
    assert crossing.low < crossing.users < crossing.high
    assert crossing.basis is Basis.EXTRAPOLATED
    assert crossing.users > 6000, "no run passed 1 s"
    just_under = wv21("clovertown", "vmfs", 14.5, crossing.users)
    assert predict(just_under).vms.response_ms.value[0] == pytest.approx(1000.0, rel=0.01)


def test_the_knee_is_in_the_users_of_the_scenario() -> None:
    scenario = wv21("clovertown", "vmfs", 14.5, 1000.0)
    plain, derated = curve(scenario), curve(with_policy(scenario, benchmark_derating=2.0))
    assert plain.knee_users == pytest.approx(2 * (derated.knee_users or 0))
    assert curve(a_scenario()).knee_users is None


def test_no_data_stays_no_data() -> None:
    for vm in (a_vm(kind=WorkloadKind.SAMETIME_MUX), a_vm(host=None)):
        found = curve(a_scenario(vms=(vm,)))
        assert (found.response_ms.basis == Basis.NO_DATA).all()
        assert found.crossing.users is None
        assert found.crossing.basis is Basis.NO_DATA


def test_an_unknown_vm_is_named() -> None:
    with pytest.raises(ModelError, match="no VM “m9”"):
        curve(a_scenario(), "m9")
