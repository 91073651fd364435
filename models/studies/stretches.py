"""How long a number of the years ahead stays under its limit, near it, and over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.base.quantities import Quantity
from models.judgement.against_limits import NEAR
from models.predict.prediction import Verdict


@dataclass(frozen=True, slots=True)
class Stretch:
    """Months in which a number stands to its limit in one way: under it, near it or perhaps over
    it, over it, or not known."""

    start: float
    end: float
    verdict: Verdict


def stretches(
    months: Sequence[float], track: Sequence[Quantity], limit: float
) -> tuple[Stretch, ...]:
    """How a number stands to its limit, month after month, straight between two of them.

    From 50 to 80 % in 30 months, held to 70 %: at 63 % it is near, at 70 % over.

    >>> from models.base.quantities import Basis
    >>> track = [Quantity(each, each, each, Basis.MEASURED) for each in (50.0, 80.0)]
    >>> [(round(each.end), each.verdict.name) for each in stretches([0, 30], track, 70.0)]
    [(13, 'FITS'), (20, 'AT_RISK'), (30, 'DOES_NOT_FIT')]
    """
    found: list[Stretch] = []
    for (start, before), (end, after) in pairwise(zip(months, track, strict=True)):
        cuts = {0.0, 1.0}
        for ends in _lines(before, after, limit):
            share = (ends[2] - ends[0]) / (ends[1] - ends[0]) if ends[1] != ends[0] else 0.0
            cuts |= {share} if 0.0 < share < 1.0 else set()
        for first, second in pairwise(sorted(cuts)):
            verdict = _standing(before, after, (first + second) / 2.0, limit)
            here, there = (start + (end - start) * share for share in (first, second))
            if found and found[-1].verdict is verdict:
                here = found.pop().start
            found.append(Stretch(here, there, verdict))
    return tuple(found)


def _lines(before: Quantity, after: Quantity, limit: float) -> Iterator[tuple[float, float, float]]:
    """What turns a verdict where it passes a bound: its ends, and the bound."""
    if before.value is not None and after.value is not None:
        yield before.value, after.value, limit
        yield before.value, after.value, NEAR * limit
    if before.high is not None and after.high is not None:
        yield before.high, after.high, limit


def _standing(before: Quantity, after: Quantity, share: float, limit: float) -> Verdict:
    """The verdict between two months; of a number that is at least so high, not known until it is
    over."""
    value, high = (
        None if one is None or other is None else one + share * (other - one)
        for one, other in ((before.value, after.value), (before.high, after.high))
    )
    if value is not None and value > limit:
        return Verdict.DOES_NOT_FIT
    if value is None or before.at_least or after.at_least:
        return Verdict.NOT_KNOWN
    is_near = value > NEAR * limit or (high is not None and high > limit)
    return Verdict.AT_RISK if is_near else Verdict.FITS
