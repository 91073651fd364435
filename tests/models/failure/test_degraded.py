"""Responses with a host gone, where many VMs are too many to look at one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.synthetic import synthetic_scenario
from models.evaluate import evaluate
from models.failure import degraded
from models.scenario.scenario import Scenario
from tests.models.worlds import KNOWLEDGE


def uneven(load: float) -> Scenario:
    """VMs of many sizes; responses of some aren't known."""
    scenario = synthetic_scenario(20, 200, load=load)
    rng = np.random.default_rng(5)
    vms = [
        replace(vm, workload=replace(vm.workload, active_users=users))
        for vm, users in zip(scenario.vms, rng.uniform(10.0, 900.0, 200).tolist(), strict=True)
    ]
    return replace(scenario, vms=tuple(vms))


@pytest.mark.parametrize("load", [1.0, 12.0])
def test_vms_left_out_are_never_the_slowest(load: float, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = uneven(load)
    monkeypatch.setattr(degraded, "FEW_CROWDS", 10**9)
    all_looked_at = evaluate(scenario, KNOWLEDGE)
    monkeypatch.setattr(degraded, "FEW_CROWDS", 0)
    found = evaluate(scenario, KNOWLEDGE)
    slowest = [[mode.response_ms for mode in each.failures] for each in (all_looked_at, found)]
    assert any(each.value is not None for each in slowest[0])
    assert slowest[0] == slowest[1]
