"""Dated copies of documents, made before something is done to them that can't be undone."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

from db.atomic import write_atomically
from db.sqlite import in_memory


def dated_copy(connection: sqlite3.Connection, path: Path, label: str, now: datetime) -> Path:
    """Copy the open document beside itself as ``name label date.ending``; never over another file.

    It is there whole or not at all. Its pages are copied: nothing in it is asked for anything.

    Raises:
        sqlite3.Error: the document can't be read.
        StoreError: the copy can't be written.
    """
    stem = f"{path.stem} {label} {now:%Y-%m-%d}"
    target = path.with_name(f"{stem}{path.suffix}")
    number = 2
    while target.exists():
        target = path.with_name(f"{stem} {number}{path.suffix}")
        number += 1
    with in_memory() as copy:
        connection.backup(copy)
        write_atomically(target, copy.serialize())
    return target
