"""Texts that know what they were made of, so that a window can say them in another language.

A `Text` is its English words: it compares, sorts, prints and is written to files as those. Only who
shows it to people asks it to be `said` in a tongue; the model is the same in every language.
Operations of plain strings give plain strings, which stay English: compose with `say`, `say_many`
and `joined`.

>>> text = say("{who} is {what}", who="ESX-1", what=say("at risk"))
>>> text, text == "ESX-1 is at risk"
('ESX-1 is at risk', True)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Protocol

from models.base.lettering import set_apart


class Tongue(Protocol):
    """How a language says things."""

    def words(self, english: str) -> str:
        """The words of a message, placeholders in them; the English ones where there are none."""

    def counted(self, one: str, many: str, count: int) -> str:
        """The words for that many."""

    def digits(self, english: str) -> str:
        """A number written in English, with the marks of the language."""


class Text(str):
    """English words that can be said otherwise."""

    __slots__ = ()

    def said(self, tongue: Tongue) -> str:
        """The same in another tongue."""
        raise NotImplementedError

    def __add__(self, other: str) -> Text:
        return joined("", (self, other))

    def __radd__(self, other: str) -> Text:
        return joined("", (other, self))

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str(self),)


class SpokenError(Exception):
    """An error whose sentence can be said otherwise, be it alone or within another.

    Attributes:
        text: the sentence, as `str` has it.
    """

    text: str = ""

    def said(self, tongue: Tongue) -> str:
        return said(self.text, tongue)


class Numeral(Text):
    """A number, written in English."""

    __slots__ = ()

    def said(self, tongue: Tongue) -> str:
        return tongue.digits(str(self))


class _Message(Text):
    """Words of the catalogue with values in their places."""

    __slots__ = ("_english", "_values")

    _english: str
    _values: dict[str, object]

    def said(self, tongue: Tongue) -> str:
        return _filled(tongue.words(self._english), _said(self._values, tongue))


class _Counted(Text):
    """Words that depend on a count."""

    __slots__ = ("_count", "_many", "_one", "_values")

    _one: str
    _many: str
    _count: int
    _values: dict[str, object]

    def said(self, tongue: Tongue) -> str:
        words = tongue.counted(self._one, self._many, self._count)
        return _filled(words, _said(self._values, tongue))


class _Joined(Text):
    """Texts one after the other."""

    __slots__ = ("_parts", "_separator")

    _separator: str
    _parts: tuple[str, ...]

    def said(self, tongue: Tongue) -> str:
        parts = (said(part, tongue) for part in self._parts)
        return said(self._separator, tongue).join(parts)


class _Opening(Text):
    """A text at the beginning of a sentence."""

    __slots__ = ("_names", "_text")

    _text: str
    _names: tuple[str, ...]

    def said(self, tongue: Tongue) -> str:
        return _opened(said(self._text, tongue), self._names)


def say(english: str, /, **values: object) -> Text:
    """A message of the catalogue; values stand in its placeholders, texts among them.

    Plain strings are names: they are set apart from the words around them.

    >>> say("limit {limit}", limit=Numeral("1,000"))
    'limit 1,000'
    """
    return _message(english, values)


def filled(text: Text, values: dict[str, object]) -> Text:
    """A message that was said without values, with these in its places.

    >>> filled(say("{vm} has no host"), {"vm": "Mail-01"})
    'Mail-01 has no host'
    """
    assert isinstance(text, _Message)
    return _message(text._english, values)


def _message(english: str, values: dict[str, object]) -> Text:
    values = _named(values)
    text = _Message(_filled(english, values))
    text._english, text._values = english, values
    return text


def given(words: str) -> Text:
    """Words of a file, said otherwise where the catalogue has them, as those of worked examples.

    >>> given("Our {own} words")
    'Our {own} words'
    """
    text = _Message(words)
    text._english, text._values = words, {}
    return text


def say_many(one: str, many: str, count: int, /, **values: object) -> Text:
    """A message that depends on a count, which stands at ``{count}``.

    >>> say_many("{count} VM", "{count} VMs", 1), say_many("{count} VM", "{count} VMs", 1200)
    ('1 VM', '1,200 VMs')
    """
    return _counted(one, many, count, values)


def _counted(one: str, many: str, count: int, values: dict[str, object]) -> Text:
    values = _named(values) | {"count": Numeral(f"{count:,}")}
    text = _Counted(_filled(one if count == 1 else many, values))
    text._one, text._many, text._count, text._values = one, many, count, values
    return text


def joined(separator: str, parts: Iterable[str]) -> Text:
    """Texts with something between them.

    >>> joined(", ", [say("CPU"), "RAM"])
    'CPU, RAM'
    """
    parts = tuple(map(_name, parts))
    text = _Joined(separator.join(parts))
    text._separator, text._parts = separator, parts
    return text


def opening(text: str, names: Iterable[str] = ()) -> Text:
    """A text with a capital, as a sentence begins; one of these names at its head keeps its case.

    >>> opening(say("at risk")), opening("vCPUs"), opening("esx1 fails", ["esx1"])
    ('At risk', 'vCPUs', 'esx1 fails')
    """
    names = tuple(filter(None, names))
    result = _Opening(_opened(text, names))
    result._text, result._names = text, names
    return result


@dataclass(frozen=True, slots=True)
class Parts:
    """What a text is made of, to be kept in a file: words of the catalogue with their values.

    Attributes:
        many: words for several, with their `count`; empty where nothing is counted.
        values: by their places, in English.
    """

    words: str
    many: str = ""
    count: int | None = None
    values: Mapping[str, str] = field(default_factory=dict)


def parts_of(text: str) -> Parts:
    """The parts of a message; texts within it become their English words.

    >>> parts_of(say("limit of {who}", who="a"))
    Parts(words='limit of {who}', many='', count=None, values={'who': 'a'})
    """
    if isinstance(text, _Counted):
        values = {name: str(each) for name, each in text._values.items() if name != "count"}
        return Parts(text._one, text._many, text._count, values)
    if isinstance(text, _Message):
        return Parts(text._english, values={name: str(v) for name, v in text._values.items()})
    return Parts("{text}", values={"text": str(text)})


def text_of(parts: Parts) -> Text:
    """The text again; parts that can't be of one, as a file may hold any, as plain words.

    >>> text_of(parts_of(say("{count} of {who}", count=Numeral("1,000"), who="a")))
    '1,000 of a'
    >>> text_of(Parts("{who.__class__} {", values={"who": "a"}))
    '{who.__class__} {'
    >>> text_of(Parts("{count} VM", "{count} VMs"))
    '{count} VM'
    """
    places = {*parts.values, *(["count"] if parts.many and parts.count is not None else [])}
    if not all(_is_filled(words, places) for words in (parts.words, parts.many)):
        return joined("", (parts.words,))
    values: dict[str, object] = {
        name: Numeral(each) if _NUMBER.fullmatch(each) else each
        for name, each in parts.values.items()
    }
    if parts.many and parts.count is not None:
        return _counted(parts.words, parts.many, parts.count, values)
    return _message(parts.words, values)


_NUMBER = re.compile(r"[-\N{MINUS SIGN}]?\d[\d,]*(?:\.\d+)?")


def _is_filled(words: str, places: Collection[str]) -> bool:
    """Whether words have places for these values alone, and nothing that would format them."""
    try:
        found = list(Formatter().parse(words))
    except ValueError:
        return False
    return all(
        name is None or (name in places and not (form or how)) for _, name, form, how in found
    )


def _opened(text: str, names: tuple[str, ...]) -> str:
    if text[1:2].isupper() or text.startswith(names):
        return text
    return text[:1].upper() + text[1:]


def said(text: str | Exception, tongue: Tongue) -> str:
    """A text or an error in a tongue; a plain string is a name, and set apart as one."""
    return text.said(tongue) if isinstance(text, Text | SpokenError) else set_apart(str(text))


def _name(value: str) -> str:
    return value if isinstance(value, Text) else set_apart(value)


def _named(values: dict[str, object]) -> dict[str, object]:
    return {
        place: _name(value) if isinstance(value, str) else value for place, value in values.items()
    }


def _filled(words: str, values: dict[str, object]) -> str:
    return words.format(**values) if values else words


def _said(values: dict[str, object], tongue: Tongue) -> dict[str, object]:
    return {
        name: value.said(tongue) if isinstance(value, Text | SpokenError) else value
        for name, value in values.items()
    }
