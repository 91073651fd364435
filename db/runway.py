"""The years ahead as the JSON object that ``grow --json`` prints."""

from __future__ import annotations

from typing import Any

from db.plain import each_told, rounded, told
from db.prediction import chips_to_json
from models.studies.runway import SEASON, WINDOW, Runway


def runway_to_json(found: Runway) -> dict[str, Any]:
    """Steps and what runs out, as plain dictionaries, lists, texts and finite numbers."""
    return {
        "format": "headroom-growth",
        "version": 1,
        "chips": chips_to_json(found.chips),
        "profiles": _profiles(found),
        "steps": each_told(
            found.steps, "month", "users", "verdict", "profile", "normal", "failure"
        ),
        "runs_out": each_told(
            found.crossings,
            *("resource", "subject", "mode", "profile", "month", "low", "high", "limit"),
            *("now", "end"),
        ),
        "turns": [
            told(each, "month", "verdict", "before", "resource", "rule", "subject", "mode")
            | told(each, "profile", "why")
            for each in found.turns
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
            "users_pct": rounded(found.users_pct),
            "cpu_mhz": rounded(window.mhz),
            "iops": rounded(window.iops),
            "tasks": list(window.counted),
            "not_known": list(window.unstated),
        },
    }
