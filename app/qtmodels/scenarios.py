"""The scenarios of a project as rows; names can be edited in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal

from app.language import local, tr
from app.qtmodels.keyed import Index, KeyedRows
from models.base.lettering import set_apart
from models.predict.prediction import Shown
from models.project.project import Project

ROW_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """One scenario: `shown` is None until it has been evaluated."""

    key: str
    name: str
    detail: str
    shown: Shown | None
    is_shown: bool
    is_baseline: bool


def scenario_rows(project: Project, verdicts: Mapping[str, Shown]) -> list[ScenarioRow]:
    """Rows in the project's order."""
    names = {entry.id: entry.scenario.name for entry in project.entries}
    return [
        ScenarioRow(
            key=entry.id,
            name=entry.scenario.name,
            detail=tr("from {names}", names=names[entry.parent]) if entry.parent in names else "",
            shown=verdicts.get(entry.id),
            is_shown=entry.id == project.active,
            is_baseline=entry.id == project.baseline,
        )
        for entry in project.entries
    ]


class ScenariosModel(KeyedRows):
    """One row a scenario.

    Signals:
        rename_asked: id and name; whoever owns the project decides.
    """

    rename_asked = Signal(str, str)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row: ScenarioRow = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return set_apart(row.name)
        if role == Qt.ItemDataRole.EditRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.EditRole:
            return False
        self.rename_asked.emit(self.rows[index.row()].key, str(value))
        return True


def spoken(row: ScenarioRow) -> str:
    """A scenario as a screen reader says it."""
    parts = [set_apart(row.name)]
    if row.shown is not None:
        parts.append(local(row.shown.words))
    if row.is_baseline:
        parts.append(tr("baseline"))
    if row.is_shown:
        parts.append(tr("in view"))
    return ", ".join(parts)
