"""Every host after a move that is still being dragged: one calculation for all of them.

While VMs are carried, people look at all hosts at once: where would they do least harm? Sums per
host answer that without predicting the scenario once for each host: what stays on a host, plus what
the moved VMs ask of a machine of its kind. The figures are those that `evaluate` gives for the host
the VMs are dropped on, which the tests hold it to; responses, pools and failures are not among
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.catalog.catalog import Catalog
from models.catalog.placement import Placement, reasons
from models.evidence.knowledge import Knowledge
from models.failure.failover import HostLoads
from models.failure.fault_tolerance import ft_secondaries
from models.physics import cpu, memory
from models.physics.arrays import PHYSICAL_MODE, VMFS, Arrays, VmArrays
from models.physics.columns import sum_by
from models.physics.estimates import NoSources
from models.physics.host_columns import HostArrays
from models.physics.host_sums import Asked, known_cores, unfounded_vcpus
from models.physics.hosts import in_use_gib, vcpus_per_core
from models.physics.inputs_of_formulas import Inputs
from models.physics.sametime import vouching
from models.predict.demands import VmStage, demands_of, vm_stage
from models.scenario.places import Places
from models.scenario.scenario import Policy, Scenario, Vm
from models.stages import host_stage

MORE = 0.005
"""By so much of its limit one host must have more headroom than another to be called better."""


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """What hosts carry; value, low and high end stand in rows, NaN is no data.

    Attributes:
        cpu_pct: of the cores, shape (3, h); the high end takes unknown VMs at their vCPUs.
            `judged_high_pct`: that end as verdicts look at it, (h,).
        ram_pct: of the memory, shape (h,); `ram_limit_pct` as `memory.limit_pct` has it.
            `network_pct`: of the ports, shape (3, h).
        vcpus_per_core: shape (h,).
        asked_pct: CPU with unknown VMs at their vCPUs, the most they can take, shape (h,).
        unknown, unknown_network: VMs whose CPU, or whose network, has no data, shape (h,).
    """

    cpu_pct: FloatArray
    judged_high_pct: FloatArray
    ram_pct: FloatArray
    ram_limit_pct: FloatArray
    network_pct: FloatArray
    vcpus_per_core: FloatArray
    asked_pct: FloatArray
    unknown: FloatArray
    unknown_network: FloatArray

    def headroom(self, policy: Policy) -> FloatArray:
        """What is left of the scarcest resource, as a share of its limit, shape (h,).

        Negative where a limit is passed; a resource without data or limit has no say.
        """
        loads = np.array(
            [
                _over(self.asked_pct * policy.peak_factor_cpu, policy.cpu_limit_pct),
                self.ram_pct / self.ram_limit_pct,
                _over(self.vcpus_per_core, policy.vcpus_per_core_limit),
                _over(self.network_pct[0], policy.network_limit_pct),
            ]
        )
        left: FloatArray = 1.0 - np.fmax.reduce(loads)
        return left


def _over(value: FloatArray, limit: float) -> FloatArray:
    return value / limit if limit > 0 else np.full(len(value), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MovePreview:
    """What would become of each host, in the order of the scenario.

    Attributes:
        ids: of the hosts, (h,).
        there: each host with the moved VMs dropped on it, and on no other.
        left: each host with the moved VMs gone from it.
        is_home: hosts on which all of the moved VMs stand already, (h,).
        refused: why a host can't take them, by id; hosts that can are not in it.
        unseen: those of them that don't see the disks of the VMs.
        headroom: of `there`, (h,).
        roomiest: id of the host that keeps the most headroom; None when none can take them.
        best: the same where there is a choice and it keeps more than every other; else None.
        is_assumed: of the moved VMs that run, the load of one is assumed.
    """

    ids: tuple[str, ...]
    there: Carried
    left: Carried
    is_home: BoolArray
    refused: dict[str, str]
    unseen: frozenset[str]
    headroom: FloatArray
    roomiest: str | None
    best: str | None
    is_assumed: bool = False


def move_preview(scenario: Scenario, knowledge: Knowledge, vms: Collection[str]) -> MovePreview:
    """What each host would carry if these VMs were dropped on it.

    The best host is the one that keeps the most headroom of its scarcest resource: of CPU at the
    policy's peak, RAM, vCPUs per core and network, each over its limit, the highest counts; that
    of the roomiest host is lowest. VMs whose CPU has no data count at their vCPUs, the most they
    can take. Hosts that refuse them, and the one they all come from, are left out; of equals the
    first one is the roomiest, and none is best.

    Raises:
        ModelError: an id that the scenario doesn't have, or one that leads nowhere.
    """
    moved = [scenario.vm(id) for id in dict.fromkeys(vms)]
    stage = demands_of(scenario, knowledge, NoSources())
    arrays, policy = stage.inputs.arrays, scenario.policy
    move = Move.of(stage, policy, {vm.id for vm in moved}, knowledge)
    refused = dict(_refusals(scenario, knowledge.catalog, moved))
    there, left = (
        _carried(sums, stage.inputs, scenario.policy) for sums in (move.there(), move.left())
    )
    headroom = there.headroom(policy)
    home = _home(arrays, move.rows)
    possible = ~home & ~np.isin(arrays.hosts.ids, list(refused)) & ~np.isnan(headroom)
    first, is_best = _roomiest(headroom, possible)
    roomiest = None if first is None else arrays.hosts.ids[first]
    return MovePreview(
        ids=arrays.hosts.ids,
        there=there,
        left=left,
        is_home=home,
        refused=refused,
        unseen=frozenset(_unseen(scenario, moved)),
        headroom=headroom,
        roomiest=roomiest,
        best=roomiest if is_best else None,
        is_assumed=bool((arrays.vms.powered_on & arrays.vms.load_assumed)[move.rows].any()),
    )


def _roomiest(headroom: FloatArray, possible: BoolArray) -> tuple[int | None, bool]:
    """The possible host with the most headroom, and whether it is more than any other has."""
    if not possible.any():
        return None, False
    ranked = np.where(possible, headroom, -np.inf)
    first = int(ranked.argmax())
    others = np.delete(ranked, first)
    second = float(others.max()) if len(others) else -np.inf
    return first, bool(np.isfinite(second) and ranked[first] - second > MORE)


def _home(arrays: Arrays, rows: IntArray) -> BoolArray:
    """The host on which all of the moved VMs stand."""
    home = np.zeros(len(arrays.hosts), dtype=np.bool_)
    hosts = np.unique(arrays.vms.host[rows])
    if len(hosts) == 1 and hosts[0] >= 0:
        home[hosts] = True
    return home


def _refusals(scenario: Scenario, catalog: Catalog, moved: list[Vm]) -> Iterator[tuple[str, str]]:
    """Hosts that can't take the VMs, and the first reason."""
    standing: dict[str | None, list[Vm]] = {}
    for vm in scenario.vms:
        standing.setdefault(vm.host, []).append(vm)
    for host in scenario.hosts:
        coming = tuple(vm for vm in moved if vm.host != host.id)
        placement = Placement(
            scenario=scenario,
            host=host,
            server=catalog.servers.get(host.server),
            hypervisor=catalog.hypervisors.get(host.hypervisor),
            moved=coming,
            staying=tuple(standing.get(host.id, ())),
        )
        reason = next(reasons(placement), None) if coming else None
        if reason is not None:
            yield host.id, reason


def _unseen(scenario: Scenario, moved: list[Vm]) -> Iterator[str]:
    """Hosts that don't see all disks of the VMs that would come."""
    places = Places.of(scenario)
    for host in scenario.hosts if places.seen_by else ():
        if any(vm.host != host.id and places.unseen(vm, host.id) for vm in moved):
            yield host.id


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """VMs being dragged above the hosts.

    Attributes:
        rows: of the moved VMs, (k,).
        asked: what every VM asks for where it stands, (n,); `place` where that is.
        kind_of_host: kind of server and hypervisor of each host, (h,).
        on_kinds: what the moved VMs ask of each kind, one kind after the other, (kinds·k,).
        loads: of the hosts as they stand, for the room that FT secondaries find.
    """

    arrays: Arrays
    rows: IntArray
    asked: Asked
    place: IntArray
    kind_of_host: IntArray
    on_kinds: Asked
    loads: HostLoads

    @classmethod
    def of(cls, stage: VmStage, policy: Policy, ids: set[str], knowledge: Knowledge) -> Move:
        arrays = stage.inputs.arrays
        rows = np.flatnonzero([id in ids for id in arrays.vms.ids])
        kinds, kind_of_host = _kinds(arrays.hosts)
        copies = _on_each(arrays, rows, kinds)
        there = vm_stage(copies, policy.derating, knowledge, NoSources())
        asked, on_kinds = Asked.of(stage, whole=True), Asked.of(there, whole=True)
        # Whether multiplexers are enough is asked of all VMs, not of these copies.
        vouched = asked["unvouched_vcpus"] < asked["blind_vcpus"]
        again = np.tile(vouched[rows], len(kinds))
        on_kinds.put("unvouched_vcpus", np.where(again, 0.0, on_kinds["blind_vcpus"]))
        loads = host_stage(stage, policy).loads
        return cls(arrays, rows, asked, arrays.vms.place, kind_of_host, on_kinds, loads)

    def left(self) -> Asked:
        """Sums per host without the moved VMs, (h,)."""
        place = self._staying()
        sums = self.asked.on(place, len(self.arrays.hosts))
        if not self._some_protected():
            return sums
        host = np.where(place < 0, -1, self.arrays.vms.host)
        return sums + self._secondaries(host, self.asked)

    def there(self) -> Asked:
        """Sums per host with all moved VMs on it, (h,)."""
        count, kinds = len(self.arrays.hosts), int(self.kind_of_host.max(initial=-1)) + 1
        on = self.arrays.vms.powered_on[self.rows]
        kind = np.where(np.tile(on, kinds), np.arange(kinds).repeat(len(on)), -1)
        added = self.on_kinds.on(kind, kinds).figures[:, self.kind_of_host]
        sums = self.asked.on(self._staying(), count) + Asked(added)
        if not self._some_protected():
            return sums
        doubled = [self._secondaries_with(host).figures[:, host] for host in range(count)]
        return sums + Asked(np.array(doubled).T)

    def _staying(self) -> IntArray:
        place = self.place.copy()
        place[self.rows] = -1
        return place

    def _some_protected(self) -> bool:
        vms = self.arrays.vms
        return bool((vms.fault_tolerance & vms.powered_on).any())

    def _secondaries_with(self, host: int) -> Asked:
        """What FT secondaries add to each host when the moved VMs are on `host`."""
        place, moved = self.arrays.vms.host.copy(), np.arange(len(self.rows))
        place[self.rows] = host
        asked = self.asked.figures.copy()
        asked[:, self.rows] = self.on_kinds.figures[:, moved + self.kind_of_host[host] * len(moved)]
        return self._secondaries(place, Asked(asked))

    def _secondaries(self, host: IntArray, asked: Asked) -> Asked:
        """What FT secondaries add to each host with the VMs on these hosts."""
        arrays = self.arrays
        vms = replace(arrays.vms, host=host, at=arrays.hosts.of_vms(host))
        standing = replace(arrays, vms=vms)
        guests = sum_by(vms.place, asked["ram_gib"], len(arrays.hosts))
        ram = in_use_gib(guests, arrays.hosts.console_gib)
        loads = replace(self.loads, on=asked["ram_gib"].reshape(1, 1, -1), ram_gib=ram)
        protected = vms.fault_tolerance & vms.running & (vms.vcpus <= vms.at.ft_max_vcpus)
        protected &= ~standing.refused
        return asked.again(ft_secondaries(standing, loads, protected), len(arrays.hosts))


def _kinds(hosts: HostArrays) -> tuple[IntArray, IntArray]:
    """One host of each kind of server and hypervisor, and the kind of each host."""
    code = hosts.server * max(len(hosts.hypervisors), 1) + hosts.hypervisor
    _, first, kind = np.unique(code, return_index=True, return_inverse=True)
    return first, kind


def _on_each(arrays: Arrays, rows: IntArray, hosts: IntArray) -> Arrays:
    """The VMs `rows` on each of these hosts; disks go along as `Scenario.place` has it."""
    at = hosts.repeat(len(rows))
    taken = np.tile(rows, len(hosts))
    mode = arrays.vms.mode[taken]
    virtual = np.where(mode == PHYSICAL_MODE, VMFS, mode)
    mode = np.where(arrays.hosts.physical[at], PHYSICAL_MODE, virtual)
    vms: VmArrays = arrays.vms.taken(
        taken,
        host=at,
        at=arrays.hosts.of_vms(at),
        mode=mode,
        ranks=np.arange(len(taken)),
    )
    return replace(arrays, vms=vms)


def _carried(sums: Asked, inputs: Inputs, policy: Policy) -> Carried:
    hosts, unfounded = inputs.arrays.hosts, unfounded_vcpus(sums, vouching(inputs))
    high = judged_end(sums["cpu"][0], sums["cpu"][2], policy.posture.share)
    judged_high = cpu.judged_high(high, unfounded, policy.peak_factor_cpu)
    network, unheard = sums["traffic"].copy(), sums["unheard"]
    network[:, (unheard > 0) & (unheard == sums["primaries"])] = np.nan
    to_pct = hosts.pct_of_cores
    ram_pct = in_use_gib(sums["ram_gib"], hosts.console_gib) * hosts.pct_of_ram
    return Carried(
        cpu_pct=known_cores(sums) * to_pct,
        judged_high_pct=judged_high * to_pct,
        ram_pct=ram_pct,
        ram_limit_pct=memory.limit_pct(hosts, ram_pct, policy.memory_overcommit),
        network_pct=network * hosts.pct_of_nics,
        vcpus_per_core=vcpus_per_core(sums["vcpus"], hosts.cores),
        asked_pct=(sums["cpu"][0] + sums["blind_vcpus"]) * to_pct,
        unknown=sums["blind"],
        unknown_network=unheard,
    )
