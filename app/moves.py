"""Moving VMs: the one set of words and the one act behind drag, menu, paste and keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from app.session import Session
from models.placement import reason_against
from models.scenario import Scenario


def move_text(scenario: Scenario, ids: Sequence[str], host: str | None) -> str:
    """The name of the step, such as ``Move Mail-02 to esx2``."""
    what = scenario.vm(ids[0]).name if len(ids) == 1 else f"{len(ids)} VMs"
    if host is None:
        return f"Take {what} off {'its host' if len(ids) == 1 else 'their hosts'}"
    return f"Move {what} to {scenario.host(host).name}"


def movable(scenario: Scenario, ids: Sequence[str], host: str | None) -> tuple[str, ...]:
    """Those of `ids` that are VMs and stand elsewhere."""
    wanted = set(ids)
    return tuple(vm.id for vm in scenario.vms if vm.id in wanted and vm.host != host)


def move(session: Session, ids: Sequence[str], host: str | None) -> bool:
    """Places the VMs as one step; says why not where it can't be. True when something moved."""
    scenario = session.scenario
    moving = movable(scenario, ids, host)
    if not moving:
        session.clear_preview()
        return False
    reason = reason_against(scenario, session.catalog, moving, host)
    if reason is not None:
        session.clear_preview()
        session.message.emit(f"Not moved: {reason}.")
        return False
    session.edit(scenario.place(moving, host), move_text(scenario, moving, host))
    return True
