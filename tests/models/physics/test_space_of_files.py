"""Space of mail files: what DAOS saves and what indexes add."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.scenario.scenario import Scenario
from tests.models.worlds import a_scenario, predict


def with_work(scenario: Scenario, **change: Any) -> Scenario:
    """The scenario with these fields of every workload."""
    return replace(
        scenario,
        vms=tuple(replace(vm, workload=replace(vm.workload, **change)) for vm in scenario.vms),
    )


def used_pct(scenario: Scenario) -> float:
    return float(predict(scenario).pools.capacity_pct.value[0])


@pytest.mark.parametrize(
    ("change", "factor"),
    [
        ({"daos_saving_pct": 25.0}, 0.75),
        ({"view_index_pct": 10.0, "full_text_pct": 30.0}, 1.4),
        ({"daos_saving_pct": 40.0, "view_index_pct": 30.0}, 0.6 * 1.3),
    ],
)
def test_space_follows_daos_and_indexes(change: dict[str, float], factor: float) -> None:
    scenario = a_scenario()
    plain = used_pct(with_work(scenario, mail_file_mb=200.0))
    assert used_pct(with_work(scenario, mail_file_mb=200.0, **change)) == pytest.approx(
        plain * factor
    )


def test_nothing_stated_is_as_before() -> None:
    scenario = a_scenario()
    stated = with_work(scenario, daos_saving_pct=0.0, view_index_pct=0.0, full_text_pct=0.0)
    assert used_pct(stated) == used_pct(scenario)
