"""Rules about the design around the VMs: disks and their queues, network, memory, releases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.base.quantities import FloatArray
from models.base.texts import say
from models.judgement.against_limits import NEAR
from models.judgement.rulebook import (
    COUNTED,
    JUDGED,
    PRACTICE,
    VSPHERE4,
    WV21,
    WV21_LESSONS,
    Context,
    Found,
    advice,
    names,
    number,
    rule,
    warning,
)
from models.judgement.thresholds import on_busy_pool
from models.physics.columns import some
from models.predict.virtualised import virtualised

QUEUE_SOURCE = (
    "VMware vSphere blog, 2012: Advanced VMkernel settings for disk storage "
    "<https://blogs.vmware.com/vsphere/2012/08/advanced-vmkernel-settings-for-disk-storage.html>"
)
QUEUE_DEPTH, QUEUE_DEPTH_BEFORE_35 = 32.0, 16.0
"""Commands under way from one host to a LUN that several VMs use, from ESX 3.5 and before."""
PHYSICAL, ESX_35 = (0, 0, 0), (3, 5, 0)

RESERVATION_SOURCE = (
    "VMware, vSphere 4.1 Resource Management Guide, resource allocation settings suggestions"
)
MOST_RESERVED_PCT = 90.0
CANDIDATES = f"{WV21}, “What Servers Are Good Candidates for Virtualization?”"


# --- disks ------------------------------------------------------------------------------------


@rule(
    "lun-queue-depth",
    say("Queue depth of a LUN"),
    unweighed="what waits for a place in the queue waits in the host; how long no document says",
)
def lun_queue_depth(context: Context) -> Iterator[Found]:
    """I/Os under way at once to a LUN by Little's law, IOPS × latency, against its queue.

    VMs that name no LUN count as one with a LUN of its own. NFS and vSAN have none.
    """
    vms = context.inputs.arrays.vms
    if not len(context.pools.ids):
        return
    latency = context.pools.latency_ms.value[vms.pool] / 1000.0
    busy = context.vms.iops.value * context.scenario.policy.peak_factor_iops * latency
    under_way = np.where(vms.queues & np.isfinite(busy), busy, 0.0)
    on_host = np.bincount(vms.place + 1, under_way)
    if np.maximum.reduce(on_host, initial=0.0) <= QUEUE_DEPTH_BEFORE_35:
        return
    for rows, lun in _luns(context, under_way):
        total = float(under_way[rows].sum())
        host = int(vms.host[rows[0]])
        old = context.hypervisor(host).version < ESX_35
        depth = QUEUE_DEPTH_BEFORE_35 if old else QUEUE_DEPTH
        if total > depth:
            users = [context.scenario.vms[row] for row in rows]
            yield warning(
                min(users, key=lambda vm: vm.id),
                say(
                    "{names} would have about {total} I/Os under way at once on {where}, whose "
                    "queue on a host holds {depth}",
                    names=names([vm.name for vm in users]),
                    total=number(total),
                    where=say("one LUN") if lun is None else say("the LUN {lun}", lun=lun),
                    depth=number(depth),
                ),
                say(
                    "Spread the data over more LUNs; count active VMs, not hosts, when you plan "
                    "the queues of the SAN."
                ),
                f"{WV21_LESSONS}; {QUEUE_SOURCE}",
            )


def _luns(context: Context, under_way: FloatArray) -> Iterator[tuple[list[int], str | None]]:
    """VMs of a host that share a LUN, with its name, and those without a name, each alone; only
    what could be too much."""
    shared: dict[tuple[str, int], list[int]] = {}
    vms = context.scenario.vms
    for row in np.flatnonzero(under_way > 0).tolist():
        if (lun := vms[row].lun) is not None:
            place = (lun, int(context.inputs.arrays.vms.host[row]))
            shared.setdefault(place, []).append(row)
    for (lun, _), rows in shared.items():
        yield rows, lun
    for row in np.flatnonzero(under_way > QUEUE_DEPTH_BEFORE_35).tolist():
        if vms[row].lun is None:
            yield [row], None


@rule("ram-before-spindles", say("Memory before more drives"), unweighed=JUDGED)
def ram_before_spindles(context: Context) -> Iterator[Found]:
    """Where memory that is there could take load off a pool before drives are bought."""
    vms, hosts = context.inputs.arrays.vms, context.inputs.arrays.hosts
    policy = context.scenario.policy
    full = context.hosts.ram_pct.value / 100.0
    most = np.where(hosts.physical, 1.0, policy.memory_overcommit)
    spare = np.append(hosts.ram_gib * (most - full), 0.0)[vms.host]
    could = vms.serving & (vms.guest_bits != 32) & (spare >= vms.ram_gib)
    for row, pool in context.pools_where(context.judged.disks.value > policy.disk_limit_pct):
        servers = context.vm_names(could & (vms.pool == row))
        if servers:
            yield advice(
                pool,
                say(
                    "{pool} is too busy, and the hosts have memory to double that of {names}: a "
                    "64-bit guest keeps files in it and reads less",
                    pool=pool.name,
                    names=names(servers),
                ),
                say("Try more RAM for the VMs before you buy drives."),
                f"{WV21}, “Test Results Comments – High-End System”",
            )


# --- network ----------------------------------------------------------------------------------


# --- memory and CPU ---------------------------------------------------------------------------


@rule("reserved-share", say("Share reserved"), unweighed=PRACTICE)
def reserved_share(context: Context) -> Iterator[Found]:
    """Hosts whose VMs, FT secondaries among them, reserve more than 90 % of CPU or memory."""
    vms, hosts = context.inputs.arrays.vms, context.inputs.arrays.hosts
    gib = np.fmax(vms.reserved_gib, 0.0)
    full = np.where(vms.fault_tolerance & ~vms.at.physical, vms.ram_gib, gib)
    place = np.concatenate([vms.place, context.numbers.secondary])
    for what, each, room in (
        ("CPU", np.fmax(vms.reserved_mhz, 0.0), hosts.cores * hosts.base_mhz),
        (say("memory"), full, hosts.ram_gib - hosts.console_gib),
    ):
        asked = np.bincount(place + 1, np.tile(each, 2), len(hosts) + 1)[1:] * 100.0
        for row, host in context.hosts_where(asked > MOST_RESERVED_PCT * room):
            yield warning(
                host,
                say(
                    "The VMs of {host} reserve {share} % of its {what}",
                    host=host.name,
                    share=number(asked[row] / room[row]),
                    what=what,
                ),
                say("Leave at least 10 % unreserved."),
                RESERVATION_SOURCE,
            )


@rule("poor-candidate", say("Poor candidate for virtualisation"), unweighed=JUDGED)
def poor_candidate(context: Context) -> Iterator[Found]:
    """Physical servers that would be too busy as VMs on the hardware that they have."""
    vms, policy = context.inputs.arrays.vms, context.scenario.policy
    physical = vms.serving & vms.at.physical
    if not some(physical):
        return
    after = virtualised(context.scenario, context.inputs.knowledge)
    busy, limit = on_busy_pool(context), policy.cpu_limit_pct
    for row, vm in context.vms_where(physical & (busy | (after.cpu_pct > NEAR * limit))):
        if after.cpu_pct[row] > NEAR * limit:
            what = say(
                "{vm} takes {now} % of its CPUs as a physical server; as a VM under {hypervisor} "
                "on the same hardware it would ask for {after} %, where {limit} % is the limit: "
                "not a good candidate there",
                vm=vm.name,
                now=number(context.judged.vm_cpu.value[row]),
                hypervisor=after.hypervisors[vm.host or ""].name,
                after=number(after.cpu_pct[row]),
                limit=number(limit),
            )
        else:
            what = say(
                "{vm} is a physical server with its disks over the limit: not a good candidate for "
                "a VM on hardware like its own",
                vm=vm.name,
            )
        yield advice(
            vm,
            what,
            say(
                "Spread its users first, or move it to much faster hardware, and compare response "
                "times."
            ),
            CANDIDATES,
        )


# --- production -------------------------------------------------------------------------------


@rule("registered-users", say("Registered and active users"), unweighed=COUNTED)
def registered_users(context: Context) -> Iterator[Found]:
    """Registered, connected and active users taken for one another."""
    vms = context.inputs.arrays.vms
    mail = vms.serving_users
    source = (
        "developerWorks: Domino 7 in production on zSeries: 15-minute active users; IBM pSeries "
        "Lotus Domino Server R5 Implementation Guide, p. 13: 50 %"
    )
    more = vms.registered_users > vms.active_users
    fewer = vms.registered_users < vms.active_users
    for row, vm in context.vms_where(mail & fewer):
        yield warning(
            vm,
            say(
                "{vm} has {active_users} active users but only {registered_users} registered",
                vm=vm.name,
                active_users=number(vms.active_users[row]),
                registered_users=number(vms.registered_users[row]),
            ),
            say("Enter those active within 15 minutes as active, all mail files as registered."),
            source,
        )
    same = mail & ~(more | fewer)
    if some(same):
        yield advice(
            None,
            say(
                "{called}: as many registered users as active ones, or none stated. In "
                "production 35 to 40 % of the registered were active within 15 minutes; "
                "connected users are more, and depend on a time-out",
                called=context.called(same),
            ),
            say("Size CPU and disks by active users, space by registered ones."),
            source,
        )


@rule(
    "measured-peaks",
    say("Measured peaks"),
    unweighed="peaks are judged by the policy’s peak factors",
)
def measured_peaks(context: Context) -> Iterator[Found]:
    """What the maxima of the benchmark would come to, beside averages that are judged."""
    inputs, policy = context.inputs, context.scenario.policy
    measured, vms = inputs.calibration.constants.mail85, inputs.arrays.vms
    cpu, io = measured.peak_factor_cpu, measured.peak_factor_iops
    if policy.peak_factor_cpu >= cpu.value and policy.peak_factor_iops >= io.value:
        return
    rows = vms.serving_users & inputs.laws.b_law & ~vms.at.physical
    if not some(rows):
        return
    busy = np.fmax(context.hosts.cpu_pct.value[vms.host[rows]], 0.0)
    host = vms.host[rows][busy.argmax()]
    yield advice(
        None,
        say(
            "Averages are judged; the benchmark’s own maxima were up to {cpu} times its average "
            "CPU and {io} times its average I/O. At such a peak {host} would ask for {asked} % of "
            "its CPU",
            cpu=number(cpu.value, 1),
            io=number(io.value, 1),
            host=context.scenario.hosts[host].name,
            asked=number(float(busy.max()) * cpu.value),
        ),
        say(
            "Set the peak factors of the policy to {cpu} and {io} to judge such peaks.",
            cpu=number(cpu.value, 1),
            io=number(io.value, 1),
        ),
        f"{VSPHERE4}, table 1, averages and maxima of two VMs",
    )


@rule("third-party-tasks", say("Third-party tasks"), unweighed=PRACTICE)
def third_party_tasks(context: Context) -> Iterator[Found]:
    """Loads of benchmarks without a peak factor for what runs beside the users."""
    vms, policy = context.inputs.arrays.vms, context.scenario.policy
    if policy.derating.production:
        return
    if policy.peak_factor_cpu <= 1 and some(vms.serving_users):
        yield advice(
            None,
            say(
                "Virus scan, backup, Compact, Fixup and agents are not in the measured "
                "load of mail "
                "users, and nothing is set aside for them"
            ),
            say("Raise the peak factors of the policy by what those tasks take on your servers."),
            "developerWorks: Domino 7 in production on zSeries: processes beside user workload",
        )
