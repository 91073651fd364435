"""Columns that fit the page: widths for names of any length, and places to break them at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from models.base.lettering import breakable, letters_of, visible
from models.tell.blocks import Column, Table, cell_text

PAGE_PT = 470.0
"""Width between the margins of the template."""

CHARACTER_PT, INSET_PT = 4.5, 9.0
"""Mean width of a character of a table, and what its cell adds left and right."""

LEAST_PT, MOST_PT = 60.0, 160.0
"""A column of words that shares the room gets a share by its length, within these."""

MORE_PT = 9.0
"""What an office program's cell adds beyond that."""

SHORT_PT = 75.0
"""A column that needs no more keeps it where others are long."""

NARROW = 5
"""Letters of a long word that stay together in a cell."""


def fitted(table: Table) -> dict[str, Any]:
    """Columns and rows of a table as the template lays them out.

    A column takes what its words need, and those marked `wide` share the rest. Where names leave
    them too little, the columns of words share the whole room by their length; where heads are
    many and long, all columns do.
    """
    rows = [[breakable(visible(cell_text(cell)), NARROW) for cell in row] for row in table.rows]
    widths = [_natural(table, place) for place in range(len(table.columns))]
    is_wide = [column.wide for column in table.columns]
    if _least(widths, is_wide) > PAGE_PT:
        is_wide = [
            column.wide or (not column.numeric and width > LEAST_PT)
            for column, width in zip(table.columns, widths, strict=True)
        ]
        weights = [min(max(width, LEAST_PT), MOST_PT) for width in widths]
        if _least(widths, is_wide) > PAGE_PT:  # by their heads, which break between words
            is_wide = [True] * len(widths)
            weights = [min(_natural(table, i, is_broken=True), MOST_PT) for i in range(len(widths))]
    else:
        weights = [float(column.weight) for column in table.columns]
    columns = _columns(table.columns, is_wide, weights)
    return {"columns": columns, "rows": rows, "subjects": []}


def shares(table: Table) -> list[float]:
    """The share of the width that each column gets where a form can't fit them by itself: short
    ones what they need, so that no number breaks, and long ones the rest."""
    places = range(len(table.columns))
    natural = [_natural(table, place) + MORE_PT for place in places]
    if sum(natural) > PAGE_PT:
        natural = [_natural(table, place, is_broken=True) + MORE_PT for place in places]
    left = PAGE_PT - sum(width for width in natural if width <= SHORT_PT)
    long = [width for width in natural if width > SHORT_PT]
    if long and left < LEAST_PT * len(long):
        widths = [min(width, MOST_PT) for width in natural]
    else:
        over = sum(min(width, MOST_PT) for width in long)
        widths = [w if w <= SHORT_PT else left * min(w, MOST_PT) / over for w in natural]
    whole = sum(widths)
    return [width / whole for width in widths]


def _natural(table: Table, place: int, *, is_broken: bool = False) -> float:
    """What the longest line of a column takes, its head broken between words or not [pt]."""
    cells = (line for row in table.rows for line in cell_text(row[place]).split("\n"))
    longest = max(map(letters_of, cells), default=0.0)
    title = table.columns[place].title
    head = max(map(len, title.split() if is_broken else title.split("\n")), default=0)
    return max(longest, head) * CHARACTER_PT + INSET_PT


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
