"""Memory and network of a VM as terms."""

from __future__ import annotations

import numpy as np

from models.base.texts import Numeral, say
from models.catalog.catalog import MemoryOverhead
from models.evidence.constants import USERS_PER_VM, INotes85, Mail85
from models.explain.vm_terms import constant, replicated_users, takes_replicas, users
from models.explain.workings import Workings
from models.formulas.terms import (
    FromCatalog,
    Stated,
    Term,
    difference,
    greatest,
    leaf,
    number,
    product,
    quotient,
    total,
)
from models.physics.memory import MIB_PER_GIB, overhead_mib
from models.physics.network import LARGEST_FRAME_BYTES, SMALLEST_FRAME_BYTES
from models.scenario.scenario import Vm

PACKETS = say("packets/s")
MIB = leaf(say("MiB in a GiB"), MIB_PER_GIB, source=Stated(say("binary units")))


def ram_gib(w: Workings, vm: Vm) -> Term:
    """Guest RAM and the hypervisor's overhead [GiB]."""
    own = w.vm_field(vm, "ram_gib")
    overhead = _overhead(w, vm)
    parts = (own,) if overhead is None else (own, overhead)
    return total(say("RAM of {name}", name=vm.name), *parts, unit="GiB")


def _overhead(w: Workings, vm: Vm) -> Term | None:
    """By the hypervisor's table; None where there is none."""
    if vm.host is None:
        return None
    hypervisor = w.catalog.hypervisors[w.scenario.host(vm.host).hypervisor]
    table = hypervisor.memory_overhead
    if table is None:
        return None
    return quotient(say("overhead"), _from_table(hypervisor.id, table, vm), MIB, unit="GiB")


def _from_table(hypervisor: str, table: MemoryOverhead, vm: Vm) -> Term:
    """Between the four figures of the table around this RAM and these vCPUs [MiB]."""
    sizes = np.array(table.ram_mib)
    widths = np.array(table.vcpus, dtype=np.float64)
    ram, width = max(vm.ram_gib * MIB_PER_GIB, sizes[0]), max(float(vm.vcpus), widths[0])
    row, along_ram = _cell(sizes, ram)
    column, along_width = _cell(widths, width)
    by_width = [
        _between(
            say("at {count} vCPUs", count=int(widths[at])),
            say("how far to the next size"),
            along_ram,
            [_figure(hypervisor, table, sizes[each], widths[at]) for each in _ends(row, sizes)],
        )
        for at in _ends(column, widths)
    ]
    label, share = say("overhead by the table"), say("how far to the next column")
    return _between(label, share, along_width, by_width)


def _ends(at: int, grid: np.ndarray) -> tuple[int, ...]:
    return (at, at + 1) if len(grid) > 1 else (at,)


def _cell(grid: np.ndarray, at: float) -> tuple[int, float]:
    """The lower corner of the cell that holds `at`, and how far along; > 1 beyond the last."""
    if len(grid) == 1:
        return 0, 0.0
    corner = int(np.clip(np.searchsorted(grid, at, side="right") - 1, 0, len(grid) - 2))
    return corner, float((at - grid[corner]) / (grid[corner + 1] - grid[corner]))


def _figure(hypervisor: str, table: MemoryOverhead, ram_mib: float, vcpus: float) -> Term:
    value = float(overhead_mib(table, np.array([ram_mib]), np.array([vcpus]))[0][0])
    size = Numeral(f"{ram_mib / MIB_PER_GIB:g}")
    label = say("{ram} GiB, {vcpus} vCPUs", ram=size, vcpus=f"{vcpus:g}")
    source = FromCatalog("hypervisors", hypervisor, "memory_overhead")
    return leaf(label, value, "MiB", source=source)


def _between(label: str, share: str, along: float, ends: list[Term]) -> Term:
    """first + along · (second − first), as long as there is something to go along."""
    if len(ends) == 1 or along == 0.0:
        return ends[0]
    step = difference(say("step"), ends[1], ends[0], unit="MiB")
    part = leaf(share, along, source=Stated(say("linear between the figures of the table")))
    further = product(say("part of the step"), part, step, unit="MiB")
    return total(label, ends[0], further, unit="MiB")


def network_mbps(w: Workings, vm: Vm) -> Term:
    """Load on the network [Mb/s]."""
    row, laws, c = w.vm_rows[vm.id], w.inputs.laws, w.constants
    label = say("network load of {name}", name=vm.name)
    if not vm.powered_on:
        return leaf(label, 0.0, "Mb/s", source=Stated(say("the VM is switched off")))
    if laws.generic[row]:
        return product(label, w.vm_field(vm, "workload.network_mbps"), unit="Mb/s")
    if not laws.inotes[row] and (w.pushes(vm) or takes_replicas(w, vm)):
        return greatest(label, *(_member_mbps(w, vm, frame) for frame in _FRAMES), unit="Mb/s")
    figures = c.inotes85 if laws.inotes[row] else c.mail85
    frame = _FRAMES[-1]
    return product(label, _packets(figures), users(w, vm), frame, MEGABITS, unit="Mb/s")


def _packets(figures: Mail85 | INotes85) -> Term:
    return total(
        say("packets of a user"),
        constant(say("packets received"), figures.packets_received_per_user),
        constant(say("packets sent"), figures.packets_sent_per_user),
        unit=PACKETS,
    )


def _member_mbps(w: Workings, vm: Vm, frame: Term) -> Term:
    """What users and partners of a member of a Domino cluster load, with frames of that size."""
    size = frame.label
    paper = Stated(say("vSphere 4 paper"))
    servers = leaf(say("users of a server"), USERS_PER_VM, say("users"), source=paper)
    figure = constant(say("network of a clustered server"), w.constants.cluster85.network_mb_per_s)
    eight = number(8.0, say("bits in a byte"))
    both = product(say("network of a clustered server in Mb"), figure, eight)
    client = product(
        say("a user’s own packets, {frame}", frame=size),
        _packets(w.constants.mail85),
        frame,
        MEGABITS,
    )
    between = difference(
        say("between partners, {frame}", frame=size),
        quotient(say("a clustered user"), both, servers),
        client,
    )
    half = quotient(say("one way, {frame}", frame=size), between, number(2.0, say("out and in")))
    there = [(users(w, vm), _copies(w, vm))] if w.pushes(vm) else []
    there += [(replicated_users(w, vm), [])] if takes_replicas(w, vm) else []
    loads = [product(say("its users, {frame}", frame=size), users(w, vm), client, unit="Mb/s")]
    for each, times in there:
        label = say("{users}, one way, {frame}", users=each.label, frame=size)
        loads.append(product(label, each, half, *times, unit="Mb/s"))
    return total(say("load with {frame}", frame=size), *loads, unit="Mb/s")


def _copies(w: Workings, vm: Vm) -> list[Term]:
    copies = float(w.arrays.vms.further_copies[w.vm_rows[vm.id]])
    stated = Stated(say("as many copies as the cluster of its host says"))
    return [] if copies == 1.0 else [leaf(say("further copies"), copies, source=stated)]


_FRAMES = tuple(
    leaf(label, size, say("bytes"), source=Stated(why))
    for label, size, why in (
        (say("smallest frame"), SMALLEST_FRAME_BYTES, say("IEEE 802.3: at least this")),
        (say("largest frame"), LARGEST_FRAME_BYTES, say("IEEE 802.3: at most this")),
    )
)
MEGABITS = leaf(say("Mb in a byte"), 8e-6, source=Stated(say("8 bits, a million in an Mb")))
