"""What `make reliability` tries many times, tried a few times; and that it would find a fault."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.db import reliability
from tests.db.reliability import faults, kills, mutants, page

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that are killed")


def test_no_kill_loses_what_was_saved(tmp_path: Path) -> None:
    found = kills(tmp_path, 5)
    assert not found.faults
    assert found.found["the last save whole"] == 5


def test_no_fault_of_the_disk_touches_what_was_there(tmp_path: Path) -> None:
    found = faults(tmp_path)
    assert not found.faults
    assert found.found.total() > 100


def test_a_save_that_is_not_atomic_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reliability, "WRITES", {"torn": lambda path: path.write_bytes(b"half")})
    found = faults(tmp_path)
    assert len(found.faults) > 20


def test_no_spoiled_file_ends_the_program_and_each_is_counted(tmp_path: Path) -> None:
    found = list(mutants(tmp_path, 1, lambda _: None))
    assert not [fault for each in found for fault in each.faults]
    assert all(each.found.total() == 1 for each in found)
    told = page(found)
    assert f"{len(found)} tries, no faults" in told
    assert "| project | 1 |" in told
