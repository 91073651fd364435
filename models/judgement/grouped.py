"""Findings for readers: what is said of several items in the same words is said once of them all.

Command line and proposal print these; a `Prediction` and its JSON keep one finding an item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from models.judgement.rulebook import names
from models.prediction import Finding

_ITEM = "\N{NULL}"
_BY_NAME_FIRST = re.compile(rf"{_ITEM}(?:: |’s )")


@dataclass(frozen=True, slots=True)
class Grouped:
    """One or more findings that differ in their item alone.

    `first` is the first of them; `text` names the items, `fix` speaks of them all.
    """

    first: Finding
    subjects: tuple[str, ...]
    text: str
    fix: str


def grouped(findings: Iterable[Finding], name_of: Callable[[str], str]) -> tuple[Grouped, ...]:
    """Findings with the same words, fix and source together, in the order of the first of each."""
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for each in findings:
        name = name_of(each.subject) if each.subject else ""
        text, fix = _without(name, each.text), _without(name, each.fix)
        key = (each.rule, each.severity, each.waived, text, fix, each.source, bool(name))
        alike.setdefault(key, []).append(each)
    return tuple(_grouped(found, name_of) for found in alike.values())


def _without(name: str, text: str) -> str:
    """The text with a mark for the item's name; a name without letters is looked for in front."""
    if not name:
        return str(text)
    begins = "" if re.search(r"[^\W\d_]", name) else "^"
    return re.sub(rf"{begins}(?<![\w-]){re.escape(name)}(?![\w-])", _ITEM, text)


def _grouped(found: list[Finding], name_of: Callable[[str], str]) -> Grouped:
    first = found[0]
    subjects = tuple(dict.fromkeys(each.subject for each in found if each.subject))
    if not subjects:
        return Grouped(first, (), first.text, first.fix)
    name = name_of(first.subject)
    text = _without(name, first.text)
    if len(subjects) == 1:
        words = first.text if _ITEM in text else f"{name}: {first.text}"
        return Grouped(first, subjects, words, first.fix)
    called = names([name_of(id) for id in subjects])
    return Grouped(first, subjects, _of_all(called, text), _of_each(_without(name, first.fix)))


def _of_all(called: str, text: str) -> str:
    """The text about all items.

    >>> _of_all("a and b", "\\0 has no hot spare."), _of_all("a and b", "\\0’s CPU is not known.")
    ('Each of a and b has no hot spare.', 'a and b: CPU is not known.')
    >>> _of_all("a and b", "With \\0 gone, RAM is short.")
    'a and b: With each of them gone, RAM is short.'
    """
    by_name = _BY_NAME_FIRST.match(text)
    if by_name:
        return f"{called}: {_of_each(text[by_name.end() :])}"
    if text.startswith(f"{_ITEM} "):
        return f"Each of {called} {_of_each(text[2:])}"
    return f"{called}: {_of_each(text)}"


def _of_each(text: str) -> str:
    return text.replace(f"{_ITEM}’s", "each one’s").replace(_ITEM, "each of them")
