"""The findings of a prediction as rows, the gravest first; many of one kind under one head."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt

from app.language import local, lowered, tr, trn
from app.qtmodels.keyed import Index, KeyedRows
from models.base.lettering import set_apart
from models.evidence.citation import in_short
from models.predict.prediction import Finding, Severity

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
ORDER = (Severity.ERROR, Severity.WARNING, Severity.ADVICE)
MOST_SINGLE = 3
"""A rule that trips more often than this stands under one head, which opens."""

Kind = tuple[Severity, str]
SEVERITY_WORDS = {
    Severity.ERROR: tr("Error"),
    Severity.WARNING: tr("Warning"),
    Severity.ADVICE: tr("Advice"),
}


def severity_count(severity: Severity, count: int) -> str:
    """``3 errors``."""
    if severity is Severity.ERROR:
        return trn("{count} error", "{count} errors", count)
    if severity is Severity.WARNING:
        return trn("{count} warning", "{count} warnings", count)
    return trn("{count} advice note", "{count} advice notes", count)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRow:
    """A finding, or the head of several of one rule.

    Attributes:
        finding: itself; of a head the first one.
        name: of what it speaks of; empty for the scenario as a whole.
        number: to tell apart findings of one rule for one subject.
        subjects: ids of all that it speaks of.
        count: how many findings stand below a head; 0: it is none.
        is_open: whether they are shown.
        is_below: whether it stands below a head.
    """

    finding: Finding
    name: str
    number: int = 1
    subjects: tuple[str, ...] = ()
    count: int = 0
    is_open: bool = False
    is_below: bool = False

    @property
    def key(self) -> tuple[Severity, str, str, int, bool]:
        finding = self.finding
        if self.count:
            return (finding.severity, finding.rule, "", 0, self.is_waived)
        return (finding.severity, finding.rule, finding.subject, self.number, self.is_waived)

    @property
    def is_waived(self) -> bool:
        return bool(self.finding.waived)

    @property
    def kind(self) -> Kind:
        return (self.finding.severity, self.finding.rule)


def finding_rows(
    findings: Sequence[Finding],
    names: Mapping[str, str],
    opened: Collection[Kind] = (),
) -> list[FindingRow]:
    """Rows by severity, else in the order of the rules; heads in `opened` with all below them.

    Waived ones come last, one by one: each of them is somebody's decision.
    """
    ranked = sorted((f for f in findings if not f.waived), key=_gravity)
    waived = sorted((f for f in findings if f.waived), key=_gravity)
    by_kind: dict[Kind, list[Finding]] = {}
    for finding in ranked:
        by_kind.setdefault((finding.severity, finding.rule), []).append(finding)
    rows: list[FindingRow] = []
    for kind, group in by_kind.items():
        if len(group) > MOST_SINGLE:
            rows.append(_head(group, kind in opened))
        if len(group) <= MOST_SINGLE or kind in opened:
            rows += _singles(group, names, is_below=len(group) > MOST_SINGLE)
    return [*rows, *_singles(waived, names, is_below=False)]


def _gravity(finding: Finding) -> int:
    return ORDER.index(finding.severity)


def _head(group: Sequence[Finding], is_open: bool) -> FindingRow:
    subjects = tuple(dict.fromkeys(f.subject for f in group if f.subject))
    return FindingRow(
        finding=group[0],
        name=trn("{count} time", "{count} times", len(group)),
        subjects=subjects,
        count=len(group),
        is_open=is_open,
    )


def _singles(
    group: Sequence[Finding], names: Mapping[str, str], *, is_below: bool
) -> Iterator[FindingRow]:
    seen: dict[tuple[str, str], int] = {}
    for finding in group:
        who = (finding.rule, finding.subject)
        seen[who] = seen.get(who, 0) + 1
        yield FindingRow(
            finding=finding,
            name=set_apart(names.get(finding.subject, finding.subject)),
            number=seen[who],
            subjects=(finding.subject,) if finding.subject else (),
            is_below=is_below,
        )


def spoken(row: FindingRow) -> str:
    """A finding as a screen reader says it, and as it is copied."""
    finding = row.finding
    subject = f"{row.name}: " if row.name else ""
    word = SEVERITY_WORDS[finding.severity]
    if row.is_waived:
        word = tr("Waived {severity}", severity=lowered(word))
    parts = [f"{word}. {subject}{local(finding.text)}"]
    if row.is_waived:
        parts.append(tr("Accepted: {waived}", waived=finding.waived))
    if finding.fix:
        parts.append(tr("Fix: {fix}", fix=finding.fix))
    if finding.source:
        parts.append(tr("Source: {source}", source=in_short(finding.source)))
    if row.count:
        parts.append(tr("Right shows all.") if not row.is_open else tr("Left hides them."))
    return " ".join(parts)


class FindingsModel(KeyedRows):
    """One row a finding or head; `ROW_ROLE` gives the `FindingRow`."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row: FindingRow = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return local(row.finding.text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        return None
