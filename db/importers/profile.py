"""What the columns of a table are, as somebody said it: a TOML file.

sheet = "Inventory"          # of a workbook; by default the first that fits
delimiter = ";"              # of a text; by default found
decimal = ","
on = ["eingeschaltet"]       # words that mean powered on; all others mean off

[columns]
name = "Servername"
vcpus = "Anzahl CPU"
ram_mib = { heading = "RAM", unit = "GB" }
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from db.door import content
from db.errors import StoreError, refused
from db.importers.figures import MHZ, MIB
from models.base.errors import ModelError
from models.base.texts import joined, say
from models.base.toml import tree_of

MAX_BYTES = 2**20
TEXTS = ("name", "id", "vcenter", "datacenter", "cluster", "host", "datastore", "folder", "os")
LISTS = ("tags",)
FLAGS = ("power", "is_template", "is_placeholder")
SPACES = ("ram_mib", "provisioned_mib", "disks_mib", "in_use_mib", "consumed_mib", "used_ram_mib")
FIGURES = ("vcpus", "cpu_mhz", "cpu_pct", "iops")
FIELDS = (*TEXTS, *LISTS, *FLAGS, *SPACES, *FIGURES)
WORDS = {
    "name": say("name of the VM"),
    "id": say("id of the VM"),
    "vcenter": say("vCenter"),
    "datacenter": say("data center"),
    "cluster": say("cluster"),
    "host": say("host"),
    "datastore": say("data store"),
    "folder": say("folder"),
    "os": say("operating system"),
    "tags": say("tags"),
    "power": say("powered on or off"),
    "is_template": say("is a template"),
    "is_placeholder": say("is a placeholder"),
    "ram_mib": say("RAM"),
    "provisioned_mib": say("space provisioned"),
    "disks_mib": say("space of virtual disks"),
    "in_use_mib": say("space used on the data store"),
    "consumed_mib": say("space used in the guest"),
    "used_ram_mib": say("RAM in use"),
    "vcpus": say("vCPUs"),
    "cpu_mhz": say("CPU in use, MHz"),
    "cpu_pct": say("CPU in use, %"),
    "iops": say("IOPS"),
}
"""What people call each field."""
_KEYS = ("sheet", "delimiter", "decimal", "on", "columns")


@dataclass(frozen=True, slots=True)
class ColumnOf:
    """The column of a field: its heading, and the unit where the heading says none."""

    heading: str
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What somebody said of a table; what is empty is found."""

    columns: Mapping[str, ColumnOf] = field(default_factory=dict)
    sheet: str = ""
    delimiter: str = ""
    decimal: str = ""
    on: tuple[str, ...] = ()


def read_profile(path: str | Path, fields: tuple[str, ...] = FIELDS) -> Profile:
    """The profile in a file, of columns by these names.

    Raises:
        StoreError: it can't be read, or names what there is not.
    """
    try:
        data = content(path, MAX_BYTES, say("is larger than any column profile"))
        tree = tree_of(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise StoreError(say("is not UTF-8 text"), path) from None
    except ModelError as error:
        raise refused(error, path) from error
    return _profile(tree, path, fields)


def profile_text(profile: Profile) -> str:
    """The profile as a file that `read_profile` reads.

    >>> print(
    ...     profile_text(
    ...         Profile(columns={"name": ColumnOf("VM"), "ram_mib": ColumnOf("RAM", "gb")})
    ...     )
    ... )
    [columns]
    name = { heading = "VM", unit = "" }
    ram_mib = { heading = "RAM", unit = "gb" }
    <BLANKLINE>
    """
    lines = [
        f"{key} = {_quoted(value)}"
        for key in ("sheet", "delimiter", "decimal")
        if (value := getattr(profile, key))
    ]
    if profile.on:
        lines.append(f"on = [{', '.join(map(_quoted, profile.on))}]")
    lines.append("[columns]")
    for name, column in profile.columns.items():
        heading, unit = _quoted(column.heading), _quoted(column.unit)
        lines.append(f"{name} = {{ heading = {heading}, unit = {unit} }}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A basic string of TOML, which JSON's is too."""
    return json.dumps(text, ensure_ascii=False)


def _profile(tree: dict[str, Any], path: str | Path, fields: tuple[str, ...]) -> Profile:
    for key in tree:
        _one_of(key, _KEYS, path, "")
    columns = tree.get("columns")
    if not isinstance(columns, dict) or not columns:
        raise StoreError(say("needs a table of columns"), path, field="columns")
    found = {}
    for name, value in columns.items():
        _one_of(name, fields, path, "columns")
        place = f"columns.{name}"
        said = {"heading": value} if isinstance(value, str) else value
        if not isinstance(said, dict) or not isinstance(said.get("heading"), str):
            raise StoreError(say("must be a heading, or heading and unit"), path, field=place)
        unit = said.get("unit", "")
        if not isinstance(unit, str) or (unit and unit.lower() not in {**MIB, **MHZ}):
            raise StoreError(say("is no unit"), path, field=f"{place}.unit")
        found[name] = ColumnOf(said["heading"], unit.lower())
    on = tree.get("on", [])
    if not isinstance(on, list) or not all(isinstance(each, str) for each in on):
        raise StoreError(say("must be a list of words"), path, field="on")
    texts = {key: tree.get(key, "") for key in ("sheet", "delimiter", "decimal")}
    for key, value in texts.items():
        if not isinstance(value, str) or (key != "sheet" and len(value) > 1):
            raise StoreError(say("must be one mark"), path, field=key)
    return Profile(columns=found, on=tuple(each.casefold() for each in on), **texts)


def _one_of(name: str, known: tuple[str, ...], path: str | Path, inside: str) -> None:
    if name not in known:
        words = joined(", ", known)
        field = f"{inside}.{name}" if inside else name
        raise StoreError(say("is not known; there are {words}", words=words), path, field=field)
