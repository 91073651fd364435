"""Projects are found again, and their files only ever read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.calibrated import shipped_knowledge
from db.atomic import stamp_of
from db.known_projects import (
    KnownProject,
    Looked,
    is_current,
    looked_at,
    projects_in,
    read_known,
    together,
    write_known,
)
from models.predict.prediction import Verdict
from tests.db.example_projects import example, saved


def look(path: Path) -> Looked:
    return looked_at(path, shipped_knowledge())


def test_a_project_is_what_its_file_says(tmp_path: Path) -> None:
    path = saved(tmp_path, "Estate", customer="Example Ltd")
    known = look(path).known
    assert (known.name, known.customer, known.verdict) == ("Estate", "Example Ltd", Verdict.AT_RISK)
    assert is_current(known)
    vm = example().vms[0].name
    assert known.answers(f"EXAMPLE {vm}")
    assert known.answers("")
    assert not known.answers("example nowhere")


def test_a_file_is_only_read(tmp_path: Path) -> None:
    path = saved(tmp_path, "kept")
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    before = path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())
    try:
        assert look(path).scenario is not None
        assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())) == before
    finally:
        tmp_path.chmod(0o700)


def test_what_is_known_comes_back_and_is_made_anew(tmp_path: Path) -> None:
    path, index = saved(tmp_path, "a"), tmp_path / "data" / "projects.json"
    known = look(path).known
    write_known(index, [known])
    assert read_known(index) == (known,)
    index.write_bytes(b'{"format": "headroom-projects", "version": 1, "projects": [{"path"')
    assert read_known(index) == ()
    found = [each for each in projects_in([tmp_path]) if each is not None]
    assert [look(each).known for each in found] == [known]


def test_a_file_that_is_another_now_is_looked_at_again(tmp_path: Path) -> None:
    known = look(saved(tmp_path, "a")).known
    saved(tmp_path, "a", customer="Another")
    assert not is_current(known)
    assert not is_current(KnownProject(path=str(tmp_path / "a.headroom")))


def test_a_file_of_the_same_size_and_time_is_another_too(tmp_path: Path) -> None:
    path = saved(tmp_path, "a")
    known, before = look(path).known, path.stat()
    other = tmp_path / "other"
    other.write_bytes(path.read_bytes()[:-1] + b"?")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert stamp_of(path) == known.stamp
    assert not is_current(known)


@pytest.mark.parametrize("content", [b"", b"no project", b"SQLite format 3\x00" + b"\x00" * 200])
def test_of_what_is_no_project_it_is_said_why(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.headroom"
    path.write_bytes(content)
    looked = look(path)
    assert looked.problem
    assert looked.known.shown is None


def test_what_is_gone_is_said_to_be(tmp_path: Path) -> None:
    assert "no such file" in look(tmp_path / "gone.headroom").problem


def test_folders_are_looked_through_but_not_hidden_ones_nor_links(tmp_path: Path) -> None:
    near, deep, hidden = tmp_path / "a", tmp_path / "a" / "b", tmp_path / ".c"
    for folder in (deep, hidden):
        folder.mkdir(parents=True)
    for folder in (near, deep, hidden):
        (folder / "one.headroom").touch()
    (near / "round").symlink_to(tmp_path, target_is_directory=True)
    found = [each for each in projects_in([tmp_path]) if each is not None]
    assert found == [near / "one.headroom", deep / "one.headroom"]


def test_each_is_listed_once_the_newest_first() -> None:
    known = [KnownProject(path="/a", vms=3), KnownProject(path="/b")]
    listed = together(known, [Path("/c"), Path("/b")])
    assert [each.path for each in listed] == ["/c", "/b", "/a"]
    assert listed[2].vms == 3
