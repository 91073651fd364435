"""The search: first fit in several orders, descents from there, and disturbances of the best.

The aims in their order: fewest VMs without room, fewest that a lost host leaves without, lowest
peak load, fewest moves. Where the hosts can't hold all VMs, the largest are left out, as few as
suffice. Where a lost host leaves VMs without room, packings that keep one host of each cluster
empty are tried too: what a host held then restarts there whole. What work is left goes into
iterated local search (Lourenço, Martin, Stützle, "Iterated local search", 2003).

The search ends by counted work, so that the same input gives the same plan on any machine; the
clock only cuts it off where a machine is much slower than the work was rated for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from models.arrange.bound import bound_of
from models.arrange.descent import Budget, Clock, Guard, Steps, descend, taken
from models.arrange.problem import CPU, NOWHERE, Problem
from models.arrange.state import State, fill, settle
from models.arrange.survival import EPS, size_of, stranded, stranded_each
from models.base.quantities import FloatArray, IntArray

Key = tuple[int, int, float, int]
PEAK_DIGITS = 3
"""Peak loads that agree to 0.1 percentage points are equal: less isn't worth a move."""
KICKS, MOST_KICKED = 16, 3
"""Disturbances of the best placement that are looked at together; swaps in one, at most."""


def key_of(problem: Problem, place: IntArray) -> Key:
    """How good a placement is, by the order of aims: less is better."""
    return (
        problem.without_room(place),
        stranded(problem, place),
        round(problem.peak(place), PEAK_DIGITS),
        problem.moves(place),
    )


# --- all of it ----------------------------------------------------------------------------------


def search(
    problem: Problem,
    *,
    start: IntArray | None = None,
    most_moves: int | None,
    seconds: float,
    clock: Clock,
    check: Callable[[], None],
) -> list[tuple[Key, IntArray]]:
    """Placements, the best first: where things stand now is among them.

    Args:
        start: a placement that is to be improved; None: all that is known is tried.
    """
    hunt = _Hunt(_lean(problem), Budget(seconds, clock), most_moves, check)
    if start is not None:
        hunt.add(start)
        if problem.allowed.size:
            hunt.improve(State(hunt.problem, start, most_moves), 0.5)
            hunt.shake()
    elif problem.allowed.size:
        hunt.from_here()
        if hunt.least_out:
            hunt.leave_out()
        hunt.spare_hosts()
        hunt.afresh()
        if not hunt.least_out:
            hunt.leave_out()
        hunt.shake()
    return sorted(hunt.found, key=lambda each: each[0])


def _lean(problem: Problem) -> Problem:
    """Without the maximums that all units together don't reach."""
    p = problem
    if not p.allowed.size:
        return p
    reached = p.need.max(axis=1).sum(axis=1) > p.limit.min(axis=1)
    reached[: CPU + 1] = True
    return replace(p, need=p.need[reached], limit=p.limit[reached])


class _Hunt:
    """What was found, and the work left for it."""

    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        most_moves: int | None,
        check: Callable[[], None],
    ) -> None:
        self.problem, self.budget, self.most_moves = problem, budget, most_moves
        self.check, self.size = check, size_of(problem)
        self.found = [(key_of(problem, problem.home), problem.home)]
        self.bound = round(bound_of(problem)[0], PEAK_DIGITS)
        large = np.argsort(-self.size / np.maximum(problem.weight, 0.1), kind="stable")
        self.large = large[~problem.fixed[large] & (problem.weight[large] > 0)]
        can_move = len(self.large) and problem.allowed.size
        self.least_out = _least_out(problem, self.large) if can_move else 0

    @property
    def is_over(self) -> bool:
        return self.budget.left <= 0

    @property
    def best(self) -> Key:
        return min(key for key, _ in self.found)

    @property
    def is_done(self) -> bool:
        """Whether nothing better can be, but for fewer moves."""
        without, lost, peak, _ = self.best
        return not without and not lost and peak <= self.bound

    def stranded(self, places: IntArray) -> IntArray:
        """Of each placement, (c,)."""
        p = self.problem
        per_host = len(p.units) // max(len(p.kind), 1) + 1
        self.budget.spend(per_host, len(places) * int(p.survive.sum()) * p.limit.size // 4)
        return stranded_each(p, places)

    def failing(self, place: IntArray) -> tuple[int, int]:
        """VMs without room, and those that a lost host leaves without."""
        return self.without_room(place), int(self.stranded(place[None])[0])

    def guard(self, place: IntArray) -> Guard:
        """Room for no fewer VMs, then and after each loss, than this placement has."""
        without, lost = self.failing(place)
        full = self.problem.peak(place) > 1 + EPS

        def first(places: IntArray) -> int | None:
            rows = np.flatnonzero(self.stranded(places) <= lost).tolist()
            fits = (at for at in rows if not full or self.without_room(places[at]) <= without)
            return next(fits, None)

        return first

    def without_room(self, place: IntArray) -> int:
        without = self.problem.without_room(place)
        self.budget.spend(3 + 2 * without, 0)
        return without

    def descend(self, state: State, share: float, guard: Guard | None = None) -> None:
        enough = min(self.bound + 0.4 * 10**-PEAK_DIGITS, 1.0)
        descend(state, self.budget, self.budget.floor(share), enough, guard)

    def note(self, state: State) -> None:
        place = _homeward(self.problem, state.place)
        self.budget.spend(int((place != self.problem.home).sum()) // 4, len(self.problem.kind))
        self.add(place)
        self.add(state.place)

    def add(self, place: IntArray) -> None:
        if self.most_moves is None or self.problem.moves(place) <= self.most_moves:
            self.stranded(place[None])
            self.found.append((key_of(self.problem, place), place.copy()))

    def emptied(self) -> IntArray:
        return np.where(self.problem.fixed, self.problem.home, NOWHERE)

    def fill(self, state: State, order: IntArray, *, tight: bool = False) -> None:
        self.budget.spend(fill(state, order, tight=tight), 5 * len(self.problem.kind))

    # --- where searches begin

    def from_here(self) -> None:
        """What has no room or may not stand where it does is placed; then improved."""
        here = State(self.problem, self.problem.home, self.most_moves)
        for unit in self.problem.misplaced(self.problem.home).tolist():
            here.put(unit, NOWHERE)
        order = np.argsort(-self.size, kind="stable")
        self.fill(here, order)
        settle(here, order)
        self.note(here)
        self.improve(here, 0.2 if self.least_out else 0.5)

    def leave_out(self) -> None:
        """While VMs have no room: without some of the largest, one more each time, until all others
        have room; then these where they are least in the way."""
        end = self.budget.floor(0.6)
        if not self.best[0] or self.most_moves is not None:
            return
        large = self.large
        for count in range(max(self.least_out, 1), len(large)):
            self.check()
            if self.budget.left <= end or count >= self.best[0]:
                return
            for start in (self.problem.home, self.emptied()):
                state = State(self.problem, start, None)
                is_packed = self._packed(state, large[:count])
                settle(state, large[:count][::-1])
                self.note(state)
                if is_packed:
                    self.level(state, 0.1)
                    return

    def _packed(self, state: State, out: IntArray) -> bool:
        """Whether all other units found room."""
        for unit in (*out.tolist(), *self.problem.misplaced(state.place).tolist()):
            state.put(unit, NOWHERE)
        rest = np.argsort(-self.size, kind="stable")
        rest = rest[~np.isin(rest, out)]
        self.fill(state, rest)
        settle(state, rest)
        self.descend(state, 0.15)
        return bool((state.place[rest] >= 0).all()) and state.shares().max() <= 1 + EPS

    def spare_hosts(self) -> None:
        """Packings with one host of each cluster empty, while some lost host leaves VMs without
        room: from where things stand, then anew in several orders."""
        p, end = self.problem, self.budget.floor(0.6)
        if all(not key[1] for key, _ in self.found if key[2] <= self.best[2]):
            return
        orders = _orders(p, self.size)
        for attempt in range(2 * len(orders)):
            self.check()
            if self.budget.left <= end or self.is_done:
                return
            spare = _spares(p, attempt // 2 if self.best[1] else 0)
            home = attempt in (2, 3) or self.most_moves is not None
            start = p.home.copy() if home else self.emptied()
            start[np.isin(start, spare) & ~p.fixed] = NOWHERE
            state = State(p, start, None)
            others = state.free.copy()
            others[:, spare] = False
            state.free[np.ix_(others.any(axis=1), spare)] = False
            self.fill(state, orders[attempt // 2], tight=bool(attempt % 2))
            settle(state, orders[attempt // 2])
            if self.best[1]:
                self.add(state.place)
            self.descend(state, 0.15)
            self.note(state)
            without, lost = self.failing(state.place)
            if lost and without <= self.best[0]:
                self._repair(state, self.budget.floor(0.05))
                self.note(state)
                without, lost = self.failing(state.place)
            if not lost and (self.most_moves is None or p.moves(state.place) <= self.most_moves):
                self.level(State(p, state.place, self.most_moves), 0.1)

    def afresh(self) -> None:
        """All anew, in several orders."""
        end = self.budget.floor(0.5)
        for order in _orders(self.problem, self.size) if self.most_moves is None else ():
            self.check()
            if self.budget.left <= end or self.is_done:
                return
            state = State(self.problem, self.emptied(), None)
            self.fill(state, order)
            settle(state, order)
            if self.without_room(state.place) <= self.best[0]:
                self.improve(state, 0.1)

    # --- what is done with each

    def improve(self, state: State, share: float) -> None:
        """Lowers the peak; then survives more, where hosts that are lost leave VMs without room;
        and lowers the peak only so far as there is room for no fewer VMs, then and now."""
        floor, start = self.budget.floor(share), state.place.copy()
        base = self.failing(start)
        self.descend(state, share)
        self.note(state)
        now = self.failing(state.place)
        if now[1]:
            self._repair(state, floor)
            self.note(state)
        if base < now:
            self.level(State(self.problem, start, self.most_moves), share)

    def level(self, state: State, share: float) -> None:
        """Lowers the peak while there is room for no fewer VMs, then and now."""
        self.descend(state, share, self.guard(state.place))
        self.note(state)

    def shake(self) -> None:
        """Disturbs the best placement a little and lowers the peak from there, again and again;
        what is no worse is the next to be disturbed."""
        p, chance = self.problem, np.random.default_rng(0)
        key, place = min(self.found, key=lambda each: each[0])
        guard, peak, noted = self.guard(place), p.peak(place), key[2]
        while not self.is_over and round(peak, PEAK_DIGITS) > self.bound:
            self.check()
            state = State(p, place, self.most_moves)
            if not taken(state, _kicks(state, chance), guard):
                self.budget.spend(KICKS, 10)
                continue
            self.descend(state, 0.1, guard)
            now = p.peak(state.place)
            if now <= peak and self.without_room(state.place) <= key[0]:
                place, peak = state.place, now
        if round(peak, PEAK_DIGITS) < noted:
            self.note(State(p, place, None))

    def _repair(self, state: State, floor: float) -> None:
        """Shifts that leave fewer VMs without room when a host is lost."""
        lost = int(self.stranded(state.place[None])[0])
        for unit in np.argsort(self.size, kind="stable").tolist():
            if not lost or self.budget.left <= floor:
                return
            share, home = state.room(unit), int(state.place[unit])
            share[state.extra(unit, np.arange(len(share))) > state.spare_moves()] = np.inf
            hosts = np.argsort(share, kind="stable")[:3]
            hosts = hosts[share[hosts] <= 1]
            if home < 0 or not len(hosts):
                continue
            places = np.repeat(state.place[None], len(hosts), axis=0)
            places[:, unit] = hosts
            now = self.stranded(places)
            if now.min() < lost:
                state.put(unit, int(hosts[now.argmin()]))
                lost = int(now.min())


def _kicks(state: State, chance: np.random.Generator) -> list[Steps]:
    """Swaps at random, the first of each with the fullest host or one of the next two."""
    p, found = state.problem, list[Steps]()
    full = np.argsort(-state.shares(), kind="stable")[:3]
    movable = np.flatnonzero((state.place >= 0) & ~p.fixed)
    first = movable[np.isin(state.place[movable], full)]
    if not len(first):
        return []
    for _ in range(KICKS):
        steps: dict[int, int] = {}
        for number in range(int(chance.integers(1, MOST_KICKED + 1))):
            one, two = int(chance.choice(movable if number else first)), int(chance.choice(movable))
            here, there = int(state.place[one]), int(state.place[two])
            fits = state.free[one, there] and state.free[two, here]
            fits = fits and not state.near[one, there] and not state.near[two, here]
            if here != there and fits and not {one, two} & steps.keys():
                steps |= {one: there, two: here}
        if steps:
            found.append(tuple(steps.items()))
    return found


def _least_out(problem: Problem, large: IntArray) -> int:
    """How many of the largest have to go until all limits together suffice for the rest."""
    need = problem.need[: CPU + 1].min(axis=1)
    over = need.sum(axis=1) - problem.limit[: CPU + 1].sum(axis=1)
    gone = np.cumsum(need[:, large], axis=1)
    enough = (gone >= over[:, None]).all(axis=0)
    return 0 if (over <= 0).all() else int(enough.argmax()) + 1


def _spares(problem: Problem, attempt: int) -> IntArray:
    """A host of each cluster to keep empty: a large one where most units may stand, of those the
    least filled; in further attempts the next ones."""
    p, found = problem, []
    room = (p.limit[: CPU + 1] / p.limit[: CPU + 1].max(axis=1)[:, None]).min(axis=0)
    room = np.round(room * p.allowed.sum(axis=0), 6)
    filled = (p.loads(p.home)[: CPU + 1] / p.limit[: CPU + 1]).max(axis=0)
    held = np.isin(np.arange(len(room)), p.home[p.fixed])
    for cluster in sorted(set(p.cluster[p.survive].tolist())):
        hosts = np.flatnonzero(p.cluster == cluster)
        order = hosts[np.lexsort((filled[hosts], -room[hosts], held[hosts]))]
        found.append(int(order[attempt % len(order)]))
    return np.array(found, dtype=np.int64)


def _orders(problem: Problem, size: FloatArray) -> list[IntArray]:
    """Large before small by memory, CPU, sum and the larger of both, and shaken."""
    rng = np.random.default_rng(0)
    ram, cpu = problem.need[:2].max(axis=1)
    plain = [size, ram, cpu, ram / max(ram.sum(), EPS) + cpu / max(cpu.sum(), EPS)]
    shaken = [size * rng.uniform(0.7, 1.3, len(size)) for _ in range(12)]
    return [np.argsort(-each, kind="stable") for each in (*plain, *shaken)]


def _homeward(problem: Problem, place: IntArray) -> IntArray:
    """The same peak, to 0.1 points, with fewer moves: alike hosts change names, and what needn't
    move stays."""
    place = _renamed(problem, place)
    state = State(problem, place, None)
    peak = round(problem.peak(place), PEAK_DIGITS) + 0.49 * 10**-PEAK_DIGITS
    if problem.peak(place) <= 1:
        peak = min(peak, 1.0)
    for unit in np.flatnonzero((place != problem.home) & (problem.home >= 0)).tolist():
        share = state.room(unit)
        if share[problem.home[unit]] <= peak:
            state.put(unit, int(problem.home[unit]))
    return state.place if stranded(problem, state.place) <= stranded(problem, place) else place


def _renamed(problem: Problem, place: IntArray) -> IntArray:
    """Whole contents of hosts that are alike trade places, so that most units are at home."""
    p = problem
    columns = [
        (int(k), int(c), limit.tobytes(), p.allowed[:, h].tobytes(), bool(s))
        for h, (k, c, limit, s) in enumerate(
            zip(p.kind, p.cluster, p.limit.T, p.survive, strict=True)
        )
    ]
    fixed = set(p.home[p.fixed].tolist())
    to = np.arange(len(columns))
    shared = np.zeros((len(columns), len(columns)), dtype=np.int64)
    both = (place >= 0) & (p.home >= 0)
    np.add.at(shared, (place[both], p.home[both]), p.weight[both])
    for kind in set(columns):
        hosts = [h for h, each in enumerate(columns) if each == kind and h not in fixed]
        stays = [(-int(shared[a, b]), a, b) for a in hosts for b in hosts if shared[a, b] or a == b]
        left, free = set(hosts), set(hosts)
        for _, a, b in sorted(stays):
            if a in left and b in free:
                to[a] = b
                left.discard(a)
                free.discard(b)
        to[sorted(left)] = sorted(free)
    return np.where(place >= 0, to[np.maximum(place, 0)], place)
