"""Rows of failure modes as a table for the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt

from app.language import local, tr, trn
from app.qtmodels.failure_rows import (
    CALCULATING,
    CPU,
    IOPS,
    MISSING,
    MODE,
    NOT_JUDGED,
    RAM,
    READY,
    RESPONSE,
    UNITS,
    VERDICT,
    WAITING,
    FailureRow,
    value_at,
)
from app.qtmodels.keyed import Index, KeyedRows
from app.wording import tip_text
from models.judgement.gauges import Gauge
from models.prediction import Verdict
from models.resilience.study import READY_LIMIT_PCT
from models.wording import ENGLISH, NONE_TEXT, Style, shared_text, value_text

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
SORT_ROLE = Qt.ItemDataRole.UserRole + 2
GAUGE_ROLE = Qt.ItemDataRole.UserRole + 3
VERDICT_ROLE = Qt.ItemDataRole.UserRole + 4
WORST_ROLE = Qt.ItemDataRole.UserRole + 5

HEADERS = (
    tr("Mode"),
    tr("Host CPU"),
    tr("Host RAM"),
    "IOPS",
    tr("Response"),
    tr("Ready"),
    tr("Verdict"),
    tr("What is missing"),
)
WORDS = {
    CPU: "CPU",
    RAM: "RAM",
    IOPS: "IOPS",
    RESPONSE: tr("response time"),
    READY: tr("ready time"),
}


class FailuresModel(KeyedRows):
    """One row a mode; `SORT_ROLE` gives numbers to sort by, `VERDICT_ROLE` colours a cell."""

    columns = len(HEADERS)

    def __init__(self, parent: QObject | None = None, style: Style = ENGLISH) -> None:
        super().__init__(parent)
        self.style = style

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(HEADERS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADERS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return HEADER_TIPS.get(section) if role == Qt.ItemDataRole.ToolTipRole else None

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
            return f"{HEADERS[column]}: {self._text(row, column)}{_worst_words(row, column)}"
        return self._tip(row, column) if role == Qt.ItemDataRole.ToolTipRole else None

    def _text(self, row: FailureRow, column: int) -> str:
        if column == MODE:
            return row.label
        if column in row.waiting:
            return CALCULATING if column == VERDICT else WAITING
        if column == VERDICT:
            return NOT_JUDGED if row.shown is None else local(row.shown.words)
        if column == MISSING:
            return "; ".join(part for part in (row.missing, local(row.note)) if part)
        gauge = row.numbers[column - CPU]
        quantity = gauge.quantity
        if row.verdict is None or (quantity.value is None and not row.survives):
            return NONE_TEXT
        text = shared_text if column == RAM else value_text
        return local(text(quantity, UNITS[column], limit=_limit(gauge), style=self.style))

    def _tip(self, row: FailureRow, column: int) -> str:
        missing = self._text(row, MISSING)
        reason = "" if row.reason in missing else row.reason
        lines = [row.label, reason, missing, *row.details[:MOST_LINES]]
        if len(row.details) > MOST_LINES:
            lines.append(trn("and {count} more", "and {count} more", len(row.details) - MOST_LINES))
        if column in row.worst:
            lines.insert(1, _worst_words(row, column).removeprefix(", ").capitalize())
        return tip_text("\n".join(line for line in lines if line))


MOST_LINES = 12
HEADER_TIPS = {
    CPU: tr("CPU of the busiest host, per cent of its cores on average; the bar is at peak"),
    RAM: tr("RAM of the fullest host, per cent of what is installed"),
    IOPS: tr("I/Os per second of the pool nearest its limit; the bar is its disks’ utilisation"),
    RESPONSE: tr("Mean response time of the slowest VM that runs"),
    READY: tr(
        "Ready time of the VM that waits longest; from {ready_limit_pct} % users notice",
        ready_limit_pct=f"{READY_LIMIT_PCT:.0f}",
    ),
    VERDICT: tr("What the mode would mean for the whole design"),
}


def _worst_words(row: FailureRow, column: int) -> str:
    return tr(", worst single host by {words}", words=WORDS[column]) if column in row.worst else ""


def _limit(gauge: Gauge) -> float | None:
    """The limit of a number as it is shown, which is judged at peak; None where there is none, or
    it is of another number. A last digit more or less would hide that the limit is passed."""
    value = gauge.quantity.value
    if not value or not gauge.load or gauge.field == "iops":
        return None
    return round(value / gauge.load, 9)


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in UNITS else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


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
    return row.label.casefold() if column == MODE else row.missing


def _row(row: FailureRow, column: int) -> FailureRow:
    return row


def _gauge(row: FailureRow, column: int) -> Gauge | None:
    return row.numbers[column - CPU] if column in UNITS else None


def _is_worst(row: FailureRow, column: int) -> bool:
    return column in row.worst


def _cell_alignment(row: FailureRow, column: int) -> int:
    return _alignment(column)


_READERS: dict[int, Callable[[FailureRow, int], Any]] = {
    ROW_ROLE: _row,
    SORT_ROLE: _sort_value,
    GAUGE_ROLE: _gauge,
    VERDICT_ROLE: _cell_verdict,
    WORST_ROLE: _is_worst,
    int(Qt.ItemDataRole.TextAlignmentRole): _cell_alignment,
}
