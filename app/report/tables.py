"""Columns that fit the page: widths for names of any length, and places to break them at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from models.proposal.blocks import Column, Table

PAGE_PT = 470.0
"""Width between the margins of the template."""

CHARACTER_PT, INSET_PT = 4.5, 9.0
"""Mean width of a character of a table, and what its cell adds left and right."""

LEAST_PT, MOST_PT = 60.0, 160.0
"""A column of words that shares the room gets a share by its length, within these."""

LONG = 24
"""Letters that a word may have before it is broken anywhere."""

_LONG_WORD = re.compile(rf"\S{{{LONG},}}")
_PLACES = re.compile(r"(?<=[-._/@:])(?=\w)")
BREAK = "\N{ZERO WIDTH SPACE}"


def fitted(table: Table) -> dict[str, Any]:
    """Columns and rows of a table as the template lays them out.

    A column takes what its words need, and those marked `wide` share the rest. Where names leave
    them too little, the columns of words share the whole room by their length.
    """
    rows = [[breakable(cell) for cell in row] for row in table.rows]
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


def breakable(text: str) -> str:
    """The text with places where its long words may be broken: after marks, else anywhere.

    >>> breakable("esx1.example.com stays").count(BREAK), breakable(30 * "x").count(BREAK)
    (0, 1)
    """
    return _LONG_WORD.sub(_broken, text)


def _broken(found: re.Match[str]) -> str:
    parts = _PLACES.split(found[0])
    return BREAK.join(
        part[start : start + LONG] for part in parts for start in range(0, len(part), LONG)
    )


def _natural(table: Table, place: int) -> float:
    """What the longest line of a column takes [pt]."""
    cells = (line for row in table.rows for line in row[place].split("\n"))
    longest = max(map(len, cells), default=0)
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
        {"title": column.title, "numeric": column.numeric, "wide": wide, "weight": weight}
        for column, wide, weight in zip(columns, is_wide, weights, strict=True)
    ]
