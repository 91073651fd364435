"""Chances and sensitivities as the JSON objects that ``simulate`` and ``sensitivity`` print."""

from __future__ import annotations

import math
from typing import Any

from db.prediction import rounded
from models.chance import PERCENTILES, Chance
from models.prediction import Verdict
from models.sensitivity import Sensitivity
from models.verdict_map import Axis, VerdictMap


def chance_to_json(found: Chance) -> dict[str, Any]:
    names = [f"p{each:g}" for each in PERCENTILES]
    return {
        "format": "headroom-chance",
        "version": 1,
        "samples": found.samples,
        "seed": found.seed,
        "chance_pct": {each.label: rounded(found.verdicts[each]) for each in Verdict},
        "quantities": [
            {
                "subject": each.subject,
                "quantity": each.quantity,
                **dict(zip(names, map(_number, each.percentiles), strict=True)),
            }
            for each in found.spreads
        ],
        "drivers": [
            {"input": str(name), "share_pct": rounded(share)} for name, share in found.drivers
        ],
        "inputs": [
            {
                "input": each.id,
                "low": rounded(each.low),
                "high": rounded(each.high),
                "source": str(each.source),
            }
            for each in found.inputs
        ],
    }


def sensitivity_to_json(found: Sensitivity) -> dict[str, Any]:
    return {
        "format": "headroom-sensitivity",
        "version": 1,
        "of": found.of,
        "base": _number(found.base),
        "bars": [
            {
                "input": bar.swing.input,
                "subject": bar.swing.subject,
                "low": rounded(bar.swing.low),
                "base": rounded(bar.swing.base),
                "high": rounded(bar.swing.high),
                "at_low": _number(bar.at_low),
                "at_high": _number(bar.at_high),
                "source": str(bar.swing.source),
                "turns_at": _number(bar.turns_at),
            }
            for bar in found.bars
        ],
    }


def map_to_json(found: VerdictMap) -> dict[str, Any]:
    """Verdicts and loads by rows, one for each value of `y`."""
    return {
        "format": "headroom-map",
        "version": 1,
        "x": _axis(found.x),
        "y": _axis(found.y),
        "verdicts": [[spot.verdict.label for spot in row] for row in found.spots],
        "load_pct": [[_number(spot.load) for spot in row] for row in found.spots],
        "here": {"verdict": found.here.verdict.label, "load_pct": _number(found.here.load)},
    }


def _axis(axis: Axis) -> dict[str, Any]:
    return {
        "input": axis.swing.input,
        "subject": axis.swing.subject,
        "base": rounded(axis.swing.base),
        "values": [rounded(each) for each in axis.values],
        "source": str(axis.swing.source),
    }


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else rounded(value)
