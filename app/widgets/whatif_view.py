"""What the what-if chart shows, and how much of it is in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from models.base.quantities import FloatArray, Quantity
from models.studies.sweep import Sweep, SweepInput, SweepOutput

MOST_LIMITS = 2.5
"""The picture ends at so many times the limit, if the line goes further."""
NEAR_LIMIT = 4.0
"""A limit up to so many times the highest number is in the picture."""
MOST_BAND = 1.6
"""The picture ends at so many times what else is in it, if the range goes further."""


@dataclass(frozen=True, slots=True, eq=False)
class WhatIfView:
    """What the chart shows: a sweep, what was varied and looked at, and where today stands.

    `now`: the number today, or of what is being dragged; at `value` of the input. `causes`: what
    decides the verdict at each point, in words; empty where it fits.
    """

    sweep: Sweep
    input: SweepInput
    output: SweepOutput
    value: float
    now: Quantity
    causes: tuple[str, ...]

    def cause_at(self, x: float) -> str:
        """What decides at the point nearest to a value of the input."""
        return self.causes[self.nearest(x)]

    def nearest(self, x: float) -> int:
        """The place of the point nearest to a value of the input."""
        return int(np.argmin(np.abs(self.sweep.values - x)))


def at(sweep: Sweep, x: float) -> tuple[float, float, float] | None:
    """Value, low and high between the points; None outside or where there is no data."""
    values = sweep.values
    if not len(values) or not float(values[0]) <= x <= float(values[-1]):
        return None
    found = tuple(float(np.interp(x, values, end)) for end in (sweep.number, sweep.low, sweep.high))
    return (found[0], found[1], found[2]) if all(map(math.isfinite, found)) else None


def bounds(view: WhatIfView) -> tuple[float, float]:
    """The lowest and the highest number of the picture on a plain scale.

    It begins at nothing, or at the lowest number below that. A limit is in it unless it is far
    above the line and its range. The line may leave it far above the limit, and its range far above
    both: `beyond_words` then says how far they go.
    """
    numbers, limit = finite(view.sweep.number), view.output.limit
    high = max(finite(view.sweep.high), default=0.0)
    bottom, top = min(0.0, *numbers), max(numbers)
    if limit:
        most = max(MOST_LIMITS * limit, 1.3 * (view.now.value or 0.0))
        if top > most:
            return bottom, most
        if limit <= max(NEAR_LIMIT * top, high):
            top = max(top, limit)
    return bottom, max(top, min(high, MOST_BAND * top))


def lowest(view: WhatIfView) -> float:
    """The lowest of all numbers, ends of ranges and the limit."""
    return min(_all_numbers(view))


def highest(view: WhatIfView) -> float:
    return max(_all_numbers(view))


def _all_numbers(view: WhatIfView) -> list[float]:
    sweep, limit = view.sweep, view.output.limit
    found = [*finite(sweep.number), *finite(sweep.low), *finite(sweep.high)]
    return found if limit is None else [*found, limit]


def finite(numbers: FloatArray) -> list[float]:
    return [value for value in numbers.tolist() if math.isfinite(value)]
