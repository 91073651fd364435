"""Where Fault Tolerance secondaries run, worked out once for each stored scenario."""

from __future__ import annotations

from app.session import Session
from models.catalog import Catalog
from models.host_loss import secondaries
from models.scenario import Scenario


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
            given = (scenario, catalog, session.calibration)
            self._found = secondaries(*given) if protected else {}
        return self._found
