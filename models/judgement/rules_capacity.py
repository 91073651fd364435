"""Rules about load and limits: CPU, memory, response, network, disks, failures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from models.judgement import refusals
from models.judgement.rulebook import (
    OWN,
    POLICY,
    R5_CLUSTERS,
    WV21_GOAL,
    WV21_LESSONS,
    WV21_OUTAGES,
    WV21_PRODUCTION,
    Context,
    advice,
    error,
    names,
    number,
    rule,
    warning,
)
from models.physics.arrays import LOCAL
from models.prediction import Finding
from models.scenario import AdmissionPolicy

READY_LIMIT_PCT = 10.0
READY_SOURCE = (
    "https://www.computertechblog.com/understanding-historical-cpu-ready-statistics-in-vmware-"
    "vcenter-server/"
)
LATENCY_LIMIT_MS = 25.0
LATENCY_SOURCE = (
    "https://github.com/elatov/elatov.github.io, 2012-04-24, ESX host experiencing high latency: "
    "DAVG above 25 ms"
)
CPU_SOURCE = f"{R5_CLUSTERS}: average total CPU not to exceed 70 %; {POLICY}"


@rule("cpu-over-limit")
def cpu_over_limit(context: Context) -> Iterator[Finding]:
    limit = context.scenario.policy.cpu_limit_pct
    asked = context.judged.vm_cpu
    for row, vm in () if asked.fits else context.vms_where(asked.value > limit):
        yield warning(
            "cpu-over-limit",
            vm,
            f"{vm.name} asks for {number(asked.value[row])} % of its {vm.vcpus} vCPUs at peak; "
            f"the limit is {number(limit)} %.",
            "Move users to another VM, or give it more vCPUs.",
            CPU_SOURCE,
        )
    if context.judged.host_cpu.fits:
        return
    for row, host in context.hosts_where(context.hosts.cpu_peak_pct > limit):
        yield warning(
            "cpu-over-limit",
            host,
            f"{host.name} would run at {number(context.hosts.cpu_peak_pct[row])} % CPU at peak; "
            f"the limit is {number(limit)} %.",
            "Move VMs to another host, or add a host.",
            CPU_SOURCE,
        )


@rule("response-over-limit")
def response_over_limit(context: Context) -> Iterator[Finding]:
    if context.judged.response.fits:
        return
    limit = context.scenario.policy.response_limit_ms
    value = context.vms.response_ms.value
    for row, vm in context.vms_where(value > limit):
        yield warning(
            "response-over-limit",
            vm,
            f"{vm.name} would respond in about {number(value[row], -1)} ms; "
            f"the limit is {number(limit)} ms.",
            "Move users to another VM, or take load off its host and its pool.",
            f"{WV21_GOAL}: acceptable below 1 second",
        )


@rule("ram-over-limit")
def ram_over_limit(context: Context) -> Iterator[Finding]:
    if context.judged.host_ram.fits:
        return
    hosts = context.inputs.arrays.hosts
    limit = context.scenario.policy.memory_overcommit * 100.0
    pct = context.hosts.ram_pct.value
    for row, host in context.hosts_where(refusals.over_ram(context.numbers)):
        needed = pct[row] / limit * hosts.ram_gib[row]
        missing = needed - hosts.ram_gib[row]
        largest = context.server(row).max_ram_gib
        fits = largest is not None and needed <= largest
        fix = f"Add {number(missing + 0.5)} GiB, or move VMs to another host."
        yield error(
            "ram-over-limit",
            host,
            f"{host.name} lacks {number(missing, 1)} GiB of RAM: its VMs with their overhead need "
            f"{number(pct[row])} % of what it has.",
            fix if fits else "Move VMs to another host.",
            f"{WV21_PRODUCTION}: overcommitting resources can be a dangerous game",
        )


@rule("vcpus-per-core")
def vcpus_per_core(context: Context) -> Iterator[Finding]:
    limit = context.scenario.policy.vcpus_per_core_limit
    for row, host in context.hosts_where(context.hosts.vcpus_per_core > limit):
        yield warning(
            "vcpus-per-core",
            host,
            f"{host.name} has {number(context.hosts.vcpus_per_core[row], 1)} vCPUs per core; "
            f"the policy allows {number(limit, 1)}.",
            "Move VMs to another host, or give VMs fewer vCPUs where CPU allows.",
            f"{WV21_OUTAGES}: overcommitting resources can be a dangerous game; {POLICY}",
        )


@rule("ready-time")
def ready_time(context: Context) -> Iterator[Finding]:
    ready = context.vms.ready_pct.value
    for row, vm in context.vms_where(ready > READY_LIMIT_PCT):
        yield warning(
            "ready-time",
            vm,
            f"{vm.name} would wait for a core {number(ready[row])} % of the time; "
            "above 10 % users notice.",
            "Take load off its host.",
            READY_SOURCE,
        )


@rule("network-40")
def network_40(context: Context) -> Iterator[Finding]:
    if context.judged.net.fits:
        return
    limit = context.scenario.policy.network_limit_pct
    pct = context.hosts.network_pct.value
    for row, host in context.hosts_where(pct > limit):
        yield warning(
            "network-40",
            host,
            f"{host.name}’s VMs could load its network to {number(pct[row])} %; "
            f"above {number(limit)} % it needs an upgrade.",
            "Add network ports or faster ones, or move VMs to another host.",
            f"{R5_CLUSTERS}: network at or near 40 % needs an upgrade",
        )


@rule("pool-utilisation")
def pool_utilisation(context: Context) -> Iterator[Finding]:
    if context.judged.disks.fits:
        return
    policy = context.scenario.policy
    busy = context.judged.disks.value
    overloaded = refusals.overloaded_disks(context.numbers)
    for row, pool in context.pools_where(busy > policy.disk_limit_pct):
        make = error if overloaded[row] else warning
        yield make(
            "pool-utilisation",
            pool,
            f"{pool.name}’s disks would be {number(busy[row])} % busy at peak; "
            f"the limit is {number(policy.disk_limit_pct)} %.",
            "Add drives, choose a RAID level with a smaller write penalty, or give the VMs "
            "more RAM.",
            "https://www.noah.org/mediawiki-1.34.2/index.php?title=IOPS_or_TPS",
        )


@rule("disk-latency")
def disk_latency(context: Context) -> Iterator[Finding]:
    latency = context.pools.latency_ms.value
    for row, pool in context.pools_where(latency > LATENCY_LIMIT_MS):
        yield warning(
            "disk-latency",
            pool,
            f"{pool.name} would answer in {number(latency[row])} ms; above 25 ms is too slow.",
            "Add drives, or move VMs to another pool.",
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
            f"{pool.name} needs {number(stage.used_gib[row])} GiB of "
            f"{number(stage.usable_gib[row])} GiB usable; {number(limit)} % may be full.",
            f"Find room for {number(stage.used_gib[row] - room + 0.5)} GiB: "
            "more or larger drives, or another pool.",
            f"IBM pSeries Lotus Domino Server R5 Implementation Guide, p. 13: disk space by "
            f"registered users; {POLICY}",
        )


@rule("n-plus-one")
def n_plus_one(context: Context) -> Iterator[Finding]:
    hosts = {host.id: host for host in context.scenario.hosts}
    for mode in context.modes.broken():
        host, short = hosts[mode.host], mode.shortfall
        parts = []
        if mode.not_restarted:
            count = len(mode.not_restarted)
            why = "by rules, reservations or limits"
            if short.ram_gib > 0:
                why = f"{number(short.ram_gib, 1)} GiB of RAM short"
            parts.append(f"{count} VM{'s find' if count > 1 else ' finds'} no room ({why})")
        if short.cpu_ghz > 0:
            parts.append(f"{number(short.cpu_ghz, 1)} GHz are short")
        yield warning(
            "n-plus-one",
            host,
            f"With {host.name} gone, {' and '.join(parts) or 'a limit is passed'}.",
            "Add a host to the cluster, or take load off it.",
            "http://buildvirtual.net/calculate-host-failure-requirements/",
        )


@rule("admission-none")
def admission_none(context: Context) -> Iterator[Finding]:
    lax = [c for c in context.scenario.clusters if c.admission.policy is AdmissionPolicy.NONE]
    sizes = Counter(host.cluster for host in context.scenario.hosts) if lax else {}
    for cluster in lax:
        if sizes[cluster.id] > 1:
            yield advice(
                "admission-none",
                cluster,
                f"{cluster.name} has {sizes[cluster.id]} hosts but no admission control: nothing "
                "keeps capacity free for a failure.",
                "Reserve one host failure.",
                "VMware KB 1010594, HA admission control",
            )


@rule("unplaced")
def unplaced(context: Context) -> Iterator[Finding]:
    waiting = [vm for _, vm in context.vms_where(context.numbers.unplaced)]
    if len(waiting) > MOST_FINDINGS:
        yield warning(
            "unplaced",
            None,
            f"{len(waiting):,} VMs have no host: {names([vm.name for vm in waiting])}.",
            "Place them on hosts.",
            UNPLACED_SOURCE,
        )
        return
    for vm in waiting:
        yield warning(
            "unplaced", vm, f"{vm.name} has no host.", "Place it on a host.", UNPLACED_SOURCE
        )


UNPLACED_SOURCE = f"{OWN}, “From users to a verdict”"
MOST_FINDINGS = 50
"""Beyond this many, VMs of one kind share a finding."""


@rule("local-disk")
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
                f"{names(on_host[host.id])} share the local disks of {host.name}.",
                "Put their data on a SAN.",
                WV21_LESSONS,
            )


@rule("no-drives")
def no_drives(context: Context) -> Iterator[Finding]:
    drives = context.inputs.arrays.pools
    for _, pool in context.pools_where(refusals.without_drives(context.numbers)):
        yield error(
            "no-drives",
            pool,
            f"{pool.name} has {pool.spindles} drives, of which spares and parity leave none "
            "for data.",
            "Add drives.",
            "; ".join(sorted({raid.provenance.source for raid in drives.raids})),
        )
