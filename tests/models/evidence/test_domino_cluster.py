"""Family C's law against the figures that it was made from, and its limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.calibrated import shipped_calibration, shipped_evidence
from models.base.errors import ModelError
from models.base.quantities import Basis
from models.evidence.domino_cluster import (
    cluster_law,
    logged_disk,
    member_demand,
    recommended_replicators,
    replicator_queue_s,
)
from models.evidence.rows import by_id

CONSTANTS = shipped_calibration().constants.cluster_r5
LAW = cluster_law(CONSTANTS)
CPU: dict[str, Any] = {"push": LAW.push_cpu, "receive": LAW.receive_cpu}
DISK: dict[str, Any] = {"push": LAW.push_disk, "receive": LAW.receive_disk}
DISK_ALONE_PCT = 74.0 / 1.21

loads = st.floats(0.0, 1e4)


def test_the_active_member_takes_33_instead_of_25_per_cent() -> None:
    assert member_demand(25.0, 0.0, **CPU)[0] == pytest.approx(33.0)
    assert member_demand(DISK_ALONE_PCT, 0.0, **DISK)[0] == pytest.approx(74.0)


def test_the_standby_takes_8_and_35_per_cent() -> None:
    assert member_demand(0.0, 25.0, **CPU)[0] == pytest.approx(CONSTANTS.standby_cpu_pct.value)
    disk = member_demand(0.0, DISK_ALONE_PCT, **DISK)[0]
    assert disk == pytest.approx(CONSTANTS.standby_disk_pct.value)


def test_both_members_active_add_the_standby_load_to_the_active_one() -> None:
    assert member_demand(25.0, 25.0, **CPU)[0] == pytest.approx(33.0 + 8.0)
    assert member_demand(DISK_ALONE_PCT, DISK_ALONE_PCT, **DISK)[0] == pytest.approx(74.0 + 35.0)


def test_cpu_ranges_from_5_per_cent_more_to_three_times() -> None:
    _, low, high = member_demand(100.0, 100.0, **CPU)
    assert low == pytest.approx(105.0)
    assert high == pytest.approx(300.0)


@given(loads, loads, st.integers(0, 5))
def test_clustering_never_takes_load_away(own: float, received: float, replicas: int) -> None:
    for shares in (CPU, DISK):
        value, low, high = member_demand(own, received, replicas=replicas, **shares)
        assert own <= low <= value <= high


@given(loads, loads)
def test_a_lost_partner_leaves_its_users_and_nothing_to_push(own: float, lost: float) -> None:
    assert member_demand(own + lost, 0.0, replicas=0, **CPU) == pytest.approx(own + lost)


def test_members_are_worked_out_side_by_side() -> None:
    own, received = np.array([[1.0, 2.0, 0.0]]), np.array([[0.0, 1.0, 2.0]])
    demand = member_demand(own, received, **CPU)
    assert demand.shape == (3, 1, 3)
    assert demand[0, 0] == pytest.approx([1.32, 2.64 + 0.32, 0.64])


def test_every_share_names_its_rows() -> None:
    assert set(LAW.evidence) <= set(by_id(shipped_evidence()))
    assert LAW.push_cpu.basis is Basis.MEASURED
    assert LAW.receive_cpu.basis is Basis.RULE


def test_replicators() -> None:
    one, three = CONSTANTS.replicator_queue_s_1.value, CONSTANTS.replicator_queue_s_3.value
    queue = replicator_queue_s([1, 2, 3], one_s=one, three_s=three)
    assert queue == pytest.approx([45.0, 21.5, 14.0], abs=0.1)
    assert recommended_replicators(1, CONSTANTS.replicators_beyond) == 2
    with pytest.raises(ModelError, match="at least one replicator"):
        replicator_queue_s(0, one_s=one, three_s=three)


def test_logging_takes_74_per_cent_of_disk_down_to_61() -> None:
    value, low, high = logged_disk(74.0, CONSTANTS.logging_disk_factor.value)
    assert value == pytest.approx(61.0)
    assert low <= value <= high
