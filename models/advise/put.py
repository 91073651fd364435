"""What answers put onto the board: the parts that several topics need."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from models.base.errors import ModelError
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.scenario.inputs import frozen, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import NO_HYPERVISOR, Host, MeasuredOn, Scenario, Vm


def with_host(
    scenario: Scenario, server: str, hypervisor: str, ram_gib: float, catalog: Catalog
) -> Scenario:
    """The scenario with a host like this, unless it has one.

    Args:
        ram_gib: what its VMs are to have; a new host has room for it, and what is usual of its
            machine at least.
    """
    if hosts_like(scenario, server, hypervisor):
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


def hosts_like(scenario: Scenario, server: str, hypervisor: str) -> tuple[Host, ...]:
    """The hosts of this machine under this hypervisor."""
    return tuple(
        each for each in scenario.hosts if (each.server, each.hypervisor) == (server, hypervisor)
    )


def subject_of(scenario: Scenario, subject: str) -> Vm:
    """The VM that an answer is about.

    Raises:
        ModelError: it is about none that stands in the scenario.
    """
    for vm in scenario.vms:
        if vm.id == subject:
            return vm
    raise ModelError(say("the answer is about no server on the board"))


def kept_load(vm: Vm, server: str) -> Vm:
    """A VM that leaves a physical server with what was measured of it there, and with where that
    was, so that it stays the same load."""
    work = vm.workload
    said = work.measured_on
    if work.cpu_mhz is None or (said is not None and said.server is not None):
        return vm
    there = MeasuredOn(server=server, hypervisor=NO_HYPERVISOR)
    moved = replace(vm, workload=replace(work, measured_on=there))
    paths = ("workload.measured_on.server", "workload.measured_on.hypervisor")
    return with_origin(moved, Origin.AUTO, *paths)


def one_more(scenario: Scenario, like: Vm, name: str, *, apart: Collection[str] = ()) -> Vm:
    """Another VM like one of the scenario, in no Domino cluster, on the host with fewest vCPUs, one
    without VMs of its kind first; not placed where there is no host of VMs for it.

    Args:
        name: of its own. apart: ids of VMs on whose hosts it must not stand.
    """
    own = None if like.host is None else scenario.host(like.host).cluster
    used = {host.id: sum(vm.vcpus for vm in scenario.vms_on(host.id)) for host in scenario.hosts}
    taken = {vm.host for vm in scenario.vms if vm.id in apart}
    alike = {vm.host for vm in scenario.vms if vm.workload.kind is like.workload.kind}
    free = [
        host
        for host in seeing(scenario, like.pool, scenario.hosts)
        if host.hypervisor != NO_HYPERVISOR
        and (own is None or host.cluster == own)
        and host.id not in taken
    ]
    host = min(free, key=lambda each: (each.id in alike, used[each.id]), default=None)
    made = replace(
        like,
        id=scenario.fresh_id("m"),
        name=name,
        host=None if host is None else host.id,
        cluster_partners=(),
        pins=(),
        observed=None,
        calibrated=None,
    )
    return with_origin(made, Origin.AUTO)


def fresh_name(scenario: Scenario, name: str, first: int = 1) -> str:
    """A name of a VM that the scenario doesn't have yet: this one and a number from `first` on."""
    names = {vm.name for vm in scenario.vms}
    numbers = range(first, first + len(names) + 1)
    return next(f"{name}-{n}" for n in numbers if f"{name}-{n}" not in names)


def seeing(scenario: Scenario, pool: str | None, hosts: Iterable[Host]) -> tuple[Host, ...]:
    """Those of the hosts that see a pool; all of them without one."""
    seen = () if pool is None else scenario.pool(pool).hosts
    return tuple(host for host in hosts if not seen or host.id in seen)
