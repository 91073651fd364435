"""The user's own catalog entries, between projects."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from db import migrate
from db.errors import StoreError
from db.library import extend_library, load_library
from models.catalog.catalog import Catalog
from resources.catalog_files import load_catalog

MINE = replace(load_catalog().servers["ibm-x366"], id="mine", name="Mine")
OTHER = replace(MINE, id="other", name="Other")


def test_a_library_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert not load_library(tmp_path / "library.db").servers
    assert list(tmp_path.iterdir()) == []


def test_entries_come_back_and_go(tmp_path: Path) -> None:
    path = tmp_path / "new" / "library.db"
    extend_library(path, Catalog(servers={"other": OTHER, "mine": MINE}))
    assert list(load_library(path).servers.items()) == [("other", OTHER), ("mine", MINE)]
    disks = Catalog(disks=load_catalog().disks)
    extend_library(path, disks, without=load_library(path))
    library = load_library(path)
    assert (dict(library.servers), dict(library.disks)) == ({}, dict(load_catalog().disks))


@pytest.mark.parametrize("protected", ["folder", "file"])
def test_a_write_protected_library_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protected: str
) -> None:
    path = tmp_path / "library.db"
    extend_library(path, Catalog(servers={"mine": MINE}))
    shut = tmp_path if protected == "folder" else path
    monkeypatch.setattr("os.access", lambda place, _mode: Path(place) != shut)
    before = path.read_bytes()
    assert dict(load_library(path).servers) == {"mine": MINE}
    with pytest.raises(StoreError, match="is write-protected: nothing can be added"):
        extend_library(path, Catalog(servers={"other": OTHER}))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_two_windows_at_first_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other window makes the library between this one's look and its turn."""
    path = tmp_path / "library.db"
    look = migrate.version_of
    looks: list[int] = []

    def slow(connection: sqlite3.Connection) -> int:
        looks.append(look(connection))
        if len(looks) == 1:
            extend_library(path, Catalog(servers={"other": OTHER}))
        return looks[0] if len(looks) == 1 else look(connection)

    monkeypatch.setattr(migrate, "version_of", slow)
    extend_library(path, Catalog(servers={"mine": MINE}))
    assert set(load_library(path).servers) == {"mine", "other"}


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    path.write_bytes(b"text, and enough of it to be looked at" * 10)
    for action in (load_library, lambda p: extend_library(p, Catalog())):
        with pytest.raises(StoreError, match="damaged"):
            action(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (a)")
    with pytest.raises(StoreError, match="not a library"):
        load_library(path)


def test_a_newer_library_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    extend_library(path, Catalog(servers={"mine": MINE}))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(StoreError, match="newer Headroom"):
        extend_library(path, Catalog())
    with pytest.raises(StoreError, match="newer Headroom"):
        load_library(path)


def test_an_entry_that_is_none_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    extend_library(path, Catalog(servers={"mine": MINE}))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE catalog_entry SET content = '{}'")
    with pytest.raises(StoreError, match="damaged"):
        load_library(path)


def test_entries_are_added_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "new" / "library.db"
    assert set(extend_library(path, Catalog(servers={"mine": MINE})).servers) == {"mine"}
    newer = replace(MINE, name="Mine, newer")
    extend_library(path, Catalog(servers={"other": OTHER, "mine": newer}))
    assert dict(load_library(path).servers) == {"mine": newer, "other": OTHER}


def test_nothing_is_added_to_a_damaged_library(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    extend_library(path, Catalog(servers={"mine": MINE}))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE catalog_entry SET content = '{}'")
    with pytest.raises(StoreError, match="damaged"):
        extend_library(path, Catalog(servers={"other": OTHER}))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT id, content FROM catalog_entry").fetchall() == [("mine", "{}")]
