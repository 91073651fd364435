"""Predicted against measured as the JSON object that ``score --json`` prints."""

from __future__ import annotations

from typing import Any

from db.plain import each_told
from models.customer.score import Score

FORMAT, VERSION = "headroom-score", 1


def score_to_json(score: Score, model_version: str) -> dict[str, Any]:
    """Errors are predicted over measured, less one. ``kind`` is of the server's workload;
    ``is_shifted``: predictions were shifted to the site, so that they aren't the model's own."""
    kinds = {vm.id: vm.workload.kind.value for vm in score.scenario.vms}
    policy = score.scenario.policy
    figures = each_told(
        score.figures,
        *("id", "quantity", "measured", "predicted", "error_pct", "inside=is_inside"),
    )
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": score.scenario.name,
        "model_version": model_version,
        "load_basis": policy.load_basis.value,
        "benchmark_derating": policy.benchmark_derating,
        "is_shifted": policy.uses_site,
        "quantities": each_told(
            score.quantities, "quantity", "n", "bias_pct", "mape_pct", "inside_pct"
        ),
        "servers": [each | {"kind": kinds[each["id"]]} for each in figures],
        "unknown": list(score.unknown),
        "matched": each_told(score.ties, "name", "is=to", "how"),
    }
