"""Copies of unsaved work: a project document, and a note beside it of where it belongs.

The document a person saved is only ever looked at, to see whether it is still the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from db.atomic import digest_of, stamp_of, write_atomically, write_sentence
from db.errors import StoreError, bounded
from db.project import ENDING, load_project, write_project
from models.project.project import Project

NOTE = ".json"
MOST_OF_A_NOTE = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a copy belongs.

    Attributes:
        name: what the project is called in the title bar.
        path: file it was opened from or saved to last; None while it has none.
        content: digest of what that file held when it was opened or saved; None: not known.
        is_settled: the user has been offered the copy and has answered "not now".
        scenario: name of the scenario that was in view.
        scenarios, vms, hosts: how many there are, of the last two in that scenario.
        turn: which of all copies it is; a later one has a higher number, whatever the clock says.
    """

    name: str = ""
    path: str | None = None
    content: str | None = None
    is_settled: bool = False
    scenario: str = ""
    scenarios: int = 0
    vms: int = 0
    hosts: int = 0
    turn: int = 0

    @property
    def is_current(self) -> bool:
        """The file is still the one that the copy goes on from."""
        if self.path is None or self.content is None:
            return False
        return digest_of(Path(self.path)) == self.content

    def describing(self, project: Project) -> Origin:
        """With what is in the project, for people to know it by."""
        scenario = project.scenario
        return replace(
            self,
            scenario=scenario.name,
            scenarios=len(project.entries),
            vms=len(scenario.vms),
            hosts=len(scenario.hosts),
        )


def write_copy(path: Path, project: Project, origin: Origin, *, program_version: str) -> None:
    """Keep the project in this copy, in place of what was in it.

    The note comes first: a copy always has one, which says what is in it.

    Raises:
        StoreError: it can't be written; the copy before this one is untouched.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(write_sentence(error), path) from error
    turns = [read_origin(each).turn for each in _copies(path.parent) if each != path]
    origin = replace(origin, turn=max([read_origin(path).turn, *(turn + 1 for turn in turns)]))
    note = msgspec.json.encode(origin.describing(project))
    write_atomically(path.with_suffix(NOTE), note)
    write_project(path, project, program_version=program_version)


def read_copy(path: Path) -> Project:
    """The project in a copy.

    Raises:
        StoreError: it can't be read.
    """
    return load_project(path)


def read_origin(path: Path) -> Origin:
    """Where a copy belongs; of an unreadable note, nothing."""
    try:
        with bounded(path), path.with_suffix(NOTE).open("rb") as file:
            return msgspec.json.decode(file.read(MOST_OF_A_NOTE), type=Origin)
    except (OSError, StoreError, msgspec.DecodeError):
        return Origin()


def settle(path: Path) -> None:
    """Note that the user has answered "not now".

    Raises:
        StoreError: it can't be noted.
    """
    origin = replace(read_origin(path), is_settled=True)
    write_atomically(path.with_suffix(NOTE), msgspec.json.encode(origin))


def kept_at(path: Path) -> datetime | None:
    """When a copy was made; None when it is gone."""
    stamp = stamp_of(path)
    return None if stamp is None else datetime.fromtimestamp(stamp[1] / 1e9, UTC)


def remove_copy(path: Path) -> None:
    """Forget a copy; the document goes first, for without it the note means nothing.

    Raises:
        StoreError: it can't be removed.
    """
    try:
        path.unlink(missing_ok=True)
        path.with_suffix(NOTE).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(write_sentence(error), path) from error


def copies_in(folder: Path) -> list[Path]:
    """All copies in a folder, the newest first."""
    found = [
        (read_origin(path).turn, stamp[1], path)
        for path in _copies(folder)
        if (stamp := stamp_of(path))
    ]
    return [path for _, _, path in sorted(found, reverse=True)]


def _copies(folder: Path) -> list[Path]:
    return list(folder.glob(f"*{ENDING}"))
