"""Project and scenario files as nobody would write them, and what becomes of them.

Each is made from its number: the same number gives the same file.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from app.calibrated import shipped_calibration
from db.checksum import COLUMN, content_sha256
from db.codec import scenario_from_json, scenario_to_json
from db.errors import StoreError
from db.files import open_any, save_whole
from db.rows import COLUMNS
from models.catalog.catalog import Catalog
from models.catalog.own_hardware import custom_array, custom_profile, rated_server
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.project.catalog_use import catalog_for
from models.project.project import Entry, Project
from models.scenario.scenario import Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog, load_processors
from resources.example_files import load_examples

ODD: tuple[Any, ...] = (
    *(0, 1, -1, 2, -8, 3.5, 1e-308, -1e308, 1e308, 2**31, 2**63, 10**30, 1e9, 0.1, -0.0),
    *(None, True, False, "", " ", "x", "none", "\u202eabc", "\u200b", "a" * 201, "a\nb", "0"),
    *([], [[]], {}, {"a": 1}, [1, 2], "[" * 3000, [None], ["x"] * 300, "=1+1", "\x00"),
)
"""Values that something may stumble over, wherever they come to stand."""

FACTORS = (1e-9, 1e-3, 0.1, 0.5, 1.01, 2, 7, 30, 1e3, 1e6)
"""What a number may be multiplied with to stay one that looks like it."""

_STATEMENTS = (
    "CREATE VIEW extra AS SELECT 1 AS a",
    "CREATE TABLE extra (a TEXT, b TEXT AS (hex(zeroblob(1000000))) VIRTUAL)",
    "CREATE TABLE extra (a)",
    "CREATE TRIGGER extra AFTER INSERT ON vm BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE extra USING fts5(a)",
    "CREATE INDEX extra ON vm (name)",
    "DROP TABLE waiver",
    "DELETE FROM policy",
    "DELETE FROM scenario",
    "UPDATE scenario SET parent = id",
    "INSERT INTO mark VALUES (0, 'nobody', '{}', '[]')",
    "UPDATE mark SET pins = replace(hex(zeroblob(100000)), '0', '[')",
    "PRAGMA user_version = 3",
    "PRAGMA user_version = 1",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = -1",
    "PRAGMA application_id = 1",
)


@cache
def a_project() -> Project:
    """The scenarios of two examples, and entries of one's own of each kind."""
    files = [file for example in load_examples() for file in example.files][:3]
    scenarios = [scenario_from_json(file.text.encode(), name=file.name) for file in files]
    entries = tuple(
        Entry(id=f"s{at}", scenario=scenario, parent=f"s{at - 1}" if at else None)
        for at, scenario in enumerate(scenarios)
    )
    own: tuple[Any, ...] = (
        rated_server(name="Box", sockets=2, cores=16, spec_rate=90.0, max_ram_gib=256.0),
        custom_array(name="Filer", ceiling_iops=20_000.0, raid_levels=("5",)),
        custom_profile(
            name="Print", workload=Workload(kind=WorkloadKind.GENERIC), vcpus=2, ram_gib=4.0
        ),
    )
    kinds = ("servers", "arrays", "profiles")
    kept: dict[str, Any] = {kind: {each.id: each} for kind, each in zip(kinds, own, strict=True)}
    kept["processors"] = dict(list(load_processors().items())[:1])
    shipped = load_catalog()
    kept["hypervisors"] = dict(list(shipped.hypervisors.items())[1:2])
    return Project(entries=entries, active="s0", baseline="s1", own_catalog=Catalog(**kept))


@cache
def _document(folder: Path) -> bytes:
    path = folder / "sound.headroom"
    save_whole(path, a_project(), catalog_for(a_project(), load_catalog()), program_version="1")
    return path.read_bytes()


def project_file(folder: Path, number: int) -> Path:
    """A project with one to three things wrong with it, its checksum right as a rule."""
    chance = Random(number)
    path = folder / "odd.headroom"
    path.write_bytes(_document(folder))
    if chance.random() < 0.2:
        path.write_bytes(_spoiled(path.read_bytes(), chance))
        return path
    for _ in range(chance.choice((1, 1, 2, 3))):
        change = chance.choice((_change_cell, _change_entry, _change_entry, _change_mark, _change))
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            try:
                change(file, chance)
            except (sqlite3.Error, ValueError, OverflowError, TypeError):
                continue  # an earlier change left nothing to change here
    if chance.random() < 0.9:
        sign(path)
    return path


def sign(path: Path) -> None:
    """Give a project the checksum of what it holds now: it has no key, anybody can."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        try:
            file.execute(f"UPDATE written SET {COLUMN} = ?", (content_sha256(file),))
        except (sqlite3.Error, UnicodeDecodeError):
            return


def _change(file: sqlite3.Connection, chance: Random) -> None:
    file.execute(chance.choice(_STATEMENTS))


def _change_cell(file: sqlite3.Connection, chance: Random) -> None:
    table = chance.choice(list(COLUMNS))
    column = chance.choice(COLUMNS[table])
    value = chance.choice([each for each in ODD if not isinstance(each, list | dict)])
    rows = file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    where = "" if chance.random() < 0.5 or not rows else f" WHERE {column} = (SELECT {column} "
    if where:
        where += f"FROM {table} LIMIT 1 OFFSET {chance.randrange(rows)})"
    file.execute(f"UPDATE {table} SET {column} = ?{where}", (value,))


def _change_entry(file: sqlite3.Connection, chance: Random) -> None:
    rows = file.execute("SELECT origin, kind, id, content FROM catalog_entry").fetchall()
    origin, kind, id, content = chance.choice(rows)
    tree = json.loads(content)
    change_tree(tree, chance)
    file.execute(
        "UPDATE catalog_entry SET content = ? WHERE origin = ? AND kind = ? AND id = ?",
        (json.dumps(tree), origin, kind, id),
    )


def _change_mark(file: sqlite3.Connection, chance: Random) -> None:
    column = chance.choice(("origins", "pins"))
    value = chance.choice(('["ram_gib"]', '{"ram_gib": "manual"}', json.dumps(chance.choice(ODD))))
    file.execute(f"UPDATE mark SET {column} = ?", (value,))


def scenario_text(number: int) -> bytes:
    """A scenario with one to three things wrong with it."""
    chance = Random(number)
    entry = chance.choice(a_project().entries)
    text = _scenario_of(entry)
    if chance.random() < 0.3:
        return _spoiled(text, chance)
    tree = json.loads(text)
    for _ in range(chance.choice((1, 1, 2, 3))):
        change_tree(tree, chance)
    return json.dumps(tree).encode()


@cache
def _scenario_of(entry: Entry) -> bytes:
    return scenario_to_json(entry.scenario)


def change_tree(tree: Any, chance: Random) -> None:
    """Exchange, remove, double or add one value somewhere in it."""
    at = tree
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = at[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.15:
            break
        at = inner
    act = chance.random()
    if isinstance(inner, int | float) and not isinstance(inner, bool) and act < 0.6:
        bigger = inner * chance.choice(FACTORS)
        at[key] = int(bigger) if isinstance(inner, int) else bigger
    elif act < 0.75:
        at[key] = deepcopy(chance.choice(ODD))
    elif act < 0.85:
        del at[key]
    elif isinstance(at, list):
        at.append(deepcopy(inner))
    else:
        at[f"{key}x"] = deepcopy(inner)


def _spoiled(data: bytes, chance: Random) -> bytes:
    content = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        content[chance.randrange(len(content))] = chance.randrange(256)
    if chance.random() < 0.2:
        del content[chance.randrange(len(content)) :]
    return bytes(content)


def outcome(path: Path) -> str:
    """What becomes of a file: ``refused`` with one sentence, or ``opened`` and evaluated.

    Raises:
        Exception: anything else; then it is not safe to open.
    """
    try:
        project = open_any(path, load_catalog())
    except StoreError as error:
        text = str(error)
        assert text.startswith(f"{path}: "), text
        assert len(text) < len(str(path)) + 700, text
        assert "\n" not in text, text
        return "refused"
    catalog = catalog_for(project, load_catalog())
    for entry in project.entries:
        evaluate(entry.scenario, Knowledge(catalog, shipped_calibration()))
    return "opened"


def outcomes(folder: Path, numbers: range, report: Callable[[int, str], None]) -> Counter[str]:
    """What becomes of a project and of a scenario for each number; `report` hears of each."""
    found: Counter[str] = Counter()
    for number in numbers:
        path = project_file(folder, number)
        text = folder / "odd.json"
        text.write_bytes(scenario_text(number))
        for kind, each in (("project", path), ("scenario", text)):
            try:
                what = outcome(each)
            except Exception as error:  # noqa: BLE001 - the fault is what is looked for
                what = f"{type(error).__name__}: {error}"[:200]
                report(number, f"{kind}: {what}")
            found[f"{kind} {what}"] += 1
    return found
