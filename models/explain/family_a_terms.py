"""The law of family A as terms: CPU, saturation of the storage path, response of an idle server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from models.base.quantities import Basis
from models.base.texts import say
from models.evidence.family_a import (
    THOUSANDS,
    PlatformA,
    StorageA,
    base_response_ms,
    cpu_pct,
    stretch_power,
)
from models.evidence.family_a import path_load as load_of_path
from models.explain.words import known
from models.explain.workings import Workings
from models.formulas.terms import FromEvidence, Stated, Term, leaf
from models.formulas.traced import labelled, term_of, times, traced
from models.scenario.scenario import Vm

LAW = {
    "x366_cpu_pct": (say("CPU of the first 1,000 users, {machine}", machine="x366"), "%"),
    "clovertown_cpu_pct": (
        say("CPU of the first 1,000 users, {machine}", machine="Clovertown"),
        "%",
    ),
    "esx_cpu_factor": (say("CPU under ESX over native"), ""),
    "cpu_growth": (say("growth of CPU per user per 1,000 users"), ""),
    "path_cpu_excess": (say("extra CPU of a lossy path"), ""),
    "path_cpu_fall": (say("fall per 1,000 users"), ""),
    "base_response_ms": (say("response of an idle Clovertown at 7.25 GiB"), "ms"),
    "vmfs_users": (say("users that saturate VMFS at 7.25 GiB"), THOUSANDS),
    "x366_users": (say("users that saturate the x366"), THOUSANDS),
    "x366_stretch": (say("power of the stretch on the x366"), ""),
    "rdm_users": (say("users that saturate RDM"), THOUSANDS),
    "native_factor": (say("native over VMFS"), ""),
    "ram_exponent": (say("exponent of RAM"), ""),
    "think_time_ms": (say("think time"), "ms"),
    "miss_exponent": (say("fall of I/O with RAM, exponent"), ""),
}
"""The parameters of the law: what they are called, and their unit."""


def fitted(w: Workings, label: str, unit: str = "", *, name: str) -> Term:
    """A parameter of the law, fitted to family A or taken from another document."""
    value = getattr(w.law, name)
    ids = tuple(run.id for run in w.knowledge.calibration.runs)
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


def law_of(w: Workings) -> Any:
    """The law with where its parameters come from."""
    leaves = {name: traced(fitted(w, *words, name=name)) for name, words in LAW.items()}
    return SimpleNamespace(**leaves)


def a_cpu_pct(w: Workings, vm: Vm, users: Term, ram: Term) -> Term:
    """Offered CPU [% of the machine's four CPUs]."""
    machine, path = place_of(w, vm)
    pct = cpu_pct(
        law_of(w),
        platform=machine,
        storage=path,
        ram_gib=traced(ram),
        users=traced(users),
        lossy=bool(w.inputs.laws.lossy[w.vm_rows[vm.id]]),
    )
    return term_of(pct)


def path_load(w: Workings, vm: Vm, users: Term, ram: Term) -> Term:
    """Users over those that saturate the storage path."""
    machine, path = place_of(w, vm)
    where: dict[str, Any] = {"platform": machine, "storage": path, "ram_gib": traced(ram)}
    load = times(load_of_path(law_of(w), **where, users=traced(users)), _counting(w, vm))
    return term_of(labelled("load of the storage path that counts", load))


def _counting(w: Workings, vm: Vm) -> Any:
    """The share of the knee that counts."""
    why = say("the knee recedes with the distance from the runs on ESX 3")
    counts = float(w.inputs.laws.knee[w.vm_rows[vm.id]])
    return traced(leaf(say("share of it that counts"), counts, source=Stated(why)))


def base_ms(w: Workings, ram: Term) -> Term:
    """Response of an idle server [ms]."""
    return term_of(base_response_ms(law_of(w), ram_gib=traced(ram)))


def stretch_of(w: Workings, vm: Vm) -> Any:
    """The power of the stretch by which what an action asks for grows; 0 for none."""
    if w.inputs.laws.knee[w.vm_rows[vm.id]] == 0.0:
        return 0.0
    power = stretch_power(law_of(w), *place_of(w, vm))
    return labelled("power of the stretch on this path", times(power, _counting(w, vm)))
