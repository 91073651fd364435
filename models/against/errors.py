"""Servers of somebody's own against what the model says of them: the accuracy table, run again.

Each server is predicted from what a table says of its users and its machine, never from what was
measured of it; the errors are those of `validate` (`models.fitting.validation`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.against.build import Built
from models.against.table import OwnServer
from models.base.errors import ModelError
from models.base.texts import Text, say
from models.catalog.catalog import Catalog, Processor
from models.check import check_scenario
from models.customer.score import Score, score_of
from models.evaluate import evaluate
from models.evidence.calibration import Calibration
from models.evidence.knowledge import Knowledge
from models.explain import derivation
from models.fitting.validation import OWN, Accuracy, HeldOutPoint, errors_of_points
from models.predict.predicted import NumberRef
from models.predict.prediction import Prediction
from models.scenario.scenario import LoadBasis, Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class NotPredicted:
    """A measured figure of a server that the model says nothing of, and why."""

    server: str
    quantity: str
    measured: float
    why: Text | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Own servers against the model.

    Attributes:
        accuracy: a row for each quantity; `points`: the figures that it is made of.
        score: the same figures by server.
    """

    basis: LoadBasis
    accuracy: tuple[Accuracy, ...]
    points: tuple[HeldOutPoint, ...]
    score: Score | None
    not_predicted: tuple[NotPredicted, ...]


def against(
    servers: Sequence[OwnServer],
    basis: LoadBasis,
    catalog: Catalog,
    processors: Mapping[str, Processor],
    calibration: Calibration,
) -> Against:
    """What the model says of servers, beside what was measured of them.

    Args:
        basis: production, or benchmark, whose users count as they are.

    Raises:
        ModelError: a row says what can't be, with its place and column as `field`; or nothing in
            any was measured.
    """
    built = Built(catalog, processors)
    for each in servers:
        built.add(each)
    if not any(each.measured for each in servers):
        raise ModelError(say("holds no measured CPU, I/O, RAM, response or transactions"))
    left = [
        NotPredicted(server=each.name, quantity=name, measured=value, why=why)
        for each, why in built.left
        for name, value in each.measured.items()
    ]
    scenario, known = built.scenario(basis), built.catalog
    if not any(vm.observed for vm in scenario.vms):
        return Against(basis=basis, accuracy=(), points=(), score=None, not_predicted=tuple(left))
    check_scenario(scenario, known)
    prediction = evaluate(scenario, Knowledge(known, calibration))
    score = score_of(scenario, prediction)
    names = {vm.id: vm.name for vm in scenario.vms}
    points, silent = _points(score, names), _silent(score, names, scenario, prediction)
    return Against(
        basis=basis,
        accuracy=tuple(errors_of_points(points)),
        points=points,
        score=score,
        not_predicted=(*left, *silent),
    )


def _points(score: Score, names: Mapping[str, str]) -> tuple[HeldOutPoint, ...]:
    """The figures with a prediction and its interval, neither of them nothing."""
    found = []
    for each in score.figures:
        value, low, high = each.predicted.value, each.predicted.low, each.predicted.high
        if value and low is not None and high is not None and each.measured > 0:
            found.append(
                HeldOutPoint(
                    family=OWN,
                    quantity=each.quantity,
                    split=OWN,
                    evidence=f"{names[each.id]}/{each.quantity}",
                    measured=each.measured,
                    predicted=value,
                    low=low,
                    high=high,
                )
            )
    return tuple(found)


def _silent(
    score: Score, names: Mapping[str, str], scenario: Scenario, prediction: Prediction
) -> list[NotPredicted]:
    return [
        NotPredicted(
            server=names[each.id],
            quantity=each.quantity,
            measured=each.measured,
            why=_why(each.id, each.quantity, each.measured, scenario, prediction),
        )
        for each in score.figures
        if not each.predicted.value or each.measured <= 0
    ]


def _why(
    id: str, quantity: str, measured: float, scenario: Scenario, prediction: Prediction
) -> Text | str:
    if measured <= 0:
        return say("Nothing was measured: an error against 0 has no size.")
    return derivation.reason(NumberRef("vms", id, quantity), scenario, prediction)
