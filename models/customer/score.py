"""Predicted against measured, after going live."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from models.base.errors import ModelError
from models.base.quantities import Quantity
from models.base.texts import say
from models.customer.measured import QUANTITIES, Matched, MeasuredServer, matched
from models.predict.prediction import Prediction
from models.scenario.names import Tie
from models.scenario.scenario import Observed, Scenario, Vm


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredFigure:
    """One figure of one VM: `predicted` as evaluate has it, None in it where it has no data."""

    id: str
    quantity: str
    measured: float
    predicted: Quantity

    @property
    def error_pct(self) -> float | None:
        """Predicted over measured, less one [%]; None where either is nothing."""
        value = self.predicted.value
        return None if value is None or not self.measured else 100 * (value / self.measured - 1)

    @property
    def is_inside(self) -> bool | None:
        """Whether the measured figure lies in the 90 % interval; None without one, as of RAM,
        which is what a VM claims."""
        low, high = self.predicted.low, self.predicted.high
        if low is None or high is None or low == high:
            return None
        return low <= self.measured <= high


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantityScore:
    """All figures of one quantity that have a prediction.

    Attributes:
        bias_pct: geometric mean of predicted over measured, less one [%].
        mape_pct: mean of the errors without their signs [%].
        inside_pct: figures inside their intervals [%]: 90 where intervals are what they say; None
            without any.
    """

    quantity: str
    n: int
    bias_pct: float
    mape_pct: float
    inside_pct: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Predicted against measured.

    Attributes:
        scenario: with what was measured kept in its VMs.
        unknown: names of what was measured that no VM is; `ties`: those that mean a VM of another.
    """

    scenario: Scenario
    figures: tuple[ScoredFigure, ...]
    quantities: tuple[QuantityScore, ...]
    unknown: tuple[str, ...]
    ties: tuple[Tie, ...] = ()


def with_observed(
    scenario: Scenario,
    measured: Sequence[MeasuredServer],
    same: Mapping[str, str] | None = None,
) -> tuple[Scenario, Matched]:
    """The scenario that keeps what was measured of its VMs, and which VM each server is.

    Args:
        same: as `matched` has it.
    """
    found = matched(measured, scenario, same)
    vms = tuple(
        replace(vm, observed=_observed(vm, found.by_vm[vm.id])) if vm.id in found.by_vm else vm
        for vm in scenario.vms
    )
    return replace(scenario, vms=vms), found


def _observed(vm: Vm, measured: MeasuredServer) -> Observed | None:
    """What is measured now, and what was before of what isn't."""
    figures = {name: measured.value(name, vm) for name in QUANTITIES}
    if figures["cpu_pct"] is not None:
        figures["cpu_pct"] = min(figures["cpu_pct"], 100.0)
    there = {name: value for name, value in figures.items() if value is not None}
    found = replace(vm.observed or Observed(), **there)
    return None if found == Observed() else found


def score_of(scenario: Scenario, prediction: Prediction, servers: Matched | None = None) -> Score:
    """What was measured of the VMs of a scenario beside what is predicted of them.

    Raises:
        ModelError: nothing was measured.
    """
    figures = tuple(
        ScoredFigure(
            id=vm.id, quantity=name, measured=value, predicted=_predicted(prediction, vm, name)
        )
        for vm in scenario.vms
        if vm.observed is not None
        for name in QUANTITIES
        if (value := getattr(vm.observed, name)) is not None
    )
    if not figures:
        raise ModelError(say("nothing measured after going live is kept in it"))
    return Score(
        scenario=scenario,
        figures=figures,
        quantities=tuple(
            found for name in QUANTITIES if (found := _quantity(name, figures)) is not None
        ),
        unknown=() if servers is None else servers.unknown,
        ties=() if servers is None else servers.ties,
    )


def _predicted(prediction: Prediction, vm: Vm, name: str) -> Quantity:
    row = prediction.vms.index(vm.id)
    found: Quantity = getattr(prediction.vms, name)[row]
    return found


def _quantity(name: str, figures: Sequence[ScoredFigure]) -> QuantityScore | None:
    of_it = [each for each in figures if each.quantity == name]
    errors = [each.error_pct for each in of_it if each.error_pct is not None]
    if not errors:
        return None
    logs = [math.log(1 + each / 100) for each in errors if each > -100]
    inside = [each.is_inside for each in of_it if each.is_inside is not None]
    return QuantityScore(
        quantity=name,
        n=len(errors),
        bias_pct=100 * (math.exp(sum(logs) / len(logs)) - 1) if logs else -100.0,
        mape_pct=sum(map(abs, errors)) / len(errors),
        inside_pct=100 * sum(inside) / len(inside) if inside else None,
    )
