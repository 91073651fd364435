"""A network of many classes with those lumped together that are alike.

An approximation errs on the lumped network much as on the whole one: its error comes from how
customers meet at stations, less from what tells like classes apart. The lumped network can be
solved exactly, and the error found there corrects the answer for the whole one.

Sources:
    1. J. H. Ward, "Hierarchical grouping to optimize an objective function", Journal of the
       American Statistical Association 58(301), 1963.
    2. E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, "Quantitative System Performance",
       1984, chapter 7 (classes with averaged demands).
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import FloatArray, IntArray
from models.queueing.lattice import ClosedProblem

_TINY = 1e-300


def alike(population: FloatArray, there: FloatArray, most: int) -> IntArray:
    """Groups of classes, at most so many, that hold like customers together.

    Args:
        population: customers N of each class, shape (R,).
        there: share p of a customer's time at each queue, shape (R, M).
        most: how many groups.

    Returns:
        The group of each class, from 0 on, shape (R,).

    Equation: N_r·p_r·(1 − p_r) is the variance of a binomial number at a queue; two groups in one
    change it by N_a·N_b/(N_a + N_b)·(p_a − p_b)². The pair is lumped where the largest sum over
    queues, each over the mean number there, is least (Ward [1]). Valid for any N > 0.

    One who is always at the queue stays apart from those who hardly ever are:

    >>> alike(np.array([1.0, 500.0, 300.0]), np.array([[0.9], [0.01], [0.02]]), 2).tolist()
    [0, 1, 1]
    """
    group = np.arange(len(population))
    size, share = population.astype(np.float64), there.copy()
    mean = np.maximum(population @ there, _TINY)
    change = np.full((len(size), len(size)), np.inf)
    for r in range(len(size)):
        change[r, :r] = _change(size, share, mean, r)[:r]
    for _ in range(len(population) - most):
        b, a = (int(i) for i in np.unravel_index(np.argmin(change), change.shape))
        share[a] = (size[a] * share[a] + size[b] * share[b]) / (size[a] + size[b])
        size[a] += size[b]
        group[group == b] = a
        change[b], change[:, b] = np.inf, np.inf
        new = _change(size, share, mean, a)
        change[a] = np.where(np.isfinite(change[a]), new, np.inf)
        change[:, a] = np.where(np.isfinite(change[:, a]), new, np.inf)
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _change(size: FloatArray, share: FloatArray, mean: FloatArray, r: int) -> FloatArray:
    """What lumping group r with each of the groups changes, shape (R,)."""
    apart = share - share[r]
    return np.asarray((apart * apart / mean).sum(axis=1) * size * size[r] / (size + size[r]))


def forgotten(population: FloatArray, there: FloatArray, group: IntArray) -> float:
    """How much of the variance at queues lumping makes of what tells classes apart.

    Args:
        population: customers N of each class, shape (R,).
        there: share p of a customer's time at each queue, shape (R, M).
        group: of each class, from 0 on, shape (R,).

    Equation: Σ_r N_r·(p_r − p)² over the mean number there, summed over queues, with p the mean
    share in the group: what `alike` keeps least (Ward [1]). 0 where the classes of each group are
    the same; valid for any N > 0.

    One who is always at a queue and one who never is: 2·0.5²/1.

    >>> forgotten(np.ones(2), np.array([[1.0], [0.0]]), np.zeros(2, dtype=np.int64))
    0.5
    """
    share = np.zeros((int(group.max()) + 1, len(group)))
    share[group, np.arange(len(group))] = population
    share /= share.sum(axis=1, keepdims=True)
    apart = there - (share @ there)[group]
    return float((population @ (apart * apart) / np.maximum(population @ there, _TINY)).sum())


def lumped(problem: ClosedProblem, throughput: FloatArray, group: IntArray) -> ClosedProblem:
    """The network with each group as one class.

    Args:
        problem: the network.
        throughput: X of each class [jobs/s], shape (R,).
        group: of each class, from 0 on, shape (R,).

    Equation: N = Σ N_r; D and Z are means over jobs, Σ X_r·D_r/Σ X_r [2]. Valid for X > 0; what is
    asked of each queue then is the same at these throughputs.

    >>> two = np.array([[0.1], [0.4]])
    >>> problem = ClosedProblem(two, np.ones(1), np.array([10, 20]), np.ones(2), np.zeros(1))
    >>> one = lumped(problem, np.array([2.0, 1.0]), np.zeros(2, dtype=np.int64))
    >>> one.population.tolist(), one.demand.round(6).tolist()
    ([30], [[0.2]])
    """
    share = np.zeros((int(group.max()) + 1, len(group)))
    share[group, np.arange(len(group))] = throughput
    share /= share.sum(axis=1, keepdims=True)
    return ClosedProblem(
        share @ problem.demand,
        problem.servers,
        np.bincount(group, weights=problem.population).astype(np.int64),
        share @ problem.think,
        problem.open_load,
    )
