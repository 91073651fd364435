"""The network solved together with what follows its throughputs: the more is written, the less
gets through, and they meet once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.quantities import FloatArray
from models.queueing.network import Network
from models.queueing.solve import Method, Solution, solve
from models.second_opinion.network import Plan

ROUGH_ROUNDS, ROUNDS = 60, 8
ROUGH_ENOUGH, ENOUGH = 1e-9, 1e-7
"""Relative differences of throughputs, found and taken, that end the search."""

MOST_BESIDE = 0.9995
"""Load of a station by what nobody waits for, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """A network, its solution, and how far the throughputs are from those that it was made for."""

    network: Network
    solution: Solution
    mismatch: float


def solved(plan: Plan, tick: Callable[[float], None] = lambda _share: None) -> Solved:
    """The network of a plan, in which open load and throughputs agree.

    By the fast approximation first, then by the best method that is affordable. Each class has a
    secant of its own: what gets through falls with what is taken to get through.

    Args:
        tick: told the share that is done, between two solutions; what it raises ends the search.
    """
    taken = _at_most(plan)
    taken, _ = _met(plan, taken, "fast", ROUGH_ROUNDS, ROUGH_ENOUGH, lambda n: tick(0.3 * n))
    _, found = _met(plan, taken, "auto", ROUNDS, ENOUGH, lambda n: tick(0.3 + 0.7 * n))
    return found


def _met(
    plan: Plan,
    taken: FloatArray,
    method: Method,
    rounds: int,
    enough: float,
    tick: Callable[[float], None],
) -> tuple[FloatArray, Solved]:
    step = np.full(len(taken), 0.5)
    before: tuple[FloatArray, FloatArray] | None = None
    best: tuple[FloatArray, Solved] | None = None
    for number in range(rounds):
        tick(number / rounds)
        network = plan.network(taken)
        solution = solve(network, method)
        there = solution.throughput[: len(taken)]
        missing = there - taken
        found = Solved(network, solution, float(np.max(np.abs(missing) / there)))
        if best is None or found.mismatch < best[1].mismatch:
            best = taken, found
        if found.mismatch < enough:
            break
        if before is not None:
            moved = taken - before[0]
            slope = np.divide(missing - before[1], moved, out=-1.0 / step, where=np.abs(moved) > 0)
            step = np.clip(-1.0 / np.minimum(slope, -1e-9), 1e-3, 1.0)
        before = taken, missing
        taken = _affordable(plan, np.maximum(taken + step * missing, 1e-3 * taken))
    assert best is not None
    return best


def _at_most(plan: Plan) -> FloatArray:
    """Throughputs that nobody exceeds who doesn't wait, and that no station is too slow for."""
    idle = sum((place.demand_s for place in plan.places), np.zeros(len(plan.rows)))
    throughput = plan.population / (plan.think_s + idle)
    share = np.ones(len(throughput))
    for place in plan.places:
        if not place.servers:
            continue
        each = throughput * (place.demand_s + place.following_s)
        room = 0.999 * place.count * place.servers - place.others
        if each.sum() > room:
            share = np.where(each > 0, np.minimum(share, room / each.sum()), share)
    return _affordable(plan, share * throughput)


def _affordable(plan: Plan, throughput: FloatArray) -> FloatArray:
    """The same, less where what nobody waits for would fill a station."""
    for place in plan.places:
        most = MOST_BESIDE * place.count * place.servers - place.others
        each = throughput * place.following_s
        if place.servers and each.sum() > most:
            throughput = np.where(each > 0, throughput * most / each.sum(), throughput)
    return throughput
