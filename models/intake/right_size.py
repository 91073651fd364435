"""VMs that are larger than what was measured of them asks for, and what right-sizing saves.

Listed always, taken by choice. Domino and Sametime servers are none of them: what they take follows
from their users. Nor are VMs that got less than they asked for, whose sizes are pinned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from models.base.fields import Word
from models.base.texts import Numeral, say, say_many
from models.catalog.catalog import Server
from models.scenario.inputs import is_pinned, origin_of, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import ImportNote, Scenario, Vm
from models.scenario.workloads import WorkloadKind


class Sizes(Word):
    """By what VMs are made smaller."""

    AS_THEY_ARE = "as-they-are", say("as they are")
    MEASURED = "measured", say("by what was measured over time")
    ACTIVE = "active", say("memory by what was active at the export, too")


@dataclass(frozen=True, slots=True, kw_only=True)
class RightSize:
    """A VM with the size that it has and the one that would do.

    Attributes:
        by_moment: its memory is known of the moment of an export only, never of a peak.
    """

    vm: str
    name: str
    vcpus: int
    to_vcpus: int
    ram_gib: float
    to_ram_gib: float
    by_moment: bool = False

    @property
    def is_smaller(self) -> bool:
        return self.to_vcpus < self.vcpus or self.to_ram_gib < self.ram_gib


def right_sizes(
    scenario: Scenario, servers: Mapping[str, Server], active_gib: Mapping[str, float]
) -> tuple[RightSize, ...]:
    """The VMs that could be smaller, those that save most memory first.

    vcpus = ⌈used MHz/(clock·limit)⌉, ram = ⌈used/limit⌉ GiB, with the policy's CPU limit for both:
    what was measured fills no more of the VM than a host may be filled. Valid for the percentile
    that was taken of the measurements; a figure that is assumed sizes nothing.

    Args:
        servers: of the catalog, by id: their clocks are those of a vCPU.
        active_gib: memory that was active at the export, by ids of VMs [GiB].
    """
    hosts = {host.id: host.server for host in scenario.hosts}
    limit = scenario.policy.cpu_limit_pct / 100.0
    found = []
    for vm in scenario.vms:
        if not vm.powered_on or vm.workload.kind is not WorkloadKind.GENERIC:
            continue
        server = servers.get(hosts.get(vm.host or "", ""))
        memory, by_moment = vm.workload.memory_gib, False
        if memory is None and vm.id in active_gib:
            memory, by_moment = active_gib[vm.id], True
        each = RightSize(
            vm=vm.id,
            name=vm.name,
            vcpus=vm.vcpus,
            to_vcpus=_vcpus(vm, server, limit),
            ram_gib=vm.ram_gib,
            to_ram_gib=_ram_gib(vm, memory, limit),
            by_moment=by_moment,
        )
        if each.is_smaller:
            found.append(each)
    found.sort(key=lambda each: (each.to_ram_gib - each.ram_gib, each.to_vcpus - each.vcpus))
    return tuple(found)


def _vcpus(vm: Vm, server: Server | None, limit: float) -> int:
    mhz = vm.workload.cpu_mhz
    if mhz is None or origin_of(vm, "workload.cpu_mhz") is Origin.ASSUMED:
        return vm.vcpus
    if server is None or not server.base_mhz or is_pinned(vm, "vcpus"):
        return vm.vcpus
    return min(max(math.ceil(mhz / (server.base_mhz * limit) - 1e-9), 1), vm.vcpus)


def _ram_gib(vm: Vm, used_gib: float | None, limit: float) -> float:
    if used_gib is None or is_pinned(vm, "ram_gib"):
        return vm.ram_gib
    least = max(used_gib / limit, vm.memory_reservation_gib or 0.0, 1.0)
    return min(float(math.ceil(least - 1e-9)), vm.ram_gib)


def chosen(found: Sequence[RightSize], sizes: Sizes) -> tuple[RightSize, ...]:
    """Those that a choice takes: memory of a moment only where that is said."""
    if sizes is Sizes.AS_THEY_ARE:
        return ()
    if sizes is Sizes.ACTIVE:
        return tuple(found)
    kept = (replace(each, to_ram_gib=each.ram_gib) if each.by_moment else each for each in found)
    return tuple(each for each in kept if each.is_smaller)


def saved(found: Sequence[RightSize]) -> tuple[int, float]:
    """vCPUs and memory [GiB] that they give back."""
    vcpus = sum(each.vcpus - each.to_vcpus for each in found)
    return vcpus, sum(each.ram_gib - each.to_ram_gib for each in found)


def with_right_sizes(scenario: Scenario, found: Sequence[RightSize]) -> Scenario:
    """The scenario with these sizes, and a note of it."""
    sizes = {each.vm: each for each in found}
    vms = tuple(_sized(vm, sizes[vm.id]) if vm.id in sizes else vm for vm in scenario.vms)
    made = {new.id for new, old in zip(vms, scenario.vms, strict=True) if new is not old}
    taken = [each for each in found if each.vm in made]
    if not taken:
        return scenario
    vcpus, gib = saved(taken)
    note = say_many(
        "{count} VM is right-sized by what was measured: {vcpus} vCPUs and {gib} GiB less than it "
        "has.",
        "{count} VMs are right-sized by what was measured: {vcpus} vCPUs and {gib} GiB less than "
        "they have.",
        len(taken),
        vcpus=Numeral(f"{vcpus:,}"),
        gib=Numeral(f"{gib:,.0f}"),
    )
    notes = (*scenario.import_notes, ImportNote.of("right-sized", note))
    return replace(scenario, vms=vms, import_notes=notes)


def _sized(vm: Vm, size: RightSize) -> Vm:
    if vm.workload.kind is not WorkloadKind.GENERIC:
        return vm
    changed: dict[str, Any] = {
        name: value
        for name, value in (("vcpus", size.to_vcpus), ("ram_gib", size.to_ram_gib))
        if value != getattr(vm, name)
    }
    made = replace(vm, **changed)
    limit = made.memory_limit_gib
    if limit is not None and limit >= made.ram_gib:
        made = replace(made, memory_limit_gib=None)
    return with_origin(made, Origin.AUTO, *changed)
