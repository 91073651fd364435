"""Fits the law of family A to its evidence: the response half first, then the CPU half.

The CPU half takes the storage paths' loss of capacity from the response half, so the two are one
law; users, RAM and codes enter as measured, and nothing is looked up by row.

Held-out validation needs over a thousand refits of a few parameters to a few dozen points. They
differ only in the weights of the points, so they are solved side by side, by robust non-linear
least squares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.evidence.family_a import (
    FITTED_PARAMETERS,
    FamilyALaw,
    PlatformA,
    StorageA,
    base_response_ms,
    cpu_pct,
    path_load,
    response_at_load,
    stretch_power,
)
from models.evidence.rows import EvidenceRow, measured

Prediction = Callable[[FloatArray, IntArray], FloatArray]
"""Parameters of shape (k, p), and which of all fits they are of, (k,), to predictions (k, n)."""

_STEP = 4e-4
"""Of parameters, whose unit is about 1: so wide that last bits of predictions hardly count, and so
narrow that differences of fourth order are exact to ten digits."""
_TOLERANCE = 5e-11
_MAX_ITERATIONS = 300
_AS_GOOD = 1e-12
"""Share of the cost by which a step may be worse: at the bottom last bits would decide, and the
parameters stop at the square root of their size before it."""
_UNDECIDED = 1e-9
"""Curvature, of 1 for a parameter alone, up to which no point decides: rounding would."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """What is fitted: predictions to targets, under a robust loss and weak ridges.

    minimise  Σ wᵢ·2s²·(√(1 + (rᵢ/s)²) − 1) + Σ λⱼ·(θⱼ − cⱼ)²,  r = prediction(θ) − target

    Attributes:
        predict: parameters (k, p) of some of the fits, and which, (k,), to predictions (k, n).
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


def least_squares(problem: Problem, weights: FloatArray) -> FloatArray:
    """Parameters of shape (b, p), one fit for each row of `weights`, shape (b, n).

    In the units of the problem's start; weights have none.

    Levenberg-Marquardt on iteratively reweighted residuals, pseudo-Huber weights 1/√(1 + (r/s)²),
    with differences of fourth order. Parameters, and combinations of them, that no point decides
    stay at the start. A fit whose step is nothing is done; the others go on. Source:
    K. Levenberg, Quarterly of Applied Mathematics 2, 1944.

    Valid for smooth predictions and a start in the valley of the minimum that is wanted.

    >>> line = Problem(
    ...     predict=lambda theta, _fits: theta[:, :1] * np.array([[1.0, 2.0, 3.0]]),
    ...     target=np.array([2.0, 4.0, 6.0]),
    ...     start=np.ones(1),
    ...     scale=1.0,
    ...     ridge=np.zeros(1),
    ...     centre=np.zeros(1),
    ... )
    >>> least_squares(line, np.ones((1, 3))).round(6).tolist()
    [[2.0]]
    """
    theta = np.tile(problem.start, (len(weights), 1))
    damping = np.full(len(weights), 1e-3)
    at = np.arange(len(weights))
    cost = _cost(problem, weights, theta, at)
    for _ in range(_MAX_ITERATIONS):
        step = _step(problem, weights[at], theta[at], damping[at], at)
        trial = theta[at] + step
        trial_cost = _cost(problem, weights[at], trial, at)
        better = trial_cost <= cost[at] * (1.0 + _AS_GOOD)
        theta[at[better]], cost[at[better]] = trial[better], trial_cost[better]
        damping[at] = np.clip(np.where(better, damping[at] / 3.0, damping[at] * 4.0), 1e-12, 1e8)
        at = at[np.any(np.abs(step) >= _TOLERANCE, axis=1)]
        if not len(at):
            break
    return theta


def _cost(problem: Problem, weights: FloatArray, theta: FloatArray, at: IntArray) -> FloatArray:
    residual = (problem.predict(theta, at) - problem.target) / problem.scale
    loss = 2.0 * problem.scale**2 * (np.sqrt(1.0 + residual**2) - 1.0)
    ridge = problem.ridge * (theta - problem.centre) ** 2
    return np.asarray((weights * loss).sum(axis=1) + ridge.sum(axis=1))


def _step(
    problem: Problem, weights: FloatArray, theta: FloatArray, damping: FloatArray, at: IntArray
) -> FloatArray:
    residual = problem.predict(theta, at) - problem.target
    weight = weights / np.sqrt(1.0 + (residual / problem.scale) ** 2)
    jacobian = _jacobian(problem.predict, theta, at)
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


def _jacobian(predict: Prediction, theta: FloatArray, at: IntArray) -> FloatArray:
    columns = []
    for index in range(theta.shape[1]):
        shift = np.zeros(theta.shape[1])
        shift[index] = _STEP
        near = predict(theta + shift, at) - predict(theta - shift, at)
        far = predict(theta + 2.0 * shift, at) - predict(theta - 2.0 * shift, at)
        columns.append((8.0 * near - far) / (12.0 * _STEP))
    return np.stack(columns, axis=2)


CPU = "cpu_pct"
RESPONSE = "response_ms"

CPU_LOSS_SCALE = 0.1
RESPONSE_LOSS_SCALE = 0.2
"""Scales of the robust losses [ln]: about the scatter of each quantity."""

RIDGE = 0.01
"""Weak pull of `native_factor` to 1 and of `ram_exponent` to the miss exponent, so that a fit
that misses the one series that decides them stays sane. Elsewhere it moves nothing visibly."""

RESPONSE_PARAMETERS = (
    "base_response_ms",
    "vmfs_users",
    "x366_users",
    "x366_stretch",
    "rdm_users",
    "native_factor",
    "ram_exponent",
)
CPU_PARAMETERS = (
    "x366_cpu_pct",
    "clovertown_cpu_pct",
    "esx_cpu_factor",
    "cpu_growth",
    "path_cpu_excess",
    "path_cpu_fall",
)
assert len(RESPONSE_PARAMETERS) + len(CPU_PARAMETERS) == FITTED_PARAMETERS

_LOGARITHMIC = frozenset(
    {
        "base_response_ms",
        "vmfs_users",
        "x366_users",
        "x366_stretch",
        "rdm_users",
        "native_factor",
        "x366_cpu_pct",
        "clovertown_cpu_pct",
        "esx_cpu_factor",
    }
)
_START = {
    "base_response_ms": 50.0,
    "vmfs_users": 6.0,
    "x366_users": 5.0,
    "x366_stretch": 0.5,
    "rdm_users": 5.0,
    "native_factor": 1.0,
    "ram_exponent": 0.0,
    "x366_cpu_pct": 5.0,
    "clovertown_cpu_pct": 5.0,
    "esx_cpu_factor": 2.0,
    "cpu_growth": 0.0,
    "path_cpu_excess": 0.0,
    "path_cpu_fall": 0.0,
}


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Measured points of one quantity as arrays, in the order of the evidence.

    Attributes:
        ids: evidence ids.
        platform, storage, ram_gib, users, value: shape (n,).
        series: number of the configuration that each point belongs to, shape (n,).
        last: whether the point is the last of its series, shape (n,).
    """

    ids: tuple[str, ...]
    platform: IntArray
    storage: IntArray
    ram_gib: FloatArray
    users: FloatArray
    value: FloatArray
    series: IntArray
    last: BoolArray

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def where(self) -> dict[str, Any]:
        """The points as keywords of the functions of `models.evidence.family_a`."""
        return {
            "platform": self.platform,
            "storage": self.storage,
            "ram_gib": self.ram_gib,
            "users": self.users,
        }


def points(rows: Sequence[EvidenceRow], quantity: str) -> Points:
    """The undoubted points of family A for `CPU` or `RESPONSE`.

    A cell that stands in several tables counts once: restatements are not of kind ``measured``.
    """
    found = measured(rows, "A", quantity)
    keys = [_configuration(row) for row in found]
    series = np.array([SERIES.index(key) for key in keys], dtype=np.int64)
    users = np.array([row.users or 0 for row in found], dtype=np.float64)
    last = np.array([u == users[series == s].max() for u, s in zip(users, series, strict=True)])
    return Points(
        tuple(row.id for row in found),
        np.array([key[0] for key in keys], dtype=np.int64),
        np.array([key[1] for key in keys], dtype=np.int64),
        np.array([key[2] for key in keys], dtype=np.float64),
        users,
        np.array([row.value for row in found], dtype=np.float64),
        series,
        last,
    )


SERIES: tuple[tuple[PlatformA, StorageA, float], ...] = (
    (PlatformA.X366, StorageA.PHYSICAL, 6.0),
    (PlatformA.X366, StorageA.RDM, 6.0),
    (PlatformA.X366, StorageA.VMFS, 6.0),
    (PlatformA.CLOVERTOWN, StorageA.PHYSICAL, 7.25),
    (PlatformA.CLOVERTOWN, StorageA.RDM, 7.25),
    (PlatformA.CLOVERTOWN, StorageA.RDM, 14.5),
    (PlatformA.CLOVERTOWN, StorageA.VMFS, 7.25),
    (PlatformA.CLOVERTOWN, StorageA.VMFS, 14.5),
)
"""The eight configurations that were run: platform, storage path, RAM [GiB]."""


def fit_responses(
    response: Points, weights: FloatArray, *, think_time_ms: float, miss_exponent: float
) -> FamilyALaw:
    """Laws whose response half is fitted to weighted points; the CPU half is a start value.

    Args:
        response: points of `RESPONSE`.
        weights: shape (b, n); 0 holds a point out.

    Returns:
        One law with columns of shape (b, 1), which broadcast against points.
    """
    outside = {"think_time_ms": think_time_ms, "miss_exponent": miss_exponent}
    ridge = np.array([RIDGE if name in _CENTRES else 0.0 for name in RESPONSE_PARAMETERS])
    centre = np.array([_CENTRES.get(name, 0.0) for name in RESPONSE_PARAMETERS])
    centre[RESPONSE_PARAMETERS.index("ram_exponent")] = miss_exponent
    problem = Problem(
        predict=lambda theta, _fits: np.log(
            path_response_ms(_law(outside, RESPONSE_PARAMETERS, theta), response)
        ),
        target=np.log(response.value),
        start=_start(RESPONSE_PARAMETERS),
        scale=RESPONSE_LOSS_SCALE,
        ridge=ridge,
        centre=centre,
    )
    return _law(outside, RESPONSE_PARAMETERS, least_squares(problem, weights))


def path_response_ms(law: FamilyALaw, response: Points) -> FloatArray:
    """Response [ms] with the storage path as the busiest resource, as it is at every point.

    `response_at_load` of `base_response_ms` and `stretch_power` at `path_load`; valid where CPU is
    below the path's load, which a test checks for every measured point.
    """
    base = base_response_ms(law, ram_gib=response.ram_gib)
    load = path_load(law, **response.where)
    stretch = stretch_power(law, response.platform, response.storage)
    return response_at_load(base, load, think_time_ms=law.think_time_ms, stretch=stretch)


def fit_cpus(cpu: Points, weights: FloatArray, laws: FamilyALaw) -> FamilyALaw:
    """Laws whose CPU half is fitted to weighted points; the response half stays as in `laws`.

    Args:
        cpu: points of `CPU`.
        weights: shape (b, n); 0 holds a point out.
        laws: columns of shape (b, 1) or (1, 1), as `fit_responses` returns them.
    """
    kept = {name: getattr(laws, name) for name in (*RESPONSE_PARAMETERS, *_OUTSIDE)}
    nothing = np.zeros(len(CPU_PARAMETERS))

    def predict(theta: FloatArray, fits: IntArray) -> FloatArray:
        of_these = {name: each if np.size(each) == 1 else each[fits] for name, each in kept.items()}
        return np.log(cpu_pct(_law(of_these, CPU_PARAMETERS, theta), **cpu.where))

    problem = Problem(
        predict=predict,
        target=np.log(cpu.value),
        start=_start(CPU_PARAMETERS),
        scale=CPU_LOSS_SCALE,
        ridge=nothing,
        centre=nothing,
    )
    return _law(kept, CPU_PARAMETERS, least_squares(problem, weights))


def fit_law(
    rows: Sequence[EvidenceRow], *, think_time_ms: float, miss_exponent: float
) -> FamilyALaw:
    """The law fitted to every undoubted point."""
    response, cpu = points(rows, RESPONSE), points(rows, CPU)
    halves = fit_responses(
        response,
        np.ones((1, len(response))),
        think_time_ms=think_time_ms,
        miss_exponent=miss_exponent,
    )
    whole = fit_cpus(cpu, np.ones((1, len(cpu))), halves)
    names = (*CPU_PARAMETERS, *RESPONSE_PARAMETERS, *_OUTSIDE)
    return FamilyALaw(**{name: np.asarray(getattr(whole, name)).item() for name in names})


_OUTSIDE = ("think_time_ms", "miss_exponent")
_CENTRES = {"native_factor": 0.0, "ram_exponent": 0.0}


def _configuration(row: EvidenceRow) -> tuple[PlatformA, StorageA, float]:
    """Platform, storage path and RAM from the id ``wv21/<platform>/<path>/<RAM>gb/<users>/…``."""
    parts = row.id.split("/")
    try:
        key = PlatformA[parts[1].upper()], StorageA[parts[2].upper()], float(parts[3][:-2])
    except (IndexError, KeyError, ValueError):
        raise ModelError("is not a configuration of family A", field=row.id) from None
    if key not in SERIES or row.users is None:
        raise ModelError("is not a configuration of family A", field=row.id)
    return key


def _start(names: tuple[str, ...]) -> FloatArray:
    return np.array(
        [np.log(_START[name]) if name in _LOGARITHMIC else _START[name] for name in names]
    )


def _law(fixed: dict[str, Any], names: tuple[str, ...], theta: FloatArray) -> FamilyALaw:
    """A law with columns of shape (b, 1): `fixed`, `theta` of shape (b, p), the rest at start."""
    values: dict[str, Any] = {**_START, **fixed}
    for index, name in enumerate(names):
        column = theta[:, index, None]
        values[name] = np.exp(column) if name in _LOGARITHMIC else column
    return FamilyALaw(**values)
