"""Each run of family B by the others: nothing of a run that is left out leads to it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from app.calibrated import shipped_calibration, shipped_evidence
from models.evidence.constants import family_constants
from models.evidence.rows import by_id
from models.fitting.family_b_runs import INOTES, MAIL, MEMBER_CPU, MEMBER_IO, runs_left_out
from models.fitting.holdout import calibrate
from models.fitting.transfers import TransferCheck
from tests.sweeps import often

RUNS = {
    "table1": [id.format(metric) for id in MAIL for metric in ("cpu_avg", "disk_io_avg")],
    "table3": [MEMBER_CPU, MEMBER_IO, "vsphere4/table3/response_time_avg"],
    "table5": [INOTES[0].format(metric) for metric in ("cpu_avg", "disk_io_avg")],
    "table6": [INOTES[1].format(metric) for metric in ("cpu_avg", "disk_io_avg")],
}


@cache
def checks() -> dict[str, TransferCheck]:
    found = runs_left_out(by_id(shipped_evidence()), shipped_calibration())
    assert len({check.evidence for check in found}) == len(found)
    return {check.evidence: check for check in found}


def test_every_run_is_left_out_once() -> None:
    assert set(checks()) == {id for ids in RUNS.values() for id in ids}
    assert {check.family for check in checks().values()} == {"B"}


def test_what_was_measured_lies_inside_its_interval() -> None:
    for check in checks().values():
        assert check.low < check.predicted < check.high
        assert check.holds, check.evidence


def test_they_are_as_far_off_as_the_page_says() -> None:
    worst = {
        quantity: max(abs(c.error_pct) for c in checks().values() if c.quantity == quantity)
        for quantity in ("cpu_pct", "iops", "response_ms")
    }
    assert worst["cpu_pct"] == pytest.approx(47, abs=1)
    assert worst["iops"] == pytest.approx(21, abs=1)
    assert worst["response_ms"] == pytest.approx(27, abs=1)


@pytest.mark.parametrize(
    "run", often(["table1", "table3", "table5", "table6"], ["table1", "table3"])
)
def test_a_run_that_is_left_out_decides_nothing_of_its_prediction(run: str) -> None:
    rows = [
        replace(row, value=(row.value or 0.0) * 1.3) if row.id in RUNS[run] else row
        for row in shipped_evidence()
    ]
    shipped = shipped_calibration()
    constants = family_constants(by_id(rows))
    # Family A's law takes what RAM saves from iNotes: it is fitted anew where these change.
    law = calibrate(rows).law if run in ("table5", "table6") else shipped.law
    moved = replace(shipped, constants=constants, law=law)
    after = {c.evidence: c for c in runs_left_out(by_id(rows), moved)}
    for id in RUNS[run]:
        before = checks()[id]
        assert after[id].predicted == pytest.approx(before.predicted, rel=1e-6), id
        assert after[id].low == pytest.approx(before.low, rel=1e-6), id
        assert after[id].high == pytest.approx(before.high, rel=1e-6), id
    assert any(
        after[id].predicted != pytest.approx(each.predicted, rel=1e-3)
        for id, each in checks().items()
        if id not in RUNS[run]
    )
