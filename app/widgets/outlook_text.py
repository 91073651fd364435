"""The outlook in words: how far the verdict holds, what decides and comes next, what mends it."""

from __future__ import annotations

import math

from app.widgets.gauge_text import name_of
from models.fixes import ORDER_WORDS, Fix, Fixes, distance_pct
from models.flip import Flip, Flips, Lost, Step
from models.judgement.verdict import NORMAL
from models.prediction import Binding, Prediction, Severity, Verdict
from models.scenario import Scenario
from models.wording import RESOURCES, THIN, Style, number

CALCULATING = "calculating how far this holds …"
NOTHING_MENDS = "No single change mends it"


def flips_text(flips: Flips, scenario: Scenario, *, style: Style) -> str:
    """``Holds until 5,100 users, 1.34× load per user, or one more host lost``."""
    if flips.users is None and flips.lost is None and not flips.tried:
        return ""
    if flips.verdict is Verdict.FITS:
        return _holds(flips, scenario, style)
    return _between(flips, scenario, style)


def shortened(text: str) -> str:
    """The same for a narrow place: the tool tip has what is left out.

    >>> shortened("Holds until 5,100 users, 1.34× load per user, or one more host lost")
    'Holds to 5,100 users, 1.34× load, or 1 host more lost'
    """
    for words, fewer in _FEWER:
        text = text.replace(words, fewer)
    return text.removesuffix(" left")


_FEWER = (
    ("Holds until", "Holds to"),
    (" load per user", " load"),
    ("one more host lost", "1 host more lost"),
    ("disk utilisation of", "disks of"),
    (" left; next", "; next"),
)


def _holds(flips: Flips, scenario: Scenario, style: Style) -> str:
    users, load = _side(flips.users, "up"), _side(flips.load, "up")
    parts = [_users(users, style)] if users is not None else []
    parts += [_load(load, style)] if load is not None else []
    parts += [_lost(flips.lost)] if flips.lost is not None else []
    if parts:
        return f"Holds until {_listed(parts)}"
    return "Holds whatever the number of users" if flips.users is not None else "Holds"


def _listed(parts: list[str]) -> str:
    """
    >>> _listed(["a"]), _listed(["a", "b"]), _listed(["a", "b", "c"])
    ('a', 'a or b', 'a, b, or c')
    """
    if len(parts) < 3:
        return " or ".join(parts)
    return f"{', '.join(parts[:-1])}, or {parts[-1]}"


def _between(flips: Flips, scenario: Scenario, style: Style) -> str:
    """Of what doesn't fit safely: where it would, and where it gets worse still."""
    parts = []
    down = _way(flips, "down", style)
    if down is not None:
        parts.append(f"{down[1].label.capitalize()} up to {down[0]}")
    up = _way(flips, "up", style)
    if up is not None:
        parts.append(f"{up[1].label} beyond {up[0]}")
    if not parts and flips.users is not None:
        parts.append("No number of users changes this")
    lost = flips.lost
    if lost is not None:
        parts.append(f"{lost.to.label} with {_names(lost, scenario)} lost")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _way(flips: Flips, side: str, style: Style) -> tuple[str, Verdict] | None:
    users: Step | None = _side(flips.users, side)
    load: Step | None = _side(flips.load, side)
    if users is None:
        return None if load is None else (_load(load, style), load.to)
    words = _users(users, style)
    if load is not None and load.to is users.to:
        words = f"{words} or {_load(load, style)}"
    return words, users.to


def _side(flip: Flip | None, side: str) -> Step | None:
    return None if flip is None else (flip.up if side == "up" else flip.down)


def _users(step: Step, style: Style) -> str:
    """Rounded down to three digits: what is promised must hold."""
    return f"{number(_floored(step.at), style=style)} users"


def _floored(value: float) -> float:
    """
    >>> _floored(31553.2), _floored(87.9)
    (31500.0, 87.0)
    """
    if value < 100:
        return float(math.floor(value))
    scale = 10.0 ** (math.floor(math.log10(value)) - 2)
    return math.floor(value / scale) * scale


def _load(step: Step, style: Style) -> str:
    return f"{number(math.floor(step.at * 100) / 100, 2, style=style)}× load per user"


def _lost(lost: Lost) -> str:
    count = len(lost.hosts)
    return "one more host lost" if count == 1 else f"{count} hosts lost"


def _names(lost: Lost, scenario: Scenario) -> str:
    return " and ".join(name_of(scenario, id) for id in lost.hosts)


def flips_tip(flips: Flips, scenario: Scenario, *, style: Style) -> str:
    """The same with what is meant, a line each."""
    lines = [flips_text(flips, scenario, style=style)]
    if flips.lost is not None:
        lines.append(f"hosts lost: {_names(flips.lost, scenario)}")
    elif flips.tried:
        lines.append(f"any {flips.tried} of the hosts may be lost")
    lines += [
        "users: all VMs in proportion, their mail files with them",
        "load per user: the same users and mail files, every user busier",
        "found on the model itself; rounded to the safe side",
    ]
    return "\n".join(line for line in lines if line)


# --- what decides ------------------------------------------------------------------------------


def distance_text(prediction: Prediction, scenario: Scenario, *, style: Style) -> str:
    """``RAM of esx1: 4 % left; next disk utilisation of DS4800 data: 33 % left``."""
    parts = []
    for binding, head in ((prediction.binding, ""), (prediction.runner_up, "next ")):
        if binding is not None:
            parts.append(f"{head}{_binding(binding, scenario, style)}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] if text[1:2].islower() else text


def _binding(binding: Binding, scenario: Scenario, style: Style) -> str:
    what = RESOURCES.get(binding.resource, binding.resource)
    who = name_of(scenario, binding.subject)
    where = f"{what} of {who}" if binding.mode == NORMAL else f"{what} with {who} gone"
    left = distance_pct(binding)
    if abs(left) > 999:
        return f"{where}: far over"
    digits = 0 if abs(left) >= 1 or left == 0 else 1
    amount = f"{number(abs(left), digits, style=style)}{THIN}%"
    return f"{where}: {amount} {'left' if left >= 0 else 'over'}"


# --- what mends it -----------------------------------------------------------------------------


def fix_text(fix: Fix, scenario: Scenario) -> str:
    """``+8 GiB RAM in esx1 → fits``; where more is wrong, what comes next."""
    if fix.verdict is Verdict.FITS:
        return f"{fix.change.text} → {fix.prediction.shown.words}"
    binding = fix.prediction.binding
    if binding is None:
        return f"{fix.change.text} → {fix.prediction.shown.words}"
    what = RESOURCES.get(binding.resource, binding.resource)
    who = name_of(fix.change.scenario, binding.subject)
    return f"{fix.change.text} → then {what} {'of' if binding.mode == NORMAL else 'without'} {who}"


def fixes_tip(fixes: Fixes, scenario: Scenario) -> str:
    """What was tried, in which order, and the other ways that were found."""
    lines = [f"Cheapest single change of {fixes.tried} that were tried on the model."]
    others = [fix_text(fix, scenario) for fix in fixes.found[1:4]]
    if others:
        lines += ["Also:", *(f"· {other}" for other in others)]
    return "\n".join([*lines, ORDER_WORDS, "A click makes the change; undo takes it back."])


def nothing_text(prediction: Prediction) -> str:
    """What to say where no single change helps: what the finding that decides asks for."""
    error = next((f for f in prediction.findings if f.severity is Severity.ERROR), None)
    return error.fix if error is not None else NOTHING_MENDS
