"""docs/coverage.md: every statement has a place that there is, or a reason why it has none."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from app.calibrated import shipped_evidence
from app.cli import COMMANDS
from models.advise.topics import TOPICS
from models.fields import fields_of, leaves_of
from models.judgement.rulebook import RULES
from models.scenario import Assumptions, Cluster, Host, Policy, Pool, Vm
from resources.catalog_files import load_catalog
from resources.example_files import load_examples

ROOT = Path(__file__).resolve().parent.parent
STATEMENTS = {"VMworld": 89, "Virtualizing": 44, "IBM technote": 17, "Iris": 39, "developer": 32}
_PLACE = re.compile(r"`([a-z]+):([^`]+)`")
_ITEMS = {
    "policy": Policy,
    "clusters": Cluster,
    "hosts": Host,
    "pools": Pool,
    "vms": Vm,
    "assumptions": Assumptions,
}


@cache
def statements() -> tuple[tuple[str, str, str, str], ...]:
    """Document, lines, what it says and where that is, of each row."""
    found, document = [], ""
    for line in (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            document = line[3:]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if document and line.startswith("|") and cells[0] not in ("lines", "---"):
            lines, says, where = cells
            found.append((document, lines, says, where))
    return tuple(found)


def places() -> list[tuple[str, str]]:
    """Every place that is named, once."""
    named = (match.groups() for *_, where in statements() for match in _PLACE.finditer(where))
    return sorted({(kind, name) for kind, name in named})


def test_every_statement_has_a_row_of_its_own() -> None:
    count = Counter(document for document, *_ in statements())
    assert {
        head: next(n for document, n in count.items() if document.startswith(head))
        for head in STATEMENTS
    } == STATEMENTS
    assert len({row[:3] for row in statements()}) == sum(STATEMENTS.values()) == 221


def test_a_statement_is_used_or_declined_with_a_reason() -> None:
    for _, lines, _, where in statements():
        declined = where.partition("Declined")[2]
        assert _PLACE.search(where) or declined, lines
        assert not declined or len(declined) > 60, lines


@pytest.mark.parametrize(("kind", "name"), places())
def test_a_place_is_there(kind: str, name: str) -> None:
    assert _CHECKS[kind](name), f"{kind}:{name}"


def _topic(name: str) -> bool:
    id, _, number = name.partition("#")
    if id not in TOPICS:
        return False
    module = ROOT / (TOPICS[id].answer.__module__.replace(".", "/") + ".py")
    written = module.read_text(encoding="utf-8")
    return re.search(rf"[\"/]{re.escape(number)}", written) is not None


def _input(name: str) -> bool:
    id, _, field = name.partition("#")
    return id in TOPICS and field in fields_of(TOPICS[id].inputs)


def _catalog(name: str) -> bool:
    catalog = load_catalog()
    kinds = (catalog.servers, catalog.hypervisors, catalog.arrays, catalog.disks)
    return any(name in kind for kind in kinds)


def _field(name: str) -> bool:
    item, _, path = name.partition(".")
    return path in leaves_of(_ITEMS[item])


def _doc(name: str) -> bool:
    file, _, heading = name.partition("#")
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return any(line.lstrip("#").strip() == heading for line in lines if line.startswith("#"))


def _code(name: str) -> bool:
    file, _, defined = name.partition(":")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return defined in {
        target.id if isinstance(target, ast.Name) else ""
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
    } | {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}


_CHECKS = {
    "rule": RULES.__contains__,
    "topic": _topic,
    "input": _input,
    "row": {each.id for each in shipped_evidence()}.__contains__,
    "catalog": _catalog,
    "field": _field,
    "example": {
        file.name.removesuffix(".json") for each in load_examples() for file in each.files
    }.__contains__,
    "command": {each.name for each in COMMANDS}.__contains__,
    "doc": _doc,
    "code": _code,
}
