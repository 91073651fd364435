"""Everything the program says is what it said: a change of words is made on purpose and read.

`make golden` renews the files. Each test makes what one golden is about and nothing else.
"""

from __future__ import annotations

import difflib

import pytest

from tests.golden.renew import FOLDER, goldens, made

MOST_LINES = 60
GOLDENS = goldens()


def changed(name: str, after: str) -> str:
    """How a file differs from what is said now; empty where it doesn't."""
    path = FOLDER / name
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if before == after:
        return ""
    shown = list(difflib.unified_diff(before.splitlines(), after.splitlines(), "was", "is", n=1))
    more = [f"… {len(shown) - MOST_LINES} lines more"] if len(shown) > MOST_LINES else []
    return "\n".join((f"{name}:", *shown[:MOST_LINES], *more))


def marked(name: str) -> object:
    """A window takes as long as all others and shows the same numbers; the second in the words of
    the catalogue, which has tests of its own."""
    if name == "window en":
        return name
    return pytest.param(
        name, marks=getattr(pytest.mark, "slow" if "window" in name else "portable")
    )


@pytest.mark.parametrize("name", list(map(marked, GOLDENS)))
def test_it_says_what_it_said(name: str) -> None:
    now = made(name)
    assert sorted(now) == sorted(GOLDENS[name].files)
    differences = list(filter(None, (changed(file, text) for file, text in now.items())))
    if differences:
        words = "\n".join(("`make golden` if it is meant so", *differences))
        pytest.fail(words, pytrace=False)


def test_every_file_is_of_one_golden() -> None:
    files = sorted(file for golden in GOLDENS.values() for file in golden.files)
    assert files == sorted(path.name for path in FOLDER.iterdir())
