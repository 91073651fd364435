"""docs/coverage.md: every statement has a place that says it, or a reason why it has none."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from app.calibrated import shipped_evidence
from app.cli import COMMANDS
from models.advise.topics import TOPICS
from models.base.fields import fields_of, leaves_of
from models.evidence.rows import EvidenceRow
from models.judgement.rulebook import RULES
from models.scenario.scenario import Assumptions, Cluster, Host, Policy, Pool, Vm
from resources.catalog_files import load_catalog
from resources.example_files import load_examples

ROOT = Path(__file__).resolve().parent.parent
STATEMENTS = {"VMworld": 89, "Virtualizing": 44, "IBM technote": 17, "Iris": 39, "developer": 32}
_PLACE = re.compile(r"`([a-z]+):([^`]+)`")
NOT_SAID = "–"
"""Where a statement has no place, and so no words."""
_ITEMS = {
    "policy": Policy,
    "clusters": Cluster,
    "hosts": Host,
    "pools": Pool,
    "vms": Vm,
    "assumptions": Assumptions,
}


@cache
def statements() -> tuple[tuple[str, str, str, str, str], ...]:
    """Document, lines, what it says, where that is and with which words, of each row."""
    found, document = [], ""
    for line in (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            document = line[3:]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if document and line.startswith("|") and cells[0] not in ("lines", "---"):
            lines, says, where, words = cells
            found.append((document, lines, says, where, words))
    return tuple(found)


def places() -> list[tuple[str, str]]:
    """Every place that is named, once."""
    named = (match.groups() for *_, where, _ in statements() for match in _PLACE.finditer(where))
    return sorted({(kind, name) for kind, name in named})


def test_every_statement_has_a_row_of_its_own() -> None:
    count = Counter(document for document, *_ in statements())
    assert {
        head: next(n for document, n in count.items() if document.startswith(head))
        for head in STATEMENTS
    } == STATEMENTS
    assert len({row[:3] for row in statements()}) == sum(STATEMENTS.values()) == 221


def test_a_statement_is_used_or_declined_with_a_reason() -> None:
    for _, lines, _, where, _ in statements():
        declined = where.partition("Declined")[2]
        assert _PLACE.search(where) or declined, lines
        assert not declined or len(declined) > 60, lines


@pytest.mark.parametrize(("kind", "name"), places())
def test_a_place_is_there(kind: str, name: str) -> None:
    assert _CHECKS[kind](name), f"{kind}:{name}"


def test_a_place_says_it() -> None:
    """The words of a row stand at one of its places, whatever marks are around them."""
    missing = []
    for _, lines, says, where, words in statements():
        named = _PLACE.findall(where)
        if words == NOT_SAID and not named:
            continue
        assert len(_plain(words)) > 3, lines
        if not any(_plain(words) in _said_at(*place) for place in named):
            missing.append(f"{lines}: {says}: “{words}” isn’t said at {where}")
    assert not missing, "\n".join(missing)


# --- what is said where -------------------------------------------------------------------------


_MARKS = re.compile(r"[*_`|“”\"'{}()\[\]=/]|[.,;:!?]+(?=[\s\"']|$)")


def _plain(text: object) -> str:
    """Words without marks, with a blank on either side, so that whole ones are looked for."""
    return f" {' '.join(_MARKS.sub(' ', str(text)).split()).casefold()} "


@cache
def _said_at(kind: str, name: str) -> str:
    return _plain(_SAYS[kind](name))


def _strings(node: ast.AST) -> str:
    constants = (each for each in ast.walk(node) if isinstance(each, ast.Constant))
    return " ".join(str(each.value) for each in constants)


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _rules() -> dict[str, str]:
    """What the calls and functions say that make rules, by their ids."""
    found: dict[str, str] = {}
    for file in sorted((ROOT / "models" / "judgement").rglob("*.py")):
        for node in ast.walk(_parsed(file)):
            calls = node.decorator_list if isinstance(node, ast.FunctionDef) else [node]
            for call in calls:
                first = call.args[0] if isinstance(call, ast.Call) and call.args else None
                if isinstance(first, ast.Constant) and first.value in RULES:
                    id = str(first.value)
                    found[id] = found.get(id, "") + _strings(node).replace(id, "")
    return found


def _rule_says(name: str) -> str:
    return f"{_rules().get(name, '')} {RULES[name].title}"


def _topic_says(name: str) -> str:
    return _strings(_parsed(_module(name.partition("#")[0])))


def _module(topic: str) -> Path:
    return ROOT / (TOPICS[topic].answer.__module__.replace(".", "/") + ".py")


def _input_says(name: str) -> str:
    id, _, field = name.partition("#")
    found = fields_of(TOPICS[id].inputs)[field]
    return f"{found.label} {found.meaning}"


def _row_says(name: str) -> str:
    row = _rows()[name]
    return f"{row.platform} {row.cpu} {row.metric} {row.printed} {row.unit} {row.note}"


@cache
def _rows() -> dict[str, EvidenceRow]:
    return {each.id: each for each in shipped_evidence()}


def _catalog_says(name: str) -> str:
    return " ".join(str(kind[name]) for kind in _kinds() if name in kind)


def _field_says(name: str) -> str:
    item, _, path = name.partition(".")
    found = leaves_of(_ITEMS[item])[path]
    return f"{found.label} {found.meaning} {found.hint}"


def _example_says(name: str) -> str:
    return next(
        file.text for each in load_examples() for file in each.files if file.name == f"{name}.json"
    )


def _command_says(name: str) -> str:
    command = next(each for each in COMMANDS if each.name == name)
    return f"{command.about} {command.arguments}"


def _doc_says(name: str) -> str:
    """A section with those below it."""
    file, _, heading = name.partition("#")
    said: list[str] = []
    depth = 0
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        level = len(line) - len(line.lstrip("#"))
        if level and line.lstrip("#").strip() == heading:
            depth = level
        elif depth and 0 < level <= depth:
            break
        if depth:
            said.append(line)
    return " ".join(said)


def _code_says(name: str) -> str:
    """What defines it, and the text that follows it."""
    file, _, defined = name.partition(":")
    source, body = (ROOT / file).read_text(encoding="utf-8"), _parsed(ROOT / file).body
    for at, node in enumerate(body):
        if defined in _defined(node):
            said = ast.get_source_segment(source, node) or ""
            after = body[at + 1] if at + 1 < len(body) else None
            return said + (_strings(after) if isinstance(after, ast.Expr) else "")
    return ""


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {each.id for each in targets if isinstance(each, ast.Name)}
    return set()


# --- what is there ------------------------------------------------------------------------------


def _topic(name: str) -> bool:
    id, _, number = name.partition("#")
    if id not in TOPICS:
        return False
    written = _module(id).read_text(encoding="utf-8")
    return re.search(rf"[\"/]{re.escape(number)}", written) is not None


def _input(name: str) -> bool:
    id, _, field = name.partition("#")
    return id in TOPICS and field in fields_of(TOPICS[id].inputs)


def _kinds() -> tuple[Mapping[str, object], ...]:
    catalog = load_catalog()
    return (catalog.servers, catalog.hypervisors, catalog.arrays, catalog.disks)


def _catalog(name: str) -> bool:
    return any(name in kind for kind in _kinds())


def _field(name: str) -> bool:
    item, _, path = name.partition(".")
    return path in leaves_of(_ITEMS[item])


def _doc(name: str) -> bool:
    file, _, heading = name.partition("#")
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return any(line.lstrip("#").strip() == heading for line in lines if line.startswith("#"))


def _code(name: str) -> bool:
    file, _, defined = name.partition(":")
    return any(defined in _defined(node) for node in _parsed(ROOT / file).body)


_CHECKS = {
    "rule": RULES.__contains__,
    "topic": _topic,
    "input": _input,
    "row": lambda name: name in _rows(),
    "catalog": _catalog,
    "field": _field,
    "example": {
        file.name.removesuffix(".json") for each in load_examples() for file in each.files
    }.__contains__,
    "command": {each.name for each in COMMANDS}.__contains__,
    "doc": _doc,
    "code": _code,
}
_SAYS: dict[str, Callable[[str], str]] = {
    "rule": _rule_says,
    "topic": _topic_says,
    "input": _input_says,
    "row": _row_says,
    "catalog": _catalog_says,
    "field": _field_says,
    "example": _example_says,
    "command": _command_says,
    "doc": _doc_says,
    "code": _code_says,
}
