"""Statistics of a measured series: how long it is, how even, and how high it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.quantities import FloatArray

PERCENTILES = (50, 90, 95, 99)

GAP = 1.5
"""A step in time of so many intervals is a gap: a sample is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesStatistics:
    """What a series of values comes to, in the values' own unit.

    Attributes:
        n: values that are there; blanks don't count.
        interval_s: median time between them [s]; None where times are not known.
        gaps: steps in time longer than `GAP` intervals.
    """

    n: int
    interval_s: float | None
    gaps: int
    mean: float
    p50: float
    p90: float
    p95: float
    p99: float
    max: float

    @property
    def length_s(self) -> float | None:
        """Time that the values stand for, gaps aside [s]."""
        return None if self.interval_s is None else self.n * self.interval_s

    def at(self, percentile: str) -> float:
        """The value by the word that commands take: mean, 50, 90, 95, 99 or 100 (the peak)."""
        if percentile == "mean":
            return self.mean
        return self.max if percentile == "100" else float(getattr(self, f"p{percentile}"))


def statistics_of(
    values: Sequence[float] | FloatArray, times: Sequence[float] | FloatArray | None = None
) -> SeriesStatistics | None:
    """Statistics of a series; None where no value is there.

    A percentile lies between the two nearest values in their order, x(h) with h = (n − 1)·p + 1:
    definition 7 of R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages", The
    American Statistician 50 (1996), as spreadsheets and NumPy have it.

    Args:
        values: NaN for a blank; `times`: of each value [s], rising.

    >>> found = statistics_of([4.0, 1.0, 3.0, 2.0], [0.0, 60.0, 120.0, 300.0])
    >>> found.n, found.interval_s, found.gaps, found.mean, found.p50, found.max
    (4, 60.0, 1, 2.5, 2.5, 4.0)
    """
    column = np.asarray(values, dtype=np.float64)
    there = np.isfinite(column)
    column = column[there]
    if not len(column):
        return None
    interval, gaps = None, 0
    if times is not None and len(column) > 1:
        steps = np.diff(np.asarray(times, dtype=np.float64)[there])
        rising = steps[steps > 0]
        if len(rising):
            interval = float(np.median(rising))
            gaps = int(np.count_nonzero(steps > GAP * interval))
    p50, p90, p95, p99 = np.percentile(column, PERCENTILES).tolist()
    return SeriesStatistics(
        n=len(column),
        interval_s=interval,
        gaps=gaps,
        mean=float(column.mean()),
        p50=p50,
        p90=p90,
        p95=p95,
        p99=p99,
        max=float(column.max()),
    )
