"""What each card of the board says, as values: a card is painted anew when its face changes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from app.session import View
from app.widgets.meters import Meter
from models.catalog import Catalog, Role
from models.prediction import Prediction, Verdict
from models.quantities import NO_DATA, Quantity
from models.scenario import Host, Policy, Pool, Scenario, Vm, WorkloadKind
from models.wording import number, value_text

PHYSICAL = "none"
STEPS = 400
KINDS = {
    WorkloadKind.DOMINO_NRPC: "NRPC mail",
    WorkloadKind.DOMINO_INOTES: "iNotes",
    WorkloadKind.SAMETIME_COMMUNITY: "Sametime",
    WorkloadKind.SAMETIME_MUX: "Multiplexer",
    WorkloadKind.GENERIC: "Other",
}
RAID_NAMES = {"dp": "RAID-DP"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFace:
    """Head and meters of a host card; `verdict` is None where nothing runs on it."""

    name: str
    model: str
    detail: str
    is_reference: bool
    verdict: Verdict | None
    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VmFace:
    """A VM card; `verdict` is None for a VM that is not placed or powered off."""

    name: str
    kind: WorkloadKind
    detail: str
    response: str
    verdict: Verdict | None
    cpu: Meter | None
    is_off: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFace:
    """Head and meters of a pool card."""

    name: str
    model: str
    detail: str
    is_reference: bool
    verdict: Verdict | None
    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """The items of a scenario by id, so that a frame looks nothing up twice."""

    hosts: Mapping[str, Host]
    vms: Mapping[str, Vm]
    pools: Mapping[str, Pool]
    occupied: frozenset[str]

    @classmethod
    def of(cls, view: Scenario, stored: Scenario) -> Items:
        """What is in view; items that only the stored scenario has stand as they are there."""
        return cls(
            hosts={host.id: host for each in (stored, view) for host in each.hosts},
            vms={vm.id: vm for each in (stored, view) for vm in each.vms},
            pools={pool.id: pool for each in (stored, view) for pool in each.pools},
            occupied=frozenset(vm.host for vm in view.vms if vm.host is not None),
        )


def host_face(host: Host, view: View, catalog: Catalog, items: Items) -> HostFace:
    server = catalog.servers.get(host.server)
    hypervisor = catalog.hypervisors.get(host.hypervisor)
    platform = hypervisor.name if hypervisor else host.hypervisor
    if host.hypervisor == PHYSICAL:
        platform = "physical server"
    ram = f"{number(host.ram_gib, 0 if float(host.ram_gib).is_integer() else 1)} GiB RAM"
    hosts = view.prediction.hosts
    known = host.id in hosts and host.id in items.occupied
    return HostFace(
        name=host.name,
        model=server.name if server else host.server,
        detail=f"{ram}, {platform}",
        is_reference=server is not None and server.role is Role.REFERENCE,
        verdict=Verdict(int(hosts.verdict[hosts.index(host.id)])) if known else None,
        meters=_host_meters(host.id, view),
    )


def vm_face(vm: Vm, view: View) -> VmFace:
    vms = view.prediction.vms
    runs = vm.host is not None and vm.powered_on and vm.id in vms
    response, verdict, cpu = "", None, None
    if runs:
        response = value_text(vms.quantity(vm.id, "response_ms"), "ms")
        verdict = Verdict(int(vms.verdict[vms.index(vm.id)]))
        cpu = _percent(
            "CPU", vm.id, "cpu_pct", view, view.scenario.policy.cpu_limit_pct, table="vms"
        )
    return VmFace(
        name=vm.name,
        kind=vm.workload.kind,
        detail=_vm_detail(vm),
        response=response,
        verdict=verdict,
        cpu=cpu,
        is_off=not vm.powered_on,
    )


def pool_face(pool: Pool, view: View, catalog: Catalog) -> PoolFace:
    array = catalog.arrays.get(pool.array)
    disk = catalog.disks.get(pool.disk)
    raid = RAID_NAMES.get(pool.raid, f"RAID {pool.raid}")
    drives = f"{number(pool.spindles)} × {disk.name if disk else pool.disk}"
    pools = view.prediction.pools
    known = pool.id in pools
    return PoolFace(
        name=pool.name,
        model=array.name if array else pool.array,
        detail=f"{drives}, {raid}",
        is_reference=array is not None and array.role is Role.REFERENCE,
        verdict=Verdict(int(pools.verdict[pools.index(pool.id)])) if known else None,
        meters=_pool_meters(pool.id, view),
    )


def _vm_detail(vm: Vm) -> str:
    vcpus = f"{vm.vcpus} vCPU" + ("s" if vm.vcpus != 1 else "")
    parts = [vcpus]
    if vm.workload.active_users:
        parts.insert(0, f"{number(vm.workload.active_users)} users")
    else:
        parts.insert(0, KINDS[vm.workload.kind])
    if vm.fault_tolerance:
        parts.append("FT")
    if not vm.powered_on:
        parts.append("powered off")
    return ", ".join(parts)


def _host_meters(id: str, view: View) -> tuple[Meter, ...]:
    policy = view.scenario.policy
    return (
        _cpu(id, view, policy),
        _ram(id, view, policy),
        _vcpus(id, view, policy),
        _percent("Network", id, "network_pct", view, policy.network_limit_pct),
    )


def _cpu(id: str, view: View, policy: Policy) -> Meter:
    failure = _number(view.prediction, id, "failure_cpu_pct")
    return _percent(
        "CPU",
        id,
        "cpu_pct",
        view,
        policy.cpu_limit_pct,
        factor=policy.peak_factor_cpu,
        failure=failure,
    )


def _ram(id: str, view: View, policy: Policy) -> Meter:
    failure = _number(view.prediction, id, "failure_ram_pct")
    limit = policy.memory_overcommit * 100
    return _percent("RAM", id, "ram_pct", view, limit, full=max(100.0, limit), failure=failure)


def _vcpus(id: str, view: View, policy: Policy) -> Meter:
    value = _number(view.prediction, id, "vcpus_per_core")
    before = _number(view.committed, id, "vcpus_per_core") if view.is_preview else None
    limit = policy.vcpus_per_core_limit
    full = limit * 1.25
    return Meter(
        label="vCPU per core",
        text="no data" if value is None else number(value, 1),
        share=_share(value, full),
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        verdict=Verdict.FITS if value is None or value <= limit else Verdict.DOES_NOT_FIT,
    )


def _percent(
    label: str,
    id: str,
    field: str,
    view: View,
    limit: float,
    *,
    full: float = 100.0,
    factor: float = 1.0,
    failure: float | None = None,
    table: str = "hosts",
) -> Meter:
    quantity = _quantity(view.prediction, id, table, field)
    before = _quantity(view.committed, id, table, field).value if view.is_preview else None
    value = quantity.value
    return Meter(
        label=label,
        text=value_text(quantity, "%"),
        share=_share(value, full),
        peak=_share(value * factor, full) if value is not None and factor > 1 else None,
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        failure=_share(failure, full),
        failure_text="" if failure is None else f"{number(failure)}\N{NARROW NO-BREAK SPACE}%",
        verdict=_judged(quantity, limit, factor),
    )


def _pool_meters(id: str, view: View) -> tuple[Meter, ...]:
    policy = view.scenario.policy
    latency = _quantity(view.prediction, id, "pools", "latency_ms")
    return (
        _iops(id, view, policy),
        _percent("Disks busy", id, "utilisation_pct", view, policy.disk_limit_pct, table="pools"),
        _percent("Space", id, "capacity_pct", view, policy.capacity_limit_pct, table="pools"),
        Meter(
            label="Disk latency",
            text=value_text(latency, "ms"),
            share=None if latency.value is None else 0.0,
            has_track=False,
        ),
    )


def _iops(id: str, view: View, policy: Policy) -> Meter:
    quantity = _quantity(view.prediction, id, "pools", "iops")
    pools = view.prediction.pools
    limit = float(pools.limit_iops[pools.index(id)]) if id in pools else math.nan
    before = _quantity(view.committed, id, "pools", "iops").value if view.is_preview else None
    if not math.isfinite(limit) or limit <= 0:
        return Meter(label="IOPS", text=value_text(quantity), share=None)
    full = limit * 1.25
    factor = policy.peak_factor_iops
    value = quantity.value
    return Meter(
        label="IOPS",
        text=value_text(quantity),
        share=_share(value, full),
        peak=_share(value * factor, full) if value is not None and factor > 1 else None,
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        verdict=_judged(quantity, limit, factor),
    )


def _judged(quantity: Quantity, limit: float, factor: float) -> Verdict:
    """Over the limit does not fit; only its interval over the limit is at risk."""
    if quantity.value is None or quantity.high is None:
        return Verdict.FITS
    if quantity.value * factor > limit:
        return Verdict.DOES_NOT_FIT
    return Verdict.AT_RISK if quantity.high * factor > limit else Verdict.FITS


def _quantity(prediction: Prediction, id: str, table: str, field: str) -> Quantity:
    rows = getattr(prediction, table)
    if id not in rows:
        return NO_DATA
    quantity: Quantity = rows.quantity(id, field)
    return quantity


def _number(prediction: Prediction, id: str, field: str) -> float | None:
    hosts = prediction.hosts
    if id not in hosts:
        return None
    value = float(getattr(hosts, field)[hosts.index(id)])
    return value if math.isfinite(value) else None


def _share(value: float | None, full: float) -> float | None:
    """A share of the track, in steps too small to see, so that faces compare equal."""
    return None if value is None else round(value / full * STEPS) / STEPS


def _ghost(before: float | None, value: float | None, full: float) -> float | None:
    """Where the value stood; None when that is where it still stands."""
    if before is None or value is None:
        return None
    ghost = _share(before, full)
    return None if ghost == _share(value, full) else ghost


class FaceBook:
    """The faces of one view, each made when it is first asked for."""

    def __init__(self, view: View, stored: Scenario, catalog: Catalog) -> None:
        self._view = view
        self._catalog = catalog
        self.items = Items.of(view.scenario, stored)
        self._faces: dict[str, HostFace | VmFace | PoolFace] = {}

    def face(self, id: str) -> HostFace | VmFace | PoolFace:
        """The face of a host, VM or pool.

        Raises:
            KeyError: there is none of that id.
        """
        found = self._faces.get(id)
        if found is None:
            found = self._faces[id] = self._make(id)
        return found

    def _make(self, id: str) -> HostFace | VmFace | PoolFace:
        items = self.items
        if id in items.vms:
            return vm_face(items.vms[id], self._view)
        if id in items.hosts:
            return host_face(items.hosts[id], self._view, self._catalog, items)
        return pool_face(items.pools[id], self._view, self._catalog)
