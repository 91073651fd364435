"""Files that appear whole or not at all, and that leave nothing beside."""

from __future__ import annotations

import errno
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from db.atomic import STALE_S, digest_of, write_atomically
from db.backup import dated_copy
from db.errors import StoreError
from db.project import save_project
from db.sqlite import reading
from tests.db.documents import a_project

posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


def modes_seen(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[int]:
    """Fills with the permissions of what is being written, whenever it is written to disk."""
    seen: list[int] = []
    flush = os.fsync

    def look(handle: int) -> None:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        flush(handle)

    monkeypatch.setattr(os, "fsync", look)
    return seen


@posix
@pytest.mark.parametrize("mode", [None, 0o600, 0o640])
def test_nobody_else_reads_what_is_not_finished(
    tmp_path: Path, mode: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan"
    if mode is not None:
        path.write_bytes(b"old")
        path.chmod(mode)
    seen = modes_seen(monkeypatch, tmp_path)
    write_atomically(path, b"new")
    assert seen == [0o600]
    other = tmp_path / "plain"
    other.write_bytes(b"")
    expected = stat.S_IMODE(other.stat().st_mode) if mode is None else mode
    assert stat.S_IMODE(path.stat().st_mode) == expected


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOTSUP])
def test_a_drive_without_permissions_takes_a_file(
    tmp_path: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan"
    path.write_bytes(b"old")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "chmod", refuse)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name")
@pytest.mark.parametrize("has_nameless", [True, False])
def test_what_is_not_finished_has_no_name_where_the_system_can(
    tmp_path: Path, *, has_nameless: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a killed program leaves nothing; other systems and drives get a name of ours."""
    there: list[list[str]] = []
    flush = os.fsync

    def look(handle: int) -> None:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            there.append([each.name for each in tmp_path.iterdir()])
        flush(handle)

    monkeypatch.setattr(os, "fsync", look)
    if not has_nameless:
        monkeypatch.delattr(os, "O_TMPFILE")
    path = tmp_path / "plan"
    for content in (b"new", b"newer"):
        write_atomically(path, content)
        assert path.read_bytes() == content
    names = [len([each for each in names if each != path.name]) for names in there]
    assert names == [0 if has_nameless else 1] * 2
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_digest_is_of_the_content(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    assert digest_of(path) is digest_of(tmp_path) is None
    path.write_bytes(b"one")
    first, stamp = digest_of(path), path.stat()
    path.write_bytes(b"two")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert digest_of(path) not in (None, first)


def test_what_a_killed_program_left_goes_with_the_next_file(tmp_path: Path) -> None:
    old, fresh = (tmp_path / f".headroom-{letter * 16}.tmp" for letter in "ab")
    foreign = tmp_path / ".headroom-mine.tmp"
    for each in (old, fresh, foreign):
        each.write_bytes(b"customer")
    before = fresh.stat().st_mtime - STALE_S - 60
    for each in (old, foreign):
        os.utime(each, (before, before))
    write_atomically(tmp_path / "plan", b"new")
    left = sorted(each.name for each in tmp_path.iterdir())
    assert left == sorted([fresh.name, foreign.name, "plan"])


def test_a_copy_that_can_not_be_finished_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan.headroom"
    save_project(path, a_project(), program_version="1")

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with reading(path) as file, pytest.raises(StoreError, match="the disk is full"):
        dated_copy(file, path, "version 1", datetime(2026, 3, 1, tzinfo=UTC))
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
