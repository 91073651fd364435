"""Numbers as customers' systems write them: marks of groups and decimals, units in a cell."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

GROUPS = " \u00a0\u202f\u2009'’"
"""Marks that only ever set off thousands."""

_FIGURE = re.compile(r"[+-]?\d[\d., \u00a0\u202f\u2009'’]*(?:[eE][+-]?\d{1,3})?")
_WITH_UNIT = re.compile(r"\s*([^A-Za-z%]*(?:[eE][+-]?\d+)?)\s*([A-Za-z]+|%)?\s*")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")
_MOST = 1e18
_LONGEST = 60

MIB = {"b": 2.0**-20, "bytes": 2.0**-20}
MIB |= {
    unit: factor
    for factor, units in (
        (2.0**-10, ("kb", "kib")),
        (1.0, ("mb", "mib", "m")),
        (2.0**10, ("gb", "gib", "g")),
        (2.0**20, ("tb", "tib", "t")),
        (2.0**30, ("pb", "pib")),
    )
    for unit in units
}
"""MiB of a unit; tools of VMware mean powers of 1,024 by either spelling."""
MHZ = {"mhz": 1.0, "ghz": 1000.0, "khz": 0.001, "hz": 1e-6}
"""MHz of a unit."""


@dataclass(frozen=True, slots=True)
class Marks:
    """How a file writes numbers; `is_sure`: something in it says so."""

    decimal: str = "."
    is_sure: bool = False

    def number(self, text: str, *, is_whole: bool = False) -> float | None:
        """The number that a cell is; None where it is none.

        Args:
            is_whole: the column holds whole numbers: one mark before three digits sets off
                thousands, whatever the file uses for decimals.

        >>> Marks(",").number("16.384"), Marks(".").number("8,192"), Marks(",").number("0,34375")
        (16384.0, 8192.0, 0.34375)
        >>> Marks(".").number("8.192", is_whole=True), Marks().number("5'075'542'016")
        (8192.0, 5075542016.0)
        >>> Marks().number("n/a"), Marks().number("1.6098053448E+12")
        (None, 1609805344800.0)
        """
        text = text.strip().strip("\"'")
        if len(text) > _LONGEST or not _FIGURE.fullmatch(text):
            return None
        for mark in GROUPS:
            text = text.replace(mark, "")
        points, commas = text.count("."), text.count(",")
        if points and commas:
            decimal = "." if text.rindex(".") > text.rindex(",") else ","
        elif points > 1 or commas > 1 or (is_whole and _GROUPED.fullmatch(text)):
            decimal = "," if points else "."
        else:
            decimal = self._decimal(text)
        plain = text.replace("," if decimal == "." else ".", "").replace(",", ".")
        try:
            value = float(plain)
        except ValueError:
            return None
        return value if math.isfinite(value) and abs(value) < _MOST else None

    def _decimal(self, text: str) -> str:
        """What can't set off thousands is the mark of decimals, else the file's mark is."""
        return self.decimal if _GROUPED.fullmatch(text) else "." if "." in text else ","

    def measure(self, text: str) -> tuple[float | None, str]:
        """A number and the unit behind it, in small letters.

        >>> Marks().measure("5,053.5 GB"), Marks(",").measure("104,08 GB"), Marks().measure("3%")
        ((5053.5, 'gb'), (104.08, 'gb'), (3.0, '%'))
        """
        found = _WITH_UNIT.fullmatch(text) if len(text) <= _LONGEST else None
        if found is None or not found[1].strip():
            return None, ""
        return self.number(found[1]), (found[2] or "").lower()


def marks_of(cells: Iterable[str], delimiter: str) -> Marks:
    """The marks that a file writes numbers with, by what its cells can only mean.

    A comma can't set off decimals where it sets cells apart without quotes; a semicolon is what
    systems with a decimal comma set cells apart with.

    >>> marks_of(["1.024", "0,5"], ";"), marks_of(["1,024", "16,384"], ",").decimal
    (Marks(decimal=',', is_sure=True), '.')
    """
    votes = {".": 0, ",": 0}
    for cell in cells:
        text = cell.strip()
        if not _FIGURE.fullmatch(text) or not ("." in text or "," in text):
            continue
        points, commas = text.count("."), text.count(",")
        if points and commas:
            votes["." if text.rindex(".") > text.rindex(",") else ","] += 1
        elif points > 1 or commas > 1:
            votes["," if points else "."] += 1
        elif not _GROUPED.fullmatch(text):
            votes["." if points else ","] += 1
    if votes["."] != votes[","]:
        return Marks("." if votes["."] > votes[","] else ",", is_sure=True)
    return Marks("," if delimiter == ";" else ".")
