"""The user's own catalog entries, kept from one project to the next.

A database of the program, not a document: it is written in place, with a write-ahead log, so that
two windows can use it at once.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from db.errors import StoreError, bounded, refused
from db.migrate import Step, check_schema, migrate, steps_of, version_of
from db.rows import CATALOG_COLUMNS, catalog_of, catalog_rows
from db.sqlite import (
    BUSY_TIMEOUT_S,
    DAMAGED,
    explained,
    has_log,
    in_memory,
    limit,
    prepare,
    too_much,
    transaction,
    uri_of,
)
from models.base.errors import ModelError
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.catalog.catalog_check import check_catalog

APPLICATION_ID = 0x4844524C
_TABLE = "catalog_entry"
MOST_ENTRIES = 20_000


def load_library(path: str | Path) -> Catalog:
    """The entries of the library, none when the file doesn't exist yet.

    Raises:
        StoreError: it can't be read, is no library, or is newer than the program.
    """
    if not Path(path).exists():
        return Catalog()
    with _opened(path) if _is_writable(path) else _copied(path) as connection:
        return _read(connection, path)


def extend_library(
    path: str | Path, entries: Catalog, *, without: Catalog | None = None
) -> Catalog:
    """Add entries to the library in one transaction; on the same id the new one wins.

    What another window added in the meantime stays. File and folder are made where they are
    missing.

    Args:
        without: entries that are to go, by their ids.

    Returns:
        All entries of the library afterwards.

    Raises:
        StoreError: it can't be read or written, or is damaged; it stays as it was.
    """
    _make_folder(path)
    if not _is_writable(path):
        raise StoreError(say("is write-protected: nothing can be added or removed"), path)
    with _opened(path) as connection, transaction(connection):
        there = _read(connection, path)
        catalog = (there if without is None else there.without(without)).merged(entries)
        _check(catalog, path)
        _write(connection, catalog)
    return catalog


def _make_folder(path: str | Path) -> None:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(say("can't be written: its folder can't be made"), path) from error


def _is_writable(path: str | Path) -> bool:
    """Whether file and folder can be written, as a database with a log beside it needs."""
    path = Path(path)
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def _read(connection: sqlite3.Connection, path: str | Path) -> Catalog:
    if connection.execute(f"SELECT count(*) FROM {_TABLE}").fetchone()[0] > MOST_ENTRIES:
        raise too_much()
    rows = connection.execute(
        f"SELECT {', '.join(CATALOG_COLUMNS)} FROM {_TABLE} ORDER BY kind, position"
    ).fetchall()
    try:
        with bounded(path):
            catalog = catalog_of("own", rows)
        check_catalog(catalog)
        return catalog
    except ModelError as error:
        raise refused(error, path) from error
    except (msgspec.DecodeError, LookupError, ValueError) as error:
        raise StoreError(DAMAGED, path) from error


def _check(catalog: Catalog, path: str | Path) -> None:
    """What could not be read again isn't written."""
    try:
        check_catalog(catalog)
    except ModelError as error:
        raise refused(error, path) from error
    if sum(len(getattr(catalog, kind)) for kind in Catalog.__slots__) > MOST_ENTRIES:
        raise StoreError(say("can't take more than {most} entries", most=MOST_ENTRIES), path)


def _write(connection: sqlite3.Connection, catalog: Catalog) -> None:
    marks = ", ".join("?" * len(CATALOG_COLUMNS))
    connection.execute(f"DELETE FROM {_TABLE}")
    connection.executemany(
        f"INSERT INTO {_TABLE} ({', '.join(CATALOG_COLUMNS)}) VALUES ({marks})",
        catalog_rows("own", catalog),
    )


@contextmanager
def _opened(path: str | Path) -> Iterator[sqlite3.Connection]:
    with explained(path):
        connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT_S)
        with closing(connection):
            prepare(connection)
            limit(connection)
            _bring_up_to_date(connection, path, steps_of("library"))
            yield connection


@contextmanager
def _copied(path: str | Path) -> Iterator[sqlite3.Connection]:
    """A library that can't be written, in memory. Where there is no log, nobody is writing it."""
    place = Path(path).absolute()
    uri = f"{uri_of(place)}?mode=ro{'' if has_log(place) else '&immutable=1'}"
    with explained(path), in_memory() as copy:
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S)) as file:
            file.backup(copy)
        limit(copy)
        _bring_up_to_date(copy, path, steps_of("library"))
        yield copy


def _bring_up_to_date(
    connection: sqlite3.Connection, path: str | Path, steps: tuple[Step, ...]
) -> None:
    with transaction(connection, "DEFERRED"):
        identity = connection.execute("PRAGMA application_id").fetchone()[0]
        version = version_of(connection)
        is_new = identity == 0 and version == 0 and not _tables(connection)
    if not is_new and identity != APPLICATION_ID:
        raise StoreError(say("is not a library of catalog entries"), path)
    if version > len(steps):
        raise StoreError(say("was written by a newer Headroom; use that one"), path)
    if is_new:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    else:
        check_schema(connection, steps[: max(version, 0)])
    migrate(connection, steps)


def _tables(connection: sqlite3.Connection) -> int:
    count: int = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return count
