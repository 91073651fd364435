"""The self-test says how each part fares; the demonstration works without a display."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from app import selftest

ROOT = Path(__file__).parents[2]


def start(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """The program started in `folder`, without any display."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    environ = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        [sys.executable, "-m", "app", *argv],
        cwd=folder,
        env={**environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_every_part_passes(tmp_path: Path) -> None:
    done = start(tmp_path, "--self-test")
    assert done.returncode == 0, done.stdout + done.stderr
    names = [line.split(": ok, ")[0] for line in done.stdout.splitlines()]
    assert names == [name for name, _ in selftest.CHECKS]


def test_a_part_that_fails_is_named_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise FileNotFoundError("a file of the bundle")

    checks = (("resources", fail), ("store", selftest.check_store))
    monkeypatch.setattr(selftest, "CHECKS", checks)
    out = StringIO()
    assert selftest.self_test(out) == 1
    first, second = out.getvalue().splitlines()
    assert first == "resources: FAILED: FileNotFoundError: a file of the bundle"
    assert second.startswith("store: ok, ")


def test_the_demonstration_is_files_where_there_is_no_display(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only Unix may have no display")
    done = start(tmp_path, "--demo")
    assert done.returncode == 0, done.stderr
    pdf, png = (tmp_path / "out" / name for name in ("wv21-migration.pdf", "wv21-board.png"))
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "There is no display" in done.stdout
    assert str(pdf.relative_to(tmp_path)) in done.stdout
    assert str(png.relative_to(tmp_path)) in done.stdout
