"""The little of SQLite that every document here needs: connections, transactions, sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from time import thread_time

from db.door import NOT_ORDINARY, check_ordinary, opened
from db.errors import StoreError
from models.base.texts import Text, say

BUSY_TIMEOUT_S = 0.2
"""That another program may take to be done with a file: the window stands still meanwhile."""

DEADLINE_S = 5.0
"""Of the processor, for everything that is asked of one file; waiting for a slow drive is free."""
STEPS_BETWEEN_LOOKS = 10_000
"""Of SQLite's machine, after which it is looked whether the time is over."""
_MOST = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16 * 2**20,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 10,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
"""Of a value or row [bytes], of a statement and what may be in it: far beyond what stands here."""

_LOGGED = b"\x02\x02"
"""Where the header of a database has its versions: changes go to a log (WAL) first."""
_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal starts that is still to be played back."""

_IN_USE = say("is in use by another program; close it there or try again")
_CLOSED = say("can't be opened; check that you may read the file and its folder")
_UNFINISHED = say("was not closed properly by the program that wrote it last; open it there once")
_LOG_BESIDE = say(
    "has the log of another program beside it; close it there, or open and close it there once"
)
_SENTENCES = {
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_READONLY: say("can't be written: it or its folder is write-protected"),
    sqlite3.SQLITE_READONLY_ROLLBACK: _UNFINISHED,
    sqlite3.SQLITE_READONLY_RECOVERY: _UNFINISHED,
    sqlite3.SQLITE_READONLY_CANTINIT: _UNFINISHED,
    sqlite3.SQLITE_FULL: say("can't be written: the disk is full"),
    sqlite3.SQLITE_IOERR: say("can't be read: the disk or network drive reports an error"),
    sqlite3.SQLITE_TOOBIG: say("holds more than any project"),
    sqlite3.SQLITE_INTERRUPT: say("takes longer to read than any project"),
    sqlite3.SQLITE_NOMEM: say("there is not enough memory for it"),
}
_OF_CONTENT = {sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_INTERRUPT}
DAMAGED = say("is damaged; open a backup copy of it")


@contextmanager
def in_memory() -> Iterator[sqlite3.Connection]:
    """An empty database that exists only here."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare(connection)
        yield connection


def uri_of(path: PurePath) -> str:
    """An absolute path as SQLite reads it: ``file:////server/share/a``.

    The name of a server is part of the path; in its own place before the path SQLite refuses it.
    """
    uri = path.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file:", "file://", 1)


def has_log(path: Path) -> bool:
    """Whether beside a database lies the log (WAL) of somebody who uses it, or who died at it."""
    return _start_of(path, "-wal") is not None


def check_finished(path: str | Path) -> None:
    """Make sure that a database may be replaced: SQLite would bring what lies beside into the new.

    Raises:
        StoreError: beside it lie changes of another program that are not in it.
    """
    place = Path(path)
    if has_log(place):
        raise StoreError(_LOG_BESIDE if place.exists() else _left_alone(place, "-wal"), path)
    if (_start_of(place, "-journal") or b"").startswith(_JOURNAL):
        raise StoreError(_UNFINISHED if place.exists() else _left_alone(place, "-journal"), path)


def _left_alone(path: Path, ending: str) -> Text:
    return say(
        "is not there, but the log of another program is: remove {log}, or choose another name",
        log=f"{path.resolve().name}{ending}",
    )


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The database file, read-only: nothing is written, not even beside it.

    SQLite makes a log where another program has left the file in a mode with one, unless it is
    told that nobody writes; without a log nobody does.
    """
    place = path.absolute()
    for ending in ("-wal", "-journal"):  # SQLite would wait at a pipe
        check_ordinary(place.with_name(f"{place.name}{ending}"))
    uri = f"{uri_of(place)}?mode=ro"
    if (_start_of(place) or b"")[18:] == _LOGGED and not has_log(place):
        uri += "&immutable=1"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT_S)
    with closing(connection):
        prepare(connection)
        limit(connection)
        yield connection


def limit(connection: sqlite3.Connection) -> None:
    """Bound what a file of somebody else can cost: lengths, and from here on time."""
    for category, most in _MOST.items():
        connection.setlimit(category, most)
    end = thread_time() + DEADLINE_S
    connection.set_progress_handler(lambda: thread_time() > end, STEPS_BETWEEN_LOOKS)


def too_much() -> sqlite3.DataError:
    """The error for a database with more in it than there can be."""
    error = sqlite3.DataError("more rows than there can be")
    error.sqlite_errorcode = sqlite3.SQLITE_TOOBIG
    return error


def _start_of(path: Path, ending: str = "") -> bytes | None:
    """First 20 bytes of the database, or of the file beside it with this ending; None without."""
    try:
        place = path.resolve()
        beside = place.with_name(f"{place.name}{ending}")
        with opened(beside) as file:
            return file.read(20)
    except (OSError, RuntimeError):  # RuntimeError: links in a circle
        return None
    except StoreError as error:
        if error.sentence == NOT_ORDINARY:
            raise
        return None


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All statements of the block or none of them."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.commit()
    finally:
        if connection.in_transaction:
            connection.rollback()


@contextmanager
def explained(path: str | Path) -> Iterator[None]:
    """SQLite's errors inside the block as `StoreError`s about this file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_sentence(error), path) from error
    except UnicodeDecodeError as error:
        raise StoreError(DAMAGED, path) from error


def prepare(connection: sqlite3.Connection) -> None:
    """Set what must be set before the first transaction."""
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error speaks about the content of the file, not about the way to it."""
    code = _code(error) & 0xFF
    return code not in _SENTENCES or code in _OF_CONTENT


def _sentence(error: sqlite3.Error) -> str:
    code = _code(error)
    return _SENTENCES.get(code, _SENTENCES.get(code & 0xFF, DAMAGED))


def _code(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code
