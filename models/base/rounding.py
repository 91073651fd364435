"""The door that a number goes through before it is compared, hashed or promised to the byte.

The last bits of a float are those of a processor: NumPy's exponentials, OpenBLAS' sums and the C
library each have other ones on a machine without AVX-512 or FMA. So what exponentials, logarithms
and powers have a part in is `steady` before anything is added up, compared or chosen by it, and
whatever leaves the program to be the same on every machine (a refit, a digest, a stored answer, a
row of a study) is `rounded`.
"""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from operator import is_
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")

DIGITS = 9
"""Significant digits that are kept where nothing says otherwise: seven less than a float has, and
more than any prediction is good for."""

NOISE = 12
"""Significant digits that every processor agrees on. They are rounded to first: what is a half by
its formula is 2.4999999999999996 on one machine and 2.5 on another, but must not be 2 and 3."""

SAME = 1e-9
"""Relative difference up to which numbers are the same."""

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


def rounded_in(value: T, digits: int = DIGITS) -> T:
    """A frozen value with every float in it `rounded`, in records and tuples within it too; itself
    where that changes nothing.

    >>> rounded_in((0.1 + 0.2, "0.30000000000000004", (4000.0, 2 / 3)))
    (0.3, '0.30000000000000004', (4000.0, 0.666666667))
    """
    found: Any = value
    if isinstance(found, float):
        if found.is_integer() and abs(found) < 10.0**digits:
            return value
        short: Any = rounded(found, digits)
        return value if short == found else short
    if type(found) is tuple:
        others: Any = tuple(rounded_in(each, digits) for each in found)
        return value if all(map(is_, others, found)) else others
    changed = {}
    kind: type = type(found)
    for name in _names(kind):
        given = getattr(found, name)
        each = rounded_in(given, digits)
        if each is not given:
            changed[name] = each
    return replace(found, **changed) if changed else value


@lru_cache(maxsize=256)
def _names(kind: type) -> tuple[str, ...]:
    """Fields of a record; of what is none, none."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def ranked(value: float) -> float:
    """A number as what is chosen by it sees it: what is the same to six digits is as good, so that
    the first of equals is chosen and no last bit decides.

    >>> ranked(0.3) == ranked(0.1 + 0.2), ranked(64.23332) < ranked(64.23344)
    (True, True)
    """
    return rounded(value, 6)


def difference(first: float, second: float) -> float:
    """first − second; nothing where they are the same to nine digits, as last bits are left then.

    >>> difference(0.3, 0.1 + 0.2), difference(3.0, 1.0)
    (0.0, 2.0)
    """
    return 0.0 if math.isclose(first, second, rel_tol=SAME) else first - second


_STEADY = 10
_BIAS, _FRACTION, _EXPONENTS = 1023, 52, 2047
"""Of a float in 64 bits (IEEE 754): its exponent's bias, the bits of its fraction, and the exponent
of what is no number or has no end."""
_EXACT = 22
"""The highest power of ten that a float can be."""
_DECIMALS = [
    _STEADY - 1 - math.floor((exponent - _BIAS) * math.log10(2.0))
    for exponent in range(_EXPONENTS + 1)
]
_SCALES = np.array([10.0 ** min(max(each, 0), _EXACT) for each in _DECIMALS])
"""By what a number of each exponent is multiplied, so that ten digits stand before its mark."""


def steady(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Numbers to ten or eleven significant digits; what is no number, or has no end, stays.

    What is made of them by sums, differences, products and quotients is the same on every machine
    to the last bit, as IEEE 754 says how these are rounded. Decimals that somebody stated stay what
    they are. Of numbers from 10¹⁰ on the fraction goes, of those below 10⁻¹² what is below 10⁻²².

    >>> steady([0.1, 110.3, 2 / 3, 12345678912.3, np.inf, np.nan]).tolist()
    [0.1, 110.3, 0.6666666667, 12345678912.0, inf, nan]
    >>> steady([0.1 * 7, 0.3 / 0.1]).tolist()
    [0.7, 3.0]
    """
    given = np.asarray(values, dtype=np.float64, order="C")
    scale = _SCALES[(given.view(np.int64) >> _FRACTION) & _EXPONENTS]
    return np.asarray(np.rint(given * scale) / scale)
