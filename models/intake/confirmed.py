"""What somebody says of VMs that may be Domino or Sametime servers, put into the scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from models.base.fields import bounds_of
from models.intake.cell_origins import told
from models.intake.result import Guess
from models.scenario.inputs import frozen, workload_applies
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind

AS_MEASURED = {
    WorkloadKind.DOMINO_NRPC: WorkloadKind.DOMINO_OTHER,
    WorkloadKind.DOMINO_INOTES: WorkloadKind.DOMINO_OTHER,
    WorkloadKind.SAMETIME_COMMUNITY: WorkloadKind.SAMETIME_OTHER,
    WorkloadKind.SAMETIME_MUX: WorkloadKind.SAMETIME_OTHER,
}
"""What a kind is whose users nobody knows: its load is what was measured, else not known."""
OFFERED = (
    *AS_MEASURED,
    WorkloadKind.DOMINO_TRAVELER,
    WorkloadKind.DOMINO_OTHER,
    WorkloadKind.SAMETIME_OTHER,
)
"""Kinds to choose from."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What one VM is; `users`: those it serves, None where nobody said how many."""

    kind: WorkloadKind
    users: float | None = None

    @property
    def taken(self) -> WorkloadKind:
        """The kind that it becomes.

        >>> Confirmed(WorkloadKind.DOMINO_NRPC).taken.value
        'domino-other'
        """
        return self.kind if self.users else AS_MEASURED.get(self.kind, self.kind)


def with_confirmed(
    scenario: Scenario, guesses: Sequence[Guess], said: Mapping[str, Confirmed]
) -> Scenario:
    """The scenario with the workloads that somebody confirmed, the others as they are.

    Args:
        guesses: where users and releases come from.
        said: by id of the VM.
    """
    by_vm = {guess.vm: guess for guess in guesses}
    vms = tuple(
        _confirmed(vm, by_vm[vm.id], said[vm.id]) if vm.id in said and vm.id in by_vm else vm
        for vm in scenario.vms
    )
    return replace(scenario, vms=vms)


def _confirmed(vm: Vm, guess: Guess, said: Confirmed) -> Vm:
    """Figures of its own stay where its kind has any; with users, its load is theirs."""
    kind = said.taken
    release = guess.release if workload_applies(kind, "workload.release") else ""
    origins = dict(vm.origins) | {"workload.kind": Origin.MANUAL}
    cells, served = vm.imported_from, dict[str, Any]()
    if kind.people and said.users:
        path = f"workload.{kind.people}"
        served = {kind.people: bounds_of(Vm, path).held(said.users)}
        is_found = guess.users == said.users and guess.kind.people == kind.people
        origins[path] = Origin.IMPORTED if is_found else Origin.MANUAL
        if is_found:
            cells = "\n".join(filter(None, (cells, told({path: guess.users_at}))))
    if guess.devices and workload_applies(kind, "workload.devices_per_user"):
        served["devices_per_user"] = bounds_of(Vm, "workload.devices_per_user").held(guess.devices)
        origins["workload.devices_per_user"] = Origin.IMPORTED
    if kind.has_users:
        # The space of the inventory stays; of mail files nobody said the size.
        vm = replace(vm, system_disk_gib=vm.workload.disk_gib)
        workload = Workload(kind=kind, release=release, **served)
    else:
        workload = replace(vm.workload, kind=kind, release=release, **served)
    if release:
        origins["workload.release"] = Origin.IMPORTED
    kept = {
        path: origin
        for path, origin in origins.items()
        if not path.startswith("workload.") or workload_applies(kind, path)
    }
    return replace(vm, workload=workload, origins=frozen(kept), imported_from=cells)
