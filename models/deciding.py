"""What decides a verdict: the number at its limit, or the finding that puts a scenario at risk."""

from __future__ import annotations

from models.judgement.weighing import NEAR
from models.prediction import Binding, Finding, Prediction, Severity, Verdict

Cause = Binding | Finding

PUT_AT_RISK = ("sametime-no-data", "unknown-cpu", "n-plus-k", "generic-no-data", "unplaced")
"""Rules whose warnings may be why a scenario is at risk though no number is near its limit; what
says most of the reason first."""


def deciding(prediction: Prediction) -> Cause | None:
    """The number that presses, else the first finding that puts the scenario at risk; None where
    it fits or isn't known, or nothing is known of either."""
    binding = prediction.binding
    if prediction.verdict <= Verdict.NOT_KNOWN:
        return None
    found = grounds(prediction)
    first = next(iter(found.values()), None)
    if binding is not None and presses(binding) and not _outdoes(first, prediction):
        return binding
    return first or binding


def _outdoes(finding: Finding | None, prediction: Prediction) -> bool:
    """A finding alone is why it does not fit; numbers merely press."""
    binding = prediction.binding
    if finding is None or binding is None or binding.rule:
        return False
    return finding.weight is Verdict.DOES_NOT_FIT and binding.load <= 1


def presses(binding: Binding) -> bool:
    """It is over its limit, near it, or may be over it."""
    is_out = bool(binding.rule or binding.stranded)
    may_be = binding.high is not None and binding.high > binding.limit
    return is_out or may_be or binding.load > NEAR


def grounds(prediction: Prediction) -> dict[tuple[str, str, Severity], Finding]:
    """Findings that the verdict can't be better than, and others that put a scenario at risk unless
    a number does."""
    binding = prediction.binding
    is_pressed = binding is not None and presses(binding)
    found = [
        f
        for f in prediction.findings
        if f.weight > Verdict.FITS
        or (f.severity is Severity.WARNING and f.rule in PUT_AT_RISK and not is_pressed)
    ]
    found.sort(key=_order)
    return {(f.rule, f.subject, f.severity): f for f in found}


def _order(finding: Finding) -> int:
    """What can't be first, then errors; others as `PUT_AT_RISK` has them."""
    if finding.weight > Verdict.FITS:
        return -int(finding.weight)
    return PUT_AT_RISK.index(finding.rule)
