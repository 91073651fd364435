"""Errors of the model as drawn: where each number lies in its interval in each of many worlds.

In a world whose errors are drawn a number is known, so it is held to its limit as it is. How near
it may come is the verdict's own rule (`weighing.NEAR`): where that turns the verdict before the
posture's end of the interval does, it turns it here at the same distance. So a number at which the
verdict turns is within what it is held to in as many worlds as the posture says: half of them where
the value is judged, 80 or 95 of 100 where its high end is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from models.base.quantities import FloatArray, IntArray, drawn_at, judged_end
from models.base.record import record
from models.judgement.against_limits import NEAR, Weighed
from models.physics.columns import some

CPU, IOPS, NETWORK, RESPONSE = "cpu", "iops", "network", "response"
DRAWN = (CPU, IOPS, RESPONSE, NETWORK)
"""Resources whose numbers the model may be wrong about, by their names in `predicted.RESOURCES`;
RAM and space follow from what is stated."""


@record
class Draw:
    """One error a resource and copy.

    Attributes:
        z: by resource, of the standard normal law, (s,) each.
        share: of the policy's posture (`quantities.judged_end`).
    """

    z: Mapping[str, FloatArray]
    share: float

    def __len__(self) -> int:
        return len(self.z[CPU])

    def of(self, resource: str, copy: IntArray) -> FloatArray:
        """The errors of items that belong to these copies."""
        return self.z[resource][copy]

    def each(self, resource: str, items: int) -> FloatArray:
        """The errors of `items` items, as many in each copy."""
        z = self.z[resource]
        return z.repeat(items // len(z))

    def ends(
        self,
        value: FloatArray,
        low: FloatArray,
        high: FloatArray,
        z: FloatArray,
        judged: FloatArray | None = None,
    ) -> FloatArray:
        """Numbers as drawn, and that which is held to the limit, (2, …): further by what the
        verdict keeps between a value and its limit, and by what isn't known.

        Args:
            high: of the interval of what is known; `judged`: the end that verdicts look at, with
                what isn't known, None where that is nothing.
        """
        there = drawn_at(value, low, high, z)
        end = judged_end(value, high, self.share)
        with np.errstate(divide="ignore", invalid="ignore"):
            margin = np.where(value > 0, np.fmax(value / (NEAR * end), 1.0), 1.0)
        unknown = 0.0 if judged is None else np.fmax(np.nan_to_num(judged - end), 0.0)
        held = np.where(np.isnan(value), end if judged is None else judged, there * margin)
        return np.array([there, held + np.where(np.isnan(value), 0.0, unknown)])

    def weighed(self, each: Weighed, high: FloatArray, z: FloatArray | float) -> Weighed:
        """A resource as drawn; `high` as `ends` has it."""
        low = each.value if each.low is None else each.low
        errors = np.broadcast_to(np.asarray(z, dtype=np.float64), each.value.shape)
        there, held = self.ends(each.value, low, high, errors, each.high)
        return replace(each, value=there, high=held)


def with_load(
    own: FloatArray, load: FloatArray, spread: FloatArray, value: FloatArray, high: FloatArray
) -> FloatArray:
    """The error of a response, as much its law's own as that is of its interval and for the rest
    that of the load which stretches it, of the standard normal law.

    (w·z_own + √(1 − w²)·z_load), w = ln(spread)/ln(high/value): with both independent the sum has
    the law of either. Valid where the two widen an interval together; how they do nobody measured.

    Args:
        own, load: errors of the law, and of what is loaded.
        spread: what the law's own half width makes of the value, as a factor.

    >>> one = np.ones(3)
    >>> with_load(one, -one, np.array([2.0, 1.0, 2.0]), one, np.array([2.0, 2.0, 4.0])).round(2)
    array([ 1.  , -1.  , -0.37])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        width = np.log(spread) / np.log(high / value)
    weight = np.clip(np.nan_to_num(width, nan=1.0), 0.0, 1.0)
    return np.asarray(weight * own + np.sqrt(1.0 - weight**2) * load)


def busier_of(
    cpu: FloatArray, disks: FloatArray, of_cpu: FloatArray, of_disks: FloatArray
) -> FloatArray:
    """The error of the load that stretches a response: that of the fuller of host and pool."""
    fuller = np.nan_to_num(disks) > np.nan_to_num(cpu)
    return np.where(fuller, of_disks, of_cpu) if some(fuller) else of_cpu
