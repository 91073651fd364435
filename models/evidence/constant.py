"""A constant with its evidence, and how constants follow from one or two figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from models.evidence.rows import EvidenceRow, figure
from models.quantities import Basis

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
