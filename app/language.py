"""Languages: that of the window, chosen once before any text of it is read, and those that the
command line and the proposal are asked for.

Texts stand in the source in English, as arguments of `tr` and `trn`; what `models` says comes as a
`Text` and is put through `local`. What is printed or typeset is said in a `language_of` that its
caller names; JSON and project files are the same in every language.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from models.base.marks import Style
from models.base.texts import said, say, say_many
from resources.translation_files import (
    Messages,
    language_name,
    languages,
    load_messages,
    read_messages,
)

VARIABLE = "HEADROOM_LANGUAGE"
SYSTEM, ENGLISH = "", "en"


@dataclass(frozen=True, slots=True)
class Language:
    """A tongue: words and rule of plurals of a catalogue, marks of a locale."""

    code: str
    messages: Messages
    style: Style

    def words(self, english: str) -> str:
        return self.messages.words.get(english, english)

    def counted(self, one: str, many: str, count: int) -> str:
        forms = self.messages.counted.get(one)
        if forms is None:
            return one if count == 1 else many
        return forms[self.messages.form(count)]

    def digits(self, english: str) -> str:
        return self.style.marked(english)


def language_of(code: str, style: Style | None = None) -> Language:
    """A language by its code, with the marks of its numbers or others; English where there is no
    such language."""
    if code not in languages():
        code, messages = ENGLISH, read_messages("")
    else:
        messages = load_messages(code)
    return Language(code, messages, style or messages.style)


def names() -> Mapping[str, str]:
    """Each language by its code with its own name, so that people find it whatever the window
    speaks."""
    return {ENGLISH: "English", **{code: language_name(code) for code in languages()}}


_spoken = language_of(ENGLISH)


def tr(english: str, /, **values: object) -> str:
    """A text of the window in its language; ``{name}`` stands for the value of that name."""
    return say(english, **values).said(_spoken)


def trn(one: str, many: str, count: int, /, **values: object) -> str:
    """The same for a number of things, which stands at ``{count}``."""
    return say_many(one, many, count, **values).said(_spoken)


def local(text: str | Exception) -> str:
    """A text or an error of the model in the language of the window; other strings as they are."""
    return said(text, _spoken)


def lowered(label: str) -> str:
    """A label in the middle of a sentence: German nouns keep their capital there, English doesn't.

    >>> lowered("Disk load"), lowered("RAM reserved")
    ('disk load', 'RAM reserved')
    """
    first = label.split(" ", 1)[0]
    if _spoken.code != ENGLISH or first[1:] != first[1:].lower():
        return label
    return label[:1].lower() + label[1:]


def code() -> str:
    """The language in use, such as ``de``."""
    return _spoken.code


def spoken() -> Language:
    """The language in use, with the marks of the window's numbers."""
    return _spoken


def use(language: str, style: Style) -> None:
    """Takes a language for the rest of this process.

    Constants of modules are read when they are imported: this comes before them.
    """
    global _spoken
    _spoken = language_of(language, style)


def wanted(setting: str, system: str, environ: Mapping[str, str] = os.environ) -> str:
    """The language to use: of the environment, else as chosen, else of the system, else English.

    Args:
        setting: a code, or `SYSTEM`.
        system: name of the system's locale, such as ``de_AT``.

    >>> wanted("", "de_AT", {}), wanted("en", "de_AT", {}), wanted("", "fr_FR", {})
    ('de', 'en', 'en')
    >>> wanted("en", "en_GB", {"HEADROOM_LANGUAGE": "de"})
    'de'
    """
    for name in (environ.get(VARIABLE, ""), setting, system):
        language = name.split("_")[0].lower()
        if language in _offered():
            return language
    return ENGLISH


@cache
def _offered() -> frozenset[str]:
    return frozenset({ENGLISH, *languages()})
