"""What restarts do to survivors beside their load: vCPUs per core, network, memory in use, how many
VMs run there, and whether rules keep any of these apart.

CPU, memory and response of a failure are numbers of its table, with intervals. These have limits
that the policy, the hypervisor or what there is sets, and are held to them as in normal operation;
a host that passes one without any failure is told of there.

VMs that a rule keeps apart restart on one host where HA finds no other: it keeps VM-VM rules only
where an advanced option says so (`models.physics.restart_rules` has the source). One more failure
then takes both down, which the rule is there to prevent.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.base.texts import Text, say
from models.failure.failover import Failover
from models.physics import memory
from models.physics.arrays import Arrays
from models.physics.columns import at_each, some
from models.physics.hosts import vcpus_per_core
from models.scenario.scenario import Policy
from models.scenario.wording import exact_text, number

APART = "apart"
"""In place of a resource: VMs of one rule that keeps them apart."""


@record
class Passed:
    """Survivors that pass a limit which they keep without any failure, in each of m modes.

    Attributes:
        resource: of `predicted.RESOURCES`; empty for the number of VMs, `APART` for those of them
            that a rule keeps apart.
        value: of each survivor, (m, w), as columns of `Failover.members`; `limit` of it, (m, w).
        which: that do.
    """

    resource: str
    value: FloatArray
    limit: FloatArray
    which: BoolArray

    def worst(self, rows: IntArray) -> tuple[int, int] | None:
        """Of some modes the one with the survivor furthest over the limit, and its column; None
        where none passes it."""
        which = self.which[rows]
        if not some(which):
            return None
        over = np.where(which, self.value[rows], -np.inf)
        row, column = np.unravel_index(int(over.argmax()), over.shape)
        return int(rows[row]), int(column)

    def words(self, row: int, column: int, who: Text | str) -> Text:
        """What becomes of a survivor, as a clause."""
        told = {
            "who": who,
            "value": number(self.value[row, column], 1),
            "limit": exact_text(float(self.limit[row, column])),
        }
        if self.resource == APART:
            return say(
                "{who} would run {vms} VMs that a rule keeps apart",
                who=who,
                vms=number(self.value[row, column]),
            )
        if not self.resource:
            return say(
                "{who} would run {vms} VMs; its hypervisor grants {limit}",
                who=who,
                vms=number(self.value[row, column]),
                limit=told["limit"],
            )
        if self.resource == "cpu":
            return say("{who} would run {value} vCPUs per core, limit {limit}", **told)
        if self.resource == "network":
            return say("network load of {who} would reach {value} %, limit {limit} %", **told)
        return say("memory in use on {who} would reach {value} % of what it has: it swaps", **told)


def passed(
    arrays: Arrays,
    policy: Policy,
    failover: Failover,
    *,
    vcpus: FloatArray,
    network: tuple[FloatArray, FloatArray],
) -> tuple[Passed, ...]:
    """The limits that any survivor passes in any mode.

    Args:
        vcpus: of hosts, secondaries of Fault Tolerance among them, (h,).
        network: of hosts, (h,), and of VMs, (n,) [Mb/s]; NaN for no data.
    """
    at, hosts, vms = failover.position, arrays.hosts, arrays.vms
    landed = failover.moved_vm[failover.landed], failover.landed_cell
    _, vm, cell = failover.elsewhere

    def after(standing: FloatArray, came: FloatArray, cells: IntArray) -> FloatArray:
        found = standing[at]
        at_each(np.add, found.reshape(1, -1), cells, came[None])
        return found

    def beyond(
        resource: str, now: FloatArray, before: FloatArray, most: float | FloatArray
    ) -> Passed:
        limit = np.broadcast_to(most, len(hosts))[at]
        over = failover.alive & (now > limit * (1 + 1e-9)) & ~(before[at] > limit * (1 + 1e-9))
        return Passed(resource, now, limit, np.asarray(over))

    per_core = vcpus_per_core(after(vcpus, vms.vcpus[landed[0]], landed[1]), hosts.cores[at])
    most = np.minimum(hosts.most_core_vcpus, hosts.most_host_vcpus / hosts.cores)
    most = np.minimum(most, policy.vcpus_per_core_limit)
    found = [beyond("cpu", per_core, vcpus_per_core(vcpus, hosts.cores), most)]
    standing, of_vms = (np.fmax(each, 0.0) for each in network)
    traffic = after(standing, of_vms[vm], cell) * hosts.pct_of_nics[at]
    before = standing * hosts.pct_of_nics
    found.append(beyond("network", traffic, before, policy.network_limit_pct))
    count = arrays.vms_by_host.counts.astype(np.float64)
    running = after(count, np.ones(len(vm)), cell)
    found.append(beyond("", running, count, np.minimum(hosts.most_vms, hosts.most_ha_vms)))
    if policy.memory_overcommit > 1.0:
        gib, used = memory.in_use_gib(arrays), memory.guests_gib(arrays)
        share = after(gib, used[vm], cell) * hosts.pct_of_ram[at]
        found.append(beyond("ram", share, gib * hosts.pct_of_ram, 100.0))
    if (met := meetings(arrays, failover)) is not None:
        found.append(met.passed(failover))
    return tuple(each for each in found if some(each.which))


@record
class Meetings:
    """Survivors on which VMs restart beside others that a rule keeps them apart from, each with one
    such rule, shape (k,).

    Attributes:
        rule: position in `RestartRules.apart`; `cell`: of `Failover.members`, row after row.
        count: VMs of the rule that then run there.
    """

    rule: IntArray
    cell: IntArray
    count: IntArray

    def passed(self, failover: Failover) -> Passed:
        """The same as survivors that pass a limit: of each rule one VM."""
        count = np.zeros(failover.members.shape)
        np.maximum.at(count.reshape(-1), self.cell, self.count)
        return Passed(APART, count, np.ones_like(count), count > 0)


def meetings(arrays: Arrays, failover: Failover) -> Meetings | None:
    """Where restarts bring VMs together that rules keep apart and that were; None for nowhere."""
    binding, vms = arrays.binding, arrays.vms
    if binding is None or not binding.apart:
        return None
    rule = np.repeat(np.arange(len(binding.apart)), [len(each) for each in binding.apart])
    member = np.concatenate(binding.apart)
    home = np.where(arrays.refused, -1, vms.place)[member]
    order = np.argsort(member, kind="stable")
    first, last = (np.searchsorted(member[order], failover.elsewhere[1], side) for side in _SIDES)
    times = last - first
    came = np.repeat(np.arange(len(times)), times)
    if not len(came):
        return None
    nth = np.arange(len(came)) - np.repeat(times.cumsum() - times, times)
    entry = order[first[came] + nth]
    cell, hosts = failover.elsewhere[2][came], len(arrays.hosts)
    keys, group = np.unique(rule[entry] * failover.members.size + cell, return_inverse=True)
    of_rule, at = np.divmod(keys, failover.members.size)
    there = of_rule * hosts + failover.members.ravel()[at]
    standing = np.sort((rule * hosts + home)[home >= 0])
    stood = np.subtract(*(np.searchsorted(standing, there, side) for side in reversed(_SIDES)))
    count = np.bincount(group, minlength=len(keys)) + stood
    lowest, highest = np.full(len(keys), hosts), np.full(len(keys), -1)
    np.minimum.at(lowest, group, home[entry])
    np.maximum.at(highest, group, home[entry])
    met = (count > 1) & ((stood > 0) | (lowest < highest))
    return Meetings(of_rule[met], at[met], count[met]) if some(met) else None


_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
