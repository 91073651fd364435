"""What decides a verdict: a number that presses, else a finding, else the number anyway."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.judgement.against_limits import NORMAL, Weighed, judge_each
from models.judgement.binding import deciding, grounds, presses
from models.predict.prediction import Binding, Finding, Severity, Verdict
from models.studies.sweep import sweep, sweep_inputs, sweep_outputs
from tests.models.worlds import KNOWLEDGE, a_cluster_of, predict

CALM = Binding(subject="h1", resource="cpu_pct", mode=NORMAL, value=30.0, limit=70.0, high=40.0)
PREDICTED = replace(
    predict(a_cluster_of(2, vms=2)), verdict=Verdict.AT_RISK, binding=CALM, findings=()
)


def a_finding(severity: Severity, rule: str = "unplaced") -> Finding:
    return Finding(rule=rule, severity=severity, subject="m1", clause="", fix="", source="")


@pytest.mark.parametrize(
    ("changes", "does"),
    [
        ({}, False),
        ({"high": 71.0}, True),
        ({"value": 69.0}, True),
        ({"value": 75.0}, True),
        ({"rule": "vm-maximum"}, True),
        ({"stranded": 2}, True),
        ({"high": None}, False),
    ],
)
def test_a_number_presses_near_its_limit_or_where_its_interval_passes_it(
    changes: dict[str, object], does: bool
) -> None:
    assert presses(replace(CALM, **changes)) is does  # type: ignore[arg-type]


def test_what_fits_has_nothing_that_decides() -> None:
    assert deciding(replace(PREDICTED, verdict=Verdict.FITS)) is None


def test_a_number_that_presses_comes_before_findings() -> None:
    may_pass = replace(CALM, high=80.0)
    both = replace(PREDICTED, binding=may_pass, findings=(a_finding(Severity.ERROR),))
    assert deciding(both) is may_pass
    assert list(grounds(both).values()) == [a_finding(Severity.ERROR)]
    warned = replace(both, findings=(a_finding(Severity.WARNING),))
    assert not grounds(warned)


def test_else_the_first_finding_that_puts_it_at_risk() -> None:
    idle, warned = a_finding(Severity.ADVICE), a_finding(Severity.WARNING)
    other = a_finding(Severity.WARNING, "hot-spares")
    assert deciding(replace(PREDICTED, findings=(idle, other, warned))) is warned
    assert deciding(replace(PREDICTED, findings=(idle, other))) is CALM
    assert deciding(replace(PREDICTED, binding=None)) is None


def test_a_sweep_says_it_of_each_point() -> None:
    """A VM without a host decides although no number is near its limit."""
    base = a_cluster_of(2, vms=2)
    scenario = replace(base, vms=(base.vms[0], replace(base.vms[1], host=None)))
    of, output = sweep_inputs(scenario, ())[0], sweep_outputs(scenario, ())[0]
    at = (scenario, KNOWLEDGE)
    found = sweep(*at, of, output, [of.value, 100.0 * of.value])
    calm, busy = found.causes
    assert isinstance(calm, Finding)
    assert calm.rule == "unplaced"
    assert isinstance(busy, Binding)
    assert presses(busy)


def test_rounding_does_not_decide_between_equals() -> None:
    value = np.array([50.0, np.nextafter(50.0, 51.0), 49.0])
    weighed = Weighed(("h1", "h2", "h3"), "cpu_pct", value, value, 70.0)
    worst = judge_each([weighed])[0].worst()
    assert worst is not None
    assert worst.binding.subject == "h1"
