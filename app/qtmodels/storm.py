"""A storm as it is shown: curves over time, and what they say in words."""

from __future__ import annotations

from dataclasses import dataclass

from app.language import local, tr, trn
from models.lettering import set_apart
from models.quantities import FloatArray
from models.resilience.storms import ServerStorm, StormKind, StormStudy
from models.scenario import Scenario
from models.texts import opening
from models.transient.network import NOTICED
from models.wording import ENGLISH, THIN, Style, duration_text, number, rounded, wait_text

KINDS = {kind: local(opening(kind.label)) for kind in StormKind}
INPUTS = {
    "reconnect_s": (tr("all log in within"), "s"),
    "holiday_login_s": (tr("all log in within"), "s"),
    "login_actions": (tr("work of a login"), tr("actions")),
    "holiday_peak_factor": (tr("activity"), tr("× the usual")),
    "holiday_s": (tr("active for"), "s"),
}
LONGEST_IN_SECONDS = 100.0
LONGEST_IN_MS = 10_000.0
"""From here on minutes and seconds, as `duration_text` and `wait_text` have it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StormView:
    """What the storm chart draws.

    Attributes:
        time: from the start of the storm, in `unit` (seconds or minutes), (t,).
        waiting, offline: users of all servers, (t,).
        response: of the worst server in `response_unit` (ms or s), (t,); what is added to it where
            none is predicted.
        server: its name; `adds` whether only the addition is known.
        limit: of the policy, in `response_unit`.
    """

    time: FloatArray
    unit: str
    waiting: FloatArray
    offline: FloatArray
    response: FloatArray
    response_unit: str
    server: str
    adds: bool
    limit: float


def storm_view(study: StormStudy, scenario: Scenario) -> StormView | None:
    """None where no server has users and CPU data."""
    worst = study.worst
    if worst is None:
        return None
    end = float(study.time_s[-1]) if study.drained_s is None else study.drained_s * 1.12
    seen = study.time_s <= max(end, 1.0)
    is_short = end <= LONGEST_IN_SECONDS
    response = worst.extra_ms if worst.response_ms is None else worst.response_ms
    scale = 1.0 if is_short else 60.0
    in_ms = float(response[seen].max(initial=0.0)) < LONGEST_IN_MS
    per_ms = 1.0 if in_ms else 1e-3
    return StormView(
        time=study.time_s[seen] / scale,
        unit="s" if is_short else "min",
        waiting=study.waiting[seen],
        offline=study.offline[seen],
        response=response[seen] * per_ms,
        response_unit="ms" if in_ms else "s",
        server=scenario.vm(worst.vm).name,
        adds=worst.response_ms is None,
        limit=scenario.policy.response_limit_ms * per_ms,
    )


def storm_text(study: StormStudy, scenario: Scenario, style: Style = ENGLISH) -> str:
    """The peak, where it is, and when it is over."""
    worst = study.worst
    if worst is None and study.refused:
        return tr("No server with users and CPU data can be powered on")
    if worst is None:
        return tr("No server with users and CPU data: no data")
    most = rounded(float(study.waiting.max(initial=0.0)), style=style)
    name = set_apart(scenario.vm(worst.vm).name)
    parts = [tr("Up to {most} users wait", most=most), f"{name} {_peak_text(worst, style)}"]
    drained = study.drained_s
    if drained is None:
        parts.append(tr("not over within hours"))
    elif not drained:
        least = number(NOTICED * 100, style=style)
        parts.append(tr("no response over {least}\u202f% longer", least=least))
    else:
        parts.append(tr("over after {duration}", duration=duration_text(drained, style)))
    return "; ".join(parts)


def left_out_text(study: StormStudy) -> str:
    """The servers that are in no storm, empty where all are."""
    parts = []
    if study.silent:
        count = len(study.silent)
        parts.append(
            trn(
                "{count} server without CPU data left out",
                "{count} servers without CPU data left out",
                count,
            )
        )
    if study.refused:
        count = len(study.refused)
        parts.append(
            trn(
                "{count} server that can’t be powered on left out",
                "{count} servers that can’t be powered on left out",
                count,
            )
        )
    return "; ".join(parts)


def _peak_text(worst: ServerStorm, style: Style) -> str:
    at = duration_text(worst.peak_at_s, style)
    if worst.peak_response_ms is None:
        extra = wait_text(worst.peak_extra_ms, style)
        return tr("takes up to {extra} longer, after {at}", extra=extra, at=at)
    response = wait_text(worst.peak_response_ms, style)
    return tr("answers in up to {response}, after {at}", response=response, at=at)


def inputs_text(study: StormStudy, style: Style = ENGLISH) -> str:
    """``all log in within 60 s (assumed), …``; what was given by somebody says by whom."""
    parts = []
    for each in study.inputs:
        words, unit = INPUTS[each.field]
        decimals = 0 if each.value == int(each.value) else 1
        value = number(each.value, decimals, style=style)
        parts.append(f"{words} {value}{THIN}{unit} ({local(each.origin)})")
    return ", ".join(parts)


def spare_text(
    name: str, vcpus: int | None, has: int, within_s: float, style: Style = ENGLISH
) -> str:
    """How many vCPUs the worst server needs to be through in time."""
    time = duration_text(within_s, style)
    if vcpus is None:
        return tr(
            "{name}: no number of vCPUs on its host ends it within {time}", name=name, time=time
        )
    if vcpus == has:
        return tr("{name}: no more vCPUs needed to end it within {time}", name=name, time=time)
    return trn(
        "{name}: {count} vCPU instead of {has} ends it within {time}",
        "{name}: {count} vCPUs instead of {has} end it within {time}",
        vcpus,
        name=name,
        has=has,
        time=time,
    )
