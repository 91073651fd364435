"""The buffer pool counts to the memory of the programs, beside what caches files."""

from __future__ import annotations

import numpy as np
import pytest

from models.physics.demand import POOL_MB, cache_of

RAM, FILES, OWNERS = np.array([512.0]), np.array([87.5]), np.array([1000.0])


def reach_gib(pool_mb: float) -> float:
    return float(cache_of(RAM, FILES, OWNERS, 0.42, buffer_pool_mb=pool_mb).ram_gib[0])


def test_a_larger_pool_is_memory_that_counts() -> None:
    assert reach_gib(POOL_MB + 2048.0) - reach_gib(POOL_MB) == pytest.approx(2.0)


def test_nothing_stated_is_the_default() -> None:
    assert reach_gib(float("nan")) == reach_gib(POOL_MB)
