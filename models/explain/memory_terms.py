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
from models.formulas.traced import term_of, traced
from models.physics import memory
from models.physics.network import LARGEST_FRAME_BYTES, SMALLEST_FRAME_BYTES
from models.scenario.scenario import Vm

PACKETS = say("packets/s")


def ram_gib(w: Workings, vm: Vm) -> Term:
    """Guest RAM and the hypervisor's overhead [GiB]."""
    own = w.vm_field(vm, "ram_gib")
    overhead = _overhead(w, vm)
    parts = (own,) if overhead is None else (own, overhead)
    return total(say("RAM of {name}", name=vm.name), *parts, unit="GiB")


def _overhead(w: Workings, vm: Vm) -> Term | None:
    """By the hypervisor's table, between the figures around this RAM and these vCPUs; None where
    there is none."""
    if vm.host is None:
        return None
    hypervisor = w.knowledge.catalog.hypervisors[w.scenario.host(vm.host).hypervisor]
    table = hypervisor.memory_overhead
    if table is None:
        return None
    sizes, widths = np.array(table.ram_mib), np.array(table.vcpus, dtype=np.float64)
    down, along_ram = memory.cell_of(sizes, np.array([vm.ram_gib * memory.MIB_PER_GIB]))
    right, along_vcpus = memory.cell_of(widths, np.array([float(vm.vcpus)]))
    rows = [min(int(down[0]) + step, len(sizes) - 1) for step in (0, 1)]
    columns = [min(int(right[0]) + step, len(widths) - 1) for step in (0, 1)]
    corners = [
        traced(_figure(hypervisor.id, table, sizes[row], widths[column]))
        for column in columns
        for row in rows
    ]
    linear = Stated(say("linear between the figures of the table"))
    size = leaf(say("how far to the next size"), float(along_ram[0]), source=linear)
    width = leaf(say("how far to the next column"), float(along_vcpus[0]), source=linear)
    named = [int(widths[column]) for column in columns]
    mib = memory.within_cell(corners, traced(size), traced(width), named)
    return term_of(memory.overhead_gib(mib))


def _figure(hypervisor: str, table: MemoryOverhead, ram_mib: float, vcpus: float) -> Term:
    value = float(memory.overhead_mib(table, np.array([ram_mib]), np.array([vcpus]))[0][0])
    size = Numeral(f"{ram_mib / memory.MIB_PER_GIB:g}")
    label = say("{ram} GiB, {vcpus} vCPUs", ram=size, vcpus=f"{vcpus:g}")
    source = FromCatalog("hypervisors", hypervisor, "memory_overhead")
    return leaf(label, value, "MiB", source=source)


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
