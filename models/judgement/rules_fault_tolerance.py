"""Rules about VMware Fault Tolerance: limits, licences, what its releases and hosts refuse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.catalog import Hypervisor
from models.failure.fault_tolerance import (
    CHECKPOINT_GBPS,
    CHECKPOINTING_FROM,
    MOST_CLOCK_DIFFERENCE_MHZ,
    UNTESTED_GBPS,
    VSPHERE4_FT,
    ft_limits,
    per_host,
)
from models.judgement import refusals
from models.judgement.no_secondary import FT_REQUIREMENTS, why_no_secondary
from models.judgement.rulebook import (
    Context,
    advice,
    error,
    names,
    number,
    rule,
    some_protected,
    warning,
)
from models.physics.arrays import LOCAL, RDM
from models.physics.columns import looked_up
from models.physics.network import ft_logging_users
from models.prediction import Finding
from models.scenario import Vm
from models.texts import say, say_many

FT_GUIDE = "VMware, vSphere Availability, Fault Tolerance requirements, limits and licensing"
SUITABLE_CLUSTER_HOSTS = 3


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
        yield error("ft-single-vcpu", vm, text, fix, VSPHERE4_FT)


@rule("ft-logging-users", when=some_protected)
def ft_logging(context: Context) -> Iterator[Finding]:
    links = refusals.ft_links(context.numbers)
    carried = ft_logging_users(links.gbps, context.inputs.calibration.constants)
    source = VSPHERE4_FT
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
            f"{VSPHERE4_FT}; {FT_REQUIREMENTS}",
        )


@rule("ft-host-limit", when=some_protected)
def ft_host_limit(context: Context) -> Iterator[Finding]:
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
            "ft-host-limit",
            host,
            say("{host} would carry {words}.", host=host.name, words=words),
            say(
                "Spread the VMs with Fault Tolerance over more hosts, or protect fewer of them; an "
                "advanced option raises the limit at your risk."
            ),
            FT_GUIDE,
        )


@rule("ft-link", when=some_protected)
def ft_link(context: Context) -> Iterator[Finding]:
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
            "ft-link",
            vm,
            say(
                "{vm} has Fault Tolerance under {hypervisor}, which asks for a logging link of "
                "{asked} Gb/s; {host} has {gbps} Gb/s. How many users that carries was never "
                "measured.",
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


@rule("ft-licence", when=some_protected)
def ft_licence(context: Context) -> Iterator[Finding]:
    for vm, hypervisor in _protected(context):
        standard = hypervisor.ft_max_vcpus_standard
        if standard is not None and standard < vm.vcpus <= hypervisor.ft_max_vcpus:
            yield advice(
                "ft-licence",
                vm,
                say(
                    "{vm} has Fault Tolerance and {vcpus} vCPUs; the Standard and Enterprise "
                    "licences protect {standard}.",
                    vm=vm.name,
                    vcpus=vm.vcpus,
                    standard=standard,
                ),
                say("Make sure that the hosts have Enterprise Plus."),
                FT_GUIDE,
            )


@rule("ft-nested-paging", when=some_protected)
def ft_nested_paging(context: Context) -> Iterator[Finding]:
    slow = [vm.name for vm, release in _protected(context) if release.ft_disables_nested_paging]
    if slow:
        yield advice(
            "ft-nested-paging",
            None,
            say(
                "{names}: with Fault Tolerance vSphere 4.0 switches nested paging off; the CPU "
                "figures were measured with it, and what Domino loses without was never "
                "published.",
                names=names(slow),
            ),
            say("Measure before you count on it, or take vSphere 4.1 or later."),
            "VMware, vSphere 4.0 release notes, Fault Tolerance: hardware MMU",
        )


@rule("ft-cost", when=some_protected)
def ft_cost(context: Context) -> Iterator[Finding]:
    """What protection takes from the VM itself is in no figure."""
    vms = context.inputs.arrays.vms
    mail = [
        vm.name for _, vm in context.vms_where(refusals.protected(context.numbers) & vms.domino)
    ]
    if mail:
        yield advice(
            "ft-cost",
            None,
            say(
                "{names}: CPU and response time are those of a VM without Fault Tolerance; what it "
                "costs was published as a chart without figures.",
                names=names(mail),
            ),
            say("Measure a protected server before you promise its response time."),
            VSPHERE4_FT,
        )


@rule("ft-clock", when=some_protected)
def ft_clock(context: Context) -> Iterator[Finding]:
    arrays, secondary = context.inputs.arrays, context.numbers.secondary
    for row in np.flatnonzero(secondary >= 0).tolist():
        home, there = int(arrays.vms.host[row]), int(secondary[row])
        apart = abs(arrays.hosts.base_mhz[home] - arrays.hosts.base_mhz[there])
        old = context.hypervisor(home).version < CHECKPOINTING_FROM
        if old and apart > MOST_CLOCK_DIFFERENCE_MHZ:
            vm = context.scenario.vms[row]
            yield warning(
                "ft-clock",
                vm,
                say(
                    "{vm} would run on {one} and {other}, whose clocks are {apart} MHz apart.",
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


@rule("ft-processors", when=some_protected)
def ft_processors(context: Context) -> Iterator[Finding]:
    """A secondary on another processor: supported within a compatible group, or with EVC."""
    arrays, secondary = context.inputs.arrays, context.numbers.secondary
    processor = arrays.hosts.processor
    for row in np.flatnonzero(secondary >= 0).tolist():
        home, there = int(arrays.vms.host[row]), int(secondary[row])
        if processor[home] == processor[there]:
            continue
        vm, hosts = context.scenario.vms[row], context.scenario.hosts
        yield warning(
            "ft-processors",
            vm,
            say(
                "{vm} runs on {one}, its secondary would run on {other}, which has another "
                "processor ({processor}): Fault Tolerance wants compatible ones, and the CPU of "
                "the secondary is counted as on {one}.",
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


@rule("ft-disks", when=some_protected)
def ft_disks(context: Context) -> Iterator[Finding]:
    """Fault Tolerance wants disks that both hosts reach, and no raw device in physical mode."""
    vms = context.inputs.arrays.vms
    for row, vm in context.vms_where(refusals.protected(context.numbers)):
        if vms.mode[row] == RDM:
            yield warning(
                "ft-disks",
                vm,
                say(
                    "{vm} has Fault Tolerance and raw device mappings, which are refused "
                    "in physical "
                    "mode.",
                    vm=vm.name,
                ),
                say("Use VMFS, or raw devices in virtual mode."),
                FT_GUIDE,
            )
        elif vms.pool[row] < 0 or vms.mode[row] == LOCAL:
            yield warning(
                "ft-disks",
                vm,
                say(
                    "{vm} has Fault Tolerance, but no shared storage: its secondary has to "
                    "reach the "
                    "same disks.",
                    vm=vm.name,
                ),
                say("Put its data on a pool that both hosts reach."),
                FT_GUIDE,
            )


@rule("ft-third-host", when=some_protected)
def ft_third_host(context: Context) -> Iterator[Finding]:
    hosts = context.inputs.arrays.hosts
    sizes = np.bincount(hosts.cluster[hosts.cluster >= 0], minlength=1)
    cluster = context.clusters_of_vms
    small = [
        vm.name
        for row, vm in context.vms_where(context.numbers.secondary >= 0)
        if sizes[cluster[row]] < SUITABLE_CLUSTER_HOSTS
    ]
    if small:
        yield advice(
            "ft-third-host",
            None,
            say(
                "{names}: in a cluster of two hosts a VM with Fault Tolerance runs on without a "
                "secondary when one of them fails.",
                names=names(small),
            ),
            say("Use three hosts or more."),
            FT_GUIDE,
        )


def _protected(context: Context) -> Iterator[tuple[Vm, Hypervisor]]:
    """Running VMs with Fault Tolerance, and the releases they run on."""
    vms = context.inputs.arrays.vms
    for row, vm in context.vms_where(refusals.protected(context.numbers)):
        yield vm, context.hypervisor(vms.host[row])
