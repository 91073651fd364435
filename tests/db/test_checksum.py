"""A flipped bit in a project document is noticed, wherever it is; an honest rewrite is not one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from db.checksum import Proof, content_sha256
from db.errors import ChangedContent, StoreError
from db.files import open_any
from db.migrate import Step, steps_of
from db.project import MAGIC, load_project, proof_of, save_project
from models.project.catalog_use import with_used_rows
from resources.catalog_files import load_catalog
from tests.db.documents import a_project
from tests.db.projects import NOW, same, save, stamp
from tests.sweeps import some

FLIPS = 400
SENTENCE = "is damaged: what it holds is not what was saved; open a backup copy of it"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "plan.headroom"
    save(path, with_used_rows(a_project(), load_catalog()))
    return path


def outcome(path: Path) -> str:
    """What becomes of a file with a flipped bit: refused, the same all the same, or changed."""
    try:
        project = load_project(path)
    except StoreError:
        return "refused"
    is_same = same(project, with_used_rows(a_project(), load_catalog()))
    return "same" if is_same and stamp(path) == ("1.2", NOW.isoformat()) else "other"


def used_bytes(content: bytes) -> list[int]:
    """Where the file holds anything: pages are mostly empty, and a flip there changes nothing."""
    return [place for place, byte in enumerate(content) if byte]


@pytest.mark.parametrize("seed", some(range(4)))
def test_a_flipped_bit_is_refused_or_changes_nothing(
    saved: Path, tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    content = saved.read_bytes()
    places = used_bytes(content)
    flipped = tmp_path / "flipped.headroom"
    found = []
    for _ in range(FLIPS // 4):
        spoiled = bytearray(content)
        spoiled[random.choice(places)] ^= 1 << random.randrange(8)
        flipped.write_bytes(spoiled)
        found.append(outcome(flipped))
    assert "other" not in found
    assert found.count("refused") > len(found) / 2


def flip(path: Path, text: bytes) -> None:
    """Flips the lowest bit of the last letter of this text, wherever it stands in the file."""
    content = path.read_bytes()
    assert content.startswith(MAGIC)
    assert text in content
    path.write_bytes(content.replace(text, text[:-1] + bytes([text[-1] ^ 1])))


@pytest.mark.parametrize("text", [b"Mail-01", b"7.0.2", b"2026-03-01T12:30"])
def test_a_changed_letter_is_said_in_one_sentence(saved: Path, tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "plan.headroom"
    path.write_bytes(saved.read_bytes())
    flip(path, text)
    with pytest.raises(ChangedContent) as problem:
        open_any(path, load_catalog())
    assert str(problem.value) == f"{path}: {SENTENCE}"


def test_it_can_be_opened_all_the_same_and_saved_again(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "plan.headroom"
    path.write_bytes(saved.read_bytes())
    flip(path, b"Mail-01")
    project = open_any(path, load_catalog(), as_it_is=True)
    assert project.scenario.vms[0].name == "Mail-00"
    assert save_project(path, project, program_version="1.2", now=NOW)
    assert same(load_project(path), project)


def test_saving_mends_a_wrong_checksum(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "plan.headroom"
    path.write_bytes(saved.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE written SET content_sha256 = 'x'")
    with pytest.raises(ChangedContent):
        load_project(path)
    assert save(path, with_used_rows(a_project(), load_catalog()))
    load_project(path)


def test_a_document_that_was_compacted_is_what_was_saved(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "plan.headroom"
    path.write_bytes(saved.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        before = content_sha256(db)
        db.execute("PRAGMA page_size = 1024")
        db.execute("VACUUM")
        assert content_sha256(db) == before
    load_project(path)


def test_a_later_program_checks_the_content_before_it_adds_to_it(
    saved: Path, tmp_path: Path
) -> None:
    add = "ALTER TABLE vm ADD COLUMN colour TEXT NOT NULL DEFAULT 'red';"
    steps = (*steps_of(), Step(len(steps_of()) + 1, "9999_colour.sql", add))
    path = tmp_path / "plan.headroom"
    path.write_bytes(saved.read_bytes())
    load_project(path, steps=steps)
    flip(path, b"Mail-01")
    with pytest.raises(ChangedContent):
        load_project(path, steps=steps)


@pytest.mark.parametrize("value", ["NULL", "''"])
def test_a_checksum_that_was_taken_away_is_said(saved: Path, tmp_path: Path, value: str) -> None:
    path = tmp_path / "plan.headroom"
    path.write_bytes(saved.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE vm SET vcpus = 8")
        db.execute(f"UPDATE written SET content_sha256 = {value}")
    with pytest.raises(ChangedContent, match="has lost the checksum"):
        open_any(path, load_catalog())
    assert proof_of(path) is Proof.TAKEN_AWAY
