"""Rows of failure modes as a table for the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt

from app.language import local, tr, trn
from app.qtmodels.cells import MARK_ROLE, ROW_ROLE, SORT_ROLE, CellTable
from app.qtmodels.keyed import LEFT, RIGHT, Index
from app.wording import tip_text
from models.judgement.gauges import Gauge
from models.predict.prediction import Verdict
from models.tell.blocks import cell_text
from models.tell.failures import (
    COLUMNS,
    CPU,
    IOPS,
    MODE,
    RAM,
    READY,
    RESPONSE,
    UNITS,
    VERDICT,
    FailureRow,
    cell_of,
    value_at,
)

GAUGE_ROLE, VERDICT_ROLE, WORST_ROLE = (MARK_ROLE + place for place in (1, 2, 3))

HEADS = tuple(
    replace(head, title=local(head.title), tip=local(head.tip), wide=False) for head in COLUMNS
)
WORDS = {
    CPU: "CPU",
    RAM: "RAM",
    IOPS: "IOPS",
    RESPONSE: tr("response time"),
    READY: tr("ready time"),
}


class FailuresModel(CellTable):
    """One row a mode; `SORT_ROLE` gives numbers to sort by, `VERDICT_ROLE` colours a cell."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(HEADS, parent)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row: FailureRow = self.rows[index.row()]
        column = index.column()
        reader = _READERS.get(role)
        if reader is not None:
            return reader(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return (
                f"{self.heads[column].title}: {self._text(row, column)}{_worst_words(row, column)}"
            )
        return self._tip(row, column) if role == Qt.ItemDataRole.ToolTipRole else None

    def _text(self, row: FailureRow, column: int) -> str:
        return local(cell_text(cell_of(row, column)))

    def _tip(self, row: FailureRow, column: int) -> str:
        lines = [local(each) for each in (row.label, row.told, *row.details[:MOST_LINES])]
        if len(row.details) > MOST_LINES:
            lines.append(trn("and {count} more", "and {count} more", len(row.details) - MOST_LINES))
        if column in row.worst:
            lines.insert(1, _worst_words(row, column).removeprefix(", ").capitalize())
        return tip_text("\n".join(line for line in lines if line))


MOST_LINES = 12


def _worst_words(row: FailureRow, column: int) -> str:
    return tr(", worst single host by {words}", words=WORDS[column]) if column in row.worst else ""


def _cell_verdict(row: FailureRow, column: int) -> Verdict | None:
    """Ready time has no limit of the policy's: it warns and judges nothing."""
    if column in UNITS:
        verdict = row.numbers[column - CPU].verdict
        return verdict if column != READY or verdict is None else min(verdict, Verdict.AT_RISK)
    if column != VERDICT or row.shown is None:
        return None
    return row.shown.verdict


def _sort_value(row: FailureRow, column: int) -> Any:
    if column in UNITS:
        value = value_at(row, column)
        return -1.0 if value is None else value
    if column == VERDICT:
        if row.down is not None:
            return Verdict.DOES_NOT_FIT + 1
        return -1 if row.verdict is None else int(row.verdict)
    return local(row.label).casefold() if column == MODE else local(row.missing)


def _row(row: FailureRow, column: int) -> FailureRow:
    return row


def _gauge(row: FailureRow, column: int) -> Gauge | None:
    return row.numbers[column - CPU] if column in UNITS else None


def _is_worst(row: FailureRow, column: int) -> bool:
    return column in row.worst


def _cell_alignment(row: FailureRow, column: int) -> int:
    return int(RIGHT if COLUMNS[column].numeric else LEFT)


_READERS: dict[int, Callable[[FailureRow, int], Any]] = {
    ROW_ROLE: _row,
    SORT_ROLE: _sort_value,
    GAUGE_ROLE: _gauge,
    VERDICT_ROLE: _cell_verdict,
    WORST_ROLE: _is_worst,
    int(Qt.ItemDataRole.TextAlignmentRole): _cell_alignment,
}
