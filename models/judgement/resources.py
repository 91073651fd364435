"""Every resource as the verdict sees it, normal operation first, then the failure modes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from models.judgement.evaluated import Evaluated
from models.judgement.weighing import Judged, Weighed, judge_each
from models.prediction import Verdict
from models.quantities import Series
from models.record import record


@record
class Resources:
    """The resources of VMs, hosts and pools, and of the `failing` modes."""

    vm_cpu: Judged
    response: Judged
    host_cpu: Judged
    host_ram: Judged
    net: Judged
    disks: Judged
    space: Judged
    failing: tuple[Judged, ...]

    @classmethod
    def of(cls, e: Evaluated) -> Resources:
        """All of them judged."""
        normal = _normal(e)
        judged = judge_each((*normal, *e.failures.resources()))
        vm_cpu, response, host_cpu, host_ram, net, disks, space, *failing = judged
        return cls(vm_cpu, response, host_cpu, host_ram, net, disks, space, failing=tuple(failing))

    @property
    def normal(self) -> tuple[Judged, ...]:
        """Those of normal operation."""
        return (
            self.vm_cpu,
            self.response,
            self.host_cpu,
            self.host_ram,
            self.net,
            self.disks,
            self.space,
        )

    def all(self) -> tuple[Judged, ...]:
        return (*self.normal, *self.failing)

    def normal_codes(self, e: Evaluated, copies: int = 1) -> npt.NDArray[np.int8]:
        """`Verdict` codes of normal operation as a mode, of one scenario or of s copies side by
        side, (s,): the worst of the resources; at risk where what has no data could take a host
        over its limit, no fit where a VM can't be powered on.

        What else puts a scenario at risk, such as an error of a rule, is not the mode's.
        """
        found = [each.codes * ~np.isnan(each.value) for each in self.normal]
        found += [
            e.hosts_unseen * int(Verdict.AT_RISK),
            e.inputs.arrays.refused * int(Verdict.DOES_NOT_FIT),
        ]
        worst = [each.reshape(copies, -1).max(axis=1, initial=0) for each in found]
        codes: npt.NDArray[np.int8] = np.maximum.reduce(worst).astype(np.int8)
        return codes


def _normal(e: Evaluated) -> tuple[Weighed, ...]:
    """In normal operation, CPU and disks at peak, in the order of the fields of `Resources`."""
    policy, vms, hosts, pools = e.policy, e.vms, e.hosts, e.pools
    peak, peak_io = policy.peak_factor_cpu, policy.peak_factor_iops
    share = 100.0 * peak / e.inputs.arrays.vms.vcpus
    cpu, disks = e.asked_cores, pools.utilisation_pct
    ram = hosts.ram_pct.value
    ram_limits = hosts.ram_limit_pct if e.inputs.arrays.hosts.some_physical else None
    return (
        Weighed(
            vms.ids,
            "cpu_pct",
            cpu.value * share,
            cpu.high * share,
            policy.cpu_limit_pct,
            low=cpu.low * share,
        ),
        _plain(vms.ids, "response_ms", vms.response_ms, policy.response_limit_ms),
        Weighed(
            hosts.ids,
            "cpu_pct",
            hosts.cpu_peak_pct,
            hosts.cpu_pct.judged_high * peak,
            policy.cpu_limit_pct,
            low=hosts.cpu_pct.low * peak,
        ),
        Weighed(hosts.ids, "ram_pct", ram, ram, policy.memory_overcommit * 100.0, ram_limits),
        _plain(hosts.ids, "network_pct", hosts.network_pct, policy.network_limit_pct),
        Weighed(
            pools.ids,
            "utilisation_pct",
            disks.value * peak_io,
            disks.high * peak_io,
            policy.disk_limit_pct,
            low=disks.low * peak_io,
        ),
        _plain(pools.ids, "capacity_pct", pools.capacity_pct, policy.capacity_limit_pct),
    )


def _plain(ids: Sequence[str], resource: str, series: Series, limit: float) -> Weighed:
    return Weighed(ids, resource, series.value, series.high, limit, low=series.low)
