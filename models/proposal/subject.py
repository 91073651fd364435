"""What a proposal speaks of: one scenario with all that was computed and looked up for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.catalog import Catalog
from models.evidence.rows import EvidenceRow
from models.prediction import Prediction
from models.proposal.blocks import ResponsePlot
from models.resilience.availability_study import AvailabilityStudy
from models.resilience.designs import DesignRow
from models.resilience.study import FailureStudy
from models.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """A scenario, its prediction, the catalog it names, its response curves, the evidence by id.

    `study`, `availability` and `designs` say what happens when something fails, as far as it was
    studied.
    """

    scenario: Scenario
    prediction: Prediction
    catalog: Catalog
    plots: tuple[ResponsePlot, ...] = ()
    evidence: Mapping[str, EvidenceRow] = field(default_factory=dict)
    study: FailureStudy | None = None
    availability: AvailabilityStudy | None = None
    designs: tuple[DesignRow, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """Names by id, of everything in the scenario."""
        return {item.id: item.name for item in self.scenario.items()}

    def host_name(self, id: str | None) -> str:
        return "not placed" if id is None else self.scenario.host(id).name

    def pool_name(self, id: str | None) -> str:
        return "none" if id is None else self.scenario.pool(id).name

    def name_of(self, id: str) -> str:
        """The name people gave to the item with this id; the id where it is none of theirs."""
        for item in self.scenario.items():
            if item.id == id:
                return item.name
        return id
