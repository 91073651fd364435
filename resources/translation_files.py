"""Catalogues of translated texts: gettext's ``.po`` files, read as they are.

They are read at the start of the window, in some milliseconds, so there is nothing to compile and
no second file to keep in step.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FOLDER = files("resources") / "translations"
_SUFFIX = ".po"


@dataclass(frozen=True, slots=True)
class Messages:
    """A catalogue.

    Attributes:
        words: translation by the English words; of counted messages by those for one.
        counted: forms by the English words for one: the first for one, the other for many.
    """

    words: Mapping[str, str]
    counted: Mapping[str, tuple[str, ...]]


def languages() -> tuple[str, ...]:
    """Codes of the languages that have a catalogue, such as ``de``."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


@cache
def load_messages(language: str) -> Messages:
    """The catalogue of a language; raises `FileNotFoundError` where there is none."""
    return read_messages((_FOLDER / f"{language}{_SUFFIX}").read_text(encoding="utf-8"))


def read_messages(text: str) -> Messages:
    r"""What a ``.po`` file says; entries without translation, or marked fuzzy, are left out.

    >>> found = read_messages('msgid "host"\nmsgstr "Host"\n\nmsgid "a"\nmsgstr ""\n')
    >>> dict(found.words)
    {'host': 'Host'}
    """
    words: dict[str, str] = {}
    counted: dict[str, tuple[str, ...]] = {}
    for entry in text.split("\n\n"):
        fields = _fields(entry)
        english = fields.get("msgid")
        if not english:
            continue
        if "msgid_plural" in fields:
            forms = tuple(fields[name] for name in sorted(fields) if name.startswith("msgstr["))
            if all(forms):
                counted[english] = forms
        elif fields.get("msgstr"):
            words[english] = fields["msgstr"]
    return Messages(words, counted)


def _fields(entry: str) -> dict[str, str]:
    """The strings of one entry by keyword, such as ``msgid`` and ``msgstr[0]``."""
    found: dict[str, str] = {}
    name = ""
    for line in entry.splitlines():
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                return {}
            continue
        keyword, _, rest = line.partition(" ")
        if keyword.startswith("msg"):
            name = keyword
            found[name] = json.loads(rest)
        elif line:
            found[name] += json.loads(line)
    return found
