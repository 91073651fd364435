"""Tables of text: rows with their cells ready, what sorts them, and what they stand for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt

from app.qtmodels.keyed import LEFT, RIGHT, HeadedRows, Index
from app.wording import tip_text
from models.tell.blocks import Column

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
SORT_ROLE = Qt.ItemDataRole.UserRole + 2
MARK_ROLE = Qt.ItemDataRole.UserRole + 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRow:
    """One row.

    Attributes:
        key: who it is.
        cells: as they are shown.
        sorts: what each column is sorted by; empty: by what is shown.
        marks: name of the sign beside a cell, by column.
        tips: what is said of a cell under the pointer, by column; else what it shows.
        value: what the row stands for.
    """

    key: Hashable
    cells: tuple[str, ...]
    sorts: tuple[Any, ...] = ()
    marks: tuple[tuple[int, str], ...] = ()
    tips: tuple[tuple[int, str], ...] = ()
    value: Any = None

    def mark(self, column: int) -> str:
        """The sign beside the cell; empty where there is none."""
        return dict(self.marks).get(column, "")

    def tip(self, column: int) -> str:
        """What is said of the cell under the pointer."""
        return dict(self.tips).get(column, "") or self.cells[column]


class CellTable(HeadedRows):
    """A flat table of `CellRow`s."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.set_heads(columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row: CellRow = self.rows[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(row.tip(column))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if self.heads[column].numeric else LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.heads[column].title}: {row.cells[column]}"
        if role == SORT_ROLE:
            return row.sorts[column] if row.sorts else row.cells[column].casefold()
        if role == MARK_ROLE:
            return row.mark(column)
        return row if role == ROW_ROLE else None
