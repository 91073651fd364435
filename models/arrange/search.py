"""The search: first fit in several orders, then shifts, swaps and new partitions of two hosts.

The aims in their order: fewest VMs without room, fewest that a lost host leaves without, lowest
peak load, fewest moves. Where a lost host leaves VMs without room, packings that keep one host of
each cluster empty are tried too: what a host held then restarts there whole.

The search ends by counted work, so that the same input gives the same plan on any machine; the
clock only cuts it off where a machine is much slower than the work was rated for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.arrange.problem import CPU, NOWHERE, Problem
from models.quantities import BoolArray, FloatArray, IntArray

Key = tuple[int, int, float, int]
EPS = 1e-9
PEAK_DIGITS = 3
"""Peak loads that agree to 0.1 percentage points are equal: less isn't worth a move."""
MOST_PARTITIONS = 4096
Clock = Callable[[], float]


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


class State:
    """A placement and what hosts carry under it."""

    def __init__(self, problem: Problem, place: IntArray, most_moves: int | None) -> None:
        self.problem, self.place, self.most_moves = problem, place.copy(), most_moves
        self.load = problem.loads(place)
        units = len(problem.units)
        self.mates = _mates(problem.apart, units)
        self.free = np.where(problem.fixed[:, None], False, problem.allowed)

    def shares(self) -> FloatArray:
        return np.asarray((self.load[: CPU + 1] / self.problem.limit[: CPU + 1]).max(axis=0))

    def put(self, unit: int, host: int) -> None:
        before, need = int(self.place[unit]), self.problem.need
        if before >= 0:
            self.load[:, before] -= need[:, self.problem.kind[before], unit]
        if host >= 0:
            self.load[:, host] += need[:, self.problem.kind[host], unit]
        self.place[unit] = host

    def blocked(self, unit: int) -> IntArray:
        """Hosts of what this unit is kept apart from."""
        hosts = self.place[self.mates[unit]]
        return hosts[hosts >= 0]

    def room(self, unit: int) -> FloatArray:
        """Share of every host with the unit on it, infinite where it may not or does not fit the
        maximums, (h,)."""
        problem = self.problem
        after = self.load + problem.need[:, problem.kind, unit]
        here = self.place[unit]
        share: FloatArray = (after[: CPU + 1] / problem.limit[: CPU + 1]).max(axis=0)
        over = (after[CPU + 1 :] > problem.limit[CPU + 1 :]).any(axis=0)
        share[over | ~self.free[unit]] = np.inf
        share[self.blocked(unit)] = np.inf
        if here >= 0:
            share[here] = np.inf
        return share

    def spare_moves(self) -> float:
        return (
            np.inf if self.most_moves is None else self.most_moves - self.problem.moves(self.place)
        )

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


# --- placing what has no place -----------------------------------------------------------------


def size_of(problem: Problem) -> FloatArray:
    """The larger share of a mean host that each unit asks for, (u,)."""
    mean = problem.limit[: CPU + 1].mean(axis=1)
    return np.asarray((problem.need[: CPU + 1].max(axis=1) / mean[:, None]).max(axis=0))


def fill(state: State, order: IntArray, *, tight: bool = False) -> None:
    """Each unit that has no place to the host that is least loaded with it, in this order, or
    where `tight` to the fullest that has room; where none has room, another makes some."""
    for unit in order.tolist():
        if state.place[unit] != NOWHERE or state.spare_moves() < state.problem.weight[unit]:
            continue
        share = state.room(unit)
        rank = np.where(share <= 1 + EPS, -share, np.inf) if tight else share
        host = int(rank.argmin()) if len(share) else 0
        if len(share) and share[host] <= 1 + EPS:
            state.put(unit, host)
        elif state.most_moves is None:
            _make_room(state, unit)


def settle(state: State) -> None:
    """What found no room stands where it is least in the way: no VM that has a host loses it."""
    p = state.problem
    for unit in np.flatnonzero((state.place == NOWHERE) & ((p.home >= 0) | p.shadow)).tolist():
        share = state.room(unit)
        share[state.extra(unit, np.arange(len(share))) > state.spare_moves()] = np.inf
        host = int(share.argmin())
        if np.isfinite(share[host]):
            state.put(unit, host)
        elif p.home[unit] >= 0:
            state.put(unit, int(p.home[unit]))


def _make_room(state: State, unit: int) -> None:
    """Moves one smaller unit away from a host that then has room for this one."""
    problem = state.problem
    for host in np.flatnonzero(state.free[unit]).tolist():
        if host in state.blocked(unit):
            continue
        for other in np.flatnonzero(state.place == host).tolist():
            left = state.load[:, host] - problem.needs_on(host)[:, other]
            if (left + problem.needs_on(host)[:, unit] > problem.limit[:, host] * (1 + EPS)).any():
                continue
            share = state.room(other)
            to = int(share.argmin())
            if share[to] <= 1 + EPS:
                state.put(other, to)
                state.put(unit, host)
                return


# --- lowering the peak --------------------------------------------------------------------------

Admit = Callable[[State], bool]


def descend(state: State, budget: Budget, floor: float, admit: Admit | None = None) -> None:
    """Shifts and swaps off the fullest host while that lowers it, then new partitions of it and
    one other, and so on until so little of the budget is left."""
    while budget.left > floor:
        shares = state.shares()
        host = int(shares.argmax())
        budget.spend(1 + int((state.place == host).sum()), 4 * len(state.place))
        if _shift_or_swap(state, host, shares, admit):
            continue
        if not _partition(state, host, shares, admit, budget):
            return


def _apply(state: State, steps: list[tuple[int, int]], admit: Admit | None) -> bool:
    before = [(unit, int(state.place[unit])) for unit, _ in steps]
    for unit, host in steps:
        state.put(unit, host)
    if admit is None or admit(state):
        return True
    for unit, host in before:
        state.put(unit, host)
    return False


def _shift_or_swap(state: State, host: int, shares: FloatArray, admit: Admit | None) -> bool:
    """The shift or swap after which the fuller of the two hosts is least full, if less than now."""
    p, peak = state.problem, float(shares[host])
    here = np.flatnonzero((state.place == host) & ~p.fixed)
    if not len(here):
        return False
    best: list[tuple[float, list[tuple[int, int]]]] = []
    spare = state.spare_moves()
    own = p.needs_on(host)
    for unit in here.tolist():
        share = state.room(unit)
        left = state.load[:, host] - own[:, unit]
        rest = float((left[: CPU + 1] / p.limit[: CPU + 1, host]).max())
        found = np.maximum(share, rest)
        found[state.extra(unit, np.arange(len(found))) > spare] = np.inf
        to = int(found.argmin())
        if found[to] < peak - EPS:
            best.append((float(found[to]), [(unit, to)]))
        best.extend(_swaps(state, unit, host, peak, spare))
    best.sort(key=lambda each: each[0])
    return any(_apply(state, steps, admit) for _, steps in best[: 1 if admit is None else 6])


def _swaps(
    state: State, unit: int, host: int, peak: float, spare: float
) -> list[tuple[float, list[tuple[int, int]]]]:
    p, place = state.problem, state.place
    other = np.flatnonzero((place >= 0) & (place != host) & state.free[:, host])
    other = other[state.free[unit, place[other]]]
    if not len(other):
        return []
    there = place[other]
    mine = state.load[:, [host]] - p.needs_on(host)[:, [unit]] + p.needs_on(host)[:, other]
    theirs = state.load[:, there] - p.need[:, p.kind[there], other] + p.need[:, p.kind[there], unit]
    limits, both = (p.limit[:, [host]], p.limit[:, there]), (mine, theirs)
    share = np.maximum(
        *((b[: CPU + 1] / t[: CPU + 1]).max(axis=0) for b, t in zip(both, limits, strict=True))
    )
    for b, t in zip(both, limits, strict=True):
        share[(b[CPU + 1 :] > t[CPU + 1 :]).any(axis=0)] = np.inf
    share[state.extra(other, host) + state.extra(unit, there) > spare] = np.inf
    for row in np.argsort(share, kind="stable")[:8].tolist():
        if share[row] >= peak - EPS:
            break
        two, to = int(other[row]), int(there[row])
        mates = state.mates
        if any(place[m] == to for m in mates[unit] if m != two):
            continue
        if any(place[m] == host for m in mates[two] if m != unit):
            continue
        return [(float(share[row]), [(unit, to), (two, host)])]
    return []


def _partition(
    state: State, host: int, shares: FloatArray, admit: Admit | None, budget: Budget
) -> bool:
    """Deals the units of the fullest host and another anew, the best of all ways to."""
    p = state.problem
    others = [int(each) for each in np.argsort(shares, kind="stable") if each != host]
    for other in others[:24]:
        units = np.flatnonzero(((state.place == host) | (state.place == other)) & ~p.fixed)
        if len(units) < 2 or 2 ** len(units) > MOST_PARTITIONS:
            continue
        budget.spend(2, 2 ** len(units) * len(units) // 4)
        steps = _dealt(state, units, (host, other), float(shares[host]))
        if steps and _apply(state, steps, admit):
            return True
    return _dealt_among_three(state, host, others, shares, admit, budget)


def _dealt_among_three(
    state: State,
    host: int,
    others: list[int],
    shares: FloatArray,
    admit: Admit | None,
    budget: Budget,
) -> bool:
    p = state.problem
    pairs = [(a, b) for at, a in enumerate(others[:12]) for b in others[at + 1 : 12]]
    for one, two in pairs[:20]:
        units = np.flatnonzero(np.isin(state.place, (host, one, two)) & ~p.fixed)
        if len(units) > 1 and 3 ** len(units) <= 20_000:
            budget.spend(3, 3 ** len(units) * len(units) // 4)
            steps = _dealt(state, units, (host, one, two), float(shares[host]))
            if steps and _apply(state, steps, admit):
                return True
    return False


def _dealt(
    state: State, units: IntArray, hosts: tuple[int, ...], peak: float
) -> list[tuple[int, int]]:
    """The deal of these units to these hosts with the lowest peak; none that is lower: nothing."""
    p, count = state.problem, len(hosts)
    deals = np.indices((count,) * len(units), dtype=np.int8).reshape(len(units), -1).T
    share = np.zeros(len(deals))
    bad = np.zeros(len(deals), dtype=np.bool_)
    for at, host in enumerate(hosts):
        mine = deals == at
        needs = p.needs_on(host)
        fixed = state.load[:, host] - needs[:, units[state.place[units] == host]].sum(axis=1)
        after = fixed[:, None] + needs[:, units] @ mine.T
        share = np.maximum(share, (after[: CPU + 1] / p.limit[: CPU + 1, [host]]).max(axis=0))
        bad |= (after[CPU + 1 :] > p.limit[CPU + 1 :, [host]]).any(axis=0)
        bad |= (mine & ~state.free[units, host]).any(axis=1)
    bad |= _conflicting(state, units, hosts, deals)
    extra = sum(
        (deals == at) @ state.extra(units, np.full(len(units), host))
        for at, host in enumerate(hosts)
    )
    bad |= np.asarray(extra) > state.spare_moves()
    share[bad] = np.inf
    row = int(share.argmin())
    if share[row] >= peak - EPS:
        return []
    to = np.array(hosts)[deals[row]]
    moved = np.flatnonzero(to != state.place[units])
    return [(int(units[at]), int(to[at])) for at in moved]


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


# --- losing a host ----------------------------------------------------------------------------


def stranded(problem: Problem, place: IntArray) -> int:
    """VMs that find no room on the survivors of their cluster when a host is lost, over all hosts
    whose loss is to be survived; the largest restart first, each where most is left."""
    p = problem
    modes = np.flatnonzero(p.survive)
    if not len(modes):
        return 0
    mode_of = np.full(len(p.survive), -1)
    mode_of[modes] = np.arange(len(modes))
    units = np.flatnonzero((place >= 0) & ~p.mirrored)
    units = units[mode_of[place[units]] >= 0]
    units = units[np.argsort(-size_of(p)[units], kind="stable")]
    mode = mode_of[place[units]]
    order = np.argsort(mode, kind="stable")
    units, mode = units[order], mode[order]
    counts = np.bincount(mode, minlength=len(modes))
    step = np.arange(len(mode)) - (counts.cumsum() - counts)[mode]
    alive = (p.cluster[modes][:, None] == p.cluster[None]) & (
        modes[:, None] != np.arange(len(p.kind))
    )
    base = p.loads(place)
    load = np.repeat(base[:, None, :], len(modes), axis=1)
    lost = 0
    for number in range(int(counts.max(initial=0))):
        rows = np.flatnonzero(step == number)
        m, u = mode[rows], units[rows]
        after = load[:, m, :] + p.need[:, p.kind][:, :, u].transpose(0, 2, 1)
        share = (after / p.limit[:, None, :]).max(axis=0)
        share[~(alive[m] & p.allowed[u])] = np.inf
        to = share.argmin(axis=1)
        fits = share[np.arange(len(rows)), to] <= 1 + EPS
        lost += int(p.weight[u[~fits]].sum())
        load[:, m[fits], to[fits]] = after[:, np.flatnonzero(fits), to[fits]]
    return lost


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
    most_moves: int | None,
    seconds: float,
    clock: Clock,
    check: Callable[[], None],
) -> list[tuple[Key, IntArray]]:
    """Placements, the best first: where things stand now is among them."""
    hunt = _Hunt(problem, Budget(seconds, clock), most_moves)
    if not problem.allowed.size:
        return hunt.found
    size = size_of(problem)
    here = State(problem, problem.home, most_moves)
    for unit in problem.misplaced(problem.home).tolist():
        here.put(unit, NOWHERE)
    fill(here, np.argsort(-size, kind="stable"))
    settle(here)
    hunt.note(here)
    hunt.improve(here, 0.2)
    check()
    hunt.spare_hosts(check)
    for order in _orders(problem, size) if most_moves is None else ():
        check()
        if hunt.is_over or hunt.best[2] <= hunt.bound:
            break
        state = State(problem, np.where(problem.fixed, problem.home, NOWHERE), None)
        fill(state, order)
        settle(state)
        hunt.budget.spend(len(order), 5 * len(problem.kind))
        if problem.without_room(state.place) <= hunt.best[0]:
            hunt.improve(state, 0.1)
    return sorted(hunt.found, key=lambda each: each[0])


class _Hunt:
    """What was found, and the work left for it."""

    def __init__(self, problem: Problem, budget: Budget, most_moves: int | None) -> None:
        self.problem, self.budget, self.most_moves = problem, budget, most_moves
        self.found = [(key_of(problem, problem.home), problem.home)]
        self.bound = round(bound_of(problem)[0], PEAK_DIGITS)
        survivors = problem.survive.sum() * problem.limit.size
        per_host = len(problem.units) // max(len(problem.kind), 1) + 1
        self.check_cost = (per_host, int(survivors) // 6)

    @property
    def is_over(self) -> bool:
        return self.budget.left <= 0

    @property
    def best(self) -> Key:
        return min(key for key, _ in self.found)

    def stranded(self, state: State) -> int:
        self.budget.spend(*self.check_cost)
        return stranded(self.problem, state.place)

    def note(self, state: State) -> None:
        self.budget.spend(*self.check_cost)
        place = _homeward(self.problem, state.place)
        self.budget.spend(int((place != self.problem.home).sum()) // 4, len(self.problem.kind))
        self.add(place)
        self.add(state.place)

    def add(self, place: IntArray) -> None:
        if self.most_moves is None or self.problem.moves(place) <= self.most_moves:
            self.found.append((key_of(self.problem, place), place.copy()))

    def improve(self, state: State, share: float) -> None:
        """Lowers the peak; then survives more, where hosts that are lost leave VMs without room;
        and lowers the peak only so far as it survives no less."""
        floor, start = self.budget.floor(share), state.place.copy()
        survived = self.stranded(state)
        descend(state, self.budget, floor)
        self.note(state)
        lost = self.stranded(state)
        if lost:
            self._repair(state, floor)
            self.note(state)
        if survived < lost:
            again = State(self.problem, start, self.most_moves)
            self.level(again, survived, floor)

    def level(self, state: State, lost: int, floor: float) -> None:
        """Lowers the peak while no more than so many VMs are left without room by lost hosts."""
        descend(state, self.budget, floor, lambda tried: self.stranded(tried) <= lost)
        self.note(state)

    def spare_hosts(self, check: Callable[[], None]) -> None:
        """Packings with one host of each cluster empty, while some lost host leaves VMs without
        room: from where things stand, then anew in several orders."""
        p, end = self.problem, self.budget.floor(0.6)
        if all(not key[1] for key, _ in self.found if key[2] <= self.best[2]):
            return
        orders = _orders(p, size_of(p))
        for attempt in range(2 * len(orders)):
            check()
            if self.budget.left <= end or self.best[1:3] <= (0, self.bound):
                return
            spare = _spares(p, attempt // 2 if self.best[1] else 0)
            home = attempt in (2, 3) or self.most_moves is not None
            start = p.home.copy() if home else np.where(p.fixed, p.home, NOWHERE)
            start[np.isin(start, spare) & ~p.fixed] = NOWHERE
            state = State(p, start, None)
            others = state.free.copy()
            others[:, spare] = False
            state.free = state.free.copy()
            state.free[np.ix_(others.any(axis=1), spare)] = False
            fill(state, orders[attempt // 2], tight=bool(attempt % 2))
            settle(state)
            self.budget.spend(len(start), 5 * len(p.kind))
            if self.best[1]:
                self.add(state.place)
            descend(state, self.budget, self.budget.floor(0.15))
            self.note(state)
            lost = self.stranded(state)
            if lost and p.without_room(state.place) <= self.best[0]:
                self._repair(state, self.budget.floor(0.05))
                self.note(state)
                lost = self.stranded(state)
            if not lost and (self.most_moves is None or p.moves(state.place) <= self.most_moves):
                whole = State(p, state.place, self.most_moves)
                self.level(whole, 0, self.budget.floor(0.2))

    def _repair(self, state: State, floor: float) -> None:
        """Shifts that leave fewer VMs without room when a host is lost."""
        p, lost = self.problem, self.stranded(state)
        for unit in np.argsort(size_of(p), kind="stable").tolist():
            if not lost or self.budget.left <= floor:
                return
            share, home = state.room(unit), int(state.place[unit])
            share[state.extra(unit, np.arange(len(share))) > state.spare_moves()] = np.inf
            for host in np.argsort(share, kind="stable")[:3].tolist():
                if share[host] > 1 or home < 0:
                    break
                state.put(unit, host)
                now = self.stranded(state)
                if now < lost:
                    lost = now
                    break
                state.put(unit, home)


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


def bound_of(problem: Problem) -> tuple[float, int]:
    """Lower bounds that no placement of all units passes: of the peak load, and of hosts used.

    All load over all limits; the largest unit on its emptiest host; and of the k·h + 1 largest
    units on h hosts some host has k + 1, which weigh no less than the least of them.
    """
    p = problem
    if not len(p.kind) or not len(p.units):
        return 0.0, 0
    open_to = np.isfinite(p.limit[0])
    best, hosts = 0.0, 1
    for resource in range(CPU + 1):
        least, limit = np.sort(p.need[resource].min(axis=0))[::-1], p.limit[resource, open_to]
        best = max(best, float(least.sum() / limit.sum()), float(least[0] / limit.max()))
        for k in range(1, (len(least) - 1) // len(limit) + 1):
            last = k * len(limit)
            best = max(best, float(least[last - k : last + 1].sum() / limit.max()))
        most = np.cumsum(np.sort(limit)[::-1])
        hosts = max(hosts, int(np.searchsorted(most * (1 + EPS), least.sum())) + 1)
    return best, min(hosts, len(p.kind))
