"""A study of failures as the JSON object that ``failures --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from db.prediction import (
    down_to_json,
    mode_verdict,
    quantity_to_json,
    rounded,
    shortfall_to_json,
)
from models.failure.admission import DedicatedCheck, PercentageCheck, SlotCheck, Step
from models.failure.fault_tolerance import Protection
from models.failure.reservations import AdmissionCheck
from models.failure.restart_time import RestartPart, RestartTime
from models.prediction import FailureMode
from models.resilience.availability_study import AvailabilityStudy
from models.resilience.modes import decides
from models.resilience.study import FailureStudy, WorstHost

FORMAT = "headroom-failures"
VERSION = 1

_NUMBERS = ("cpu_pct", "ram_pct", "response_ms", "ready_pct", "iops", "disk_pct")


def failures_to_json(
    scenario: str, model_version: str, study: FailureStudy, availability: AvailabilityStudy
) -> dict[str, Any]:
    """Modes worst first, the worst host by resource, admission control, Fault Tolerance, restarts.

    Plain dictionaries, lists, texts and finite numbers.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": scenario,
        "model_version": model_version,
        "modes": [
            {**_mode(study[row]), "decides": decides(study.modes[row], study.scenario)}
            for row in study.ranked()
        ],
        "worst_hosts": [_worst(each) for each in study.worst_hosts()],
        "admission": [_admission(each) for each in availability.admission],
        "fault_tolerance": [_protection(each) for each in availability.protections],
        "restart_times": [_restart_time(each) for each in availability.restart_times],
    }


def _mode(mode: FailureMode) -> dict[str, Any]:
    return {
        "id": mode.mode.id,
        "kind": mode.mode.kind.value,
        "hosts": list(mode.mode.hosts),
        "maintenance": mode.mode.maintenance,
        "subject": mode.mode.subject,
        **{name: quantity_to_json(getattr(mode, name)) for name in _NUMBERS},
        "cpu_host": mode.cpu_host,
        "ram_host": mode.ram_host,
        "pool": mode.pool,
        "shortfall": shortfall_to_json(mode.shortfall),
        "restarted": [
            {
                "vm": each.vm,
                "host": each.host,
                "moved_before": each.moved_before,
                "breaks": list(each.breaks),
            }
            for each in mode.restarted
        ],
        "not_restarted": [{"vm": each.vm, "reason": each.reason} for each in mode.not_restarted],
        "stays_down": list(mode.stays_down),
        "taken_over": [{"vm": each.vm, "host": each.host} for each in mode.taken_over],
        "verdict": mode_verdict(mode.verdict, mode.down),
        "note": mode.note,
        **down_to_json(mode.down),
    }


def _worst(worst: WorstHost) -> dict[str, Any]:
    return {
        "resource": worst.resource,
        "host": worst.host,
        "mode": worst.mode,
        "value": quantity_to_json(worst.value),
        "limit": rounded(worst.limit),
        "load": rounded(worst.load),
    }


def _admission(check: AdmissionCheck) -> dict[str, Any]:
    return {
        "cluster": check.cluster,
        "policy": check.policy.value,
        "release": check.release,
        "admitted": check.admitted,
        **(_arithmetic(check.check) if check.check is not None else {"steps": []}),
        "notes": list(check.notes),
        "source": check.source,
    }


def _arithmetic(check: SlotCheck | PercentageCheck | DedicatedCheck) -> dict[str, Any]:
    if isinstance(check, SlotCheck):
        numbers: dict[str, Any] = {
            "slot_cpu_mhz": rounded(check.slot.cpu_mhz),
            "slot_ram_mib": rounded(check.slot.ram_mib),
            "slots": {each.host.id: each.slots for each in check.hosts},
            "slots_total": check.total,
            "slots_used": check.used,
            "slots_available": check.available,
            "current_failover_hosts": check.current,
            "configured_failover_hosts": check.configured,
        }
    elif isinstance(check, PercentageCheck):
        numbers = {
            name: rounded(getattr(check, name))
            for name in (
                "cpu_total_mhz",
                "cpu_required_mhz",
                "cpu_current_pct",
                "cpu_configured_pct",
                "ram_total_mib",
                "ram_required_mib",
                "ram_current_pct",
                "ram_configured_pct",
            )
        }
    else:
        numbers = {name: list(getattr(check, name)) for name in ("hosts", "occupied", "smaller")}
    return {**numbers, "steps": _steps(check.steps)}


def _steps(steps: Sequence[Step]) -> list[dict[str, str]]:
    return [
        {"what": step.what, "arithmetic": step.arithmetic, "result": step.result} for step in steps
    ]


def _protection(protection: Protection) -> dict[str, Any]:
    return {
        "vm": protection.vm,
        "host": protection.host,
        "release": protection.limits.release,
        "allowed": protection.allowed,
        "obstacles": list(protection.obstacles),
        "secondary": protection.secondary,
        "secondary_cores": rounded(protection.secondary_cores),
        "secondary_ram_gib": rounded(protection.secondary_ram_gib),
        "link_host": protection.link_host,
        "link_gbps": rounded(protection.link_gbps),
        "link_load": rounded(protection.link_load),
        "users": rounded(protection.users),
        "link_users": rounded(protection.link_users),
        "logging": _steps(protection.logging),
        "response_ms": protection.response_ms,
        "notes": list(protection.notes),
    }


def _restart_time(time: RestartTime) -> dict[str, Any]:
    return {
        "vm": time.vm,
        "with_transaction_logs_s": rounded(time.logged_s),
        "without_transaction_logs_s": rounded(time.unlogged_s),
        "with_transaction_logs": [_part(part) for part in time.logged],
        "without_transaction_logs": [_part(part) for part in time.unlogged],
        "evidence": time.evidence,
    }


def _part(part: RestartPart) -> dict[str, Any]:
    return {
        "what": part.what,
        "field": part.field,
        "seconds": rounded(part.seconds),
        "origin": part.origin,
    }
