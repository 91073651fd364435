"""The tutorials, followed: every command runs, and says what the page shows of its answer."""

from __future__ import annotations

import re
import shlex
import shutil
from io import StringIO
from pathlib import Path

import pytest

from app import cli
from tests.app.terminal import NoWindows

ROOT = Path(__file__).resolve().parent.parent
TUTORIALS = ROOT / "docs" / "tutorials"
PAGES = sorted(TUTORIALS.glob("*.md"))
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def calls(page: Path) -> list[tuple[str, list[str]]]:
    """Each command of a page, with the lines that are shown of what it says."""
    found: list[tuple[str, list[str]]] = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ headroom "), []))
            else:
                found[-1][1].append(line)
    return found


def follow(command: str, folder: Path) -> str:
    words, _, target = command.partition(" > ")
    out, err = StringIO(), StringIO()
    assert cli.main(shlex.split(words), out, err, NoWindows()) == 0, (command, err.getvalue())
    if target:
        (folder / target.strip()).write_text(out.getvalue(), encoding="utf-8")
    return out.getvalue()


def test_there_are_five() -> None:
    assert len(PAGES) == 5
    assert all(calls(page) for page in PAGES)


@pytest.mark.parametrize(
    "page",
    [
        # It looks through the whole catalog.
        pytest.param(each, id=each.stem, marks=[pytest.mark.slow] * (each.stem[0] == "1"))
        for each in PAGES
    ],
)
def test_a_tutorial_is_followed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (TUTORIALS / "rvtools").iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    for command, shown in calls(page):
        said = follow(command, tmp_path)
        for line in shown:
            assert " ".join(line.split()) in " ".join(said.split()), (command, line)
