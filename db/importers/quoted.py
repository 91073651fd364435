"""Rows of a text between delimiters, where a quotation mark may stand that doesn't end.

A reader of CSV takes such a mark for the begin of a cell and swallows rows until the next one. What
was swallowed gives itself away: one of its lines has as many delimiters as a row.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

LEAST_WIDTH = 3


class Rows:
    """The rows of lines; those that a quotation mark swallowed come line by line.

    Attributes:
        stray: numbers of the rows where such a mark stands, the first is 1.

    >>> rows = Rows(iter(["a,b,c\\n", '1,"2,3\\n', "4,5,6\\n", '7,"8",9\\n']), ",")
    >>> list(rows), rows.stray
    ([['a', 'b', 'c'], ['1', '"2', '3'], ['4', '5', '6'], ['7', '8', '9']], [2])
    >>> list(Rows(iter(["a,b,c\\n", '1,"two\\n', 'lines",3\\n']), ","))
    [['a', 'b', 'c'], ['1', 'two\\nlines', '3']]
    """

    def __init__(self, lines: Iterator[str], delimiter: str) -> None:
        self._lines, self._delimiter = lines, delimiter
        self._taken: list[str] = []
        self._reader = csv.reader(self._passing(), delimiter=delimiter)
        self._waiting: list[str] = []
        self._width = self._number = 0
        self.stray: list[int] = []

    def __iter__(self) -> Iterator[list[str]]:
        return self

    def __next__(self) -> list[str]:
        self._taken = []
        self._number += 1
        try:
            row = next(self._reader)
        except csv.Error:
            if not self._has_swallowed():
                raise
            return self._line_by_line()
        self._width = self._width or len(row)
        is_cut = len(self._taken) == 1 and row[-1:] and row[-1].endswith(("\n", "\r"))
        return self._line_by_line() if is_cut or self._has_swallowed() else row

    def _passing(self) -> Iterator[str]:
        """Lines one by one, those first that were taken and not yet read."""
        while True:
            line = self._waiting.pop() if self._waiting else next(self._lines, None)
            if line is None:
                return
            self._taken.append(line)
            yield line

    def _has_swallowed(self) -> bool:
        """Whether a line that was taken for the inside of a cell is a row itself."""
        most = self._width - 1
        return self._width >= LEAST_WIDTH and any(
            line.count(self._delimiter) >= most for line in self._taken[1:]
        )

    def _line_by_line(self) -> list[str]:
        """The first line as a row whose marks mean nothing; the others are read again."""
        self.stray.append(self._number)
        first, *others = self._taken
        self._waiting += reversed(others)
        # What the reader holds of the cell that doesn't end is gone with it.
        self._reader = csv.reader(self._passing(), delimiter=self._delimiter)
        (row,) = csv.reader([first], delimiter=self._delimiter, quoting=csv.QUOTE_NONE)
        return row
