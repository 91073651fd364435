"""Which format a file is of, and its records: every module of `formats` has one `IMPORTER`."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from db.errors import StoreError
from db.importers import formats
from db.importers.importer import Importer
from db.importers.opening import Opened, open_source
from db.importers.profile import Profile
from db.importers.watch import Watch
from models.intake.records import Note, Records
from models.texts import joined, say


@cache
def importers() -> dict[str, Importer]:
    """All formats by their kind."""
    names = sorted(each.name for each in pkgutil.iter_modules(formats.__path__))
    found = [import_module(f"{formats.__name__}.{name}").IMPORTER for name in names]
    return {each.kind: each for each in found}


def read_files(
    paths: Iterable[str | Path],
    watch: Watch,
    *,
    kind: str | None = None,
    profile: Profile | None = None,
) -> list[Records]:
    """The records of files, folders and archives, one `Records` an export.

    Args:
        kind: what all of them are; None: found from their content.
        profile: what the columns of tables are that no other format knows.

    Raises:
        StoreError: one can't be read, or no format knows it.
        Cancelled: somebody cancelled.
    """
    opened = {
        str(path): [replace(file, profile=profile) for file in open_source(path, watch)]
        for path in paths
    }
    return read_opened(opened, kind=kind)


def read_opened(
    opened: Mapping[str, Sequence[Opened]], *, kind: str | None = None
) -> list[Records]:
    """The same of opened files by what people named: a file, a folder or an archive.

    Files of a folder that no format knows are left out, and said.
    """
    sets: dict[tuple[str, str], list[Opened]] = {}
    unknown: list[str] = []
    for path, files in opened.items():
        known = [
            (importer, file)
            for file in files
            if (importer := named(kind) if kind is not None else recognised(file)) is not None
        ]
        if not known:
            raise StoreError(_looked_for(), path)
        there = {id(file) for _, file in known}
        unknown += (file.name for file in files if id(file) not in there)
        for importer, file in known:
            place = file.folder if importer.is_set else file.name
            sets.setdefault((importer.kind, place), []).append(file)
    found = []
    for number, ((of, _), group) in enumerate(sets.items()):
        group[0].watch.report(number / len(sets))
        found.append(importers()[of].read(group))
    if unknown:
        names = joined(", ", unknown[:5] + ["…"] * (len(unknown) > 5))
        text = say("left out, of no known kind: {names}", names=names)
        found[0].notes.append(Note("unknown-file", text))
    return found


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
    wanted = joined("; ", (each.looks_for for each in importers().values()))
    return say("is of no known kind; looked for {wanted}", wanted=wanted)
