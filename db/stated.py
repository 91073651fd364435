"""Stated numbers as the records of a project that they are kept in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import msgspec

from db.codec import scenario_to_json
from models.base.rounding import rounded_in
from models.project.project import STATED, Entry
from models.scenario.scenario import Scenario
from models.signing.stated import Stated

MOST = 50
"""States kept of a scenario; the oldest go first, but never the last one that was exported."""


def fingerprint(scenario: Scenario) -> str:
    """SHA-256 over the scenario file, which holds every input, with its numbers to nine digits: a
    design that was worked out on two machines is one."""
    return _of_file(rounded_in(scenario))


def fingerprints(scenario: Scenario) -> tuple[str, str]:
    """That, and the same over the inputs that are no default of this program."""
    plain = rounded_in(scenario)
    return _of_file(plain), _of_inputs(plain)


def known_fingerprints(scenario: Scenario) -> frozenset[str]:
    """Every one that a state of these inputs may bear: older programs took all digits."""
    plain = rounded_in(scenario)
    given = (plain,) if plain is scenario else (plain, scenario)
    return frozenset(found for each in given for found in (_of_file(each), _of_inputs(each)))


def _of_file(scenario: Scenario) -> str:
    return hashlib.sha256(scenario_to_json(scenario)).hexdigest()


def _of_inputs(scenario: Scenario) -> str:
    return hashlib.sha256(msgspec.json.encode(_no_defaults(scenario))).hexdigest()


def _no_defaults(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_no_defaults(each) for each in value]
    if not is_dataclass(value):
        return float(value) if type(value) is int else value
    given = {each: getattr(value, each.name) for each in fields(value)}
    return {each.name: _no_defaults(v) for each, v in given.items() if v != _default_of(each)}


def _default_of(field: Any) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def stated_of(entry: Entry) -> Iterator[Stated]:
    """What was stated of a scenario, oldest first; what can't be read was of another program."""
    for record in entry.records_of(STATED):
        try:
            yield msgspec.json.decode(record.content, type=Stated)
        except msgspec.DecodeError:
            continue


def contents_with(entry: Entry, new: Stated) -> list[str]:
    """The records of the scenario with one more; the same again is none more."""
    kept = list(stated_of(entry))
    if not (kept and _says_the_same(kept[-1], new)):
        kept.append(new)
    exported = [each for each in kept if each.why == "exported"][-1:]
    last = kept[-MOST:]
    return [
        msgspec.json.encode(each).decode()
        for each in (*(each for each in exported if each not in last), *last)
    ]


def _says_the_same(one: Stated, other: Stated) -> bool:
    return (one.why, one.model, one.inputs, one.verdict, one.numbers) == (
        *(other.why, other.model, other.inputs, other.verdict, other.numbers),
    )
