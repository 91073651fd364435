"""Everything the program says is what it said: a change of words is made on purpose and read.

`make golden` renews the files.
"""

from __future__ import annotations

import difflib

import pytest

from tests.golden.renew import FOLDER, outputs

MOST_LINES = 60
NAMES = sorted(path.name for path in FOLDER.iterdir())


@pytest.fixture(scope="module")
def now() -> dict[str, str]:
    return outputs()


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_said(now: dict[str, str], name: str) -> None:
    before, after = (FOLDER / name).read_text(encoding="utf-8"), now.get(name, "")
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "was", "is", n=1)
    shown = list(lines)
    more = [f"… {len(shown) - MOST_LINES} lines more"] if len(shown) > MOST_LINES else []
    if before != after:
        words = "\n".join((*shown[:MOST_LINES], *more))
        pytest.fail(f"{name}; `make golden` if it is meant so:\n{words}", pytrace=False)


def test_nothing_is_said_that_has_no_file(now: dict[str, str]) -> None:
    assert sorted(now) == NAMES
