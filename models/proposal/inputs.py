"""The appendix: every input with its value and who gave it, so that all can be computed again.

Items that have the same value from the same origin share a row; a field that nobody touched on any
item is one row. So a table is as long as there is something to say, not as long as the inventory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.affinity import rule_text
from models.data_coverage import coverage_text, data_coverage, origin_counts
from models.field_values import NOT_SAID, value_words
from models.fields import field_at
from models.inputs import Input, input_paths, inputs
from models.judgement.titles import rule_title
from models.origin import Origin
from models.proposal.blocks import Bullets, Column, Definitions, Paragraph, Section, Table
from models.proposal.subject import Subject
from models.scenario import Cluster, Host, Pool, Scenario, Vm, Waiver
from models.texts import opening
from models.wording import THIN, exact_text, number, with_unit

MOST_NAMES = 12
"""A row names so many items; the largest group of a field needs no names: it is all others."""

_TITLES: Mapping[type, tuple[str, str]] = {
    Scenario: ("Limits and assumptions", ""),
    Cluster: ("Clusters", "cluster"),
    Host: ("Hosts", "host"),
    Pool: ("Storage pools", "pool"),
    Vm: ("Virtual machines", "VM"),
}


def share_text(count: int, total: int) -> str:
    """A share in per cent; a few of many are not none of them."""
    share = 100 * count / total
    return f"under 1{THIN}%" if 0 < share < 0.5 else f"{number(share)}{THIN}%"


def coverage(subject: Subject) -> tuple[Paragraph, Table]:
    """How well this customer is known: another statement than how wrong the model is."""
    known = data_coverage(subject.scenario)
    counts = origin_counts(subject.scenario)
    total = sum(count for _, count in counts)
    rows = tuple(
        (origin.label, number(count), share_text(count, total), _MEANINGS[origin])
        for origin, count in counts
    )
    columns = (
        Column("Origin"),
        Column("Inputs", numeric=True),
        Column("Share", numeric=True),
        Column("Meaning", wide=True),
    )
    text = f"{coverage_text(known)} Every input with its origin stands in the appendix."
    return Paragraph(text), Table(columns, rows)


_MEANINGS: Mapping[Origin, str] = {
    Origin.MEASURED: "measured at this customer",
    Origin.IMPORTED: "from an imported file",
    Origin.CUSTOMER: "said by the customer",
    Origin.BENCHMARK: "of a published benchmark",
    Origin.DEFAULT: "given by the program or the catalog, not looked at",
    Origin.AUTO: "chosen by an automatic feature",
    Origin.MANUAL: "entered by hand",
}


def appendix(subject: Subject) -> Section:
    """Every input that means something, by kind of item, with its origin."""
    scenario = subject.scenario
    identity = (
        ("Scenario", scenario.name),
        ("Customer", scenario.customer or NOT_SAID),
        ("Author", scenario.author or NOT_SAID),
    )
    by_kind: dict[type, list[Input]] = {kind: [] for kind in _TITLES}
    for each in inputs(scenario):
        by_kind[each.kind].append(each)
    names = {item.id: item.name for item in scenario.items()}
    tables = tuple(_table(subject, kind, found, names) for kind, found in by_kind.items() if found)
    return Section("Inputs and their origin", (Definitions(identity), *tables, *_lists(subject)))


def _table(subject: Subject, kind: type, found: Sequence[Input], names: Mapping[str, str]) -> Table:
    title, noun = _TITLES[kind]
    columns = [Column(title, wide=True), Column("Value", wide=True), Column("Origin")]
    if noun:
        columns.append(Column("Of", wide=True))
    there = sum(isinstance(item, kind) for item in subject.scenario.items())
    by_path: dict[str, list[Input]] = {}
    for each in found:
        by_path.setdefault(each.path, []).append(each)
    rows = [
        row
        for path in input_paths(kind)
        if path in by_path
        for row in _rows(subject, by_path[path], noun, names, there)
    ]
    return Table(tuple(columns), tuple(rows))


@dataclass(slots=True)
class _Group:
    """Items with the same value from the same origin."""

    first: Input
    names: list[str]


def _rows(
    subject: Subject, found: Sequence[Input], noun: str, names: Mapping[str, str], there: int
) -> Iterator[tuple[str, ...]]:
    groups: dict[tuple[Any, Origin, bool], _Group] = {}
    for each in found:
        key = (each.value, each.origin, each.is_pinned)
        group = groups.setdefault(key, _Group(each, []))
        group.names.append(names.get(each.subject, each.subject))
    largest = max(groups.values(), key=lambda group: len(group.names))
    label: str = opening(field_at(found[0].kind, found[0].path).label)
    nouns = f"{noun}s" if len(found) == there else f"{noun}s that it applies to"
    for group in groups.values():
        each = group.first
        origin = f"{each.origin.label}, pinned" if each.is_pinned else each.origin.label
        is_rest = group is largest and len(groups) > 1 and len(group.names) > MOST_NAMES
        whose = (_of(group.names, len(found), nouns, is_rest=is_rest),) if noun else ()
        yield (label, _value(subject, each, names), origin, *whose)
        label = ""


def _of(names: Sequence[str], total: int, nouns: str, *, is_rest: bool) -> str:
    """``Mail-01, Mail-02``, ``both hosts``, ``all 24 VMs``, ``the other 187 VMs``."""
    if len(names) == total > 1:
        return f"both {nouns}" if total == 2 else f"all {number(total)} {nouns}"
    if is_rest:
        return f"the other {number(len(names))} {nouns}"
    return ", ".join(names)


def _value(subject: Subject, each: Input, names: Mapping[str, str]) -> str:
    value = each.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        words = value_words(
            each.kind,
            each.path,
            value,
            catalog=subject.catalog,
            name_of=lambda id: names.get(id, id),
        )
        return "not placed" if words == NOT_SAID and each.path == "host" else words
    field = field_at(each.kind, each.path)
    if field.is_share:
        return f"{exact_text(100 * value)}{THIN}%"
    return with_unit(exact_text(value), field.unit)


def _waiver_text(subject: Subject, waiver: Waiver) -> str:
    """The rule by its title, the item, the reason; said where nothing trips the rule any more."""
    item = subject.name_of(waiver.subject) if waiver.subject else ""
    what = ", ".join(part for part in (rule_title(waiver.rule), item) if part)
    found = {(each.rule, each.subject) for each in subject.prediction.findings}
    idle = "" if (waiver.rule, waiver.subject) in found else " (nothing trips this rule now)"
    return f"{what}: {waiver.reason}{idle}"


def _lists(subject: Subject) -> Iterator[Paragraph | Bullets]:
    """Affinity rules and waived findings; both were entered by hand."""
    scenario = subject.scenario
    if scenario.affinity:
        yield Paragraph("Affinity rules, entered by hand:")
        yield Bullets(tuple(rule_text(scenario, rule) for rule in scenario.affinity))
    if scenario.waivers:
        yield Paragraph("Findings that somebody answers for:")
        yield Bullets(tuple(_waiver_text(subject, each) for each in scenario.waivers))
