"""Brings the table of fields in docs/file-format.md up to date: `python packaging/fields.py`.

It is made from what `scenario.scenario` says of its fields, between two comments of the document.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.base.fields import Field

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "file-format.md"
BEGIN, END = "<!-- fields -->\n", "<!-- end of fields -->\n"


def table() -> str:
    """One row a field that is a value: path, default, what it may be, meaning."""
    sys.path.insert(0, str(ROOT))
    from models.base.fields import leaves_of
    from models.scenario.scenario import (
        Affinity,
        Cluster,
        Host,
        ImportNote,
        Pool,
        Scenario,
        Vm,
        Waiver,
    )

    kinds = {
        "top": Scenario,
        "cluster": Cluster,
        "host": Host,
        "pool": Pool,
        "VM": Vm,
        "rule": Affinity,
        "waiver": Waiver,
        "import note": ImportNote,
    }
    rows = ["| where | field | default | may be | meaning |", "|---|---|---|---|---|"]
    rows += [
        f"| {where} | `{path}` | {_default(each)} | {_bounds(each)} | {each.meaning} |"
        for where, kind in kinds.items()
        for path, each in leaves_of(kind).items()
    ]
    return "\n".join(rows) + "\n"


def _default(field: Field) -> str:
    from models.base.fields import REQUIRED

    value = field.default
    if field.name == "name" and not field.meaning.startswith("Name of"):
        return "its id"
    if value is REQUIRED or field.is_needed:
        return "**required**"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}"
    if field.is_list:
        return ", ".join(f"`{each}`" for each in value) or "none"
    return f"`{value}`" if value else "empty"


def _bounds(field: Field) -> str:
    from models.base.fields import NOUNS

    if field.choices:
        return ", ".join(map(str, field.choices))
    if field.is_number:
        ends = (f"{end:,.12g}" for end in (field.ge, field.le) if end is not None)
        return " to ".join(ends)
    if field.ids:
        return f"{'ids' if field.is_list else 'id'}, {NOUNS[field.ids]}"
    if field.is_word:
        return ", ".join(f"`{word}`" for word in field.type)
    if field.type is bool:
        return "true, false"
    return {"line": "text", "name": "name", "lines": "lines"}[field.text] + "s" * field.is_list


def renewed(document: str) -> str:
    """The document with the table as it is now."""
    before, rest = document.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(renewed(text), encoding="utf-8")
