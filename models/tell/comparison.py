"""Two to four scenarios side by side: what was changed, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from models.base.quantities import Quantity
from models.base.texts import joined, say, say_many
from models.comparison.compare import (
    MOST_SIDES,
    Comparison,
    Difference,
    Group,
    Side,
    compare,
    overall,
)
from models.comparison.compare_alike import Line, together
from models.comparison.compare_text import CHANGED, Words
from models.judgement.gauges import Gauge, gauges
from models.scenario.wording import range_text
from models.tell.blocks import Bar, Bars, Block, Column, Paragraph, Part, Section, Table
from models.tell.subject import Subject

MOST_INPUTS = 60
INPUTS = say("What differs between them")
TITLES: dict[str, str] = {
    Group.SIZE: say("What it comes to"),
    Group.SUMMARY: say("Verdict and dials"),
    Group.HOSTS: say("Hosts"),
    Group.POOLS: say("Pools"),
    Group.VMS: "VMs",
    Group.FAILURES: say("When a host fails"),
    Group.FINDINGS: say("Findings"),
}


Parts = tuple[tuple[str, tuple[Line, ...]], ...]
"""Titles with what is listed below them."""


def comparison_sections(words: Words, parts: Parts | None = None) -> tuple[Section, ...]:
    """Which scenarios, what differs between their inputs, and what comes of it.

    Each section after the first is the table of one of `parts`, by default `compared_parts`.
    """
    comparison = words.comparison
    sides = comparison.sides
    standing = Table(
        (Column(say("Scenario"), wide=True), Column(say("Verdict")), Column(say("Compared with"))),
        tuple(
            (side.scenario.name, side.prediction.shown, _standing(comparison, column))
            for column, side in enumerate(sides)
        ),
        subjects=tuple(side.id for side in sides),
    )
    blocks: list[Block] = [standing, Paragraph(summary_text(comparison))]
    if not comparison.is_identical:
        blocks.append(comparison_bars(words))
    told = compared_parts(words) if parts is None else parts
    first = Section(say("Scenarios side by side"), tuple(blocks))
    return (first, *parts_sections(told, words))


def parts_sections(parts: Parts, words: Words) -> Iterator[Section]:
    """A section a part, with its lines as a table."""
    for title, lines in parts:
        yield Section(title, (_lines_table(lines, words, ""),))


def compared_parts(words: Words) -> Parts:
    """What is listed, each part under its title: inputs, then outcomes by group."""
    comparison = words.comparison
    outcomes = groupby(comparison.outcomes, key=lambda row: row.group)
    parts: list[tuple[str, Iterable[Difference]]] = [(INPUTS, comparison.inputs)]
    parts += [(TITLES.get(group, str(group)), tuple(rows)) for group, rows in outcomes]
    told = ((title, together(rows, partial(_cells, words), comparison)) for title, rows in parts)
    return tuple((title, lines) for title, lines in told if lines)


def comparison_bars(words: Words) -> Bars:
    """Of each dial a bar a scenario, with its interval, over its limit."""
    sides = words.comparison.sides
    dials = [gauges(side.scenario, side.prediction) for side in sides]
    rows = {row.field: row for row in overall(sides) if row.group == Group.SUMMARY}
    bars: list[Bar] = []
    for same in zip(*dials, strict=True):
        if any(each.load is not None for each in same):
            row = rows[same[0].field]
            first, *others = [_bar(row, each, words, column) for column, each in enumerate(same)]
            bars += [replace(first, head=words.label(row)), *others]
    return Bars(tuple(bars), say("Dials of the scenarios as shares of their limits"))


def _bar(row: Difference, gauge: Gauge, words: Words, column: int) -> Bar:
    ends = _ends(row, column)
    text = words.value(row, column)
    if ends:
        text = say("{value} ({range})", value=text, range=ends)
    value, low, high = (
        None if each is None else 100.0 * each for each in (gauge.load, gauge.low, gauge.high)
    )
    name = words.comparison.sides[column].scenario.name
    return Bar(name, value, 100.0, text, gauge.verdict, low, high)


def summary_text(comparison: Comparison) -> str:
    """``3 inputs differ; 14 outcomes, 6 more by less than their last digit.``"""
    if comparison.is_identical:
        return say("Identical: no input differs, so every number is the same.")
    inputs, outcomes = len(comparison.inputs), len(comparison.outcomes)
    parts = [
        say_many("{count} input differs", "{count} inputs differ", inputs),
        say_many("{count} outcome", "{count} outcomes", outcomes),
    ]
    more = ""
    if comparison.unseen:
        more = say_many(
            ", {count} more by less than its last digit",
            ", {count} more by less than their last digit",
            comparison.unseen,
        )
    return joined("", (joined("; ", parts), more, "."))


def _standing(comparison: Comparison, column: int) -> str:
    """What a column is compared with."""
    reference = comparison.references[column]
    if reference is None:
        return say("the others are compared with it")
    name = comparison.sides[reference].scenario.name
    if comparison.identical_to_reference(column):
        return say("{scenario}, identical", scenario=name)
    return name


# --- in a proposal ----------------------------------------------------------------------------


def side_by_side(subjects: Sequence[Subject]) -> Part | None:
    """The comparison with the first scenario; None unless there are two to four."""
    if not 2 <= len(subjects) <= MOST_SIDES:
        return None
    sides = [Side(str(i), each.scenario, each.prediction) for i, each in enumerate(subjects)]
    comparison = compare(sides)
    words = Words(comparison, subjects[0].catalog)
    note = say(
        "In small type the 90 % interval; in brackets the change against “{first}”.",
        first=subjects[0].scenario.name,
    )
    results = Section(say("What each comes to"), (differences_table(overall(sides), words, note),))
    return Part(say("Scenarios side by side"), (results, inputs_section(comparison.inputs, words)))


def inputs_section(rows: Sequence[Difference], words: Words) -> Section:
    """Inputs that differ, as many as a page has room for."""
    if not rows:
        return Section(INPUTS, (Paragraph(say("No input differs.")),))
    more = len(rows) - MOST_INPUTS
    note = say_many("And {count} more input.", "And {count} more inputs.", more) if more > 0 else ""
    return Section(INPUTS, (differences_table(rows[:MOST_INPUTS], words, note),))


# --- tables -----------------------------------------------------------------------------------


def differences_table(rows: Iterable[Difference], words: Words, note: str) -> Table:
    """A row a difference, a column a scenario."""
    return _lines_table([(row, _cells(words, row)) for row in rows], words, note)


def _lines_table(lines: Sequence[Line], words: Words, note: str) -> Table:
    columns = (
        Column("", wide=True, weight=3),
        *(Column(side.scenario.name, wide=True, weight=2) for side in words.comparison.sides),
    )
    return Table(columns, tuple((words.label(row), *cells) for row, cells in lines), note)


def _cells(words: Words, row: Difference) -> tuple[str, ...]:
    return tuple(_cell(row, words, column) for column in range(len(row.values)))


def _cell(row: Difference, words: Words, column: int) -> str:
    """A value with its change; words that merely differ speak for themselves. Below it the
    interval of a number that has one."""
    value, change = words.value(row, column), words.change(row, column)
    if change and change != CHANGED:
        value = joined("", (value, " (", change, ")"))
    return joined("\n", filter(None, (value, _ends(row, column))))


def _ends(row: Difference, column: int) -> str:
    value = row.values[column]
    if not isinstance(value, Quantity) or value.is_exact:
        return ""
    return range_text(value, row.unit)
