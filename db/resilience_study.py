"""Domino cluster members, ways to be available and storms as the object `study --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from db.prediction import quantity_to_json, rounded
from models.judgement.verdict import POWER_ON
from models.resilience.designs import SOURCE, DesignRow, Standing
from models.resilience.domino_members import PATTERN_SOURCE, MemberCapacity
from models.resilience.storms import SOURCE as STORM_SOURCE
from models.resilience.storms import ServerStorm
from models.tell.storms import Storm

FORMAT = "headroom-study"
VERSION = 1

_OF_STANDING = ("cpu_pct", "ram_pct", "response_ms", "disk_pct", "network_pct")
_OF_MEMBER = ("users", "in_failover", "cpu_users", "pattern_users", "limit_users", "queue_s")
_OF_SERVER = ("users", "peak_response_ms", "peak_extra_ms", "peak_at_s", "peak_waiting")


def study_to_json(
    scenario: str,
    model_version: str,
    members: Sequence[MemberCapacity],
    designs: Sequence[DesignRow],
    storms: Sequence[Storm],
) -> dict[str, Any]:
    """Plain dictionaries, lists, texts and finite numbers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": scenario,
        "model_version": model_version,
        "domino_members": [_member(each) for each in members],
        "designs": [_design(each) for each in designs],
        "storms": [_storm(each) for each in storms],
    }


def _member(member: MemberCapacity) -> dict[str, Any]:
    return {
        "vm": member.vm,
        "members": member.members,
        **{name: rounded(getattr(member, name)) for name in _OF_MEMBER},
        "lost": member.lost,
        "fits": member.fits,
        "replicators": member.replicators,
        "source": PATTERN_SOURCE,
    }


def _design(row: DesignRow) -> dict[str, Any]:
    return {
        "design": row.design.value,
        "downtime": row.downtime.value,
        "patching": row.patching.value,
        "normal": _standing(row.normal),
        "worst": _standing(row.worst),
        "worst_host": row.worst_host,
        "verdict": row.verdict.label,
        "decided_by": _deciding(row),
        "users_without_server": rounded(row.without_server),
        "replica_gib": rounded(row.replica_gib),
        "source": SOURCE,
    }


def _deciding(row: DesignRow) -> dict[str, Any] | None:
    """The resource that decides the verdict, unless it is that users have no server."""
    standing, found = row.deciding, row.deciding.deciding
    if row.without_server > 0:
        return None
    lost = "" if standing is row.normal else row.worst_host
    if standing.refused:
        return {"resource": POWER_ON, "subject": standing.refused, "host_lost": lost}
    if found is None:
        return None
    return {
        "resource": found.resource,
        "subject": found.subject,
        "at_peak": quantity_to_json(found.quantity),
        "limit": rounded(found.limit),
        "host_lost": lost,
    }


def _standing(standing: Standing) -> dict[str, Any]:
    numbers = {name: quantity_to_json(getattr(standing, name)) for name in _OF_STANDING}
    return {**numbers, "verdict": standing.verdict.label}


def _storm(storm: Storm) -> dict[str, Any]:
    study, needed = storm.study, storm.needed
    asked = [
        {} if needed is None else {"vcpus_needed": needed.vcpus[each.vm]} for each in study.servers
    ]
    return {
        "kind": study.kind.value,
        "inputs": [
            {"field": each.field, "value": rounded(each.value), "origin": each.origin}
            for each in study.inputs
        ],
        "drained_s": rounded(study.drained_s),
        "silent": list(study.silent),
        "refused": list(study.refused),
        "time_s": _numbers(study.time_s),
        "waiting": _numbers(study.waiting),
        "offline": _numbers(study.offline),
        "servers": [
            {**_server(each), **more} for each, more in zip(study.servers, asked, strict=True)
        ],
        "source": STORM_SOURCE,
    }


def _server(server: ServerStorm) -> dict[str, Any]:
    return {
        "vm": server.vm,
        **{name: rounded(getattr(server, name)) for name in _OF_SERVER},
        "drained_s": rounded(server.drained_s),
        "response_ms": None if server.response_ms is None else _numbers(server.response_ms),
        "waiting": _numbers(server.waiting),
    }


def _numbers(values: Any) -> list[float | None]:
    return [rounded(value) for value in values.tolist()]
