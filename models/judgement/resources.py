"""Every resource as the verdict sees it, normal operation first, then the failure modes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from models.base.quantities import BoolArray, FloatArray, Series, judged_end
from models.base.record import record
from models.judgement.against_limits import NEAR, Judged, Weighed, judge_each
from models.judgement.draws import CPU, IOPS, NETWORK, RESPONSE, Draw, busier_of, with_load
from models.judgement.judging_inputs import Evaluated
from models.judgement.platform_limits import Tripped, codes_of
from models.physics.columns import looked_up, some
from models.predict.prediction import Verdict


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
        """All of them judged, by the end of each that the posture looks at, or as drawn."""
        normal, near = _weighed(e)
        judged = judge_each((*normal, *e.failures.resources()), near)
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

    def deciding(self, failed: BoolArray) -> Resources:
        """The same where of the failing modes none but those of `failed`, (m,), decide."""
        if failed.all():
            return self
        blank = np.where(failed, 0.0, np.nan)
        failing = [
            Weighed(
                each.ids,
                each.resource,
                each.value + blank,
                each.high + blank,
                each.limit,
                each.limits,
                failing=True,
                own=each.own,
                low=each.low,
                lacking=None if each.lacking is None else each.lacking & failed,
            )
            for each in self.failing
        ]
        return replace(self, failing=tuple(judge_each(failing)))

    def normal_codes(
        self, e: Evaluated, tripped: Sequence[Tripped], copies: int = 1
    ) -> npt.NDArray[np.int8]:
        """`Verdict` codes of normal operation as a mode, of one scenario or of s copies side by
        side, (s,): the worst of the resources and of what weighs (`refusals.WEIGHTS`); at risk
        where what has no data could take a host over its limit, no fit where a VM can't be powered
        on. What weighs for a scenario as a whole, such as a broken rule of affinity, is not the
        mode's.
        """
        found = [np.where(np.isnan(each.value), 0, each.codes) for each in self.normal]
        found += [
            each.lacking * int(Verdict.NOT_KNOWN)
            for each in self.normal
            if each.lacking is not None
        ]
        found += [
            e.vms_without_io * int(Verdict.NOT_KNOWN),
            e.hosts_unseen * int(Verdict.AT_RISK),
            e.inputs.arrays.refused * int(Verdict.DOES_NOT_FIT),
        ]
        worst = [each.reshape(copies, -1).max(axis=1, initial=0) for each in found]
        codes: npt.NDArray[np.int8] = np.maximum.reduce(worst).astype(np.int8)
        return np.maximum(codes, codes_of(tripped, copies))


def disks_and_response(e: Evaluated) -> tuple[Judged, ...]:
    """These two alone, as `Resources` has them: what other limits of pools come to."""
    normal, near = _weighed(e)
    return tuple(judge_each((normal[5], normal[1]), near))


def _weighed(e: Evaluated) -> tuple[tuple[Weighed, ...], float]:
    """Normal operation as it is, or as drawn, and what is near its limit."""
    if e.draw is not None:
        return _drawn(e, _normal(e), e.draw), 1.0
    return _normal(e), NEAR


def _normal(e: Evaluated) -> tuple[Weighed, ...]:
    """In normal operation, CPU and disks at peak, in the order of the fields of `Resources`."""
    policy, vms, pools = e.policy, e.vms, e.pools
    share = 100.0 * policy.peak_factor_cpu / e.inputs.arrays.vms.vcpus
    cpu, disks = e.asked_cores, pools.utilisation_pct
    return (
        _times(
            vms.ids,
            "cpu_pct",
            (cpu.value, cpu.low, judged_end(cpu.value, cpu.high, policy.posture.share)),
            share,
            policy.cpu_limit_pct,
            e.vms_without_cpu,
        ),
        _plain(
            vms.ids,
            "response_ms",
            vms.response_ms,
            policy.response_limit_ms,
            e.vms_without_response,
        ),
        *_of_hosts(e),
        _times(
            pools.ids,
            "utilisation_pct",
            (disks.value, disks.low, disks.judged_high),
            policy.peak_factor_iops,
            policy.disk_limit_pct,
            e.pools_without_io,
        ),
        _plain(
            pools.ids,
            "capacity_pct",
            pools.capacity_pct,
            policy.capacity_limit_pct,
            e.pools_without_space,
        ),
    )


def _drawn(e: Evaluated, normal: tuple[Weighed, ...], draw: Draw) -> tuple[Weighed, ...]:
    """The same as the errors of `draw` have them."""
    vm_cpu, response, host_cpu, host_ram, net, disks, space = normal
    policy, vms, hosts = e.policy, e.inputs.arrays.vms, e.inputs.arrays.hosts
    vcpus = 100.0 * policy.peak_factor_cpu / vms.vcpus
    unknown = e.unknown_cores * hosts.pct_of_cores
    busy = (e.hosts.cpu_pct.high - unknown) * policy.peak_factor_cpu
    used = e.pools.utilisation_pct.high * policy.peak_factor_iops
    z = {name: draw.each(name, len(vms)) for name in (CPU, IOPS, RESPONSE)}
    on_host, on_pool = (
        looked_up(of, at, 0.0) for of, at in ((e.hosts.cpu_pct.high, vms.host), (used, vms.pool))
    )
    load = busier_of(on_host, on_pool, z[CPU], z[IOPS])
    ms = e.vms.response_ms
    slow = with_load(z[RESPONSE], load, e.response_spread[2], ms.value, ms.high)
    return (
        draw.weighed(vm_cpu, e.asked_cores.high * vcpus, z[CPU]),
        draw.weighed(response, ms.high, slow),
        draw.weighed(host_cpu, busy, draw.each(CPU, len(hosts))),
        draw.weighed(host_ram, host_ram.value, 0.0),
        draw.weighed(net, e.hosts.network_pct.high, draw.each(NETWORK, len(hosts))),
        draw.weighed(disks, used, draw.each(IOPS, len(e.pools.ids))),
        draw.weighed(space, e.pools.capacity_pct.high, 0.0),
    )


def _of_hosts(e: Evaluated) -> tuple[Weighed, ...]:
    """CPU at peak, RAM and network of hosts."""
    policy, hosts = e.policy, e.hosts
    cpu, network = hosts.cpu_pct, hosts.network_pct
    ram = _at_work(e, hosts.ram_pct.value, hosts.ram_limit_pct)
    traffic = replace(network, value=_at_work(e, network.value))
    return (
        _times(
            hosts.ids,
            "cpu_pct",
            (_at_work(e, cpu.value), cpu.low, cpu.judged_high),
            policy.peak_factor_cpu,
            policy.cpu_limit_pct,
            None if cpu.unknown is None else cpu.unknown > 0,
        ),
        Weighed(
            hosts.ids,
            "ram_pct",
            ram,
            ram,
            policy.memory_overcommit * 100.0,
            hosts.ram_limit_pct if e.inputs.arrays.hosts.some_physical else None,
            lacking=e.hosts_not_listed,
        ),
        _plain(hosts.ids, "network_pct", traffic, policy.network_limit_pct),
    )


def _at_work(e: Evaluated, value: FloatArray, limits: FloatArray | float = np.inf) -> FloatArray:
    """Loads of hosts, NaN where nothing runs, (h,): what a host takes for itself says nothing of
    what it will carry, unless that alone is near its limit."""
    idle = e.hosts.vcpus_per_core == 0
    if not some(idle):
        return value
    return np.where(idle & ~(value > NEAR * limits), np.nan, value)


def _times(
    ids: Sequence[str],
    resource: str,
    ends: Iterable[FloatArray],
    factor: FloatArray | float,
    limit: float,
    lacking: BoolArray | None,
) -> Weighed:
    """Args: ends: value, low end and judged end of an average; `factor`: of what is judged over
    it."""
    value, low, high = (end * factor for end in ends)
    return Weighed(ids, resource, value, high, limit, low=low, lacking=lacking)


def _plain(
    ids: Sequence[str],
    resource: str,
    series: Series,
    limit: float,
    lacking: BoolArray | None = None,
) -> Weighed:
    value, low, high = series.value, series.low, series.judged_high
    return Weighed(ids, resource, value, high, limit, low=low, lacking=lacking)
