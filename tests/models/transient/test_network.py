"""Storms against hand computation, steady states and monotony; `tests/slow` has the simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.queueing.batch import erlang_c
from models.transient.network import (
    DRAINED,
    ClosedNetwork,
    Disturbance,
    Transient,
    drained_at,
    jobs_and_slope,
    run_storm,
    share_per_job,
)
from tests.sweeps import some

HOUR = 3600.0


def network(**fields: Any) -> ClosedNetwork:
    """One server: 1,000 users, 10 ms of CPU an action, 1 vCPU, drives that never wait."""
    return ClosedNetwork(
        **{
            "users": np.array([1000.0]),
            "think_s": 80.0,
            "cpu_s": np.array([0.010]),
            "disk_s": np.array([0.001]),
            "vcpus": np.array([[1.0]]),
            "host": np.array([0]),
            "pool": np.array([0]),
            "cores": np.array([16.0]),
            "disks": np.array([500.0]),
            **fields,
        }
    )


def storm(login_s: float = 60.0, actions: float = 10.0, **fields: float) -> Disturbance:
    return Disturbance(login_s=login_s, login_actions=actions, **fields)


def run(given_network: ClosedNetwork, disturbance: Disturbance) -> Transient:
    return run_storm(given_network, disturbance, horizon_s=8 * HOUR)


@pytest.mark.parametrize("load", [0.1, 0.5, 0.9, 0.99])
def test_jobs_of_one_server_are_those_of_the_book(load: float) -> None:
    """M/M/1: ρ/(1 − ρ)."""
    assert jobs_and_slope(np.array(load), np.array(1.0))[0] == pytest.approx(load / (1 - load))


@pytest.mark.parametrize(("servers", "load"), [(2, 0.9), (8, 0.95), (16, 0.97)])
def test_jobs_of_several_servers_are_close_to_erlang(servers: int, load: float) -> None:
    busy = servers * load
    waiting = float(erlang_c(servers, busy)) * load / (1 - load)
    assert jobs_and_slope(np.array(busy), np.array(float(servers)))[0] == pytest.approx(
        busy + waiting, rel=0.03
    )


@settings(max_examples=60)
@given(
    st.floats(0.0, 5000.0),
    st.floats(0.0, 5000.0),
    st.floats(0.001, 1.0),
    st.floats(1.0, 64.0),
    st.floats(0.1, 30.0),
)
def test_a_step_serves_no_more_than_the_servers_can(
    one: float, two: float, service: float, servers: float, step: float
) -> None:
    ready = np.array([[[one]], [[two]]])
    services = np.array([[[service * 5]], [[service]]])
    share, _ = share_per_job(ready, services, np.array([[servers]]), step, np.ones((1, 1)))
    left = ready / (1 + step * share / services)
    work = float(((ready - left) * services).sum())
    assert 0 < share[0, 0] <= 1
    assert (left >= 0).all()
    assert work <= servers * step * (1 + 1e-5)


@settings(max_examples=60)
@given(
    st.lists(st.floats(0.0, 5000.0), min_size=3, max_size=3),
    st.floats(0.1, 30.0),
    st.floats(1.0, 1e6),
)
def test_where_the_search_starts_and_who_else_is_there_changes_nothing(
    jobs: list[float], step: float, start: float
) -> None:
    ready = np.array([[jobs], [[0.0, 1.0, 7.0]]])
    services, servers = np.full((2, 1, 3), 0.05), np.array([[1.0, 2.0, 16.0]])
    speed = np.ones((1, 3))
    share, crowd = share_per_job(ready, services, servers, step, speed)
    again, _ = share_per_job(ready, services, servers, step, speed, start=np.full((1, 3), start))
    assert again == pytest.approx(share, rel=1e-5)
    there, _ = share_per_job(ready, services, servers, step, speed, start=crowd)
    assert there.tolist() == share.tolist()
    for one in range(3):
        alone = slice(one, one + 1)
        found, _ = share_per_job(
            ready[:, :, alone], services[:, :, alone], servers[:, alone], step, speed[:, alone]
        )
        assert found[0, 0] == pytest.approx(share[0, one], rel=1e-5)


def test_undisturbed_it_is_a_closed_network_in_its_steady_state() -> None:
    """X = N/(Z + R), ρ = X·D = 0.125; R of M/M/1 at that load is D/(1 − ρ)."""
    found = run(network(), storm(actions=0.001, login_s=0.0, active_s=600.0))
    rate = 1000 / (80 + float(found.settled_s[0, 0]))
    assert found.settled_s[0, 0] == pytest.approx(0.010 / (1 - rate * 0.010) + 0.001, rel=1e-3)
    assert found.waiting[-1, 0, 0] == pytest.approx(rate * found.settled_s[0, 0], rel=0.01)


def test_a_backlog_drains_at_what_is_left_of_the_servers() -> None:
    """1,000 logins of 100 ms at once: 100 core-seconds on a core that users keep 12 % busy."""
    found = run(network(), storm(login_s=0.0))
    assert found.over.all()
    assert found.drained_s[0, 0] == pytest.approx(100.0 / (1 - 0.125 * 0.5), rel=0.10)
    assert found.peak_waiting[0, 0] == pytest.approx(1000.0, rel=0.05)


def test_nobody_is_lost_and_all_log_in_in_time() -> None:
    found = run(network(), storm())
    assert ((found.offline + found.waiting) <= 1000 * (1 + 1e-9)).all()
    assert found.offline[found.time_s >= 60.0].max() == pytest.approx(0.0, abs=1e-6)
    at = found.time_s.searchsorted(30.0)
    assert found.offline[at, 0, 0] == pytest.approx(500.0, rel=0.02)


def test_a_light_storm_is_hardly_noticed() -> None:
    found = run(network(vcpus=np.array([[8.0]])), storm())
    assert found.peak_s[0, 0] < 1.2 * found.settled_s[0, 0]
    assert found.drained_s[0, 0] <= 80.0


def test_cores_of_the_host_bound_all_its_servers_together() -> None:
    pair: dict[str, Any] = {
        "users": np.array([1000.0, 1000.0]),
        "cpu_s": np.array([0.01, 0.01]),
        "disk_s": np.array([0.001, 0.001]),
        "vcpus": np.array([[2.0, 2.0]]),
        "pool": np.array([0, 0]),
    }
    apart = network(**pair, host=np.array([0, 1]), cores=np.array([2.0, 2.0]))
    together = network(**pair, host=np.array([0, 0]), cores=np.array([2.0]))
    assert run(together, storm()).peak_s[0, 0] > 2 * run(apart, storm()).peak_s[0, 0]


def test_drives_are_shared_by_all_who_name_the_pool() -> None:
    pair: dict[str, Any] = {
        "users": np.array([500.0, 500.0]),
        "cpu_s": np.array([0.001, 0.001]),
        "disk_s": np.array([0.02, 0.02]),
        "vcpus": np.array([[8.0, 8.0]]),
        "host": np.array([0, 0]),
    }
    one = network(**pair, pool=np.array([0, 0]), disks=np.array([2.0]))
    two = network(**pair, pool=np.array([0, 1]), disks=np.array([2.0, 2.0]))
    assert run(one, storm()).peak_s[0, 0] > 1.5 * run(two, storm()).peak_s[0, 0]
    none = network(**pair, pool=np.array([-1, -1]))
    assert run(none, storm()).peak_s[0, 0] < run(two, storm()).peak_s[0, 0]


def test_more_activity_lasts_as_long_as_it_was_said_to() -> None:
    usual = run(network(), storm(login_s=600.0, actions=2.0))
    busy = run(network(), storm(login_s=600.0, actions=2.0, activity=6.0, active_s=3600.0))
    assert busy.peak_s[0, 0] > usual.peak_s[0, 0]
    assert 3600 <= busy.drained_s[0, 0] <= 3900


def test_what_can_not_be_served_never_drains() -> None:
    found = run_storm(network(), storm(actions=1000.0), horizon_s=600.0)
    assert not found.over.any()
    assert np.isinf(found.drained_s).all()


def test_variants_side_by_side_are_those_alone() -> None:
    vcpus = np.array([[1.0], [2.0], [3.0]])
    together = run(network(vcpus=vcpus), storm())
    for row, few in enumerate(vcpus):
        alone = run(network(vcpus=few[None]), storm())
        assert together.peak_s[row, 0] == pytest.approx(alone.peak_s[0, 0], rel=1e-6)
        assert together.drained_s[row, 0] == pytest.approx(alone.drained_s[0, 0], rel=1e-3)
    assert (np.diff(together.peak_s[:, 0]) < 0).all()
    assert (np.diff(together.drained_s[:, 0]) < 0).all()


@settings(max_examples=8, deadline=None)
@given(st.floats(1.0, 20.0), st.floats(1.0, 600.0), st.floats(1.0, 4.0))
def test_a_heavier_or_quicker_storm_is_worse(actions: float, login_s: float, more: float) -> None:
    base = run(network(), storm(login_s, actions))
    heavier = run(network(), storm(login_s, actions * more))
    slower = run(network(), storm(login_s * more, actions))
    assert heavier.peak_s[0, 0] >= base.peak_s[0, 0] * 0.99
    assert slower.peak_s[0, 0] <= base.peak_s[0, 0] * 1.01


def test_the_steps_are_fine_enough() -> None:
    """Halving them moves the peak and the drain by less than 2 %."""
    import models.transient.network as module

    coarse = run(network(), storm())
    steps = module.STEPS_OF_WINDOW
    try:
        module.STEPS_OF_WINDOW = 4 * steps
        fine = run(network(), storm())
    finally:
        module.STEPS_OF_WINDOW = steps
    assert coarse.peak_s[0, 0] == pytest.approx(fine.peak_s[0, 0], rel=0.02)
    assert coarse.drained_s[0, 0] == pytest.approx(fine.drained_s[0, 0], rel=0.02)


@pytest.mark.parametrize(("actions", "activity"), some([(10.0, 6.0), (2.0, 12.0)]))
def test_a_long_stretch_of_more_activity_takes_few_steps_and_comes_to_the_same(
    monkeypatch: pytest.MonkeyPatch, actions: float, activity: float
) -> None:
    """A day of it after quick logins took a step for each quarter of a second."""
    long = storm(login_s=20.0, actions=actions, activity=activity, active_s=900.0)
    even = run(network(), long)
    monkeypatch.setattr("models.transient.network.MOST_EVEN", 200)
    grown = run(network(), long)
    assert len(grown.time_s) < len(even.time_s) / 3
    assert 900.0 in grown.time_s
    assert grown.peak_s == pytest.approx(even.peak_s, rel=0.01)
    assert grown.drained_s == pytest.approx(even.drained_s, rel=0.01)


@pytest.mark.slow
def test_a_day_is_bounded_in_steps() -> None:
    day = storm(login_s=0.0, activity=2.0, active_s=86_400.0)
    assert len(run(network(vcpus=np.array([[8.0]])), day).time_s) < 15_000


def test_the_course_of_one_server_is_its_course_among_all() -> None:
    users, ones = np.array([1000.0, 500.0]), np.ones(2)
    pair = network(
        users=users,
        cpu_s=0.01 * ones,
        disk_s=0.001 * ones,
        vcpus=ones[None],
        host=np.array([0, 0]),
        pool=np.array([0, 0]),
    )
    both, second = run(pair, storm()), run_storm(pair, storm(), horizon_s=8 * HOUR, only=1)
    for name in ("offline", "waiting", "action_s", "login_s"):
        assert (getattr(second, name) == getattr(both, name)[..., 1:]).all()
    assert second.drained_s.tolist() == both.drained_s[:, 1:].tolist()


def test_drained_is_read_off_between_two_moments() -> None:
    time = np.arange(5.0)
    took = np.array([1.0, 11.0, 6.0, 1.0, 1.0])[:, None, None]
    settled = np.array([[1.0]])
    expected = 2 + (5.0 - DRAINED * 10) / 5.0
    assert drained_at(time, took, settled)[0, 0] == pytest.approx(expected)
    calm = np.ones((5, 1, 1))
    assert drained_at(time, calm, settled)[0, 0] == 0.0


def test_a_network_of_nobody_is_calm() -> None:
    nobody = replace(
        network(),
        users=np.zeros(0),
        cpu_s=np.zeros(0),
        disk_s=np.zeros(0),
        vcpus=np.zeros((1, 0)),
        host=np.zeros(0, dtype=np.int64),
        pool=np.zeros(0, dtype=np.int64),
    )
    found = run(nobody, storm())
    assert found.over.all()
    assert found.waiting.shape[1:] == (1, 0)
