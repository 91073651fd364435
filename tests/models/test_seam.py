"""Between the families of runs lies no seam: neighbours of the catalog differ threefold at most."""

from __future__ import annotations

import numpy as np
import pytest

from models.physics.host_columns import PHYSICAL
from models.scenario.scenario import DiskMode
from tests.models.seams import MOST, POOLS, SERVERS, assert_seamless, sweep
from tests.models.worlds import (
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    wv21,
)

SAMPLED = [SERVERS[n] for n in range(len(SERVERS)) if n < 10 or n % 6 == 0]


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("release", ["7.0.2", "14.0"])
def test_neighbouring_hypervisors_and_servers_are_near(pool: str, release: str) -> None:
    found = sweep(SAMPLED, (1000.0, 3000.0, 5000.0, 8000.0), pool, release, DiskMode.VMFS)
    assert_seamless(found, on_measured_path=pool == "as WV21")


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("hypervisor", [PHYSICAL, "esx-3.5", "vsphere-8.0"])
def test_a_few_more_users_change_a_response_a_little(pool: str, hypervisor: str) -> None:
    """1 % more users, up to 90 % of every resource."""
    users = 100.0 * 1.01 ** np.arange(500)
    mode = DiskMode.PHYSICAL if hypervisor == PHYSICAL else DiskMode.VMFS
    hosts = tuple(a_host(f"h{n}", hypervisor=hypervisor) for n in range(len(users)))
    pools = tuple(a_pool(f"p{n}", **POOLS[pool]) for n in range(len(users)))
    vms = tuple(
        a_vm(f"m{n}", float(count), host=f"h{n}", pool=f"p{n}", vcpus=4, disk_mode=mode)
        for n, count in enumerate(users)
    )
    prediction = predict(a_scenario(hosts=hosts, pools=pools, vms=vms))
    calm = (prediction.vms.cpu_pct.value < 90) & (prediction.pools.utilisation_pct.value < 90)
    response = prediction.vms.response_ms.value
    calm &= response < 10 * response[0]  # what a path is stretched to at 90 %
    response = response[calm]
    assert len(response) > 300
    assert (np.abs(np.diff(np.log(response))) < np.log(1.2)).all()


def test_the_same_server_answers_alike_with_and_without_a_hypervisor() -> None:
    """10,000 users on a server of 2023 and flash: 13 s physical against 33 ms once."""
    pool = a_pool(**POOLS["flash"])
    found = []
    for hypervisor, mode in ((PHYSICAL, "physical"), ("esx-3.5", "vmfs"), ("vsphere-8.0", "vmfs")):
        host = a_host(server="r760-8592", hypervisor=hypervisor, ram_gib=256.0)
        vm = a_vm(users=10_000.0, vcpus=8, ram_gib=32.0, disk_mode=DiskMode(mode), release="14.0")
        found.append(predict(a_scenario(hosts=(host,), pools=(pool,), vms=(vm,))).vms)
    responses = [each.response_ms.value[0] for each in found]
    cpus = [each.cpu_pct.value[0] for each in found]
    assert max(responses) < MOST * min(responses)
    assert max(cpus) < MOST * min(cpus)


def test_the_x366_answers_later_on_paths_that_lose_capacity() -> None:
    """At 3,000 users the tables say 16 % for RDM and 6 % for VMFS."""
    native, rdm, vmfs = (
        predict(wv21("x366", path, 6.0, 3000.0)).vms.response_ms.value[0]
        for path in ("physical", "rdm", "vmfs")
    )
    assert 1.08 < rdm / native < 1.2
    assert 1.02 < vmfs / native < 1.1


def test_what_both_families_say_is_in_the_interval() -> None:
    """Half of family A's 14.4 %, and 1.6 times family B's 35 % that ESX 3.5 makes of 22 %."""
    host = a_host(hypervisor="esx-3.5")
    inputs = a_scenario(hosts=(host,), vms=(a_vm(users=3000.0),))
    cpu = predict(inputs).vms.cpu_pct[0]
    assert (cpu.low, cpu.high) == pytest.approx((6.7, 90.6), rel=0.01)
