"""A number and its 90 % interval, as a table and as a sentence have it."""

from __future__ import annotations

from models.quantities import Quantity
from models.texts import joined
from models.wording import range_text, value_text


def ranged(quantity: Quantity, unit: str = "", *, limit: float | None = None) -> str:
    """Value, seen to pass its `limit`, and its range below it where there is one."""
    value = value_text(quantity, unit, limit=limit)
    if quantity.value is None or quantity.is_exact:
        return value
    return joined("\n", (value, range_text(quantity)))


def with_ends(quantity: Quantity, unit: str) -> str:
    """Value, and its range in brackets where there is one."""
    value, ends = value_text(quantity, unit), range_text(quantity, unit)
    if not ends or quantity.is_exact:
        return value
    return joined("", (value, " (", ends, ")"))
