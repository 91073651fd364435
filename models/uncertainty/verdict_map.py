"""A map of two inputs: the verdict at every pair of their values, and where it turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.base.errors import ModelError, no_such
from models.base.texts import say
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Binding, Prediction, Verdict
from models.scenario.scenario import Policy, Scenario
from models.uncertainty.sensitivity import Swing, number, swings

STEPS, FEWER_STEPS = 13, 7
"""Values of each input, and of a large scenario: odd, so that today's is the one in the middle of a
factor's axis."""

REACH = 2.0
"""A factor goes from half of today's to twice that: far enough to see where the verdict turns."""

FACTORS = ("active_users", "work", "mail_file_mb")
DEFAULT = ("active_users", "mail_file_mb")


@dataclass(frozen=True, slots=True)
class Axis:
    """An input with the values that it takes, rising; a factor's are like steps apart."""

    swing: Swing
    values: tuple[float, ...]

    @property
    def key(self) -> str:
        return key_of(self.swing)

    def place_of(self, value: float) -> float:
        """Where a value lies among the values: 0 at the first of them, 1 at the second, …"""
        scale = np.log if self.swing.input in FACTORS else np.asarray
        return float(np.interp(scale(value), scale(self.values), range(len(self.values))))


@dataclass(frozen=True, slots=True)
class Spot:
    """One pair of values. `load`: the number nearest to its limit, in per cent of it, None without
    data; `binding`: what is nearest to its limit."""

    verdict: Verdict
    load: float | None
    binding: Binding | None


@dataclass(frozen=True, slots=True)
class VerdictMap:
    """The spots, a row for each value of `y`, in it one for each of `x`; `here`: as it stands."""

    x: Axis
    y: Axis
    spots: tuple[tuple[Spot, ...], ...]
    here: Spot


def key_of(swing: Swing) -> str:
    """What an input is called by: ``active_users``, ``read_share:p1``."""
    return f"{swing.input}:{swing.subject}" if swing.subject else swing.input


def map_inputs(scenario: Scenario) -> dict[str, Swing]:
    """The inputs that change anything of a scenario, by their keys."""
    return {
        key_of(each): each
        for each in swings(scenario)
        if each.low < each.high and each.change(scenario, each.high * 0.99) != scenario
    }


def default_pair(scenario: Scenario) -> tuple[str, str] | None:
    """Users and the size of mail files, or what comes next; None with less than two inputs."""
    keys = list(map_inputs(scenario))
    keys.sort(key=lambda key: DEFAULT.index(key) if key in DEFAULT else len(DEFAULT))
    return (keys[0], keys[1]) if len(keys) > 1 else None


def verdict_map(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    x: str,
    y: str,
    steps: int = STEPS,
    check: Callable[[], None] = lambda: None,
    progress: Callable[[float], None] = lambda share: None,
) -> VerdictMap:
    """Every pair of values as a prediction of its own, all other inputs as they are.

    Args:
        x, y: keys of two inputs; steps: values of each.

    Raises:
        ModelError: there is no such input, or it is one and the same.
    """
    inputs = map_inputs(scenario)
    for key in (x, y):
        if key not in inputs:
            raise no_such(say("input"), key, inputs, field=key)
    if x == y:
        raise ModelError(say("a map needs two inputs"), field=y)
    across, up = (_axis(inputs[key], steps) for key in (x, y))

    def spot(there: Scenario) -> Spot:
        check()
        return _spot(evaluate(there, knowledge), there.policy)

    rows = []
    for place, of_y in enumerate(up.values, start=1):
        moved = up.swing.change(scenario, of_y)
        rows.append(tuple(spot(across.swing.change(moved, of_x)) for of_x in across.values))
        progress(place / steps)
    return VerdictMap(across, up, tuple(rows), spot(scenario))


def _axis(swing: Swing, steps: int) -> Axis:
    """A factor about today's in like steps; others from end to end of their range."""
    if swing.input in FACTORS:
        return Axis(swing, tuple(map(float, np.geomspace(1.0 / REACH, REACH, steps))))
    return Axis(swing, tuple(map(float, np.linspace(swing.low, swing.high, steps))))


def _spot(prediction: Prediction, policy: Policy) -> Spot:
    return Spot(prediction.verdict, number(prediction, policy, "load_pct"), prediction.binding)
