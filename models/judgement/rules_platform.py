"""Rules about what hypervisors, servers and arrays grant: Fault Tolerance, maximums, layouts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from models.affinity import contradictions
from models.catalog import Role
from models.failure.fault_tolerance import UNTESTED_GBPS, ft_limits
from models.judgement import refusals
from models.judgement.no_secondary import FT_REQUIREMENTS, why_no_secondary
from models.judgement.rulebook import (
    VSPHERE4,
    WV21,
    WV21_LESSONS,
    WV21_PRODUCTION,
    Context,
    advice,
    cited,
    error,
    names,
    number,
    rule,
    some_affinity,
    some_clustered,
    some_lun,
    some_may_not_run,
    some_narrow,
    some_protected,
    warning,
)
from models.physics.network import ft_logging_users
from models.prediction import Finding
from models.scenario import AffinityKind
from models.texts import Text, joined, say, say_many

ERA_YEARS = 6
"""Years between machine and release from which on we warn; a rule of ours, not a document's."""


@rule("ft-single-vcpu", when=some_protected)
def ft_single_vcpu(context: Context) -> Iterator[Finding]:
    hosts = context.inputs.arrays.vms.host
    for row, vm in context.vms_where(refusals.over_ft_vcpus(context.numbers)):
        hypervisor = context.hypervisor(hosts[row])
        most = hypervisor.ft_max_vcpus
        if context.inputs.arrays.vms.at.physical[row]:
            text = say(
                "{vm} has Fault Tolerance, which a physical server does not have.", vm=vm.name
            )
            fix = say("Put it on a host with vSphere, or protect it by a Domino cluster.")
        elif most == 0:
            text = say(
                "{vm} has Fault Tolerance, which {hypervisor} does not have.",
                vm=vm.name,
                hypervisor=hypervisor.name,
            )
            fix = say("Take vSphere 4.0 or later, or protect it by HA or a Domino cluster.")
        else:
            count = say_many("{count} vCPU", "{count} vCPUs", most)
            text = say(
                "{vm} has Fault Tolerance and {vcpus} vCPUs; {hypervisor} protects VMs with at "
                "most {count}.",
                vm=vm.name,
                vcpus=vm.vcpus,
                hypervisor=hypervisor.name,
                count=count,
            )
            fix = say("Give it {count}, or protect it by HA or a Domino cluster.", count=count)
        yield error("ft-single-vcpu", vm, text, fix, f"{VSPHERE4}, “VMware FT Test”")


@rule("ft-logging-users", when=some_protected)
def ft_logging(context: Context) -> Iterator[Finding]:
    links = refusals.ft_links(context.numbers)
    carried = ft_logging_users(links.gbps, context.inputs.calibration.constants)
    source = f"{VSPHERE4}, “VMware FT Test”"
    nowhere = refusals.without_ft_network(context.numbers)
    for row, vm in context.vms_where(nowhere | refusals.over_ft_logging(context.numbers)):
        if nowhere[row]:
            host_row = context.inputs.arrays.vms.host[row]
            host = context.scenario.hosts[host_row]
            yield error(
                "ft-logging-users",
                vm,
                say(
                    "{vm} has Fault Tolerance, but {host} has no network for FT logging.",
                    vm=vm.name,
                    host=host.name,
                ),
                say(
                    "Give its hosts a dedicated link of at least {gbps} Gb/s.",
                    gbps=number(ft_limits(context.hypervisor(host_row)).logging_gbps),
                ),
                source,
            )
            continue
        make = warning if links.gbps[row] >= UNTESTED_GBPS else error
        yield make(
            "ft-logging-users",
            vm,
            say(
                "{vm} has Fault Tolerance: {host}’s logging link would carry {users} benchmark "
                "users; with {gbps} Gb/s it carries about {most}.",
                vm=vm.name,
                host=context.scenario.hosts[links.host[row]].name,
                users=number(links.users[row]),
                gbps=number(links.gbps[row], 1),
                most=number(carried[row]),
            ),
            say("Protect fewer users there, or use a 10 Gb/s link (which was not tested)."),
            source,
        )


@rule("ft-no-secondary", when=some_protected)
def ft_no_secondary(context: Context) -> Iterator[Finding]:
    for row, vm in context.vms_where(refusals.without_secondary(context.numbers)):
        why, fix = why_no_secondary(context, row)
        yield error(
            "ft-no-secondary",
            vm,
            say("{vm} has Fault Tolerance, but {why}.", vm=vm.name, why=why),
            fix,
            f"{VSPHERE4}, “VMware FT Test”; {FT_REQUIREMENTS}",
        )


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
            f"{number(amount, decimals)}\u202f{unit}"
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
    for _, vm in context.vms_where((vms.guest_bits == 32) & (vms.ram_gib > 4)):
        yield warning(
            "guest-32-over-4-gib",
            vm,
            say(
                "{vm} has {ram_gib} GiB and a 32-bit operating system: without PAE that uses "
                "4 GiB, and it can’t use the rest for its file cache.",
                vm=vm.name,
                ram_gib=number(vm.ram_gib, 1),
            ),
            say("Use a 64-bit operating system, or give it 4 GiB."),
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


@rule("shared-lun", when=some_lun, placeless=True)
def shared_lun(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    sharing = defaultdict(list)
    for _, vm in context.vms_where(vms.names_lun & vms.domino):
        sharing[vm.lun or ""].append(vm)
    for lun in sorted(lun for lun, users in sharing.items() if len(users) > 1):
        users = sorted(sharing[lun], key=lambda vm: vm.id)
        yield warning(
            "shared-lun",
            users[0],
            say("{names} share the LUN {lun}.", names=names([vm.name for vm in users]), lun=lun),
            say("Give each Domino server LUNs of its own with a single virtual disk on each."),
            WV21_LESSONS,
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


@rule("raid-not-offered", placeless=True)
def raid_not_offered(context: Context) -> Iterator[Finding]:
    pools = context.inputs.arrays.pools
    for row, pool in context.pools_where(refusals.raid_not_offered(context.numbers)):
        array, raid = context.array(row), pools.raids[pools.raid[row]]
        yield error(
            "raid-not-offered",
            pool,
            say(
                "{pool} is {raid}, which {array} does not offer.",
                pool=pool.name,
                raid=raid.name,
                array=array.name,
            ),
            say("Choose one of: {levels}.", levels=", ".join(array.raid_levels)),
            array.provenance.source,
        )


@rule("too-many-drives", placeless=True)
def too_many_drives(context: Context) -> Iterator[Finding]:
    for row, pool in context.pools_where(refusals.too_many_drives(context.numbers)):
        array = context.array(row)
        yield error(
            "too-many-drives",
            pool,
            say(
                "{pool} has {spindles} drives; {array} takes {max_drives}.",
                pool=pool.name,
                spindles=pool.spindles,
                array=array.name,
                max_drives=array.max_drives,
            ),
            say("Use at most {max_drives} drives, or a larger array.", max_drives=array.max_drives),
            array.provenance.source,
        )


@rule("affinity-broken", when=some_affinity)
def affinity_broken(context: Context) -> Iterator[Finding]:
    home = {vm.id: vm.host for vm in context.scenario.vms}
    called = {vm.id: vm.name for vm in context.scenario.vms}
    by_id = {vm.id: vm for vm in context.scenario.vms}
    excluded = {rule.id for each in contradictions(context.scenario) for rule in each.rules}
    for affinity in context.scenario.affinity:
        if affinity.id in excluded:
            continue
        placed = [id for id in affinity.vms if home.get(id)]
        hosts = [home[id] for id in placed]
        wrong = {
            AffinityKind.TOGETHER: len(set(hosts)) > 1,
            AffinityKind.APART: len(set(hosts)) < len(hosts),
        }.get(affinity.kind, any(host not in affinity.hosts for host in hosts))
        if wrong:
            make = advice if affinity.kind is AffinityKind.SHOULD_RUN_ON else warning
            yield make(
                "affinity-broken",
                by_id[placed[0]],
                say(
                    "{names}: the rule “{value}” is not kept.",
                    names=names([called[id] for id in placed]),
                    value=affinity.kind.value,
                ),
                say("Move them as the rule says, or drop the rule."),
                "VMware, vSphere Resource Management 6.7, “Using affinity rules”",
            )


@rule("partners-on-one-host", when=some_clustered)
def partners_on_one_host(context: Context) -> Iterator[Finding]:
    clustered = context.inputs.arrays.vms.clustered & context.inputs.arrays.vms.running
    home = {vm.id: vm.host for vm in context.scenario.vms}
    called = {vm.id: vm.name for vm in context.scenario.vms}
    for _, vm in context.vms_where(clustered):
        beside = [id for id in vm.cluster_partners if home.get(id) == vm.host and id > vm.id]
        if beside:
            yield warning(
                "partners-on-one-host",
                vm,
                say(
                    "{vm} and its Domino cluster partner {called} stand on one host: when it "
                    "fails, both are gone.",
                    vm=vm.name,
                    called=called[beside[0]],
                ),
                say("Put them on different hosts, and keep them there by a rule."),
                f"{VSPHERE4}, figure 19",
            )
