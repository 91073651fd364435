"""Storms in the proposal: everybody logs in again at once; who waits, how long, and what helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.fields import field_at
from models.proposal.blocks import (
    Block,
    Column,
    Curve,
    Definitions,
    Paragraph,
    Section,
    Table,
    TimePlot,
)
from models.proposal.subject import Storm, Subject
from models.quantities import FloatArray
from models.resilience.assumed import AssumedInput
from models.resilience.storms import SOURCE, StormKind
from models.scenario import Scenario
from models.transient.network import NOTICED
from models.wording import THIN, duration_text, number, rounded, wait_text

POINTS = 160
TITLES = {
    StormKind.RECONNECT: "Everybody logs in again after the network was cut",
    StormKind.HOLIDAY: "The first day after a holiday",
}
TARGETS_S = (60.0, 120.0, 300.0, 600.0, 1800.0)
"""Within which it shall be over, counted from the last of what brings users in."""

NOTE = (
    "Each server’s users are a closed network in time: they think, ask for a vCPU, ask for the "
    "pool’s drives, and think again. All are off at the start; each comes back with a login. The "
    "demands are those of the predicted load. Over is when 95 % of the worst delay is gone. "
    "What a login costs was never published."
)


def storms(subject: Subject) -> Section | None:
    """The storms that somebody stated inputs for; None where nobody did."""
    if not subject.storms:
        return None
    blocks = [block for storm in subject.storms for block in _storm(subject, storm)]
    return Section("Login storms", (*blocks, Paragraph(f"{NOTE} Source: {SOURCE}.")))


def _storm(subject: Subject, storm: Storm) -> Iterator[Block]:
    study, worst = storm.study, storm.study.worst
    yield Paragraph(f"{TITLES[study.kind]}.")
    if worst is None:
        why = " can be powered on" if study.refused else ": no data"
        yield Paragraph(f"No server with users and CPU data{why}.")
        return
    yield Definitions(tuple(_facts(subject, storm)))
    yield from _plots(subject, storm)
    if storm.drain is not None:
        yield _spare_table(subject, storm)
    yield Definitions(tuple(map(_input, study.inputs)))


def _facts(subject: Subject, storm: Storm) -> Iterator[tuple[str, str]]:
    study, worst = storm.study, storm.study.worst
    assert worst is not None
    name, at = subject.name_of(worst.vm), duration_text(worst.peak_at_s)
    most = rounded(float(study.waiting.max(initial=0.0)))
    users = number(sum(each.users for each in study.servers))
    yield "Users waiting", f"up to {most} of {users} at once"
    if worst.peak_response_ms is None:
        longer = wait_text(worst.peak_extra_ms)
        yield "Worst response", f"up to {longer} more than usual on {name}, after {at}"
    else:
        yield "Worst response", f"up to {wait_text(worst.peak_response_ms)} on {name}, after {at}"
    yield "Over", _over(study.drained_s)
    if study.silent:
        silent = ", ".join(subject.name_of(id) for id in study.silent)
        yield "Left out", f"{silent}: nothing is known of the CPU"
    if study.refused:
        refused = ", ".join(subject.name_of(id) for id in study.refused)
        yield "Left out", f"{refused}: can’t be powered on"


def _over(drained_s: float | None) -> str:
    if drained_s is None:
        return "not within four hours"
    if not drained_s:
        return f"at once: no response is over {number(NOTICED * 100)}{THIN}% longer than usual"
    return f"after {duration_text(drained_s)}"


def _plots(subject: Subject, storm: Storm) -> Iterator[Block]:
    """Users over time, and below it the response of the worst server on the same scale."""
    study, worst = storm.study, storm.study.worst
    assert worst is not None
    end = float(study.time_s[-1]) if study.drained_s is None else study.drained_s * 1.12
    times = np.linspace(0.0, max(end, 1.0), POINTS)
    unit, scale = ("seconds", 1.0) if end <= 600.0 else ("minutes", 60.0)
    name = subject.name_of(worst.vm)

    def curve(label: str, values: FloatArray, *, dashed: bool = False) -> Curve:
        found = np.interp(times, study.time_s, values)
        return Curve(label, tuple(found.tolist()), dashed)

    axis = tuple((times / scale).tolist())
    yield TimePlot(
        x=axis,
        x_label=f"{unit} from the start",
        y_label="users",
        curves=(
            curve("users waiting", study.waiting),
            curve("not logged in", study.offline, dashed=True),
        ),
        limit=None,
        alt=f"Users that wait and users that are not logged in, over time; {unit}.",
    )
    known = worst.response_ms is not None
    response = worst.response_ms if worst.response_ms is not None else worst.extra_ms
    yield TimePlot(
        x=axis,
        x_label=f"{unit} from the start",
        y_label="ms" if known else "ms more than usual",
        curves=(curve(f"response of {name}", response),),
        limit=subject.scenario.policy.response_limit_ms if known else None,
        alt=f"Response time of {name} over time; {unit}.",
    )


def _spare_table(subject: Subject, storm: Storm) -> Table:
    """The fewest vCPUs of the worst server with which it is over within some times."""
    drain = storm.drain
    assert drain is not None
    begins = _last_login_s(subject.scenario, storm.study.kind)
    rows = []
    for target in TARGETS_S:
        within = begins + target
        fewest = drain.fewest(within)
        if fewest is None:
            needed, more = "no number of them on its host", "–"
        else:
            needed, more = number(fewest), number(fewest - drain.has)
        rows.append((f"within {duration_text(within)}", needed, more))
        if fewest == drain.has:
            break
    columns = (
        Column("Over", wide=True),
        Column(f"vCPUs of {subject.name_of(drain.vm)}", numeric=True),
        Column("More than now", numeric=True),
    )
    note = (
        f"{subject.name_of(drain.vm)} has {number(drain.has)}. All other servers as they are; "
        "vCPUs share the cores of the host."
    )
    return Table(columns, tuple(rows), note)


def _last_login_s(scenario: Scenario, kind: StormKind) -> float:
    given = scenario.assumptions
    return given.reconnect_s if kind is StormKind.RECONNECT else given.holiday_login_s


def _input(each: AssumedInput) -> tuple[str, str]:
    words = field_at(Scenario, f"assumptions.{each.field}")
    decimals = 0 if each.value == int(each.value) else 1
    value = f"{number(each.value, decimals)}{THIN}{words.unit}"
    return words.label[:1].upper() + words.label[1:], f"{value} ({each.origin})"
