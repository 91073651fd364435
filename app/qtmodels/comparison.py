"""A comparison as rows: headings, what was changed, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt

from app.language import local, tr
from app.qtmodels.keyed import Index, KeyedRows
from app.wording import tip_text
from models.compare import Comparison, Difference, Group
from models.compare_text import CHANGED, Words
from models.lettering import set_apart
from models.spreadsheets import table_text

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
CHANGE_ROLE = Qt.ItemDataRole.UserRole + 2
WHAT, FIRST = 0, 1
"""Column of the labels, and that of the first scenario."""

TITLES: dict[str, str] = {
    Group.SIZE: tr("What it comes to"),
    Group.SUMMARY: tr("Verdict and dials"),
    Group.HOSTS: tr("Hosts"),
    Group.POOLS: tr("Pools"),
    Group.VMS: "VMs",
    Group.FAILURES: tr("When a host fails"),
    Group.FINDINGS: tr("Findings"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRow:
    """One line: a heading, or a difference with its cells.

    Attributes:
        values, changes: texts, one a scenario.
        difference: what the line is about; None for a heading.
        level: 0 for *Inputs* and *Outcomes*, 1 for a group; None for a difference.
    """

    key: str
    label: str
    values: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    difference: Difference | None = None
    level: int | None = None


def compare_rows(words: Words) -> list[CompareRow]:
    """The lines of a comparison; none of identical scenarios."""
    comparison = words.comparison
    if comparison.is_identical:
        return []
    return [
        *_part(tr("Inputs"), "inputs", comparison.inputs, words),
        *_part(tr("Outcomes"), "outcomes", comparison.outcomes, words),
    ]


def _part(
    title: str, key: str, differences: Sequence[Difference], words: Words
) -> Iterator[CompareRow]:
    if not differences:
        nothing = tr("{title}: nothing changes as shown", title=title)
        yield CompareRow(key=key, label=nothing, level=0)
        return
    yield CompareRow(key=key, label=title, level=0)
    group = ""
    for each in differences:
        if key == "outcomes" and each.group != group:
            group = each.group
            yield CompareRow(key=f"{key} {group}", label=TITLES.get(group, group), level=1)
        yield _line(key, each, words)


def _line(part: str, each: Difference, words: Words) -> CompareRow:
    columns = range(len(words.comparison.sides))
    kind = each.kind.__name__
    return CompareRow(
        key=f"{part} {each.group} {kind} {each.subject} {each.field}",
        label=local(words.label(each)),
        values=tuple(local(words.value(each, column)) for column in columns),
        changes=tuple(local(words.change(each, column)) for column in columns),
        difference=each,
    )


class ComparisonModel(KeyedRows):
    """Labels on the left, a column a scenario."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = FIRST
        self.names: tuple[str, ...] = ()

    def show_comparison(self, comparison: Comparison, words: Words) -> None:
        """Shows a comparison; another set of scenarios begins anew."""
        names = tuple(set_apart(side.scenario.name) for side in comparison.sides)
        rows = compare_rows(words)
        if len(names) != len(self.names):
            self.beginResetModel()
            self.names, self.columns = names, FIRST + len(names)
            self.rows = list(rows)
            self.endResetModel()
            return
        if names != self.names:
            self.names = names
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, FIRST, len(names))
        self.set_rows(rows)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return "" if section < FIRST else self.names[section - FIRST]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row: CompareRow = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        value, change = self._cell(row, index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return value
        if role == CHANGE_ROLE:
            return change
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(_with_change(value, change))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row, index.column(), value, change)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_heading = index.isValid() and self.rows[index.row()].level is not None
        return flags & ~Qt.ItemFlag.ItemIsSelectable if is_heading else flags

    def as_data(self) -> str:
        """The table as lines of cells set apart by tabs, for a spreadsheet."""
        rows = ((row.label, *map(_with_change, row.values, row.changes)) for row in self.rows)
        return table_text(("", *self.names), rows)

    @staticmethod
    def _cell(row: CompareRow, column: int) -> tuple[str, str]:
        if column < FIRST or row.level is not None:
            return (row.label, "") if column == WHAT else ("", "")
        return row.values[column - FIRST], row.changes[column - FIRST]

    def _spoken(self, row: CompareRow, column: int, value: str, change: str) -> str:
        if column < FIRST:
            return value
        said = f"{self.names[column - FIRST]}: {row.label}: {value}"
        return f"{said}, {change}" if change else said


def _with_change(value: str, change: str) -> str:
    """A value with its change; words that merely differ speak for themselves."""
    return value if change in ("", local(CHANGED)) else f"{value} ({change})"
