"""Tables as people paste them: from a spreadsheet or a CSV file, in English or German numbers."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.base.errors import ModelError
from models.base.texts import joined, say

_DELIMITERS = ("\t", ";", ",")
_NUMBER = re.compile(r"[+-]?[\d.,' \u00a0\u202f]*\d(?:e[+-]?\d+)?\s*%?", re.IGNORECASE)
_UNIT = re.compile(r"[^\W\d_][^\d,]*$")
_BLANKS = str.maketrans("", "", "' \u00a0\u202f%")
_YES = frozenset({"1", "true", "yes", "y", "x", "ja", "j", "wahr", "pinned", "fixed"})
_NO = frozenset({"", "0", "false", "no", "n", "nein", "falsch", "-"})


@dataclass(frozen=True, slots=True)
class PastedTable:
    """Rows of a pasted table by names of its columns.

    Attributes:
        columns: position of each column that was found.
        rows: cells of each row below the head, as many as the head has, without blanks around them.
        lines: line of each row in the text, from 1.
        decimal: mark of decimals, ``.`` or ``,``.
        heads: of each column as it was pasted.
    """

    columns: Mapping[str, int]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    decimal: str
    heads: Mapping[str, str]

    def text(self, row: int, name: str) -> str:
        """A cell; empty where there is no such column."""
        return self.rows[row][self.columns[name]] if name in self.columns else ""

    def number(self, row: int, name: str, units: Mapping[str, float] | None = None) -> float | None:
        """A number; None of a cell that is empty or of a column that isn't there.

        Args:
            units: that may stand behind it or in the head of its column, in small letters, and
                what each is multiplied with.

        Raises:
            ModelError: it is none; names column and line.
        """
        cell = self.text(row, name)
        if not cell or cell == "-":
            return None
        units = units or {}
        of_head = (units[word] for word in sorted(_words(self.heads[name])) if word in units)
        factor, unit = next(of_head, 1.0), _UNIT.search(cell)
        if unit and unit[0].casefold() in units:
            factor, cell = units[unit[0].casefold()], cell[: unit.start()].strip()
        if _NUMBER.fullmatch(cell) is None:
            raise self._refused(row, name, cell)
        plain = cell.translate(_BLANKS)
        other = "," if self.decimal == "." else "."
        try:
            return float(plain.replace(other, "").replace(self.decimal, ".")) * factor
        except ValueError:
            raise self._refused(row, name, cell) from None

    def flag(self, row: int, name: str) -> bool:
        """Yes or no, in English or German; an empty cell is no.

        Raises:
            ModelError: it is neither; names column and line.
        """
        cell = self.text(row, name)
        word = cell.casefold()
        if word in _YES or word in _NO:
            return word in _YES
        raise ModelError(
            say("must be yes or no, not “{cell}”", cell=cell), field=self.where(row, name)
        )

    def where(self, row: int, name: str) -> str:
        """Line and column of a cell, for a refusal."""
        return say("line {line}, {column}", line=self.lines[row], column=name)

    def _refused(self, row: int, name: str, cell: str) -> ModelError:
        return ModelError(
            say("must be a number, not “{cell}”", cell=cell), field=self.where(row, name)
        )


def pasted_table(
    text: str, names: Mapping[str, Sequence[str]], *, needed: Sequence[str], most: int
) -> PastedTable:
    """A table with a line of names above its rows, set apart by tabs, semicolons or commas.

    Args:
        names: by column, the heads by which it is known, with which its head begins, or whose
            words are all in it; case, blanks and marks don't matter.
        needed: columns that have to be there.
        most: rows that are read.

    Raises:
        ModelError: it has no such head, too many rows, or rows that are longer than it.

    >>> found = pasted_table(
    ...     "Server;Größe\\na;1,5\\n",
    ...     {"server": ["server"], "size": ["Größe"]},
    ...     needed=["server"],
    ...     most=10,
    ... )
    >>> found.text(0, "server"), found.number(0, "size")
    ('a', 1.5)
    """
    lines = _lines(text, most + 1)
    if not lines:
        raise ModelError(say("holds no table"))
    head = lines[0][1]
    known = {_plain(each): name for name, heads in names.items() for each in (name, *heads)}
    words = {
        frozenset(_words(each)): name for name, heads in names.items() for each in (name, *heads)
    }
    columns = _columns(head, known, words)
    for name in needed:
        if name not in columns:
            among = joined(", ", filter(None, head))
            raise ModelError(say("is missing among the columns {names}", names=among), field=name)
    rows, numbers = [], []
    for line, cells in lines[1:]:
        if len(cells) > len(head):
            raise ModelError(
                say("has {count} cells, the head has {most}", count=len(cells), most=len(head)),
                field=say("line {line}", line=line),
            )
        rows.append((*cells, *("",) * (len(head) - len(cells))))
        numbers.append(line)
    if len(rows) > most:
        raise ModelError(say("has more than {most} rows", most=most))
    heads = {name: head[position] for name, position in columns.items()}
    decimal = _decimal(rows, columns) or ("," if _delimiter(text) == ";" else ".")
    return PastedTable(columns, tuple(rows), tuple(numbers), decimal, heads)


def _columns(
    head: Sequence[str], known: Mapping[str, str], words: Mapping[frozenset[str], str]
) -> dict[str, int]:
    """Position of each column: by its head, else by what a head begins with, the longest first,
    else by words in any order, the most first."""
    columns: dict[str, int] = {}
    plain = [_plain(cell) for cell in head]
    for position, cell in enumerate(plain):
        if cell in known:
            columns.setdefault(known[cell], position)
    for start in sorted(known, key=len, reverse=True):
        for position, cell in enumerate(plain):
            if cell.startswith(start) and position not in columns.values():
                columns.setdefault(known[start], position)
    for wanted in sorted(words, key=len, reverse=True):
        for position, cell in enumerate(head):
            if wanted <= _words(cell) and position not in columns.values():
                columns.setdefault(words[wanted], position)
    return columns


def _lines(text: str, most: int) -> list[tuple[int, tuple[str, ...]]]:
    """Lines that hold something, with their number, as cells."""
    found = []
    reader = csv.reader(text.splitlines(), delimiter=_delimiter(text))
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((reader.line_num, tuple(cell.strip() for cell in cells)))
            if len(found) > most:
                break
    except csv.Error as error:
        raise ModelError(
            say("can’t be read: {error}", error=str(error)),
            field=say("line {line}", line=reader.line_num),
        ) from None
    return found


def _words(head: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", head.casefold()))


def _delimiter(text: str) -> str:
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(_DELIMITERS, key=first.count)


def _plain(head: str) -> str:
    return re.sub(r"[\W_]+", "", head).casefold()


def _decimal(rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> str:
    """The mark of decimals: what no thousands can be tells it; empty: nothing does. Semicolons
    are then those of a country with decimal commas."""
    for cell in _figures(rows, columns):
        marks = [mark for mark in ".," if mark in cell]
        if len(marks) == 2:
            return max(marks, key=cell.rindex)
        if marks and cell.count(marks[0]) > 1:
            return "," if marks[0] == "." else "."
        if marks and (len(cell.rpartition(marks[0])[2]) != 3 or cell.lstrip("+-").startswith("0")):
            return marks[0]
    return ""


def _figures(rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> Iterator[str]:
    for row in rows:
        for position in columns.values():
            cell = row[position]
            if cell and ("." in cell or "," in cell) and _NUMBER.fullmatch(cell):
                yield cell.translate(_BLANKS)
