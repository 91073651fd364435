"""Who belongs together: Domino clusters, and Fault Tolerance secondaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.selection import Selection
from app.session import Session
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.host_loss import secondaries
from models.scenario.scenario import Scenario


class Ties:
    """The ties of the current VM, worked out when they are first asked for."""

    def __init__(
        self,
        session: Session,
        selection: Selection,
        secondaries: Callable[[], Mapping[str, str]],
    ) -> None:
        self._session = session
        self._selection = selection
        self._of: tuple[str | None, Scenario] | None = None
        self._partners: tuple[str, ...] = ()
        self._secondary: str | None = None
        self._secondaries = secondaries

    @property
    def partners(self) -> tuple[str, ...]:
        """Ids of the other members of its Domino cluster."""
        self._look()
        return self._partners

    @property
    def secondary(self) -> str | None:
        """Id of the host of its Fault Tolerance secondary."""
        self._look()
        return self._secondary

    def forget(self) -> None:
        """The numbers are others, and with them where secondaries find room."""
        self._of = None

    def _look(self) -> None:
        scenario, current = self._session.scenario, self._selection.current
        if self._of is not None and self._of[0] == current and self._of[1] is scenario:
            return
        self._of = (current, scenario)
        vm = next((vm for vm in scenario.vms if vm.id == current), None)
        self._partners, self._secondary = (), None
        if vm is None:
            return
        mutual = (other.id for other in scenario.vms if vm.id in other.cluster_partners)
        self._partners = tuple(dict.fromkeys((*vm.cluster_partners, *mutual)))
        if vm.fault_tolerance and vm.powered_on:
            self._secondary = self._secondaries().get(vm.id)


class Mirrors:
    """The secondaries of the session's stored scenario."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._of: tuple[Scenario, Catalog] | None = None
        self._found: dict[str, str] = {}

    def of_now(self) -> dict[str, str]:
        """Host of the secondary of each VM that has one, by id."""
        session = self._session
        scenario, catalog = session.scenario, session.catalog
        if self._of is None or self._of[0] is not scenario or self._of[1] is not catalog:
            self._of = (scenario, catalog)
            protected = any(vm.fault_tolerance and vm.powered_on for vm in scenario.vms)
            given = (scenario, Knowledge(catalog, session.calibration))
            self._found = secondaries(*given) if protected else {}
        return self._found
