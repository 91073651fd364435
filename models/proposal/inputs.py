"""The appendix: every input with its value and who gave it, so that all can be computed again.

Items that have the same value from the same origin share a row, and what nobody touched on any item
stands in one list. So the appendix is as long as there is something to say, not as long as the
inventory; of a field that has many values, and of a value that many items have, it names some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from models.base.fields import field_at
from models.base.texts import Text, given, joined, opening, say, say_many
from models.catalog.field_values import NOT_SAID, value_words
from models.judgement.rules import rule_title
from models.scenario.affinity import rule_text
from models.scenario.data_coverage import coverage_text, data_coverage, origin_counts
from models.scenario.inputs import Input, input_paths, inputs
from models.scenario.origin import Origin
from models.scenario.scenario import Cluster, Host, Pool, Scenario, Vm, Waiver
from models.scenario.wording import first_of, input_text, number, with_unit
from models.tell.blocks import Block, Bullets, Column, Definitions, Paragraph, Section, Table
from models.tell.subject import Subject

K = TypeVar("K")

MOST_NAMES = 6
"""A row names so many items; the largest group of a field needs no names: it is all others."""

MOST_VALUES = 8
"""So many values of a field have a row, those that most items have."""

_TITLES: Mapping[type, Text] = {
    Scenario: say("Limits and assumptions"),
    Cluster: say("Clusters"),
    Host: say("Hosts"),
    Pool: say("Storage pools"),
    Vm: say("Virtual machines"),
}


def shares(counts: Mapping[K, int]) -> dict[K, int]:
    """Each count as a share in whole per cent, which add up to 100 wherever they are put together:
    what is left over goes to those that lose most by rounding.

    >>> shares({"measured": 3, "rule": 2, "none": 4, "other": 23})
    {'measured': 9, 'rule': 6, 'none': 13, 'other': 72}
    """
    total = sum(counts.values())
    exact = {each: 100.0 * count / total for each, count in counts.items()} if total else {}
    found = {each: int(share) for each, share in exact.items()}
    short = 100 - sum(found.values()) if total else 0
    for each in sorted(found, key=lambda each: found[each] - exact[each])[:short]:
        found[each] += 1
    return found


def share_text(share: int, count: int) -> str:
    """A share in per cent of `shares`; a few of many are not none of them."""
    return say("under 1\u202f%") if count and not share else with_unit(number(share), "%")


def coverage(subject: Subject) -> tuple[Paragraph, Table]:
    """How well this customer is known: another statement than how wrong the model is."""
    known = data_coverage(subject.scenario)
    counts = origin_counts(subject.scenario)
    pct = shares(dict(counts))
    rows = tuple(
        (origin.label, number(count), share_text(pct[origin], count), _MEANINGS[origin])
        for origin, count in counts
    )
    columns = (
        Column(say("Origin")),
        Column(say("Inputs"), numeric=True),
        Column(say("Share"), numeric=True),
        Column(say("Meaning"), wide=True),
    )
    where = say("Every input with its origin stands in the appendix.")
    return Paragraph(joined(" ", (coverage_text(known), where))), Table(columns, rows)


_MEANINGS: Mapping[Origin, str] = {
    Origin.MEASURED: say("measured at this customer"),
    Origin.IMPORTED: say("from an imported file"),
    Origin.CALIBRATED: say("from measured servers of this customer"),
    Origin.CUSTOMER: say("said by the customer"),
    Origin.BENCHMARK: say("of a published benchmark"),
    Origin.DEFAULT: say("given by the program or the catalog, not looked at"),
    Origin.AUTO: say("chosen by an automatic feature"),
    Origin.ASSUMED: say("assumed, as no file said it"),
    Origin.MANUAL: say("entered by hand"),
}


def appendix(subject: Subject) -> Section:
    """Every input that means something, by kind of item, with its origin."""
    scenario = subject.scenario
    identity = (
        (say("Scenario"), scenario.name),
        (say("Customer"), given(scenario.customer) if scenario.customer else NOT_SAID),
        (say("Author"), scenario.author or NOT_SAID),
        (say("Model"), subject.prediction.model_version),
        *([(say("Project file"), subject.file)] if subject.file else []),
        *(
            [(say("Hash of the inputs"), grouped_digits(subject.fingerprint))]
            if subject.fingerprint
            else []
        ),
    )
    names = {item.id: item.name for item in scenario.items()}
    found: dict[type, list[Input]] = {}
    for each in inputs(scenario):
        found.setdefault(each.kind, []).append(each)
    by_kind = {kind: _groups(found[kind], names) for kind in _TITLES if kind in found}
    tables = [_table(subject, kind, fields, names) for kind, fields in by_kind.items()]
    untouched = tuple(
        joined(": ", (_TITLES[kind], _untouched(subject, fields, names)))
        for kind, fields in by_kind.items()
        if any(map(_is_untouched, fields))
    )
    blocks: list[Block] = [Definitions(identity), *(table for table in tables if table.rows)]
    if untouched:
        blocks += [Paragraph(UNTOUCHED), Bullets(untouched)]
    return Section(say("Inputs and their origin"), (*blocks, *_lists(subject)))


def assumed_inputs(subject: Subject) -> tuple[str, ...]:
    """What an import made up and nobody changed since: ``Hypervisor: VMware vSphere 8.0 (all 7
    hosts)``."""
    names = {item.id: item.name for item in subject.scenario.items()}
    found: dict[type, list[Input]] = {}
    for each in inputs(subject.scenario):
        if each.origin is Origin.ASSUMED:
            found.setdefault(each.kind, []).append(each)
    return tuple(
        _assumed_text(subject, group, names)
        for kind in _TITLES
        for groups in (_groups(found[kind], names) if kind in found else ())
        for group in groups
    )


def _assumed_text(subject: Subject, group: _Group, names: Mapping[str, str]) -> str:
    kind, there = group.first.kind, len(group.names)
    text = joined(": ", (_label(group.first), _value(subject, group.first, names)))
    if kind is Scenario:
        return text
    total = sum(isinstance(item, kind) for item in subject.scenario.items())
    whose = _of(kind, group.names, total, is_of_all=there == total, is_rest=False)
    return say("{input} ({whose})", input=text, whose=whose)


UNTOUCHED = say("Given by the program or the catalog for all items, and not looked at:")


def grouped_digits(digits: str) -> str:
    """Digits in groups that can be compared by eye."""
    return " ".join(digits[start : start + 6] for start in range(0, len(digits), 6))


@dataclass(slots=True)
class _Group:
    """Items with the same value from the same origin."""

    first: Input
    names: list[str]


def _groups(found: Sequence[Input], names: Mapping[str, str]) -> list[list[_Group]]:
    """Of each field of a kind, in their order, the groups of its items."""
    alike: dict[str, dict[tuple[Any, Origin, bool], _Group]] = {}
    for each in found:
        key = (each.value, each.origin, each.is_pinned)
        group = alike.setdefault(each.path, {}).setdefault(key, _Group(each, []))
        group.names.append(names.get(each.subject, each.subject))
    return [list(alike[path].values()) for path in input_paths(found[0].kind) if path in alike]


def _is_untouched(groups: Sequence[_Group]) -> bool:
    """Whether a field has one value on all items, and nobody gave it."""
    first = groups[0].first
    return len(groups) == 1 and first.origin is Origin.DEFAULT and not first.is_pinned


def _untouched(
    subject: Subject, fields: Iterable[Sequence[_Group]], names: Mapping[str, str]
) -> str:
    """``CPU limit: 70 %; response limit: 1,000 ms; not said: author``."""
    said: list[str] = []
    unsaid: list[str] = []
    for each in (groups[0].first for groups in fields if _is_untouched(groups)):
        value = _value(subject, each, names)
        if value == NOT_SAID:
            unsaid.append(field_at(each.kind, each.path).label)
        else:
            said.append(joined(": ", (_label(each), value)))
    if unsaid:
        said.append(joined(": ", (NOT_SAID, joined(", ", unsaid))))
    return joined("; ", said)


def _label(each: Input) -> str:
    return opening(field_at(each.kind, each.path).label)


def _table(
    subject: Subject, kind: type, fields: Iterable[Sequence[_Group]], names: Mapping[str, str]
) -> Table:
    columns = [
        Column(_TITLES[kind], wide=True, weight=4),
        Column(say("Value"), wide=True, weight=4),
        Column(say("Origin")),
    ]
    if kind is not Scenario:
        columns.append(Column(say("Of"), wide=True, weight=7))
    there = sum(isinstance(item, kind) for item in subject.scenario.items())
    rows = [
        row
        for groups in fields
        if not _is_untouched(groups)
        for row in _rows(subject, groups, names, there)
    ]
    return Table(tuple(columns), tuple(rows))


def _rows(
    subject: Subject, groups: Sequence[_Group], names: Mapping[str, str], there: int
) -> Iterator[tuple[str, ...]]:
    found = sum(len(group.names) for group in groups)
    largest = max(groups, key=lambda group: len(group.names))
    kind, label = largest.first.kind, _label(largest.first)
    shown = groups
    if len(groups) > MOST_VALUES:
        shown = sorted(groups, key=lambda group: -len(group.names))[:MOST_VALUES]
    for group in shown:
        each = group.first
        origin = each.origin.label
        if each.is_pinned:
            origin = say("{origin}, pinned", origin=origin)
        is_rest = group is largest and len(groups) > 1 and len(group.names) > MOST_NAMES
        whose = _of(kind, group.names, found, is_of_all=found == there, is_rest=is_rest)
        row = (label, _value(subject, each, names), origin)
        yield row if kind is Scenario else (*row, whose)
        label = ""
    more = len(groups) - len(shown)
    if more:
        yield "", say_many("{count} more value", "{count} more values", more), "", _IN_WORKBOOK


_IN_WORKBOOK = say("in the workbook of this proposal")


def _of(kind: type, names: Sequence[str], total: int, *, is_of_all: bool, is_rest: bool) -> str:
    """``Mail-01, Mail-02``, ``both hosts``, ``all 24 VMs``, ``the other 187 VMs``.

    Args:
        total: items that have the field; `is_of_all`: whether these are all there are.
        is_rest: whether the names are those that no other row has.
    """
    if len(names) == total > 1:
        text = _BOTH[kind] if total == 2 else _all(kind, total)
    elif is_rest:
        text = _others(kind, len(names))
    else:
        return first_of(names, MOST_NAMES)
    return text if is_of_all else say("{items} that it applies to", items=text)


_BOTH: Mapping[type, Text] = {
    Cluster: say("both clusters"),
    Host: say("both hosts"),
    Pool: say("both pools"),
    Vm: say("both VMs"),
}


def _all(kind: type, count: int) -> Text:
    if kind is Cluster:
        return say_many("the cluster", "all {count} clusters", count)
    if kind is Host:
        return say_many("the host", "all {count} hosts", count)
    if kind is Pool:
        return say_many("the pool", "all {count} pools", count)
    return say_many("the VM", "all {count} VMs", count)


def _others(kind: type, count: int) -> Text:
    if kind is Cluster:
        return say_many("the other cluster", "the other {count} clusters", count)
    if kind is Host:
        return say_many("the other host", "the other {count} hosts", count)
    if kind is Pool:
        return say_many("the other pool", "the other {count} pools", count)
    return say_many("the other VM", "the other {count} VMs", count)


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
        return say("not placed") if words == NOT_SAID and each.path == "host" else words
    field = field_at(each.kind, each.path)
    if field.is_share:
        return with_unit(input_text(100 * value), "%")
    return with_unit(input_text(value), field.unit)


def _waiver_text(subject: Subject, waiver: Waiver) -> str:
    """The rule by its title, the item, the reason; said where nothing trips the rule any more."""
    item = subject.name_of(waiver.subject) if waiver.subject else ""
    what = joined(", ", filter(None, (rule_title(waiver.rule), item)))
    text = joined(": ", (what, waiver.reason))
    found = {(each.rule, each.subject) for each in subject.prediction.findings}
    if (waiver.rule, waiver.subject) in found:
        return text
    return say("{waiver} (nothing trips this rule now)", waiver=text)


def _lists(subject: Subject) -> Iterator[Paragraph | Bullets]:
    """Affinity rules and waived findings; both were entered by hand."""
    scenario = subject.scenario
    if scenario.affinity:
        yield Paragraph(say("Affinity rules, entered by hand:"))
        yield Bullets(tuple(rule_text(scenario, rule) for rule in scenario.affinity))
    if scenario.waivers:
        yield Paragraph(say("Findings that somebody answers for:"))
        yield Bullets(tuple(_waiver_text(subject, each) for each in scenario.waivers))
