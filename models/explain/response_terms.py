"""Response and ready time of a VM as terms: its own law, and what it waits among others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from models.base.quantities import Basis, FloatArray
from models.base.texts import Numeral, say
from models.evidence.family_a import CLOSED, response_at_load
from models.explain import host_terms
from models.explain.family_a_terms import LAW, base_ms, fitted, path_load, stretch_of
from models.explain.pool_terms import miss_ms
from models.explain.vm_terms import (
    CORES,
    Formula,
    cores,
    cpu_pct,
    has_older_io,
    io_here,
    io_run,
    mixed,
    older_io,
    ram,
    slowness,
    users,
)
from models.explain.workings import Workings
from models.formulas.terms import (
    HUNDRED,
    ONE,
    FromEvidence,
    Operation,
    Predicted,
    Stated,
    Term,
    greatest,
    leaf,
    least,
    number,
    product,
    quotient,
    total,
)
from models.formulas.traced import at_least, labelled, plus, term_of, traced
from models.physics import response
from models.physics.cpu import SAKASEGAWA, neighbour_ratio, waiting_ratio
from models.physics.laws import Carried
from models.physics.pools import pool_room
from models.physics.storage import DEFAULT_RUN_MISS_MS, REFERENCE_LIMIT_IOPS, run_miss_ms
from models.scenario.scenario import Vm

MS = number(1000.0, say("ms in a second"))


def response_ms(w: Workings, vm: Vm) -> Term:
    """R_own + Δ(disks) + Δ(cores) [ms]."""
    own = _own(w, vm)
    think = _think(w)
    label = say("response time of {name}", name=vm.name)
    so_far = traced(own)
    if (disks := _disks(w, vm, own, think)) is not None:
        so_far = so_far + disks
    added = _cores(w, vm, labelled("so far", so_far, "ms"), think)
    whole = term_of(plus(so_far, added))
    if whole is own:
        return total(label, own, unit="ms")
    return replace(whole, label=label, unit="ms")


def _think(w: Workings) -> Term:
    return fitted(w, *LAW["think_time_ms"], name="think_time_ms")


# --- the VM alone ------------------------------------------------------------------------------


def _own(w: Workings, vm: Vm) -> Term:
    """R of the VM alone: r/(1 − U) for users that wait instead of asking."""
    base, load = traced(_base(w, vm)), traced(_load(w, vm))
    stretch, think = stretch_of(w, vm), traced(_think(w))
    own = response_at_load(base, load, think_time_ms=think, stretch=stretch)
    note = CLOSED
    if float(stretch) > 0.0:
        note = say("as before, with what an action asks for on the x366 at this load")
    return term_of(labelled("response by its own law", own, "ms", note=note))


def _base(w: Workings, vm: Vm) -> Term:
    """Of an idle server here."""
    return mixed(w, vm, say("response when idle"), _part(0), "ms")


def _part(which: int) -> Formula:
    """Idle response, disk or CPU time of an action, by one family."""

    def formula(w: Workings, vm: Vm, /, *, of_a: bool) -> Term:
        return term_of(_idle_here(w, vm, of_a=of_a)[which])

    return formula


def _idle_here(w: Workings, vm: Vm, *, of_a: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    ran = _ran(w, vm, of_a=of_a)
    of_b = replace(_ran(w, vm, of_a=False), disk_ms=ran.disk_ms) if of_a else None
    law, row = (w.inputs.laws.of_a if of_a else w.inputs.laws.of_b), w.vm_rows[vm.id]
    slower: Any = float(law.slowness[row])
    if slower != 1.0:
        slower = traced(slowness(w, vm, of_a=of_a))
    label = say("CPU of its release and hypervisor over that measured")
    why = Stated(say("the factors of its CPU"))
    factor = traced(leaf(label, float(law.cpu_factor[row]), source=why))
    disk: Any = np.nan
    if vm.pool is not None:
        visits = _visits(w, vm, say("I/Os of an action"), io_here(w, vm))
        miss = miss_ms(w, w.scenario.pool(vm.pool))
        disk = traced(product(say("disk time by its I/Os"), visits, miss, unit="ms"))
    more: Any = traced(older_io(w)) if of_a and not has_older_io(w, vm) else 1.0
    here = Carried(slower, factor, np.zeros(1))
    fits = response.fitting(ran, of_b)
    idle, disk, cpu = response.idle_here(ran, fits, here, disk_ms=disk, more_io=more)
    return idle, disk, labelled("CPU time of an action", cpu, "ms")


def _ran(w: Workings, vm: Vm, *, of_a: bool) -> response.Ran:
    """An action on the law's own machine and drives."""
    base = base_ms(w, _run_ram(w, vm)) if of_a else _family_b_base(w, vm)
    cpu, disk = _cpu_run(w, vm, of_a=of_a), _disk_run(w, vm, of_a=of_a)
    return response.Ran(traced(base), traced(cpu), traced(disk))


def _run_ram(w: Workings, vm: Vm) -> Term:
    """RAM as far as it was run."""
    return term_of(response.as_run(traced(ram(w, vm))))


def _family_b_base(w: Workings, vm: Vm) -> Term:
    """Of family B: its one response time, brought to no load and to this RAM."""
    figure = w.constants.cluster85.response_ms
    idle = response.family_b_base_ms(w.law, w.constants)
    note = say(
        "R·(1 − U) of {response} ms at {cpu} % of CPU",
        response=Numeral(f"{figure.value:g}"),
        cpu=Numeral(f"{w.constants.cluster85.cpu_pct.value:g}"),
    )
    at_16 = leaf(
        say("response of an idle server at 16 GB"),
        idle,
        "ms",
        source=FromEvidence(figure.evidence, Basis.TRANSFERRED, note),
    )
    exponent = traced(fitted(w, *LAW["miss_exponent"], name="miss_exponent"))
    return term_of(response.at_ram(traced(at_16), traced(ram(w, vm)), exponent))


def _load(w: Workings, vm: Vm) -> Term:
    """Of the VM's own busiest resource: its vCPUs, behind family A's array also the path."""
    of_cpus = _vcpu_load(w, vm)
    if w.inputs.laws.knee[w.vm_rows[vm.id]] == 0.0:
        return of_cpus
    of_path = path_load(w, vm, users(w, vm), ram(w, vm))
    return greatest(say("load of its busiest resource"), of_path, of_cpus)


def _vcpu_load(w: Workings, vm: Vm) -> Term:
    """U^p/(U^p + V·(1 − U)): several vCPUs as one that stretches an action as much."""
    count = w.vm_field(vm, "vcpus")
    each = quotient(say("load of its vCPUs"), cores(w, vm), count)
    if count.value == 1.0:
        return each
    return term_of(response.vcpu_load(traced(each), traced(count)))


# --- waiting at what it shares -----------------------------------------------------------------


def _disks(w: Workings, vm: Vm, own: Term, think: Term) -> FloatArray | None:
    """Δ(disks): waiting among others, less what the measurement held already."""
    row = w.vm_rows[vm.id]
    if vm.pool is None or w.normal.responses.parts.disk_ms[row] <= 0.0:
        return None
    asked = mixed(w, vm, say("disk time of an action"), _part(1), "ms")
    disks = w.normal.sharing.disks
    there = _pool_load(w, vm, float(disks.load[0, row]))
    alone = _reference_load(w, vm, float(disks.reference[0, row]))
    return response.delta_disks(
        traced(own),
        response.Parts(traced(asked), np.zeros(1)),
        response.Disks(traced(there), traced(alone)),
        think_time_ms=traced(think),
    )


def _pool_load(w: Workings, vm: Vm, load: float) -> Term:
    pct = 100.0 * load
    source = Predicted("pools", vm.pool or "", "utilisation_pct")
    shown = leaf(say("pool’s load"), pct, "%", source=source)
    return quotient(say("load of the pool"), shown, HUNDRED)


def _reference_load(w: Workings, vm: Vm, reference: float) -> Term:
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
    measured = leaf(
        say("the same of the measured pool"),
        REFERENCE_LIMIT_IOPS,
        "IOPS",
        source=Stated(
            say("35 drives of 15,000 rpm in RAID 5 behind a cache that takes 30 % of reads")
        ),
    )
    larger = greatest(say("the larger pool"), most, measured)
    return quotient(say("load by the VM alone"), own, larger)


def _disk_run(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """What the I/Os of an action asked of the drives of the runs."""
    each = io_run(w, vm, _run_ram(w, vm), of_a=of_a)
    visits = _visits(w, vm, say("I/Os of an action as they ran"), each)
    reads = float(pool_room(w.arrays.pools).reads[w.pool_rows[vm.pool]]) if vm.pool else None
    miss = DEFAULT_RUN_MISS_MS if reads is None else float(run_miss_ms(np.array(reads)))
    drives = Stated(say("15,000 rpm behind a cache that takes 30 % of reads"))
    missed = leaf(say("what an I/O asked of the drives that ran"), miss, "ms", source=drives)
    return product(say("disk time of the drives that ran"), visits, missed, unit="ms")


def _visits(w: Workings, vm: Vm, label: str, each: Term) -> Term:
    return quotient(
        label,
        product(say("{what}: I/O of a user × think time", what=label), each, _think(w)),
        MS,
        note=say("forced flow: visits are rate times cycle"),
    )


def _cpu_run(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """CPU of an action on one core of the measured machine, at the measured release."""
    why = (
        say("CPU of the law at 1,000 users, per user, times think time")
        if of_a
        else say("CPU of a user times think time")
    )
    alone = w.normal.responses.alone
    value = float((alone.run_cpu_a if of_a else alone.run_cpu_b)[w.vm_rows[vm.id]])
    return leaf(say("CPU of an action as it ran"), value, "ms", source=Stated(why))


def _cores(w: Workings, vm: Vm, so_far: FloatArray, think: Term) -> FloatArray | float:
    """Δ(cores): waiting among the host's VMs less that alone, and a moment for busy neighbours."""
    asked = mixed(w, vm, say("CPU time of an action"), _part(2), "ms")
    if asked.value <= 0.0:
        return 0.0
    own = least(say("its own load"), cores(w, vm), w.vm_field(vm, "vcpus"), unit=CORES)
    count, time = _core_count(w, vm), traced(think)
    at = response.Cores(
        traced(count),
        traced(_reference_cores(w, vm)),
        traced(_busy(w, vm)),
        traced(own),
    )
    parts = response.Parts(np.zeros(1), traced(asked))
    before = response.wait_alone(so_far, parts, at, think_time_ms=time)
    return response.delta_cores(
        so_far,
        parts.cpu_ms,
        at.cores,
        busy=at.busy,
        own=at.own,
        before_ms=before,
        think_time_ms=time,
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
    ratio = _ready_ratio(w, vm)
    never_idle = quotient(
        say("what runs if never idle"), HUNDRED, total(say("1 + ratio"), ONE, ratio)
    )
    running = least(say("what runs"), cpu_pct(w, vm), never_idle, unit="%")
    return product(label, ratio, running, unit="%")


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
