"""Rules about load and limits: CPU, memory, response, network, disks, failures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.judgement import refusals
from models.judgement.rulebook import (
    MEND_FIRST,
    OWN,
    POLICY,
    R5_CLUSTERS,
    READY_LIMIT_PCT,
    READY_SOURCE,
    RULES_KEEP_DOWN,
    WV21_GOAL,
    WV21_LESSONS,
    WV21_OUTAGES,
    WV21_PRODUCTION,
    Context,
    Ends,
    advice,
    amount,
    amount_of,
    ends_of,
    error,
    more_vcpus,
    names,
    number,
    of_item,
    rule,
    some_generic,
    some_local,
    some_near_limit,
    some_not_running,
    some_wait,
    warning,
)
from models.judgement.several_words import over_before
from models.physics import memory
from models.physics.arrays import LOCAL
from models.physics.columns import some
from models.predicted import title_of
from models.prediction import Finding, Shortfall
from models.scenario import AdmissionPolicy
from models.texts import joined, say, say_many
from models.wording import enough, exact_text

LATENCY_LIMIT_MS = 25.0
LATENCY_SOURCE = (
    "K. Elatov, 2012: ESX host experiencing high latency, DAVG above 25 ms "
    "<https://github.com/elatov/elatov.github.io>"
)
CPU_SOURCE = f"{R5_CLUSTERS}: average total CPU not to exceed 70 %; {POLICY}"


@rule("cpu-over-limit", when=some_near_limit)
def cpu_over_limit(context: Context) -> Iterator[Finding]:
    limit = context.scenario.policy.cpu_limit_pct
    asked = context.judged.vm_cpu
    for row, vm in context.vms_where(asked.value > limit):
        yield _busy_vm(vm.id, vm.name, vm.vcpus, ends_of(asked, row), limit)
    for row, host in context.hosts_where(context.hosts.cpu_peak_pct > limit):
        yield _busy_host(host.id, host.name, ends_of(context.judged.host_cpu, row), limit)


@of_item
def _busy_vm(id: str, name: str, vcpus: int, pct: Ends, limit: float) -> Finding:
    return warning(
        "cpu-over-limit",
        id,
        say_many(
            "{vm} asks for {value} % of its {count} vCPU at peak; the limit is {limit} %.",
            "{vm} asks for {value} % of its {count} vCPUs at peak; the limit is {limit} %.",
            vcpus,
            vm=name,
            value=amount_of(pct, limit),
            limit=exact_text(limit),
        ),
        say("Move users to another VM, or give it more vCPUs."),
        CPU_SOURCE,
    )


@of_item
def _busy_host(id: str, name: str, pct: Ends, limit: float) -> Finding:
    return warning(
        "cpu-over-limit",
        id,
        say(
            "{host} would run at {cpu_peak_pct} % CPU at peak; the limit is {limit} %.",
            host=name,
            cpu_peak_pct=amount_of(pct, limit),
            limit=exact_text(limit),
        ),
        say("Move VMs to another host, or add a host."),
        CPU_SOURCE,
    )


@rule("response-over-limit", when=some_near_limit)
def response_over_limit(context: Context) -> Iterator[Finding]:
    limit = context.scenario.policy.response_limit_ms
    value = context.vms.response_ms.value
    for row, vm in context.vms_where(value > limit):
        yield _slow_vm(vm.id, vm.name, ends_of(context.judged.response, row), limit)


@of_item
def _slow_vm(id: str, name: str, ms: Ends, limit: float) -> Finding:
    return warning(
        "response-over-limit",
        id,
        say(
            "{vm} would respond in about {value} ms; the limit is {limit} ms.",
            vm=name,
            value=amount_of(ms, limit),
            limit=exact_text(limit),
        ),
        say("Move users to another VM, or take load off its host and its pool."),
        f"{WV21_GOAL}: acceptable below 1 second",
    )


@rule("ram-over-limit", when=some_near_limit)
def ram_over_limit(context: Context) -> Iterator[Finding]:
    hosts = context.inputs.arrays.hosts
    pct, limits = context.hosts.ram_pct.value, context.hosts.ram_limit_pct
    for row, host in context.hosts_where(refusals.over_ram(context.numbers)):
        limit = float(limits[row])
        needed = pct[row] / limit * hosts.ram_gib[row]
        missing = needed - hosts.ram_gib[row]
        largest = context.server(row).max_ram_gib
        fits = largest is not None and needed <= largest
        fix = say("Add {gib} GiB, or move VMs to another host.", gib=enough(float(missing)))
        yield error(
            "ram-over-limit",
            host,
            say(
                "{host} lacks {missing} GiB of RAM: its VMs with their overhead need {pct} % of "
                "what it has, limit {limit} %.",
                host=host.name,
                missing=enough(float(missing)),
                pct=amount(context.judged.host_ram, row),
                limit=exact_text(limit),
            ),
            fix if fits else say("Move VMs to another host."),
            f"{WV21_PRODUCTION}: overcommitting resources can be a dangerous game",
        )


@rule("vcpus-per-core")
def vcpus_per_core(context: Context) -> Iterator[Finding]:
    limit = context.scenario.policy.vcpus_per_core_limit
    for row, host in context.hosts_where(context.hosts.vcpus_per_core > limit):
        yield warning(
            "vcpus-per-core",
            host,
            say(
                "{host} has {vcpus_per_core} vCPUs per core; the policy allows {limit}.",
                host=host.name,
                vcpus_per_core=number(context.hosts.vcpus_per_core[row], 1, limit=limit),
                limit=number(limit, 1),
            ),
            say("Move VMs to another host, or give VMs fewer vCPUs where CPU allows."),
            f"{WV21_OUTAGES}: overcommitting resources can be a dangerous game; {POLICY}",
        )


@rule("ready-time", when=some_wait)
def ready_time(context: Context) -> Iterator[Finding]:
    ready = context.vms.ready_pct.value
    for row, vm in context.vms_where(ready > READY_LIMIT_PCT):
        yield _waiting_vm(vm.id, vm.name, float(ready[row]))


@of_item
def _waiting_vm(id: str, name: str, ready_pct: float) -> Finding:
    return warning(
        "ready-time",
        id,
        say(
            "{vm} would wait for a core {ready} % of the time; above 10 % users notice.",
            vm=name,
            ready=number(ready_pct, limit=READY_LIMIT_PCT),
        ),
        say("Take load off its host."),
        READY_SOURCE,
    )


@rule("network-40", when=some_near_limit)
def network_40(context: Context) -> Iterator[Finding]:
    limit = context.scenario.policy.network_limit_pct
    pct = context.hosts.network_pct.value
    for row, host in context.hosts_where(pct > limit):
        yield warning(
            "network-40",
            host,
            say(
                "{host}’s VMs could load its network to {pct} %; above {limit} % it needs "
                "an upgrade.",
                host=host.name,
                pct=amount(context.judged.net, row),
                limit=exact_text(limit),
            ),
            say("Add network ports or faster ones, or move VMs to another host."),
            f"{R5_CLUSTERS}: network at or near 40 % needs an upgrade",
        )


@rule("pool-utilisation", when=some_near_limit)
def pool_utilisation(context: Context) -> Iterator[Finding]:
    policy = context.scenario.policy
    busy = context.judged.disks.value
    overloaded = refusals.overloaded_disks(context.numbers)
    for row, pool in context.pools_where(busy > policy.disk_limit_pct):
        make = error if overloaded[row] else warning
        yield make(
            "pool-utilisation",
            pool,
            say(
                "{pool}’s disks would be {busy} % busy at peak; the limit is {disk_limit_pct} %.",
                pool=pool.name,
                busy=amount(context.judged.disks, row),
                disk_limit_pct=exact_text(policy.disk_limit_pct),
            ),
            say(
                "Add drives, choose a RAID level with a smaller write penalty, or give the VMs "
                "more RAM."
            ),
            "Noah.org: IOPS or TPS "
            "<https://www.noah.org/mediawiki-1.34.2/index.php?title=IOPS_or_TPS>",
        )


@rule("disk-latency")
def disk_latency(context: Context) -> Iterator[Finding]:
    latency = context.pools.latency_ms.value
    for row, pool in context.pools_where(latency > LATENCY_LIMIT_MS):
        yield warning(
            "disk-latency",
            pool,
            say(
                "{pool} would answer in {latency} ms; above 25 ms is too slow.",
                pool=pool.name,
                latency=number(latency[row], limit=LATENCY_LIMIT_MS),
            ),
            say("Add drives, or move VMs to another pool."),
            LATENCY_SOURCE,
        )


@rule("pool-capacity")
def pool_capacity(context: Context) -> Iterator[Finding]:
    limit = context.scenario.policy.capacity_limit_pct
    pct, stage = context.pools.capacity_pct.value, context.numbers.pool_stage
    full = refusals.over_capacity(context.numbers)
    for row, pool in context.pools_where((pct > limit) | full):
        room = stage.usable_gib[row] * limit / 100.0
        make = error if full[row] else warning
        yield make(
            "pool-capacity",
            pool,
            say(
                "{pool} needs {used_gib} GiB of {usable_gib} GiB usable; {limit} % may be full.",
                pool=pool.name,
                used_gib=number(stage.used_gib[row]),
                usable_gib=number(stage.usable_gib[row]),
                limit=number(limit),
            ),
            say(
                "Find room for {gib} GiB: more or larger drives, or another pool.",
                gib=number(stage.used_gib[row] - room + 0.5),
            ),
            say(
                "IBM pSeries Lotus Domino Server R5 Implementation Guide, p. 13: disk space by "
                "registered users; {policy}",
                policy=POLICY,
            ),
        )


@rule("n-plus-one", when=some_near_limit)
def n_plus_one(context: Context) -> Iterator[Finding]:
    hosts, vms = context.scenario.hosts, context.scenario.vms
    for each in context.modes.broken(context.vms.response_ms.value):
        host = hosts[each.host]
        yield _lost_host(
            host.id,
            host.name,
            each.stranded,
            each.shortfall,
            tuple(each.resources),
            tuple(
                [
                    (resource, tuple([hosts[row].name for row in rows]))
                    for resource, rows in each.before.items()
                ]
            ),
            tuple([(vms[one.vm].name, hosts[one.host].name) for one in each.restarts]),
        )


@of_item
def _lost_host(
    id: str,
    name: str,
    stranded: int,
    short: Shortfall,
    over: tuple[str, ...],
    before: tuple[tuple[str, tuple[str, ...]], ...],
    restarts: tuple[tuple[str, str], ...],
) -> Finding:
    """Args:
    over: resources of the survivors that pass their limit; `before`: those of them that do so
        without any failure, with the hosts' names.
    restarts: names of VMs that pass the limit of their own vCPUs, and of the hosts where.
    """
    known = dict(before)
    as_before = {each: over_before(each, known[each]) for each in over if each in known}
    if "cpu_pct" in as_before:
        short = replace(short, cpu_ghz=0.0)
    added = _added(stranded, short, [each for each in over if each not in as_before])
    fix = say("Add a host to the cluster, or take load off it.")
    if stranded and short == Shortfall():
        fix = RULES_KEEP_DOWN
    elif not added:
        fix = more_vcpus([vm for vm, _ in restarts]) if restarts else MEND_FIRST
    what = [*added, *_own_passed(restarts), *as_before.values()]
    return warning(
        "n-plus-one",
        id,
        say("With {host} gone, {what}.", host=name, what=joined(say(" and "), what)),
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


@rule("admission-none", placeless=True)
def admission_none(context: Context) -> Iterator[Finding]:
    lax = [c for c in context.scenario.clusters if c.admission.policy is AdmissionPolicy.NONE]
    sizes = Counter(host.cluster for host in context.scenario.hosts) if lax else {}
    for cluster in lax:
        if sizes[cluster.id] > 1:
            yield advice(
                "admission-none",
                cluster,
                say(
                    "{cluster} has {sizes} hosts but no admission control: nothing keeps capacity "
                    "free for a failure.",
                    cluster=cluster.name,
                    sizes=sizes[cluster.id],
                ),
                say("Reserve one host failure."),
                "VMware KB 1010594, HA admission control",
            )


@rule("unplaced", when=some_not_running, placeless=True)
def unplaced(context: Context) -> Iterator[Finding]:
    waiting = [vm for _, vm in context.vms_where(context.numbers.unplaced)]
    if len(waiting) > MOST_FINDINGS:
        yield warning(
            "unplaced",
            None,
            say_many(
                "{count} VM has no host: {names}.",
                "{count} VMs have no host: {names}.",
                len(waiting),
                names=names([vm.name for vm in waiting]),
            ),
            say("Place them on hosts."),
            UNPLACED_SOURCE,
        )
        return
    for vm in waiting:
        yield warning(
            "unplaced",
            vm,
            say("{vm} has no host.", vm=vm.name),
            say("Place it on a host."),
            UNPLACED_SOURCE,
        )


UNPLACED_SOURCE = f"{OWN}, “From users to a verdict”"
MOST_FINDINGS = 50
"""Beyond this many, VMs of one kind share a finding."""


@rule("memory-in-use", when=some_generic, placeless=True)
def memory_in_use(context: Context) -> Iterator[Finding]:
    """Memory measured in use by a generic workload against what its VM may use."""
    vms = context.inputs.arrays.vms
    swapping = (vms.own_memory_gib > vms.effective_ram_gib) & vms.running
    for row, vm in context.vms_where(swapping):
        yield warning(
            "memory-in-use",
            vm,
            say(
                "{vm} was measured with {in_use} GiB in use and has {there} GiB: it would swap.",
                vm=vm.name,
                in_use=number(vms.own_memory_gib[row], 1),
                there=number(vms.effective_ram_gib[row], 1),
            ),
            say("Give it as much RAM as it uses."),
            f"{WV21_PRODUCTION}: don’t limit the RAM the VM can effectively use",
        )


@rule("memory-overcommitted")
def memory_overcommitted(context: Context) -> Iterator[Finding]:
    """Memory in use beyond what a host has though its policy lets VMs have it: what then happens
    to responses nobody measured."""
    if not some(context.hosts.ram_pct.value > 100.0):
        return
    arrays = context.inputs.arrays
    short = memory.swapping(arrays)
    used = memory.in_use_gib(arrays)
    short &= ~arrays.hosts.physical & ~refusals.over_ram(context.numbers)
    for row, host in context.hosts_where(short):
        yield error(
            "memory-overcommitted",
            host,
            say(
                "The VMs of {host} use at least {used} GiB and it has {there} GiB: the hypervisor "
                "swaps, and no response time can be predicted there.",
                host=host.name,
                used=number(used[row], 1),
                there=number(host.ram_gib, 1),
            ),
            say("Give the host as much memory as its VMs use, or move VMs to another host."),
            f"{WV21_PRODUCTION}: overcommitting resources can be a dangerous game",
        )


@rule("local-disk", when=some_local)
def local_disk(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    on_host: dict[str | None, list[str]] = defaultdict(list)
    for _, vm in context.vms_where(vms.serving & (vms.mode == LOCAL)):
        on_host[vm.host].append(vm.name)
    for host in context.scenario.hosts if on_host else ():
        if len(on_host[host.id]) > 1:
            yield warning(
                "local-disk",
                host,
                say(
                    "{names} share the local disks of {host}.",
                    names=names(on_host[host.id]),
                    host=host.name,
                ),
                say("Put their data on a SAN."),
                WV21_LESSONS,
            )


@rule("no-drives", placeless=True)
def no_drives(context: Context) -> Iterator[Finding]:
    drives = context.inputs.arrays.pools
    for row, pool in context.pools_where(refusals.without_drives(context.numbers)):
        of_groups = 0 < drives.group_drives[row] <= drives.parity_drives[row]
        yield error(
            "no-drives",
            pool,
            say_many(
                "{pool} has {count} drive, of which spares and parity leave none for data.",
                "{pool} has {count} drives, of which spares and parity leave none for data.",
                pool.spindles,
                pool=pool.name,
            ),
            say("Make its RAID groups larger.") if of_groups else say("Add drives."),
            "; ".join(sorted({raid.provenance.source for raid in drives.raids})),
        )
