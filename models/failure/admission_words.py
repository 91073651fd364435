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
from models.texts import joined, say, say_many
from models.wording import ENGLISH, Style, number, with_unit

POLICIES = {
    AdmissionPolicy.NONE: say("no admission control"),
    AdmissionPolicy.HOST_FAILURES: say("host failures tolerated (slots)"),
    AdmissionPolicy.PERCENTAGE: say("percentage of resources"),
    AdmissionPolicy.DEDICATED: say("dedicated failover hosts"),
}


def admission_text(check: AdmissionCheck, names: Mapping[str, str], style: Style = ENGLISH) -> str:
    """``Power-on allowed: 2 hosts may fail, 1 configured; 14 slots left``."""
    found = check.check
    if found is None:
        none = say("Every power-on is allowed: there is no admission control")
        return none if check.policy is AdmissionPolicy.NONE else say("No data")
    full = isinstance(found, SlotCheck) and not found.available
    allowed = say("No room for a further power-on") if full else say("Power-on allowed")
    head = allowed if found.admitted else say("Power-on refused")
    return say("{verdict}: {grounds}", verdict=head, grounds=_grounds(found, names, style))


def _grounds(
    check: SlotCheck | PercentageCheck | DedicatedCheck, names: Mapping[str, str], style: Style
) -> str:
    if isinstance(check, SlotCheck):
        hosts = say_many("{count} host may fail", "{count} hosts may fail", check.current)
        left = say_many("{count} slot left", "{count} slots left", check.available)
        return say(
            "{hosts}, {configured} configured; {left}",
            hosts=hosts,
            configured=check.configured,
            left=left,
        )
    if isinstance(check, PercentageCheck):
        return _shares(check, style)
    standing = joined(", ", (names.get(id, id) for id in check.hosts))
    if not standing:
        return say("no failover host is chosen")
    if check.occupied:
        return say_many(
            "{count} VM runs on {host}",
            "{count} VMs run on {host}",
            len(check.occupied),
            host=standing,
        )
    small = joined(", ", (names.get(id, id) for id in check.smaller))
    warning = (
        say("; {small} is smaller than a host that it stands by for", small=small) if small else ""
    )
    return say("{standing} stands by empty{warning}", standing=standing, warning=warning)


def _shares(check: PercentageCheck, style: Style) -> str:
    parts = [
        say(
            "{free}\u202f% of {name} free, {wanted} needed",
            name=name,
            free=shown(current),
            wanted=pct_text(wanted, style),
        )
        for name, current, wanted in (
            ("CPU", check.cpu_current_pct, check.cpu_configured_pct),
            (say("memory"), check.ram_current_pct, check.ram_configured_pct),
        )
        if current is not None
    ]
    if check.hosts < FEWEST_HOSTS:
        return say("there is no other host to fail over to")
    return joined(", ", parts)


def pct_text(value: float, style: Style) -> str:
    return with_unit(number(value, 0 if value == int(value) else 1, style=style), "%")
