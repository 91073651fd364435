"""Texts of a proposal as the files of office programs can hold them."""

from __future__ import annotations

from models.base.lettering import APART, TOGETHER, visible


def plain(text: str) -> str:
    r"""The text without what XML forbids, hidden characters written out, isolates left away.

    >>> plain("a\x00b\ud800"), plain("\u2068Mail\u2069")
    ('a\ufffdb\ufffd', 'Mail')
    """
    shown = visible(text).replace(APART, "").replace(TOGETHER, "")
    return "".join(
        letter if _is_allowed(letter) else "\N{REPLACEMENT CHARACTER}" for letter in shown
    )


def _is_allowed(letter: str) -> bool:
    """Of XML 1.0, which office files are made of."""
    return letter in "\t\n" or (
        letter >= " " and not "\ud800" <= letter <= "\udfff" and letter not in "\ufffe\uffff"
    )
