"""What a VM asks for, as terms: users, CPU load and disk I/O, by the family that holds for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from models.base.quantities import Basis
from models.base.texts import Numeral, say
from models.catalog.catalog import Platform
from models.evidence.rows import Constant
from models.explain.family_a_terms import a_cpu_pct, fitted
from models.explain.other_terms import measured_cores, other_cores, other_iops, spec_rate
from models.explain.words import known
from models.explain.workings import Workings
from models.formulas.terms import (
    HUNDRED,
    ONE,
    FromEvidence,
    Operation,
    Stated,
    Term,
    leaf,
    least,
    percent,
    power,
    product,
    quotient,
    total,
    worked,
)
from models.formulas.traced import term_of, traced
from models.physics.arrays import MOST_RAM_32_BIT_GIB, MOST_RAM_WITHOUT_PAE_GIB
from models.physics.demand import (
    B_RAM_GIB,
    effect_of_files,
    effect_of_memory,
    effect_of_ram,
    member_costs,
)
from models.physics.laws import A_VCPUS, NEWEST, OLDER, ReleaseCost, release_cost
from models.scenario.scenario import Vm
from models.scenario.transactions import PER_ACTIVE, PER_MINUTE

CORES, USERS = say("cores"), say("users")


def constant(label: str, figure: Constant) -> Term:
    """A constant of families B to F as a leaf."""
    source = FromEvidence(figure.evidence, figure.basis, known(figure.note))
    unit = "" if figure.unit == "1" else known(figure.unit)
    return leaf(label, figure.value, unit, source=source)


def users(w: Workings, vm: Vm) -> Term:
    """Benchmark users: active users times derating."""
    return product(
        say("benchmark users"),
        w.vm_field(vm, "workload.active_users"),
        derating(w, chat=vm.workload.kind.is_chat),
        unit=USERS,
    )


def derating(w: Workings, *, chat: bool = False) -> Term:
    """Benchmark users of an active user, of mail or of chat, at the load of the scenario."""
    today = _derating_today(w, chat)
    if w.policy.load_factor == 1.0:
        return today
    return product(say("benchmark users per user"), today, w.policy_field("load_factor"))


def _derating_today(w: Workings, chat: bool) -> Term:
    if chat and w.policy.benchmark_derating_chat is not None:
        return w.policy_field("benchmark_derating_chat")
    if not chat and w.inputs.derating.production:
        why = say("in production a user’s own work is a benchmark user’s; other work is added")
        return leaf(say("benchmark users per user"), 1.0, source=Stated(why))
    return w.policy_field("benchmark_derating")


def ram(w: Workings, vm: Vm) -> Term:
    """RAM that the law counts on."""
    most = [w.vm_field(vm, "ram_gib")]
    if vm.memory_limit_gib is not None:
        most.append(w.vm_field(vm, "memory_limit_gib"))
    if vm.guest_bits == 32 and vm.guest_pae is False:
        why = say("32 bits address 4 GiB")
        label = say("memory that serves 32 bits")
        most.append(leaf(label, MOST_RAM_WITHOUT_PAE_GIB, "GiB", source=Stated(why)))
    elif vm.guest_bits == 32:
        why = say(
            "the largest memory of a 32-bit system that was measured: VMworld 2007 WV21, x366"
        )
        label = say("memory that serves 32 bits")
        most.append(leaf(label, MOST_RAM_32_BIT_GIB, "GiB", source=Stated(why)))
    return least(say("RAM that counts"), *most, unit="GiB") if most[1:] else most[0]


def cpu_pct(w: Workings, vm: Vm) -> Term:
    """Per cent of the VM's vCPUs: what runs can't pass 100."""
    if not vm.powered_on:
        return _switched_off("CPU", "%")
    load = quotient(say("load per vCPU"), cores(w, vm), w.vm_field(vm, "vcpus"))
    asked = percent(say("CPU asked for"), load)
    return least(say("CPU of {name}", name=vm.name), asked, HUNDRED, unit="%")


def _switched_off(label: str, unit: str) -> Term:
    return leaf(label, 0.0, unit, source=Stated(say("the VM is switched off")))


def cores(w: Workings, vm: Vm) -> Term:
    """Load on the host in busy cores, also beyond what the vCPUs can run."""
    if not vm.powered_on:
        return _switched_off(say("CPU load"), CORES)
    if w.inputs.laws.generic[w.vm_rows[vm.id]]:
        return measured_cores(w, vm)
    load = _at_most_as_before(w, vm, mixed(w, vm, say("CPU load"), _cores_by, CORES))
    if w.inputs.other is not None and vm.workload.kind.is_domino:
        users_own = worked(Operation.SAME, say("CPU load of its users"), load, unit=CORES)
        label = say("CPU load with other work")
        load = total(label, users_own, other_cores(w, vm), unit=CORES)
    return _at_site(w, vm, load, "cpu_factor", say("CPU load at this site"), CORES)


def _at_site(w: Workings, vm: Vm, load: Term, factor: str, label: str, unit: str) -> Term:
    """The same as measured servers of this customer have it, or as it was measured itself."""
    site = w.inputs.derating.site
    if site is None or not vm.workload.kind.is_domino or getattr(site, factor) is None:
        return load
    if vm.calibrated is not None and getattr(vm.calibrated, factor) is not None:
        return product(label, load, w.vm_field(vm, f"calibrated.{factor}"), unit=unit)
    return product(label, load, w.policy_field(f"site.{factor}"), unit=unit)


class Formula(Protocol):
    """What a family says of a VM."""

    def __call__(self, w: Workings, vm: Vm, /, *, of_a: bool) -> Term: ...


def mixed(w: Workings, vm: Vm, label: str, formula: Formula, unit: str = "") -> Term:
    """What both families say, by their shares in the logarithm; either alone where it has all."""
    row, laws = w.vm_rows[vm.id], w.inputs.laws
    if not laws.between[row]:
        return formula(w, vm, of_a=bool(laws.family_a[row]))
    of_a, of_b = formula(w, vm, of_a=True), formula(w, vm, of_a=False)
    return _weighed(label, of_a, of_b, float(laws.weight[row]), unit)


def _at_most_as_before(w: Workings, vm: Vm, load: Term) -> Term:
    """CPU under a later hypervisor: no more than under ESX 3.0 on the same machine."""
    row, laws = w.vm_rows[vm.id], w.inputs.laws
    share = float(laws.under_3.weight[row])
    if not laws.between[row] or math.isnan(share):
        return load
    of_a, of_b = _cores_by(w, vm, of_a=True), _cores_by(w, vm, of_a=False)
    esx = fitted(w, say("CPU under ESX before 4.0 over native"), name="esx_cpu_factor")
    why = Stated(say("3.5 stands half way"))
    step = leaf(say("share of it that is gone"), min(_version(w, row) - 3.0, 1.0), source=why)
    more = power(say("CPU on ESX 3.0 over that here"), esx, step)
    of_b = product(say("CPU load on ESX 3.0"), of_b, more, unit=CORES)
    older = _weighed(say("CPU load on ESX 3.0"), of_a, of_b, share, CORES)
    return least(say("CPU load, no more than on ESX 3.0"), load, older, unit=CORES)


def _version(w: Workings, row: int) -> float:
    return float(w.arrays.vms.at.version[row])


def _weighed(label: str, of_a: Term, of_b: Term, share: float, unit: str) -> Term:
    """A^(1 − w)·B^w, w the `share` of family B."""
    shares = Stated(say("distance of machine and hypervisor from either family’s runs"))
    weighed = [
        power(
            say("{what}, by {runs}, weighed", what=label, runs=runs),
            worked(
                Operation.SAME, say("{what}, by {runs}", what=label, runs=runs), term, unit=unit
            ),
            leaf(say("share of {runs}", runs=runs), part, source=shares),
        )
        for runs, term, part in (
            (RUNS_A, of_a, 1.0 - share),
            (RUNS_B, of_b, share),
        )
    ]
    return product(label, *weighed, unit=unit)


RUNS_A, RUNS_B = say("the runs on ESX 3"), say("the runs on vSphere 4")


def _cores_by(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    factors = _cpu_factors(w, vm, of_a=of_a)
    return _cores_by_a(w, vm, factors) if of_a else _cores_by_b(w, vm, factors)


def _cores_by_a(w: Workings, vm: Vm, factors: Sequence[Term]) -> Term:
    member = constant(say("CPU of a Domino cluster member"), w.constants.cluster_r5.cpu_factor)
    pushed = [*([member] if w.pushes(vm) else []), *more_copies(w, vm, CPU_PUSHED)]
    own = _cores_of_a(w, vm, users(w, vm), *pushed)
    if not takes_replicas(w, vm):
        return product(say("CPU load"), own, *factors, unit=CORES)
    received = w.constants.cluster_r5.receive_cpu_share
    share = constant(say("CPU for a partner’s users"), received)
    taken = _cores_of_a(w, vm, replicated_users(w, vm), share, *more_copies(w, vm, CPU_TAKEN))
    both = total(say("CPU load on the measured machine"), own, taken, unit=CORES)
    return product(say("CPU load"), both, *factors, unit=CORES)


def _cores_by_b(w: Workings, vm: Vm, factors: Sequence[Term]) -> Term:
    each = quotient(say("CPU load of a user"), _core_pct_per_user(w, vm), HUNDRED, unit=CORES)
    pushed = more_copies(w, vm, CPU_PUSHED)
    if not takes_replicas(w, vm):
        return product(say("CPU load"), users(w, vm), each, *pushed, *factors, unit=CORES)
    own = product(say("CPU load of its own users"), users(w, vm), each, *pushed, unit=CORES)
    taken = product(
        say("CPU load for its partners' users"),
        replicated_users(w, vm),
        quotient(
            say("CPU load of a mail user"),
            constant(say("CPU of a mail user"), w.constants.mail85.cpu_core_pct_per_user),
            HUNDRED,
            unit=CORES,
        ),
        _divided("CPU", member_costs(w.constants).cpu_received, RECEIVED),
        *more_copies(w, vm, CPU_TAKEN),
        unit=CORES,
    )
    both = total(say("CPU load on the measured machine"), own, taken, unit=CORES)
    return product(say("CPU load"), both, *factors, unit=CORES)


def _cores_of_a(w: Workings, vm: Vm, count: Term, *factors: Term) -> Term:
    """Load of so many users on family A's machine."""
    return product(
        say("CPU load on the measured machine"),
        quotient(say("share of its CPUs"), a_cpu_pct(w, vm, count, ram(w, vm)), HUNDRED),
        leaf(say("CPUs of the measured machine"), A_VCPUS, CORES, source=Stated(say("WV21: four"))),
        *factors,
        unit=CORES,
    )


CPU_PUSHED, CPU_TAKEN, IO_PUSHED = "cpu", "received", "io"


def more_copies(w: Workings, vm: Vm, part: str) -> list[Term]:
    """What more than one further copy of mail files makes of a part of a member's load; empty where
    that is nothing."""
    found, row = w.inputs.more_copies, w.vm_rows[vm.id]
    grown = 1.0 if found is None else float(getattr(found, part)[row])
    if grown == 1.0:
        return []
    copies = w.arrays.vms.received_copies if part == CPU_TAKEN else w.arrays.vms.further_copies
    label = say("growth with {count} further copies", count=Numeral(f"{float(copies[row]):g}"))
    return [leaf(label, grown, source=Stated(say("R4.6 with two to five standbys (Iris Today)")))]


def takes_replicas(w: Workings, vm: Vm) -> bool:
    """Whether partners push changes to the VM."""
    row, received = w.vm_rows[vm.id], w.inputs.received
    nrpc = bool(w.inputs.laws.family_a[row] or w.inputs.laws.family_b[row])
    return nrpc and received is not None and bool(received[row] > 0)


def replicated_users(w: Workings, vm: Vm) -> Term:
    """Benchmark users of running partners whose changes come here."""
    received = w.arrays.vms.received_users[w.vm_rows[vm.id]]
    senders = leaf(
        say("active users of its partners"),
        float(received),
        USERS,
        source=Stated(say("each running partner’s users, over the number of its own partners")),
    )
    return product(
        say("benchmark users of its partners"),
        senders,
        derating(w),
        unit=USERS,
    )


def _divided(what: str, value: float, part: str) -> Term:
    """A share of what the clustered run of family B took more, divided as family C divides it."""
    why = say(
        "vSphere 4 paper, table 3: {what} of the clustered run over that of a server alone, less "
        "one; {part} of it",
        what=what,
        part=part,
    )
    return leaf(say("{what} for {part}", what=what, part=part), value, source=Stated(why))


IO, RECEIVED, PUSHED = say("I/O"), say("what they push"), say("pushing to partners")


def _core_pct_per_user(w: Workings, vm: Vm) -> Term:
    """Family B's CPU of a user [% of a core]."""
    c, row = w.constants, w.vm_rows[vm.id]
    if w.inputs.laws.inotes[row]:
        small, large = c.inotes85.cpu_core_pct_per_user_8gb, c.inotes85.cpu_core_pct_per_user_16gb
        exponent = leaf(
            say("exponent of RAM"),
            math.log2(large.value / small.value),
            source=FromEvidence(
                small.evidence + large.evidence,
                small.basis,
                say("binary logarithm of CPU at 16 GB over CPU at 8 GB"),
            ),
        )
        at_8 = constant(say("CPU of an iNotes user at 8 GB"), small)
        effect = power(say("effect of RAM"), _over_8(w, vm), exponent)
        return product(say("CPU of an iNotes user"), at_8, effect, unit=at_8.unit)
    alone = constant(say("CPU of a mail user"), c.mail85.cpu_core_pct_per_user)
    if not w.pushes(vm):
        return alone
    pushed = _divided("CPU", member_costs(c).cpu_push, PUSHED)
    more = total(say("a member over a server alone"), ONE, pushed)
    return product(say("CPU of a clustered user"), alone, more, unit=alone.unit)


def _over_8(w: Workings, vm: Vm) -> Term:
    return quotient(say("RAM over that of the measured VM"), ram(w, vm), term_of(B_RAM_GIB))


# --- factors to other machines, releases and settings ------------------------------------------


def _cpu_factors(w: Workings, vm: Vm, *, of_a: bool) -> list[Term]:
    """What leads from the measurement to this VM; factors of 1 are left out."""
    row, laws = w.vm_rows[vm.id], w.inputs.laws
    here = laws.of_a if of_a else laws.of_b
    factors = []
    if here.slowness[row] != 1.0:
        factors.append(slowness(w, vm, of_a=of_a))
    release = _release_factor(w, vm, of_a=of_a)
    if release is not None:
        factors.append(release)
    step = 4.0 - max(_version(w, row), 3.0)
    if not of_a and not bool(w.arrays.vms.at.physical[w.vm_rows[vm.id]]) and step > 0.0:
        esx = fitted(w, say("CPU under ESX before 4.0 over native"), name="esx_cpu_factor")
        if step < 1.0:
            half = leaf(say("share of it left"), step, source=Stated(say("3.5 stands half way")))
            esx = power(say("CPU under ESX 3.5 over native"), esx, half)
        factors.append(esx)
    return factors


def slowness(w: Workings, vm: Vm, *, of_a: bool) -> Term:
    """SPEC rate per core of the measured machine over that of this one."""
    platform = Platform.CLOVERTOWN if of_a else Platform.NEHALEM
    measured = next(
        s
        for s in w.knowledge.catalog.servers.values()
        if s.platform is platform and s.spec_rate_per_core is not None
    )
    host = w.scenario.host(vm.host or "")
    here = w.server_of(host)
    return quotient(
        say("core-seconds here per core-second there"), spec_rate(measured), spec_rate(here)
    )


def _release_factor(w: Workings, vm: Vm, *, of_a: bool) -> Term | None:
    """CPU of the release over that of the measured one; None where they cost the same."""
    row, laws, factors = w.vm_rows[vm.id], w.inputs.laws, w.constants.releases
    cost = release_cost(vm.workload.release, factors)
    label = say("CPU of {newest} over {older} and 8.0", newest=NEWEST, older=OLDER)
    saves = constant(label, factors.cpu_factor_851)
    older = constant(say("CPU of 7 over 6.5"), factors.cpu_factor_7)
    label = say("CPU of release {release} over the measured one", release=vm.workload.release)
    note = _costed_as(cost)
    oldest = cost.like == "6.5" and not laws.inotes[row]
    if of_a:
        if cost.like == NEWEST:
            return product(label, saves, note=note)
        return quotient(label, ONE, older, note=note) if oldest else None
    if cost.like == NEWEST:
        return None
    under = product(say("both steps"), saves, older) if oldest else saves
    return quotient(label, ONE, under, note=note)


def _costed_as(cost: ReleaseCost) -> str:
    return "" if cost.exact else say("without evidence of its own, taken as {like}", like=cost.like)


def transactions(w: Workings, vm: Vm) -> Term:
    """Transactions a minute of its console."""
    label = say("transactions of {name}", name=vm.name)
    if not vm.powered_on:
        return _switched_off(label, PER_MINUTE)
    note = say("geometric mean of published servers")
    source = FromEvidence(PER_ACTIVE.evidence, Basis.TRANSFERRED, note)
    each = leaf(
        say("transactions of an active user"), PER_ACTIVE.per_user, PER_MINUTE, source=source
    )
    return product(label, users(w, vm), each, unit=PER_MINUTE)


# --- disk I/O ----------------------------------------------------------------------------------


def iops(w: Workings, vm: Vm) -> Term:
    """Host I/Os per second."""
    row, laws = w.vm_rows[vm.id], w.inputs.laws
    label = say("IOPS of {name}", name=vm.name)
    if not vm.powered_on:
        return _switched_off(label, "IOPS")
    if laws.generic[row]:
        return product(label, w.vm_field(vm, "workload.iops"), unit="IOPS")
    if w.inputs.other is not None:
        own = _user_iops(w, vm, say("I/O of its users"))
        load = total(label, own, other_iops(w, vm), unit="IOPS")
    else:
        load = _user_iops(w, vm, label)
    return _at_site(w, vm, load, "iops_factor", label, "IOPS")


def _user_iops(w: Workings, vm: Vm, label: str) -> Term:
    more = more_copies(w, vm, IO_PUSHED)
    if not takes_replicas(w, vm):
        return product(label, users(w, vm), io_per_user(w, vm), *more, unit="IOPS")
    own = product(say("I/O of its own users"), users(w, vm), io_per_user(w, vm), *more, unit="IOPS")
    each = io_of_partner_user(w, vm)
    taken = product(say("I/O for its partners' users"), replicated_users(w, vm), each, unit="IOPS")
    return total(label, own, taken, unit="IOPS")


def io_of_partner_user(w: Workings, vm: Vm) -> Term:
    """I/Os per second here that a user of a partner causes: a share of what he would alone."""
    c = w.constants
    share = mixed(w, vm, say("I/O for a partner’s users"), _received_io)
    base = constant(say("I/O of a mail user at 8 GB"), c.mail85.iops_per_user)
    return product(say("I/O of a partner’s user"), base, *_io_effects(w, vm), share, unit="IOPS")


def _received_io(w: Workings, _: Vm, *, of_a: bool) -> Term:
    if of_a:
        label = say("I/O for a partner’s users, on ESX 3")
        return constant(label, w.constants.cluster_r5.receive_disk_share)
    return _divided(IO, member_costs(w.constants).io_received, RECEIVED)


def io_per_user(w: Workings, vm: Vm) -> Term:
    """I/Os per second of one user, falling with RAM."""
    return product(say("I/O of a user"), _base_io(w, vm), *_io_effects(w, vm), unit="IOPS")


def io_here(w: Workings, vm: Vm) -> Term:
    """The same as far as a response waits for it, which is credited nothing for files in memory."""
    effects = [_ram_effect(w, ram(w, vm)), *_files_effect(w, vm), *_release_effect(w, vm)]
    return product(say("I/O of a user that is waited for"), _base_io(w, vm), *effects, unit="IOPS")


def io_run(w: Workings, vm: Vm, ran: Term, *, of_a: bool) -> Term:
    """The same with mail files and the release as they ran, and with RAM `ran`."""
    effects = [_ram_effect(w, ran), *([older_io(w)] if of_a else [])]
    return product(say("I/O of a user as it ran"), _base_io(w, vm), *effects, unit="IOPS")


def older_io(w: Workings, release: str = OLDER, note: str = "") -> Term:
    """I/O of an older release, by default of the one that family A ran, over that of 8.5.1."""
    label = say("I/O of {newest} over {older} and 8.0", newest=NEWEST, older=OLDER)
    saves = constant(label, w.constants.releases.iops_factor_851)
    label = say("I/O of release {release} over {newest}", release=release, newest=NEWEST)
    return quotient(label, ONE, saves, note=note)


def _io_effects(w: Workings, vm: Vm) -> list[Term]:
    """Of RAM, of the size of mail files and of the release."""
    effect = _read_less(w, vm, _ram_effect(w, ram(w, vm)))
    return [effect, *_files_effect(w, vm), *_release_effect(w, vm)]


def has_older_io(w: Workings, vm: Vm) -> bool:
    """Whether the release of a VM takes as many I/Os as the one that family A ran."""
    return release_cost(vm.workload.release, w.constants.releases).iops != 1.0


def _release_effect(w: Workings, vm: Vm) -> list[Term]:
    """Of the release; nothing where it costs the same."""
    if not has_older_io(w, vm):
        return []
    release = vm.workload.release
    return [older_io(w, release, _costed_as(release_cost(release, w.constants.releases)))]


def _ram_effect(w: Workings, counted: Term) -> Term:
    """I/Os over those at 8 GB: they fall with RAM, down to the writes."""
    figure = w.constants.inotes85.ram_exponent_iops
    exponent = constant(say("fall of I/O with RAM, exponent"), figure)
    return term_of(effect_of_ram(traced(counted), traced(exponent)))


def _read_less(w: Workings, vm: Vm, by_ram: Term) -> Term:
    """The same, less the reads of files that are in memory."""
    left = float(w.inputs.cache.fading[w.vm_rows[vm.id]])
    if left == 1.0:
        return by_ram
    why = say("1 while less than half of all mail files is in memory, none where all are")
    share = leaf(say("share of reads left"), left, source=Stated(why))
    return term_of(effect_of_memory(traced(by_ram), traced(share)))


def _files_effect(w: Workings, vm: Vm) -> list[Term]:
    """Of the size of mail files; nothing where they are as they ran."""
    if float(w.inputs.cache.files[w.vm_rows[vm.id]]) == 1.0:
        return []
    return [term_of(effect_of_files(traced(w.vm_field(vm, "workload.mail_file_mb"))))]


def _base_io(w: Workings, vm: Vm) -> Term:
    """At the RAM of the measured VM, 8 GB."""
    row, laws, c = w.vm_rows[vm.id], w.inputs.laws, w.constants
    if laws.inotes[row]:
        return constant(say("I/O of an iNotes user at 8 GB"), c.inotes85.iops_per_user_8gb)
    alone = constant(say("I/O of a mail user at 8 GB"), c.mail85.iops_per_user)
    if not w.pushes(vm):
        return alone
    more = mixed(w, vm, say("I/O of a member over a server alone"), _member_io)
    return product(say("I/O of a clustered user at 8 GB"), alone, more, unit="IOPS")


def _member_io(w: Workings, _: Vm, *, of_a: bool) -> Term:
    if of_a:
        return constant(say("I/O of a Domino cluster member"), w.constants.cluster_r5.disk_factor)
    pushed = _divided(IO, member_costs(w.constants).io_push, PUSHED)
    return total(say("a member over a server alone"), ONE, pushed)
