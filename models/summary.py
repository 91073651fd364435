"""From numbers to a judgement: verdicts of items, findings, headroom and the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.arrays import GENERIC
from models.evaluated import Evaluated
from models.failures import failure_modes
from models.prediction import Prediction, Verdict
from models.quantities import Basis, Series
from models.rulebook import Context
from models.rules import findings
from models.scenario import Scenario
from models.verdict import (
    Circumstances,
    Judged,
    headroom,
    judge,
)


def summarise(scenario: Scenario, evaluated: Evaluated, model_version: str) -> Prediction:
    """The prediction: numbers with verdicts, findings, headroom and sentence."""
    judged = Resources.of(evaluated)
    failing = evaluated.failures.resources()
    modes = failure_modes(evaluated.failures, failing)
    found = findings(Context(scenario=scenario, numbers=evaluated, modes=modes))
    judgement = judge((*judged.all(), *failing), modes, found, _circumstances(scenario, evaluated))
    return Prediction(
        scenario=scenario.name,
        model_version=model_version,
        verdict=judgement.verdict,
        sentence=judgement.sentence,
        binding=judgement.binding,
        runner_up=judgement.runner_up,
        headroom=headroom(
            cpu=(judged.vm_cpu, judged.host_cpu),
            ram=judged.host_ram,
            iops=judged.disks,
            response=judged.response,
            failing=[each for each in failing if each.resource != "response_ms"],
        ),
        vms=replace(evaluated.vms, verdict=_vm_verdicts(evaluated, judged)),
        hosts=replace(
            evaluated.hosts, verdict=_worst(judged.host_cpu, judged.host_ram, judged.net)
        ),
        pools=replace(evaluated.pools, verdict=_worst(judged.disks, judged.space)),
        failures=modes,
        findings=found,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Resources:
    """Every resource as the verdict sees it."""

    vm_cpu: Judged
    response: Judged
    host_cpu: Judged
    host_ram: Judged
    net: Judged
    disks: Judged
    space: Judged

    @classmethod
    def of(cls, e: Evaluated) -> Resources:
        policy, vms, hosts, pools = e.policy, e.vms, e.hosts, e.pools
        share = 100.0 * policy.peak_factor_cpu / e.inputs.arrays.vms.vcpus
        cpu, disks = e.asked_cores, pools.utilisation_pct
        cores = e.inputs.arrays.hosts.cores / 100.0
        unknown = e.unfounded_cores / cores
        known_high = hosts.cpu_pct.high - e.unknown_cores / cores
        peak, peak_io = policy.peak_factor_cpu, policy.peak_factor_iops
        return cls(
            Judged(vms.ids, "cpu_pct", cpu.value * share, cpu.high * share, policy.cpu_limit_pct),
            _plain(vms.ids, "response_ms", vms.response_ms, policy.response_limit_ms),
            Judged(
                hosts.ids,
                "cpu_pct",
                hosts.cpu_pct.value * peak,
                known_high * peak + unknown,
                policy.cpu_limit_pct,
            ),
            _plain(hosts.ids, "ram_pct", hosts.ram_pct, policy.memory_overcommit * 100.0),
            _plain(hosts.ids, "network_pct", hosts.network_pct, policy.network_limit_pct),
            Judged(
                pools.ids,
                "utilisation_pct",
                disks.value * peak_io,
                disks.high * peak_io,
                policy.disk_limit_pct,
            ),
            _plain(pools.ids, "capacity_pct", pools.capacity_pct, policy.capacity_limit_pct),
        )

    def all(self) -> tuple[Judged, ...]:
        return (
            self.vm_cpu,
            self.response,
            self.host_cpu,
            self.host_ram,
            self.net,
            self.disks,
            self.space,
        )


def _plain(ids: Sequence[str], resource: str, series: Series, limit: float) -> Judged:
    return Judged(ids, resource, series.value, series.high, limit)


def _worst(*resources: Judged) -> npt.NDArray[np.int8]:
    codes: npt.NDArray[np.int8] = np.max([each.codes for each in resources], axis=0)
    return codes


def _vm_verdicts(e: Evaluated, judged: Resources) -> npt.NDArray[np.int8]:
    """CPU and response time; a VM that should run but has no host is at risk."""
    codes = _worst(judged.vm_cpu, judged.response)
    codes[e.unplaced] = Verdict.AT_RISK
    return codes


def _circumstances(scenario: Scenario, e: Evaluated) -> Circumstances:
    vms = e.inputs.arrays.vms
    return Circumstances(
        name_of=lambda id: next((i.name for i in scenario.items() if i.id == id), id),
        derating=e.policy.benchmark_derating,
        unknown=_unknown(e),
        unplaced=int(np.count_nonzero(e.unplaced)),
        running=int(np.count_nonzero(vms.running)),
        counts_users=bool((vms.running & (e.inputs.users > 0) & (vms.kind != GENERIC)).any()),
        unknown_risk=bool(e.hosts_at_risk.any()),
    )


def _unknown(e: Evaluated) -> str:
    """What has no data, as a clause: ``CPU of 2 VMs, response time of 4 VMs``."""
    running = e.inputs.arrays.vms.running
    pools = e.inputs.arrays.vms.pool >= 0
    columns = (
        ("CPU", e.vms.cpu_pct, running),
        ("IOPS", e.vms.iops, running & pools),
        ("response time", e.vms.response_ms, running),
    )
    parts = []
    for name, column, where in columns:
        count = int(np.count_nonzero((column.basis == Basis.NO_DATA) & where))
        if count:
            parts.append(f"{name} of {count:,} VM{'s' if count > 1 else ''}")
    return ", ".join(parts)
