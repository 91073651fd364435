"""No seam between the families of runs, over the whole catalog."""

from __future__ import annotations

import pytest

from models.scenario.scenario import DiskMode
from tests.models.seams import POOLS, SERVERS, assert_seamless, sweep

pytestmark = pytest.mark.slow

USERS = (100.0, 500.0, *(1000.0 * n for n in range(1, 16)))


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("release", ["6.5", "7.0.2", "8.0", "8.5.1", "14.0"])
@pytest.mark.parametrize("mode", [DiskMode.VMFS, DiskMode.RDM])
def test_all_servers_under_all_hypervisors(pool: str, release: str, mode: DiskMode) -> None:
    found = sweep(SERVERS, USERS, pool, release, mode)
    assert_seamless(found, on_measured_path=pool == "as WV21")
