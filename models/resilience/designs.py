"""Three ways to keep Domino available, side by side: HA alone, a Domino cluster, or both.

Each is worked out in normal operation and for every host that fails. With HA the VM starts
elsewhere; with a Domino cluster its users go to the partners and the VM stays down; with both the
users go over at once and the VM comes back without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from models.base.quantities import NO_DATA, Basis, FloatArray, Quantity
from models.base.rounding import ranked
from models.base.texts import Text, say
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.failure.restart_time import Downtime
from models.host_loss import lose_host
from models.judgement.judging_inputs import Evaluated
from models.judgement.resources import Resources
from models.physics.arrays import Arrays
from models.physics.columns import some
from models.physics.estimates import Estimate, Sources
from models.physics.people import with_users_moved
from models.physics.scenario_to_arrays import to_arrays
from models.physics.storage import mail_gib
from models.predict.demands import demands_of, vm_stage
from models.predict.prediction import Shown, Verdict
from models.resilience.no_host_lost import everyday, highest, worst_quantity
from models.scenario.scenario import Policy, RestartPriority, Scenario, Vm
from models.stages import Undisturbed, undisturbed, without_failures


class Design(StrEnum):
    """How Domino servers are kept available."""

    HA = "HA alone"
    CLUSTER = "Domino cluster"
    BOTH = "both"

    @property
    def label(self) -> Text:
        return _DESIGNS[self]


_DESIGNS = {
    Design.HA: say("HA alone"),
    Design.CLUSTER: say("Domino cluster"),
    Design.BOTH: say("both"),
}


DOWNTIME: Mapping[Design, Downtime] = {
    Design.HA: Downtime.MINUTES,
    Design.CLUSTER: Downtime.SECONDS,
    Design.BOTH: Downtime.NONE,
}
"""When a host dies: HA restarts "in minutes"; clients of a cluster open the replica; "using this
combination can eliminate downtime and vulnerability completely during server hardware failure"."""

MAINTENANCE: Mapping[Design, Downtime] = {
    Design.HA: Downtime.MINUTES,
    Design.CLUSTER: Downtime.SECONDS,
    Design.BOTH: Downtime.SECONDS,
}
"""When guest or Domino are patched: HA "is not application-aware and cannot be used as a failover
mechanism to provide capabilities such as no-downtime OS and application patching"."""

SOURCE = "Virtualizing IBM Lotus Domino 8.5.1 on VMware vSphere 4, “VMware HA Test”"

MOST_HOSTS = 40
"""Hosts up to which the designs are worked out: every one of their failures is a scenario."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """The resource that decides a verdict: the worst judged, then the highest over its limit.

    Attributes:
        resource: as in `predicted.PREDICTED`; `subject`: of which VM, host or pool; `quantity`: its
            number at peak, with `limit` in the same unit.
    """

    resource: str
    subject: str
    quantity: Quantity
    limit: float
    verdict: Verdict

    @property
    def load(self) -> float:
        """Number over limit."""
        return (self.quantity.value or 0.0) / self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where the worst host, VM and pool stand, and which limit they are nearest to, or over.

    `verdict` is what `evaluate` makes of the resources; `refused` a VM that can't be powered on,
    which then decides, empty for none. `is_assumed`: loads of what runs are.
    """

    cpu_pct: Quantity
    ram_pct: Quantity
    response_ms: Quantity
    disk_pct: Quantity
    network_pct: Quantity
    verdict: Verdict
    deciding: Deciding | None
    refused: str = ""
    is_assumed: bool = False

    @property
    def shown(self) -> Shown:
        """The verdict as it is shown."""
        return Shown.of(self.verdict, is_assumed=self.is_assumed)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignRow:
    """One way to be available.

    Attributes:
        scenario: as it was worked out, with the cluster partners that were made up.
        downtime: of users when a host dies, *until repaired* where some have no server then;
            `patching`: when guest or server are patched.
        normal, worst: in normal operation, and with the host gone that is worst for the resource
            nearest its limit, which is `worst_host` (empty: no host has Domino servers).
        without_server: users without a server after that loss.
        replica_gib: mail files held a second time, at the planning horizon.
    """

    design: Design
    scenario: Scenario
    downtime: Downtime
    patching: Downtime
    normal: Standing
    worst: Standing
    worst_host: str
    without_server: float
    replica_gib: float

    @property
    def verdict(self) -> Verdict:
        """The worse one of normal operation and the worst loss."""
        return max(self.normal.verdict, self.worst.verdict)

    @property
    def shown(self) -> Shown:
        """The verdict as it is shown."""
        return Shown.of(self.verdict, is_assumed=self.normal.is_assumed)

    @property
    def deciding(self) -> Standing:
        """The standing that decides: of equal verdicts the one nearer to its limit. That a VM can't
        be powered on is no loss's doing."""
        if self.normal.refused:
            return self.normal
        return max(self.worst, self.normal, key=_nearness)


def compare_designs(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    check: Callable[[], None] = lambda: None,
) -> tuple[DesignRow, ...]:
    """HA alone, a Domino cluster alone, and both. Empty without Domino servers that run.

    Servers without partners are paired: each with the next one on another host. Partners keep what
    their law costs: the vSphere 4 paper's cluster run, or family C's factors.

    Args:
        check: called before every loss of a host; may raise to give up.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    world = _World(knowledge, check)
    if not any(_is_mail(vm) for vm in scenario.vms):
        return ()
    clustered = paired(scenario)
    variants = {
        Design.HA: without_partners(scenario),
        Design.CLUSTER: _not_restarted(clustered),
        Design.BOTH: clustered,
    }
    return tuple(_row(design, given, world) for design, given in variants.items())


def without_partners(scenario: Scenario) -> Scenario:
    """The scenario with every Domino server on its own."""
    return replace(scenario, vms=tuple(replace(vm, cluster_partners=()) for vm in scenario.vms))


def paired(scenario: Scenario) -> Scenario:
    """The scenario with a partner for every Domino server that has none, on another host.

    As many pairs as there can be. In order of hosts, each takes the nearest in users of those that
    are left elsewhere: on the host that has half of them or more, where one has. One that is left
    over joins the last of the smallest groups. Servers that have partners keep them.
    """
    single = [vm for vm in scenario.vms if _is_mail(vm) and not vm.cluster_partners]
    groups: list[list[Vm]] = []
    while single:
        (host, most), *_ = Counter(vm.host for vm in single).most_common(1)
        is_half = 2 * most >= len(single)
        first = single.pop(0)
        others = [vm for vm in single if vm.host != first.host]
        if is_half and host != first.host:
            others = [vm for vm in others if vm.host == host]
        if others:
            users = first.workload.active_users
            best = min(others, key=lambda vm: (abs(vm.workload.active_users - users), vm.id))
            single.remove(best)
            groups.append([first, best])
        elif groups:
            min(reversed(groups), key=len).append(first)
    partners = {
        vm.id: tuple(other.id for other in group if other.id != vm.id)
        for group in groups
        for vm in group
    }
    return replace(
        scenario,
        vms=tuple(
            replace(vm, cluster_partners=partners.get(vm.id, vm.cluster_partners))
            for vm in scenario.vms
        ),
    )


def _is_mail(vm: Vm) -> bool:
    return vm.workload.kind.is_domino and vm.powered_on and vm.host is not None


def _not_restarted(scenario: Scenario) -> Scenario:
    """Members of Domino clusters stay down when their host dies."""
    disabled = RestartPriority.DISABLED
    return replace(
        scenario,
        vms=tuple(
            replace(vm, restart_priority=disabled) if vm.cluster_partners else vm
            for vm in scenario.vms
        ),
    )


@dataclass(frozen=True, slots=True)
class _World:
    knowledge: Knowledge
    check: Callable[[], None]

    def normal(self, scenario: Scenario) -> Undisturbed:
        vm = demands_of(scenario, self.knowledge)
        return undisturbed(vm, scenario.policy)

    def serving(self, arrays: Arrays, policy: Policy) -> Undisturbed:
        vm = vm_stage(arrays, policy.derating, self.knowledge, Sources())
        return undisturbed(vm, policy)


def _row(design: Design, scenario: Scenario, world: _World) -> DesignRow:
    before = world.normal(scenario)
    normal, arrays = _standing(before), before.vm.inputs.arrays
    started = {arrays.vms.ids[row] for row in np.flatnonzero(arrays.started).tolist()}
    worst, host, lost = normal, "", 0.0
    for id, left, without in _failures(scenario, started, world):
        standing = _standing(world.serving(left, scenario.policy))
        if not host or _rank(standing, without) > _rank(worst, lost):
            worst, host, lost = standing, id, without
    if lost > 0:
        worst = replace(worst, verdict=Verdict.DOES_NOT_FIT)
    return DesignRow(
        design=design,
        scenario=scenario,
        downtime=Downtime.REPAIR if lost > 0 else DOWNTIME[design],
        patching=MAINTENANCE[design],
        normal=normal,
        worst=worst,
        worst_host=host,
        without_server=lost,
        replica_gib=_replica_gib(scenario, world.knowledge.catalog),
    )


def _failures(
    scenario: Scenario, started: Collection[str], world: _World
) -> Iterator[tuple[str, Arrays, float]]:
    """Every host with Domino servers gone: its id, what is left, and users without a server."""
    for host in scenario.hosts:
        there = [vm for vm in scenario.vms if vm.host == host.id and _is_mail(vm)]
        if not there:
            continue
        world.check()
        loss = lose_host(scenario, world.knowledge, host.id)
        moved = {vm.id for vm in there if vm.cluster_partners}
        arrays = to_arrays(loss.scenario, world.knowledge.catalog)
        left, without = moved_users(arrays, scenario, moved, started)
        down = {*started} & {*loss.down} - moved
        without += sum(vm.workload.active_users for vm in there if vm.id in down)
        yield host.id, left, without


def moved_users(
    left: Arrays, before: Scenario, lost: Collection[str], started: Collection[str]
) -> tuple[Arrays, float]:
    """The users of the servers `lost` on their partners that stood elsewhere and run, equally, with
    all that goes with them [users]: users/heirs to each (`people.with_users_moved`).

    Valid for clients that choose among the heirs alike. Source: docs/failures.md, “Domino
    clusters”.

    Args:
        left: what stands after the loss; `started`: ids of the VMs that ran `before`: no other
            takes users over.

    Returns:
        What is left with them, and the users who had a server and have nowhere to go.

    One of three members with 1,200 users each is lost:

    >>> from tests.models.worlds import CATALOG, members
    >>> three = members(3, 1200.0)
    >>> left, homeless = moved_users(to_arrays(three, CATALOG), three, {"m1"}, {"m1", "m2", "m3"})
    >>> left.vms.active_users.tolist(), homeless
    ([0.0, 1800.0, 1800.0], 0.0)
    """
    vms, homeless = left.vms, 0.0
    running = vms.powered_on & np.array([id in started and id not in lost for id in vms.ids])
    for id in sorted(lost):
        partners = before.vm(id).cluster_partners
        heirs = running & np.array([other in partners for other in vms.ids])
        if not some(heirs) and id in started:
            homeless += before.vm(id).workload.active_users
        vms = with_users_moved(vms, np.array([vms.row_of[id]]), heirs[None])
    return replace(left, vms=vms), homeless


def _nearness(standing: Standing) -> tuple[Verdict, float]:
    return standing.verdict, ranked(standing.deciding.load) if standing.deciding else 0.0


def _rank(standing: Standing, without: float) -> tuple[bool, Verdict, float]:
    """Which loss is worst: where users have no server, then by verdict and nearest limit."""
    return without > 0, *_nearness(standing)


def _standing(normal: Undisturbed) -> Standing:
    numbers, sources = without_failures(normal), normal.vm.inputs.sources
    columns = everyday(normal, numbers, 1)

    def worst(ends: FloatArray, estimate: Estimate, row: int) -> Quantity:
        return worst_quantity(ends, estimate, row, sources)

    responses = normal.responses.estimate
    cpu = worst(columns.cpu_pct[:3, 0], normal.host.cores_busy, int(columns.cpu_host[0]))
    ram = NO_DATA
    if not np.isnan(percent := float(columns.ram_pct[0])):
        ram = Quantity(percent, percent, percent, Basis.RULE)
    response = worst(columns.response_ms[:, 0], responses, highest(responses.value))
    disk = worst(columns.disk_pct[:, 0], normal.pool.utilisation_pct, int(columns.pool[0]))
    network, busiest = _network_pct(normal)
    arrays = normal.vm.inputs.arrays
    refused = [arrays.vms.ids[row] for row in np.flatnonzero(arrays.refused).tolist()]
    return Standing(
        cpu_pct=replace(cpu, unknown=int(columns.unknown[0, 0])),
        ram_pct=ram,
        response_ms=response,
        disk_pct=replace(disk, unknown=int(columns.unknown[1, 0])),
        network_pct=worst(network, normal.host.network, busiest),
        verdict=Verdict(int(columns.codes[0])),
        deciding=_deciding(numbers),
        refused=min(refused, default=""),
        is_assumed=some(arrays.vms.running & arrays.vms.load_assumed),
    )


def _deciding(e: Evaluated) -> Deciding | None:
    """The resource that decides normal operation, None where nothing is known."""
    resources = Resources.of(e)
    behind = (
        e.asked_cores.series(e.inputs.sources),
        e.vms.response_ms,
        e.hosts.cpu_pct,
        e.hosts.ram_pct,
        e.hosts.network_pct,
        e.pools.utilisation_pct,
        e.pools.capacity_pct,
    )
    known = [
        (each, series)
        for each, series in zip(resources.normal, behind, strict=True)
        if each.greatest_load is not None
    ]
    if not known:
        return None
    first, series = max(known, key=lambda each: each[0].rank)
    found = first.worst()
    assert found is not None, "something is known of it"
    value = found.binding.value
    quantity = series[first.ids.index(found.binding.subject)]
    low = (quantity.low or 0.0) * (value / quantity.value if quantity.value else 1.0)
    return Deciding(
        resource=first.resource,
        subject=found.binding.subject,
        quantity=replace(
            quantity, value=value, low=low, high=max(found.high, value), measured=None
        ),
        limit=found.binding.limit,
        verdict=found.verdict,
    )


def _network_pct(normal: Undisturbed) -> tuple[FloatArray, int]:
    """Load of the busiest host's network with ends [%], (3,), and that host; −1 for none."""
    hosts, traffic = normal.vm.inputs.arrays.hosts, normal.host.network
    speed = np.where(hosts.nic_mbps > 0, hosts.nic_mbps, np.nan)
    pct = np.where(traffic.known, 100.0 * traffic.ends / speed, np.nan)
    busiest = highest(pct[0])
    return (np.full(3, np.nan) if busiest < 0 else np.asarray(pct[:, busiest])), busiest


def _replica_gib(scenario: Scenario, catalog: Catalog) -> float:
    """Mail files that partners hold a second time, at the planning horizon."""
    vms = to_arrays(scenario, catalog).vms
    if vms.replicas is None:
        return 0.0
    return float(vms.replicas.received(mail_gib(vms, scenario.policy.mail_growth_pct)).sum())
