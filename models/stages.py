"""From the demands of VMs to all numbers: calls the formulas in order and owns none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray, Series, judged_end, says_nothing
from models.base.record import record
from models.evidence.constants import VCPUS_PER_VM
from models.evidence.knowledge import Knowledge
from models.failure.availability import fail_each_host, fail_sets
from models.failure.degraded import degraded_worst
from models.failure.failover import Failover, HostLoads
from models.failure.fault_tolerance import ft_secondaries
from models.failure.host_sets import host_sets
from models.failure.lost_drives import LostDrives, lost_drives, most_lost
from models.failure.restarted import Restarted
from models.judgement import draws
from models.judgement.failure_table import Before, FailureInputs, FailureTable
from models.judgement.host_sets import Several
from models.judgement.judging_inputs import Evaluated
from models.physics import cpu, memory
from models.physics.arrays import NRPC
from models.physics.columns import NOBODY, blank, filled, looked_up, some, sum_by
from models.physics.estimates import (
    MEASURED,
    RULE,
    TRANSFERRED,
    Estimate,
    scaled,
)
from models.physics.host_columns import HostArrays
from models.physics.host_sums import Asked, OnHosts
from models.physics.hosts import in_use_gib, vcpus_per_core
from models.physics.inputs_of_formulas import Inputs, vm_cpu_pct
from models.physics.pools import PoolStage, pool_stage
from models.physics.responses import (
    Loaded,
    Responses,
    Sharing,
    predicted_responses,
    ready_ratio,
    sharing_of,
)
from models.physics.sametime import vouching
from models.predict.demands import VmStage, demands_of
from models.predict.prediction import HostPrediction, PoolPrediction, VmPrediction
from models.scenario.scenario import Policy, Scenario
from models.scenario.transactions import PER_ACTIVE


def evaluated(vm: VmStage, policy: Policy) -> Evaluated:
    """All numbers, from the demands of the VMs on; for one scenario or many side by side."""
    return with_failures(undisturbed(vm, policy))


@record
class Undisturbed:
    """Normal operation, stage by stage, before anything fails; `draw`: as `Evaluated` has it."""

    policy: Policy
    vm: VmStage
    host: HostStage
    pool: PoolStage
    sharing: Sharing
    responses: Responses
    draw: draws.Draw | None = None


def undisturbed(
    vm: VmStage,
    policy: Policy,
    draw: draws.Draw | None = None,
    *,
    however_wide: bool = False,
    host: HostStage | None = None,
) -> Undisturbed:
    """Hosts, pools and responses under the VMs that run.

    Args:
        draw: errors by which numbers are judged, so that all of them are known.
        however_wide: as `predicted_responses` has it.
        host: of these VMs, where it is known already.
    """
    host = host_stage(vm, policy) if host is None else host
    arrays = vm.inputs.arrays
    pool = pool_stage(arrays, policy, vm.on_pools)
    sharing = sharing_of(
        vm.inputs,
        loaded(host, pool).for_each(arrays.vms.host, arrays.vms.pool),
        own_cores=vm.asked_ends,
        own_iops=np.fmax(vm.io.ends, 0.0),
    )
    there = memory.answering(arrays)
    responses = predicted_responses(
        vm.inputs,
        vm.by_law,
        sharing,
        answering=there,
        however_wide=however_wide or draw is not None,
    )
    return Undisturbed(policy, vm, host, pool, sharing, responses, draw)


def loaded(host: HostStage, pool: PoolStage) -> Loaded:
    """What hosts and pools carry."""
    return Loaded(
        host_busy=host.cores_busy.ends,
        pool_iops=pool.iops.ends,
        pool_limits=pool.limits,
        pool_miss_ms=pool.miss_ms,
    )


def with_failures(normal: Undisturbed) -> Evaluated:
    """The numbers of normal operation and of every single host that fails."""
    failover = fail_each_host(normal.vm.inputs.arrays, normal.host.loads)
    return _numbers(normal, failure_table(normal, failover), several_gone(normal))


def without_failures(normal: Undisturbed) -> Evaluated:
    """The numbers of normal operation alone, in which no host fails."""
    arrays = normal.vm.inputs.arrays
    none = np.zeros(len(arrays.hosts.members), dtype=np.bool_)
    failover = fail_each_host(arrays, normal.host.loads, none)
    return _numbers(normal, failure_table(normal, failover), None)


def _numbers(normal: Undisturbed, failures: FailureTable, several: Several | None) -> Evaluated:
    vm, policy, host = normal.vm, normal.policy, normal.host
    return Evaluated(
        policy=policy,
        inputs=vm.inputs,
        asked_cores=vm.cores,
        vms=vm_table(vm, policy, host, normal.sharing, normal.responses),
        hosts=host_table(policy, vm, host, failures),
        pools=pool_table(policy, normal.pool, vm),
        pool_stage=normal.pool,
        failures=failures,
        several=several,
        on_hosts=host.on,
        response_ends=normal.responses.ends,
        secondary=host.secondary,
        response_spread=normal.responses.off_host.standing.spread,
        draw=normal.draw,
    )


@record(slots=False)
class HostStage:
    """Hosts under the VMs that run, secondaries of Fault Tolerance among them.

    `on`: what adds up there; `secondary`: host of each VM's, −1 for none.
    """

    on: OnHosts
    secondary: IntArray
    loads: HostLoads

    @property
    def cores_busy(self) -> Estimate:
        """Load of cores with the unknown parts at their vCPUs, (h,)."""
        return self.on.busy

    @property
    def network(self) -> Estimate:
        return self.on.traffic

    @property
    def ram_gib(self) -> FloatArray:
        """Memory in use, (h,)."""
        return self.loads.ram_gib

    @property
    def vcpus(self) -> FloatArray:
        """vCPUs, (h,)."""
        return self.on.sums["vcpus"]

    def vcpus_beside(self, host: IntArray) -> FloatArray:
        """Virtual CPUs on the host of each VM, −1 for none, which has none, (n,)."""
        return looked_up(self.vcpus, host, 0.0)

    def judged_cores(self, policy: Policy) -> FloatArray:
        """High end of the load of cores that verdicts look at, as an average: vCPUs without data
        don't grow at peak, and those that are known to have worked don't count, (h,)."""
        value, high = self.on.busy.value, self.on.busy.ends[2] - self.on.sums["blind_vcpus"]
        high = judged_end(value, high, policy.posture.share)
        return cpu.judged_high(high, self.on.unfounded, policy.peak_factor_cpu)


def host_stage(vm: VmStage, policy: Policy) -> HostStage:
    """The hosts under the VMs that run, Fault Tolerance secondaries among them."""
    arrays, vms, on_hosts = vm.inputs.arrays, vm.inputs.arrays.vms, vm.on_hosts
    secondary = filled(len(vms), NOBODY, np.int64)
    loads = _host_loads(vm, policy, on_hosts.sums, secondary)
    if vms.some_protected:
        protected = vms.fault_tolerance & vms.running & (vms.vcpus <= vms.at.ft_max_vcpus)
        protected &= ~arrays.refused
        secondary = ft_secondaries(arrays, loads, protected)
        on_hosts = vm.with_secondaries(secondary)
        loads = _host_loads(vm, policy, on_hosts.sums, secondary)
    return HostStage(on_hosts, secondary, loads)


def _host_loads(vm: VmStage, policy: Policy, sums: Asked, secondary: IntArray) -> HostLoads:
    """Loads and limits of hosts, from the sums of what VMs ask of them."""
    hosts, places = vm.inputs.arrays.hosts, vm.places
    cpu_limit = policy.cpu_limit_pct / 100 / policy.peak_factor_cpu
    own = np.zeros((1, len(vm.asked)))
    if unlike := len(places.kinds) > 1:
        own = np.fmax(places.more_of_vcpus[0], 0.0) / (100.0 * cpu_limit)
    return HostLoads(
        sums=sums,
        cores_busy=sums["cpu"][0],
        ram_gib=in_use_gib(sums["ram_gib"], hosts.console_gib),
        console_gib=hosts.console_gib,
        limits=np.array([hosts.ram_gib * policy.memory_overcommit, hosts.cores * cpu_limit]),
        secondary=secondary,
        in_turn=vm.in_turn,
        kind_of_host=places.of_host,
        unlike=unlike,
        figures=places.figures,
        on=np.array([places.ram_gib, np.fmax(places.cores[0], 0.0)]),
        own_on=own,
    )


def failure_inputs(normal: Undisturbed, failover: Failover) -> FailureInputs:
    """What follows from the restarts of `failover`, whichever hosts are gone in it."""
    vm, host = normal.vm, normal.host
    arrays = vm.inputs.arrays
    vouched = vouching(vm.inputs)
    drives = lost_drives(arrays, failover, normal.pool.utilisation_pct.ends)
    restarted = Restarted.of(
        failover,
        vm.places,
        arrays.hosts.unlisted,
        vouched=vouched,
        share=normal.policy.posture.share,
    )
    worst_ms = _worst_ms(normal, failover, restarted.busy_of_crowded(), drives)
    vague = says_nothing(worst_ms) & (normal.draw is None)
    return FailureInputs(
        arrays=arrays,
        policy=normal.policy,
        failover=failover,
        places=vm.places,
        host_cpu=host.cores_busy,
        sources=vm.inputs.sources,
        responses=normal.responses.estimate,
        worst_ms=worst_ms,
        vague=vague,
        restarted=restarted,
        response_spread=normal.responses.off_host.standing.spread,
        draw=normal.draw,
        drives=drives,
    )


def _worst_ms(
    normal: Undisturbed, failover: Failover, busy: FloatArray, drives: LostDrives | None
) -> FloatArray:
    """Worst response of each mode with its ends, (3, m), on what is left of pools that lose drives
    with their hosts."""
    arrays = normal.vm.inputs.arrays

    def worst(found: Undisturbed) -> FloatArray:
        vm = found.vm
        return degraded_worst(vm.inputs, found.responses, found.sharing, failover, vm.places, busy)

    worst_ms = worst(normal)
    for gone in most_lost(drives):
        assert drives is not None
        pools = arrays.pools.without_hosts(gone)
        stage = normal.vm.standing(replace(arrays, pools=pools))
        fewer = worst(undisturbed(stage, normal.policy, normal.draw, however_wide=True))
        rows = drives.hosts.max(axis=1) == gone
        worst_ms[:, rows] = np.fmax(worst_ms, fewer)[:, rows]
    return worst_ms


def failure_table(normal: Undisturbed, failover: Failover) -> FailureTable:
    """The failure modes of `failover`."""
    return FailureTable.of(failure_inputs(normal, failover))


def several_gone(normal: Undisturbed) -> Several | None:
    """As many hosts of a cluster gone at once as it tolerates; None for no more than one."""
    arrays, loads = normal.vm.inputs.arrays, normal.host.loads
    sets = host_sets(arrays, loads)
    if sets is None:
        return None
    failover = fail_sets(arrays, loads, sets.cluster, sets.gone)
    return Several.of(sets, failure_table(normal, failover), _before(normal))


def _before(normal: Undisturbed) -> Before:
    """How hosts and VMs stand without any failure."""
    on, hosts, peak = normal.host.on, normal.vm.inputs.arrays.hosts, normal.policy.peak_factor_cpu
    value, low, high = on.sums["cpu"] * peak
    judged = judged_end(value, high, normal.policy.posture.share) + on.unfounded
    busy = np.array([value, judged])
    if normal.draw is not None:
        busy = normal.draw.ends(value, low, high, normal.draw.each(draws.CPU, len(hosts)), judged)
    return Before(
        busy,
        np.tile(normal.host.ram_gib * hosts.pct_of_ram, (2, 1)),
        normal.responses.estimate.ends,
    )


def restarts(scenario: Scenario, knowledge: Knowledge) -> Failover:
    """Who restarts where in each failure mode of a scenario."""
    vm = demands_of(scenario, knowledge)
    return fail_each_host(vm.inputs.arrays, host_stage(vm, scenario.policy).loads)


def vm_table(
    vm: VmStage, policy: Policy, host: HostStage, sharing: Sharing, responses: Responses
) -> VmPrediction:
    """The VMs' table; verdicts come with the summary."""
    share = policy.posture.share
    inputs, vms = vm.inputs, vm.inputs.arrays.vms
    sources = inputs.sources
    found = demands(vm)
    ratio = ready_ratio(sharing.cores, host.vcpus_beside(vms.host), vms.vcpus)
    as_ran = ran_side_by_side(vm, host)
    ready = ready_times(inputs, found["cpu_pct"], ratio, vms.at.physical, as_ran)
    return VmPrediction(
        vms.ids,
        cpu_pct=found["cpu_pct"].series(sources, share),
        iops=found["iops"].series(sources, share),
        ram_gib=found["ram_gib"].series(sources, share),
        network_mbps=found["network_mbps"].series(sources, share),
        ready_pct=ready.series(sources, share),
        response_ms=responses.estimate.series(sources, share),
        transactions_per_min=transactions(inputs).series(sources, share),
        offered_users=np.where(vms.powered_on, inputs.users, 0.0),
        verdict=np.zeros(len(vms), dtype=np.int8),
    )


def demands(vm: VmStage) -> dict[str, Estimate]:
    """What the VMs' table says of demands."""
    ram = Estimate.exact(vm.ram_gib, RULE)
    ram.basis[vm.ram_leans] = TRANSFERRED
    ram.evidence[:] = vm.ram_evidence
    return {
        "cpu_pct": vm_cpu_pct(vm.cores, vm.inputs.arrays.vms.vcpus),
        "iops": vm.io,
        "ram_gib": ram,
        "network_mbps": vm.network,
    }


def transactions(inputs: Inputs) -> Estimate:
    """Transactions a minute of each VM's console: of mail by Notes clients, in production."""
    vms, count = inputs.arrays.vms, len(inputs.users)
    found = Estimate(
        PER_ACTIVE.ends(np.where(vms.powered_on, inputs.users, 0.0)),
        filled(count, TRANSFERRED, np.int8),
        filled(count, inputs.sources.code(PER_ACTIVE.evidence), np.int32),
        blank(count),
    )
    found.drop((vms.law != NRPC) | (not inputs.derating.production))
    return found


def ran_side_by_side(vm: VmStage, host: HostStage) -> BoolArray:
    """VMs of the run whose ready time was measured: two building blocks alone on a host, (n,)."""
    vms = vm.inputs.arrays.vms
    block: BoolArray = vm.inputs.laws.family_b & (vm.cores.basis == MEASURED) & ~vms.replicating
    if not some(block):
        return block
    blocks = sum_by(vms.place, block.astype(np.float64), len(host.vcpus))
    pair = (blocks == 2) & (host.vcpus == 2 * VCPUS_PER_VM)
    return np.asarray(block & looked_up(pair, vms.host, False))


def ready_times(
    inputs: Inputs, pct: Estimate, ratio: FloatArray, physical: BoolArray, as_ran: BoolArray
) -> Estimate:
    """Ready time of VMs, from what they run [% of wall time].

    Args:
        pct: CPU of each VM [% of its vCPUs]; `ratio`: ready over run time.
        as_ran: `ran_side_by_side`.
    """
    figure = inputs.calibration.constants.mail85.ready_pct
    ends = cpu.ready_pct(ratio, pct.ends, physical)
    basis = np.where(physical | (pct.value == 0), RULE, TRANSFERRED).astype(np.int8)
    basis[as_ran] = MEASURED
    codes = filled(len(basis), inputs.sources.code(figure.evidence), np.int32)
    ready = Estimate(ends, basis, codes, np.where(as_ran, figure.value, np.nan))
    ready.drop(~pct.known)
    return ready


def host_table(
    policy: Policy, vm: VmStage, host: HostStage, failures: FailureTable
) -> HostPrediction:
    arrays, sources = vm.inputs.arrays, vm.inputs.sources
    hosts, share = arrays.hosts, policy.posture.share
    pct = scaled(host.cores_busy, hosts.pct_of_cores)
    ram = Estimate.exact(host.ram_gib * hosts.pct_of_ram, RULE)
    net = scaled(host.network, hosts.pct_of_nics)
    after = np.array([failures.host_cpu_pct, failures.host_ram_pct])
    after[:, _joined_by_unlisted(hosts)] = np.nan
    return HostPrediction(
        hosts.ids,
        cpu_pct=_judged_cpu(pct.series(sources, share), host, hosts, policy),
        cpu_peak_pct=pct.value * policy.peak_factor_cpu,
        ram_pct=_counting(ram.series(sources), hosts.unlisted),
        ram_limit_pct=memory.limit_pct(hosts, ram.value, policy.memory_overcommit),
        network_pct=_counting(net.series(sources, share), host.on.sums["unheard"]),
        vcpus_per_core=vcpus_per_core(host.vcpus, hosts.cores),
        failure_cpu_pct=after[0],
        failure_ram_pct=after[1],
        verdict=np.zeros(len(hosts), dtype=np.int8),
    )


def _joined_by_unlisted(hosts: HostArrays) -> BoolArray:
    """Hosts of clusters that run VMs that no list has, (h,): where these restart nobody knows."""
    clusters = hosts.cluster[(hosts.unlisted > 0) & (hosts.cluster >= 0)]
    return np.isin(hosts.cluster, clusters)


def _judged_cpu(pct: Series, host: HostStage, hosts: HostArrays, policy: Policy) -> Series:
    """The same with the high end that verdicts look at, and how many VMs are unknown."""
    blind = host.on.sums["blind"] + hosts.unlisted
    if not some(blind > 0):
        return pct
    judged_high = host.judged_cores(policy) * hosts.pct_of_cores
    return replace(pct, judged_high=judged_high, unknown=blind)


def _counting(column: Series, unknown: FloatArray) -> Series:
    """The same with how many VMs have no data behind each."""
    return replace(column, unknown=unknown) if some(unknown > 0) else column


def pool_table(policy: Policy, pool: PoolStage, vm: VmStage) -> PoolPrediction:
    inputs, sources, share = vm.inputs, vm.inputs.sources, policy.posture.share
    unknown = vm.without_io
    return PoolPrediction(
        inputs.arrays.pools.ids,
        iops=_counting(pool.iops.series(sources, share), unknown),
        utilisation_pct=_counting(pool.utilisation_pct.series(sources, share), unknown),
        latency_ms=_counting(pool.latency_ms.series(sources, share), unknown),
        capacity_pct=pool.capacity_pct.series(sources, share),
        usable_gib=pool.usable_gib,
        limit_iops=pool.policy_limit_iops,
        verdict=np.zeros(len(inputs.arrays.pools), dtype=np.int8),
    )
