"""The first rows of tables as the files have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QLabel, QTableView, QWidget

from app.language import tr
from app.widgets.fields.choice import Dropdown
from app.widgets.parts import in_column, in_row, styled
from app.widgets.plain_table import make_plain
from models.intake.records import Preview, Records
from models.scenario.wording import number

_NOWHERE = QModelIndex()
MOST_PX, LOOKED_AT = 260, 20
"""Widest column [px], and rows that widths are found by."""


class RowsModel(QAbstractTableModel):
    """One preview; cells are asked for as they come into view."""

    def __init__(self) -> None:
        super().__init__()
        self._preview = Preview("", (), ())

    def show_preview(self, preview: Preview) -> None:
        self.beginResetModel()
        self._preview = preview
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._preview.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._preview.head)

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        row = self._preview.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row[index.column()] if index.column() < len(row) else ""
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return self._preview.head[section]
        return section + 1


class FirstRows(QWidget):
    """A list of the tables that were read, and the first rows of the one that is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tables = Dropdown()
        self.tables.setAccessibleName(tr("Table"))
        self.count = styled(QLabel(), "muted")
        self.model = RowsModel()
        self.view = QTableView()
        make_plain(self.view, tr("First rows"), lines=1.5)
        self.view.setModel(self.model)
        self.view.horizontalHeader().setMaximumSectionSize(MOST_PX)
        self.view.horizontalHeader().setResizeContentsPrecision(LOOKED_AT)
        self._previews: list[Preview] = []
        self._is_hidden = False
        row = in_row().put(self.tables, (self.count, 1))
        column = in_column(self, around=None).put(row, (self.view, 1))
        column.addStretch(0)
        self.tables.currentIndexChanged.connect(self._show)

    @property
    def is_filled(self) -> bool:
        return bool(self._previews)

    def show_records(self, records: Sequence[Records], *, has_names: bool = False) -> None:
        """The tables of these.

        Args:
            has_names: invented ones stand for the real ones, which the rows would tell.
        """
        self._is_hidden = has_names
        self._previews = [each for source in records for each in source.previews]
        self.tables.blockSignals(True)
        self.tables.clear()
        for source in records:
            for each in source.previews:
                self.tables.addItem(each.table or source.file)
        self.tables.blockSignals(False)
        self._show(0 if self._previews else -1)

    def _show(self, at: int) -> None:
        is_there = 0 <= at < len(self._previews)
        preview = self._previews[at] if is_there else Preview("", (), ())
        self.tables.setVisible(bool(self._previews))
        self.model.show_preview(preview)
        self.view.resizeColumnsToContents()
        told = tr("the first {count} rows", count=number(len(preview.rows)))
        if self._is_hidden:
            told = tr("The rows hold the real names: they are not shown with invented ones.")
        elif not preview.rows:
            told = tr("There are none to show.")
        self.count.setText(told)
        self.view.setVisible(bool(preview.rows))
