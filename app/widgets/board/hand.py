"""What the hand does at the board: click, rubber band, and carrying VMs to another host.

Positions are in board coordinates. While VMs are carried the session shows a preview; only a
drop changes the project, as one step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.moves import (
    data_text,
    elsewhere,
    movable,
    move,
    move_data,
    move_text,
    reason_against_data,
    with_data,
)
from app.selection import Selection
from app.session import Session
from app.widgets.board.layout import NOTHING, BoardLayout, Box, Hit, HitKind, hit_test, ids_in
from app.widgets.board.paint import TRAY, Carry
from models.placement import reason_against


@dataclass(frozen=True, slots=True)
class Press:
    """Where a button went down, on what, and whether it adds to the selection."""

    x: float
    y: float
    hit: Hit
    is_adding: bool
    kept: tuple[str, ...]


class Hand:
    """One pointer at one board; it knows the session but no widget."""

    def __init__(self, session: Session, selection: Selection) -> None:
        self._session = session
        self._selection = selection
        self._press: Press | None = None
        self.carry: Carry | None = None
        self.band: Box | None = None

    @property
    def is_down(self) -> bool:
        return self._press is not None

    @property
    def is_busy(self) -> bool:
        """Something is carried or a band is drawn."""
        return self.carry is not None or self.band is not None

    def press(self, layout: BoardLayout, x: float, y: float, *, is_adding: bool) -> None:
        hit = hit_test(layout, x, y)
        self._press = Press(x, y, hit, is_adding, self._selection.ids if is_adding else ())
        if hit.kind in (HitKind.NOTHING, HitKind.TRAY):
            if not is_adding:
                self._selection.clear()
        elif is_adding:
            self._selection.toggle(hit.id)
        elif hit.id not in self._selection:
            self._selection.select(hit.id)

    def move(self, layout: BoardLayout, x: float, y: float, threshold: float) -> None:
        """The pointer is at (`x`, `y`) with the button down; it drags from `threshold` [px] on."""
        press = self._press
        if press is None:
            return
        if not self.is_busy and abs(x - press.x) + abs(y - press.y) < threshold:
            return
        if press.hit.kind is HitKind.VM:
            self._carry_to(layout, press, x, y)
        else:
            self._draw_band(layout, press, x, y)

    def release(self) -> None:
        """The button is up: what is carried is dropped, a click on one of several selects it."""
        press, carry = self._press, self.carry
        was_band = self.band is not None
        self._press, self.carry, self.band = None, None, None
        if carry is not None:
            self._drop(carry)
        elif press is not None and not was_band and not press.is_adding and press.hit.id:
            self._selection.select(press.hit.id)

    def cancel(self) -> None:
        """Nothing happened."""
        self._press, self.band = None, None
        if self.carry is not None:
            self.carry = None
            self._session.clear_preview()

    def _drop(self, carry: Carry) -> None:
        if carry.target is None:
            self._session.clear_preview()
            return
        if self._is_pool(carry.target):
            move_data(self._session, carry.ids, carry.target)
        else:
            move(self._session, carry.ids, None if carry.target == TRAY else carry.target)

    def _is_pool(self, target: str | None) -> bool:
        return any(pool.id == target for pool in self._session.scenario.pools)

    def _carry_to(self, layout: BoardLayout, press: Press, x: float, y: float) -> None:
        carry = self.carry or self._pick_up(layout, press)
        target = _target(layout, x, y)
        if self.carry is None or target != carry.target:
            carry = self._aim(carry, target)
        self.carry = replace(carry, x=x, y=y)

    def _pick_up(self, layout: BoardLayout, press: Press) -> Carry:
        """The card under the pointer first, the other selected VMs under it."""
        if press.hit.id not in self._selection:
            self._selection.select(press.hit.id)
        others = (id for id in self._selection.ids if id in layout.vms and id != press.hit.id)
        box = layout.vms[press.hit.id]
        return Carry(ids=(press.hit.id, *others), grab_x=press.x - box.x, grab_y=press.y - box.y)

    def _aim(self, carry: Carry, target: str | None) -> Carry:
        """The carry over another target, with what a drop would mean shown at once."""
        if target is not None and self._is_pool(target):
            return self._aim_at_pool(carry, target)
        host = None if target == TRAY else target
        scenario = self._session.scenario
        moving = movable(scenario, carry.ids, host) if target is not None else ()
        if not moving:
            self._session.clear_preview()
            return replace(carry, target=target, words="", is_refused=False)
        reason = reason_against(scenario, self._session.catalog, moving, host)
        if reason is not None:
            self._session.clear_preview()
            return replace(carry, target=target, words=reason, is_refused=True)
        self._session.preview(scenario.place(moving, host))
        words = move_text(scenario, moving, host)
        return replace(carry, target=target, words=words, is_refused=False)

    def _aim_at_pool(self, carry: Carry, pool: str) -> Carry:
        """VMs stand on hosts; dropped on a pool, their data goes there."""
        session, scenario = self._session, self._session.scenario
        moving = elsewhere(scenario, carry.ids, pool)
        if not moving:
            session.clear_preview()
            return replace(carry, target=pool, words="", is_refused=False)
        reason = reason_against_data(scenario, session.catalog, moving, pool)
        if reason is not None:
            session.clear_preview()
            return replace(carry, target=pool, words=reason, is_refused=True)
        session.preview(with_data(scenario, moving, pool))
        words = data_text(scenario, moving, pool)
        return replace(carry, target=pool, words=words, is_refused=False)

    def _draw_band(self, layout: BoardLayout, press: Press, x: float, y: float) -> None:
        left, top = min(x, press.x), min(y, press.y)
        self.band = Box(left, top, abs(x - press.x), abs(y - press.y))
        self._selection.set((*press.kept, *ids_in(layout, self.band)))


def _target(layout: BoardLayout, x: float, y: float) -> str | None:
    """The host or pool (or `TRAY`) that would take what is dropped here."""
    hit = hit_test(layout, x, y)
    if hit.kind is HitKind.POOL:
        return hit.id
    if hit == NOTHING:
        return None
    if hit.kind is HitKind.TRAY or (hit.kind is HitKind.VM and hit.host is None):
        return TRAY
    return hit.host
