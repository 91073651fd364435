"""A host gone for a moment: what is left standing where, as a scenario that can be predicted.

`evaluate` says of every failure how the worst survivor then stands. To show all of them at once the
failure is played through: HA's restarts become a placement, and that is predicted like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from models.base.quantities import IntArray
from models.evidence.knowledge import Knowledge
from models.failure.availability import fail_together
from models.failure.failover import Failover
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY
from models.physics.estimates import NoSources
from models.predict.demands import demands_of
from models.predict.prediction import FailureMode, Prediction, Verdict, Why
from models.scenario.scenario import Host, Pool, Scenario, Vm
from models.stages import host_stage


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLoss:
    """One host gone, or several at once.

    Attributes:
        host: id of the first.
        scenario: what is left: VMs stand where they restart, those that don't are switched off,
            the host stands empty or with those outside of its cluster.
        restarted: where each VM restarts, by id, in the order of HA.
        taken_over: where each VM goes on in its Fault Tolerance secondary, by id.
        down: ids of the VMs that don't run any more.
    """

    host: str
    scenario: Scenario
    restarted: Mapping[str, str]
    taken_over: Mapping[str, str]
    down: tuple[str, ...]

    def place_of(self, vm: str) -> str | None:
        """Where a VM of the host runs on; None for the others and for what is down."""
        return self.restarted.get(vm) or self.taken_over.get(vm)


def lose_host(scenario: Scenario, knowledge: Knowledge, host: str, *others: str) -> HostLoss:
    """What is left of the scenario when a host fails, alone or with others, by the rules of
    `fail_together`.

    VMs with a Fault Tolerance secondary go on there and are protected no longer; so is what had
    its secondary on the host.

    Raises:
        ModelError: the scenario has no such host, or an id that leads nowhere.
    """
    gone = frozenset((host, *others))
    for id in gone:
        scenario.host(id)
    arrays, failover, secondary = _failure(scenario, knowledge, gone)
    restarted = _restarted(arrays, failover)
    mirrored = {
        arrays.vms.ids[vm]: arrays.hosts.ids[secondary[vm]]
        for vm in np.flatnonzero(secondary != NOBODY).tolist()
    }
    here = [vm for vm in scenario.vms if vm.host in gone and vm.powered_on]
    taken_over = {
        vm.id: mirrored[vm.id] for vm in here if vm.id in mirrored and mirrored[vm.id] not in gone
    }
    down = tuple(vm.id for vm in here if vm.id not in restarted and vm.id not in taken_over)
    bare = {id for id, place in mirrored.items() if place in gone} | set(taken_over)
    return HostLoss(
        host=host,
        scenario=_left(
            replace(scenario, pools=_pools_left(scenario, arrays, gone)),
            gone,
            {**restarted, **taken_over},
            set(down),
            bare,
        ),
        restarted=restarted,
        taken_over=taken_over,
        down=down,
    )


def secondaries(scenario: Scenario, knowledge: Knowledge) -> dict[str, str]:
    """Host of the Fault Tolerance secondary of each VM that has one, by id."""
    vm = demands_of(scenario, knowledge, NoSources())
    arrays = vm.inputs.arrays
    secondary = host_stage(vm, scenario.policy).secondary
    return {
        arrays.vms.ids[vm]: arrays.hosts.ids[secondary[vm]]
        for vm in np.flatnonzero(secondary != NOBODY).tolist()
    }


def verdict_on(loss: HostLoss, mode: FailureMode) -> Verdict | None:
    """The verdict of the failure table; None where nothing was to fail over.

    A host that stands alone has none there, but its VMs are down.
    """
    return Verdict.DOES_NOT_FIT if mode.verdict is None and loss.down else mode.verdict


def as_mode(prediction: Prediction, verdict: Verdict | None, clause: str) -> Prediction:
    """The prediction of what is left, judged as the failure mode it shows.

    Its numbers are of this failure; what a second one would do on top is not said.
    """
    blank = np.full(len(prediction.hosts.ids), np.nan)
    return replace(
        prediction,
        verdict=prediction.verdict if verdict is None else verdict,
        why=Why(clause, led=verdict is not None),
        binding=None,
        runner_up=None,
        failures=(),
        together=(),
        headroom=replace(
            prediction.headroom,
            failure_pct=None,
            stranded=0,
            stranding="",
            together=(),
            stranding_pct=None,
            restarting=None,
        ),
        hosts=replace(prediction.hosts, failure_cpu_pct=blank, failure_ram_pct=blank),
    )


def _failure(
    scenario: Scenario, knowledge: Knowledge, gone: frozenset[str]
) -> tuple[Arrays, Failover, IntArray]:
    vm = demands_of(scenario, knowledge, NoSources())
    arrays = vm.inputs.arrays
    stage = host_stage(vm, scenario.policy)
    down = np.array([id in gone for id in arrays.hosts.ids])
    return arrays, fail_together(arrays, stage.loads, down), stage.secondary


def _restarted(arrays: Arrays, failover: Failover) -> dict[str, str]:
    """Where the VMs restart, in their order; those that find no room are left out."""
    rows = np.flatnonzero(failover.moved_to != NOBODY)
    hosts = failover.members[failover.moved_mode[rows], failover.moved_to[rows]]
    return {
        arrays.vms.ids[vm]: arrays.hosts.ids[host]
        for vm, host in zip(failover.moved_vm[rows].tolist(), hosts.tolist(), strict=True)
    }


def _pools_left(scenario: Scenario, arrays: Arrays, gone: frozenset[str]) -> tuple[Pool, ...]:
    """The pools, those whose drives stand in hosts with the drives of the hosts that are left."""
    if arrays.drives_in is None:
        return scenario.pools
    found = list(scenario.pools)
    for row in set(arrays.drives_in[0].tolist()):
        there = [arrays.hosts.ids[host] for host in arrays.drives_in[1][arrays.drives_in[0] == row]]
        left = tuple(id for id in there if id not in gone)
        if left and len(left) < len(there):
            drives = max(round(found[row].spindles * len(left) / len(there)), 1)
            spares = min(found[row].hot_spares, drives - 1)
            found[row] = replace(found[row], hosts=left, spindles=drives, hot_spares=spares)
    return tuple(found)


def _left(
    scenario: Scenario,
    gone: frozenset[str],
    places: Mapping[str, str],
    down: set[str],
    bare: set[str],
) -> Scenario:
    """The scenario with VMs in their new places, others switched off, the hosts on their own."""
    scenario = scenario.place_each(places)

    def changed(vm: Vm) -> Vm:
        if vm.id in down:
            return replace(vm, powered_on=False)
        return replace(vm, fault_tolerance=False) if vm.id in bare else vm

    left = replace(scenario, vms=tuple(changed(vm) for vm in scenario.vms))
    for id in sorted(gone):
        left = left.edit(Host, id, lambda host: replace(host, cluster=None))
    return left
