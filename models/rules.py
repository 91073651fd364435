"""Findings: every rule that a scenario trips, errors first."""

from __future__ import annotations

from models import rules_capacity, rules_evidence, rules_platform
from models.prediction import Finding, Severity
from models.rulebook import RULES, Context

RULE_FILES = (rules_capacity, rules_platform, rules_evidence)
"""The files that register rules; a new file of rules is named here."""

_ORDER = {severity: order for order, severity in enumerate(Severity)}


def findings(context: Context) -> tuple[Finding, ...]:
    """All findings of all rules: errors, warnings, advice; then by rule and subject."""
    found = [finding for check in RULES.values() for finding in check(context)]
    found.sort(key=lambda f: (_ORDER[f.severity], f.rule, f.subject))
    return tuple(found)
