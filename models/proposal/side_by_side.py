"""Scenarios side by side: what each comes to, and which inputs make the difference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from models.compare import MOST_SIDES, Difference, Side, compare, overall
from models.compare_text import CHANGED, Words
from models.quantities import Quantity
from models.tell.blocks import Column, Paragraph, Part, Section, Table
from models.tell.subject import Subject
from models.texts import joined, say, say_many
from models.wording import range_text

MOST_INPUTS = 60


def side_by_side(subjects: Sequence[Subject]) -> Part | None:
    """The comparison with the first scenario; None unless there are two to four."""
    if not 2 <= len(subjects) <= MOST_SIDES:
        return None
    sides = [Side(str(i), each.scenario, each.prediction) for i, each in enumerate(subjects)]
    comparison = compare(sides)
    words = Words(comparison, subjects[0].catalog)
    first = subjects[0].scenario.name
    results = Section(
        say("What each comes to"),
        (
            _table(
                overall(sides),
                words,
                say(
                    "In small type the 90 % interval, and the change against “{first}”.",
                    first=first,
                ),
            ),
        ),
    )
    return Part(say("Scenarios side by side"), (results, _inputs(comparison.inputs, words)))


def _inputs(rows: Sequence[Difference], words: Words) -> Section:
    title = say("What differs between them")
    if not rows:
        return Section(title, (Paragraph(say("No input differs.")),))
    more = len(rows) - MOST_INPUTS
    note = say_many("And {count} more input.", "And {count} more inputs.", more) if more > 0 else ""
    return Section(title, (_table(rows[:MOST_INPUTS], words, note),))


def _table(rows: Iterable[Difference], words: Words, note: str) -> Table:
    sides = words.comparison.sides
    columns = (
        Column("", wide=True, weight=2),
        *(Column(side.scenario.name, wide=True) for side in sides),
    )
    cells = tuple(
        (words.label(row), *(_cell(row, words, column) for column in range(len(sides))))
        for row in rows
    )
    return Table(columns, cells, note)


def _cell(row: Difference, words: Words, column: int) -> str:
    change = words.change(row, column)
    lines = (words.value(row, column), _ends(row, column), change if change != CHANGED else "")
    return joined("\n", filter(None, lines))


def _ends(row: Difference, column: int) -> str:
    """The interval of a number that has one; with its unit, as the change has it below."""
    value = row.values[column]
    if not isinstance(value, Quantity) or value.low == value.high:
        return ""
    return range_text(value, row.unit)
