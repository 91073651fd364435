"""Catalog entries as TOML text and as tables: the one reader and writer of their form.

Pure text in, values out; `resources.catalog_files` reads the shipped files. Whatever is wrong in
a text is one `CatalogError` that names the file, the entry, the field and the reason, because
people extend these files by hand.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import date, datetime
from enum import StrEnum
from functools import cache, partial
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from models.base.errors import ModelError
from models.base.fields import fields_of
from models.base.limits import shortened
from models.base.texts import joined, say
from models.base.toml import tree_of
from models.catalog.catalog import (
    Array,
    Catalog,
    Disk,
    Generation,
    Hypervisor,
    Licence,
    MemoryOverhead,
    Platform,
    Processor,
    Profile,
    Provenance,
    RaidLevel,
    Release,
    Role,
    Server,
    Sizing,
    Support,
    Vsan,
)
from models.catalog.catalog_check import ID, check_entry, check_overhead, not_among
from models.scenario.scenario import Workload
from models.scenario.workloads import WorkloadKind

Entry = (
    Server
    | Array
    | Disk
    | RaidLevel
    | Hypervisor
    | Processor
    | Profile
    | Generation
    | Release
    | Support
    | Sizing
    | Licence
)
Overheads = Mapping[str, MemoryOverhead]

KINDS: dict[str, type[Entry]] = {
    "servers": Server,
    "arrays": Array,
    "disks": Disk,
    "raid_levels": RaidLevel,
    "hypervisors": Hypervisor,
    "processors": Processor,
    "profiles": Profile,
    "generations": Generation,
    "releases": Release,
    "support": Support,
    "sizings": Sizing,
    "licences": Licence,
}

_DEFAULTS: dict[str, object] = {
    "role": Role.PURCHASE,
    "platform": Platform.NONE,
    "vsan": Vsan.NONE,
    "flash": False,
    "mirrored": False,
    "ft_disables_nested_paging": False,
    "parity_drives": 0,
    "group_drives": 0,
    "fewest_drives": 1,
    "ft_max_vcpus": 0,
}
MOST_LETTERS = 4_000_000
"""Of a text with entries: far beyond any list of machines, and read within seconds."""


class CatalogError(ModelError):
    """A catalog text that can't be read: ``own.toml: servers.my-box.cores: must be ≥ 1``."""

    def __init__(self, file: str, reason: str, *, field: str = "") -> None:
        super().__init__(reason, field=f"{file}: {field}" if field else file)


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of an entry: how its type is read, and what it is where nothing is said.

    What it may hold beyond its type is the business of `models.catalog.catalog_check`.
    """

    name: str
    read: Callable[[object], object]
    default: object

    @property
    def required(self) -> bool:
        return self.default is MISSING


# ------------------------------------------------------------------------------ TOML to values


def parse_catalog(text: str, name: str, overheads: Overheads | None = None) -> Catalog:
    """The entries of one TOML text.

    Args:
        text: tables ``[servers.ID]``, ``[arrays.ID]`` and so on by the names of `KINDS`, all of
            them optional.
        name: the file's name, for messages.
        overheads: memory overhead tables that a hypervisor may name instead of spelling one out.

    Raises:
        CatalogError: not TOML, an unknown table or field, a missing field, an impossible value.
    """
    if len(text) > MOST_LETTERS:
        raise CatalogError(name, say("is larger than any list of entries"))
    try:
        tables = tree_of(text)
    except ModelError as error:
        raise CatalogError(name, error.reason) from None
    for key in tables:
        if key not in KINDS:
            reason = not_among(key, say("a table of a catalog"), KINDS)
            raise CatalogError(name, reason, field=shortened(key))
    kinds: dict[str, Any] = {
        key: _section(tables.get(key, {}), KINDS[key], key, name, overheads or {}) for key in KINDS
    }
    return Catalog(**kinds)


def _section(
    section: object, kind: type[Entry], key: str, file: str, overheads: Overheads
) -> dict[str, Entry]:
    if not isinstance(section, dict):
        raise CatalogError(file, say("must be tables [{key}.ID]", key=key), field=key)
    entries = {}
    for id, table in section.items():
        path = f"{key}.{shortened(id)}"
        if not isinstance(table, dict):
            raise CatalogError(file, say("must be a table [{path}]", path=path), field=path)
        entries[id] = _entry(kind, id, table, path, file, overheads)
    return entries


def _entry(
    kind: Any,
    id: str,
    table: Mapping[str, object],
    path: str,
    file: str,
    overheads: Overheads,
) -> Entry:
    own, provenance = _fields(kind), _fields(Provenance)
    names = {each.name for each in (*own, *provenance)}
    for key in table:
        if key not in names:
            reason = not_among(key, say("a field of this kind of entry"), names)
            raise CatalogError(file, reason, field=f"{path}.{shortened(key)}")
    if isinstance(table.get("memory_overhead"), str):
        table = {**table, "memory_overhead": _named(table, overheads, path, file)}
    values = _values(own, table, path, file)
    values["provenance"] = Provenance(**_values(provenance, table, path, file))
    entry: Entry = kind(id=id, **values)
    _check(entry, path, file)
    return entry


def _check(entry: Entry, path: str, file: str) -> None:
    try:
        check_entry(entry)
    except ModelError as error:
        field = f"{path}.{error.field}" if error.field else path
        raise CatalogError(file, error.reason, field=field) from None


def _values(
    wanted: Sequence[_Field], table: Mapping[str, object], path: str, file: str
) -> dict[str, Any]:
    values = {}
    for each in wanted:
        if each.name in table:
            try:
                values[each.name] = each.read(table[each.name])
            except ModelError as error:
                field = joined(".", filter(None, (path, each.name, error.field)))
                raise CatalogError(file, error.reason, field=field) from None
        elif each.required:
            raise CatalogError(file, say("needs the field “{field}”", field=each.name), field=path)
        else:
            values[each.name] = each.default
    return values


def _named(
    table: Mapping[str, object], overheads: Overheads, path: str, file: str
) -> MemoryOverhead:
    name = str(table["memory_overhead"])
    if name not in overheads:
        reason = not_among(name, say("a memory overhead table"), overheads)
        raise CatalogError(file, reason, field=f"{path}.memory_overhead")
    return overheads[name]


# --------------------------------------------------------------------------- values of one field


@cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _field(kind, each.name, hints[each.name])
        for each in fields(kind)
        if each.name not in ("id", "provenance")
    )


def _field(kind: type, name: str, hint: Any) -> _Field:
    default: object = _DEFAULTS.get(name, MISSING)
    if hint is str and not fields_of(kind)[name].must_be_seen:
        default = ""
    if isinstance(hint, UnionType):
        default = None
        hint = next(part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is tuple and get_args(hint)[0] is not int:
        default = ()
    return _Field(name, _reader(hint), default)


def _reader(hint: Any) -> Callable[[object], object]:
    if hint is bool:
        return _read_bool
    if hint in (int, float):
        return partial(_read_number, whole=hint is int)
    if hint is str:
        return _read_text
    if hint is date:
        return _read_day
    if hint is MemoryOverhead:
        return _read_overhead
    if hint is Workload:
        return _read_workload
    if get_origin(hint) is tuple:
        return _list_reader(get_args(hint)[0])
    return partial(_read_choice, choices=hint)


def _list_reader(of: type) -> Callable[[object], object]:
    if issubclass(of, StrEnum):
        return partial(_read_choices, choices=of)
    return _read_version if of is int else _read_words


def _read_bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise ModelError(say("must be true or false"))
    return value


def _read_number(value: object, *, whole: bool = False) -> float:
    kinds = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        found = shortened(repr(value))
        if whole:
            raise ModelError(say("must be a whole number, not {found}", found=found))
        raise ModelError(say("must be a number, not {found}", found=found))
    try:
        return value if whole else float(value)
    except OverflowError:
        raise ModelError(say("must be a number that can be calculated with")) from None


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise ModelError(say("must be text in quotation marks"))
    return value


def _read_day(value: object) -> date:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ModelError(say("must be a day without quotation marks, such as 2027-10-11"))
    return value


def _read_words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ModelError(say("must be a list of texts"))
    return tuple(value)


def _read_version(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != 3 or not all(type(n) is int for n in value):
        raise ModelError(say("must be three whole numbers, such as [4, 1, 0]"))
    return tuple(value)


def _read_choice(value: object, *, choices: type[StrEnum]) -> StrEnum:
    if not isinstance(value, str) or value not in tuple(choices):
        names = ", ".join(f"“{each}”" for each in choices if each)
        raise ModelError(say("must be one of {names}", names=names))
    return choices(value)


def _read_choices(value: object, *, choices: type[StrEnum]) -> tuple[StrEnum, ...]:
    return tuple(_read_choice(each, choices=choices) for each in _read_words(value))


def _read_overhead(value: object) -> MemoryOverhead:
    if isinstance(value, MemoryOverhead):
        return value
    if not isinstance(value, dict) or set(value) != {"ram_mib", "vcpus", "mib"}:
        raise ModelError(say("must name a table, or be one with ram_mib, vcpus and mib"))
    return MemoryOverhead(
        ram_mib=tuple(_read_number(each) for each in _read_list(value["ram_mib"])),
        vcpus=tuple(int(_read_number(n, whole=True)) for n in _read_list(value["vcpus"])),
        mib=tuple(
            tuple(_read_gap(cell) for cell in _read_list(row)) for row in _read_list(value["mib"])
        ),
    )


def _read_workload(value: object) -> Workload:
    """A table such as ``{ kind = "domino-nrpc", release = "8.5.1", mail_file_mb = 200 }``."""
    if not isinstance(value, dict) or "kind" not in value:
        raise ModelError(say("must be a table with the kind of workload and its figures"))
    names = [each.name for each in fields(Workload)]
    given: dict[str, Any] = {}
    for name, each in value.items():
        if name not in names:
            raise ModelError(not_among(name, say("a field of a workload"), names))
        try:
            given[name] = _workload_field(name, each)
        except ModelError as error:
            raise ModelError(error.reason, field=name) from None
    return Workload(**given)


def _workload_field(name: str, value: object) -> object:
    if name == "kind":
        return _read_choice(value, choices=WorkloadKind)
    return _read_text(value) if name == "release" else _read_number(value)


def _read_list(value: object) -> list[object]:
    if not isinstance(value, list) or not value:
        raise ModelError(say("must have lists that are not empty"))
    return value


def _read_gap(value: object) -> float | None:
    """A cell of an overhead table; TOML has no null, so that ``nan`` stands for a gap."""
    if isinstance(value, float) and math.isnan(value):
        return None
    return _read_number(value)


# ------------------------------------------------------------------------------ values to TOML


def dump_catalog(catalog: Catalog) -> str:
    """The TOML text of these entries; `parse_catalog` gives the same entries back."""
    blocks = [
        _block(f"{key}.{_key(id)}", entry)
        for key in KINDS
        for id, entry in getattr(catalog, key).items()
    ]
    return "\n".join(blocks)


def _block(path: str, entry: Entry) -> str:
    kind: Any = type(entry)
    own = {each.name: getattr(entry, each.name) for each in _fields(kind)}
    provenance = {each.name: getattr(entry.provenance, each.name) for each in _fields(Provenance)}
    lines = (
        f"{name} = {_toml(value)}"
        for name, value in (*own.items(), *provenance.items())
        if value is not None and value != () and value != _default(type(entry), name)
    )
    return "\n".join((f"[{path}]", *lines)) + "\n"


def _default(kind: Any, name: str) -> object:
    """What a field is that is left out; nothing where it never is."""
    known = {each.name: each.default for each in (*_fields(kind), *_fields(Provenance))}
    return known[name]


def _key(id: str) -> str:
    return id if re.fullmatch(r"[A-Za-z0-9_-]+", id) else _quoted(id)


def _toml(value: object) -> str:
    if isinstance(value, MemoryOverhead):
        names = (each.name for each in fields(value) if each.compare)
        parts = (f"{name} = {_toml(getattr(value, name))}" for name in names)
        return f"{{ {', '.join(parts)} }}"
    if isinstance(value, Workload):
        parts = (
            f"{each.name} = {_toml(getattr(value, each.name))}"
            for each in fields(value)
            if getattr(value, each.name) != each.default
        )
        return f"{{ {', '.join(parts)} }}"
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if value is None or isinstance(value, bool):
        return "nan" if value is None else str(value).lower()
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are among TOML's; DEL is the one that JSON lets pass."""
    return json.dumps(str(text), ensure_ascii=False).replace("\x7f", "\\u007f")


# ----------------------------------------------------------------------------------- CSV tables


def parse_processors(text: str, name: str) -> dict[str, Processor]:
    """The processors of a CSV table by id; columns as described in the table's first lines.

    Raises:
        CatalogError: a column is missing, a cell has no sense, an id is used twice.
    """
    processors: dict[str, Processor] = {}
    for line, row in _rows(text, name):
        id = row.get("id", "")
        path = f"line {line}, {id or 'no id'}"
        if not ID.fullmatch(id) or id in processors:
            raise CatalogError(name, say("needs an id of its own"), field=path)
        processors[id] = _processor(id, row, path, name)
    return processors


def _processor(id: str, row: Mapping[str, str], path: str, file: str) -> Processor:
    own = _values(_fields(Processor), _cells(Processor, row), path, file)
    provenance = {
        "source": row.get("source", ""),
        "confidence": row.get("confidence", ""),
        "note": "; ".join(part for part in (*_spread(row), row.get("note", "")) if part),
        "assumed": row.get("assumed", "").split(),
    }
    checked = Provenance(**_values(_fields(Provenance), provenance, path, file))
    processor = Processor(id=id, **own, provenance=checked)
    _check(processor, path, file)
    return processor


def _spread(row: Mapping[str, str]) -> Iterator[str]:
    """How many published results stand behind the medians, and their range."""
    for suite, label in (("cpu2006", "CPU2006 base"), ("cpu2017", "CPU2017 base")):
        median, count = row.get(f"{suite}_median", ""), row.get(f"{suite}_results", "")
        if median and count:
            spread = f", {row[f'{suite}_min']} to {row[f'{suite}_max']}" if count != "1" else ""
            results = "result" if count == "1" else "results"
            yield f"{label} {median} ({count} {results}{spread})"


@cache
def _columns(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    names = (each.name for each in _fields(kind))
    return tuple((name, _plain(hints[name])) for name in names)


def _plain(hint: Any) -> Any:
    return get_args(hint)[0] if isinstance(hint, UnionType) else hint


def _cells(kind: type, row: Mapping[str, str]) -> dict[str, object]:
    """The cells that say something, as the TOML values they would be."""
    return {
        name: _cell(row[name], hint) for name, hint in _columns(kind) if row.get(name, "") != ""
    }


def _cell(text: str, hint: Any) -> object:
    """A cell as int, float or bool where it reads as one; else the text, to be refused."""
    if hint is bool:
        return {"yes": True, "no": False}.get(text, text)
    if hint in (int, float):
        try:
            return int(text) if hint is int else float(text)
        except ValueError:
            return text
    return text


def parse_overheads(text: str, name: str) -> dict[str, MemoryOverhead]:
    """The memory overhead tables of a CSV with a row per cell; a cell without a row is a gap.

    Raises:
        CatalogError: a number has no sense, or a cell is given twice.
    """
    cells: dict[str, dict[tuple[float, int], tuple[float, str]]] = {}
    for line, row in _rows(text, name):
        field = f"line {line}, {row.get('table', '')}"
        try:
            at = (float(row["ram_mib"]), int(row["vcpus"]))
            value = float(row["overhead_mib"])
        except (KeyError, ValueError):
            reason = say("needs ram_mib, vcpus and overhead_mib as numbers")
            raise CatalogError(name, reason, field=field) from None
        table = cells.setdefault(row.get("table", ""), {})
        if at in table:
            raise CatalogError(name, say("gives the same cell twice"), field=field)
        table[at] = value, row.get("evidence", "")
    return {key: _filled(table, f"{name}: {key}") for key, table in cells.items()}


def _filled(cells: Mapping[tuple[float, int], tuple[float, str]], place: str) -> MemoryOverhead:
    ram_mib = tuple(sorted({ram for ram, _ in cells}))
    vcpus = tuple(sorted({n for _, n in cells}))
    table = [[cells.get((ram, n), (None, "")) for n in vcpus] for ram in ram_mib]
    mib = tuple(tuple(value for value, _ in row) for row in table)
    ids = tuple(tuple(id for _, id in row) for row in table)
    filled = MemoryOverhead(ram_mib=ram_mib, vcpus=vcpus, mib=mib, evidence=ids)
    try:
        check_overhead(filled)
    except ModelError as error:
        raise CatalogError(place, error.reason, field=error.field) from None
    return filled


def _rows(text: str, file: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers and rows of a CSV; lines that begin with # are remarks."""
    lines = text.splitlines()
    numbers = [n for n, line in enumerate(lines, 1) if line and not line.startswith("#")]
    reader = csv.reader(lines[n - 1] for n in numbers)
    header = next(reader, [])
    for number, cells in zip(numbers[1:], reader, strict=True):
        if len(cells) != len(header):
            reason = say(
                "has {count} cells, the header has {wanted}", count=len(cells), wanted=len(header)
            )
            raise CatalogError(file, reason, field=f"line {number}")
        yield number, dict(zip(header, cells, strict=True))
