"""Servers of somebody's own as a table (CSV or XLSX) or as JSON; columns and keys are those of
`models.against.table.COLUMNS`.

    {"format": "headroom-servers", "version": 1,
     "servers": [{"name": "Mail-01", "active_users": 400, "server": "r740-6148", ...}]}
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from db.door import content
from db.errors import StoreError, bounded
from db.importers.opening import open_source
from db.importers.tables import As, Columns, Table, Want, keyed, tables_of
from db.importers.watch import Watch
from db.json_tree import doubled_key
from models.against.table import BY_NAME, COLUMNS, MOST_SERVERS, AskedOf, OwnServer
from models.base.texts import say

FORMAT, VERSION = "headroom-servers", 1
MOST_BYTES = 16 * 2**20
_JSON = "{["
_LEAST = 2
"""Of our columns, for a sheet to be the one that is meant."""


@dataclass(frozen=True, slots=True)
class ServerTable:
    """What a file tells of servers; `not_read`: headings that nobody knows."""

    servers: tuple[OwnServer, ...]
    not_read: tuple[str, ...] = ()


def read_own_servers(path: str | Path) -> ServerTable:
    """The servers that a file tells of.

    Raises:
        StoreError: it can't be read, is no such table, or a cell is no number where one belongs.
    """
    file = open_source(path, Watch())[0]
    if file.workbook is None and file.start.lstrip().startswith(tuple(_JSON)):
        found = ServerTable(_of_json(path))
    else:
        tables = [each for each in tables_of(file).values() if _known_in(each) >= _LEAST]
        if not tables:
            sentence = say("has no columns that are known; `validate --schema` names them")
            raise StoreError(sentence, path)
        found = _of_table(max(tables, key=_known_in), path)
    if not found.servers:
        raise StoreError(say("holds no server"), path)
    return found


def _known_in(table: Table) -> int:
    return len(table.keys & {keyed(each.name)[0] for each in COLUMNS})


def _want(asked: AskedOf) -> Want:
    key, unit = keyed(asked.name)
    if not asked.holds_number:
        return Want((key,), As.TEXT)
    kind = {"gib": As.MIB, "mb": As.MIB, "mhz": As.MHZ}.get(unit, As.NUMBER)
    return Want((key,), kind, "" if kind is As.NUMBER else unit, is_whole=False)


def _of_table(table: Table, path: str | Path) -> ServerTable:
    columns = Columns(table, {each.name: _want(each) for each in COLUMNS}, most=MOST_SERVERS)
    if "name" not in columns:
        raise StoreError(say("has no column “{heading}”", heading="name"), path)
    rows = []
    for number, values, _ in columns.rows():
        gib = {name: value / 1024.0 for name, value in values.items() if name.endswith("_gib")}
        rows.append((number, values | gib))
    if columns.broken:
        place = f"row {columns.broken[0]}"
        raise StoreError(say("has other cells than headings"), path, field=place)
    cells = dict(table.rows())
    for number, found in rows:
        _check_row(number, found, cells[number], columns, path)
    return ServerTable(
        tuple(OwnServer(f"row {number}", found) for number, found in rows),
        tuple(each.name for each in columns.not_read()),
    )


def _check_row(
    number: int, found: dict[str, Any], cells: list[Any], columns: Columns, path: str | Path
) -> None:
    """What a cell says has to have been understood.

    Raises:
        StoreError: it was not, or the row names no server.
    """
    for name, column in columns.found.items():
        cell = cells[column.index] if column.index < len(cells) else None
        if name not in found and cell is not None and str(cell).strip() not in {"", "-", "–"}:
            place = f"row {number}, {column.heading}"
            raise StoreError(say("must be a number from 0 on"), path, field=place)
    if "name" not in found:
        raise StoreError(say("is missing"), path, field=f"row {number}, name")


def _of_json(path: str | Path) -> tuple[OwnServer, ...]:
    data = content(path, MOST_BYTES, say("is larger than {most} MiB", most=MOST_BYTES // 2**20))
    data = data.removeprefix(b"\xef\xbb\xbf")
    with bounded(path):
        try:
            tree = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise StoreError(say("is no valid JSON"), path) from None
        doubled = doubled_key(data)
    if doubled is not None:
        raise StoreError(say("is given twice"), path, field=doubled)
    if not isinstance(tree, dict) or not isinstance(tree.get("servers"), list):
        raise StoreError(say("must be an object with “servers”"), path)
    if tree.get("format", FORMAT) != FORMAT:
        raise StoreError(say("must be “{format}”", format=FORMAT), path, field="format")
    if tree.get("version", VERSION) != VERSION:
        raise StoreError(say("must be {version}", version=VERSION), path, field="version")
    if len(tree["servers"]) > MOST_SERVERS:
        raise StoreError(say("has too many entries"), path, field="servers")
    return tuple(
        _of_item(each, f"servers[{index}]", path) for index, each in enumerate(tree["servers"])
    )


def _of_item(item: Any, place: str, path: str | Path) -> OwnServer:
    if not isinstance(item, dict):
        raise StoreError(say("must be an object"), path, field=place)
    found = {}
    for key, value in item.items():
        field = f"{place}.{key}"
        if key not in BY_NAME:
            sentence = say("is not known; `validate --schema` names the columns")
            raise StoreError(sentence, path, field=field)
        if value is not None and value != "":
            found[key] = _value(BY_NAME[key], value, field, path)
    if "name" not in found:
        raise StoreError(say("is missing"), path, field=f"{place}.name")
    return OwnServer(place, found)


def _value(asked: AskedOf, value: Any, field: str, path: str | Path) -> Any:
    if not asked.holds_number:
        if not isinstance(value, str):
            raise StoreError(say("must be a text"), path, field=field)
        return value.strip()
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not 0 <= value < 1e18:
        raise StoreError(say("must be a number from 0 on"), path, field=field)
    return float(value)


def own_servers_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of such a file; a table has the same names as headings."""
    properties: dict[str, Any] = {}
    for each in COLUMNS:
        words = (
            [word.value for word in each.field.type] if each.field and each.field.is_word else []
        )
        kind = {"type": "number", "minimum": 0} if each.holds_number else {"type": "string"}
        properties[each.name] = kind | {"description": each.meaning}
        if words:
            properties[each.name]["enum"] = words
    server = {
        "type": "object",
        "properties": properties,
        "required": ["name"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Servers of one's own, to hold the model against",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "servers": {"type": "array", "items": server, "maxItems": MOST_SERVERS},
        },
        "required": ["servers"],
    }


def template_text() -> str:
    """A table to fill in: the headings, and one server as an example."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([each.name for each in COLUMNS])
    lines.writerow([each.example for each in COLUMNS])
    return text.getvalue()
