"""Findings: rules that a scenario trips, each one function, registered by `@rule`.

A rule looks at a `Findings` and yields `Finding`s: one plain sentence, what to do about it, and
the source. `docs/decisions/0003-evaluate.md` says how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from models.loads import Inputs
from models.pools import PoolStage
from models.prediction import (
    FailureMode,
    Finding,
    HostPrediction,
    PoolPrediction,
    Severity,
    VmPrediction,
)
from models.quantities import IntArray
from models.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Findings:
    """What rules look at: the scenario, its arrays, and every number."""

    scenario: Scenario
    inputs: Inputs
    vms: VmPrediction
    hosts: HostPrediction
    pools: PoolPrediction
    pool_stage: PoolStage
    modes: tuple[FailureMode, ...]
    secondary: IntArray


Rule = Callable[[Findings], Iterator[Finding]]
RULES: dict[str, Rule] = {}
_ORDER = {severity: order for order, severity in enumerate(Severity)}


def rule(id: str) -> Callable[[Rule], Rule]:
    """Register a rule under its id."""

    def register(function: Rule) -> Rule:
        RULES[id] = function
        return function

    return register


def findings(context: Findings) -> tuple[Finding, ...]:
    """All findings, errors first, then by rule and subject."""
    found = [finding for check in RULES.values() for finding in check(context)]
    found.sort(key=lambda f: (_ORDER[f.severity], f.rule, f.subject))
    return tuple(found)
