"""Scenario values to and from the JSON of the scenario file, and the schema of that file.

Reading: bytes of any origin give a `Scenario` or one `StoreError` with a sentence. Bounds of
single values are held here; ids and catalog references are `models.check`'s business.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec

from db.errors import StoreError, bounded
from db.explain import decoded, explaining, quoted
from db.json_tree import doubled_key
from db.wire import FORMAT, VERSION, Document, Header
from models.base.errors import ModelError
from models.base.limits import LINE_PATTERN, NAME_PATTERN, REASON_PATTERN, TEXT_PATTERN
from models.base.texts import joined, say
from models.catalog.catalog import Catalog
from models.catalog.catalog_check import check_catalog
from models.check import check_values
from models.project.catalog_use import used_rows
from models.scenario.scenario import Scenario

MAX_BYTES = 160 * 2**20
MOST_VALUES = 4_000_000
"""Of lists, objects and what stands in them: 60,000 VMs with every field have that many. A file is
looked at several times when something is wrong with it, each time as a tree of all its values."""
BEYOND_SCHEMA = (
    "Beyond this schema a file is held to what no schema can say: ids are unique and lead "
    "somewhere, names of servers, hypervisors, arrays, disks and RAID levels stand in the catalog, "
    "hot spares are fewer than drives, a reservation is no more than RAM and limit, affinity rules "
    "name hosts where their kind needs them, and no key is given twice."
)
NEEDED = {LINE_PATTERN: NAME_PATTERN, TEXT_PATTERN: REASON_PATTERN}
OWN_KINDS = ("servers", "arrays", "disks")
"""Collections of a catalog whose entries of one's own a scenario file can bring."""
_MARKED = ("clusters", "hosts", "pools", "vms")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def scenario_from_json(data: bytes, *, name: str) -> Scenario:
    """The scenario that a file called `name` holds.

    Raises:
        StoreError: `data` is not a scenario file; names the field where it isn't.
    """
    return read_scenario(data, name=name)[0]


def read_scenario(data: bytes, *, name: str) -> tuple[Scenario, Catalog]:
    """The same with the catalog entries of its own that the file brings."""
    with bounded(name):
        text = without_mark(data, name)
    with explaining(text, name):
        check_header(msgspec.json.decode(text, type=Header), name, (FORMAT,))
        document = decoded(text, Document)
        check_doubled_keys(text, name)
        scenario = msgspec.convert(document, type=Scenario, from_attributes=True)
        check_values(scenario)
        return scenario, _own_catalog(document)


def _own_catalog(document: Any) -> Catalog:
    found: dict[str, dict[str, Any]] = {}
    for kind in OWN_KINDS:
        entries = getattr(document.catalog, kind)
        found[kind] = {entry.id: entry for entry in entries}
        if len(found[kind]) < len(entries):
            raise ModelError(say("has an id twice"), field=f"catalog.{kind}")
    catalog = Catalog(**found)
    try:
        check_catalog(catalog)
    except ModelError as error:
        raise ModelError(error.reason, field=f"catalog.{error.field}") from None
    return catalog


def scenario_to_json(scenario: Scenario, own: Catalog | None = None) -> bytes:
    """The scenario file: every field, defaults too, so that a later default changes nothing.

    The same scenario gives the same bytes. Of `own`, entries that the shipped catalog lacks, those
    that the scenario names stand in the file.

    Raises:
        ModelError: it holds more than the reader takes.
    """
    text = msgspec.json.format(_encoded(scenario, own), indent=2) + b"\n"
    if len(text) > MAX_BYTES or _values_in(text) > MOST_VALUES:
        raise ModelError(say("the scenario holds more than one file can take"))
    return text


def _encoded(scenario: Scenario, own: Catalog | None) -> bytes:
    """The same in one line; the plain values are let go before that is set in lines."""
    plain = msgspec.to_builtins(scenario)
    _settle(scenario, plain)
    for item in (plain, *(item for name in _MARKED for item in plain[name])):
        item["origins"] = dict(item["origins"])
    content = {"format": FORMAT, "version": VERSION, **plain}
    used = used_rows((scenario,), own) if own is not None else Catalog()
    entries = {kind: list(getattr(used, kind).values()) for kind in OWN_KINDS}
    if any(entries.values()):
        content["catalog"] = entries
    return msgspec.json.encode(content)


def _settle(value: object, plain: dict[str, Any]) -> None:
    """Writes whole numbers of fields that may be broken ones as such: 8 is read as 8.0."""
    kind: Any = type(value)
    numbers, nested = _fields_of(kind)
    for name in numbers:
        if type(plain[name]) is int:
            plain[name] = float(plain[name])
    for name in nested:
        inside, below = getattr(value, name), plain[name]
        if isinstance(inside, tuple):
            for each, its in zip(inside, below, strict=True):
                _settle(each, its)
        elif inside is not None:
            _settle(inside, below)


@cache
def _fields_of(kind: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the fields of numbers that may be broken, and of those that hold records."""
    hints = get_type_hints(kind)
    parts = {each.name: (hints[each.name], *get_args(hints[each.name])) for each in fields(kind)}
    numbers = tuple(name for name, types in parts.items() if float in types)
    nested = tuple(name for name, types in parts.items() if any(map(is_dataclass, types)))
    return numbers, nested


def _values_in(text: bytes) -> int:
    """At most so many values are in JSON: each begins an object or list, or has a comma before."""
    return sum(text.count(mark) for mark in (b"[", b"{", b","))


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a scenario file."""
    schema: dict[str, Any] = _more_than_blanks(msgspec.json.schema(Document))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Headroom scenario file, version {VERSION}",
        "$comment": BEYOND_SCHEMA,
        **schema,
    }


def _more_than_blanks(node: Any) -> Any:
    """The schema with the patterns of texts that are needed: the reader refuses blanks later.

    It says so in better words than those for a pattern.
    """
    if isinstance(node, list):
        return [_more_than_blanks(each) for each in node]
    if not isinstance(node, dict):
        return node
    result = {name: _more_than_blanks(value) for name, value in node.items()}
    if node.get("minLength") == 1 and node.get("pattern") in NEEDED:
        result["pattern"] = NEEDED[node["pattern"]]
    return result


def without_mark(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise StoreError(
            say("is larger than {most} MiB, no scenario is", most=MAX_BYTES // 2**20), name
        )
    if data.startswith(_UTF16):
        raise StoreError(say("is UTF-16 text; save it as UTF-8"), name)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise StoreError(say("is not UTF-8 text"), name) from None
    text = data.removeprefix(codecs.BOM_UTF8)
    if not text.strip():
        raise StoreError(say("is empty"), name)
    if _values_in(text) > MOST_VALUES:
        raise StoreError(say("holds more values than any scenario"), name)
    return text


def check_header(header: Header, name: str, formats: Sequence[str]) -> None:
    """Refuse a file of none of these formats, the first of which is meant."""
    if header.format not in formats:
        wanted = joined(say("” or “"), formats)
        sentence = say("must be “{wanted}”{found}", wanted=wanted, found=_found(header.format))
        raise StoreError(sentence, name, field="format")
    version = header.version
    if isinstance(version, bool) or version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        sentence = say("must be {wanted}{found}", wanted=VERSION, found=_found(version))
        hint = say("; a newer program wrote this file") if newer else ""
        raise StoreError(sentence + hint, name, field="version")


def _found(value: object) -> str:
    """What stood there instead, when it fits into a sentence."""
    if value is None:
        return say(", it is missing")
    if isinstance(value, bool):
        return say(", not {found}", found=str(value).lower())
    if isinstance(value, int | float | str):
        return say(", not {found}", found=quoted(str(value)))
    return ""


def check_doubled_keys(text: bytes, name: str) -> None:
    """Refuse an object with the same key twice: one of the two values would be lost silently."""
    field = doubled_key(text)
    if field is not None:
        raise StoreError(say("is given twice"), name, field=field)
