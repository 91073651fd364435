"""What every table of the program has in common: no frame, no grid, whole rows, and Tab leaves."""

from __future__ import annotations

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
