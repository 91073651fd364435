"""Login storms: everybody comes back at once; who waits, how long, and what helps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from models.base.fields import field_at
from models.base.quantities import FloatArray
from models.base.texts import joined, opening, say, say_many
from models.failure.restart_time import AssumedInput
from models.resilience.storms import SOURCE, DrainTimes, StormKind, StormStudy
from models.scenario.scenario import Scenario
from models.scenario.wording import (
    NO_DATA_TEXT,
    duration_text,
    exact_text,
    number,
    rounded,
    wait_text,
    with_unit,
)
from models.tell.blocks import (
    Block,
    Cell,
    Column,
    Curve,
    Definitions,
    Paragraph,
    Section,
    Table,
    TimePlot,
)
from models.transient.network import NOTICED

POINTS = 240
TITLES = {
    StormKind.RECONNECT: say("Everybody logs in again after the network was cut."),
    StormKind.HOLIDAY: say("The first day after a holiday."),
}
TARGETS_S = (60.0, 120.0, 300.0, 600.0, 1800.0)
"""Within which it shall be over, counted from the last of what brings users in."""

LONGEST_IN_SECONDS = 100.0
LONGEST_IN_MS = 10_000.0
"""From here on minutes and seconds, as `duration_text` and `wait_text` have it."""

NOTE = say(
    "Each server’s users are a closed network in time: they think, ask for a vCPU, ask for the "
    "pool’s drives, and think again. All are off at the start; each comes back with a login. The "
    "demands are those of the predicted load. Over is when 95 % of the worst delay is gone. "
    "What a login costs was never published."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """Of each server by id the fewest vCPUs with which it is through in a time; None: more than
    its host has."""

    within_s: float
    vcpus: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Storm:
    """A storm over the scenario; `drain`: how soon its worst server is through with more vCPUs;
    `needed`: the vCPUs that were asked for."""

    study: StormStudy
    drain: DrainTimes | None = None
    needed: Needed | None = None


def storm_sections(storms: Sequence[Storm], scenario: Scenario) -> tuple[Section, ...]:
    """What each storm does; none where there is none."""
    if not storms:
        return ()
    blocks = [block for storm in storms for block in _storm(storm, scenario)]
    source = say("Source: {source}.", source=SOURCE)
    return (Section(say("Login storms"), (*blocks, Paragraph(joined(" ", (NOTE, source))))),)


def _storm(storm: Storm, scenario: Scenario) -> Iterator[Block]:
    study, names = storm.study, _names(scenario)
    yield Paragraph(TITLES[study.kind])
    if study.worst is None:
        yield Paragraph(joined("", (no_storm_text(study), ".")))
    facts = (*storm_facts(study, scenario), *left_out(study, scenario))
    if facts:
        yield Definitions(facts)
    if study.worst is not None:
        yield from storm_plots(study, scenario)
        yield _servers(study, names, storm.needed)
    if storm.drain is not None:
        yield Definitions(tuple(_spare_facts(storm.drain, study, scenario)))
    yield Definitions(input_facts(study))


def no_storm_text(study: StormStudy) -> str:
    """Why there are no numbers of a storm, where none is worked out."""
    if study.refused:
        return say("No server with users and CPU data can be powered on")
    return say("No server with users and CPU data: no data")


def storm_facts(study: StormStudy, scenario: Scenario) -> tuple[tuple[str, str], ...]:
    """Who waits, how long the worst response is, and when it is over; none without a server."""
    worst, names = study.worst, _names(scenario)
    if worst is None:
        return ()
    most = rounded(float(study.waiting.max(initial=0.0)))
    users = number(sum(each.users for each in study.servers))
    given = {"vm": names[worst.vm], "time": duration_text(worst.peak_at_s)}
    if worst.peak_response_ms is None:
        longer = wait_text(worst.peak_extra_ms)
        response = say(
            "up to {longer} more than usual on {vm}, after {time}", longer=longer, **given
        )
    else:
        slowest = wait_text(worst.peak_response_ms)
        response = say("up to {response} on {vm}, after {time}", response=slowest, **given)
    over = over_text(study.drained_s)
    if study.drained_s == 0:
        least = with_unit(number(NOTICED * 100), "%")
        over = say(
            "{at_once}: no response is over {share} longer than usual", at_once=over, share=least
        )
    return (
        (say("Users waiting"), say("up to {most} of {users} at once", most=most, users=users)),
        (say("Worst response"), response),
        (say("Over"), over),
    )


def over_text(drained_s: float | None) -> str:
    """When a storm is over, counted from its start [s]; None: not within hours."""
    if drained_s is None:
        return say("not within four hours")
    return say("after {time}", time=duration_text(drained_s)) if drained_s else say("at once")


def left_out(study: StormStudy, scenario: Scenario) -> tuple[tuple[str, str], ...]:
    """The servers that are in no storm."""
    names, parts = _names(scenario), []
    if study.silent:
        silent = joined(", ", (names[id] for id in study.silent))
        parts.append(say("{vms} (no CPU data)", vms=silent))
    if study.refused:
        refused = joined(", ", (names[id] for id in study.refused))
        parts.append(say("{vms} (can’t be powered on)", vms=refused))
    return ((say("Left out"), joined(", ", parts)),) if parts else ()


def input_facts(study: StormStudy) -> tuple[tuple[str, str], ...]:
    """What it was worked out with: ``15 min (assumed)``; what was given says by whom."""
    return tuple(map(_input, study.inputs))


def _input(each: AssumedInput) -> tuple[str, str]:
    words = field_at(Scenario, f"assumptions.{each.field}")
    value = with_unit(exact_text(each.value), words.unit)
    return opening(words.label), joined("", (value, " (", each.origin, ")"))


# --- vCPUs ------------------------------------------------------------------------------------


def spare_fact(vm: str, fewest: int | None, has: int, within_s: float) -> tuple[str, str]:
    """The fewest vCPUs of a server, called `vm`, with which its storm is over in a time [s]."""
    over = say("Over within {time}", time=duration_text(within_s))
    if fewest is None:
        return over, say("more vCPUs than the host of {vm} has", vm=vm)
    if fewest == has:
        return over, say_many(
            "with the {count} vCPU that {vm} has",
            "with the {count} vCPUs that {vm} has",
            has,
            vm=vm,
        )
    return over, say_many(
        "{count} vCPU of {vm} instead of {has}",
        "{count} vCPUs of {vm} instead of {has}",
        fewest,
        vm=vm,
        has=number(has),
    )


def _spare_facts(
    drain: DrainTimes, study: StormStudy, scenario: Scenario
) -> Iterator[tuple[str, str]]:
    """The fewest vCPUs of the worst server with which it is over within some times."""
    given, name = scenario.assumptions, _names(scenario)[drain.vm]
    is_cut = study.kind is StormKind.RECONNECT
    begins = given.reconnect_s if is_cut else given.holiday_login_s
    for target in TARGETS_S:
        fewest = drain.fewest(begins + target)
        yield spare_fact(name, fewest, drain.has, begins + target)
        if fewest == drain.has:
            break


def _servers(study: StormStudy, names: Mapping[str, str], needed: Needed | None) -> Table:
    columns = [
        Column(say("Server"), wide=True),
        Column(say("Users"), numeric=True),
        Column(say("Most waiting"), numeric=True),
        Column(say("Worst response"), numeric=True),
        Column(say("Over"), numeric=True),
    ]
    if needed is not None:
        time = duration_text(needed.within_s)
        columns.append(Column(say("vCPUs to be over within {time}", time=time), numeric=True))
    rows = []
    for server in study.servers:
        peak = server.peak_response_ms
        row: list[Cell] = [
            names[server.vm],
            number(server.users),
            rounded(server.peak_waiting),
            NO_DATA_TEXT if peak is None else wait_text(peak),
            over_text(server.drained_s),
        ]
        if needed is not None:
            count = needed.vcpus[server.vm]
            row.append(say("more than its host has") if count is None else number(count))
        rows.append(tuple(row))
    return Table(tuple(columns), tuple(rows), subjects=tuple(each.vm for each in study.servers))


# --- over time --------------------------------------------------------------------------------


def storm_plots(study: StormStudy, scenario: Scenario) -> tuple[TimePlot, ...]:
    """Users over time, and the response of the worst server on the same scale; none without one."""
    worst = study.worst
    if worst is None:
        return ()
    end = max(float(study.time_s[-1]) if study.drained_s is None else study.drained_s * 1.12, 1.0)
    times = np.linspace(0.0, end, POINTS)
    is_short = end <= LONGEST_IN_SECONDS
    axis = tuple((times if is_short else times / 60.0).tolist())
    label = say("seconds from the start") if is_short else say("minutes from the start")
    name, known = _names(scenario)[worst.vm], worst.response_ms is not None
    response = worst.response_ms if worst.response_ms is not None else worst.extra_ms
    values = np.interp(times, study.time_s, response)
    in_ms = float(values.max()) < LONGEST_IN_MS
    scale, unit = (1.0, "ms") if in_ms else (1e-3, "s")
    limit = scenario.policy.response_limit_ms * scale

    def curve(label: str, values: FloatArray, *, dashed: bool = False) -> Curve:
        found = np.interp(times, study.time_s, values)
        return Curve(label, tuple(found.tolist()), dashed)

    return (
        TimePlot(
            x=axis,
            x_label=label,
            y_label=say("users"),
            curves=(
                curve(say("users waiting"), study.waiting),
                curve(say("not logged in"), study.offline, dashed=True),
            ),
            limit=None,
            alt=say("Users that wait and users that are not logged in; {axis}.", axis=label),
        ),
        TimePlot(
            x=axis,
            x_label=label,
            y_label=unit if known else say("{unit} more than usual", unit=unit),
            curves=(Curve(say("response of {vm}", vm=name), tuple((values * scale).tolist())),),
            limit=limit if known else None,
            limit_label=say("limit {limit}", limit=with_unit(exact_text(limit), unit)),
            alt=say("Response time of {vm}; {axis}.", vm=name, axis=label),
        ),
    )


def _names(scenario: Scenario) -> dict[str, str]:
    return {vm.id: vm.name for vm in scenario.vms}
