"""Losing a host: VMs that find no room on the survivors, of many placements at once."""

from __future__ import annotations

import numpy as np

from models.arrange.problem import CPU, Problem
from models.base.quantities import FloatArray, IntArray

EPS = 1e-9


def size_of(problem: Problem) -> FloatArray:
    """The larger share of a mean host that each unit asks for, (u,)."""
    if not len(problem.kind):
        return np.zeros(len(problem.units))
    mean = problem.limit[: CPU + 1].mean(axis=1)
    return np.asarray((problem.need[: CPU + 1].max(axis=1) / mean[:, None]).max(axis=0))


def stranded(problem: Problem, place: IntArray) -> int:
    """The same of one placement, (u,)."""
    return int(stranded_each(problem, place[None])[0])


def stranded_each(problem: Problem, places: IntArray) -> IntArray:
    """VMs that find no room on the survivors of their cluster when a host is lost, over all hosts
    whose loss is to be survived, (c,); the largest restart first, each where most is left.

    Args:
        places: host of each unit, a row a placement, (c, u).
    """
    p, hosts = problem, len(problem.kind)
    lost = np.zeros(len(places), dtype=np.int64)
    survive = np.append(p.survive, False)
    trial, units = np.nonzero(survive[places] & ~p.mirrored)
    if not len(units):
        return lost
    cases, mode = np.unique(trial * hosts + places[trial, units], return_inverse=True)
    order = np.lexsort((-size_of(p)[units], mode))
    units, mode = units[order], mode[order]
    counts = np.bincount(mode)
    step = np.arange(len(mode)) - (counts.cumsum() - counts)[mode]
    gone = cases % hosts
    alive = p.cluster[gone][:, None] == p.cluster[None]
    alive[np.arange(len(cases)), gone] = False
    every = np.array([p.loads(place) for place in places])[cases // hosts]
    load = np.ascontiguousarray(every.transpose(1, 0, 2))
    for number in range(int(counts.max())):
        rows = np.flatnonzero(step == number)
        m, u = mode[rows], units[rows]
        after = load[:, m] + p.need[:, p.kind[None], u[:, None]]
        share = (after / p.limit[:, None]).max(axis=0)
        share[~(alive[m] & p.allowed[u])] = np.inf
        to = share.argmin(axis=1)
        at = np.arange(len(rows))
        fits = share[at, to] <= 1 + EPS
        np.add.at(lost, cases[m[~fits]] // hosts, p.weight[u[~fits]])
        load[:, m[fits], to[fits]] = after[:, at[fits], to[fits]]
    return lost
