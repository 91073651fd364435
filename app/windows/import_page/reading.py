"""What the import page works out behind the window: reading, and a scenario of what was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from app.uncollected import uncollected
from app.work import Cancelled, Context
from db.errors import StoreError
from db.files import holds_scenario, open_any
from db.importers.inventory import guessed_profile
from db.importers.opening import Opened, open_source, open_text
from db.importers.profile import Profile
from db.importers.registry import (
    Reading,
    Told,
    UnknownKind,
    Unread,
    note_unread,
    read_each,
    recognised,
)
from db.importers.saved_profiles import TableFound, fitting, kept_profiles, table_found
from db.importers.tables import tables_of
from db.importers.watch import Cancelled as GivenUp
from db.importers.watch import Watch
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.intake.mapping import imported
from models.intake.options import Options
from models.intake.records import Records
from models.intake.result import ImportResult
from models.project.importing import as_imported
from models.project.project import Project
from resources.catalog_files import load_processors

PASTED = "pasted"
GENERAL = "table"
"""Kind of the format that reads any table by what its columns are said to be."""
IS_UNKNOWN = say("is of no known kind")
_MOST_TABLES = 20


@dataclass(slots=True, kw_only=True)
class Found:
    """What the files hold, each by what people named it.

    Attributes:
        projects: those that are Headroom's own.
        tables: of those that no format knows, or the general one only.
        kept: what was said before of columns such as theirs, and is taken.
    """

    records: list[Records] = field(default_factory=list)
    projects: dict[str, Project] = field(default_factory=dict)
    problems: list[Unread] = field(default_factory=list)
    tables: dict[str, tuple[TableFound, ...]] = field(default_factory=dict)
    kept: dict[str, Profile] = field(default_factory=dict)

    def problems_of(self, name: str) -> list[Unread]:
        """What of a file, folder or archive could not be read."""
        return [each for each in self.problems if each.named == name]


def reason_of(problem: Unread) -> str:
    """Why it could not be read, in short."""
    is_unknown = isinstance(problem.error, UnknownKind)
    return IS_UNKNOWN if is_unknown else problem.error.sentence


def read(
    names: Sequence[str],
    text: str,
    told: Mapping[str, Told],
    catalog: Catalog,
    profiles: Path,
    context: Context,
) -> Found:
    """Everything that is named, and the text that was pasted; what can't be read says why.

    Args:
        profiles: folder of what was said of the columns of other tables.

    Raises:
        Cancelled: nobody wants it any more.
    """

    def is_cancelled() -> bool:
        try:
            context.check()
        except Cancelled:
            return True
        return False

    found = Found()
    watch = Watch(is_cancelled=is_cancelled, report=context.report)
    try:
        with uncollected():
            opened = dict(_opened(names, text, watch, catalog, found))
            opened = {name: _in_letters(each, told.get(name)) for name, each in opened.items()}
            found.kept = dict(_kept(opened, told, kept_profiles(profiles)))
            kept = {
                name: replace(told.get(name, Told()), profile=each)
                for name, each in found.kept.items()
            }
            reading = read_each(opened, {**told, **kept})
            found.records = reading.records
            found.problems += reading.problems
            note_unread(found.records, found.problems)
            found.tables = dict(_tables(opened, reading))
    except GivenUp:
        raise Cancelled from None
    finally:
        watch.rest()
    return found


def _opened(
    names: Sequence[str], text: str, watch: Watch, catalog: Catalog, found: Found
) -> Iterator[tuple[str, Sequence[Opened]]]:
    times = Counter(Path(name).name for name in names)
    for name in names:
        is_single = times[Path(name).name] == 1
        try:
            if holds_scenario(name):
                found.projects[name] = as_imported(open_any(name, catalog))
            else:
                opened = open_source(name, watch, partial(_note_unread, found, name))
                yield name, [_in_short(each, name) for each in opened] if is_single else opened
        except StoreError as error:
            found.problems.append(Unread(name, name, error))
    if text:
        yield PASTED, (open_text(text, PASTED, watch),)


def _in_letters(files: Sequence[Opened], told: Told | None) -> Sequence[Opened]:
    """The files in the encoding that somebody says."""
    said = None if told is None else told.encoding
    return files if said is None else [replace(each, said_encoding=said) for each in files]


def _note_unread(found: Found, name: str, error: StoreError) -> None:
    """A file of a folder can't be read."""
    found.problems.append(Unread(name, error.path, error))


def _in_short(file: Opened, name: str) -> Opened:
    """Called as people call it, for a project tells nobody in whose folders a file lay."""
    above = name.removesuffix(Path(name).name)
    name, folder = (each.removeprefix(above) for each in (file.name, file.folder))
    return replace(file, name=name, folder=folder)


def _kept(
    opened: Mapping[str, Sequence[Opened]],
    told: Mapping[str, Told],
    profiles: Sequence[Profile],
) -> Iterator[tuple[str, Profile]]:
    """Of files of which nobody said anything, and that no format but the general one knows."""
    for name, files in opened.items():
        if not profiles or replace(told.get(name, Told()), encoding=None) != Told():
            continue
        with suppress(StoreError):
            known = [recognised(file) for file in files]
            if any(each is not None and not each.is_general for each in known):
                continue
            profile = fitting(files, profiles)
            if profile is not None:
                yield name, profile


def _tables(
    opened: Mapping[str, Sequence[Opened]], reading: Reading
) -> Iterator[tuple[str, tuple[TableFound, ...]]]:
    general = {each.named for each in reading.records if each.kind == GENERAL}
    general |= {(each.named,) for each in reading.problems}
    for name, files in opened.items():
        if (name,) not in general:
            continue
        try:
            tables = [table for file in files[:1] for table in tables_of(file).values()]
            found = tuple(
                table_found(each, guessed_profile(each)) for each in tables[:_MOST_TABLES]
            )
        except StoreError:
            continue
        if found:
            yield name, found


def mapped(
    records: Sequence[Records], options: Options, catalog: Catalog, name: str, context: Context
) -> ImportResult | None:
    """The scenario of what was read; None where it holds no records.

    Raises:
        Cancelled: nobody wants it any more.
    """
    context.check()
    if not records:
        return None
    with uncollected():
        return imported(
            records, options, catalog, load_processors().values(), name=name, check=context.check
        )
