"""Single changes of a design with the words for them: what nudges and proposed fixes are made of.

A change never leaves the bounds of its fields: what can't be is refused with a reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from models.base.errors import ModelError
from models.base.fields import bounds_of
from models.base.texts import Numeral, joined, say, say_many
from models.catalog.catalog import Catalog
from models.catalog.placement import reason_against
from models.physics.people import MOST_REGISTERED
from models.physics.scenario_to_arrays import REGISTERED
from models.project.project import copy_name
from models.scenario.scenario import NO_HYPERVISOR, Host, ItemT, Pool, Scenario, Vm, Workload
from models.scenario.wording import ENGLISH, THIN, Style, counted, signed
from models.scenario.workloads import WORKLOADS, Law


@dataclass(frozen=True, slots=True)
class Change:
    """A scenario after one change, the words for it, and the ids of what was changed."""

    scenario: Scenario
    text: str
    subjects: tuple[str, ...]


def add_host(scenario: Scenario, like: str) -> Change:
    """One more host of the kind of `like`, empty, in the same cluster."""
    model = scenario.host(like)
    name = copy_name(model.name, {host.name for host in scenario.hosts})
    host = replace(model, id=scenario.fresh_id("h"), name=name, unlisted_vms=0, pins=())
    host = replace(host, in_maintenance=False)
    return Change(scenario.with_item(host), say("+1 host, {name}", name=name), (host.id,))


def remove_host(scenario: Scenario, catalog: Catalog, among: Iterable[str]) -> Change:
    """One host less: of `among` the one with the fewest VMs, which move to its neighbours.

    Each VM goes to the host of the same cluster with the most RAM free that may take it.

    Raises:
        ModelError: it is the last host, or one of its VMs has nowhere to go.
    """
    hosts = [scenario.host(id) for id in among]
    if len(scenario.hosts) < 2 or not hosts:
        raise ModelError(say("a design keeps at least one host"))
    gone = min(
        reversed(hosts),
        key=lambda host: (host.in_maintenance, host.unlisted_vms, len(scenario.vms_on(host.id))),
    )
    left = scenario
    for vm in sorted(scenario.vms_on(gone.id), key=lambda vm: -vm.ram_gib):
        target = _roomiest(left, catalog, gone, vm)
        if target is None:
            raise ModelError(
                say("{vm} has nowhere to go when {gone} is taken away", vm=vm.name, gone=gone.name)
            )
        left = left.place([vm.id], target)
    return Change(
        left.without([gone.id]),
        say("\N{MINUS SIGN}1 host, {name}", name=gone.name),
        (gone.id,),
    )


def _roomiest(scenario: Scenario, catalog: Catalog, gone: Host, vm: Vm) -> str | None:
    others = [h for h in scenario.hosts if h.id != gone.id and h.cluster == gone.cluster]
    free = sorted(others, key=lambda host: _used_gib(scenario, host) - host.ram_gib)
    for host in free:
        if reason_against(scenario, catalog, [vm.id], host.id) is None:
            return host.id
    return None


def _used_gib(scenario: Scenario, host: Host) -> float:
    return sum(vm.ram_gib for vm in scenario.vms_on(host.id))


def host_ram(
    scenario: Scenario, hosts: Sequence[str], gib: float, *, style: Style = ENGLISH
) -> Change:
    """So much more RAM in each of these hosts [GiB]."""

    def more(host: Host) -> Host:
        return replace(host, ram_gib=_within(Host, "ram_gib", host.ram_gib + gib))

    text = say(
        "{change} RAM in {where}", change=_gib(gib, style), where=named(scenario, hosts, Host)
    )
    return Change(_edited(scenario, Host, hosts, more), text, tuple(hosts))


def drives(
    scenario: Scenario, pools: Sequence[str], count: int, *, style: Style = ENGLISH
) -> Change:
    """So many more drives in each of these pools.

    Raises:
        ModelError: as many or more would be hot spares.
    """

    def more(pool: Pool) -> Pool:
        spindles = int(_within(Pool, "spindles", pool.spindles + count))
        if spindles <= pool.hot_spares:
            raise ModelError(say("{pool} needs a drive that is no hot spare", pool=pool.name))
        return replace(pool, spindles=spindles)

    text = say_many(
        "{change} drive in {where}",
        "{change} drives in {where}",
        abs(count),
        change=signed(count, style=style),
        where=named(scenario, pools, Pool),
    )
    return Change(_edited(scenario, Pool, pools, more), text, tuple(pools))


def vcpus(scenario: Scenario, vms: Sequence[str], count: int, *, style: Style = ENGLISH) -> Change:
    """So many more virtual CPUs for each of these VMs."""

    def more(vm: Vm) -> Vm:
        return replace(vm, vcpus=int(_within(Vm, "vcpus", vm.vcpus + count)))

    text = say_many(
        "{change} vCPU for {where}",
        "{change} vCPUs for {where}",
        abs(count),
        change=signed(count, style=style),
        where=named(scenario, vms, Vm),
    )
    return Change(_edited(scenario, Vm, vms, more), text, tuple(vms))


def vm_ram(scenario: Scenario, vms: Sequence[str], gib: float, *, style: Style = ENGLISH) -> Change:
    """So much more RAM for each of these VMs [GiB].

    Raises:
        ModelError: less would be left than is reserved.
    """

    def more(vm: Vm) -> Vm:
        ram_gib = _within(Vm, "ram_gib", vm.ram_gib + gib)
        reserved = vm.memory_reservation_gib or 0.0
        if ram_gib < reserved:
            held = Numeral(f"{reserved:g}")
            reason = say("{vm} has {gib}\u202fGiB of memory reserved", vm=vm.name, gib=held)
            raise ModelError(reason, field="ram_gib")
        return replace(vm, ram_gib=ram_gib)

    text = say("{change} RAM for {where}", change=_gib(gib, style), where=named(scenario, vms, Vm))
    return Change(_edited(scenario, Vm, vms, more), text, tuple(vms))


def users(
    scenario: Scenario, vms: Sequence[str], count: float, *, style: Style = ENGLISH
) -> Change:
    """So many more active users on each of these VMs; registered ones follow in proportion.

    They stay where nobody is left: from no users no proportion would lead back to them.
    """

    def more(vm: Vm) -> Vm:
        users = _within(Workload, "active_users", vm.workload.active_users + count)
        if users > 0:
            return grown(vm, users)
        return replace(vm, workload=replace(vm.workload, active_users=users))

    after = _edited(scenario, Vm, vms, more)
    text = say(
        "{change} users on {where}",
        change=signed(count, style=style),
        where=named(scenario, vms, Vm),
    )
    more_owners = [_owners(after.vm(id)) - _owners(scenario.vm(id)) for id in vms]
    if len(vms) == 1 and more_owners[0]:
        text += say(", {change} registered", change=signed(more_owners[0], style=style))
    elif any(more_owners):
        text += say(", registered in proportion")
    return Change(after, text, tuple(vms))


def grown(vm: Vm, users: float) -> Vm:
    """The VM with so many active users, and as many more registered ones in proportion.

    Who asks what growth would bring doesn't mean that the same people work more at once. Where no
    registered users are stated they are as many as the active ones; pinned ones stay.
    """
    work = vm.workload
    owners = work.registered_users
    if owners is not None and follows(vm):
        owners = min(float(round(owners * users / work.active_users)), MOST_REGISTERED)
    return replace(vm, workload=replace(work, active_users=users, registered_users=owners))


def spread(vms: Sequence[Vm], users: float) -> tuple[Vm, ...]:
    """The VMs with so many active users altogether, whole ones in the proportions of today.

    Users of Sametime multiplexers are those of the community servers behind them: the kind that
    has fewer follows the other.
    """
    behind = _counted_with(vms)
    counted = [vm for vm in vms if _law(vm) is not behind]
    rest = [vm for vm in vms if _law(vm) is behind]
    given = _given(counted, users)
    if rest:
        front = [vm for vm in counted if _law(vm) in SAMETIME]
        served = sum(given[vm.id] for vm in front)
        given |= _given(rest, round(served * _users(rest) / _users(front)))
    return tuple(
        vm if given[vm.id] == vm.workload.active_users else grown(vm, given[vm.id]) for vm in vms
    )


SAMETIME = (Law.COMMUNITY, Law.MUX)


def _law(vm: Vm) -> Law:
    return WORKLOADS[vm.workload.kind].law


def _counted_with(vms: Iterable[Vm]) -> Law | None:
    """Of community servers and multiplexers the kind with fewer users, where both have some."""
    users = {law: _users([vm for vm in vms if _law(vm) is law]) for law in reversed(SAMETIME)}
    return min(users, key=users.__getitem__) if all(users.values()) else None


def _users(vms: Iterable[Vm]) -> float:
    return sum(vm.workload.active_users for vm in vms)


def _given(vms: Sequence[Vm], users: float) -> dict[str, float]:
    parts = whole_parts([vm.workload.active_users for vm in vms], users)
    return dict(zip((vm.id for vm in vms), parts, strict=True))


def whole_parts(weights: Sequence[float], total: float) -> list[float]:
    """Whole numbers in these proportions that add up to a whole `total`; equal ones without any.

    Each share is rounded down, and those with the largest remainders get one more.

    Source: the method of largest remainders, M. L. Balinski and H. P. Young, Fair Representation
    (1982), on Hamilton's method.

    >>> whole_parts([100.0, 200.0, 300.0], 100.0)
    [17.0, 33.0, 50.0]
    """
    whole = sum(weights)
    if not whole:
        weights, whole = [1.0] * len(weights), float(len(weights))
    shares = [round(total * weight / whole, 6) for weight in weights]
    parts = [float(math.floor(share)) for share in shares]
    left = round(total - sum(parts))
    for place in sorted(range(len(parts)), key=lambda n: parts[n] - shares[n])[:left]:
        parts[place] += 1.0
    return parts


def follows(vm: Vm) -> bool:
    """Whether its registered users, where any are stated, grow as the active ones do."""
    return vm.workload.active_users > 0 and REGISTERED not in vm.pins


def _owners(vm: Vm) -> float:
    return vm.workload.registered_users or 0.0


def moved(scenario: Scenario, catalog: Catalog, vm: str, host: str) -> Change:
    """A VM on another host.

    Raises:
        ModelError: it may not stand there.
    """
    reason = reason_against(scenario, catalog, [vm], host)
    if reason is not None:
        raise ModelError(reason)
    text = say("Move {vm} to {host}", vm=scenario.vm(vm).name, host=scenario.host(host).name)
    return Change(scenario.place([vm], host), text, (vm,))


def one_step(value: float) -> float:
    """A round step of about a twentieth of a number: 1, 2, 2.5 or 5 times a power of ten.

    >>> [one_step(value) for value in (200.0, 3000.0, 4100.0, 100_000.0)]
    [10.0, 100.0, 200.0, 5000.0]
    """
    wanted = max(abs(value), 1e-9) / 20.0 * 1.05
    scale = 10.0 ** math.floor(math.log10(wanted))
    return next(scale * each for each in (5.0, 2.5, 2.0, 1.0) if scale * each <= wanted)


MINUS = "\N{MINUS SIGN}"


def is_virtual(host: Host) -> bool:
    return host.hypervisor != NO_HYPERVISOR


def _edited(
    scenario: Scenario, kind: type[ItemT], ids: Sequence[str], change: Callable[[ItemT], ItemT]
) -> Scenario:
    for id in ids:
        scenario = scenario.edit(kind, id, change)
    return scenario


def _within(kind: type, field: str, value: float) -> float:
    """`value`, held to the bounds of its field.

    Raises:
        ModelError: it is out of them.
    """
    limit = bounds_of(kind, field)
    broken = limit.broken(value)
    if broken is not None:
        raise ModelError(broken, field=field)
    return value


def _gib(gib: float, style: Style) -> str:
    decimals = 0 if gib == round(gib) else 1
    return joined(THIN, (signed(gib, decimals, style=style), "GiB"))


def named(scenario: Scenario, ids: Sequence[str], kind: type) -> str:
    """The name of a single item, of several how many there are of their kind."""
    if len(ids) != 1:
        return counted(kind, len(ids))
    return next(item.name for item in scenario.items() if item.id == ids[0])
