"""Where Tab goes in a window of several parts.

Qt goes by the order in which widgets were made. Here parts are made when there is time for them,
some make their content anew, and a heading that folds may be made after what it folds: Tab goes by
where things stand instead, part by part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from PySide6.QtCore import QChildEvent, QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QLayout,
    QScrollArea,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

Place = tuple[int, int, int]
"""Among its siblings: 0 and the place in the layout, or after those 1 and the position."""


def go_on(
    parts: Sequence[QWidget], window: QWidget, step: int, *, within: QWidget | None = None
) -> bool:
    """Gives the focus to the next widget (or the one before, with −1); False: there is none.

    Widgets of the first part come first; what belongs to no part comes after all of them. With
    `within`, only its descendants are reached.
    """
    order = tab_order(parts, window)
    if within is not None:
        order = [widget for widget in order if within.isAncestorOf(widget)]
    if not order:
        return False
    now = QApplication.focusWidget()
    at = order.index(now) if now in order else (-1 if step > 0 else 0)
    reason = Qt.FocusReason.TabFocusReason if step > 0 else Qt.FocusReason.BacktabFocusReason
    order[(at + step) % len(order)].setFocus(reason)
    return True


def tab_order(parts: Sequence[QWidget], window: QWidget) -> list[QWidget]:
    """The widgets of a window that Tab can reach, part by part, within each as one reads it."""
    found = [widget for widget in _chain(window) if _can_be_reached(widget, window)]
    around, ways = _around(parts), Ways(window)
    return sorted(found, key=lambda widget: (_part_of(widget, around, parts), ways[widget]))


class Ways(dict[QWidget, tuple[Place, ...]]):
    """The places of a widget and of what it is in, from the window down; worked out as asked."""

    def __init__(self, window: QWidget) -> None:
        super().__init__({window: ()})
        self._laid_out: dict[QWidget, dict[QWidget, Place]] = {}

    def __missing__(self, widget: QWidget) -> tuple[Place, ...]:
        parent = widget.parentWidget()
        way = () if parent is None else (*self[parent], self._place(widget, parent))
        self[widget] = way
        return way

    def _place(self, widget: QWidget, parent: QWidget) -> Place:
        if parent not in self._laid_out:
            layout = parent.layout()
            found = () if layout is None else _laid_out(layout)
            self._laid_out[parent] = {each: (0, at, 0) for at, each in enumerate(found)}
        return self._laid_out[parent].get(widget) or (1, widget.y(), widget.x())


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    """The widgets of a layout and of those within it, in its order; a grid goes row by row."""
    places: Sequence[int] = range(layout.count())
    if isinstance(layout, QGridLayout):
        spots = [cast(tuple[int, ...], layout.getItemPosition(at)) for at in places]
        places = sorted(places, key=spots.__getitem__)
    for at in places:
        item = layout.itemAt(at)
        widget, inner = (None, None) if item is None else (item.widget(), item.layout())
        if widget is not None:
            yield widget
        elif inner is not None:
            yield from _laid_out(inner)


def _chain(window: QWidget) -> Iterator[QWidget]:
    """All widgets of a window in Qt's order.

    PySide takes the next in the chain for a child of the one before, so that the wrappers of all
    that follow, and of the window at its end, would become invalid with any one that is deleted.
    To be asked for its parent puts a widget right; a window has none and is never asked for.
    """
    last = window.previousInFocusChain()
    if last is not None:
        last.parentWidget()
    widget = window.nextInFocusChain()
    while widget is not None:
        widget.parentWidget()
        yield widget
        widget = None if widget is last else widget.nextInFocusChain()


def _can_be_reached(widget: QWidget, window: QWidget) -> bool:
    """Areas that merely scroll, and the arrows of a row of tabs, would show no focus."""
    return (
        widget.isVisible()
        and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        and not isinstance(widget, QScrollArea)
        and not isinstance(widget.parent(), QTabBar)
        and widget.focusProxy() is None
        and widget.isEnabled()
        and widget.window() is window
    )


def _around(parts: Sequence[QWidget]) -> dict[QWidget, list[int]]:
    """The places of the parts that a widget is, or that stand in it."""
    found: dict[QWidget, list[int]] = {}
    for at, part in enumerate(parts):
        around: QWidget | None = part
        while around is not None:
            found.setdefault(around, []).append(at)
            around = around.parentWidget()
    return found


def _part_of(
    widget: QWidget, around: Mapping[QWidget, Sequence[int]], parts: Sequence[QWidget]
) -> int:
    """The place of a widget's part; what stands around some parts, as tabs do, goes with these."""
    within: QWidget | None = widget
    while within is not None and within not in around:
        within = within.parentWidget()
    if within is None:
        return len(parts)
    near = around[within]
    is_inside = parts[near[0]] is within
    return near[0] if is_inside or len(near) < len(parts) else len(parts)


class FocusRing(QWidget):
    """A place that draws a ring around its one content while that has the focus by keyboard.

    For what fills its place to the edge and shows no focus of its own.
    """

    WIDTH = 2
    BY_KEY = (
        Qt.FocusReason.TabFocusReason,
        Qt.FocusReason.BacktabFocusReason,
        Qt.FocusReason.ShortcutFocusReason,
    )

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._is_shown = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[self.WIDTH] * 4)
        layout.setSpacing(0)
        layout.addWidget(widget)

    def childEvent(self, event: QChildEvent) -> None:
        if event.added():
            event.child().installEventFilter(self)
        super().childEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            self._show(event.gotFocus() and event.reason() in self.BY_KEY)
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._show(False)
        return super().eventFilter(watched, event)

    def _show(self, is_shown: bool) -> None:
        if is_shown != self._is_shown:
            self._is_shown = is_shown
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_shown:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().highlight().color(), self.WIDTH))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
            painter.end()
