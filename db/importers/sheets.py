"""Sheets of a workbook (.xlsx), read by calamine within bounds: the side that reads.

It runs in a process of its own (`db.aside`): calamine ends it where memory is refused. Calamine
runs nothing, follows no links and reads the cached values of formulas. What it would need in memory
is worked out before it is asked: a cell in the last corner makes it reserve every cell before it, a
long text that many cells share is a copy in each, and a number of texts that is only stated is
reserved as stated.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from array import array
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from string import digits
from typing import Any
from xml.parsers import expat

import msgspec

Cell = str | float | int | bool | datetime | date | time | timedelta

MAX_UNPACKED = 500 * 2**20
MAX_CELLS = 8_000_000
"""Of one sheet, empty ones up to the last corner included: 24 to 32 bytes each."""
MAX_TEXT = 128 * 2**10
MAX_TEXTS = 100 * 2**20
MOST_CELLS, MOST_ROWS, FIRST_ROWS = 50_000, 512, 64
"""Of one answer; the first one of a sheet is short: many ask for its headings alone."""
_CHUNK = 2**18
_LEAST_BYTES = len("<si/>")
"""Of a shared text."""
_BEFORE_XML = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
BROKEN = (
    *(EOFError, OSError, RuntimeError, ValueError, LookupError, NotImplementedError),
    *(struct.error, zlib.error, zipfile.BadZipFile),
)
"""What the standard library raises on an archive that is broken or cut."""


class Fault(StrEnum):
    """Why a workbook isn't read."""

    UNSOUND = "unsound"
    PROTECTED = "protected"
    UNPACKED = "unpacked"
    CELLS = "cells"
    LONG_CELL = "long cell"
    TEXTS = "texts"
    STATED = "stated"
    MEMORY = "memory"


class Refused(Exception):
    """The workbook isn't read."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault)


class Question(msgspec.Struct):
    """What is asked.

    Attributes:
        open: the workbook comes along, and takes the place of the one before; its sheets are
            answered. is_known: it was looked at before.
        sheet, start: rows of this sheet are wanted, from this one on.
        forget: give back the memory of the sheet.
    """

    open: bool = False
    is_known: bool = False
    sheet: str = ""
    start: int = 0
    forget: bool = False


class Answer(msgspec.Struct):
    """What is answered; `is_last`: there are no rows after these."""

    fault: str = ""
    names: list[str] = []
    rows: list[list[Any]] = []
    is_last: bool = False


class Book:
    """The workbook that is open, and how far each of its sheets was read."""

    def __init__(self, data: bytes, *, is_known: bool) -> None:
        if not is_known:
            check_parts(data)
        from python_calamine import CalamineWorkbook

        with Soundly():
            self._book = CalamineWorkbook.from_filelike(io.BytesIO(data))
            self.names = list(self._book.sheet_names)
        self._sheets: dict[str, Any] = {}
        self._read: dict[str, tuple[int, Iterator[list[Cell]]]] = {}

    def rows(self, name: str, start: int) -> Answer:
        """A few rows of a sheet."""
        with Soundly():
            if name not in self._sheets:
                self._sheets[name] = self._book.get_sheet_by_name(name)
            at, rows = self._read.get(name, (-1, iter(())))
            if at != start:
                rows = islice(self._sheets[name].iter_rows(), start, None)
            found: list[list[Any]] = []
            cells, most, is_last = 0, MOST_ROWS if start else FIRST_ROWS, False
            while not is_last and len(found) < most and cells < MOST_CELLS:
                row = next(rows, None)
                is_last = row is None
                if row is not None:
                    found.append([each if type(each) in _PLAIN else _tagged(each) for each in row])
                    cells += len(row)
        self._read[name] = (start + len(found), rows)
        return Answer(rows=found, is_last=is_last)

    def forget(self, name: str) -> Answer:
        self._sheets.pop(name, None)
        self._read.pop(name, None)
        return Answer()


_PLAIN = frozenset({str, float, int, bool})


def _tagged(cell: Any) -> list[Any]:
    """A date or time as a message holds it."""
    if isinstance(cell, timedelta):
        return ["timedelta", cell.total_seconds()]
    return [type(cell).__name__, cell.isoformat()]


_MADE: dict[str, Any] = {
    "timedelta": lambda seconds: timedelta(seconds=seconds),
    **{kind.__name__: kind.fromisoformat for kind in (datetime, date, time)},
}


def cell_of(found: Any) -> Cell:
    """A cell out of a message."""
    cell: Cell = _MADE[found[0]](found[1]) if type(found) is list else found
    return cell


_open: list[Book] = []
"""The one workbook that this process has open."""


def answer_aside(parts: Sequence[bytes]) -> list[bytes]:
    """The answer to a `Question`."""
    question = msgspec.msgpack.decode(parts[0], type=Question)
    try:
        answer = _answer(question, parts)
    except Refused as error:
        answer = Answer(fault=error.fault)
    except MemoryError:
        answer = Answer(fault=Fault.MEMORY)
    return [msgspec.msgpack.encode(answer)]


def _answer(question: Question, parts: Sequence[bytes]) -> Answer:
    if question.open:
        _open.clear()
        _open.append(Book(parts[1], is_known=question.is_known))
        return Answer(names=_open[0].names)
    if question.forget:
        return _open[0].forget(question.sheet)
    return _open[0].rows(question.sheet, question.start)


class Soundly:
    """Errors of calamine, its panics among them, as `Refused`."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: object, _: object) -> None:
        if kind is None or issubclass(kind, MemoryError | KeyboardInterrupt | SystemExit):
            return
        if issubclass(kind, Exception) or kind.__name__ == "PanicException":
            is_protected = kind.__name__ == "PasswordError"
            raise Refused(Fault.PROTECTED if is_protected else Fault.UNSOUND) from None


def check_parts(data: bytes) -> None:
    """Size, corners and texts of every part, by unpacking it once without keeping it.

    Raises:
        Refused: it is no sound workbook, or would need more memory than any export.
    """
    lengths = array("I")
    total = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for part in sorted(archive.infolist(), key=_texts_first):
                with archive.open(part) as file:
                    look = _Look(part.file_size, lengths)
                    while chunk := file.read(_CHUNK):
                        total += len(chunk)
                        if total > MAX_UNPACKED:
                            raise Refused(Fault.UNPACKED)
                        look.feed(chunk)
                    look.finish()
    except (*BROKEN, expat.ExpatError) as error:
        raise Refused(Fault.UNSOUND) from error


def _texts_first(part: zipfile.ZipInfo) -> bool:
    """Cells refer to them."""
    return not part.filename.lower().endswith("sharedstrings.xml")


class _Look:
    """One part, read by expat to its end: how far out its cells are, and what its texts come to.

    Args:
        size: of the part [bytes], unpacked.
        lengths: of the shared texts [characters]; those of this part are added.
    """

    def __init__(self, size: int, lengths: array[int]) -> None:
        self._size, self._lengths = size, lengths
        self._parser: Any = None
        self._fed = 0
        self._root = ""
        self._rows = self._columns = self._row = self._column = 0
        self._at: str | None = None
        self._is_cell = self._is_shared = self._is_index = False
        self._run = self._text = self._texts = 0

    def feed(self, chunk: bytes) -> None:
        if not self._fed and chunk.lstrip().startswith(_BEFORE_XML):
            self._parser = expat.ParserCreate()
            self._parser.buffer_text = True
            self._parser.StartElementHandler = self._start
            self._parser.EndElementHandler = self._end
            self._parser.CharacterDataHandler = self._characters
            self._parser.StartDoctypeDeclHandler = self._doctype
        self._fed += len(chunk)
        if self._parser is not None and self._is_of_interest:
            self._parse(chunk)
            if self._parser is not None and self._fed - self._parser.CurrentByteIndex > 2**20:
                raise Refused(Fault.LONG_CELL)  # all in one mark

    def finish(self) -> None:
        if self._parser is not None and self._is_of_interest:
            self._parse(b"", is_last=True)

    @property
    def _is_of_interest(self) -> bool:
        return self._root in ("", "sst", "worksheet")

    def _parse(self, chunk: bytes, *, is_last: bool = False) -> None:
        try:
            self._parser.Parse(chunk, is_last)
        except expat.ExpatError:
            if self._root in ("sst", "worksheet"):
                raise
            self._parser = None  # of another program, and nobody reads it

    def _doctype(self, *_: object) -> None:
        raise ValueError("a document type")

    def _start(self, name: str, given: dict[str, str]) -> None:
        if ":" in name:
            name = name.rpartition(":")[2]
        self._run = 0
        if name == "c":
            self._is_cell = True
            self._at = given.get("r")
            self._is_shared = given.get("t") == "s"
            return
        if self._is_cell:
            self._is_cell = False
            self._take_cell()
        self._is_index = self._is_shared and name == "v"
        if name == "row":
            self._row = int(given["r"]) if "r" in given else self._row + 1
            self._column = 0
        elif name == "si":
            self._text = 0
        elif not self._root:
            self._root = name
            self._check_stated(given)

    def _check_stated(self, given: dict[str, str]) -> None:
        """A part that says how many texts it holds, for which room is made at once."""
        if self._root == "sst":
            stated = int(given.get("uniqueCount", "0").strip() or 0)
            if not 0 <= stated <= self._size // _LEAST_BYTES + 1:
                raise Refused(Fault.STATED)

    def _take_cell(self) -> None:
        """A cell with something in it."""
        if self._at is None:
            self._column += 1
            row, column = self._row, self._column
        else:
            letters = self._at.rstrip(digits)
            row, column = int(self._at[len(letters) :] or 0), _column(letters)
            self._column = column
        self._rows, self._columns = max(self._rows, row), max(self._columns, column)
        if self._rows * self._columns > MAX_CELLS:
            raise Refused(Fault.CELLS)

    def _characters(self, text: str) -> None:
        self._run += len(text)
        self._text += len(text)
        if self._run > MAX_TEXT:
            raise Refused(Fault.LONG_CELL)
        if self._is_index and text.strip().isdecimal():
            at = int(text)
            self._texts += self._lengths[at] if at < len(self._lengths) else 0
            if self._texts > MAX_TEXTS:
                raise Refused(Fault.TEXTS)

    def _end(self, name: str) -> None:
        if name == "c" or name.endswith(":c"):
            self._column += self._is_cell and self._at is None
            self._is_cell = self._is_shared = self._is_index = False
        elif name == "si" or name.endswith(":si"):
            self._lengths.append(self._text)
            if len(self._lengths) > MAX_CELLS:
                raise Refused(Fault.TEXTS)


@lru_cache(maxsize=1024)
def _column(letters: str) -> int:
    """The number of a column; of one beyond any sheet a number that is too."""
    number = 0
    for letter in letters[:8].upper():
        number = number * 26 + ord(letter) - 64
    return number
