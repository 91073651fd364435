"""Response and ready time of a VM as terms: its own law, and what it waits among others."""

from __future__ import annotations

import numpy as np

from models.base.quantities import Basis
from models.base.texts import Numeral, say
from models.explain import host_terms
from models.explain.family_a_terms import base_ms, fitted, path_load, stretch_power, stretches
from models.explain.pool_terms import miss_ms
from models.explain.vm_terms import (
    CORES,
    VSPHERE4,
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
    difference,
    greatest,
    leaf,
    least,
    number,
    power,
    product,
    quotient,
    total,
    worked,
)
from models.physics import response
from models.physics.cpu import NEIGHBOUR_WAIT, TANGENT_FROM, vcpu_power
from models.physics.demand import LARGEST_RAM_RUN_GIB
from models.physics.pools import pool_room
from models.physics.response import CLUSTER_RAM_GIB
from models.physics.storage import DEFAULT_RUN_MISS_MS, REFERENCE_LIMIT_IOPS, run_miss_ms
from models.scenario.scenario import Vm

TWO = number(2.0)
ZERO = number(0.0)
MS = number(1000.0, say("ms in a second"))


def response_ms(w: Workings, vm: Vm) -> Term:
    """R_own + Δ(disks) + Δ(cores) [ms]."""
    own = _own(w, vm)
    think = _think(w)
    parts = [own]
    disks = _disks(w, vm, own, think)
    if disks is not None:
        parts.append(disks)
    so_far = total(say("so far"), *parts, unit="ms") if disks is not None else own
    parts += _cores(w, vm, so_far, think)
    return total(say("response time of {name}", name=vm.name), *parts, unit="ms")


def _think(w: Workings) -> Term:
    return fitted(w, say("think time"), "think_time_ms", "ms")


# --- the VM alone ------------------------------------------------------------------------------


def _own(w: Workings, vm: Vm) -> Term:
    """R of the VM alone: r/(1 − U) for users that wait instead of asking."""
    think, base, load = _think(w), _base(w, vm), _load(w, vm)
    label = say("response by its own law")
    if not stretches(w, vm):
        return closed_response(label, base, load, think)
    single = closed_response(say("response with the path alone"), base, load, think)
    stretch = quotient(say("its stretch over the response when idle"), single, base)
    growth = power(say("what the stretch makes of an action"), stretch, stretch_power(w, vm))
    action = product(say("response when idle, stretched"), base, growth, unit="ms")
    note = say("as before, with what an action asks for on the x366 at this load")
    return closed_response(label, action, load, think, note)


def _base(w: Workings, vm: Vm) -> Term:
    """Of an idle server here."""
    return mixed(w, vm, say("response when idle"), _idle, "ms")


def _idle(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """By one family: as it ran, with the drives here instead of those of the runs, and with what a
    slower machine adds."""
    base = _base_run(w, vm, of_a=of_a)
    label = say("response of an idle server here")
    added = []
    speed = float((w.inputs.laws.of_a if of_a else w.inputs.laws.of_b).slowness[w.vm_rows[vm.id]])
    if speed > 1.0:
        slower = difference(say("slower by"), slowness(w, vm, of_a=of_a), ONE)
        cpu = _cut(w, vm, say("CPU time as it ran"), _cpu_run(w, vm, of_a=of_a), of_a=of_a)
        added.append(product(say("added by the slower machine"), cpu, slower, unit="ms"))
    if vm.pool is not None:
        disk, ran = _disk_in_idle(w, vm, of_a=of_a), _disk_cut(w, vm, of_a=of_a)
        added.append(difference(say("drives here less those of the runs"), disk, ran, unit="ms"))
    return total(label, base, *added, unit="ms") if added else base


def _base_run(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """On the law's own machine and drives."""
    return base_ms(w, _run_ram(w, vm)) if of_a else _family_b_base(w, vm)


def _run_ram(w: Workings, vm: Vm) -> Term:
    """RAM as far as it was run."""
    counted = ram(w, vm)
    if counted.value <= LARGEST_RAM_RUN_GIB:
        return counted
    run = leaf(say("largest RAM that was run"), LARGEST_RAM_RUN_GIB, "GiB", source=VSPHERE4)
    return least(say("RAM, as far as it was run"), counted, run, unit="GiB")


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
    table = Stated(say("vSphere 4 paper, table 3"))
    reference = leaf(say("its RAM"), CLUSTER_RAM_GIB, "GiB", source=table)
    smaller = quotient(say("its RAM over this one’s"), reference, _run_ram(w, vm))
    exponent = fitted(w, say("fall of I/O with RAM, exponent"), "miss_exponent")
    effect = power(say("effect of RAM"), smaller, exponent)
    return product(say("response of an idle server"), at_16, effect, unit="ms")


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
    if each.value >= 1.0 or count.value == 1.0:
        return each
    twice = product(say("2 · (vCPUs + 1)"), TWO, total(say("vCPUs + 1"), count, ONE))
    root = worked(Operation.ROOT, say("its root"), twice)
    busy = power(say("all vCPUs busy"), each, difference(say("exponent of vCPUs"), root, ONE))
    free = product(say("vCPUs · (1 − U)"), count, difference(say("free share of vCPUs"), ONE, each))
    both = total(say("busy and free"), busy, free)
    label = say("load of its vCPUs, as of a single one")
    return quotient(label, busy, both, note=SAKASEGAWA)


def closed_response(label: str, base: Term, load: Term, think: Term, note: str = "") -> Term:
    """√(h² + r·Z) − h with h = (Z·(1 − U) − r)/2; where h is positive r·Z/(√(h² + r·Z) + h).

    Both are one root; each is used where it does not subtract two nearly equal numbers.
    """
    share = difference(say("free share"), ONE, load)
    free = product(say("think time of the free share"), think, share)
    spare = difference(say("less the response when idle"), free, base)
    half = quotient(say("half the spare think time, h"), spare, TWO, unit="ms")
    asked = product(say("response when idle × think time, r·Z"), base, think)
    square = product("h²", half, half)
    root = worked(Operation.ROOT, "√(h² + r·Z)", total("h² + r·Z", square, asked), unit="ms")
    why = note or say("r/(1 − U) of a closed population: users that wait do not ask")
    if half.value > 0.0:
        return quotient(
            label, asked, total("√(h² + r·Z) + h", root, half, unit="ms"), unit="ms", note=why
        )
    return difference(label, root, half, unit="ms", note=why)


# --- waiting at what it shares -----------------------------------------------------------------


def _wait(label: str, asked: Term, load: Term, think: Term) -> Term:
    """What waiting adds to an amount of service at a load."""
    whole = closed_response(say("{what}: service and waiting", what=label), asked, load, think)
    return difference(label, whole, asked, unit="ms")


def _thinking(so_far: Term, think: Term) -> tuple[Term, Term]:
    """Time until the next action, and the share of it in which users ask here."""
    cycle = total(say("think time and response so far"), think, so_far, unit="ms")
    return cycle, quotient(say("share of thinking"), think, cycle)


def _disks(w: Workings, vm: Vm, own: Term, think: Term) -> Term | None:
    """Δ(disks): waiting among others, less what the measurement held already."""
    row = w.vm_rows[vm.id]
    if vm.pool is None or w.normal.responses.parts.disk_ms[row] <= 0.0:
        return None
    asked = mixed(w, vm, say("disk time of an action"), _disk_here, "ms")
    cycle, share = _thinking(own, think)
    disks = w.normal.sharing.disks
    load, reference = float(disks.load[0, row]), float(disks.reference[0, row])
    there = _pool_load(w, vm, load)
    alone = _reference_load(w, vm, reference)
    busier = greatest(say("load of the pool"), there, alone) if load < reference else there
    label = say("asked of it")
    now = _wait(say("waiting at the disks"), asked, product(label, busier, share), cycle)
    was = _wait(ALONE, asked, product(label, alone, share), cycle)
    return difference(say("added by sharing the disks"), now, was, unit="ms")


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


def _disk_here(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """I/Os of an action times what one asks of the drives of its pool, cut as those that ran."""
    pool = w.scenario.pool(vm.pool or "")
    visits = _visits(w, vm, say("I/Os of an action"), io_here(w, vm))
    time = product(say("disk time by its I/Os"), visits, miss_ms(w, pool), unit="ms")
    return _cut(w, vm, say("disk time of an action"), time, of_a=of_a)


def _disk_in_idle(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """The same with the I/Os of the release that ran, where they are more."""
    disk = _disk_here(w, vm, of_a=of_a)
    if not of_a or has_older_io(w, vm):
        return disk
    return product(say("disk time, nothing saved by the release"), disk, older_io(w), unit="ms")


def _disk_cut(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    return _cut(w, vm, say("disk time as it ran"), _disk_run(w, vm, of_a=of_a), of_a=of_a)


def _disk_run(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """The same of the drives of the runs."""
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


def _cpu_here(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """CPU time of an action here, cut as that which ran."""
    cpu = _cut(w, vm, say("CPU time as it ran"), _cpu_run(w, vm, of_a=of_a), of_a=of_a)
    laws, row = w.inputs.laws, w.vm_rows[vm.id]
    here, factors = laws.of_a if of_a else laws.of_b, []
    if here.slowness[row] != 1.0:
        factors.append(slowness(w, vm, of_a=of_a))
    if here.cpu_factor[row] != 1.0:
        label = say("CPU of its release and hypervisor over that measured")
        why = Stated(say("the factors of its CPU"))
        factors.append(leaf(label, float(here.cpu_factor[row]), source=why))
    return product(say("CPU time of an action"), cpu, *factors, unit="ms")


def _cut(w: Workings, vm: Vm, label: str, time: Term, *, of_a: bool) -> Term:
    """A time of an action, cut down so that disk and CPU that ran are no more than idle together,
    and in family A the drives no larger a share than in family B."""
    disk, idle = _disk_run(w, vm, of_a=of_a), _base_run(w, vm, of_a=of_a)
    cuts = [_share(disk, _cpu_run(w, vm, of_a=of_a), idle)]
    if of_a:
        idle_b = _base_run(w, vm, of_a=False)
        all_b = _share(disk, _cpu_run(w, vm, of_a=False), idle_b)
        of_b = quotient(
            say("share of the drives on vSphere 4"), product(say("its part"), all_b, disk), idle_b
        )
        cuts.append(
            quotient(say("cut to that share"), product(say("share of idle"), of_b, idle), disk)
        )
    cut = least(say("cut of both"), *cuts) if cuts[1:] else cuts[0]
    return product(label, time, cut, unit="ms") if cut.value < 1.0 else product(label, time)


def _share(disk: Term, cpu: Term, idle: Term) -> Term:
    both = total(say("disk and CPU of an action"), disk, cpu, unit="ms")
    cut = quotient(say("cut to the response of an idle server"), idle, both)
    return least(say("cut, at most all"), ONE, cut)


def _cores(w: Workings, vm: Vm, so_far: Term, think: Term) -> list[Term]:
    """Δ(cores): waiting among the host's VMs less that alone, and a moment for busy neighbours."""
    row, at = w.vm_rows[vm.id], w.normal.sharing.cores
    asked = mixed(w, vm, say("CPU time of an action"), _cpu_here, "ms")
    if asked.value <= 0.0:
        return []
    cycle, share = _thinking(so_far, think)
    count = _core_count(w, vm)
    more = _reference_cores(w, vm, count)
    busy = _busy(w, vm)
    own = least(say("its own load"), cores(w, vm), w.vm_field(vm, "vcpus"), unit=CORES)
    everybody = greatest(say("load of all on the host"), busy, own, unit=CORES)
    found = []
    now = _wait(
        say("waiting for a core"),
        quotient(say("at the speed of all cores"), asked, count, unit="ms"),
        product(say("asked of them"), quotient(say("load"), everybody, count), share),
        cycle,
    )
    was = _wait(
        ALONE,
        quotient(say("at the speed of its cores"), asked, more, unit="ms"),
        product(say("asked of them"), quotient(say("load"), own, more), share),
        cycle,
    )
    if now.value > was.value:
        found.append(difference(say("added by sharing the cores"), now, was, unit="ms"))
    others = difference(say("load of the others"), everybody, own, unit=CORES)
    if others.value > 0.0 and float(at.cores[row]) > 0.0:
        kept = quotient(say("share"), others, count)
        beside = least(say("share of cores kept busy by others"), kept, ONE)
        moment = leaf(say("wait beside a busy core"), NEIGHBOUR_WAIT, source=NEIGHBOURS)
        found.append(product(say("a moment for busy neighbours"), asked, beside, moment, unit="ms"))
    return found


ALONE = say("as measured, alone")
NEIGHBOURS = Stated(
    say(
        "vSphere 4 paper, table 1: 0.155 % ready at 28.7 % run beside a like VM, over 7.2 % of "
        "cores"
    )
)


def _core_count(w: Workings, vm: Vm) -> Term:
    host = w.scenario.host(vm.host or "")
    cores = float(w.arrays.vms.at.cores[w.vm_rows[vm.id]])
    return w.catalog_field("servers", host.server, "cores", say("cores of the host"), cores, CORES)


def _reference_cores(w: Workings, vm: Vm, count: Term) -> Term:
    """Cores of the measured machine at least."""
    needed = float(w.normal.sharing.cores.reference_cores[w.vm_rows[vm.id]])
    if count.value >= needed:
        return count
    source = Stated(say("WV21 4, vSphere 4 2"))
    measured = leaf(say("cores of the measured VM"), needed, CORES, source=source)
    return greatest(say("cores alone"), count, measured, unit=CORES)


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
    count = _core_count(w, vm)
    own = least(say("its own load"), cores(w, vm), w.vm_field(vm, "vcpus"), unit=CORES)
    if not vm.powered_on:
        own = product(say("its own load"), cores(w, vm), unit=CORES)
    busy = _busy(w, vm)
    others = difference(say("load of the others"), busy, own, unit=CORES)
    share = quotient(say("share of cores kept busy by others"), others, count)
    beside = product(
        say("moments beside busy cores"),
        leaf(say("wait beside a busy core"), NEIGHBOUR_WAIT, source=NEIGHBOURS),
        least(say("share, at most all"), share, ONE) if share.value > 1 else share,
    )
    among = waiting_ratio(say("waiting for a core, all VMs"), count, busy)
    alone = waiting_ratio(say("the same, the VM alone"), _reference_cores(w, vm, count), own)
    more = greatest(
        say("waiting for others"), difference(say("more than alone"), among, alone), ZERO
    )
    crowd = difference(say("vCPUs a core beyond one"), _vcpus_per_core(w, vm, count), ONE)
    if crowd.value <= 0.0 or more.value <= 0.0:
        return total(say("ready over run time"), beside)
    few = quotient(say("share of vCPUs without a core"), crowd, _vcpus_per_core(w, vm, count))
    why = Stated(say("1.6 over its own vCPUs to the power of 0.4, by simulation"))
    own_vcpus = np.array(float(w.arrays.vms.vcpus[w.vm_rows[vm.id]]))
    steep = leaf(say("power by its own vCPUs"), float(vcpu_power(own_vcpus)), source=why)
    some = product(say("waiting of so many"), more, power(say("few of them"), few, steep))
    both = total(say("waiting and a turn each"), some, crowd)
    turns = product(say("waiting × a turn each"), some, crowd)
    queue = quotient(say("waiting, a turn each at most"), turns, both)
    return total(say("ready over run time"), beside, queue)


def _vcpus_per_core(w: Workings, vm: Vm, count: Term) -> Term:
    """Of the host, secondaries among them."""
    host = w.scenario.host(vm.host or "")
    return quotient(say("vCPUs a core"), host_terms.vcpus(w, host), count)


def waiting_ratio(label: str, count: Term, load: Term) -> Term:
    """ρ^(√(2(c+1)) − 1)/(c·(1 − ρ)): wait over service in M/M/c, straight on from ρ = 0.95."""
    twice = product("2 · (c + 1)", TWO, total("c + 1", count, ONE))
    exponent = difference(say("exponent"), worked(Operation.ROOT, say("its root"), twice), ONE)
    rho = quotient(say("load of a core"), load, count)
    edge = leaf(
        say("where waiting goes on in a straight line"),
        TANGENT_FROM,
        source=Stated(say("a finite population can’t queue without end")),
    )
    inside = least(say("load, up to 0.95"), rho, edge) if rho.value > TANGENT_FROM else rho
    spare = product("c · (1 − ρ)", count, difference("1 − ρ", ONE, inside))
    at = quotient(label, power(say("ρ to the exponent"), inside, exponent), spare, note=SAKASEGAWA)
    if rho.value <= TANGENT_FROM:
        return at
    c, p = count.value, exponent.value
    slope = (p / TANGENT_FROM + 1 / (1 - TANGENT_FROM)) * TANGENT_FROM**p / (c * (1 - TANGENT_FROM))
    rise = leaf(say("slope of the tangent"), slope, source=Stated(say("derivative at 0.95")))
    past = product(say("beyond 0.95"), rise, difference(say("load past it"), rho, edge))
    return total(label, at, past, note=SAKASEGAWA)


SAKASEGAWA = say("H. Sakasegawa 1977, an approximation of M/M/c that is exact for one core")
