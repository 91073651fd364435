"""Rules about what servers, hypervisors, guests and arrays grant: maximums, eras, ways to disks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from models.base.texts import Text, say
from models.catalog.catalog import Role
from models.judgement import platform_limits as refusals
from models.judgement.rulebook import (
    COUNTED,
    PRACTICE,
    SUPPORT,
    WV21,
    WV21_LESSONS,
    Context,
    Found,
    advice,
    cited,
    error,
    names,
    number,
    rule,
    warning,
)
from models.physics.arrays import MOST_RAM_32_BIT_GIB, MOST_RAM_WITHOUT_PAE_GIB, PHYSICAL_MODE
from models.scenario.places import Places


@rule("vm-maximum", say("Maximum of a VM"))
def vm_maximum(context: Context) -> Iterator[Found]:
    hosts = context.inputs.arrays.vms.host
    for row, vm in context.vms_where(refusals.over_vm_vcpus(context.numbers)):
        hypervisor = context.hypervisor(hosts[row])
        most = number(hypervisor.max_vcpus_per_vm or 0)
        yield error(
            vm,
            say(
                "{vm} has {vcpus} vCPUs; {hypervisor} grants {most}",
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
            vm,
            say(
                "{vm} has {ram_gib} GiB of RAM; {hypervisor} grants {most} GiB",
                vm=vm.name,
                ram_gib=number(vm.ram_gib, 1),
                hypervisor=hypervisor.name,
                most=most,
            ),
            say("Give it {most} GiB, or take a later release.", most=most),
            cited(hypervisor, "max_ram_gib_per_vm"),
        )


@rule("host-maximum", say("Maximum of a host"))
def host_maximum(context: Context) -> Iterator[Found]:
    hosts = context.inputs.arrays.hosts
    yield from _host_ram(context)
    for row, host in context.hosts_where(hosts.threads > hosts.most_threads):
        server, hypervisor = context.server(row), context.hypervisor(row)
        yield warning(
            host,
            say(
                "{host} has {threads} logical processors; {hypervisor} uses "
                "{max_logical_cpus_per_host}",
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
            host,
            say(
                "{host} runs {counts} VMs; {hypervisor} grants {max_vms_per_host}",
                host=host.name,
                counts=context.inputs.arrays.vms_by_host.counts[row],
                hypervisor=hypervisor.name,
                max_vms_per_host=hypervisor.max_vms_per_host,
            ),
            say("Move VMs to another host."),
            cited(hypervisor, "max_vms_per_host"),
        )


def _host_ram(context: Context) -> Iterator[Found]:
    """Hosts with more memory than server or release takes."""
    hosts = context.inputs.arrays.hosts
    for row, host in context.hosts_where(refusals.over_host_ram(context.numbers)):
        server, hypervisor = context.server(row), context.hypervisor(row)
        fitted, granted = hosts.server_ram_gib[row], hosts.most_host_ram_gib[row]
        owner = server if fitted < granted else hypervisor
        most = min(fitted, granted)
        yield error(
            host,
            say(
                "{host} has {ram_gib} GiB of RAM; {owner} takes {most} GiB",
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


@rule("cluster-maximum", say("Maximum of a cluster"))
def cluster_maximum(context: Context) -> Iterator[Found]:
    hosts = context.inputs.arrays.hosts
    limits = hosts.most_hosts
    for row, host in context.hosts_where(refusals.in_oversized_cluster(context.numbers)):
        of_cluster = np.flatnonzero(hosts.cluster == hosts.cluster[row])
        if row != of_cluster[np.argmin(limits[of_cluster])]:
            continue
        cluster, hypervisor = context.scenario.cluster(host.cluster or ""), context.hypervisor(row)
        yield error(
            cluster,
            say(
                "{cluster} has {count} hosts; {hypervisor} grants {limits}",
                cluster=cluster.name,
                count=len(of_cluster),
                hypervisor=hypervisor.name,
                limits=number(limits[row]),
            ),
            say("Make two clusters of it."),
            cited(hypervisor, "max_hosts_per_cluster"),
        )


@rule("guest-32-over-4-gib", say("32-bit operating system with much memory"), unweighed=COUNTED)
def guest_32_over_4_gib(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    most = np.where(vms.guest_pae == 1, MOST_RAM_32_BIT_GIB, MOST_RAM_WITHOUT_PAE_GIB)
    for row, vm in context.vms_where((vms.guest_bits == 32) & (vms.ram_gib > most)):
        told = {"vm": vm.name, "ram_gib": number(vm.ram_gib, 1), "most": number(most[row], 1)}
        if vm.guest_pae:
            what = say(
                "{vm} has {ram_gib} GiB and a 32-bit operating system with PAE: the most that was "
                "measured to serve mail there is {most} GiB, and the rest isn’t counted",
                **told,
            )
        elif vm.guest_pae is None:
            what = say(
                "{vm} has {ram_gib} GiB and a 32-bit operating system, and it isn’t said whether "
                "that has PAE: without, it uses {most} GiB, and can’t use the rest for its file "
                "cache",
                **told,
            )
        else:
            what = say(
                "{vm} has {ram_gib} GiB and a 32-bit operating system without PAE: it uses {most} "
                "GiB",
                **told,
            )
        yield warning(
            vm,
            what,
            say("Say whether it has PAE.")
            if vm.guest_pae is None
            else say("Use a 64-bit operating system, or give it {most} GiB.", most=told["most"]),
            f"{WV21}, “Test Results Comments – High-End System”",
        )


@rule("reference-system", say("Reference system"), unweighed=SUPPORT)
def reference_system(context: Context) -> Iterator[Found]:
    pools = context.inputs.arrays.pools
    fix = say("Choose one from the catalog’s purchase list before this becomes a proposal.")
    for row, host in context.hosts_where(context.inputs.arrays.hosts.reference):
        server = context.server(row)
        yield advice(
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
            pool,
            _reference(pool.name, array.name),
            fix,
            array.provenance.source,
        )


def _reference(name: str, model: str) -> Text:
    return say(
        "{name}: {model} is a reference system, there to reproduce measurements; it can’t be "
        "proposed",
        name=name,
        model=model,
    )


PATHS = "VMware, product documentation of vSphere Storage, not checked"
VSAN_RELEASE = (
    "vSAN Essentials, chapter 2: requirements for deployment "
    "<https://www.vsan-essentials.com/chapter-2-vsan-prerequisites-and-requirements-for-deployment>"
)


@rule("storage-path", say("Path to the disks"))
def storage_path(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    for row, vm in context.vms_where(refusals.impossible_path(context.numbers)):
        home = vms.host[row]
        host, hypervisor = context.scenario.hosts[home].name, context.hypervisor(home).name
        if vms.at.physical[row]:
            yield error(
                vm,
                say(
                    "{vm} is to reach its disks by {path}, but {host} is a physical server",
                    vm=vm.name,
                    path=vm.disk_mode.label,
                    host=host,
                ),
                say("Choose the path of a physical server, or place it on a host with vSphere."),
                PATHS,
            )
        elif vms.mode[row] == PHYSICAL_MODE:
            yield error(
                vm,
                say(
                    "{vm} is to reach its disks as a physical server does, but {host} runs "
                    "{hypervisor}",
                    vm=vm.name,
                    host=host,
                    hypervisor=hypervisor,
                ),
                say("Choose VMFS or raw device mappings."),
                PATHS,
            )
        else:
            yield error(
                vm,
                say(
                    "{vm} is to keep its disks on vSAN, but {host} runs {hypervisor}, which does "
                    "not have it",
                    vm=vm.name,
                    host=host,
                    hypervisor=hypervisor,
                ),
                say("Choose VMFS or raw device mappings, or take vSphere 5.5 or later."),
                VSAN_RELEASE,
            )


@rule("raid-group", say("Size of RAID groups"))
def raid_group(context: Context) -> Iterator[Found]:
    pools = context.inputs.arrays.pools
    drives, group, fewest = pools.drives, pools.largest_group, pools.fewest_in_group
    for row, pool in context.pools_where(refusals.impossible_raid_group(context.numbers)):
        raid = pools.raids[pools.raid[row]]
        if group[row] < fewest[row]:
            text = say(
                "{raid} takes at least {fewest} drives a group; those of {pool} have {drives}",
                raid=raid.name,
                fewest=number(fewest[row]),
                pool=pool.name,
                drives=number(group[row]),
            )
            fix = say(
                "Make groups of at least {fewest} drives, or choose another RAID level.",
                fewest=number(fewest[row]),
            )
        else:
            text = say(
                "{pool} is to have RAID groups of {group} drives, but has only {drives} besides "
                "its hot spares",
                pool=pool.name,
                group=number(pools.own_group[row]),
                drives=number(drives[row]),
            )
            fix = say("Make the groups smaller, or add drives.")
        source = cited(raid, "fewest_drives")
        yield error(pool, text, fix, source)


@rule("pool-not-seen", say("Pool that the host does not see"))
def pool_not_seen(context: Context) -> Iterator[Found]:
    """VMs that stand where their disks can't be reached."""
    places = Places.of(context.scenario)
    hosts = {host.id: host.name for host in context.scenario.hosts}
    for _, vm in context.vms_where(refusals.blind(context.numbers)):
        pool = places.unseen(vm, vm.host or "")
        if pool is None:
            continue
        yield error(
            vm,
            say(
                "{vm} stands on {host}, which does not see its pool {pool}",
                vm=vm.name,
                host=hosts[vm.host or ""],
                pool=pool.name,
            ),
            say("Move it to a host that sees the pool, or let this host see it."),
            PRACTICE_OF_STORAGE,
        )


PRACTICE_OF_STORAGE = (
    "VMware, vSphere Storage: a host runs a VM only where it has access to the VM’s data stores"
)


@rule("shared-lun", say("Shared LUN"), unweighed=PRACTICE)
def shared_lun(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    sharing = defaultdict(list)
    for _, vm in context.vms_where(vms.names_lun & vms.domino):
        sharing[vm.lun or ""].append(vm)
    for lun in sorted(lun for lun, users in sharing.items() if len(users) > 1):
        users = sorted(sharing[lun], key=lambda vm: vm.id)
        yield warning(
            users[0],
            say("{names} share the LUN {lun}", names=names([vm.name for vm in users]), lun=lun),
            say("Give each Domino server LUNs of its own with a single virtual disk on each."),
            WV21_LESSONS,
        )
