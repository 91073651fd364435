"""Rules about Domino clusters: members that take a lost partner's users, and the storm after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from models.base.quantities import judged_end
from models.base.texts import say
from models.failure.restart_time import ASSUMED
from models.judgement.platform_limits import PATTERN_USERS, PATTERN_VCPUS
from models.judgement.rulebook import (
    PRACTICE,
    R5_CLUSTERS,
    SURVIVED,
    VSPHERE4,
    WV21_OUTAGES,
    Context,
    Found,
    advice,
    names,
    number,
    rule,
    some_clustered,
    warning,
)
from models.physics.cpu import of_vcpus_pct
from models.physics.estimates import NoSources
from models.physics.people import with_most_inherited
from models.predict.demands import vm_stage
from models.scenario.inputs import origin_of
from models.scenario.scenario import Scenario
from models.scenario.wording import duration_text, exact_text

R5_REPLICATORS = (
    "Iris Today 1999: Optimizing server performance, Domino clusters, part 2, “Testing summary”"
)
CLUSTER_TEST = f"{VSPHERE4}, “Test of Domino NRPC Clustering”"
LONG_DRAIN_S = 180.0
"""Time to get through everybody's login from which a storm is worth a word: ours, stated."""


@rule(
    "partner-capacity",
    say("Capacity for a cluster partner’s users"),
    when=some_clustered,
    unweighed=SURVIVED,
)
def partner_capacity(context: Context) -> Iterator[Found]:
    """A member that can't take over the users of the partner whose loss brings most."""
    inputs, policy = context.inputs, context.scenario.policy
    arrays, vms = inputs.arrays, inputs.arrays.vms
    laden = with_most_inherited(vms, arrays.started)
    stage = vm_stage(
        replace(arrays, vms=laden),
        inputs.derating,
        inputs.knowledge,
        NoSources(),
    )
    value, _, high = of_vcpus_pct(stage.cores.ends, vms.vcpus) * policy.peak_factor_cpu
    reach = judged_end(value, high, policy.posture.share)
    heirs = (laden.active_users > vms.active_users) & arrays.started
    for row, vm in context.vms_where(heirs):
        users = float(laden.active_users[row])
        benchmark = users * policy.derating.mail
        small = vm.vcpus <= PATTERN_VCPUS and vm.workload.kind.is_domino
        told = {
            "pct": number(value[row], limit=policy.cpu_limit_pct),
            "reach": number(reach[row], limit=policy.cpu_limit_pct),
            "limit": exact_text(policy.cpu_limit_pct),
        }
        if value[row] > policy.cpu_limit_pct:
            why = say("about {pct} % CPU at peak, limit {limit} %", **told)
        elif reach[row] > policy.cpu_limit_pct:
            why = say("about {pct} % CPU at peak, up to {reach} %, limit {limit} %", **told)
        elif small and benchmark > PATTERN_USERS * (1 + 1e-9):
            why = say(
                "{benchmark} benchmark users; 4,000 were tested on two vCPUs",
                benchmark=number(benchmark),
            )
        else:
            continue
        yield warning(
            vm,
            say(
                "{vm} would have {users} users with a cluster partner lost: {why}",
                vm=vm.name,
                users=number(users),
                why=why,
            ),
            say("Put fewer users on each member, add a member, or give it more vCPUs."),
            f"{R5_CLUSTERS}; {CLUSTER_TEST}: 2,000 active users, 4,000 in failover",
        )


@rule(
    "partner-one-way", say("One-sided cluster membership"), when=some_clustered, unweighed=PRACTICE
)
def partner_one_way(context: Context) -> Iterator[Found]:
    partners = {vm.id: vm.cluster_partners for vm in context.scenario.vms if vm.cluster_partners}
    called = {vm.id: vm.name for vm in context.scenario.vms}
    for vm in context.scenario.vms:
        for id in vm.cluster_partners:
            if vm.id not in partners.get(id, ()):
                yield warning(
                    vm,
                    say(
                        "{vm} names {partner} as cluster partner, which doesn’t name it",
                        vm=vm.name,
                        partner=called.get(id, id),
                    ),
                    say("Name each other: replicas of a Domino cluster go both ways."),
                    CLUSTER_TEST,
                )


@rule("cluster-replicators", say("Cluster replicators"), when=some_clustered, unweighed=PRACTICE)
def cluster_replicators(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    members = [vm for _, vm in context.vms_where(vms.clustered & vms.serving)]
    if members:
        tasks = sorted({len(vm.cluster_partners) + 1 for vm in members})
        count = " or ".join(map(str, tasks))
        yield advice(
            None,
            say(
                "{names}: run {count} cluster replicators each, one more than the members "
                "replicated to",
                names=names([vm.name for vm in members]),
                count=count,
            ),
            say("Start with that, and watch replicator queues and CPU."),
            R5_REPLICATORS,
        )


@rule(
    "partners-on-one-host",
    say("Cluster partners on one host"),
    when=some_clustered,
    unweighed=SURVIVED,
)
def partners_on_one_host(context: Context) -> Iterator[Found]:
    clustered = context.inputs.arrays.vms.clustered & context.inputs.arrays.vms.running
    home = {vm.id: vm.host for vm in context.scenario.vms}
    called = {vm.id: vm.name for vm in context.scenario.vms}
    for _, vm in context.vms_where(clustered):
        beside = [id for id in vm.cluster_partners if home.get(id) == vm.host and id > vm.id]
        if beside:
            yield warning(
                vm,
                say(
                    "{vm} and its cluster partner {called} stand on one host: when it "
                    "fails, both are gone",
                    vm=vm.name,
                    called=called[beside[0]],
                ),
                say("Put them on different hosts, and keep them there by a rule."),
                f"{VSPHERE4}, figure 19",
            )


@rule(
    "partners-in-one-basket",
    say("Cluster partners on the same disks"),
    when=some_clustered,
    unweighed=SURVIVED,
)
def partners_in_one_basket(context: Context) -> Iterator[Found]:
    """Cluster partners on different hosts that fail together, or on the same disks."""
    scenario = context.scenario
    group = {host.id: host.failure_group for host in scenario.hosts}
    by_id = {vm.id: vm for vm in scenario.vms}
    pools = {pool.id: pool.name for pool in scenario.pools}
    for vm in scenario.vms:
        for partner in (by_id[id] for id in vm.cluster_partners if id > vm.id and id in by_id):
            shared = group.get(vm.host or "")
            if shared and vm.host != partner.host and group.get(partner.host or "") == shared:
                where, fix = (
                    say("in {shared}, which fails as one", shared=shared),
                    say("Put them into different groups."),
                )
            elif vm.workload.kind.is_domino and vm.pool is not None and vm.pool == partner.pool:
                where = say(
                    "on {pools}: two copies of the mail files on the same disks",
                    pools=pools[vm.pool],
                )
                fix = say("Give each member disks of its own, on another array if you can.")
            else:
                continue
            yield advice(
                vm,
                say(
                    "{vm} and its cluster partner {partner} stand {where}",
                    vm=vm.name,
                    partner=partner.name,
                    where=where,
                ),
                fix,
                f"{VSPHERE4}, figure 19",
            )


def _origin(scenario: Scenario, path: str) -> str:
    origin = origin_of(scenario, path)
    return ASSUMED if origin.is_assumed else origin.label


@rule("reconnect-storm", say("Reconnect storm"), unweighed=PRACTICE)
def reconnect_storm(context: Context) -> Iterator[Found]:
    """Work of everybody's login against the vCPUs that mail leaves.

    How long the storm lasts is for the storm study; said is what the work of the logins comes to.
    """
    inputs, given = context.inputs, context.scenario.assumptions
    vms, asked = inputs.arrays.vms, context.numbers.asked_cores.value
    work = given.login_actions * inputs.calibration.law.think_time_ms / 1000.0 * asked
    spare = np.maximum(vms.vcpus - asked, 1e-9)
    longest = max(LONG_DRAIN_S, given.reconnect_s)
    rows = ((work > longest * spare) & inputs.arrays.started & (inputs.users > 0)).nonzero()[0]
    if len(rows):
        alone = work / vms.vcpus
        worst = int(rows[np.argmax(alone[rows])])
        called = [context.scenario.vms[row].name for row in rows.tolist()]
        yield advice(
            None,
            say(
                "After a network cut the logins of all users of {names} alone are {time} of full "
                "work for a server’s vCPUs, however fast the users come back (a login counted as "
                "{login_actions} actions, {origin})",
                names=names(called),
                time=duration_text(float(alone[worst])),
                login_actions=number(given.login_actions),
                origin=_origin(context.scenario, "assumptions.login_actions"),
            ),
            say("Keep vCPUs to spare, or fewer users a server; a storm study shows who waits."),
            WV21_OUTAGES,
        )
