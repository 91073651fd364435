"""The law of family A: its published example, its limits, and sanity far outside them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.calibrated import shipped_calibration
from models.evidence.family_a import (
    PlatformA,
    StorageA,
    base_response_ms,
    cpu_pct,
    knee_users,
    path_loss,
    response_at_load,
    response_ms,
)

LAW = shipped_calibration().law
USERS = np.concatenate([[0.0], np.geomspace(1.0, 1e6, 400)])

configurations = st.fixed_dictionaries(
    {
        "platform": st.sampled_from(list(PlatformA)),
        "storage": st.sampled_from(list(StorageA)),
        "ram_gib": st.floats(1.0, 1024.0),
    }
)


@given(configurations)
def test_cpu_and_response_are_finite_and_rise_with_users(where: dict[str, Any]) -> None:
    cpu, response = (law(LAW, **where, users=USERS) for law in (cpu_pct, response_ms))
    for values in (cpu, response):
        assert np.all(np.isfinite(values))
        assert np.all(np.diff(values) > 0)
    assert cpu[0] == 0
    assert response[0] == pytest.approx(base_response_ms(LAW, ram_gib=where["ram_gib"]))


@given(configurations, st.floats(0.0, 1e5))
def test_more_ram_never_lengthens_a_response_before_the_cpu_is_the_bottleneck(
    where: dict[str, Any], users: float
) -> None:
    more = {**where, "ram_gib": 2.0 * where["ram_gib"]}
    if cpu_pct(LAW, **more, users=users) / 100 < users / knee_users(LAW, **more):
        before, after = (
            response_ms(LAW, **where, users=users),
            response_ms(LAW, **more, users=users),
        )
        assert after <= before
    assert knee_users(LAW, **more) >= knee_users(LAW, **where)


def test_cpu_by_hand() -> None:
    # Clovertown RDM 7.25 GB, 2,000 users, with the constants printed in docs/model.md.
    loss = 1 - 4.265 / (1.179 * 5.394)
    by_hand = 3.339 * 2.567 * 2 * math.exp(0.09015 + loss * (1.501 - 0.6577))
    where = {"platform": PlatformA.CLOVERTOWN, "storage": StorageA.RDM, "ram_gib": 7.25}
    assert cpu_pct(LAW, **where, users=2000) == pytest.approx(by_hand, rel=1e-3)
    assert by_hand == pytest.approx(25.9, rel=0.05)


def test_a_response_at_light_load_is_that_of_an_open_queue() -> None:
    load = np.linspace(0.0, 0.9, 10)
    open_queue = 40.0 / (1.0 - load)
    assert response_at_load(40.0, load, think_time_ms=1e12) == pytest.approx(open_queue, rel=1e-6)


@given(st.floats(1.0, 1e3), st.floats(0.0, 1e3), st.floats(1e3, 1e6))
def test_a_response_solves_the_closed_population(base: float, load: float, think: float) -> None:
    response = float(response_at_load(base, load, think_time_ms=think))
    busy = load * think / (response + think)
    assert busy < 1.0
    # Residence is the idle response over the idle share: R·(1 − U) = r.
    assert response * (1.0 - busy) == pytest.approx(base, rel=1e-6)


@given(st.floats(1.0, 1e3), st.floats(0.0, 0.9), st.floats(0.0, 1.0))
def test_a_stretched_response_is_a_power_of_the_open_queue(
    base: float, load: float, power: float
) -> None:
    stretched = response_at_load(base, load, think_time_ms=1e15, stretch=power)
    assert stretched == pytest.approx(base / (1.0 - load) ** (1.0 + power), rel=1e-6)


def test_a_stretch_leaves_others_and_the_asymptote_as_they_are() -> None:
    loads = np.array([0.5, 0.5, 10.0])
    response = response_at_load(40.0, loads, think_time_ms=78_000.0, stretch=[0.0, 0.3, 0.3])
    alone = response_at_load(40.0, loads, think_time_ms=78_000.0)
    assert response[0] == alone[0]
    assert response[1] > alone[1]
    assert response[2] == pytest.approx(78_000.0 * 9.0, rel=0.01)


def test_past_saturation_the_response_nears_the_asymptote() -> None:
    response = response_at_load(40.0, 10.0, think_time_ms=78_000.0)
    assert response == pytest.approx(78_000.0 * 9.0, rel=1e-3)


def test_the_saturated_cpu_counts_where_it_is_busier_than_the_disks() -> None:
    where = {"platform": PlatformA.CLOVERTOWN, "storage": StorageA.VMFS, "ram_gib": 1024.0}
    busy = cpu_pct(LAW, **where, users=USERS) > 110.0
    users = float(USERS[busy.argmax()])
    assert users < knee_users(LAW, **where)
    assert response_ms(LAW, **where, users=users) > 5_000.0


def test_the_x366_limits_every_path_alike() -> None:
    paths = list(StorageA)
    assert np.all(path_loss(LAW, platform=PlatformA.X366, storage=paths) == 0)
    loss = path_loss(LAW, platform=PlatformA.CLOVERTOWN, storage=paths)
    assert loss[StorageA.PHYSICAL] == 0
    assert 0 < loss[StorageA.VMFS] < loss[StorageA.RDM] < 1


def test_everything_broadcasts() -> None:
    values = response_ms(
        LAW,
        platform=np.array([[0], [1]]),
        storage=np.array([0, 1, 2]),
        ram_gib=8.0,
        users=np.full((4, 1, 1), 3000.0),
    )
    assert values.shape == (4, 2, 3)
