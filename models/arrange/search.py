"""The search: first fit in several orders, then shifts, swaps and new partitions of two hosts.

The aims in their order: fewest VMs without room, fewest that a lost host leaves without, lowest
peak load, fewest moves.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from models.arrange.problem import CPU, NOWHERE, Problem
from models.quantities import BoolArray, FloatArray, IntArray

Key = tuple[int, int, float, int]
EPS = 1e-9
MOST_PARTITIONS = 4096


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


def fill(state: State, order: IntArray) -> None:
    """Each unit that has no place to the host that is least loaded with it, in this order; where
    none has room, another makes some."""
    for unit in order.tolist():
        if state.place[unit] != NOWHERE or state.spare_moves() < state.problem.weight[unit]:
            continue
        share = state.room(unit)
        host = int(share.argmin()) if len(share) else 0
        if len(share) and share[host] <= 1 + EPS:
            state.put(unit, host)
        elif state.most_moves is None:
            _make_room(state, unit)


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
Clock = Callable[[], float]


def descend(state: State, clock: Clock, until: float, admit: Admit | None = None) -> None:
    """Shifts and swaps off the fullest host while that lowers it, then new partitions of it and
    one other, and so on to the end of the time."""
    while clock() < until:
        shares = state.shares()
        host = int(shares.argmax())
        if not (
            _shift_or_swap(state, host, shares, admit) or _partition(state, host, shares, admit)
        ):
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
    other = np.flatnonzero((place >= 0) & (place != host) & ~p.fixed & p.allowed[:, host])
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


def _partition(state: State, host: int, shares: FloatArray, admit: Admit | None) -> bool:
    """Deals the units of the fullest host and another anew, the best of all ways to."""
    p = state.problem
    others = [int(each) for each in np.argsort(shares, kind="stable") if each != host]
    for other in others[:24]:
        units = np.flatnonzero(((state.place == host) | (state.place == other)) & ~p.fixed)
        if len(units) < 2 or 2 ** len(units) > MOST_PARTITIONS:
            continue
        steps = _dealt(state, units, (host, other), float(shares[host]))
        if steps and _apply(state, steps, admit):
            return True
    return _dealt_among_three(state, host, others, shares, admit)


def _dealt_among_three(
    state: State, host: int, others: list[int], shares: FloatArray, admit: Admit | None
) -> bool:
    p = state.problem
    pairs = [(a, b) for at, a in enumerate(others[:12]) for b in others[at + 1 : 12]]
    for one, two in pairs[:20]:
        units = np.flatnonzero(np.isin(state.place, (host, one, two)) & ~p.fixed)
        if len(units) > 1 and 3 ** len(units) <= 20_000:
            steps = _dealt(state, units, (host, one, two), float(shares[host]))
            if steps and _apply(state, steps, admit):
                return True
    return False


def _dealt(
    state: State, units: IntArray, hosts: tuple[int, ...], peak: float
) -> list[tuple[int, int]]:
    """The deal of these units to these hosts with the lowest peak; none that is lower: nothing."""
    p, count = state.problem, len(hosts)
    deals = np.array(list(product(range(count), repeat=len(units))), dtype=np.int8)
    share = np.zeros(len(deals))
    bad = np.zeros(len(deals), dtype=np.bool_)
    for at, host in enumerate(hosts):
        mine = deals == at
        needs = p.needs_on(host)
        fixed = state.load[:, host] - needs[:, units[state.place[units] == host]].sum(axis=1)
        after = fixed[:, None] + needs[:, units] @ mine.T
        share = np.maximum(share, (after[: CPU + 1] / p.limit[: CPU + 1, [host]]).max(axis=0))
        bad |= (after[CPU + 1 :] > p.limit[CPU + 1 :, [host]]).any(axis=0)
        bad |= (mine & ~p.allowed[units, host]).any(axis=1)
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
        round(problem.peak(place), 7),
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
    hunt = _Hunt(problem, clock, seconds)
    if not problem.allowed.size:
        return hunt.found
    size = size_of(problem)
    here = State(problem, problem.home, most_moves)
    fill(here, np.argsort(-size, kind="stable"))
    hunt.note(here)
    lost, kept = stranded(problem, here.place), here.place.copy()
    hunt.improve(here, 0.35)
    check()
    if stranded(problem, here.place) > lost:
        state = State(problem, kept, most_moves)
        until = hunt.end(0.3)
        descend(state, clock, until, lambda tried: stranded(problem, tried.place) <= lost)
        hunt.note(state)
    for order in _orders(problem, size) if most_moves is None else ():
        check()
        if hunt.is_over:
            break
        state = State(problem, np.where(problem.fixed, problem.home, NOWHERE), None)
        fill(state, order)
        if problem.without_room(state.place) <= min(each[0][0] for each in hunt.found):
            hunt.improve(state, 0.1)
    return sorted(hunt.found, key=lambda each: each[0])


class _Hunt:
    """What was found, and the time for it."""

    def __init__(self, problem: Problem, clock: Clock, seconds: float) -> None:
        self.problem, self.clock, self.seconds = problem, clock, seconds
        self.until = clock() + seconds
        self.found = [(key_of(problem, problem.home), problem.home)]

    @property
    def is_over(self) -> bool:
        return self.clock() >= self.until

    def end(self, share: float) -> float:
        """When a part of all the time is over."""
        return min(self.until, self.clock() + self.seconds * share)

    def note(self, state: State) -> None:
        place = _homeward(self.problem, state.place)
        self.found.append((key_of(self.problem, place), place))

    def improve(self, state: State, share: float) -> None:
        """Lowers the peak; then survives more, where hosts that are lost leave VMs without room."""
        until = self.end(share)
        descend(state, self.clock, until)
        if stranded(self.problem, state.place):
            self.note(state)
            _repair(state, self.clock, until)
        self.note(state)


def _orders(problem: Problem, size: FloatArray) -> list[IntArray]:
    """Large before small by memory, CPU, sum and the larger of both, and shaken."""
    rng = np.random.default_rng(0)
    ram, cpu = problem.need[:2].max(axis=1)
    plain = [size, ram, cpu, ram / max(ram.sum(), EPS) + cpu / max(cpu.sum(), EPS)]
    shaken = [size * rng.uniform(0.7, 1.3, len(size)) for _ in range(12)]
    return [np.argsort(-each, kind="stable") for each in (*plain, *shaken)]


def _repair(state: State, clock: Clock, until: float) -> None:
    """Shifts that leave fewer VMs without room when a host is lost."""
    p = state.problem
    lost = stranded(p, state.place)
    for unit in np.argsort(size_of(p), kind="stable").tolist():
        if not lost or clock() >= until:
            return
        share, home = state.room(unit), int(state.place[unit])
        share[state.extra(unit, np.arange(len(share))) > state.spare_moves()] = np.inf
        for host in np.argsort(share, kind="stable")[:3].tolist():
            if share[host] > 1 or home < 0:
                break
            state.put(unit, host)
            now = stranded(p, state.place)
            if now < lost:
                lost = now
                break
            state.put(unit, home)


def _homeward(problem: Problem, place: IntArray) -> IntArray:
    """The same peak with fewer moves: alike hosts change names, and what needn't move stays."""
    place = _renamed(problem, place)
    state = State(problem, place, None)
    peak = max(problem.peak(place), 0.0) + EPS
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
    for kind in set(columns):
        hosts = [h for h, each in enumerate(columns) if each == kind and h not in fixed]
        stays = [
            (-int(p.weight[(place == a) & (p.home == b)].sum()), a, b) for a in hosts for b in hosts
        ]
        left, free = set(hosts), set(hosts)
        for _, a, b in sorted(stays):
            if a in left and b in free:
                to[a] = b
                left.discard(a)
                free.discard(b)
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
