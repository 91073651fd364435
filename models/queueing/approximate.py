"""Approximate solution of closed networks of several classes, many scenarios at once.

Both methods solve the equations of the arrival theorem for a c-server station,

    R_r = (D_r/c)·(Q(N−e_r) + c − a(N−e_r) + P(n ≥ c | N−e_r)),

exact for product-form networks when the three quantities at one customer less are known. The
fast method puts Q_r/N_r for the fall of Q (Schweitzer, Bard) and Erlang's C for the probability
of waiting. The accurate one corrects both by h_r, from the spread of the number of customers at
each station given the populations (`models.queueing.spread`).

For given throughputs X everything follows in closed form, so that Newton's method has one
unknown per class, however many stations there are.

Sources:
    1. P. J. Schweitzer, "Approximate analysis of multiclass closed networks of queues", 1979.
    2. K. M. Chandy, D. Neuse, "Linearizer: a heuristic algorithm for queueing network models of
       computing systems", Communications of the ACM 25(2), 1982.
    3. E. de Souza e Silva, R. R. Muntz, "A note on the computational cost of the linearizer
       algorithm for queueing networks", IEEE Transactions on Computers 39(6), 1990.
    4. A. E. Conway, "Fast approximate solution of queueing networks with multi-server
       chain-dependent FCFS queues", 1989.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.texts import say
from models.queueing.batch import ClosedBatch, Waiting
from models.queueing.spread import Spread

Accuracy = Literal["fast", "accurate"]

CHUNK = 1_024
NEWTON_STEPS = 60
TOLERANCE = 1e-9
OUTER_STEPS = 12
OUTER_TOLERANCE = 2e-4
RELAXATION = 0.65
INNER_STEPS = 3
STRETCH_STEPS = 40
LEAST_SHARE = 0.02

_TINY = 1e-300
_NOBODY = 1e-9  # stands for an empty class: its residence is that of a first customer


@dataclass(frozen=True, slots=True, eq=False)
class ClosedBatchAnswer:
    """Measures of B networks.

    Attributes:
        throughput: X [jobs/s], shape (R, B).
        residence: residence time of each class at each queue [s], shape (R, M, B).
        stretch: residence time of an open arrival per second of demand, shape (M, B).
        converged: shape (B,); False where the accurate method did not settle, so that the
            answer is the fast one's, or where the fast one was cut off.
    """

    throughput: FloatArray
    residence: FloatArray
    stretch: FloatArray
    converged: BoolArray


def solve_approximate(batch: ClosedBatch, accuracy: Accuracy = "accurate") -> ClosedBatchAnswer:
    """Solve closed networks of any number of classes approximately.

    Args:
        batch: the networks.
        accuracy: "fast" (Schweitzer with Erlang's C) or "accurate".

    An empty class (population 0) gets the residence time that a first customer would have.

    Raises:
        ModelError: a class with neither demand nor think time.

    Equation: R = (D/c)·(Q(N−e) + c − a(N−e) + P(n ≥ c | N−e)), X = N/(Z + ΣR), solved for X by
    Newton's method; "fast" takes Q − Q_r/N_r for Q(N−e_r) and Erlang's C for P.

    Valid for product-form networks; docs/queueing.md holds the errors of both over a grid of
    loads and server counts.

    >>> one = ClosedBatch(
    ...     np.array([[[0.02]], [[0.02]]]),
    ...     np.array([8]),
    ...     np.array([[1000.0], [1000.0]]),
    ...     np.array([[10.0], [10.0]]),
    ...     np.zeros((1, 1)),
    ... )
    >>> solve_approximate(one).throughput[:, 0].round(2).tolist()  # 2,000 users ask for half
    [99.8, 99.8]
    """
    if np.any(batch.think + batch.demand.sum(axis=1) <= 0):
        raise ModelError(say("a closed class needs a demand or a think time above 0"))
    size = batch.population.shape[1]
    parts = [
        _Solver(_part(batch, slice(i, i + CHUNK))).solve(accuracy)
        for i in range(0, max(size, 1), CHUNK)
    ]
    if len(parts) == 1:
        return parts[0]
    return ClosedBatchAnswer(
        np.concatenate([part.throughput for part in parts], axis=1),
        np.concatenate([part.residence for part in parts], axis=2),
        np.concatenate([part.stretch for part in parts], axis=1),
        np.concatenate([part.converged for part in parts]),
    )


def corrected(
    batch: ClosedBatch, answer: ClosedBatchAnswer, longer: FloatArray, stretched: FloatArray
) -> ClosedBatchAnswer:
    """An answer with its residence times [s] multiplied with `longer`, its stretches likewise.

    Args:
        batch: the networks.
        answer: approximate measures of them.
        longer: factors of the residence times, shape (R, M, B).
        stretched: factors of what an open arrival meets, shape (M, B).

    Equation: X = N/(Z + ΣR), within the bounds of any answer. Valid for factors above 0.

    >>> one = ClosedBatch(
    ...     np.full((1, 1, 1), 0.5),
    ...     np.array([4]),
    ...     np.full((1, 1), 8.0),
    ...     np.ones((1, 1)),
    ...     np.zeros((1, 1)),
    ... )
    >>> twice = corrected(one, solve_approximate(one), np.full((1, 1, 1), 2.0), np.ones((1, 1)))
    >>> round(float(twice.throughput[0, 0] * (1.0 + twice.residence[0, 0, 0])), 6)
    8.0
    """
    solver = _Solver(_part(batch, slice(None)))
    return solver.bounded(answer.residence * longer, answer.stretch * stretched, answer.converged)


def _part(batch: ClosedBatch, pick: slice | IntArray) -> ClosedBatch:
    return ClosedBatch(
        np.ascontiguousarray(batch.demand[..., pick]),
        batch.servers,
        np.maximum(batch.population[:, pick], _NOBODY),
        np.ascontiguousarray(batch.think[:, pick]),
        np.ascontiguousarray(batch.open_load[:, pick]),
    )


@dataclass(slots=True, eq=False)
class _State:
    """What follows from throughputs X.

    Attributes:
        damped: 1/(1 + X_r·s_rm/N_r), shape (R, M, B).
        weight: s_rm·damped_rm, shape (R, M, B).
        room: 1 − Σ_r X_r·weight_rm, shape (M, B).
        slope: dJ_m/da at the stations with several servers.
        idle: J_m, shape (M, B).
        queue: Q_m, shape (M, B).
        met: Q_m + J_m + h_rm; R_rm = weight_rm·met_rm. Shape (M, B) while there is no h.
    """

    damped: FloatArray
    weight: FloatArray
    room: FloatArray
    slope: FloatArray
    idle: FloatArray
    queue: FloatArray
    met: FloatArray

    def response(self) -> FloatArray:
        """Σ_m R_rm, shape (R, B)."""
        return np.asarray(np.einsum(self.over_stations, self.weight, self.met))

    @property
    def over_stations(self) -> str:
        """How to sum over stations a product of (R, M, B) and `met`."""
        return "rmb,mb->rb" if self.met.ndim == 2 else "rmb,rmb->rb"


class _Solver:
    def __init__(self, batch: ClosedBatch) -> None:
        self.batch = batch
        free = batch.servers[:, None] - batch.open_load
        self.service = batch.demand / free
        self.waiting = Waiting(batch.servers)
        self.shared_demand = np.take(batch.demand, self.waiting.many, axis=1)
        self.shared_open = batch.open_load[self.waiting.many]
        self.correction: FloatArray | None = None
        self.open_gain: FloatArray | float = 0.0
        self.latest: tuple[FloatArray, _State] | None = None

    def _pick(self, mask: BoolArray) -> _Solver:
        """The same problem for some of the scenarios."""
        rows = np.flatnonzero(mask)
        out = _Solver(_part(self.batch, rows))
        if self.correction is not None:
            out.correction = np.take(self.correction, rows, axis=-1)
        return out

    def solve(self, accuracy: Accuracy) -> ClosedBatchAnswer:
        """Iterate to the fixed point; for the accurate method, around the correction."""
        throughput, converged = self._newton(self._start(), NEWTON_STEPS)
        if accuracy == "fast":
            return self._answer(throughput, converged)
        moved = np.ones(throughput.shape[1], dtype=bool)
        throughput = self._refine(throughput, Spread(self.batch), OUTER_STEPS, moved)
        throughput, converged = self._newton(throughput, NEWTON_STEPS)
        answer = self._answer(throughput, converged)
        lost = ~(converged & np.all(np.isfinite(answer.residence), axis=(0, 1)))
        if np.any(lost):
            _replace(answer, lost, _Solver(_part(self.batch, np.flatnonzero(lost))).solve("fast"))
        return answer

    def _refine(
        self, throughput: FloatArray, spread: Spread, steps: int, moved: BoolArray
    ) -> FloatArray:
        """Alternate between correction and solution until the residence times rest.

        They rest when they did not move in two steps running: in one alone they may be at a
        turning point. `moved` says whose moved in the step before the first. When half of the
        scenarios are done, the others go on alone. Leaves the corrections of all scenarios
        behind, for the answer.
        """
        residence = self._residence(throughput)
        for step in range(steps):
            fresh = spread.correction(throughput, residence)
            if self.correction is None:
                self.correction = fresh
            else:
                self.correction += RELAXATION * (fresh - self.correction)
            previous, moved_before = residence, moved
            throughput, _ = self._newton(throughput, INNER_STEPS)
            self.open_gain = spread.open_gain
            residence = self._residence(throughput)
            change = np.abs(residence - previous).sum(axis=1)
            moved = np.any(change > OUTER_TOLERANCE * previous.sum(axis=1), axis=0)
            open_ = moved | moved_before
            if not np.any(open_):
                break
            if 2 * np.count_nonzero(open_) < len(open_) and step + 1 < steps:
                rest = self._pick(open_)
                throughput[:, open_] = rest._refine(
                    np.ascontiguousarray(throughput[:, open_]),
                    spread.pick(np.flatnonzero(open_), rest.batch),
                    steps - step - 1,
                    moved[open_],
                )
                assert rest.correction is not None
                self.correction[..., open_] = rest.correction
                self.open_gain[..., open_] = rest.open_gain
                break
        return throughput

    def _residence(self, throughput: FloatArray) -> FloatArray:
        state = self._state(throughput)
        return state.weight * state.met

    def _answer(self, throughput: FloatArray, converged: BoolArray) -> ClosedBatchAnswer:
        """Measures that keep Little's law and the utilisation law to the last digit.

        No residence time is shorter than the demand nor longer than with all who visit the
        station at it; the equations can leave these bounds for a handful of customers.
        An approximation may exceed saturation by its error; the residence times at such a
        station are then lengthened, all in the same proportion.
        """
        state = self._known_state(throughput)
        free = self.batch.servers[:, None] - self.batch.open_load
        stretch = (state.queue + state.idle + self.open_gain) / free
        return self.bounded(state.weight * state.met, stretch, converged)

    def bounded(
        self, residence: FloatArray, stretch: FloatArray, converged: BoolArray
    ) -> ClosedBatchAnswer:
        """The answer with these residence times and stretches, within the bounds."""
        batch = self.batch
        free = batch.servers[:, None] - batch.open_load
        least = batch.servers[:, None] / free
        people = np.einsum("rb,rmb->mb", batch.population, batch.demand > 0)
        first = np.maximum(1.0 - batch.population, 0.0)[:, None]
        most = np.maximum((people + first) / free, least)
        kept = np.clip(residence, batch.demand, batch.demand * most)
        rate = self._within_saturation(kept)
        highest = np.maximum((people + 1.0) / free, least)
        return ClosedBatchAnswer(rate, kept, np.clip(stretch, 1.0, highest), converged)

    def _within_saturation(self, residence: FloatArray) -> FloatArray:
        """Throughputs by Little's law; lengthens what is too short for the servers, in place.

        Newton's method on the logarithms of what each saturated station's residence times are
        multiplied with: d ln U/d ln g is the mean share that its customers spend there.
        """
        batch = self.batch
        for _ in range(STRETCH_STEPS):
            cycle = np.maximum(batch.think + residence.sum(axis=1), _TINY)
            offered = (batch.population / cycle)[:, None] * self.service
            used = offered.sum(axis=0)
            if np.all(used <= 1.0 + TOLERANCE):
                break
            there = (offered * (residence / cycle[:, None])).sum(axis=0) / np.maximum(used, _TINY)
            residence *= np.exp(np.log(np.maximum(used, 1.0)) / np.maximum(there, LEAST_SHARE))
        cycle = np.maximum(batch.think + residence.sum(axis=1), _TINY)
        return np.asarray(batch.population / cycle)

    def _start(self) -> FloatArray:
        batch = self.batch
        rate = batch.population / np.maximum(batch.think + batch.demand.sum(axis=1), _TINY)
        used = np.einsum("rb,rmb->mb", rate, self.service).max(axis=0, initial=0.0)
        return np.asarray(rate * np.minimum(1.0, 0.8 / np.maximum(used, _TINY)))

    def _state(self, throughput: FloatArray) -> _State:
        batch, service = self.batch, self.service
        damped = (throughput / batch.population)[:, None] * service
        damped += 1.0
        np.reciprocal(damped, out=damped)
        weight = service * damped
        room = 1.0 - np.einsum("rb,rmb->mb", throughput, weight)
        idle, slope = np.ones_like(room), np.zeros((0, 1))
        many = self.waiting.many
        if len(many):
            load = np.einsum("rb,rmb->mb", throughput, self.shared_demand) + self.shared_open
            idle[many], slope = self.waiting.idle_term(load)
        if self.correction is None:
            met = idle / room
            queue = met - idle
        else:
            offset = idle + self.correction
            queue = np.einsum("rb,rmb,rmb->mb", throughput, weight, offset) / room
            met = np.add(offset, queue, out=offset)
        return _State(damped, weight, room, slope, idle, queue, met)

    def _known_state(self, throughput: FloatArray) -> _State:
        """The state in which Newton's method ended, if it ended at these throughputs."""
        if self.latest is not None and self.latest[0] is throughput:
            return self.latest[1]
        return self._state(throughput)

    def _newton(self, throughput: FloatArray, steps: int) -> tuple[FloatArray, BoolArray]:
        """Solve X_r·(Z_r + Σ_m R_rm(X)) = N_r; the slower half goes on alone."""
        batch, self.latest = self.batch, None
        done = np.zeros(throughput.shape[1], dtype=bool)
        for step in range(steps):
            state = self._state(throughput)
            lack = batch.population - throughput * (batch.think + state.response())
            done = np.all(np.abs(lack) <= TOLERANCE * batch.population, axis=0)
            left = len(done) - np.count_nonzero(done)
            if left == 0:
                self.latest = throughput, state
                break
            if 2 * left < len(done):
                rest = np.ascontiguousarray(throughput[:, ~done])
                throughput[:, ~done], done[~done] = self._pick(~done)._newton(rest, steps - step)
                break
            move = _solve_linear(self._jacobian(throughput, state), lack)
            throughput = self._advance(throughput, move, state)
        return throughput, done

    def _jacobian(self, throughput: FloatArray, state: _State) -> FloatArray:
        """d(X_r·(Z_r + Σ_m R_rm))/dX_k, shape (R, R, B)."""
        squared = state.weight * state.damped
        own = self.batch.think + np.einsum(state.over_stations, squared, state.met)
        rise = np.multiply(squared, state.met / state.room, out=squared)
        if len(state.slope):
            many = self.waiting.many
            rise[:, many] += self.shared_demand * (state.slope / state.room[many])
        classes = len(throughput)
        out = np.empty((classes, classes, throughput.shape[1]))
        for k in range(classes):
            np.einsum("rmb,mb->rb", state.weight, rise[k], out=out[:, k])
        out *= throughput[:, None]
        for k in range(classes):
            out[k, k] += own[k]
        return out

    def _advance(self, throughput: FloatArray, step: FloatArray, state: _State) -> FloatArray:
        """Take the step, but stay below saturation and above zero."""
        step = np.maximum(step, -0.9 * throughput)
        gain = np.einsum("rb,rmb,rmb->mb", step, state.weight, state.damped)
        tightest = np.max(gain / state.room, axis=0, initial=0.0)
        length = np.minimum(1.0, 0.95 / np.maximum(tightest, _TINY))
        return np.asarray(throughput + length * step)


def _replace(answer: ClosedBatchAnswer, where: BoolArray, other: ClosedBatchAnswer) -> None:
    answer.throughput[:, where] = other.throughput
    answer.residence[..., where] = other.residence
    answer.stretch[:, where] = other.stretch
    answer.converged[where] = False


def _solve_linear(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """Gauss-Jordan elimination with the batch axis last; (R, R, B) and (R, B).

    Diagonals are dominant enough here that no pivoting is needed.
    """
    a, x = matrix, right.copy()
    for i in range(len(x)):
        inverse = 1.0 / a[i, i]
        x[i] *= inverse
        a[i, i + 1 :] *= inverse
        factor = a[:, i].copy()
        factor[i] = 0.0
        x -= factor * x[i]
        a[:, i + 1 :] -= factor[:, None] * a[i, i + 1 :]
    return x
