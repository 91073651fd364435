"""Naive baselines of family A, fitted to each series alone with one or two parameters.

All take n in thousands of users and values in any unit, and give a value in that unit; a least
squares line needs two points, a straight line through the origin one.

They are what an architect does with a pocket calculator, and what the law has to beat. What they
come to stands in docs/accuracy.md. Source: linear least squares of each, after the change of
variables that makes it straight.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.base.quantities import FloatArray
from models.base.texts import say
from models.fitting.family_a_fit import Points

Curve = Callable[[FloatArray, FloatArray, float], float]
"""Users [thousands] and values of the series, then the users to predict for; gives the value."""

OVERSHOOT = 1e4
"""The most a baseline may say, and what it says past its own pole: 10 s, or 10,000 %."""


def straight_line(n: FloatArray, value: FloatArray, at: float) -> float:
    """Value proportional to users, y = a·n in the unit of `value`, by least squares.

    Valid where a user costs the same however many there are.

    >>> straight_line(np.array([1.0, 2.0]), np.array([10.0, 20.0]), 3.0)
    30.0
    """
    return float(n @ value / (n @ n) * at)


def line_plus_square(n: FloatArray, value: FloatArray, at: float) -> float:
    """y = a·n + b·n² in the unit of `value`, by least squares of the relative error.

    Valid where what a user costs goes in a straight line with their number; values above 0.

    >>> round(line_plus_square(np.array([1.0, 2.0]), np.array([2.0, 6.0]), 3.0), 9)
    12.0
    """
    a, b = _solve(np.stack([n, n * n], axis=1) / value[:, None], np.ones_like(value))
    return a * at + b * at * at


def hyperbola(n: FloatArray, value: FloatArray, at: float) -> float:
    """y = r/(1 − n/N) in the unit of `value`, a straight line through the reciprocals.

    Valid below its pole N, for values above 0: an open queue, of users who don't wait.

    >>> round(hyperbola(np.array([1.0, 2.0]), np.array([1 / 0.8, 1 / 0.6]), 3.0), 9)
    2.5
    """
    a, b = _solve(np.stack([np.ones_like(n), n], axis=1), 1.0 / value)
    return 1.0 / (a + b * at)


def exponential(n: FloatArray, value: FloatArray, at: float) -> float:
    """y = a·e^(b·n) in the unit of `value`, a straight line through the logarithms.

    Valid for values above 0; it knows no saturation.

    >>> round(exponential(np.array([1.0, 2.0]), np.array([2.0, 4.0]), 3.0), 9)
    8.0
    """
    a, b = _solve(np.stack([np.ones_like(n), n], axis=1), np.log(value))
    return float(np.exp(a + b * at))


BASELINES: dict[str, Curve] = {
    say("straight line"): straight_line,
    say("line plus square"): line_plus_square,
    say("hyperbola"): hyperbola,
    say("exponential"): exponential,
}
PERCENTAGE_BASELINES = ("straight line", "line plus square", "hyperbola")
"""The baselines whose best percentage error the law is compared with."""


def held_out_baseline(curve: Curve, points: Points) -> FloatArray:
    """What a baseline predicts for each point from the other points of its series, shape (n,).

    NaN where fewer than two others remain.
    """
    n = points.users / 1000.0
    found = np.full(len(points), np.nan)
    for index in range(len(points)):
        rest = points.series == points.series[index]
        rest[index] = False
        if rest.sum() >= 2:
            value = curve(n[rest], points.value[rest], float(n[index]))
            found[index] = min(value, OVERSHOOT) if value > 0.0 else OVERSHOOT
    return found


def _solve(design: FloatArray, target: FloatArray) -> tuple[float, float]:
    a, b = np.linalg.lstsq(design, target, rcond=None)[0]
    return float(a), float(b)
