"""Two to four scenarios side by side: what was changed, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from models.compare import MOST_SIDES, Comparison, Difference, Group, Side, compare, overall
from models.compare_text import CHANGED, Words
from models.quantities import Quantity
from models.tell.blocks import Block, Cell, Column, Paragraph, Part, Section, Table
from models.tell.subject import Subject
from models.texts import joined, say, say_many
from models.wording import range_text

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


def comparison_sections(words: Words) -> tuple[Section, ...]:
    """Which scenarios, what differs between their inputs, and what comes of it.

    The rows of the sections after the first are `compared_rows`.
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
    return (
        Section(say("Scenarios side by side"), tuple(blocks)),
        *(Section(title, (_table(rows, words, ""),)) for title, rows in compared_rows(comparison)),
    )


def compared_rows(comparison: Comparison) -> tuple[tuple[str, tuple[Difference, ...]], ...]:
    """What is listed, each part under its title: inputs, then outcomes by group."""
    outcomes = groupby(comparison.outcomes, key=lambda row: row.group)
    parts: list[tuple[str, tuple[Difference, ...]]] = [(INPUTS, comparison.inputs)]
    parts += [(TITLES.get(group, str(group)), tuple(rows)) for group, rows in outcomes]
    return tuple((title, rows) for title, rows in parts if rows)


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
    results = Section(say("What each comes to"), (_table(overall(sides), words, note),))
    return Part(say("Scenarios side by side"), (results, _inputs(comparison.inputs, words)))


def _inputs(rows: Sequence[Difference], words: Words) -> Section:
    if not rows:
        return Section(INPUTS, (Paragraph(say("No input differs.")),))
    more = len(rows) - MOST_INPUTS
    note = say_many("And {count} more input.", "And {count} more inputs.", more) if more > 0 else ""
    return Section(INPUTS, (_table(rows[:MOST_INPUTS], words, note),))


# --- tables -----------------------------------------------------------------------------------


def _table(rows: Iterable[Difference], words: Words, note: str) -> Table:
    sides = words.comparison.sides
    columns = (
        Column("", wide=True, weight=3),
        *(Column(side.scenario.name, wide=True, weight=2) for side in sides),
    )
    cells: list[tuple[Cell, ...]] = [
        (words.label(row), *(_cell(row, words, column) for column in range(len(sides))))
        for row in rows
    ]
    return Table(columns, tuple(cells), note)


def _cell(row: Difference, words: Words, column: int) -> str:
    """A value with its change; words that merely differ speak for themselves. Below it the
    interval of a number that has one."""
    value, change = words.value(row, column), words.change(row, column)
    if change and change != CHANGED:
        value = joined("", (value, " (", change, ")"))
    return joined("\n", filter(None, (value, _ends(row, column))))


def _ends(row: Difference, column: int) -> str:
    value = row.values[column]
    if not isinstance(value, Quantity) or value.low == value.high:
        return ""
    return range_text(value, row.unit)
