"""A calibration to the site as the JSON object that ``calibrate --site --json`` prints."""

from __future__ import annotations

from typing import Any

from db.prediction import rounded
from models.site import Factor, SiteCalibration

FORMAT, VERSION = "headroom-site", 1


def site_to_json(found: SiteCalibration, model_version: str) -> dict[str, Any]:
    """Factors are measured over predicted of one more server, with the ends of 90 % intervals;
    `predicted` of a server is with the calibration, `predicted_before` without."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": found.scenario.name,
        "model_version": model_version,
        "quantities": [
            {
                "quantity": each.quantity,
                "before": _factor(each.before),
                "after": _factor(each.after),
                "weight_pct": rounded(each.weight_pct),
                "servers": each.servers,
            }
            for each in found.quantities
        ],
        "servers": [
            {
                "id": each.id,
                "quantity": each.quantity,
                "measured": rounded(each.measured),
                "predicted": rounded(each.predicted),
                "predicted_before": rounded(each.before),
                "residual_pct": rounded(each.residual_pct),
            }
            for each in found.servers
        ],
        "coverage_pct": rounded(found.coverage_pct),
        "unknown": list(found.unknown),
        "without_users": list(found.others),
    }


def _factor(factor: Factor) -> dict[str, float | None]:
    return {
        "value": rounded(factor.value),
        "low": rounded(factor.low),
        "high": rounded(factor.high),
    }
