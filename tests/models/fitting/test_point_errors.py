"""Errors over a choice of points agree with the table; doubted cells are shown, never counted."""

from __future__ import annotations

import math

import pytest

from app.calibrated import shipped_calibration, shipped_evidence, shipped_validation
from models.base.quantities import Basis
from models.fitting.point_errors import (
    DOUBTED,
    UNPRINTED,
    doubted_points,
    point_errors,
    unprinted_points,
)
from models.fitting.validation import Validation, validate
from resources.catalog_files import load_catalog
from tests.models.worlds import predict, wv21


class GivenUp(Exception):
    """Raised by a tick that has seen enough."""


@pytest.fixture(scope="module")
def validation() -> Validation:
    return shipped_validation()


def test_errors_over_a_split_are_those_of_the_table(validation: Validation) -> None:
    for row in validation.accuracy:
        where = (row.quantity, row.split)
        errors = point_errors([p for p in validation.points if (p.quantity, p.split) == where])
        assert errors is not None
        assert errors.n == row.n
        assert errors.mape_pct == pytest.approx(row.mape_pct, rel=1e-5)
        assert errors.log_error == pytest.approx(row.log_error, rel=1e-5)
        assert errors.coverage_pct == pytest.approx(row.coverage_pct, rel=1e-5)


def test_doubted_cells_are_predicted_and_never_counted(validation: Validation) -> None:
    doubted = doubted_points(shipped_calibration())
    assert {(p.evidence, p.measured, p.split) for p in doubted} == {
        ("wv21/clovertown/vmfs/14.5gb/3000/response_ms", 861.0, DOUBTED),
        ("wv21/x366/vmfs/6gb/1000/response_ms", 927.0, DOUBTED),
    }
    assert all(p.low < p.predicted < p.high for p in doubted)
    assert not any(p.is_inside for p in doubted)
    assert point_errors(doubted) is None
    counted = [p for p in validation.points if p.split == "inside"]
    assert point_errors([*counted, *doubted]) == point_errors(counted)
    assert {p.evidence for p in doubted}.isdisjoint(p.evidence for p in validation.points)


def test_a_validation_that_nobody_waits_for_ends_at_the_next_fit() -> None:
    shares: list[float] = []

    def give_up(share: float) -> None:
        shares.append(share)
        if len(shares) == 2:
            raise GivenUp

    with pytest.raises(GivenUp):
        validate(shipped_evidence(), load_catalog(), give_up)
    assert shares == sorted(shares)
    assert len(shares) == 2


def test_what_was_run_and_not_printed_is_extrapolated_and_counts_nowhere() -> None:
    points = unprinted_points(shipped_calibration(), shipped_evidence())
    assert [point.evidence for point in points] == [
        "wv21/clovertown/rdm/7.25gb/5000/response_ms",
        "wv21/clovertown/rdm/14.5gb/5000/response_ms",
    ]
    assert {point.split for point in points} == {UNPRINTED}
    assert point_errors(points) is None
    for point in points:
        assert math.isnan(point.measured)
        assert point.low < 546.0
        assert 10_000.0 < point.predicted < point.high


@pytest.mark.parametrize("ram", [7.25, 14.5])
def test_the_page_and_the_prediction_extrapolate_alike(ram: float) -> None:
    response = predict(wv21("clovertown", "rdm", ram, 5000.0)).vms.response_ms[0]
    (point,) = (
        each
        for each in unprinted_points(shipped_calibration(), shipped_evidence())
        if f"/{ram:g}gb/" in each.evidence
    )
    assert response.basis is Basis.EXTRAPOLATED
    ends = (response.value, response.low, response.high)
    assert (point.predicted, point.low, point.high) == pytest.approx(ends, rel=1e-3)
