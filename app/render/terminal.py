"""Sections as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.cli_text import indented, text_lines, text_pairs, text_table
from models.base.texts import Text, joined, opening
from models.tell.blocks import (
    Bars,
    Block,
    Bullets,
    Definitions,
    Drawing,
    FindingBlock,
    Paragraph,
    ResponsePlot,
    Section,
    Signature,
    Table,
    TimePlot,
    VerdictBox,
    VerdictGrid,
    cell_text,
)


def sections_text(sections: Iterable[Section]) -> Text:
    """Sections one after the other, an empty line between them, a line break at the end."""
    return joined("\n", map(section_text, sections))


def section_text(section: Section) -> Text:
    """The title and below it its blocks but for charts: their numbers stand beside them."""
    return joined("", (text_lines([section.title]), *map(_block, section.blocks)))


def _block(block: Block) -> Text:
    match block:
        case Table():
            sides = "".join("<>"[column.numeric] for column in block.columns)
            rows = [tuple(map(cell_text, row)) for row in block.rows]
            table = text_table([column.title for column in block.columns], rows, sides)
            return joined("", (table, text_lines([block.note] if block.note else [])))
        case Definitions():
            return text_pairs(block.rows)
        case _:
            return text_lines(_lines(block))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            yield block.text
        case VerdictBox():
            yield joined(": ", (opening(block.verdict.words), block.text))
            yield from filter(None, [block.remark])
        case Bullets():
            yield from (joined("", ("- ", item)) for item in block.items)
        case FindingBlock():
            yield joined(": ", (block.word, block.text))
            yield from map(indented, filter(None, (block.fix, block.waived, block.source)))
        case Bars():
            for bar in block.rows:
                yield from filter(None, [bar.head])
                yield joined("  ", (bar.label, bar.text))
        case ResponsePlot() | TimePlot() | VerdictGrid() | Drawing():
            pass
        case Signature():
            yield from block.parties
