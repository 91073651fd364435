"""Rules about where VMs may restart, whichever host the search takes for them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.judgement.rulebook import Context, advice, number, rule
from models.physics.columns import some
from models.prediction import Finding
from models.quantities import FloatArray
from models.texts import say

HA_PLACEMENT = "VMware, vSphere Availability 6.0, VM restart priority: unreserved capacity"


def some_mixed_cluster(context: Context) -> bool:
    """A cluster has several kinds of machines."""
    return len(context.numbers.failures.inputs.places.kinds) > 1


@rule("restart-slower", when=some_mixed_cluster)
def restart_slower(context: Context) -> Iterator[Finding]:
    """A slower host on which a VM may restart and ask for too much of its vCPUs.

    Failures speak of the host that the search finds; HA looks for room there, not for clocks.
    """
    numbers, arrays = context.numbers, context.inputs.arrays
    inputs, policy, vms = numbers.failures.inputs, numbers.policy, arrays.vms
    own = 100.0 * policy.peak_factor_cpu * inputs.places.asked[0] / vms.vcpus
    limit, of_host, failover = policy.cpu_limit_pct, inputs.places.of_host, inputs.failover
    vm, lands_on = failover.moved_vm[failover.landed], failover.members.take(failover.landed_cell)
    there = own[of_host[lands_on], vm]
    of_cluster = inputs.places.in_clusters[arrays.hosts.cluster[lands_on]]
    slow = (limit < own[:, vm].T) & of_cluster
    calm = (own[0, vm] <= limit) & (there <= limit) & slow.any(axis=1)
    for row, home in zip(vm[calm].tolist(), lands_on[calm].tolist(), strict=True):
        slowest = _slowest(context, row, home, own[:, row])
        if slowest is None:
            continue
        host, restarting = context.scenario.hosts[slowest], context.scenario.vms[row]
        yield advice(
            "restart-slower",
            restarting,
            say(
                "{vm} may restart on {host}, where it would ask for {pct} % of its vCPUs, limit "
                "{limit} %: HA looks for room, not for speed.",
                vm=restarting.name,
                host=host.name,
                pct=number(own[of_host[slowest], row]),
                limit=number(limit),
            ),
            say("Keep it off that host by a rule, or give it more vCPUs."),
            HA_PLACEMENT,
        )


def _slowest(context: Context, vm: int, lands_on: int, own: FloatArray) -> int | None:
    """Of the hosts of its cluster that may take a VM the one where it asks for most of its vCPUs,
    more than the limit; None for none.

    Args:
        lands_on: host that the search finds for it.
        own: what it asks for on each kind of host [% of its vCPUs].
    """
    inputs, arrays = context.numbers.failures.inputs, context.inputs.arrays
    hosts, policy = arrays.hosts, context.numbers.policy
    home = int(arrays.vms.host[vm])
    there = hosts.members[hosts.cluster[home]]
    there = there[(there >= 0) & (there != home)]
    kind = inputs.places.of_host[there]
    may = (own[kind] > policy.cpu_limit_pct) & (
        inputs.places.ram_gib[kind, vm] <= hosts.ram_gib[there] * policy.memory_overcommit
    )
    if (rules := arrays.binding) is not None:
        may &= rules.allowed(np.array(vm), there)
        may &= ~(rules.reserved_mhz[vm] > hosts.cores[there] * hosts.base_mhz[there])
        if rules.standing_by[lands_on]:
            may &= rules.standing_by[there]
    if not some(may):
        return None
    return int(there[np.where(may, own[kind], -np.inf).argmax()])
