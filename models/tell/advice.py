"""An answer of an advisor, told as sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from models.advise.advice import (
    GIVEN,
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdvicePlot,
    AdviceTable,
    Cell,
    Topic,
)
from models.advise.overview import Glance
from models.base.texts import Text, joined, opening, say, say_many
from models.evidence.citation import documents, in_short
from models.predict.prediction import Shown
from models.scenario.wording import NO_DATA_TEXT, decimals_for, number, signed, with_unit
from models.tell.blocks import (
    Block,
    Bullets,
    Column,
    Curve,
    Paragraph,
    Section,
    Table,
    TimePlot,
    VerdictBox,
)


def advice_sections(topic: Topic, advice: Advice) -> tuple[Section, ...]:
    """The answer first, then what it stands on, what to do, and where it comes from."""
    return (
        Section(topic.title, tuple(_answer(advice))),
        *(Section(plot.title, (_plot(plot),)) for plot in advice.plots),
        *(
            Section(table.title, (_table(table),))
            for table in advice.tables
            if table.rows[: table.shown]
        ),
        *_listed(say("What to do next"), advice.next, advice.lines),
        *_listed(
            say("Sources"),
            tuple(joined(" ", (place, text)) for text, place in _places(advice).items()),
        ),
    )


def overview_section(title: Text | str, glances: Sequence[Glance]) -> Section:
    """What each topic finds in a scenario, a line each."""
    columns = (
        Column(say("Topic"), wide=True),
        Column(say("Answer"), wide=True),
        Column(say("What it finds"), wide=True, weight=4),
    )
    rows = tuple((each.topic.title, each.shown, each.sentence) for each in glances)
    return Section(title, (Table(columns, rows, subjects=tuple(g.topic.id for g in glances)),))


def _places(advice: Advice) -> dict[str, str]:
    """Each document and table with the mark by which numbers name it, such as ``[2]``."""
    of_numbers = (_documents(each) for each in advice.numbers if each.is_shown)
    texts = (
        *(in_short(each.text) for each in advice.sources),
        *(one for each in of_numbers for one in each),
    )
    return {text: f"[{at}]" for at, text in enumerate(dict.fromkeys(texts), start=1)}


def _documents(each: AdviceNumber) -> tuple[str, ...]:
    """Sources of a number that are documents; what has words of its own, such as “given”, is
    none."""
    return () if isinstance(each.source, Text) else documents(each.source)


def note_sections(topic: Topic, advice: Advice) -> tuple[Section, ...]:
    """The same as notes among those of other topics: every title names the topic."""
    first, *more = advice_sections(topic, advice)
    titled = (Section(joined(": ", (topic.title, each.title)), each.blocks) for each in more)
    return (first, *titled)


def _answer(advice: Advice) -> Iterator[Block]:
    yield VerdictBox(Shown(advice.verdict, advice.conclusion), advice.sentence)
    if advice.reasons:
        yield Bullets(advice.reasons)
    if shown := [each for each in advice.numbers if each.is_shown]:
        places = _places(advice)
        yield _without_empty(
            Table(
                (
                    Column(say("Number"), wide=True),
                    Column(say("Value"), numeric=True),
                    Column(say("Range"), numeric=True),
                    Column(say("Basis")),
                    Column(say("Source"), wide=True, weight=2),
                ),
                tuple(_number(each, places) for each in shown),
            )
        )


def _without_empty(table: Table) -> Table:
    """The table without columns that hold nothing."""
    full = [place for place, _ in enumerate(table.columns) if any(r[place] for r in table.rows)]
    return Table(
        tuple(table.columns[place] for place in full),
        tuple(tuple(row[place] for place in full) for row in table.rows),
        table.note,
    )


def _number(each: AdviceNumber, places: Mapping[str, str]) -> tuple[str, ...]:
    """A row; of what was typed that it was stands for its basis."""
    ends = ""
    if each.low is not None and each.high is not None and each.low != each.high:
        parts = (number_text(end, each.decimals) for end in (each.low, each.high))
        ends = with_unit(joined("\N{EN DASH}", parts), each.unit)
    is_given = each.source == GIVEN
    marks = "".join(places[one] for one in _documents(each))
    stop = ":" if each.source and each.note else ""
    source = marks or ("" if is_given else joined("", (each.source, stop)))
    return (
        opening(each.label),
        value_of(each.value, each.unit, each.decimals),
        ends,
        GIVEN if is_given else each.basis.label,
        joined(" ", filter(None, (source, each.note))),
    )


def value_of(value: float | None, unit: str, decimals: int | None = None) -> str:
    """A number with its unit; that there is none."""
    return NO_DATA_TEXT if value is None else with_unit(number_text(value, decimals), unit)


def number_text(value: float, decimals: int | None = None) -> str:
    """A number with so many decimals, or as many as its size asks for.

    >>> number_text(69.25), number_text(4000.0), number_text(2.44, 2)
    ('69.2', '4,000', '2.44')
    """
    if decimals is None:
        whole = float(value).is_integer()
        decimals = 0 if whole or abs(value) >= 100 else max(decimals_for(value, 0.0), 1)
    return number(value, decimals)


def _table(table: AdviceTable) -> Table:
    columns = tuple(
        Column(
            with_unit(opening(each.title), f"[{each.unit}]" if each.unit else ""),
            numeric=each.numeric,
            wide=not each.numeric,
        )
        for each in table.columns
    )
    rows = tuple(tuple(map(_cell, row, table.columns)) for row in table.rows[: table.shown])
    more = len(table.rows) - len(rows)
    note = table.note
    if more:
        note = joined(" ", filter(None, (note, say_many("{count} more.", "{count} more.", more))))
    return Table(columns, rows, note)


def _cell(cell: Cell, column: AdviceColumn) -> str | Shown:
    if cell is None:
        return "–" if column.numeric else ""
    if isinstance(cell, str | Shown):
        return cell
    if column.is_signed:
        return signed(cell, column.decimals or 0)
    return number_text(cell, column.decimals)


def _plot(plot: AdvicePlot) -> TimePlot:
    return TimePlot(
        x=plot.x,
        x_label=plot.x_label,
        y_label=plot.y_label,
        curves=tuple(Curve(label, values) for label, values in plot.curves),
        limit=plot.limit,
        limit_label=plot.limit_label,
        alt=plot.alt,
    )


def _listed(
    title: Text, items: tuple[str, ...], lines: tuple[str, ...] = ()
) -> tuple[Section, ...]:
    blocks: list[Block] = [Bullets(items)] if items else []
    blocks.extend(Paragraph(line, is_copied=True) for line in lines)
    return (Section(title, tuple(blocks)),) if blocks else ()
