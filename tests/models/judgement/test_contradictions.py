"""Affinity rules that contradict each other are named as such, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.predict.prediction import Severity, Verdict
from models.scenario.affinity import contradictions
from models.scenario.scenario import Affinity, AffinityKind, Scenario
from models.whatif import what_if
from tests.models.worlds import KNOWLEDGE, a_cluster_of, found, predict

KIND = AffinityKind
TOGETHER, APART, MUST, SHOULD = KIND.TOGETHER, KIND.APART, KIND.MUST_RUN_ON, KIND.SHOULD_RUN_ON


def ruled(*rules: tuple[AffinityKind, str, str]) -> Scenario:
    """Three hosts with a VM each, and rules over VMs and hosts."""
    made = (
        Affinity(id=f"r{n}", kind=kind, vms=tuple(vms.split()), hosts=tuple(hosts.split()))
        for n, (kind, vms, hosts) in enumerate(rules)
    )
    return replace(a_cluster_of(3, vms=3), affinity=tuple(made))


@pytest.mark.parametrize(
    ("rules", "named", "vms"),
    [
        ([(MUST, "m1", "h1"), (MUST, "m1 m2", "h2 h3")], ["r0", "r1"], ["m1"]),
        (
            [(MUST, "m1", "h1 h2"), (MUST, "m1", "h2 h3"), (MUST, "m1", "h1 h3")],
            ["r0", "r1", "r2"],
            ["m1"],
        ),
        ([(TOGETHER, "m1 m2", ""), (APART, "m1 m2 m3", "")], ["r0", "r1"], ["m1", "m2"]),
        (
            [(TOGETHER, "m1 m2", ""), (TOGETHER, "m2 m3", ""), (APART, "m1 m3", "")],
            ["r0", "r1", "r2"],
            ["m1", "m3"],
        ),
        (
            [(MUST, "m1", "h1"), (MUST, "m2", "h2"), (TOGETHER, "m1 m2", "")],
            ["r0", "r1", "r2"],
            ["m1", "m2"],
        ),
        ([(MUST, "m1 m2", "h1"), (APART, "m1 m2", "")], ["r0", "r1"], ["m1", "m2"]),
    ],
)
def test_they_are_one_error_that_names_them(
    rules: list[tuple[AffinityKind, str, str]], named: list[str], vms: list[str]
) -> None:
    scenario = ruled(*rules)
    (contradiction,) = contradictions(scenario)
    assert [rule.id for rule in contradiction.rules] == named
    assert sorted(contradiction.vms) == vms
    prediction = predict(scenario)
    (finding,) = found(prediction, "affinity-contradictory")
    assert (finding.severity, finding.subject) == (Severity.ERROR, vms[0])
    assert "contradict each other" in finding.text
    assert finding.text.count("“") == len(named)
    assert not found(prediction, "affinity-broken")
    assert prediction.verdict is not Verdict.FITS
    codes = what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict.tolist()
    assert codes == [int(prediction.verdict)]


@pytest.mark.parametrize(
    "rules",
    [
        [(MUST, "m1", "h1 h2"), (MUST, "m1", "h1")],
        [(SHOULD, "m1", "h1"), (SHOULD, "m1", "h2"), (MUST, "m1", "h1")],
        [(TOGETHER, "m1 m2", ""), (APART, "m1 m3", "")],
        [(MUST, "m1 m2", "h1 h2"), (APART, "m1 m2", "")],
        [(MUST, "m1", "h1"), (MUST, "m2", "h1 h2"), (TOGETHER, "m1 m2", "")],
    ],
)
def test_rules_that_can_be_kept_do_not(rules: list[tuple[AffinityKind, str, str]]) -> None:
    assert not contradictions(ruled(*rules))


def test_a_vm_that_must_rules_leave_no_host_cannot_be_powered_on() -> None:
    prediction = predict(ruled((MUST, "m1", "h1"), (MUST, "m1", "h2")))
    assert prediction.verdict is Verdict.DOES_NOT_FIT
    assert prediction.binding is not None
    assert (prediction.binding.subject, prediction.binding.rule) == ("m1", "affinity-contradictory")
    assert prediction.sentence.startswith(
        "Does not fit: M1: the rules “Must run on H1: M1” and “Must run on H2: M1” contradict each "
        "other, and no placement keeps them"
    )
