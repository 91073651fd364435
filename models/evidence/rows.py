"""Evidence: the published figures behind every prediction, one frozen row a figure.

A row's `id` is readable, ``wv21/clovertown/vmfs/14.5gb/4000/cpu_pct``: document, platform, storage
path, RAM, users and quantity (or document, table and figure). Cells that the authors themselves
doubt are `doubted`: shown, but kept out of every fit. A `Constant` follows from one or two figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.base.errors import ModelError
from models.base.quantities import Basis

MEASURED = "measured"
BLANK = "blank"
RULES = "rules"
"""Family of the rules from other public sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRow:
    """One figure of one document.

    Attributes:
        id: readable and unique.
        family: ``A`` to ``F``, or ``rules``; families are fitted apart and never pooled.
        document, table: where the figure stands.
        ram_gb: RAM as the document prints it [GB there, read as GiB], "" where not given.
        users: number of users of the run, None where it does not apply.
        value: the figure in `unit`, None where the cell is blank in the source.
        printed: the figure as printed.
        kind: measured, config, claim, rule, recommendation, restatement, example, caveat, blank.
        doubted: whether the authors themselves suspect the figure.
    """

    id: str
    family: str
    document: str
    table: str
    platform: str
    hypervisor: str
    storage_mode: str
    ram_gb: str
    cpu: str
    workload: str
    users: int | None
    metric: str
    unit: str
    value: float | None
    printed: str
    kind: str
    doubted: bool
    note: str


def rows_from_records(records: Iterable[Mapping[str, str]]) -> tuple[EvidenceRow, ...]:
    """Rows from records of text, as an evidence table holds them.

    Raises:
        ModelError: a number cannot be read, or an id occurs twice.
    """
    rows = tuple(_row(record) for record in records)
    by_id(rows)
    return rows


def rows_from_rules(records: Iterable[Mapping[str, str]]) -> tuple[EvidenceRow, ...]:
    """Rows of the rules from other public sources; a figure that is not one number has no value."""
    return tuple(_rule_row(record) for record in records)


def by_id(rows: Iterable[EvidenceRow]) -> dict[str, EvidenceRow]:
    """Rows by their ids.

    Raises:
        ModelError: an id occurs twice.
    """
    found: dict[str, EvidenceRow] = {}
    for row in rows:
        if row.id in found:
            raise ModelError("occurs twice in the evidence", field=row.id)
        found[row.id] = row
    return found


def figure(rows: Mapping[str, EvidenceRow], evidence_id: str) -> float:
    """The value of a row, in the row's unit.

    Raises:
        ModelError: there is no such row, or its cell is blank.
    """
    row = rows.get(evidence_id)
    if row is None or row.value is None:
        raise ModelError("is not in the evidence", field=evidence_id)
    return row.value


def measured(rows: Sequence[EvidenceRow], family: str, metric: str) -> tuple[EvidenceRow, ...]:
    """Measured, undoubted rows with a value, of one family and metric, in their order."""
    return tuple(
        row
        for row in rows
        if row.family == family
        and row.metric == metric
        and row.kind == MEASURED
        and row.value is not None
        and not row.doubted
    )


def _row(record: Mapping[str, str]) -> EvidenceRow:
    text = {key: record[key] for key in _TEXT_COLUMNS}
    return EvidenceRow(
        **text,
        users=_users(record),
        value=_value(record),
        doubted=record["doubted"] == "yes",
    )


def _rule_row(record: Mapping[str, str]) -> EvidenceRow:
    number = record["value"].replace(".", "", 1)
    return EvidenceRow(
        id=record["id"],
        family=RULES,
        document=record["source_title"],
        table=record["topic"],
        platform="",
        hypervisor="",
        storage_mode="",
        ram_gb="",
        cpu="",
        workload="",
        users=None,
        metric=record["figure"],
        unit=record["unit"],
        value=float(record["value"]) if number.isdigit() else None,
        printed=record["value"],
        kind=record["kind"],
        doubted=False,
        note=f"{record['context']}; {record['source_url']}",
    )


_TEXT_COLUMNS = (
    "id",
    "family",
    "document",
    "table",
    "platform",
    "hypervisor",
    "storage_mode",
    "ram_gb",
    "cpu",
    "workload",
    "metric",
    "unit",
    "printed",
    "kind",
    "note",
)


def _users(record: Mapping[str, str]) -> int | None:
    text = record["users"]
    if not text:
        return None
    if not text.isdigit():
        raise ModelError(f"users: {text!r} is not a number of users", field=record["id"])
    return int(text)


def _value(record: Mapping[str, str]) -> float | None:
    text = record["value"]
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise ModelError(f"value: {text!r} is not a number", field=record["id"]) from None


Rows = Mapping[str, EvidenceRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A figure with its unit, basis, evidence ids, and how it follows from them."""

    value: float
    unit: str
    basis: Basis
    evidence: tuple[str, ...]
    note: str


def scaled(
    rows: Rows, evidence_id: str, factor: float, unit: str, note: str = "as printed"
) -> Constant:
    """A printed figure times a factor; measured unless the document states it as a rule."""
    return Constant(
        value=figure(rows, evidence_id) * factor,
        unit=unit,
        basis=basis_of(rows, evidence_id),
        evidence=(evidence_id,),
        note=f"{note}, per user of 4,000" if factor != 1.0 else note,
    )


def ratio(rows: Rows, over: str, under: str, note: str = "ratio of the two figures") -> Constant:
    """One figure over another, of the weaker of their bases [1]."""
    return Constant(
        value=figure(rows, over) / figure(rows, under),
        unit="1",
        basis=max(basis_of(rows, over), basis_of(rows, under)),
        evidence=(over, under),
        note=note,
    )


def increase(rows: Rows, evidence_id: str) -> Constant:
    """1 + a printed relative increase in per cent [1]."""
    return Constant(
        value=1.0 + figure(rows, evidence_id) / 100.0,
        unit="1",
        basis=Basis.MEASURED,
        evidence=(evidence_id,),
        note="1 + printed increase",
    )


def decrease(rows: Rows, evidence_id: str, basis: Basis) -> Constant:
    """1 - a printed relative decrease in per cent [1]; "up to", so that it may be none as well."""
    return Constant(
        value=1.0 - figure(rows, evidence_id) / 100.0,
        unit="1",
        basis=basis,
        evidence=(evidence_id,),
        note='1 - printed decrease; the source says "up to"',
    )


def basis_of(rows: Rows, evidence_id: str) -> Basis:
    """Measured, or a rule where the document states the figure as one."""
    observed = rows[evidence_id].kind in {"measured", "config"}
    return Basis.MEASURED if observed else Basis.RULE
