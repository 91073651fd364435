"""What `make reliability` tries many times, tried a few times; and that it would find a fault."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.db import reliability
from tests.db.importers.forms import sources
from tests.db.importers.fuzzed import Lasting, try_one
from tests.db.reliability import faults, forms, kills, page, spoiled

PACKED = (b"PK", b"\x1f\x8b")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that are killed")


@pytest.fixture(autouse=True)
def nothing_lasts() -> Iterator[None]:
    """The process beside, which `make reliability` keeps, ends with the test."""
    yield
    Lasting.beside.clear()


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
    found = [spoiled(form, 1) for form in forms(tmp_path).items()]
    assert not [fault for each in found for fault in each.faults]
    assert all(each.found.total() == 1 for each in found)
    told = page(found, "--mutants 1")
    assert f"{len(found)} tries, no faults, with `--mutants 1`" in told
    assert "| project | 1 |" in told


def _tried(path: Path, data: bytes, _: int) -> str:
    return try_one(path, data, None)


@pytest.mark.parametrize("run", [b" ", b"a."])
def test_no_run_of_a_letter_keeps_a_reader_busy(tmp_path: Path, run: bytes) -> None:
    texts = {name: data for name, data in sources(tmp_path).items() if data[:2] not in PACKED}
    for name, data in texts.items():
        middle = data.index(b"\n", len(data) // 2) + 2
        long = data[:middle] + run * (40_000 // len(run)) + data[middle:]
        found = spoiled((name, partial(_tried, tmp_path / name, long)), 1)
        assert not found.faults


def test_a_file_that_takes_long_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reliability, "SLOWEST_S", -1.0)
    found = spoiled(("slow", lambda number: "read"), 2)
    assert len(found.faults) == 2
    assert "slow 1: took 0 s" in found.faults


@pytest.mark.parametrize(
    ("form", "number"), [("domino-stat", 4033), ("rvtools-csv in a zip", 1818)]
)
def test_numbers_that_nothing_has_end_no_import(tmp_path: Path, form: str, number: int) -> None:
    """An uptime of hundreds of digits; more VMs on a host than a scenario may have."""
    outcome = reliability._read(tmp_path / form, sources(tmp_path)[form], number)
    assert outcome in ("read", "refused")
