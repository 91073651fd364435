"""Files changed at random are read or refused with a sentence: nothing else comes of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from db.importers.registry import importers
from tests.db.importers.forms import sources
from tests.db.importers.fuzzed import changed, try_one

QUICK, MANY = 100, 50_000


def fuzz(folder: Path, rounds: int, seed: int) -> None:
    """Every form in turn, half the time as if somebody had said, at times wrongly, what it is."""
    chance = random.Random(seed)
    kinds = [None, *importers()]
    data = sources(folder)
    for number in range(rounds):
        name = sorted(data)[number % len(data)]
        kind = chance.choice([None, None, name.split()[0], chance.choice(kinds)])
        assert try_one(folder / name, changed(data[name], chance), kind)


def test_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    fuzz(tmp_path, QUICK, seed=1)


@pytest.mark.slow
def test_many_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    fuzz(tmp_path, MANY, seed=2)
