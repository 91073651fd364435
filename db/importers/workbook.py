"""Sheets of a workbook (.xlsx), read by calamine within bounds.

Calamine runs nothing, follows no links and reads the cached values of formulas. What it would
need in memory is worked out before it is asked: a cell in the last corner makes it reserve every
cell before it, and a long text that many cells share is a copy in each.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

import numpy as np

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

_SHORT = 2048
"""A text of so many bytes is not worth counting its copies."""

_CORNERS = re.compile(rb'\br\s*=\s*["\'](?=[A-Za-z]{2}|[A-Za-z]\d{5})([A-Za-z]+)(\d{5,})?')
"""References beyond column Z or row 9,999: those within are too many to look at, and few cells."""
_FILLED = re.compile(rb'<(?:\w+:)?c\b[^>]*?\br\s*=\s*["\']([A-Za-z]+)(\d+)["\'][^>]*?>\s*<(?!/)')
_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\br\s*=\s*["\'](\d{5,})')
_ROWS, _CELL = re.compile(rb"<(?:\w+:)?row"), re.compile(rb"<(?:\w+:)?c\b")
_NAMELESS = re.compile(rb"<(?:\w+:)?c(?:\s+(?![^>]*\br\s*=)[^>]*)?>")
"""A cell that says by its order where it stands."""
_MOST_DIGITS = 8
"""Of a row's number, or letters of a column's: with more, the number itself is beyond any sheet."""
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
    total = 0
    longest, references = 0, 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for part in archive.infolist():
                found = _measured(archive, part, name, watch)
                total += found.size
                longest = max(longest, found.longest)
                references += found.references
                if total > MAX_UNPACKED:
                    raise StoreError(say("holds more than {count} MB", count="500"), name)
                if found.cells > MAX_CELLS:
                    raise StoreError(say("has a sheet of more cells than any export"), name)
                if found.longest > MAX_TEXT:
                    count = f"{MAX_TEXT:,}"
                    text = say("holds a cell of more than {count} characters", count=count)
                    raise StoreError(text, name)
            if longest > _SHORT and longest * references > MAX_TEXTS:
                _check_texts(archive, name)
    except BROKEN as error:
        raise StoreError(say("is not a sound workbook"), name) from error


@dataclass(frozen=True, slots=True)
class _Part:
    """Bytes of a part, cells up to its last corner, its longest text between two marks, and how
    many cells refer to shared texts."""

    size: int
    cells: int
    longest: int
    references: int


def _measured(archive: zipfile.ZipFile, part: zipfile.ZipInfo, name: str, watch: Watch) -> _Part:
    """A quick bound of the corner first; exactly, by cells that hold something, where that is too
    much: some programs write a million rows of nothing."""
    found = _scanned(archive, part, name, watch, _CORNERS)
    if found.cells > MAX_CELLS:
        return _scanned(archive, part, name, watch, _FILLED)
    return found


def _scanned(
    archive: zipfile.ZipFile,
    part: zipfile.ZipInfo,
    name: str,
    watch: Watch,
    pattern: re.Pattern[bytes],
) -> _Part:
    is_quick = pattern is _CORNERS
    rows, columns = (9_999, 26) if is_quick else (0, 0)
    size = longest = run = references = 0
    before = b""
    with archive.open(part) as file:
        while data := file.read(_CHUNK):
            watch.check(name)
            size += len(data)
            if size > MAX_UNPACKED:
                break
            marks = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("<"))
            if len(marks):
                inside = int(np.diff(marks).max(initial=0))
                longest = max(longest, run + int(marks[0]), inside)
                run = len(data) - int(marks[-1])
            else:
                run += len(data)
            longest = max(longest, run)
            references += data.count(b't="s"')
            whole = before + data
            for letters, digits in set(pattern.findall(whole)):
                rows = max(rows, int(digits[:_MOST_DIGITS] or b"0"))
                columns = max(columns, _column(letters))
            is_nameless = _NAMELESS.search(whole) is not None
            if is_quick or is_nameless:
                found = (int(each[:_MOST_DIGITS]) for each in _ROW.findall(whole))
                rows = max(rows, *found, 0)
            if is_nameless:
                columns = max(columns, *(len(_CELL.findall(row)) for row in _ROWS.split(whole)))
            before = whole[-_OVERLAP:]
    return _Part(size, rows * columns, longest, references)


def _check_texts(archive: zipfile.ZipFile, name: str) -> None:
    """What long shared texts come to when each cell that refers to one has a copy."""
    texts = next((p for p in archive.infolist() if p.filename.endswith("sharedStrings.xml")), None)
    if texts is None:
        raise StoreError(say("is not a sound workbook"), name)
    items = re.split(rb"<si[ >]", archive.read(texts))[1:]
    lengths = np.array([len(item) for item in items], dtype=np.int64)
    total = 0
    for part in archive.infolist():
        if "worksheets/" in part.filename:
            cells = re.findall(rb't="s"[^>]*>\s*<v>(\d{1,9})</v>', archive.read(part))
            indices = np.array(cells, dtype=np.int64) if cells else np.empty(0, dtype=np.int64)
            total += int(lengths[indices[indices < len(lengths)]].sum())
            if total > MAX_TEXTS:
                raise StoreError(say("holds more text than any export"), name)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters[:_MOST_DIGITS].upper():
        number = number * 26 + letter - 64
    return number
