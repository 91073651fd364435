"""Results as JSON has them: plain values, numbers with six digits, fields by their names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from enum import Enum
from operator import attrgetter
from typing import Any

import numpy as np

from models.base import rounding
from models.base.quantities import Quantity
from models.predict.prediction import Verdict

DIGITS = 6
"""Significant digits of every number: more than any prediction has, few enough to be read."""


def told(item: object, *names: str) -> dict[str, Any]:
    """Fields of an item, or of what it has inside; ``key=path`` where JSON calls one otherwise."""
    pairs = ((key, path or key) for key, _, path in (each.partition("=") for each in names))
    return {key: plain(attrgetter(path)(item)) for key, path in pairs}


def each_told(items: Iterable[object], *names: str) -> list[dict[str, Any]]:
    """Those fields of every item."""
    return [told(each, *names) for each in items]


def plain(value: Any) -> Any:
    """A value as JSON has it: words of verdicts and enumerations, numbers `rounded`, lists."""
    if isinstance(value, Verdict):
        return value.label
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, Quantity):
        return quantity_to_json(value)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return list(map(plain, value))
    return value


def quantity_to_json(quantity: Quantity) -> dict[str, Any]:
    """``measured`` is there only where this very configuration was measured, ``at_least`` and how
    many VMs are unknown only where the number is a lower bound."""
    result: dict[str, Any] = {
        "value": rounded(quantity.value),
        "low": rounded(quantity.low),
        "high": rounded(quantity.high),
        "basis": quantity.basis.label,
        "evidence": list(quantity.evidence),
    }
    if quantity.measured is not None:
        result["measured"] = rounded(quantity.measured)
    if quantity.at_least:
        result |= {"at_least": True, "unknown_vms": quantity.unknown}
    return result


def rounded(value: float | None) -> float | None:
    """The number to `DIGITS` significant digits; None where there is none that JSON can say."""
    if value is None or not math.isfinite(value):
        return None
    return rounding.rounded(value, DIGITS)
