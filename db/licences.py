"""Licences and ends of support of a design as JSON."""

from __future__ import annotations

from typing import Any

from models.catalog.catalog import Catalog
from models.prices.licences import licence_counts, saving, support_ends
from models.scenario.scenario import Scenario


def licences_to_json(scenario: Scenario, catalog: Catalog) -> dict[str, Any]:
    """`licences` by the makers' rules, counted without and with the least of an order, null where
    that isn't known; `support`: last days, and whether they are within the planned years."""
    counts = licence_counts(scenario, catalog)
    saved = saving(counts)
    return {
        "licences": [
            {
                "metric": each.metric.value,
                "what": str(each.what),
                "hypervisor": each.id or None,
                "count": each.count,
                "minimum_order": each.least or None,
                "ordered": each.ordered,
                "cores": each.physical or None,
                "saved_by_a_core_less": each.saved,
                "note": str(each.note),
                "source": each.source,
            }
            for each in counts
        ],
        "licences_saving": None if saved is None else str(saved),
        "support": [
            {
                "part": str(each.part),
                "what": str(each.what),
                "ends": None if each.last is None else each.last.isoformat(),
                "within_plan": each.in_plan,
            }
            for each in support_ends(scenario, catalog)
        ],
    }
