"""What a VM asks for, as terms: CPU, disk I/O, network and memory, by the formulas of the model."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from models.base.quantities import Basis
from models.base.texts import Numeral, say
from models.catalog.catalog import MemoryOverhead, Server
from models.explain.leaves import spec_rate
from models.explain.rows import inputs_of
from models.explain.workings import Workings
from models.formulas.terms import FromCatalog, FromEvidence, Stated, Term, leaf
from models.formulas.traced import (
    entitled,
    labelled,
    renamed,
    term_of,
    times,
    traced,
)
from models.physics import memory, network
from models.physics.cpu import CORES
from models.physics.inputs_of_formulas import (
    cores_by_a,
    cores_by_b,
    iops_of_users,
    pct_of_vcpus,
)
from models.physics.laws import slower
from models.physics.measured_load import cores_of_io, cores_of_mhz, evidence_of
from models.scenario.scenario import Vm
from models.scenario.transactions import PER_ACTIVE, PER_MINUTE


def cpu_pct(w: Workings, vm: Vm) -> Term:
    """Per cent of the VM's vCPUs: what runs can't pass 100."""
    if not vm.powered_on:
        return _switched_off("CPU", "%")
    pct = pct_of_vcpus(_load(w, vm), traced(w.vm_field(vm, "vcpus")))
    return entitled(say("CPU of {name}", name=vm.name), pct, "%")


def _switched_off(label: str, unit: str) -> Term:
    return leaf(label, 0.0, unit, source=Stated(say("the VM is switched off")))


def cores(w: Workings, vm: Vm) -> Term:
    """Load on the host in busy cores, also beyond what the vCPUs can run."""
    return term_of(_load(w, vm))


def _load(w: Workings, vm: Vm) -> Any:
    if not vm.powered_on:
        return traced(_switched_off(say("CPU load"), CORES))
    row = inputs_of(w, vm)
    if row.laws.generic:
        return _measured_cores(w, vm)
    of_a = cores_by_a(row) if row.laws.family_a else math.nan
    of_b = cores_by_b(row) if row.laws.b_law else math.nan
    load: Any = row.laws.mixed_cpu(of_a, of_b)
    if row.other is not None:
        users_own = renamed("CPU load of its users", load, CORES)
        load = labelled("CPU load with other work", users_own + row.other.cores, CORES)
    load = labelled("CPU load", load, CORES)
    shifted = times(load, _of_site(w, vm, "cpu_factor"))
    return labelled("CPU load at this site", shifted, CORES)


def _of_site(w: Workings, vm: Vm, factor: str) -> Any:
    """What measured servers of this customer make of a load, or as it was measured itself."""
    site = w.inputs.derating.site
    if site is None or not vm.workload.kind.is_domino or getattr(site, factor) is None:
        return 1.0
    if vm.calibrated is not None and getattr(vm.calibrated, factor) is not None:
        return traced(w.vm_field(vm, f"calibrated.{factor}"))
    return traced(w.policy_field(f"site.{factor}"))


def _measured_cores(w: Workings, vm: Vm) -> Any:
    """A load that somebody measured, where it stands, and what I/O costs there on top."""
    row, own = w.vm_rows[vm.id], w.inputs.own
    assert own is not None  # there is a load to explain
    here, there = w.server_of(w.scenario.host(vm.host or "")), _measured_on(w, vm)
    clocked, slowness = here, cast(Any, 1.0)
    if there is not None and not math.isnan(own.slowness[row]):
        clocked = there
        slowness = slower(spec_rate(there), spec_rate(here)) if there.id != here.id else 1.0
    label, mhz = say("clock of a core"), clocked.base_mhz or math.nan
    clock = traced(w.catalog_field("servers", clocked.id, "base_mhz", label, mhz))
    load = cores_of_mhz(traced(w.vm_field(vm, "workload.cpu_mhz")), clock, slowness)
    if not own.by_io[0, row]:
        return load
    note = say("what I/O costs under ESX over a physical server: docs/model.md, “Measured loads”")
    source = FromEvidence(evidence_of(w.constants), Basis.TRANSFERRED, note)
    label = say("CPU of an I/O under ESX on top")
    each = traced(leaf(label, float(own.io_ms[0, row]), "ms", source=source))
    by_io = cores_of_io(traced(w.vm_field(vm, "workload.iops")), each)
    return labelled("CPU load with I/O", load + by_io, CORES)


def _measured_on(w: Workings, vm: Vm) -> Server | None:
    place = vm.workload.measured_on
    if place is None or place.server is None:
        return None
    return w.knowledge.catalog.servers[place.server]


def transactions(w: Workings, vm: Vm) -> Term:
    """Transactions a minute of its console."""
    label = say("transactions of {name}", name=vm.name)
    if not vm.powered_on:
        return _switched_off(label, PER_MINUTE)
    note = say("geometric mean of published servers")
    source = FromEvidence(PER_ACTIVE.evidence, Basis.TRANSFERRED, note)
    words = say("transactions of an active user")
    each = traced(leaf(words, PER_ACTIVE.per_user, PER_MINUTE, source=source))
    return entitled(label, inputs_of(w, vm).users * each, PER_MINUTE)


def iops(w: Workings, vm: Vm) -> Term:
    """Host I/Os per second."""
    label = say("IOPS of {name}", name=vm.name)
    if not vm.powered_on:
        return _switched_off(label, "IOPS")
    row = inputs_of(w, vm)
    if row.laws.generic:
        return entitled(label, traced(w.vm_field(vm, "workload.iops")), "IOPS")
    load = iops_of_users(row)
    if row.other is not None:
        load = labelled("I/O of its users", load, "IOPS") + row.other.iops
    factor = _of_site(w, vm, "iops_factor")
    if factor != 1.0:
        load = labelled("I/O without the site’s factor", load, "IOPS") * factor
    return entitled(label, load, "IOPS")


# --- memory and network ------------------------------------------------------------------------


def ram_gib(w: Workings, vm: Vm) -> Term:
    """Guest RAM and the hypervisor's overhead [GiB]."""
    whole: Any = traced(w.vm_field(vm, "ram_gib"))
    if (overhead := _overhead(w, vm)) is not None:
        whole = whole + overhead
    return entitled(say("RAM of {name}", name=vm.name), whole, "GiB")


def _overhead(w: Workings, vm: Vm) -> Any:
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
    return memory.overhead_gib(mib)


def _figure(hypervisor: str, table: MemoryOverhead, ram_mib: float, vcpus: float) -> Term:
    value = float(memory.overhead_mib(table, np.array([ram_mib]), np.array([vcpus]))[0][0])
    size = Numeral(f"{ram_mib / memory.MIB_PER_GIB:g}")
    label = say("{ram} GiB, {vcpus} vCPUs", ram=size, vcpus=f"{vcpus:g}")
    source = FromCatalog("hypervisors", hypervisor, "memory_overhead")
    return leaf(label, value, "MiB", source=source)


def network_mbps(w: Workings, vm: Vm) -> Term:
    """Load on the network [Mb/s]."""
    label = say("network load of {name}", name=vm.name)
    if not vm.powered_on:
        return _switched_off(label, "Mb/s")
    row = inputs_of(w, vm)
    if row.laws.generic:
        return entitled(label, traced(w.vm_field(vm, "workload.network_mbps")), "Mb/s")
    constants, vms = row.calibration.constants, w.arrays.vms
    pushes = w.pushes(vm) and not row.laws.inotes
    if not pushes and row.received is None:
        frame = network.LARGEST_FRAME_BYTES
        load = network.users_mbps(row.laws.inotes, row.users, frame, constants)
        return entitled(label, load, "Mb/s")
    why = Stated(say("as many copies as the cluster of its host says"))
    count = float(vms.further_copies[w.vm_rows[vm.id]]) if pushes else 0.0
    copies: Any = traced(leaf(say("further copies"), count, source=why))
    received: Any = 0.0 if row.received is None else row.received
    small, large = (
        network.member_mbps(row.users, received, copies, frame, constants)
        for frame in (network.SMALLEST_FRAME_BYTES, network.LARGEST_FRAME_BYTES)
    )
    return entitled(label, np.maximum(small, large), "Mb/s")
