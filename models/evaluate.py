"""`evaluate`: from a scenario to its prediction, what is lost and is to be survived included."""

from __future__ import annotations

from models.evidence.knowledge import Knowledge
from models.judgement.summary import summarise
from models.outages import Losses
from models.predict.demands import demands_of
from models.predict.prediction import Prediction
from models.scenario.maintenance import Window
from models.scenario.scenario import Scenario
from models.stages import undisturbed, with_failures
from models.version import MODEL_VERSION


def evaluate(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    window: Window | None = None,
) -> Prediction:
    """What the scenario's VMs, hosts and pools will carry, and whether that is within the policy.

    Pure and deterministic: the same values give the same prediction, and the order of VMs in the
    scenario changes nothing but the order of rows.

    Args:
        window: what runs in the maintenance window, for the numbers there; None: those by day.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    normal = undisturbed(demands_of(scenario, knowledge, window=window), scenario.policy)
    numbers = with_failures(normal)
    losses = Losses(scenario, normal, numbers)
    return summarise(
        scenario, numbers, losses.before, MODEL_VERSION, losses.outages(), losses.nearest
    )
