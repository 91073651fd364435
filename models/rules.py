"""Findings: every rule that a scenario trips, errors first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from models import rules_capacity, rules_evidence, rules_platform
from models.prediction import Finding, Severity
from models.rulebook import RULES, Context

RULE_FILES = (rules_capacity, rules_platform, rules_evidence)
"""The files that register rules; a new file of rules is named here."""

_ORDER = {severity: order for order, severity in enumerate(Severity)}


MOST_PER_RULE = 200
"""Beyond this many findings of one rule nobody reads on; a last one says that there are more."""


def findings(context: Context) -> tuple[Finding, ...]:
    """All findings of all rules: errors, warnings, advice; then by rule and subject."""
    found = [finding for check in RULES.values() for finding in _first(check(context))]
    found.sort(key=lambda f: (_ORDER[f.severity], f.rule, f.subject))
    return tuple(found)


def _first(found: Iterator[Finding]) -> list[Finding]:
    first = list(islice(found, MOST_PER_RULE))
    more = next(found, None)
    if more is not None:
        text = f"More than {MOST_PER_RULE} items trip this rule; the others are not listed."
        first.append(replace(more, subject="", text=text))
    return first
