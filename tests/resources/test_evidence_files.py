"""The state of the shipped evidence."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from resources import evidence_files


def test_evidence_has_the_day_on_which_it_changed() -> None:
    noted = evidence_files.evidence_date()
    found = evidence_files.evidence_digest()
    assert noted, f"evidence changed: write its day and {found} into resources/evidence/state.json"
    assert date(2026, 1, 1) <= date.fromisoformat(noted)


def test_changed_evidence_has_no_day(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    state = '{"date": "2026-01-02", "sha256": "SUM"}'
    (tmp_path / "a.csv").write_bytes(b"id,value\r\na,1\r\n")
    monkeypatch.setattr(evidence_files, "_EVIDENCE", tmp_path)
    found = evidence_files.evidence_digest()
    (tmp_path / "state.json").write_text(state.replace("SUM", found), encoding="utf-8")
    (tmp_path / "a.csv").write_bytes(b"id,value\na,1\n")
    assert evidence_files.evidence_date() == "2026-01-02"
    (tmp_path / "a.csv").write_bytes(b"id,value\na,2\n")
    assert evidence_files.evidence_date() is None
