"""What the sums of a load ask of hosts at least: no design with fewer of them needs a look."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from models.base.quantities import judged_end
from models.catalog.catalog import Server
from models.judgement.against_limits import NEAR, judged
from models.options.requirement import Requirement
from models.predict.demands import VmStage
from models.scenario.scenario import Policy

SLACK = 1e-6
"""What a sum may be off by rounding, so that nothing is ruled out that is exactly at its limit."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What the VMs that run ask of one kind of host together, as far as it is known.

    Attributes:
        cores: busy ones, by the values; `judged_cores`: by the ends that are judged, each VM by
            itself; `ram_gib`: with the hypervisor's overhead; `largest_gib`: of the largest VM;
            `own_gib`: what each host keeps for itself.
        left: what the busiest VM leaves of the limit of CPU [%].
        vms: how many; `beyond`: id of one that asks for more of its vCPUs than it may on any host,
            None where none does.
    """

    cores: float
    judged_cores: float
    vcpus: float
    ram_gib: float
    largest_gib: float
    own_gib: float
    left: float
    vms: int
    beyond: str | None

    def least_ram_gib(self, hosts_left: int, policy: Policy) -> float:
        """Memory of a host if so many carry all."""
        share = max(self.ram_gib / hosts_left, self.largest_gib)
        limit = NEAR * policy.memory_overcommit
        return (share + self.own_gib) / limit * (1.0 - SLACK)


def sums_of(vm: VmStage, policy: Policy) -> Sums:
    """Sums of the demands of VMs that stand on hosts of one kind."""
    vms, hosts = vm.inputs.arrays.vms, vm.inputs.arrays.hosts
    runs = vms.running
    share = 100.0 * policy.peak_factor_cpu / vms.vcpus
    value = np.where(runs, vm.cores.value * share, np.nan)
    high = np.where(runs, vm.cores.high * share, np.nan)
    codes = judged(value, judged_end(value, high, policy.posture.share), policy.cpu_limit_pct)
    busiest = float(np.fmax.reduce(np.minimum(value, 100.0 * policy.peak_factor_cpu), initial=0.0))
    ram = np.where(runs, vm.ram_gib, 0.0)
    asked, _, asked_high = vm.asked_ends
    known = runs & vm.cores.known
    return Sums(
        cores=float(np.sum(asked, where=runs)),
        judged_cores=float(
            np.sum(judged_end(asked, asked_high, policy.posture.share), where=known)
        ),
        vcpus=float(np.sum(vms.vcpus, where=runs)),
        ram_gib=float(ram.sum()),
        largest_gib=float(ram.max(initial=0.0)),
        own_gib=float(hosts.console_gib.max(initial=0.0)),
        left=100.0 * (1.0 - busiest / policy.cpu_limit_pct),
        vms=int(runs.sum()),
        beyond=vms.ids[int(np.nanargmax(value))] if codes.any() else None,
    )


def least_hosts(sums: Sums, server: Server, most_ram_gib: float, wanted: Requirement) -> int:
    """So many at least: by CPU, memory and vCPUs, with as many gone as may fail.

    ceil(Σ/(limit of one)) + failures, with each limit where a number is near it. Valid for like
    hosts: no share of a sum is smaller than all of it over their number. The ends of CPU that are
    judged may come up to the limit itself; of a host's VMs together that end, value^(1−s)·high^s of
    sums, is no less than theirs one by one, as a geometric mean is concave.
    """
    policy, failures = wanted.policy, wanted.host_failures
    whole = policy.cpu_limit_pct / 100.0 / policy.peak_factor_cpu
    room = NEAR * policy.memory_overcommit * most_ram_gib - sums.own_gib
    most = max(sums.cores / NEAR, sums.judged_cores)
    by_cpu = most / (server.cores * whole) if whole > 0 else 0.0
    by_ram = sums.ram_gib / room if room > 0 else np.inf
    by_vcpus = sums.vcpus / (server.cores * policy.vcpus_per_core_limit)
    if np.isinf(by_ram):
        return wanted.max_hosts + 1
    carrying = max(ceil(by_cpu - SLACK), ceil(by_ram - SLACK), 1)
    return max(carrying + failures, ceil(by_vcpus - SLACK))
