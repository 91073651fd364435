"""Rules about what servers, hypervisors and guests grant: maximums, eras, reference systems."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.catalog import Role, Server
from models.judgement import refusals
from models.judgement.rulebook import (
    WV21,
    WV21_PRODUCTION,
    Context,
    advice,
    cited,
    error,
    number,
    rule,
    some_may_not_run,
    some_narrow,
    warning,
)
from models.physics.arrays import MOST_RAM_32_BIT_GIB, MOST_RAM_WITHOUT_PAE_GIB
from models.physics.columns import looked_up
from models.prediction import Finding, Verdict
from models.texts import Text, joined, say, say_many
from models.wording import with_unit

ERA_YEARS = 6
"""Years between machine and release from which on we warn; a rule of ours, not a document's."""


@rule("vm-maximum", when=some_may_not_run)
def vm_maximum(context: Context) -> Iterator[Finding]:
    hosts = context.inputs.arrays.vms.host
    for row, vm in context.vms_where(refusals.over_vm_vcpus(context.numbers)):
        hypervisor = context.hypervisor(hosts[row])
        most = number(hypervisor.max_vcpus_per_vm or 0)
        yield error(
            "vm-maximum",
            vm,
            say(
                "{vm} has {vcpus} vCPUs; {hypervisor} grants {most}.",
                vm=vm.name,
                vcpus=vm.vcpus,
                hypervisor=hypervisor.name,
                most=most,
            ),
            say("Give it {most} vCPUs, or take a later release.", most=most),
            cited(hypervisor, "max_vcpus_per_vm"),
        )
    for row, vm in context.vms_where(refusals.over_vm_ram(context.numbers)):
        hypervisor = context.hypervisor(hosts[row])
        most = number(hypervisor.max_ram_gib_per_vm or 0, 1)
        yield error(
            "vm-maximum",
            vm,
            say(
                "{vm} has {ram_gib} GiB of RAM; {hypervisor} grants {most} GiB.",
                vm=vm.name,
                ram_gib=number(vm.ram_gib, 1),
                hypervisor=hypervisor.name,
                most=most,
            ),
            say("Give it {most} GiB, or take a later release.", most=most),
            cited(hypervisor, "max_ram_gib_per_vm"),
        )


@rule("vcpus-over-host", when=some_may_not_run)
def vcpus_over_host(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    for row, vm in context.vms_where(refusals.over_threads(context.numbers)):
        host = context.scenario.hosts[vms.host[row]]
        most = int(vms.at.threads[row])
        yield error(
            "vcpus-over-host",
            vm,
            say(
                "{vm} has {vcpus} vCPUs, {host} only {most} logical processors.",
                vm=vm.name,
                vcpus=vm.vcpus,
                host=host.name,
                most=most,
            ),
            say("Give it at most {most} vCPUs, or place it on a larger host.", most=most),
            "VMware vSphere 6.7, virtual CPU limits: vCPUs not above the host’s logical CPUs",
        )


@rule("ram-over-host", when=some_may_not_run)
def ram_over_host(context: Context) -> Iterator[Finding]:
    arrays = context.inputs.arrays
    for row, vm in context.vms_where(refusals.over_vm_host_ram(context.numbers)):
        host = context.scenario.hosts[arrays.vms.host[row]]
        yield error(
            "ram-over-host",
            vm,
            say(
                "{vm} has {ram_gib} GiB of RAM, {host} only {most} GiB.",
                vm=vm.name,
                ram_gib=number(vm.ram_gib, 1),
                host=host.name,
                most=number(host.ram_gib, 1),
            ),
            say("Give it less memory, or place it on a larger host."),
            f"{WV21_PRODUCTION}: overcommitting resources can be a dangerous game",
        )


@rule("reservation-over-host", when=some_may_not_run)
def reservation_over_host(context: Context) -> Iterator[Finding]:
    """Reservations that a host can't keep: vSphere powers such a VM on nowhere else than where
    they are free."""
    hosts = context.inputs.arrays.vms.host
    for row, vm in context.vms_where(refusals.over_reservation(context.numbers)):
        reserved = [
            with_unit(number(amount, decimals), unit)
            for amount, decimals, unit in (
                (vm.cpu_reservation_mhz, 0, "MHz"),
                (vm.ram_gib if vm.fault_tolerance else vm.memory_reservation_gib, 1, "GiB"),
            )
            if amount
        ]
        yield error(
            "reservation-over-host",
            vm,
            say(
                "{vm} reserves {reserved}, which {host} can’t keep beside what its other VMs "
                "reserve: it can’t be powered on.",
                vm=vm.name,
                reserved=joined(say(" and "), reserved),
                host=context.scenario.hosts[hosts[row]].name,
            ),
            say("Reserve less, or place it on a host that has as much unreserved."),
            "VMware, vSphere Resource Management 6.7, “Resource allocation reservation”",
        )


@rule("no-host-can-run", when=some_may_not_run, placeless=True)
def no_host_can_run(context: Context) -> Iterator[Finding]:
    """VMs not placed yet that none of the hosts there are could run."""
    for _, vm in context.vms_where(refusals.without_able_host(context.numbers)):
        yield error(
            "no-host-can-run",
            vm,
            say_many(
                "{vm} has {count} vCPU and {ram_gib} GiB of RAM: none of the hosts can run it.",
                "{vm} has {count} vCPUs and {ram_gib} GiB of RAM: none of the hosts can run it.",
                vm.vcpus,
                vm=vm.name,
                ram_gib=number(vm.ram_gib, 1),
            ),
            say("Make it smaller, or add a host that can run it."),
            ABLE,
        )


ABLE = (
    "VMware vSphere 6.7, virtual CPU limits: vCPUs not above the host’s logical CPUs; "
    "configuration maximums of the releases"
)


@rule("hypervisor-era", placeless=True)
def hypervisor_era(context: Context) -> Iterator[Finding]:
    """A machine and a release that are years apart were never on one compatibility list."""
    hosts = context.inputs.arrays.hosts
    for row, host in context.hosts_where(hosts.years_apart > ERA_YEARS):
        server, hypervisor = context.server(row), context.hypervisor(row)
        yield warning(
            "hypervisor-era",
            host,
            say(
                "{host} is a machine of {year} under {hypervisor} of {release_year}: they will "
                "hardly be on one compatibility list.",
                host=host.name,
                year=server.year,
                hypervisor=hypervisor.name,
                release_year=hypervisor.year,
            ),
            say("Choose a release of the machine’s time, or check VMware’s list."),
            f"{WV21}, Hardware: a server not on the list is not supported",
        )


@rule("host-maximum")
def host_maximum(context: Context) -> Iterator[Finding]:
    hosts = context.inputs.arrays.hosts
    yield from _host_ram(context)
    for row, host in context.hosts_where(hosts.threads > hosts.most_threads):
        server, hypervisor = context.server(row), context.hypervisor(row)
        yield warning(
            "host-maximum",
            host,
            say(
                "{host} has {threads} logical processors; {hypervisor} uses "
                "{max_logical_cpus_per_host}.",
                host=host.name,
                threads=server.threads,
                hypervisor=hypervisor.name,
                max_logical_cpus_per_host=hypervisor.max_logical_cpus_per_host,
            ),
            say("Take a later release."),
            cited(hypervisor, "max_logical_cpus_per_host"),
        )
    for row, host in context.hosts_where(refusals.over_host_vms(context.numbers)):
        hypervisor = context.hypervisor(row)
        yield error(
            "host-maximum",
            host,
            say(
                "{host} runs {counts} VMs; {hypervisor} grants {max_vms_per_host}.",
                host=host.name,
                counts=context.inputs.arrays.crews.counts[row],
                hypervisor=hypervisor.name,
                max_vms_per_host=hypervisor.max_vms_per_host,
            ),
            say("Move VMs to another host."),
            cited(hypervisor, "max_vms_per_host"),
            at_least=Verdict.DOES_NOT_FIT,
        )


def _host_ram(context: Context) -> Iterator[Finding]:
    """Hosts with more memory than server or release takes."""
    hosts = context.inputs.arrays.hosts
    for row, host in context.hosts_where(refusals.over_host_ram(context.numbers)):
        server, hypervisor = context.server(row), context.hypervisor(row)
        fitted, granted = hosts.server_ram_gib[row], hosts.most_host_ram_gib[row]
        owner = server if fitted < granted else hypervisor
        most = min(fitted, granted)
        yield error(
            "host-maximum",
            host,
            say(
                "{host} has {ram_gib} GiB of RAM; {owner} takes {most} GiB.",
                host=host.name,
                ram_gib=number(host.ram_gib, 1),
                owner=owner.name,
                most=number(most, 1),
            ),
            say("Install {most} GiB, or choose another one.", most=number(most, 1)),
            cited(hypervisor, "max_ram_gib_per_host")
            if owner is hypervisor
            else owner.provenance.source,
            at_least=Verdict.DOES_NOT_FIT,
        )


@rule("cluster-maximum", placeless=True)
def cluster_maximum(context: Context) -> Iterator[Finding]:
    hosts = context.inputs.arrays.hosts
    limits = hosts.most_hosts
    for row, host in context.hosts_where(refusals.in_oversized_cluster(context.numbers)):
        of_cluster = np.flatnonzero(hosts.cluster == hosts.cluster[row])
        if row != of_cluster[np.argmin(limits[of_cluster])]:
            continue
        cluster, hypervisor = context.scenario.cluster(host.cluster or ""), context.hypervisor(row)
        yield error(
            "cluster-maximum",
            cluster,
            say(
                "{cluster} has {count} hosts; {hypervisor} grants {limits}.",
                cluster=cluster.name,
                count=len(of_cluster),
                hypervisor=hypervisor.name,
                limits=number(limits[row]),
            ),
            say("Make two clusters of it."),
            cited(hypervisor, "max_hosts_per_cluster"),
            at_least=Verdict.DOES_NOT_FIT,
        )


@rule("guest-64-without-vt", when=some_may_not_run)
def guest_64_without_vt(context: Context) -> Iterator[Finding]:
    hosts = context.inputs.arrays.vms.host
    for row, vm in context.vms_where(refusals.guest_64_without_vt(context.numbers)):
        host = context.scenario.hosts[hosts[row]]
        yield error(
            "guest-64-without-vt",
            vm,
            say(
                "{vm} is a 64-bit guest; {host}’s processors lack the hardware virtualisation "
                "that it needs.",
                vm=vm.name,
                host=host.name,
            ),
            say("Use a 32-bit guest there, or a server with VT-x or AMD-V."),
            context.server(hosts[row]).provenance.source,
        )


@rule("guest-32-over-4-gib", when=some_narrow, placeless=True)
def guest_32_over_4_gib(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    most = np.where(vms.guest_pae == 1, MOST_RAM_32_BIT_GIB, MOST_RAM_WITHOUT_PAE_GIB)
    for row, vm in context.vms_where((vms.guest_bits == 32) & (vms.ram_gib > most)):
        told = {"vm": vm.name, "ram_gib": number(vm.ram_gib, 1), "most": number(most[row], 1)}
        if vm.guest_pae:
            what = say(
                "{vm} has {ram_gib} GiB and a 32-bit operating system with PAE: the most that was "
                "measured to serve mail there is {most} GiB, and the rest isn’t counted.",
                **told,
            )
        elif vm.guest_pae is None:
            what = say(
                "{vm} has {ram_gib} GiB and a 32-bit operating system, and it isn’t said whether "
                "that has PAE: without, it uses {most} GiB, and can’t use the rest for its file "
                "cache.",
                **told,
            )
        else:
            what = say(
                "{vm} has {ram_gib} GiB and a 32-bit operating system without PAE: it uses {most} "
                "GiB.",
                **told,
            )
        yield warning(
            "guest-32-over-4-gib",
            vm,
            what,
            say("Say whether it has PAE.")
            if vm.guest_pae is None
            else say("Use a 64-bit operating system, or give it {most} GiB.", most=told["most"]),
            f"{WV21}, “Test Results Comments – High-End System”",
        )


@rule("memory-limit", placeless=True)
def memory_limit(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    for _, vm in context.vms_where(vms.effective_ram_gib < vms.ram_gib):
        yield warning(
            "memory-limit",
            vm,
            say(
                "{vm} may use {limit} of its {ram_gib} GiB; Domino sizes its caches by "
                "what it sees.",
                vm=vm.name,
                limit=number(vm.memory_limit_gib or 0, 1),
                ram_gib=number(vm.ram_gib, 1),
            ),
            say("Set the memory limit to “Unlimited”."),
            f"{WV21_PRODUCTION}: don’t limit the RAM the VM can effectively use",
        )


@rule("reference-system", placeless=True)
def reference_system(context: Context) -> Iterator[Finding]:
    pools = context.inputs.arrays.pools
    fix = say("Choose one from the catalog’s purchase list before this becomes a proposal.")
    for row, host in context.hosts_where(context.inputs.arrays.hosts.reference):
        server = context.server(row)
        yield advice(
            "reference-system",
            host,
            _reference(host.name, server.name),
            fix,
            server.provenance.source,
        )
    reference = [a.role is Role.REFERENCE for a in pools.arrays]
    if not any(reference):
        return
    for row, pool in context.pools_where(np.array(reference)[pools.array]):
        array = context.array(row)
        yield advice(
            "reference-system",
            pool,
            _reference(pool.name, array.name),
            fix,
            array.provenance.source,
        )


def _reference(name: str, model: str) -> Text:
    return say(
        "{name}: {model} is a reference system, there to reproduce measurements; it can’t be "
        "proposed.",
        name=name,
        model=model,
    )


NUMA_FROM = 2009
"""Year from which Intel's two-socket servers have a memory of each socket's own."""


@rule("wider-than-node")
def wider_than_node(context: Context) -> Iterator[Finding]:
    """VMs with more vCPUs or memory than a socket of their host."""
    vms, hosts = context.inputs.arrays.vms, context.inputs.arrays.hosts
    sockets = np.array([each.sockets if _has_nodes(each) else 1 for each in hosts.servers])
    nodes = looked_up(sockets[hosts.server].astype(np.float64), vms.host, 1.0)
    memory = looked_up(hosts.ram_gib, vms.host, np.inf) / nodes
    cores = np.where(vms.host >= 0, vms.at.cores, np.inf) / nodes
    wide = vms.running & ~vms.at.physical & (nodes > 1)
    wide &= (vms.vcpus > cores) | (vms.ram_gib > memory)
    for row, vm in context.vms_where(wide):
        host = context.scenario.hosts[vms.host[row]]
        yield advice(
            "wider-than-node",
            vm,
            say(
                "{vm} has {vcpus} vCPUs and {ram_gib} GiB, a socket of {host} {cores} cores and "
                "{memory} GiB: part of its memory is behind the other socket, which is slower and "
                "in no measurement.",
                vm=vm.name,
                vcpus=number(vms.vcpus[row]),
                ram_gib=number(vm.ram_gib, 1),
                host=host.name,
                cores=number(cores[row]),
                memory=number(memory[row], 1),
            ),
            say("Make it no wider than a socket, or split it into two servers."),
            "VMware and Microsoft advice for mail servers: vCPUs within the cores of a NUMA node",
        )


def _has_nodes(server: Server) -> bool:
    return server.sockets > 1 and server.year is not None and server.year >= NUMA_FROM
