"""The board for screen readers: its sites, clusters, hosts, VMs and pools as a tree of items.

They are painted, not widgets, so each gets an accessible interface of its own: role, name, value,
state and place. Where the focus goes and what the hand does is announced.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from functools import cache

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleStateChangeEvent,
    QAccessibleValueChangeEvent,
)
from PySide6.QtWidgets import QAccessibleWidget

from app.selection import Selection
from app.widgets.board.layout import BoardLayout, is_alone
from app.widgets.board.scene import Carry
from app.widgets.board.surface import BoardSurface
from app.widgets.board.tips import Said
from app.widgets.roles import IS_AT_SPI

ROOT = ""


def children_of(layout: BoardLayout) -> dict[str, tuple[str, ...]]:
    """What stands below each item, by id; below `ROOT` what stands on the board itself.

    Hosts without a cluster stand in their site or on the board, VMs without a host on the board;
    what is folded away has no place in the tree.
    """
    found: dict[str, tuple[str, ...]] = {}
    sites = {id: site for site, at in layout.in_site.items() for id in (*at.clusters, *at.pools)}
    inside: dict[str, list[str]] = {site: [] for site in (*layout.in_site, ROOT)}
    for cluster in layout.members:
        hosts = layout.shown_hosts(cluster)
        above = inside[sites.get(cluster, ROOT)]
        if is_alone(cluster):
            above += hosts
        elif cluster in layout.clusters:
            above.append(cluster)
            found[cluster] = hosts
        found.update((host, layout.shown_cards(host)) for host in hosts)
    top = inside.pop(ROOT)
    top += (*inside, *layout.tray_cards)
    for pool in layout.pools:
        inside.get(sites.get(pool, ROOT), top).append(pool)
    return {**found, **{site: tuple(ids) for site, ids in inside.items()}, ROOT: tuple(top)}


class ItemTree:
    """The items of one board, made when somebody asks for them."""

    def __init__(self, board: BoardSurface) -> None:
        self._board = weakref.ref(board)
        self._items: dict[str, ItemAccess] = {}
        self._layout: BoardLayout | None = None
        self._children: Mapping[str, tuple[str, ...]] = {}
        self._parents: dict[str, str] = {}

    def item(self, id: str) -> ItemAccess | None:
        """The interface of an item of the board; None when it is not to be seen."""
        self._look()
        board = self._board()
        if id not in self._parents or board is None:
            return None
        if id not in self._items:
            item = self._items[id] = ItemAccess(board, self, id)
            QAccessible.registerAccessibleInterface(item)
        return self._items[id]

    def child(self, id: str, index: int) -> ItemAccess | None:
        ids = self.below(id)
        return self.item(ids[index]) if 0 <= index < len(ids) else None

    def position(self, id: str, child: QAccessibleInterface) -> int:
        """Which child of `id` that is; −1 for none."""
        ids = self.below(id)
        return ids.index(child.id) if isinstance(child, ItemAccess) and child.id in ids else -1

    def below(self, id: str) -> tuple[str, ...]:
        """Ids of the items below one, or below `ROOT`."""
        self._look()
        return self._children.get(id, ())

    def above(self, id: str) -> str:
        self._look()
        return self._parents.get(id, ROOT)

    def forget(self) -> None:
        """The board is gone, and its items with it."""
        for item in self._items.values():
            if shiboken6.isValid(item):
                QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(item))
        self._items.clear()

    def _look(self) -> None:
        board = self._board()
        if board is None or board.board_layout is self._layout:
            return
        self._layout = board.board_layout
        self._children = children_of(self._layout)
        self._parents = {
            child: parent for parent, children in self._children.items() for child in children
        }


class BoardAccess(QAccessibleWidget):
    """The board itself: a tree.

    Qt makes it by the factory below when it is asked for, and may make it again; what lasts is in
    the `ItemTree`.
    """

    def __init__(self, board: BoardSurface, tree: ItemTree) -> None:
        super().__init__(board, QAccessible.Role.Tree, board.accessibleName())
        self._board = weakref.ref(board)
        self._tree = tree

    def childCount(self) -> int:
        return self._bars() + len(self._tree.below(ROOT))

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        board, bars = self._board(), self._bars()
        if board is not None and index < bars:
            return QAccessible.queryAccessibleInterface(board.bar)
        return self._tree.child(ROOT, index - bars)

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        board, position = self._board(), self._tree.position(ROOT, child)
        if position >= 0:
            return self._bars() + position
        return 0 if board is not None and child.object() is board.bar else -1

    def _bars(self) -> int:
        """The bar above the cards is a widget, and the first child."""
        board = self._board()
        return int(board is not None and not board.bar.isHidden())

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        board = self._board()
        if board is None:
            return None
        if self._bars() and board.bar.rect().contains(board.bar.mapFromGlobal(QPoint(x, y))):
            return QAccessible.queryAccessibleInterface(board.bar)
        hit = board.hit(board.viewport().mapFromGlobal(QPoint(x, y)).toPointF())
        return self._tree.item(hit.id) if hit.id else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        board = self._board()
        focused = board.state.focused if board is not None else None
        return self._tree.item(focused) if focused is not None else None


_TREES: weakref.WeakKeyDictionary[BoardSurface, ItemTree] = weakref.WeakKeyDictionary()
"""Of every board that is there; Qt's factory is told nothing but the widget."""


def _board_access(_class_name: str, widget: QObject) -> BoardAccess | None:
    tree = _TREES.get(widget) if isinstance(widget, BoardSurface) else None
    return BoardAccess(widget, tree) if isinstance(widget, BoardSurface) and tree else None


@cache
def _install() -> None:
    QAccessible.installFactory(_board_access)


class ItemAccess(QAccessibleInterface):
    """One site, cluster, host, VM or pool."""

    def __init__(self, board: BoardSurface, tree: ItemTree, id: str) -> None:
        super().__init__()
        self._board = weakref.ref(board)
        self._tree = weakref.ref(tree)
        self.id = id

    @property
    def _said(self) -> Said:
        board = self._board()
        return board.said(self.id) if board is not None else Said()

    def isValid(self) -> bool:
        board = self._board()
        return board is not None and shiboken6.isValid(board)

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def window(self) -> None:  # type: ignore[override]
        return None

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        board, tree = self._board(), self._tree()
        if board is None or tree is None:
            return None
        above = tree.above(self.id)
        return QAccessible.queryAccessibleInterface(board) if above == ROOT else tree.item(above)

    def childCount(self) -> int:
        tree = self._tree()
        return len(tree.below(self.id)) if tree is not None else 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        tree = self._tree()
        return tree.child(self.id, index) if tree is not None else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        tree = self._tree()
        return tree.position(self.id, child) if tree is not None else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        children = (self.child(index) for index in range(self.childCount()))
        return next((each for each in children if each and each.rect().contains(x, y)), None)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.TreeItem

    def text(self, text: QAccessible.Text) -> str:
        words = self._said
        described = (words.description, words.value if IS_AT_SPI else "")
        return {
            QAccessible.Text.Name: words.name,
            QAccessible.Text.Value: words.value,
            QAccessible.Text.Description: ", ".join(filter(None, described)),
        }.get(text, "")

    def setText(self, text: QAccessible.Text, words: str) -> None:
        """Names are changed in the inspector."""

    def rect(self) -> QRect:
        board = self._board()
        box = board.board_layout.box(self.id) if board is not None else None
        if board is None or box is None:
            return QRect()
        offset = board.camera.offset
        corner = QPoint(round(box.x - offset.x()), round(box.y - offset.y()))
        place = board.viewport().mapToGlobal(corner)
        return QRect(place.x(), place.y(), round(box.w), round(box.h))

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        board = self._board()
        if board is None:
            return state
        shown, layout = board.state, board.board_layout
        state.focusable = state.selectable = state.multiSelectable = True
        state.selected = self.id in shown.selected
        state.focused = self.id == shown.focused
        is_site = self.id in layout.sites
        if is_site:
            state.selectable = state.multiSelectable = False
        if self.id in layout.hosts or self.id in layout.clusters or is_site:
            is_folded = self.id in layout.folded
            state.expandable = True
            state.expanded = not is_folded
            state.collapsed = is_folded
        box = layout.box(self.id)
        state.offscreen = box is None or not box.meets(board.camera.seen)
        return state


class Speaker:
    """Tells screen readers what happens on one board."""

    def __init__(self, board: BoardSurface, selection: Selection) -> None:
        self._board = weakref.ref(board)
        self._selection = selection
        self._told = ""
        self._tree = _TREES[board] = ItemTree(board)
        _install()
        board.destroyed.connect(self._tree.forget)

    def selection_changed(self) -> None:
        """The current item is another one: it is described and has the focus."""
        self._describe()
        board, current = self._board(), self._selection.current
        if board is not None:
            event = QAccessibleEvent(board, QAccessible.Event.DescriptionChanged)
            QAccessible.updateAccessibility(event)
        if current is not None:
            self.say_focus(current)

    def focus_changed(self) -> None:
        """The board has got the keys."""
        if self._selection.current is not None:
            self.say_focus(self._selection.current)

    def view_changed(self) -> None:
        """The numbers are others."""
        self._describe()
        board, current = self._board(), self._selection.current
        if QAccessible.isActive() and board is not None and current is not None:
            item = self._tree.item(current)
            if item is not None:
                value = board.said(current).value
                QAccessible.updateAccessibility(QAccessibleValueChangeEvent(item, value))

    def say_focus(self, id: str) -> None:
        board = self._board()
        if not QAccessible.isActive() or board is None or not board.hasFocus():
            return
        item = self._tree.item(id)
        if item is not None:
            QAccessible.updateAccessibility(QAccessibleEvent(item, QAccessible.Event.Focus))

    def say_fold(self, id: str) -> None:
        """A site, cluster or host was folded or unfolded."""
        item = self._tree.item(id) if QAccessible.isActive() else None
        if item is not None:
            changed = QAccessible.State()
            changed.expanded = True
            QAccessible.updateAccessibility(QAccessibleStateChangeEvent(item, changed))

    def say_carry(self, carry: Carry | None) -> None:
        """What a drop would do, when that is something else than a moment ago."""
        self.tell("" if carry is None else carry.words)

    def tell(self, words: str) -> None:
        """Says something at once."""
        board = self._board()
        if words and words != self._told and board is not None:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(board, words))
        self._told = words

    def _describe(self) -> None:
        """What is said of the board as a whole: the current item in words."""
        board, current = self._board(), self._selection.current
        if board is None:
            return
        words = board.said(current).line if current else ""
        if words != board.accessibleDescription():
            board.setAccessibleDescription(words)
