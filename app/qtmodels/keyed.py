"""Rows addressed by key: an update tells views only what really changed.

A reset would lose selection and scroll position and costs a hundred times as much as the rows
that changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import Any, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.language import local
from app.wording import tip_text
from models.tell.blocks import Column

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Keyed(Protocol):
    """A row that knows who it is."""

    @property
    def key(self) -> Hashable: ...


class KeyedRows(QAbstractTableModel):
    """Base of flat models; subclasses say what a row shows."""

    columns = 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Any] = []

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self.columns

    def set_rows(self, rows: Sequence[Keyed]) -> None:
        """Turns the rows into these by the fewest removals, insertions and changes."""
        old = [row.key for row in self.rows]
        new = [row.key for row in rows]
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        for tag, i1, i2, j1, j2 in reversed(codes):
            if tag == "equal":
                self._refresh(i1, rows[j1:j2])
                continue
            self._remove(i1, i2)
            self._insert(i1, rows[j1:j2])

    def row_of(self, key: Hashable) -> int:
        """Where a key stands now; -1 when it is gone."""
        return next((i for i, row in enumerate(self.rows) if row.key == key), -1)

    def _remove(self, first: int, end: int) -> None:
        if end > first:
            self.beginRemoveRows(QModelIndex(), first, end - 1)
            del self.rows[first:end]
            self.endRemoveRows()

    def _insert(self, first: int, rows: Sequence[Any]) -> None:
        if rows:
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self.rows[first:first] = rows
            self.endInsertRows()

    def _refresh(self, first: int, rows: Sequence[Any]) -> None:
        changed = [first + i for i, row in enumerate(rows) if row != self.rows[first + i]]
        self.rows[first : first + len(rows)] = rows
        if changed:
            last_column = self.columns - 1
            top, bottom = self.index(changed[0], 0), self.index(changed[-1], last_column)
            self.dataChanged.emit(top, bottom)


class HeadedRows(KeyedRows):
    """Rows under the titles of columns, numbers flush right."""

    columns = 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heads: tuple[Column, ...] = ()

    def set_heads(self, columns: Sequence[Column]) -> None:
        self.heads = tuple(columns)
        self.columns = len(self.heads)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < self.columns:
            return None
        head = self.heads[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return local(head.title)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(local(head.tip)) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if head.numeric else LEFT
        return None
