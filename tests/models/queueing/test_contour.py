"""The contour against the recursion, which shares nothing with it but the stations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.quantities import FloatArray
from models.queueing import single_class
from models.queueing.contour import TRUSTED, Contour, solve_by_contour
from models.queueing.one_class import OneClass, SingleClassBatch, saddle_point
from models.queueing.recursion import solve_by_recursion, steps_needed
from models.queueing.single_class import solve_single_class


def random_batch(rng: np.random.Generator, size: int) -> OneClass:
    """Networks from light to five times overloaded, some with two equal bottlenecks."""
    queues = int(rng.integers(1, 6))
    servers = rng.choice([1, 1, 2, 4, 8, 16, 64], queues)
    population = np.round(10.0 ** rng.uniform(0.5, 3.3, size))
    think = 10.0 ** rng.uniform(-1.0, 2.0, size)
    opened = servers[:, None] * rng.uniform(0.0, 0.9, (queues, size)) * rng.integers(0, 2)
    free = servers[:, None] - opened
    demand = 10.0 ** rng.uniform(-4.0, 0.0, (queues, size)) * servers[:, None]
    if queues > 1 and rng.random() < 0.3:
        demand[1] = demand[0] * free[1] / free[0]
    busiest = (demand / free).max(axis=0) * population / think
    demand *= 10.0 ** rng.uniform(-1.0, 0.7, size) / busiest
    return OneClass(demand, servers, population, think, opened)


def difference(one: SingleClassBatch, two: SingleClassBatch) -> FloatArray:
    """Largest relative difference of each scenario."""
    parts = [
        np.abs(one.throughput / two.throughput - 1.0)[None],
        np.abs(one.queue_length / two.queue_length - 1.0),
        np.abs(one.stretch / two.stretch - 1.0),
    ]
    return np.asarray(np.concatenate(parts).max(axis=0))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_contour_and_recursion_agree(seed: int) -> None:
    batch = random_batch(np.random.default_rng(seed), 12)
    saddle = saddle_point(batch)
    contour = Contour.of(batch, saddle)
    steps = steps_needed(batch.population, batch.think * saddle)
    rows = np.flatnonzero(contour.count < steps)
    if not len(rows):
        return
    answer, trusted = solve_by_contour(batch.pick(rows), contour.pick(rows))
    exact = solve_by_recursion(batch.pick(rows), saddle[rows], steps[rows])
    assert np.all(difference(answer, exact)[trusted] < 1e-12)


def test_too_few_points_are_not_trusted() -> None:
    """Half of the points that are needed: aliases, and the answer says so."""
    servers, population, think = np.array([8, 1]), np.array([4000.0]), np.array([10.0])
    demand = np.array([[0.02], [0.002]])
    batch = OneClass(demand, servers, population, think, np.zeros_like(demand))
    contour = Contour.of(batch, saddle_point(batch))
    coarse = Contour(contour.tilt, contour.up, contour.down, contour.period / 4.0, contour.extent)
    answer, trusted = solve_by_contour(batch, coarse)
    whole, sure = solve_by_contour(batch, contour)
    assert not trusted[0]
    assert sure[0]
    assert difference(answer, whole)[0] > TRUSTED


def test_what_is_not_trusted_is_solved_by_recursion(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    demand = np.array([[0.02], [0.002]]) * rng.uniform(0.5, 1.2, (2, 80))
    servers = np.array([8, 1])
    population, think = np.round(rng.uniform(500.0, 5000.0, 80)), rng.uniform(5.0, 20.0, 80)
    expected = solve_single_class(demand, servers, population, think)

    def doubtful(batch: OneClass, contour: Contour) -> tuple[SingleClassBatch, FloatArray]:
        answer, _ = solve_by_contour(batch, contour)
        answer.throughput[::2] = -1.0
        return answer, np.arange(len(contour.tilt)) % 2 == 1

    monkeypatch.setattr(single_class, "solve_by_contour", doubtful)
    answer = solve_single_class(demand, servers, population, think)
    assert np.all(difference(answer, expected) < 1e-12)


def test_a_mixed_batch_is_trusted_as_a_whole() -> None:
    """Small and large populations share the points: as far as one needs, as dense as another."""
    rng = np.random.default_rng(3)
    demand = np.array([[0.02], [0.002]]) * rng.uniform(0.5, 1.1, (2, 80))
    population = np.round(rng.uniform(500.0, 4000.0, 80))
    batch = OneClass(demand, np.array([8, 1]), population, np.full(80, 10.0), np.zeros_like(demand))
    _, trusted = solve_by_contour(batch, Contour.of(batch, saddle_point(batch)))
    assert trusted.all()


def test_the_contour_takes_the_networks_of_this_application() -> None:
    """Thousands of users who think: a few dozen points, so that sweeps are cheap."""
    population = np.array([500.0, 1000.0, 4000.0, 100_000.0])
    demand = np.array([[0.02], [0.002]]) * 4000.0 / population
    batch = OneClass(demand, np.array([8, 1]), population, np.full(4, 10.0), np.zeros_like(demand))
    assert np.all(Contour.of(batch, saddle_point(batch)).count < 40)
