"""What a single value may be: bounds of numbers, and which texts are fit for a line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.base.errors import ModelError
from models.base.lettering import UNSEEN, is_seen
from models.base.texts import Numeral, Text, say

_NO_LINE = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_NO_TEXT = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff"
LINE_PATTERN = rf"^[^{_NO_LINE}]*$"
NAME_PATTERN = rf"^[^{_NO_LINE}]*[^{_NO_LINE}\s{UNSEEN}][^{_NO_LINE}]*$"
TEXT_PATTERN = rf"^[^{_NO_TEXT}]*$"
REASON_PATTERN = rf"^[^{_NO_TEXT}]*[^{_NO_TEXT}\s{UNSEEN}][^{_NO_TEXT}]*$"
"""The patterns as they stand in the JSON Schema. Half a surrogate pair, which a str of Python can
hold and JSON can write, can stand in no file. A name or reason is more than blanks
and characters that nobody sees."""
UNSEEN_TEXT = say("must have a character that can be seen")
LINE_LENGTH = 200
MOST_ITEMS = 60_000
"""Of a kind in a scenario: VMs, pools and so on."""
MOST_HOSTS = 10_000
"""Of a scenario: four times what one vCenter takes."""
MOST_PAIRS = 2_000_000
"""Hosts in clusters times those of the largest, which failures are worked out with: some 150 bytes
each; no release of ESX takes more than 96 hosts in a cluster. So of VMs that rules keep apart."""
MOST_SCENARIOS = 1_000
"""Of a project."""
TEXT_LENGTH = 100_000

_LINE = re.compile(LINE_PATTERN)
_TEXT = re.compile(TEXT_PATTERN)


@dataclass(frozen=True, slots=True)
class Limit:
    """Bounds of one number; None is 'no bound on this side'."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None

    def broken(self, value: float) -> str | None:
        """Why `value` is out of bounds, as a clause; None when it isn't. NaN always is.

        >>> Limit(ge=0).broken(-1.0)
        'must be ≥ 0'
        """
        if self.ge is not None and not value >= self.ge:
            return say("must be ≥ {bound}", bound=_number(self.ge))
        if self.gt is not None and not value > self.gt:
            return say("must be > {bound}", bound=_number(self.gt))
        if self.le is not None and not value <= self.le:
            return say("must be ≤ {bound}", bound=_number(self.le))
        return None

    def held(self, value: float) -> float:
        """`value`, or the nearest that is within the bounds.

        >>> Limit(ge=0, le=100).held(120.0)
        100
        """
        if self.ge is not None and value < self.ge:
            return self.ge
        return self.le if self.le is not None and value > self.le else value


def _number(bound: float) -> Numeral:
    return Numeral(f"{bound:,.12g}")


LEAST = 1e-3
"""Of a number that something is divided by."""


def fitting(name: str, ending: str) -> str:
    """A name with an ending; of one that would be too long for a line the name is cut.

    >>> fitting("Mail", " 2"), len(fitting("M" * 200, " 2"))
    ('Mail 2', 200)
    """
    room = LINE_LENGTH - len(ending)
    return (name if len(name) <= room else name[:room].rstrip()) + ending


def shortened(text: str) -> str:
    """Text from a file, short enough to stand in a sentence."""
    return text if len(text) <= LINE_LENGTH else f"{text[:LINE_LENGTH]}…"


def too_long(most: int) -> Text:
    """Why a text of more than so many characters can't be."""
    return say("must not be longer than {most} characters", most=_number(most))


def check_line(text: str, *, field: str, required: bool = False) -> None:
    """Hold a name or id to one printable line.

    Raises:
        ModelError: empty or unseen though required, too long, or with control characters.
    """
    if required and not text.strip():
        raise ModelError(say("must not be empty"), field=field)
    if required and not is_seen(text):
        raise ModelError(UNSEEN_TEXT, field=field)
    if len(text) > LINE_LENGTH:
        raise ModelError(too_long(LINE_LENGTH), field=field)
    if not _LINE.fullmatch(text):
        raise ModelError(say("must be one line without control characters"), field=field)


def check_text(text: str, *, field: str) -> None:
    """Hold a text of several lines to what can be stored and printed.

    Raises:
        ModelError: too long, or with control characters.
    """
    if len(text) > TEXT_LENGTH:
        raise ModelError(too_long(TEXT_LENGTH), field=field)
    if not _TEXT.fullmatch(text):
        raise ModelError(say("must not contain control characters"), field=field)
