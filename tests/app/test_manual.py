"""The handbook is found wherever it lies."""

from __future__ import annotations

from pathlib import Path

from app.manual import PLACES, manual_path


def test_the_first_place_counts(tmp_path: Path) -> None:
    assert manual_path(tmp_path) is None
    for place in reversed(PLACES):
        file = tmp_path / place
        file.parent.mkdir(parents=True)
        file.touch()
        assert manual_path(tmp_path) == file


def test_a_checkout_has_it() -> None:
    assert manual_path() is not None
