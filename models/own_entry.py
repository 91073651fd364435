"""What all catalog entries of the user's own have in common: an id and a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from models.errors import ModelError
from models.lettering import is_seen
from models.limits import check_line, fitting

OWN = "own"


def own_id(name: str, taken: Container[str] = (), fallback: str = "server") -> str:
    """An id for an entry of the user's own.

    >>> own_id("PowerEdge R999 (lab)"), own_id("R999", {"own-r999"}), own_id("機")
    ('own-poweredge-r999-lab', 'own-r999-2', 'own-server')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = f"{OWN}-{re.sub('[^a-z0-9]+', '-', plain).strip('-') or fallback}"
    id, number = fitting(base, ""), 2
    while id in taken:
        id, number = fitting(base, f"-{number}"), number + 1
    return id


def checked_name(name: str, missing: str) -> str:
    """The name without blanks around it.

    Args:
        missing: what is said where there is none.

    Raises:
        ModelError: there is none, or it is no line of text.
    """
    name = name.strip()
    if not is_seen(name):
        raise ModelError(missing, field="name")
    check_line(name, field="name", required=True)
    return name
