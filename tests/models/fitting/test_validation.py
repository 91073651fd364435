"""The bar: held-out errors, bias and coverage; and that what is held out is really unseen."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from app.calibrated import shipped_calibration, shipped_evidence, shipped_validation
from models.evidence.calibration import outside_constants
from models.evidence.family_a import PlatformA, StorageA
from models.fitting.baselines import exponential, hyperbola, line_plus_square, straight_line
from models.fitting.family_a_fit import (
    RESPONSE,
    RESPONSE_LOSS_SCALE,
    RIDGE,
    SERIES,
    fit_responses,
    path_response_ms,
    points,
)
from models.fitting.field_servers import field_checks
from models.fitting.holdout import HeldOut, HoldOut, held_out
from models.fitting.validation import ALL, Accuracy, HeldOutPoint, Validation

OUTSIDE = outside_constants(shipped_calibration().constants)


@pytest.fixture(scope="module")
def validation() -> Validation:
    return shipped_validation()


@pytest.fixture(scope="module")
def result() -> HeldOut:
    return held_out(shipped_evidence(), **OUTSIDE)


def row(validation: Validation, quantity: str, split: str) -> Accuracy:
    (found,) = (a for a in validation.accuracy if (a.quantity, a.split) == (quantity, split))
    return found


def held(validation: Validation, quantity: str, split: str) -> list[HeldOutPoint]:
    return [p for p in validation.points if (p.quantity, p.split) == (quantity, split)]


@pytest.mark.parametrize(
    ("split", "n", "bound"), [("inside", 27, 4.5), ("beyond", 8, 5.0), ("series", 35, 6.0)]
)
def test_cpu_meets_the_bar(validation: Validation, split: str, n: int, bound: float) -> None:
    found = row(validation, "cpu_pct", split)
    assert found.n == n
    assert found.mape_pct <= bound


@pytest.mark.parametrize(("split", "n", "bound"), [("inside", 24, 0.37), ("beyond", 8, 0.70)])
def test_response_meets_the_bar(validation: Validation, split: str, n: int, bound: float) -> None:
    found = row(validation, "response_ms", split)
    assert found.n == n
    assert found.log_error <= bound


def test_the_last_points_are_not_predicted_low_or_high_on_the_whole(
    validation: Validation,
) -> None:
    assert abs(row(validation, "response_ms", "beyond").bias) <= 0.4


@pytest.mark.parametrize("quantity", ["cpu_pct", "response_ms"])
@pytest.mark.parametrize("split", ["inside", "beyond", "series"])
def test_intervals_hold_what_they_say(validation: Validation, quantity: str, split: str) -> None:
    # 34 of the 35 CPU points of whole series, 97.1 %, is the nearest to 97 that n allows.
    assert 85.0 <= row(validation, quantity, split).coverage_pct <= 97.2


def test_pooled_intervals_hold_85_to_97_per_cent(validation: Validation) -> None:
    found = {(row.quantity, row.split): row for row in validation.coverage()}
    for quantity, n in (("cpu_pct", 70), ("response_ms", 64), (ALL, 134)):
        row = found[quantity, ALL]
        assert row.n == n
        assert 85.0 <= row.coverage_pct <= 97.0


def test_every_row_is_what_exact_intervals_could_have_given(validation: Validation) -> None:
    for row in validation.coverage():
        assert row.least <= row.inside <= row.most, (row.quantity, row.split)


def test_fourteen_constants_at_most(validation: Validation) -> None:
    assert {found.parameters for found in validation.accuracy} == {14}


def test_the_law_beats_every_naive_baseline(validation: Validation) -> None:
    for found in validation.accuracy:
        if found.baseline_mape_pct is not None and found.baseline_log_error is not None:
            assert found.mape_pct < found.baseline_mape_pct
            assert found.log_error < found.baseline_log_error


@pytest.mark.parametrize(
    ("quantity", "split", "baseline", "mape_pct", "log_error"),
    [
        ("cpu_pct", "inside", "line plus square", 5.6, None),
        ("cpu_pct", "beyond", "line plus square", 7.9, None),
        ("response_ms", "inside", "hyperbola", 46, 0.41),
        ("response_ms", "beyond", "straight line", 55, 0.91),
        ("response_ms", "inside", "straight line", None, 0.67),
        ("response_ms", "inside", "line plus square", None, 0.53),
        ("response_ms", "beyond", "line plus square", None, 1.24),
        ("response_ms", "beyond", "hyperbola", None, 1.79),
        ("response_ms", "inside", "exponential", None, 0.57),
        ("response_ms", "beyond", "exponential", None, 0.82),
    ],
)
def test_baselines_err_as_they_did_in_the_trials(
    validation: Validation,
    quantity: str,
    split: str,
    baseline: str,
    mape_pct: float | None,
    log_error: float | None,
) -> None:
    (found,) = (
        b
        for b in validation.baselines
        if (b.quantity, b.split, b.baseline) == (quantity, split, baseline)
    )
    if mape_pct is not None:
        assert found.mape_pct == pytest.approx(mape_pct, abs=0.5 if mape_pct > 10 else 0.05)
    if log_error is not None:
        assert found.log_error == pytest.approx(log_error, abs=0.005)


def test_baselines_go_through_what_they_can_go_through() -> None:
    n = np.array([1.0, 2.0, 3.0])
    assert straight_line(n, 4.0 * n, 5.0) == pytest.approx(20.0)
    assert line_plus_square(n, n + n * n, 5.0) == pytest.approx(30.0)
    assert hyperbola(n, 2.0 / (1.0 - n / 4.0), 3.5) == pytest.approx(16.0)
    assert exponential(n, 3.0 * np.exp(n), 0.0) == pytest.approx(3.0)


def test_the_table_can_be_recomputed_from_the_points(validation: Validation) -> None:
    for found in validation.accuracy:
        points = held(validation, found.quantity, found.split)
        ratio = np.array([p.predicted / p.measured for p in points])
        inside = np.array([p.low <= p.measured <= p.high for p in points])
        assert found.n == len(points)
        assert found.mape_pct == pytest.approx(100 * np.abs(ratio - 1).mean(), rel=1e-5)
        assert found.median_ape_pct == pytest.approx(100 * np.median(np.abs(ratio - 1)), rel=1e-5)
        assert found.log_error == pytest.approx(np.abs(np.log(ratio)).mean(), rel=1e-5)
        assert found.bias == pytest.approx(np.log(ratio).mean(), rel=1e-4, abs=1e-6)
        assert found.coverage_pct == pytest.approx(100 * inside.mean(), rel=1e-5)


def test_every_point_is_held_out_once_in_each_way(validation: Validation) -> None:
    for quantity, n in (("cpu_pct", 35), ("response_ms", 32)):
        alone = held(validation, quantity, "inside") + held(validation, quantity, "beyond")
        series = held(validation, quantity, "series")
        assert len({p.evidence for p in alone}) == len(alone) == n
        assert {p.evidence for p in alone} == {p.evidence for p in series}


@cache
def refit(id: str) -> HeldOut:
    """With half as much again measured at this point."""
    rows = [
        replace(row, value=(row.value or 0.0) * 1.5) if row.id == id else row
        for row in shipped_evidence()
    ]
    return held_out(rows, **OUTSIDE)


@pytest.mark.parametrize(
    ("kind", "id"),
    [
        pytest.param(
            "response_alone", "wv21/x366/physical/6gb/4000/response_ms", marks=pytest.mark.slow
        ),
        ("response_series", "wv21/clovertown/vmfs/7.25gb/5000/response_ms"),
        ("cpu_alone", "wv21/clovertown/rdm/7.25gb/4000/cpu_pct"),
        ("cpu_series", "wv21/clovertown/rdm/7.25gb/4000/cpu_pct"),
    ],
)
def test_a_held_out_point_decides_neither_its_prediction_nor_its_interval(
    result: HeldOut, kind: str, id: str
) -> None:
    before: HoldOut = getattr(result, kind)
    after: HoldOut = getattr(refit(id), kind)
    own = before.points.ids.index(id)
    assert after.value[own] == pytest.approx(before.value[own], rel=1e-7)
    for old, new in zip(before.intervals(), after.intervals(), strict=True):
        assert new[own] == pytest.approx(old[own], rel=1e-7)
    others = np.arange(len(before.points)) != own
    assert not np.allclose(after.value[others], before.value[others], rtol=1e-5)


def test_families_that_cannot_be_checked_say_why(validation: Validation) -> None:
    assert [u.family for u in validation.unchecked] == ["C", "D", "E", "F"]


def test_without_one_series_there_is_a_second_minimum_that_is_shallower() -> None:
    """As docs/model.md admits of Clovertown VMFS at 7.25 GB."""
    response = points(shipped_evidence(), RESPONSE)
    left_out = response.series == SERIES.index((PlatformA.CLOVERTOWN, StorageA.VMFS, 7.25))
    weights = np.where(left_out, 0.0, 1.0)[None]
    law = fit_responses(response, weights, **OUTSIDE)
    found = path_response_ms(law, response)[0, left_out]
    assert found[-1] == pytest.approx(350, abs=1)
    law = replace(law, vmfs_users=4.714, native_factor=1.363, ram_exponent=0.399)
    law = replace(law, base_response_ms=37.79, x366_users=4.421, x366_stretch=0.242)
    assert path_response_ms(law, response)[0, left_out][-1] == pytest.approx(5346, rel=0.01)
    other = np.log(path_response_ms(law, response)[0, ~left_out] / response.value[~left_out])
    loss = 2 * RESPONSE_LOSS_SCALE**2 * (np.hypot(1.0, other / RESPONSE_LOSS_SCALE) - 1.0).sum()
    pulls = np.log(1.363) ** 2 + (0.399 - OUTSIDE["miss_exponent"]) ** 2
    assert loss + RIDGE * pulls == pytest.approx(1.3375, abs=1e-4)
    assert loss + RIDGE * pulls > 1.303


def test_each_field_server_is_predicted_by_the_others(validation: Validation) -> None:
    found = {(row.quantity, row.n): row for row in validation.applied if row.family == "field"}
    assert set(found) == {("cores", 4), ("iops", 6), ("transactions_per_min", 7)}
    servers = {p.evidence.split("/")[1] for p in validation.applied_points if p.family == "field"}
    assert servers == {"a", "b", "c", "d", "e"}
    for point in validation.applied_points:
        if point.quantity == "transactions_per_min":
            assert point.predicted != pytest.approx(point.measured)


def test_a_server_decides_nothing_of_its_own_prediction() -> None:
    id = "field/e/transactions-shift"
    rows = [
        replace(row, value=(row.value or 0.0) * 2) if row.id == id else row
        for row in shipped_evidence()
    ]
    shipped = shipped_calibration()
    before, after = (
        {check.evidence: check.predicted for check in field_checks(given, shipped)}
        for given in (shipped_evidence(), rows)
    )
    assert after[id] == pytest.approx(before[id])
    other = "field/a/transactions-now"
    assert after[other] != pytest.approx(before[other])
