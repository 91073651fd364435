"""What the JSON reader doesn't tell or do: doubled keys, where a NaN stands, ``4.0`` for ``4``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from models.base.texts import say

MOST_EXACT = 2.0**53
"""Up to here a float without a fraction is one integer."""


class _Doubled(dict[str, Any]):
    """An object of the file that has a key twice."""

    key = ""


class _Constant:
    """NaN, Infinity or -Infinity, which Python writes and JSON doesn't know."""

    def __init__(self, name: str) -> None:
        self.name = name


def doubled_key(text: bytes) -> str | None:
    """Path of the first key that an object of this valid JSON has twice; None when none has."""
    found: list[_Doubled] = []

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) == len(pairs):
            return result
        doubled = _Doubled(result)
        keys = [key for key, _ in pairs]
        doubled.key = next(key for key in keys if keys.count(key) > 1)
        found.append(doubled)
        return doubled

    # Numbers stay text: the standard library refuses whole numbers of thousands of digits.
    tree = json.loads(text, object_pairs_hook=note, parse_int=str, parse_float=str)
    if not found:
        return None
    path = _path_of(tree, found[0])
    return f"{path}.{found[0].key}" if path else found[0].key


def not_a_number(text: bytes) -> tuple[str, str] | None:
    """Path and sentence for a NaN or Infinity in text that is JSON but for it; None otherwise."""
    if b"NaN" not in text and b"Infinity" not in text:
        return None
    found: list[_Constant] = []

    def note(name: str) -> _Constant | None:
        if found:
            return None
        found.append(_Constant(name))
        return found[0]

    try:
        tree = json.loads(text, parse_constant=note, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None
    path = _path_of(tree, found[0]) if found else None
    if path is None:
        return None
    return path, say("must be a finite number, not {found}", found=found[0].name)


def _path_of(tree: object, wanted: object) -> str | None:
    """Where `wanted` stands in the tree, as ``vms[3].workload``; None when it doesn't."""
    waiting: list[tuple[str, object]] = [("", tree)]
    while waiting:
        path, value = waiting.pop()
        if value is wanted:
            return path
        inner: Iterable[tuple[Any, object]] = ()
        if isinstance(value, dict):
            inner = value.items()
        elif isinstance(value, list):
            inner = enumerate(value)
        for key, each in inner:
            if each is wanted or isinstance(each, dict | list):
                step = f"[{key}]" if isinstance(value, list) else f".{key}" if path else key
                waiting.append((f"{path}{step}", each))
    return None


def whole_numbers(tree: Any) -> Any:
    """The tree with integers for floats without a fraction: to JSON 4.0 is an integer too.

    >>> whole_numbers({"vcpus": 4.0, "ram_gib": 14.5})
    {'vcpus': 4, 'ram_gib': 14.5}
    """
    if isinstance(tree, dict):
        return {key: whole_numbers(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [whole_numbers(value) for value in tree]
    is_whole = isinstance(tree, float) and tree.is_integer() and abs(tree) <= MOST_EXACT
    return int(tree) if is_whole else tree
