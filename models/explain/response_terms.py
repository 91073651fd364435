"""Response and ready time of a VM as terms: its own law, and what it waits among others."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from models.base.quantities import Basis, FloatArray
from models.base.texts import Numeral, say
from models.evidence.family_a import CLOSED, response_at_load
from models.explain import host_terms
from models.explain.pool_terms import miss_ms
from models.explain.rows import inputs_of
from models.explain.vm_terms import cores, cpu_pct
from models.explain.workings import Workings
from models.formulas.terms import (
    HUNDRED,
    FromEvidence,
    Operation,
    Predicted,
    Stated,
    Term,
    leaf,
    least,
    product,
    quotient,
    total,
)
from models.formulas.traced import at_least, entitled, labelled, plus, term_of, traced
from models.physics import cpu, response
from models.physics.cpu import CORES, SAKASEGAWA, neighbour_ratio, waiting_ratio
from models.physics.pools import pool_room
from models.physics.storage import DEFAULT_RUN_MISS_MS, run_miss_ms
from models.scenario.scenario import Vm


def response_ms(w: Workings, vm: Vm) -> Term:
    """R_own + Δ(disks) + Δ(cores) [ms]."""
    row = inputs_of(w, vm)
    asked = _asked(w, vm, row)
    idle, disk, of_cpu = _idle(row, asked)
    own = _own(w, vm, row, asked, idle)
    label = say("response time of {name}", name=vm.name)
    so_far, think = own, row.calibration.law.think_time_ms
    if (disks := _disks(w, vm, own, disk, think)) is not None:
        so_far = so_far + disks
    added = _cores(w, vm, labelled("so far", so_far, "ms"), of_cpu, think)
    return entitled(label, plus(so_far, added), "ms")


# --- the VM alone ------------------------------------------------------------------------------


def _asked(w: Workings, vm: Vm, row: Any) -> Any:
    """What it asks for, as `response.Asked` has it."""
    figure, reads = w.constants.cluster85.response_ms, None
    note = say(
        "R·(1 − U) of {response} ms at {cpu} % of CPU",
        response=Numeral(f"{figure.value:g}"),
        cpu=Numeral(f"{w.constants.cluster85.cpu_pct.value:g}"),
    )
    source = FromEvidence(figure.evidence, Basis.TRANSFERRED, note)
    base = response.family_b_base_ms(w.law, w.constants)
    label = say("response of an idle server at 16 GB")
    if vm.pool is not None:
        reads = float(pool_room(w.arrays.pools).reads[w.pool_rows[vm.pool]])
    miss = DEFAULT_RUN_MISS_MS if reads is None else float(run_miss_ms(np.array(reads)))
    drives = Stated(say("15,000 rpm behind a cache that takes 30 % of reads"))
    missed = leaf(say("what an I/O asked of the drives that ran"), miss, "ms", source=drives)
    there = None if vm.pool is None else w.scenario.pool(vm.pool)
    return SimpleNamespace(
        users=row.users,
        ram_gib=row.ram_gib,
        pct_per_user_b=row.pct_per_user_b,
        base_b_ms=traced(leaf(label, base, "ms", source=source)),
        base_iops=row.base_iops,
        cache=row.cache,
        miss_ms=np.nan if there is None else traced(miss_ms(w, there)),
        run_miss_ms=traced(missed),
    )


def _idle(row: Any, asked: Any) -> response.Idle:
    """Idle response, disk and CPU time of an action, by the family that holds or both."""
    laws, law, none = row.laws, row.calibration.law, (np.full((), np.nan),) * 3
    of_a = none
    if laws.family_a:
        of_a = response.idle_a(laws, asked, law, row.calibration.constants)
    of_b = response.idle_b(laws, asked, law) if laws.family_b else none
    return response.mixed_idle(laws, of_a, of_b)


def _own(w: Workings, vm: Vm, row: Any, asked: Any, idle: FloatArray) -> FloatArray:
    """R of the VM alone: r/(1 − U) for users that wait instead of asking."""
    laws, law = row.laws, row.calibration.law
    load: Any = _vcpu_load(w, vm)
    stretch: Any = 0.0
    if float(laws.knee) > 0.0:
        stretch = response.stretch_here(laws, law)
        load = response.busiest(load, response.path_alone(laws, asked, law), laws.knee)
    own = response_at_load(idle, load, think_time_ms=law.think_time_ms, stretch=stretch)
    note = CLOSED
    if float(stretch) > 0.0:
        note = say("as before, with what an action asks for on the x366 at this load")
    return labelled("response by its own law", own, "ms", note=note)


def _vcpu_load(w: Workings, vm: Vm) -> FloatArray:
    """U^p/(U^p + V·(1 − U)): several vCPUs as one that stretches an action as much."""
    count = traced(w.vm_field(vm, "vcpus"))
    each = labelled("load of its vCPUs", traced(cores(w, vm)) / count)
    return each if vm.vcpus == 1 else response.vcpu_load(each, count)


# --- waiting at what it shares -----------------------------------------------------------------


def _disks(
    w: Workings, vm: Vm, own: FloatArray, asked: FloatArray, think: FloatArray
) -> FloatArray | None:
    """Δ(disks): waiting among others, less what the measurement held already."""
    row = w.vm_rows[vm.id]
    if vm.pool is None or w.normal.responses.parts.disk_ms[row] <= 0.0:
        return None
    there = _pool_load(w, vm, float(w.normal.sharing.disks.load[0, row]))
    return response.delta_disks(
        own,
        response.Parts(asked, np.zeros(1)),
        response.Disks(traced(there), _reference_load(w, vm)),
        think_time_ms=think,
    )


def _pool_load(w: Workings, vm: Vm, load: float) -> Term:
    pct = 100.0 * load
    source = Predicted("pools", vm.pool or "", "utilisation_pct")
    shown = leaf(say("pool’s load"), pct, "%", source=source)
    return quotient(say("load of the pool"), shown, HUNDRED)


def _reference_load(w: Workings, vm: Vm) -> FloatArray:
    """The VM alone on its pool, or on one as large as that of the measurement."""
    row = w.vm_rows[vm.id]
    own = leaf(
        say("its own I/O"),
        max(float(w.normal.vm.io.value[row]), 0.0),
        "IOPS",
        source=Predicted("vms", vm.id, "iops"),
    )
    limit = float(w.normal.pool.limits[0][w.pool_rows[vm.pool or ""]])
    most = leaf(
        say("host I/O that keeps the pool fully busy"),
        limit,
        "IOPS",
        source=Predicted("pools", vm.pool or "", "utilisation_pct"),
    )
    return response.load_alone(traced(own), traced(most))


def _cores(
    w: Workings, vm: Vm, so_far: FloatArray, asked: FloatArray, think: FloatArray
) -> FloatArray | float:
    """Δ(cores): waiting among the host's VMs less that alone, and a moment for busy neighbours."""
    if float(asked) <= 0.0:
        return 0.0
    own = least(say("its own load"), cores(w, vm), w.vm_field(vm, "vcpus"), unit=CORES)
    at = response.Cores(
        traced(_core_count(w, vm)),
        traced(_reference_cores(w, vm)),
        traced(_busy(w, vm)),
        traced(own),
    )
    parts = response.Parts(np.zeros(1), asked)
    return response.delta_cores(
        so_far,
        asked,
        at.cores,
        busy=at.busy,
        own=at.own,
        before_ms=response.wait_alone(so_far, parts, at, think_time_ms=think),
        think_time_ms=think,
    )


def _core_count(w: Workings, vm: Vm) -> Term:
    host = w.scenario.host(vm.host or "")
    cores = float(w.arrays.vms.at.cores[w.vm_rows[vm.id]])
    return w.catalog_field("servers", host.server, "cores", say("cores of the host"), cores, CORES)


def _reference_cores(w: Workings, vm: Vm) -> Term:
    """Cores of the measured machine."""
    needed = float(w.normal.sharing.cores.reference_cores[w.vm_rows[vm.id]])
    source = Stated(say("WV21 4, vSphere 4 2"))
    return leaf(say("cores of the measured VM"), needed, CORES, source=source)


def _busy(w: Workings, vm: Vm) -> Term:
    """Busy cores of the host, from what is shown of it."""
    host = w.scenario.host(vm.host or "")
    load = float(w.normal.sharing.cores.busy[0, w.vm_rows[vm.id]])
    count = _core_count(w, vm)
    pct = leaf(
        say("CPU of the host"),
        100.0 * load / count.value,
        "%",
        source=Predicted("hosts", host.id, "cpu_pct"),
    )
    share = quotient(say("share of its cores"), pct, HUNDRED)
    return product(say("busy cores of the host"), share, count, unit=CORES)


# --- ready time --------------------------------------------------------------------------------


def ready_pct(w: Workings, vm: Vm) -> Term:
    """Ready over run time, times what runs: never idle, both make up all the time [%]."""
    label, row = say("ready time of {name}", name=vm.name), w.vm_rows[vm.id]
    if bool(w.arrays.vms.at.physical[row]) or vm.host is None:
        return leaf(label, 0.0, "%", source=Stated(say("no hypervisor lets it wait")))
    ratio, runs = traced(_ready_ratio(w, vm)), traced(cpu_pct(w, vm))
    return entitled(label, cpu.ready_pct(ratio, runs, np.asarray(False)), "%")


def _ready_ratio(w: Workings, vm: Vm) -> Term:
    count = traced(_core_count(w, vm))
    own = least(say("its own load"), cores(w, vm), w.vm_field(vm, "vcpus"), unit=CORES)
    if not vm.powered_on:
        own = product(say("its own load"), cores(w, vm), unit=CORES)
    busy = _busy(w, vm)
    there = labelled("cores alone", at_least(count, traced(_reference_cores(w, vm))), CORES)
    among = _waiting(say("waiting for a core, all VMs"), count, busy)
    alone = _waiting(say("the same, the VM alone"), there, own)
    host = w.scenario.host(vm.host or "")
    ratio = neighbour_ratio(
        count,
        traced(host_terms.vcpus(w, host)),
        traced(w.vm_field(vm, "vcpus")),
        traced(busy),
        traced(own),
        traced(among),
        traced(alone),
    )
    term = term_of(ratio)
    return term if term.operation is Operation.SUM else total(say("ready over run time"), term)


def _waiting(label: str, count: FloatArray, load: Term) -> Term:
    return replace(term_of(waiting_ratio(count, traced(load))), label=label, note=SAKASEGAWA)
