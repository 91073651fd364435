"""Domino cluster members, ways to be available and storms as the object `study --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from db.plain import each_told, told
from models.judgement.verdict import POWER_ON
from models.resilience.designs import SOURCE, DesignRow
from models.resilience.domino_members import PATTERN_SOURCE, MemberCapacity
from models.resilience.storms import SOURCE as STORM_SOURCE
from models.tell.storms import Storm

FORMAT = "headroom-study"
VERSION = 1

_OF_STANDING = ("cpu_pct", "ram_pct", "response_ms", "disk_pct", "network_pct", "verdict")
_OF_MEMBER = ("users", "in_failover", "cpu_users", "pattern_users", "limit_users", "queue_s")
_OF_SERVER = (
    *("vm", "users", "peak_response_ms", "peak_extra_ms", "peak_at_s", "peak_waiting"),
    *("drained_s", "response_ms", "waiting"),
)


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
        "domino_members": [
            told(each, "vm", "members", *_OF_MEMBER, "lost", "fits", "replicators")
            | {"source": PATTERN_SOURCE}
            for each in members
        ],
        "designs": [_design(each) for each in designs],
        "storms": [_storm(each) for each in storms],
    }


def _design(row: DesignRow) -> dict[str, Any]:
    return {
        **told(row, "design", "downtime", "patching"),
        "normal": told(row.normal, *_OF_STANDING),
        "worst": told(row.worst, *_OF_STANDING),
        **told(row, "worst_host", "verdict"),
        "decided_by": _deciding(row),
        **told(row, "users_without_server=without_server", "replica_gib"),
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
        **told(found, "resource", "subject", "at_peak=quantity", "limit"),
        "host_lost": lost,
    }


def _storm(storm: Storm) -> dict[str, Any]:
    study, needed = storm.study, storm.needed
    asked = [
        {} if needed is None else {"vcpus_needed": needed.vcpus[each.vm]} for each in study.servers
    ]
    return {
        "kind": study.kind.value,
        "inputs": each_told(study.inputs, "field", "value", "origin"),
        **told(study, "drained_s", "silent", "refused", "time_s", "waiting", "offline"),
        "servers": [
            told(each, *_OF_SERVER) | more for each, more in zip(study.servers, asked, strict=True)
        ],
        "source": STORM_SOURCE,
    }
