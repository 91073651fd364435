"""TOML that somebody wrote, as plain values."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from models.base.errors import ModelError
from models.base.texts import say

_DEEP = re.compile(r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){32}""", re.ASCII)
"""A key of more parts than anybody writes."""
_LINE = re.compile(r"\(at line (\d+), column \d+\)")


def tree_of(text: str) -> dict[str, Any]:
    """The tables of a text.

    Raises:
        ModelError: it is no TOML, with the line; or nested deeper than anybody writes.

    >>> tree_of('[look]\\naccent = "#0a5aa8"')
    {'look': {'accent': '#0a5aa8'}}
    """
    try:
        if _DEEP.search(text):  # the library takes time and memory by the square of them
            raise RecursionError
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        line = found[1] if found else str(text.count("\n") + 1)
        raise ModelError(say("line {line}: is no TOML", line=line)) from error
    except ValueError as error:  # a number of more digits than Python reads
        raise ModelError(say("is no TOML")) from error
    except RecursionError as error:
        raise ModelError(say("is nested too deeply")) from error
