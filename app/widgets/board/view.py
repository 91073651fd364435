"""The board in the window: one painted surface that shows the session and takes gestures."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QToolTip, QWidget

from app.mime import catalog_item
from app.selection import Selection
from app.session import Session, View
from app.theme import LIGHT, Theme
from app.widgets.board.cards import CachedCards
from app.widgets.board.drops import CatalogDrop
from app.widgets.board.faces import FaceBook
from app.widgets.board.hand import Hand
from app.widgets.board.keys import Direction, neighbour, reading_order
from app.widgets.board.layout import BoardLayout, Box, Hit, HitKind, hit_test, layout_board
from app.widgets.board.paint import BoardState, Carry, Scene, paint_hand, paint_still
from app.widgets.board.tips import spoken, tip
from app.wording import locale_style

ZOOMS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
SCROLL_EDGE_PX = 28
SCROLL_STEP_PX = 9
SCROLL_AFTER_MS = 300
"""A hand that only passes the edge on its way does not scroll."""
SCROLL_INTERVAL_MS = 16
ARROWS = {
    Qt.Key.Key_Left: Direction.LEFT,
    Qt.Key.Key_Right: Direction.RIGHT,
    Qt.Key.Key_Up: Direction.UP,
    Qt.Key.Key_Down: Direction.DOWN,
}


class BoardView(QAbstractScrollArea):
    """Shows the session's view as cards; moves VMs, takes catalog rows, and can be zoomed.

    Signals:
        menu_requested: global position and what lies there (`Hit`).
        move_requested: the user wants to choose a host for the selected VMs.
        activated: id of the item on which Enter was pressed or that was double-clicked.
        zoom_changed: the new zoom, 1 is 100 %.
        painted: the first frame is on the screen.
    """

    menu_requested = Signal(QPoint, object)
    move_requested = Signal()
    activated = Signal(str)
    zoom_changed = Signal(float)
    painted = Signal()

    def __init__(
        self, session: Session, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._theme = LIGHT
        self._zoom = 1.0
        self._is_painted = False
        self._still: QPixmap | None = None
        self._still_key: tuple[object, ...] = ()
        self._cards = CachedCards()
        self._hand = Hand(session, selection)
        self._drop = CatalogDrop(session, selection)
        self._hovered: str | None = None
        self._cut: frozenset[str] = frozenset()
        self._laid_out = session.scenario
        self._layout = layout_board(self._laid_out, 800.0)
        self._faces = self._book(session.view, None)
        self._scroller = QTimer(self)
        self._scroller.setInterval(SCROLL_INTERVAL_MS)
        self._scroller.timeout.connect(self._scroll_on)
        self._dwell = QTimer(self)
        self._dwell.setSingleShot(True)
        self._dwell.setInterval(SCROLL_AFTER_MS)
        self._dwell.timeout.connect(self._scroller.start)
        self._empty: QWidget | None = None
        self._set_up()
        session.view_changed.connect(self._show)
        selection.changed.connect(self._selection_changed)

    def _set_up(self) -> None:
        self.setObjectName("board")
        self.setAccessibleName("Board of clusters, hosts, VMs and pools")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(300, 180)
        self.setAcceptDrops(True)
        self.viewport().setMouseTracking(True)
        self.viewport().setAcceptDrops(True)
        self.verticalScrollBar().setSingleStep(24)
        self.horizontalScrollBar().setSingleStep(24)

    # ------------------------------------------------------------------ what is shown

    @property
    def board_layout(self) -> BoardLayout:
        return self._layout

    @property
    def zoom(self) -> float:
        return self._zoom

    @property
    def state(self) -> BoardState:
        """What the next frame shows of the user's doing."""
        return BoardState(
            selected=frozenset(self._selection.ids),
            current=self._selection.current,
            has_focus=self.hasFocus(),
            hovered=self._hovered,
            cut=self._cut,
            carry=self._hand.carry or self._drop.carry,
            band=self._hand.band,
        )

    @property
    def scene(self) -> Scene:
        return Scene(
            layout=self._layout,
            scenario=self._laid_out,
            faces=self._faces,
            theme=self._theme,
            state=self.state,
        )

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._cards.clear()
        self.viewport().update()

    def set_empty_state(self, widget: QWidget) -> None:
        """What stands on the board while there is nothing on it."""
        widget.setParent(self.viewport())
        self._empty = widget
        self._place_empty()

    def start(self) -> None:
        """Gives the focus to the board, or to what stands on it while it is empty."""
        empty = self._empty
        is_empty = not self._session.scenario.items()
        (empty if is_empty and empty is not None else self).setFocus()

    def _place_empty(self) -> None:
        if self._empty is not None:
            self._empty.setGeometry(self.viewport().rect())
            is_needed = not self._laid_out.items() and self._drop.carry is None
            self._empty.setVisible(is_needed)

    def set_cut(self, ids: frozenset[str]) -> None:
        """Shows these VMs faintly: they move when they are pasted."""
        self._cut = ids
        self.viewport().update()

    def set_zoom(self, zoom: float) -> None:
        zoom = min(max(zoom, ZOOMS[0]), ZOOMS[-1])
        if zoom != self._zoom:
            self._zoom = zoom
            self._cards.clear()
            self._lay_out()
            self.zoom_changed.emit(zoom)

    def zoom_in(self) -> None:
        self.set_zoom(next((z for z in ZOOMS if z > self._zoom + 1e-6), ZOOMS[-1]))

    def zoom_out(self) -> None:
        self.set_zoom(next((z for z in reversed(ZOOMS) if z < self._zoom - 1e-6), ZOOMS[0]))

    def zoom_reset(self) -> None:
        self.set_zoom(1.0)

    def zoom_to_fit(self) -> None:
        """The largest zoom up to 100 % at which the whole board is in view."""
        room = self.viewport().size()
        for zoom in (z for z in reversed(ZOOMS) if z <= 1.0):
            layout = layout_board(self._laid_out, float(room.width()), zoom)
            if layout.height <= room.height() or zoom == ZOOMS[0]:
                self.set_zoom(zoom)
                return

    def reveal(self, id: str) -> None:
        """Scrolls so far that the item is in view."""
        box = self._layout.box(id)
        if box is None:
            return
        bar, room = self.verticalScrollBar(), self.viewport().height()
        if box.y < bar.value() or box.h > room:
            bar.setValue(round(box.y - 12))
        elif box.bottom > bar.value() + room:
            bar.setValue(round(box.bottom - room + 12))

    def sizeHint(self) -> QSize:
        return QSize(860, 480)

    def _show(self, view: View) -> None:
        if self._session.scenario is not self._laid_out:
            self._laid_out = self._session.scenario
            self._lay_out()
        self._faces = self._book(view, self._faces)
        self._describe()
        self.viewport().update()

    def _book(self, view: View, before: FaceBook | None) -> FaceBook:
        return FaceBook(
            view,
            self._laid_out,
            self._session.catalog,
            locale_style(),
            is_compact=self._layout.is_compact,
            before=before,
        )

    def _lay_out(self) -> None:
        """Places what `_show` was last given: faces and boxes are always of one scenario."""
        self._layout = layout_board(self._laid_out, float(self.viewport().width()), self._zoom)
        room = self.viewport().size()
        for bar, length, page in (
            (self.verticalScrollBar(), self._layout.height, room.height()),
            (self.horizontalScrollBar(), self._layout.width, room.width()),
        ):
            bar.setPageStep(page)
            bar.setRange(0, max(0, round(length) - page))
        self._place_empty()
        self.viewport().update()

    def _selection_changed(self) -> None:
        self._describe()
        event = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(event)
        self.viewport().update()

    def _describe(self) -> None:
        """What a screen reader says of the board: the current item in words."""
        current = self._selection.current
        words = self._spoken(current) if current else ""
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def _spoken(self, id: str) -> str:
        known = id in self._layout.vms or id in self._layout.hosts or id in self._layout.pools
        face = self._faces.face(id) if known else None
        return spoken(self._laid_out, id, face) if self._layout.box(id) is not None else ""

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        scene, offset = self.scene, self._offset()
        room = self.viewport().size()
        area = Box(offset.x(), offset.y(), float(room.width()), float(room.height()))
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._still_picture(scene, area))
        painter.translate(-offset)
        paint_hand(painter, scene, area, self._cards)
        painter.end()
        if not self._is_painted:
            self._is_painted = True
            self.painted.emit()

    def _still_picture(self, scene: Scene, area: Box) -> QPixmap:
        """The visible board without what follows the pointer; kept while that alone moves."""
        ratio, state = self.devicePixelRatioF(), scene.state
        carried = state.carry.ids if state.carry is not None else ()
        kept = replace(state, carry=Carry(ids=carried), hovered=None, band=None)
        key = (scene.faces, scene.layout, scene.theme, kept, area, ratio)
        if self._still is None or self._still_key != key:
            pixmap = QPixmap(round(area.w * ratio), round(area.h * ratio))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(QColor(scene.theme.ground))
            painter = QPainter(pixmap)
            painter.translate(-area.x, -area.y)
            paint_still(painter, scene, area, self._cards)
            painter.end()
            self._still, self._still_key = pixmap, key
        return self._still

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def _offset(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _at(self, position: QPointF) -> tuple[float, float]:
        """Viewport to board coordinates."""
        on_board = position + self._offset()
        return on_board.x(), on_board.y()

    # ------------------------------------------------------------------ pointer

    def hit(self, position: QPointF) -> Hit:
        """What lies at a position of the viewport."""
        return hit_test(self._layout, *self._at(position))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        x, y = self._at(event.position())
        if event.button() is Qt.MouseButton.LeftButton:
            adding = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            self._hand.press(self._layout, x, y, is_adding=bool(event.modifiers() & adding))
        elif self._hand.is_down:
            self._cancel()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, y = self._at(event.position())
        if self._hand.is_down:
            self._hand.move(self._layout, x, y, float(QApplication.startDragDistance()))
            self._scroll_at_edge(event.position())
            self._show_cursor()
        else:
            self._hover(hit_test(self._layout, x, y))
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._hand.is_down:
            self._hand.move(
                self._layout, *self._at(event.position()), float(QApplication.startDragDistance())
            )
            self._hand.release()
            self._end_gesture()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position())
        if event.button() is Qt.MouseButton.LeftButton and hit.id:
            self._selection.select(hit.id)
            self.activated.emit(hit.id)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            hit, position = self._current_hit()
        else:
            hit, position = self.hit(QPointF(event.pos())), event.globalPos()
        if hit.id and hit.id not in self._selection:
            self._selection.select(hit.id)
        self.menu_requested.emit(position, hit)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.viewport().update()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.angleDelta().y() > 0:
                self.zoom_in()
            elif event.angleDelta().y() < 0:
                self.zoom_out()
            event.accept()
        else:
            super().wheelEvent(event)

    def _current_hit(self) -> tuple[Hit, QPoint]:
        current = self._selection.current
        box = self._layout.box(current) if current else None
        if box is None:
            return Hit(HitKind.NOTHING), self.viewport().mapToGlobal(QPoint(20, 20))
        middle = QPointF(box.x + box.w / 2, box.y + min(box.h, 40) / 2) - self._offset()
        return self.hit(middle), self.viewport().mapToGlobal(middle.toPoint())

    def anchor(self) -> QPoint:
        """Where a menu about the current item opens, in global coordinates."""
        return self._current_hit()[1]

    def _hover(self, hit: Hit) -> None:
        self._hovered = hit.id if hit.kind is not HitKind.CLUSTER and hit.id else None
        is_card = hit.kind is HitKind.VM
        shape = Qt.CursorShape.OpenHandCursor if is_card else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def _show_cursor(self) -> None:
        carry = self._hand.carry
        if carry is not None:
            refused = carry.is_refused
            shape = Qt.CursorShape.ForbiddenCursor if refused else Qt.CursorShape.ClosedHandCursor
            self.viewport().setCursor(shape)

    def _cancel(self) -> None:
        self._hand.cancel()
        self._end_gesture()

    def _end_gesture(self) -> None:
        self._stop_scrolling()
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.viewport().update()

    def _scroll_at_edge(self, position: QPointF) -> None:
        is_near = self._edge_step(position) != 0 and self._hand.is_busy
        if not is_near:
            self._stop_scrolling()
        elif not (self._scroller.isActive() or self._dwell.isActive()):
            self._dwell.start()

    def _stop_scrolling(self) -> None:
        self._dwell.stop()
        self._scroller.stop()

    def _edge_step(self, position: QPointF) -> int:
        return edge_step(position.y(), self.viewport().height())

    def _scroll_on(self) -> None:
        """Scrolls on while the hand stays at the upper or lower edge."""
        position = QPointF(self.viewport().mapFromGlobal(self.cursor().pos()))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self._edge_step(position))
        self._hand.move(self._layout, *self._at(position), 0.0)
        self.viewport().update()

    # ------------------------------------------------------------------ keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._take_key(Qt.Key(event.key()), event.modifiers()):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _take_key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        plain = modifiers & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        )
        if plain != Qt.KeyboardModifier.NoModifier:
            return False
        if key in ARROWS:
            self._go(
                neighbour(self._layout, self._selection.current, ARROWS[key]),
                is_adding=bool(modifiers & Qt.KeyboardModifier.ShiftModifier),
            )
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            order = reading_order(self._layout)
            self._go(order[0 if key == Qt.Key.Key_Home else -1] if order else None)
        elif key == Qt.Key.Key_Escape:
            self._escape()
        elif key == Qt.Key.Key_M:
            self.move_requested.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selection.current:
            self.activated.emit(self._selection.current)
        else:
            return False
        return True

    def _go(self, id: str | None, *, is_adding: bool = False) -> None:
        if id is None:
            return
        self._selection.set((*self._selection.ids, id) if is_adding else (id,), id)
        self.reveal(id)

    def _escape(self) -> None:
        if self._hand.is_down:
            self._cancel()
        elif self._cut:
            self.set_cut(frozenset())
        else:
            self._selection.clear()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
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
        x, y = self._at(event.position())
        self._drop.move(self._layout, x, y)
        self._place_empty()
        self.viewport().update()
        if self._drop.is_refused:
            event.ignore()
        else:
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop.cancel()
        self._place_empty()
        self.viewport().update()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        x, y = self._at(event.position())
        self._drop.move(self._layout, x, y)
        if self._drop.drop():
            event.acceptProposedAction()
            self._session.flush()
            self.reveal(self._selection.current or "")
        else:
            event.ignore()
        self._place_empty()
        self.viewport().update()

    # ------------------------------------------------------------------ words

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            hit = self.hit(QPointF(event.pos()))
            known = hit.kind in (HitKind.VM, HitKind.HOST, HitKind.POOL)
            text = tip(self._session.view, hit.id, self._faces.face(hit.id)) if known else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)


def edge_step(y: float, height: float) -> int:
    """Pixels to scroll by at a height of the viewport: the nearer to the edge, the more.

    >>> edge_step(100, 400), edge_step(0, 400), edge_step(386, 400), edge_step(500, 400)
    (0, -9, 5, 9)
    """
    above, below = SCROLL_EDGE_PX - y, y - (height - SCROLL_EDGE_PX)
    depth = max(above, below, 0.0)
    step = -(-min(depth / SCROLL_EDGE_PX, 1.0) * SCROLL_STEP_PX // 1)
    return int(-step if above > below else step)
