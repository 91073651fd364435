"""Rules about HA: admission control, configuration maximums, restarts that can't be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from operator import attrgetter

import numpy as np

from models.base.texts import say, say_many
from models.failure.admission import (
    GUIDE,
    DedicatedCheck,
    PercentageCheck,
    SlotCheck,
    shown,
)
from models.failure.admission_unmet import unmet
from models.failure.reservations import AdmissionCheck
from models.judgement import platform_limits as refusals
from models.judgement.host_set_words import gone, is_told, outcome, tells_unseen
from models.judgement.host_sets import WorstSet
from models.judgement.rulebook import (
    FIND_OUT,
    MEND_FIRST,
    OWN,
    RULES_KEEP_DOWN,
    SURVIVED,
    Context,
    Found,
    advice,
    cited,
    error,
    more_vcpus,
    names,
    number,
    rule,
    warning,
)
from models.physics.arrays import LOCAL, RESTART_DISABLED
from models.predict.prediction import Verdict
from models.scenario.scenario import AdmissionPolicy, Vm

RESOURCE_GUIDE = "VMware, vSphere Resource Management 6.7, VM-host affinity rules"
BEST_PRACTICE = "VMware, vSphere Availability 6.0, best practices for admission control"
HA_CHECKLIST = (
    "VMware, vSphere Availability 4.1, HA checklist: virtual machines on shared, not local, storage"
)
FEW_VMS = 3


@rule("admission-not-met", say("Admission control is not met"))
def admission_not_met(context: Context) -> Iterator[Found]:
    scenario, numbers = context.scenario, context.numbers
    ram, arrays = context.vms.ram_gib.value, context.inputs.arrays
    for check in unmet(scenario, arrays, numbers.secondary, ram_gib=ram):
        yield warning(
            scenario.cluster(check.cluster),
            say(
                "{cluster}’s admission control refuses more VMs: {why}",
                cluster=check.name,
                why=_unmet_words(context, check),
            ),
            say("Add a host, lower reservations, or reserve less for failures."),
            GUIDE,
        )


def _unmet_words(context: Context, check: AdmissionCheck) -> str:
    found = check.check
    if isinstance(found, SlotCheck):
        may = say_many("{count} host may fail", "{count} hosts may fail", found.current)
        if found.slot.cpu_from:
            return say_many(
                "{count} reservation of {mhz} MHz makes the slot, and by its slots {may}, "
                "{configured} should be able to",
                "{count} reservations of {mhz} MHz make the slot, and by its slots {may}, "
                "{configured} should be able to",
                sum(each.cpu_reservation_mhz >= found.slot.cpu_mhz for each in found.guests),
                mhz=number(found.slot.cpu_mhz),
                may=may,
                configured=found.configured,
            )
        return say(
            "by its slots {may}, {configured} should be able to",
            may=may,
            configured=found.configured,
        )
    if isinstance(found, PercentageCheck):
        if found.hosts < 2:
            return say("it has one host, which leaves nowhere to fail over to")
        if found.cpu_current_pct is None:
            return say(
                "{ram} % of its memory are not reserved, {ram_wanted} % should be",
                ram=shown(found.ram_current_pct),
                ram_wanted=number(found.ram_configured_pct),
            )
        return say(
            "{cpu} % of its CPU and {ram} % of its memory are not reserved, "
            "{cpu_wanted} and {ram_wanted} % should be",
            cpu=shown(found.cpu_current_pct),
            ram=shown(found.ram_current_pct),
            cpu_wanted=number(found.cpu_configured_pct),
            ram_wanted=number(found.ram_configured_pct),
        )
    assert isinstance(found, DedicatedCheck)
    if not found.hosts:
        return say("no host of it stands by")
    called = {vm.id: vm.name for vm in context.scenario.vms}
    return say(
        "{names} run on a host that should stand by",
        names=names([called[id] for id in found.occupied]),
    )


@rule("n-plus-k", say("Loss of several hosts at once"), unweighed=SURVIVED)
def n_plus_k(context: Context) -> Iterator[Found]:
    """A cluster that tolerates several host failures, by demand: the worst loss of as many."""
    several = context.numbers.several
    if several is None:
        return
    for row in several.clusters():
        worst = several.worst(row)
        if worst.code < Verdict.DOES_NOT_FIT and not is_told(worst):
            continue
        cluster, what = context.scenario.clusters[row], outcome(context.scenario, worst)
        said = {
            "cluster": cluster.name,
            "failures": cluster.admission.host_failures,
            "hosts": gone(context.scenario, worst),
            "what": what,
        }
        yield warning(
            cluster,
            say_many(
                "{cluster} tolerates {failures} host failures by its policy, but with {hosts} gone "
                "{what}; {count} of {sets} sets of hosts doesn’t fit",
                "{cluster} tolerates {failures} host failures by its policy, but with {hosts} gone "
                "{what}; {count} of {sets} sets of hosts don’t fit",
                worst.broken,
                sets=worst.sets,
                **said,
            )
            if worst.broken
            else say(
                "{cluster} tolerates {failures} host failures by its policy, but with {hosts} gone "
                "{what}",
                **said,
            ),
            _what_helps(context, worst),
            f"{GUIDE}: host failures the cluster tolerates; {OWN}, failure modes",
        )


def _what_helps(context: Context, worst: WorstSet) -> str:
    """What helps a cluster that does not survive this loss."""
    if tells_unseen(worst):
        return FIND_OUT
    if worst.stranded and not (worst.short_gib or worst.short_ghz):
        return RULES_KEEP_DOWN
    if worst.own_alone:
        return more_vcpus([context.scenario.vms[row].name for row in worst.own_over])
    if worst.as_before:
        return MEND_FIRST
    return say("Add a host to the cluster, take load off it, or tolerate fewer failures.")


@rule("admission-share", say("Percentage of admission control"), unweighed=SURVIVED)
def admission_share(context: Context) -> Iterator[Found]:
    """A percentage that is less than the largest host is of its cluster."""
    hosts = context.inputs.arrays.hosts
    for row, cluster in enumerate(context.scenario.clusters):
        admission = cluster.admission
        if admission.policy is not AdmissionPolicy.PERCENTAGE:
            continue
        members = np.flatnonzero(hosts.cluster == row)
        if len(members) < 2:
            continue
        mhz, ram = hosts.cores[members] * hosts.base_mhz[members], hosts.ram_gib[members]
        shares = [100.0 * float(each.max() / each.sum()) for each in (mhz, ram)]
        kept = (admission.cpu_pct, admission.ram_pct)
        if any(share > pct + 0.5 for share, pct in zip(shares, kept, strict=True)):
            text = say(
                "{cluster} keeps {cpu} % of CPU and {ram} % of memory free; its largest hosts are "
                "{cpu_share} and {ram_share} % of it",
                cluster=cluster.name,
                cpu=number(kept[0]),
                ram=number(kept[1]),
                cpu_share=number(shares[0]),
                ram_share=number(shares[1]),
            )
            if np.isnan(shares[0]):
                text = say(
                    "{cluster} keeps {ram} % of memory free; its largest host is {ram_share} % of "
                    "it",
                    cluster=cluster.name,
                    ram=number(kept[1]),
                    ram_share=number(shares[1]),
                )
            yield warning(
                cluster,
                text,
                say("Keep at least the share of the largest host free."),
                BEST_PRACTICE,
            )


@rule("admission-slot-size", say("Size of a slot"), unweighed=SURVIVED)
def admission_slot_size(context: Context) -> Iterator[Found]:
    """One reservation that makes every slot large."""
    vms, of = context.scenario.vms, context.inputs.arrays.vms
    for what, unit, reserved in (
        ("CPU", "MHz", np.fmax(of.reserved_mhz, 0.0)),
        (say("memory"), "GiB", np.fmax(of.reserved_gib, 0.0)),
    ):
        for row, cluster in enumerate(context.scenario.clusters):
            admission = cluster.admission
            cap = admission.slot_cpu_cap_mhz if what == "CPU" else admission.slot_ram_cap_mib
            there = np.flatnonzero(of.running & (context.clusters_of_vms == row))
            slots = admission.policy is AdmissionPolicy.HOST_FAILURES and cap is None
            if not slots or len(there) < FEW_VMS:
                continue
            next_one, largest = there[np.argsort(reserved[there], kind="stable")[-2:]].tolist()
            if reserved[largest] > DISTORTION * reserved[next_one]:
                vm = vms[largest]
                yield advice(
                    vm,
                    say(
                        "{vm} reserves {reserved} {unit} of {what}, the next VM of {cluster} "
                        "{next}: every slot is as large",
                        vm=vm.name,
                        reserved=number(reserved[largest]),
                        unit=unit,
                        what=what,
                        cluster=cluster.name,
                        next=number(reserved[next_one]),
                    ),
                    say("Cap the slot size, reserve less, or use the percentage policy."),
                    GUIDE,
                )


DISTORTION = 4.0
"""Largest over second largest reservation from which on one VM distorts the slots; stated."""


@rule("failover-host-smaller", say("Failover host too small"), unweighed=SURVIVED)
def failover_host_smaller(context: Context) -> Iterator[Found]:
    hosts = context.inputs.arrays.hosts
    for row, cluster in enumerate(context.scenario.clusters):
        if cluster.admission.policy is not AdmissionPolicy.DEDICATED:
            continue
        members = np.flatnonzero(hosts.cluster == row)
        standing_by = [hosts.ids.index(id) for id in cluster.admission.failover_hosts]
        others = [host for host in members.tolist() if host not in standing_by]
        size = np.array([hosts.cores * np.nan_to_num(hosts.base_mhz), hosts.ram_gib])
        for host in standing_by:
            if others and (size[:, host] < size[:, others].max(axis=1) * (1 - 1e-9)).any():
                item = context.scenario.hosts[host]
                yield advice(
                    item,
                    say("{item} stands by for hosts that are larger than itself", item=item.name),
                    say("Let the largest host stand by."),
                    BEST_PRACTICE,
                )


@rule("ha-maximum", say("Maximum of an HA cluster"))
def ha_maximum(context: Context) -> Iterator[Found]:
    """VMs a host in an HA cluster, and VMs a cluster."""
    hosts, counts = context.inputs.arrays.hosts, context.inputs.arrays.vms_by_host.counts
    for row, host in context.hosts_where(refusals.over_ha_vms(context.numbers)):
        yield error(
            host,
            say(
                "{host} runs {counts} VMs; in an HA cluster of this size {hypervisor} grants "
                "{most} a host",
                host=host.name,
                counts=counts[row],
                hypervisor=context.hypervisor(row).name,
                most=number(hosts.most_ha_vms[row]),
            ),
            say("Move VMs away, or make smaller clusters."),
            cited(context.hypervisor(row), "ha_max_vms_per_host", "ha_max_vms_per_host_large"),
        )
    most = hosts.granted("max_vms_per_cluster")
    running = np.bincount(hosts.cluster + 1, counts, len(context.scenario.clusters) + 1)[1:]
    for row, cluster in enumerate(context.scenario.clusters):
        members = np.flatnonzero(hosts.cluster == row)
        least = members[np.argmin(most[members])] if len(members) else -1
        if least >= 0 and running[row] > most[least]:
            yield warning(
                cluster,
                say(
                    "{cluster} runs {running} VMs; {most_of} are granted in a cluster",
                    cluster=cluster.name,
                    running=number(running[row]),
                    most_of=number(most[least]),
                ),
                say("Make two clusters of it."),
                cited(context.hypervisor(least), "max_vms_per_cluster"),
            )


@rule("vcpu-maximum", say("Maximum of vCPUs"))
def vcpu_maximum(context: Context) -> Iterator[Found]:
    """vCPUs a host and a core that a release grants, whatever the policy says."""
    per_core, hosts = context.hosts.vcpus_per_core, context.inputs.arrays.hosts
    vcpus = per_core * hosts.cores
    most, most_per_core = hosts.most_host_vcpus, hosts.most_core_vcpus
    over = refusals.over_host_vcpus(context.numbers) | refusals.over_core_vcpus(context.numbers)
    for row, host in context.hosts_where(over):
        hypervisor = context.hypervisor(row)
        if vcpus[row] > most[row]:
            words = say(
                "{vcpus} vCPUs; {hypervisor} grants {most}",
                vcpus=number(vcpus[row]),
                hypervisor=hypervisor.name,
                most=number(most[row]),
            )
            make, field = error, "max_vcpus_per_host"
        else:
            words = say(
                "{per_core} vCPUs a core; {hypervisor} grants {most_per_core}",
                per_core=number(per_core[row], 1),
                hypervisor=hypervisor.name,
                most_per_core=number(most_per_core[row]),
            )
            make, field = warning, "max_vcpus_per_core"
        yield make(
            host,
            say("{host} runs {words}", host=host.name, words=words),
            say("Move VMs to another host, or give them fewer vCPUs."),
            cited(hypervisor, field),
        )


@rule("no-ha", say("No HA"), unweighed=SURVIVED)
def no_ha(context: Context) -> Iterator[Found]:
    """Hosts of a cluster that HA leaves out: physical servers, and releases before it."""
    hosts, counts = context.inputs.arrays.hosts, context.inputs.arrays.vms_by_host.counts
    for row, host in context.hosts_where((hosts.cluster < 0) & (counts > 0)):
        if host.cluster is None:
            continue
        physical = bool(hosts.physical[row])
        what = (
            say("a physical server")
            if physical
            else say("{hypervisor}, without HA", hypervisor=context.hypervisor(row).name)
        )
        yield warning(
            host,
            say(
                "{host} is {what}: when it fails nothing of it restarts in {cluster}, and "
                "nothing restarts on it",
                host=host.name,
                what=what,
                cluster=context.scenario.cluster(host.cluster).name,
            ),
            say("Take a release with HA, or protect its servers by a Domino cluster."),
            HA_CHECKLIST if physical else "VMware Infrastructure 3: HA came with ESX Server 3.0",
        )


_GROUP = attrgetter("failure_group")


@rule(
    "ha-primary-hosts",
    say("HA primary hosts"),
    unweighed="which hosts are the primary ones is chance, and in no inventory",
)
def ha_primary_hosts(context: Context) -> Iterator[Found]:
    """Up to vSphere 4 five hosts of a cluster decide on restarts; a group may hold all of them."""
    if not any(map(_GROUP, context.scenario.hosts)):
        return
    hosts = context.inputs.arrays.hosts
    old = (hosts.cluster >= 0) & (hosts.version < ELECTED_MASTER_FROM)
    members: dict[tuple[int, str], int] = defaultdict(int)
    for row, host in context.hosts_where(old):
        if host.failure_group:
            members[int(hosts.cluster[row]), host.failure_group] += 1
    for (row, group), count in members.items():
        if PRIMARY_HOSTS <= count < hosts.cluster_sizes[row]:
            cluster = context.scenario.clusters[row]
            yield warning(
                cluster,
                say(
                    "{group} holds {count} hosts of {cluster}: all {primary_hosts} primary "
                    "hosts of "
                    "HA may be among them, and without one nothing restarts",
                    group=group,
                    count=count,
                    cluster=cluster.name,
                    primary_hosts=PRIMARY_HOSTS,
                ),
                say(
                    "Put at most {most} hosts of a cluster into one group, or take "
                    "vSphere 5.0 or "
                    "later.",
                    most=PRIMARY_HOSTS - 1,
                ),
                PRIMARY_SOURCE,
            )


PRIMARY_HOSTS, ELECTED_MASTER_FROM = 5, 5.0
PRIMARY_SOURCE = (
    "VMware, vSphere Availability 4.1, how VMware HA works: the first five hosts are primary; "
    "System administrators’ blog, September 2015 <https://systemadminstrators.blogspot.com/2015/09>"
)


@rule("restart-nowhere", say("No host to restart on"), unweighed=SURVIVED)
def restart_nowhere(context: Context) -> Iterator[Found]:
    """VMs with no second host of their cluster: by must-rules, local disks, or their size."""
    arrays = context.inputs.arrays
    vms, hosts, binding = arrays.vms, arrays.hosts, arrays.binding
    stuck = (vms.mode == LOCAL) & ~vms.clustered
    if binding is not None:
        rows = (binding.bound & (context.clusters_of_vms >= 0)).nonzero()[0]
        others = hosts.members[context.clusters_of_vms[rows]]
        there = (others >= 0) & (others != vms.host[rows][:, None])
        stuck[rows[~(there & binding.allowed(rows[:, None], others)).any(axis=1)]] = True
    sizes = np.append(hosts.cluster_sizes, 0)
    stuck &= vms.running & (vms.priority != RESTART_DISABLED)
    for row, vm in context.vms_where(stuck & (sizes[context.clusters_of_vms] > 1)):
        yield _stuck(context, row, vm)


def _stuck(context: Context, row: int, vm: Vm) -> Found:
    """Why a VM can restart nowhere, and what to do."""
    arrays = context.inputs.arrays
    home = int(arrays.vms.host[row])
    name = context.scenario.hosts[home].name
    if arrays.vms.mode[row] == LOCAL:
        return warning(
            vm,
            say(
                "{vm} has its disks local to {name}: HA restarts only what lies on shared storage",
                vm=vm.name,
                name=name,
            ),
            say("Put its disks on shared storage, or give it a Domino cluster partner."),
            HA_CHECKLIST,
        )
    alike = np.flatnonzero(arrays.hosts.cluster == arrays.hosts.cluster[home])
    others, rules = alike[alike != home], arrays.rules
    if rules is not None and not rules.allowed(np.asarray(row), others).any():
        return warning(
            vm,
            say(
                "{vm} must run on {name}: HA never breaks a must-rule, so it has nowhere "
                "to restart",
                vm=vm.name,
                name=name,
            ),
            say("Allow it a second host of its cluster, or make it a should-rule."),
            RESOURCE_GUIDE,
        )
    return warning(
        vm,
        say_many(
            "{vm} has {count} vCPU and {ram_gib} GiB: no other host of its cluster that its "
            "rules leave can run it, so it has nowhere to restart",
            "{vm} has {count} vCPUs and {ram_gib} GiB: no other host of its cluster that its "
            "rules leave can run it, so it has nowhere to restart",
            vm.vcpus,
            vm=vm.name,
            ram_gib=number(vm.ram_gib, 1),
        ),
        say("Keep a second host that can run it, or make it smaller."),
        "VMware vSphere 6.7, virtual CPU limits: vCPUs not above the host’s logical CPUs; "
        "configuration maximums of the releases",
    )
