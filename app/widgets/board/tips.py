"""What the board says in words: tool tips, and what a screen reader reads of an item."""

from __future__ import annotations

from dataclasses import dataclass

from app.language import local, tr, trn
from app.session import View
from app.widgets.board.faces import HostFace, PoolFace, VmFace
from app.widgets.board.layout import SiteOnBoard
from app.widgets.meters import Meter
from app.wording import locale_style
from models.predict.prediction import Shown
from models.scenario.scenario import Cluster, Scenario
from models.scenario.wording import full_text, number
from models.scenario.workloads import WORKLOADS


@dataclass(frozen=True, slots=True)
class Said:
    """An item in words: what it is called, where and what it is, and how it does."""

    name: str = ""
    description: str = ""
    value: str = ""

    @property
    def line(self) -> str:
        return _joined(self.name, self.description, self.value)


def said(scenario: Scenario, id: str, face: HostFace | VmFace | PoolFace | None) -> Said:
    """An item of the board for somebody who doesn't see it."""
    if isinstance(face, VmFace):
        host = scenario.vm(id).host
        place = tr("on {host}", host=scenario.host(host).name) if host else tr("not placed")
        response = face.response
        if response and not face.is_cpu:
            response = tr("response {response}", response=response)
        value = _joined(_word(face), response)
        return Said(tr("VM {face}", face=face.name), _joined(place, face.detail), value)
    if isinstance(face, HostFace):
        count = len(scenario.vms_on(id))
        vms = trn("{count} VM", "{count} VMs", count)
        value = _joined(_word(face), *_meters(face.meters))
        away = tr("in maintenance") if face.is_away else ""
        return Said(tr("Host {face}", face=face.name), _joined(face.model, away, vms), value)
    if isinstance(face, PoolFace):
        value = _joined(_word(face), *_meters(face.meters))
        return Said(tr("Pool {face}", face=face.name), face.detail, value)
    clusters: dict[str, Cluster] = {each.id: each for each in scenario.clusters}
    return Said(tr("Cluster {name}", name=clusters[id].name)) if id in clusters else Said()


def said_of_site(site: SiteOnBoard, verdict: Shown | None) -> Said:
    """A site for somebody who doesn't see it, folded or not."""
    name = tr("No site said") if site.name is None else tr("Site {name}", name=site.name)
    word = "" if verdict is None else local(verdict.words)
    return Said(name, _joined(holds(site), sums(site)), word)


def holds(site: SiteOnBoard) -> str:
    """What stands in a site, counted."""
    return ", ".join(
        (
            trn("{count} host", "{count} hosts", len(site.hosts)),
            trn("{count} VM", "{count} VMs", len(site.vms)),
            trn("{count} pool", "{count} pools", len(site.pools)),
        )
    )


def sums(site: SiteOnBoard) -> str:
    """What the VMs of a site have, and the memory of its hosts."""
    style = locale_style()
    return tr(
        "{vcpus} vCPUs, {used} of {ram} GiB RAM",
        vcpus=number(site.vcpus, style=style),
        used=number(site.vm_gib, style=style),
        ram=number(site.host_gib, style=style),
    )


def tip(view: View, id: str, face: HostFace | VmFace | PoolFace) -> str:
    """Several lines with intervals and bases, for whoever rests the pointer on a card."""
    if isinstance(face, VmFace):
        return _vm_tip(view, id, face)
    lines = [face.name, face.model, face.detail]
    if isinstance(face, HostFace) and face.is_away:
        lines.append(tr("Nothing runs here, and nothing fails over to it, until it is back."))
    lines += [f"{meter.label}: {meter.text}{_failure(meter)}" for meter in face.meters]
    if face.verdict is not None:
        lines.append(local(face.verdict.words))
    if face.is_reference:
        lines.append(tr("A reference system: it reproduces a measurement, it is not for purchase."))
    return "\n".join(lines)


def _vm_tip(view: View, id: str, face: VmFace) -> str:
    lines = [face.name, local(WORKLOADS[face.kind].name), face.detail]
    vms = view.prediction.vms
    if face.verdict is not None and id in vms:
        if vms.has_response(vms.index(id)):
            response = full_text(vms.quantity(id, "response_ms"), "ms")
            lines.append(tr("response time {quantity}", quantity=response))
        lines.append(
            tr("CPU of its vCPUs {quantity}", quantity=full_text(vms.quantity(id, "cpu_pct"), "%"))
        )
        lines.append(
            tr("disk load {quantity}", quantity=full_text(vms.quantity(id, "iops"), "IOPS"))
        )
        lines.append(local(face.verdict.words))
    return "\n".join(lines)


def _failure(meter: Meter) -> str:
    return (
        tr(", {failure_text} with the worst host lost", failure_text=meter.failure_text)
        if meter.failure_text
        else ""
    )


def _meters(meters: tuple[Meter, ...]) -> tuple[str, ...]:
    return tuple(f"{meter.label} {meter.text}{_failure(meter)}" for meter in meters)


def _word(face: HostFace | VmFace | PoolFace) -> str:
    return local(face.verdict.words) if face.verdict is not None else ""


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
