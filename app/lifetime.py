"""A window lives until Qt destroys it, whoever still holds it in Python.

A parent's wrapper belongs to Python and a child holds no reference to it: with nobody holding a
window, the collector may destroy it in the midst of what one of its parts does, and the part finds
itself without chart, timer or signals. Held here, a window ends between two events.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

_held: set[QWidget] = set()


def hold(window: QWidget) -> None:
    """Keeps a window until it is destroyed: who closes it for good calls its `deleteLater`."""
    if window not in _held:
        _held.add(window)
        window.destroyed.connect(_let_go)


def _let_go() -> None:
    """Forgets what was destroyed."""
    _held.difference_update([window for window in _held if not isValid(window)])
