"""The second opinion as the JSON object that ``network --json`` prints."""

from __future__ import annotations

from typing import Any

from db.prediction import quantity_to_json, rounded
from models.scenario import Scenario
from models.second_opinion.opinion import Beside, Opinion, Parts
from models.second_opinion.words import headline, how_solved, notes, reason

FORMAT, VERSION = "headroom-opinion", 1


def opinion_to_json(opinion: Opinion, scenario: Scenario, model_version: str) -> dict[str, Any]:
    """The comparison as plain dictionaries, lists, texts and finite numbers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": scenario.name,
        "model_version": model_version,
        "summary": headline(opinion),
        "solved": how_solved(opinion),
        "notes": notes(opinion, scenario),
        "method": opinion.method or None,
        "error_estimate": None if opinion.solved is None else rounded(opinion.error),
        "servers": [_server(opinion, r, each) for r, each in enumerate(opinion.servers)],
        "without_response": list(opinion.silent),
        "left_out": list(opinion.crowded),
    }


def _server(opinion: Opinion, r: int, server: Beside) -> dict[str, Any]:
    """`solved_s` is the response as `solve` prints it, in which a run on contended cores counts
    twice (`counted_twice_s`)."""
    assert opinion.solved is not None
    assert opinion.plan is not None
    return {
        "id": server.vm,
        "like": list(server.like),
        "shown": quantity_to_json(server.shown),
        "network_ms": rounded(server.network_ms),
        "solved_s": rounded(float(opinion.solved.solution.response_time[r])),
        "counted_twice_s": rounded(float(opinion.plan.twice[r] * opinion.plan.cpu_s[r])),
        "ratio": rounded(server.ratio),
        "agreement": server.agreement.value,
        "cause": server.cause.value,
        "reason": reason(server),
        "parts": {"shown": _parts(server.closed), "network": _parts(server.solved)},
    }


def _parts(parts: Parts) -> dict[str, float | None]:
    return {
        "idle_ms": rounded(parts.idle),
        "own_ms": rounded(parts.own),
        "drives_ms": rounded(parts.drives),
        "cores_ms": rounded(parts.cores),
    }
