"""A worse failure than the verdict's: named where there is one, and only there."""

from __future__ import annotations

from dataclasses import replace

from models.failure.mode import ModeKind
from models.predict.prediction import FailureMode, Verdict
from models.resilience.mode_words import beyond_verdict_text, worst_beyond_verdict
from models.resilience.study import study_failures
from models.scenario.scenario import Host, Scenario
from tests.models.worlds import KNOWLEDGE, a_cluster_of, predict


def worse(scenario: Scenario) -> FailureMode | None:
    return worst_beyond_verdict(study_failures(scenario, KNOWLEDGE))


def grouped(scenario: Scenario, *hosts: str) -> Scenario:
    for id in hosts:
        scenario = scenario.edit(Host, id, lambda host: replace(host, failure_group="Rack-1"))
    return scenario


def test_a_group_that_no_cluster_survives_is_named_beside_a_fit() -> None:
    scenario = grouped(a_cluster_of(3, vms=3, users=1000.0, ram_gib=16.0), "h1", "h2", "h3")
    assert predict(scenario).verdict is Verdict.FITS
    found = worse(scenario)
    assert found is not None
    assert found.mode.kind is ModeKind.GROUP
    text = beyond_verdict_text(found, {})
    assert text.startswith("Besides: Group Rack-1 fails: ")
    assert found.shown is not None
    assert text.endswith(found.shown.words)


def test_what_is_no_worse_than_a_host_is_not() -> None:
    """A group of one host is that host's failure, whatever that comes to."""
    for users in (1000.0, 12_000.0):
        scenario = a_cluster_of(3, vms=3, users=users, ram_gib=16.0)
        assert worse(grouped(scenario, "h1")) is None
