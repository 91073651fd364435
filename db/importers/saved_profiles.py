"""What a person said of the columns of tables, kept for the next table with the same headings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from db.atomic import write_atomically
from db.errors import StoreError
from db.importers.opening import Opened
from db.importers.profile import FIELDS, Profile, profile_text, read_profile
from db.importers.tables import Table, keyed, tables_of

MOST = 200
"""Profiles that are looked at, the newest first."""
_ENDING = ".toml"
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class TableFound:
    """A table whose columns somebody may have to explain.

    Attributes:
        examples: the first cells of each column.
        guess: what its columns are by what they are called.
    """

    name: str
    head: tuple[str, ...]
    examples: tuple[tuple[str, ...], ...]
    guess: Profile


def table_found(table: Table, guess: Profile) -> TableFound:
    """A table to be explained, with what is guessed of it."""
    rows = table.preview().rows[:_EXAMPLES]
    examples = (
        tuple(islice((row[at] for row in rows if at < len(row)), _EXAMPLES))
        for at in range(len(table.head))
    )
    return TableFound(table.name, table.head, tuple(examples), guess)


def keep_profile(folder: Path, profile: Profile) -> None:
    """Keep a profile; another one of the same headings gives way.

    Raises:
        StoreError: it can't be written.
    """
    headings = sorted(column.heading for column in profile.columns.values())
    name = hashlib.sha256("\n".join((profile.sheet, *headings)).encode()).hexdigest()[:16]
    with suppress(OSError):  # Writing says why, where it can't be.
        folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"{name}{_ENDING}", profile_text(profile).encode())


def kept_profiles(folder: Path, fields: tuple[str, ...] = FIELDS) -> list[Profile]:
    """Those that were kept, the last one first; what can't be read is left out."""
    try:
        paths = sorted(folder.glob(f"*{_ENDING}"), key=_age)[:MOST]
    except OSError:
        return []
    found = []
    for path in paths:
        try:
            found.append(read_profile(path, fields))
        except StoreError:
            continue
    return found


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def fitting(files: Sequence[Opened], profiles: Sequence[Profile]) -> Profile | None:
    """The first of these profiles whose headings one of the files has all of."""
    return next((each for each in profiles if any(has_columns(file, each) for file in files)), None)


def has_columns(file: Opened, profile: Profile) -> bool:
    """Whether a table of the file has every heading that the profile names."""
    wanted = {keyed(column.heading) for column in profile.columns.values()}
    heads = ({keyed(heading) for heading in table.head} for table in tables_of(file).values())
    return any(wanted <= head for head in heads)
