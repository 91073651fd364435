"""Something from the catalog over the board: what it would become, and the drop."""

from __future__ import annotations

from dataclasses import replace

from app.inserts import Plan, Spot, plan, vm_for
from app.language import local, tr
from app.mime import CatalogItem, CatalogKind
from app.selection import Selection
from app.session import Session
from app.widgets.board.debounce import Rest
from app.widgets.board.layout import BoardLayout, HitKind, hit_test, is_alone
from app.widgets.board.scene import Carry
from models.single_changes.move_preview import MovePreview, move_preview


class CatalogDrop:
    """One catalog row being dragged; plans follow the pointer, a drop is one step."""

    def __init__(self, session: Session, selection: Selection, rest: Rest) -> None:
        self._session = session
        self._selection = selection
        self._rest = rest
        self._item: CatalogItem | None = None
        self._spot: Spot | None = None
        self._plan: Plan | None = None
        self._carry: Carry | None = None
        self.after: MovePreview | None = None

    @property
    def carry(self) -> Carry | None:
        """What is being dragged, with the state of its numbers."""
        return None if self._carry is None else self._rest.told(self._carry)

    @property
    def is_refused(self) -> bool:
        return self._plan is not None and self._plan.scenario is None

    def enter(self, item: CatalogItem) -> None:
        self._item, self._spot, self._plan, self._carry = item, None, None, None
        self.after = self._foreseen(item)

    def move(self, layout: BoardLayout, x: float, y: float) -> None:
        if self._item is None:
            return
        spot = spot_at(layout, x, y)
        if self._plan is None or spot != self._spot:
            self._spot = spot
            self._plan = plan(self._session.scenario, self._session.catalog, self._item, spot)
            self._carry = self._carried(self._plan)
            self._show(self._plan)
        if self._carry is not None:
            self._rest.moved(x, y)
            self._carry = replace(self._carry, x=x, y=y)

    def drop(self) -> bool:
        """Does what is planned as one step; says why not where it can't be done."""
        planned = self._plan
        self._let_go()
        self._rest.forget()
        if planned is None:
            return False
        if planned.scenario is None:
            self._session.message.emit(tr("Not added: {planned}.", planned=planned.reason))
            return False
        self._session.edit(planned.scenario, local(planned.text))
        self._selection.select(planned.subject)
        return True

    def cancel(self) -> None:
        self._let_go()
        self._rest.forget()

    def _let_go(self) -> None:
        self._item, self._spot, self._plan, self._carry = None, None, None, None
        self.after = None

    def _foreseen(self, item: CatalogItem) -> MovePreview | None:
        """What each host would carry with the VM that a workload becomes."""
        session = self._session
        if item.kind is not CatalogKind.WORKLOAD or not session.scenario.hosts:
            return None
        if not session.is_settled:
            session.flush()
        vm = vm_for(session.scenario, session.catalog, item.id)
        added = session.scenario.with_item(vm)
        return move_preview(added, session.knowledge, (vm.id,))

    def _show(self, planned: Plan) -> None:
        if planned.scenario is None:
            self._rest.want_nothing()
        else:
            self._rest.want(planned.scenario)

    def _carried(self, planned: Plan) -> Carry:
        refused = planned.scenario is None
        is_vm = self._item is not None and self._item.kind is CatalogKind.WORKLOAD
        words = local(planned.reason) if refused else local(planned.text)
        if is_vm and not refused and planned.target is None:
            words += tr(" (not placed)")
        return Carry(target=planned.target, words=words, is_refused=refused)


def spot_at(layout: BoardLayout, x: float, y: float) -> Spot:
    """The host and cluster under a point of the board."""
    hit = hit_test(layout, x, y)
    if hit.host is not None:
        return Spot(host=hit.host)
    if hit.kind is HitKind.CLUSTER and not is_alone(hit.id):
        return Spot(cluster=hit.id)
    return Spot()
