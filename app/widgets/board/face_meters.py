"""The meters of hosts, pools and VMs, as values."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from app.language import local, tr
from app.widgets.board.face_sources import FaceSources
from app.widgets.meters import Meter
from models.base.quantities import NO_DATA, Basis, Quantity, judged_end
from models.judgement.against_limits import judged
from models.predict.prediction import Prediction, Verdict
from models.scenario.scenario import Policy
from models.scenario.wording import THIN, Style, decimals_of, number, value_text
from models.single_changes.move_preview import Carried

STEPS = 400
"""A share of the track comes in steps too small to see, so that faces compare equal."""


def host_meters(id: str, sources: FaceSources) -> tuple[Meter, ...]:
    """CPU, RAM, vCPUs per core and network of a host."""
    policy, style = sources.view.scenario.policy, sources.style
    hosts = sources.view.prediction.hosts
    cpu, ram, network = (
        _reading(id, "hosts", field, sources) for field in ("cpu_pct", "ram_pct", "network_pct")
    )
    vcpus = _number(sources.view.prediction, id, "vcpus_per_core")
    before = (
        _number(sources.view.committed, id, "vcpus_per_core") if sources.view.is_preview else None
    )
    peak = policy.peak_factor_cpu
    return (
        percent_meter(
            "CPU",
            cpu[0],
            policy.cpu_limit_pct,
            style,
            before=cpu[1],
            factor=peak,
            failure=_number(sources.view.prediction, id, "failure_cpu_pct"),
            verdict=sources.judged("hosts", id, "cpu_pct", policy.cpu_limit_pct, peak),
        ),
        percent_meter(
            "RAM",
            ram[0],
            _number(sources.view.prediction, id, "ram_limit_pct"),
            style,
            before=ram[1],
            full=max(100.0, policy.memory_overcommit * 100.0),
            failure=_number(sources.view.prediction, id, "failure_ram_pct"),
            verdict=sources.judged("hosts", id, "ram_pct", hosts.ram_limit_pct, 1.0),
        ),
        vcpu_meter(vcpus, policy, style, before=before),
        percent_meter(
            tr("Network"),
            network[0],
            policy.network_limit_pct,
            style,
            before=network[1],
            verdict=sources.judged("hosts", id, "network_pct", policy.network_limit_pct, 1.0),
        ),
    )


def carried_meters(
    carried: Carried, row: int, prediction: Prediction, policy: Policy, style: Style
) -> tuple[Meter, ...]:
    """The same of a host as `models.single_changes.move_preview` has it, against what it carries
    now."""
    hosts = prediction.hosts
    cpu, network = carried.cpu_pct[:, row].tolist(), carried.network_pct[:, row].tolist()
    ram, vcpus = float(carried.ram_pct[row]), float(carried.vcpus_per_core[row])
    peak, ram_limit = policy.peak_factor_cpu, float(carried.ram_limit_pct[row])
    high = judged_end(carried.network_pct[0], carried.network_pct[2], policy.posture.share)
    judged_network = float(high[row])
    return (
        percent_meter(
            "CPU",
            _quantity(cpu, carried.unknown[row]),
            policy.cpu_limit_pct,
            style,
            before=float(hosts.cpu_pct.value[row]),
            factor=peak,
            verdict=max(
                _judged(
                    cpu[0] * peak, float(carried.judged_high_pct[row]) * peak, policy.cpu_limit_pct
                ),
                Verdict.NOT_KNOWN if carried.unknown[row] else Verdict.FITS,
            ),
        ),
        percent_meter(
            "RAM",
            Quantity(ram, ram, ram, Basis.RULE),
            ram_limit if math.isfinite(ram_limit) else None,
            style,
            before=float(hosts.ram_pct.value[row]),
            full=max(100.0, policy.memory_overcommit * 100.0),
            verdict=_judged(ram, ram, ram_limit),
        ),
        vcpu_meter(vcpus, policy, style, before=float(hosts.vcpus_per_core[row])),
        percent_meter(
            tr("Network"),
            _quantity(network, carried.unknown_network[row]),
            policy.network_limit_pct,
            style,
            before=float(hosts.network_pct.value[row]),
            verdict=_judged(network[0], judged_network, policy.network_limit_pct),
        ),
    )


def vm_cpu_meter(id: str, sources: FaceSources) -> Meter:
    """CPU of a VM's vCPUs, judged at peak as that of its host."""
    policy = sources.view.scenario.policy
    limit, peak = policy.cpu_limit_pct, policy.peak_factor_cpu
    value, before = _reading(id, "vms", "cpu_pct", sources)
    verdict = sources.judged("vms", id, "cpu_pct", limit, peak)
    return percent_meter(
        "CPU", value, limit, sources.style, before=before, factor=peak, verdict=verdict
    )


def percent_meter(
    label: str,
    quantity: Quantity,
    limit: float | None,
    style: Style,
    *,
    verdict: Verdict,
    before: float | None = None,
    full: float = 100.0,
    factor: float = 1.0,
    failure: float | None = None,
) -> Meter:
    """A share in per cent under its limit.

    Args:
        limit: None: there is none. `before`: the value without what is being dragged.
        factor: peak over average.
        failure: the value with the worst host lost.
    """
    value = quantity.value
    return Meter(
        label=label,
        text=local(value_text(quantity, "%", style=style)),
        share=_share(value, full),
        peak=_share(value * factor, full) if value is not None and factor > 1 else None,
        high=None if quantity.high is None else quantity.high * factor / full,
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        failure=_share(failure, full),
        failure_text="" if failure is None else _failure_text(failure, quantity, style),
        verdict=verdict,
    )


def _failure_text(failure: float, quantity: Quantity, style: Style) -> str:
    """As the value itself, with more decimals only where it would read as less than the value
    beside it and is not."""
    value, most = quantity.value or 0.0, max(0, decimals_of(quantity))
    decimals = min(max(0, decimals_of(replace(quantity, value=failure))), most)
    while decimals < most and round(failure, decimals) < round(value, most) <= round(failure, most):
        decimals += 1
    return f"{number(failure, decimals, style=style)}{THIN}%"


def vcpu_meter(
    value: float | None, policy: Policy, style: Style, *, before: float | None = None
) -> Meter:
    """vCPUs per core under the rule of the policy."""
    limit = policy.vcpus_per_core_limit
    full = limit * 1.25
    needs_two = value is not None and value < 1.0 and round(value, 1) != round(value, 2)
    decimals = 2 if needs_two else 1
    return Meter(
        label=tr("vCPUs/core"),
        text=tr("no data") if value is None else number(value, decimals, style=style),
        share=_share(value, full),
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        verdict=Verdict.FITS if value is None else _judged(value, value, limit),
    )


def pool_meters(id: str, sources: FaceSources) -> tuple[Meter, ...]:
    """IOPS, disks, space and latency of a pool."""
    policy, style = sources.view.scenario.policy, sources.style
    busy, space = (
        _reading(id, "pools", field, sources) for field in ("utilisation_pct", "capacity_pct")
    )
    latency = sources.quantity(sources.view.prediction, "pools", id, "latency_ms")
    peak = policy.peak_factor_iops
    return (
        _iops(id, sources, policy),
        percent_meter(
            tr("Disks busy"),
            busy[0],
            policy.disk_limit_pct,
            style,
            before=busy[1],
            factor=peak,
            verdict=sources.judged("pools", id, "utilisation_pct", policy.disk_limit_pct, peak),
        ),
        percent_meter(
            tr("Space"),
            space[0],
            policy.capacity_limit_pct,
            style,
            before=space[1],
            verdict=sources.judged("pools", id, "capacity_pct", policy.capacity_limit_pct, 1.0),
        ),
        Meter(
            label=tr("Disk latency"),
            text=local(value_text(latency, "ms", style=style)),
            share=None if latency.value is None else 0.0,
            has_track=False,
        ),
    )


def _iops(id: str, sources: FaceSources, policy: Policy) -> Meter:
    quantity, before = _reading(id, "pools", "iops", sources)
    pools = sources.view.prediction.pools
    limit = float(pools.limit_iops[pools.index(id)]) if id in pools else math.nan
    if not math.isfinite(limit) or limit <= 0:
        return Meter(
            label="IOPS", text=local(value_text(quantity, style=sources.style)), share=None
        )
    full = limit * 1.25
    factor = policy.peak_factor_iops
    value = quantity.value
    return Meter(
        label="IOPS",
        text=local(value_text(quantity, style=sources.style)),
        share=_share(value, full),
        peak=_share(value * factor, full) if value is not None and factor > 1 else None,
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        verdict=sources.judged("pools", id, "iops", pools.limit_iops, factor),
    )


def _reading(
    id: str, table: str, field: str, sources: FaceSources
) -> tuple[Quantity, float | None]:
    """A number, and what it was without what is being dragged."""
    view = sources.view
    now = sources.quantity(view.prediction, table, id, field)
    if not view.is_preview:
        return now, None
    return now, sources.quantity(view.committed, table, id, field).value


def _quantity(ends: list[float], unknown: float = 0.0) -> Quantity:
    value, low, high = ends
    if not math.isfinite(value):
        return NO_DATA
    return Quantity(value, low, high, Basis.TRANSFERRED, unknown=int(unknown))


def _judged(value: float, high: float, limit: float) -> Verdict:
    return Verdict(int(judged(np.array([value]), np.array([high]), limit)[0]))


def _number(prediction: Prediction, id: str, field: str) -> float | None:
    hosts = prediction.hosts
    if id not in hosts:
        return None
    value = float(getattr(hosts, field)[hosts.index(id)])
    return value if math.isfinite(value) else None


def _share(value: float | None, full: float) -> float | None:
    if value is None or not math.isfinite(value) or full <= 0:
        return None
    return round(value / full * STEPS) / STEPS


def _ghost(before: float | None, value: float | None, full: float) -> float | None:
    """Where the value stood; None when that is where it still stands."""
    ghost = _share(before, full)
    return None if value is None or ghost == _share(value, full) else ghost
