"""The fitter finds known parameters, ignores what is held out, and is not thrown by one point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.fitting.family_a_fit import Problem, least_squares

X = np.linspace(0.0, 3.0, 25)
TRUE = np.array([0.7, -0.4])


def curve(theta: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(theta[:, :1] + theta[:, 1:] * X))


EXACT = Problem(
    predict=lambda theta, _fits: curve(theta),
    target=curve(TRUE[None, :])[0],
    start=np.zeros(2),
    scale=0.1,
    ridge=np.zeros(2),
    centre=np.zeros(2),
)


def test_it_finds_the_parameters_of_exact_data_from_any_start() -> None:
    for start in ([0.0, 0.0], [2.0, 1.0], [-2.0, -1.0]):
        found = least_squares(replace(EXACT, start=np.array(start)), np.ones((1, len(X))))
        assert found[0] == pytest.approx(TRUE, abs=1e-9)


def test_a_point_of_weight_nought_has_no_say() -> None:
    target = EXACT.target.copy()
    target[7] = 1e3
    weights = np.ones((2, len(X)))
    weights[1, 7] = 0.0
    found = least_squares(replace(EXACT, target=target), weights)
    assert found[1] == pytest.approx(TRUE, abs=1e-9)
    assert found[0] != pytest.approx(TRUE, abs=1e-3)


def test_one_wild_point_moves_a_robust_fit_little() -> None:
    target = EXACT.target.copy()
    target[7] += 100.0
    weights = np.ones((1, len(X)))
    robust = least_squares(replace(EXACT, target=target), weights)
    plain = least_squares(replace(EXACT, target=target, scale=1e6), weights)
    assert np.abs(robust[0] - TRUE).max() < 0.1
    assert np.abs(plain[0] - TRUE).max() > 1.0


def test_a_ridge_decides_what_the_points_leave_open() -> None:
    ridge, centre = np.array([0.0, 1e-6]), np.array([0.0, 0.25])
    alone = np.zeros((1, len(X)))
    alone[0, 0] = 1.0  # at x = 0 only the first parameter matters
    found = least_squares(replace(EXACT, ridge=ridge, centre=centre), alone)
    assert found[0] == pytest.approx([0.7, 0.25], abs=1e-6)


def test_fits_side_by_side_are_the_fits_alone() -> None:
    rng = np.random.default_rng(3)
    problem = replace(EXACT, target=EXACT.target + rng.normal(0.0, 0.1, len(X)))
    weights = 1.0 - np.eye(len(X))[:6]
    together = least_squares(problem, weights)
    alone = [least_squares(problem, row[None, :])[0] for row in weights]
    assert together == pytest.approx(np.array(alone), abs=1e-8)


def test_a_fit_that_is_found_is_not_asked_again() -> None:
    """The fit from the solution has nothing to do; the other one goes on without it."""
    asked: list[list[int]] = []

    def predict(theta: np.ndarray, fits: np.ndarray) -> np.ndarray:
        asked.append(fits.tolist())
        return curve(theta)

    weights = np.ones((2, len(X)))
    weights[0] = 0.0  # nothing to fit
    found = least_squares(replace(EXACT, predict=predict), weights)
    assert found[0].tolist() == [0.0, 0.0]
    assert found[1] == pytest.approx(TRUE, abs=1e-9)
    assert (asked[0], asked[-1]) == ([0, 1], [1])


def test_what_the_points_leave_open_stays_at_the_start() -> None:
    """Only the product of two factors is measured, with scatter: their ratio is the start's, and
    not what the last digits of the sums make of it."""

    def factors(theta: np.ndarray) -> np.ndarray:
        return curve(np.stack([theta[:, 0] + theta[:, 1], theta[:, 2]], axis=1))

    scatter = np.random.default_rng(1).normal(0.0, 0.2, len(X))
    problem = replace(
        EXACT,
        predict=lambda theta, _fits: factors(theta),
        target=EXACT.target + scatter,
        start=np.array([0.5, -0.5, 0.0]),
        ridge=np.zeros(3),
        centre=np.zeros(3),
    )
    plain = least_squares(replace(EXACT, target=problem.target), np.ones((1, len(X))))
    found = least_squares(problem, np.ones((1, len(X))))
    assert found[0, 0] + found[0, 1] == pytest.approx(plain[0, 0], abs=1e-8)
    assert found[0, 0] - found[0, 1] == pytest.approx(1.0, abs=1e-8)
