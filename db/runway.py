"""The years ahead as the JSON object that ``grow --json`` prints."""

from __future__ import annotations

import math
from typing import Any

from db.prediction import rounded
from models.runway import SEASON, WINDOW, Runway


def runway_to_json(found: Runway) -> dict[str, Any]:
    """Steps and what runs out, as plain dictionaries, lists, texts and finite numbers."""
    return {
        "format": "headroom-growth",
        "version": 1,
        "profiles": _profiles(found),
        "steps": [
            {
                "month": step.month,
                "users": rounded(step.users),
                "verdict": step.verdict.label,
                "profile": step.profile,
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
                "profile": each.profile,
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


def _profiles(found: Runway) -> dict[str, Any]:
    """What each profile but the usual one rests on; null: it isn't known."""
    window = found.window
    return {
        SEASON: None if found.season_pct is None else {"more_pct": rounded(found.season_pct)},
        WINDOW: None
        if window is None
        else {
            "users_pct": _number(found.users_pct),
            "cpu_mhz": _known(window.mhz),
            "iops": _known(window.iops),
            "tasks": list(window.counted),
            "not_known": list(window.unstated),
        },
    }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else rounded(value)


def _number(value: float | None) -> float | None:
    return None if value is None else rounded(value)
