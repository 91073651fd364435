"""The years ahead as the JSON object that ``grow --json`` prints."""

from __future__ import annotations

from typing import Any

from db.prediction import rounded
from models.runway import Runway


def runway_to_json(found: Runway) -> dict[str, Any]:
    """Steps and what runs out, as plain dictionaries, lists, texts and finite numbers."""
    return {
        "format": "headroom-growth",
        "version": 1,
        "steps": [
            {
                "month": step.month,
                "users": rounded(step.users),
                "verdict": step.verdict.label,
                "normal": {name: _number(value) for name, value in step.normal.items()},
                "failure": {name: _number(value) for name, value in step.failure.items()},
            }
            for step in found.steps
        ],
        "runs_out": [
            {
                "resource": each.resource,
                "subject": each.subject,
                "mode": each.mode,
                "month": _number(each.month),
                "low": _number(each.low),
                "high": _number(each.high),
                "limit": rounded(each.limit),
                "now": _number(each.now),
                "end": _number(each.end),
            }
            for each in found.crossings
        ],
    }


def _number(value: float | None) -> float | None:
    return None if value is None else rounded(value)
