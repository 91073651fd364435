"""Rules about load and limits: CPU, memory, response, network, disks, failures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.base.texts import joined, say, say_many
from models.judgement.host_set_words import over_before
from models.judgement.rulebook import (
    JUDGED,
    MEND_FIRST,
    OWN,
    POLICY,
    PRACTICE,
    R5_CLUSTERS,
    RULES_KEEP_DOWN,
    SURVIVED,
    WV21_LESSONS,
    Context,
    Found,
    advice,
    amount,
    more_vcpus,
    names,
    rule,
    warning,
)
from models.physics.arrays import LOCAL
from models.predict.predicted import title_of
from models.predict.prediction import Shortfall
from models.scenario.scenario import AdmissionPolicy, Vm
from models.scenario.wording import enough, exact_text

CPU_SOURCE = joined("", (f"{R5_CLUSTERS}: average total CPU not to exceed 70 %; ", POLICY))


@rule("cpu-over-limit", say("CPU over its limit"), unweighed=JUDGED)
def cpu_over_limit(context: Context) -> Iterator[Found]:
    limit, judged = context.policy.cpu_limit_pct, context.judged
    for row, vm in context.vms_where(judged.vm_cpu.value > limit):
        yield warning(
            vm,
            say_many(
                "{vm} asks for {value} % of its {count} vCPU at peak; the limit is {limit} %",
                "{vm} asks for {value} % of its {count} vCPUs at peak; the limit is {limit} %",
                vm.vcpus,
                vm=vm.name,
                value=amount(judged.vm_cpu, row),
                limit=exact_text(limit),
            ),
            say("Move users to another VM, or give it more vCPUs."),
            CPU_SOURCE,
        )
    for row, host in context.hosts_where(context.hosts.cpu_peak_pct > limit):
        yield warning(
            host,
            say(
                "{host} would run at {cpu_peak_pct} % CPU at peak; the limit is {limit} %",
                host=host.name,
                cpu_peak_pct=amount(judged.host_cpu, row),
                limit=exact_text(limit),
            ),
            say("Move VMs to another host, or add a host."),
            CPU_SOURCE,
        )


@rule("n-plus-one", say("Loss of one host"), unweighed=SURVIVED)
def n_plus_one(context: Context) -> Iterator[Found]:
    hosts, vms = context.scenario.hosts, context.scenario.vms
    for lost in context.modes.broken(context.vms.response_ms.value):
        as_before = {
            resource: over_before(resource, [hosts[row].name for row in rows])
            for resource, rows in lost.before.items()
            if resource in lost.resources
        }
        short = lost.shortfall
        if "cpu_pct" in as_before:
            short = replace(short, cpu_ghz=0.0)
        new = [each for each in lost.resources if each not in as_before]
        added = _added(lost.stranded, short, new)
        fix = say("Add a host to the cluster, or take load off it.")
        if lost.stranded and short == Shortfall():
            fix = RULES_KEEP_DOWN
        elif not added:
            own = [vms[one.vm].name for one in lost.restarts]
            fix = more_vcpus(own) if own else MEND_FIRST
        there = [(vms[one.vm].name, hosts[one.host].name) for one in lost.restarts]
        what = [*added, *_own_passed(there), *as_before.values()]
        yield warning(
            hosts[lost.host],
            say(
                "With {host} gone, {what}",
                host=hosts[lost.host].name,
                what=joined(say(" and "), what),
            ),
            fix,
            "Build Virtual: Calculate host failure requirements "
            "<http://buildvirtual.net/calculate-host-failure-requirements/>",
        )


def _added(stranded: int, short: Shortfall, over: Sequence[str]) -> list[str]:
    """What the failure of a host brings about itself, as clauses."""
    added: list[str] = []
    if stranded:
        why = say("by rules, reservations or limits")
        if short.ram_gib > 0:
            why = say("{ram_gib} GiB of RAM short", ram_gib=enough(short.ram_gib))
        added.append(
            say_many(
                "{count} VM finds no room ({why})",
                "{count} VMs find no room ({why})",
                stranded,
                why=why,
            )
        )
        over = [each for each in over if each != "ram_pct"]
    if short.cpu_ghz > 0:
        added.append(say("{cpu_ghz} GHz are short", cpu_ghz=enough(short.cpu_ghz, 1)))
        over = [each for each in over if each != "cpu_pct"]
    return added + [say("{what} passes its limit", what=title_of(each)) for each in over]


def _own_passed(restarts: Sequence[tuple[str, str]]) -> list[str]:
    """VMs that pass the limit of their own vCPUs where they restart, as a clause; none for none."""
    there = [say("{vm} on {host}", vm=vm, host=host) for vm, host in restarts]
    return [say("CPU of {vms} passes its limit", vms=names(there))] if there else []


@rule("admission-none", say("No admission control"), unweighed=SURVIVED)
def admission_none(context: Context) -> Iterator[Found]:
    lax = [c for c in context.scenario.clusters if c.admission.policy is AdmissionPolicy.NONE]
    sizes = Counter(host.cluster for host in context.scenario.hosts) if lax else {}
    for cluster in lax:
        if sizes[cluster.id] > 1:
            yield advice(
                cluster,
                say(
                    "{cluster} has {sizes} hosts but no admission control: nothing keeps capacity "
                    "free for a failure",
                    cluster=cluster.name,
                    sizes=sizes[cluster.id],
                ),
                say("Reserve one host failure."),
                "VMware KB 1010594, HA admission control",
            )


@rule(
    "unplaced",
    say("VM without a host"),
    unweighed="a VM without a host is at risk by itself (`Evaluated.unplaced`)",
)
def unplaced(context: Context) -> Iterator[Found]:
    waiting = [vm for _, vm in context.vms_where(context.numbers.unplaced)]
    if len(waiting) > MOST_FINDINGS:
        yield warning(
            None,
            say_many(
                "{count} VM has no host: {names}",
                "{count} VMs have no host: {names}",
                len(waiting),
                names=names([vm.name for vm in waiting]),
            ),
            say("Place them on hosts."),
            UNPLACED_SOURCE,
        )
        return
    for vm in waiting:
        yield warning(
            vm,
            *_without_host(context, vm),
            UNPLACED_SOURCE,
        )


def _without_host(context: Context, vm: Vm) -> tuple[str, str]:
    """What is wrong with it, and what to do."""
    if vm.host is None:
        return say("{vm} has no host", vm=vm.name), say("Place it on a host.")
    host = context.scenario.host(vm.host).name
    return (
        say("{vm} stands on {host}, which is in maintenance", vm=vm.name, host=host),
        say("Move it to another host, or take {host} out of maintenance.", host=host),
    )


@rule(
    "host-in-maintenance",
    say("Host in maintenance"),
    unweighed="what is away is in no number: what is left of the design weighs",
)
def host_in_maintenance(context: Context) -> Iterator[Found]:
    away = [host for _, host in context.hosts_where(context.arrays.hosts.away)]
    if away:
        yield advice(
            away[0] if len(away) == 1 else None,
            say_many(
                "{names} is in maintenance: nothing runs there, nothing fails over to it, and its "
                "capacity is in no number",
                "{names} are in maintenance: nothing runs there, nothing fails over to them, and "
                "their capacity is in no number",
                len(away),
                names=names([host.name for host in away]),
            ),
            say_many(
                "Take it out of maintenance here once it is back.",
                "Take them out of maintenance here once they are back.",
                len(away),
            ),
            MAINTENANCE_SOURCE,
        )


MAINTENANCE_SOURCE = "VMware, vCenter Server and Host Management, maintenance mode"
UNPLACED_SOURCE = f"{OWN}, “From users to a verdict”"
MOST_FINDINGS = 50
"""Beyond this many, VMs of one kind share a finding."""


@rule("local-disk", say("Several servers on one local disk"), unweighed=PRACTICE)
def local_disk(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    on_host: dict[str | None, list[str]] = defaultdict(list)
    for _, vm in context.vms_where(vms.serving & (vms.mode == LOCAL)):
        on_host[vm.host].append(vm.name)
    for host in context.scenario.hosts if on_host else ():
        if len(on_host[host.id]) > 1:
            yield warning(
                host,
                say(
                    "{names} share the local disks of {host}",
                    names=names(on_host[host.id]),
                    host=host.name,
                ),
                say("Put their data on a SAN."),
                WV21_LESSONS,
            )
