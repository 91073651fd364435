"""Predicted against measured as the JSON object that ``score --json`` prints."""

from __future__ import annotations

from typing import Any

from db.prediction import quantity_to_json, rounded
from models.score import Score

FORMAT, VERSION = "headroom-score", 1


def score_to_json(score: Score, model_version: str) -> dict[str, Any]:
    """Errors are predicted over measured, less one."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": score.scenario.name,
        "model_version": model_version,
        "quantities": [
            {
                "quantity": each.quantity,
                "n": each.n,
                "bias_pct": rounded(each.bias_pct),
                "mape_pct": rounded(each.mape_pct),
                "inside_pct": None if each.inside_pct is None else rounded(each.inside_pct),
            }
            for each in score.quantities
        ],
        "servers": [
            {
                "id": each.id,
                "quantity": each.quantity,
                "measured": rounded(each.measured),
                "predicted": quantity_to_json(each.predicted),
                "error_pct": None if each.error_pct is None else rounded(each.error_pct),
                "inside": each.is_inside,
            }
            for each in score.figures
        ],
        "unknown": list(score.unknown),
    }
