"""Columns that fit the page: widths for names of any length, and places to break them at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import category, east_asian_width

from models.lettering import visible
from models.proposal.blocks import Column, Table

PAGE_PT = 470.0
"""Width between the margins of the template."""

CHARACTER_PT, INSET_PT = 4.5, 9.0
"""Mean width of a character of a table, and what its cell adds left and right."""

LEAST_PT, MOST_PT = 60.0, 160.0
"""A column of words that shares the room gets a share by its length, within these."""

LONG = 24
"""Letters that a word may have before it is broken anywhere."""

PIECE, NARROW = 12, 5
"""Letters of such a word that stay together: in lines, and in the cells of a table."""

BREAK = "\N{ZERO WIDTH SPACE}"
_WORD = re.compile(rf"[^\s{BREAK}]{{{LONG // 2},}}")
_PLACES = re.compile(r"(?<=[-._/@:])(?=\w)")


def fitted(table: Table) -> dict[str, Any]:
    """Columns and rows of a table as the template lays them out.

    A column takes what its words need, and those marked `wide` share the rest. Where names leave
    them too little, the columns of words share the whole room by their length.
    """
    rows = [[breakable(visible(cell), NARROW) for cell in row] for row in table.rows]
    widths = [_natural(table, place) for place in range(len(table.columns))]
    is_wide = [column.wide for column in table.columns]
    if _least(widths, is_wide) > PAGE_PT:
        is_wide = [
            column.wide or (not column.numeric and width > LEAST_PT)
            for column, width in zip(table.columns, widths, strict=True)
        ]
        weights = [min(max(width, LEAST_PT), MOST_PT) for width in widths]
    else:
        weights = [float(column.weight) for column in table.columns]
    return {"columns": _columns(table.columns, is_wide, weights), "rows": rows}


def breakable(text: str, piece: int = PIECE) -> str:
    """The text with places where its long words may be broken: after marks, else anywhere.

    Args:
        piece: most letters that stay together; what is joined to a letter never leaves it.

    >>> breakable("esx1.example.com stays").count(BREAK), breakable(30 * "x").count(BREAK)
    (0, 2)
    >>> breakable(breakable(30 * "x_y-")) == breakable(30 * "x_y-")
    True
    """

    def broken(found: re.Match[str]) -> str:
        if _letters(found[0]) < LONG:
            return found[0]
        return BREAK.join(each for part in _PLACES.split(found[0]) for each in _pieces(part, piece))

    return _WORD.sub(broken, text)


def _letters(line: str) -> float:
    """How many letters of mean width a line is as wide as."""
    if line.isascii() and line.islower():
        return len(line)
    return sum(
        2.0 if each in "WM@" or east_asian_width(each) in "WF" else 1.3 if each.isupper() else 1.0
        for each in line
    )


def _pieces(part: str, most: int) -> Iterator[str]:
    start = 0
    while start < len(part):
        end = start + most
        while end < len(part) and _is_joined(part[end - 1], part[end]):
            end += 1
        yield part[start:end]
        start = end


def _is_joined(before: str, letter: str) -> bool:
    """Whether a letter belongs to the one before it: accents, joiners, marks of direction."""
    kinds = {"Mn", "Mc", "Me", "Cf", "Sk"}
    return category(letter) in kinds or category(before) == "Cf"


def _natural(table: Table, place: int) -> float:
    """What the longest line of a column takes [pt]."""
    cells = (line for row in table.rows for line in row[place].split("\n"))
    longest = max(map(_letters, cells), default=0.0)
    return max(longest, len(table.columns[place].title)) * CHARACTER_PT + INSET_PT


def _least(widths: Sequence[float], is_wide: Sequence[bool]) -> float:
    """The room that a table asks for, its wide columns as narrow as they may be [pt]."""
    return sum(
        min(width, LEAST_PT) if wide else width for width, wide in zip(widths, is_wide, strict=True)
    )


def _columns(
    columns: Sequence[Column], is_wide: Sequence[bool], weights: Sequence[float]
) -> list[dict[str, Any]]:
    return [
        {
            "title": breakable(visible(column.title), NARROW),
            "numeric": column.numeric,
            "wide": wide,
            "weight": weight,
        }
        for column, wide, weight in zip(columns, is_wide, weights, strict=True)
    ]
