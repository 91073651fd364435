"""Failure modes as people read them, from what `availability` computes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import RESTART_DISABLED, Arrays
from models.availability import Failover
from models.estimates import Estimate, Sources
from models.prediction import FailureMode, Shortfall, Verdict
from models.quantities import NO_DATA, Basis, FloatArray, Quantity
from models.scenario import Policy
from models.verdict import judged

NOTHING_TO_FAIL_OVER = "n/a: nothing to fail over"
STANDS_ALONE = "stands alone: its VMs are down until it is repaired"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FailureInputs:
    """What the failure table needs of normal operation.

    Attributes:
        host_cpu: load per host [core-seconds per second] with interval.
        worst_ms: worst response of each mode with low and high end, shape (3, m); NaN: no data.
        stranded_gib: memory of VMs without room per mode, shape (m,).
    """

    arrays: Arrays
    policy: Policy
    failover: Failover
    host_cpu: Estimate
    sources: Sources
    worst_ms: FloatArray
    ram_limit_gib: FloatArray
    stranded_gib: FloatArray


def failure_modes(inputs: FailureInputs) -> tuple[FailureMode, ...]:
    """One mode a host, in the scenario's order; hosts outside clusters and empty ones are noted."""
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    on_host = np.bincount(vms.host[vms.running], minlength=len(hosts))
    row_of = {int(host): row for row, host in enumerate(inputs.failover.failed)}
    table = _ModeTable.of(inputs)
    stays_down = vms.running & (vms.priority == RESTART_DISABLED)
    unwanted = np.bincount(vms.host[stays_down], minlength=len(hosts))
    stranded = _stranded(inputs)
    modes = []
    for host in range(len(hosts)):
        if not on_host[host]:
            modes.append(_not_judged(inputs, host, NOTHING_TO_FAIL_OVER))
        elif host not in row_of:
            modes.append(_not_judged(inputs, host, STANDS_ALONE))
        else:
            row = row_of[host]
            note = _not_wanted(int(unwanted[host]))
            modes.append(_mode(inputs, table, row, tuple(stranded.get(row, ())), note))
    return tuple(modes)


def host_extremes(inputs: FailureInputs) -> tuple[FloatArray, FloatArray]:
    """Per host the highest CPU and RAM [%] over the failures of its neighbours, NaN for none."""
    hosts, failover = inputs.arrays.hosts, inputs.failover
    cpu, ram = np.full(len(hosts), np.nan), np.full(len(hosts), np.nan)
    alive = failover.alive
    members = failover.members[alive]
    cores = hosts.cores[members]
    np.fmax.at(cpu, members, 100.0 * failover.cores_busy[alive] / cores)
    np.fmax.at(ram, members, 100.0 * failover.ram_gib[alive] / hosts.ram_gib[members])
    return cpu, ram


@dataclass(frozen=True, slots=True, eq=False)
class _ModeTable:
    """Worst survivor per mode and resource, and shortfalls, shape (m,)."""

    cpu_pct: FloatArray
    cpu_low: FloatArray
    cpu_high: FloatArray
    cpu_basis: np.ndarray
    cpu_evidence: np.ndarray
    ram_pct: FloatArray
    cpu_short_ghz: FloatArray
    verdict: np.ndarray

    @classmethod
    def of(cls, inputs: FailureInputs) -> _ModeTable:
        failover, hosts, policy = inputs.failover, inputs.arrays.hosts, inputs.policy
        position = np.maximum(failover.members, 0)
        survivors = failover.alive.any(axis=1)
        cores = hosts.cores[position]
        share = np.where(failover.alive, 100.0 * failover.cores_busy / cores, -1.0)
        cpu = np.where(survivors, share.max(axis=1, initial=-1.0), np.nan)
        low, high = _cluster_spread(inputs)
        fill = np.where(failover.alive, 100.0 * failover.ram_gib / hosts.ram_gib[position], -1.0)
        ram = np.where(survivors, fill.max(axis=1, initial=-1.0), np.nan)
        peak = cpu * policy.peak_factor_cpu
        known = inputs.host_cpu.known[failover.failed]
        over = share * policy.peak_factor_cpu - policy.cpu_limit_pct
        ghz = np.maximum(over, 0.0) / 100.0 * cores * hosts.base_mhz[position] / 1000.0
        cpu = np.where(known, cpu, np.nan)
        codes = judged(cpu * policy.peak_factor_cpu, peak * high, policy.cpu_limit_pct)
        codes = np.maximum(codes, judged(ram, ram, policy.memory_overcommit * 100.0))
        codes = np.maximum(
            codes, judged(inputs.worst_ms[0], inputs.worst_ms[2], policy.response_limit_ms)
        )
        codes = np.where(inputs.stranded_gib > 0, Verdict.DOES_NOT_FIT, codes)
        return cls(
            cpu,
            cpu * low,
            cpu * high,
            np.maximum(inputs.host_cpu.basis[failover.failed], Basis.INTERPOLATED),
            inputs.host_cpu.evidence[failover.failed],
            ram,
            ghz.sum(axis=1),
            codes,
        )


def _cluster_spread(inputs: FailureInputs) -> tuple[FloatArray, FloatArray]:
    """Ends of the interval over the value, for the load of each mode's cluster."""
    members = np.maximum(inputs.failover.members, 0)
    there = inputs.failover.members >= 0

    def of(column: FloatArray) -> FloatArray:
        sums: FloatArray = np.where(there, np.nan_to_num(column)[members], 0.0).sum(axis=1)
        return sums

    value = of(inputs.host_cpu.value)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = of(inputs.host_cpu.low) / value, of(inputs.host_cpu.high) / value
    return np.where(value > 0, low, 1.0), np.where(value > 0, high, 1.0)


def _stranded(inputs: FailureInputs) -> dict[int, list[str]]:
    """Ids of the VMs that find no room, by mode, sorted."""
    failover = inputs.failover
    there = failover.stranded()
    found: dict[int, list[str]] = {}
    for row, vm in zip(failover.moved_mode[there], failover.moved_vm[there], strict=True):
        found.setdefault(int(row), []).append(inputs.arrays.vms.ids[vm])
    return {row: sorted(ids) for row, ids in found.items()}


def _mode(
    inputs: FailureInputs, table: _ModeTable, row: int, stranded: tuple[str, ...], note: str
) -> FailureMode:
    hosts = inputs.arrays.hosts
    host = int(inputs.failover.failed[row])
    cpu, ram = NO_DATA, NO_DATA
    if not np.isnan(table.cpu_pct[row]):
        cpu = Quantity(
            float(table.cpu_pct[row]),
            float(table.cpu_low[row]),
            float(table.cpu_high[row]),
            Basis(int(table.cpu_basis[row])),
            inputs.sources.all()[int(table.cpu_evidence[row])],
        )
    if not np.isnan(table.ram_pct[row]):
        ram = Quantity(*(float(table.ram_pct[row]),) * 3, Basis.RULE)
    return FailureMode(
        mode=f"host {hosts.ids[host]}",
        host=hosts.ids[host],
        cpu_pct=cpu,
        ram_pct=ram,
        response_ms=_response(inputs, row),
        shortfall=Shortfall(
            ram_gib=float(inputs.stranded_gib[row]), cpu_ghz=float(table.cpu_short_ghz[row])
        ),
        not_restarted=stranded,
        verdict=Verdict(int(table.verdict[row])),
        note=note,
    )


def _response(inputs: FailureInputs, row: int) -> Quantity:
    value, low, high = (float(end) for end in inputs.worst_ms[:, row])
    if np.isnan(value):
        return NO_DATA
    return Quantity(value, low, high, Basis.TRANSFERRED)


def _not_wanted(count: int) -> str:
    if not count:
        return ""
    be = "is" if count == 1 else "are"
    return f"{count} of its VMs {be} not to be restarted"


def _not_judged(inputs: FailureInputs, host: int, note: str) -> FailureMode:
    id = inputs.arrays.hosts.ids[host]
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
