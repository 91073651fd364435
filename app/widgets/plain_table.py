"""What every table of the program has in common: no frame, no grid, whole rows, and Tab leaves.

Whoever comes to a list by a key sees which row the keys are at.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView


def make_plain(view: QTableView, name: str, *, lines: float | None = None) -> None:
    """Set a table up.

    Args:
        name: accessible name.
        lines: height of its rows in lines of text; None: as Qt has it.
    """
    view.setAccessibleName(name)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.verticalHeader().hide()
    if lines is not None:
        view.verticalHeader().setDefaultSectionSize(round(view.fontMetrics().height() * lines))
    view.horizontalHeader().setHighlightSections(False)


def mark_current(view: QAbstractItemView, event: QFocusEvent) -> None:
    """Selects the row that the keys are at, after a list has taken the focus.

    Qt makes the first row current then, but shows nothing of it; a click chooses for itself.
    """
    if event.reason() is not Qt.FocusReason.MouseFocusReason:
        view.setCurrentIndex(view.currentIndex())
