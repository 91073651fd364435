"""The runs of family A as they were measured: what a prediction of the same configuration shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.evidence.family_a import PlatformA, StorageA
from models.evidence.rows import MEASURED, EvidenceRow

QUANTITIES = ("cpu_pct", "response_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """One figure of one run; `doubted` where its authors suspect it.

    Attributes:
        id: of its evidence row.
        quantity: ``cpu_pct`` or ``response_ms``.
        platform, storage: codes `PlatformA` and `StorageA`.
        users: benchmark users.
        value: in the quantity's unit.
    """

    id: str
    quantity: str
    platform: int
    storage: int
    ram_gib: float
    users: int
    value: float
    doubted: bool


def measured_runs(rows: Sequence[EvidenceRow]) -> tuple[MeasuredRun, ...]:
    """Every measured figure of family A, the doubted ones among them, in the order of the rows."""
    return tuple(
        _run(row, row.users, row.value)
        for row in rows
        if row.family == "A" and row.kind == MEASURED and row.metric in QUANTITIES
        if row.users is not None and row.value is not None
    )


def _run(row: EvidenceRow, users: int, value: float) -> MeasuredRun:
    _, platform, storage, *_ = row.id.split("/")
    return MeasuredRun(
        id=row.id,
        quantity=row.metric,
        platform=int(PlatformA[platform.upper()]),
        storage=int(StorageA[storage.upper()]),
        ram_gib=float(row.ram_gb),
        users=users,
        value=value,
        doubted=row.doubted,
    )
