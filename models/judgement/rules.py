"""Findings: every rule that a scenario trips, errors first."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from models.judgement import (
    rules_affinity,
    rules_availability,
    rules_capacity,
    rules_clusters,
    rules_design,
    rules_evidence,
    rules_fault_tolerance,
    rules_platform,
    rules_sametime,
    rules_storage,
)
from models.judgement.rulebook import RULES, Context
from models.prediction import Finding, Severity

RULE_FILES = (
    rules_capacity,
    rules_design,
    rules_platform,
    rules_storage,
    rules_affinity,
    rules_availability,
    rules_fault_tolerance,
    rules_clusters,
    rules_sametime,
    rules_evidence,
)
"""The files that register rules; a new file of rules is named here."""

_ORDER = {severity: order for order, severity in enumerate(Severity)}


MOST_PER_RULE = 200
"""Beyond this many findings of one rule nobody reads on; a last one says that there are more."""


def findings(context: Context) -> tuple[Finding, ...]:
    """All findings of all rules: errors, warnings, advice; then by rule and subject.

    A waived finding stays among them with its reason.
    """
    found: list[Finding] = []
    for check in RULES.values():
        most = len(found) + MOST_PER_RULE
        found += islice(check(context), MOST_PER_RULE + 1)
        if len(found) > most:
            text = f"More than {MOST_PER_RULE} items trip this rule; the others are not listed."
            found[-1] = replace(found[-1], subject="", text=text)
    if context.scenario.waivers:
        reasons = {(each.rule, each.subject): each.reason for each in context.scenario.waivers}
        found = [replace(f, waived=reasons.get((f.rule, f.subject), "")) for f in found]
    found.sort(key=lambda f: (_ORDER[f.severity], f.rule, f.subject))
    return tuple(found)
