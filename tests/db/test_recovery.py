"""Copies of unsaved work: whole or not there, with a note of where they belong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from db.atomic import digest_of
from db.errors import StoreError
from db.project import load_project, save_project
from db.recovery import (
    Origin,
    copies_in,
    kept_at,
    read_copy,
    read_origin,
    remove_copy,
    settle,
    write_copy,
)
from models.project.project import Project
from models.scenario.scenario import Scenario
from tests.app import samples


@pytest.fixture
def project() -> Project:
    return Project.of(samples.scenario())


def kept(path: Path, project: Project, origin: Origin | None = None) -> Path:
    write_copy(path, project, origin or Origin(name="Estate"), program_version="1")
    return path


def test_a_copy_comes_back_as_it_went_in(tmp_path: Path, project: Project) -> None:
    path = kept(tmp_path / "new" / "a.headroom", project)
    assert read_copy(path).entries == project.entries
    assert read_origin(path) == Origin(name="Estate").describing(project)
    assert kept_at(path) is not None


def test_a_copy_takes_the_place_of_whatever_was_there(tmp_path: Path, project: Project) -> None:
    path = tmp_path / "a.headroom"
    path.write_bytes(b"SQLite format 3\x00 and then nothing")
    assert read_copy(kept(path, project)).entries == project.entries


def test_a_copy_that_can_not_be_written_leaves_the_one_before(
    tmp_path: Path, project: Project
) -> None:
    path = kept(tmp_path / "a.headroom", project)
    other = Project.of(Scenario(name="Twice", hosts=(samples.host(1), samples.host(1))))
    with pytest.raises(StoreError):
        kept(path, other)
    assert read_copy(path).entries == project.entries


def test_a_folder_that_can_not_be_made_is_one_sentence(tmp_path: Path, project: Project) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match="can't be written"):
        kept(tmp_path / "taken" / "a.headroom", project)


def test_an_origin_knows_whether_its_file_is_still_the_same(
    tmp_path: Path, project: Project
) -> None:
    file = tmp_path / "estate.headroom"
    save_project(file, project, program_version="1")
    origin = Origin(name="estate.headroom", path=str(file), content=digest_of(file))
    assert origin.is_current
    assert load_project(file).entries == project.entries
    before = file.stat()
    os.utime(file, ns=(1, 1))
    assert origin.is_current
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not origin.is_current
    file.unlink()
    assert not origin.is_current
    assert not Origin(name="Untitled").is_current
    assert not Origin(path=str(tmp_path / "gone")).is_current


def test_settling_keeps_the_rest_of_the_note(tmp_path: Path, project: Project) -> None:
    path = kept(tmp_path / "a.headroom", project, Origin(name="Estate", path="x", content="1"))
    settle(path)
    origin = Origin(name="Estate", path="x", content="1", is_settled=True)
    assert read_origin(path) == origin.describing(project)


def test_a_note_says_what_is_in_the_copy(tmp_path: Path, project: Project) -> None:
    origin = read_origin(kept(tmp_path / "a.headroom", project, Origin()))
    scenario = project.scenario
    assert (origin.name, origin.scenario, origin.scenarios) == ("", scenario.name, 1)
    assert (origin.vms, origin.hosts) == (len(scenario.vms), len(scenario.hosts))


def test_a_damaged_note_costs_the_name_alone(tmp_path: Path, project: Project) -> None:
    path = kept(tmp_path / "a.headroom", project)
    path.with_suffix(".json").write_text("{")
    assert read_origin(path) == Origin()
    assert read_copy(path).entries == project.entries


def test_a_clock_that_went_back_changes_no_order(tmp_path: Path, project: Project) -> None:
    first, second = (kept(tmp_path / f"{name}.headroom", project) for name in "ba")
    os.utime(second, ns=(1, 1))
    assert copies_in(tmp_path) == [second, first]
    kept(first, project)
    os.utime(first, ns=(1, 1))
    assert copies_in(tmp_path) == [first, second]


def test_copies_are_listed_newest_first_and_removed_whole(tmp_path: Path, project: Project) -> None:
    first, second = (kept(tmp_path / f"{name}.headroom", project) for name in "ab")
    assert copies_in(tmp_path) == [second, first]
    remove_copy(second)
    remove_copy(second)
    assert copies_in(tmp_path) == [first]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.headroom", "a.json"]
    assert copies_in(tmp_path / "nowhere") == []
