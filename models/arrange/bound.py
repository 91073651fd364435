"""What no placement goes under."""

from __future__ import annotations

import numpy as np

from models.arrange.problem import CPU, Problem
from models.arrange.survival import EPS
from models.base.quantities import BoolArray, FloatArray


def bound_of(problem: Problem, units: BoolArray | None = None) -> tuple[float, int]:
    """Lower bounds that no placement of all units passes: of the peak load, and of hosts used.

    All load over all limits, and the load that may only stand on some hosts over theirs; the
    largest unit on its emptiest host; and of the k·h + 1 largest units on h hosts some host has
    k + 1, which weigh no less than the least of them.

    Args:
        units: those that are placed, (u,); None: all.
    """
    p = problem
    chosen = np.ones(len(p.units), dtype=np.bool_) if units is None else units
    if not len(p.kind) or not chosen.any():
        return 0.0, 0
    open_to = np.isfinite(p.limit[0])
    best, hosts = 0.0, 1
    for resource in range(CPU + 1):
        need, limit = p.need[resource].min(axis=0)[chosen], p.limit[resource, open_to]
        least = np.sort(need)[::-1]
        best = max(best, float(least.sum() / limit.sum()), float(least[0] / limit.max()))
        for k in range(1, (len(least) - 1) // len(limit) + 1):
            last = k * len(limit)
            best = max(best, float(least[last - k : last + 1].sum() / limit.max()))
        best = max(best, _bound_apart(need, p.limit[resource], _may(p)[chosen]))
        most = np.cumsum(np.sort(limit)[::-1])
        hosts = max(hosts, int(np.searchsorted(most * (1 + EPS), least.sum())) + 1)
    return best, min(hosts, len(p.kind))


def _may(problem: Problem) -> BoolArray:
    """Hosts that each unit may stand on, (u, h); a fixed one where it does."""
    there = np.arange(len(problem.kind)) == problem.home[:, None]
    return np.where(problem.fixed[:, None], there, problem.allowed)


def _bound_apart(need: FloatArray, limit: FloatArray, may: BoolArray) -> float:
    """The largest load that may only stand on some hosts, over their limits."""
    best = 0.0
    for hosts in np.unique(may, axis=0):
        if hosts.any():
            bound = ~(may & ~hosts).any(axis=1) & may.any(axis=1)
            best = max(best, float(need[bound].sum() / limit[hosts].sum()))
    return best
