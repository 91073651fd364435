"""The plan of an arrangement: moves in an order in which each is admissible, and what they gain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from models.arrange.bound import bound_of
from models.arrange.descent import Clock
from models.arrange.problem import (
    CPU,
    NOWHERE,
    RAM,
    Problem,
    placed,
    problem_of,
    with_secondaries,
)
from models.arrange.search import Key, key_of, search
from models.arrange.state import State
from models.arrange.survival import EPS
from models.base.quantities import IntArray
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.catalog.placement import reason_against
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Chip, Prediction, Severity, Shown, Verdict
from models.scenario.places import Across
from models.scenario.scenario import Scenario
from models.scenario.wording import exact_text, number, with_unit

SECONDS = 0.5
"""How long the search may take unless somebody says otherwise [s]."""
TRIED, FOLLOWED = 8, 3
"""Placements that are evaluated; of them, and times, that secondaries are followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One VM to another host; `in_order`: whether it is admissible once those before are made."""

    vm: str
    origin: str | None
    to: str
    why: str
    in_order: bool = True


@dataclass(frozen=True, slots=True)
class Standing:
    """How a placement does: the verdict, hosts used, and the largest share of a host's limit of
    memory or CPU; `stranded`: VMs that a lost host leaves without room; `chips`: what the verdict
    rests on, `shown`: the verdict as it is shown."""

    verdict: Verdict
    shown: Shown
    chips: tuple[Chip, ...]
    hosts_used: int
    peak_load: float
    stranded: int
    without_room: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Where the VMs had better stand.

    Attributes:
        scenario: with all moves made.
        bound_load, bound_hosts: what no placement of the VMs goes under, nor of secondaries if
            all have a host.
        unplaced: VMs without room (`Problem.without_room`), by id, and why.
    """

    scenario: Scenario
    moves: tuple[Move, ...]
    before: Standing
    after: Standing
    bound_load: float
    bound_hosts: int
    unplaced: tuple[tuple[str, str], ...]

    @property
    def distance_pct(self) -> float:
        """How far the peak load is above its bound, in per cent of the bound."""
        if self.bound_load <= 0:
            return 0.0
        return max(self.after.peak_load / self.bound_load - 1.0, 0.0) * 100.0


def _nothing() -> None:
    pass


def arrange(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    most_moves: int | None = None,
    seconds: float = SECONDS,
    clock: Clock,
    check: Callable[[], None] = _nothing,
    across: Across = Across.NOTHING,
) -> Plan:
    """A better placement of the running VMs: fewest without room, every failure of the policy
    survived, lowest peak load, fewest moves, in this order; its verdict is never worse.

    VMs whose `host` is pinned stay, as does what is switched off or on physical servers.

    Args:
        most_moves: VMs that may move at most; None: any number.
        seconds: time for the search [s].
        clock: tells the time [s].
        check: is called now and then and may raise to stop it.
        across: how far VMs may move: within their cluster unless somebody asks for more, and in
            any case only where their disks are seen.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has.
    """
    problem = problem_of(scenario, knowledge, across=across)
    now = evaluate(scenario, knowledge)
    found = search(problem, most_moves=most_moves, seconds=seconds, clock=clock, check=check)
    if problem.shadow.any():
        effort = most_moves, seconds, clock, check
        found = _followed(problem, found, knowledge, effort)
    place, after, then = _accepted(problem, found, now, knowledge)
    base, ended = problem, (problem, place)
    if problem.split:
        base = problem_of(scenario, knowledge, one_by_one=True, across=across)
        done = problem_of(after, knowledge, one_by_one=True, across=across)
        ended, place = (done, done.home), done.home
    unprotected = ended[0].shadow & (ended[1] == NOWHERE)
    load, hosts = bound_of(ended[0], ~ended[0].shadow if unprotected.any() else None)
    return Plan(
        scenario=after,
        moves=_ordered(base, place),
        before=_standing(base, base.home, now),
        after=_standing(*ended, then),
        bound_load=load,
        bound_hosts=hosts,
        unplaced=_unplaced(*ended, after, knowledge.catalog),
    )


def _distinct(found: list[tuple[Key, IntArray]]) -> list[tuple[Key, IntArray]]:
    return list({place.tobytes(): (key, place) for key, place in found}.values())


def _followed(
    problem: Problem,
    found: list[tuple[Key, IntArray]],
    knowledge: Knowledge,
    effort: tuple[int | None, float, Clock, Callable[[], None]],
) -> list[tuple[Key, IntArray]]:
    """The best placements with secondaries where they will run, which nobody chooses; improved with
    these where they are, as often as that helps."""
    most_moves, seconds, clock, check = effort
    true: list[tuple[Key, IntArray]] = []
    for _, start in _distinct(found)[:FOLLOWED]:
        place = start
        for _ in range(FOLLOWED):
            place = with_secondaries(problem, place, knowledge)
            key = key_of(problem, place)
            if true and key >= true[0][0] and place is not start:
                true.append((key, place))
                break
            true.append((key, place))
            true.sort(key=lambda each: each[0])
            there = replace(
                problem,
                home=np.where(problem.shadow, place, problem.home),
                fixed=problem.fixed | problem.shadow,
            )
            place = search(
                there,
                start=place,
                most_moves=most_moves,
                seconds=seconds / 4,
                clock=clock,
                check=check,
            )[0][1]
    return sorted(true, key=lambda each: each[0])


def _accepted(
    problem: Problem,
    found: list[tuple[Key, IntArray]],
    now: Prediction,
    knowledge: Knowledge,
) -> tuple[IntArray, Scenario, Prediction]:
    """The first placement that is better than where things stand, and nowhere worse."""
    here = key_of(problem, problem.home)
    for key, place in _distinct(found)[:TRIED]:
        if key >= here:
            break
        after = placed(problem, place)
        then = evaluate(after, knowledge)
        if not _is_worse(then, now, has_room=key[:2] < here[:2]):
            return place, after, then
    return problem.home, problem.scenario, now


def _is_worse(then: Prediction, now: Prediction, *, has_room: bool) -> bool:
    """Whether the verdict is worse; or, unless more VMs have room, then or after a failure, a rule
    has an error or a warning that it hadn't."""

    def graver(prediction: Prediction) -> tuple[int, int, int]:
        severities = [each.severity for each in prediction.findings]
        stays = sum(mode.verdict is Verdict.DOES_NOT_FIT for mode in prediction.failures)
        return severities.count(Severity.ERROR), severities.count(Severity.WARNING), stays

    if has_room or then.verdict != now.verdict:
        return then.verdict > now.verdict
    return any(a > b for a, b in zip(graver(then), graver(now), strict=True))


def _standing(problem: Problem, place: IntArray, prediction: Prediction) -> Standing:
    without, stranded, _, _ = key_of(problem, place)
    used = len(set(place[(place >= 0) & ~problem.shadow].tolist()))
    return Standing(
        prediction.verdict,
        prediction.shown,
        prediction.chips,
        used,
        problem.peak(place),
        stranded,
        without,
    )


# --- the order of moves ---------------------------------------------------------------------------


def _ordered(problem: Problem, place: IntArray) -> tuple[Move, ...]:
    """Moves one after the other, each to a host that has room for it then; where a ring of moves
    needs it, one goes by way of a third host. Where that doesn't help either, the move that
    overfills its host least is made and says so; others may be admissible after it."""
    state = State(problem, problem.home, None)
    wanted = [
        row for row in np.flatnonzero(place != problem.home).tolist() if not problem.shadow[row]
    ]
    for row in np.flatnonzero((place != problem.home) & problem.shadow).tolist():
        state.put(row, int(place[row]))
    final = problem.loads(place)
    moves: list[Move] = []
    detoured: set[int] = set()
    while wanted:
        ready = [row for row in wanted if _fits(state, row, int(place[row]), final)]
        for row in ready:
            if _fits(state, row, int(place[row]), final):
                moves.extend(_moves(state, row, int(place[row]), _why(state, row)))
                wanted.remove(row)
        if ready:
            continue
        step = _detour(state, [row for row in wanted if row not in detoured], place, final)
        if step is not None:
            detoured.add(step[0])
            moves.extend(_moves(state, *step, say("makes room for the moves after it")))
            continue
        row = min(wanted, key=lambda each: _crowding(state, each, int(place[each])))
        why = say("no order was found: it needs an interruption, or room for a while")
        moves.extend(_moves(state, row, int(place[row]), why, in_order=False))
        wanted.remove(row)
    return tuple(moves)


def _crowding(state: State, row: int, host: int) -> float:
    """How full a unit makes a host."""
    p = state.problem
    after = state.load[: CPU + 1, host] + p.needs_on(host)[: CPU + 1, row]
    return float((after / p.limit[: CPU + 1, host]).max())


def _fits(state: State, row: int, host: int, final: np.ndarray) -> bool:
    p = state.problem
    after = state.load[:, host] + p.needs_on(host)[:, row]
    most = np.maximum(p.limit[:, host], final[:, host])
    return bool((after <= most * (1 + EPS)).all()) and host not in state.blocked(row)


def _detour(
    state: State, rows: list[int], place: IntArray, final: np.ndarray
) -> tuple[int, int] | None:
    """A unit that waits, and a third host that has room for it meanwhile."""
    for row in rows:
        if state.place[row] < 0:
            continue
        share = state.room(row)
        share[int(place[row])] = np.inf
        host = int(share.argmin())
        if share[host] <= 1 + EPS and _fits(state, row, host, final):
            return row, host
    return None


def _moves(
    state: State, row: int, host: int, why: str, *, in_order: bool = True
) -> tuple[Move, ...]:
    hosts, origin = state.problem.scenario.hosts, int(state.place[row])
    state.put(row, host)
    return tuple(
        Move(
            vm=id,
            origin=None if origin == NOWHERE else hosts[origin].id,
            to=hosts[host].id,
            why=why,
            in_order=in_order,
        )
        for id in state.problem.units[row]
    )


def _why(state: State, row: int) -> str:
    """What is amiss where the unit stands."""
    p, host = state.problem, int(state.place[row])
    if host == NOWHERE:
        return say("has no host yet")
    if not p.allowed[row, host]:
        return say("may not stand there by its rules or the platform")
    if host in state.blocked(row):
        return say("is to be kept apart from what stands there")
    share = state.load[: CPU + 1, host] / p.limit[: CPU + 1, host]
    resource = say("memory") if share[RAM] >= share[CPU] else "CPU"
    return say(
        "{resource} of {host} at {share} of its limit",
        resource=resource,
        host=p.scenario.hosts[host].name,
        share=with_unit(number(float(share.max()) * 100.0), "%"),
    )


# --- what finds no room -------------------------------------------------------------------------


def _unplaced(
    problem: Problem, place: IntArray, scenario: Scenario, catalog: Catalog
) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    state = State(problem, place, None)
    without = (place == NOWHERE) & ~problem.shadow
    without[problem.over(place)] = without[problem.misplaced(place)] = True
    for row in np.flatnonzero(without & ~problem.shadow).tolist():
        found.extend((id, _no_room(state, row, id, scenario, catalog)) for id in problem.units[row])
    return tuple(found)


def _no_room(state: State, row: int, id: str, scenario: Scenario, catalog: Catalog) -> str:
    p = state.problem
    if not scenario.hosts:
        return say("there is no host")
    open_to = np.flatnonzero(p.allowed[row])
    if len(open_to) and (here := int(state.place[row])) >= 0 and p.allowed[row, here]:
        return say(
            "stands on {host}, which is over its limit or may not hold it beside another; no "
            "other host has room",
            host=p.scenario.hosts[here].name,
        )
    if not len(open_to):
        reasons = [reason_against(scenario, catalog, (id,), host.id) for host in scenario.hosts]
        return next((reason for reason in reasons if reason), say("no host may take it"))
    free = (p.limit[: CPU + 1] - state.load[: CPU + 1])[:, open_to].max(axis=1)
    return say(
        "needs {ram} GiB and {cores} cores; no host that may take it has both: at most "
        "{free_ram} GiB, {free_cores} cores are free",
        ram=exact_text(round(float(p.need[RAM, :, row].max()), 2)),
        cores=exact_text(round(float(p.need[CPU, :, row].max()), 2)),
        free_ram=exact_text(round(max(float(free[RAM]), 0.0), 2)),
        free_cores=exact_text(round(max(float(free[CPU]), 0.0), 2)),
    )
