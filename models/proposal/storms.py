"""Storms in the proposal: everybody logs in again at once; who waits, how long, and what helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.fields import field_at
from models.quantities import FloatArray
from models.resilience.assumed import AssumedInput
from models.resilience.storms import SOURCE, StormKind
from models.scenario import Scenario
from models.tell.blocks import (
    Block,
    Column,
    Curve,
    Definitions,
    Paragraph,
    Section,
    Table,
    TimePlot,
)
from models.tell.subject import Storm, Subject
from models.texts import joined, opening, say
from models.transient.network import NOTICED
from models.wording import duration_text, number, rounded, wait_text, with_unit

POINTS = 160
TITLES = {
    StormKind.RECONNECT: say("Everybody logs in again after the network was cut."),
    StormKind.HOLIDAY: say("The first day after a holiday."),
}
TARGETS_S = (60.0, 120.0, 300.0, 600.0, 1800.0)
"""Within which it shall be over, counted from the last of what brings users in."""

NOTE = say(
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
    source = say("Source: {source}.", source=SOURCE)
    return Section(say("Login storms"), (*blocks, Paragraph(joined(" ", (NOTE, source)))))


def _storm(subject: Subject, storm: Storm) -> Iterator[Block]:
    study, worst = storm.study, storm.study.worst
    yield Paragraph(TITLES[study.kind])
    if worst is None:
        yield Paragraph(
            say("No server with users and CPU data can be powered on.")
            if study.refused
            else say("No server with users and CPU data: no data.")
        )
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
    yield say("Users waiting"), say("up to {most} of {users} at once", most=most, users=users)
    if worst.peak_response_ms is None:
        response = say(
            "up to {longer} more than usual on {vm}, after {time}",
            longer=wait_text(worst.peak_extra_ms),
            vm=name,
            time=at,
        )
    else:
        slowest = wait_text(worst.peak_response_ms)
        response = say("up to {response} on {vm}, after {time}", response=slowest, vm=name, time=at)
    yield say("Worst response"), response
    yield say("Over"), _over(study.drained_s)
    if study.silent:
        silent = joined(", ", map(subject.name_of, study.silent))
        yield say("Left out"), say("{vms}: nothing is known of the CPU", vms=silent)
    if study.refused:
        refused = joined(", ", map(subject.name_of, study.refused))
        yield say("Left out"), say("{vms}: can’t be powered on", vms=refused)


def _over(drained_s: float | None) -> str:
    if drained_s is None:
        return say("not within four hours")
    if not drained_s:
        return say(
            "at once: no response is over {share} longer than usual",
            share=with_unit(number(NOTICED * 100), "%"),
        )
    return say("after {time}", time=duration_text(drained_s))


def _plots(subject: Subject, storm: Storm) -> Iterator[Block]:
    """Users over time, and below it the response of the worst server on the same scale."""
    study, worst = storm.study, storm.study.worst
    assert worst is not None
    end = float(study.time_s[-1]) if study.drained_s is None else study.drained_s * 1.12
    times = np.linspace(0.0, max(end, 1.0), POINTS)
    is_short = end <= 600.0
    label = say("seconds from the start") if is_short else say("minutes from the start")
    name = subject.name_of(worst.vm)

    def curve(label: str, values: FloatArray, *, dashed: bool = False) -> Curve:
        found = np.interp(times, study.time_s, values)
        return Curve(label, tuple(found.tolist()), dashed)

    axis = tuple((times if is_short else times / 60.0).tolist())
    yield TimePlot(
        x=axis,
        x_label=label,
        y_label=say("users"),
        curves=(
            curve(say("users waiting"), study.waiting),
            curve(say("not logged in"), study.offline, dashed=True),
        ),
        limit=None,
        alt=say("Users that wait and users that are not logged in; {axis}.", axis=label),
    )
    known = worst.response_ms is not None
    response = worst.response_ms if worst.response_ms is not None else worst.extra_ms
    yield TimePlot(
        x=axis,
        x_label=label,
        y_label="ms" if known else say("ms more than usual"),
        curves=(curve(say("response of {vm}", vm=name), response),),
        limit=subject.scenario.policy.response_limit_ms if known else None,
        alt=say("Response time of {vm}; {axis}.", vm=name, axis=label),
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
            needed: str = say("no number of them on its host")
            more: str = "–"
        else:
            needed, more = number(fewest), number(fewest - drain.has)
        rows.append((say("within {time}", time=duration_text(within)), needed, more))
        if fewest == drain.has:
            break
    columns = (
        Column(say("Over"), wide=True),
        Column(say("vCPUs of {vm}", vm=subject.name_of(drain.vm)), numeric=True),
        Column(say("More than now"), numeric=True),
    )
    note = say(
        "{vm} has {vcpus}. All other servers as they are; vCPUs share the cores of the host.",
        vm=subject.name_of(drain.vm),
        vcpus=number(drain.has),
    )
    return Table(columns, tuple(rows), note)


def _last_login_s(scenario: Scenario, kind: StormKind) -> float:
    given = scenario.assumptions
    return given.reconnect_s if kind is StormKind.RECONNECT else given.holiday_login_s


def _input(each: AssumedInput) -> tuple[str, str]:
    words = field_at(Scenario, f"assumptions.{each.field}")
    decimals = 0 if each.value == int(each.value) else 1
    value = with_unit(number(each.value, decimals), words.unit)
    return opening(words.label), joined("", (value, " (", each.origin, ")"))
