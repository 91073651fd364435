"""A calibration to the site as the JSON object that ``calibrate --site --json`` prints."""

from __future__ import annotations

from typing import Any

from db.plain import each_told, told
from models.customer.site import SiteCalibration

FORMAT, VERSION = "headroom-site", 1


def site_to_json(found: SiteCalibration, model_version: str) -> dict[str, Any]:
    """Factors are measured over predicted of one more server, with the ends of 90 % intervals;
    `predicted` of a server is with the calibration, which is as it was measured, `predicted_before`
    without, and `predicted_by_others` by the factor of the site alone, which is what is left as
    `residual_pct`."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": found.scenario.name,
        "model_version": model_version,
        "quantities": [
            {
                "quantity": each.quantity,
                "before": told(each.before, *_FACTOR),
                "after": told(each.after, *_FACTOR),
                **told(each, "weight_pct", "servers"),
            }
            for each in found.quantities
        ],
        "servers": each_told(
            found.servers,
            *("id", "quantity", "measured", "predicted", "predicted_before=before"),
            *("predicted_by_others=shifted", "residual_pct"),
        ),
        **told(found, "coverage_pct", "unknown", "without_users=others"),
        "matched": each_told(found.ties, "name", "is=to", "how"),
    }


_FACTOR = ("value", "low", "high")
