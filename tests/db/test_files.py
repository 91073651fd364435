"""Files of either kind: told apart by content, converted by ending."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from db.codec import scenario_from_json, scenario_to_json
from db.errors import StoreError
from db.files import convert, open_any
from db.project import load_project, save_project
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.project.catalog_use import catalog_for
from models.project.project import Project
from models.scenario.scenario import Host
from resources.catalog_files import load_catalog
from tests.db.documents import EXAMPLE, a_project, encoded, example

SHIPPED = load_catalog()


def put(path: Path, project: Project) -> Path:
    save_project(path, project, program_version="1")
    return path


def change(source: Path, target: Path, scenario: str | None = None) -> object:
    return convert(source, target, SHIPPED, program_version="1", scenario=scenario)


def three() -> Project:
    """The example, two more scenarios, the second the baseline."""
    project = a_project().duplicated("s1").duplicated("s1")
    return project.with_baseline(project.entries[1].id)


def refused(action: Callable[[], object]) -> str:
    with pytest.raises(StoreError) as caught:
        action()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_text_is_no_project_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "plan.headroom").write_text(EXAMPLE, encoding="utf-8")
    assert "is text, not a Headroom project" in refused(
        lambda: open_any(tmp_path / "plan.headroom", SHIPPED)
    )


@pytest.mark.parametrize("start", [b"PK\x03\x04\x14\x00\x06\x00", b"\xd0\xcf\x11\xe0", b"\x7fELF"])
def test_another_programs_file_is_not_told_to_be_text(tmp_path: Path, start: bytes) -> None:
    (tmp_path / "plan.headroom").write_bytes(start + 100 * b"\x9c")
    assert "is neither a Headroom project nor a scenario in JSON" in refused(
        lambda: open_any(tmp_path / "plan.headroom", SHIPPED)
    )


@pytest.mark.parametrize("start", [b"VM,Powerstate,CPUs", b'\xef\xbb\xbf"VM";"CPUs"', b"1,2"])
def test_an_exported_table_is_not_told_to_be_wrong_json(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "RVTools_tabvInfo.csv"
    path.write_bytes(start + b"\r\nMAIL01,poweredOn,4\r\n")
    told = refused(lambda: open_any(path, Catalog()))
    assert "is neither a Headroom project nor a scenario in JSON" in told


@pytest.mark.parametrize("tail", [1, 100, 4095])
def test_a_project_cut_short_is_damaged(tmp_path: Path, tail: int) -> None:
    put(tmp_path / "plan.headroom", a_project())
    whole = (tmp_path / "plan.headroom").read_bytes()
    (tmp_path / "plan.headroom").write_bytes(whole[:-tail])
    assert "damaged" in refused(lambda: open_any(tmp_path / "plan.headroom", SHIPPED))


@pytest.mark.parametrize("name", ["plan.json", "plan.txt", "plan"])
def test_the_content_decides_not_the_ending(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(EXAMPLE, encoding="utf-8")
    assert open_any(tmp_path / name, SHIPPED).scenario == a_project().scenario
    (tmp_path / name).unlink()
    put(tmp_path / name, a_project())
    assert open_any(tmp_path / name, SHIPPED).scenario == a_project().scenario


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"%PDF-1.7", "is not valid JSON at line 1, column 1"),
        (b"\x89PNG\r\n", "is not UTF-8 text"),
        (b"\x00\x00\x00", "is neither a Headroom project nor a scenario in JSON"),
        ("{}".encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
        (b"", "is empty"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    assert refused(lambda: open_any(path, SHIPPED)) == f"{path}: {expected}"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among files")
@pytest.mark.parametrize("kind", ["scenario", "project", "empty"])
def test_a_pipe_is_read_once(tmp_path: Path, kind: str) -> None:
    content = {
        "scenario": EXAMPLE.encode(),
        "project": put(tmp_path / "plan.headroom", a_project()).read_bytes(),
        "empty": b"",
    }[kind]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=_pour, args=(pipe, content), daemon=True)
    writer.start()
    try:
        if kind == "scenario":
            assert open_any(pipe, SHIPPED).scenario == a_project().scenario
        else:
            expected = {"project": "must be an ordinary file", "empty": "is empty"}[kind]
            assert expected in refused(lambda: open_any(pipe, SHIPPED))
    finally:
        writer.join(15)


def _pour(pipe: Path, content: bytes) -> None:
    with suppress(BrokenPipeError), pipe.open("wb") as file:
        file.write(content)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    assert refused(lambda: open_any(tmp_path, SHIPPED)).endswith("is a folder, not a file")
    assert refused(lambda: open_any(tmp_path / "x", SHIPPED)).endswith("there is no such file")


def test_ids_are_checked_against_the_catalog(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    document = example()
    document["hosts"][0]["server"] = "abacus"
    path.write_bytes(encoded(document))
    expected = f"{path}: hosts[0].server: no server called “abacus” in the catalog"
    assert refused(lambda: open_any(path, SHIPPED)) == expected


def test_a_wrong_scenario_of_several_is_named(tmp_path: Path) -> None:
    path = put(tmp_path / "plan.headroom", three())
    assert "scenario “WV21 migration”: hosts[0].server:" in refused(
        lambda: open_any(path, Catalog())
    )


def test_entries_in_the_file_count(tmp_path: Path) -> None:
    mine = replace(SHIPPED.servers["ibm-x366"], id="mine", name="Mine")
    project = replace(a_project(), own_catalog=Catalog(servers={"mine": mine}))
    scenario = project.scenario.edit(Host, "h1", lambda host: replace(host, server="mine"))
    path = put(tmp_path / "plan.headroom", project.with_scenario(scenario))
    opened = open_any(path, SHIPPED)
    assert catalog_for(opened, SHIPPED).servers["mine"] == mine


def test_rows_a_project_was_saved_with_come_before_those_shipped_now(tmp_path: Path) -> None:
    id = "intel-clovertown-whitebox"
    then = replace(SHIPPED.servers[id], base_mhz=1.0)
    project = replace(a_project(), used_catalog=Catalog(servers={id: then}))
    path = put(tmp_path / "plan.headroom", project)
    convert(path, tmp_path / "again.headroom", SHIPPED, program_version="1")
    for name in ("plan.headroom", "again.headroom"):
        opened = open_any(tmp_path / name, SHIPPED)
        assert catalog_for(opened, SHIPPED).servers[id].base_mhz == 1.0


def test_there_and_back(tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text(EXAMPLE, encoding="utf-8")
    change(source, tmp_path / "b.headroom")
    assert set(load_project(tmp_path / "b.headroom").used_catalog.arrays) == {"ibm-ds4800"}
    change(tmp_path / "b.headroom", tmp_path / "c.JSON")
    data = (tmp_path / "c.JSON").read_bytes()
    assert scenario_from_json(data, name="c") == a_project().scenario
    assert data == scenario_to_json(a_project().scenario)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        (None, "WV21 migration 2"),
        ("WV21 migration", "WV21 migration"),
        ("WV21 migration 3", "WV21 migration 3"),
    ],
)
def test_one_of_several_is_written_and_the_others_are_named(
    tmp_path: Path, name: str | None, written: str
) -> None:
    source = put(tmp_path / "a.headroom", three())
    target = tmp_path / "b.json"
    done = convert(source, target, SHIPPED, program_version="1", scenario=name)
    assert done.written == (written,)
    assert len(done.left_out) == 2
    assert written not in done.left_out
    assert scenario_from_json(target.read_bytes(), name="b").name == written


def test_a_project_of_one_chosen_scenario(tmp_path: Path) -> None:
    source = put(tmp_path / "a.headroom", three())
    change(source, tmp_path / "b.headroom", "WV21 migration 3")
    entries = load_project(tmp_path / "b.headroom").entries
    assert [(e.scenario.name, e.parent) for e in entries] == [("WV21 migration 3", None)]


def test_own_entries_that_json_cannot_carry_are_named(tmp_path: Path) -> None:
    own = Catalog(servers={"mine": replace(SHIPPED.servers["ibm-x366"], id="mine")})
    source = put(tmp_path / "a.headroom", replace(a_project(), own_catalog=own))
    done = convert(source, tmp_path / "b.json", SHIPPED, program_version="1")
    assert done.entries_left_out == ("mine",)


def test_nothing_is_written_when_something_is_wrong(tmp_path: Path) -> None:
    source = put(tmp_path / "a.headroom", three())
    with pytest.raises(ModelError, match="no scenario called “none”"):
        change(source, tmp_path / "b.json", "none")
    assert "must end in .headroom or .json" in refused(lambda: change(source, tmp_path / "b.pdf"))
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    refused(lambda: change(bad, tmp_path / "b.headroom"))
    assert refused(lambda: change(source, source)).endswith("give the output another name")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.headroom", "bad.json"]
