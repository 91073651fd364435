"""Files as people hand them over: a project or a scenario, told apart by content, not by ending."""

from __future__ import annotations

from codecs import getincrementaldecoder
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from db.atomic import write_atomically
from db.codec import MAX_BYTES, OWN_KINDS, read_scenario, scenario_to_json
from db.door import opened, read_sentence
from db.errors import StoreError, refused
from db.project import ENDING, MAGIC, load_project, save_project
from db.wire import FORMAT
from models.base.errors import ModelError
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.check import (
    check_catalog_ids,
    check_structure,
    check_waived_rules,
    without_unknown_rules,
)
from models.project.catalog_use import catalog_for, used_rows, with_used_rows
from models.project.project import Project
from models.scenario.scenario import Scenario

SCENARIO_ENDING = ".json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What `convert` wrote and what it had to leave out, as scenario names, catalog ids, and rules
    of an older version that somebody waived."""

    written: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    entries_left_out: tuple[str, ...] = ()
    waivers_left_out: tuple[str, ...] = ()


def open_any(path: str | Path, catalog: Catalog, *, as_it_is: bool = False) -> Project:
    """The project in the file, or a new one with the scenario in it, checked as a whole.

    Args:
        catalog: the shipped one; entries that the file brings come on top of it.
        as_it_is: open a project even when its checksum differs.

    Raises:
        StoreError: the file can't be read, or what it holds can't exist; one sentence.
        ChangedContent: a project can be read, but is not what was saved.
    """
    if path == "":
        raise StoreError(say("no file is named"), path)
    data = _content(path, may_be_pipe=True)
    if not data:
        raise StoreError(say("is empty"), path)
    if data == MAGIC and not Path(path).is_file():
        sentence = say("must be an ordinary file: a project can't be read from a pipe")
        raise StoreError(sentence, path)
    is_project = data == MAGIC
    if is_project:
        project = load_project(path, as_it_is=as_it_is)
    elif _is_table(data, path) or not _is_text(
        data, is_project=Path(path).suffix.lower() == ENDING
    ):
        raise StoreError(say("is neither a Headroom project nor a scenario in JSON"), path)
    elif Path(path).suffix.lower() == ENDING:
        sentence = say("is text, not a Headroom project; name it .json if it is a scenario")
        raise StoreError(sentence, path)
    else:
        scenario, own = _scenario(data, path)
        project = replace(Project.of(scenario), own_catalog=own)
    known = catalog_for(project, catalog)
    for entry in project.entries:
        named = len(project.entries) > 1
        _check(entry.scenario, known, path, named=named, is_sound=is_project)
    return project


def holds_project(path: str | Path) -> bool:
    """Whether the file is a database, such as a project, and no text.

    Raises:
        StoreError: it can't be read.
    """
    return _content(path, most=len(MAGIC)) == MAGIC


def holds_scenario(path: str | Path) -> bool:
    """Whether the file is one of Headroom's own: a project, or a scenario by its first words.

    Raises:
        StoreError: it can't be read.
    """
    if Path(path).is_dir():
        return False
    start = _content(path, most=_FIRST_WORDS)
    is_called = Path(path).suffix.lower() == ENDING
    return is_called or start == MAGIC or f'"{FORMAT}"'.encode() in start


_FIRST_WORDS = 4096


def save_whole(
    path: str | Path, project: Project, catalog: Catalog, *, program_version: str
) -> Project:
    """Put the project into the file with the rows of `catalog` that it uses, and return it so.

    Raises:
        StoreError: a scenario names what `catalog` doesn't have, so that the file could not be
            opened again; or the file can't be written. Whatever was there is untouched.
    """
    for entry in project.entries:
        _check(entry.scenario, catalog, path, named=len(project.entries) > 1)
    project = with_used_rows(project, catalog)
    save_project(path, project, program_version=program_version)
    return project


def save_as(path: str | Path, project: Project, catalog: Catalog, *, program_version: str) -> None:
    """Put the project into a file of the format that its ending says: as a whole, or its scenario
    with the entries of its own that it names.

    Raises:
        StoreError: as `save_whole`, or the ending is of no format.
    """
    known = catalog_for(project, catalog)
    if ending_of(path) == ENDING:
        save_whole(path, project, known, program_version=program_version)
        return
    _check(project.scenario, known, path, named=False)
    try:
        data = scenario_to_json(project.scenario, project.own_catalog)
    except ModelError as error:
        raise refused(error, path) from error
    write_atomically(path, data)


def convert(
    source: str | Path,
    target: str | Path,
    catalog: Catalog,
    *,
    program_version: str,
    scenario: str | None = None,
    now: datetime | None = None,
) -> Converted:
    """Write what `source` holds to `target`, in the format that its ending says.

    A scenario file holds one scenario: the one called `scenario`, else the baseline, else the
    first. A project gets all of them, or the one called `scenario`.

    Raises:
        StoreError: one of the files can't be read or written, or its ending is unknown.
        ModelError: there is no scenario of this name.
    """
    ending = ending_of(target)
    project = open_any(source, catalog)
    if _same_file(source, target):
        raise StoreError(say("is the input file too; give the output another name"), target)
    if ending == SCENARIO_ENDING:
        return _to_scenario(project, target, scenario)
    if scenario is not None:
        chosen = replace(project.default_entry(scenario), parent=None)
        project = Project(
            entries=(chosen,),
            active=chosen.id,
            own_catalog=project.own_catalog,
            used_catalog=project.used_catalog,
        )
    project = with_used_rows(project, catalog_for(project, catalog))
    save_project(target, project, program_version=program_version, now=now)
    return Converted(written=tuple(entry.scenario.name for entry in project.entries))


def ending_of(path: str | Path) -> str:
    """The ending that decides the format to write.

    Raises:
        StoreError: it is neither of the two.
    """
    ending = Path(path).suffix.lower()
    if ending not in (ENDING, SCENARIO_ENDING):
        sentence = say("must end in {one} or {other}", one=ENDING, other=SCENARIO_ENDING)
        raise StoreError(sentence, path)
    return ending


def _to_scenario(project: Project, target: str | Path, name: str | None) -> Converted:
    entry = project.default_entry(name)
    scenario = without_unknown_rules(entry.scenario)
    own = project.own_catalog
    write_atomically(target, scenario_to_json(scenario, own))
    taken = used_rows((scenario,), own)
    own = own.without(Catalog(**{kind: getattr(taken, kind) for kind in OWN_KINDS}))
    return Converted(
        written=(entry.scenario.name,),
        left_out=tuple(e.scenario.name for e in project.entries if e is not entry),
        entries_left_out=tuple(id for kind in Catalog.__slots__ for id in getattr(own, kind)),
        waivers_left_out=tuple(
            waiver.rule for waiver in entry.scenario.waivers if waiver not in scenario.waivers
        ),
    )


def _content(path: str | Path, *, most: int = MAX_BYTES + 1, may_be_pipe: bool = False) -> bytes:
    """The first bytes of a database, and of any other file all, up to `most`.

    They are read once: a pipe has nothing left for a second reader.
    """
    try:
        with opened(path, may_be_pipe=may_be_pipe) as file:
            start = file.read(len(MAGIC))
            return start if start == MAGIC else start + file.read(most - len(start))
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error


def _is_table(start: bytes, path: str | Path) -> bool:
    """Whether it is what tables are exported as, such as the inventory of a virtual centre: no
    scenario begins with a word, and a place in JSON would tell nothing of it."""
    first = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return Path(path).suffix.lower() in TABLES and first not in (b"{", b"[")


TABLES = frozenset({".csv", ".tsv", ".txt"})


def _is_text(start: bytes, *, is_project: bool) -> bool:
    """Whether a file that begins so may be text; the reader of JSON says more about what is none.

    Args:
        is_project: it is called a project: what is no UTF-8 is not told to be text then.
    """
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    if not is_project:
        return b"\x00" not in start[:4]
    try:
        text = getincrementaldecoder("utf-8")().decode(start[:4096])
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter.isspace() for letter in text)


def _scenario(data: bytes, path: str | Path) -> tuple[Scenario, Catalog]:
    scenario, own = read_scenario(data, name=str(path))
    try:
        check_waived_rules(scenario)
    except ModelError as error:
        raise refused(error, path) from error
    return scenario, own


def _check(
    scenario: Scenario, catalog: Catalog, path: str | Path, *, named: bool, is_sound: bool = False
) -> None:
    """Args: is_sound: its structure was looked at when it was read."""
    try:
        if not is_sound:
            check_structure(scenario)
        check_catalog_ids(scenario, catalog)
    except ModelError as error:
        if named:
            raise StoreError(
                say("scenario “{name}”: {error}", name=scenario.name, error=error), path
            ) from error
        raise refused(error, path) from error


def _same_file(source: str | Path, target: str | Path) -> bool:
    try:
        return Path(source).samefile(target)
    except OSError:
        return False
