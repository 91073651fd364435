"""Other work of production servers, and loads that somebody measured, as terms."""

from __future__ import annotations

import math

from models.base.quantities import Basis
from models.base.texts import say
from models.catalog.catalog import Server
from models.evidence.profiles import PROFILES, OtherWork
from models.explain.workings import Workings
from models.formulas.terms import (
    FromCatalog,
    FromEvidence,
    Stated,
    Term,
    leaf,
    number,
    product,
    quotient,
    total,
)
from models.physics.measured_load import evidence_of
from models.scenario.owners import ACTIVE_OF_REGISTERED
from models.scenario.scenario import Vm

CORES = say("cores")
USERS = say("users")


def spec_rate(server: Server) -> Term:
    """SPEC rate per core of a server."""
    source = FromCatalog("servers", server.id, "spec_rate_per_core")
    value = server.spec_rate_per_core
    label = say("SPEC rate per core of {name}", name=server.name)
    return leaf(label, math.nan if value is None else value, source=source)


def owners(w: Workings, vm: Vm) -> Term:
    """Registered users, no fewer than are at work; in production more than those where nobody gave
    them."""
    active = w.vm_field(vm, "workload.active_users")
    if (stated := vm.workload.registered_users) is not None:
        return active if stated < active.value else w.vm_field(vm, "workload.registered_users")
    if not w.arrays.vms.registered_assumed[w.vm_rows[vm.id]]:
        return active
    why = say("nobody gave registered users: 0.23 to 0.50 of them are at work (docs/model.md)")
    share = leaf(say("active of registered"), ACTIVE_OF_REGISTERED, source=Stated(why))
    return quotient(say("registered users, assumed"), active, share, unit=USERS)


def other_cores(w: Workings, vm: Vm) -> Term:
    """What the server does besides: per server and per registered user, where it was seen, carried
    by SPEC rate."""
    profile = PROFILES[vm.workload.profile]
    thousands = quotient(say("thousands of registered users"), owners(w, vm), number(1000.0))
    of_users = product(
        say("for its users"),
        _seen(profile, say("cores for 1,000 users"), profile.user_cores),
        thousands,
        *_more_load(w),
        unit=CORES,
    )
    parts = [of_users]
    if profile.server_cores:
        whole = _seen(profile, say("cores of a server"), profile.server_cores)
        parts.append(whole)
    seen = total(say("other work where it was seen"), *parts, unit=CORES)
    return product(say("other work of the server"), seen, *_carried(w, vm, profile), unit=CORES)


def _seen(profile: OtherWork, label: str, value: float) -> Term:
    note = say("a published figure or arithmetic on a few: docs/model.md, “Production”")
    return leaf(label, value, source=FromEvidence(profile.evidence, Basis.TRANSFERRED, note))


def _carried(w: Workings, vm: Vm, profile: OtherWork) -> list[Term]:
    there = w.knowledge.catalog.servers[profile.seen.server]
    here = w.server_of(w.scenario.host(vm.host or ""))
    label = say("core-seconds here per core-second there")
    factors = [quotient(label, spec_rate(there), spec_rate(here))]
    row = w.vm_rows[vm.id]
    step = min(max(4.0 - float(w.arrays.vms.at.version[row]), 0.0), 1.0)
    if step > 0.0 and not w.arrays.vms.at.physical[row]:
        why = say("as for mail: docs/model.md, “Families B to F”")
        esx = w.law.esx_cpu_factor**step
        factors.append(leaf(say("CPU under ESX before 4.0 over native"), esx, source=Stated(why)))
    return factors


def other_iops(w: Workings, vm: Vm) -> Term:
    """I/Os of that."""
    profile = PROFILES[vm.workload.profile]
    each = _seen(profile, say("I/Os a second of a registered user"), profile.user_iops)
    return product(say("I/O of other work"), owners(w, vm), each, *_more_load(w), unit="IOPS")


def _more_load(w: Workings) -> list[Term]:
    """What a user's work grew by, where it isn't today's."""
    return [] if w.policy.load_factor == 1.0 else [w.policy_field("load_factor")]


def measured_cores(w: Workings, vm: Vm) -> Term:
    """A load that somebody measured, where it stands, and what I/O costs there on top."""
    row, own = w.vm_rows[vm.id], w.inputs.own
    assert own is not None  # there is a load to explain
    here = w.server_of(w.scenario.host(vm.host or ""))
    place = vm.workload.measured_on
    there = (
        None if place is None or place.server is None else w.knowledge.catalog.servers[place.server]
    )
    rated = there is not None and not math.isnan(own.slowness[row])
    clocked = there if rated and there is not None else here
    clock = w.catalog_field(
        "servers", clocked.id, "base_mhz", say("clock of a core"), clocked.base_mhz or math.nan
    )
    mhz = w.vm_field(vm, "workload.cpu_mhz")
    cores = quotient(say("CPU load"), mhz, clock, unit=CORES)
    if rated and there is not None and there.id != here.id:
        label = say("core-seconds here per core-second there")
        step = quotient(label, spec_rate(there), spec_rate(here))
        cores = product(say("CPU load carried here"), cores, step, unit=CORES)
    if not own.by_io[0, row]:
        return cores
    evidence = evidence_of(w.constants)
    note = say("what I/O costs under ESX over a physical server: docs/model.md, “Measured loads”")
    each = leaf(
        say("CPU of an I/O under ESX on top"),
        float(own.io_ms[0, row]),
        "ms",
        source=FromEvidence(evidence, Basis.TRANSFERRED, note),
    )
    added = quotient(
        say("CPU by I/O"),
        product(say("CPU by I/O a second"), w.vm_field(vm, "workload.iops"), each, unit="ms"),
        number(1000.0, say("ms in a second")),
        unit=CORES,
    )
    return total(say("CPU load with I/O"), cores, added, unit=CORES)
