"""Clusters of unlike hosts: what can't move or start, and how much that weighs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.predict.prediction import Severity, Verdict
from models.scenario.scenario import Scenario
from models.whatif import what_if
from tests.models.judgement.more_cases import MIXED
from tests.models.worlds import KNOWLEDGE, a_host, found, predict, with_policy


def of(rule: str, case: int = 0) -> Scenario:
    return with_policy(MIXED[rule][case][0], benchmark_derating=1.0)


@pytest.mark.parametrize("rule", ["mixed-makers", "mixed-releases"])
def test_what_cannot_be_one_cluster_is_at_risk_in_a_batch_too(rule: str) -> None:
    scenario = of(rule)
    prediction = predict(scenario)
    assert {each.severity for each in found(prediction, rule)} == {Severity.ERROR}
    assert prediction.verdict is Verdict.AT_RISK
    batch = what_if(scenario, KNOWLEDGE, factor=[0.1])
    assert batch.verdict.tolist() == [Verdict.AT_RISK]


def test_neighbouring_releases_and_generations_weigh_nothing() -> None:
    neighbours = predict(of("mixed-releases", 1))
    (finding,) = found(neighbours, "mixed-releases")
    assert finding.severity is Severity.WARNING
    older = predict(of("mixed-generations"))
    (finding,) = found(older, "mixed-generations")
    assert finding.severity is Severity.ADVICE
    assert "EVC" in finding.fix
    assert {neighbours.verdict, older.verdict} == {Verdict.FITS}


def test_a_secondary_stays_with_the_maker_of_its_processors() -> None:
    base = of("mixed-makers")
    hosts = tuple(replace(host, ft_logging_gbps=10.0) for host in base.hosts)
    vms = (replace(base.vms[0], fault_tolerance=True), *base.vms[1:])
    alone = replace(base, hosts=hosts, vms=vms)
    assert found(predict(alone), "ft-no-secondary")
    third = replace(hosts[0], id="h3", name="H3")
    assert not found(predict(replace(alone, hosts=(*hosts, third))), "ft-no-secondary")


def test_hosts_of_no_cluster_are_nobody_elses_neighbours() -> None:
    apart = replace(
        of("mixed-makers"), hosts=tuple(a_host(each.id) for each in of("mixed-makers").hosts)
    )
    assert not found(predict(apart), "mixed-makers")
