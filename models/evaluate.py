"""`evaluate`: from a scenario to its prediction. Calls the formulas in order and owns none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models import cpu, memory, network
from models.arrays import Arrays, sum_by, to_arrays
from models.availability import Failover, HostLoads, fail_each_host, ft_secondaries
from models.calibration import Calibration
from models.catalog import Catalog
from models.degraded import degraded_worst
from models.demand import assign_laws
from models.estimates import (
    NO_DATA,
    RULE,
    TRANSFERRED,
    Estimate,
    Sources,
    at_most,
    ends,
    scaled,
    taken,
    total,
)
from models.elsewhere import Elsewhere, elsewhere
from models.failures import FailureInputs, FailureTable, host_extremes
from models.loads import Inputs, core_seconds, iops, vm_cpu_pct
from models.pools import PoolStage, pool_stage
from models.prediction import HostPrediction, PoolPrediction, Prediction, VmPrediction
from models.quantities import BoolArray, FloatArray, IntArray
from models.restarted import HostsKnown, after_restarts
from models.responses import Responses, Sharing, predicted_responses, sharing_of
from models.sametime import known_feasible
from models.scenario import Policy, Scenario
from models.summary import Evaluated, summarise

MODEL_VERSION = "1.1"
"""Changes whenever the same scenario gets another number."""


def evaluate(scenario: Scenario, catalog: Catalog, calibration: Calibration) -> Prediction:
    """What the scenario's VMs, hosts and pools will carry, and whether that is within the policy.

    Pure and deterministic: the same values give the same prediction, and the order of VMs in the
    scenario changes nothing but the order of rows.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    vm = vm_stage(scenario, catalog, calibration)
    places = elsewhere(vm.inputs, vm.cores, vm.ram_gib, catalog)
    host = _host_stage(vm, scenario.policy, places)
    pool = pool_stage(vm.inputs.arrays, scenario.policy, vm.io, vm.inputs.sources)
    sharing = sharing_of(
        vm.inputs,
        own_cores=vm.asked_ends,
        host_busy=ends(host.cores_busy),
        own_iops=np.fmax(ends(vm.io), 0.0),
        pool_iops=ends(pool.iops),
        pool_limits=pool.limits,
        pool_miss_ms=pool.miss_ms,
    )
    responses = predicted_responses(vm.inputs, vm.cores, sharing)
    failures = _failures(scenario.policy, vm, host, places, sharing, responses)
    return summarise(
        Evaluated(
            scenario=scenario,
            model_version=MODEL_VERSION,
            inputs=vm.inputs,
            asked_cores=vm.cores,
            vms=_vm_table(vm, sharing, responses),
            hosts=_host_table(scenario.policy, vm, host, failures),
            pools=_pool_table(pool, vm.inputs),
            pool_stage=pool,
            failures=FailureTable.of(failures),
            secondary=host.secondary,
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class VmStage:
    """Demands of the VMs, shape (n,); `asked` is `cores` within what the vCPUs can run."""

    inputs: Inputs
    cores: Estimate
    asked: FloatArray
    io: Estimate
    ram_gib: FloatArray
    ram_leans: BoolArray
    network: Estimate

    @property
    def asked_ends(self) -> FloatArray:
        """`asked` with its ends, shape (3, n)."""
        return np.minimum(np.fmax(ends(self.cores), 0.0), self.inputs.arrays.vms.vcpus)


def vm_stage(scenario: Scenario, catalog: Catalog, calibration: Calibration) -> VmStage:
    """What every VM asks for, whoever stands beside it."""
    arrays = to_arrays(scenario, catalog)
    vms, policy, sources = arrays.vms, scenario.policy, Sources()
    laws = assign_laws(arrays, catalog, calibration.constants, calibration.law.esx_cpu_factor)
    inputs = Inputs(
        arrays,
        laws,
        vms.active_users * policy.benchmark_derating,
        vms.effective_ram_gib,
        policy.benchmark_derating == 1.0,
        calibration,
        sources,
    )
    cores = core_seconds(inputs)
    ram, leans = memory.vm_ram_gib(arrays)
    traffic = network.vm_mbps(
        laws,
        users=inputs.users,
        clustered=vms.clustered,
        own_mbps=vms.own_network_mbps,
        constants=calibration.constants,
        sources=sources,
    )
    traffic.put(~vms.powered_on, 0.0, basis=RULE)
    asked = np.minimum(np.fmax(cores.value, 0.0), vms.vcpus)
    return VmStage(inputs, cores, asked, iops(inputs), ram, leans, traffic)


@dataclass(frozen=True, slots=True, eq=False)
class _HostStage:
    """Sums per host: load of cores with the unknown parts at their vCPUs, memory, network.

    `secondary`: host of each VM's FT secondary, −1 for none. `rows`, `place`: VMs, secondaries
    too, and the hosts where they stand.
    """

    cores_busy: Estimate
    ram_gib: FloatArray
    network: Estimate
    secondary: IntArray
    loads: HostLoads
    rows: IntArray
    place: IntArray

    def known(self, arrays: Arrays, vm: VmStage, vouched: BoolArray) -> HostsKnown:
        """What is known of the hosts' CPU; `vouched`: VMs without data that did work."""
        blank, vcpus, count = ~vm.cores.known, arrays.vms.vcpus, len(arrays.hosts)
        seen_vms: FloatArray = np.where(blank, 0.0, 1.0)
        unknown, unfounded, seen = (
            sum_by(self.place, column[self.rows], count)
            for column in (vcpus * blank, vcpus * (blank & ~vouched), seen_vms)
        )
        busy = ends(self.cores_busy)
        busy[2] -= unknown
        return HostsKnown(busy, unknown, unfounded, seen)


def _host_stage(vm: VmStage, policy: Policy, places: Elsewhere) -> _HostStage:
    arrays, sources = vm.inputs.arrays, vm.inputs.sources
    vms, hosts = arrays.vms, arrays.hosts
    home = np.where(vms.running, vms.host, -1)
    rows, place = np.arange(len(vms)), home
    secondary = np.full(len(vms), -1)
    if vms.fault_tolerance.any():
        before = _host_loads(vm, policy, rows, place, secondary, places)
        secondary = ft_secondaries(arrays, before, _ft_possible(arrays))
    twice = np.flatnonzero(secondary >= 0)
    rows = np.concatenate([rows, twice])
    place = np.concatenate([home, secondary[twice]])
    capped = taken(at_most(vm.cores, vms.vcpus), rows)
    busy = total(capped, place, len(hosts), sources, ceiling=vms.vcpus[rows])
    loads = _host_loads(vm, policy, rows, place, secondary, places)
    traffic = total(vm.network, home, len(hosts), sources)
    return _HostStage(busy, loads.ram_gib, traffic, secondary, loads, rows, place)


def _ft_possible(arrays: Arrays) -> BoolArray:
    """Running VMs with Fault Tolerance that their hypervisor grants."""
    vms, hosts = arrays.vms, arrays.hosts
    possible = vms.fault_tolerance & vms.running
    if len(hosts):
        possible &= vms.vcpus <= hosts.ft_max_vcpus[vms.host]
    return possible


def _host_loads(
    vm: VmStage,
    policy: Policy,
    rows: IntArray,
    place: IntArray,
    secondary: IntArray,
    places: Elsewhere,
) -> HostLoads:
    """Loads and limits of hosts, with the VMs `rows` standing at `place`."""
    hosts = vm.inputs.arrays.hosts
    cpu_limit = hosts.cores * policy.cpu_limit_pct / 100 / policy.peak_factor_cpu
    return HostLoads(
        vm_cores=vm.asked,
        vm_ram_gib=vm.ram_gib,
        cores_busy=sum_by(place, vm.asked[rows], len(hosts)),
        ram_gib=hosts.console_gib + sum_by(place, vm.ram_gib[rows], len(hosts)),
        cpu_limit=cpu_limit,
        ram_limit_gib=hosts.ram_gib * policy.memory_overcommit,
        protected=secondary >= 0,
        kind_of_host=places.of_host,
        cores_on=places.cores[0],
        ram_on=places.ram_gib,
    )


def restarts(scenario: Scenario, catalog: Catalog, calibration: Calibration) -> Failover:
    """Who restarts where in each failure mode of a scenario."""
    vm = vm_stage(scenario, catalog, calibration)
    places = elsewhere(vm.inputs, vm.cores, vm.ram_gib, catalog)
    host = _host_stage(vm, scenario.policy, places)
    return fail_each_host(vm.inputs.arrays, host.loads)


def _failures(
    policy: Policy,
    vm: VmStage,
    host: _HostStage,
    places: Elsewhere,
    sharing: Sharing,
    responses: Responses,
) -> FailureInputs:
    failover = fail_each_host(vm.inputs.arrays, host.loads)
    arrays, vouched = vm.inputs.arrays, known_feasible(vm.inputs)
    restarted = after_restarts(
        arrays, failover, places, host.known(arrays, vm, vouched), vouched=vouched, asked=places.asked
    )
    return FailureInputs(
        arrays=vm.inputs.arrays,
        policy=policy,
        failover=failover,
        host_cpu=host.cores_busy,
        sources=vm.inputs.sources,
        restarted=restarted,
        worst_ms=degraded_worst(vm.inputs, responses, sharing, failover, places, restarted.busy),
    )


def _vm_table(vm: VmStage, sharing: Sharing, responses: Responses) -> VmPrediction:
    """The VMs' table; verdicts come with the summary."""
    inputs, vms = vm.inputs, vm.inputs.arrays.vms
    sources = inputs.sources
    pct = vm_cpu_pct(vm.cores, vms.vcpus)
    physical, ratio = _on_bare_metal(inputs.arrays), sharing.ready_ratio
    value, one, other = (
        cpu.ready_pct(ratio, end, sharing.host_load, physical)
        for end in (pct.value, pct.low, pct.high)
    )
    low, high = np.minimum(value, np.minimum(one, other)), np.maximum(value, np.maximum(one, other))
    basis = np.where(pct.known, TRANSFERRED, NO_DATA).astype(np.int8)
    evidence = np.full(len(vms), _ready_evidence(inputs), dtype=np.int32)
    ready = Estimate(value, low, high, basis, evidence, np.full(len(vms), np.nan))
    ready.basis[(physical | (pct.value == 0)) & pct.known] = RULE
    ready.drop(~pct.known)
    ram = Estimate.exact(vm.ram_gib, RULE)
    ram.basis[vm.ram_leans] = TRANSFERRED
    return VmPrediction(
        vms.ids,
        cpu_pct=pct.series(sources),
        iops=vm.io.series(sources),
        ram_gib=ram.series(sources),
        ready_pct=ready.series(sources),
        response_ms=responses.estimate.series(sources),
        network_mbps=vm.network.series(sources),
        offered_users=np.where(vms.powered_on, inputs.users, 0.0),
        verdict=np.zeros(len(vms), dtype=np.int8),
    )


def _host_table(
    policy: Policy, vm: VmStage, host: _HostStage, failures: FailureInputs
) -> HostPrediction:
    arrays, sources = vm.inputs.arrays, vm.inputs.sources
    vms, hosts = arrays.vms, arrays.hosts
    pct = scaled(host.cores_busy, 100.0 / hosts.cores)
    ram = Estimate.exact(100.0 * host.ram_gib / hosts.ram_gib, RULE)
    net = scaled(host.network, 100.0 / np.where(hosts.nic_mbps > 0, hosts.nic_mbps, np.nan))
    vcpus = sum_by(np.where(vms.running, vms.host, -1), vms.vcpus, len(hosts))
    failure_cpu, failure_ram = host_extremes(failures)
    return HostPrediction(
        hosts.ids,
        cpu_pct=pct.series(sources),
        cpu_peak_pct=pct.value * policy.peak_factor_cpu,
        ram_pct=ram.series(sources),
        network_pct=net.series(sources),
        vcpus_per_core=vcpus / hosts.cores,
        failure_cpu_pct=failure_cpu,
        failure_ram_pct=failure_ram,
        verdict=np.zeros(len(hosts), dtype=np.int8),
    )


def _pool_table(pool: PoolStage, inputs: Inputs) -> PoolPrediction:
    sources = inputs.sources
    return PoolPrediction(
        inputs.arrays.pools.ids,
        iops=pool.iops.series(sources),
        utilisation_pct=pool.utilisation_pct.series(sources),
        latency_ms=pool.latency_ms.series(sources),
        capacity_pct=pool.capacity_pct.series(sources),
        usable_gib=pool.usable_gib,
        limit_iops=pool.policy_limit_iops,
        verdict=np.zeros(len(inputs.arrays.pools), dtype=np.int8),
    )


def _on_bare_metal(arrays: Arrays) -> BoolArray:
    if not len(arrays.hosts):
        return np.zeros(len(arrays.vms), dtype=np.bool_)
    return arrays.hosts.physical[arrays.vms.host] & (arrays.vms.host >= 0)


def _ready_evidence(inputs: Inputs) -> int:
    return inputs.sources.code(inputs.calibration.constants.mail85.ready_pct.evidence)
