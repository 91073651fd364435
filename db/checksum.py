"""A checksum over what a project document holds, so that a flipped bit does not go unnoticed.

It is taken from the content, not from the file: a document that another program compacted or
rewrote without changing anything keeps it. Every table counts, in the schema the file has, before
a later program brings it up to date; only the checksum itself does not.
"""

from __future__ import annotations

import hashlib
import sqlite3
from enum import Enum

import msgspec

COLUMN = "content_sha256"


def content_sha256(connection: sqlite3.Connection) -> str:
    """SHA-256 over the names, columns and rows of all tables, as hexadecimal digits."""
    digest = hashlib.sha256()
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    for (table,) in tables.fetchall():
        columns, keys = _columns(connection, table)
        rows = connection.execute(
            f"SELECT {', '.join(columns)} FROM {_quoted(table)} ORDER BY {', '.join(keys)}"
        ).fetchall()
        digest.update(msgspec.json.encode([table, columns, rows]))
    return digest.hexdigest()


def stored_sha256(connection: sqlite3.Connection) -> str | None:
    """The checksum that was saved with the document; None when it is older than checksums, or
    somebody took it away."""
    if not _has_checksums(connection):
        return None
    row = connection.execute(f"SELECT {COLUMN} FROM written").fetchone()
    return None if row is None else row[0]


class Proof(Enum):
    """What the checksum shows of a document."""

    AS_SAVED = "as saved"
    CHANGED = "changed"
    TAKEN_AWAY = "taken away"
    OLDER = "older than checksums"


def proof(connection: sqlite3.Connection) -> Proof:
    """Whether the content is that of its checksum, as far as there is one."""
    if not _has_checksums(connection):
        return Proof.OLDER
    stored = stored_sha256(connection)
    if not stored:
        return Proof.TAKEN_AWAY
    return Proof.AS_SAVED if stored == content_sha256(connection) else Proof.CHANGED


def _has_checksums(connection: sqlite3.Connection) -> bool:
    columns, _ = _columns(connection, "written", also=(COLUMN,))
    return _quoted(COLUMN) in columns


def _columns(
    connection: sqlite3.Connection, table: str, also: tuple[str, ...] = ()
) -> tuple[list[str], list[str]]:
    """Quoted names of the columns and of those of the key, without the checksum itself."""
    info = connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
    columns = [_quoted(name) for name, _ in info if name != COLUMN or name in also]
    keys = [_quoted(name) for name, place in sorted(info, key=lambda each: each[1]) if place]
    return columns, keys or columns


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
