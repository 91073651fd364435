"""The shipped calibration is the one that the evidence gives, and it fits what was measured."""

from __future__ import annotations

import copy
import json
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from app.calibrated import (
    shipped_accuracy,
    shipped_calibration,
    shipped_evidence,
    shipped_validation,
)
from app.cli_calibrate import accuracy_text, calibration_text, text_of
from models.base.errors import ModelError
from models.base.quantities import Basis
from models.evidence.calibration import Calibration, outside_constants, rounded
from models.evidence.family_a import FITTED_PARAMETERS, FamilyALaw, cpu_pct, path_load, response_ms
from models.evidence.rows import by_id
from models.fitting import family_a_fit
from models.fitting.family_a_fit import CPU, RESPONSE, fit_law, points
from models.fitting.validation import Accuracy
from resources.evidence_files import accuracy_data, calibration_data

CALIBRATION = shipped_calibration()
LAW = CALIBRATION.law
OUTSIDE = {"think_time_ms", "miss_exponent"}


@pytest.mark.portable
def test_a_fresh_calibration_is_the_shipped_one_byte_for_byte() -> None:
    fresh = calibration_text()
    assert json.loads(fresh) == calibration_data()
    assert fresh == text_of(CALIBRATION)


@pytest.mark.portable
def test_the_shipped_accuracy_is_that_of_a_refit() -> None:
    assert json.loads(accuracy_text()) == accuracy_data()
    assert shipped_accuracy() == shipped_validation().of_families


def test_a_row_of_the_accuracy_that_lacks_a_field_is_refused() -> None:
    row = dict(accuracy_data()[0])
    del row["bias"]
    with pytest.raises(ModelError, match="bias"):
        Accuracy.from_data(row)


def test_data_and_back_is_the_same_value() -> None:
    assert Calibration.from_data(CALIBRATION.to_data()) == CALIBRATION


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("format",), "something", "is not a headroom-calibration"),
        (("version",), 2, "is not a headroom-calibration"),
        (("law", "vmfs_users"), "many", "law.vmfs_users"),
        (("law", "vmfs_users"), float("nan"), "law.vmfs_users"),
        (("law",), 3, "law: must be an object"),
        (("constants", "releases", "cpu_factor_7", "basis"), "hearsay", "cpu_factor_7.basis"),
    ],
)
def test_a_damaged_calibration_is_refused_by_field(
    path: tuple[str, ...], value: Any, reason: str
) -> None:
    data = copy.deepcopy(CALIBRATION.to_data())
    part = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(ModelError, match=reason):
        Calibration.from_data(data)


def test_a_missing_field_is_named() -> None:
    data = copy.deepcopy(CALIBRATION.to_data())
    del data["law"]["rdm_users"]
    with pytest.raises(ModelError, match=r"calibration\.law\.rdm_users: is missing"):
        Calibration.from_data(data)


def test_every_measured_cpu_cell_is_within_a_fifth() -> None:
    cpu = points(shipped_evidence(), CPU)
    error = np.abs(cpu_pct(LAW, **cpu.where) / cpu.value - 1.0)
    assert len(error) == 35
    assert error.max() <= 0.20


def test_no_measured_point_is_predicted_over_a_second() -> None:
    runs = [run for run in CALIBRATION.runs if run.quantity == RESPONSE]
    assert len(runs) == 34
    for run in runs:
        where = {"platform": run.platform, "storage": run.storage, "ram_gib": run.ram_gib}
        assert response_ms(LAW, **where, users=run.users) < 1000.0, run.id


def test_the_cpu_is_the_bottleneck_at_no_measured_point() -> None:
    response = points(shipped_evidence(), RESPONSE)
    assert np.all(cpu_pct(LAW, **response.where) / 100.0 < path_load(LAW, **response.where))


def test_the_slow_last_points_are_within_a_factor_of_1_7() -> None:
    response = points(shipped_evidence(), RESPONSE)
    slow = response.last & (response.value > 300.0)
    assert sorted(response.value[slow]) == [384, 491, 546, 682, 696]
    ratio = response_ms(LAW, **response.where)[slow] / response.value[slow]
    assert np.exp(np.abs(np.log(ratio))).max() <= 1.7


def test_every_field_of_the_law_is_counted_as_tuned_or_comes_from_another_document() -> None:
    tuned = {*family_a_fit.CPU_PARAMETERS, *family_a_fit.RESPONSE_PARAMETERS}
    assert {f.name for f in fields(FamilyALaw)} == tuned | OUTSIDE
    assert len(tuned) == FITTED_PARAMETERS
    assert CALIBRATION.tuned_constants <= 14


@pytest.mark.parametrize("seed", range(4))
def test_the_fit_does_not_depend_on_where_it_starts(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    start = {
        name: value * np.exp(rng.normal(0.0, 0.2)) if value else rng.normal(0.0, 0.2)
        for name, value in family_a_fit._START.items()
    }
    # From where RDM does not bind, its limit has no gradient to be found by.
    start["rdm_users"] = min(start["rdm_users"], 0.9 * start["vmfs_users"])
    monkeypatch.setattr(family_a_fit, "_START", start)
    again = fit_law(shipped_evidence(), **outside_constants(CALIBRATION.constants))
    for field in fields(FamilyALaw):
        assert getattr(again, field.name) == pytest.approx(getattr(LAW, field.name), rel=1e-6)


def test_the_doubted_cells_have_no_say() -> None:
    rows = shipped_evidence()
    doubted = {row.id for row in rows if row.doubted}
    without = [row for row in rows if row.id not in doubted]
    outside = outside_constants(CALIBRATION.constants)
    assert rounded(fit_law(without, **outside)) == LAW
    assert len([run for run in CALIBRATION.runs if run.doubted]) == 2


def test_constants_follow_from_their_evidence() -> None:
    constants, rows = CALIBRATION.constants, by_id(shipped_evidence())
    mail, inotes, releases = constants.mail85, constants.inotes85, constants.releases
    assert mail.cpu_core_pct_per_user.value == pytest.approx((28.22 + 29.26) / 2 * 2 / 4000)
    assert mail.iops_per_user.value == pytest.approx((743.97 + 698.68) / 2 / 4000)
    assert mail.peak_factor_cpu.value == pytest.approx(66.59 / 28.22)
    assert mail.peak_factor_iops.value == pytest.approx(1993.08 / 743.97)
    assert inotes.ram_exponent_iops.value == pytest.approx(np.log2(683 / 511))
    assert releases.cpu_factor_851.value == pytest.approx(0.62)
    assert releases.iops_factor_851.value == pytest.approx(0.67)
    assert releases.cpu_factor_851.basis is Basis.RULE
    assert releases.cpu_factor_7.value == pytest.approx(0.72)
    assert releases.active_share_large.value == pytest.approx(1150 / 3280)
    assert constants.cluster_r5.logging_disk_factor.value == pytest.approx(61 / 74)
    assert constants.cluster_r5.cpu_factor.value == pytest.approx(1.32)
    assert constants.workload.think_time_ms.value == pytest.approx(5_400_000 / 69)
    for group in fields(constants):
        for field in fields(getattr(constants, group.name)):
            constant = getattr(getattr(constants, group.name), field.name)
            assert constant.unit, field.name
            assert constant.evidence, field.name
            assert set(constant.evidence) <= set(rows), field.name


def test_constants_need_their_rows() -> None:
    rows = [row for row in shipped_evidence() if row.id != "vsphere4/table3/disk_io"]
    with pytest.raises(ModelError, match="vsphere4/table3/disk_io"):
        family_a_constants(rows)


def family_a_constants(rows: Any) -> None:
    from models.evidence.constants import family_constants

    family_constants(by_id(rows))
