"""Projects as rows of the tables in `db/migrations`, and back.

Columns follow from the fields of the values: the same names, those of a nested value with its
name before them, lists in tables of their own. A field for which the schema has no column goes to
the table `fields`, so that a new one needs no step.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, get_type_hints

import msgspec

from db.migrate import migrate, steps_of
from db.sqlite import in_memory
from models.base.errors import ModelError
from models.base.fields import SCENARIO_LISTS, field_at, leaves_of, value_at
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.project.project import Entry, Project, Record
from models.scenario.scenario import (
    Affinity,
    Assumptions,
    Cluster,
    Host,
    Policy,
    Pool,
    Scenario,
    Vm,
    Waiver,
)

Row = tuple[Any, ...]
Rows = dict[str, list[Row]]

_MARKS = ("origins", "pins")


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring columns that hold fields of the value itself, or of one value inside it."""

    inside: str
    names: tuple[str, ...]
    start: int

    def of(self, row: Row) -> dict[str, Any]:
        stop = self.start + len(self.names)
        return dict(zip(self.names, row[self.start : stop], strict=True))


@dataclass(frozen=True, slots=True)
class Shape:
    """How the values of one class become rows of one table.

    Attributes:
        columns: names of the columns that the fields go to.
        read: the row of a value.
        flags: names of its yes/no fields, stored as 0 and 1.
        more: paths of the fields that have no column.
    """

    table: str
    columns: tuple[str, ...]
    read: Callable[[Any], Row]
    parts: tuple[Part, ...]
    flags: tuple[str, ...]
    more: tuple[str, ...]

    def plain(self, row: Row) -> dict[str, Any]:
        """The row as nested dictionaries, ready to be converted into the class."""
        result: dict[str, Any] = {}
        for part in self.parts:
            if part.inside:
                result[part.inside] = part.of(row)
            else:
                result.update(part.of(row))
        for name in self.flags:
            result[name] = bool(result[name])
        return result


def _shape(table: str, cls: type, *, apart: tuple[str, ...] = ()) -> Shape:
    known = _columns_of(table)
    leaves = {path: each for path, each in leaves_of(cls).items() if each.name not in apart}
    paths = [tuple(path.split(".")) for path in leaves if path.replace(".", "_") in known]
    parts: list[Part] = []
    for inside, run in groupby(enumerate(paths), key=lambda each: "".join(each[1][:-1])):
        places = list(run)
        parts.append(Part(inside, tuple(path[-1] for _, path in places), places[0][0]))
    return Shape(
        table,
        columns=tuple("_".join(path) for path in paths),
        read=attrgetter(*(_attribute(cls, path) for path in paths)),
        parts=tuple(parts),
        flags=tuple(path[-1] for path in paths if leaves[".".join(path)].type is bool),
        more=tuple(path for path in leaves if tuple(path.split(".")) not in paths),
    )


@cache
def _schema() -> frozenset[tuple[str, str]]:
    """Tables and columns of the newest schema."""
    with in_memory() as fresh:
        migrate(fresh, steps_of())
        found = fresh.execute(
            "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c"
        )
        return frozenset(found.fetchall())


def _columns_of(table: str) -> frozenset[str]:
    return frozenset(column for each, column in _schema() if each == table)


def _attribute(cls: type, path: tuple[str, ...]) -> str:
    """Where the plain value stands: binding a member of a `StrEnum` takes twice as long as text."""
    is_word = field_at(cls, ".".join(path)).is_word
    return ".".join((*path, "value") if is_word else path)


POLICY = _shape("policy", Policy)
ASSUMPTIONS = _shape("assumptions", Assumptions)
CLUSTER = _shape("cluster", Cluster, apart=("more_failover_hosts", *_MARKS))
HOST = _shape("host", Host, apart=_MARKS)
POOL = _shape("pool", Pool, apart=_MARKS)
VM = _shape("vm", Vm, apart=("cluster_partners", "groups", *_MARKS))
RULE = _shape("affinity", Affinity, apart=("vms", "hosts"))
WAIVER = _shape("waiver", Waiver)

_ITEMS = {"clusters": CLUSTER, "hosts": HOST, "pools": POOL, "vms": VM, "affinity": RULE}
_ITEMS["waivers"] = WAIVER
_COLUMNS_OF_SCENARIO = ("name", "customer", "author", "notes")
_MORE: Mapping[type, tuple[str, ...]] = {
    Cluster: CLUSTER.more,
    Host: HOST.more,
    Pool: POOL.more,
    Vm: VM.more,
    Scenario: (
        *(
            path
            for path in leaves_of(Scenario)
            if path not in _COLUMNS_OF_SCENARIO
            and path.removeprefix("policy.") not in POLICY.columns
            and path.removeprefix("assumptions.") not in ASSUMPTIONS.columns
        ),
        "import_notes",
        "sites",
    ),
}


@dataclass(frozen=True, slots=True)
class _List:
    """A table of values of one field: its columns of owner and value, whose field, and its path."""

    owner: str
    value: str
    items: str
    path: str


_LISTS = {
    "cluster_failover_host": _List("cluster", "host", "clusters", "admission.more_failover_hosts"),
    "vm_partner": _List("vm", "partner", "vms", "cluster_partners"),
    "vm_group": _List("vm", "name", "vms", "groups"),
    "affinity_vm": _List("rule", "vm", "affinity", "vms"),
    "affinity_host": _List("rule", "host", "affinity", "hosts"),
}
CATALOG_COLUMNS = ("origin", "kind", "position", "id", "name", "source", "confidence", "content")

COLUMNS: dict[str, tuple[str, ...]] = {
    "scenario": ("number", "id", "parent", "name", "customer", "author", "notes"),
    "project": ("number", "active", "baseline"),
    "policy": ("scenario", *POLICY.columns),
    "assumptions": ("scenario", *ASSUMPTIONS.columns),
    **{shape.table: ("scenario", "position", *shape.columns) for shape in _ITEMS.values()},
    **{table: ("scenario", of.owner, "position", of.value) for table, of in _LISTS.items()},
    "mark": ("scenario", "item", *_MARKS),
    "fields": ("scenario", "item", "content"),
    "record": ("scenario", "position", "kind", "content"),
    "catalog_entry": CATALOG_COLUMNS,
}


# --- project to rows --------------------------------------------------------------------------


def rows_of(project: Project) -> Rows:
    """All rows of a project, by table, in the order in which `read_rows` returns them."""
    rows: Rows = {table: [] for table in COLUMNS}
    rows["project"].append((1, project.active, project.baseline))
    for number, entry in enumerate(project.entries):
        _add_scenario(rows, number, entry)
    rows["catalog_entry"] = sorted(
        [*catalog_rows("own", project.own_catalog), *catalog_rows("used", project.used_catalog)],
        key=lambda row: row[:3],
    )
    return rows


def _add_scenario(rows: Rows, number: int, entry: Entry) -> None:
    scenario = entry.scenario
    texts = (scenario.name, scenario.customer, scenario.author, scenario.notes)
    rows["scenario"].append((number, entry.id, entry.parent, *texts))
    rows["policy"].append((number, *POLICY.read(scenario.policy)))
    rows["assumptions"].append((number, *ASSUMPTIONS.read(scenario.assumptions)))
    for collection, shape in _ITEMS.items():
        items = getattr(scenario, collection)
        rows[shape.table] += [(number, i, *shape.read(item)) for i, item in enumerate(items)]
    for table, of in _LISTS.items():
        values = attrgetter("id", of.path)
        rows[table] += _list_rows(number, map(values, getattr(scenario, of.items)))
    rows["mark"] += _mark_rows(number, scenario)
    rows["fields"] += _more_rows(number, scenario)
    rows["record"] += [(number, i, r.kind, r.content) for i, r in enumerate(entry.records)]


def _list_rows(number: int, lists: Iterable[tuple[str, tuple[str, ...]]]) -> list[Row]:
    rows = [
        (number, owner, position, value)
        for owner, values in lists
        for position, value in enumerate(values)
    ]
    return sorted(rows, key=lambda row: row[:3])


def _mark_rows(number: int, scenario: Scenario) -> list[Row]:
    """Origins and pins of whatever has some, the scenario itself under the empty id."""
    marked = [("", scenario), *((item.id, item) for item in scenario.items())]
    rows = [
        (number, id, _json(dict(each.origins)), _json(each.pins))
        for id, each in marked
        if each.origins or each.pins
    ]
    return sorted(rows, key=lambda row: row[:2])


def _more_rows(number: int, scenario: Scenario) -> list[Row]:
    """What has no column, of whatever has something of the kind."""
    found = [("", scenario), *((item.id, item) for item in scenario.items())]
    rows = [(number, id, _json(_more(each))) for id, each in found if _MORE[type(each)]]
    return sorted(rows, key=lambda row: row[:2])


def _more(item: Any) -> dict[str, Any]:
    """The values without a column, by path; an optional value that isn't there has none."""
    return {
        path: value_at(item, path)
        for path in _MORE[type(item)]
        if "." not in path or value_at(item, path.rpartition(".")[0]) is not None
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def catalog_rows(origin: str, catalog: Catalog) -> Iterator[Row]:
    """One row for each entry, of origin ``own`` or ``used``."""
    for kind in _entry_types():
        for position, entry in enumerate(getattr(catalog, kind).values()):
            provenance = entry.provenance
            content = msgspec.json.encode(entry).decode()
            names = (entry.id, entry.name, provenance.source, provenance.confidence)
            yield (origin, kind, position, *names, content)


@cache
def _entry_types() -> Mapping[str, type]:
    """The types of entries by the name of their collection in a `Catalog`."""
    hints = get_type_hints(Catalog)
    return {each.name: hints[each.name].__args__[1] for each in fields(Catalog)}


# --- rows to project --------------------------------------------------------------------------


def read_rows(connection: sqlite3.Connection) -> Rows:
    """All rows of a project document, by table, each table in its order."""
    return {
        table: connection.execute(
            f"SELECT {', '.join(columns)} FROM {table} ORDER BY {_order(table)}"
        ).fetchall()
        for table, columns in COLUMNS.items()
    }


def write_rows(connection: sqlite3.Connection, rows: Rows) -> None:
    for table, columns in COLUMNS.items():
        marks = ", ".join("?" * len(columns))
        names = ", ".join(columns)
        connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows[table])


def project_of(rows: Rows) -> Project:
    """The project that these rows are.

    Raises:
        msgspec.ValidationError, LookupError: they are none.
    """
    ((_, active, baseline),) = rows["project"]
    scenarios, records = _scenarios(rows), _records(rows["record"])
    entries = tuple(
        Entry(id=id, parent=parent, scenario=scenarios[number], records=records.pop(number, ()))
        for number, id, parent, *_ in rows["scenario"]
    )
    return Project(
        entries=entries,
        active=active,
        baseline=baseline,
        own_catalog=catalog_of("own", rows["catalog_entry"]),
        used_catalog=catalog_of("used", rows["catalog_entry"]),
    )


def _records(rows: list[Row]) -> dict[int, tuple[Record, ...]]:
    """By scenario, each of a JSON object."""
    found: dict[int, list[Record]] = {}
    for number, _, kind, content in rows:
        msgspec.json.decode(content, type=dict[str, Any])
        found.setdefault(number, []).append(Record(kind=kind, content=content))
    return {number: tuple(records) for number, records in found.items()}


def _order(table: str) -> str:
    if table in _LISTS:
        return f"scenario, {_LISTS[table].owner}, position"
    if table == "catalog_entry":
        return "origin, kind, position"
    if table in ("mark", "fields"):
        return "scenario, item"
    columns = COLUMNS[table]
    return "scenario, position" if "position" in columns else columns[0]


def _scenarios(rows: Rows) -> dict[int, Scenario]:
    plain: dict[str, dict[int, list[dict[str, Any]]]] = {
        collection: _plain(shape, rows[shape.table]) for collection, shape in _ITEMS.items()
    }
    for table, of in _LISTS.items():
        lists = _lists(rows[table])
        *outer, name = of.path.split(".")
        for number, item in _each(plain[of.items]):
            into = item[outer[0]] if outer else item
            into[name] = lists.get((number, item["id"]), ())
    marks, more = _marks(rows["mark"]), _read_more(rows["fields"])
    there: set[Row] = {(number, "") for number, *_ in rows["scenario"]}
    for collection in SCENARIO_LISTS:
        known = _ITEMS[collection].more
        for number, item in _each(plain[collection]):
            at = (number, item["id"])
            there.add(at)
            item.update(marks.get(at, {}))
            _put_more(item, more.get(at, {}), known)
    if (marks.keys() | more.keys()) - there:
        raise LookupError("marks or fields of nothing")
    policies = {row[0]: POLICY.plain(row[1:]) for row in rows["policy"]}
    assumptions = {row[0]: ASSUMPTIONS.plain(row[1:]) for row in rows["assumptions"]}
    scenarios = {}
    for number, _, _, name, customer, author, notes in rows["scenario"]:
        plain_scenario = {
            "name": name,
            "customer": customer,
            "author": author,
            "notes": notes,
            "policy": policies[number],
            "assumptions": assumptions[number],
            **{collection: items.get(number, []) for collection, items in plain.items()},
            **marks.get((number, ""), {}),
        }
        _put_more(plain_scenario, more.get((number, ""), {}), _MORE[Scenario])
        scenarios[number] = msgspec.convert(plain_scenario, type=Scenario)
    return scenarios


def _plain(shape: Shape, rows: list[Row]) -> dict[int, list[dict[str, Any]]]:
    """The rows of a table as dictionaries, by the number of their scenario."""
    result: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        result.setdefault(row[0], []).append(shape.plain(row[2:]))
    return result


def _lists(rows: list[Row]) -> dict[tuple[int, str], list[str]]:
    result: dict[tuple[int, str], list[str]] = {}
    for number, owner, _, value in rows:
        result.setdefault((number, owner), []).append(value)
    return result


def _each(
    items: dict[int, list[dict[str, Any]]],
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each item with the number of its scenario."""
    for number, plain in items.items():
        for item in plain:
            yield number, item


def _marks(rows: list[Row]) -> dict[Row, dict[str, Any]]:
    """By scenario and item. The same texts come again and again: each is read once."""
    read: dict[Row, dict[str, Any]] = {}
    for row in rows:
        if row[2:] not in read:
            origins = msgspec.json.decode(row[2], type=dict[str, str])
            pins = msgspec.json.decode(row[3], type=list[str])
            read[row[2:]] = {"origins": tuple(origins.items()), "pins": pins}
    return {row[:2]: read[row[2:]] for row in rows}


def _read_more(rows: list[Row]) -> dict[Row, dict[str, Any]]:
    """By scenario and item."""
    return {row[:2]: msgspec.json.decode(row[2], type=dict[str, Any]) for row in rows}


def _put_more(plain: dict[str, Any], more: dict[str, Any], known: tuple[str, ...]) -> None:
    """Put values by their paths into what is to become an item.

    Raises:
        ModelError: a path that is not `known`: a later program has that field.
    """
    for path, value in more.items():
        if path not in known:
            reason = say("is a field of a newer Headroom; open the file with that one")
            raise ModelError(reason, field=path)
        *outer, name = path.split(".")
        into = plain
        for each in outer:
            into[each] = into.get(each) or {}
            into = into[each]
        into[name] = value


def catalog_of(origin: str, rows: list[Row]) -> Catalog:
    """The entries of this origin.

    Raises:
        msgspec.DecodeError, LookupError: a row is none.
    """
    collections: dict[str, dict[str, Any]] = {kind: {} for kind in _entry_types()}
    for row_origin, kind, _, id, *_, content in rows:
        if row_origin == origin:
            collections[kind][id] = msgspec.json.decode(content, type=_entry_types()[kind])
    return Catalog(**collections)
