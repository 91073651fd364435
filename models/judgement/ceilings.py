"""Servers whose load is above every load ever published: nothing vouches for them."""

from __future__ import annotations

import numpy as np

from models.judgement.evaluated import Evaluated
from models.quantities import BoolArray, FloatArray


def compared_users(numbers: Evaluated) -> FloatArray:
    """Benchmark users of each VM to compare with published loads, (n,)."""
    return numbers.inputs.compared_users


def beyond_published_load(numbers: Evaluated) -> BoolArray:
    """Domino servers that run and carry more than the largest published load, (n,)."""
    return np.asarray(numbers.inputs.arrays.vms.serving & numbers.inputs.beyond_published)
