"""What each card of the board says, as values: a card is painted anew when its face changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from app.language import local, tr
from app.session import View
from app.widgets.board.face_meters import host_meters, pool_meters, vm_cpu_meter
from app.widgets.board.face_sources import FaceSources, Items
from app.widgets.meters import Meter
from models.base.lettering import set_apart
from models.base.quantities import NO_DATA
from models.catalog.catalog import Catalog, Role
from models.predict.prediction import HostPrediction, PoolPrediction, Shown, VmPrediction
from models.scenario.scenario import Host, Pool, Scenario, Vm
from models.scenario.wording import ENGLISH, THIN, Style, number, value_text
from models.scenario.workloads import WORKLOADS, WorkloadKind

PHYSICAL = "none"
KINDS = {kind: local(work.short) for kind, work in WORKLOADS.items()}
RAID_NAMES = {"dp": "RAID-DP"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFace:
    """Head and meters of a host card; `verdict` is None where nothing runs on it, as on one that
    `is_away` in maintenance."""

    name: str
    model: str
    detail: str
    is_reference: bool
    verdict: Shown | None
    meters: tuple[Meter, ...]
    is_away: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VmFace:
    """A VM card; `verdict` is None for a VM that is not placed or powered off.

    `more` is for cards that stand tall. `is_cpu`: what stands in the place of the response is the
    CPU of what never has one.
    """

    name: str
    kind: WorkloadKind
    detail: str
    more: str
    response: str
    verdict: Shown | None
    cpu: Meter | None
    is_off: bool
    is_cpu: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFace:
    """Head and meters of a pool card."""

    name: str
    model: str
    detail: str
    is_reference: bool
    verdict: Shown | None
    meters: tuple[Meter, ...]


def brief(face: HostFace) -> HostFace:
    """Name and verdict, CPU and RAM alone; in their place what is in worse trouble."""
    kept = sorted(face.meters, key=attrgetter("verdict"), reverse=True)[:2]
    meters = tuple(meter for meter in face.meters if meter in kept)
    return replace(face, model="", detail="", is_reference=False, meters=meters)


def host_face(host: Host, sources: FaceSources) -> HostFace:
    server = sources.catalog.servers.get(host.server)
    hypervisor = sources.catalog.hypervisors.get(host.hypervisor)
    platform = set_apart(hypervisor.name) if hypervisor else host.hypervisor
    if host.hypervisor == PHYSICAL:
        platform = tr("physical server")
    ram = f"{number(host.ram_gib, _decimals(host.ram_gib), style=sources.style)} GiB RAM"
    hosts = sources.view.prediction.hosts
    known = host.id in hosts and host.id in sources.items.occupied and not host.in_maintenance
    away = tr("in maintenance")
    return HostFace(
        name=set_apart(host.name),
        model=set_apart(server.name) if server else host.server,
        detail=f"{away}, {ram}, {platform}" if host.in_maintenance else f"{ram}, {platform}",
        is_away=host.in_maintenance,
        is_reference=server is not None and server.role is Role.REFERENCE,
        verdict=judged(hosts, host.id) if known else None,
        meters=host_meters(host.id, sources),
    )


def judged(table: VmPrediction | HostPrediction | PoolPrediction, id: str) -> Shown | None:
    """The verdict on an item as it is shown; None where nothing of it is judged."""
    shown = table.shown(table.index(id))
    return None if shown.verdict is None else shown


def _decimals(value: float) -> int:
    return 0 if float(value).is_integer() else 1


def vm_face(vm: Vm, sources: FaceSources) -> VmFace:
    vms = sources.view.prediction.vms
    runs = vm.host is not None and vm.powered_on and vm.id in vms
    runs = runs and not sources.items.is_away(vm.host)
    response, verdict, cpu, is_cpu = "", None, None, False
    if runs:
        response = _answer(vm, sources)
        is_cpu = not vms.has_response(vms.index(vm.id))
        verdict = judged(vms, vm.id)
        cpu = None if sources.is_compact else vm_cpu_meter(vm.id, sources)
    return VmFace(
        name=set_apart(vm.name),
        kind=vm.workload.kind,
        detail=_vm_detail(vm, sources.style),
        more="" if sources.is_compact else _vm_more(vm, sources, runs=runs),
        response=response,
        is_cpu=is_cpu,
        verdict=verdict,
        cpu=cpu,
        is_off=not vm.powered_on,
    )


def _answer(vm: Vm, sources: FaceSources) -> str:
    """The response time of what has mail users; of what never has one its CPU, unless that has a
    row of its own."""
    prediction = sources.view.prediction
    if prediction.vms.has_response(prediction.vms.index(vm.id)):
        response = sources.quantity(prediction, "vms", vm.id, "response_ms")
        return local(value_text(response, "ms", style=sources.style))
    if not sources.is_compact:
        return ""
    cpu = sources.quantity(prediction, "vms", vm.id, "cpu_pct")
    return f"CPU {local(value_text(cpu, '%', style=sources.style))}"


def pool_face(pool: Pool, sources: FaceSources) -> PoolFace:
    array = sources.catalog.arrays.get(pool.array)
    disk = sources.catalog.disks.get(pool.disk)
    raid = RAID_NAMES.get(pool.raid, f"RAID {pool.raid}")
    drive = set_apart(disk.name if disk else pool.disk)
    drives = f"{number(pool.spindles, style=sources.style)} × {drive}"
    pools = sources.view.prediction.pools
    known = pool.id in pools
    return PoolFace(
        name=set_apart(pool.name),
        model=set_apart(array.name) if array else pool.array,
        detail=f"{drives}, {raid}",
        is_reference=array is not None and array.role is Role.REFERENCE,
        verdict=judged(pools, pool.id) if known else None,
        meters=pool_meters(pool.id, sources),
    )


def _vm_more(vm: Vm, sources: FaceSources, *, runs: bool) -> str:
    ram = f"{number(vm.ram_gib, _decimals(vm.ram_gib), style=sources.style)}{THIN}GiB RAM"
    iops = sources.quantity(sources.view.prediction, "vms", vm.id, "iops") if runs else NO_DATA
    if iops.value is None:
        return ram
    return f"{ram}, {local(value_text(iops, style=sources.style))}{THIN}IOPS"


def _vm_detail(vm: Vm, style: Style) -> str:
    vcpus = f"{vm.vcpus} vCPU" + ("s" if vm.vcpus != 1 else "")
    parts = [vcpus]
    if vm.workload.people:
        parts.insert(
            0, tr("{active_users} users", active_users=number(vm.workload.people, style=style))
        )
    else:
        parts.insert(0, KINDS[vm.workload.kind])
    if vm.fault_tolerance:
        parts.append("FT")
    if not vm.powered_on:
        parts.append(tr("powered off"))
    return ", ".join(parts)


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
        self._sight = FaceSources(view, catalog, self.items, style, is_compact=is_compact)
        self._faces: dict[str, HostFace | VmFace | PoolFace] = {}
        self._keys: dict[str, tuple[Any, ...]] = {}
        self._before = before._faces if before is not None else {}
        is_alike = before is not None and self._sight.is_alike(before._sight)
        self._keys_before = before._keys if before is not None and is_alike else {}

    def face(self, id: str) -> HostFace | VmFace | PoolFace:
        """The face of a host, VM or pool.

        Raises:
            KeyError: there is none of that id.
        """
        found = self._faces.get(id)
        if found is None:
            found = self._faces[id] = self._found(id)
        return found

    def _found(self, id: str) -> HostFace | VmFace | PoolFace:
        """Putting numbers into words costs ten times what comparing them does."""
        items, sources = self.items, self._sight
        for table, there in (("vms", items.vms), ("hosts", items.hosts), ("pools", items.pools)):
            if id in there:
                key = (there[id], id in items.occupied, *sources.figures(table, id))
                break
        else:
            raise KeyError(id)
        self._keys[id] = key
        before = self._before.get(id)
        if before is not None and self._keys_before.get(id) == key:
            return before
        found = self._make(id)
        return before if before is not None and before == found else found

    def _make(self, id: str) -> HostFace | VmFace | PoolFace:
        if id in self.items.vms:
            return vm_face(self.items.vms[id], self._sight)
        if id in self.items.hosts:
            return host_face(self.items.hosts[id], self._sight)
        return pool_face(self.items.pools[id], self._sight)
