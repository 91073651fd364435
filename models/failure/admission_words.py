"""Admission control in one sentence, for window and proposal."""

from __future__ import annotations

from collections.abc import Mapping

from models.failure.admission import (
    FEWEST_HOSTS,
    DedicatedCheck,
    PercentageCheck,
    SlotCheck,
    shown,
)
from models.failure.reservations import AdmissionCheck
from models.scenario import AdmissionPolicy
from models.wording import ENGLISH, THIN, Style, number

POLICIES = {
    AdmissionPolicy.NONE: "no admission control",
    AdmissionPolicy.HOST_FAILURES: "host failures tolerated (slots)",
    AdmissionPolicy.PERCENTAGE: "percentage of resources",
    AdmissionPolicy.DEDICATED: "dedicated failover hosts",
}


def admission_text(check: AdmissionCheck, names: Mapping[str, str], style: Style = ENGLISH) -> str:
    """``Power-on allowed: 2 hosts may fail, 1 configured; 14 slots left``."""
    found = check.check
    if found is None:
        none = "Every power-on is allowed: there is no admission control"
        return none if check.policy is AdmissionPolicy.NONE else "No data"
    full = isinstance(found, SlotCheck) and not found.available
    allowed = "No room for a further power-on" if full else "Power-on allowed"
    head = allowed if found.admitted else "Power-on refused"
    return f"{head}: {_grounds(found, names, style)}"


def _grounds(
    check: SlotCheck | PercentageCheck | DedicatedCheck, names: Mapping[str, str], style: Style
) -> str:
    if isinstance(check, SlotCheck):
        hosts = f"{check.current} host{'' if check.current == 1 else 's'} may fail"
        plural = "" if check.available == 1 else "s"
        left = f"{number(check.available, style=style)} slot{plural} left"
        return f"{hosts}, {check.configured} configured; {left}"
    if isinstance(check, PercentageCheck):
        return _shares(check, style)
    standing = ", ".join(names.get(id, id) for id in check.hosts)
    if not standing:
        return "no failover host is chosen"
    if check.occupied:
        run = "VM runs" if len(check.occupied) == 1 else "VMs run"
        return f"{number(len(check.occupied), style=style)} {run} on {standing}"
    small = ", ".join(names.get(id, id) for id in check.smaller)
    warning = f"; {small} is smaller than a host that it stands by for" if small else ""
    return f"{standing} stands by empty{warning}"


def _shares(check: PercentageCheck, style: Style) -> str:
    parts = [
        f"{name} {shown(current)}{THIN}% free of {pct_text(wanted, style)} wanted"
        for name, current, wanted in (
            ("CPU", check.cpu_current_pct, check.cpu_configured_pct),
            ("memory", check.ram_current_pct, check.ram_configured_pct),
        )
    ]
    if check.hosts < FEWEST_HOSTS:
        return "there is no other host to fail over to"
    return ", ".join(parts)


def pct_text(value: float, style: Style) -> str:
    return f"{number(value, 0 if value == int(value) else 1, style=style)}{THIN}%"
