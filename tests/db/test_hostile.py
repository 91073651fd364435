"""A file from somebody else is safe to open: refused in one sentence, or evaluated."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from db.codec import scenario_from_json, scenario_to_json
from db.errors import ChangedContent, StoreError
from db.library import extend_library, load_library
from db.project import load_project, save_project, write_project
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.catalog.own_hardware import rated_server
from tests.db.documents import encoded, example
from tests.db.hostile import a_project, outcomes, sign

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"
MORE = "UPDATE catalog_entry SET content = substr(content, 1, length(content) - 1)"
HUGE = "SELECT hex(zeroblob(499999999))"


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A project with nothing wrong in it."""
    path = tmp_path / "plan.headroom"
    save_project(path, a_project(), program_version="1")
    return path


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for statement in statements:
            file.execute(statement)


def sentence(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        load_project(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def test_odd_files_of_every_kind(tmp_path: Path) -> None:
    faults: list[str] = []
    found = outcomes(tmp_path, range(60), lambda number, what: faults.append(f"{number} {what}"))
    assert not faults
    assert {"project refused", "project opened", "scenario refused"} <= set(found)


@pytest.mark.parametrize("query", [ENDLESS, HUGE], ids=["endless", "huge"])
@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_a_view_is_not_asked(sound: Path, query: str, version: int) -> None:
    run(
        sound,
        "DROP TABLE written",
        "CREATE VIEW written AS SELECT 1 AS number, 'x' AS program_version, 'y' AS saved_at, "
        f"({query}) AS content_sha256",
        f"PRAGMA user_version = {version}",
    )
    assert sentence(sound).startswith("is damaged")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE extra (a TEXT, b TEXT AS (hex(zeroblob(400000000))) VIRTUAL)",
        "CREATE TABLE extra (a)",
        "CREATE VIRTUAL TABLE extra USING fts5(a)",
        "CREATE TRIGGER extra AFTER INSERT ON vm BEGIN SELECT 1; END",
        "CREATE INDEX extra ON vm (lower(name))",
    ],
)
@pytest.mark.parametrize("version", [3, 4])
def test_what_the_schema_does_not_have_is_refused(
    sound: Path, statement: str, version: int
) -> None:
    run(sound, statement, f"PRAGMA user_version = {version}")
    assert sentence(sound).startswith("is damaged")


def test_a_query_has_a_deadline(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.sqlite.DEADLINE_S", -1.0)
    monkeypatch.setattr("db.sqlite.STEPS_BETWEEN_LOOKS", 1)
    assert sentence(sound) == "takes longer to read than any project"


def test_a_file_that_is_too_large_is_not_read(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.project.MAX_BYTES", 0)
    assert sentence(sound) == "is larger than 0 MiB, no project is"
    with pytest.raises(StoreError, match="is larger than"):  # nor is it replaced unread
        save_project(sound, a_project(), program_version="2")


def test_rows_are_counted_before_they_are_read(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.project.MOST_ROWS", 20)
    assert sentence(sound) == "holds more than any project"
    with pytest.raises(StoreError, match="holds more than one file can take"):
        write_project(sound, a_project(), program_version="1")


def test_a_value_that_is_too_long_is_not_read(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(sound, "UPDATE scenario SET notes = hex(zeroblob(9000000))")
    assert sentence(sound) == "holds more than any project"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE mark SET pins = '{deep}'", "is damaged"),
        ("UPDATE mark SET origins = '{deep}'", "is damaged"),
        ("UPDATE catalog_entry SET content = '{deep}'", "is damaged"),
        (
            f"{MORE} || ',\"more\":{{deep}}}}'",
            "is nested more deeply than any file",
        ),
    ],
)
def test_what_is_deep_is_the_fault_of_the_file(sound: Path, statement: str, expected: str) -> None:
    run(
        sound,
        "INSERT OR IGNORE INTO mark VALUES (0, '', '{}', '[]')",
        statement.replace("{deep}", "[" * 60_000),
    )
    assert sentence(sound).startswith(expected)


def test_a_mark_of_nothing_is_refused(sound: Path) -> None:
    run(sound, "INSERT INTO mark VALUES (0, 'nobody', '{}', '[]')")
    sign(sound)
    assert sentence(sound).startswith("is damaged")


def test_scenarios_that_descend_from_each_other_are_refused(sound: Path) -> None:
    run(sound, "UPDATE scenario SET parent = 's1' WHERE id = 's0'")
    sign(sound)
    assert sentence(sound) == "scenarios are duplicates of each other in a circle"


def test_a_name_of_the_catalog_is_a_line(sound: Path) -> None:
    run(sound, "UPDATE host SET hypervisor = hex(zeroblob(5000)) WHERE scenario = 0")
    sign(sound)
    assert sentence(sound) == "hosts[0].hypervisor: must not be longer than 200 characters"


ENTRIES: list[tuple[str, str, Any, str]] = [
    ("servers", "cores", -8, "cores: must be ≥ 1"),
    ("servers", "cores", 0, "cores: must be ≥ 1"),
    ("servers", "threads", 1, "needs sockets ≤ cores ≤ threads"),
    ("servers", "spec_rate", 1e308, "spec_rate: must be ≤ 1,000,000"),
    ("servers", "base_mhz", -1e308, "base_mhz: must be ≥ 1"),
    ("servers", "name", "a\nb", "name: must be one line without control characters"),
    ("servers", "name", " \u200b", "name: must have a character that can be seen"),
    ("servers", "id", "other", "id: must be the one of its row"),
    ("servers", "id", "Ünfit", "id: an id has small letters"),
    ("arrays", "write_penalty", -4, "write_penalty: must be ≥ 1"),
    ("arrays", "raid_levels", ["5"] * 300, "raid_levels: must not have more than"),
    ("hypervisors", "console_gib", 1e308, "console_gib: must be ≤ 1,000,000"),
    ("hypervisors", "slot_cpu_mhz", 1e-308, "slot_cpu_mhz: must be ≥ 1"),
    ("hypervisors", "transferred", ["nothing"], "transferred: “nothing” is not a field"),
    ("hypervisors", "version", [4, -1, 0], "version: must be ≥ 0"),
    ("profiles", "vcpus", 0, "vcpus: must be ≥ 1"),
    ("profiles", "ram_gib", -1.0, "ram_gib: must be ≥ 0.001"),
]


@pytest.mark.parametrize(("kind", "field", "value", "expected"), ENTRIES)
def test_an_entry_is_held_to_the_bounds_of_one_typed_by_hand(
    sound: Path, kind: str, field: str, value: object, expected: str
) -> None:
    id = change_entry(sound, kind, lambda entry: entry.update({field: value}))
    assert sentence(sound).startswith((f"{kind}.{id}.{expected}", f"{kind}.{id}: {expected}"))


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("mib", [[1.0]], "mib: must have a row for each ram_mib"),
        ("ram_mib", [], "ram_mib: must rise"),
        ("vcpus", [2, 1], "vcpus: must rise"),
        ("mib", [[-1.0]], "mib: must be ≥ 0.001"),
        ("evidence", [["a"]], "evidence: must have the shape of mib"),
    ],
)
def test_a_table_of_overheads_is_held_to_its_shape(
    sound: Path, field: str, value: object, expected: str
) -> None:
    def spoil(entry: dict[str, Any]) -> None:
        entry["memory_overhead"][field] = value

    id = change_entry(sound, "hypervisors", spoil)
    assert sentence(sound).startswith(f"hypervisors.{id}.memory_overhead.{expected}")


def change_entry(path: Path, kind: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Changes the first own entry of a kind, and signs the file; its id."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        query = "SELECT id, content FROM catalog_entry WHERE origin = 'own' AND kind = ?"
        id, content = file.execute(query, (kind,)).fetchone()
        entry = json.loads(content)
        change(entry)
        file.execute(
            "UPDATE catalog_entry SET content = ? WHERE kind = ? AND id = ?",
            (json.dumps(entry), kind, id),
        )
    sign(path)
    return str(id)


# --- the library ------------------------------------------------------------------------------

BOX = rated_server(name="Box", sockets=2, cores=16, spec_rate=None)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            "UPDATE catalog_entry SET content = replace(content, '\"cores\":16', '\"cores\":0')",
            "servers.own-box.cores: must be ≥ 1",
        ),
        ("CREATE VIEW extra AS SELECT 1", "is damaged"),
        (
            f"{MORE} || ',\"more\":{'[' * 60_000}}}'",
            "is nested more deeply",
        ),
    ],
)
def test_a_library_is_held_to_the_same(tmp_path: Path, statement: str, expected: str) -> None:
    path = tmp_path / "library.headroom"
    extend_library(path, Catalog(servers={BOX.id: BOX}))
    run(path, statement)
    with pytest.raises(StoreError) as caught:
        load_library(path)
    assert str(caught.value).startswith(f"{path}: {expected}")


# --- scenarios --------------------------------------------------------------------------------


def test_values_are_counted_before_they_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = scenario_from_json(encoded(example()), name="x")
    monkeypatch.setattr("db.codec.MOST_VALUES", 20)
    with pytest.raises(StoreError, match="holds more values than any scenario"):
        scenario_from_json(encoded(example()), name="x")
    with pytest.raises(ModelError, match="more than one file can take"):
        scenario_to_json(scenario)


def test_a_scenario_has_a_bounded_number_of_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.check.MOST_ITEMS", 0)
    with pytest.raises(StoreError, match="clusters: must not be more than 0"):
        scenario_from_json(encoded(example()), name="x")


def test_a_project_without_its_checksum_is_not_what_was_saved(sound: Path) -> None:
    run(sound, "DELETE FROM written")
    with pytest.raises(ChangedContent):
        load_project(sound)
    assert load_project(sound, as_it_is=True).entries


def test_two_scenarios_of_one_name_are_refused(sound: Path) -> None:
    run(sound, "UPDATE scenario SET name = (SELECT name FROM scenario WHERE number = 0)")
    sign(sound)
    assert sentence(sound).startswith("scenarios: two are called ")


def test_hosts_are_bounded_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.check.MOST_HOSTS", 0)
    with pytest.raises(StoreError, match="hosts: must not be more than 0"):
        scenario_from_json(encoded(example()), name="x")


@pytest.mark.parametrize("bound", ["MOST_HOSTS", "MOST_SCENARIOS"])
def test_hosts_and_scenarios_are_counted_before_they_are_read(
    sound: Path, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"db.project.{bound}", 0)
    assert sentence(sound) == "holds more than any project"


def test_a_project_has_a_bounded_number_of_scenarios(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.check.MOST_SCENARIOS", 0)
    with pytest.raises(StoreError, match="scenarios: must not be more than 0"):
        write_project(sound, a_project(), program_version="1")


@pytest.mark.parametrize("fault", [MemoryError, RecursionError])
def test_what_the_interpreter_can_not_take_is_a_sentence(
    sound: Path, fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr("db.project.read_rows", fail)
    assert sentence(sound)
    monkeypatch.setattr("db.project.rows_of", fail)
    before = sound.read_bytes()
    with pytest.raises(StoreError):
        save_project(sound, a_project(), program_version="2")
    assert sound.read_bytes() == before
