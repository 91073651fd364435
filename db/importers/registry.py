"""Which format a file is of, and its records: every module of `formats` has one `IMPORTER`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from db.errors import StoreError
from db.importers import formats
from db.importers.importer import Importer
from db.importers.opening import Opened, check_encoding, open_source
from db.importers.profile import Profile
from db.importers.saved_profiles import fitting
from db.importers.watch import Watch
from models.base.texts import joined, say
from models.intake.records import Note, Records


@cache
def importers() -> dict[str, Importer]:
    """All formats by their kind."""
    found = [import_module(f"{formats.__name__}.{name}").IMPORTER for name in formats.names()]
    return {each.kind: each for each in found}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What somebody said of a file, folder or archive; what is None is found from the content.

    Attributes:
        kind: what all files in it are.
        profile: what the columns of tables are that no other format knows.
        encoding: of its letters, as Python calls it.
    """

    kind: str | None = None
    profile: Profile | None = None
    encoding: str | None = None


class UnknownKind(StoreError):
    """No format knows the file."""


NOTHING: Mapping[str, Told] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read, and why.

    Attributes:
        named: what people named: a file, a folder or an archive.
        file: the same, or one inside.
    """

    named: str
    file: str
    error: StoreError


@dataclass(slots=True, kw_only=True)
class Reading:
    """What came of several files: records, one an export, and why others gave none."""

    records: list[Records] = field(default_factory=list)
    problems: list[Unread] = field(default_factory=list)


def read_files(
    paths: Iterable[str | Path],
    watch: Watch,
    *,
    kind: str | None = None,
    profiles: Sequence[Profile] = (),
    encoding: str | None = None,
) -> list[Records]:
    """The records of files, folders and archives, one `Records` an export.

    Args:
        kind: what all of them are; None: found from their content.
        profiles: what the columns of tables are that no other format knows; of several a file
            takes the first that names its headings.
        encoding: of all texts; None: found from their bytes.

    Raises:
        StoreError: one can't be read, or no format knows it.
        Cancelled: somebody cancelled.
    """
    reading = read_readable(paths, watch, kind=kind, profiles=profiles, encoding=encoding)
    for problem in reading.problems:
        raise problem.error
    return reading.records


def read_readable(
    paths: Iterable[str | Path],
    watch: Watch,
    *,
    kind: str | None = None,
    profiles: Sequence[Profile] = (),
    encoding: str | None = None,
) -> Reading:
    """The same, where a file of a folder or archive that can't be read keeps no other out.

    Raises:
        StoreError: what is named itself can't be read, or nothing of it, or no format knows it.
        Cancelled: somebody cancelled.
    """
    opened: dict[str, Sequence[Opened]] = {}
    closed: list[Unread] = []
    for name in map(str, paths):
        opened[name] = open_source(name, watch, partial(_keep, closed, name))
    if encoding is not None:
        check_encoding(encoding)
    told = {
        path: Told(kind=kind, profile=_of(files, profiles), encoding=encoding)
        for path, files in opened.items()
    }
    try:
        reading = read_each(opened, told)
    finally:
        watch.rest()
    reading.problems[:0] = closed
    some_read = {name for records in reading.records for name in records.named}
    for problem in reading.problems:
        if problem.file == problem.named or problem.named not in some_read:
            raise problem.error
    note_unread(reading.records, reading.problems)
    return reading


UNREAD = "unread-file"


def note_unread(records: Sequence[Records], problems: Iterable[Unread]) -> None:
    """Have records say what is missing of what was handed over with them."""
    for problem in problems if records else ():
        name, reason = Path(problem.file).name, problem.error.sentence
        text = say("{file} could not be read: {reason}.", file=name, reason=reason)
        records[0].notes.append(Note(UNREAD, text))


def _keep(problems: list[Unread], named: str, error: StoreError) -> None:
    problems.append(Unread(named, error.path, error))


def _of(files: Sequence[Opened], profiles: Sequence[Profile]) -> Profile | None:
    found = fitting(files, profiles) if len(profiles) > 1 else None
    return found or next(iter(profiles), None)


def read_each(opened: Mapping[str, Sequence[Opened]], told: Mapping[str, Told]) -> Reading:
    """The same of opened files by what people named: a file, a folder or an archive. What can't be
    read keeps nothing else from being read; files of a folder that no format knows are left out,
    and said.

    Raises:
        Cancelled: somebody cancelled.
    """
    exports, problems = _exports(opened, told)
    found = Reading(problems=problems)
    for at, export in enumerate(exports):
        try:
            found.records.append(_read(export, at / len(exports)))
        except StoreError as error:
            first = export.files[0].name
            found.problems += (Unread(named, first, error) for named in export.named)
    return found


@dataclass(slots=True)
class _Export:
    """Files that one importer reads together, what people named them by, and what is left out."""

    importer: Importer
    files: list[Opened] = field(default_factory=list)
    named: dict[str, None] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def _exports(
    opened: Mapping[str, Sequence[Opened]], told: Mapping[str, Told]
) -> tuple[list[_Export], list[Unread]]:
    exports: dict[tuple[str, str], _Export] = {}
    problems: list[Unread] = []
    for path, files in opened.items():
        said = told.get(path, Told())
        unknown, own = [], []
        for each in files:
            file = replace(each, profile=said.profile, said_encoding=said.encoding, memo={})
            try:
                importer = named(said.kind) if said.kind is not None else recognised(file)
            except StoreError as error:
                problems.append(Unread(path, file.name, error))
                continue
            if importer is None:
                unknown.append(file.name)
                continue
            place = file.folder if importer.is_set else file.name
            export = exports.setdefault((importer.kind, place), _Export(importer))
            export.files.append(file)
            export.named[path] = None
            own.append(export)
        if own:
            own[0].unknown += unknown
        elif all(problem.named != path for problem in problems):
            problems.append(Unread(path, path, UnknownKind(_looked_for(), path)))
    return list(exports.values()), problems


def _read(export: _Export, share: float) -> Records:
    export.files[0].watch.report(share)
    records = export.importer.read(export.files)
    if not (records.tables or records.series or records.domino):
        title = export.importer.title
        raise StoreError(say("holds nothing of {kind}", kind=title), export.files[0].name)
    records.named = tuple(export.named)
    records.encoding = export.files[0].encoding if export.files[0].is_text else ""
    for file in export.files:
        records.notes += file.notes()
    if export.unknown:
        some = export.unknown[:5] + ["…"] * (len(export.unknown) > 5)
        text = say("left out, of no known kind: {names}", names=joined(", ", some))
        records.notes.append(Note("unknown-file", text))
    return records


def named(kind: str) -> Importer:
    """The format of this kind.

    Raises:
        StoreError: there is none.
    """
    if kind not in importers():
        kinds = joined(", ", importers())
        raise StoreError(say("is no kind of file; there are {kinds}", kinds=kinds), kind)
    return importers()[kind]


def recognised(file: Opened) -> Importer | None:
    """The format that is surest of this file; None: no one knows it."""
    best, most = None, 0.0
    for each in sorted(importers().values(), key=lambda each: each.is_general):
        sure = each.sniff(file)
        if sure is not None and sure > most:
            best, most = each, sure
        if most >= _SURE:
            break
    return best


_SURE = 0.9
"""From here on no other format is asked."""


def _looked_for() -> str:
    return say("is of no known kind; looked for {wanted}", wanted=looked_for())


def looked_for() -> str:
    """What the formats are known by, one after the other."""
    return joined("; ", (each.looks_for for each in importers().values()))


def titles() -> str:
    """What people call the formats, but for tables of any kind."""
    return joined(", ", (each.title for kind, each in importers().items() if kind != "table"))
