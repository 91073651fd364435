"""Product-form networks solved by adding up every state: slow, and written from the theorem.

F. Baskett, K. M. Chandy, R. R. Muntz, F. G. Palacios, "Open, closed, and mixed networks of queues
with different classes of customers", Journal of the ACM 22(2), 1975. Open classes are cut off at
a number of customers beyond which nothing matters.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from models.base.quantities import FloatArray
from models.queueing.batch import erlang_c
from models.queueing.network import Network

MOST_OPEN = 60


def station_weights(demand: FloatArray, servers: int | None, shape: tuple[int, ...]) -> FloatArray:
    """n!/(Π n_r!)·Π D_r^n_r/Π_{j≤n} min(j, c) for every vector n; c = None is a delay."""
    out = np.zeros(shape)
    for n in itertools.product(*(range(size) for size in shape)):
        total = sum(n)
        value = float(math.factorial(total))
        for count, d in zip(n, demand, strict=True):
            value *= d**count / math.factorial(count)
        for j in range(1, total + 1):
            value /= j if servers is None else min(j, servers)
        out[n] = value
    return out


def convolve(a: FloatArray, b: FloatArray) -> FloatArray:
    """Σ over k ≤ n of a(k)·b(n − k)."""
    out = np.zeros_like(a)
    for k in itertools.product(*(range(size) for size in a.shape)):
        source = tuple(slice(0, size - i) for i, size in zip(k, a.shape, strict=True))
        target = tuple(slice(i, None) for i in k)
        out[target] += a[k] * b[source]
    return out


def closed_queue_lengths(network: Network) -> tuple[FloatArray, FloatArray]:
    """Throughput (R,) and mean numbers (M, R) of a closed network, from its state probabilities."""
    population = [c.population or 0 for c in network.classes]
    shape = tuple(n + 1 for n in population)
    corner = tuple(population)
    weights = [
        station_weights(
            np.array(s.visits) * np.array(s.service),
            None if s.kind == "delay" else s.servers,
            shape,
        )
        for s in network.stations
    ]
    think = station_weights(np.array([c.think_time for c in network.classes]), None, shape)
    whole = think
    for weight in weights:
        whole = convolve(whole, weight)
    lengths = np.zeros((len(weights), len(population)))
    for m, weight in enumerate(weights):
        others = think
        for i, other in enumerate(weights):
            others = others if i == m else convolve(others, other)
        for n in itertools.product(*(range(size) for size in shape)):
            rest = tuple(a - b for a, b in zip(corner, n, strict=True))
            lengths[m] += np.array(n) * weight[n] * others[rest]
    throughput = np.zeros(len(population))
    for r in range(len(population)):
        fewer = tuple(n - (i == r) for i, n in enumerate(corner))
        throughput[r] = whole[fewer] / whole[corner]
    return throughput, lengths / whole[corner]


def mmc_response(rate: float, service: float, servers: int) -> float:
    """Time in M/M/c: (C(c, a)/(c − a) + 1)·S with a = λ·S (Kleinrock, 1975, section 3.5)."""
    load = rate * service
    return float(erlang_c(servers, load)) * service / (servers - load) + service
