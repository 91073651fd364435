"""Lowering the peak: shifts and swaps off the fullest host, then its units and another's dealt
anew, as far as what is to be kept allows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from models.arrange.problem import CPU
from models.arrange.state import State
from models.arrange.survival import EPS
from models.base.quantities import BoolArray, FloatArray, IntArray

MOST_DEALS, MOST_DEALS_OF_THREE = 4096, 20_000
MOST_PARTNERS, MOST_PAIRS = 24, 20
"""Hosts, and pairs of hosts, whose units are dealt anew with the fullest one's."""
TRIED, AT_ONCE = 64, 16
"""Steps that are asked whether they keep what is to be kept; so many in one go."""

Clock = Callable[[], float]
Guard = Callable[[IntArray], int | None]
"""The first of several placements, (c, u), that keeps what is to be kept."""
Steps = tuple[tuple[int, int], ...]
"""Units and where each goes."""


class Budget:
    """Work that is left [s on a machine of 2.5 GHz], and the time at which it ends in any case."""

    RATED = 0.6
    """Share of the time that the work takes: the clock is met on machines that are much slower."""
    CALL, ENTRY = 3e-5, 5e-8
    """What a look at all places of a unit costs, and each entry of the arrays it goes through."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        self.whole = self.left = seconds * self.RATED
        self.clock, self.end = clock, clock() + seconds * 0.9

    def spend(self, looks: int, entries: int) -> None:
        self.left -= looks * self.CALL + looks * entries * self.ENTRY
        if self.clock() >= self.end:
            self.left = 0.0

    def floor(self, share: float) -> float:
        """What is left when a share of all work is done from now on."""
        return max(self.left - self.whole * share, 0.0)


def descend(
    state: State, budget: Budget, floor: float, target: float, guard: Guard | None = None
) -> None:
    """Shifts and swaps off the fullest host while that lowers it, then new deals of it and others,
    and so on until the peak is low enough, or so little of the budget is left."""
    while budget.left > floor:
        shares = state.shares()
        host = int(shares.argmax())
        if shares[host] <= target:
            return
        if guard is None and _shifted(state, host, shares, target, budget):
            continue
        if taken(state, _shifts_and_swaps(state, host, shares, budget), guard):
            continue
        if not _dealt_anew(state, host, shares, guard, budget):
            return


def _shifted(state: State, host: int, shares: FloatArray, target: float, budget: Budget) -> bool:
    """Whether a shift was made that goes half of the way, which need not wait for a swap."""
    here = np.flatnonzero((state.place == host) & ~state.problem.fixed)
    budget.spend(1, len(here) * len(shares))
    if not len(here):
        return False
    found = _shifts(state, here, host)
    row, to = divmod(int(found.argmin()), found.shape[1])
    if found[row, to] > (float(shares[host]) + max(target, float(shares.mean()))) / 2:
        return False
    state.put(int(here[row]), to)
    return True


def taken(state: State, steps: list[Steps], guard: Guard | None) -> bool:
    """Whether one of these was made: the first that keeps what is to be kept."""
    if guard is None:
        if steps:
            _apply(state, steps[0])
        return bool(steps)
    for first in range(0, min(len(steps), TRIED), AT_ONCE):
        some = steps[first : first + AT_ONCE]
        places = np.repeat(state.place[None], len(some), axis=0)
        for row, each in zip(places, some, strict=True):
            for unit, host in each:
                row[unit] = host
        if (kept := guard(places)) is not None:
            _apply(state, some[kept])
            return True
    return False


def _apply(state: State, steps: Steps) -> None:
    for unit, host in steps:
        state.put(unit, host)


def _shifts_and_swaps(state: State, host: int, shares: FloatArray, budget: Budget) -> list[Steps]:
    """Shifts and swaps after which the fuller of the two hosts is less full than now, the best
    first; swaps with the least full hosts, and with all if these have none."""
    here = np.flatnonzero((state.place == host) & ~state.problem.fixed)
    if not len(here):
        return []
    partners = np.argsort(shares, kind="stable")
    for some in (partners[:MOST_PARTNERS], partners[MOST_PARTNERS:]):
        steps = _steps(state, here, host, float(shares[host]), some) if len(some) else []
        budget.spend(3, len(here) * int(len(state.place) * len(some) / len(shares)))
        if steps:
            return steps
    return []


def _steps(state: State, here: IntArray, host: int, peak: float, hosts: IntArray) -> list[Steps]:
    shifts = _shifts(state, here, host)
    other, swaps = _swaps(state, here, host, hosts)
    found = np.concatenate([shifts.ravel(), swaps.ravel()])
    order = np.flatnonzero(found < peak - EPS)
    if len(order) > TRIED:
        order = order[np.argpartition(found[order], TRIED)[:TRIED]]
    order = order[np.argsort(found[order], kind="stable")]
    steps: list[Steps] = []
    for at in order.tolist():
        if at < shifts.size:
            row, to = divmod(at, shifts.shape[1])
            steps.append(((int(here[row]), to),))
        else:
            row, column = divmod(at - shifts.size, len(other))
            two = int(other[column])
            steps.append(((int(here[row]), int(state.place[two])), (two, host)))
    return steps


def _shifts(state: State, here: IntArray, host: int) -> FloatArray:
    """The fuller of the two hosts with each unit moved to each host, (k, h)."""
    p = state.problem
    left = state.load[: CPU + 1, [host]] - p.needs_on(host)[: CPU + 1, here]
    rest = (left / p.limit[: CPU + 1, [host]]).max(axis=0)
    found = np.maximum(state.rooms(here), rest[:, None])
    if state.most_moves is not None:
        hosts = np.arange(found.shape[1])
        found[state.extra(here[:, None], hosts[None]) > state.spare_moves()] = np.inf
    return np.asarray(found)


def _swaps(state: State, here: IntArray, host: int, hosts: IntArray) -> tuple[IntArray, FloatArray]:
    """Units of some hosts that may come here; the fuller of both hosts with each swap, (k, n)."""
    p, place = state.problem, state.place
    partner = np.zeros(len(p.kind) + 1, dtype=np.bool_)
    partner[hosts] = True
    partner[host] = False
    other = np.flatnonzero(partner[place] & state.free[:, host])
    other = other[state.near[other, host] == 0]
    there = place[other]
    kinds = p.kind[there]
    one = p.needs_on(host)
    mine = (state.load[:, [host]] - one[:, here])[:, :, None] + one[:, None, other]
    base = state.load[:, there] - p.need[:, kinds, other]
    theirs = base[:, None] + p.need[:, kinds[None], here[:, None]]
    limits = p.limit[:, [host], None], p.limit[:, None, there]
    share = np.maximum(
        (mine[: CPU + 1] / limits[0][: CPU + 1]).max(axis=0),
        (theirs[: CPU + 1] / limits[1][: CPU + 1]).max(axis=0),
    )
    bad = ~state.free[here][:, there] | (state.near[here][:, there] > 0)
    bad |= (mine[CPU + 1 :] > limits[0][CPU + 1 :]).any(axis=0)
    bad |= (theirs[CPU + 1 :] > limits[1][CPU + 1 :]).any(axis=0)
    if state.most_moves is not None:
        extra = state.extra(other, host)[None] + state.extra(here[:, None], there[None])
        bad |= extra > state.spare_moves()
    share[bad] = np.inf
    return other, share


# --- new deals ----------------------------------------------------------------------------------


def _dealt_anew(
    state: State, host: int, shares: FloatArray, guard: Guard | None, budget: Budget
) -> bool:
    """Deals the units of the fullest host and of another one, or two, anew."""
    movable = ~state.problem.fixed
    others = [int(each) for each in np.argsort(shares, kind="stable") if each != host]
    partners = [(other,) for other in others[:MOST_PARTNERS]]
    for most, sets in (
        (MOST_DEALS, partners),
        (MOST_DEALS_OF_THREE, list(combinations(others[:12], 2))[:MOST_PAIRS]),
    ):
        for rest in sets:
            hosts = (host, *rest)
            units = np.flatnonzero(np.isin(state.place, hosts) & movable)
            deals = len(hosts) ** len(units)
            if len(units) < 2 or deals > most:
                continue
            budget.spend(2, deals * len(units) // 4)
            steps = _deals(state, units, hosts, float(shares[host]))
            if taken(state, steps if guard else steps[:1], guard):
                return True
    return False


def _deals(state: State, units: IntArray, hosts: tuple[int, ...], peak: float) -> list[Steps]:
    """Deals of these units to these hosts with a lower peak, the best first."""
    p, count = state.problem, len(hosts)
    deals = np.indices((count,) * len(units), dtype=np.int8).reshape(len(units), -1).T
    share = np.zeros(len(deals))
    bad = np.zeros(len(deals), dtype=np.bool_)
    extra = np.zeros(len(deals))
    for at, host in enumerate(hosts):
        mine = deals == at
        needs = p.needs_on(host)
        fixed = state.load[:, host] - needs[:, units[state.place[units] == host]].sum(axis=1)
        after = fixed[:, None] + needs[:, units] @ mine.T
        share = np.maximum(share, (after[: CPU + 1] / p.limit[: CPU + 1, [host]]).max(axis=0))
        bad |= (after[CPU + 1 :] > p.limit[CPU + 1 :, [host]]).any(axis=0)
        bad |= (mine & ~state.free[units, host]).any(axis=1)
        extra += mine @ state.extra(units, np.full(len(units), host))
    bad |= _conflicting(state, units, hosts, deals) | (extra > state.spare_moves())
    share[bad] = np.inf
    rows = np.flatnonzero(share < peak - EPS)
    rows = rows[np.argsort(share[rows], kind="stable")[:AT_ONCE]]
    to = np.array(hosts)
    found: list[Steps] = []
    for row in rows.tolist():
        places = to[deals[row]]
        moved = np.flatnonzero(places != state.place[units])
        found.append(tuple((int(units[at]), int(places[at])) for at in moved))
    return found


def _conflicting(
    state: State, units: IntArray, hosts: tuple[int, ...], deals: np.ndarray
) -> BoolArray:
    bad = np.zeros(len(deals), dtype=np.bool_)
    column = {int(unit): at for at, unit in enumerate(units)}
    for unit, at in column.items():
        for mate in state.mates[unit].tolist():
            if mate in column:
                bad |= deals[:, at] == deals[:, column[mate]]
            elif state.place[mate] in hosts:
                bad |= deals[:, at] == hosts.index(int(state.place[mate]))
    return bad
