"""Exact solution of closed networks of one class, many scenarios at once.

Sources: see `models.queueing.distributions` and `models.queueing.contour`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.quantities import FloatArray, IntArray
from models.queueing.contour import Contour, solve_by_contour
from models.queueing.one_class import OneClass, SingleClassBatch, saddle_point
from models.queueing.recursion import solve_by_recursion, steps_needed

CHUNK = 1_500
"""Scenarios that are solved together."""

ALIKE = 0.5
"""Least ratio of the periods of scenarios that share the points of a contour."""

STEPS_PER_POINT = 8.0
"""What a point of the contour costs, in steps of the recursion, where many scenarios share them."""

FEW = 32
"""Up to so many scenarios a step costs as much as a point: the call, not the arithmetic."""


def solve_single_class(
    demand: FloatArray,
    servers: IntArray,
    population: FloatArray,
    think: FloatArray,
    open_load: FloatArray | None = None,
) -> SingleClassBatch:
    """Solve closed single-class networks of multi-server queues and a delay, exactly.

    Args:
        demand: service demand at each queue D = visits × service [s], shape (M, B).
        servers: servers c of each queue, shape (M,), the same in all scenarios.
        population: customers N ≥ 0 (whole numbers), shape (B,).
        think: think time plus demand at delay stations Z [s], shape (B,).
        open_load: load a of open classes [erlang], shape (M, B), below `servers`; default none.

    Equation: X(N) = G(N−1)/G(N); residence at a queue D·F′/F averaged over the state that an
    arrival meets, with N − 1 customers (arrival theorem).

    Valid for product-form networks (processor sharing, or first come first served with one
    exponential service time per station). The relative error is that of double precision sums
    plus 1e-13 for states left out, below 1e-10 up to N = 100,000. Scenarios with many thinking
    customers are solved on a contour (some twenty points each under light load), the others by
    a recursion over the population.

    Raises:
        ModelError: a scenario without any demand and think time, or too long a computation.

    >>> one = solve_single_class(
    ...     np.array([[0.02], [0.002]]), np.array([8, 1]), np.array([4000.0]), np.array([10.0])
    ... )
    >>> round(float(one.throughput[0]), 9)
    394.446504891
    """
    opened = np.zeros_like(demand) if open_load is None else open_load
    batch = OneClass(demand, servers, population, think, opened)
    saddle = saddle_point(batch)
    steps = steps_needed(population, think * saddle)
    contour = Contour.of(batch, saddle)
    out = SingleClassBatch(np.zeros_like(population), np.zeros_like(demand), np.ones_like(demand))
    is_short = contour.count * (STEPS_PER_POINT if len(steps) > FEW else 1.0) < steps
    rest = [(~is_short).nonzero()[0]]
    for pick in _chunks(contour.period, is_short.nonzero()[0], ALIKE):
        answer, trusted = solve_by_contour(batch.pick(pick), contour.pick(pick))
        _put(out, pick, answer)
        rest.append(pick[~trusted])
    for pick in _chunks(steps, np.concatenate(rest).astype(np.int64), 0.0):
        _put(out, pick, solve_by_recursion(batch.pick(pick), saddle[pick], steps[pick]))
    return out


def single_class_effort(
    demand: FloatArray,
    servers: IntArray,
    population: FloatArray,
    think: FloatArray,
    open_load: FloatArray,
) -> FloatArray:
    """Cost of each scenario in steps of the recursion, to judge it beforehand; shape (B,).

    The fewer of `recursion.steps_needed` and `STEPS_PER_POINT` times the points of the contour;
    arguments as `solve_single_class` takes them.
    """
    batch = OneClass(demand, servers, population, think, open_load)
    saddle = saddle_point(batch)
    points = Contour.of(batch, saddle).count
    return np.minimum(steps_needed(population, think * saddle), STEPS_PER_POINT * points)


def _chunks(cost: FloatArray | IntArray, rows: IntArray, least: float) -> Iterator[IntArray]:
    """Rows of about equal cost together, the dearest first: a chunk costs what its worst does."""
    order = rows[np.argsort(-cost[rows], kind="stable")]
    start = 0
    while start < len(order):
        near = np.count_nonzero(cost[order[start:]] >= least * cost[order[start]])
        end = start + min(int(near), CHUNK)
        yield order[start:end]
        start = end


def _put(out: SingleClassBatch, rows: IntArray, answer: SingleClassBatch) -> None:
    out.throughput[rows] = answer.throughput
    out.queue_length[:, rows] = answer.queue_length
    out.stretch[:, rows] = answer.stretch
