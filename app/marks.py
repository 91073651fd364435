"""Marks of numbers in the system's locale, as Qt knows them."""

from __future__ import annotations

import re

from PySide6.QtCore import QLocale

from models.base.marks import Style


def locale_style(locale: QLocale | None = None) -> Style:
    """How the user's locale writes numbers.

    The window writes digits as English and German do; where a locale has others, the marks beside
    them are those that go with ours. They are read in every script.
    """
    locale = locale or QLocale()
    lengths = range(4, 8)
    grouped_from = next((n for n in lengths if not locale.toString(10 ** (n - 1)).isdecimal()), 4)
    groups = re.split(r"\D+", locale.toString(10**6))
    pairs = [len(group) for group in groups[-2:]] == [2, 3]
    if locale.zeroDigit() != "0":
        return Style(grouped_from=grouped_from, pairs=pairs)
    return Style(locale.decimalPoint(), locale.groupSeparator(), grouped_from, pairs)
