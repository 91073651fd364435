"""Normal operation and every failure mode as rows of one table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt

from app.qtmodels.keyed import Index, KeyedRows
from models.gauges import Gauge, gauge_of, gauges
from models.prediction import FailureMode, Prediction, Shortfall, Verdict
from models.scenario import Policy, Scenario
from models.wording import ENGLISH, THIN, Style, number, value_text

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
SORT_ROLE = Qt.ItemDataRole.UserRole + 2
GAUGE_ROLE = Qt.ItemDataRole.UserRole + 3
VERDICT_ROLE = Qt.ItemDataRole.UserRole + 4

HEADERS = ("Mode", "CPU", "RAM", "Response", "Verdict", "What is missing")
MODE, CPU, RAM, RESPONSE, VERDICT, MISSING = range(6)
UNITS = {CPU: "%", RAM: "%", RESPONSE: "ms"}
NORMAL = "Normal operation"
NOT_JUDGED = "n/a"
NOTHING_FAILS_OVER = "nothing to fail over"


@dataclass(frozen=True, slots=True)
class FailureRow:
    """One mode: `subject` is the failed host's id, empty for normal operation."""

    key: str
    subject: str
    label: str
    numbers: tuple[Gauge, Gauge, Gauge]
    verdict: Verdict | None
    missing: str
    note: str


def failure_rows(
    scenario: Scenario, prediction: Prediction, style: Style = ENGLISH
) -> list[FailureRow]:
    """Normal operation first, then the modes in the prediction's order."""
    names = {item.id: item.name for item in scenario.items()}
    rows = [_normal(scenario, prediction)] if scenario.vms else []
    for mode in prediction.failures:
        name = f"{names[mode.host]} fails" if mode.host in names else mode.mode
        rows.append(
            FailureRow(
                key=mode.mode,
                subject=mode.host,
                label=name,
                numbers=_numbers(scenario.policy, mode),
                verdict=mode.verdict,
                missing=missing_text(mode.shortfall, mode.not_restarted, names, style),
                note=_note(mode),
            )
        )
    return rows


def _note(mode: FailureMode) -> str:
    """Why there is no verdict; why it is as it is, where the prediction says so."""
    if mode.verdict is not None:
        return mode.note
    return mode.note.removeprefix(f"{NOT_JUDGED}: ") or NOTHING_FAILS_OVER


def _normal(scenario: Scenario, prediction: Prediction) -> FailureRow:
    cpu, ram, _iops, response, _failure = gauges(scenario, prediction)
    numbers = (cpu, ram, response)
    verdicts = [gauge.verdict for gauge in numbers if gauge.verdict is not None]
    tables = (prediction.vms, prediction.hosts, prediction.pools)
    verdicts += [Verdict(int(table.verdict.max())) for table in tables if len(table.verdict)]
    return FailureRow("normal", "", NORMAL, numbers, max(verdicts, default=None), "", "")


def _numbers(policy: Policy, mode: FailureMode) -> tuple[Gauge, Gauge, Gauge]:
    return (
        gauge_of("cpu_pct", mode.cpu_pct, policy.cpu_limit_pct),
        gauge_of("ram_pct", mode.ram_pct, policy.memory_overcommit * 100),
        gauge_of("response_ms", mode.response_ms, policy.response_limit_ms),
    )


def missing_text(
    shortfall: Shortfall, stranded: Sequence[str], names: dict[str, str], style: Style = ENGLISH
) -> str:
    """What is missing, in units: ``+514 GiB RAM, +3.2 GHz CPU, Mail-03 finds no room``."""
    amounts = (
        (shortfall.ram_gib, 0, "GiB RAM"),
        (shortfall.cpu_ghz, 1, "GHz CPU"),
        (shortfall.iops, 0, "IOPS"),
    )
    parts = [
        f"+{number(_enough(value, decimals), decimals, style=style)}{THIN}{unit}"
        for value, decimals, unit in amounts
        if value > 0
    ]
    if len(stranded) == 1:
        parts.append(f"{names.get(stranded[0], stranded[0])} finds no room")
    elif stranded:
        parts.append(f"{len(stranded)} VMs find no room")
    return ", ".join(parts)


def _enough(value: float, decimals: int) -> float:
    """Rounded up: what is said to be missing must be enough."""
    factor = 10.0**decimals
    return math.ceil(value * factor - 1e-9) / factor


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
        return None

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
        return self._text(row, MISSING) if role == Qt.ItemDataRole.ToolTipRole else None

    def _text(self, row: FailureRow, column: int) -> str:
        if column == MODE:
            return row.label
        if column == VERDICT:
            return NOT_JUDGED if row.verdict is None else row.verdict.label
        if column == MISSING:
            return "; ".join(part for part in (row.missing, row.note) if part)
        if row.verdict is None:
            return "–"
        return value_text(row.numbers[column - CPU].quantity, UNITS[column], style=self.style)


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in UNITS else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


def _cell_verdict(row: FailureRow, column: int) -> Verdict | None:
    if column in UNITS:
        return row.numbers[column - CPU].verdict
    return row.verdict if column == VERDICT else None


def _sort_value(row: FailureRow, column: int) -> Any:
    if column in UNITS:
        value = row.numbers[column - CPU].quantity.value
        return -1.0 if value is None else value
    if column == VERDICT:
        return -1 if row.verdict is None else int(row.verdict)
    return row.label.casefold() if column == MODE else row.missing


def _row(row: FailureRow, column: int) -> FailureRow:
    return row


def _gauge(row: FailureRow, column: int) -> Gauge | None:
    return row.numbers[column - CPU] if column in UNITS else None


def _cell_alignment(row: FailureRow, column: int) -> int:
    return _alignment(column)


_READERS: dict[int, Callable[[FailureRow, int], Any]] = {
    ROW_ROLE: _row,
    SORT_ROLE: _sort_value,
    GAUGE_ROLE: _gauge,
    VERDICT_ROLE: _cell_verdict,
    int(Qt.ItemDataRole.TextAlignmentRole): _cell_alignment,
}
