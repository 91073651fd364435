"""Catalogues of translated texts: gettext's ``.po`` files, read as they are.

A language is its file and nothing else: words, its rule of plurals (``Plural-Forms``), its own name
(``X-Language-Name``) and the marks of its numbers (``X-Decimal-Mark``, ``X-Group-Mark``) stand in
it. They are read at the start of the window, in some milliseconds, so there is nothing to compile
and no second file to keep in step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from importlib.resources import files
from importlib.resources.abc import Traversable

from models.base.marks import ENGLISH, Style

_FOLDER: Traversable = files("resources") / "translations"
_SUFFIX = ".po"
_PLURALS = re.compile(r"nplurals\s*=\s*([1-9])\s*;\s*plural\s*=\s*([^;]+);?")
_OF_ENGLISH = "nplurals=2; plural=(n != 1);"


@dataclass(frozen=True, slots=True)
class Messages:
    """A catalogue.

    Attributes:
        words: translation by the English words.
        counted: forms by the English words for one, in the order of the language's rule.
        form: which of the forms a count takes.
        forms: how many there are.
        name: of the language, in itself; empty where the file does not say.
        style: marks of its numbers.
    """

    words: Mapping[str, str]
    counted: Mapping[str, tuple[str, ...]]
    form: Callable[[int], int]
    forms: int = 2
    name: str = ""
    style: Style = ENGLISH


def languages() -> tuple[str, ...]:
    """Codes of the languages that have a catalogue, such as ``de``."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def language_name(language: str) -> str:
    """What a language that has a catalogue calls itself; its code where the file does not say."""
    head = _text_of(language).partition("\n\n")[0]
    return read_messages(head).name or language


@cache
def load_messages(language: str) -> Messages:
    """The catalogue of a language; raises `FileNotFoundError` where there is none."""
    return read_messages(_text_of(language))


def _text_of(language: str) -> str:
    return (_FOLDER / f"{language}{_SUFFIX}").read_text(encoding="utf-8")


def read_messages(text: str) -> Messages:
    r"""What a ``.po`` file says; entries without translation, without all forms of the language, or
    marked fuzzy, are left out.

    Raises:
        ValueError: its ``Plural-Forms`` are no such expression.

    >>> found = read_messages('msgid "host"\nmsgstr "Host"\n\nmsgid "a"\nmsgstr ""\n')
    >>> dict(found.words)
    {'host': 'Host'}
    """
    words: dict[str, str] = {}
    counted: dict[str, tuple[str, ...]] = {}
    head: dict[str, str] = {}
    for entry in text.split("\n\n"):
        fields = _fields(entry)
        english = fields.get("msgid")
        if english == "":
            head = _head(fields.get("msgstr", ""))
        elif english and "msgid_plural" in fields:
            given = (fields.get(f"msgstr[{n}]", "") for n in range(len(fields) - 2))
            counted[english] = tuple(given)
        elif english and fields.get("msgstr"):
            words[english] = fields["msgstr"]
    forms, form = _plurals(head.get("Plural-Forms", _OF_ENGLISH))
    whole = {one: said for one, said in counted.items() if len(said) == forms and all(said)}
    style = Style(head.get("X-Decimal-Mark", "."), head.get("X-Group-Mark", ","))
    return Messages(words, whole, form, forms, head.get("X-Language-Name", ""), style)


def _head(text: str) -> dict[str, str]:
    """The lines of a catalogue's head by their names."""
    lines = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}


def _plurals(rule: str) -> tuple[int, Callable[[int], int]]:
    """Number of forms, and which of them a count takes (gettext manual, “Plural forms”); the C
    expression is parsed, never run as it stands."""
    found = _PLURALS.fullmatch(rule.strip())
    if found is None:
        raise ValueError(f"Plural-Forms: {rule!r} is no rule of plurals")
    forms, choose = int(found[1]), c2py(found[2])
    return forms, lambda count: min(int(choose(count)), forms - 1)


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
