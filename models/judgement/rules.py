"""Findings: every rule that a scenario trips, errors first.

What is said of several items in the same words is said once of them all (`grouped`): command line
and proposal print these; a `Prediction` and its JSON keep one finding an item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, groupby, islice
from operator import attrgetter

from models.base.texts import joined, say
from models.judgement import (
    rules_availability,
    rules_capacity,
    rules_clusters,
    rules_design,
    rules_evidence,
    rules_fault_tolerance,
    rules_mixed,
    rules_platform,
    rules_published,
    rules_restart,
    rules_vsan,
)
from models.judgement.platform_limits import WEIGHTS, Kind, Tripped
from models.judgement.rulebook import RULES, Context, Found, Gate, Rule, names
from models.judgement.thresholds import THRESHOLDS
from models.predict.prediction import Finding, Severity, Verdict
from models.scenario.wording import number

RULE_FILES = (
    rules_capacity,
    rules_design,
    rules_platform,
    rules_vsan,
    rules_mixed,
    rules_published,
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


def findings(context: Context, tripped: Sequence[Tripped]) -> tuple[Finding, ...]:
    """All findings of all rules: errors, warnings, advice; then by rule and subject.

    A waived finding stays among them with its reason.

    Args:
        tripped: what VMs, hosts and pools trip that weighs.
    """
    found: list[Finding] = []
    weigh = _Weights(context, tripped)
    for gate, rules in _behind_gates():
        if gate is not None and not gate(context):
            continue
        for rule in rules:
            found += [
                Finding(rule=rule.id, **each._asdict(), at_least=weigh(rule.id, each))
                for each in islice(rule.check(context), ENOUGH)
            ]
    if len(found) >= ENOUGH:
        found = list(_cut_off(found))
    if context.scenario.waivers:
        reasons = {(each.rule, each.subject): each.reason for each in context.scenario.waivers}
        found = [replace(f, waived=reasons.get((f.rule, f.subject), "")) for f in found]
    found.sort(key=lambda f: (_ORDER[f.severity], f.rule, f.subject))
    return tuple(found)


class _Weights:
    """What findings weigh: of an item that which this item trips, of others any."""

    def __init__(self, context: Context, tripped: Sequence[Tripped]) -> None:
        arrays = context.inputs.arrays
        ids = {Kind.VMS: arrays.vms.ids, Kind.HOSTS: arrays.hosts.ids, Kind.POOLS: arrays.pools.ids}
        kinds = {each.weight.of for each in tripped}
        rows = {kind: dict(zip(ids[kind], count(), strict=False)) for kind in kinds}
        self._of_rule: dict[str, list[tuple[dict[str, int], Tripped]]] = {}
        for each in tripped:
            self._of_rule.setdefault(each.rule, []).append((rows[each.weight.of], each))

    def __call__(self, rule: str, finding: Found) -> Verdict:
        found = [Verdict.FITS]
        if finding.severity is not Severity.ADVICE:
            weights = WEIGHTS.get(rule, ())
            found += [each.at_least for each in weights if each.of is Kind.SCENARIO]
        for rows, each in self._of_rule.get(rule, ()):
            row = rows.get(finding.subject)
            if row is None or each.which[row]:
                found.append(each.weight.at_least)
        return max(found)


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


_ITEM = "\N{NULL}"


@dataclass(frozen=True, slots=True)
class Grouped:
    """One or more findings that differ in their item alone.

    `first` is the first of them; `text` is about it and names the others, `fix` speaks of all.
    """

    first: Finding
    subjects: tuple[str, ...]
    text: str
    fix: str


def grouped(findings: Iterable[Finding], name_of: Callable[[str], str]) -> tuple[Grouped, ...]:
    """Findings with the same words, fix and source together, in the order of the first of each."""
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for each in findings:
        name = name_of(each.subject) if each.subject else ""
        text, fix = _without(name, each.text), _without(name, each.fix)
        key = (each.rule, each.severity, each.waived, text, fix, each.source, bool(name))
        alike.setdefault(key, []).append(each)
    return tuple(_grouped(found, name_of) for found in alike.values())


def _without(name: str, text: str) -> str:
    """The text with a mark for the item's name; a name without letters is looked for in front."""
    if not name:
        return str(text)
    begins = "" if re.search(r"[^\W\d_]", name) else "^"
    return re.sub(rf"{begins}(?<![\w-]){re.escape(name)}(?![\w-])", _ITEM, text)


def _grouped(found: list[Finding], name_of: Callable[[str], str]) -> Grouped:
    first = found[0]
    subjects = tuple(dict.fromkeys(each.subject for each in found if each.subject))
    if not subjects:
        return Grouped(first, (), first.text, first.fix)
    name, rest = name_of(first.subject), [name_of(id) for id in subjects[1:]]
    if _ITEM not in _without(name, first.text):
        called = names([name, *rest]) if rest else name
        return Grouped(first, subjects, joined(": ", (called, first.text)), first.fix)
    if not rest:
        return Grouped(first, subjects, first.text, first.fix)
    text = say("{finding} The same holds for {names}.", finding=first.text, names=names(rest))
    if _ITEM not in _without(name, first.fix):
        return Grouped(first, subjects, text, first.fix)
    return Grouped(first, subjects, text, say("{fix} Likewise for the others.", fix=first.fix))
