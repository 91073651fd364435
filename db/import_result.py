"""What an import comes to, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from db.plain import each_told, plain, told
from models.intake.domino import expected_transactions
from models.intake.fills import Fill
from models.intake.grade import assumed_of
from models.intake.options import Reason
from models.intake.records import DominoRecord, SeriesRecord
from models.intake.result import Guess, ImportResult, Totals
from models.intake.right_size import Sizes, chosen, saved
from models.scenario.scenario import Scenario

FORMAT, VERSION = "headroom-import", 1
_TOTALS = (
    *("vcpus", "ram_mib", "provisioned_mib", "disks_mib", "in_use_mib", "consumed_mib"),
    *("hosts", "clusters", "cores", "host_ram_mib"),
)
_DOMINO = (
    *("server", "release", "users", "users_peak", "active_15min", "trans_per_minute"),
    *("trans_per_minute_peak", "trans_total", "uptime_s", "cpus", "cpu_pct_avg", "cpu_pct_peak"),
    *("ram_mib", "availability_index", "buffer_pool_mb", "buffer_reads_pct", "mail_routed"),
    *("expansion_factor", "db_cache_entries", "db_cache_most", "db_cache_high", "queue_s"),
    *("queue_most_s", "queue_depth", "queue_depth_most", "disk_mib", "disk_used_mib"),
    *("disk_busy_pct", "dropped", "traveler_users", "traveler_devices"),
)
_SUMMARY = ("n", "interval_s", "gaps", "mean", "p50", "p90", "p95", "p99", "max")


def import_to_json(result: ImportResult) -> dict[str, Any]:
    """The result as plain values; sums are of the VMs that were taken."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "sources": each_told(result.sources, "file", "kind", "tool_version", "tables"),
        "vms": {
            "listed": result.listed,
            "taken": result.taken,
            "left_out": [
                {"reason": reason.value, "count": count}
                for reason, count in result.left_out.items()
                if count or reason not in (Reason.UNKNOWN_POWER, Reason.NOT_CHOSEN)
            ],
        },
        "totals": _totals(result.totals),
        "listed_totals": _totals(result.listed_totals),
        "clusters": [
            {"name": each.name, "vms": each.vms, **_totals(each.totals)} for each in result.clusters
        ],
        "disk_basis": {basis.value: _number(value) for basis, value in result.spaces.items()},
        "space": _fills(result.fills.space, result.options.disk),
        "memory": _fills(result.fills.memory, result.options.memory),
        "percentiles": [
            {
                "percentile": each.percentile or "mean",
                "cpu_mhz": _number(each.cpu_mhz),
                "iops": _number(each.iops),
            }
            for each in result.effects
        ],
        "series": [_series(each) for each in result.series],
        "domino": [_domino(each) for each in result.domino],
        "guesses": list(map(_guess, result.guesses)),
        "right_sizing": _right_sizing(result),
        "grade": _grade(result.scenario),
        "matched": each_told(result.ties, "name", "is=to", "how"),
        "not_read": [
            {"file": each.file, each.part.value: each.name, "why": str(each.why)}
            | {"count": each.count}
            for each in result.not_read
        ],
        "warnings": each_told(result.notes, "rule", "text"),
    }


def _guess(guess: Guess) -> dict[str, Any]:
    said = told(guess, "vm", "name", "why", "kind")
    return said | {"users": _number(guess.users)}


def _fills(fills: Iterable[Fill], taken: object) -> list[dict[str, Any]]:
    """What each meaning would fill of data stores or hosts, and which one is taken."""
    return [
        told(each, "basis", "mib", "pct", "worst_pct", "worst", "over")
        | {"taken": each.basis is taken}
        for each in fills
    ]


def _right_sizing(result: ImportResult) -> dict[str, Any]:
    """What each choice would save, which one is taken, and the VMs."""
    return {
        "taken": result.options.sizes.value,
        "saves": [
            dict(zip(("vcpus", "ram_gib"), saved(found), strict=True))
            | {"by": sizes.value, "vms": len(found)}
            for sizes in (Sizes.MEASURED, Sizes.ACTIVE)
            if (found := chosen(result.right_sizes, sizes))
        ],
        "vms": each_told(result.right_sizes, *_RIGHT_SIZE),
    }


_RIGHT_SIZE = ("vm", "name", "vcpus", "to_vcpus", "ram_gib", "to_ram_gib", "by_moment")


def _grade(scenario: Scenario) -> dict[str, Any] | None:
    """What was measured, and how many VMs have which figure by an assumption."""
    grade = scenario.grade
    if grade is None:
        return None
    assumed = [{"input": path, "vms": count} for path, count in assumed_of(scenario).items()]
    return told(grade, "measured_vms_pct", "days") | {"assumed": assumed}


def names_to_json(result: ImportResult) -> bytes:
    """The real names behind the invented ones, by kind, as a file that stands beside a project."""
    behind = {
        kind: {alias: name for name, alias in each.items()} for kind, each in result.aliases.items()
    }
    return (json.dumps(behind, ensure_ascii=False, indent=2) + "\n").encode()


def _totals(totals: Totals) -> dict[str, Any]:
    return {name: _number(getattr(totals, name)) for name in _TOTALS}


def _series(series: SeriesRecord) -> dict[str, Any]:
    summary: Mapping[str, Any] = asdict(series.summary)
    return {
        "file": series.place.file,
        "subject": series.name,
        "counter": series.counter,
        "unit": series.unit,
        **{name: _number(summary[name]) for name in _SUMMARY},
    }


def _domino(record: DominoRecord) -> dict[str, Any]:
    figures = {name: getattr(record, name) for name in _DOMINO}
    told = {
        name: value if isinstance(value, str) else _number(value) for name, value in figures.items()
    }
    return told | {"trans_per_minute_predicted": plain(expected_transactions(record))}


def _number(value: float | None) -> float | int | None:
    """A number as JSON writes it best: whole where it is whole."""
    if value is None:
        return None
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else float(value)
