"""What a proposal speaks of: one scenario with all that was computed and looked up for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.base.texts import opening, say
from models.catalog.catalog import Catalog
from models.evidence.rows import EvidenceRow
from models.failure.fault_tolerance import Protection
from models.failure.reservations import AdmissionCheck
from models.failure.restart_time import RestartTime
from models.fitting.validation import Accuracy, Unchecked
from models.predict.prediction import Prediction
from models.prices.cost import Cost
from models.resilience.availability_study import AvailabilityStudy
from models.resilience.designs import DesignRow
from models.resilience.study import FailureStudy
from models.scenario.scenario import Scenario
from models.signing.since import SinceProposal
from models.studies.runway import Runway
from models.tell.blocks import ResponsePlot
from models.tell.meeting import Meeting
from models.tell.storms import Storm


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """A scenario, its prediction, the catalog it names, its response curves, the evidence by id.

    `study`, `availability` and `designs` say what happens when something fails, as far as it was
    studied; `storms` are those that somebody asked for; `accuracy` and
    `unchecked` say how wrong the model is, and of which evidence that isn’t known; `runway` is
    what the planned growth does; `meetings` what was changed before the customer; `since` what was
    changed after an earlier proposal; `cost` what it costs by a price book; `fingerprint` the
    SHA-256 of the inputs; `is_option`: others stand beside it; `file`: name of the project file.
    """

    scenario: Scenario
    prediction: Prediction
    catalog: Catalog
    plots: tuple[ResponsePlot, ...] = ()
    evidence: Mapping[str, EvidenceRow] = field(default_factory=dict)
    study: FailureStudy | None = None
    availability: AvailabilityStudy | None = None
    designs: tuple[DesignRow, ...] = ()
    storms: tuple[Storm, ...] = ()
    accuracy: tuple[Accuracy, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    runway: Runway | None = None
    meetings: tuple[Meeting, ...] = ()
    since: SinceProposal | None = None
    cost: Cost | None = None
    fingerprint: str = ""
    is_option: bool = False
    file: str = ""

    @property
    def restart_times(self) -> tuple[RestartTime, ...]:
        """How long restarts by HA take, as far as they were studied."""
        return () if self.availability is None else self.availability.restart_times

    @property
    def admission(self) -> tuple[AdmissionCheck, ...]:
        """The checks of admission control, as far as they were studied."""
        return () if self.availability is None else self.availability.admission

    @property
    def protections(self) -> tuple[Protection, ...]:
        """VMs with Fault Tolerance, as far as they were studied."""
        return () if self.availability is None else self.availability.protections

    @property
    def names(self) -> dict[str, str]:
        """Names by id, of everything in the scenario."""
        return {item.id: item.name for item in self.scenario.items()}

    @property
    def sentence(self) -> str:
        """Why the verdict is as it is, as a sentence; a name that it begins with keeps its case."""
        return opening(self.prediction.reason, self.names.values())

    def host_name(self, id: str | None) -> str:
        return say("not placed") if id is None else self.scenario.host(id).name

    def pool_name(self, id: str | None) -> str:
        return say("none") if id is None else self.scenario.pool(id).name

    def name_of(self, id: str) -> str:
        """The name people gave to the item with this id; the id where it is none of theirs."""
        for item in self.scenario.items():
            if item.id == id:
                return item.name
        return id
