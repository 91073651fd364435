"""`evaluate`: from a scenario to its prediction. Calls the formulas in order and owns none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models import cpu, memory, network
from models.arrays import Arrays, sum_by, to_arrays
from models.availability import Failover, HostLoads, fail_each_host, ft_secondaries
from models.calibration import Calibration
from models.catalog import Catalog
from models.degraded import degraded_worst
from models.demand import assign_laws
from models.elsewhere import Elsewhere, elsewhere
from models.estimates import (
    RULE,
    TRANSFERRED,
    Estimate,
    Sources,
    at_most,
    scaled,
    taken,
    total,
)
from models.evaluated import Evaluated
from models.failures import FailureInputs, FailureTable, host_extremes
from models.loads import Inputs, core_seconds, iops, vm_cpu_pct
from models.pools import PoolStage, pool_stage
from models.prediction import HostPrediction, PoolPrediction, Prediction, VmPrediction
from models.quantities import BoolArray, FloatArray, IntArray
from models.responses import Responses, Sharing, predicted_responses, sharing_of
from models.restarted import HostsKnown, after_restarts
from models.sametime import known_feasible
from models.scenario import Policy, Scenario
from models.summary import summarise

MODEL_VERSION = "1.1"
"""Changes whenever the same scenario gets another number."""


def evaluate(scenario: Scenario, catalog: Catalog, calibration: Calibration) -> Prediction:
    """What the scenario's VMs, hosts and pools will carry, and whether that is within the policy.

    Pure and deterministic: the same values give the same prediction, and the order of VMs in the
    scenario changes nothing but the order of rows.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    arrays, policy = to_arrays(scenario, catalog), scenario.policy
    vm = vm_stage(arrays, policy, catalog, calibration, Sources())
    return summarise(scenario, evaluated(vm, policy), MODEL_VERSION)


def evaluated(vm: VmStage, policy: Policy) -> Evaluated:
    """All numbers, from the demands of the VMs on; for one scenario or many side by side."""
    arrays, sources = vm.inputs.arrays, vm.inputs.sources
    host = host_stage(vm, policy)
    pool = pool_stage(arrays, policy, vm.io, sources)
    sharing = sharing_of(
        vm.inputs,
        own_cores=vm.asked_ends,
        host_busy=host.cores_busy.ends,
        own_iops=np.fmax(vm.io.ends, 0.0),
        pool_iops=pool.iops.ends,
        pool_limits=pool.limits,
        pool_miss_ms=pool.miss_ms,
    )
    responses = predicted_responses(vm.inputs, vm.cores, sharing)
    failures = _failures(policy, vm, host, sharing, responses)
    return Evaluated(
        policy=policy,
        inputs=vm.inputs,
        asked_cores=vm.cores,
        vms=_vm_table(vm, sharing, responses),
        hosts=_host_table(policy, vm, host, failures),
        pools=_pool_table(pool, vm.inputs),
        pool_stage=pool,
        failures=FailureTable.of(failures),
        secondary=host.secondary,
    )


@dataclass(frozen=True, eq=False)
class VmStage:
    """Demands of the VMs, shape (n,); `asked` is `cores` within what the vCPUs can run."""

    catalog: Catalog
    inputs: Inputs
    cores: Estimate
    asked: FloatArray
    io: Estimate
    ram_gib: FloatArray
    ram_leans: BoolArray
    network: Estimate

    @cached_property
    def asked_ends(self) -> FloatArray:
        """`asked` with its ends, shape (3, n)."""
        return np.minimum(np.fmax(self.cores.ends, 0.0), self.inputs.arrays.vms.vcpus)

    @cached_property
    def places(self) -> Elsewhere:
        """The same on the other machines of their clusters."""
        return elsewhere(self.inputs, self.cores, self.ram_gib, self.catalog)


def vm_stage(
    arrays: Arrays, policy: Policy, catalog: Catalog, calibration: Calibration, sources: Sources
) -> VmStage:
    """What every VM asks for, whoever stands beside it."""
    vms, constants = arrays.vms, calibration.constants
    laws = assign_laws(arrays, catalog, constants, calibration.law.esx_cpu_factor)
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
        constants=constants,
        sources=sources,
    )
    if not vms.powered_on.all():
        traffic.put(~vms.powered_on, 0.0, basis=RULE)
    asked = np.minimum(np.fmax(cores.value, 0.0), vms.vcpus)
    return VmStage(catalog, inputs, cores, asked, iops(inputs), ram, leans, traffic)


@dataclass(frozen=True, slots=True, eq=False)
class HostStage:
    """Sums per host: load of cores with the unknown parts at their vCPUs, memory, network.

    `secondary`: host of each VM's FT secondary, −1 for none.
    """

    known: HostsKnown
    cores_busy: Estimate
    ram_gib: FloatArray
    network: Estimate
    secondary: IntArray
    loads: HostLoads


def host_stage(vm: VmStage, policy: Policy) -> HostStage:
    """The hosts under the VMs that run, Fault Tolerance secondaries among them."""
    arrays, sources = vm.inputs.arrays, vm.inputs.sources
    vms, count = arrays.vms, len(arrays.hosts)
    secondary = np.full(len(vms), -1)
    capped = at_most(vm.cores, vms.vcpus)
    place, loads = vms.place, _host_loads(vm, policy, None, vms.place, secondary)
    ceiling = vms.vcpus
    protected = vms.fault_tolerance & vms.running & (vms.vcpus <= vms.at.ft_max_vcpus)
    if protected.any():
        secondary = ft_secondaries(arrays, loads, protected)
        twice = (secondary >= 0).nonzero()[0]
        rows = np.concatenate([np.arange(len(vms)), twice])
        place = np.concatenate([place, secondary[twice]])
        capped, ceiling = taken(capped, rows), ceiling[rows]
        loads = _host_loads(vm, policy, rows, place, secondary)
    else:
        rows = None
    busy = total(capped, place, count, sources, ceiling=ceiling)
    traffic = total(vm.network, vms.place, count, sources)
    known = _known(vm, rows, place, busy)
    return HostStage(known, busy, loads.ram_gib, traffic, secondary, loads)


def _known(vm: VmStage, rows: IntArray | None, place: IntArray, busy: Estimate) -> HostsKnown:
    """What is known of the hosts' CPU, with the VMs `rows` standing at `place`."""
    arrays = vm.inputs.arrays
    count, seen = len(arrays.hosts), vm.cores.known
    blank = np.where(seen, 0.0, arrays.vms.vcpus)
    columns = [np.where(seen, 1.0, 0.0), blank, np.where(known_feasible(vm.inputs), 0.0, blank)]
    found, unknown, unfounded = (
        sum_by(place, column if rows is None else column[rows], count) for column in columns
    )
    ends = busy.ends.copy()
    ends[2] -= unknown
    return HostsKnown(ends, unknown, unfounded, found)


def _host_loads(
    vm: VmStage, policy: Policy, rows: IntArray | None, place: IntArray, secondary: IntArray
) -> HostLoads:
    """Loads and limits of hosts, with the VMs `rows` (all, once each: None) standing at `place`."""
    hosts = vm.inputs.arrays.hosts
    asked = vm.asked if rows is None else vm.asked[rows]
    ram = vm.ram_gib if rows is None else vm.ram_gib[rows]
    cpu_limit = hosts.cores * policy.cpu_limit_pct / 100 / policy.peak_factor_cpu
    return HostLoads(
        vm_cores=vm.asked,
        vm_ram_gib=vm.ram_gib,
        cores_busy=sum_by(place, asked, len(hosts)),
        ram_gib=hosts.console_gib + sum_by(place, ram, len(hosts)),
        cpu_limit=cpu_limit,
        ram_limit_gib=hosts.ram_gib * policy.memory_overcommit,
        protected=secondary >= 0,
        kind_of_host=vm.places.of_host,
        cores_on=vm.places.cores[0],
        ram_on=vm.places.ram_gib,
    )


def _failures(
    policy: Policy, vm: VmStage, host: HostStage, sharing: Sharing, responses: Responses
) -> FailureInputs:
    failover = fail_each_host(vm.inputs.arrays, host.loads)
    restarted = after_restarts(
        vm.inputs.arrays, failover, vm.places, host.known, vouched=known_feasible(vm.inputs)
    )
    return FailureInputs(
        arrays=vm.inputs.arrays,
        policy=policy,
        failover=failover,
        host_cpu=host.cores_busy,
        sources=vm.inputs.sources,
        worst_ms=degraded_worst(vm.inputs, responses, sharing, failover, vm.places, restarted.busy),
        restarted=restarted,
    )


def restarts(scenario: Scenario, catalog: Catalog, calibration: Calibration) -> Failover:
    """Who restarts where in each failure mode of a scenario."""
    arrays = to_arrays(scenario, catalog)
    vm = vm_stage(arrays, scenario.policy, catalog, calibration, Sources())
    return fail_each_host(arrays, host_stage(vm, scenario.policy).loads)


def _vm_table(vm: VmStage, sharing: Sharing, responses: Responses) -> VmPrediction:
    """The VMs' table; verdicts come with the summary."""
    inputs, vms = vm.inputs, vm.inputs.arrays.vms
    sources = inputs.sources
    pct = vm_cpu_pct(vm.cores, vms.vcpus)
    ready = _ready(inputs, pct, sharing)
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


def _ready(inputs: Inputs, pct: Estimate, sharing: Sharing) -> Estimate:
    """Ready time of every VM, from what it runs [% of wall time]."""
    physical = inputs.arrays.vms.at.physical
    ends = cpu.ready_pct(sharing.ready_ratio, pct.ends, sharing.host_load, physical)
    ends[1], ends[2] = ends.min(axis=0), ends.max(axis=0)
    basis = np.where(physical | (pct.value == 0), RULE, TRANSFERRED).astype(np.int8)
    figure = inputs.calibration.constants.mail85.ready_pct
    evidence = np.full(len(basis), inputs.sources.code(figure.evidence), dtype=np.int32)
    ready = Estimate(ends, basis, evidence, np.full(len(basis), np.nan))
    ready.drop(~pct.known)
    return ready


def _host_table(
    policy: Policy, vm: VmStage, host: HostStage, failures: FailureInputs
) -> HostPrediction:
    arrays, sources = vm.inputs.arrays, vm.inputs.sources
    vms, hosts = arrays.vms, arrays.hosts
    pct = scaled(host.cores_busy, 100.0 / hosts.cores)
    ram = Estimate.exact(100.0 * host.ram_gib / hosts.ram_gib, RULE)
    net = scaled(host.network, 100.0 / np.where(hosts.nic_mbps > 0, hosts.nic_mbps, np.nan))
    vcpus = sum_by(vms.place, vms.vcpus, len(hosts))
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
