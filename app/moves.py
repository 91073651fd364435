"""Moving VMs: the one set of words and the one act behind drag, menu, paste and keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan

from app.language import local, tr, trn
from app.session import Session
from app.wording import locale_style
from models.base.errors import ModelError
from models.base.lettering import set_apart
from models.base.quantities import NO_DATA, Basis, Quantity
from models.catalog.catalog import Catalog
from models.catalog.placement import reason_against
from models.check import check_scenario
from models.scenario.scenario import Scenario, Vm
from models.scenario.wording import value_text
from models.single_changes.move_preview import move_preview

ALREADY_THERE = tr("already there")


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """A host to move VMs to: its name, and in a few words what that would bring, or why not."""

    host: str
    name: str
    said: str
    is_possible: bool


def move_choices(session: Session, ids: Sequence[str]) -> tuple[MoveChoice, ...]:
    """Every host in the scenario's order, with CPU and RAM after a move; the best one says so."""
    scenario, style = session.scenario, locale_style()
    if not ids:
        return ()
    after = move_preview(scenario, session.knowledge, ids)
    found = []
    for row, host in enumerate(scenario.hosts):
        reason = after.refused.get(host.id)
        if not movable(scenario, ids, host.id):
            reason = ALREADY_THERE
        unknown = int(after.there.unknown[row])
        quantity = _quantity(after.there.cpu_pct[:, row].tolist(), unknown)
        cpu = local(value_text(quantity, "%", style=style))
        ram = local(value_text(_quantity([float(after.there.ram_pct[row])] * 3), "%", style=style))
        best = tr(", most headroom") if host.id == after.best else ""
        said = reason or f"CPU {cpu}, RAM {ram}{best}"
        name = set_apart(host.name)
        said = said.removeprefix(f"{name}: ").removeprefix(f"{name} ")
        found.append(MoveChoice(host.id, name, said, reason is None))
    return tuple(found)


def _quantity(ends: Sequence[float], unknown: int = 0) -> Quantity:
    value, low, high = ends
    if isnan(value):
        return NO_DATA
    return Quantity(value, low, high, Basis.TRANSFERRED, unknown=unknown)


def move_text(scenario: Scenario, ids: Sequence[str], host: str | None) -> str:
    """The name of the step, such as ``Move Mail-02 to esx2``."""
    what = scenario.vm(ids[0]).name if len(ids) == 1 else trn("{count} VM", "{count} VMs", len(ids))
    if host is None:
        if len(ids) == 1:
            return tr("Take {what} off its host", what=what)
        return tr("Take {what} off their hosts", what=what)
    return tr("Move {what} to {host}", what=what, host=scenario.host(host).name)


def movable(scenario: Scenario, ids: Sequence[str], host: str | None) -> tuple[str, ...]:
    """Those of `ids` that are VMs and stand elsewhere."""
    wanted = set(ids)
    return tuple(vm.id for vm in scenario.vms if vm.id in wanted and vm.host != host)


def data_text(scenario: Scenario, ids: Sequence[str], pool: str) -> str:
    """The name of the step, such as ``Put Mail-02's data on DS4800 data``."""
    one = len(ids) == 1
    whose = (
        tr("{vm}'s data", vm=scenario.vm(ids[0]).name)
        if one
        else tr("the data of {count} VMs", count=len(ids))
    )
    return tr("Put {whose} on {pool}", whose=whose, pool=scenario.pool(pool).name)


def elsewhere(scenario: Scenario, ids: Sequence[str], pool: str) -> tuple[str, ...]:
    """Those of `ids` that are VMs with their data on another pool, or on none."""
    wanted = set(ids)
    return tuple(vm.id for vm in scenario.vms if vm.id in wanted and vm.pool != pool)


def with_data(scenario: Scenario, ids: Sequence[str], pool: str) -> Scenario:
    """The scenario with the data of these VMs on a pool; a log pool of their own stays."""
    for id in ids:
        scenario = scenario.edit(Vm, id, lambda vm: replace(vm, pool=pool))
    return scenario


def reason_against_data(
    scenario: Scenario, catalog: Catalog, ids: Sequence[str], pool: str
) -> str | None:
    """Why these VMs' data cannot be on a pool; None when it can."""
    try:
        check_scenario(with_data(scenario, ids, pool), catalog)
    except ModelError as error:
        return local(error.reason)
    return None


def move_data(session: Session, ids: Sequence[str], pool: str) -> bool:
    """Puts the VMs' data on a pool as one step; says why not where it can't be."""
    scenario = session.scenario
    moving = elsewhere(scenario, ids, pool)
    if not _may(
        session, moving, lambda: reason_against_data(scenario, session.catalog, moving, pool)
    ):
        return False
    session.edit(with_data(scenario, moving, pool), data_text(scenario, moving, pool))
    return True


def move(session: Session, ids: Sequence[str], host: str | None) -> bool:
    """Places the VMs as one step; says why not where it can't be. True when something moved."""
    scenario = session.scenario
    moving = movable(scenario, ids, host)
    if not _may(session, moving, lambda: reason_against(scenario, session.catalog, moving, host)):
        return False
    session.edit(scenario.place(moving, host), move_text(scenario, moving, host))
    return True


def _may(session: Session, moving: Sequence[str], against: Callable[[], str | None]) -> bool:
    """Whether something moves and nothing is against it; what is, is said."""
    reason = against() if moving else None
    if moving and reason is None:
        return True
    session.clear_preview()
    if reason is not None:
        session.message.emit(tr("Not moved: {reason}.", reason=reason))
    return False
