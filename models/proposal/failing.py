"""What fails and what then happens, as the proposal shows it: bars of how near a limit each loss
comes, then the account of every way to fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from models.base.texts import Text, joined, opening, say
from models.predict.prediction import Verdict
from models.scenario.wording import NONE_TEXT, first_of, number, with_unit
from models.tell.blocks import Bar, Bars, Block, Cell, Column, Section, Table, cell_text
from models.tell.failures import COLUMNS, VERDICT, FailureRow, failure_rows, failure_sections
from models.tell.failures import NOTE as ALL_NOTE
from models.tell.subject import Subject

NOTE = say(
    "Each number is of the host, pool or VM that is worst off once all VMs of a lost host have "
    "restarted in its cluster; below it stands its 90\u202f% interval. Where a failure loads disks "
    "no more than before, its verdict leaves them out."
)
MOST_LABELS = 2
MOST_BARS = 12
MOST_PCT = 200.0
"""A bar ends there; its words say by how much more."""


def failing(subject: Subject) -> Iterator[Section]:
    """The account of every way to fail, bars of the worst first."""
    sections = failure_sections(subject.scenario, subject.prediction, subject.study)
    rows = failure_rows(subject.scenario, subject.prediction, study=subject.study)
    bars = tuple(_bars(rows))
    for place, section in enumerate(sections):
        if place or not bars or subject.prediction.idle:
            yield section
            continue
        chart = Bars(bars, say("How near its limit the worst number comes in each failure"))
        told = tuple(_folded(block) for block in section.blocks)
        yield replace(section, message=_message(subject), blocks=(chart, *told))


def _folded(block: Block) -> Block:
    """The table of failures with verdict and reason in one column, for a page's width, and what
    comes out alike in one row."""
    if not isinstance(block, Table) or block.columns != COLUMNS:
        return block
    alike: dict[tuple[Cell, ...], list[str]] = {}
    for label, *cells in block.rows:
        *numbers, verdict, why = map(cell_text, cells)
        told = (*numbers, joined(": ", (verdict, *([why] if why != NONE_TEXT else []))))
        alike.setdefault(told, []).append(cell_text(label))
    return Table(
        (*COLUMNS[:VERDICT], Column(say("Verdict, and why"), wide=True, weight=17)),
        tuple((first_of(labels, MOST_LABELS), *cells) for cells, labels in alike.items()),
        NOTE if block.note == ALL_NOTE else block.note,
    )


def _bars(rows: list[FailureRow]) -> Iterator[Bar]:
    """One for all failures that come out alike, in the order of the table."""
    alike: dict[tuple[str, Verdict, str], list[str]] = {}
    values = dict[str, float]()
    for row in rows:
        if row.shown is None or row.shown.verdict is None:
            continue
        loads = [gauge.load for gauge in row.numbers[:4] if gauge.load is not None]
        share = ""
        if loads and row.down is None:
            share = with_unit(number(100.0 * max(loads)), "%")
            values.setdefault(share, 100.0 * max(loads))
        alike.setdefault((share, row.shown.verdict, row.shown.words), []).append(row.label)
    for (share, verdict, words), labels in list(alike.items())[:MOST_BARS]:
        text = say("{amount} of a limit; {verdict}", amount=share, verdict=words)
        value = min(values[share], MOST_PCT) if share else None
        yield Bar(first_of(labels, 1), value, 100.0, text if share else words, verdict)


def _message(subject: Subject) -> Text | str:
    """What the loss of a host does, in a sentence."""
    loss = subject.prediction.why.host_loss
    if loss:
        return joined("", (opening(loss, subject.names.values()), "."))
    return ""
