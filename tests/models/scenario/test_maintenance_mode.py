"""A host in maintenance counts as away, wherever hosts count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.calibrated import shipped_knowledge
from models.arrange.plan import arrange
from models.catalog.placement import reason_against
from models.evaluate import evaluate
from models.failure.mode import ModeKind
from models.predict.prediction import Verdict
from models.resilience.modes import modes_of
from models.scenario.scenario import Scenario
from resources.catalog_files import load_catalog
from tests.models.worlds import a_cluster_of


def with_away(scenario: Scenario, *ids: str) -> Scenario:
    hosts = (replace(host, in_maintenance=host.id in ids) for host in scenario.hosts)
    return replace(scenario, hosts=tuple(hosts))


def without(scenario: Scenario, *ids: str) -> Scenario:
    return replace(scenario, hosts=tuple(h for h in scenario.hosts if h.id not in ids))


THREE = a_cluster_of(3, vms=4, users=800.0)
"""Two VMs on the first host, one on each of the others."""


def empty_third() -> Scenario:
    return THREE.place(["m3"], "h1")


def numbers(scenario: Scenario) -> object:
    """What is predicted of all but the third host."""
    found = evaluate(scenario, shipped_knowledge())
    hosts = [
        (id, found.hosts.quantity(id, "cpu_pct").value, float(found.hosts.failure_ram_pct[row]))
        for row, id in enumerate(found.hosts.ids)
        if id != "h3"
    ]
    modes = [(mode.id, mode.verdict) for mode in found.failures if mode.id != "host h3"]
    return hosts, modes, found.by_resource


def test_an_empty_host_that_is_away_counts_as_if_it_were_not_there() -> None:
    scenario = empty_third()
    assert numbers(with_away(scenario, "h3")) == numbers(without(scenario, "h3"))
    assert numbers(with_away(scenario, "h3")) != numbers(scenario)


def test_what_stands_there_runs_nowhere_until_it_is_moved() -> None:
    found = evaluate(with_away(THREE, "h3"), shipped_knowledge())
    assert found.verdict is not Verdict.FITS
    assert found.hosts.quantity("h3", "cpu_pct").value == pytest.approx(0.0)
    assert found.hosts.verdict_of(found.hosts.index("h3")) is None
    said = {each.rule: each.text for each in found.findings}
    assert "H3, which is in maintenance" in said["unplaced"]
    assert "H3 is in maintenance" in said["host-in-maintenance"]


def test_nobody_is_sent_there() -> None:
    scenario = with_away(THREE, "h3")
    refused = reason_against(scenario, load_catalog(), ["m1"], "h3")
    assert refused is not None
    assert "in maintenance" in refused
    plan = arrange(scenario, shipped_knowledge(), clock=lambda: 0.0)
    assert {vm.host for vm in plan.scenario.vms} == {"h1", "h2"}
    assert not plan.unplaced


def test_a_host_that_is_away_can_not_fail() -> None:
    scenario = with_away(THREE, "h3")
    study = [mode.hosts for mode in modes_of(scenario, tuple(ModeKind))]
    assert study
    assert not any("h3" in hosts for hosts in study)
