"""A placement under work: what hosts carry, where each unit may go, and first fit."""

from __future__ import annotations

import numpy as np

from models.arrange.problem import CPU, NOWHERE, Problem
from models.arrange.survival import EPS
from models.base.quantities import FloatArray, IntArray

MOST_OUSTED = 12
"""Units that are tried to be moved away for one that finds no room."""


class State:
    """A placement and what hosts carry under it.

    Attributes:
        free: hosts that a unit may be moved to by its own rules, (u, h).
        load: as `Problem.loads`, (r, h).
        near: units on each host from which a unit is kept apart, (u, h).
    """

    def __init__(self, problem: Problem, place: IntArray, most_moves: int | None) -> None:
        self.problem, self.place, self.most_moves = problem, place.copy(), most_moves
        self.load = problem.loads(place)
        units = len(problem.units)
        self.mates = _mates(problem.apart, units)
        self.free = np.where(problem.fixed[:, None], False, problem.allowed)
        self.near = np.zeros((units, len(problem.kind)), dtype=np.int16)
        for unit in np.unique(problem.apart).tolist():
            if place[unit] >= 0:
                np.add.at(self.near, (self.mates[unit], place[unit]), 1)

    def shares(self) -> FloatArray:
        return np.asarray((self.load[: CPU + 1] / self.problem.limit[: CPU + 1]).max(axis=0))

    def put(self, unit: int, host: int) -> None:
        before, need = int(self.place[unit]), self.problem.need
        mates = self.mates[unit]
        if before >= 0:
            self.load[:, before] -= need[:, self.problem.kind[before], unit]
            self.near[mates, before] -= 1
        if host >= 0:
            self.load[:, host] += need[:, self.problem.kind[host], unit]
            self.near[mates, host] += 1
        self.place[unit] = host

    def blocked(self, unit: int) -> IntArray:
        """Hosts of what this unit is kept apart from."""
        return np.flatnonzero(self.near[unit])

    def room(self, unit: int) -> FloatArray:
        """Share of every host with the unit on it, infinite where it may not or does not fit the
        maximums, (h,)."""
        return np.asarray(self.rooms(np.array([unit]))[0])

    def rooms(self, units: IntArray) -> FloatArray:
        """The same of several units, each alone, (k, h)."""
        p = self.problem
        after = self.load[:, None] + p.need[:, p.kind[None], units[:, None]]
        share: FloatArray = (after[: CPU + 1] / p.limit[: CPU + 1, None]).max(axis=0)
        barred = ~self.free[units] | (self.near[units] > 0)
        barred |= (after[CPU + 1 :] > p.limit[CPU + 1 :, None]).any(axis=0)
        here = self.place[units]
        barred[np.flatnonzero(here >= 0), here[here >= 0]] = True
        share[barred] = np.inf
        return share

    def spare_moves(self) -> float:
        if self.most_moves is None:
            return np.inf
        return self.most_moves - self.problem.moves(self.place)

    def extra(self, unit: IntArray | int, host: IntArray | int) -> IntArray:
        """How many more VMs stand away from home with the unit on that host."""
        p = self.problem
        then, now = np.not_equal(host, p.home[unit]), self.place[unit] != p.home[unit]
        return np.asarray((np.int64(1) * then - now) * p.weight[unit])


def _mates(pairs: IntArray, units: int) -> list[IntArray]:
    found: list[list[int]] = [[] for _ in range(units)]
    for one, two in pairs.tolist():
        found[one].append(two)
        found[two].append(one)
    return [np.array(each, dtype=np.int64) for each in found]


def fill(state: State, order: IntArray, *, tight: bool = False) -> int:
    """Each unit that has no place to the host that is least loaded with it, in this order, or
    where `tight` to the fullest that has room; where none has room, another makes some.

    Returns:
        Looks at all hosts that it took.
    """
    looks = 0
    for unit in order.tolist():
        if state.place[unit] != NOWHERE or state.spare_moves() < state.problem.weight[unit]:
            continue
        share = state.room(unit)
        looks += 1
        rank = np.where(share <= 1 + EPS, -share, np.inf) if tight else share
        host = int(rank.argmin()) if len(share) else 0
        if len(share) and share[host] <= 1 + EPS:
            state.put(unit, host)
        elif state.most_moves is None:
            looks += MOST_OUSTED // 2
            _make_room(state, unit)
    return looks


def settle(state: State, order: IntArray) -> None:
    """What of these found no room stands where it is least in the way, in this order: no VM that
    has a host loses it."""
    p = state.problem
    lost = (state.place == NOWHERE) & ((p.home >= 0) | p.shadow)
    for unit in order[lost[order]].tolist():
        share = state.room(unit)
        share[state.extra(unit, np.arange(len(share))) > state.spare_moves()] = np.inf
        host = int(share.argmin())
        if np.isfinite(share[host]):
            state.put(unit, host)
        elif p.home[unit] >= 0:
            state.put(unit, int(p.home[unit]))


def _make_room(state: State, unit: int) -> None:
    """Moves one unit away from a host that then has room for this one: the smallest that has room
    elsewhere, of some."""
    p = state.problem
    there = np.flatnonzero((state.place >= 0) & ~p.fixed)
    hosts = state.place[there]
    there = there[state.free[unit, hosts] & (state.near[unit, hosts] == 0)]
    hosts = state.place[there]
    kinds = p.kind[hosts]
    after = state.load[:, hosts] - p.need[:, kinds, there] + p.need[:, kinds, unit]
    there = there[(after <= p.limit[:, hosts] * (1 + EPS)).all(axis=0)]
    size = p.need[: CPU + 1, 0, there] / p.limit[: CPU + 1].mean(axis=1)[:, None]
    for other in there[np.argsort(size.max(axis=0), kind="stable")[:MOST_OUSTED]].tolist():
        share, host = state.room(other), int(state.place[other])
        to = int(share.argmin())
        if share[to] <= 1 + EPS:
            state.put(other, to)
            state.put(unit, host)
            return
