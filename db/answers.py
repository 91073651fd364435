"""Which project a leave-behind is about: by the hash of its design, which stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from db.door import content
from db.errors import StoreError
from db.files import open_any
from db.stated import known_fingerprints, stated_of
from models.base.texts import say
from models.catalog.catalog import Catalog

MAX_BYTES = 8 * 2**20
MOST_PROJECTS = 50
"""Of this machine that are looked through."""
_HASH = re.compile(
    rb'<script type="application/json" id="headroom-answer">\{"format": "headroom-answer", '
    rb'"version": \d+, "hash": "([0-9a-f]{64})"'
)


def hash_of(path: Path) -> str:
    """Hash of the design that a page is about.

    Raises:
        StoreError: it can't be read, or no leave-behind is in it.
    """
    found = _HASH.search(content(path, MAX_BYTES, say("is larger than any leave-behind")))
    if found is None:
        raise StoreError(say("is no page that Headroom has written"), path)
    return found[1].decode()


def project_with(hash: str, paths: Iterable[str], catalog: Catalog) -> Path | None:
    """The first of these projects in which a scenario is that design, or was when it was kept."""
    for _, path in zip(range(MOST_PROJECTS), paths, strict=False):
        try:
            project = open_any(path, catalog)
        except StoreError:
            continue
        for entry in project.entries:
            kept = (each.inputs for each in stated_of(entry))
            if hash in known_fingerprints(entry.scenario) or hash in kept:
                return Path(path)
    return None
