"""What each card of the board says, as values: a card is painted anew when its face changes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.session import View
from app.widgets.meters import Meter
from models.catalog import Catalog, Role
from models.prediction import Prediction, Verdict
from models.quantities import NO_DATA, Basis, Quantity, Series
from models.scenario import Host, Policy, Pool, Scenario, Vm, WorkloadKind
from models.verdict import judged
from models.wording import ENGLISH, Style, number, value_text

PHYSICAL = "none"
STEPS = 400
_BASES = tuple(Basis)
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


class Sight:
    """What is looked at, and in whose marks numbers are written.

    On a compact board VM cards show no CPU bar, so none is made.
    """

    def __init__(
        self, view: View, catalog: Catalog, items: Items, style: Style, *, is_compact: bool
    ) -> None:
        self.is_compact = is_compact
        self.view = view
        self.catalog = catalog
        self.items = items
        self.style = style
        self._verdicts: dict[tuple[str, str], npt.NDArray[np.int8]] = {}
        self._columns: dict[tuple[int, str, str], list[Quantity]] = {}

    def quantity(self, prediction: Prediction, table: str, item: str, field: str) -> Quantity:
        """One number, without its evidence: a board shows hundreds of them in a frame."""
        rows = getattr(prediction, table)
        if item not in rows:
            return NO_DATA
        key = (id(prediction), table, field)
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = _quantities(getattr(rows, field))
        position: int = rows.index(item)
        return column[position]

    def judged(
        self, table: str, id: str, field: str, limit: npt.ArrayLike, factor: float
    ) -> Verdict:
        """The verdict on one number, as the verdict of the whole judges it.

        All numbers of a column are judged at once, when the first of them is asked for.
        """
        rows = getattr(self.view.prediction, table)
        codes = self._verdicts.get((table, field))
        if codes is None:
            column: Series = getattr(rows, field)
            codes = judged(column.value * factor, column.high * factor, limit)
            self._verdicts[table, field] = codes
        return Verdict(int(codes[rows.index(id)])) if id in rows else Verdict.FITS


def _quantities(series: Series) -> list[Quantity]:
    """A whole column at once: half the cost of reading its numbers one by one."""
    columns = (series.value.tolist(), series.low.tolist(), series.high.tolist())
    bases = [_BASES[code] for code in series.basis.tolist()]
    return [
        NO_DATA if value != value else Quantity(value, low, high, basis)  # noqa: PLR0124 - NaN
        for value, low, high, basis in zip(*columns, bases, strict=True)
    ]


def host_face(host: Host, sight: Sight) -> HostFace:
    server = sight.catalog.servers.get(host.server)
    hypervisor = sight.catalog.hypervisors.get(host.hypervisor)
    platform = hypervisor.name if hypervisor else host.hypervisor
    if host.hypervisor == PHYSICAL:
        platform = "physical server"
    ram = f"{number(host.ram_gib, _decimals(host.ram_gib), style=sight.style)} GiB RAM"
    hosts = sight.view.prediction.hosts
    known = host.id in hosts and host.id in sight.items.occupied
    return HostFace(
        name=host.name,
        model=server.name if server else host.server,
        detail=f"{ram}, {platform}",
        is_reference=server is not None and server.role is Role.REFERENCE,
        verdict=Verdict(int(hosts.verdict[hosts.index(host.id)])) if known else None,
        meters=_host_meters(host.id, sight),
    )


def _decimals(value: float) -> int:
    return 0 if float(value).is_integer() else 1


def vm_face(vm: Vm, sight: Sight) -> VmFace:
    vms = sight.view.prediction.vms
    runs = vm.host is not None and vm.powered_on and vm.id in vms
    response, verdict, cpu = "", None, None
    if runs:
        response = value_text(
            sight.quantity(sight.view.prediction, "vms", vm.id, "response_ms"),
            "ms",
            style=sight.style,
        )
        verdict = vms.known_verdict(vms.index(vm.id))
        cpu = (
            None
            if sight.is_compact
            else _percent(
                "CPU",
                vm.id,
                "cpu_pct",
                sight,
                sight.view.scenario.policy.cpu_limit_pct,
                table="vms",
            )
        )
    return VmFace(
        name=vm.name,
        kind=vm.workload.kind,
        detail=_vm_detail(vm, sight.style),
        response=response,
        verdict=verdict,
        cpu=cpu,
        is_off=not vm.powered_on,
    )


def pool_face(pool: Pool, sight: Sight) -> PoolFace:
    array = sight.catalog.arrays.get(pool.array)
    disk = sight.catalog.disks.get(pool.disk)
    raid = RAID_NAMES.get(pool.raid, f"RAID {pool.raid}")
    drives = f"{number(pool.spindles, style=sight.style)} × {disk.name if disk else pool.disk}"
    pools = sight.view.prediction.pools
    known = pool.id in pools
    return PoolFace(
        name=pool.name,
        model=array.name if array else pool.array,
        detail=f"{drives}, {raid}",
        is_reference=array is not None and array.role is Role.REFERENCE,
        verdict=Verdict(int(pools.verdict[pools.index(pool.id)])) if known else None,
        meters=_pool_meters(pool.id, sight),
    )


def _vm_detail(vm: Vm, style: Style) -> str:
    vcpus = f"{vm.vcpus} vCPU" + ("s" if vm.vcpus != 1 else "")
    parts = [vcpus]
    if vm.workload.active_users:
        parts.insert(0, f"{number(vm.workload.active_users, style=style)} users")
    else:
        parts.insert(0, KINDS[vm.workload.kind])
    if vm.fault_tolerance:
        parts.append("FT")
    if not vm.powered_on:
        parts.append("powered off")
    return ", ".join(parts)


def _host_meters(id: str, sight: Sight) -> tuple[Meter, ...]:
    policy = sight.view.scenario.policy
    return (
        _cpu(id, sight, policy),
        _ram(id, sight, policy),
        _vcpus(id, sight, policy),
        _percent("Network", id, "network_pct", sight, policy.network_limit_pct),
    )


def _cpu(id: str, sight: Sight, policy: Policy) -> Meter:
    failure = _number(sight.view.prediction, id, "failure_cpu_pct")
    return _percent(
        "CPU",
        id,
        "cpu_pct",
        sight,
        policy.cpu_limit_pct,
        factor=policy.peak_factor_cpu,
        failure=failure,
    )


def _ram(id: str, sight: Sight, policy: Policy) -> Meter:
    failure = _number(sight.view.prediction, id, "failure_ram_pct")
    limit = policy.memory_overcommit * 100
    return _percent("RAM", id, "ram_pct", sight, limit, full=max(100.0, limit), failure=failure)


def _vcpus(id: str, sight: Sight, policy: Policy) -> Meter:
    value = _number(sight.view.prediction, id, "vcpus_per_core")
    before = _number(sight.view.committed, id, "vcpus_per_core") if sight.view.is_preview else None
    limit = policy.vcpus_per_core_limit
    full = limit * 1.25
    return Meter(
        label="vCPUs/core",
        text="no data" if value is None else number(value, 1, style=sight.style),
        share=_share(value, full),
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        verdict=_over(value, limit),
    )


def _percent(
    label: str,
    id: str,
    field: str,
    sight: Sight,
    limit: float,
    *,
    full: float = 100.0,
    factor: float = 1.0,
    failure: float | None = None,
    table: str = "hosts",
) -> Meter:
    quantity = sight.quantity(sight.view.prediction, table, id, field)
    before = (
        sight.quantity(sight.view.committed, table, id, field).value
        if sight.view.is_preview
        else None
    )
    value = quantity.value
    return Meter(
        label=label,
        text=value_text(quantity, "%", style=sight.style),
        share=_share(value, full),
        peak=_share(value * factor, full) if value is not None and factor > 1 else None,
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        failure=_share(failure, full),
        failure_text=""
        if failure is None
        else f"{number(failure, style=sight.style)}\N{NARROW NO-BREAK SPACE}%",
        verdict=sight.judged(table, id, field, limit, factor),
    )


def _pool_meters(id: str, sight: Sight) -> tuple[Meter, ...]:
    policy = sight.view.scenario.policy
    latency = sight.quantity(sight.view.prediction, "pools", id, "latency_ms")
    return (
        _iops(id, sight, policy),
        _percent("Disks busy", id, "utilisation_pct", sight, policy.disk_limit_pct, table="pools"),
        _percent("Space", id, "capacity_pct", sight, policy.capacity_limit_pct, table="pools"),
        Meter(
            label="Disk latency",
            text=value_text(latency, "ms", style=sight.style),
            share=None if latency.value is None else 0.0,
            has_track=False,
        ),
    )


def _iops(id: str, sight: Sight, policy: Policy) -> Meter:
    quantity = sight.quantity(sight.view.prediction, "pools", id, "iops")
    pools = sight.view.prediction.pools
    limit = float(pools.limit_iops[pools.index(id)]) if id in pools else math.nan
    before = (
        sight.quantity(sight.view.committed, "pools", id, "iops").value
        if sight.view.is_preview
        else None
    )
    if not math.isfinite(limit) or limit <= 0:
        return Meter(label="IOPS", text=value_text(quantity, style=sight.style), share=None)
    full = limit * 1.25
    factor = policy.peak_factor_iops
    value = quantity.value
    return Meter(
        label="IOPS",
        text=value_text(quantity, style=sight.style),
        share=_share(value, full),
        peak=_share(value * factor, full) if value is not None and factor > 1 else None,
        limit=_share(limit, full),
        ghost=_ghost(before, value, full),
        verdict=sight.judged("pools", id, "iops", pools.limit_iops, factor),
    )


def _over(value: float | None, limit: float) -> Verdict:
    """The verdict on a number without an interval."""
    if value is None:
        return Verdict.FITS
    number = np.array([value])
    return Verdict(int(judged(number, number, limit)[0]))


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
    """The faces of one view, each made when it is first asked for.

    A face that says the same as in the book `before` is the same object, so that whoever paints
    it knows it at once.
    """

    def __init__(
        self,
        view: View,
        stored: Scenario,
        catalog: Catalog,
        style: Style = ENGLISH,
        *,
        is_compact: bool = False,
        before: FaceBook | None = None,
    ) -> None:
        self.items = Items.of(view.scenario, stored)
        self._sight = Sight(view, catalog, self.items, style, is_compact=is_compact)
        self._faces: dict[str, HostFace | VmFace | PoolFace] = {}
        self._before = before._faces if before is not None else {}

    def face(self, id: str) -> HostFace | VmFace | PoolFace:
        """The face of a host, VM or pool.

        Raises:
            KeyError: there is none of that id.
        """
        found = self._faces.get(id)
        if found is None:
            found = self._make(id)
            before = self._before.get(id)
            if before == found:
                found = before
            self._faces[id] = found
        return found

    def _make(self, id: str) -> HostFace | VmFace | PoolFace:
        if id in self.items.vms:
            return vm_face(self.items.vms[id], self._sight)
        if id in self.items.hosts:
            return host_face(self.items.hosts[id], self._sight)
        return pool_face(self.items.pools[id], self._sight)
