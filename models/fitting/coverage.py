"""How often intervals hold what they should, and how often exact ones would with so few points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from models.evidence.uncertainty import NOMINAL

ALL = "all"
SURE = 0.95
"""Share of tables, made with exact intervals, that `IntervalCoverage.least` to `most` covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalCoverage:
    """Held-out points inside their nested intervals.

    Attributes:
        quantity, split: of the points, or ``all``.
        n, inside: points, and those inside.
        least, most: how many of n independent points exact 90 % intervals would hold, in 95 of 100
            cases.
    """

    quantity: str
    split: str
    n: int
    inside: int
    least: int
    most: int

    @property
    def coverage_pct(self) -> float:
        return 100.0 * self.inside / self.n


def interval_coverage(quantity: str, split: str, inside: Sequence[bool]) -> IntervalCoverage:
    """Counts points inside, with the range of an exact interval beside it."""
    least, most = expected_range(len(inside))
    return IntervalCoverage(
        quantity=quantity,
        split=split,
        n=len(inside),
        inside=sum(map(bool, inside)),
        least=least,
        most=most,
    )


def expected_range(n: int, *, share: float = NOMINAL, sure: float = SURE) -> tuple[int, int]:
    """The central range of a binomial count, at most (1 − sure)/2 of probability on either side.

    Args:
        n: independent points.
        share: probability that an interval holds its point.
        sure: least probability of the range.

    >>> expected_range(8), expected_range(35)
    ((5, 8), (28, 35))
    """
    tail = (1.0 - sure) / 2.0
    chances = [math.comb(n, k) * share**k * (1.0 - share) ** (n - k) for k in range(n + 1)]
    return _first_beyond(chances, tail), n - _first_beyond(chances[::-1], tail)


def _first_beyond(chances: Sequence[float], tail: float) -> int:
    total = 0.0
    for count, chance in enumerate(chances):
        total += chance
        if total > tail:
            return count
    return len(chances) - 1
