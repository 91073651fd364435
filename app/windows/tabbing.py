"""Where Tab goes in a window of several parts.

Qt goes by the order in which widgets were made. Here parts are made when there is time for them,
and some make their content anew: the order of the parts has to come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QChildEvent, QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QScrollArea, QTabBar, QVBoxLayout, QWidget


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
    """The widgets of a window that Tab can reach, part by part, within each as Qt has them."""
    found = [widget for widget in _chain(window) if _can_be_reached(widget, window)]
    return sorted(found, key=lambda widget: _part_of(widget, parts))


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
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    shows_it = not isinstance(widget, QScrollArea) and not isinstance(widget.parent(), QTabBar)
    return (
        takes_tab
        and shows_it
        and widget.focusProxy() is None
        and widget.isEnabled()
        and widget.isVisible()
        and widget.window() is window
    )


def _part_of(widget: QWidget, parts: Sequence[QWidget]) -> int:
    inside = (place for place, part in enumerate(parts) if part.isAncestorOf(widget))
    return next(inside, len(parts))


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
