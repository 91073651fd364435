"""The project document: one SQLite file that is replaced as a whole or not at all.

Reading never writes: a file of an older version is brought up to date in memory, and the file
itself only when it is saved, after a dated copy of it.

A document carries a checksum of its content. One that differs is refused: a design with a flipped
bit in it must not become a proposal unnoticed. Whoever has no backup may open it `as_it_is`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from db.atomic import write_atomically
from db.backup import dated_copy
from db.checksum import COLUMN, Proof, content_sha256, proof, stored_sha256
from db.door import opened, read_sentence
from db.errors import ChangedContent, StoreError, bounded, refused
from db.migrate import Step, check_schema, migrate, steps_of, version_of
from db.rows import COLUMNS, Rows, project_of, read_rows, rows_of, write_rows
from db.sqlite import (
    DAMAGED,
    check_finished,
    explained,
    in_memory,
    is_damage,
    limit,
    reading,
    too_much,
    transaction,
)
from models.base.errors import ModelError
from models.base.limits import MOST_HOSTS, MOST_ITEMS, MOST_SCENARIOS
from models.base.texts import say
from models.check import check_project, check_structure
from models.project.project import Project

MAGIC = b"SQLite format 3\x00"
APPLICATION_ID = 0x48445232
ENDING = ".headroom"
MAX_BYTES = 160 * 2**20
MOST_ROWS = 400_000
"""Of all tables of a document together: some ten scenarios of 500 hosts and 10,000 VMs."""


def load_project(
    path: str | Path, *, as_it_is: bool = False, steps: Sequence[Step] | None = None
) -> Project:
    """The project in this file. The file and its folder are not written to.

    Args:
        as_it_is: don't compare the content with its checksum.

    Raises:
        StoreError: it can't be read, is no project, is newer than the program, or is damaged.
        ChangedContent: it can be read, but its content is not what was saved.
    """
    with bounded(path):
        with _opened(path, steps_of() if steps is None else steps) as (connection, shown):
            rows = read_rows(connection)
        try:
            project = project_of(rows)
            check_project(project)
            for entry in project.entries:
                check_structure(entry.scenario)
        except ModelError as error:
            raise refused(error, path) from error
        except (msgspec.DecodeError, LookupError, ValueError) as error:
            raise StoreError(DAMAGED, path) from error
    if shown in REFUSALS and not as_it_is:
        raise ChangedContent(REFUSALS[shown], path)
    return project


def proof_of(path: str | Path) -> Proof:
    """What its checksum shows of the project in this file.

    Raises:
        StoreError: it can't be read, is no project, is newer than the program, or is damaged.
    """
    with bounded(path), _opened(path, steps_of()) as (_, shown):
        return shown


def save_project(
    path: str | Path,
    project: Project,
    *,
    program_version: str,
    now: datetime | None = None,
    steps: Sequence[Step] | None = None,
) -> bool:
    """Put the project into this file; False when the file holds it already and stays as it is.

    Raises:
        StoreError: a scenario can't exist, the file belongs to a newer program or is in use, or
            it can't be written. Whatever was there is untouched.
    """
    steps = steps_of() if steps is None else steps
    now = datetime.now(UTC) if now is None else now
    with bounded(path):
        rows = _sound_rows(project, path)
        check_finished(path)
        if _is_project(path):
            _check_size(path)
            if _holds(path, rows, steps):
                return False
            _keep_old_version(path, now, steps)
        _write(path, rows, program_version, now, steps)
    return True


def write_project(path: str | Path, project: Project, *, program_version: str) -> None:
    """Put the project into this file whatever was in it: for copies that belong to the program.

    Raises:
        StoreError: a scenario can't exist, or the file can't be written.
    """
    with bounded(path):
        rows = _sound_rows(project, path)
        _write(path, rows, program_version, datetime.now(UTC), steps_of())


def _sound_rows(project: Project, path: str | Path) -> Rows:
    """The rows of a project whose scenarios can all exist."""
    for entry in project.entries:
        try:
            check_structure(entry.scenario)
        except ModelError as error:
            raise StoreError(
                say("scenario “{name}”: {error}", name=entry.scenario.name, error=error), path
            ) from error
    try:
        check_project(project)
    except ModelError as error:
        raise refused(error, path) from error
    rows = rows_of(project)
    if sum(map(len, rows.values())) > MOST_ROWS:
        raise StoreError(_TOO_MUCH, path)
    return rows


_TOO_MUCH = say("the project holds more than one file can take: divide its scenarios between two")
CHANGED = say("is damaged: what it holds is not what was saved; open a backup copy of it")
REFUSALS = {
    Proof.CHANGED: CHANGED,
    Proof.TAKEN_AWAY: say(
        "has lost the checksum it was saved with: nothing shows that what it holds is what was "
        "saved; open a backup copy of it"
    ),
}
_NO_PROJECT = say("is not a Headroom project")


def _header(path: str | Path) -> bytes:
    """The first 100 bytes, in which SQLite says what a file is.

    Raises:
        StoreError: the file can't be read.
    """
    try:
        with opened(path) as file:
            return file.read(100)
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error


def _is_project(path: str | Path) -> bool:
    """Whether there is a file that says of itself that it is a project, of whatever version."""
    try:
        header = _header(path)
    except StoreError:
        return False
    return header.startswith(MAGIC) and header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def _check_header(path: str | Path, steps: Sequence[Step]) -> None:
    header = _header(path)
    if not header:
        raise StoreError(say("is empty"), path)
    if not header.startswith(MAGIC) or len(header) < 100:
        raise StoreError(_NO_PROJECT, path)
    if header[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        raise StoreError(say("is a database, but not a Headroom project"), path)
    if _check_size(path) % _page_bytes(header):
        raise StoreError(DAMAGED, path)
    if _check_version(path, header, steps) < 1:
        raise StoreError(DAMAGED, path)


def _check_size(path: str | Path) -> int:
    """The size of a file [bytes]; one that is larger than any project is refused."""
    size = Path(path).stat().st_size
    if size > MAX_BYTES:
        sentence = say("is larger than {most} MiB, no project is", most=MAX_BYTES // 2**20)
        raise StoreError(sentence, path)
    return size


def _check_version(path: str | Path, header: bytes, steps: Sequence[Step]) -> int:
    """The version of the schema that the header states; a newer one is refused."""
    version = int.from_bytes(header[60:64], "big", signed=True)
    if version > len(steps):
        raise StoreError(
            say(
                "was written by a newer Headroom (file version {version}, this program knows "
                "{known}); open it with that one",
                version=version,
                known=len(steps),
            ),
            path,
        )
    return version


def _page_bytes(header: bytes) -> int:
    """Page size that the header of a database states [bytes]; its value 1 stands for 65,536."""
    stated = int.from_bytes(header[16:18], "big")
    return 65_536 if stated == 1 else max(stated, 1)


@contextmanager
def _opened(path: str | Path, steps: Sequence[Step]) -> Iterator[tuple[sqlite3.Connection, Proof]]:
    """The document, sound and of the newest version, in a transaction that only reads.

    With it comes what its checksum shows.
    """
    _check_header(path, steps)
    with explained(path), reading(Path(path)) as file:
        version = version_of(file)
        if version == len(steps):
            with _sound(file, steps):
                yield file, proof(file)
            return
        with in_memory() as copy:
            file.backup(copy)
            limit(copy)
            check_schema(copy, steps[: max(version, 0)])
            shown = proof(copy)
            migrate(copy, steps)
            with _sound(copy, steps):
                yield copy, shown


@contextmanager
def _sound(connection: sqlite3.Connection, steps: Sequence[Step]) -> Iterator[None]:
    """Reads in one transaction; the schema comes before whatever else there is."""
    with transaction(connection, "DEFERRED"):
        check_schema(connection, steps)
        _check_counts(connection)
        report = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if report != "ok" or connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.DatabaseError("the content is not sound")
        yield


def _check_counts(connection: sqlite3.Connection) -> None:
    """Count the rows before any is read, those of a scenario too."""
    counts = {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in COLUMNS
    }
    if sum(counts.values()) > MOST_ROWS or counts["scenario"] > MOST_SCENARIOS:
        raise too_much()
    for table, most in (("vm", MOST_ITEMS), ("host", MOST_HOSTS)):
        query = f"SELECT count(*) FROM {table} GROUP BY scenario ORDER BY 1 DESC"
        found = connection.execute(query).fetchone()
        if found is not None and found[0] > most:
            raise too_much()


def _holds(path: str | Path, rows: Rows, steps: Sequence[Step]) -> bool:
    """Whether the file is sound, of the newest version, and holds these very rows.

    Raises:
        StoreError: it belongs to a newer program, or another program is writing to it.
    """
    _check_version(path, _header(path), steps)
    with explained(path):
        try:
            with reading(Path(path)) as file:
                if version_of(file) != len(steps):
                    return False
                with _sound(file, steps):
                    is_intact = stored_sha256(file) == content_sha256(file)
                    return is_intact and read_rows(file) == rows
        except UnicodeDecodeError:
            return False
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            return False


def _keep_old_version(path: str | Path, now: datetime, steps: Sequence[Step]) -> None:
    """A dated copy of a file that an older program wrote; of a damaged one there is none."""
    with explained(path):
        try:
            with reading(Path(path)) as file:
                version = version_of(file)
                if version < len(steps):
                    dated_copy(file, Path(path), f"version {version}", now)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise


def _write(
    path: str | Path, rows: Rows, program_version: str, now: datetime, steps: Sequence[Step]
) -> None:
    data = _document(rows, program_version, now, steps)
    if len(data) > MAX_BYTES:
        raise StoreError(_TOO_MUCH, path)
    write_atomically(path, data)


def _document(rows: Rows, program_version: str, now: datetime, steps: Sequence[Step]) -> bytes:
    with in_memory() as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(connection, steps)
        with transaction(connection):
            write_rows(connection, rows)
            connection.execute(
                "INSERT INTO written (number, program_version, saved_at) VALUES (1, ?, ?)",
                (program_version, now.isoformat(timespec="seconds")),
            )
            sha256 = content_sha256(connection)
            connection.execute(f"UPDATE written SET {COLUMN} = ?", (sha256,))
        return connection.serialize()
