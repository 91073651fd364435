"""The second opinion as the JSON object that ``network --json`` prints."""

from __future__ import annotations

from typing import Any

from db.plain import rounded, told
from models.scenario.scenario import Scenario
from models.second_opinion.opinion import Beside, Opinion
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
        **told(opinion, "without_response=silent", "left_out=crowded"),
    }


def _server(opinion: Opinion, r: int, server: Beside) -> dict[str, Any]:
    """`solved_s` is the response as `solve` prints it, in which a run on contended cores counts
    twice (`counted_twice_s`)."""
    assert opinion.solved is not None
    assert opinion.plan is not None
    return {
        **told(server, "id=vm", "like", "shown", "network_ms"),
        "solved_s": rounded(float(opinion.solved.solution.response_time[r])),
        "counted_twice_s": rounded(float(opinion.plan.twice[r] * opinion.plan.cpu_s[r])),
        **told(server, "ratio", "agreement", "cause"),
        "reason": reason(server),
        "parts": {"shown": told(server.closed, *_PARTS), "network": told(server.solved, *_PARTS)},
    }


_PARTS = ("idle_ms=idle", "own_ms=own", "drives_ms=drives", "cores_ms=cores")
