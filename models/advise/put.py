"""What answers put onto the board beside VMs: the host that they are about."""

from __future__ import annotations

from models.catalog.catalog import Catalog
from models.scenario.inputs import frozen
from models.scenario.origin import Origin
from models.scenario.scenario import Host, Scenario


def with_host(
    scenario: Scenario, server: str, hypervisor: str, ram_gib: float, catalog: Catalog
) -> Scenario:
    """The scenario with a host like this, unless it has one.

    Args:
        ram_gib: what its VMs are to have; a new host has room for it, and what is usual of its
            machine at least.
    """
    if any((host.server, host.hypervisor) == (server, hypervisor) for host in scenario.hosts):
        return scenario
    entry, names = catalog.servers[server], {host.name for host in scenario.hosts}
    most = entry.max_ram_gib or float("inf")
    wide = -(-(ram_gib + HYPERVISOR_GIB) // STEP_GIB) * STEP_GIB
    host = Host(
        id=scenario.fresh_id("h"),
        name=next(name for n in range(1, len(names) + 2) if (name := f"esx{n}") not in names),
        server=server,
        hypervisor=hypervisor,
        ram_gib=min(max(wide, entry.usual_ram_gib), most),
        origins=frozen({"ram_gib": Origin.AUTO}),
    )
    return scenario.with_item(host)


STEP_GIB, HYPERVISOR_GIB = 16.0, 4.0
"""Step in which RAM is offered, and what is left to the hypervisor; ours."""
