"""``advise``: every topic has a schema, an example with an answer, and refusals by the field."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from models.advise.topics import TOPICS, topic_of
from models.base.fields import fields_of
from tests.app.terminal import NoWindows
from tests.db.importers.estates import as_xlsx


def run(*argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = main(["advise", *argv], out, err, NoWindows())
    return status, out.getvalue(), err.getvalue()


def asked(topic: str, inputs: Any, folder: Path) -> tuple[int, str, str]:
    file = folder / "in.json"
    file.write_text(json.dumps(inputs), encoding="utf-8")
    return run(topic, str(file), "--json")


@pytest.mark.parametrize("topic", TOPICS)
def test_an_example_has_an_answer(topic: str, tmp_path: Path) -> None:
    example = json.loads(run(topic, "--example")[1])
    status, out, err = asked(topic, example, tmp_path)
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["conclusion"]
    assert found["numbers"]
    assert found["sources"]
    ids = [each["id"] for each in found["numbers"]]
    assert len(set(ids)) == len(ids)
    for each in found["numbers"]:
        assert each["basis"]
        assert (each["value"] is None) == (each["basis"] == "no data"), each
        assert each["source"] or each.get("note"), each


@pytest.mark.parametrize("topic", TOPICS)
def test_every_field_is_in_the_schema_with_its_meaning(topic: str) -> None:
    schema = json.loads(run(topic, "--schema")[1])
    properties = schema["$defs"][topic_of(topic).inputs.__name__]["properties"]
    for name, field in fields_of(topic_of(topic).inputs).items():
        assert name in properties
        assert field.label, name
        assert field.meaning, name


@pytest.mark.parametrize("topic", TOPICS)
def test_what_is_no_input_is_refused_by_its_field(topic: str, tmp_path: Path) -> None:
    example = json.loads(run(topic, "--example")[1])
    status, out, err = asked(topic, {**example, "no_such": 1}, tmp_path)
    assert (status, out) == (2, "")
    assert "no_such" in err


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_an_answer_can_be_read(topic: str, language: str, tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(run(topic, "--example")[1], encoding="utf-8")
    status, out, _ = run(topic, str(file), "--language", language)
    assert status == 0
    assert out.count("\n") > 5


def test_answers_become_an_appendix_of_a_proposal(tmp_path: Path) -> None:
    inputs, target = tmp_path / "in.json", tmp_path / "out.html"
    inputs.write_text(run("cluster", "--example")[1], encoding="utf-8")
    example = Path(__file__).parents[2] / "resources" / "examples" / "wv21-two-hosts.json"
    out, err = io.StringIO(), io.StringIO()
    asked = ["report", str(example), "-o", str(target), "--advice", f"cluster={inputs}"]
    assert main(asked, out, err, NoWindows()) == 0, err.getvalue()
    written = target.read_text(encoding="utf-8")
    assert "Migration notes" in written
    assert "Domino cluster planner" in written
    status = main([*asked[:-1], "nothing=x"], out, err, NoWindows())
    assert status == 2


def test_whole_numbers_keep_their_digits(tmp_path: Path) -> None:
    file = tmp_path / "paste.txt"
    file.write_text("dd if=/dev/zero bs=1024 count=365536 > ivd.out\n", encoding="utf-8")
    found = json.loads(run("io", str(file), "--json")[1])
    (size,) = (each["value"] for each in found["numbers"] if each["id"] == "file_bytes")
    assert size == 374_308_864


def test_a_sheet_of_a_workbook_is_read_as_one_of_text(tmp_path: Path) -> None:
    book, plain = tmp_path / "servers.xlsx", tmp_path / "servers.csv"
    as_xlsx({"Servers": [["Server", "Role", "CPU"], ["Außen", "test", 3.5]]}, book)
    plain.write_bytes("Server;Role;CPU\nAußen;test;3,5\n".encode("cp1252"))
    status, out, err = run("candidates", str(book), "--json")
    assert (status, err) == (0, "")
    assert run("candidates", str(plain), "--json") == (0, out, "")


MIGRATION = Path(__file__).parents[2] / "resources" / "examples" / "wv21-migration.json"


def test_a_scenario_is_answered_as_the_window_does() -> None:
    status, out, err = run("cluster", str(MIGRATION), "--server", "Mail-01", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["server"] == "Mail-01"
    users = next(each for each in found["numbers"] if each["id"] == "users")
    assert users["value"] == 3000.0
    assert users["note"].startswith("Mail-01: ")
    assert "About Mail-02" in run("cluster", str(MIGRATION))[1]
    status, out, err = run("cluster", str(MIGRATION), "--server", "nobody")
    assert (status, out) == (2, "")
    assert "Mail-02, Mail-01" in err


def test_what_a_scenario_lacks_is_said_in_a_sentence() -> None:
    status, out, err = run("rebalance", str(MIGRATION))
    assert (status, out) == (2, "")
    assert TOPICS["rebalance"].lacks in err


def test_the_overview_has_a_line_of_each_topic() -> None:
    found = json.loads(run("overview", str(MIGRATION), "--json")[1])
    assert [each["topic"] for each in found["topics"]] == list(TOPICS)
    by_id = {each["topic"]: each for each in found["topics"]}
    assert by_id["sametime"]["conclusion"] is None
    assert by_id["sametime"]["sentence"] == TOPICS["sametime"].lacks
    assert [each["server"] for each in by_id["cluster"]["servers"]] == ["Mail-02", "Mail-01"]
    assert "VMFS" in run("overview", str(MIGRATION))[1]
    assert run("overview")[0] == 2
    assert run("overview", "--example")[0] == 2


def test_an_answer_is_put_into_another_file(tmp_path: Path) -> None:
    target = tmp_path / "then.json"
    status, out, err = run("migration", str(MIGRATION), "--put", str(target), "--json")
    assert (status, err) == (0, "")
    board = json.loads(out)["board"]
    assert "Mail-01: host x366 → esx2" in board["changes"]
    found = json.loads(target.read_text(encoding="utf-8"))
    assert {vm["name"]: vm["disk_mode"] for vm in found["vms"]}["Mail-01"] == "vmfs"
    status, _, err = run("availability", str(MIGRATION), "--put", str(tmp_path / "no.json"))
    assert status == 2
    assert not (tmp_path / "no.json").exists()
