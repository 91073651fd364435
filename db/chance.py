"""Chances and sensitivities as the JSON objects that ``simulate`` and ``sensitivity`` print."""

from __future__ import annotations

from typing import Any

from db.plain import each_told, plain, rounded, told
from models.predict.prediction import Verdict
from models.uncertainty.chance import PERCENTILES, Chance
from models.uncertainty.sensitivity import Sensitivity
from models.uncertainty.verdict_map import VerdictMap


def chance_to_json(found: Chance) -> dict[str, Any]:
    names = [f"p{each:g}" for each in PERCENTILES]
    return {
        "format": "headroom-chance",
        "version": 1,
        **told(found, "samples", "seed"),
        "chance_pct": {each.label: rounded(found.verdicts[each]) for each in Verdict},
        "quantities": [
            told(each, "subject", "quantity")
            | dict(zip(names, plain(each.percentiles), strict=True))
            for each in found.spreads
        ],
        "drivers": [
            {"input": str(name), "share_pct": rounded(share)} for name, share in found.drivers
        ],
        "inputs": each_told(found.inputs, "input=id", "low", "high", "source"),
    }


def sensitivity_to_json(found: Sensitivity) -> dict[str, Any]:
    return {
        "format": "headroom-sensitivity",
        "version": 1,
        **told(found, "of", "base"),
        "bars": each_told(found.bars, *_BAR),
    }


def map_to_json(found: VerdictMap) -> dict[str, Any]:
    """Verdicts and loads by rows, one for each value of `y`."""
    return {
        "format": "headroom-map",
        "version": 1,
        "x": told(found.x, *_AXIS),
        "y": told(found.y, *_AXIS),
        "verdicts": [[spot.verdict.label for spot in row] for row in found.spots],
        "load_pct": [[rounded(spot.load) for spot in row] for row in found.spots],
        "here": told(found.here, "verdict", "load_pct=load"),
    }


_BAR = (
    *("input=swing.input", "subject=swing.subject", "low=swing.low", "base=swing.base"),
    *("high=swing.high", "at_low", "at_high", "source=swing.source", "turns_at"),
)
_AXIS = (
    "input=swing.input",
    "subject=swing.subject",
    "base=swing.base",
    "values",
    "source=swing.source",
)
