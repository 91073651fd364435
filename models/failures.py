"""Failure modes as people read them, from what `availability` computes."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

import numpy as np
import numpy.typing as npt

from models.arrays import RESTART_DISABLED, Arrays
from models.availability import Failover
from models.estimates import INTERPOLATED, Estimate, Sources
from models.prediction import FailureMode, Shortfall, Verdict
from models.quantities import NO_DATA, Basis, BoolArray, FloatArray, Quantity
from models.restarted import Restarted
from models.scenario import Policy
from models.verdict import NOTHING_TO_FAIL_OVER, STANDS_ALONE, Judged

_VERDICTS = tuple(Verdict)
_BASES = tuple(Basis)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FailureInputs:
    """What the failure table needs of normal operation.

    Attributes:
        host_cpu: load per host [core-seconds per second] with interval.
        restarted: loads of hosts after the restarts.
        worst_ms: worst response of each mode with low and high end, shape (3, m); NaN: no data.
    """

    arrays: Arrays
    policy: Policy
    failover: Failover
    host_cpu: Estimate
    sources: Sources
    worst_ms: FloatArray
    restarted: Restarted


@dataclass(frozen=True, slots=True, eq=False)
class FailureTable:
    """Single hosts of clusters gone, one row a mode: the worst survivor of each resource, (m,).

    Attributes:
        ids: of the failed hosts; `judged`: which of them had something to fail over.
        cpu_pct, cpu_low, cpu_high, ram_pct: at the policy's average, NaN without survivors; CPU
            also where nothing is known of any. The high end takes VMs without data at their vCPUs.
        judged_high: the same without VMs that are known to have worked, NaN without survivors.
        cpu_short_ghz: what the survivors would need on top to stay within the limit with all VMs
            restarted, at the clock of each; a survivor of unknown clock can't say.
        short_pct: memory that would have to be added, in per cent of the failed host's.
    """

    inputs: FailureInputs
    ids: tuple[str, ...]
    judged: npt.NDArray[np.bool_]
    cpu_pct: FloatArray
    cpu_low: FloatArray
    cpu_high: FloatArray
    judged_high: FloatArray
    ram_pct: FloatArray
    cpu_short_ghz: FloatArray
    short_pct: FloatArray

    @classmethod
    def of(cls, inputs: FailureInputs) -> FailureTable:
        failover, hosts, policy = inputs.failover, inputs.arrays.hosts, inputs.policy
        position, failed = np.maximum(failover.members, 0), failover.failed
        survivors = failover.alive.any(axis=1)
        cores = hosts.cores[position]
        after = inputs.restarted
        seen = failover.alive & after.known

        def most(load: FloatArray, of: BoolArray) -> FloatArray:
            pct = np.where(of, 100.0 * load / cores, -1.0).max(axis=1, initial=-1.0)
            return np.where(of.any(axis=1), pct, np.nan)

        cpu, low = most(after.busy[0], seen), most(after.busy[1], seen)
        high, judged_high = (
            most(load, failover.alive) for load in (after.busy[2], after.judged_high)
        )
        fill = np.where(failover.alive, 100.0 * failover.ram_gib / hosts.ram_gib[position], -1.0)
        wanted = np.where(failover.alive, 100.0 * failover.wanted_cores / cores, 0.0)
        over = np.maximum(wanted * policy.peak_factor_cpu - policy.cpu_limit_pct, 0.0)
        clock = np.nan_to_num(hosts.base_mhz[position])
        ghz = over / 100.0 * cores * clock / 1000.0
        busy = inputs.arrays.crews.counts
        return cls(
            inputs,
            tuple([hosts.ids[host] for host in failed]),
            busy[failed] > 0,
            cpu,
            low,
            high,
            judged_high,
            np.where(survivors, fill.max(axis=1, initial=-1.0), np.nan),
            ghz.sum(axis=1),
            100.0 * failover.short_gib / hosts.ram_gib[failed],
        )

    def resources(self) -> tuple[Judged, ...]:
        """CPU at peak, RAM (what has to be added counts as over the limit) and response;
        at last the vCPUs of VMs that restart on a machine of another kind."""
        policy, worst = self.inputs.policy, self.inputs.worst_ms
        own = self.inputs.restarted.own_pct
        ram_limit, peak = policy.memory_overcommit * 100.0, policy.peak_factor_cpu
        stranded = np.where(self.short_pct > 0, ram_limit + self.short_pct, self.ram_pct)
        unjudged = np.where(self.judged, 0.0, np.nan)
        columns = (
            ("cpu_pct", self.cpu_pct * peak, self.judged_high * peak, policy.cpu_limit_pct),
            ("ram_pct", stranded, stranded, ram_limit),
            ("response_ms", worst[0], worst[2], policy.response_limit_ms),
            ("cpu_pct", own[0] * peak, own[1] * peak, policy.cpu_limit_pct),
        )
        return tuple(
            Judged(self.ids, resource, value + unjudged, high + unjudged, limit, failing=True)
            for resource, value, high, limit in columns
        )


def failure_modes(table: FailureTable, resources: tuple[Judged, ...]) -> tuple[FailureMode, ...]:
    """One mode a host, in the scenario's order; hosts outside clusters and empty ones are noted."""
    vms, hosts = table.inputs.arrays.vms, table.inputs.arrays.hosts
    stays_down = vms.running & (vms.priority == RESTART_DISABLED)
    unwanted = np.bincount(vms.host[stays_down], minlength=len(hosts))
    on_host = table.inputs.arrays.crews.counts
    modes = dict(_judged_modes(table, resources, unwanted))
    return tuple(
        modes[host]
        if host in modes
        else _not_judged(hosts.ids[host], STANDS_ALONE if on_host[host] else NOTHING_TO_FAIL_OVER)
        for host in range(len(hosts))
    )


def host_extremes(inputs: FailureInputs) -> tuple[FloatArray, FloatArray]:
    """Per host the highest CPU and RAM [%] over the failures of its neighbours, NaN for none."""
    hosts, failover = inputs.arrays.hosts, inputs.failover
    cpu, ram = np.full(len(hosts), np.nan), np.full(len(hosts), np.nan)
    alive = failover.alive
    members = failover.members[alive]
    np.fmax.at(cpu, members, 100.0 * failover.cores_busy[alive] / hosts.cores[members])
    np.fmax.at(ram, members, 100.0 * failover.ram_gib[alive] / hosts.ram_gib[members])
    return cpu, ram


def _judged_modes(
    table: FailureTable, resources: tuple[Judged, ...], unwanted: npt.NDArray[np.int64]
) -> list[tuple[int, FailureMode]]:
    inputs = table.inputs
    codes = np.max([each.codes for each in resources], axis=0).tolist()
    basis = np.maximum(inputs.host_cpu.basis, INTERPOLATED)[inputs.failover.failed].tolist()
    evidence = inputs.host_cpu.evidence[inputs.failover.failed].tolist()
    cpu = np.array([table.cpu_pct, table.cpu_low, table.cpu_high]).T.tolist()
    response = inputs.worst_ms.T.tolist()
    ram, ghz = table.ram_pct.tolist(), table.cpu_short_ghz.tolist()
    sources, stranded = inputs.sources.all(), _stranded(inputs)
    short = inputs.failover.short_gib.tolist()
    found = []
    for row in np.flatnonzero(table.judged).tolist():
        id, host = table.ids[row], int(inputs.failover.failed[row])
        mode = FailureMode(
            mode=f"host {id}",
            host=id,
            cpu_pct=_quantity(cpu[row], _BASES[basis[row]], sources[evidence[row]]),
            ram_pct=_quantity([ram[row]] * 3, Basis.RULE),
            response_ms=_quantity(response[row], Basis.TRANSFERRED),
            shortfall=Shortfall(ram_gib=short[row], cpu_ghz=ghz[row]),
            not_restarted=tuple(stranded.get(row, ())),
            verdict=_VERDICTS[codes[row]],
            note=_not_wanted(int(unwanted[host])),
        )
        found.append((host, mode))
    return found


def _quantity(ends: list[float], basis: Basis, evidence: tuple[str, ...] = ()) -> Quantity:
    value, low, high = ends
    return NO_DATA if isnan(value) else Quantity(value, low, high, basis, evidence)


def _stranded(inputs: FailureInputs) -> dict[int, list[str]]:
    """Ids of the VMs that find no room, by mode, sorted."""
    failover = inputs.failover
    there = failover.stranded()
    found: dict[int, list[str]] = {}
    modes, vms = failover.moved_mode[there].tolist(), failover.moved_vm[there].tolist()
    for row, vm in zip(modes, vms, strict=True):
        found.setdefault(row, []).append(inputs.arrays.vms.ids[vm])
    return {row: sorted(ids) for row, ids in found.items()}


def _not_wanted(count: int) -> str:
    if not count:
        return ""
    be = "is" if count == 1 else "are"
    return f"{count} of its VMs {be} not to be restarted"


def _not_judged(id: str, note: str) -> FailureMode:
    return FailureMode(
        mode=f"host {id}",
        host=id,
        cpu_pct=NO_DATA,
        ram_pct=NO_DATA,
        response_ms=NO_DATA,
        shortfall=Shortfall(),
        not_restarted=(),
        verdict=None,
        note=note,
    )
