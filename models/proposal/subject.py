"""What a proposal speaks of: one scenario with all that was computed and looked up for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.catalog import Catalog
from models.evidence import EvidenceRow
from models.prediction import Prediction
from models.proposal.blocks import ResponsePlot
from models.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """A scenario, its prediction, the catalog it names, its response curves, the evidence by id."""

    scenario: Scenario
    prediction: Prediction
    catalog: Catalog
    plots: tuple[ResponsePlot, ...] = ()
    evidence: Mapping[str, EvidenceRow] = field(default_factory=dict)

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
