"""What decides the verdict at each point of a sweep: what the signs of the chart stand for."""

from __future__ import annotations

from collections.abc import Callable

from app.language import local
from app.widgets.outlook_text import BRIEF, where_text
from models.calibration import Calibration
from models.catalog import Catalog
from models.evaluate import evaluate
from models.flip import PUT_AT_RISK, Cause
from models.judgement.titles import rule_title
from models.judgement.verdict import NEAR
from models.prediction import Binding, Finding, Prediction, Severity, Verdict
from models.scenario import Scenario
from models.sweep import Sweep, SweepInput, varied


def causes(
    scenario: Scenario,
    catalog: Catalog,
    calibration: Calibration,
    of: SweepInput,
    found: Sweep,
    *,
    check: Callable[[], None] = lambda: None,
) -> tuple[Cause | None, ...]:
    """What decides at each point of a sweep; None where all fits or nothing can be.

    Args:
        check: called before each point; may raise to give up.
    """
    result: list[Cause | None] = []
    for value, code in zip(found.values.tolist(), found.verdict.tolist(), strict=True):
        if code <= int(Verdict.FITS):
            result.append(None)
            continue
        check()
        result.append(cause_of(evaluate(varied(scenario, of, value), catalog, calibration)))
    return tuple(result)


def cause_of(prediction: Prediction) -> Cause | None:
    """The number that is at its limit, else the finding that puts the scenario at risk."""
    binding = prediction.binding
    if prediction.verdict is Verdict.FITS or (binding is not None and _presses(binding)):
        return None if prediction.verdict is Verdict.FITS else binding
    return next(filter(_puts_at_risk, prediction.findings), binding)


def _presses(binding: Binding) -> bool:
    """It is over its limit, near it, or may be over it."""
    is_out = bool(binding.rule or binding.stranded)
    may_be = binding.high is not None and binding.high > binding.limit
    return is_out or may_be or binding.load > NEAR


def _puts_at_risk(finding: Finding) -> bool:
    is_error = finding.severity is Severity.ERROR
    return is_error or (finding.severity is Severity.WARNING and finding.rule in PUT_AT_RISK)


def cause_text(cause: Cause | None, scenario: Scenario) -> str:
    """The resource in few words and whose it is, or the rule; empty for None."""
    if cause is None:
        return ""
    if isinstance(cause, Finding):
        return local(rule_title(cause.rule))
    return where_text(cause, BRIEF, scenario)
