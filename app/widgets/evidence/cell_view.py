"""A table of `CellRow`s on screen: signs beside cells, widths from words, one row chosen."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetricsF, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.icons import icon
from app.look import LOOK
from app.qtmodels.cells import MARK_ROLE, ROW_ROLE, SORT_ROLE, CellRow, CellTable
from app.qtmodels.keyed import Index
from app.widgets.plain_table import make_plain, mark_current

SIGN_PX = 14
PADDING_PX = 18
SIGNS = {"doubted": "triangle-alert", "blank": "circle-dashed", "outside": "circle-x"}


def sign_ink(mark: str) -> str:
    return {"doubted": "warn", "outside": "bad"}.get(mark, "muted")


class CellDelegate(QStyledItemDelegate):
    """Marked cells carry a sign and its colour beside their words."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        mark = index.data(MARK_ROLE)
        if not mark:
            return
        option.icon = icon(SIGNS[mark], sign_ink(mark))
        option.decorationSize = QSize(SIGN_PX, SIGN_PX)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
        if option.displayAlignment & Qt.AlignmentFlag.AlignRight:
            option.decorationPosition = QStyleOptionViewItem.Position.Right
        colour = QColor(LOOK.theme.ink(sign_ink(mark)))
        option.palette.setColor(QPalette.ColorRole.Text, colour)


class CellView(QTableView):
    """The rows of a table, sorted by a click on a head; one of them is chosen.

    Signals:
        chosen: the `CellRow` that became current, None when there is none.
    """

    chosen = Signal(object)

    def __init__(
        self,
        table: CellTable,
        name: str,
        *,
        stretch: int,
        proxy: QSortFilterProxyModel | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.table = table
        self._stretch = stretch
        self.proxy = proxy or QSortFilterProxyModel(self)
        """What is on screen, filtered and sorted."""
        self.proxy.setSortRole(SORT_ROLE)
        self.proxy.setSourceModel(table)
        self.setModel(self.proxy)
        self._delegate = CellDelegate(self)
        self.setItemDelegate(self._delegate)
        self._set_up(name)

    @property
    def current(self) -> CellRow | None:
        """The chosen row."""
        row: CellRow | None = self.currentIndex().data(ROW_ROLE)
        return row

    def choose(self, key: object) -> bool:
        """Chooses the row with this key and brings it into view; whether it is there."""
        source = self.table.row_of(key)
        index = self.proxy.mapFromSource(self.table.index(source, 0)) if source >= 0 else None
        if index is None or not index.isValid():
            return False
        if index.row() != self.currentIndex().row():
            self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        return True

    def fit_columns(self, caps: Mapping[int, int]) -> None:
        """Widths from the words up to their caps [characters]; one column takes the rest."""
        metrics = QFontMetricsF(self.font())
        average = metrics.averageCharWidth()
        for column, head in enumerate(self.table.heads):
            if column == self._stretch:
                continue
            words = [row.cells[column] for row in self.table.rows]
            widest = max((metrics.horizontalAdvance(word) for word in set(words)), default=0.0)
            signed = any(row.mark(column) for row in self.table.rows)
            width = max(widest + (SIGN_PX + 8 if signed else 0), self._head_width(head.title))
            if column in caps:
                width = min(width, caps[column] * average)
            self.setColumnWidth(column, round(width + PADDING_PX))

    def _head_width(self, title: str) -> float:
        return QFontMetricsF(self.horizontalHeader().font()).horizontalAdvance(title) + SIGN_PX

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        mark_current(self, event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row() or current.isValid() != previous.isValid():
            self.chosen.emit(current.data(ROW_ROLE) if current.isValid() else None)

    def _set_up(self, name: str) -> None:
        make_plain(self, name, lines=1.9)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.setWordWrap(False)
        self.setAlternatingRowColors(True)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(self._stretch, QHeaderView.ResizeMode.Stretch)
