"""Lists of names of VMs: one a line."""

from __future__ import annotations

from db.door import opened, read_sentence
from db.errors import StoreError
from models.base.texts import say
from models.scenario.names import plain

MOST_BYTES = 4 * 2**20


def names_in(path: str) -> frozenset[str]:
    """The names of a list without case and blanks around them.

    Raises:
        StoreError: it can't be read, or is too large to be one.
    """
    try:
        with opened(path) as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error
    if len(data) > MOST_BYTES:
        raise StoreError(say("is too large for a list of names"), path)
    lines = data.decode("utf-8-sig", "replace").splitlines()
    return frozenset(plain(line) for line in lines if line.strip())
