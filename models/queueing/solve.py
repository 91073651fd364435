"""Solve one network by the method that fits it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import FloatArray, IntArray
from models.queueing.approximate import ClosedBatchAnswer, corrected, solve_approximate
from models.queueing.batch import ClosedBatch, erlang_c
from models.queueing.inversion import Plan, fewest_additions, solve_by_inversion
from models.queueing.lattice import (
    ClosedAnswer,
    ClosedProblem,
    convolution,
    effort,
    exact_mva,
    mva_effort,
)
from models.queueing.lumped import alike, forgotten, lumped
from models.queueing.network import Network
from models.queueing.single_class import single_class_effort, solve_single_class
from models.queueing.spread import MOST_TABLED

Method = Literal["auto", "exact", "approximate", "fast"]

EXACT_MVA = "exact mva"
CONVOLUTION = "convolution"
OPEN = "open product form (m/m/c)"
ACCURATE = "linearizer (expectation propagation)"
FAST = "schweitzer (newton)"

EXACT_ERROR = 1e-9
"""Stated relative error of exact methods; rounding was measured below 1e-11."""

AUTO_VECTORS = 200_000
"""Population vectors up to which the automatic choice is an exact method."""

EXACT_VECTORS = 2_000_000
"""Population vectors up to which an exact method is used when asked for."""

_COUNTED = 10**15
"""Population vectors, steps or additions from which on only their number of digits is said."""

AUTO_STEPS = 300_000
EXACT_STEPS = 3_000_000
"""Steps of the recursion for one class, likewise."""

AUTO_ADDITIONS = 3e8
EXACT_ADDITIONS = 1e10
"""Additions of an exact method, likewise: a second, and half a minute."""

SOON_ADDITIONS = 1e7
"""Additions of a convolution up to which nothing cheaper is looked for."""


LUMPED_CLASSES = 3, 2
"""Classes that a network is lumped to for the correction of the approximation, at most."""

LUMPED_ADDITIONS, LUMPED_STEPS = 1e8, 30_000
"""Additions or steps of an exact method up to which that is done; a third of a second."""


@dataclass(frozen=True, slots=True)
class _Limits:
    """Up to where an exact method is affordable."""

    vectors: int
    steps: int
    additions: float


_AUTO = _Limits(AUTO_VECTORS, AUTO_STEPS, AUTO_ADDITIONS)
_EXACT = _Limits(EXACT_VECTORS, EXACT_STEPS, EXACT_ADDITIONS)
_LUMPED = _Limits(AUTO_VECTORS, LUMPED_STEPS, LUMPED_ADDITIONS)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Steady-state measures of a network; arrays are read-only.

    Attributes:
        method: which method gave the answer.
        error_estimate: estimated relative error of response times.
        throughput: X of each class [jobs/s], shape (R,).
        response_time: time of a job at all stations, think time left out [s], shape (R,).
        customers: customers of each class, thinking ones included, shape (R,).
        utilisation: per server and class, shape (M, R); NaN at a delay.
        station_throughput: visits per second, shape (M, R).
        queue_length: customers waiting or in service, shape (M, R).
        residence_time: visits × response time [s], shape (M, R).
        station_response: response time per visit [s], shape (M, R); 0 without visits.
    """

    method: str
    error_estimate: float
    throughput: FloatArray
    response_time: FloatArray
    customers: FloatArray
    utilisation: FloatArray
    station_throughput: FloatArray
    queue_length: FloatArray
    residence_time: FloatArray
    station_response: FloatArray

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class _Arrays:
    """A network as arrays: visits, service and demand (M, R); queues, and closed classes at them.

    `arrivals` are those of open classes and of closed ones that meet no queue: nobody delays
    these, so that their throughput is N/(Z + D), as the response-time law has it.
    """

    visits: FloatArray
    service: FloatArray
    demand: FloatArray
    servers: IntArray
    queues: IntArray
    closed: IntArray
    population: FloatArray
    think: FloatArray
    arrivals: FloatArray

    @staticmethod
    def of(network: Network) -> _Arrays:
        """Translate; an empty closed class becomes an open one without arrivals."""
        visits = np.array([station.visits for station in network.stations], dtype=np.float64)
        service = np.array([station.service for station in network.stations], dtype=np.float64)
        demand = visits * service
        queues = np.flatnonzero([station.kind == "queue" for station in network.stations])
        population = np.array([float(c.population or 0) for c in network.classes])
        think = np.array([c.think_time for c in network.classes], dtype=np.float64)
        arrivals = np.array([c.arrival_rate or 0.0 for c in network.classes], dtype=np.float64)
        queueing = np.any(demand[queues] > 0, axis=0)
        alone = (population > 0) & ~queueing
        arrivals[alone] = population[alone] / (think + demand.sum(axis=0))[alone]
        return _Arrays(
            visits,
            service,
            demand,
            np.array([station.servers for station in network.stations], dtype=np.int64),
            queues,
            np.flatnonzero((population > 0) & queueing),
            population,
            think,
            arrivals,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Closed:
    """Answer for the closed classes, as `ClosedAnswer`, with method and error."""

    method: str
    error: float
    answer: ClosedAnswer


def solve(network: Network, method: Method = "auto") -> Solution:
    """Solve a closed, open or mixed network.

    Args:
        network: what to solve.
        method: "exact" refuses what can't be solved exactly at bearable cost; "approximate" is
            the accurate approximation, "fast" the quick one; "auto" is exact where that is
            affordable (one closed class, none, or up to `AUTO_VECTORS` population vectors),
            else the accurate approximation.

    Returns:
        The measures, with the name of the method and its estimated error.

    Raises:
        ModelError: a station saturated by open classes, or an exact answer out of reach.

    >>> from models.queueing.network import CustomerClass, Station
    >>> cpu = Station("cpu", "queue", visits=(1.0,), service=(0.02,), servers=8)
    >>> disk = Station("disk", "queue", visits=(1.0,), service=(0.002,))
    >>> users = CustomerClass("users", population=4000, think_time=10.0)
    >>> solution = solve(Network((users,), (cpu, disk)))
    >>> solution.method, round(float(solution.throughput[0]), 9)
    ('convolution', 394.446504891)
    """
    arrays = _Arrays.of(network)
    open_load = arrays.demand @ arrays.arrivals
    _refuse_saturation(network, arrays, open_load)
    if len(arrays.closed):
        closed = _solve_closed(arrays, open_load[arrays.queues], method)
    else:
        closed = _solve_open(arrays, open_load[arrays.queues])
    rounding = _rounding(arrays, open_load[arrays.queues])
    return _solution(arrays, replace(closed, error=max(closed.error, rounding)))


def _refuse_saturation(network: Network, arrays: _Arrays, open_load: FloatArray) -> None:
    for m in arrays.queues:
        use = open_load[m] / arrays.servers[m]
        if use >= 1.0:
            name = network.stations[m].name
            reason = f"station {name!r} is saturated by open classes: utilisation {use:.6g}"
            raise ModelError(reason, field=f"stations[{m}]")


def _rounding(arrays: _Arrays, load: FloatArray) -> float:
    """What rounding of an open load does to response times, which go with 1/(1 − utilisation)."""
    free = float(np.min(1.0 - load / arrays.servers[arrays.queues], initial=1.0))
    return len(arrays.arrivals) * float(np.finfo(np.float64).eps) / free


def _solve_open(arrays: _Arrays, load: FloatArray) -> _Closed:
    """M/M/c stations: residence D·(1 + C(c, a)/(c − a)), with a summed over classes.

    Source: F. Baskett et al., Journal of the ACM 22(2), 1975, theorem for open networks.
    """
    servers = arrays.servers[arrays.queues].astype(np.float64)
    stretch = np.ones_like(load)
    if len(load):
        stretch += erlang_c(servers, load) / (servers - load)
    nothing = ClosedAnswer(np.zeros(0), np.zeros((0, len(load))), stretch)
    method = EXACT_MVA if np.any(arrays.population) and not np.any(load) else OPEN
    return _Closed(method, EXACT_ERROR, nothing)


def _solve_closed(arrays: _Arrays, open_load: FloatArray, method: Method) -> _Closed:
    problem, group, share = _merged(arrays, open_load)
    solved = None
    if method in {"auto", "exact"}:
        solved = _exact(problem, _AUTO if method == "auto" else _EXACT)
    if solved is None:
        if method == "exact":
            raise ModelError(_refusal(problem))
        solved = _approximate(problem, method)
    answer = solved.answer
    spread = ClosedAnswer(answer.throughput[group] * share, answer.residence[group], answer.stretch)
    return _Closed(solved.method, solved.error, spread)


def _merged(arrays: _Arrays, open_load: FloatArray) -> tuple[ClosedProblem, IntArray, FloatArray]:
    """Closed classes, those that behave alike as one; which one each belongs to, and its share.

    In product form customers of equal demands and think time can't be told apart, so that this
    is exact. It makes many networks of many classes affordable.
    """
    queue_demand = arrays.demand[np.ix_(arrays.queues, arrays.closed)].T
    kinds = np.ones(len(arrays.servers), dtype=bool)
    kinds[arrays.queues] = False
    delay = arrays.demand[kinds][:, arrays.closed].sum(axis=0)
    think = arrays.think[arrays.closed] + delay
    rows = np.column_stack([queue_demand, think])
    unique, group = np.unique(rows, axis=0, return_inverse=True)
    group = group.reshape(-1)
    own = arrays.population[arrays.closed]
    population = np.bincount(group, weights=own)
    problem = ClosedProblem(
        np.ascontiguousarray(unique[:, :-1]),
        arrays.servers[arrays.queues],
        population.astype(np.int64),
        np.ascontiguousarray(unique[:, -1]),
        open_load,
    )
    return problem, group.astype(np.int64), own / population[group]


def _exact(problem: ClosedProblem, limits: _Limits) -> _Closed | None:
    """By the cheapest exact method that is affordable and can vouch for its answer."""
    if len(problem.population) == 1:
        return _exact_single(problem, limits.steps)
    most, work = limits.vectors, limits.additions
    routes: list[tuple[float, str, Callable[[], ClosedAnswer | None]]] = []
    if np.all(problem.servers == 1) and problem.vectors <= most:
        routes.append((mva_effort(problem), EXACT_MVA, lambda: exact_mva(problem)))
    if not routes or routes[0][0] > work:
        guess = solve_approximate(_as_batch(problem)).throughput[:, 0]
        vectors, additions = effort(problem, guess)
        if vectors <= most:
            routes.append((additions, CONVOLUTION, lambda: convolution(problem, guess)))
        cheapest = min((route[0] for route in routes), default=math.inf)
        if fewest_additions(problem) <= work and cheapest > SOON_ADDITIONS:
            plan = Plan.of(problem, guess)
            route = plan.additions, CONVOLUTION, lambda: solve_by_inversion(problem, plan)
            routes.append(route)
    for cost, name, run in sorted(routes, key=itemgetter(0)):
        answer = run() if cost <= work else None
        if answer is not None:
            return _Closed(name, EXACT_ERROR, answer)
    return None


def _exact_single(problem: ClosedProblem, most: int) -> _Closed | None:
    arguments = _single(problem)
    if single_class_effort(*arguments)[0] > most:
        return None
    batch = solve_single_class(*arguments)
    residence = batch.queue_length[:, 0] / batch.throughput[0]
    answer = ClosedAnswer(batch.throughput, residence[None], batch.stretch[:, 0])
    return _Closed(CONVOLUTION, EXACT_ERROR, answer)


def _single(
    problem: ClosedProblem,
) -> tuple[FloatArray, IntArray, FloatArray, FloatArray, FloatArray]:
    """A problem of one class as `solve_single_class` takes it."""
    return (
        np.ascontiguousarray(problem.demand.T),
        problem.servers,
        problem.population.astype(np.float64),
        problem.think,
        problem.open_load[:, None],
    )


def _refusal(problem: ClosedProblem) -> str:
    """The limit that an exact solution passes, and by how much."""
    if len(problem.population) == 1:
        steps = int(single_class_effort(*_single(problem))[0])
        return _too_much(steps, "steps", EXACT_STEPS)
    guess = solve_approximate(_as_batch(problem)).throughput[:, 0]
    vectors, additions = effort(problem, guess)
    if vectors > EXACT_VECTORS:
        return _too_much(vectors, "population vectors", EXACT_VECTORS)
    if additions > EXACT_ADDITIONS:
        return _too_much(additions, "additions", EXACT_ADDITIONS)
    return (
        "an exact solution could not be shown to leave out nothing that matters; "
        "use the approximate method"
    )


def _too_much(need: int, what: str, limit: float) -> str:
    about = f"{need:.3g}" if need < _COUNTED else f"10^{math.log10(need):.0f}"
    return (
        f"an exact solution needs about {about} {what}, more than are "
        f"affordable ({limit:,.0f}); use the approximate method"
    )


def _as_batch(problem: ClosedProblem) -> ClosedBatch:
    return ClosedBatch(
        problem.demand[..., None],
        problem.servers,
        problem.population[:, None].astype(np.float64),
        problem.think[:, None],
        problem.open_load[:, None],
    )


def _approximate(problem: ClosedProblem, method: Method) -> _Closed:
    batch = _as_batch(problem)
    fast = solve_approximate(batch, "fast")
    if method == "fast":
        return _Closed(FAST, fast_error(problem, fast), _first(fast))
    accurate = solve_approximate(batch, "accurate")
    if not accurate.converged[0] or not np.all(np.isfinite(accurate.residence)):
        return _Closed(FAST, fast_error(problem, fast), _first(fast))
    return _corrected(problem, fast, accurate)


def _corrected(
    problem: ClosedProblem, fast: ClosedBatchAnswer, accurate: ClosedBatchAnswer
) -> _Closed:
    """By the error that the accurate method has on the network with like classes lumped."""
    rate, residence = accurate.throughput[:, 0], accurate.residence[..., 0]
    population = problem.population.astype(np.float64)
    for classes in sorted({min(most, len(rate)) for most in LUMPED_CLASSES}, reverse=True):
        group = alike(population, (rate / population)[:, None] * residence, classes)
        fewer = lumped(problem, rate, group)
        exact = _exact(fewer, _LUMPED)
        if exact is not None:
            rough = _first(solve_approximate(_as_batch(fewer)))
            there = rough.residence > 0
            longer = np.divide(
                exact.answer.residence, rough.residence, np.ones_like(rough.residence), where=there
            )
            stretched = exact.answer.stretch / rough.stretch
            better = corrected(
                _as_batch(problem), accurate, longer[group][..., None], stretched[:, None]
            )
            queued = np.bincount(group, weights=rate * residence.sum(axis=1))
            lumps = rough.throughput * rough.residence.sum(axis=1)
            unlike = float(np.max(np.abs(lumps[queued > 0] / queued[queued > 0] - 1.0), initial=0))
            error = corrected_error(problem, fast, accurate, better, group, unlike)
            return _Closed(ACCURATE, error, _first(better))
    return _Closed(ACCURATE, accurate_error(problem, fast, accurate), _first(accurate))


def fast_error(problem: ClosedProblem, fast: ClosedBatchAnswer) -> float:
    """Error of the fast method [1]: the worst of the grid in docs/queueing.md, or more for few.

    0.35 + (largest share of time at queues)/2N. Valid as `accurate_error` is, for networks like
    those of the grid. Source: that grid.

    100 customers who think for 9 s and spend 1 s at a queue:

    >>> one = np.ones((1, 1))
    >>> problem = ClosedProblem(one, np.ones(1), np.array([100]), np.full(1, 9.0), np.zeros(1))
    >>> fast = ClosedBatchAnswer(10 * one, one[..., None], one, np.array([True]))
    >>> round(fast_error(problem, fast), 6)  # 0.35 + 0.1/200
    0.3505
    """
    return 0.35 + 0.5 * float(np.max(_few_customers(problem, fast)))


def accurate_error(
    problem: ClosedProblem, fast: ClosedBatchAnswer, accurate: ClosedBatchAnswer
) -> float:
    """Error of the accurate method [1]: a floor, plus a part of what it corrected.

    0.008 + 0.3·(largest difference of the two methods) + 0.5·(that for an open customer at a queue)
    + (largest share of time at queues)/N + 0.3·(open utilisation of stations of more than 512
    servers).

    An estimate, no bound; valid for networks of this application's shape: it exceeded the true
    error of all in the tables of docs/queueing.md, and of all but one of 4,049 others. Source:
    those tables. With few customers the normal distribution behind the correction is a poor one,
    and with open classes at stations of that many servers there is no correction; both are added.

    100 customers who think for 9 s and spend 1 s at a queue, 1.1 s by the fast method:

    >>> one = np.ones((1, 1))
    >>> problem = ClosedProblem(one, np.ones(1), np.array([100]), np.full(1, 9.0), np.zeros(1))
    >>> fast, accurate = (
    ...     ClosedBatchAnswer(10 * one, spent * one[..., None], one, np.array([True]))
    ...     for spent in (1.1, 1.0)
    ... )
    >>> round(accurate_error(problem, fast, accurate), 6)  # 0.008 + 0.1/100 + 0.3·0.1
    0.039
    """
    moved, moved_open = _moved(problem, fast, accurate)
    shared = problem.servers > MOST_TABLED
    mixed = float(np.max(problem.open_load[shared] / problem.servers[shared], initial=0.0))
    few = float(np.max(_few_customers(problem, accurate)))
    return 0.008 + few + 0.3 * mixed + 0.3 * moved + 0.5 * moved_open


def corrected_error(
    problem: ClosedProblem,
    fast: ClosedBatchAnswer,
    accurate: ClosedBatchAnswer,
    better: ClosedBatchAnswer,
    group: IntArray,
    unlike: float,
) -> float:
    """Error of the corrected answer [1]: a floor, and parts of what was corrected.

    0.008 + 0.5·(largest correction) + (that for an open customer at a queue) + 0.05·(largest
    difference of the accurate method and the fast one) + 0.3·(that for an open customer) + 0.5·(the
    largest (share of time at queues)/N of a class that was lumped with others) + 0.2·`unlike`, by
    how much the number of a group at queues differs on the lumped network, at most, relatively
    + 0.2·(the variance that lumping forgets, as `forgotten` has it).

    An estimate, no bound; valid for networks of this application's shape. Source: the tables of
    docs/queueing.md.

    Two like classes of 100 that were lumped think for 9 s and spend 1 s at a queue, 1.1 s by both
    methods before:

    >>> one = np.ones((2, 1))
    >>> problem = ClosedProblem(one, np.ones(1), np.full(2, 100), np.full(2, 9.0), np.zeros(1))
    >>> before, after = (
    ...     ClosedBatchAnswer(10 * one, spent * one[..., None], one[:1], np.array([True]))
    ...     for spent in (1.1, 1.0)
    ... )
    >>> together = np.zeros(2, dtype=np.int64)
    >>> stated = corrected_error(problem, before, before, after, together, unlike=0.01)
    >>> round(stated, 6)  # 0.008 + 0.5·0.1 + 0.5·0.1/100 + 0.2·0.01
    0.0605
    """
    moved, moved_open = _moved(problem, accurate, better)
    doubt, doubt_open = _moved(problem, fast, accurate)
    shared = np.bincount(group)[group] > 1
    few = float(np.max(_few_customers(problem, better)[shared], initial=0.0))
    corrections = 0.5 * moved + moved_open + 0.05 * doubt + 0.3 * doubt_open
    population = problem.population.astype(np.float64)
    there = (accurate.throughput / population[:, None])[:, None] * accurate.residence
    lost = forgotten(population, there[..., 0], group)
    return 0.008 + corrections + 0.5 * few + 0.2 * (unlike + lost)


def _moved(
    problem: ClosedProblem, before: ClosedBatchAnswer, after: ClosedBatchAnswer
) -> tuple[float, float]:
    """Largest relative difference of response times, and of what an open customer meets."""
    was, now = before.residence.sum(axis=1), after.residence.sum(axis=1)
    waits = now > 0
    opened = problem.open_load > 0
    met = np.abs(before.stretch[opened] / after.stretch[opened] - 1.0)
    moved = np.abs(was[waits] / now[waits] - 1.0)
    return float(np.max(moved, initial=0.0)), float(np.max(met, initial=0.0))


def _few_customers(problem: ClosedProblem, answer: ClosedBatchAnswer) -> FloatArray:
    """The share of time that a customer spends at queues, over the customers of its class."""
    busy = answer.residence[..., 0].sum(axis=1)
    return np.asarray(busy / (problem.think + busy) / problem.population)


def _first(batch: ClosedBatchAnswer) -> ClosedAnswer:
    return ClosedAnswer(batch.throughput[:, 0], batch.residence[..., 0], batch.stretch[:, 0])


def _solution(arrays: _Arrays, closed: _Closed) -> Solution:
    throughput = arrays.arrivals.copy()
    throughput[arrays.closed] = closed.answer.throughput
    residence = arrays.demand.copy()
    residence[arrays.queues] *= closed.answer.stretch[:, None]
    residence[np.ix_(arrays.queues, arrays.closed)] = closed.answer.residence.T
    utilisation = np.full_like(residence, np.nan)
    queues = arrays.queues
    used = throughput * arrays.demand[queues] / arrays.servers[queues, None]
    whole = used.sum(axis=1, keepdims=True) * (1.0 + len(throughput) * np.finfo(np.float64).eps)
    utilisation[queues] = used / np.maximum(whole, 1.0)
    visits = np.where(arrays.visits > 0, arrays.visits, 1.0)
    own = arrays.population > 0
    customers = np.where(own, arrays.population, throughput * residence.sum(axis=0))
    return Solution(
        method=closed.method,
        error_estimate=closed.error,
        throughput=throughput,
        response_time=residence.sum(axis=0),
        customers=customers,
        utilisation=utilisation,
        station_throughput=throughput * arrays.visits,
        queue_length=throughput * residence,
        residence_time=residence,
        station_response=residence / visits,
    )
