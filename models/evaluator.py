"""Scenarios evaluated one after the other: what an edit can't have changed is kept.

The stages are those of `evaluate`. Here they run again on what the edit touches alone: demands of
VMs whose own figures changed; responses of those, of all on a pool or host whose load is another;
failures of the clusters that those stand in. Sums and the judgement are made anew. What runs again
runs the same operations on the same numbers, so a prediction equals that of `evaluate`, bit for
bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from models.calibration import Calibration
from models.catalog import Catalog
from models.demands import VmStage, demands_of, vm_stage
from models.evaluate import summarised
from models.failure.availability import fail_each_host
from models.judgement.evaluated import Evaluated
from models.judgement.failure_table import FailureTable
from models.lazily import with_fields
from models.physics.columns import at_rows, looked_up, some, with_rows
from models.physics.edited import Edit, arrays_after, differ
from models.physics.estimates import Estimate, Sources
from models.physics.loads import beyond_evidence, vm_cpu_pct
from models.physics.memory import answering
from models.physics.pools import PoolStage, pool_stage
from models.physics.response import Cores
from models.physics.responses import (
    Responses,
    Sharing,
    busy_beside,
    by_law,
    path_of_others,
    ready_ratio,
    responses_off_host,
    responses_on_host,
    sharing_of,
)
from models.prediction import Finding, Prediction, VmPrediction
from models.quantities import BoolArray, FloatArray, IntArray, Series
from models.record import record
from models.scenario import Scenario
from models.stages import (
    HostStage,
    Undisturbed,
    demands,
    failure_table,
    host_stage,
    host_table,
    loaded,
    pool_table,
    ran_side_by_side,
    ready_times,
    several_gone,
    undisturbed,
    with_failures,
)

MOST_SOURCES = 200
"""Tuples of evidence that may pile up before everything is numbered afresh."""


class Evaluator:
    """Evaluates as `evaluate` does, quicker where a scenario is like the last one.

    Holds the last evaluation; for one thread.
    """

    def __init__(self, catalog: Catalog, calibration: Calibration) -> None:
        self._catalog, self._calibration = catalog, calibration
        self._last: _Evaluation | None = None

    def evaluate(self, scenario: Scenario) -> Prediction:
        """As `models.evaluate.evaluate`."""
        last = self._last
        if last is not None and scenario is last.scenario:
            return last.prediction
        found = None if last is None else self._after(last, scenario)
        self._last = found or self._afresh(scenario)
        return self._last.prediction

    def _afresh(self, scenario: Scenario) -> _Evaluation:
        vm = demands_of(scenario, self._catalog, self._calibration)
        normal = undisturbed(vm, scenario.policy)
        return _Evaluation.of(scenario, normal, with_failures(normal))

    def _after(self, last: _Evaluation, scenario: Scenario) -> _Evaluation | None:
        before = last.normal
        inputs = before.vm.inputs
        if scenario.policy != before.policy or len(inputs.sources.all()) > MOST_SOURCES:
            return None
        edit = arrays_after(inputs.arrays, last.scenario, scenario, self._catalog)
        if edit is None:
            return None
        part = None
        if len(edit.touched):
            vms = edit.arrays.vms.taken(edit.touched)
            arrays = replace(edit.arrays, vms=vms)
            derating = before.policy.derating
            part = vm_stage(arrays, derating, self._catalog, self._calibration, inputs.sources)
        step = _Step.of(before, edit, part)
        normal = step.normal()
        placeless = last.placeless if edit.places_alone else None
        return _Evaluation.of(scenario, normal, step.numbers(last.numbers, normal), placeless)


@record
class _Evaluation:
    """A scenario with all that was worked out about it."""

    scenario: Scenario
    normal: Undisturbed
    numbers: Evaluated
    prediction: Prediction
    placeless: Sequence[Finding]

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        normal: Undisturbed,
        numbers: Evaluated,
        placeless: Sequence[Finding] | None = None,
    ) -> _Evaluation:
        found = summarised(scenario, normal, numbers, placeless)
        return cls(scenario, normal, numbers, *found)


@record
class _Step:
    """From one evaluation to that after an edit.

    Attributes:
        part: demands of the VMs whose figures changed, None for none.
        off, on: rows of VMs that respond otherwise before, or with, those who share the host.
        other_hosts: hosts whose load, crew or whose VMs' responses changed, (h,).
    """

    before: Undisturbed
    edit: Edit
    part: VmStage | None
    vm: VmStage
    host: HostStage
    pool: PoolStage
    off: IntArray
    on: IntArray
    other_hosts: BoolArray

    @classmethod
    def of(cls, before: Undisturbed, edit: Edit, part: VmStage | None) -> _Step:
        vm = before.vm.standing(edit.arrays) if part is None else _demands(before.vm, edit, part)
        host = host_stage(vm, before.policy)
        pool = before.pool
        if part is not None or not edit.same_pools:
            pool = pool_stage(edit.arrays, before.policy, vm.on_pools)
        other_hosts, off, on = _rows_that_respond_otherwise(before, edit, vm, host, pool)
        return cls(before, edit, part, vm, host, pool, off, on, other_hosts)

    def normal(self) -> Undisturbed:
        """Normal operation after the edit."""
        sharing, vm = self._sharing(), self.vm
        off_host = self.before.responses.off_host
        think = vm.inputs.calibration.law.think_time_ms
        if len(self.off):
            arrays = replace(self.edit.arrays, vms=self.edit.arrays.vms.taken(self.off))
            inputs = vm.inputs.at_rows(self.off, arrays)
            law = by_law(inputs, at_rows(vm.cores, self.off))
            path = path_of_others(inputs, law.alone)
            part = responses_off_host(law, at_rows(sharing, self.off), path, think)
            off_host = with_rows(off_host, self.off, part)
        cores = at_rows(sharing.cores, self.on)
        ends = off_host.standing.taken(self.on).among(cores.cores, cores.busy, think)
        family, own_ms = at_rows(off_host.family, self.on), off_host.own_ms[self.on]
        running = answering(self.edit.arrays)[self.on]
        estimate = responses_on_host(family, own_ms, ends, running)
        estimate = with_rows(self.before.responses.estimate, self.on, estimate)
        estimate = beyond_evidence(estimate, vm.inputs)
        responses = Responses(estimate, off_host)
        return Undisturbed(self.before.policy, vm, self.host, self.pool, sharing, responses)

    def _sharing(self) -> Sharing:
        vms, before = self.edit.arrays.vms, self.before.sharing
        if self.part is None and self.pool is self.before.pool:
            busy = busy_beside(self.host.cores_busy.ends, vms.host)
            cores = before.cores
            cores = Cores(cores.cores, cores.reference_cores, busy, cores.own)
            return with_fields(before, cores=cores)
        at = loaded(self.host, self.pool).for_each(vms.host, vms.pool)
        own_io = np.fmax(self.vm.io.ends, 0.0)
        return sharing_of(self.vm.inputs, at, own_cores=self.vm.asked_ends, own_iops=own_io)

    def numbers(self, last: Evaluated, normal: Undisturbed) -> Evaluated:
        """All numbers after the edit."""
        failures = self._failures(last.failures, normal)
        pools = last.pools if self.pool is self.before.pool else None
        return Evaluated(
            policy=normal.policy,
            inputs=self.vm.inputs,
            asked_cores=self.vm.cores,
            vms=self._vms(last.vms, normal),
            hosts=host_table(normal.policy, self.vm, self.host, failures),
            pools=pools or pool_table(normal.policy, self.pool, self.vm),
            pool_stage=self.pool,
            failures=failures,
            several=several_gone(normal),
            secondary=self.host.secondary,
        )

    def _vms(self, last: VmPrediction, normal: Undisturbed) -> VmPrediction:
        inputs, on = self.vm.inputs, self.on
        pct = vm_cpu_pct(at_rows(self.vm.cores, on), inputs.arrays.vms.vcpus[on])
        vms, cores = inputs.arrays.vms, at_rows(normal.sharing.cores, on)
        beside = self.host.vcpus_beside(vms.host[on])
        ratio = ready_ratio(cores, beside, vms.vcpus[on])
        as_ran = ran_side_by_side(self.vm, self.host)[on]
        ready = ready_times(inputs, pct, ratio, vms.at.physical[on], as_ran)
        share = normal.policy.posture.share
        changed: dict[str, Any] = {
            "ready_pct": _with_part(last.ready_pct, on, ready, inputs.sources, share),
            "response_ms": normal.responses.estimate.series(inputs.sources, share),
        }
        if self.part is not None:
            touched = self.edit.touched
            for name, estimate in demands(self.part).items():
                series = getattr(last, name)
                changed[name] = _with_part(series, touched, estimate, inputs.sources, share)
            changed["offered_users"] = np.where(inputs.arrays.vms.powered_on, inputs.users, 0.0)
        return with_fields(last, **changed)

    def _failures(self, last: FailureTable, normal: Undisturbed) -> FailureTable:
        """The failures of clusters in which nothing changed are those of before."""
        arrays, hosts = self.edit.arrays, self.edit.arrays.hosts
        others = np.zeros(len(hosts.members) + 1, dtype=np.bool_)
        others[hosts.cluster[self.other_hosts]] = True
        modes = others[hosts.cluster[last.inputs.failover.failed]].nonzero()[0]
        states = arrays, self.before.vm.inputs.arrays
        bound = any(each.binding is not None or each.vms.some_protected for each in states)
        if bound or not self.edit.same_hosts or 2 * len(modes) > len(last.ids):
            return failure_table(normal, fail_each_host(arrays, self.host.loads))
        if not len(modes):
            inputs = replace(
                last.inputs,
                arrays=arrays,
                places=self.vm.places,
                host_cpu=self.host.cores_busy,
                host_network=self.host.network,
                vm_network=self.vm.network,
                responses=normal.responses.estimate,
            )
            return replace(last, inputs=inputs)
        part = failure_table(normal, fail_each_host(arrays, self.host.loads, others[:-1]))
        return last.with_modes(modes, part)


def _demands(before: VmStage, edit: Edit, part: VmStage) -> VmStage:
    """Demands after the edit: `part` are those of the VMs it touched."""
    rows = edit.touched
    laws = with_rows(before.inputs.laws, rows, part.inputs.laws)
    laws = replace(
        laws,
        some_a=some(laws.family_a),
        some_b=some(laws.b_law),
        some_between=some(laws.family_a & laws.family_b),
    )
    users, ram_gib = (
        with_rows(column, rows, of_part)
        for column, of_part in (
            (before.inputs.users, part.inputs.users),
            (before.inputs.ram_gib, part.inputs.ram_gib),
        )
    )
    inputs = replace(before.inputs, arrays=edit.arrays, laws=laws, users=users, ram_gib=ram_gib)
    return VmStage(
        before.catalog,
        inputs,
        with_rows(before.cores, rows, part.cores),
        with_rows(before.io, rows, part.io),
        with_rows(before.ram_gib, rows, part.ram_gib),
        with_rows(before.ram_leans, rows, part.ram_leans),
        with_rows(before.ram_evidence, rows, part.ram_evidence),
        with_rows(before.network, rows, part.network),
    )


def _rows_that_respond_otherwise(
    before: Undisturbed, edit: Edit, vm: VmStage, host: HostStage, pool: PoolStage
) -> tuple[BoolArray, IntArray, IntArray]:
    """`other_hosts`, `off` and `on` of a `_Step`."""
    arrays, last = edit.arrays, before.vm.inputs.arrays
    place = arrays.vms.host
    # The last place is nowhere.
    other_hosts = np.zeros(len(arrays.hosts) + 1, dtype=np.bool_)
    other_hosts[:-1] = differ(host.figures, before.host.figures)
    for rows in (edit.moved, edit.touched):
        other_hosts[place[rows]] = other_hosts[last.vms.host[rows]] = True
    other_hosts[-1] = False
    off = np.zeros(len(place), dtype=np.bool_)
    off[edit.touched] = True
    if pool is not before.pool:
        other_pools = differ(_of_pools(pool), _of_pools(before.pool))
        off |= looked_up(other_pools, arrays.vms.pool, False)
    if vm.inputs.laws.some_a:
        off |= vm.inputs.laws.family_a & other_hosts.take(place)
    on = off | other_hosts.take(place)
    other_hosts[place[off]] = True
    return other_hosts[:-1], off.nonzero()[0], on.nonzero()[0]


def _of_pools(pool: PoolStage) -> FloatArray:
    """The same per pool, (k, p)."""
    return np.array([*pool.iops.ends, *pool.limits, pool.miss_ms])


def _with_part(
    series: Series, rows: IntArray, part: Estimate, sources: Sources, share: float
) -> Series:
    """A finished column with other figures for some rows."""
    ends = with_rows(np.array([series.value, series.low, series.high]), rows, part.ends)
    return Estimate(
        ends,
        with_rows(series.basis, rows, part.basis),
        with_rows(series.evidence, rows, part.evidence),
        with_rows(series.measured, rows, part.measured),
    ).series(sources, share)
