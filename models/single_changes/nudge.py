"""Nudges: six knobs that change a design by a step, on what is selected or on what binds.

A knob knows which items it turns, what they have now, and how large a step is. What it turns is
taken from the selection, else from what decides the verdict, else it is all there is of its kind;
from a VM it finds its host and pool, from a host or pool their VMs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from models.base.errors import ModelError
from models.base.texts import joined, say
from models.catalog.catalog import Catalog
from models.predict.prediction import Prediction
from models.scenario.scenario import Host, Pool, Scenario, Vm
from models.scenario.wording import ENGLISH, THIN, Style, counted, number
from models.single_changes import changes
from models.single_changes.changes import Change


class Knob(StrEnum):
    """What can be turned."""

    HOSTS = "hosts"
    VCPUS = "vcpus"
    HOST_RAM = "host_ram"
    DRIVES = "drives"
    USERS = "users"
    VM_RAM = "vm_ram"


TITLES = {
    Knob.HOSTS: say("Hosts"),
    Knob.VCPUS: "vCPUs",
    Knob.HOST_RAM: say("Host RAM"),
    Knob.DRIVES: say("Drives"),
    Knob.USERS: say("Users"),
    Knob.VM_RAM: say("VM RAM"),
}
HOST_STEP_GIB = ((64.0, 8.0), (256.0, 16.0), (1024.0, 32.0))
"""Steps of a host's memory, up to these sizes; 64 GiB above."""

VM_STEP_GIB = ((4.0, 0.5), (32.0, 1.0), (128.0, 4.0))


@dataclass(frozen=True, slots=True)
class Aim:
    """What a knob would turn now: ids of the items, and the words for them and their value.

    `note`: which of the hosts that it counts it adds and takes away, where that is not all.
    """

    knob: Knob
    ids: tuple[str, ...]
    who: str
    value: str
    note: str = ""


def aim(
    scenario: Scenario,
    prediction: Prediction | None,
    selected: Iterable[str],
    knob: Knob,
    *,
    style: Style = ENGLISH,
) -> Aim:
    """What a knob turns, by the selection or by what binds; no ids where there is nothing."""
    binding = prediction.binding if prediction is not None else None
    sources = [tuple(selected), (binding.subject,) if binding is not None else ()]
    related = (_related(scenario, chosen, knob) for chosen in sources)
    ids = next(filter(None, related), tuple(item.id for item in _all(scenario, knob)))
    who, value = _who(scenario, ids, knob), _value(scenario, ids, knob, style)
    return Aim(knob, ids, who, value, _note(scenario, ids) if knob is Knob.HOSTS else "")


def turned(
    scenario: Scenario,
    catalog: Catalog,
    knob: Knob,
    ids: Sequence[str],
    steps: int,
    *,
    earlier: Sequence[Scenario] = (),
    style: Style = ENGLISH,
) -> Change:
    """The scenario with a knob turned by so many steps, up or down.

    Args:
        earlier: the designs between which nudges alone led here, oldest first. A host that one of
            them took away comes back with its VMs before another one is added.

    Raises:
        ModelError: it can't be turned so far.
    """
    if not ids:
        raise ModelError(say("there is nothing that has {what}", what=TITLES[knob].lower()))
    if knob is Knob.HOSTS:
        return _hosts(scenario, catalog, ids, steps, earlier)
    if knob is Knob.VCPUS:
        return changes.vcpus(scenario, ids, steps, style=style)
    if knob is Knob.HOST_RAM:
        gib = _ram_moved(scenario.host(ids[0]).ram_gib, steps, HOST_STEP_GIB, 64.0)
        return changes.host_ram(scenario, ids, gib, style=style)
    if knob is Knob.VM_RAM:
        gib = _ram_moved(scenario.vm(ids[0]).ram_gib, steps, VM_STEP_GIB, 8.0)
        return changes.vm_ram(scenario, ids, gib, style=style)
    if knob is Knob.DRIVES:
        pair = any(scenario.pool(id).raid in _PAIRED for id in ids)
        return changes.drives(scenario, ids, steps * (2 if pair else 1), style=style)
    most = max(scenario.vm(id).workload.active_users for id in ids)
    step = max(changes.one_step(most or 2000.0), 1.0)
    return changes.users(scenario, ids, step * steps, style=style)


_PAIRED = frozenset({"1", "10"})


def _hosts(
    scenario: Scenario,
    catalog: Catalog,
    ids: Sequence[str],
    steps: int,
    earlier: Sequence[Scenario],
) -> Change:
    """Hosts one after the other; the words are those of all of them."""
    change = Change(scenario, "", ())
    for _ in range(abs(steps)):
        if steps > 0:
            each = _put_back(change.scenario, ids[-1], earlier)
            each = each or changes.add_host(change.scenario, ids[-1])
        else:
            among = _siblings(change.scenario, scenario.host(ids[-1]))
            each = changes.remove_host(change.scenario, catalog, among)
        change = Change(each.scenario, each.text, (*change.subjects, *each.subjects))
    if abs(steps) > 1:
        sign = "+" if steps > 0 else changes.MINUS
        return Change(change.scenario, sign + counted(Host, abs(steps)), change.subjects)
    return change


def _put_back(scenario: Scenario, like: str, earlier: Sequence[Scenario]) -> Change | None:
    """The host of the kind of `like` that was taken away last, with the VMs that stood on it."""
    there = {host.id for host in scenario.hosts}
    kind = _kind(scenario.host(like))
    for before in reversed(earlier):
        gone = [host for host in before.hosts if host.id not in there and _kind(host) == kind]
        if gone:
            after, name = _with_host_of(scenario, before, gone[-1].id), gone[-1].name
            text, ram_gib = say("+1 host, {name}", name=name), after.host(gone[-1].id).ram_gib
            if ram_gib != gone[-1].ram_gib:
                decimals = 0 if ram_gib == round(ram_gib) else 1
                gib = joined(THIN, (number(ram_gib, decimals), "GiB"))
                text = say("+1 host, {name} with {gib} RAM", name=name, gib=gib)
            return Change(after, text, (gone[-1].id,))
    return None


def _with_host_of(scenario: Scenario, before: Scenario, id: str) -> Scenario:
    """The scenario with a host as it was `before`: where it stood in the list, with its VMs, and
    with what clusters, rules and waivers say of it, which no nudge changes."""
    now = {host.id: host for host in scenario.hosts}
    was = {vm.id: vm for vm in before.vms if vm.host == id}
    known = before.without([h.id for h in before.hosts if h.id != id and h.id not in now])
    stood = {host.id for host in known.hosts}
    return replace(
        scenario,
        clusters=known.clusters,
        hosts=(
            *(now.get(host.id) or _grown(host, scenario, before) for host in known.hosts),
            *(host for host in scenario.hosts if host.id not in stood),
        ),
        vms=tuple(_as_placed(vm, was[vm.id]) if vm.id in was else vm for vm in scenario.vms),
        affinity=known.affinity,
        waivers=known.waivers,
    )


def _grown(host: Host, scenario: Scenario, before: Scenario) -> Host:
    """A host that comes back: with the memory that its like have by now, if all had its own."""
    had, have = (
        [each for each in of.hosts if _kind(each) == _kind(host)] for of in (before, scenario)
    )
    if any(len({each.ram_gib for each in like}) != 1 for like in (had, have)):
        return host
    origins = [(path, origin) for path, origin in host.origins if path != "ram_gib"]
    origins += [(path, origin) for path, origin in have[-1].origins if path == "ram_gib"]
    return replace(host, ram_gib=have[-1].ram_gib, origins=tuple(sorted(origins)))


def _as_placed(vm: Vm, was: Vm) -> Vm:
    """The VM on the host and disks of another state of it, with what was said of their origin."""
    kept = [(path, origin) for path, origin in vm.origins if path not in _PLACE]
    said = [(path, origin) for path, origin in was.origins if path in _PLACE]
    origins = tuple(sorted([*kept, *said]))
    return replace(vm, host=was.host, disk_mode=was.disk_mode, origins=origins)


_PLACE = frozenset({"host", "disk_mode"})


def _kind(host: Host) -> tuple[str | None, str, str]:
    return host.cluster, host.server, host.hypervisor


def _siblings(scenario: Scenario, host: Host) -> list[str]:
    """Hosts of the same cluster and kind, itself among them while it is there."""
    return [each.id for each in scenario.hosts if _kind(each) == _kind(host)]


def _ram_moved(
    gib: float, steps: int, sizes: Sequence[tuple[float, float]], largest: float
) -> float:
    """By how much `steps` move a size, each to the next multiple of the step there.

    >>> _ram_moved(60.0, 2, HOST_STEP_GIB, 64.0), _ram_moved(16.0, -1, HOST_STEP_GIB, 64.0)
    (20.0, -8.0)
    """
    now = gib
    for _ in range(abs(steps)):
        below = now if steps > 0 else now - 1e-9
        step = next((step for size, step in sizes if below < size), largest)
        now = (now // step + 1) * step if steps > 0 else (-(-now // step) - 1) * step
    return now - gib


# --- what a knob turns ------------------------------------------------------------------------


def _all(scenario: Scenario, knob: Knob) -> tuple[Host | Pool | Vm, ...]:
    if knob in (Knob.HOSTS, Knob.HOST_RAM):
        return scenario.hosts
    if knob is Knob.DRIVES:
        return scenario.pools
    if knob is Knob.USERS:
        return tuple(vm for vm in scenario.vms if vm.workload.kind.has_users)
    return scenario.vms


def _related(scenario: Scenario, ids: Sequence[str], knob: Knob) -> tuple[str, ...]:
    """The items that a knob turns among `ids`, else those that stand in relation to them."""
    candidates = _all(scenario, knob)
    wanted = set(ids)
    direct = tuple(item.id for item in candidates if item.id in wanted)
    if direct or not wanted:
        return direct
    if knob in (Knob.HOSTS, Knob.HOST_RAM):
        near = _hosts_of(scenario, wanted)
    elif knob is Knob.DRIVES:
        near = _pools_of(scenario, wanted)
    else:
        near = _vms_of(scenario, wanted)
    return tuple(item.id for item in candidates if item.id in near)


def _hosts_of(scenario: Scenario, ids: set[str]) -> set[str]:
    of_vms = {vm.host for vm in scenario.vms if vm.id in ids and vm.host is not None}
    of_clusters = {host.id for host in scenario.hosts if host.cluster in ids}
    return of_vms | of_clusters


def _pools_of(scenario: Scenario, ids: set[str]) -> set[str]:
    hosts = ids | _hosts_of(scenario, ids)
    there = (vm for vm in scenario.vms if vm.id in ids or vm.host in hosts)
    return {vm.pool for vm in there if vm.pool is not None}


def _vms_of(scenario: Scenario, ids: set[str]) -> set[str]:
    hosts = ids | _hosts_of(scenario, ids & {cluster.id for cluster in scenario.clusters})
    return {vm.id for vm in scenario.vms if vm.host in hosts or vm.pool in ids}


def _who(scenario: Scenario, ids: Sequence[str], knob: Knob) -> str:
    if not ids:
        return ""
    if knob is Knob.HOSTS:
        host = scenario.host(ids[-1])
        return "" if host.cluster is None else scenario.cluster(host.cluster).name
    return changes.named(scenario, ids, {Knob.HOST_RAM: Host, Knob.DRIVES: Pool}.get(knob, Vm))


def _value(scenario: Scenario, ids: Sequence[str], knob: Knob, style: Style) -> str:
    """What they have: the common figure, or the span of several."""
    if not ids:
        return ""
    if knob is Knob.HOSTS:
        return number(len(_counted(scenario, ids)), style=style)
    chosen = set(ids)
    figures = sorted({_figure(item, knob) for item in _all(scenario, knob) if item.id in chosen})
    decimals = 0 if all(f == round(f) for f in figures) else 1
    ends = dict.fromkeys(number(f, decimals, style=style) for f in (figures[0], figures[-1]))
    text = "\N{EN DASH}".join(ends)
    return f"{text}{THIN}GiB" if knob in (Knob.HOST_RAM, Knob.VM_RAM) else text


def _counted(scenario: Scenario, ids: Sequence[str]) -> tuple[Host, ...]:
    """All hosts of the cluster; of one that stands alone all there are."""
    cluster = scenario.host(ids[-1]).cluster
    return tuple(host for host in scenario.hosts if cluster in (None, host.cluster))


def _note(scenario: Scenario, ids: Sequence[str]) -> str:
    if not ids:
        return ""
    host = scenario.host(ids[-1])
    alike = len(_siblings(scenario, host))
    if alike == len(_counted(scenario, ids)):
        return ""
    return say("It adds and takes away hosts like {name} ({count}).", name=host.name, count=alike)


def _figure(item: Host | Pool | Vm, knob: Knob) -> float:
    if isinstance(item, Pool):
        return item.spindles
    if isinstance(item, Host) or knob is Knob.VM_RAM:
        return item.ram_gib
    return item.vcpus if knob is Knob.VCPUS else item.workload.active_users
