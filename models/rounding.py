"""The door that a number goes through before it is compared, hashed or promised to the byte.

The last bits of a float are those of a processor: NumPy's exponentials, OpenBLAS' sums and the C
library each have other ones on a machine without AVX-512 or FMA. So whatever must be the same on
every machine (a refit, a digest, a stored answer, a choice between equals) is made of rounded
numbers, and this is where they are rounded.
"""

from __future__ import annotations

DIGITS = 9
"""Significant digits that are kept where nothing says otherwise: seven less than a float has, and
more than any prediction is good for."""

NOISE = 12
"""Significant digits that every processor agrees on. They are rounded to first: what is a half by
its formula is 2.4999999999999996 on one machine and 2.5 on another, but must not be 2 and 3."""

_PAST_HALF = 1.0 + 1e-14
"""Takes a half, and nothing else of `NOISE` digits, to where it is rounded away from zero."""


def rounded(value: float, digits: int = DIGITS) -> float:
    """A number to so many significant digits, at most `NOISE`, halves away from zero; the same on
    every machine. No number stays none.

    >>> rounded(64.2333249999999), rounded(0.18033124999999997, 7), rounded(0.18033125000000003, 7)
    (64.233325, 0.1803313, 0.1803313)
    >>> rounded(float("nan")), rounded(float("inf")), rounded(-0.0)
    (nan, inf, -0.0)
    """
    return float(f"{float(f'{value:.{NOISE}g}') * _PAST_HALF:.{digits}g}")
