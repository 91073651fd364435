"""What a format is: how it is known, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from db.importers.opening import Opened
from models.intake.records import Records


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One format; a module of `db/importers/formats` has one as its `IMPORTER`.

    Attributes:
        kind: its word on the command line and in JSON.
        title: what people call it.
        looks_for: what it is known by, for people whose file no format claims.
        sniff: how sure it is that this file is of its kind, by content, 0 to 1; None: it is not.
            Of several the surest reads the file.
        is_general: it looks at every table, and is asked last.
        read: the records of one file, or with `is_set` of all files of its kind in one folder.
    """

    kind: str
    title: str
    looks_for: str
    sniff: Callable[[Opened], float | None]
    read: Callable[[Sequence[Opened]], Records]
    is_set: bool = False
    is_general: bool = False
