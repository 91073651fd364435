"""Sets documents with Typst: the side that sets, in a process of its own (`db.aside`).

Typst ends the process where memory is refused, and what it is given may be a partner's own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

import typst

_MOST_LETTERS = 2**22


def answer_aside(parts: Sequence[bytes]) -> list[bytes]:
    """The pages of a document, or why there are none, after one JSON object.

    Args:
        parts: what is to be set, as `Typesetter.pages` writes it, and the data of the template.
    """
    asked, data = json.loads(parts[0]), parts[1].decode()
    try:
        pages = typst.compile(
            asked["file"],
            root=asked["root"],
            font_paths=asked["fonts"],
            sys_inputs={asked["name"]: data},
            # Where no package lies; none is fetched either, for there is no network.
            package_path=os.devnull,
            package_cache_path=os.devnull,
            **asked["how"],
        )
    except typst.TypstError as error:
        told = {"message": error.message, "diagnostic": f"{error.diagnostic}"}
        return [json.dumps({key: text[:_MOST_LETTERS] for key, text in told.items()}).encode()]
    return [b"{}", *([pages] if isinstance(pages, bytes) else pages)]
