"""Which placements cannot be: the one-line reason why a VM may not stand on a host.

What can stand but should not (too much load, too little memory for failures) is the business of
`evaluate`: its meters and verdict say so. Here is only what the platform itself refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from models.base.texts import Numeral, joined, say
from models.catalog.catalog import Catalog, Hypervisor, Server
from models.scenario.places import Places
from models.scenario.scenario import Affinity, AffinityKind, Host, Scenario, Vm

PHYSICAL = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A move in question.

    Attributes:
        moved: the VMs that would come to `host`; `staying`: those that are there already.
        server, hypervisor: None where the catalog does not know them.
    """

    scenario: Scenario
    host: Host
    server: Server | None
    hypervisor: Hypervisor | None
    moved: tuple[Vm, ...]
    staying: tuple[Vm, ...]

    @property
    def after(self) -> tuple[Vm, ...]:
        return (*self.staying, *self.moved)


def reason_against(
    scenario: Scenario, catalog: Catalog, ids: Iterable[str], host: str | None
) -> str | None:
    """Why these VMs may not stand on `host`, as one line; None when they may.

    Taking VMs off their hosts (`host` None) is always possible. VMs that stand on the host
    already are not judged again.

    Raises:
        ModelError: an id is not in the scenario.
    """
    vms = [scenario.vm(id) for id in dict.fromkeys(ids)]
    if host is None:
        return None
    moved = tuple(vm for vm in vms if vm.host != host)
    target = scenario.host(host)
    placement = Placement(
        scenario=scenario,
        host=target,
        server=catalog.servers.get(target.server),
        hypervisor=catalog.hypervisors.get(target.hypervisor),
        moved=moved,
        staying=scenario.vms_on(host),
    )
    return next(reasons(placement), None) if moved else None


def reasons(placement: Placement) -> Iterator[str]:
    """All reasons against a placement, the plainest first."""
    for check in _CHECKS:
        reason = check(placement)
        if reason is not None:
            yield reason


def _away(placement: Placement) -> str | None:
    """Nothing runs on a host in maintenance."""
    if not placement.host.in_maintenance or not any(vm.powered_on for vm in placement.moved):
        return None
    return say("{host} is in maintenance", host=placement.host.name)


def _physical(placement: Placement) -> str | None:
    """A physical server runs one operating system."""
    if placement.host.hypervisor != PHYSICAL or len(placement.after) <= 1:
        return None
    name = placement.host.name
    if placement.staying:
        return say(
            "{name} is a physical server and already runs {other}",
            name=name,
            other=placement.staying[0].name,
        )
    return say("{name} is a physical server: it runs one operating system", name=name)


def _reach(placement: Placement) -> str | None:
    """Disks go along with no move: the host has to see them."""
    places = Places.of(placement.scenario)
    if not places.seen_by:
        return None
    for vm in placement.moved:
        pool = places.unseen(vm, placement.host.id)
        if pool is not None:
            return say(
                "{host} does not see {pool}, where {vm} has its disks",
                host=placement.host.name,
                pool=pool.name,
                vm=vm.name,
            )
    return None


def _memory(placement: Placement) -> str | None:
    host = placement.host
    for vm in placement.moved:
        if vm.powered_on and vm.ram_gib > host.ram_gib:
            return say(
                "{vm} needs {ram_gib} GiB of RAM; {host} has {has}",
                vm=vm.name,
                ram_gib=Numeral(f"{vm.ram_gib:g}"),
                host=host.name,
                has=Numeral(f"{host.ram_gib:g}"),
            )
    return None


def _processors(placement: Placement) -> str | None:
    server = placement.server
    if server is None or placement.host.hypervisor == PHYSICAL:
        return None
    for vm in placement.moved:
        if vm.vcpus > server.threads:
            return say(
                "{vm} has {vcpus} vCPUs; {name} has {threads} logical CPUs",
                vm=vm.name,
                vcpus=vm.vcpus,
                name=placement.host.name,
                threads=server.threads,
            )
    return None


def _guest_bits(placement: Placement) -> str | None:
    """64-bit guests need hardware virtualisation under ESX."""
    server = placement.server
    if server is None or server.hardware_virtualisation is not False:
        return None
    if placement.host.hypervisor == PHYSICAL:
        return None
    for vm in placement.moved:
        if vm.guest_bits == 64:
            return say(
                "{vm} is a 64-bit guest; {server} has no hardware virtualisation",
                vm=vm.name,
                server=server.name,
            )
    return None


def _maximums(placement: Placement) -> str | None:
    """Configuration maximums of the hypervisor's release."""
    hypervisor = placement.hypervisor
    if hypervisor is None or placement.host.hypervisor == PHYSICAL:
        return None
    for vm in placement.moved:
        most_vcpus, most_gib = hypervisor.max_vcpus_per_vm, hypervisor.max_ram_gib_per_vm
        if most_vcpus is not None and vm.vcpus > most_vcpus:
            return say(
                "{vm} has {vcpus} vCPUs; {hypervisor} allows {most_vcpus}",
                vm=vm.name,
                vcpus=vm.vcpus,
                hypervisor=hypervisor.name,
                most_vcpus=most_vcpus,
            )
        if most_gib is not None and vm.ram_gib > most_gib:
            return say(
                "{vm} has {ram_gib} GiB; {hypervisor} allows {most_gib}",
                vm=vm.name,
                ram_gib=Numeral(f"{vm.ram_gib:g}"),
                hypervisor=hypervisor.name,
                most_gib=Numeral(f"{most_gib:g}"),
            )
    most = hypervisor.max_vms_per_host
    if most is not None and len(placement.after) > most:
        return say(
            "{hypervisor} allows {most} VMs on a host", hypervisor=hypervisor.name, most=most
        )
    return None


def _fault_tolerance(placement: Placement) -> str | None:
    protected = [vm for vm in placement.moved if vm.fault_tolerance]
    if not protected:
        return None
    host, hypervisor, name = placement.host, placement.hypervisor, protected[0].name
    if host.hypervisor == PHYSICAL:
        return say(
            "{name} is fault tolerant: that needs ESX, {host} is a physical server",
            name=name,
            host=host.name,
        )
    if host.ft_logging_gbps is None:
        return say(
            "{name} is fault tolerant; {host} has no FT logging network", name=name, host=host.name
        )
    return None if hypervisor is None else _ft_maximums(placement, hypervisor, protected)


def _ft_maximums(placement: Placement, hypervisor: Hypervisor, protected: list[Vm]) -> str | None:
    most = hypervisor.ft_max_vcpus
    if most == 0:
        return say(
            "{name} is fault tolerant; {hypervisor} can’t do that",
            name=protected[0].name,
            hypervisor=hypervisor.name,
        )
    for vm in protected:
        if vm.vcpus > most:
            allowed = say("one vCPU") if most == 1 else say("{most} vCPUs", most=most)
            return say(
                "{vm} is fault tolerant with {vcpus} vCPUs; {hypervisor} allows {allowed}",
                vm=vm.name,
                vcpus=vm.vcpus,
                hypervisor=hypervisor.name,
                allowed=allowed,
            )
    count = sum(vm.fault_tolerance for vm in placement.after)
    if hypervisor.ft_max_vms_per_host is not None and count > hypervisor.ft_max_vms_per_host:
        most = hypervisor.ft_max_vms_per_host
        return say(
            "{hypervisor} allows {most} fault-tolerant VMs on a host",
            hypervisor=hypervisor.name,
            most=most,
        )
    return None


def _affinity(placement: Placement) -> str | None:
    for rule in placement.scenario.affinity:
        reason = _RULES[rule.kind](placement, rule)
        if reason is not None:
            return reason
    return None


def _apart(placement: Placement, rule: Affinity) -> str | None:
    names = [vm.name for vm in placement.after if vm.id in rule.vms]
    moved = any(vm.id in rule.vms for vm in placement.moved)
    if moved and len(names) > 1:
        return say("{one} and {other} are to be kept apart", one=names[0], other=names[1])
    return None


def _together(placement: Placement, rule: Affinity) -> str | None:
    moved = {vm.id: vm for vm in placement.moved}
    names = [vm.name for id, vm in moved.items() if id in rule.vms]
    if not names:
        return None
    here = {vm.id for vm in placement.after}
    for vm in placement.scenario.vms:
        if vm.id in rule.vms and vm.id not in here and vm.host is not None:
            return say("{one} is to be kept together with {vm}", one=names[0], vm=vm.name)
    return None


def _must_run_on(placement: Placement, rule: Affinity) -> str | None:
    if placement.host.id in rule.hosts:
        return None
    for vm in placement.moved:
        if vm.id in rule.vms:
            names = [host.name for host in placement.scenario.hosts if host.id in rule.hosts]
            return say("{vm} must run on {hosts}", vm=vm.name, hosts=joined(say(" or "), names))
    return None


def _no_objection(_placement: Placement, _rule: Affinity) -> str | None:
    return None


_RULES: dict[AffinityKind, Callable[[Placement, Affinity], str | None]] = {
    AffinityKind.APART: _apart,
    AffinityKind.TOGETHER: _together,
    AffinityKind.MUST_RUN_ON: _must_run_on,
    AffinityKind.SHOULD_RUN_ON: _no_objection,
}

_CHECKS: tuple[Callable[[Placement], str | None], ...] = (
    _away,
    _physical,
    _reach,
    _fault_tolerance,
    _affinity,
    _memory,
    _processors,
    _guest_bits,
    _maximums,
)
