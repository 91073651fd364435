"""Inputs that no document gives, with the word for where each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.failure.restart_time import ASSUMED
from models.inputs import origin_of
from models.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumedInput:
    """An input of `Scenario.assumptions` as it stands; `origin`: *assumed*, or who gave it."""

    field: str
    value: float
    origin: str


def origin_word(scenario: Scenario, field: str) -> str:
    """*assumed* where nobody gave the value of this field of the assumptions, else who did."""
    origin = origin_of(scenario, f"assumptions.{field}")
    return ASSUMED if origin.is_assumed else origin.label


def assumed_inputs(scenario: Scenario, names: Sequence[str]) -> tuple[AssumedInput, ...]:
    """These fields of the assumptions."""
    return tuple(
        AssumedInput(
            field=name,
            value=float(getattr(scenario.assumptions, name)),
            origin=origin_word(scenario, name),
        )
        for name in names
    )
