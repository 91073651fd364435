"""What the keys do on the board: going over it, choosing, carrying, losing a host."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.selection import Selection
from app.widgets.board.gestures import Hand
from app.widgets.board.keys import Direction, neighbour, reading_order
from app.widgets.board.outage import Outage
from app.widgets.board.scene import TRAY
from app.widgets.board.surface import BoardSurface

ARROWS = {
    Qt.Key.Key_Left: Direction.LEFT,
    Qt.Key.Key_Right: Direction.RIGHT,
    Qt.Key.Key_Up: Direction.UP,
    Qt.Key.Key_Down: Direction.DOWN,
}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class Keyboard(QObject):
    """The keys of one board.

    Signals:
        cursor_moved: id of the item the keys are at, without having selected it.
        activated: id of the item on which Enter was pressed.
        pick_up_requested, find_requested: M and the slash.
        cancelled, dropped: what was being dragged is not any more.

    Attributes:
        cursor: id of the item the keys are at while they choose without selecting, else None.
    """

    cursor_moved = Signal(str)
    activated = Signal(str)
    pick_up_requested = Signal()
    find_requested = Signal()
    cancelled = Signal()
    dropped = Signal()

    def __init__(
        self, board: BoardSurface, selection: Selection, hand: Hand, outage: Outage
    ) -> None:
        super().__init__(board)
        self._board = board
        self._selection = selection
        self._hand = hand
        self._outage = outage
        self._is_sticky = False
        self.cursor: str | None = None

    @property
    def _here(self) -> str | None:
        board = self._board
        if self.cursor is not None and board.shown_box(self.cursor) is None:
            self.cursor = None
        return self.cursor or self._selection.current

    def press(self, event: QKeyEvent) -> bool:
        """Takes a key; False when it means nothing here."""
        key = Qt.Key(event.key())
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self._hand.is_by_key:
            return self._carry(key, modifiers)
        if key in ARROWS or key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return self._go(key, modifiers)
        if key == Qt.Key.Key_Space and not modifiers & ~CTRL:
            return self._choose()
        if modifiers & ~SHIFT:
            return False
        return self._act(key, is_repeat=event.isAutoRepeat())

    def release(self, event: QKeyEvent) -> bool:
        """The key is up: a host that was held by it is back."""
        if event.key() != Qt.Key.Key_K or event.isAutoRepeat() or self._is_sticky:
            return False
        self._outage.let_go()
        return True

    def leave(self) -> None:
        """The focus is elsewhere: whatever a key holds is let go."""
        if not self._is_sticky:
            self._outage.end()

    def selection_changed(self) -> None:
        self.cursor = None

    # ------------------------------------------------------------------ going over it

    def _go(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers & ~(SHIFT | CTRL):
            return False
        layout = self._board.board_layout
        if key in ARROWS:
            target = neighbour(layout, self._here, ARROWS[key])
        else:
            order = reading_order(layout)
            target = order[0 if key == Qt.Key.Key_Home else -1] if order else None
        if target is None:
            return True
        if target in layout.sites:
            if not modifiers:
                self._selection.clear()
            self._point_at(target)
        elif modifiers & SHIFT:
            self._selection.set((*self._selection.ids, target), target)
        elif modifiers & CTRL:
            self._point_at(target)
        else:
            self._selection.set((target,), target)
        self._board.reveal(target)
        return True

    def _point_at(self, id: str) -> None:
        """The keys are at something that is not selected; a site can't be."""
        self.cursor = id
        self.cursor_moved.emit(id)

    def _choose(self) -> bool:
        """Space: adds a VM to what is selected or takes it out; folds a host, cluster or site."""
        here = self._here
        if here is None:
            return False
        layout = self._board.board_layout
        if here in layout.hosts or here in layout.clusters or here in layout.sites:
            self._board.toggle_fold(here)
        else:
            self._selection.toggle(here)
            self.cursor = here
        return True

    def go_to_next(self, is_back: bool) -> None:
        """The next thing that a search finds, in reading order; round the end to the first."""
        matches = self._board.matches
        if not matches:
            return
        everything = reading_order(self._board.board_layout, with_folded=True)
        order = [id for id in everything if id in matches]
        here = self._here
        place = order.index(here) if here in order else (0 if is_back else -1)
        target = order[(place + (-1 if is_back else 1)) % len(order)]
        self._board.unfold_to(target)
        self._selection.select(target)
        self._board.reveal(target)

    # ------------------------------------------------------------------ acts

    def _act(self, key: Qt.Key, *, is_repeat: bool) -> bool:
        if key == Qt.Key.Key_Escape:
            return self._escape()
        if key == Qt.Key.Key_M:
            self.pick_up_requested.emit()
        elif key == Qt.Key.Key_K:
            self._hold(is_repeat=is_repeat)
        elif key == Qt.Key.Key_Slash:
            self.find_requested.emit()
        elif key in ENTER and self._here in self._board.board_layout.sites:
            return self._choose()
        elif key in ENTER and self._here:
            self.activated.emit(self._here)
        else:
            return False
        return True

    def _hold(self, *, is_repeat: bool) -> None:
        host = self._host()
        if host is not None and not is_repeat and not self._hand.is_busy:
            self._is_sticky = False
            self._outage.begin(host)

    def toggle_outage(self) -> None:
        """For hands that can't hold a key: the host is lost until it is asked for again."""
        host = self._host()
        if self._outage.lost is not None:
            self._outage.end()
        elif host is not None and not self._hand.is_busy:
            self._is_sticky = True
            self._outage.begin(host)

    def _host(self) -> str | None:
        """The host that is meant: the current one, or that of the current VM."""
        layout, here = self._board.board_layout, self._here
        if here in layout.cards:
            return here
        return next((host for host, vms in layout.cards.items() if here in vms), None)

    def _escape(self) -> bool:
        board = self._board
        if self._outage.lost is not None:
            self._outage.end()
        elif self._hand.is_down:
            self.cancelled.emit()
        elif board.cut:
            board.set_cut(frozenset())
        elif board.matches is not None:
            board.bar.field.clear()
        else:
            self.cursor = None
            self._selection.clear()
        return True

    # ------------------------------------------------------------------ carrying

    def _carry(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """With VMs on the hand the keys choose where they go."""
        layout = self._board.board_layout
        target: str | None = None
        if key in ARROWS:
            target = self._hand.step(layout, ARROWS[key])
        elif key == Qt.Key.Key_B:
            target = self._hand.aim_at_best(layout)
        elif key == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif key in ENTER or key == Qt.Key.Key_Space:
            self._hand.drop()
            self.dropped.emit()
        else:
            return not modifiers
        if target is not None and target != TRAY:
            self._board.reveal(target)
        return True
