"""Nothing but an ordinary file is opened: who waits at a pipe waits without end."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app import cli
from db.door import check_ordinary, content, opened
from db.errors import StoreError
from db.project import load_project, save_project
from tests.app.terminal import call, refused
from tests.db.hostile import a_project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
SENTENCE = "must be an ordinary file"


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_a_pipe_is_no_file(pipe: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=SENTENCE):
        opened(pipe)
    with pytest.raises(StoreError, match=SENTENCE):
        opened("/dev/zero")
    with pytest.raises(StoreError, match=SENTENCE):
        check_ordinary(pipe)
    check_ordinary(tmp_path / "gone")
    with pytest.raises(StoreError, match="is a folder"):
        opened(tmp_path)
    with pytest.raises(StoreError, match="no such file"):
        opened("a\0b")


def test_a_file_is_read_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert content(path, 3, "is too large") == b"abc"
    with pytest.raises(StoreError, match="is too large"):
        content(path, 2, "is too large")


@pytest.mark.parametrize(
    "words",
    [
        ("import", "{pipe}"),
        ("import", "{file}", "--columns", "{pipe}"),
        ("import", "{file}", "--columns", "/dev/zero"),
        ("import", "/dev/zero"),
        ("report", "{file}", "-o", "{folder}/out.pdf", "--template", "{pipe}"),
        ("check", "{pipe}"),
        ("convert", "{file}", "{folder}/pipe.headroom"),
        ("convert", "{file}", "{folder}/pipe.json"),
        ("sweep", "{pipe}", "-o", "{folder}/out.csv"),
    ],
)
def test_no_command_waits_at_a_pipe(words: tuple[str, ...], pipe: Path, tmp_path: Path) -> None:
    for ending in (".headroom", ".json"):
        os.mkfifo(pipe.with_suffix(ending))
    file = tmp_path / "plan.headroom"
    save_project(file, a_project(), program_version="1")
    places = {"pipe": pipe, "file": file, "folder": tmp_path}
    assert SENTENCE in refused(*(word.format(**places) for word in words))


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_pipe_beside_a_project_is_not_waited_for(ending: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.headroom"
    save_project(file, a_project(), program_version="1")
    os.mkfifo(tmp_path / f"plan.headroom{ending}")
    with pytest.raises(StoreError, match=SENTENCE):
        load_project(file)
    with pytest.raises(StoreError, match=SENTENCE):
        save_project(file, a_project(), program_version="2")


def test_a_scenario_comes_through_a_pipe(tmp_path: Path) -> None:
    source = tmp_path / "plan.json"
    project = tmp_path / "plan.headroom"
    save_project(project, a_project(), program_version="1")
    assert call("convert", project, source).status == cli.DONE
    read, write = os.pipe()
    data = source.read_bytes()
    assert len(data) < 60_000  # so that it finds room in the pipe
    os.write(write, data)
    os.close(write)
    try:
        answer = call("evaluate", f"/dev/fd/{read}", "--json")
    finally:
        os.close(read)
    assert answer.status == cli.DONE
    assert answer.json["vms"]
