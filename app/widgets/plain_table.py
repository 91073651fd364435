"""What every table of the program has in common: no frame, no grid, whole rows, and Tab leaves.

Whoever comes to a list by a key sees which row the keys are at.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.look import LOOK
from app.widgets.marks import chip_size, draw_chip, verdict_colour, verdict_icon
from models.predict.prediction import Verdict

Index = QModelIndex | QPersistentModelIndex
CHIP_LEFT = 5


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


class PaintedDelegate(QStyledItemDelegate):
    """Base of those that paint cells themselves, on the ground that Qt gives to all of a row."""

    def draw_ground(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """All of a cell but its words."""
        style = QStyleOptionViewItem(option)
        self.initStyleOption(style, index)
        style.text = ""
        drawn = option.widget.style()
        drawn.drawControl(drawn.ControlElement.CE_ItemViewItem, style, painter, option.widget)


def draw_verdict_cell(
    painter: QPainter, cell: QRectF, verdict: Verdict | None, words: str, font: QFont
) -> None:
    """A verdict as icon and word at the left of its cell."""
    size = chip_size(font, words)
    chip = QRectF(cell.left() + CHIP_LEFT, cell.center().y() - size.height() / 2, *size.toTuple())
    painter.setFont(font)
    draw_chip(painter, chip, verdict_icon(verdict), words, verdict_colour(verdict, LOOK.theme))
