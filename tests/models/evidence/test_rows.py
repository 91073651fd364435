"""The evidence says what the documents print, row by row where the law is fitted."""

from __future__ import annotations

import pytest

from app.calibrated import shipped_evidence
from models.base.errors import ModelError
from models.evidence.rows import by_id, figure, measured, rows_from_records
from resources.evidence_files import evidence_records

# Transcribed from "VMworld 2007 WV21", tables "IBM System x366 Test Results" and "Intel Clovertown
# results"; the 682 from "Old vs. New Hardware". None is a blank cell.
CPU_PCT: dict[str, list[float | None]] = {
    "x366/physical/6gb": [5.5, 11.8, 19.5, 27.7],
    "x366/rdm/6gb": [13.4, 28.7, 49.2, None],
    "x366/vmfs/6gb": [13.7, 30.2, 52.4, None],
    "clovertown/physical/7.25gb": [3.5, 7.5, 11.4, 17.0, 23.4, None],
    "clovertown/rdm/7.25gb": [13.7, 25.9, 32.5, 34.2, 45.3, None],
    "clovertown/rdm/14.5gb": [8.3, 16.2, 31.1, 47.2, 61.3, None],
    "clovertown/vmfs/7.25gb": [11.1, 22.1, 31.2, 39.9, 52.8, None],
    "clovertown/vmfs/14.5gb": [9.1, 18.6, 29.7, 46.0, 64.6, None],
}
RESPONSE_MS: dict[str, list[float | None]] = {
    "x366/physical/6gb": [56, 99, 155, 696],
    "x366/rdm/6gb": [50, 91, 180, None],
    "x366/vmfs/6gb": [927, 87, 164, None],
    "clovertown/physical/7.25gb": [31, 73, 56, 96, 177, None],
    "clovertown/rdm/7.25gb": [93, 78, 127, 546, None, None],
    "clovertown/rdm/14.5gb": [31, 197, 103, 384, None, None],
    "clovertown/vmfs/7.25gb": [45, 68, 70, 113, 491, None],
    "clovertown/vmfs/14.5gb": [22, 87, 861, 65, 124, 682],
}
DOUBTED = {
    "wv21/x366/vmfs/6gb/1000/response_ms",
    "wv21/clovertown/vmfs/14.5gb/3000/response_ms",
}


@pytest.mark.parametrize(("metric", "table"), [("cpu_pct", CPU_PCT), ("response_ms", RESPONSE_MS)])
def test_family_a_is_what_wv21_prints(metric: str, table: dict[str, list[float | None]]) -> None:
    rows = by_id(shipped_evidence())
    for series, values in table.items():
        for index, value in enumerate(values):
            row = rows[f"wv21/{series}/{1000 * (index + 1)}/{metric}"]
            assert row.value == value, row.id
            assert row.users == 1000 * (index + 1)
            assert (row.kind == "blank") == (value is None), row.id


def test_only_the_two_doubted_cells_are_kept_out_of_the_fit() -> None:
    fitted = {
        row.id
        for metric in ("cpu_pct", "response_ms")
        for row in measured(shipped_evidence(), "A", metric)
    }
    printed = {
        f"wv21/{series}/{1000 * (index + 1)}/{metric}"
        for metric, table in (("cpu_pct", CPU_PCT), ("response_ms", RESPONSE_MS))
        for series, values in table.items()
        for index, value in enumerate(values)
        if value is not None
    }
    assert printed - fitted == DOUBTED
    assert fitted <= printed
    assert len(fitted) == 35 + 32


def test_a_table_that_repeats_another_agrees_with_it() -> None:
    rows = by_id(shipped_evidence())
    repeated = [row for row in rows.values() if row.id.startswith("wv21/old-vs-new/")]
    printed = [row for row in repeated if row.value is not None]
    assert len(printed) == 18
    for row in printed:
        first = rows[row.id.replace("old-vs-new/", "")]
        assert (row.value, row.doubted) == (first.value, first.doubted), row.id


def test_every_figure_names_document_table_and_kind_and_no_source_file() -> None:
    for row in shipped_evidence():
        assert row.document or row.kind == "not found", row.id
        assert row.table, row.id
        assert row.kind, row.id
    assert all("seed_file" not in record for record in evidence_records())


def test_a_missing_or_blank_figure_is_named() -> None:
    rows = by_id(shipped_evidence())
    for id in ("wv21/nothing", "wv21/x366/rdm/6gb/4000/cpu_pct"):
        with pytest.raises(ModelError, match=id):
            figure(rows, id)


@pytest.mark.parametrize(
    ("field", "text", "reason"),
    [("value", "much", "is not a number"), ("users", "-3", "is not a number of users")],
)
def test_a_bad_number_is_refused_with_its_row(field: str, text: str, reason: str) -> None:
    record = {**evidence_records()[0], field: text}
    with pytest.raises(ModelError, match=reason) as caught:
        rows_from_records([record])
    assert caught.value.field == record["id"]


def test_an_id_may_stand_once_only() -> None:
    record = evidence_records()[0]
    with pytest.raises(ModelError, match="twice"):
        rows_from_records([record, record])
