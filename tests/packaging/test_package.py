"""What the packages for Linux hold and need, and how the check of them reads a screen."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.loading import load

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="packages for Linux")


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """packaging/package.py over a small bundle."""
    module = load("package")
    dist, drawn = tmp_path / "dist", tmp_path / "drawn"
    (dist / "_internal").mkdir(parents=True)
    drawn.mkdir()
    for path in (dist / "headroom", dist / "headroom.desktop", drawn / "headroom.png"):
        path.write_bytes(b"")
    (dist / "headroom").chmod(0o700)
    (dist / "_internal" / "lib.so").write_bytes(b"\x7fELF")
    monkeypatch.setattr(module.bundle, "DIST", dist)
    monkeypatch.setattr(module.bundle, "DRAWN", drawn)
    return module


@linux
def test_desktop_finds_program_icon_and_kind_of_file(package: ModuleType, tmp_path: Path) -> None:
    root = tmp_path / "root"
    package.stage(root)
    assert (root / "usr/bin/headroom").resolve() == root / "usr/lib/headroom/headroom"
    share = root / "usr/share"
    entry = (share / "applications/headroom.desktop").read_text(encoding="utf-8")
    assert "\nExec=headroom %f\n" in entry
    assert (share / "mime/packages/headroom.xml").exists()
    assert (share / "icons/hicolor/scalable/apps/headroom.svg").exists()
    assert not (root / "usr/lib/headroom/headroom.desktop").exists()
    assert list(package.native_files(root)) == [root / "usr/lib/headroom/_internal/lib.so"]


@linux
def test_all_files_have_one_time_and_open_rights(package: ModuleType, tmp_path: Path) -> None:
    root = tmp_path / "root"
    package.stage(root)
    package.settle(root, 1_700_000_000)
    found = [path.lstat() for path in root.rglob("*")]
    assert {int(status.st_mtime) for status in found} == {1_700_000_000}
    assert oct((root / "usr/lib/headroom/headroom").stat().st_mode & 0o777) == "0o755"
    assert oct((root / "usr/share/mime/packages/headroom.xml").stat().st_mode & 0o777) == "0o644"


def test_time_of_the_commit_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert load("bundle").commit_time() == 1_700_000_000


@linux
def test_needs_are_those_of_the_library_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    said = " 0x1 (NEEDED)   Shared library: [libc.so.6]\n 0xe (SONAME)  Library soname: [a.so]\n"
    done = subprocess.CompletedProcess[str]([], 0, said)
    bundle = load("bundle")
    monkeypatch.setattr(bundle.subprocess, "run", lambda *_, **__: done)
    assert bundle.needed("a.so") == ["libc.so.6"]


def test_a_screen_is_read_as_xwd_writes_it() -> None:
    words = [0] * 25
    words[0], words[4], words[5], words[12], words[19] = 104, 2, 1, 8, 3
    screen = struct.pack(">25I", *words).ljust(104, b"\0") + bytes(3 * 12) + b"abcdefgh" + b"rest"
    assert load("check_package").shown(screen) == (b"abcdefgh", 2, 1, 8)


def test_the_check_wants_packages_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check = load("check_package")
    monkeypatch.setattr(check, "DIST", tmp_path)
    assert check.main([]) == 2
    assert "needs `make package`" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
