"""What the board says in words: tool tips, and what a screen reader reads of an item."""

from __future__ import annotations

from app.session import View
from app.widgets.board.faces import HostFace, PoolFace, VmFace
from app.widgets.meters import Meter
from models.scenario import Cluster, Scenario
from models.wording import WORKLOADS, full_text


def spoken(scenario: Scenario, id: str, face: HostFace | VmFace | PoolFace | None) -> str:
    """One line about an item: name, place, verdict and numbers."""
    if isinstance(face, VmFace):
        host = scenario.vm(id).host
        place = f"on {scenario.host(host).name}" if host else "not placed"
        response = f"response {face.response}" if face.response else ""
        return _joined(f"VM {face.name}", place, face.detail, _word(face), response)
    if isinstance(face, HostFace):
        count = len(scenario.vms_on(id))
        vms = f"{count} VM" + ("" if count == 1 else "s")
        return _joined(f"Host {face.name}", face.model, vms, _word(face), *_meters(face.meters))
    if isinstance(face, PoolFace):
        return _joined(f"Pool {face.name}", face.detail, _word(face), *_meters(face.meters))
    clusters: dict[str, Cluster] = {each.id: each for each in scenario.clusters}
    return f"Cluster {clusters[id].name}" if id in clusters else ""


def tip(view: View, id: str, face: HostFace | VmFace | PoolFace) -> str:
    """Several lines with intervals and bases, for whoever rests the pointer on a card."""
    if isinstance(face, VmFace):
        return _vm_tip(view, id, face)
    lines = [face.name, face.model, face.detail]
    lines += [f"{meter.label}: {meter.text}{_failure(meter)}" for meter in face.meters]
    if face.verdict is not None:
        lines.append(face.verdict.label)
    if face.is_reference:
        lines.append("A reference system: it reproduces a measurement, it is not for purchase.")
    return "\n".join(lines)


def _vm_tip(view: View, id: str, face: VmFace) -> str:
    lines = [face.name, WORKLOADS[face.kind], face.detail]
    vms = view.prediction.vms
    if face.verdict is not None and id in vms:
        lines.append(f"response time {full_text(vms.quantity(id, 'response_ms'), 'ms')}")
        lines.append(f"CPU of its vCPUs {full_text(vms.quantity(id, 'cpu_pct'), '%')}")
        lines.append(f"disk load {full_text(vms.quantity(id, 'iops'), 'IOPS')}")
        lines.append(face.verdict.label)
    return "\n".join(lines)


def _failure(meter: Meter) -> str:
    return f", {meter.failure_text} with the worst host lost" if meter.failure_text else ""


def _meters(meters: tuple[Meter, ...]) -> tuple[str, ...]:
    return tuple(f"{meter.label} {meter.text}" for meter in meters)


def _word(face: HostFace | VmFace | PoolFace) -> str:
    return face.verdict.label if face.verdict is not None else ""


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
