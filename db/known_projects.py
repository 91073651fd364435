"""The projects of this machine, so that they are found again: what each is, as its file says.

What is kept of them is derived: it is made anew of the files when it is lost or a file is another
one. Files of projects are only ever read.

    {"format": "headroom-projects", "version": 1, "projects": [{"path": …, "stamp": […], …}]}
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from db.atomic import stamp_of, turn_of, write_atomically, write_sentence
from db.door import content
from db.errors import StoreError, bounded
from db.files import open_any
from db.project import ENDING
from db.signed import all_signed
from models.base.texts import say
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction, Shown, Verdict
from models.project.catalog_use import catalog_for
from models.project.project import Project
from models.scenario.scenario import Scenario

FORMAT, VERSION = "headroom-projects", 1
MOST_PROJECTS = 1000
MOST_BYTES = 64 * 2**20
MOST_WORDS = 50_000
"""Characters of a project that are searched."""
DEEPEST, MOST_FOLDERS = 4, 5000
"""Of folders that are looked through."""


class KnownProject(msgspec.Struct, frozen=True, kw_only=True):
    """A project file and what is in it.

    Attributes:
        path: absolute.
        stamp: size and time of change of the file that the rest was read from; None: none was yet.
        turn: its number on its drive and when the system last changed it, likewise.
        scenario: name of the one that opens; `customer`: whom it is for, empty for nobody.
        verdict: on that scenario; None where there is nothing to judge, or it wasn't worked out.
        is_assumed: it fits, and no more than on assumptions.
        proposed_at: date of the newest proposal that is kept in it, ISO 8601; empty for none.
        words: what is searched in: names of customer, scenarios, hosts and VMs, and notes.
    """

    path: str
    stamp: tuple[int, int] | None = None
    turn: tuple[int, int] | None = None
    scenario: str = ""
    customer: str = ""
    verdict: Verdict | None = None
    is_assumed: bool = False
    proposed_at: str = ""
    scenarios: int = 0
    hosts: int = 0
    vms: int = 0
    words: str = ""

    @property
    def name(self) -> str:
        return Path(self.path).stem

    @property
    def shown(self) -> Shown | None:
        """The verdict as it is shown; None where there is none."""
        return None if self.verdict is None else Shown.of(self.verdict, is_assumed=self.is_assumed)

    def answers(self, asked: str) -> bool:
        """Whether every word of a search is in it.

        >>> KnownProject(path="/a/Mail move.headroom", words="esx1 Mail-01").answers("move MAIL-01")
        True
        """
        there = f"{self.path} {self.words}".casefold()
        return all(word in there for word in asked.casefold().split())


@dataclass(frozen=True, slots=True)
class Looked:
    """A project as it is now; where it can't be read, `problem` says why, and the rest is None."""

    known: KnownProject
    scenario: Scenario | None = None
    prediction: Prediction | None = None
    problem: str = ""


class _Index(msgspec.Struct):
    format: str
    version: int
    projects: list[KnownProject]


def read_known(path: Path) -> tuple[KnownProject, ...]:
    """What is known of the projects of this machine; of what can't be read, nothing."""
    try:
        data = content(path, MOST_BYTES, say("is larger than any list of projects"))
        with bounded(path):
            index = msgspec.json.decode(data, type=_Index)
    except (StoreError, msgspec.DecodeError, UnicodeDecodeError):
        return ()
    if (index.format, index.version) != (FORMAT, VERSION):
        return ()
    return tuple(index.projects[:MOST_PROJECTS])


def write_known(path: Path, projects: Iterable[KnownProject]) -> None:
    """Keep what is known, for this user alone.

    Raises:
        StoreError: it can't be written.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(write_sentence(error), path) from error
    index = _Index(FORMAT, VERSION, list(projects)[:MOST_PROJECTS])
    write_atomically(path, msgspec.json.encode(index), is_secret=True)


def forget_known(path: Path) -> None:
    """Raises:
    StoreError: it can't be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(write_sentence(error), path) from error


def looked_at(path: Path, knowledge: Knowledge) -> Looked:
    """A project file as it is now, its default scenario worked out.

    Args:
        knowledge: with the shipped catalog and what the user has of his own.
    """
    stamp, turn = stamp_of(path), turn_of(path)
    try:
        project = open_any(path, knowledge.catalog)
    except StoreError as error:
        return Looked(KnownProject(path=str(path), stamp=stamp, turn=turn), problem=error.sentence)
    scenario = project.default_entry().scenario
    used = catalog_for(project, knowledge.catalog)
    prediction = evaluate(scenario, Knowledge(used, knowledge.calibration))
    known = KnownProject(
        path=str(path),
        stamp=stamp,
        turn=turn,
        scenario=scenario.name,
        customer=scenario.customer,
        verdict=prediction.shown.verdict,
        is_assumed=prediction.shown.is_assumed,
        proposed_at=max((each.at for each in all_signed(project)), default=""),
        scenarios=len(project.entries),
        hosts=len(scenario.hosts),
        vms=len(scenario.vms),
        words=_words(project),
    )
    return Looked(known, scenario, prediction)


def is_current(known: KnownProject) -> bool:
    """Whether the file is still the one that was read."""
    path = Path(known.path)
    return known.stamp is not None and (stamp_of(path), turn_of(path)) == (known.stamp, known.turn)


def together(known: Iterable[KnownProject], paths: Iterable[Path]) -> tuple[KnownProject, ...]:
    """What is known, with these projects in front that nothing is known of yet, each once."""
    there = {each.path: each for each in known}
    first = {str(path): there.get(str(path), KnownProject(path=str(path))) for path in paths}
    return tuple((first | there).values())[:MOST_PROJECTS]


def projects_in(folders: Iterable[Path]) -> Iterator[Path | None]:
    """The project files in folders and in theirs; None between them, once a folder is looked
    through, for who wants to stop.

    Hidden folders and links are left out, and what can't be read.
    """
    left = [(folder, 0) for folder in folders]
    seen = 0
    while left and seen < MOST_FOLDERS:
        folder, depth = left.pop(0)
        seen += 1
        yield None
        try:
            entries = sorted(os.scandir(folder), key=lambda each: each.name)
        except OSError:
            continue
        for each in entries:
            if each.is_symlink() or each.name.startswith("."):
                continue
            if each.is_file() and each.name.lower().endswith(ENDING):
                yield Path(each.path).absolute()
            elif each.is_dir() and depth < DEEPEST:
                left.append((Path(each.path), depth + 1))


def _words(project: Project) -> str:
    texts: list[str] = []
    for entry in project.entries:
        scenario = entry.scenario
        texts += (scenario.customer, scenario.author, scenario.name, scenario.notes)
        for items in (scenario.clusters, scenario.hosts, scenario.pools, scenario.vms):
            for each in items:
                texts += (each.name,) if each.name == each.id else (each.name, each.id)
    return " ".join(dict.fromkeys(filter(None, texts)))[:MOST_WORDS]
