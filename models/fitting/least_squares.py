"""Robust non-linear least squares, many small fits at once: pure, deterministic, NumPy only.

Held-out validation needs over a thousand refits of a few parameters to a few dozen points. They
differ only in the weights of the points, so they are solved side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.quantities import FloatArray

Prediction = Callable[[FloatArray], FloatArray]
"""Parameters of shape (b, p) to predictions of shape (b, n)."""

_STEP = 1e-6
_TOLERANCE = 1e-11
_MAX_ITERATIONS = 300
_UNDECIDED = 1e-9
"""Curvature, of 1 for a parameter alone, up to which no point decides: rounding would."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """What is fitted: predictions to targets, under a robust loss and weak ridges.

    minimise  Σ wᵢ·2s²·(√(1 + (rᵢ/s)²) − 1) + Σ λⱼ·(θⱼ − cⱼ)²,  r = prediction(θ) − target

    Attributes:
        predict: parameters (b, p) to predictions (b, n).
        target: shape (n,).
        start: shape (p,).
        scale: s of the pseudo-Huber loss, in the unit of the residuals: quadratic below, linear
            above, so that no single point can throw the fit.
        ridge: λ, shape (p,); 0 where a parameter is free.
        centre: c, shape (p,).
    """

    predict: Prediction
    target: FloatArray
    start: FloatArray
    scale: float
    ridge: FloatArray
    centre: FloatArray


def fit(problem: Problem, weights: FloatArray) -> FloatArray:
    """Parameters of shape (b, p), one fit for each row of `weights`, shape (b, n).

    In the units of the problem's start; weights have none.

    Levenberg-Marquardt on iteratively reweighted residuals, pseudo-Huber weights 1/√(1 + (r/s)²),
    with central differences. Parameters, and combinations of them, that no point decides stay at
    the start. Source: K. Levenberg, Quarterly of Applied Mathematics 2, 1944.

    Valid for smooth predictions and a start in the valley of the minimum that is wanted.

    >>> line = Problem(
    ...     predict=lambda theta: theta[:, :1] * np.array([[1.0, 2.0, 3.0]]),
    ...     target=np.array([2.0, 4.0, 6.0]),
    ...     start=np.ones(1),
    ...     scale=1.0,
    ...     ridge=np.zeros(1),
    ...     centre=np.zeros(1),
    ... )
    >>> fit(line, np.ones((1, 3))).round(6).tolist()
    [[2.0]]
    """
    theta = np.tile(problem.start, (len(weights), 1))
    damping = np.full(len(weights), 1e-3)
    cost = _cost(problem, weights, theta)
    for _ in range(_MAX_ITERATIONS):
        step = _step(problem, weights, theta, damping)
        trial = theta + step
        trial_cost = _cost(problem, weights, trial)
        better = trial_cost <= cost
        theta = np.where(better[:, None], trial, theta)
        cost = np.where(better, trial_cost, cost)
        damping = np.clip(np.where(better, damping / 3.0, damping * 4.0), 1e-12, 1e8)
        if np.all(np.abs(step) < _TOLERANCE):
            break
    return theta


def _cost(problem: Problem, weights: FloatArray, theta: FloatArray) -> FloatArray:
    residual = (problem.predict(theta) - problem.target) / problem.scale
    loss = 2.0 * problem.scale**2 * (np.sqrt(1.0 + residual**2) - 1.0)
    ridge = problem.ridge * (theta - problem.centre) ** 2
    return np.asarray((weights * loss).sum(axis=1) + ridge.sum(axis=1))


def _step(
    problem: Problem, weights: FloatArray, theta: FloatArray, damping: FloatArray
) -> FloatArray:
    residual = problem.predict(theta) - problem.target
    weight = weights / np.sqrt(1.0 + (residual / problem.scale) ** 2)
    jacobian = _jacobian(problem.predict, theta)
    weighted = jacobian * weight[:, :, None]
    normal = weighted.transpose(0, 2, 1) @ jacobian
    gradient = (weighted * residual[:, :, None]).sum(axis=1)
    gradient += problem.ridge * (theta - problem.centre)
    diagonal = np.arange(theta.shape[1])
    normal[:, diagonal, diagonal] += problem.ridge
    unit = np.sqrt(np.maximum(normal[:, diagonal, diagonal], _UNDECIDED))
    curvature, axes = np.linalg.eigh(normal / (unit[:, :, None] * unit[:, None, :]))
    along = (axes * (gradient / unit)[:, :, None]).sum(axis=1)
    along /= np.where(curvature > _UNDECIDED, curvature + damping[:, None], np.inf)
    return np.asarray(-(axes * along[:, None, :]).sum(axis=2) / unit)


def _jacobian(predict: Prediction, theta: FloatArray) -> FloatArray:
    columns = []
    for index in range(theta.shape[1]):
        shift = np.zeros(theta.shape[1])
        shift[index] = _STEP
        columns.append((predict(theta + shift) - predict(theta - shift)) / (2.0 * _STEP))
    return np.stack(columns, axis=2)
