"""What painted widgets are for screen readers: a role and a value beside their name.

Qt knows its own widgets; of one that is painted it knows the name alone. Such a class says its
`spoken_role`, and the words of `spoken_value` where it shows a value.
"""

from __future__ import annotations

import sys
import weakref
from functools import cache

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleValueChangeEvent
from PySide6.QtWidgets import QAccessibleWidget, QWidget

ROLE, VALUE = "spoken_role", "spoken_value"
IS_AT_SPI = sys.platform == "linux"
"""Screen readers hear no values in words, and for a list what is chosen in place of its name."""


class PaintedAccess(QAccessibleWidget):
    """One painted widget."""

    def __init__(self, widget: QWidget, role: QAccessible.Role) -> None:
        super().__init__(widget, role, "")  # without a name of its own it has the widget's
        self._widget = weakref.ref(widget)

    def text(self, text: QAccessible.Text) -> str:
        """AT-SPI asks for values that are numbers alone: in words they are the description too."""
        said, widget = super().text(text), self._widget()
        if widget is None or not shiboken6.isValid(widget):
            return said
        is_described = text is QAccessible.Text.Description and not said
        if text is QAccessible.Text.Value or is_described:
            return str(getattr(widget, VALUE, ""))
        return said


def tell_value(widget: QWidget) -> None:
    """The value of a painted widget is another one."""
    if QAccessible.isActive():
        event = QAccessibleValueChangeEvent(widget, str(getattr(widget, VALUE, "")))
        QAccessible.updateAccessibility(event)


def _access(_class_name: str, widget: QObject) -> PaintedAccess | None:
    role = getattr(type(widget), ROLE, None)
    return PaintedAccess(widget, role) if isinstance(widget, QWidget) and role is not None else None


@cache
def install() -> None:
    """Qt asks here for what it does not know; once per process."""
    QAccessible.installFactory(_access)
