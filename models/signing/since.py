"""A scenario beside the last proposal about it: what was changed since it was given away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.base.dates import day_text, moment
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.comparison.compare import Comparison, Side, compare
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario
from models.signing.stated import Difference, Stated, differences

THEN, NOW = "then", "now"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SinceProposal:
    """What was changed of a scenario since a proposal.

    Attributes:
        stated: what the proposal stated of it.
        comparison: the scenario as it was beside the one now, both predicted by this model.
        catalog: of both.
        otherwise: what this model says of the scenario as it was, other than was stated.
        reads_as_then: this program finds the inputs that the state is of, by their hash.
    """

    stated: Stated
    comparison: Comparison
    catalog: Catalog
    otherwise: Sequence[Difference]
    reads_as_then: bool

    @property
    def is_changed(self) -> bool:
        """An input, or a number that is said."""
        found = self.comparison
        return bool(found.inputs or found.outcomes or self.otherwise)


def since_proposal(
    stated: Stated,
    then: tuple[Scenario, Prediction],
    now: tuple[Scenario, Prediction],
    catalog: Catalog,
    *,
    reads_as_then: bool,
) -> SinceProposal:
    """The scenario then and now, side by side under these names."""
    day = day_text(moment(stated.at))
    sides = (
        _side(THEN, say("Proposal of {day}", day=day), *then),
        _side(NOW, say("Now"), *now),
    )
    return SinceProposal(
        stated=stated,
        comparison=compare(sides),
        catalog=catalog,
        otherwise=tuple(differences(stated, then[1])),
        reads_as_then=reads_as_then,
    )


def _side(id: str, name: str, scenario: Scenario, prediction: Prediction) -> Side:
    return Side(id, replace(scenario, name=name), prediction)
