"""A study of failures as the JSON object that ``failures --json`` prints."""

from __future__ import annotations

from typing import Any

from db.plain import each_told, told
from db.prediction import down_to_json, mode_verdict, shortfall_to_json
from models.failure.admission import DedicatedCheck, PercentageCheck, SlotCheck
from models.failure.fault_tolerance import Protection
from models.failure.reservations import AdmissionCheck
from models.failure.restart_time import RestartTime
from models.predict.prediction import FailureMode
from models.resilience.availability_study import AvailabilityStudy
from models.resilience.modes import decides
from models.resilience.study import FailureStudy

FORMAT = "headroom-failures"
VERSION = 1

_WORST = ("resource", "host", "mode", "value", "limit", "load")
_STEP = ("what", "arithmetic", "result")
_PART = ("what", "field", "seconds", "origin")
_SLOTS = (
    *("slots_total=total", "slots_used=used", "slots_available=available"),
    *("current_failover_hosts=current", "configured_failover_hosts=configured"),
)
_PERCENTAGES = (
    *("cpu_total_mhz", "cpu_required_mhz", "cpu_current_pct", "cpu_configured_pct"),
    *("ram_total_mib", "ram_required_mib", "ram_current_pct", "ram_configured_pct"),
)
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
        "worst_hosts": each_told(study.worst_hosts(), *_WORST),
        "admission": [_admission(each) for each in availability.admission],
        "fault_tolerance": [_protection(each) for each in availability.protections],
        "restart_times": [_restart_time(each) for each in availability.restart_times],
    }


def _mode(mode: FailureMode) -> dict[str, Any]:
    return {
        **told(mode, "id", "kind=mode.kind", "hosts=mode.hosts", "maintenance=mode.maintenance"),
        **told(mode, "subject=mode.subject", *_NUMBERS, "cpu_host", "ram_host", "pool"),
        "shortfall": shortfall_to_json(mode.shortfall),
        "restarted": each_told(mode.restarted, "vm", "host", "moved_before", "breaks"),
        "not_restarted": each_told(mode.not_restarted, "vm", "reason"),
        **told(mode, "stays_down"),
        "taken_over": each_told(mode.taken_over, "vm", "host"),
        "verdict": mode_verdict(mode.verdict, mode.down),
        "note": mode.note,
        **down_to_json(mode.down),
    }


def _admission(check: AdmissionCheck) -> dict[str, Any]:
    return {
        **told(check, "cluster", "policy", "release", "admitted"),
        **(_arithmetic(check.check) if check.check is not None else {"steps": []}),
        **told(check, "notes", "source"),
    }


def _arithmetic(check: SlotCheck | PercentageCheck | DedicatedCheck) -> dict[str, Any]:
    if isinstance(check, SlotCheck):
        slots = {"slots": {each.host.id: each.slots for each in check.hosts}}
        numbers = told(check, "slot_cpu_mhz=slot.cpu_mhz", "slot_ram_mib=slot.ram_mib")
        numbers |= slots | told(check, *_SLOTS)
    elif isinstance(check, PercentageCheck):
        numbers = told(check, *_PERCENTAGES)
    else:
        numbers = told(check, "hosts", "occupied", "smaller")
    return {**numbers, "steps": each_told(check.steps, *_STEP)}


def _protection(protection: Protection) -> dict[str, Any]:
    return {
        **told(protection, "vm", "host", "release=limits.release", "allowed", "obstacles"),
        **told(protection, "secondary", "secondary_cores", "secondary_ram_gib", "link_host"),
        **told(protection, "link_gbps", "link_load", "users", "link_users"),
        "logging": each_told(protection.logging, *_STEP),
        **told(protection, "response_ms", "notes"),
    }


def _restart_time(time: RestartTime) -> dict[str, Any]:
    return {
        **told(time, "vm", "with_transaction_logs_s=logged_s"),
        **told(time, "without_transaction_logs_s=unlogged_s"),
        "with_transaction_logs": each_told(time.logged, *_PART),
        "without_transaction_logs": each_told(time.unlogged, *_PART),
        "evidence": time.evidence,
    }
