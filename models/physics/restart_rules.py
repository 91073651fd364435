"""What binds HA when it restarts VMs elsewhere, as arrays: affinity, reservations, standby hosts.

vSphere HA never breaks a required VM-host rule (*must*): a VM that no surviving host may run stays
down. Preferential rules, VM-VM anti-affinity and dedicated failover hosts are kept where there is
a host with room, and broken where there isn't; HA knows nothing of VM-VM affinity (*together*).

Sources: VMware, vSphere Resource Management (6.7, p. 101): "DRS, vSphere HA, and vSphere DPM never
take any action that results in the violation of required affinity rules"; vSphere Availability
(6.7, pp. 26, 29): failover hosts first, others if they are full; anti-affinity only by an option.
A host that doesn't see the disks of a VM, or can't run it at all, by its logical processors or by
what its release grants a VM, is as if a must-rule kept it away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.physics.columns import some
from models.scenario.places import Places
from models.scenario.scenario import AdmissionPolicy, AffinityKind, Scenario


@record
class RestartRules:
    """Rules over n VMs and h hosts.

    Attributes:
        must, should: allowed and preferred pairs as ``vm · h + host``, sorted.
        bound, drawn: VMs that `must`, `should` speak of, shape (n,).
        apart: VMs of each rule that keeps them on different hosts.
        standing_by: dedicated failover hosts, shape (h,).
        reserved_mhz, reserved_gib: of each VM, without overhead, shape (n,).
    """

    must: IntArray
    should: IntArray
    bound: BoolArray
    drawn: BoolArray
    apart: tuple[IntArray, ...]
    standing_by: BoolArray
    reserved_mhz: FloatArray
    reserved_gib: FloatArray

    @property
    def nowhere(self) -> BoolArray:
        """VMs that must-rules leave no host at all, shape (n,)."""
        hosts = max(len(self.standing_by), 1)
        named = np.bincount(self.must // hosts, minlength=len(self.bound))
        return np.asarray(self.bound & (named == 0))

    @classmethod
    def none(cls, vms: int, hosts: int) -> RestartRules:
        """No rules over as many VMs and hosts."""
        no_pairs, no_vms = np.zeros(0, dtype=np.int64), np.zeros(vms, dtype=np.bool_)
        no_hosts = np.zeros(hosts, dtype=np.bool_)
        nothing = np.zeros(vms)
        return cls(no_pairs, no_pairs, no_vms, no_vms, (), no_hosts, nothing, nothing)

    def copies(self, count: int) -> RestartRules:
        """The rules of as many copies of the scenario side by side."""
        n, h = len(self.bound), len(self.standing_by)
        every = np.arange(count)[:, None]

        def keys(pairs: IntArray) -> IntArray:
            vm, host = np.divmod(pairs, max(h, 1))
            return ((every * n + vm) * count * h + every * h + host).ravel()

        return RestartRules(
            keys(self.must),
            keys(self.should),
            np.tile(self.bound, count),
            np.tile(self.drawn, count),
            tuple(copy * n + vms for vms in self.apart for copy in range(count)),
            np.tile(self.standing_by, count),
            np.tile(self.reserved_mhz, count),
            np.tile(self.reserved_gib, count),
        )

    def allowed(self, vm: IntArray, host: IntArray) -> BoolArray:
        """Whether VMs may run on hosts; the shapes broadcast."""
        return ~self.bound[vm] | _among(self.must, vm * len(self.standing_by) + host)

    def only_on(self, vm: IntArray, host: IntArray, able: BoolArray) -> RestartRules:
        """The same with the VMs `vm`, shape (k,), on no host but those that are able to.

        Args:
            host: hosts to choose from, −1 for none, shape (k, w); `able`: which of them, (k, w).
        """
        hosts = len(self.standing_by)
        able = able & (host >= 0) & self.allowed(vm[:, None], host)
        bound = self.bound.copy()
        bound[vm] = True
        others = np.ones(len(bound), dtype=np.bool_)
        others[vm] = False
        kept = self.must[others[self.must // max(hosts, 1)]]
        must = np.sort(np.concatenate([kept, (vm[:, None] * hosts + host)[able]]))
        return replace(self, must=must, bound=bound)

    def preferred(self, vm: IntArray, host: IntArray) -> BoolArray:
        """Whether VMs should run on hosts, as far as rules say."""
        return ~self.drawn[vm] | _among(self.should, vm * len(self.standing_by) + host)


def restart_rules(
    scenario: Scenario,
    vms: Sequence[str],
    hosts: Sequence[str],
    *,
    mhz: FloatArray,
    gib: FloatArray,
) -> RestartRules | None:
    """The rules of a scenario; None where nothing binds a restart.

    Args:
        vms, hosts: their ids.
        mhz, gib: what VMs reserve, NaN for nothing, (n,).
    """
    standing_by = _standing_by(scenario)
    kinds = {rule.kind for rule in scenario.affinity} - {AffinityKind.TOGETHER}
    overcommitted = scenario.policy.memory_overcommit > 1
    reach = _reach(scenario)
    if not (standing_by or kinds or reach or some(mhz > 0) or (overcommitted and some(gib > 0))):
        return None
    vm_row = {id: row for row, id in enumerate(vms)}
    host_row = {id: row for row, id in enumerate(hosts)}
    must, should = (
        _pairs(scenario, kind, vm_row, host_row)
        for kind in (AffinityKind.MUST_RUN_ON, AffinityKind.SHOULD_RUN_ON)
    )
    for id, seen_by in reach.items():
        if id in vm_row:
            there = {host_row[host] for host in seen_by if host in host_row}
            must[vm_row[id]] = must.get(vm_row[id], there) & there
    apart = [
        np.array([vm_row[id] for id in rule.vms if id in vm_row], dtype=np.int64)
        for rule in scenario.affinity
        if rule.kind is AffinityKind.APART
    ]
    return RestartRules(
        _keys(must, len(hosts)),
        _keys(should, len(hosts)),
        _mask(must, len(vms)),
        _mask(should, len(vms)),
        tuple(apart),
        _mask([host_row[id] for id in standing_by if id in host_row], len(hosts)),
        np.fmax(mhz, 0.0),
        np.fmax(gib, 0.0) if overcommitted else np.zeros(len(vms)),
    )


def _reach(scenario: Scenario) -> dict[str, frozenset[str]]:
    """Hosts of its cluster that see the disks of a VM, of those that some host there doesn't."""
    places = Places.of(scenario)
    if not places.seen_by:
        return {}
    members: dict[str, set[str]] = {}
    for host in scenario.hosts:
        members.setdefault(places.area[host.id][0], set()).add(host.id)
    found = {}
    for vm in scenario.vms:
        seen_by = None if vm.host is None else places.reach(vm)
        if vm.host is None or seen_by is None:
            continue
        here = members[places.area[vm.host][0]]
        if not here <= seen_by:
            found[vm.id] = seen_by & here
    return found


def _standing_by(scenario: Scenario) -> list[str]:
    return [
        host
        for cluster in scenario.clusters
        if cluster.admission.policy is AdmissionPolicy.DEDICATED
        for host in cluster.admission.failover_hosts
    ]


def _pairs(
    scenario: Scenario, kind: AffinityKind, vms: dict[str, int], hosts: dict[str, int]
) -> dict[int, set[int]]:
    """Hosts by VM; of several rules on one VM those that all of them name."""
    found: dict[int, set[int]] = {}
    for rule in scenario.affinity:
        if rule.kind is not kind:
            continue
        named = {hosts[id] for id in rule.hosts if id in hosts}
        for id in rule.vms:
            if id in vms:
                found[vms[id]] = found.get(vms[id], named) & named
    return found


def _keys(pairs: dict[int, set[int]], hosts: int) -> IntArray:
    keys = sorted(vm * hosts + host for vm, there in pairs.items() for host in there)
    return np.array(keys, dtype=np.int64)


def _mask(rows: Iterable[int], count: int) -> BoolArray:
    mask = np.zeros(count, dtype=np.bool_)
    mask[list(rows)] = True
    return mask


def _among(keys: IntArray, wanted: IntArray) -> BoolArray:
    if not len(keys):
        return np.zeros(wanted.shape, dtype=np.bool_)
    at = np.minimum(keys.searchsorted(wanted), len(keys) - 1)
    return np.asarray(keys[at] == wanted)
