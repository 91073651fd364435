"""What the JSON reader found, said to a person: its messages translated into one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from db.errors import StoreError, bounded, refused
from db.json_tree import not_a_number, whole_numbers
from models.base.errors import ModelError
from models.base.fields import fields_of
from models.base.limits import too_long
from models.base.texts import Numeral, joined, say
from models.scenario.origin import Origin
from models.scenario.scenario import (
    Affinity,
    Cluster,
    DataCenter,
    Host,
    ImportNote,
    Pool,
    Scenario,
    Vm,
    Waiver,
)

_LONGEST = 60
_AT = re.compile(r" - at `\$\.?([^`]*)`$", re.DOTALL)
_BYTE = re.compile(r"\(byte (\d+)\)")

_KINDS = {
    "int": say("a whole number"),
    "float": say("a number"),
    "str": say("text"),
    "bool": say("true or false"),
    "object": say("an object"),
    "array": say("a list"),
    "null": "null",
}

_LISTS: dict[str, type] = {
    "clusters": Cluster,
    "hosts": Host,
    "pools": Pool,
    "vms": Vm,
    "affinity": Affinity,
    "waivers": Waiver,
    "import_notes": ImportNote,
    "sites": DataCenter,
}


def quoted(text: str) -> str:
    """Text from a file, made fit to stand in a sentence: printable, short, in quotation marks.

    >>> quoted("a" + chr(10) + "b")
    '“a b”'
    """
    line = "".join(letter if letter.isprintable() else " " for letter in text[: _LONGEST + 1])
    return say("“{text}”", text=f"{line[:_LONGEST]}…" if len(line) > _LONGEST else line)


@contextmanager
def explaining(text: bytes, name: str | Path, kind: type = Scenario) -> Iterator[None]:
    """What can't be in a file of JSON inside the block, as one sentence about its field.

    Args:
        kind: what the text is read as.

    Raises:
        StoreError: for a `ModelError`, a message of the JSON reader, and what is too deep.
    """
    with bounded(name):
        try:
            yield
        except ModelError as error:
            raise refused(error, name) from None
        except msgspec.DecodeError as error:
            field, sentence = not_a_number(text) or explained(str(error), text, kind)
            raise StoreError(sentence, name, field=field) from None


def decoded(text: bytes, struct: Any) -> Any:
    """JSON as a struct; a whole number may be written 8.0.

    Raises:
        msgspec.DecodeError: it is none.
    """
    try:
        return msgspec.json.decode(text, type=struct)
    except msgspec.ValidationError as error:
        if "got `float`" not in str(error):
            raise
        try:
            return msgspec.convert(whole_numbers(msgspec.json.decode(text)), type=struct)
        except msgspec.DecodeError:
            raise error from None


def explained(message: str, data: bytes, kind: type = Scenario) -> tuple[str, str]:
    """Path of the field and the sentence for a message of the JSON reader.

    Text that is no JSON is told as that, whatever the reader met in it before.

    Args:
        kind: what the text was read as; inside a file that is no scenario, items and policy are
            those of one.

    >>> explained("Expected `float` >= 0.0 - at `$.vms[3].workload.active_users`", b"")
    ('vms[3].workload.active_users', 'must be ≥ 0')
    """
    message = _syntax_error(data) or message
    at = _AT.search(message)
    path = at[1].replace("[...]", "") if at else ""
    field, sentence = _told(message[: at.start()] if at else message, path, data, kind)
    return (_entry(data, field) if at and at[1].endswith("[...]") else field), sentence


def _told(reason: str, path: str, data: bytes, kind: type) -> tuple[str, str]:
    for pattern, explain in _RULES:
        if match := pattern.match(reason):
            if explain is _kind and match[2] == "float" and "int" in match[1].split(" | "):
                return path, f"must be a whole number, not {_found(data, path)}"
            if explain in (_unknown, _choice):
                return explain(match, path, kind)
            return explain(match, path)
    return path, _malformed(reason, data)


_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def _found(data: bytes, path: str) -> str:
    """The number that stands at a path, such as ``4.5``; that it is one where it isn't found."""
    value = _value(data, path)
    return f"{value!r}" if isinstance(value, float) else "one with a decimal point"


def _entry(data: bytes, path: str) -> str:
    """Path of the first of the origins at a path that is none; the reader says only where all are.

    >>> _entry(b'{"origins": {"ram_gib": "manual", "vcpus": "guessed"}}', "origins")
    'origins.vcpus'
    """
    values = _value(data, path)
    if isinstance(values, dict):
        for key, value in values.items():
            if not (isinstance(value, str) and value in tuple(Origin)):
                return _joined(path, quoted(key)[1:-1])
    return path


def _value(data: bytes, path: str) -> Any:
    """What stands at a path; None where that isn't found."""
    try:
        value = msgspec.json.decode(data)
        for position, name in _STEP.findall(path):
            value = value[int(position)] if position else value[name]
    except (msgspec.DecodeError, LookupError, TypeError, RecursionError):
        return None
    return value


_TRUNCATED = "Input data was truncated"


def _syntax_error(data: bytes) -> str:
    """What the reader says of this text as JSON of any kind; empty where nothing is wrong."""
    try:
        msgspec.json.decode(data or b"{}")
    except msgspec.DecodeError as error:
        reason = str(error)
        return reason if reason.startswith((_TRUNCATED, "JSON is malformed")) else ""
    except RecursionError:
        pass
    return ""


def _missing(match: re.Match[str], path: str) -> tuple[str, str]:
    return _joined(path, match[1]), say("is missing")


def _kind_at(names: Sequence[str], root: type) -> type | None:
    """The class of what stands at the end of a path; None where nothing like it is known."""
    kind: type | None = root
    for name in names:
        if kind is Scenario and name in _LISTS:
            kind = _LISTS[name]
        else:
            field = fields_of(kind).get(name) if kind is not None else None
            kind = field.type if field is not None and field.is_nested else None
    return kind


def _unknown(match: re.Match[str], path: str, root: type = Scenario) -> tuple[str, str]:
    key = match[1]
    if not path and issubclass(root, msgspec.Struct):
        known = list(root.__struct_fields__)
    else:
        root = Scenario if issubclass(root, msgspec.Struct) else root
        known = [each.name for each in fields(_kind_at(_names(path), root) or root)]
    near = get_close_matches(key[:_LONGEST], known, n=1)
    hint = say(", did you mean “{near}”?", near=near[0]) if near else ""
    of_scenario = say("is not a field of a scenario file")
    what = of_scenario if root is Scenario else say("is not a field of these inputs")
    return _joined(path, quoted(key)[1:-1]), what + hint


def _choice(match: re.Match[str], path: str, root: type = Scenario) -> tuple[str, str]:
    choices = _choices(_names(path), Scenario if issubclass(root, msgspec.Struct) else root)
    found = quoted(match[1].strip("'"))
    if not choices:
        return path, say("has the unknown value {found}", found=found)
    offered = ", ".join(map(str, choices))
    return path, say("must be one of {offered}, not {found}", offered=offered, found=found)


def _choices(names: list[str], root: type) -> tuple[object, ...]:
    """The words or numbers that a field may be; none where it is no choice, or not known."""
    if "origins" in names[-2:]:
        return tuple(Origin)
    kind = _kind_at(names[:-1], root)
    field = fields_of(kind).get(names[-1]) if kind is not None and names else None
    if field is None:
        return ()
    return tuple(field.type) if field.is_word else field.choices


def _length(match: re.Match[str], path: str) -> tuple[str, str]:
    if match[2] == ">=":
        return path, say("must not be empty")
    return path, too_long(int(match[3]))


def _bound(match: re.Match[str], path: str) -> tuple[str, str]:
    sign = {">=": "≥", "<=": "≤"}.get(match[1], match[1])
    bound = Numeral(f"{float(match[2]):,.12g}")
    return path, say("must be {sign} {bound}", sign=sign, bound=bound)


def _control_characters(_match: re.Match[str], path: str) -> tuple[str, str]:
    return path, say("must be one line without control characters")


def _kind(match: re.Match[str], path: str) -> tuple[str, str]:
    kinds = [_KINDS.get(kind, kind) for kind in match[1].split(" | ")]
    found = _KINDS.get(match[2], match[2])
    wanted = joined(say(" or "), kinds)
    return path, say("must be {wanted}, not {found}", wanted=wanted, found=found)


def _only_kind(match: re.Match[str], path: str) -> tuple[str, str]:
    """Of what tells one kind of object from another the reader doesn't say what it found."""
    wanted = _KINDS.get(match[1], match[1])
    return path, say("must be {wanted}{found}", wanted=wanted, found="")


def _malformed(reason: str, data: bytes) -> str:
    if reason == "Number out of range":
        return say("is too large a number")
    if reason == _TRUNCATED:
        return say("is not complete JSON: it ends too early, at {place}", place=_place(data))
    where = _BYTE.search(reason)
    if where is None:
        return say("can't be read")
    return say("is not valid JSON at {place}", place=_place(data[: int(where[1])]))


def _place(before: bytes) -> str:
    """Where this much of a text ends."""
    line = before.count(b"\n") + 1
    column = len(before) - (before.rfind(b"\n") + 1) + 1
    return say("line {line}, column {column}", line=line, column=column)


_Rule = Callable[..., tuple[str, str]]
_RULES: tuple[tuple[re.Pattern[str], _Rule], ...] = tuple(
    (re.compile(pattern, re.DOTALL), explain)
    for pattern, explain in (
        (r"Object missing required field `(.*)`$", _missing),
        (r"Object contains unknown field `(.*)`$", _unknown),
        (r"Invalid (?:enum )?value (.*)$", _choice),
        (r"Expected `(\w+)` of length (>=|<=) (\d+)$", _length),
        (r"Expected `str` matching regex ", _control_characters),
        (r"Expected `\w+` (>=|<=|>|<) (\S+)$", _bound),
        (r"Expected `([^`]*)`, got `([^`]*)`$", _kind),
        (r"Expected `(\w+)`$", _only_kind),
    )
)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _names(path: str) -> list[str]:
    """The names along a path, without positions."""
    return [part.split("[")[0] for part in path.split(".") if part]
