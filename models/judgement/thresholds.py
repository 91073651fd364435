"""The table of rules that look for items beyond a limit: a rule a row.

A row of `threshold` is found for each item beyond it, one of `together` once for all VMs of a kind.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.texts import Text, joined, say, say_many
from models.catalog.catalog import Server, Sizing
from models.catalog.published import largest_load
from models.evidence.profiles import FIELD_MB_PER_OWNER
from models.failure.fault_tolerance import VSPHERE4_FT
from models.judgement import platform_limits as refusals
from models.judgement.platform_limits import beyond_published_load, compared_users
from models.judgement.rulebook import (
    COUNTED,
    FT_GUIDE,
    JUDGED,
    OWN,
    POLICY,
    PRACTICE,
    R5_CLUSTERS,
    READY_LIMIT_PCT,
    READY_SOURCE,
    READY_WATCH_PCT,
    SUPPORT,
    SURVIVED,
    UNLIMITED,
    VSPHERE4,
    WV21,
    WV21_GOAL,
    WV21_LESSONS,
    WV21_OUTAGES,
    WV21_PRODUCTION,
    Context,
    Rule,
    Values,
    amount,
    cited,
    in_production,
    number,
    some_generic,
    some_sametime,
    some_traveler,
    threshold,
    together,
)
from models.judgement.rules_fault_tolerance import FT_REQUIREMENTS, why_no_secondary
from models.physics import memory, traveler
from models.physics.arrays import COMMUNITY, MUX, RESTART_DISABLED
from models.physics.columns import looked_up, some
from models.physics.laws import NEWEST, nearest_release
from models.predict.prediction import Severity
from models.scenario.scenario import Host, Vm
from models.scenario.wording import enough, exact_text, input_text, value_text, with_unit

VMS, HOSTS, POOLS = Context.vms_where, Context.hosts_where, Context.pools_where

LATENCY_LIMIT_MS = 25.0

NUMA_FROM = 2009
"""Year from which Intel's two-socket servers have a memory of each socket's own."""

PHYSICAL, ESX_35, VSPHERE = (0, 0, 0), (3, 5, 0), (4, 0, 0)

INOTES_PEAKS, LARGE_GIB = (100.0 / 67.5, 100.0 / 66.0), 12.0
"""Maximum over average of the CPU of 4,000 users of iNotes, at 8 GB and at 16 GB, between which
this is the middle: vSphere 4 paper, tables 5 and 6."""
FULL_PCT = 100.0 - 1e-6
"""CPU that is all there is, in spite of rounding."""
SUITABLE_CLUSTER_HOSTS = 3
LEAST_MAIL_FILE_MB = 1.0
"""An empty database by a mail template takes more; ours, no document’s."""

GAME = "overcommitting resources can be a dangerous game"
NO_LIMIT = f"{WV21_PRODUCTION}: don’t limit the RAM the VM can effectively use"
LOG_SOURCE = "Iris Today 1999: Optimizing server performance, Domino clusters, part 2, figure 4"
LOGICAL_CPUS = "VMware vSphere 6.7, virtual CPU limits: vCPUs not above the host’s logical CPUs"
TRAVELER = "HCL Traveler 12.0.2: Theoretical device capacity, table 1"
SAMETIME = f"{WV21}, “Lesson Learned from Lotus Sametime Benchmark and Support Incidents”"


# --- what more than one line needs ------------------------------------------------------------


def _without_nested_paging(context: Context) -> BoolArray:
    """Hosts whose hypervisor would use nested paging, and whose processors have none."""
    hosts = context.arrays.hosts
    bare = np.array([each.nested_paging is False for each in hosts.servers], dtype=np.bool_)
    able = np.array([each.version >= VSPHERE for each in hosts.hypervisors], dtype=np.bool_)
    used = np.zeros(len(hosts.server), dtype=np.bool_)
    used[context.arrays.vms.host[context.arrays.vms.running]] = True
    return np.asarray(used & bare[hosts.server] & able[hosts.hypervisor])


def _hung_unseen(context: Context) -> BoolArray:
    """Servers that HA restarts and no Domino cluster stands in for."""
    vms, hosts = context.arrays.vms, context.arrays.hosts
    in_cluster = looked_up(hosts.cluster, vms.host, -1) >= 0
    return np.asarray(vms.serving & in_cluster & ~vms.clustered)


def _alone_on_a_site(context: Context) -> BoolArray:
    """Servers on one of several groups of hosts, whose users no other group takes over."""
    scenario = context.scenario
    group = {host.id: host.failure_group for host in scenario.hosts}
    if len(set(filter(None, group.values()))) < 2:
        return np.zeros(len(scenario.vms), dtype=np.bool_)
    of = {vm.id: group.get(vm.host or "", "") for vm in scenario.vms}
    alone = [
        bool(of[vm.id]) and all(of.get(id, "") in ("", of[vm.id]) for id in vm.cluster_partners)
        for vm in scenario.vms
    ]
    return np.asarray(context.arrays.vms.serving & np.array(alone, dtype=np.bool_))


def _browsers_in_a_cluster(context: Context) -> BoolArray:
    vms = context.arrays.vms
    return np.asarray(context.inputs.laws.inotes & vms.clustered & vms.serving)


def _full_at_peak(context: Context) -> BoolArray:
    """Servers of browsers whose CPU would be full at the peaks of the benchmark."""
    vms, asked = context.arrays.vms, context.numbers.asked_cores.value * 100.0
    small, large = INOTES_PEAKS
    tested = np.where(context.inputs.ram_gib < LARGE_GIB, small, large)
    peak = asked / vms.vcpus * np.maximum(tested, context.policy.peak_factor_cpu)
    return np.asarray(context.inputs.laws.inotes & vms.serving & (peak >= FULL_PCT))


def _costs_kernel(version: tuple[int, ...]) -> bool:
    return PHYSICAL < version < ESX_35


def _on_old_release(context: Context) -> BoolArray:
    vms, hosts = context.arrays.vms, context.arrays.hosts
    old = np.array([_costs_kernel(each.version) for each in hosts.hypervisors], dtype=np.bool_)
    return np.asarray(vms.serving & looked_up(old[hosts.hypervisor], vms.host, False))


def _striped(context: Context) -> BoolArray:
    """Pools with Domino data and no protection."""
    vms, pools = context.arrays.vms, context.arrays.pools
    used = np.zeros(len(pools), dtype=np.bool_)
    used[vms.pool[(vms.pool >= 0) & vms.domino]] = True
    return np.asarray(
        used & np.array([raid.id == "0" for raid in pools.raids], dtype=np.bool_)[pools.raid]
    )


def on_busy_pool(context: Context) -> BoolArray:
    """VMs on a pool that is over its limit."""
    busy = context.judged.disks.value > context.policy.disk_limit_pct
    return np.asarray(looked_up(busy, context.arrays.vms.pool, False))


def _older_over_limit(context: Context) -> BoolArray:
    """Servers over a limit whose release 8.5.1 would take load off."""
    vms = context.arrays.vms
    old = np.array([nearest_release(each)[0] != NEWEST for each in vms.releases], dtype=np.bool_)
    hot = context.judged.vm_cpu.value > context.policy.cpu_limit_pct
    return np.asarray(vms.serving & old[vms.release] & (hot | on_busy_pool(context)))


def _logs_with_data(context: Context) -> BoolArray:
    """VMs whose transaction logs, and page files, are on the drives of data."""
    vms = context.arrays.vms
    beside = vms.serving & vms.on_pool & (vms.log_disk_gib != 0)
    if vms.some_logs_apart:
        holds_data = np.zeros(len(context.pools.ids) + 1, dtype=np.bool_)
        holds_data[vms.pool] = holds_data[-1] = True
        beside &= holds_data[vms.log_pool]
    return np.asarray(beside)


def _wanting_a_port(context: Context) -> BoolArray:
    """VMs without a port of their own that take as much of one as a host may."""
    vms, hosts, load = context.arrays.vms, context.arrays.hosts, context.vms.network_mbps.value
    share = context.policy.network_limit_pct / 100.0
    busy = vms.running & (load > share * looked_up(hosts.port_mbps, vms.host, np.inf))
    busy[[row for row, vm in context.vms_where(busy) if vm.dedicated_nic]] = False
    return np.asarray(busy)


def _nodes(server: Server) -> int:
    """Sockets with a memory of their own."""
    return server.sockets if server.year is not None and server.year >= NUMA_FROM else 1


def _of_node(context: Context) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Nodes of the host of each VM, and cores and GiB of one of them, (n,) each."""
    vms, hosts = context.arrays.vms, context.arrays.hosts
    nodes = np.array([_nodes(each) for each in hosts.servers], dtype=np.float64)
    of_vm = looked_up(nodes[hosts.server], vms.host, 1.0)
    cores = np.where(vms.host >= 0, vms.at.cores, np.inf) / of_vm
    return of_vm, cores, looked_up(hosts.ram_gib, vms.host, np.inf) / of_vm


def _wider_than_node(context: Context) -> BoolArray:
    vms, (nodes, cores, ram_gib) = context.arrays.vms, _of_node(context)
    wide = vms.running & ~vms.at.physical & (nodes > 1)
    return np.asarray(wide & ((vms.vcpus > cores) | (vms.ram_gib > ram_gib)))


def _no_restart(context: Context) -> BoolArray:
    vms = context.arrays.vms
    down = vms.running & (vms.priority == RESTART_DISABLED) & ~vms.clustered
    down &= ~vms.fault_tolerance & (context.clusters_of_vms >= 0) & vms.domino
    return np.asarray(down)


def community(context: Context) -> BoolArray:
    """Community servers that run."""
    vms = context.arrays.vms
    return np.asarray((vms.law == COMMUNITY) & vms.running)


def _without_mux(context: Context) -> BoolArray:
    vms = context.arrays.vms
    return community(context) & (not some((vms.law == MUX) & vms.powered_on))


def _large_mux(context: Context) -> BoolArray:
    """Multiplexers as large as the community servers behind them."""
    vms, servers = context.arrays.vms, community(context)
    if not some(servers):
        return servers
    large = (vms.law == MUX) & vms.running & (vms.vcpus > 1)
    large &= vms.vcpus >= vms.vcpus[servers].max()
    return np.asarray(large & (vms.ram_gib >= vms.ram_gib[servers].max()))


def _by_head(context: Context) -> BoolArray:
    """Community servers whose users are not counted by client: no more of them than people."""
    vms = context.arrays.vms
    return community(context) & ~(vms.active_users > vms.registered_users) & (vms.active_users > 0)


def _protected_by_release(context: Context, what: BoolArray) -> BoolArray:
    """Protected VMs on hosts of these releases."""
    vms, hosts = context.arrays.vms, context.arrays.hosts
    there = looked_up(what[hosts.hypervisor], vms.host, False)
    return np.asarray(refusals.protected(context.numbers) & there)


def _unpaged(context: Context) -> BoolArray:
    hypervisors = context.arrays.hosts.hypervisors
    return _protected_by_release(
        context, np.array([each.ft_disables_nested_paging for each in hypervisors], dtype=np.bool_)
    )


def _beyond_licence(context: Context) -> BoolArray:
    """Protected VMs with vCPUs that only the largest licence protects."""
    vms, hosts = context.arrays.vms, context.arrays.hosts
    standard = [
        np.inf if each.ft_max_vcpus_standard is None else each.ft_max_vcpus_standard
        for each in hosts.hypervisors
    ]
    most = [each.ft_max_vcpus for each in hosts.hypervisors]
    least = looked_up(np.array(standard, dtype=np.float64)[hosts.hypervisor], vms.host, np.inf)
    granted = looked_up(np.array(most, dtype=np.float64)[hosts.hypervisor], vms.host, np.inf)
    beyond = (vms.vcpus > least) & (vms.vcpus <= granted)
    return np.asarray(refusals.protected(context.numbers) & beyond)


def _two_hosts(context: Context) -> BoolArray:
    """VMs with a secondary in a cluster that is too small for a third host."""
    hosts = context.arrays.hosts
    sizes = np.bincount(hosts.cluster[hosts.cluster >= 0], minlength=1)
    cluster = context.clusters_of_vms
    small = sizes.take(cluster, mode="clip") < SUITABLE_CLUSTER_HOSTS
    return np.asarray((context.numbers.secondary >= 0) & small)


def _pooled(context: Context) -> BoolArray:
    vms = context.arrays.vms
    return np.asarray(vms.traveler_pool & vms.syncing & vms.running)


def _of_devices(context: Context, row: int, _: Vm) -> Values:
    """What a Traveler server serves, and what it may at most."""
    vms = context.arrays.vms
    pooled = bool(vms.traveler_pool[row])
    linux = say("a member of a pool ({most} on Linux)", most=number(traveler.POOLED_LINUX_DEVICES))
    return {
        "devices": number(float(traveler.devices(vms)[row])),
        "most": number(float(traveler.most_devices(vms)[row])),
        "which": linux if pooled else say("a server alone"),
    }


def _unmeasured_load(context: Context) -> BoolArray:
    """Loads of which nobody said where they were measured."""
    own, vms = context.inputs.own, context.arrays.vms
    assert own is not None  # there are such loads
    unsaid = context.inputs.laws.generic & vms.running & np.isnan(own.slowness)
    return np.asarray(unsaid & (vms.own_cpu_mhz > 0))


def _ram_fix(context: Context, row: int, _: Host) -> Text:
    """Memory that a host lacks, where its server takes it."""
    needed, missing = _ram_needed(context, row)
    largest = context.server(row).max_ram_gib
    if largest is None or needed > largest:
        return say("Move VMs to another host.")
    return say("Add {gib} GiB, or move VMs to another host.", gib=enough(missing))


def _ram_needed(context: Context, row: int) -> tuple[float, float]:
    """Memory that a host should have for its VMs, and what it lacks of it [GiB]."""
    there = float(context.arrays.hosts.ram_gib[row])
    share = context.hosts.ram_pct.value[row] / float(context.hosts.ram_limit_pct[row])
    return float(share * there), float(share * there - there)


def _reserved(vm: Vm) -> Text:
    """What a VM reserves, if only for Fault Tolerance."""
    ram_gib = vm.ram_gib if vm.fault_tolerance else vm.memory_reservation_gib
    parts = []
    if vm.cpu_reservation_mhz:
        parts.append(with_unit(number(vm.cpu_reservation_mhz), "MHz"))
    if ram_gib:
        parts.append(with_unit(number(ram_gib, 1), "GiB"))
    return joined(say(" and "), parts)


def _space_over(context: Context) -> BoolArray:
    over = context.pools.capacity_pct.value > context.policy.capacity_limit_pct
    return np.asarray(over | refusals.over_capacity(context.numbers))


def _most_of_pool(context: Context, row: int) -> float:
    """How much of a pool may be full [GiB]."""
    usable = context.numbers.pool_stage.usable_gib[row]
    return float(usable * context.policy.capacity_limit_pct / 100.0)


def _drives_fix(context: Context, row: int) -> Text:
    drives = context.arrays.pools
    of_groups = 0 < drives.group_drives[row] <= drives.parity_drives[row]
    return say("Make its RAID groups larger.") if of_groups else say("Add drives.")


def _largest(context: Context) -> Sizing:
    found = largest_load(context.inputs.catalog)
    assert found is not None  # the rule asks for one
    return found


# --- the table --------------------------------------------------------------------------------

THRESHOLDS: tuple[Rule, ...] = (
    # load of servers and hosts
    threshold(
        "response-over-limit",
        say("Response over its limit"),
        VMS,
        lambda c: c.vms.response_ms.value > c.policy.response_limit_ms,
        say("{vm} would respond in about {value} ms; the limit is {limit} ms"),
        lambda c, row, _: {
            "value": amount(c.judged.response, row),
            "limit": exact_text(c.policy.response_limit_ms),
        },
        fix=say("Move users to another VM, or take load off its host and its pool."),
        source=f"{WV21_GOAL}: acceptable below 1 second",
        unweighed=JUDGED,
    ),
    threshold(
        "vcpus-per-core",
        say("vCPUs per core"),
        HOSTS,
        lambda c: refusals.over_vcpus_per_core(c.numbers),
        say("{host} has {vcpus_per_core} vCPUs per core; the policy allows {limit}"),
        lambda c, row, _: {
            "vcpus_per_core": number(
                c.hosts.vcpus_per_core[row], 1, limit=c.policy.vcpus_per_core_limit
            ),
            "limit": number(c.policy.vcpus_per_core_limit, 1),
        },
        fix=say("Move VMs to another host, or give VMs fewer vCPUs where CPU allows."),
        source=joined("; ", (f"{WV21_OUTAGES}: {GAME}", POLICY)),
    ),
    threshold(
        "ready-time",
        say("Ready time"),
        VMS,
        lambda c: c.vms.ready_pct.value > READY_LIMIT_PCT,
        say("{vm} would wait for a core {ready} % of the time; above 10 % users notice"),
        lambda c, row, _: {"ready": number(c.vms.ready_pct.value[row], limit=READY_LIMIT_PCT)},
        fix=say("Take load off its host."),
        source=READY_SOURCE,
        unweighed=UNLIMITED,
    ),
    together(
        "ready-time-watch",
        say("Ready time to watch"),
        lambda c: (
            (c.vms.ready_pct.value > READY_WATCH_PCT) & (c.vms.ready_pct.value <= READY_LIMIT_PCT)
        ),
        say("{names} would wait for a core more than 5 % of the time"),
        fix=say("Watch ready time there: above 10 % users notice."),
        source=READY_SOURCE,
        unweighed=UNLIMITED,
    ),
    together(
        "kernel-time",
        say("Kernel time"),
        _on_old_release,
        say(
            "{names}: on ESX 2.5 and 3.0 mail routing spent {share} % of the CPU in the guest’s "
            "kernel, for I/O"
        ),
        lambda c: {"share": number(c.inputs.calibration.constants.kernel.routing_kernel_pct.value)},
        fix=say("Watch the kernel’s share of CPU in a pilot, and keep I/O low, or take vSphere 4."),
        source="IBM technote 1252786, High CPU usage by router under VMware",
        severity=Severity.WARNING,
        unweighed=PRACTICE,
    ),
    together(
        "release-upgrade",
        say("Older release"),
        _older_over_limit,
        say(
            "{names}: over a limit with a release before Domino 8.5.1, which takes up to 38 % less "
            "CPU and 33 % fewer I/Os"
        ),
        fix=say("Try Domino 8.5.1 or later in the scenario before you buy hardware."),
        source=f"{VSPHERE4}, Domino 8.5.1 performance enhancements",
        unweighed=JUDGED,
    ),
    threshold(
        "beyond-published-load",
        say("Beyond the largest published load"),
        VMS,
        lambda c: beyond_published_load(c.numbers),
        say(
            "{vm} is to carry {users} benchmark users; the largest load ever published of one "
            "Domino server is {most}, so that nothing shows that one server can"
        ),
        lambda c, row, _: {
            "users": number(compared_users(c.numbers)[row]),
            "most": number(_largest(c).users or 0.0),
        },
        fix=say("Share the users out over more servers, or measure it first."),
        source=lambda c, *_: _largest(c).provenance.source,
    ),
    threshold(
        "generic-no-data",
        say("Workload without figures"),
        VMS,
        lambda c: refusals.without_figures(c.numbers),
        say("{vm} brings no CPU figure of its own, so its load isn’t counted"),
        fix=say("Enter its average CPU in MHz, for instance from perfmon or esxtop."),
        source=f"{OWN}, “Families B to F”",
        when=some_generic,
    ),
    threshold(
        "traveler-no-data",
        say("Traveler without figures"),
        VMS,
        lambda c: refusals.unmeasured_traveler(c.numbers),
        say(
            "CPU and I/O of {vm} aren’t known: of Traveler its maker publishes devices a server, "
            "no load"
        ),
        fix=say(
            "Measure a server that runs: “tell traveler mem” prints its CPU of each quarter of an "
            "hour; enter it in MHz."
        ),
        source=f"{TRAVELER}; HCL Traveler 12.0.0: Resource usage",
        severity=Severity.ADVICE,
        when=some_traveler,
    ),
    threshold(
        "traveler-devices",
        say("Devices of a Traveler server"),
        VMS,
        lambda c: refusals.over_devices(c.numbers),
        say("{vm} is to serve {devices} devices; its maker has no more than {most} for {which}"),
        _of_devices,
        fix=lambda c, row, _: (
            say("Share them out over more servers of the pool.")
            if c.arrays.vms.traveler_pool[row]
            else say("Make it a member of a high-availability pool, or share them out.")
        ),
        source=TRAVELER,
        when=some_traveler,
    ),
    together(
        "traveler-pool",
        say("A Traveler server down"),
        lambda c: refusals.crowded_traveler_pool(c.numbers),
        say(
            "{names}: {devices} devices in all; a pool takes {pool}, and with one server down the "
            "others take {most} each"
        ),
        lambda c: {
            "devices": number(float(traveler.devices(c.arrays.vms)[_pooled(c)].sum())),
            "pool": number(traveler.POOL_DEVICES),
            "most": number(traveler.POOLED_DEVICES),
        },
        fix=say("Add a server to the pool, or make a second pool."),
        source=f"{TRAVELER}: plan for one server down",
        severity=Severity.WARNING,
        when=some_traveler,
    ),
    threshold(
        "traveler-space",
        say("Space of Traveler’s database"),
        VMS,
        lambda c: refusals.without_traveler_space(c.numbers),
        say("Nobody said how many documents each user of {vm} has; its database isn’t counted"),
        fix=say("Enter documents a user, or the space that is in use."),
        source="HCL Traveler 12.0.0: Estimating the space needed for the HCL Traveler database",
        when=some_traveler,
    ),
    together(
        "measured-on",
        say("Where a load was measured"),
        _unmeasured_load,
        say(
            "{names}: where their load was measured isn’t said. Plain MHz of a physical server "
            "are assumed, so the interval is wide"
        ),
        fix=say("Enter the server and the hypervisor on which it was measured."),
        source=f"{OWN}, “Measured loads”",
        when=some_generic,
        unweighed=COUNTED,
    ),
    together(
        "derating-one",
        say("Users counted as benchmark users"),
        lambda c: (c.inputs.users != 0) & c.inputs.derating.exact,
        say("Each user counts as one benchmark user; users in production do more"),
        fix=say("Choose the basis of production unless a benchmark is to be reproduced."),
        source=f"{WV21}, “Considerations”: divide the results by a factor of 2",
        unweighed=COUNTED,
    ),
    # memory
    together(
        "overcommit-policy",
        say("Overcommitment allowed"),
        lambda c: (
            c.arrays.vms.serving & ~c.arrays.vms.at.physical & (c.policy.memory_overcommit > 1)
        ),
        say(
            "The policy lets VMs have {overcommit} times the memory of their host; Domino fills "
            "its caches with all that it sees"
        ),
        lambda c: {"overcommit": number(c.policy.memory_overcommit, 2)},
        fix=say("Don’t overcommit the memory of hosts with Domino servers."),
        source=f"{WV21_OUTAGES}: {GAME}",
        severity=Severity.WARNING,
        unweighed="the policy allows it; what VMs use beyond what there is weighs",
    ),
    threshold(
        "ram-over-limit",
        say("Memory over its limit"),
        HOSTS,
        lambda c: refusals.over_ram(c.numbers),
        say(
            "{host} lacks {missing} GiB of RAM: its VMs with their overhead need {pct} % of what "
            "it has, limit {limit} %"
        ),
        lambda c, row, _: {
            "missing": enough(_ram_needed(c, row)[1]),
            "pct": amount(c.judged.host_ram, row),
            "limit": input_text(float(c.hosts.ram_limit_pct[row])),
        },
        fix=_ram_fix,
        source=f"{WV21_PRODUCTION}: {GAME}",
        severity=Severity.ERROR,
    ),
    threshold(
        "ram-over-host",
        say("More memory than the host has"),
        VMS,
        lambda c: refusals.over_vm_host_ram(c.numbers),
        say("{vm} has {ram_gib} GiB of RAM, {host} only {most} GiB"),
        lambda c, row, vm: {
            "ram_gib": number(vm.ram_gib, 1),
            "host": c.home(row).name,
            "most": number(c.home(row).ram_gib, 1),
        },
        fix=say("Give it less memory, or place it on a larger host."),
        source=f"{WV21_PRODUCTION}: {GAME}",
        severity=Severity.ERROR,
    ),
    threshold(
        "memory-limit",
        say("Memory limit below the memory"),
        VMS,
        lambda c: c.arrays.vms.effective_ram_gib < c.arrays.vms.ram_gib,
        say("{vm} may use {limit} of its {ram_gib} GiB; Domino sizes its caches by what it sees"),
        lambda _, __, vm: {
            "limit": number(vm.memory_limit_gib or 0, 1),
            "ram_gib": number(vm.ram_gib, 1),
        },
        fix=say("Set the memory limit to “Unlimited”."),
        source=NO_LIMIT,
    ),
    threshold(
        "memory-in-use",
        say("Memory in use above the memory"),
        VMS,
        lambda c: refusals.over_own_ram(c.numbers),
        say("{vm} was measured with {in_use} GiB in use and has {there} GiB: it would swap"),
        lambda c, row, _: {
            "in_use": number(c.arrays.vms.own_memory_gib[row], 1),
            "there": number(c.arrays.vms.effective_ram_gib[row], 1),
        },
        fix=say("Give it as much RAM as it uses."),
        source=NO_LIMIT,
        when=some_generic,
    ),
    threshold(
        "memory-overcommitted",
        say("Memory in use beyond what there is"),
        HOSTS,
        lambda c: refusals.swapping(c.numbers),
        say(
            "The VMs of {host} use at least {used} GiB and it has {there} GiB: the hypervisor "
            "swaps, and no response time can be predicted there"
        ),
        lambda c, row, host: {
            "used": number(memory.in_use_gib(c.arrays)[row], 1),
            "there": number(host.ram_gib, 1),
        },
        fix=say("Give the host as much memory as its VMs use, or move VMs to another host."),
        source=f"{WV21_PRODUCTION}: {GAME}",
        severity=Severity.ERROR,
    ),
    threshold(
        "users-per-ram",
        say("Users to a gigabyte"),
        VMS,
        lambda c: c.numbers.crowded,
        say(
            "{vm} has {users} benchmark users in {ram_gib} GiB, more per GiB than in any "
            "measurement: what they cost in CPU and response isn’t known"
        ),
        lambda c, row, _: {
            "users": number(c.inputs.users[row]),
            "ram_gib": input_text(float(c.inputs.ram_gib[row])),
        },
        fix=say(
            "Give it more memory, or measure it first: at most 5,000 in 7.25 GB were measured."
        ),
        source=f"{WV21}, 5,000 users at 7.25 GB",
    ),
    threshold(
        "production-memory",
        say("Memory of production servers"),
        VMS,
        lambda c: (
            c.arrays.vms.serving_users
            & (c.arrays.vms.ram_gib < c.arrays.vms.mail_owners * FIELD_MB_PER_OWNER[0] / 1000.0)
        ),
        say(
            "{vm} has {ram} GiB for {owners} registered users; on two field servers Domino took "
            "{least} to {most} MB for each of them, which would be {from_gb} to {to_gb} GB"
        ),
        lambda c, row, vm: {
            "ram": input_text(vm.ram_gib),
            "owners": number(c.arrays.vms.mail_owners[row]),
            "least": exact_text(FIELD_MB_PER_OWNER[0]),
            "most": exact_text(FIELD_MB_PER_OWNER[1]),
            "from_gb": number(c.arrays.vms.mail_owners[row] * FIELD_MB_PER_OWNER[0] / 1000.0),
            "to_gb": number(c.arrays.vms.mail_owners[row] * FIELD_MB_PER_OWNER[1] / 1000.0),
        },
        fix=say("Look what Domino takes on a server of this customer, or give it more memory."),
        source="Console statistics of two production Domino servers, 2018",
        severity=Severity.ADVICE,
        when=in_production,
        unweighed="two servers of one customer are no limit",
    ),
    threshold(
        "mail-file-size",
        say("Size of mail files"),
        VMS,
        lambda c: (
            c.arrays.vms.serving_users
            & (c.arrays.vms.mail_file_mb > 0)
            & (c.arrays.vms.mail_file_mb < LEAST_MAIL_FILE_MB)
        ),
        say(
            "{vm}’s mail files are {size} MB on average, less than an empty one takes: GB may be "
            "meant"
        ),
        lambda _, __, vm: {"size": input_text(vm.workload.mail_file_mb)},
        fix=say("Enter the mean size in MB: space and disk load follow from it."),
        source=f"{WV21_GOAL}: 87.5 MB a mail file",
        unweighed=COUNTED,
    ),
    together(
        "production-registered",
        say("Registered users not given"),
        lambda c: c.arrays.vms.registered_assumed & c.arrays.vms.serving_users,
        say(
            "{names}: registered users aren’t given; active ones are taken for 35 % of them (23 "
            "to 50 %)"
        ),
        fix=say("Enter how many mail files the server has."),
        source=f"{OWN}, “Production”",
        when=in_production,
        unweighed=COUNTED,
    ),
    # what machines and releases grant
    threshold(
        "vcpus-over-host",
        say("More vCPUs than the host has cores"),
        VMS,
        lambda c: refusals.over_threads(c.numbers),
        say("{vm} has {vcpus} vCPUs, {host} only {most} logical processors"),
        lambda c, row, vm: {
            "vcpus": vm.vcpus,
            "host": c.home(row).name,
            "most": int(c.arrays.vms.at.threads[row]),
        },
        fix=say("Give it at most {most} vCPUs, or place it on a larger host."),
        source=LOGICAL_CPUS,
        severity=Severity.ERROR,
    ),
    threshold(
        "reservation-over-host",
        say("Reservation that the host can’t keep"),
        VMS,
        lambda c: refusals.over_reservation(c.numbers),
        say(
            "{vm} reserves {reserved}, which {host} can’t keep beside what its other VMs reserve: "
            "it can’t be powered on"
        ),
        lambda c, row, vm: {"reserved": _reserved(vm), "host": c.home(row).name},
        fix=say("Reserve less, or place it on a host that has as much unreserved."),
        source="VMware, vSphere Resource Management 6.7, “Resource allocation reservation”",
        severity=Severity.ERROR,
    ),
    threshold(
        "no-host-can-run",
        say("VM that no host can run"),
        VMS,
        lambda c: refusals.without_able_host(c.numbers),
        lambda _, __, vm: say_many(
            "{vm} has {count} vCPU and {ram_gib} GiB of RAM: none of the hosts can run it",
            "{vm} has {count} vCPUs and {ram_gib} GiB of RAM: none of the hosts can run it",
            vm.vcpus,
            vm=vm.name,
            ram_gib=number(vm.ram_gib, 1),
        ),
        fix=say("Make it smaller, or add a host that can run it."),
        source=f"{LOGICAL_CPUS}; configuration maximums of the releases",
        severity=Severity.ERROR,
    ),
    threshold(
        "guest-64-without-vt",
        say("64-bit guest without hardware support"),
        VMS,
        lambda c: refusals.guest_64_without_vt(c.numbers),
        say(
            "{vm} is a 64-bit guest; {host}’s processors lack the hardware virtualisation that it "
            "needs"
        ),
        lambda c, row, _: {"host": c.home(row).name},
        fix=say("Use a 32-bit guest there, or a server with VT-x or AMD-V."),
        source=lambda c, row, _: c.server(c.arrays.vms.host[row]).provenance.source,
        severity=Severity.ERROR,
    ),
    threshold(
        "hypervisor-era",
        say("Hypervisor and machine of different times"),
        HOSTS,
        lambda c: refusals.of_another_time(c.numbers),
        say(
            "{host} is a machine of {year} under {hypervisor} of {release_year}: they will hardly "
            "be on one compatibility list"
        ),
        lambda c, row, _: {
            "year": c.server(row).year,
            "hypervisor": c.hypervisor(row).name,
            "release_year": c.hypervisor(row).year,
        },
        fix=say("Choose a release of the machine’s time, or check VMware’s list."),
        source=f"{WV21}, Hardware: a server not on the list is not supported",
    ),
    threshold(
        "wider-than-node",
        say("VM wider than a socket"),
        VMS,
        _wider_than_node,
        say(
            "{vm} has {vcpus} vCPUs and {ram_gib} GiB, a socket of {host} {cores} cores and "
            "{memory} GiB: part of its memory is behind the other socket, which is slower and in "
            "no measurement"
        ),
        lambda c, row, vm: {
            "vcpus": number(c.arrays.vms.vcpus[row]),
            "ram_gib": number(vm.ram_gib, 1),
            "host": c.home(row).name,
            "cores": number(_of_node(c)[1][row]),
            "memory": number(_of_node(c)[2][row], 1),
        },
        fix=say("Make it no wider than a socket, or split it into two servers."),
        source="VMware and Microsoft advice for mail servers: vCPUs within the cores of a NUMA "
        "node",
        severity=Severity.ADVICE,
        unweighed=PRACTICE,
    ),
    threshold(
        "no-nested-paging",
        say("No nested paging"),
        HOSTS,
        _without_nested_paging,
        say(
            "{host}’s processors have no nested paging, which gained up to 48 % in programs that "
            "change much memory, and up to 600 % in the extreme; for Domino the comparison is a "
            "chart without figures"
        ),
        fix=say(
            "Take processors with EPT, or with RVI, of which as much is expected and nothing was "
            "tested; use large pages in the guest."
        ),
        source=f"{VSPHERE4}, “Performance Enhancements”, figure 6",
        severity=Severity.ADVICE,
        unweighed=COUNTED,
    ),
    together(
        "inotes-peaks",
        say("Peaks of browsers"),
        _full_at_peak,
        say(
            "{names}: users of iNotes reached 100 % of their server’s CPU at times while its "
            "average was 66 to 67.5 %; at such a peak nothing is left here"
        ),
        fix=say("Put fewer users on each server, or give it more vCPUs."),
        source=f"{VSPHERE4}, tables 5 and 6, maxima of CPU",
        unweighed="peaks are judged by the policy’s peak factors",
    ),
    # network
    threshold(
        "network-40",
        say("Network over 40 %"),
        HOSTS,
        lambda c: c.hosts.network_pct.value > c.policy.network_limit_pct,
        say("{host}’s VMs could load its network to {pct} %; above {limit} % it needs an upgrade"),
        lambda c, row, _: {
            "pct": amount(c.judged.net, row),
            "limit": exact_text(c.policy.network_limit_pct),
        },
        fix=lambda c, _, __: (
            say(
                "Add network ports or faster ones, move VMs to another host, or give the Domino "
                "cluster a network of its own."
            )
            if c.arrays.vms.some_clustered
            else say("Add network ports or faster ones, or move VMs to another host.")
        ),
        source=f"{R5_CLUSTERS}: network at or near 40 % needs an upgrade",
        unweighed=JUDGED,
    ),
    together(
        "dedicated-nic",
        say("Dedicated network port"),
        _wanting_a_port,
        say("{names} could load more than {limit} % of a network port"),
        lambda c: {"limit": number(c.policy.network_limit_pct)},
        fix=say("Give busy and critical VMs a network port of their own."),
        source=WV21_LESSONS,
        unweighed=PRACTICE,
    ),
    # disks
    threshold(
        "pool-utilisation",
        say("Utilisation of a pool"),
        POOLS,
        lambda c: c.judged.disks.value > c.policy.disk_limit_pct,
        say("{pool}’s disks would be {busy} % busy at peak; the limit is {disk_limit_pct} %"),
        lambda c, row, _: {
            "busy": amount(c.judged.disks, row),
            "disk_limit_pct": exact_text(c.policy.disk_limit_pct),
        },
        fix=say(
            "Add drives, choose a RAID level with a smaller write penalty, or give the VMs more "
            "RAM."
        ),
        source="Noah.org: IOPS or TPS "
        "<https://www.noah.org/mediawiki-1.34.2/index.php?title=IOPS_or_TPS>",
        severity=lambda c, row: (
            Severity.ERROR if refusals.overloaded_disks(c.numbers)[row] else Severity.WARNING
        ),
    ),
    threshold(
        "disk-latency",
        say("Disk latency"),
        POOLS,
        lambda c: c.pools.latency_ms.value > LATENCY_LIMIT_MS,
        say("{pool} would answer in {latency}; above 25 ms is too slow"),
        lambda c, row, _: {
            "latency": value_text(c.pools.latency_ms[row], "ms", limit=LATENCY_LIMIT_MS)
        },
        fix=say("Add drives, or move VMs to another pool."),
        source="K. Elatov, 2012: ESX host experiencing high latency, DAVG above 25 ms "
        "<https://github.com/elatov/elatov.github.io>",
        unweighed=UNLIMITED,
    ),
    threshold(
        "pool-capacity",
        say("Space of a pool"),
        POOLS,
        _space_over,
        say("{pool} needs {used_gib} GiB of {usable_gib} GiB usable; {limit} % may be full"),
        lambda c, row, _: {
            "used_gib": number(c.numbers.pool_stage.used_gib[row]),
            "usable_gib": number(c.numbers.pool_stage.usable_gib[row]),
            "limit": number(c.policy.capacity_limit_pct),
        },
        fix=lambda c, row, _: say(
            "Find room for {gib} GiB: more or larger drives, or another pool.",
            gib=number(c.numbers.pool_stage.used_gib[row] - _most_of_pool(c, row) + 0.5),
        ),
        source=say(
            "IBM pSeries Lotus Domino Server R5 Implementation Guide, p. 13: disk space by "
            "registered users; {policy}",
            policy=POLICY,
        ),
        severity=lambda c, row: (
            Severity.ERROR if refusals.over_capacity(c.numbers)[row] else Severity.WARNING
        ),
    ),
    threshold(
        "no-drives",
        say("Pool without drives"),
        POOLS,
        lambda c: refusals.without_drives(c.numbers),
        lambda _, __, pool: say_many(
            "{pool} has {count} drive, of which spares and parity leave none for data",
            "{pool} has {count} drives, of which spares and parity leave none for data",
            pool.spindles,
            pool=pool.name,
        ),
        fix=lambda c, row, _: _drives_fix(c, row),
        source=lambda c, *_: "; ".join(
            sorted({raid.provenance.source for raid in c.arrays.pools.raids})
        ),
        severity=Severity.ERROR,
    ),
    threshold(
        "raid-0-data",
        say("RAID 0 for data"),
        POOLS,
        _striped,
        say("{pool} holds Domino data on RAID 0: one failed drive loses all of it"),
        fix=say("Choose RAID 1, 10 or another level with protection."),
        source=LOG_SOURCE,
        unweighed="no policy names the loss of a drive",
    ),
    threshold(
        "raid-not-offered",
        say("RAID level not offered"),
        POOLS,
        lambda c: refusals.raid_not_offered(c.numbers),
        say("{pool} is {raid}, which {array} does not offer"),
        lambda c, row, _: {
            "raid": c.arrays.pools.raids[c.arrays.pools.raid[row]].name,
            "array": c.array(row).name,
        },
        fix=lambda c, row, _: say(
            "Choose one of: {levels}.", levels=", ".join(c.array(row).raid_levels)
        ),
        source=lambda c, row, _: c.array(row).provenance.source,
        severity=Severity.ERROR,
    ),
    threshold(
        "drives-not-taken",
        say("Drives that the array doesn’t take"),
        POOLS,
        lambda c: refusals.drives_not_taken(c.numbers),
        say("{pool} is to have drives “{disk}”, but {array} takes {kinds} only"),
        lambda c, row, _: {
            "disk": c.disk(row).name,
            "array": c.array(row).name,
            "kinds": joined(say(" and "), [each.label for each in c.array(row).drive_kinds])
            or say("flash"),
        },
        fix=say("Choose drives that go in, or an array that takes these."),
        source=lambda c, row, _: cited(c.array(row), "drive_kinds"),
        severity=Severity.ERROR,
    ),
    threshold(
        "too-many-drives",
        say("More drives than the array takes"),
        POOLS,
        lambda c: refusals.too_many_drives(c.numbers),
        say("{pool} has {spindles} drives; {array} takes {max_drives}"),
        lambda c, row, pool: {
            "spindles": pool.spindles,
            "array": c.array(row).name,
            "max_drives": number(c.arrays.pools.most_drives[row]),
        },
        fix=say("Use at most {max_drives} drives, or a larger array."),
        source=lambda c, row, _: cited(c.array(row), "max_drives"),
        severity=Severity.ERROR,
    ),
    threshold(
        "log-pool-no-data",
        say("Pool of transaction logs without data"),
        POOLS,
        lambda c: c.numbers.pool_stage.only_logs,
        say(
            "{pool} holds transaction logs only, and how many I/Os they take was never published: "
            "its load and latency aren’t known"
        ),
        fix=say("Give logs drives of their own; they are written in sequence."),
        source=R5_CLUSTERS,
        severity=Severity.ADVICE,
        unweighed="logs are written in sequence, which nothing judges",
    ),
    together(
        "log-with-data",
        say("Transaction logs with the data"),
        _logs_with_data,
        say("{names}: no drives for transaction logs alone, where they are written in sequence"),
        fix=say(
            "Give transaction logs a mirrored pair of their own, and page files a disk of their "
            "own."
        ),
        source=f"{LOG_SOURCE}; {WV21}, configurations: transaction logs on RAID 1",
        unweighed=PRACTICE,
    ),
    # Fault Tolerance and restarts
    together(
        "hung-system",
        say("A hung system"),
        _hung_unseen,
        say(
            "{names}: HA restarts a VM when its host dies; a hung operating system it sees only "
            "through VMware Tools, and a hung Domino not at all"
        ),
        fix=say("Turn VM monitoring on; where Domino must not be away, add a cluster partner."),
        source=f"{VSPHERE4}, “VMware HA Test”",
        unweighed=PRACTICE,
    ),
    together(
        "site-recovery",
        say("Loss of a site"),
        _alone_on_a_site,
        say(
            "{names}: no cluster partner stands in another group of hosts; HA restarts no "
            "VM from a site that is lost"
        ),
        fix=say(
            "Put a Domino cluster partner on the other site, or let Site Recovery Manager restart "
            "them there from replicated disks."
        ),
        source=f"{VSPHERE4}, “VMware vSphere Overview”: disaster recovery with VMware SRM",
        unweighed=SURVIVED,
    ),
    together(
        "browser-failover",
        say("Failover of browsers"),
        _browsers_in_a_cluster,
        say("{names}: a browser does not fail over to a cluster partner by itself, as Notes does"),
        fix=say("Put the Internet Cluster Manager or a load balancer before the members."),
        source=f"{R5_CLUSTERS}, “Main Domino R5 clustering differences”",
        unweighed=PRACTICE,
    ),
    together(
        "restart-disabled",
        say("Restart disabled"),
        _no_restart,
        say(
            "{names}: not to be restarted by HA, and without a Domino cluster: when the host "
            "fails, the users wait until it is repaired"
        ),
        fix=say("Set a restart priority, or add a cluster partner."),
        source=f"{VSPHERE4}, “VMware HA Test”",
        unweighed=SURVIVED,
    ),
    threshold(
        "ft-no-secondary",
        say("Fault Tolerance: no place for the secondary"),
        VMS,
        lambda c: refusals.without_secondary(c.numbers),
        say("{vm} has Fault Tolerance, but {why}"),
        lambda c, row, _: {"why": why_no_secondary(c, row)[0]},
        fix=lambda c, row, _: why_no_secondary(c, row)[1],
        source=f"{VSPHERE4_FT}; {FT_REQUIREMENTS}",
        severity=Severity.ERROR,
    ),
    threshold(
        "ft-licence",
        say("Fault Tolerance: licence"),
        VMS,
        _beyond_licence,
        say(
            "{vm} has Fault Tolerance and {vcpus} vCPUs; the Standard and Enterprise licences "
            "protect {standard}"
        ),
        lambda c, row, vm: {
            "vcpus": vm.vcpus,
            "standard": c.hypervisor(c.arrays.vms.host[row]).ft_max_vcpus_standard,
        },
        fix=say("Make sure that the hosts have Enterprise Plus."),
        source=FT_GUIDE,
        severity=Severity.ADVICE,
        unweighed=SUPPORT,
    ),
    together(
        "ft-nested-paging",
        say("Fault Tolerance: nested paging off"),
        _unpaged,
        say(
            "{names}: with Fault Tolerance vSphere 4.0 switches nested paging off; the CPU figures "
            "were measured with it, and what Domino loses without was never published"
        ),
        fix=say("Measure before you count on it, or take vSphere 4.1 or later."),
        source="VMware, vSphere 4.0 release notes, Fault Tolerance: hardware MMU",
        unweighed="the numbers are those without it, as the finding says",
    ),
    together(
        "ft-cost",
        say("Fault Tolerance: its cost"),
        lambda c: refusals.protected(c.numbers) & c.arrays.vms.domino,
        say(
            "{names}: CPU and response time are those of a VM without Fault Tolerance; what it "
            "costs was published as a chart without figures"
        ),
        fix=say("Measure a protected server before you promise its response time."),
        source=VSPHERE4_FT,
        unweighed="the numbers are those without it, as the finding says",
    ),
    together(
        "ft-third-host",
        say("Fault Tolerance: a third host"),
        _two_hosts,
        say(
            "{names}: in a cluster of two hosts a VM with Fault Tolerance runs on without a "
            "secondary when one of them fails"
        ),
        fix=say("Use three hosts or more."),
        source=FT_GUIDE,
        unweighed=PRACTICE,
    ),
    # Sametime
    together(
        "sametime-no-mux",
        say("Sametime: no multiplexer"),
        _without_mux,
        say("{names}: no multiplexer of its own takes the connections of the clients"),
        fix=say(
            "Put separate multiplexers before the community servers: one vCPU and 2 GB each were "
            "enough for 50,000 chat users."
        ),
        source=SAMETIME,
        when=some_sametime,
        unweighed=PRACTICE,
    ),
    together(
        "sametime-mux-size",
        say("Sametime: size of a multiplexer"),
        _large_mux,
        say(
            "{names}: multiplexers with the vCPUs and the memory of a community server, which they "
            "typically don’t need"
        ),
        fix=say("Try one vCPU and 2 GB."),
        source=SAMETIME,
        when=some_sametime,
        unweighed=PRACTICE,
    ),
    together(
        "sametime-meetings",
        say("Sametime: meetings apart from chat"),
        community,
        say("{names}: only chat was ever measured; meetings take more network and CPU"),
        fix=say("Give meetings servers of their own, apart from chat."),
        source=SAMETIME,
        when=some_sametime,
        unweighed=PRACTICE,
    ),
    together(
        "sametime-clients",
        say("Sametime: several clients per user"),
        _by_head,
        say(
            "{names}: {users} users are taken to have one client each; somebody with a Sametime "
            "client, Notes and a web page with chat has three"
        ),
        lambda c: {"users": number(float(c.arrays.vms.active_users[_by_head(c)].sum()))},
        fix=say("Count each client connection as a user of its own."),
        source=f"{WV21}, “Comments on IBM Lotus Sametime benchmark”",
        when=some_sametime,
        unweighed=PRACTICE,
    ),
    together(
        "sametime-ip-sprayer",
        say("Sametime: IP sprayer"),
        lambda c: community(c) & c.arrays.vms.clustered,
        say("{names}: a Sametime cluster needs something before it that hands its users out"),
        fix=say("Plan an IP sprayer; DNS round robin is cheaper and less robust."),
        source=SAMETIME,
        when=some_sametime,
        unweighed=PRACTICE,
    ),
)
