"""Predicted against measured as the JSON object that ``score --json`` prints."""

from __future__ import annotations

from typing import Any

from db.plain import each_told
from models.customer.score import Score

FORMAT, VERSION = "headroom-score", 1


def score_to_json(score: Score, model_version: str) -> dict[str, Any]:
    """Errors are predicted over measured, less one."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": score.scenario.name,
        "model_version": model_version,
        "quantities": each_told(
            score.quantities, "quantity", "n", "bias_pct", "mape_pct", "inside_pct"
        ),
        "servers": each_told(
            score.figures,
            *("id", "quantity", "measured", "predicted", "error_pct", "inside=is_inside"),
        ),
        "unknown": list(score.unknown),
        "matched": each_told(score.ties, "name", "is=to", "how"),
    }
