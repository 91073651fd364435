"""Rules about where VMs may stand and restart: affinity rules, and hosts that are slower."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.base.texts import Text, joined, say
from models.failure.failover import blocks
from models.failure.restarting import DISLIKED, SLACK_GIB, Bindings
from models.judgement.rulebook import (
    SURVIVED,
    Context,
    Found,
    advice,
    error,
    names,
    rule,
    some_affinity,
    warning,
)
from models.judgement.survivors import meetings
from models.physics.cpu import of_vcpus_pct
from models.scenario.affinity import contradictions, not_kept, rule_text
from models.scenario.scenario import AffinityKind
from models.scenario.wording import exact_text, judged_quantity, value_text

CONFLICTS = "VMware, vSphere Resource Management 6.7, “Using affinity rules”: conflicting rules"


@rule(
    "affinity-contradictory", say("Affinity rules that contradict each other"), when=some_affinity
)
def affinity_contradictory(context: Context) -> Iterator[Found]:
    scenario = context.scenario
    by_id = {vm.id: vm for vm in scenario.vms}
    for found in contradictions(scenario):
        vms = [by_id[id] for id in found.vms if id in by_id]
        if not vms:
            continue
        said = [joined("", ("“", rule_text(scenario, each), "”")) for each in found.rules]
        yield error(
            min(vms, key=lambda vm: vm.id),
            say(
                "{names}: the rules {rules} contradict each other, and no placement keeps them",
                names=names([vm.name for vm in vms]),
                rules=joined(say(" and "), said),
            ),
            say("Drop one of these rules, or change it."),
            CONFLICTS,
        )


@rule("affinity-broken", say("Affinity rule broken"), when=some_affinity)
def affinity_broken(context: Context) -> Iterator[Found]:
    by_id = {vm.id: vm for vm in context.scenario.vms}
    for affinity in not_kept(context.scenario):
        placed = [by_id[id] for id in affinity.vms if id in by_id and by_id[id].host]
        make = advice if affinity.kind is AffinityKind.SHOULD_RUN_ON else warning
        yield make(
            placed[0],
            say(
                "{names}: the rule “{value}” is not kept",
                names=names([vm.name for vm in placed]),
                value=affinity.kind.label,
            ),
            say("Move them as the rule says, or drop the rule."),
            "VMware, vSphere Resource Management 6.7, “Using affinity rules”",
        )


HA_APART = (
    "VMware, vSphere Availability 6.5, “vSphere HA and DRS Affinity Rules”: HA keeps VMs apart "
    "only where an advanced option says so"
)


@rule(
    "restart-together",
    say("Kept apart, restarted on one host"),
    when=some_affinity,
    unweighed=SURVIVED,
)
def restart_together(context: Context) -> Iterator[Found]:
    """Rules that keep VMs apart and that restarts after the loss of one host break: of each rule
    the first such loss."""
    failover, arrays = context.numbers.failures.inputs.failover, context.inputs.arrays
    met, binding = meetings(arrays, failover), arrays.binding
    if met is None or binding is None:
        return
    mode, _ = np.divmod(met.cell, failover.members.shape[1])
    for number in np.unique(met.rule).tolist():
        at = int((met.rule == number).argmax())
        vms = [context.scenario.vms[row] for row in binding.apart[number].tolist()]
        there = context.scenario.hosts[int(failover.members.ravel()[met.cell[at]])]
        gone = context.scenario.hosts[int(failover.failed[mode[at]])]
        yield warning(
            min(vms, key=lambda vm: vm.id),
            say(
                "{names} are to be kept apart; with {gone} lost HA restarts {count} of them on "
                "{host}",
                names=names([vm.name for vm in vms]),
                gone=gone.name,
                count=int(met.count[at]),
                host=there.name,
            ),
            say("Add a host to their cluster, or make room on one that runs none of them."),
            HA_APART,
        )


HA_PLACEMENT = "VMware, vSphere Availability 6.0, VM restart priority: unreserved capacity"


@rule("restart-slower", say("Restart on a slower host"), unweighed=SURVIVED)
def restart_slower(context: Context) -> Iterator[Found]:
    """Slower hosts on which a VM may restart and ask for too much of its vCPUs.

    Failures speak of the host that the search finds; HA looks for room there, not for clocks.
    """
    numbers, arrays = context.numbers, context.inputs.arrays
    inputs, policy, vms = numbers.failures.inputs, numbers.policy, arrays.vms
    own, highest = of_vcpus_pct(inputs.places.asked[::2], vms.vcpus) * policy.peak_factor_cpu
    limit, of_host, failover = policy.cpu_limit_pct, inputs.places.of_host, inputs.failover
    vm, lands_on = failover.moved_vm[failover.landed], failover.members.take(failover.landed_cell)
    there = own[of_host[lands_on], vm]
    of_cluster = inputs.places.in_clusters[arrays.hosts.cluster[lands_on]]
    slow = (limit < own[:, vm].T) & of_cluster
    calm = (own[0, vm] <= limit) & (there <= limit) & slow.any(axis=1)
    moved = failover.landed[calm]
    for part in blocks(len(moved), failover.members.shape[1]):
        yield from _slower(context, _Restarts.of(context, moved[part]), own, highest)


def _slower(
    context: Context, restarts: _Restarts, own: FloatArray, highest: FloatArray
) -> Iterator[Found]:
    """Args: own, highest: what VMs ask of their vCPUs on each kind of host [%], (k, n)."""
    of_host = context.numbers.failures.inputs.places.of_host
    limit = context.numbers.policy.cpu_limit_pct
    asked = own[of_host[restarts.members], restarts.vm[:, None]]
    asked_high = highest[of_host[restarts.members], restarts.vm[:, None]]
    too_much: BoolArray = restarts.may_take & (asked > limit)
    for row in np.flatnonzero(too_much.any(axis=1)).tolist():
        pct, high = asked[row, too_much[row]], asked_high[row, too_much[row]]
        hosts = restarts.members[row, too_much[row]].tolist()
        restarting = context.scenario.vms[restarts.vm[row]]
        called = names([context.scenario.hosts[host].name for host in hosts])
        values = {
            "vm": restarting.name,
            "hosts": called,
            "pct": _most(pct, high, limit),
            "limit": exact_text(limit),
        }
        alike = pct.min() == pct.max()
        yield advice(
            restarting,
            say(
                "{vm} may restart on {hosts}, where it would ask for {pct} % of its vCPUs, limit "
                "{limit} %: HA looks for room, not for speed",
                **values,
            )
            if alike
            else say(
                "{vm} may restart on {hosts}, where it would ask for up to {pct} % of its vCPUs, "
                "limit {limit} %: HA looks for room, not for speed",
                **values,
            ),
            _keep_off(called, only_must=bool(restarts.against_wishes[row])),
            HA_PLACEMENT,
        )


def _most(pct: FloatArray, high: FloatArray, limit: float) -> str:
    """The highest of these loads [% of vCPUs], in the digits that a failure gives it."""
    most = int(pct.argmax())
    value = float(pct[most])
    return value_text(judged_quantity(value, value, float(high[most])), limit=limit)


def _keep_off(hosts: str, *, only_must: bool) -> Text:
    if only_must:
        return say("Keep it off {hosts} by a must-rule, or give it more vCPUs.", hosts=hosts)
    return say("Keep it off {hosts} by a rule, or give it more vCPUs.", hosts=hosts)


@record
class _Restarts:
    """VMs that restart, and the survivors that may take each, shape (k,) and (k, w).

    Attributes:
        members: hosts of its cluster, −1 beyond the last.
        may_take: those with room beside what stands there already, which rules let it run on and
            that have no more against them than the one that the search finds.
        against_wishes: that one has should-rules against it: another of them changes nothing.
    """

    vm: IntArray
    members: IntArray
    may_take: BoolArray
    against_wishes: BoolArray

    @classmethod
    def of(cls, context: Context, moved: IntArray) -> _Restarts:
        """Args: moved: rows of `Failover.moved_vm` that land somewhere."""
        arrays, inputs = context.inputs.arrays, context.numbers.failures.inputs
        hosts, failover = arrays.hosts, inputs.failover
        mode, vm = failover.moved_mode[moved], failover.moved_vm[moved]
        members, alive = failover.members[mode], failover.alive[mode]
        kind = inputs.places.of_host[members]
        standing = context.hosts.ram_pct.value / hosts.pct_of_ram
        room = hosts.ram_gib * context.numbers.policy.memory_overcommit - standing
        may = alive & (inputs.places.ram_gib[kind, vm[:, None]] <= room[members] + SLACK_GIB)
        if arrays.binding is None:
            return cls(vm, members, may, np.zeros(len(vm), dtype=np.bool_))
        bindings = Bindings.of(arrays, arrays.binding, members, alive)
        against, taker = bindings.penalties(vm), failover.moved_to[moved][:, None]
        least = np.take_along_axis(against, taker, axis=1)
        may &= bindings.open_to(vm) & (against <= least)
        return cls(vm, members, np.asarray(may), (least[:, 0] & DISLIKED) > 0)
