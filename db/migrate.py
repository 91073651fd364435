"""Schema steps: numbered SQL files, each frozen once a program with it was given away."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from db.sqlite import in_memory, transaction


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a schema: it leads from version ``number - 1`` to `number`."""

    number: int
    name: str
    sql: str


@cache
def steps_of(*folder: str) -> tuple[Step, ...]:
    """The steps in this folder below ``db/migrations``, in order."""
    place = files("db").joinpath("migrations", *folder)
    names = sorted(each.name for each in place.iterdir() if each.name.endswith(".sql"))
    steps = tuple(
        Step(int(name[:4]), name, place.joinpath(name).read_text(encoding="utf-8"))
        for name in names
    )
    if [step.number for step in steps] != list(range(1, len(steps) + 1)):
        raise RuntimeError(f"schema steps are not numbered from 1 without gaps: {names}")
    return steps


def version_of(connection: sqlite3.Connection) -> int:
    """The schema version of the database, 0 for an empty one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Run the missing steps, all or none, in one exclusive transaction."""
    if version_of(connection) >= len(steps):
        return
    with transaction(connection, "EXCLUSIVE"):
        # Another program may have done it while this one waited for its turn.
        for step in steps[version_of(connection) :]:
            for statement in _statements(step.sql):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {step.number}")


def check_schema(connection: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Make sure that a database is the one that these steps make, and nothing else.

    It comes before every other statement on a file of somebody else: a view, a trigger or a
    generated column works as soon as it is asked for.

    Raises:
        sqlite3.DatabaseError: it is another one.
    """
    if schema_of(connection) != _expected_schema(tuple(steps)):
        raise sqlite3.DatabaseError("the schema is not the one of its version")


@cache
def _expected_schema(steps: tuple[Step, ...]) -> list[tuple[str, str, str, str | None]]:
    with in_memory() as fresh:
        migrate(fresh, steps)
        return schema_of(fresh)


def schema_of(connection: sqlite3.Connection) -> list[tuple[str, str, str, str | None]]:
    """Kind, name, table and SQL of everything in the database."""
    return connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    ).fetchall()


def _statements(sql: str) -> Iterator[str]:
    """The statements one by one: `executescript` would commit the transaction around it."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip():
        raise ValueError(f"a schema step ends inside a statement: {pending.strip()[:60]}")
