"""Dated copies of documents, made before something is done to them that can't be undone."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path


def dated_copy(connection: sqlite3.Connection, path: Path, label: str, now: datetime) -> Path:
    """Copy the open document beside itself as ``name label date.ending``; never over another file.

    Raises:
        sqlite3.Error: the copy can't be written.
    """
    stem = f"{path.stem} {label} {now:%Y-%m-%d}"
    target = path.with_name(f"{stem}{path.suffix}")
    number = 2
    while target.exists():
        target = path.with_name(f"{stem} {number}{path.suffix}")
        number += 1
    connection.execute("VACUUM INTO ?", (str(target),))
    return target
