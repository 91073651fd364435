"""Sheets of a workbook (xlsx, xlsb, xls, ods), read by calamine within bounds.

Calamine runs nothing, follows no links and reads the cached values of formulas. What it would
need in memory is worked out before it is asked: a cell in the last corner makes it reserve every
cell before it, and a long text that many cells share is a copy in each.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from db.errors import StoreError
from db.importers.watch import Watch
from models.texts import say

Cell = str | float | int | bool | datetime | date | time | timedelta

MAX_UNPACKED = 500 * 2**20
MAX_CELLS = 12_000_000
"""Of one sheet, empty ones up to the last corner included: 24 to 32 bytes each."""
MAX_TEXT = 128 * 2**10
MAX_TEXTS = 200 * 2**20
_CHUNK = 2**20
_OVERLAP = 4096

_FILLED = re.compile(rb'<c\b[^>]*?\br="([A-Z]{1,3})(\d{1,7})"[^>]*?>\s*<(?!/)')
BROKEN = (EOFError, OSError, RuntimeError, NotImplementedError, zlib.error, zipfile.BadZipFile)
"""What the standard library raises on an archive that is broken or cut."""
_PROTECTED = "EncryptedPackage".encode("utf-16-le")


def is_protected(ole: bytes) -> bool:
    """Whether a compound file is a workbook encrypted by its password."""
    return _PROTECTED in ole


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

        if self._data.startswith(b"PK"):
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
    total, cells, longest = 0, 0, 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for part in archive.infolist():
                if not part.filename.endswith((".xml", ".bin")):
                    continue
                with archive.open(part) as file:
                    size, filled, text = _measured(file, name, watch)
                total += size
                cells = max(cells, filled)
                longest = max(longest, text)
                if total > MAX_UNPACKED:
                    raise StoreError(say("holds more than {count} MB", count="500"), name)
    except BROKEN as error:
        raise StoreError(say("is not a sound workbook"), name) from error
    if cells > MAX_CELLS:
        raise StoreError(say("has a sheet of more cells than any export"), name)
    if longest > MAX_TEXT:
        raise StoreError(say("holds a cell of more than {count} characters", count="131,072"), name)


def _measured(file: Any, name: str, watch: Watch) -> tuple[int, int, int]:
    """Bytes of a part, cells up to its last corner, and its longest text between two marks."""
    size = rows = columns = longest = run = 0
    before = b""
    while data := file.read(_CHUNK):
        watch.check(name)
        size += len(data)
        if size > MAX_UNPACKED:
            break
        pieces = data.split(b"<")
        run += len(pieces[0])
        longest = max(longest, run, *map(len, pieces[1:]))
        run = len(pieces[-1])
        whole = before + data
        for letters, digits in _FILLED.findall(whole):
            rows = max(rows, int(digits))
            columns = max(columns, _column(letters))
        before = whole[-_OVERLAP:]
    return size, rows * columns, longest


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number
