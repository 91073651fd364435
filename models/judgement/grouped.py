"""Findings for readers: what is said of several items in the same words is said once of them all.

Command line and proposal print these; a `Prediction` and its JSON keep one finding an item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from models.judgement.rulebook import names
from models.prediction import Finding
from models.texts import joined, say

_ITEM = "\N{NULL}"


@dataclass(frozen=True, slots=True)
class Grouped:
    """One or more findings that differ in their item alone.

    `first` is the first of them; `text` is about it and names the others, `fix` speaks of all.
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
    name, rest = name_of(first.subject), [name_of(id) for id in subjects[1:]]
    if _ITEM not in _without(name, first.text):
        called = names([name, *rest]) if rest else name
        return Grouped(first, subjects, joined(": ", (called, first.text)), first.fix)
    if not rest:
        return Grouped(first, subjects, first.text, first.fix)
    text = say("{finding} The same holds for {names}.", finding=first.text, names=names(rest))
    if _ITEM not in _without(name, first.fix):
        return Grouped(first, subjects, text, first.fix)
    return Grouped(first, subjects, text, say("{fix} Likewise for the others.", fix=first.fix))
