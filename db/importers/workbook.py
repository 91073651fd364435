"""Sheets of a workbook (.xlsx), read by calamine within bounds.

Calamine runs nothing, follows no links and reads the cached values of formulas. What it would
need in memory is worked out before it is asked: a cell in the last corner makes it reserve every
cell before it, a long text that many cells share is a copy in each, and a number of texts that is
only stated is reserved as stated.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cached_property, lru_cache
from string import digits
from typing import Any
from xml.parsers import expat

from db.errors import StoreError
from db.importers.watch import Watch
from models.texts import Text, say

Cell = str | float | int | bool | datetime | date | time | timedelta

MAX_UNPACKED = 500 * 2**20
MAX_CELLS = 12_000_000
"""Of one sheet, empty ones up to the last corner included: 24 to 32 bytes each."""
MAX_TEXT = 128 * 2**10
MAX_TEXTS = 200 * 2**20
_CHUNK = 2**18
_LEAST_BYTES = len("<si/>")
"""Of a shared text."""
_BEFORE_XML = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
BROKEN = (
    *(EOFError, OSError, RuntimeError, ValueError, LookupError, NotImplementedError),
    *(struct.error, zlib.error, zipfile.BadZipFile),
)
"""What the standard library raises on an archive that is broken or cut."""


class Workbook:
    """Its sheets by name; each is read once, when asked for.

    Raises:
        StoreError: it is no sound workbook, or would need more memory than any export.
    """

    def __init__(self, data: bytes, name: str, watch: Watch) -> None:
        self._data = data
        self._name = name
        self._watch = watch
        self._sheets: dict[str, Any] = {}

    @cached_property
    def _book(self) -> Any:
        from python_calamine import CalamineWorkbook

        _check_parts(self._data, self._name, self._watch)
        with Soundly(self._name):
            return CalamineWorkbook.from_filelike(io.BytesIO(self._data))

    @property
    def names(self) -> list[str]:
        return list(self._book.sheet_names)

    def _sheet(self, sheet: str) -> Any:
        if sheet not in self._sheets:
            self._watch.check(self._name)
            with Soundly(self._name):
                self._sheets[sheet] = self._book.get_sheet_by_name(sheet)
        return self._sheets[sheet]

    def rows(self, sheet: str) -> Iterator[list[Cell]]:
        """Rows from the first one of the sheet; empty cells are empty text."""
        with Soundly(self._name):
            rows = self._sheet(sheet).iter_rows()
        for number in range(2**62):
            if number % 512 == 0:
                self._watch.check(self._name)
            with Soundly(self._name):
                row = next(rows, None)
            if row is None:
                return
            yield row

    def forget(self, sheet: str) -> None:
        """Give back the memory of a sheet that is done with."""
        self._sheets.pop(sheet, None)


class Soundly:
    """Errors of calamine, its panics among them, as a `StoreError` about the file."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: object, _: object) -> None:
        if kind is None or issubclass(kind, StoreError | KeyboardInterrupt | SystemExit):
            return
        if issubclass(kind, Exception) or kind.__name__ == "PanicException":
            if kind.__name__ == "PasswordError":
                reason = say("is protected by a password; save it without one")
            else:
                reason = say("is not a sound workbook")
            raise StoreError(reason, self._name) from None


def _check_parts(data: bytes, name: str, watch: Watch) -> None:
    """Size, corners and texts of every part, by unpacking it once without keeping it."""
    lengths = array("I")
    total = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for part in sorted(archive.infolist(), key=_texts_first):
                with archive.open(part) as file:
                    look = _Look(part.file_size, lengths)
                    while chunk := file.read(_CHUNK):
                        watch.check(name)
                        total += len(chunk)
                        if total > MAX_UNPACKED:
                            raise _TooMuch(say("holds more than {count} MB", count="500"))
                        look.feed(chunk)
                    look.finish()
    except _TooMuch as error:
        raise StoreError(error.sentence, name) from None
    except (*BROKEN, expat.ExpatError) as error:
        raise StoreError(say("is not a sound workbook"), name) from error


def _texts_first(part: zipfile.ZipInfo) -> bool:
    """Cells refer to them."""
    return not part.filename.lower().endswith("sharedstrings.xml")


class _TooMuch(Exception):
    """More in it than in any export."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence


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
                raise _TooMuch(_LONG_CELL)  # all in one mark

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
                raise _TooMuch(say("states more texts than it has room for"))

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
            raise _TooMuch(say("has a sheet of more cells than any export"))

    def _characters(self, text: str) -> None:
        self._run += len(text)
        self._text += len(text)
        if self._run > MAX_TEXT:
            raise _TooMuch(_LONG_CELL)
        if self._is_index and text.strip().isdecimal():
            at = int(text)
            self._texts += self._lengths[at] if at < len(self._lengths) else 0
            if self._texts > MAX_TEXTS:
                raise _TooMuch(say("holds more text than any export"))

    def _end(self, name: str) -> None:
        if name == "c" or name.endswith(":c"):
            self._column += self._is_cell and self._at is None
            self._is_cell = self._is_shared = self._is_index = False
        elif name == "si" or name.endswith(":si"):
            self._lengths.append(self._text)
            if len(self._lengths) > MAX_CELLS:
                raise _TooMuch(say("holds more text than any export"))


_LONG_CELL = say("holds a cell of more than {count} characters", count=f"{MAX_TEXT:,}")


@lru_cache(maxsize=1024)
def _column(letters: str) -> int:
    """The number of a column; of one beyond any sheet a number that is too."""
    number = 0
    for letter in letters[:8].upper():
        number = number * 26 + ord(letter) - 64
    return number
