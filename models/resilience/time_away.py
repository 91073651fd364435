"""How long Domino servers are away when HA restarts them: from inputs, in two digits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from models.failure.restart_time import ASSUMED, RestartTime, restart_time
from models.prediction import FailureMode
from models.resilience.assumed import origin_word
from models.scenario import Scenario
from models.texts import joined, say
from models.wording import ENGLISH, THIN, Style, duration_text


def times_away(scenario: Scenario) -> tuple[RestartTime, ...]:
    """Of every Domino VM that is switched on, in the scenario's order."""
    return tuple(
        restart_time(each, scenario.assumptions, partial(origin_word, scenario))
        for each in scenario.vms
        if each.workload.kind.is_domino and each.powered_on
    )


def away_text(mode: FailureMode, times: Sequence[RestartTime], style: Style = ENGLISH) -> str:
    """How long those are away that restart in a mode; empty where no Domino server does.

    ``away 4 min with transaction logs, 63 min without (assumed)``; a span where servers differ.
    """
    restarted = {each.vm for each in mode.restarted if not each.moved_before}
    found = [each for each in times if each.vm in restarted]
    if not found:
        return ""
    parts = [part for each in found for part in (*each.logged, *each.unlogged)]
    origins = dict.fromkeys(part.origin for part in parts)
    return say(
        "Domino is away {logged} with transaction logs, {unlogged} without ({origin})",
        logged=_span([each.logged_s for each in found], style),
        unlogged=_span([each.unlogged_s for each in found], style),
        origin=ASSUMED if ASSUMED in origins else joined(", ", list(origins)),
    )


def _span(seconds: Sequence[float], style: Style) -> str:
    """``4 min``, or ``4–63 min``."""
    least, most = (duration_text(end(seconds), style) for end in (min, max))
    if least == most:
        return least
    number, _, unit = least.partition(THIN)
    same = unit == most.partition(THIN)[2]
    return joined("\N{EN DASH}", (number if same else least, most))
