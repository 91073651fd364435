"""Something from the catalog over the board: what it would become, and the drop."""

from __future__ import annotations

from dataclasses import replace

from app.inserts import Plan, Spot, plan
from app.mime import CatalogItem, CatalogKind
from app.selection import Selection
from app.session import Session
from app.widgets.board.layout import STANDALONE, BoardLayout, HitKind, hit_test
from app.widgets.board.paint import Carry


class CatalogDrop:
    """One catalog row in the hand; plans follow the pointer, a drop is one step."""

    def __init__(self, session: Session, selection: Selection) -> None:
        self._session = session
        self._selection = selection
        self._item: CatalogItem | None = None
        self._spot: Spot | None = None
        self._plan: Plan | None = None
        self.carry: Carry | None = None

    @property
    def is_refused(self) -> bool:
        return self._plan is not None and self._plan.scenario is None

    def enter(self, item: CatalogItem) -> None:
        self._item, self._spot, self._plan, self.carry = item, None, None, None

    def move(self, layout: BoardLayout, x: float, y: float) -> None:
        if self._item is None:
            return
        spot = spot_at(layout, x, y)
        if self._plan is None or spot != self._spot:
            self._spot = spot
            self._plan = plan(self._session.scenario, self._session.catalog, self._item, spot)
            self.carry = self._carried(self._plan)
            self._show(self._plan)
        if self.carry is not None:
            self.carry = replace(self.carry, x=x, y=y)

    def drop(self) -> bool:
        """Does what is planned as one step; says why not where it can't be done."""
        planned = self._plan
        self._item, self._spot, self._plan, self.carry = None, None, None, None
        if planned is None:
            return False
        if planned.scenario is None:
            self._session.message.emit(f"Not added: {planned.reason}.")
            self._session.clear_preview()
            return False
        self._session.edit(planned.scenario, planned.text)
        self._selection.select(planned.subject)
        return True

    def cancel(self) -> None:
        self._item, self._spot, self._plan, self.carry = None, None, None, None
        self._session.clear_preview()

    def _show(self, planned: Plan) -> None:
        if planned.scenario is None:
            self._session.clear_preview()
        else:
            self._session.preview(planned.scenario)

    def _carried(self, planned: Plan) -> Carry:
        refused = planned.scenario is None
        is_vm = self._item is not None and self._item.kind is CatalogKind.WORKLOAD
        words = planned.reason if refused else planned.text
        if is_vm and not refused and planned.target is None:
            words += " (not placed)"
        return Carry(target=planned.target, words=words, is_refused=refused)


def spot_at(layout: BoardLayout, x: float, y: float) -> Spot:
    """The host and cluster under a point of the board."""
    hit = hit_test(layout, x, y)
    if hit.host is not None:
        return Spot(host=hit.host)
    if hit.kind is HitKind.CLUSTER and hit.id != STANDALONE:
        return Spot(cluster=hit.id)
    return Spot()
