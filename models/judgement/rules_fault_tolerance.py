"""Rules about VMware Fault Tolerance: limits, licences, what its releases and hosts refuse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.base.texts import Text, say, say_many
from models.failure.fault_tolerance import (
    CHECKPOINT_GBPS,
    CHECKPOINTING_FROM,
    MOST_CLOCK_DIFFERENCE_MHZ,
    UNTESTED_GBPS,
    VSPHERE4_FT,
    ft_limits,
    per_host,
)
from models.judgement import platform_limits as refusals
from models.judgement.rulebook import (
    FT_GUIDE,
    Context,
    Found,
    error,
    number,
    rule,
    some_protected,
    warning,
)
from models.physics.arrays import LOCAL, RDM
from models.physics.columns import looked_up
from models.physics.network import ft_logging_users


@rule("ft-single-vcpu", say("Fault Tolerance: number of vCPUs"), when=some_protected)
def ft_single_vcpu(context: Context) -> Iterator[Found]:
    hosts = context.inputs.arrays.vms.host
    for row, vm in context.vms_where(refusals.over_ft_vcpus(context.numbers)):
        hypervisor = context.hypervisor(hosts[row])
        most = hypervisor.ft_max_vcpus
        if context.inputs.arrays.vms.at.physical[row]:
            text = say(
                "{vm} has Fault Tolerance, which a physical server does not have", vm=vm.name
            )
            fix = say("Put it on a host with vSphere, or protect it by a Domino cluster.")
        elif most == 0:
            text = say(
                "{vm} has Fault Tolerance, which {hypervisor} does not have",
                vm=vm.name,
                hypervisor=hypervisor.name,
            )
            fix = say("Take vSphere 4.0 or later, or protect it by HA or a Domino cluster.")
        else:
            count = say_many("{count} vCPU", "{count} vCPUs", most)
            text = say(
                "{vm} has Fault Tolerance and {vcpus} vCPUs; {hypervisor} protects VMs with at "
                "most {count}",
                vm=vm.name,
                vcpus=vm.vcpus,
                hypervisor=hypervisor.name,
                count=count,
            )
            fix = say("Give it {count}, or protect it by HA or a Domino cluster.", count=count)
        yield error(vm, text, fix, VSPHERE4_FT)


@rule("ft-logging-users", say("Fault Tolerance: users per logging link"), when=some_protected)
def ft_logging(context: Context) -> Iterator[Found]:
    links = refusals.ft_links(context.numbers)
    carried = ft_logging_users(links.gbps, context.inputs.calibration.constants)
    source = VSPHERE4_FT
    nowhere = refusals.without_ft_network(context.numbers)
    for row, vm in context.vms_where(nowhere | refusals.over_ft_logging(context.numbers)):
        if nowhere[row]:
            host_row = context.inputs.arrays.vms.host[row]
            host = context.scenario.hosts[host_row]
            yield error(
                vm,
                say(
                    "{vm} has Fault Tolerance, but {host} has no network for FT logging",
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
            vm,
            say(
                "{vm} has Fault Tolerance: {host}’s logging link would carry {users} benchmark "
                "users; with {gbps} Gb/s it carries about {most}",
                vm=vm.name,
                host=context.scenario.hosts[links.host[row]].name,
                users=number(links.users[row]),
                gbps=number(links.gbps[row], 1),
                most=number(carried[row]),
            ),
            say("Protect fewer users there, or use a 10 Gb/s link (which was not tested)."),
            source,
        )


@rule("ft-host-limit", say("Fault Tolerance: VMs per host"), when=some_protected)
def ft_host_limit(context: Context) -> Iterator[Found]:
    arrays = context.inputs.arrays
    count, vcpus = per_host(arrays, context.numbers.secondary)
    for row, host in context.hosts_where(count > 0):
        hypervisor = context.hypervisor(row)
        most, most_vcpus = hypervisor.ft_max_vms_per_host, hypervisor.ft_max_vcpus_per_host
        over = most is not None and count[row] > most
        over_vcpus = most_vcpus is not None and vcpus[row] > most_vcpus
        if not over and not over_vcpus:
            continue
        words = (
            say(
                "{count} VMs with Fault Tolerance, secondaries among them; its release grants a "
                "host {most}",
                count=count[row],
                most=most,
            )
            if over
            else say(
                "{vcpus} vCPUs of VMs with Fault Tolerance, secondaries among them; its release "
                "grants a host {most_vcpus}",
                vcpus=number(vcpus[row]),
                most_vcpus=most_vcpus,
            )
        )
        yield warning(
            host,
            say("{host} would carry {words}", host=host.name, words=words),
            say(
                "Spread the VMs with Fault Tolerance over more hosts, or protect fewer of them; an "
                "advanced option raises the limit at your risk."
            ),
            FT_GUIDE,
        )


@rule("ft-link", say("Fault Tolerance: logging link"), when=some_protected)
def ft_link(context: Context) -> Iterator[Found]:
    """From vSphere 6.0 on a slower link than VMware asks for, on either host."""
    arrays, secondary = context.inputs.arrays, context.numbers.secondary
    there = looked_up(arrays.hosts.ft_gbps, secondary, np.inf)
    gbps = np.minimum(refusals.ft_gbps(context.numbers), there)
    checkpoints = arrays.vms.at.version >= CHECKPOINTING_FROM[0]
    slow = refusals.protected(context.numbers) & checkpoints & (gbps < CHECKPOINT_GBPS)
    for row, vm in context.vms_where(slow):
        home = int(arrays.vms.host[row])
        host = home if arrays.hosts.ft_gbps[home] < CHECKPOINT_GBPS else int(secondary[row])
        yield warning(
            vm,
            say(
                "{vm} has Fault Tolerance under {hypervisor}, which asks for a logging link of "
                "{asked} Gb/s; {host} has {gbps} Gb/s. How many users that carries was never "
                "measured",
                vm=vm.name,
                hypervisor=context.hypervisor(home).name,
                asked=number(CHECKPOINT_GBPS),
                host=context.scenario.hosts[host].name,
                gbps=number(gbps[row], 1),
            ),
            say(
                "Give its hosts a dedicated link of at least {gbps} Gb/s.",
                gbps=number(CHECKPOINT_GBPS),
            ),
            FT_REQUIREMENTS,
        )


@rule("ft-clock", say("Fault Tolerance: clock rates"), when=some_protected)
def ft_clock(context: Context) -> Iterator[Found]:
    arrays, secondary = context.inputs.arrays, context.numbers.secondary
    for row in np.flatnonzero(secondary >= 0).tolist():
        home, there = int(arrays.vms.host[row]), int(secondary[row])
        apart = abs(arrays.hosts.base_mhz[home] - arrays.hosts.base_mhz[there])
        old = context.hypervisor(home).version < CHECKPOINTING_FROM
        if old and apart > MOST_CLOCK_DIFFERENCE_MHZ:
            vm = context.scenario.vms[row]
            yield warning(
                vm,
                say(
                    "{vm} would run on {one} and {other}, whose clocks are {apart} MHz apart",
                    vm=vm.name,
                    one=context.scenario.hosts[home].name,
                    other=context.scenario.hosts[there].name,
                    apart=number(apart),
                ),
                say(
                    "Use hosts within {most_clock_difference_mhz} MHz of each other.",
                    most_clock_difference_mhz=number(MOST_CLOCK_DIFFERENCE_MHZ),
                ),
                "VMware vSphere 4 Fault Tolerance white paper, p. 6",
            )


@rule(
    "ft-processors",
    say("Fault Tolerance: processors"),
    when=some_protected,
    unweighed="which processors are of one compatible group the catalog can’t tell",
)
def ft_processors(context: Context) -> Iterator[Found]:
    """A secondary on another processor: supported within a compatible group, or with EVC."""
    arrays, secondary = context.inputs.arrays, context.numbers.secondary
    processor = arrays.hosts.processor
    for row in np.flatnonzero(secondary >= 0).tolist():
        home, there = int(arrays.vms.host[row]), int(secondary[row])
        if processor[home] == processor[there]:
            continue
        vm, hosts = context.scenario.vms[row], context.scenario.hosts
        yield warning(
            vm,
            say(
                "{vm} runs on {one}, its secondary would run on {other}, which has another "
                "processor ({processor}): Fault Tolerance wants compatible ones, and the CPU of "
                "the secondary is counted as on {one}",
                vm=vm.name,
                one=hosts[home].name,
                other=hosts[there].name,
                processor=context.server(there).processor or context.server(there).name,
            ),
            say(
                "Use hosts with the same processor, or make sure that theirs are of one "
                "compatible group, from 6.0 by Enhanced vMotion Compatibility."
            ),
            FT_REQUIREMENTS,
        )


@rule("ft-disks", say("Fault Tolerance: disks"), when=some_protected)
def ft_disks(context: Context) -> Iterator[Found]:
    """Fault Tolerance wants disks that both hosts reach, and no raw device in physical mode."""
    vms = context.inputs.arrays.vms
    for row, vm in context.vms_where(refusals.protected(context.numbers)):
        if vms.mode[row] == RDM:
            yield warning(
                vm,
                say(
                    "{vm} has Fault Tolerance and raw device mappings, which are refused "
                    "in physical "
                    "mode",
                    vm=vm.name,
                ),
                say("Use VMFS, or raw devices in virtual mode."),
                FT_GUIDE,
            )
        elif vms.pool[row] < 0 or vms.mode[row] == LOCAL:
            yield warning(
                vm,
                say(
                    "{vm} has Fault Tolerance, but no shared storage: its secondary has to "
                    "reach the "
                    "same disks",
                    vm=vm.name,
                ),
                say("Put its data on a pool that both hosts reach."),
                FT_GUIDE,
            )


FT_REQUIREMENTS = (
    "VMware, vSphere Availability 4.1 and 6.0, Fault Tolerance: cluster and host requirements"
)


def why_no_secondary(context: Context, row: int) -> tuple[Text, Text]:
    """The first thing that leaves the VM no other host, as a clause, and what mends it.

    Args:
        row: a VM whose own host has a network for FT logging.
    """
    arrays = context.inputs.arrays
    vms, hosts, rules = arrays.vms, arrays.hosts, arrays.binding
    home = int(vms.host[row])
    if vms.rooted[row]:
        return (
            say("its disks are local to its host"),
            say("Put its data on a pool that both hosts reach."),
        )
    others = np.flatnonzero((hosts.cluster == hosts.cluster[home]) & (hosts.cluster >= 0))
    others = others[others != home]
    if not len(others):
        return (
            say("its host is in no cluster with another host"),
            say("Put its host into a cluster with a second host."),
        )
    most = context.hypervisor(home).ft_max_ram_gib
    if most is not None and vms.ram_gib[row] > most:
        return (
            say(
                "{hypervisor} protects VMs of up to {most} GiB",
                hypervisor=context.hypervisor(home).name,
                most=number(most),
            ),
            say("Give it {most} GiB, or do without Fault Tolerance.", most=number(most)),
        )
    others = others[~np.isnan(hosts.ft_gbps[others])]
    if not len(others):
        return (
            say("no other host of its cluster has a network for FT logging"),
            say("Give a second host of its cluster a network for FT logging."),
        )
    if rules is not None:
        others = others[~rules.standing_by[others] & rules.allowed(np.asarray(row), others)]
    if not len(others):
        return (
            say(
                "every other host with a network for FT logging stands by, is barred by its "
                "rules or can’t run it"
            ),
            say("Allow it a second host of its cluster that has such a network."),
        )
    return (
        say(
            "no other host of its cluster has {value} GiB for its secondary",
            value=number(context.vms.ram_gib.value[row], 1),
        ),
        say("Add memory to a second host of its cluster, or take VMs off it."),
    )
