"""What a calibration to the site makes of demands: a factor, and an interval of its own.

The fit is `models.customer.site`; here it is applied.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.base.quantities import FloatArray
from models.scenario.scenario import Site

OWN_HALF_WIDTH = 0.15
"""Half width in ln of a server that was measured itself: how far one busy hour lies from the next.
Stated; two servers under one load differed by 4 to 6 % (vSphere 4 paper, table 1), and the year of
the Domino 7 study swung by 10 %."""


class Shift(NamedTuple):
    """Measured over predicted, with half widths in ln: of a server here, and of the model for which
    it stands; a number, or one a server."""

    factor: FloatArray | float
    here: FloatArray | float
    model: FloatArray | float

    def half_width(self, of_model: FloatArray) -> FloatArray:
        """Half widths of shifted loads [ln], shaped as `of_model`: √(here² + (own² − model²)).

        What the servers that were compared don't know is measured; what is less known of another
        one than of them, such as its faster machine, stays on top. Valid for servers of the same
        kind of work. Source: variances of independent errors add up.

        >>> Shift(1.3, 0.3, 0.7).half_width(np.array([0.5, 0.7, np.hypot(0.7, 0.4)])).round(2)
        array([0.3, 0.3, 0.5])
        """
        beyond = np.maximum(of_model**2 - np.square(self.model), 0.0)
        return np.asarray(np.sqrt(np.square(self.here) + beyond))


def site_shift(site: Site, quantity: str) -> Shift | None:
    """That of ``cpu`` or ``iops``; None where it wasn't measured."""
    factor = getattr(site, f"{quantity}_factor")
    if factor is None:
        return None
    here, model = (getattr(site, f"{quantity}_half_width{end}") for end in ("", "_model"))
    return Shift(factor, here, model)


def shift_of_each(shift: Shift, own: FloatArray, own_width: FloatArray) -> Shift:
    """The same server by server, (n,): one that was measured itself starts from that [1].

    Args:
        own: measured over predicted of the server itself, NaN where it wasn't measured.
        own_width: half width of that prediction [ln].

    Valid for the server that was measured, at whatever users and on whatever host it stands then.
    Source: docs/model.md, "Calibration to the site".

    Two servers, of which the second was measured at twice the model's:

    >>> blank = np.nan
    >>> each = shift_of_each(Shift(1.3, 0.4, 0.7), np.array([blank, 2.0]), np.array([blank, 0.7]))
    >>> each.factor.tolist(), each.half_width(np.full(2, 0.7)).round(2).tolist()
    ([1.3, 2.0], [0.4, 0.15])
    """
    is_own = ~np.isnan(own)
    return Shift(
        np.where(is_own, own, shift.factor),
        np.where(is_own, np.minimum(OWN_HALF_WIDTH, shift.here), shift.here),
        np.where(is_own, np.nan_to_num(own_width), shift.model),
    )


def ram_in_use(site: Site, own: FloatArray) -> FloatArray:
    """Memory that Domino servers use of what they are given, at the high end [1], (n,); NaN for not
    measured.

    min(factor·exp(half width), 1): they can't use more than there is. Valid for servers of the
    same kind of work. Source: `models.customer.site`.

    Args:
        own: measured in use over given of the server itself, NaN where it wasn't measured.

    >>> of_site = Site(ram_factor=0.6, ram_half_width=0.2)
    >>> ram_in_use(of_site, np.array([np.nan, 0.5])).round(2).tolist()
    [0.73, 0.58]
    """
    of_site = np.nan if site.ram_factor is None else site.ram_factor * math.exp(site.ram_half_width)
    found = np.where(np.isnan(own), of_site, own * math.exp(OWN_HALF_WIDTH))
    return np.asarray(np.minimum(found, 1.0))
