"""Single queues in steady state: M/M/c, M/M/c/K and M/G/1, on arrays of any shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.errors import ModelError
from models.quantities import FloatArray
from models.queueing.erlang import erlang_c


@dataclass(frozen=True, slots=True, eq=False)
class QueueMeasures:
    """Steady-state measures; arrays of the arguments' broadcast shape.

    Attributes:
        utilisation: busy share of a server.
        throughput: accepted customers [1/s].
        waiting_probability: that an accepted customer has to wait.
        waiting: mean number waiting Lq.
        customers: mean number waiting or in service L.
        wait: mean waiting time Wq [s].
        response_time: mean time in the queue R [s].
        empty_probability: that nobody is there.
        loss_probability: that an arrival is turned away.
    """

    utilisation: FloatArray
    throughput: FloatArray
    waiting_probability: FloatArray
    waiting: FloatArray
    customers: FloatArray
    wait: FloatArray
    response_time: FloatArray
    empty_probability: FloatArray
    loss_probability: FloatArray


def mmc(
    arrival_rate: npt.ArrayLike, service_time: npt.ArrayLike, servers: npt.ArrayLike = 1
) -> QueueMeasures:
    """M/M/c: Poisson arrivals, exponential service, c servers, unlimited room.

    Args:
        arrival_rate: λ [1/s].
        service_time: mean service time S [s].
        servers: c ≥ 1; the three broadcast.

    Equation: a = λS, ρ = a/c, Lq = C(c, a)·ρ/(1 − ρ), Wq = C(c, a)·S/(c − a), R = Wq + S.

    Valid for ρ < 1.

    Source: L. Kleinrock, "Queueing Systems, Volume 1: Theory", 1975, section 3.5.

    Raises:
        ModelError: a negative or non-finite argument, or λS ≥ c.

    >>> round(float(mmc(2.0, 1.0, 3).response_time), 6)
    1.444444
    """
    rate, service, c = _arguments(arrival_rate, service_time, servers)
    load = rate * service
    _refuse_saturated(load, c)
    waits = erlang_c(c, load)
    rho = load / c
    free = c - load
    waiting = waits * rho / (free / c)
    wait = waits * service / free
    return QueueMeasures(
        utilisation=rho,
        throughput=rate,
        waiting_probability=waits,
        waiting=waiting,
        customers=waiting + load,
        wait=wait,
        response_time=wait + service,
        empty_probability=_empty(load, c),
        loss_probability=np.zeros_like(load),
    )


def mmck(
    arrival_rate: npt.ArrayLike,
    service_time: npt.ArrayLike,
    servers: npt.ArrayLike,
    capacity: npt.ArrayLike,
) -> QueueMeasures:
    """M/M/c/K: as M/M/c, but an arrival that finds K customers is turned away.

    Args:
        arrival_rate: λ [1/s].
        service_time: mean service time S [s].
        servers: c ≥ 1.
        capacity: K ≥ c, waiting and in service; the four broadcast.

    Equation: p_n ∝ Π_{j≤n} λS/min(j, c) for n = 0 … K.

    Valid for every load and room: the geometric part of the sums is added up by doubling. The
    response time is that of accepted customers.

    Source: D. Gross, J. F. Shortle, J. M. Thompson, C. M. Harris, "Fundamentals of Queueing
    Theory", 4th ed., 2008, section 2.5.

    Raises:
        ModelError: a negative or non-finite argument, or K < c.

    >>> round(float(mmck(50.0, 0.1, 4, 6).loss_probability), 6)
    0.293543
    """
    rate, service, c = _arguments(arrival_rate, service_time, servers)
    room = np.asarray(capacity, dtype=np.float64)
    if not np.all(np.isfinite(room) & (room == np.floor(room)) & (room >= c)):
        raise ModelError("must be whole numbers ≥ servers", field="capacity")
    rate, service, c, room = np.broadcast_arrays(rate, service, c, room)
    load = rate * service
    n = np.arange(c.max(initial=0.0) + 1.0).reshape((-1,) + (1,) * load.ndim)
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.where(n[1:] <= c, np.log(load) - np.log(n[1:]), -np.inf)
        logs = np.concatenate((np.zeros((1, *load.shape)), np.cumsum(steps, axis=0)))
        line = _Line.of(load / c, room - c)
        log_full = np.sum(np.where(n == c, logs, 0.0), axis=0)
        log_first = np.where(room > c, log_full + line.log_first, -np.inf)
    peak = np.maximum(logs.max(axis=0), log_first)
    weights, first = np.exp(logs - peak), np.exp(log_first - peak)
    total = weights.sum(axis=0) + first * line.places
    below = np.where(n < room, weights, 0.0)
    accepted = below.sum(axis=0) + first * line.below
    late = np.where(n == c, below, 0.0).sum(axis=0) + first * line.below
    full = np.where(room > c, first * line.last, np.where(n == c, weights, 0.0).sum(axis=0))
    busy = ((n * weights).sum(axis=0) + c * first * line.places) / total
    waiting = first * line.waiting / total
    throughput = rate * accepted / total
    flow = np.where(throughput > 0, throughput, 1.0)
    wait = np.where(throughput > 0, waiting / flow, 0.0)
    return QueueMeasures(
        utilisation=np.minimum(busy / c, 1.0),
        throughput=throughput,
        waiting_probability=late / np.where(accepted > 0, accepted, 1.0),
        waiting=waiting,
        customers=busy + waiting,
        wait=wait,
        response_time=wait + service,
        empty_probability=weights[0] / total,
        loss_probability=full / total,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """The places of those who wait, with weights ρʲ for j = 1 … L, from the heaviest one on.

    Attributes:
        log_first: logarithm of the heaviest weight, of j = 1 or, beyond saturation, of j = L.
        places: Σ of weights over the heaviest.
        below: the same without j = L.
        last: weight of j = L over the heaviest.
        waiting: Σ of j times weight over the heaviest.
    """

    log_first: FloatArray
    places: FloatArray
    below: FloatArray
    last: FloatArray
    waiting: FloatArray

    @staticmethod
    def of(rho: FloatArray, length: FloatArray) -> _Line:
        rises = rho > 1.0
        ratio = np.where(rises, 1.0 / np.maximum(rho, 1.0), rho)
        some = length > 0
        sums, firsts, power = _powers(ratio, np.maximum(length - 1.0, 0.0))
        rest, rest_first = ratio * sums, ratio * (sums + firsts)
        places = np.where(some, 1.0 + rest, 0.0)
        waiting = np.where(rises, length * places - rest_first, places + rest_first)
        return _Line(
            np.where(rises, length, 1.0) * np.log(rho),
            places,
            np.where(some, np.where(rises, rest, sums), 0.0),
            np.where(some, np.where(rises, 1.0, power), 0.0),
            np.where(some, waiting, 0.0),
        )


def _powers(ratio: FloatArray, count: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Σ rⁱ, Σ i·rⁱ for i = 0 … n − 1, and rⁿ, with 0 ≤ r ≤ 1, by doubling: of positive terms.

    >>> [float(each) for each in _powers(np.array(0.5), np.array(3.0))]
    [1.75, 1.0, 0.125]
    """
    sums, firsts, size = np.zeros_like(ratio), np.zeros_like(ratio), np.zeros_like(ratio)
    power = np.ones_like(ratio)
    block, block_first, block_power, width = np.ones_like(ratio), np.zeros_like(ratio), ratio, 1.0
    left = count
    while np.any(left > 0):
        odd = left % 2.0 == 1.0
        firsts = np.where(odd, firsts + power * (block_first + size * block), firsts)
        sums = np.where(odd, sums + power * block, sums)
        power, size = np.where(odd, power * block_power, power), np.where(odd, size + width, size)
        block_first = block_first + block_power * (block_first + width * block)
        block = block * (1.0 + block_power)
        block_power, width = block_power * block_power, 2.0 * width
        left = np.floor(left / 2.0)
    return sums, firsts, power


def mg1(
    arrival_rate: npt.ArrayLike, service_time: npt.ArrayLike, squared_variation: npt.ArrayLike
) -> QueueMeasures:
    """M/G/1, first come first served: service times of any distribution, one server.

    Args:
        arrival_rate: λ [1/s].
        service_time: mean service time S [s].
        squared_variation: variance of the service time over S²; 1 is M/M/1, 0 is M/D/1.

    Equation (Pollaczek-Khinchine): Wq = ρ·S·(1 + cv²)/(2·(1 − ρ)), ρ = λS.

    Valid for ρ < 1.

    Source: L. Kleinrock, "Queueing Systems, Volume 1: Theory", 1975, eq. 5.63.

    Raises:
        ModelError: a negative or non-finite argument, or λS ≥ 1.

    >>> round(float(mg1(20.0, 0.04, 0.5).wait), 12)
    0.12
    """
    rate, service, one = _arguments(arrival_rate, service_time, 1)
    variation = np.asarray(squared_variation, dtype=np.float64)
    if not np.all(np.isfinite(variation)) or np.any(variation < 0):
        raise ModelError("must be finite and ≥ 0", field="squared_variation")
    rate, service, variation = np.broadcast_arrays(rate, service, variation)
    rho = rate * service
    _refuse_saturated(rho, one)
    wait = rho * service * (1.0 + variation) / (2.0 * (1.0 - rho))
    return QueueMeasures(
        utilisation=rho,
        throughput=rate,
        waiting_probability=rho,
        waiting=rate * wait,
        customers=rate * wait + rho,
        wait=wait,
        response_time=wait + service,
        empty_probability=1.0 - rho,
        loss_probability=np.zeros_like(rho),
    )


def _empty(load: FloatArray, c: FloatArray) -> FloatArray:
    """p_0 = 1/(Σ_{n<c} aⁿ/n! + a^c/c!·c/(c − a)), summed in logarithms."""
    load, c = np.broadcast_arrays(load, c)
    top = int(c.max(initial=1.0))
    n = np.arange(1.0, top + 1.0).reshape((-1,) + (1,) * load.ndim)
    with np.errstate(divide="ignore"):
        logs = np.cumsum(np.log(load) - np.log(n), axis=0)
        logs = np.where(n < c, logs, np.where(n == c, logs + np.log(c / (c - load)), -np.inf))
    logs = np.concatenate((np.zeros((1, *load.shape)), logs))
    peak = logs.max(axis=0)
    return np.asarray(np.exp(-peak) / np.exp(logs - peak).sum(axis=0))


def _arguments(
    arrival_rate: npt.ArrayLike, service_time: npt.ArrayLike, servers: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    rate = np.asarray(arrival_rate, dtype=np.float64)
    service = np.asarray(service_time, dtype=np.float64)
    c = np.asarray(servers, dtype=np.float64)
    for name, value in (("arrival_rate", rate), ("service_time", service)):
        if not np.all(np.isfinite(value)) or np.any(value < 0):
            raise ModelError("must be finite and ≥ 0", field=name)
    if not np.all(np.isfinite(c)) or np.any(c < 1) or np.any(c != np.floor(c)):
        raise ModelError("must be whole numbers ≥ 1", field="servers")
    rate, service, c = np.broadcast_arrays(rate, service, c)
    return rate, service, c


def _refuse_saturated(load: FloatArray, servers: FloatArray) -> None:
    if np.any(load >= servers):
        use = float(np.max(load / servers))
        raise ModelError(f"the queue is saturated: utilisation {use:.6g}")
