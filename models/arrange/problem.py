"""A scenario as a problem of placement: what must stand together, what each host takes, as arrays.

What is placed are *units*: a VM, the VMs that a rule keeps together, or the secondary of a
fault-tolerant VM, which loads its host like the VM itself. Where a unit may stand is asked of
`models/catalog/placement.py`, what it asks of a host of `models/predict/demands.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.catalog.catalog import Catalog
from models.catalog.placement import PHYSICAL, Placement, reasons
from models.evidence.knowledge import Knowledge
from models.failure.standalone_hosts import hosts_to_survive
from models.physics.estimates import NoSources
from models.predict.demands import demands_of
from models.scenario.places import Across, Places, all_back, as_it_runs
from models.scenario.scenario import AffinityKind, Host, Scenario, Vm
from models.stages import host_stage

RAM, CPU, COUNT, PROTECTED, VCPUS = range(5)
"""What hosts have limits for; the first two are load, the others configuration maximums."""
NOWHERE = -1
LEAST = 1e-9
"""Limit of what takes nothing, by which shares can be had."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What is to be placed on h hosts: u units, r limits, k kinds of machine.

    Attributes:
        units: ids of the VMs of each unit; of a secondary its VM's, where `shadow` holds.
        mirrored: units that go on in secondaries and restart nowhere, (u,).
        home: where each unit stands, −1 for nowhere, (u,).
        fixed: units that stay where they are, (u,).
        weight: VMs that move with a unit; 0 for secondaries, (u,).
        need: memory [GiB], busy cores, VMs, protected VMs and vCPUs asked, (r, k, u).
        kind: of each host, (h,); `limit`: what a host takes, infinite for no limit, (r, h).
        allowed: hosts on which a unit may stand, (u, h).
        apart: pairs of units that may not share a host, (a, 2).
        cluster: of each host, −1 for none, (h,); `survive`: hosts whose loss is to be survived by
            restarts, (h,).
    """

    scenario: Scenario
    units: tuple[tuple[str, ...], ...]
    shadow: BoolArray
    mirrored: BoolArray
    home: IntArray
    fixed: BoolArray
    weight: IntArray
    need: FloatArray
    kind: IntArray
    limit: FloatArray
    allowed: BoolArray
    apart: IntArray
    cluster: IntArray
    survive: BoolArray

    @property
    def split(self) -> bool:
        """Whether VMs that should be one unit stand on several hosts."""
        standing = {vm.id for vm in self.scenario.vms if vm.host is not None}
        lost = np.flatnonzero((self.home < 0) & ~self.shadow).tolist()
        return any(id in standing for row in lost for id in self.units[row])

    def needs_on(self, host: int) -> FloatArray:
        """What every unit asks of this host, (r, u)."""
        found: FloatArray = self.need[:, self.kind[host]]
        return found

    def loads(self, place: IntArray) -> FloatArray:
        """What the hosts carry, (r, h)."""
        there = np.flatnonzero(place >= 0)
        hosts = place[there]
        asked = self.need[:, self.kind[hosts], there]
        count = self.limit.shape[1]
        rows = [np.bincount(hosts, row, minlength=count) for row in asked]
        return np.array(rows, dtype=np.float64)

    def peak(self, place: IntArray) -> float:
        """Largest load of memory or CPU on any host, as a share of its limit."""
        shares = self.loads(place)[: CPU + 1] / self.limit[: CPU + 1]
        return float(shares.max(initial=0.0))

    def moves(self, place: IntArray) -> int:
        """VMs that stand elsewhere than at home."""
        return int(self.weight[place != self.home].sum())

    def over(self, place: IntArray) -> IntArray:
        """Units that their host has no room for: of a host over a limit the fewest whose leaving
        brings it under, those first that ask most of what it is over."""
        loads = self.loads(place)
        excess = loads > self.limit * (1 + 1e-9)
        found: list[int] = []
        for host in np.flatnonzero(excess.any(axis=0)).tolist():
            here = np.flatnonzero(place == host)
            asked = self.needs_on(host)[:, here] / self.limit[:, [host]]
            over = loads[:, host] / self.limit[:, host] - 1.0
            left = np.ones(len(here), dtype=np.bool_)
            while left.any() and (over > 1e-9).any():
                row = int(np.where(left, asked[over > 1e-9].max(axis=0), -1.0).argmax())
                found.append(int(here[row]))
                left[row] = False
                over -= asked[:, row]
        return np.array(found, dtype=np.int64)

    def misplaced(self, place: IntArray) -> IntArray:
        """Units on a host that may not take them, and of a pair to be kept apart the second."""
        bad = np.zeros(len(place), dtype=np.bool_)
        there = np.flatnonzero(place >= 0)  # None of them where there are no hosts.
        bad[there] = ~self.allowed[there, place[there]]
        one, two = place[self.apart.T]
        bad[self.apart[(one >= 0) & (one == two), 1]] = True
        return np.flatnonzero(bad & ~self.fixed)

    def without_room(self, place: IntArray) -> int:
        """VMs that have no host, or stand where rules, the platform or its limits have no room."""
        without = place < 0
        without[self.over(place)] = without[self.misplaced(place)] = True
        return int(self.weight[without].sum())


def problem_of(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    one_by_one: bool = False,
    across: Across = Across.NOTHING,
) -> Problem:
    """The running VMs of a scenario, and the hosts with a hypervisor for them.

    VMs that a rule keeps together but that stand apart are nowhere, as one unit to be placed;
    `one_by_one`: every VM is a unit, which stands where it stands. VMs go no further than `across`
    says, and only where their disks are seen.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has.
    """
    scenario = as_it_runs(scenario)
    running = [vm for vm in scenario.vms if vm.powered_on]
    alone: list[tuple[str, ...]] = [(vm.id,) for vm in running]
    groups = alone if one_by_one else _groups(scenario, running)
    protected: list[tuple[str, ...]] = [(vm.id,) for vm in running if vm.fault_tolerance]
    units = (*groups, *protected)
    shadow = np.arange(len(units)) >= len(groups)
    unit_of: dict[str, int] = {id: row for row, unit in enumerate(groups) for id in unit}
    by_id = {vm.id: vm for vm in running}
    stage = demands_of(scenario, knowledge, NoSources())
    arrays = stage.inputs.arrays
    hosts = host_stage(stage, scenario.policy)
    home = np.array(
        [
            arrays.hosts.row_of.get(by_id[unit[0]].host or "", NOWHERE)
            if len({by_id[id].host for id in unit}) == 1
            else NOWHERE
            for unit in units
        ],
        dtype=np.int64,
    )
    second = dict(zip(arrays.vms.ids, hosts.secondary.tolist(), strict=True))
    home[shadow] = [second[unit[0]] for unit in protected]
    kinds, kind = _kinds(scenario.hosts)
    need = _needs(scenario, knowledge, units, kinds)
    members = [[by_id[id] for id in unit] for unit in units]
    return Problem(
        scenario=scenario,
        units=units,
        shadow=shadow,
        mirrored=np.array([all(by_id[id].fault_tolerance for id in unit) for unit in units], bool),
        home=home,
        fixed=_fixed(scenario, members, home) & ~shadow,
        weight=np.where(shadow, 0, [len(unit) for unit in units]).astype(np.int64),
        need=need,
        kind=kind,
        limit=_limits(scenario, knowledge.catalog, hosts.loads.limits, arrays.hosts.console_gib),
        allowed=_allowed(scenario, knowledge.catalog, members, across),
        apart=_apart(scenario, running, unit_of, protected, len(groups)),
        cluster=arrays.hosts.cluster,
        survive=hosts_to_survive(scenario, arrays) & (arrays.hosts.cluster >= 0),
    )


def placed(problem: Problem, place: IntArray) -> Scenario:
    """The scenario with all VMs where a placement has them."""
    hosts = problem.scenario.hosts
    return problem.scenario.place_each(
        {
            id: hosts[place[row]].id
            for row in np.flatnonzero(
                ~problem.shadow & (place != problem.home) & (place >= 0)
            ).tolist()
            for id in problem.units[row]
        }
    )


def with_secondaries(problem: Problem, place: IntArray, knowledge: Knowledge) -> IntArray:
    """A placement with secondaries where they will run when the VMs stand there, (u,)."""
    scenario = placed(problem, place)
    stage = demands_of(scenario, knowledge, NoSources())
    chosen = host_stage(stage, scenario.policy).secondary.tolist()
    second = dict(zip(stage.inputs.arrays.vms.ids, chosen, strict=True))
    found = place.copy()
    for row in np.flatnonzero(problem.shadow).tolist():
        found[row] = second[problem.units[row][0]]
    return found


def _fixed(scenario: Scenario, units: list[list[Vm]], home: IntArray) -> BoolArray:
    """Units of which a VM is pinned to its host, or that stand on a physical server."""
    pinned = [any("host" in vm.pins and vm.host for vm in unit) for unit in units]
    physical = np.array([host.hypervisor == PHYSICAL for host in scenario.hosts] + [False])
    return np.asarray(np.array(pinned, dtype=np.bool_) | physical[home])


def _groups(scenario: Scenario, running: list[Vm]) -> list[tuple[str, ...]]:
    """VMs that rules keep together as one, if they stand together or nowhere; else one by one."""
    home = {vm.id: vm.host for vm in running}
    pinned = {vm.id for vm in running if "host" in vm.pins and vm.host}
    group_of: dict[str, list[str]] = {id: [id] for id in home}
    for rule in scenario.affinity:
        if rule.kind is not AffinityKind.TOGETHER:
            continue
        joined = list(dict.fromkeys(m for id in rule.vms if id in home for m in group_of[id]))
        if len({home[id] for id in joined}) == 1 or not pinned & set(joined):
            for id in joined:
                group_of[id] = joined
    return list(dict.fromkeys(tuple(group_of[id]) for id in home))


def _kinds(hosts: tuple[Host, ...]) -> tuple[list[Host], IntArray]:
    """A host of each kind of machine and hypervisor, and the kind of each host."""
    first: dict[tuple[str, str], int] = {}
    kind = [first.setdefault((host.server, host.hypervisor), len(first)) for host in hosts]
    found = [hosts[kind.index(number)] for number in range(len(first))]
    return found, np.array(kind, dtype=np.int64)


def _needs(
    scenario: Scenario,
    knowledge: Knowledge,
    units: tuple[tuple[str, ...], ...],
    kinds: list[Host],
) -> FloatArray:
    row_of = {vm.id: row for row, vm in enumerate(scenario.vms)}
    vms = [row_of[id] for unit in units for id in unit]
    unit = np.repeat(np.arange(len(units)), [len(each) for each in units])
    share = scenario.policy.posture.share
    need = np.zeros((VCPUS + 1, len(kinds), len(units)))
    protected = np.array([vm.fault_tolerance for vm in scenario.vms], dtype=np.float64)
    scenario = all_back(scenario)
    for number, host in enumerate(kinds):
        stands = {vm.host for vm in scenario.vms if vm.powered_on} == {host.id}
        there = (
            scenario
            if stands
            else scenario.place_each({vm.id: host.id for vm in scenario.vms if vm.powered_on})
        )
        asked = demands_of(there, knowledge, NoSources()).of_host
        cores = judged_end(asked["cpu"][0], asked["cpu"][2], share)
        rows = (asked["ram_gib"], cores, asked["vms"], protected, asked["vcpus"])
        for resource, row in enumerate(rows):
            need[resource, number] = np.bincount(unit, row[vms], minlength=len(units))
    return need


def _limits(
    scenario: Scenario, catalog: Catalog, loads: FloatArray, console: FloatArray
) -> FloatArray:
    limit = np.full((VCPUS + 1, len(scenario.hosts)), np.inf)
    limit[RAM], limit[CPU] = np.maximum(loads[0] - console, LEAST), np.maximum(loads[1], LEAST)
    for row, host in enumerate(scenario.hosts):
        if host.in_maintenance:
            limit[:, row] = LEAST
            continue
        release = catalog.hypervisors[host.hypervisor]
        if host.hypervisor == PHYSICAL:
            limit[COUNT, row] = 1
            continue
        for resource, most in (
            (COUNT, release.max_vms_per_host),
            (PROTECTED, release.ft_max_vms_per_host),
            (VCPUS, release.max_vcpus_per_host),
        ):
            if most is not None:
                limit[resource, row] = most
    return limit


def _allowed(
    scenario: Scenario, catalog: Catalog, units: list[list[Vm]], across: Across
) -> BoolArray:
    """Where the platform lets each unit stand alone; alike VMs and alike hosts are asked once."""
    hosts = scenario.hosts
    kinds: dict[object, int] = {}
    kind = np.array(
        [
            kinds.setdefault(
                (h.server, h.hypervisor, h.ram_gib, h.ft_logging_gbps, h.in_maintenance), len(kinds)
            )
            for h in hosts
        ],
        dtype=np.int64,
    )
    first = [hosts[int(np.argmax(kind == number))] for number in range(len(kinds))]
    bare = replace(scenario, affinity=(), pools=())
    known = dict[object, BoolArray]()

    def may(vm: Vm) -> BoolArray:
        key = (vm.vcpus, vm.ram_gib, vm.guest_bits, vm.fault_tolerance)
        if key not in known:
            known[key] = np.array([_may(bare, catalog, vm, host) for host in first])[kind]
        return known[key]

    bound: dict[str, BoolArray] = {}
    for rule in scenario.affinity:
        if rule.kind is AffinityKind.MUST_RUN_ON:
            there = np.array([host.id in rule.hosts for host in hosts], dtype=np.bool_)
            bound.update({id: bound.get(id, True) & there for id in rule.vms})
    found = np.ones((len(units), len(hosts)), dtype=np.bool_)
    near = _near(scenario, across)
    if len(hosts):
        for row, unit in enumerate(units):
            for vm in unit:
                found[row] &= may(vm) & near(vm) & bound.get(vm.id, True)
    return found


def _near(scenario: Scenario, across: Across) -> Callable[[Vm], BoolArray]:
    """Hosts that see the disks of a VM, and stand no further from where it is than was asked; VMs
    of the same pools and cluster are asked for once."""
    places, known = Places.of(scenario), dict[object, BoolArray]()
    ids = [host.id for host in scenario.hosts]

    def near(vm: Vm) -> BoolArray:
        area = None if vm.host is None else places.area[vm.host]
        key = (vm.pool, vm.log_pool, area)
        if key not in known:
            known[key] = np.array([places.may_go(vm, id, across) for id in ids], dtype=np.bool_)
        return known[key]

    return near


def _may(scenario: Scenario, catalog: Catalog, vm: Vm, host: Host) -> bool:
    alone = Placement(
        scenario=scenario,
        host=host,
        server=catalog.servers.get(host.server),
        hypervisor=catalog.hypervisors.get(host.hypervisor),
        moved=(vm,),
        staying=(),
    )
    return host.hypervisor != PHYSICAL and next(reasons(alone), None) is None


def _apart(
    scenario: Scenario,
    running: list[Vm],
    unit_of: dict[str, int],
    protected: list[tuple[str, ...]],
    first: int,
) -> IntArray:
    """Pairs kept apart: by rules, as Domino partners, and a VM and its secondary."""
    pairs: set[tuple[int, int]] = set()

    def keep(ids: Iterable[str]) -> None:
        rows = sorted({unit_of[id] for id in ids if id in unit_of})
        pairs.update((one, two) for at, one in enumerate(rows) for two in rows[at + 1 :])

    for rule in scenario.affinity:
        if rule.kind is AffinityKind.APART:
            keep(rule.vms)
    for vm in running:
        for partner in vm.cluster_partners:
            keep((vm.id, partner))
    pairs.update((unit_of[unit[0]], first + row) for row, unit in enumerate(protected))
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
