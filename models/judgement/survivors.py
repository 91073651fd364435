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

from models.base.quantities import FloatArray, IntArray
from models.base.record import record
from models.base.texts import Text, say
from models.failure.failover import Failover
from models.physics import memory
from models.physics.arrays import Arrays
from models.physics.columns import some
from models.physics.hosts import vcpus_per_core
from models.scenario.scenario import Policy
from models.scenario.wording import exact_text, number

APART = "apart"
"""In place of a resource: VMs of one rule that keeps them apart."""


@record
class Passed:
    """Survivors that pass a limit which they keep without any failure, a row a mode and host, (c,).

    Attributes:
        resource: of `predicted.RESOURCES`; empty for the number of VMs, `APART` for those of them
            that a rule keeps apart.
        mode, column: in which mode, and which column of `Failover.members`.
        value: of it; `limit` of that.
    """

    resource: str
    mode: IntArray
    column: IntArray
    value: FloatArray
    limit: FloatArray

    @classmethod
    def at(
        cls,
        resource: str,
        failover: Failover,
        cell: IntArray,
        value: FloatArray,
        limit: FloatArray,
    ) -> Passed:
        """At cells of `Failover.members`, in order."""
        mode, column = np.divmod(cell, max(failover.members.shape[1], 1))
        return cls(resource, mode, column, value, limit)

    def worst(self, rows: IntArray) -> int | None:
        """In some modes the survivor furthest over the limit, as a row; None where none passes
        it."""
        there = np.isin(self.mode, rows).nonzero()[0]
        return int(there[self.value[there].argmax()]) if len(there) else None

    def words(self, row: int, who: Text | str) -> Text:
        """What becomes of a survivor, as a clause."""
        told = {
            "who": who,
            "value": number(self.value[row], 1),
            "limit": exact_text(float(self.limit[row])),
        }
        if self.resource == APART:
            return say(
                "{who} would run {vms} VMs that a rule keeps apart",
                who=who,
                vms=number(self.value[row]),
            )
        if not self.resource:
            return say(
                "{who} would run {vms} VMs; its hypervisor grants {limit}",
                who=who,
                vms=number(self.value[row]),
                limit=told["limit"],
            )
        if self.resource == "cpu":
            return say("{who} would run {value} vCPUs per core, limit {limit}", **told)
        if self.resource == "network":
            return say("network load of {who} would reach {value} %, limit {limit} %", **told)
        return say("memory in use on {who} would reach {value} % of what it has: it swaps", **told)


def passed(arrays: Arrays, policy: Policy, failover: Failover) -> tuple[Passed, ...]:
    """The limits that any survivor passes in any mode; only one that VMs come to can."""
    hosts, at, before = arrays.hosts, failover.crowded_hosts, failover.loads.sums
    after = failover.sums_of_crowded("vcpus", "traffic", "primaries")

    def beyond(
        resource: str, now: FloatArray, stood: FloatArray, most: float | FloatArray
    ) -> Passed:
        limit = np.broadcast_to(most, len(hosts))[at]
        over = (now > limit * (1 + 1e-9)) & ~(stood[at] > limit * (1 + 1e-9))
        return Passed.at(resource, failover, failover.crowded[over], now[over], limit[over])

    per_core = vcpus_per_core(after["vcpus"], hosts.cores[at])
    most = np.minimum(hosts.most_core_vcpus, hosts.most_host_vcpus / hosts.cores)
    most = np.minimum(most, policy.vcpus_per_core_limit)
    found = [beyond("cpu", per_core, vcpus_per_core(before["vcpus"], hosts.cores), most)]
    traffic = after["traffic"][0] * hosts.pct_of_nics[at]
    stood = before["traffic"][0] * hosts.pct_of_nics
    found.append(beyond("network", traffic, stood, policy.network_limit_pct))
    most = np.minimum(hosts.most_vms, hosts.most_ha_vms)
    found.append(beyond("", after["primaries"], before["primaries"], most))
    if policy.memory_overcommit > 1.0:
        gib, used = memory.in_use_gib(arrays), memory.guests_gib(arrays)
        came = np.bincount(failover.crowd_of, used[failover.elsewhere[1]], len(at))
        share = (gib[at] + came) * hosts.pct_of_ram[at]
        found.append(beyond("ram", share, gib * hosts.pct_of_ram, 100.0))
    if (met := meetings(arrays, failover)) is not None:
        found.append(met.passed(failover))
    return tuple(each for each in found if len(each.mode))


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
        cells, at = np.unique(self.cell, return_inverse=True)
        count = np.zeros(len(cells))
        np.maximum.at(count, at, self.count)
        return Passed.at(APART, failover, cells, count, np.ones(len(cells)))


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
