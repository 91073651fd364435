"""Mail files moved between servers until none is far busier than the mean: few moves, many limits.

A file weighs on its server by several measures at once (CPU, I/O, space). All are taken relative to
the mean server, so that a load of 1 is the mean and `Files.limit` what a server may have. Servers
are vectors to be packed; that is a hard problem, and this is a descent: the move that takes most
off what is over the limit, from the server that is furthest over it, until nothing is; exchanges of
two files where no single move helps; and at the end every move is taken back that turned out not
to be needed. Where the plan has more moves than must be, shorter ones are looked for
(`models/advise/fewer_moves.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.advise.fewer_moves import MOST_STEPS, Shorter, candidates
from models.base.quantities import BoolArray, FloatArray, IntArray

EVENNESS = 0.02
"""Weight of evenness among moves that take as much off: room is left where most is, in every
measure. Ours; it decides between like moves only."""

NOTHING = 1e-9
"""Excess, of the mean server's load, that is none."""

MIXTURES = 12
"""Steps of the grid of mixtures of measures that a bound is looked for on."""

GOAL_STEPS = 4
"""Limits of a secondary goal that are tried, the one that was asked first."""

MOST_ROUNDS, WORK = 600, 50_000_000
"""Rounds in which a part of the plan is undone and done anew, at most, and files looked at in them,
which takes some seconds."""

NEAR_LEAST = 1.05
"""Moves of the least possible with which a plan is good enough."""

PRICED = 150
"""Steps in which prices of load are looked for."""

FAR, MOST_LOOKED_AT = 8.0, 64
"""Of a server that is over the limit by so many of its heaviest files, as many are looked at."""

MOST_EXCHANGED = 48
"""Files of the server that is too busy that are tried in exchanges, those that take most off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What stands where.

    Attributes:
        weight: what each file is of the mean server's load, by measure [1], shape (n, m); a measure
            of which there is nothing is no measure.
        server: position of each file's server, (n,).
        servers: how many there are.
        replica: position of each file's database, (n,): copies of one database have the same, and
            may not meet on a server.
        pinned: files that stay where they are, (n,).
        limit: the most that a server may have, of the mean, by measure [1], (m,).
    """

    weight: FloatArray
    server: IntArray
    servers: int
    replica: IntArray
    pinned: BoolArray
    limit: FloatArray

    def loads(self, server: IntArray) -> FloatArray:
        """Load of each server, of the mean, where the files stand there, shape (servers, m)."""
        found = np.zeros((self.servers, self.weight.shape[1]))
        np.add.at(found, server, self.weight)
        return found

    def least_moves(self) -> int:
        """A number of moves that no plan comes below.

        A server over the limit has to lose at least as many files as it takes when those go that
        weigh most, in whichever mixture of its measures that are over takes most of them: the
        surrogate relaxation of a covering problem. Exact for one measure; a lower bound otherwise,
        as room elsewhere isn't looked at. Source: F. Glover, "Surrogate constraints", Operations
        Research 16 (1968).
        """
        excess = self.loads(self.server) - self.limit
        least = 0
        for server in np.flatnonzero((excess > NOTHING).any(axis=1)).tolist():
            there = self.weight[(self.server == server) & ~self.pinned]
            mixed = _mixtures(len(self.limit)) * (excess[server] > NOTHING)
            needs = mixed @ np.maximum(excess[server], 0.0)
            taken = np.cumsum(-np.sort(-(there @ mixed.T), axis=0), axis=0)
            enough = taken + NOTHING >= needs
            each = np.where(enough.any(axis=0), enough.argmax(axis=0) + 1, len(there))
            least += int(np.where(needs > NOTHING, each, 0).max())
        return least

    def prices(self, moves: int) -> tuple[int, FloatArray]:
        """Another number of moves that no plan comes below, and the prices it comes by, (servers,
        m): what a unit of load on each server costs, by measure, in moves.

        The Lagrangian dual of the plan with fewest moves: with any prices, each file where its move
        and its load cost least, less the price of all limits. Source: A. Geoffrion, "Lagrangean
        relaxation for integer programming", Mathematical Programming Study 2 (1974); steps of
        Held, Wolfe and Crowder (1974).

        Args:
            moves: of a plan that is known.
        """
        price = found = np.zeros((self.servers, self.weight.shape[1]))
        best, share, since = 0.0, 1.0, 0
        rows = np.arange(len(self.server))
        for _ in range(PRICED):
            cost = self.weight @ price.T + 1.0
            cost[rows, self.server] -= 1.0
            place = np.where(self.pinned, self.server, cost.argmin(axis=1))
            bound = float(cost[rows, place].sum() - (price * self.limit).sum())
            since += 1
            if bound > best + 1e-6:
                best, found, since = bound, price, 0
            elif since >= 8:
                share, since, price = share / 2, 0, found
            off = self.loads(place) - self.limit
            if (length := float(np.square(off).sum())) < NOTHING:
                break
            step = share * max(moves - bound, 0.1) / length
            price = np.maximum(price + step * off, 0.0)
        return int(np.ceil(best - 1e-4)), found

    def least_busiest(self) -> FloatArray:
        """What the busiest server has at the very least, of the mean, by measure, (m,).

        The mean itself, the heaviest single file, or what is pinned to one server.
        """
        held = np.where(self.pinned[:, None], self.weight, 0.0)
        pinned = np.zeros((self.servers, self.weight.shape[1]))
        np.add.at(pinned, self.server, held)
        heaviest = self.weight.max(axis=0, initial=0.0)
        return np.asarray(np.maximum.reduce([np.ones_like(heaviest), heaviest, pinned.max(axis=0)]))


def _mixtures(measures: int) -> FloatArray:
    """Weights of measures that add up to 1, on a grid, shape (k, measures)."""
    steps = np.ndindex(*(MIXTURES + 1,) * measures)
    found = [each for each in steps if sum(each) == MIXTURES]
    return np.array(found, dtype=np.float64) / MIXTURES


def balanced(files: Files) -> IntArray:
    """Where the files had better stand, (n,): none over the limit where that was found.

    Among the plans it sees it takes the one with least over the limit, and of those the one with
    fewest moves. Always the same for the same files.

    Valid for any number of files; some seconds for 20,000 over 20 servers. Source: our own local
    search; see the head of the module.
    """
    search = _Search(files, files.server)
    search.descend()
    search.take_back()
    best, chance, least = search, np.random.default_rng(0), files.least_moves()
    rounds = WORK // max(len(files.server) * search.moves, 1)
    for _ in range(min(MOST_ROUNDS, rounds)):
        if best.moves <= least * NEAR_LEAST:
            break
        search = _Search(files, best.undone(chance))
        search.descend()
        search.take_back()
        if search.cost <= best.cost:
            best = search
    if best.moves <= least * NEAR_LEAST or best.cost[0] > 0:
        return best.server
    return _shortened(files, best.server, chance)


def by_goals(files: Files) -> IntArray:
    """Where the files had better stand by two goals, (n,): the first measure within its limit, or
    as near as can be, and the second as near to its own as the first allows.

    The limit of the second is loosened step by step, from what was asked to what the plan for the
    first alone has, until a plan keeps the first. Source: HCL Domino 11.0.0, "Primary and secondary
    goals for resource balancing", which weighs the primary goal more and says no more of how.
    """
    first = replace(files, weight=files.weight[:, :1], limit=files.limit[:1])
    best = balanced(first)
    excess = _over(first.loads(best), first.limit)
    reached = float(files.loads(best)[:, 1].max())
    if reached <= files.limit[1]:
        return best
    for limit in np.geomspace(files.limit[1], reached, GOAL_STEPS, endpoint=False).tolist():
        plan = balanced(replace(files, limit=np.array([files.limit[0], limit])))
        loads = files.loads(plan)
        if _over(loads[:, :1], first.limit) <= excess + 1e-6 and loads[:, 1].max() < reached:
            return plan
    return best


def rehomed(files: Files, gone: BoolArray) -> IntArray:
    """Servers of the files with those of servers to be emptied elsewhere, (n,): the heaviest first,
    each where the load is then least. −1: copies of it stand on all others.

    Args:
        gone: the servers to be emptied, (servers,).
    """
    server, leaving = files.server.copy(), gone[files.server]
    server[leaving] = -1
    holds = np.zeros((int(files.replica.max(initial=-1)) + 1, files.servers), dtype=np.bool_)
    holds[:, gone] = True
    holds[files.replica[~leaving], files.server[~leaving]] = True
    load = np.zeros((files.servers, files.weight.shape[1]))
    np.add.at(load, files.server[~leaving], files.weight[~leaving])
    rows = np.flatnonzero(leaving)
    for row in rows[np.argsort(-files.weight[rows].max(axis=1), kind="stable")].tolist():
        then = (load + files.weight[row]).max(axis=1)
        then[holds[files.replica[row]]] = np.inf
        target = int(then.argmin())
        if np.isfinite(then[target]):
            server[row] = target
            holds[files.replica[row], target] = True
            load[target] += files.weight[row]
    return server


def _shortened(files: Files, server: IntArray, chance: np.random.Generator) -> IntArray:
    """A plan within the limit with as few moves as were found."""
    priced, price = files.prices(int((server != files.server).sum()))
    least, steps = max(files.least_moves(), priced), 0
    moves = candidates(files.weight, files.server, files.pinned, price)
    while steps < MOST_STEPS and int((server != files.server).sum()) > least:
        search = Shorter(
            files.weight,
            files.server,
            files.replica,
            files.limit,
            server,
            files.loads(server),
            moves,
            chance,
        )
        shorter, taken = search.found()
        if shorter is None:
            break
        server, steps = shorter, steps + taken
    return server


class _Search:
    """A descent on what is over the limit, all servers and measures together."""

    def __init__(self, files: Files, server: IntArray) -> None:
        self.files = files
        self.server = server.copy()
        self.load = files.loads(self.server)
        databases = int(files.replica.max(initial=-1)) + 1
        self.holds: IntArray = np.zeros((databases, files.servers), dtype=np.int64)
        np.add.at(self.holds, (files.replica, self.server), 1)
        self.movable = ~files.pinned

    @property
    def moves(self) -> int:
        """Files that stand elsewhere than before."""
        return int((self.server != self.files.server).sum())

    @property
    def cost(self) -> tuple[float, int]:
        """What is over the limit, and how many files move."""
        return round(_over(self.load, self.files.limit), 6), self.moves

    def undone(self, chance: np.random.Generator) -> IntArray:
        """The plan with some of its moves taken back, so that another way is found from there."""
        server = self.server.copy()
        moved = np.flatnonzero(server != self.files.server)
        for row in moved[chance.random(len(moved)) < chance.uniform(0.1, 0.6)].tolist():
            home, copies = self.files.server[row], self.files.replica == self.files.replica[row]
            if not (server[copies] == home).any():
                server[row] = home
        return server

    def descend(self) -> None:
        """Move and exchange while that takes something off."""
        stuck: set[int] = set()
        while (source := self._worst(stuck)) is not None:
            if self._move_from(source) or self._exchange_from(source):
                stuck.clear()
            else:
                stuck.add(source)

    def _worst(self, stuck: set[int]) -> int | None:
        over = np.maximum(self.load - self.files.limit, 0.0).sum(axis=1)
        over[list(stuck)] = 0.0
        worst = int(over.argmax())
        return worst if over[worst] > NOTHING else None

    def _there(self, source: int) -> IntArray:
        return np.flatnonzero((self.server == source) & self.movable)

    def _heavy(self, rows: IntArray, over: FloatArray, most: int = 0) -> IntArray:
        """The files that take most off; without a number all, unless there is a long way to go."""
        off = np.minimum(self.files.weight[rows], over).sum(axis=1)
        if not most and over.sum() > FAR * off.max(initial=0.0):
            most = MOST_LOOKED_AT
        return rows[np.argsort(-off, kind="stable")[:most]] if most else rows

    def _excess(self, load: FloatArray) -> FloatArray:
        """What is over the limit, and a little for unevenness; the last axis is the measures."""
        over = np.maximum(load - self.files.limit, 0.0).sum(axis=-1)
        return np.asarray(over + EVENNESS * np.square(load).sum(axis=-1))

    def _move_from(self, source: int) -> bool:
        """The best move of one file off a server, if it takes off any of what is over the limit."""
        limit, here = self.files.limit, self.load[source]
        over = np.maximum(here - limit, 0.0)
        rows = self._heavy(self._there(source), over)
        if not len(rows):
            return False
        weight = self.files.weight[rows]
        left = self._excess(here - weight) - self._excess(here)
        room = self.load[None, :, :] + weight[:, None, :]
        change = left[:, None] + self._excess(room) - self._excess(self.load)[None, :]
        change[self.holds[self.files.replica[rows]] > 0] = np.inf
        row, target = np.unravel_index(int(change.argmin()), change.shape)
        if not np.isfinite(change[row, target]):
            return False
        before = _over(self.load[[source, int(target)]], limit)
        after = _over(np.array([here - weight[row], self.load[target] + weight[row]]), limit)
        if after > before - NOTHING:
            return False
        self._put(int(rows[row]), int(target))
        return True

    def _exchange_from(self, source: int) -> bool:
        """The best exchange of a file for one of another server, if it helps."""
        over = np.maximum(self.load[source] - self.files.limit, 0.0)
        rows = self._heavy(self._there(source), over, MOST_EXCHANGED)
        best: tuple[float, int, int] | None = None
        for target in range(self.files.servers):
            found = None if target == source else self._exchange(source, rows, target)
            if found is not None and (best is None or found[0] < best[0]):
                best = found
        if best is None:
            return False
        target = int(self.server[best[2]])
        self._put(best[1], target)
        self._put(best[2], source)
        return True

    def _exchange(self, source: int, rows: IntArray, target: int) -> tuple[float, int, int] | None:
        """What the best exchange with one server changes, and its two files."""
        others = self._there(target)
        if not len(others):
            return None
        replica, limit = self.files.replica, self.files.limit
        weight, other = self.files.weight[rows], self.files.weight[others]
        given = weight[:, None, :] - other[None, :, :]
        change = _over_each(self.load[source] - given, limit)
        change += _over_each(self.load[target] + given, limit)
        change -= _over(self.load[[source, target]], limit)
        same = replica[rows][:, None] == replica[others][None, :]
        blocked = (self.holds[replica[rows], target] > 0)[:, None]
        blocked = blocked | (self.holds[replica[others], source] > 0)[None, :]
        change[blocked | same] = np.inf
        row, column = np.unravel_index(int(change.argmin()), change.shape)
        least = float(change[row, column])
        return None if least > -NOTHING else (least, int(rows[row]), int(others[column]))

    def _put(self, row: int, target: int) -> None:
        replica, source = self.files.replica[row], self.server[row]
        self.holds[replica, source] -= 1
        self.holds[replica, target] += 1
        self.load[source] -= self.files.weight[row]
        self.load[target] += self.files.weight[row]
        self.server[row] = target

    def take_back(self) -> None:
        """Put files back, the lightest first, where nothing gets worse by that."""
        files = self.files
        moved = np.flatnonzero(self.server != files.server)
        order = moved[np.argsort(files.weight[moved].sum(axis=1), kind="stable")]
        for row in order.tolist():
            home, away = int(files.server[row]), int(self.server[row])
            if self.holds[files.replica[row], home]:
                continue
            pair = [home, away]
            step = np.array([files.weight[row], -files.weight[row]])
            if _over(self.load[pair] + step, files.limit) <= _over(self.load[pair], files.limit):
                self._put(row, home)


def _over_each(load: FloatArray, limit: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(load - limit, 0.0).sum(axis=-1))


def _over(load: FloatArray, limit: FloatArray) -> float:
    return float(np.maximum(load - limit, 0.0).sum())
