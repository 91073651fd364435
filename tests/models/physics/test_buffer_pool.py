"""The buffer pool counts to the memory of the programs, beside what caches files."""

from __future__ import annotations

import numpy as np
import pytest

from models.physics.demand import POOL_MB, cache_of

FILES, OWNERS = np.array([87.5]), np.array([1000.0])


def reads_left(pool_mb: float, ram_gib: float) -> float:
    cache = cache_of(np.array([ram_gib]), FILES, OWNERS, 0.42, np.array([pool_mb]))
    return float(cache.fading[0])


def test_a_larger_pool_leaves_less_for_files() -> None:
    assert 0.0 < reads_left(POOL_MB, 64.0) < 1.0
    assert reads_left(POOL_MB + 2048.0, 66.0) == pytest.approx(reads_left(POOL_MB, 64.0))


def test_nothing_stated_is_the_default() -> None:
    assert reads_left(float("nan"), 64.0) == reads_left(POOL_MB, 64.0)
