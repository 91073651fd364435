"""A customer's whole site as an inventory brings it: made up, of the size that real ones have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DataCenter,
    DiskMode,
    Growth,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind

CENTRES, HOSTS = 11, 20
GIB, MHZ = 4642.0, 231_000.0
RESERVED_MHZ = 8000.0
"""What two VMs reserve: by slots every VM counts for as much."""


def hosts_of(count: int, clusters: int) -> tuple[Host, ...]:
    """Hosts of one kind, dealt out to the clusters."""
    return tuple(
        Host(
            id=f"h{n}",
            name=f"esx-{n:03}",
            cluster=f"c{n % clusters}",
            server="dl380g10p",
            hypervisor="vsphere-7.0",
            ram_gib=768.0,
        )
        for n in range(count)
    )


def pools_of(count: int) -> tuple[Pool, ...]:
    return tuple(
        Pool(
            id=f"p{n}",
            name=f"Data {n}",
            array="gen-afa-mid",
            disk="ssd-sata",
            spindles=24,
            raid="5",
        )
        for n in range(count)
    )


def customer_site(vms: int = 258, seed: int = 0) -> Scenario:
    """`vms` VMs with 4,642 GiB and 231 GHz for each 258 of them, on 20 hosts in 11 data centres."""
    rng = np.random.default_rng(seed)
    share = vms / 258
    ram = 2.0 ** rng.integers(1, 7, vms)
    ram = np.maximum(np.round(ram * GIB * share / ram.sum()), 1.0)
    ram[ram.argmax()] += np.round(GIB * share) - ram.sum()
    mhz = rng.lognormal(0.0, 1.0, vms)
    mhz *= MHZ * share / mhz.sum()
    vcpus = np.clip(2 * np.ceil(mhz / 1500.0), 2, 16)
    slots = Admission(policy=AdmissionPolicy.HOST_FAILURES)
    return Scenario(
        name="Site",
        clusters=tuple(
            Cluster(id=f"c{n}", name=f"Centre {n}", admission=slots) for n in range(CENTRES)
        ),
        hosts=hosts_of(HOSTS, CENTRES),
        pools=pools_of(CENTRES),
        vms=tuple(
            Vm(
                id=f"v{n}",
                name=f"vm-{n:05}",
                host=f"h{n % HOSTS}",
                pool=f"p{n % HOSTS % CENTRES}",
                vcpus=int(vcpus[n]),
                ram_gib=float(ram[n]),
                disk_mode=DiskMode.VMFS,
                cpu_reservation_mhz=RESERVED_MHZ if n < 2 else 0.0,
                workload=Workload(
                    kind=WorkloadKind.GENERIC,
                    cpu_mhz=float(mhz[n]),
                    iops=float(20.0 + mhz[n] / 20.0),
                    memory_gib=0.6 * float(ram[n]),
                    disk_gib=120.0,
                ),
            )
            for n in range(vms)
        ),
    )


def two_sites() -> Scenario:
    """Eleven clusters, of which the first three stand in one place and the others in another."""
    site = customer_site(vms=60)
    clusters = tuple(
        replace(each, site="north" if place < 3 else "south")
        for place, each in enumerate(site.clusters)
    )
    sites = (DataCenter(id="north", name="North"), DataCenter(id="south", name="South"))
    return replace(site, sites=sites, clusters=clusters, growth=Growth(years=2.0, load_pct=5.0))
