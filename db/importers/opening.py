"""Files, folders and archives that customers hand over, opened within bounds.

Nothing is unpacked to a disk. What is too large, too deep, protected or cut is refused with one
sentence; a text is read as a stream, so that its size is not the program's.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import IO, Any, BinaryIO

from db.door import opened as door
from db.door import read_sentence
from db.errors import StoreError
from db.importers import letters, quoted
from db.importers.profile import Profile
from db.importers.sheets import BROKEN
from db.importers.watch import Watch
from db.importers.workbook import Workbook
from models.base.texts import say, say_many
from models.intake.records import Note

MAX_TEXT = 2**30
MAX_ARCHIVE = 500 * 2**20
MAX_WORKBOOK = 100 * 2**20
"""Packed: of 60,000 VMs with every column of RVTools it has some 60 MB."""
MAX_RATIO = 250
"""Deflate reaches 1,032 on nothing but zeros; tables of customers stay below 100."""
RATIO_FROM = 50 * 2**20
MAX_MEMBERS = 2000
MAX_DEPTH = 3
MAX_LINE = 32 * 2**20
MAX_CELL = 128 * 2**10
HEAD = 64 * 2**10
UNCHECKED = 2**20
"""Letters that are read before somebody asks again whether to go on."""

ZIP, OLE, GZIP = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x1f\x8b"
_WORKBOOK_PART = "xl/workbook.xml"
_OTHER_PARTS = ("xl/workbook.bin", "content.xml")
_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@dataclass(frozen=True, kw_only=True)
class Opened:
    """One file, or one file of a folder or archive: a workbook or a text.

    Attributes:
        name: as shown, inside an archive ``set.zip/RVTools_tabvInfo.csv``.
        folder: what it stands in together with others; exports of several files share it.
        head: its first bytes, up to 64 KiB.
        watch: asked every few hundred rows.
        profile: what somebody said of its columns.
        memo: what one format found out of it that others ask for too.
        said_encoding: what somebody said of its letters.
        stray: numbers of the rows with a quotation mark that doesn't end.
    """

    name: str
    folder: str
    head: bytes
    watch: Watch
    _open: Callable[[], BinaryIO]
    _workbook: Callable[[], Workbook] | None = None
    profile: Profile | None = None
    memo: dict[str, Any] = field(default_factory=dict)
    said_encoding: str | None = None
    stray: dict[int, None] = field(default_factory=dict)

    @property
    def is_text(self) -> bool:
        """Whether it is none of the workbooks."""
        return self._workbook is None

    @property
    def stem(self) -> str:
        """Its name without folder and ending."""
        return Path(self.name).stem

    @cached_property
    def workbook(self) -> Workbook | None:
        """Its sheets; None for a text."""
        return None if self._workbook is None else self._workbook()

    @cached_property
    def encoding(self) -> str:
        """By what somebody said, its byte order mark, else UTF-8 where nearly all of it is valid,
        else by what its letters are."""
        if self.said_encoding is not None:
            return self.said_encoding
        for mark, name in _BOMS.items():
            if self.head.startswith(mark):
                return name
        if b"\x00" in self.head[:4096]:
            odd = self.head[1:4096:2].count(0)
            return "utf-16-le" if odd * 3 > min(len(self.head), 4096) else "latin-1"
        with broken_as_sentence(self.name), self._open() as file:
            return letters.encoding_of(iter(partial(file.read, letters.CHUNK), b""))

    def notes(self) -> Iterator[Note]:
        """What was guessed of it, and what its quotation marks are."""
        guessed = self.is_text and self.said_encoding is None
        if guessed and self.encoding not in _SURE:
            text = say(
                "{file}: its letters are read as {encoding}; the column Letters, or --encoding, "
                "says another one.",
                file=self.name,
                encoding=self.encoding,
            )
            yield Note("encoding-guessed", text)
        if self.stray:
            text = say_many(
                "{file}: a quotation mark of row {rows} doesn’t end: rows are read line by line.",
                "{file}: quotation marks of rows {rows} don’t end: rows are read line by line.",
                len(self.stray),
                file=self.name,
                rows=", ".join(map(str, list(self.stray)[:5])) + ", …" * (len(self.stray) > 5),
            )
            yield Note("stray-quote", text)

    @cached_property
    def start(self) -> str:
        """The text of `head`, empty for a workbook."""
        if self._workbook is not None:
            return ""
        return self.head.decode(self.encoding, errors=letters.STRAY)

    def lines(self) -> Iterator[str]:
        """Its lines, with their ends, whatever those are.

        Raises:
            StoreError: it is cut, holds bytes of no text, or a line without end.
        """
        unchecked = 0
        with self._text() as text:
            while line := text.readline(MAX_LINE):
                if len(line) == MAX_LINE:
                    raise StoreError(say("holds a line that is too long for any table"), self.name)
                unchecked += len(line)
                if unchecked > UNCHECKED:
                    self.watch.check(self.name)
                    unchecked = 0
                yield line

    def rows(self, delimiter: str) -> Iterator[list[str]]:
        """Its rows as a table; a last row that is cut is one as well.

        Raises:
            StoreError: as `lines`, or a cell is longer than 128 KiB.
        """
        reader = quoted.Rows(self.lines(), delimiter)
        for number in range(2**62):
            if number % 512 == 0:
                self.watch.check(self.name)
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise StoreError(_csv_sentence(error), self.name, field=f"{number + 1}") from error
            if row is None:
                self.stray.update(dict.fromkeys(reader.stray))
                return
            yield row

    @contextmanager
    def _text(self) -> Iterator[io.TextIOWrapper]:
        with (
            broken_as_sentence(self.name),
            self._open() as file,
            io.TextIOWrapper(file, encoding=self.encoding, errors=letters.STRAY) as text,
        ):
            yield text


@contextmanager
def broken_as_sentence(name: str) -> Iterator[None]:
    """What a broken or cut file does inside the block, as a `StoreError` about it."""
    try:
        yield
    except UnicodeError:
        raise StoreError(say("holds bytes that are no text"), name) from None
    except BROKEN as error:
        if isinstance(error, RuntimeError) and "password" in str(error):
            raise StoreError(PROTECTED, name) from None
        if isinstance(error, OSError) and error.errno:
            raise StoreError(read_sentence(error), name) from error
        raise StoreError(say("is damaged or cut off"), name) from None


OTHER_WORKBOOK = say("is a workbook of another kind than .xlsx; save it as that")
PROTECTED_PART = "EncryptedPackage".encode("utf-16-le")
PROTECTED = say("is protected by a password; save it without one")
LABELLED_PART = "DRMEncrypted".encode("utf-16-le")
LABELLED = say(
    "is encrypted by a sensitivity label (rights management), not by a password: take the label "
    "off, or save a copy without it"
)


def _csv_sentence(error: csv.Error) -> str:
    if "field larger" in str(error):
        return say("holds a cell of more than {count} characters", count=f"{MAX_CELL:,}")
    return say("is not a table that can be read")


_SURE = frozenset(("utf-8", "utf-8-sig", "utf-16", "ascii"))


def check_encoding(name: str) -> None:
    """Whether Python knows letters by this name.

    Raises:
        StoreError: it doesn't.
    """
    try:
        is_text = codecs.lookup(name)._is_text_encoding
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise StoreError(say("is no encoding that is known"), name, field="--encoding")


# --- what there is to open --------------------------------------------------------------------


Unreadable = Callable[[StoreError], None]
"""Is told of what in a folder can't be read, which keeps nothing else from being read."""


def open_source(
    path: str | Path, watch: Watch, unreadable: Unreadable | None = None
) -> tuple[Opened, ...]:
    """The files that a file, folder or archive is, those of a folder in the order of their names.

    Args:
        unreadable: None: what can't be read in a folder is raised.

    Raises:
        StoreError: it can't be read, or is larger or deeper than any export.
    """
    csv.field_size_limit(MAX_CELL)
    where = Path(path)
    if str(path) == "":
        raise StoreError(say("no file is named"), path)
    try:
        is_folder = where.is_dir()
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        return tuple(_opened_file(where, str(path), str(where.parent), watch))
    problems: list[StoreError] = []
    found = tuple(_opened_folder(where, watch, problems.append))
    for problem in problems:
        if unreadable is None or not found:
            raise problem
        unreadable(problem)
    if not found:
        raise StoreError(say("is a folder without files"), path)
    return found


def open_text(text: str, name: str, watch: Watch) -> Opened:
    """A text that somebody pasted, as a file of this name."""
    csv.field_size_limit(MAX_CELL)
    data = text.encode("utf-8", errors="replace")
    return Opened(
        name=name, folder="", head=data[:HEAD], watch=watch, _open=lambda: io.BytesIO(data)
    )


def _opened_folder(folder: Path, watch: Watch, unreadable: Unreadable) -> Iterator[Opened]:
    def closed(error: OSError) -> None:
        unreadable(StoreError(read_sentence(error), error.filename or folder))

    count = 0
    for root, folders, files in os.walk(folder, onerror=closed):
        here = Path(root)
        depth = len(here.relative_to(folder).parts)
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        if depth >= MAX_DEPTH:
            folders.clear()
        for file in sorted(files):
            if file.startswith((".", "~$")) or not (here / file).is_file():
                continue
            count += 1
            if count > MAX_MEMBERS:
                raise StoreError(_too_many(), str(folder))
            watch.check(str(folder))
            try:
                if (here / file).stat().st_size:
                    yield from _opened_file(here / file, str(here / file), root, watch)
            except OSError as error:
                closed(error)
            except StoreError as error:
                unreadable(error)


def _too_many() -> str:
    return say_many("holds more than {count} file", "holds more than {count} files", MAX_MEMBERS)


def _opened_file(path: Path, name: str, folder: str, watch: Watch) -> Iterator[Opened]:
    try:
        with door(path) as file:
            head = file.read(HEAD)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise StoreError(read_sentence(error), name) from error
    if not head:
        raise StoreError(say("is empty"), name)
    yield from _opened(lambda: door(path), head, size, name, folder, watch, depth=0)


def _opened(
    source: Callable[[], BinaryIO],
    head: bytes,
    size: int,
    name: str,
    folder: str,
    watch: Watch,
    *,
    depth: int,
) -> Iterator[Opened]:
    """A file by what it begins with."""
    if head.startswith(ZIP):
        yield from _opened_zip(source, head, name, folder, watch, depth=depth)
    elif head.startswith(OLE):
        with source() as file:
            data = file.read(MAX_ARCHIVE)
        if LABELLED_PART in data:
            raise StoreError(LABELLED, name)
        raise StoreError(PROTECTED if PROTECTED_PART in data else OTHER_WORKBOOK, name)
    elif head.startswith(GZIP):
        yield from _opened_gzip(source, name, folder, watch, depth=depth)
    else:
        _within(size, MAX_TEXT, name)
        yield Opened(name=name, folder=folder, head=head, watch=watch, _open=source)


def opened_text(data: bytes, name: str, watch: Watch) -> Opened:
    """A text that somebody pasted or piped, as the file that it might be."""
    head = data[:HEAD]
    return Opened(name=name, folder="", head=head, watch=watch, _open=partial(io.BytesIO, data))


def _sheets(data: bytes, head: bytes, name: str, folder: str, watch: Watch) -> Opened:
    book = Workbook(data, name, watch)
    return Opened(
        name=name,
        folder=folder,
        head=head,
        watch=watch,
        _open=lambda: io.BytesIO(data),
        _workbook=lambda: book,
    )


def _opened_gzip(
    source: Callable[[], BinaryIO], name: str, folder: str, watch: Watch, *, depth: int
) -> Iterator[Opened]:
    if depth >= MAX_DEPTH:
        raise StoreError(_too_deep(), name)
    with broken_as_sentence(name), source() as file, gzip.open(file) as inner:
        head = inner.read(HEAD)
    if head.startswith((ZIP, OLE, GZIP)):
        raise StoreError(_too_deep(), name)

    def unpacked() -> BinaryIO:
        file = source()
        return io.BufferedReader(_Bounded((gzip.open(file), file), MAX_TEXT, name))

    yield Opened(
        name=name.removesuffix(".gz"), folder=folder, head=head, watch=watch, _open=unpacked
    )


def _opened_zip(
    source: Callable[[], BinaryIO], head: bytes, name: str, folder: str, watch: Watch, *, depth: int
) -> Iterator[Opened]:
    """A workbook is a zip as well: then it is one file."""
    if depth >= MAX_DEPTH:
        raise StoreError(_too_deep(), name)
    with broken_as_sentence(name), source() as file, zipfile.ZipFile(file) as archive:
        members = [each for each in archive.infolist() if not each.is_dir()]
        _check_directory(members, name)
        parts = {each.filename for each in members}
        if not parts.isdisjoint(_OTHER_PARTS):
            raise StoreError(OTHER_WORKBOOK, name)
        if _WORKBOOK_PART in parts:
            file.seek(0)
            whole = file.read(MAX_WORKBOOK + 1)
            _within(len(whole), MAX_WORKBOOK, name)
            yield _sheets(whole, head, name, folder, watch)
            return
        names = [
            each.filename
            for each in sorted(members, key=lambda each: each.filename)
            if each.file_size and not each.filename.startswith("__MACOSX/")
        ]
    for member in names:
        watch.check(name)
        shown = f"{name}/{member}"
        inner = _member(source, member, shown)
        with broken_as_sentence(shown), inner() as file:
            head = file.read(HEAD)
            data = None
            if head.startswith((ZIP, OLE, GZIP)):
                data = head + file.read()
        if data is not None:
            inner = _bytes(data)
        size = len(data) if data is not None else 0
        within = f"{name}/{Path(member).parent}"
        yield from _opened(inner, head, size, shown, within, watch, depth=depth + 1)


def _bytes(data: bytes) -> Callable[[], BinaryIO]:
    return lambda: io.BytesIO(data)


def _member(source: Callable[[], BinaryIO], member: str, name: str) -> Callable[[], BinaryIO]:
    def unpacked() -> BinaryIO:
        with ExitStack() as opened:
            file = opened.enter_context(source())
            inner = zipfile.ZipFile(file).open(member)  # noqa: SIM115
            opened.pop_all()
        return io.BufferedReader(_Bounded((inner, file), MAX_ARCHIVE, name))

    return unpacked


def _check_directory(members: list[zipfile.ZipInfo], name: str) -> None:
    """What an archive says of itself; what it says falsely the readers meet."""
    if len(members) > MAX_MEMBERS:
        raise StoreError(_too_many(), name)
    if any(each.flag_bits & 1 for each in members):
        raise StoreError(PROTECTED, name)
    unpacked = sum(each.file_size for each in members)
    packed = sum(each.compress_size for each in members)
    _within(unpacked, MAX_ARCHIVE, name)
    if unpacked > RATIO_FROM and unpacked > MAX_RATIO * packed:
        raise StoreError(say("unpacks to far more than any export of this size"), name)


def _within(size: int, most: int, name: str) -> None:
    if size > most:
        megabytes = f"{most // 2**20:,}"
        raise StoreError(say("holds more than {count} MB", count=megabytes), name)


def _too_deep() -> str:
    return say("holds archives within archives")


class _Bounded(io.RawIOBase):
    """What comes out of an archive, up to a bound, whatever the archive said of its size.

    Args:
        files: the one to read from, and those that it reads from; all are closed with it.
    """

    def __init__(self, files: Sequence[IO[bytes] | gzip.GzipFile], most: int, name: str) -> None:
        self._files = files
        self._left = self._most = most
        self._name = name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        data = self._files[0].read(len(view))
        self._left -= len(data)
        if self._left < 0:
            _within(self._most + 1, self._most, self._name)
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        for file in self._files:
            file.close()
        super().close()
