"""Small designs that cost something."""

from __future__ import annotations

from dataclasses import replace

from models.scenario.scenario import Growth, Scenario
from tests.models.worlds import a_host, a_pool, a_scenario, a_vm

SERVER = "r760-6530"


def a_design(hosts: int = 2, **growth: float) -> Scenario:
    vms = tuple(
        a_vm(
            f"m{n}",
            users=1000.0,
            registered_users=3000.0,
            host=f"h{n}",
            pool="p1",
            mail_file_mb=500.0,
        )
        for n in range(1, hosts + 1)
    )
    on = tuple(
        a_host(f"h{n}", server=SERVER, hypervisor="vsphere-8.0", ram_gib=256.0)
        for n in range(1, hosts + 1)
    )
    scenario = a_scenario(vms=vms, hosts=on, pools=(a_pool("p1"),))
    return replace(scenario, growth=Growth(**growth))
