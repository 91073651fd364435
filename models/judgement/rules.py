"""Findings: every rule that a scenario trips, errors first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby, islice
from operator import attrgetter

from models.judgement import (
    rules_affinity,
    rules_availability,
    rules_capacity,
    rules_clusters,
    rules_design,
    rules_evidence,
    rules_fault_tolerance,
    rules_platform,
    rules_production,
    rules_published,
    rules_restart,
    rules_storage,
)
from models.judgement.rulebook import RULES, Context, Gate, Rule
from models.judgement.thresholds import THRESHOLDS
from models.prediction import Finding, Severity
from models.texts import say
from models.wording import number

RULE_FILES = (
    rules_capacity,
    rules_design,
    rules_platform,
    rules_published,
    rules_production,
    rules_storage,
    rules_affinity,
    rules_availability,
    rules_restart,
    rules_fault_tolerance,
    rules_clusters,
    rules_evidence,
)
"""Files whose generators enter themselves; a new one is named here."""

RULES.update((row.id, row) for row in THRESHOLDS)

_ORDER = {severity: order for order, severity in enumerate(Severity)}


MOST_PER_RULE = 200
"""Beyond this many findings of one rule nobody reads on; a last one says that there are more."""

ENOUGH = MOST_PER_RULE + 1


def findings(context: Context) -> tuple[Finding, ...]:
    """All findings of all rules: errors, warnings, advice; then by rule and subject.

    A waived finding stays among them with its reason.
    """
    found: list[Finding] = []
    for gate, rules in _behind_gates():
        if gate is not None and not gate(context):
            continue
        for rule in rules:
            found += [
                Finding(rule=rule.id, **each._asdict())
                for each in islice(rule.check(context), ENOUGH)
            ]
    if len(found) >= ENOUGH:
        found = list(_cut_off(found))
    if context.scenario.waivers:
        reasons = {(each.rule, each.subject): each.reason for each in context.scenario.waivers}
        found = [replace(f, waived=reasons.get((f.rule, f.subject), "")) for f in found]
    found.sort(key=lambda f: (_ORDER[f.severity], f.rule, f.subject))
    return tuple(found)


def _cut_off(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, rule after rule; the last of one that found too many says so."""
    for _, of_rule in groupby(found, attrgetter("rule")):
        listed = list(of_rule)
        if len(listed) == ENOUGH:
            text = say(
                "More than {most} items trip this rule; the others are not listed",
                most=number(MOST_PER_RULE),
            )
            listed[-1] = replace(listed[-1], subject="", clause=text)
        yield from listed


@cache
def _behind_gates() -> list[tuple[Gate | None, list[Rule]]]:
    """Rules by what there has to be for them to find anything."""
    behind: dict[Gate | None, list[Rule]] = {}
    for rule in RULES.values():
        behind.setdefault(rule.when, []).append(rule)
    return list(behind.items())


def rule_title(id: str) -> str:
    """The rule in a few words, for people, who never see its id; of one that is known no more its
    id in words.

    >>> rule_title("n-plus-one"), rule_title("a-rule-of-old")
    ('Loss of one host', 'A rule of old')
    """
    known = RULES.get(id)
    return known.title if known else id.replace("-", " ").capitalize()


def is_rule(id: str) -> bool:
    """Whether there is such a rule."""
    return id in RULES


def is_of_pools(id: str) -> bool:
    """Whether the rule speaks of pools."""
    return id in RULES and RULES[id].of_pools
