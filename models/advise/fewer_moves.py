"""A plan within the limit made shorter: with one move fewer, other files are looked for.

One move is taken back; then in each step one of the moves that are left is exchanged for another,
or goes elsewhere, so that least is over the limits, until nothing is. What was exchanged isn't
exchanged back for some steps, and what stays over its limit weighs more with each step: tabu search
(F. Glover, "Tabu search, part I", ORSA Journal on Computing 1, 1989) with weights of constraints
that grow (P. Morris, "The breakout method for escaping from local minima", AAAI 1993).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray

STEPS = 4000
"""Steps in which a plan with one move fewer is looked for."""
MOST_STEPS = 10_000
"""Steps for all plans, each shorter than the one before: some seconds."""
CANDIDATES, EXCHANGED = 300, 6
"""Moves that may be made, those that serve best by prices; moves of the plan that each step tries
to do without."""
FORGET, HEAVIER = 100, 0.3
"""Steps after which weights begin anew, and what is added to those of what is over its limit."""
NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Moves:
    """Moves that may be made: file and target of each, (c,)."""

    file: IntArray
    target: IntArray


def candidates(weight: FloatArray, home: IntArray, pinned: BoolArray, price: FloatArray) -> Moves:
    """The moves that serve best by prices of load on each server, by measure, (servers, m)."""
    cost = weight @ price.T
    rows = np.arange(len(home))
    cost -= cost[rows, home][:, None]
    cost[rows, home] = np.inf
    cost[pinned] = np.inf
    flat = np.argsort(cost, axis=None, kind="stable")[:CANDIDATES]
    flat = flat[np.isfinite(cost.ravel()[flat])]
    return Moves(*np.divmod(flat, price.shape[0]))


class Shorter:
    """A search for a plan with one move fewer.

    Attributes:
        place: where the files stand, (n,); `load`: of each server, of the mean, (servers, m).
        moved: files that stand elsewhere than at home.
        until: the step until which each file stays as it is, (n,).
    """

    def __init__(
        self,
        weight: FloatArray,
        home: IntArray,
        replica: IntArray,
        limit: FloatArray,
        place: IntArray,
        load: FloatArray,
        moves: Moves,
        chance: np.random.Generator,
    ) -> None:
        self.weight, self.home, self.replica, self.limit = weight, home, replica, limit
        self.place, self.load, self.moves, self.chance = place.copy(), load.copy(), moves, chance
        self.holds = np.zeros((int(replica.max()) + 1, len(load)), dtype=np.int64)
        np.add.at(self.holds, (replica, place), 1)
        self.moved: list[int] = np.flatnonzero(place != home).tolist()
        self.until = np.zeros(len(home), dtype=np.int64)
        self.heed = np.ones_like(load)

    def found(self) -> tuple[IntArray | None, int]:
        """A plan within the limits with one move fewer, if one was found, and the steps taken."""
        back = [row for row in self.moved if not self.holds[self.replica[row], self.home[row]]]
        if not back:
            return None, 0
        lightest = min(back, key=lambda row: float(self.weight[row].sum()))
        self._put(lightest, int(self.home[lightest]))
        self.moved.remove(lightest)
        least = np.inf
        for step in range(STEPS):
            excess = np.maximum(self.load - self.limit, 0.0)
            over = float(excess.sum())
            if over < NOTHING:
                return self.place, step
            if not self.moved:
                break
            if over >= least - NOTHING:
                self.heed += HEAVIER * (excess > NOTHING)
            if step % FORGET == FORGET - 1:
                self.heed[:] = 1.0
            least = min(least, over)
            self._step(step)
        return None, STEPS

    def _step(self, step: int) -> None:
        """The best exchange of a move for another, or of its target, of some moves of the plan."""
        rows = np.array(self.moved)
        if len(rows) > EXCHANGED:
            rows = rows[self.chance.permutation(len(rows))[:EXCHANGED]]
        each = np.arange(len(rows))
        load = np.repeat(self.load[None], len(rows), axis=0)
        load[each, self.place[rows]] -= self.weight[rows]
        load[each, self.home[rows]] += self.weight[rows]
        base = self._over(load, slice(None))
        file, target = self._open()
        swaps = self._exchanged(rows, file, target, load, base)
        turns = self._turned(rows, load, base)
        swaps[self.until[rows] > step] = turns[self.until[rows] > step] = np.inf
        swaps[:, self.until[file] > step] = np.inf
        best = swaps.min(initial=np.inf), turns.min(initial=np.inf)
        if not np.isfinite(min(best)):
            return
        if best[0] <= best[1]:
            at, column = divmod(int(swaps.argmin()), len(file))
            back, other = int(rows[at]), int(file[column])
            self._put(back, int(self.home[back]))
            self._put(other, int(target[column]))
            self.moved.remove(back)
            self.moved.append(other)
            self.until[back] = step + self.chance.integers(4, 12)
            self.until[other] = step + self.chance.integers(2, 5)
        else:
            at, to = divmod(int(turns.argmin()), len(self.load))
            self._put(int(rows[at]), to)
            self.until[rows[at]] = step + self.chance.integers(2, 6)

    def _open(self) -> tuple[IntArray, IntArray]:
        """Files at home that may be moved now, and where to."""
        file, target = self.moves.file, self.moves.target
        free = (self.place[file] == self.home[file]) & (self.holds[self.replica[file], target] == 0)
        return file[free], target[free]

    def _over(self, load: FloatArray, servers: IntArray | slice) -> FloatArray:
        """What is over the limits of these servers, as it is to be heeded."""
        over: FloatArray = np.maximum(load - self.limit, 0.0) * self.heed[servers]
        return np.asarray(over.sum(axis=-1))

    def _exchanged(
        self, rows: IntArray, file: IntArray, target: IntArray, load: FloatArray, base: FloatArray
    ) -> FloatArray:
        """What is over with each of the moves taken back, (k,), and each other made, (k, c)."""
        home, weight = self.home[file], self.weight[file]
        found = base.sum(axis=1)[:, None] - base[:, home] - base[:, target]
        found += self._over(load[:, home] - weight, home)
        found += self._over(load[:, target] + weight, target)
        found[self.holds[self.replica[rows], self.home[rows]] > 0] = np.inf
        return np.asarray(found)

    def _turned(self, rows: IntArray, load: FloatArray, base: FloatArray) -> FloatArray:
        """What is over with each of the moves made to each server instead, (k, servers)."""
        each, home, weight = np.arange(len(rows)), self.home[rows], self.weight[rows]
        left = self._over(load[each, home] - weight, home) - base[each, home]
        found = (base.sum(axis=1) + left)[:, None] - base
        found += self._over(load + weight[:, None], slice(None))
        found[self.holds[self.replica[rows]] > 0] = np.inf
        found[each, home] = np.inf
        return np.asarray(found)

    def _put(self, row: int, target: int) -> None:
        replica, source = self.replica[row], self.place[row]
        self.holds[replica, source] -= 1
        self.holds[replica, target] += 1
        self.load[source] -= self.weight[row]
        self.load[target] += self.weight[row]
        self.place[row] = target
