"""Texts for a terminal that are laid out in the language that they are said in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from models.base.texts import Text, Tongue, joined, said


class _Table(Text):
    """Columns under their heads, as wide as their widest cell in the language at hand."""

    __slots__ = ("_rows", "_sides")

    _rows: tuple[tuple[str, ...], ...]
    _sides: str

    def said(self, tongue: Tongue) -> str:
        rows = [tuple(said(cell, tongue) for cell in row) for row in self._rows]
        return _laid_out(rows, self._sides)


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]], sides: str) -> Text:
    """A table with a line break behind each row; empty without rows.

    Args:
        sides: of each column ``<`` or ``>``, where its cells stand.

    >>> print(text_table(("VM", "Users"), [("Mail-01", "4,000")], "<>"), end="")
    VM       Users
    Mail-01  4,000
    """
    lines = (tuple(head), *map(tuple, rows))
    if len(lines) == 1:
        lines = ()
    table = _Table(_laid_out(lines, sides))
    table._rows, table._sides = lines, sides
    return table


def text_pairs(rows: Iterable[tuple[str, str]]) -> Text:
    """Names and their values, one pair a line, the values below each other.

    >>> print(text_pairs([("CPU", "45 %"), ("Memory", "12 GiB")]), end="")
    CPU     45 %
    Memory  12 GiB
    """
    lines = tuple(rows)
    table = _Table(_laid_out(lines, "<<"))
    table._rows, table._sides = lines, "<<"
    return table


def _laid_out(rows: Sequence[Sequence[str]], sides: str) -> str:
    """A cell of several lines takes as many of the table."""
    split = [[cell.split("\n") for cell in row] for row in rows]
    rows = [line for row in split for line in zip_longest(*row, fillvalue="")]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)
        ).rstrip()
        + "\n"
        for row in rows
    )


def text_lines(lines: Iterable[str]) -> Text:
    """Each with a line break behind it.

    >>> text_lines(["a", "b"]), text_lines([])
    ('a\\nb\\n', '')
    """
    found = list(lines)
    return joined("\n", (*found, "")) if found else joined("", ())


def indented(line: str) -> Text:
    """A line that belongs to the one above."""
    return joined("", ("  ", line))
