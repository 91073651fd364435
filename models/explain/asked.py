"""Which number somebody asks about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """Which number is asked about.

    Attributes:
        table: ``vms``, ``hosts``, ``pools``, ``failures`` or ``dials``.
        subject: id of the item (of a failure the host that is gone); empty for a dial.
        field: of the table, such as ``cpu_pct``; of hosts also ``failure_cpu_pct``.
    """

    table: str
    subject: str
    field: str
