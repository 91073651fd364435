"""One VM as formulas take columns: its inputs as leaves, and what the formulas make of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from models.base.fields import leaves_of
from models.base.lazily import lazy
from models.base.quantities import FloatArray
from models.base.texts import Numeral, say
from models.catalog.catalog import Platform
from models.evidence.profiles import PROFILES
from models.explain.leaves import (
    constants_of,
    costs_of,
    law_of,
    seen,
    spec_rate,
)
from models.explain.workings import Workings
from models.formulas.terms import Stated, Term, leaf
from models.formulas.traced import times, traced
from models.physics.arrays import USERS
from models.physics.inputs_of_formulas import Inputs, benchmark_users
from models.physics.laws import (
    RUNS_B,
    before_esx_4,
    esx_left,
    measured_machine,
    over_esx_3,
    release_cost,
    slower,
)
from models.physics.other_work import other_cores, other_iops
from models.scenario.scenario import Vm, users_per_user

VM_FORMULAS = {
    *("effective_ram_gib", "counted_ram_gib", "mail_owners"),
    *("files_mb", "files_kept", "space_of_files"),
}
"""What `VmArrays` works out of its columns, to be worked out of a row of them."""

INPUTS_FORMULAS = {"base_iops", "cache", "iops_per_user", "pct_per_user_b"}
"""The same of `Inputs`."""

PATHS = {field.column: path for path, field in leaves_of(Vm).items() if field.is_number}

Leaf = Callable[[], Term]


class Row:
    """A row of columns. What is no leaf is the plain number, NaN for no data.

    Attributes:
        columns: of all items; `at`: the row.
        leaves: where numbers come from, by the name of their column.
        formulas: names of what is worked out of other columns.
        parts: what stands in the place of a column.
    """

    def __init__(
        self,
        columns: Any,
        at: int,
        leaves: Mapping[str, Leaf],
        formulas: Collection[str] = (),
        parts: Mapping[str, Callable[[], Any]] | None = None,
    ) -> None:
        self._columns, self._at, self._leaves, self._formulas = columns, at, leaves, formulas
        self._parts = parts or {}

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = self._found(name)
        return found

    def _found(self, name: str) -> Any:
        if name in self._parts:
            return self._parts[name]()
        if name in self._formulas:
            work = getattr(type(self._columns), name)
            return work.work_out(self) if isinstance(work, lazy) else partial(work, self)
        value = getattr(self._columns, name)
        here = value[self._at] if isinstance(value, np.ndarray) else value
        known = name in self._leaves and not np.isnan(here)
        return traced(self._leaves[name]()) if known else here


def row_of_vm(w: Workings, vm: Vm) -> Any:
    """The VM as `VmArrays` has it."""
    vms, at = w.arrays.vms, w.vm_rows[vm.id]

    def leaf_of(path: str) -> Leaf:
        return lambda: w.vm_field(vm, path)

    def of_partners(label: str, column: str, unit: str) -> Leaf:
        why = Stated(say("each running partner’s users, over the number of its own partners"))
        return lambda: leaf(label, getattr(vms, column)[at], unit, source=why)

    leaves = {column: leaf_of(path) for column, path in PATHS.items()}
    leaves["received_users"] = of_partners(
        say("active users of its partners"), "received_users", USERS
    )
    leaves["files_received"] = of_partners(say("mail files of its partners"), "files_received", "")
    return Row(vms, at, leaves, VM_FORMULAS)


def inputs_of(w: Workings, vm: Vm) -> Any:
    """The VM as `Inputs` has it."""
    vms = row_of_vm(w, vm)
    derating: Any = SimpleNamespace(mail=derating_of(w), chat=derating_of(w, chat=True))
    parts: dict[str, Callable[[], Any]] = {
        "arrays": lambda: SimpleNamespace(vms=vms),
        "calibration": lambda: SimpleNamespace(law=law_of(w), constants=constants_of(w)),
        "derating": lambda: derating,
        "users": lambda: benchmark_users(vms, derating),
        "ram_gib": lambda: vms.counted_ram_gib,
        "costs": lambda: costs_of(w),
        "laws": lambda: _laws_of(w, vm, row),
        "received": lambda: Inputs.received.work_out(row) if takes_replicas(w, vm) else None,
        "more_copies": lambda: _more_copies(w, vm),
        "other": lambda: _other_work(w, vm, row),
    }
    row: Any = Row(w.inputs, w.vm_rows[vm.id], {}, INPUTS_FORMULAS, parts)
    return row


def derating_of(w: Workings, *, chat: bool = False) -> Any:
    """Benchmark users of an active user, of mail or of chat, at the load of the scenario."""
    if chat and w.policy.benchmark_derating_chat is not None:
        today = w.policy_field("benchmark_derating_chat")
    elif not chat and w.inputs.derating.production:
        why = say("in production a user’s own work is a benchmark user’s; other work is added")
        today = leaf(say("benchmark users per user"), 1.0, source=Stated(why))
    else:
        today = w.policy_field("benchmark_derating")
    grown: Any = traced(w.policy_field("load_factor"))
    return users_per_user(traced(today), grown)  # type: ignore[arg-type]


def takes_replicas(w: Workings, vm: Vm) -> bool:
    """Whether partners push changes to the VM."""
    row, received = w.vm_rows[vm.id], w.inputs.received
    nrpc = bool(w.inputs.laws.family_a[row] or w.inputs.laws.family_b[row])
    return nrpc and received is not None and bool(received[row] > 0)


def _laws_of(w: Workings, vm: Vm, row: Any) -> Any:
    """Its laws as `Laws` has them."""
    laws, at = w.inputs.laws, w.vm_rows[vm.id]
    law, constants = row.calibration.law, row.calibration.constants
    of_release: Any = release_cost(vm.workload.release, constants.releases)
    left = _esx_left(w, at)

    def share(weight: float) -> Any:
        why = say("distance of machine and hypervisor from either family’s runs")
        runs = say("share of {runs}", runs=RUNS_B)
        return traced(leaf(runs, float(weight), source=Stated(why)))

    def of_a() -> Any:
        slowness = _slowness(w, vm, Platform.CLOVERTOWN, laws.of_a.slowness[at])
        return SimpleNamespace(slowness=slowness, cpu_factor=of_release.cpu_a)

    def of_b() -> Any:
        slowness = _slowness(w, vm, Platform.NEHALEM, laws.of_b.slowness[at])
        factor = of_release.cpu_inotes if laws.inotes[at] else of_release.cpu
        factor = times(factor, before_esx_4(law.esx_cpu_factor, left))
        return SimpleNamespace(slowness=slowness, cpu_factor=factor)

    def under_3() -> Any:
        gone = 1.0 - float(left)
        step = traced(leaf(say("share of it that is gone"), gone, source=Stated(HALF_WAY)))
        over = over_esx_3(law.esx_cpu_factor, step if 0.0 < gone < 1.0 else gone)
        return SimpleNamespace(weight=share(laws.under_3.weight[at]), of_b=over)

    def counts() -> Term:
        why = Stated(say("the knee recedes with the distance from the runs on ESX 3"))
        return leaf(say("share of it that counts"), float(laws.knee[at]), source=why)

    member = constants.cluster_r5.cpu_factor.value if laws.member[at] != 1.0 else 1.0
    parts = {
        "of_a": of_a,
        "of_b": of_b,
        "under_3": under_3,
        "weight": lambda: share(laws.weight[at]),
        "member": lambda: member,
        "iops_factor": lambda: of_release.iops,
        "some_between": lambda: bool(laws.between[at]),
    }
    return Row(laws, at, {"knee": counts}, {"mixed", "mixed_cpu"}, parts)


HALF_WAY = say("3.5 stands half way")


def _esx_left(w: Workings, at: int) -> Any:
    """`esx_left`, a leaf where it is neither all nor none."""
    here = w.arrays.vms.at
    left = float(esx_left(np.nan_to_num(here.version[at]), here.physical[at]))
    if left in (0.0, 1.0):
        return left
    return traced(leaf(say("share of it left"), left, source=Stated(HALF_WAY)))


def _slowness(w: Workings, vm: Vm, platform: Platform, value: float) -> Any:
    """Core-seconds here per core-second on the machine of a family, nothing to say of it itself."""
    if value == 1.0:
        return 1.0
    there = spec_rate(measured_machine(w.knowledge.catalog, platform))
    return slower(there, _spec_here(w, vm))


def _spec_here(w: Workings, vm: Vm) -> Any:
    """SPEC rate per core of its machine; NaN of a VM that stands nowhere."""
    return spec_rate(None if vm.host is None else w.server_of(w.scenario.host(vm.host)))


def _more_copies(w: Workings, vm: Vm) -> Any:
    """`MoreCopies` of the VM."""
    found, at, vms = w.inputs.more_copies, w.vm_rows[vm.id], w.arrays.vms
    if found is None:
        return None

    def growth(values: FloatArray, copies: FloatArray) -> Any:
        count = Numeral(f"{float(copies[at]):g}")
        why = Stated(say("R4.6 with two to five standbys (Iris Today)"))
        grown = float(values[at])
        label = say("growth with {count} further copies", count=count)
        return 1.0 if grown == 1.0 else traced(leaf(label, grown, source=why))

    return SimpleNamespace(
        cpu=growth(found.cpu, vms.further_copies),
        io=growth(found.io, vms.further_copies),
        received=growth(found.received, vms.received_copies),
    )


def _other_work(w: Workings, vm: Vm, row: Any) -> Any:
    """`OtherDemand` of the VM; None where it does none."""
    if w.inputs.other is None or not vm.workload.kind.is_domino:
        return None
    profile, owners = PROFILES[vm.workload.profile], row.arrays.vms.mail_owners
    load: Any = traced(w.policy_field("load_factor"))
    there = spec_rate(w.knowledge.catalog.servers[profile.seen.server])
    here = _spec_here(w, vm)
    server = seen(profile, say("cores of a server"), profile.server_cores)
    user = seen(profile, say("cores for 1,000 users"), profile.user_cores)
    esx = before_esx_4(row.calibration.law.esx_cpu_factor, _esx_left(w, w.vm_rows[vm.id]))
    io = seen(profile, say("I/Os a second of a registered user"), profile.user_iops)
    return SimpleNamespace(
        cores=other_cores(server, user, owners, load, slower(there, here), esx),
        iops=other_iops(io, owners, load),
    )
