"""Whether a catalog entry can exist, wherever it comes from: a dialog, a text file or a project."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from datetime import date
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from models.base.errors import ModelError
from models.base.fields import Field, fields_of
from models.base.lettering import is_seen
from models.base.limits import UNSEEN_TEXT, check_line, check_text, shortened
from models.base.texts import Text, say
from models.catalog.catalog import (
    MOST_OF_A_LIST,
    Catalog,
    Hypervisor,
    MemoryOverhead,
    Provenance,
    RaidLevel,
    Server,
)
from models.scenario.scenario import Workload

ID = re.compile(r"[a-z0-9][a-z0-9.+_-]*")
_INSIDE = (Provenance, Workload, MemoryOverhead)


def check_catalog(catalog: Catalog) -> None:
    """Refuse a catalog with an entry that cannot exist.

    Raises:
        ModelError: with the path of the first offending field, such as ``servers.own-box.cores``.
    """
    for kind in Catalog.__slots__:
        for id, entry in getattr(catalog, kind).items():
            path = f"{kind}.{shortened(id)}"
            try:
                check_entry(entry)
                if entry.id != id:
                    raise ModelError(say("must be the one of its row"), field="id")
            except ModelError as error:
                field = f"{path}.{error.field}" if error.field else path
                raise ModelError(error.reason, field=field) from None


def check_entry(entry: Any) -> None:
    """Refuse an entry that cannot exist.

    Args:
        entry: of any kind that a `Catalog` has.

    Raises:
        ModelError: with the offending field, empty where several don't go together.
    """
    if not ID.fullmatch(entry.id):
        reason = say("an id has small letters, digits, full stop, plus and hyphen only")
        raise ModelError(reason, field="id")
    check_line(entry.id, field="id")
    _check_fields(entry)
    _check_names_of_fields(entry)
    if isinstance(entry, Server) and not entry.sockets <= entry.cores <= entry.threads:
        raise ModelError(say("needs sockets ≤ cores ≤ threads"))
    if isinstance(entry, RaidLevel) and 0 < entry.group_drives <= entry.parity_drives:
        reason = say("must be more than parity_drives, or 0 for no groups")
        raise ModelError(reason, field="group_drives")


def check_overhead(table: MemoryOverhead) -> None:
    """Refuse a table of overheads unless its axes rise and it has a cell for each of both.

    Raises:
        ModelError: with the offending field, empty where its parts don't go together.
    """
    _check_fields(table)
    for name, axis in (("ram_mib", table.ram_mib), ("vcpus", table.vcpus)):
        if not axis or any(one >= following for one, following in pairwise(axis)):
            raise ModelError(say("must rise"), field=name)
    shape = [len(table.vcpus)] * len(table.ram_mib)
    if [len(row) for row in table.mib] != shape:
        reason = say("must have a row for each ram_mib and a cell for each of vcpus")
        raise ModelError(reason, field="mib")
    if table.evidence and [len(row) for row in table.evidence] != shape:
        raise ModelError(say("must have the shape of mib"), field="evidence")


def _check_fields(value: Any) -> None:
    """Hold each field of an entry, or of a value inside it, to what is said of it."""
    for name, field in fields_of(type(value)).items():
        inner = getattr(value, name)
        if not isinstance(inner, _INSIDE):
            _check_value(name, inner, field)
            continue
        try:
            check_overhead(inner) if isinstance(inner, MemoryOverhead) else _check_fields(inner)
        except ModelError as error:
            # Where an entry comes from stands among its fields, in the text files too.
            inside = error.field if isinstance(inner, Provenance) else f"{name}.{error.field}"
            raise ModelError(error.reason, field=inside) from None


def _check_value(name: str, value: Any, field: Field) -> None:
    if isinstance(value, tuple):
        if len(value) > MOST_OF_A_LIST:
            reason = say("must not have more than {most} parts", most=MOST_OF_A_LIST)
            raise ModelError(reason, field=name)
        for each in value:
            _check_value(name, each, field)
    elif isinstance(value, str):
        if field.must_be_seen and not is_seen(value):
            raise ModelError(UNSEEN_TEXT, field=name)
        (check_text if field.text == "lines" else check_line)(value, field=name)
    elif field.choices and value is not None:
        field.check(value, name)
    elif value is not None and not isinstance(value, bool | date):
        broken = field.limit.broken(value)
        if broken is not None:
            raise ModelError(broken, field=name)


def _check_names_of_fields(entry: Any) -> None:
    """Lists of what is assumed or transferred name fields of the entry."""
    names = [each.name for each in fields(entry)]
    transferred = entry.transferred if isinstance(entry, Hypervisor) else ()
    for word, listed in (("assumed", entry.provenance.assumed), ("transferred", transferred)):
        for name in listed:
            if name not in names:
                reason = not_among(name, say("a field of this kind of entry"), names)
                raise ModelError(reason, field=word)


def not_among(word: str, what: str, known: Iterable[str]) -> Text:
    """Why a word is none of those known, and which one may have been meant.

    >>> not_among("core", "a field of a server", ["cores", "threads"])
    '“core” is not a field of a server (did you mean “cores”?)'
    """
    word = shortened(word)
    close = get_close_matches(word, list(known), n=1)
    plain = say("“{word}” is not {what}", word=word, what=what)
    return plain + say(" (did you mean “{near}”?)", near=close[0]) if close else plain
