"""What `validate` prints, and that the pages about accuracy say what the model does today."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from math import nan
from pathlib import Path

import pytest

from app.calibrated import shipped_calibration, shipped_validation
from app.cli_validate import (
    validation_json,
    validation_text,
)
from models.fitting.validation import Validation
from tests.app.accuracy import accepted, errors_of, lowered, worsened
from tests.app.accuracy_page import accuracy_page

DOCS = Path(__file__).parents[2] / "docs"
ACCURACY_KEYS = {
    *("family", "quantity", "split", "n", "mape_pct", "median_ape_pct", "p90_ape_pct"),
    *("coverage_pct", "log_error", "parameters", "baseline_mape_pct", "baseline_log_error"),
}
POINT_KEYS = {
    *("family", "quantity", "split", "evidence", "measured", "predicted", "low", "high"),
}


@pytest.fixture(scope="module")
def validation() -> Validation:
    return shipped_validation()


def test_json_has_the_keys_that_scripts_rely_on(validation: Validation) -> None:
    data = json.loads(validation_json(validation, model_version="1.0"))
    assert data["model_version"] == "1.0"
    rows = {(row["family"], row["quantity"], row["split"]) for row in data["accuracy"]}
    assert {row for row in rows if row[0] == "A"} == {
        ("A", quantity, split)
        for quantity in ("cpu_pct", "response_ms")
        for split in ("inside", "beyond", "series")
    }
    assert rows >= {
        ("A→B", "cpu_pct", "transfer"),
        ("field", "cores", "transfer"),
        ("field", "iops", "transfer"),
        ("vendor", "cores", "transfer"),
    }
    assert all(set(row) >= ACCURACY_KEYS for row in data["accuracy"])
    assert all(set(point) == POINT_KEYS for point in data["points"])
    assert len([each for each in data["points"] if each["family"] == "A"]) == 2 * (35 + 32)
    ids = {point["evidence"] for point in data["points"]}
    assert "wv21/clovertown/vmfs/14.5gb/4000/cpu_pct" in ids


def test_the_printed_table_has_one_line_a_split(validation: Validation) -> None:
    lines = validation_text(validation).splitlines()
    (head,) = (n for n, line in enumerate(lines) if line.startswith("Family"))
    rows = lines[head + 1 : head + 7]
    assert all(line.split()[0] == "A" for line in rows)
    assert len({len(line) for line in rows}) == 1


def test_no_measured_response_is_predicted_over_a_second(validation: Validation) -> None:
    """Nor by a fit that did not see it."""
    held_out = [p for p in validation.points if p.quantity == "response_ms"]
    assert max(point.predicted for point in held_out) <= 1000.0
    assert "Nor is any that is left out of the fit." in validation_text(validation)


def test_what_is_predicted_over_a_second_when_held_out_is_said(validation: Validation) -> None:
    id = "wv21/x366/physical/6gb/4000/response_ms"
    points = [
        replace(point, predicted=1234.0) if point.evidence == id else point
        for point in validation.points
    ]
    slower = replace(validation, points=tuple(points))
    for text in (validation_text(slower), accuracy_page(slower, on=date(2026, 1, 1))):
        assert f"Left out of the fit, 1 would be: {id}, 696 ms measured" in text
        assert "1,234 ms (beyond) and 1,234 ms (series) predicted" in text


def test_the_accuracy_page_is_up_to_date(validation: Validation) -> None:
    printed = (DOCS / "accuracy.md").read_text(encoding="utf-8")
    (made_on,) = re.findall(r"validate` on (\d{4}-\d{2}-\d{2})", printed)
    same = printed == accuracy_page(validation, on=date.fromisoformat(made_on))
    assert same, "docs/accuracy.md is out of date: python -m tests.app.accuracy makes it again"


def test_no_error_has_worsened_by_more_than_two_points(validation: Validation) -> None:
    """Than what was accepted at last, which writing the page again leaves alone."""
    worse = worsened(accepted(), errors_of(validation.accuracy))
    assert not worse, f"worse by more than 2 points than accepted_errors.json has it: {worse}"


def test_errors_are_accepted_only_where_they_are_smaller() -> None:
    before = {"cpu_pct inside": {"mean_pct": 4.4, "log_error": 0.045}}
    today = {
        "cpu_pct inside": {"mean_pct": 6.5, "log_error": 0.04},
        "cpu_pct beyond": {"mean_pct": 5.0, "log_error": 0.05},
    }
    assert worsened(before, today) == [
        "cpu_pct inside mean_pct: 6.5, accepted 4.4",
        "cpu_pct beyond mean_pct: 5.0, accepted none",
        "cpu_pct beyond log_error: 0.05, accepted none",
    ]
    kept = lowered(before, today)
    assert kept["cpu_pct inside"] == {"mean_pct": 4.4, "log_error": 0.04}
    again = {"cpu_pct inside": {"mean_pct": 6.4, "log_error": 0.06}}
    assert worsened(kept, again | {"cpu_pct beyond": today["cpu_pct beyond"]}) == []


def test_an_error_that_is_no_longer_known_stays_on_record_and_fails() -> None:
    before = {"cpu_pct inside": {"mean_pct": 4.4, "log_error": 0.045}}
    assert lowered(before, {}) == before
    assert worsened(before, {}) == [
        "cpu_pct inside mean_pct: none, accepted 4.4",
        "cpu_pct inside log_error: none, accepted 0.045",
    ]
    part = {"cpu_pct inside": {"mean_pct": nan}}
    assert worsened(before, part)[0] == "cpu_pct inside mean_pct: nan, accepted 4.4"
    assert lowered(before, {"cpu_pct inside": {"mean_pct": 4.0}})["cpu_pct inside"] == {
        "mean_pct": 4.0,
        "log_error": 0.045,
    }


def test_the_model_page_prints_the_constants_that_ship() -> None:
    page = (DOCS / "model.md").read_text(encoding="utf-8")
    calibration = shipped_calibration()
    law = calibration.law
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", page, flags=re.MULTILINE))
    assert set(rows) == set(law.__dataclass_fields__)
    for name, text in rows.items():
        assert float(text) == float(f"{getattr(law, name):.4g}"), name
    widths = (
        calibration.uncertainty.cpu.known,
        calibration.uncertainty.response.known,
        calibration.uncertainty.response.unknown,
    )
    assert "(t = {:.3f} for CPU, {:.3f} for response; {:.3f} for".format(*widths) in page
