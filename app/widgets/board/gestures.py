"""What the hand does at the board: click, rubber band, and carrying VMs to another host.

Positions are in board coordinates. While VMs are carried all hosts show what they would carry, and
the session previews a drop on the one below; only a drop changes the project, as one step. VMs are
carried with a button down, or picked up and dropped by keys and clicks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.language import local, tr
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
from app.widgets.board.debounce import Rest
from app.widgets.board.keys import Direction, nearest
from app.widgets.board.layout import NOTHING, BoardLayout, Box, Hit, HitKind, hit_test, ids_in
from app.widgets.board.scene import TRAY, Carry, Standing
from models.single_changes.move_preview import MovePreview, move_preview

DATA_IS_THERE = tr("the data is there already")
ONLY_ON_HOSTS = tr("VMs run on hosts: drop on one of them")
PICKED_UP = tr("Arrow keys or pointer choose a host, B the best; Enter or a click drops")


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

    def __init__(self, session: Session, selection: Selection, rest: Rest) -> None:
        self._session = session
        self._selection = selection
        self._rest = rest
        self._press: Press | None = None
        self._carry: Carry | None = None
        self.after: MovePreview | None = None
        self.band: Box | None = None

    @property
    def is_down(self) -> bool:
        return self._press is not None

    @property
    def is_by_key(self) -> bool:
        """VMs were picked up and hang on the hand without a button."""
        return self._carry is not None and self._carry.is_by_key

    @property
    def is_busy(self) -> bool:
        """Something is carried or a band is drawn."""
        return self._carry is not None or self.band is not None

    @property
    def carry(self) -> Carry | None:
        """What is carried, with the state of its numbers."""
        return None if self._carry is None else self._rest.told(self._carry)

    # ------------------------------------------------------------------ button down

    def press(self, layout: BoardLayout, x: float, y: float, *, is_adding: bool) -> None:
        hit = hit_test(layout, x, y)
        if hit.kind is HitKind.VM and all(vm.id != hit.id for vm in self._session.scenario.vms):
            return  # deleted, and still on the board until it is laid out anew
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
            if self._carry is None:
                self._grab(layout, press)
            self._carry_to(layout, x, y)
        else:
            self._draw_band(layout, press, x, y)

    def release(self) -> None:
        """The button is up: what is carried is dropped, a click on one of several selects it."""
        press, was_busy = self._press, self.is_busy
        self._press, self.band = None, None
        if self._carry is not None:
            self.drop()
        elif press is not None and not was_busy and not press.is_adding and press.hit.id:
            self._selection.select(press.hit.id)

    def cancel(self) -> None:
        """Nothing happened."""
        self._press, self.band = None, None
        if self._carry is not None:
            self._let_go()
            self._rest.forget()

    # ------------------------------------------------------------------ picked up by key

    def pick_up(self, layout: BoardLayout) -> bool:
        """Takes the selected VMs into the hand; False when there are none."""
        known = {vm.id: vm for vm in self._session.scenario.vms}
        ids = tuple(id for id in self._selection.ids if id in known)
        if not ids:
            return False
        current = self._selection.current
        first = current if current in ids else ids[-1]
        self._take((first, *(id for id in ids if id != first)), is_by_key=True)
        self._aim_at(layout, known[first].host or TRAY)
        return True

    def hover(self, layout: BoardLayout, x: float, y: float) -> None:
        """The pointer is over the board with VMs on the hand."""
        self._carry_to(layout, x, y)

    def step(self, layout: BoardLayout, direction: Direction) -> str | None:
        """Aims at the next host, pool or the tray in a direction; what it aims at then."""
        if self._carry is None:
            return None
        heads = {
            id: box._replace(h=min(box.h, 60 * layout.scale))
            for id, box in {**layout.hosts, **layout.pools}.items()
        }
        here = heads.get(self._carry.target or "")
        if layout.tray is not None:
            # It is as wide as the board, so it lies straight below whatever is above it.
            tray = layout.tray
            heads[TRAY] = tray if here is None else tray._replace(x=here.x, w=here.w)
        found = nearest(heads, self._carry.target, direction)
        if found is not None:
            self._aim_at(layout, found)
        return found

    def aim_at_best(self, layout: BoardLayout) -> str | None:
        """Aims at the host that keeps the most headroom; of equals at the first."""
        best = self.after.roomiest if self.after is not None else None
        if best is not None:
            self._aim_at(layout, best)
        return best

    def drop(self) -> None:
        """Drops what is carried on its target, as one step; nothing where there is none."""
        carry = self._carry
        self._let_go()
        self._rest.forget()
        if carry is None or carry.target is None:
            if carry is not None and carry.is_refused:
                self._session.message.emit(tr("Not moved: {reason}.", reason=carry.words))
            return
        if self._is_pool(carry.target):
            move_data(self._session, carry.ids, carry.target)
        else:
            move(self._session, carry.ids, None if carry.target == TRAY else carry.target)

    # ------------------------------------------------------------------ carrying

    def _grab(self, layout: BoardLayout, press: Press) -> None:
        """The card under the pointer first, the other selected VMs under it."""
        if press.hit.id not in self._selection:
            self._selection.select(press.hit.id)
        known = {vm.id for vm in self._session.scenario.vms}
        others = (id for id in self._selection.ids if id in known and id != press.hit.id)
        box = layout.vms[press.hit.id]
        self._take((press.hit.id, *others), grab_x=press.x - box.x, grab_y=press.y - box.y)

    def _take(
        self,
        ids: tuple[str, ...],
        *,
        grab_x: float = 0.0,
        grab_y: float = 0.0,
        is_by_key: bool = False,
    ) -> None:
        session = self._session
        if not session.is_settled:
            session.flush()
        self._carry = Carry(ids=ids, grab_x=grab_x, grab_y=grab_y, is_by_key=is_by_key)
        self.after = move_preview(session.scenario, session.knowledge, ids)

    def _let_go(self) -> None:
        self._carry, self.after = None, None

    def _carry_to(self, layout: BoardLayout, x: float, y: float) -> None:
        carry = self._carry
        if carry is None:
            return
        hit = hit_test(layout, x, y)
        target = _target(hit)
        if target is None:
            carry = self._aim_beside(carry, hit)
        elif target != carry.target or not carry.words:
            carry = self._aim(carry, target)
        self._rest.moved(x, y)
        self._carry = replace(carry, x=x, y=y)

    def _aim_at(self, layout: BoardLayout, target: str) -> None:
        """Aims without a pointer: what is carried hangs below the head of its target."""
        carry = self._carry
        box = layout.tray if target == TRAY else layout.box(target)
        if carry is None:
            return
        if target != carry.target or not carry.words:
            carry = self._aim(carry, target)
        if box is not None:
            x, y = box.x + 20 * layout.scale, box.y + min(box.h, 150 * layout.scale)
            carry = replace(carry, x=x, y=y, grab_x=0.0, grab_y=0.0)
        self._carry = carry

    def _aim(self, carry: Carry, target: str | None) -> Carry:
        """The carry over another target, with what a drop would mean asked for."""
        if target is not None and self._is_pool(target):
            return self._aim_at_pool(carry, target)
        host = None if target == TRAY else target
        scenario = self._session.scenario
        moving = movable(scenario, carry.ids, host) if target is not None else ()
        if not moving:
            self._rest.want_nothing()
            return replace(carry, target=target, words=self._idle_words(carry), is_refused=False)
        reason = self.after.refused.get(host or "") if self.after is not None else None
        if reason is not None:
            self._rest.want_nothing()
            return replace(carry, target=target, words=local(reason), is_refused=True)
        self._rest.want(scenario.place(moving, host))
        words = move_text(scenario, moving, host)
        return replace(carry, target=target, words=words, is_refused=False)

    def _aim_beside(self, carry: Carry, hit: Hit) -> Carry:
        """Over nothing, where it would stay, or over a cluster, which is not one of its hosts."""
        self._rest.want_nothing()
        is_refused = hit.kind is HitKind.CLUSTER
        words = ONLY_ON_HOSTS if is_refused else self._idle_words(carry)
        return replace(carry, target=None, words=words, is_refused=is_refused)

    @staticmethod
    def _idle_words(carry: Carry) -> str:
        return PICKED_UP if carry.is_by_key else ""

    def _aim_at_pool(self, carry: Carry, pool: str) -> Carry:
        """VMs stand on hosts; dropped on a pool, their data goes there."""
        session, scenario = self._session, self._session.scenario
        moving: Sequence[str] = elsewhere(scenario, carry.ids, pool)
        if not moving:
            self._rest.want_nothing()
            return replace(carry, target=pool, words=DATA_IS_THERE, is_refused=True)
        reason = reason_against_data(scenario, session.catalog, moving, pool)
        if reason is not None:
            self._rest.want_nothing()
            return replace(carry, target=pool, words=local(reason), is_refused=True)
        self._rest.want(with_data(scenario, moving, pool))
        words = data_text(scenario, moving, pool)
        return replace(carry, target=pool, words=words, is_refused=False)

    def _is_pool(self, target: str) -> bool:
        return any(pool.id == target for pool in self._session.scenario.pools)

    def _draw_band(self, layout: BoardLayout, press: Press, x: float, y: float) -> None:
        left, top = min(x, press.x), min(y, press.y)
        self.band = Box(left, top, abs(x - press.x), abs(y - press.y))
        self._selection.set((*press.kept, *ids_in(layout, self.band)))


def standings(after: MovePreview | None) -> dict[str, Standing]:
    """How the hosts stand to what is being dragged."""
    if after is None:
        return {}
    found = dict.fromkeys(after.refused, Standing.REFUSED)
    found |= dict.fromkeys(after.unseen, Standing.UNSEEN)
    at_home = zip(after.ids, after.is_home, strict=True)
    found.update((id, Standing.HOME) for id, is_home in at_home if is_home)
    if after.best is not None:
        found[after.best] = Standing.BEST
    return found


def _target(hit: Hit) -> str | None:
    """The host or pool (or `TRAY`) that would take what is dropped here."""
    if hit.kind is HitKind.POOL:
        return hit.id
    if hit == NOTHING:
        return None
    if hit.kind is HitKind.TRAY or (hit.kind is HitKind.VM and hit.host is None):
        return TRAY
    return hit.host
