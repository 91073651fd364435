"""The findings of a prediction as rows, the gravest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt

from app.qtmodels.keyed import Index, KeyedRows
from models.prediction import Finding, Severity

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
ORDER = (Severity.ERROR, Severity.WARNING, Severity.ADVICE)


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding and the name of what it speaks of; empty for the scenario as a whole."""

    finding: Finding
    name: str
    number: int

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Rule and subject; a rule that trips twice for one subject is counted."""
        finding = self.finding
        return (finding.severity, finding.rule, finding.subject, self.number)


def finding_rows(findings: Sequence[Finding], names: Mapping[str, str]) -> list[FindingRow]:
    """Rows by severity, else in the order of the rules."""
    seen: dict[tuple[str, str], int] = {}
    rows = []
    for finding in sorted(findings, key=_gravity):
        key = (finding.rule, finding.subject)
        seen[key] = seen.get(key, 0) + 1
        rows.append(FindingRow(finding, names.get(finding.subject, finding.subject), seen[key]))
    return rows


def _gravity(finding: Finding) -> int:
    return ORDER.index(finding.severity)


def spoken(row: FindingRow) -> str:
    """A finding as a screen reader says it, and as it is copied."""
    finding = row.finding
    subject = f"{row.name}: " if row.name else ""
    parts = [f"{finding.severity.value.capitalize()}. {subject}{finding.text}"]
    if finding.fix:
        parts.append(f"Fix: {finding.fix}")
    if finding.source:
        parts.append(f"Source: {finding.source}")
    return " ".join(parts)


class FindingsModel(KeyedRows):
    """One row a finding; `ROW_ROLE` gives the `FindingRow`."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row: FindingRow = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.finding.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        return None
