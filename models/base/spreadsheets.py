"""Tables as text for a spreadsheet. Its cells are figures and words, never formulas: names come
from people and from their files, and a spreadsheet executes what begins as a formula does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from models.base.lettering import mark_of

_FORMULA = re.compile(r"[=+\-@\t\r＝＋－＠]")
_FIGURE = re.compile(r"[+-]?[\d.,\u00a0\u202f]+(?:e[+-]?\d+)?(?:[ \u00a0\u202f]?(?:%|[^\W\d_]+))?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_BREAKS = re.compile(r"[\t\r\n\v\f\x85\u2028\u2029]+")


def table_text(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lines of cells set apart by tabs; numbers unrounded, nothing where there is none.

    >>> table_text(("users", "ms"), [(1000.0, 73.25), (2000.0, None), ("=1+1", -5)])
    "users\\tms\\n1000\\t73.25\\n2000\\t\\n'=1+1\\t-5\\n"
    """
    return "".join("\t".join(map(_cell, row)) + "\n" for row in (heads, *rows))


def inert(text: str) -> str:
    """A text as one cell: no formula, in one line, and nothing that a terminal obeys. Figures stay
    figures.

    >>> inert("=cmd|' /C calc'!A0"), inert("@SUM(A1)"), inert("-5.2 %"), inert("a\\tb")
    ("'=cmd|' /C calc'!A0", "'@SUM(A1)", '-5.2 %', 'a b')
    >>> inert("\\x1b[31m")
    '⟨U+001B⟩[31m'
    """
    is_formula = _FORMULA.match(text) is not None and _FIGURE.fullmatch(text) is None
    line = _CONTROLS.sub(lambda found: mark_of(found[0]), _BREAKS.sub(" ", text))
    return f"'{line}" if is_formula else line


def _cell(value: object) -> str:
    if isinstance(value, float | np.floating):
        return f"{float(value):.10g}" if math.isfinite(value) else ""
    return "" if value is None else inert(str(value))
