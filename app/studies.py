"""What stands behind tabs: studies of a scenario as sections, for threads of the pool."""

from __future__ import annotations

from app.work import Context
from models.calibration import Calibration
from models.catalog import Catalog
from models.resilience.designs import MOST_HOSTS, compare_designs
from models.scenario import Scenario
from models.tell.blocks import Paragraph, Section
from models.tell.designs import design_sections
from models.texts import say

TOO_MANY = say("Compared up to {most_hosts} hosts.", most_hosts=MOST_HOSTS)


def designs_told(
    scenario: Scenario, catalog: Catalog, calibration: Calibration, context: Context
) -> tuple[Section, ...]:
    """HA alone, a Domino cluster, or both, of a scenario that isn't too large for that."""
    if len(scenario.hosts) > MOST_HOSTS:
        return (Section("", (Paragraph(TOO_MANY),)),)
    rows = compare_designs(scenario, catalog, calibration, check=context.check)
    return design_sections(rows, scenario)
