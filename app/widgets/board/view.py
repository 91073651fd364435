"""The board in the window: what pointer, keys and drags from the catalog do to it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QStyle, QToolTip, QWidget

from app.mime import catalog_item
from app.selection import Selection
from app.session import Session, View
from app.widgets.board.access import Speaker
from app.widgets.board.debounce import Rest
from app.widgets.board.drops import CatalogDrop
from app.widgets.board.figures import number_at
from app.widgets.board.gestures import Hand, standings
from app.widgets.board.keyboard import Keyboard
from app.widgets.board.layout import NOTHING, Hit, HitKind, hit_test
from app.widgets.board.outage import Outage
from app.widgets.board.scene import BoardState, Faces
from app.widgets.board.surface import BoardSurface
from app.widgets.board.ties import Ties
from app.widgets.board.tips import tip
from app.wording import tip_text
from models.single_changes.move_preview import MovePreview

STILL_HERE = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""The focus comes back from there: what is on the hand stays."""

WITH_NUMBERS = (HitKind.VM, HitKind.HOST, HitKind.POOL)
ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class BoardView(BoardSurface):
    """Moves VMs, takes catalog rows, loses hosts, and can be gone over by keys.

    Signals:
        menu_requested: global position and what lies there (`Hit`).
        activated: id of the item on which Enter was pressed or that was double-clicked.
        why_requested: id of an item and the field of its number that was clicked.
    """

    menu_requested = Signal(QPoint, object)
    why_requested = Signal(str, str)
    activated = Signal(str)

    def __init__(
        self, session: Session, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, selection, parent)
        self._rest = Rest(session, self)
        self._hand = Hand(session, selection, self._rest)
        self._drop = CatalogDrop(session, selection, self._rest)
        self.outage = Outage(session, self)
        self._ties = Ties(session, selection, self.secondaries)
        self._keyboard = Keyboard(self, selection, self._hand, self.outage)
        self._speaker = Speaker(self, selection)
        self._hovered: str | None = None
        self._set_up_gestures()

    def _set_up_gestures(self) -> None:
        self.setAcceptDrops(True)
        self.viewport().setMouseTracking(True)
        self.viewport().setAcceptDrops(True)
        motion = QStyle.StyleHint.SH_Widget_Animation_Duration
        self.outage.is_moving_allowed = self.style().styleHint(motion, None, self) > 0
        self.outage.changed.connect(self._outage_changed)
        self.camera.drifted.connect(self._drifted)
        self._selection.changed.connect(self._selection_changed)
        self._session.project_changed.connect(self._project_changed)
        self.bar.field.stepped.connect(self._keyboard.go_to_next)
        self.bar.field.left.connect(self.setFocus)
        keyboard = self._keyboard
        keyboard.cursor_moved.connect(self._speaker.say_focus)
        keyboard.activated.connect(self.activated)
        keyboard.pick_up_requested.connect(self.pick_up)
        keyboard.find_requested.connect(self.find_items)
        keyboard.cancelled.connect(self.cancel)
        keyboard.dropped.connect(self.end_gesture)

    # ------------------------------------------------------------------ what is shown

    @property
    def state(self) -> BoardState:
        """What the next frame shows of the user's doing."""
        return BoardState(
            selected=frozenset(self._selection.ids),
            current=self._selection.current,
            cursor=self._keyboard.cursor,
            has_focus=self.hasFocus(),
            hovered=self._hovered,
            cut=self.cut,
            carry=self._hand.carry or self._drop.carry,
            band=self._hand.band,
            matches=self._lens.matches,
            tints=self._lens.tints,
            standings=standings(self._after),
            partners=self._ties.partners,
            secondary=self._ties.secondary,
            lost=self.outage.lost,
        )

    def _faces(self) -> Faces:
        carry = self._hand.carry or self._drop.carry
        return self._books.faces(carry, self._after, self._rest.wanted, self.outage.lost)

    @property
    def _after(self) -> MovePreview | None:
        """The hosts with what is being dragged dropped on them."""
        return self._hand.after or self._drop.after

    def set_motion(self, is_allowed: bool) -> None:
        """Whether things may move by themselves, be it for the blink of an eye."""
        self.outage.is_moving_allowed = is_allowed

    def pick_up(self) -> None:
        """Takes the selected VMs into the hand, to be dropped by Enter or a click."""
        self.setFocus()
        if self._hand.carry is None and self._hand.pick_up(self.board_layout):
            self._speaker.say_carry(self._hand.carry)
            self.viewport().update()

    def find_items(self) -> None:
        """Gives the keys to the field that finds things on the board."""
        self.bar.field.setFocus()
        self.bar.field.selectAll()

    def lose_host(self) -> None:
        """Shows the current host as lost until Escape; shows it again when it is lost already."""
        self._keyboard.toggle_outage()

    def toggle_fold(self, id: str) -> None:
        super().toggle_fold(id)
        self._speaker.say_fold(id)

    def _show(self, view: View) -> None:
        super()._show(view)
        self._ties.forget()
        self._speaker.view_changed()

    def _project_changed(self, _project: object) -> None:
        """What is being dragged belongs to a scenario that may be gone: an undo, another file."""
        if self._hand.is_down or self._hand.is_by_key:
            self.cancel()
        if self._drop.carry is not None:
            self._drop.cancel()
            self._receive()

    def _outage_changed(self) -> None:
        lost = self.outage.lost
        restarts = {} if lost is None else lost.restarts
        if restarts != self._restarts:
            self._restart(restarts)
        words = "" if lost is None else lost.words
        self.bar.banner.say(words, None if lost is None else lost.verdict)
        self._speaker.tell(words)
        self.viewport().update()

    def _selection_changed(self) -> None:
        self._keyboard.selection_changed()
        self._speaker.selection_changed()
        self.viewport().update()

    # ------------------------------------------------------------------ pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        x, y = self.camera.to_board(event.position())
        if event.button() is not Qt.MouseButton.LeftButton:
            if self._hand.is_down or self._hand.is_by_key:
                self.cancel()
        elif self._hand.is_by_key:
            self._hand.hover(self.board_layout, x, y)
            self._hand.drop()
            self.end_gesture()
        else:
            self._press(x, y, is_adding=bool(event.modifiers() & ADDING))
        event.accept()

    def _press(self, x: float, y: float, *, is_adding: bool) -> None:
        hit = hit_test(self.board_layout, x, y)
        if hit.kind is HitKind.FOLD:
            self.toggle_fold(hit.id)
            return
        self._hand.press(self.board_layout, x, y, is_adding=is_adding)
        if hit.kind is HitKind.HOST and not is_adding:
            self.outage.press(hit.id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, y = self.camera.to_board(event.position())
        if self._hand.is_down and self.outage.lost is None:
            self._hand.move(self.board_layout, x, y, float(QApplication.startDragDistance()))
            if self._hand.is_busy:
                self.outage.stop_waiting()
                self.camera.drift_at(event.position())
            self._show_cursor()
        elif self._hand.is_by_key:
            self._hand.hover(self.board_layout, x, y)
            self._show_cursor()
        else:
            self._hover(hit_test(self.board_layout, x, y), x, y)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self._hand.is_down:
            return
        if self.outage.release():
            self.cancel()
            return
        x, y = self.camera.to_board(event.position())
        self._hand.move(self.board_layout, x, y, float(QApplication.startDragDistance()))
        is_click = not self._hand.is_busy and not event.modifiers() & ADDING
        self._hand.release()
        self.end_gesture()
        if is_click:
            self._click(hit_test(self.board_layout, x, y), x, y)

    def _click(self, hit: Hit, x: float, y: float) -> None:
        """A click on a number asks for its evidence."""
        field = self._number_at(hit, x, y)
        if field is not None:
            self.why_requested.emit(hit.id, field)

    def _number_at(self, hit: Hit, x: float, y: float) -> str | None:
        box = self.board_layout.box(hit.id)
        if hit.kind not in WITH_NUMBERS or box is None:
            return None
        return number_at(self._faces().face(hit.id), QRectF(*box), self.board_layout.scale, x, y)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position())
        if event.button() is not Qt.MouseButton.LeftButton or not hit.id:
            return
        if hit.kind is HitKind.FOLD:
            self.toggle_fold(hit.id)
            return
        self._selection.select(hit.id)
        self.activated.emit(hit.id)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            hit, position = self._current_hit()
        else:
            hit, position = self.hit(QPointF(event.pos())), event.globalPos()
        if hit.id in self.board_layout.in_site:
            hit = NOTHING
        if hit.id and hit.id not in self._selection:
            self._selection.select(hit.id)
        self.menu_requested.emit(position, hit)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.viewport().update()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        self._pivot = self.hit(event.position()).id or None
        if event.angleDelta().y() > 0:
            self.zoom_in()
        elif event.angleDelta().y() < 0:
            self.zoom_out()
        self._pivot = None
        event.accept()

    def _current_hit(self) -> tuple[Hit, QPoint]:
        current = self._selection.current
        box = self.shown_box(current) if current else None
        if box is None:
            return Hit(HitKind.NOTHING), self.viewport().mapToGlobal(QPoint(20, 20))
        middle = QPointF(box.x + box.w / 2, box.y + min(box.h, 40) / 2) - self.camera.offset
        return self.hit(middle), self.viewport().mapToGlobal(middle.toPoint())

    def anchor(self) -> QPoint:
        """Where a menu about the current item opens, in global coordinates."""
        return self._current_hit()[1]

    def _hover(self, hit: Hit, x: float, y: float) -> None:
        is_card = hit.kind is not HitKind.CLUSTER and hit.id not in self.board_layout.in_site
        self._hovered = hit.id if is_card and hit.id else None
        shapes = {
            HitKind.VM: Qt.CursorShape.OpenHandCursor,
            HitKind.FOLD: Qt.CursorShape.PointingHandCursor,
        }
        shape = shapes.get(hit.kind, Qt.CursorShape.ArrowCursor)
        if self._number_at(hit, x, y) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)

    def _show_cursor(self) -> None:
        carry = self._hand.carry
        if carry is not None:
            refused = carry.is_refused
            shape = Qt.CursorShape.ForbiddenCursor if refused else Qt.CursorShape.ClosedHandCursor
            self.viewport().setCursor(shape)

    def cancel(self) -> None:
        """What the hand began did not happen."""
        self._hand.cancel()
        self.end_gesture()

    def end_gesture(self) -> None:
        self.outage.stop_waiting()
        self.camera.hold_still()
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.viewport().update()

    def _drifted(self) -> None:
        """The board scrolled below a hand that stays at its edge."""
        position = QPointF(self.viewport().mapFromGlobal(self.cursor().pos()))
        self.camera.drift_at(position)
        self._hand.move(self.board_layout, *self.camera.to_board(position), 0.0)
        self.viewport().update()

    # ------------------------------------------------------------------ keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._keyboard.press(event):
            self._speaker.say_carry(self._hand.carry)
            self.viewport().update()
            event.accept()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._keyboard.release(event):
            event.accept()
        else:
            super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._speaker.focus_changed()
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._keyboard.leave()
        if self._hand.is_by_key and event.reason() not in STILL_HERE:
            self.cancel()
        self.viewport().update()

    # ------------------------------------------------------------------ from the catalog

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        item = catalog_item(event.mimeData())
        if item is None:
            event.ignore()
            return
        self._drop.enter(item)
        event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._drop.move(self.board_layout, *self.camera.to_board(event.position()))
        self._receive()
        if self._drop.is_refused:
            event.ignore()
        else:
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop.cancel()
        self._receive()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop.move(self.board_layout, *self.camera.to_board(event.position()))
        if self._drop.drop():
            event.acceptProposedAction()
            self._session.flush()
            self.reveal(self._selection.current or "")
        else:
            event.ignore()
        self._receive()

    def _receive(self) -> None:
        self._is_receiving = self._drop.carry is not None
        self._place_empty()
        self.viewport().update()

    # ------------------------------------------------------------------ words

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            hit = self.hit(QPointF(event.pos()))
            known = hit.kind in (HitKind.VM, HitKind.HOST, HitKind.POOL)
            text = tip(self._session.view, hit.id, self._faces().face(hit.id)) if known else ""
            QToolTip.showText(event.globalPos(), tip_text(text), self)
            return True
        return super().viewportEvent(event)
