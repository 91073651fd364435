"""Marks of numbers as a locale writes them; digits are ours everywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """Marks of a locale's numbers.

    Attributes:
        decimal, group: the marks.
        grouped_from: digits from which a number is grouped: five in Spain and Italy.
        pairs: before the last three digits groups have two, as in India: 12,34,567.
    """

    decimal: str = "."
    group: str = ","
    grouped_from: int = 4
    pairs: bool = False

    def marked(self, english: str) -> str:
        """A number written in English, with these marks.

        >>> Style(",", ".", grouped_from=5).marked("2,000.5"), Style(pairs=True).marked("1,234,567")
        ('2000,5', '12,34,567')
        """
        whole, point, decimals = english.partition(".")
        digits = whole.lstrip("+-\N{MINUS SIGN}")
        plain = digits.replace(",", "")
        if len(plain) < self.grouped_from:
            grouped = plain
        elif self.pairs:
            grouped = self.group.join((*_paired(plain[:-3]), plain[-3:]))
        else:
            grouped = digits.replace(",", self.group)
        sign = whole.removesuffix(digits)
        return f"{sign}{grouped}{self.decimal if point else ''}{decimals}"


def _paired(digits: str) -> list[str]:
    """From the right in twos: ``1``, ``23``, ``45``."""
    first = len(digits) % 2 or 2
    return [digits[:first], *(digits[at : at + 2] for at in range(first, len(digits), 2))]


ENGLISH = Style()
GERMAN = Style(decimal=",", group=".")
