"""What a calibration to the site makes of demands: a factor, and an interval of its own.

The fit is `models.customer.site`; here it is applied.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.quantities import FloatArray
from models.scenario import Site


class Shift(NamedTuple):
    """Measured over predicted, with half widths in ln: of one more server here, and of the model
    for which it stands."""

    factor: float
    here: float
    model: float

    def half_width(self, of_model: FloatArray) -> FloatArray:
        """Half widths of shifted loads [ln], shaped as `of_model`: √(here² + (own² − model²)).

        What the servers that were compared don't know is measured; what is less known of another
        one than of them, such as its faster machine, stays on top. Valid for servers of the same
        kind of work. Source: variances of independent errors add up.

        >>> Shift(1.3, 0.3, 0.7).half_width(np.array([0.5, 0.7, np.hypot(0.7, 0.4)])).round(2)
        array([0.3, 0.3, 0.5])
        """
        beyond = np.maximum(of_model**2 - self.model**2, 0.0)
        return np.asarray(np.sqrt(self.here**2 + beyond))


def site_shift(site: Site, quantity: str) -> Shift | None:
    """That of ``cpu`` or ``iops``; None where it wasn't measured."""
    factor = getattr(site, f"{quantity}_factor")
    if factor is None:
        return None
    here, model = (getattr(site, f"{quantity}_half_width{end}") for end in ("", "_model"))
    return Shift(factor, here, model)


def ram_in_use(site: Site) -> float | None:
    """Memory that Domino servers use of what they are given, at the high end [1]; None for not
    measured.

    min(factor·exp(half width), 1): they can't use more than there is. Valid for servers of the
    same kind of work. Source: `models.customer.site`.

    >>> round(ram_in_use(Site(ram_factor=0.6, ram_half_width=0.2)), 2)
    0.73
    """
    if site.ram_factor is None:
        return None
    return min(site.ram_factor * math.exp(site.ram_half_width), 1.0)
