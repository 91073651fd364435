"""What restarts do to survivors beside their load: vCPUs per core, network, and memory in use.

CPU, memory and response of a failure are numbers of its table, with intervals. These have limits
that the policy or what there is sets, and are held to them as in normal operation; a host that
passes one without any failure is told of there.
"""

from __future__ import annotations

import numpy as np

from models.failure.failover import Failover
from models.physics import memory
from models.physics.arrays import Arrays
from models.physics.columns import at_each, some
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record
from models.scenario import Policy
from models.texts import Text, say
from models.wording import exact_text, number


@record
class Passed:
    """Survivors that pass a limit which they keep without any failure, in each of m modes.

    Attributes:
        resource: of `predicted.RESOURCES`.
        value: of each survivor, (m, w), as columns of `Failover.members`; `limit` of it.
        which: that do.
    """

    resource: str
    value: FloatArray
    limit: float
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
            "limit": exact_text(self.limit),
        }
        if self.resource == "cpu":
            return say("{who} would run {value} vCPUs per core; the policy allows {limit}", **told)
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

    def beyond(resource: str, now: FloatArray, before: FloatArray, limit: float) -> Passed:
        over = failover.alive & (now > limit * (1 + 1e-9)) & ~(before[at] > limit * (1 + 1e-9))
        return Passed(resource, now, limit, np.asarray(over))

    per_core = after(vcpus, vms.vcpus[landed[0]], landed[1]) / hosts.cores[at]
    found = [beyond("cpu", per_core, vcpus / hosts.cores, policy.vcpus_per_core_limit)]
    standing, of_vms = (np.fmax(each, 0.0) for each in network)
    traffic = after(standing, of_vms[vm], cell) * hosts.pct_of_nics[at]
    before = standing * hosts.pct_of_nics
    found.append(beyond("network", traffic, before, policy.network_limit_pct))
    if policy.memory_overcommit > 1.0:
        gib, used = memory.in_use_gib(arrays), memory.guests_gib(arrays)
        share = after(gib, used[vm], cell) / hosts.ram_gib[at]
        found.append(beyond("ram", share * 100.0, gib / hosts.ram_gib * 100.0, 100.0))
    return tuple(each for each in found if some(each.which))
