"""Sites as inventories bring them, of any size: made up by a seed, each with its own mix."""

from __future__ import annotations

import numpy as np

from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DataCenter,
    DiskMode,
    Growth,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind
from tests.models.customer_site import hosts_of, pools_of


def random_site(
    seed: int, *, vms: int, sites: int = 1, per_host: int = 25, years: float = 0.0
) -> Scenario:
    """`vms` VMs in so many sites, one cluster and one pool in each; a tenth of them is off.

    Memory is 2 to 64 GiB a VM, CPU 30 to 3,000 MHz, and each is its own; some reserve a share.
    """
    rng = np.random.default_rng(seed)
    hosts = max(2 * sites, -(-vms // per_host))
    vcpus = rng.choice([1, 2, 2, 4, 4, 8], vms)
    ram = rng.choice([2, 4, 8, 8, 16, 16, 32, 64], vms)
    mhz = np.minimum(rng.lognormal(5.5, 1.0, vms), 800.0 * vcpus)
    off = rng.random(vms) < 0.1
    reserved = np.where(rng.random(vms) < 0.05, 0.5 * mhz, 0.0)
    admission = Admission(policy=AdmissionPolicy.PERCENTAGE, host_failures=int(rng.integers(1, 3)))
    places = range(sites)
    return Scenario(
        name=f"Site {seed}",
        growth=Growth(years=years, load_pct=5.0 if years else 0.0),
        sites=tuple(DataCenter(id=f"s{n}", name=f"Place {n}") for n in places),
        clusters=tuple(
            Cluster(id=f"c{n}", name=f"Cluster {n}", site=f"s{n}", admission=admission)
            for n in places
        ),
        hosts=hosts_of(hosts, sites),
        pools=pools_of(sites),
        vms=tuple(
            Vm(
                id=f"v{n}",
                name=f"vm-{n:05}",
                host=f"h{n % hosts}",
                pool=f"p{n % hosts % sites}",
                vcpus=int(vcpus[n]),
                ram_gib=float(ram[n]),
                powered_on=not off[n],
                disk_mode=DiskMode.VMFS,
                cpu_reservation_mhz=float(reserved[n]),
                workload=Workload(
                    kind=WorkloadKind.GENERIC,
                    cpu_mhz=float(mhz[n]),
                    iops=float(5.0 + mhz[n] / 20.0),
                    memory_gib=0.6 * float(ram[n]),
                    disk_gib=float(rng.integers(40, 300)),
                ),
            )
            for n in range(vms)
        ),
    )
