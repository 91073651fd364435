"""20,000 files as nobody would write them: each is refused in one sentence, or evaluated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.db.hostile import outcomes

pytestmark = pytest.mark.slow
NUMBERS = range(1000, 11_000)
"""Each makes a project and a scenario; the first ones are those of every run."""


def test_no_file_ends_in_a_fault(tmp_path: Path) -> None:
    faults: list[str] = []
    found = outcomes(tmp_path, NUMBERS, lambda number, what: faults.append(f"{number}: {what}"))
    assert not faults
    assert sum(found.values()) == 2 * len(NUMBERS)
    assert min(found["project opened"], found["scenario opened"]) > 100
