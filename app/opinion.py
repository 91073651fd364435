"""The second opinion as a study of the scenario in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.work import Context
from models.evidence.knowledge import Knowledge
from models.scenario.scenario import Scenario

if TYPE_CHECKING:
    from models.second_opinion.opinion import Opinion


def asked(scenario: Scenario, knowledge: Knowledge, context: Context) -> Opinion:
    """The second opinion, given up between two solutions when nobody waits any more."""

    # Imported when it is first asked for: the solver takes time that no start has.
    from models.second_opinion.opinion import second_opinion

    def tick(share: float) -> None:
        context.check()
        context.report(share)

    return second_opinion(scenario, knowledge, tick)
