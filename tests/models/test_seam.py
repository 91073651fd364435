"""Between the families of runs lies no seam: neighbours of the catalog differ threefold at most."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from models.catalog import Server
from models.demands import demands_of
from models.physics.machines import PHYSICAL
from models.quantities import FloatArray
from models.scenario import DiskMode
from models.stages import undisturbed
from tests.models.worlds import (
    CALIBRATION,
    CATALOG,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    wv21,
)

MOST = 3.0
"""Factor between neighbours."""

BUSIEST = 0.7
"""Load of vCPUs, path and pool up to which it holds, the limit by default: ESX 3 costs 2.57 times
the CPU, measured, and nearer to saturation every response is many times another's."""

POOLS: dict[str, dict[str, Any]] = {
    "flash": {"array": "gen-afa-mid", "disk": "nvme", "spindles": 24, "raid": "6"},
    "drives": {"disk": "fc-15k-144gb", "spindles": 160},
    "as WV21": {"array": "ibm-ds4800", "disk": "fc-15k-36gb", "spindles": 200, "raid": "5"},
}
HYPERVISORS = [
    CATALOG.hypervisors[PHYSICAL],
    *sorted(
        (each for each in CATALOG.hypervisors.values() if each.id != PHYSICAL),
        key=lambda each: each.version,
    ),
]
SERVERS = sorted(
    (each for each in CATALOG.servers.values() if each.spec_rate_per_core and each.year),
    key=lambda each: (each.year or 0, each.spec_rate_per_core or 0.0),
)
WHITEBOX = "intel-clovertown-whitebox"
SAMPLED = [SERVERS[n] for n in range(len(SERVERS)) if n < 10 or n % 6 == 0]


@dataclass(frozen=True)
class Sweep:
    """Logarithms of CPU and response, and the busiest resource, (servers, hypervisors, users)."""

    servers: Sequence[Server]
    cpu: FloatArray
    response: FloatArray
    busiest: FloatArray


def sweep(
    servers: Sequence[Server], users: Sequence[float], pool: str, release: str, mode: DiskMode
) -> Sweep:
    """Every server alone under every hypervisor with so many users."""
    cells = list(itertools.product(servers, HYPERVISORS, users))
    hosts = tuple(
        a_host(f"h{n}", server=server.id, hypervisor=hypervisor.id, ram_gib=64.0)
        for n, (server, hypervisor, _) in enumerate(cells)
    )
    vms = tuple(
        a_vm(
            f"m{n}",
            count,
            host=f"h{n}",
            pool=f"p{n}",
            vcpus=4,
            release=release,
            disk_mode=DiskMode.PHYSICAL if hypervisor.id == PHYSICAL else mode,
        )
        for n, (_, hypervisor, count) in enumerate(cells)
    )
    pools = tuple(a_pool(f"p{n}", **POOLS[pool]) for n in range(len(cells)))
    scenario = a_scenario(hosts=hosts, pools=pools, vms=vms)
    normal = undisturbed(demands_of(scenario, CATALOG, CALIBRATION), scenario.policy)
    shape = len(servers), len(HYPERVISORS), len(users)
    path = normal.responses.alone.path * normal.vm.inputs.laws.knee
    loads = normal.vm.cores.value / 4.0, path, normal.pool.utilisation_pct.value / 100
    return Sweep(
        servers,
        np.log(normal.vm.cores.value).reshape(shape),
        np.log(normal.responses.estimate.value).reshape(shape),
        np.maximum.reduce(loads).reshape(shape),
    )


def steps(values: FloatArray, busiest: FloatArray, axis: int) -> FloatArray:
    """Factors between neighbours along an axis, 1 where either is too busy."""
    pairs = zip(*(np.split(busiest, busiest.shape[axis], axis)[n:] for n in (0, 1)), strict=False)
    calm = np.concatenate([np.maximum(*pair) < BUSIEST for pair in pairs], axis)
    return np.where(calm, np.exp(np.abs(np.diff(values, axis=axis))), 1.0)


def assert_seamless(found: Sweep, *, on_measured_path: bool) -> None:
    for name, values in (("CPU", found.cpu), ("response", found.response)):
        for axis in (0, 1):
            factors = steps(values, found.busiest, axis)
            if on_measured_path and name == "CPU" and axis == 1:
                # WV21 itself has 1.9 to 3.9 times native CPU at 7.25 GB.
                at = [n for n, each in enumerate(found.servers) if each.id == WHITEBOX]
                factors[at] = 1.0
            worst = np.unravel_index(int(np.argmax(factors)), factors.shape)
            assert factors.max() <= MOST, (name, axis, found.servers[int(worst[0])].id, worst)


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
