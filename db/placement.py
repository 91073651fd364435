"""An arrangement as the JSON object that ``place --json`` prints, and its moves as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from db.plain import each_told, told
from db.prediction import chips_to_json
from models.arrange.plan import Plan, Standing
from models.base.spreadsheets import inert
from models.scenario.scenario import Scenario


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Moves, both standings, bounds and what finds no room, as plain values.

    Loads are shares of a host's limit; `bound` is of the peak load.
    """
    return {
        "format": "headroom-placement",
        "version": 1,
        "moves": each_told(plan.moves, "vm", "from=origin", "to", "why", "in_order"),
        "before": _standing(plan.before),
        "after": _standing(plan.after),
        **told(plan, "bound=bound_load", "bound_hosts", "distance_pct"),
        "unplaced": [{"vm": vm, "why": str(why)} for vm, why in plan.unplaced],
    }


def _standing(standing: Standing) -> dict[str, Any]:
    return told(standing, *_STANDING) | {"chips": chips_to_json(standing.chips)}


_STANDING = ("verdict", "hosts_used", "peak_load", "stranded", "without_room")


def moves_to_csv(plan: Plan, scenario: Scenario, tell: Callable[[str], str] = str) -> str:
    """The moves as CSV, names and ids, in their order; no cell is a formula."""
    names = {item.id: item.name for item in scenario.items()}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["step", "vm", "vm_id", "from", "to", "why", "in_order"])
    for step, move in enumerate(plan.moves, start=1):
        origin = "" if move.origin is None else names[move.origin]
        cells = (names[move.vm], move.vm, origin, names[move.to], tell(move.why))
        writer.writerow([step, *map(inert, cells), "yes" if move.in_order else "no"])
    return out.getvalue()
