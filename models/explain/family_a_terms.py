"""The law of family A as terms: CPU, saturation of the storage path, response of an idle server."""

from __future__ import annotations

import math

from models.base.quantities import Basis
from models.base.texts import Numeral, say
from models.evidence.family_a import (
    DOUBLED_RAM_GIB,
    LARGEST_RUN,
    REFERENCE_RAM_GIB,
    PlatformA,
    StorageA,
)
from models.explain.words import known
from models.explain.workings import Workings
from models.formulas.terms import (
    ONE,
    FromEvidence,
    Operation,
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
from models.scenario.scenario import Vm

THOUSANDS = say("thousand")
THOUSAND = number(1000.0, say("a thousand"))
MACHINES = {PlatformA.X366: "x366", PlatformA.CLOVERTOWN: "Clovertown"}
PATHS = {StorageA.PHYSICAL: say("native"), StorageA.RDM: "RDM", StorageA.VMFS: "VMFS"}


def fitted(w: Workings, label: str, name: str, unit: str = "") -> Term:
    """A parameter of the law, fitted to family A or taken from another document."""
    value = getattr(w.law, name)
    ids = tuple(run.id for run in w.calibration.runs)
    if name == "think_time_ms":
        figure = w.constants.workload.think_time_ms
        source = FromEvidence(figure.evidence, figure.basis, known(figure.note))
    elif name == "miss_exponent":
        figure = w.constants.inotes85.ram_exponent_iops
        source = FromEvidence(figure.evidence, figure.basis, known(figure.note))
    else:
        source = FromEvidence(
            ids, Basis.INTERPOLATED, say("{name}, fitted to the WV21 tables", name=name)
        )
    return leaf(label, value, unit, source=source)


def place_of(w: Workings, vm: Vm) -> tuple[PlatformA, StorageA]:
    """Machine and storage path that the law takes for a VM."""
    row, laws = w.vm_rows[vm.id], w.inputs.laws
    return PlatformA(int(laws.platform[row])), StorageA(int(laws.storage[row]))


def a_cpu_pct(w: Workings, vm: Vm, users: Term, ram: Term) -> Term:
    """Offered CPU [% of the machine's four CPUs], with n in thousands of users:

    a·v·n·exp(c·(n − 1) + w·L·(b − d·(n − 1)))·(1 + slope·(n − 5) beyond 5,000)
    """
    machine, path = place_of(w, vm)
    n = quotient(say("thousands of users"), users, THOUSAND)
    inside = n
    if n.value > LARGEST_RUN:
        largest = leaf(
            say("largest run"), LARGEST_RUN, source=Stated(say("WV21: 5,000 users with CPU"))
        )
        inside = least(say("thousands of users, as far as measured"), n, largest)
    past = difference(say("thousands of users past the first"), inside, ONE)
    first = {PlatformA.X366: "x366_cpu_pct", PlatformA.CLOVERTOWN: "clovertown_cpu_pct"}[machine]
    label = say("CPU of the first 1,000 users, {machine}", machine=MACHINES[machine])
    factors = [fitted(w, label, first, "%")]
    if path is not StorageA.PHYSICAL:
        factors.append(fitted(w, say("CPU under ESX over native"), "esx_cpu_factor"))
    factors += [inside, _growth(w, vm, past, ram)]
    if n.value > LARGEST_RUN:
        factors.append(_beyond(w, n, inside))
    return product(say("CPU by the law of WV21"), *factors, unit="%")


def _growth(w: Workings, vm: Vm, past: Term, ram: Term) -> Term:
    """exp of the growth per user, and of what the storage path costs."""
    growth = fitted(w, GROWTH, "cpu_growth")
    parts = [product(say("growth"), growth, past)]
    path = _path_cost(w, vm, past, ram)
    if path is not None:
        parts.append(path)
    exponent = total(say("exponent"), *parts) if len(parts) > 1 else parts[0]
    return worked(Operation.EXP, say("growth and path"), exponent)


GROWTH = say("growth of CPU per user per 1,000 users")


def _path_cost(w: Workings, vm: Vm, past: Term, ram: Term) -> Term | None:
    """What the path adds to ln CPU; None where it adds nothing."""
    machine, path = place_of(w, vm)
    lossy = bool(w.inputs.laws.lossy[w.vm_rows[vm.id]])
    if not lossy or path is StorageA.PHYSICAL or ram.value >= DOUBLED_RAM_GIB:
        return None
    native = capacity(w, machine, StorageA.PHYSICAL, None)
    own = capacity(w, machine, path, None)
    share = quotient(say("capacity of the path over native"), own, native)
    loss = difference(say("share of capacity that the path loses"), ONE, share)
    excess = fitted(w, say("extra CPU of a lossy path"), "path_cpu_excess")
    fall = product(say("its fall"), fitted(w, say("fall per 1,000 users"), "path_cpu_fall"), past)
    return product(
        say("cost of the storage path"),
        _low_ram(ram),
        loss,
        difference(say("extra CPU at this load"), excess, fall),
    )


def _low_ram(ram: Term) -> Term:
    """1 at 7.25 GiB and below, 0 at 14.5 GiB and above, along the logarithm."""
    why = say("binary logarithm of 14.5 GiB over {ram} GiB", ram=Numeral(f"{ram.value:g}"))
    doublings = leaf(
        say("doublings of RAM up to 14.5 GiB"),
        math.log2(DOUBLED_RAM_GIB / ram.value),
        source=Stated(why),
    )
    return least(say("weight of low RAM"), doublings, ONE)


def _beyond(w: Workings, n: Term, inside: Term) -> Term:
    """CPU goes on in a straight line past the largest run."""
    growth = fitted(w, GROWTH, "cpu_growth")
    run = Stated(say("WV21: 5,000 users"))
    fifth = leaf(say("1 over the largest run"), 1.0 / LARGEST_RUN, source=run)
    rise = greatest(say("growth, if any"), growth, ZERO)
    slope = total(say("slope of the straight line"), fifth, rise)
    further = product(say("straight on"), slope, difference(say("thousands past it"), n, inside))
    return total(say("beyond the largest run"), ONE, further)


ZERO = number(0.0)


def capacity(w: Workings, machine: PlatformA, path: StorageA, ram: Term | None) -> Term:
    """Users that saturate a path [thousands]; at 7.25 GiB without `ram`."""
    factors = [fitted(w, say("users that saturate VMFS at 7.25 GiB"), "vmfs_users", THOUSANDS)]
    if ram is not None:
        relative = quotient(say("RAM over 7.25 GiB"), ram, REFERENCE)
        exponent = fitted(w, say("exponent of RAM"), "ram_exponent")
        factors.append(power(say("gain by RAM"), relative, exponent))
    if path is StorageA.PHYSICAL:
        factors.append(fitted(w, say("native over VMFS"), "native_factor"))
    disk = product(say("by disks, {path}", path=PATHS[path]), *factors, unit=THOUSANDS)
    own = None
    if machine is PlatformA.X366:
        own = fitted(w, say("users that saturate the x366"), "x366_users", THOUSANDS)
    elif path is StorageA.RDM:
        own = fitted(w, say("users that saturate RDM"), "rdm_users", THOUSANDS)
    if own is None:
        return disk
    return least(say("saturation, {path}", path=PATHS[path]), disk, own, unit=THOUSANDS)


REFERENCE = leaf(
    say("RAM of the smaller Clovertown"),
    REFERENCE_RAM_GIB,
    "GiB",
    source=Stated(say("WV21: 7.25 GB")),
)


def path_load(w: Workings, vm: Vm, users: Term, ram: Term) -> Term:
    """Users over those that saturate the storage path."""
    machine, path = place_of(w, vm)
    knee = product(
        say("users that saturate the storage path"),
        capacity(w, machine, path, ram),
        THOUSAND,
        unit=say("users"),
        note=say("the position is fitted; its cause is not known"),
    )
    load = quotient(say("load of the storage path"), users, knee)
    counts = float(w.inputs.laws.knee[w.vm_rows[vm.id]])
    if counts == 1.0:
        return load
    why = say("the knee recedes with the distance from the runs on ESX 3")
    share = leaf(say("share of it that counts"), counts, source=Stated(why))
    return product(say("load of the storage path that counts"), load, share)


def base_ms(w: Workings, ram: Term) -> Term:
    """Response of an idle server [ms]."""
    smaller = quotient(say("7.25 GiB over its RAM"), REFERENCE, ram)
    label = say("response of an idle Clovertown at 7.25 GiB")
    idle = fitted(w, label, "base_response_ms", "ms")
    fall = fitted(w, say("fall of I/O with RAM, exponent"), "miss_exponent")
    effect = power(say("effect of RAM"), smaller, fall)
    return product(say("response of an idle server"), idle, effect, unit="ms")


def stretches(w: Workings, vm: Vm) -> bool:
    """Whether what an action asks for grows with the stretch of the queue."""
    counts = bool(w.inputs.laws.knee[w.vm_rows[vm.id]] > 0.0)
    return counts and place_of(w, vm)[0] is PlatformA.X366


def stretch_power(w: Workings, vm: Vm) -> Term:
    """Power of the stretch by which it grows, larger by a path that loses capacity."""
    alone = fitted(w, say("power of the stretch on the x366"), "x366_stretch")
    row, path = w.vm_rows[vm.id], place_of(w, vm)[1]
    factors, counts = [alone], float(w.inputs.laws.knee[row])
    if path is not StorageA.PHYSICAL:
        native = capacity(w, PlatformA.CLOVERTOWN, StorageA.PHYSICAL, None)
        own = capacity(w, PlatformA.CLOVERTOWN, path, None)
        factors.append(quotient(say("native capacity over that of the path"), native, own))
    if counts < 1.0:
        why = Stated(say("the knee recedes with the distance from the runs on ESX 3"))
        factors.append(leaf(say("share of it that counts"), counts, source=why))
    return product(say("power of the stretch on this path"), *factors) if factors[1:] else alone
