"""How long a design lasts: its numbers month by month as it grows, and what passes its limit when.

Each step is a full prediction of the grown scenario (`scenario.growth`), so that nothing is said of
a year that the program would not say of a scenario like it. Between two steps a number is taken to
go straight.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from models.base.quantities import NO_DATA, Quantity
from models.base.rounding import ranked
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.judgement.against_limits import is_vague, quantity_of
from models.judgement.binding import Cause, deciding
from models.predict.predicted import PREDICTED, average_limit
from models.predict.prediction import Binding, Chip, FailureMode, Prediction, Shown, Verdict
from models.scenario.growth import busier, grown
from models.scenario.maintenance import Window, window_of
from models.scenario.scenario import Growth, Loss, Policy, Scenario, active_users

MONTHS_OF_A_YEAR = 12
FEWEST_YEARS = 1
NORMAL = "normal"
USUAL, SEASON, WINDOW = "usual", "season", "maintenance"
"""Profiles of a scenario's load, the worst of which decides: the days that it describes, the
busiest season, and the maintenance window."""

ROOM = "room"
"""What VMs run out of that find none after a failure."""

NUMBERS: Mapping[str, tuple[str, str]] = {
    "cpu_pct": ("hosts", "cpu_pct"),
    "vm_cpu_pct": ("vms", "cpu_pct"),
    "ram_pct": ("hosts", "ram_pct"),
    "network_pct": ("hosts", "network_pct"),
    "iops_pct": ("pools", "utilisation_pct"),
    "space_pct": ("pools", "capacity_pct"),
    "response_ms": ("vms", "response_ms"),
}
"""Numbers of normal operation that have a limit, with where the prediction has them."""

IN_FAILURES = ("cpu_pct", "ram_pct", "response_ms")
_RESOURCES = {"iops_pct": "iops", "space_pct": "space", "vm_cpu_pct": "cpu"}
Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Step:
    """The scenario so many months from now.

    Attributes:
        quantities: of `NUMBERS`, the highest of all items; `in_failure`: of `IN_FAILURES`, in the
            worst single failure. Of several profiles the worst. `normal` and `failure` are their
            values, None without data.
        profile: the one that the verdict is of; `shown`: as it is shown.
        cause: what decides it, None where it fits or isn't known; `why`: the clause that says so.
    """

    month: int
    users: float
    verdict: Verdict
    quantities: Mapping[str, Quantity]
    in_failure: Mapping[str, Quantity]
    shown: Shown
    cause: Cause | None
    why: str
    profile: str = USUAL

    @property
    def normal(self) -> dict[str, float | None]:
        """Values in normal operation."""
        return {name: each.value for name, each in self.quantities.items()}

    @property
    def failure(self) -> dict[str, float | None]:
        """Values in the worst single failure."""
        return {name: each.value for name, each in self.in_failure.items()}


@dataclass(frozen=True, slots=True)
class Turn:
    """A month from which on the verdict is another than in the step before.

    Attributes:
        before: the verdict until then.
        resource: as `Crossing` has it, ``power_on`` of what can't be; `rule`: of a finding that
            decides instead; both empty where it fits or isn't known.
        subject, mode: of what decides; `why`: the clause that says so.
    """

    month: int
    verdict: Verdict
    before: Verdict
    resource: str
    rule: str
    subject: str
    mode: str
    profile: str
    why: str

    @classmethod
    def of(cls, before: Step, step: Step) -> Turn:
        cause = step.cause
        resource = rule = subject = ""
        mode = NORMAL
        if isinstance(cause, Binding):
            resource, rule = _resource_of(cause), cause.rule
            subject, mode = cause.subject, cause.mode
        elif cause is not None:
            rule, subject = cause.rule, cause.subject
        return cls(
            month=step.month,
            verdict=step.verdict,
            before=before.verdict,
            resource=resource,
            rule=rule,
            subject=subject,
            mode=mode,
            profile=step.profile,
            why=step.why,
        )


def _resource_of(binding: Binding) -> str:
    if binding.stranded:
        return ROOM
    return PREDICTED[binding.resource].resource or binding.resource


@dataclass(frozen=True, slots=True)
class Crossing:
    """When a number passes its limit, in months from now; None: not within the years looked at.

    Attributes:
        resource: ``cpu``, ``ram``, ``iops``, ``space``, ``network``, ``response`` or `ROOM`.
        subject: the item that is first, of a failure the host that is lost; `mode`: `NORMAL`, the
            failure, or what else is lost, such as ``controller p1``.
        low: when the high end of its interval passes; `high`: when the low end does.
        track: the number in each of the months, `today` the first, `last` the last, `now` and `end`
            their values; `limit`: what it is held to.
        profile: in which it passes first.
    """

    resource: str
    number: str
    subject: str
    mode: str
    month: float | None
    low: float | None
    high: float | None
    track: tuple[Quantity, ...]
    limit: float
    profile: str = USUAL

    @property
    def loss(self) -> tuple[Loss, str] | None:
        """What is lost beside a single host, and its id; None in other modes."""
        kind, _, id = self.mode.partition(" ")
        return (Loss(kind), id) if kind in (Loss.CONTROLLER, Loss.PARTNER, Loss.GROUP) else None

    @property
    def today(self) -> Quantity:
        return self.track[0]

    @property
    def last(self) -> Quantity:
        return self.track[-1]

    @property
    def now(self) -> float | None:
        """Its value today; None without data."""
        return self.today.value

    @property
    def end(self) -> float | None:
        """Its value in the last month; None without data."""
        return self.last.value


@dataclass(frozen=True, slots=True)
class Runway:
    """Steps from today on, and for each resource what passes its limit first, soonest first.

    Attributes:
        season_pct: more work in the season [%]; None: not known.
        window: what runs in the maintenance window; None: not known.
        users_pct: work of users in it, as it is stated.
        chips: what the verdicts rest on.
    """

    growth: Growth
    steps: tuple[Step, ...]
    crossings: tuple[Crossing, ...]
    season_pct: float | None = None
    window: Window | None = None
    users_pct: float | None = None
    chips: tuple[Chip, ...] = ()

    @property
    def first(self) -> Crossing | None:
        """What runs out first; None where nothing does."""
        found = [each for each in self.crossings if each.month is not None]
        return found[0] if found else None

    @property
    def doubtful(self) -> Crossing | None:
        """What may be over its limit, by its interval, before the value of anything is; None where
        nothing is so."""
        maybe = [each for each in self.crossings if each.month is None and each.low is not None]
        soonest = min(maybe, key=lambda each: each.low or 0.0, default=None)
        if soonest is None or (self.first and (self.first.month or 0.0) <= (soonest.low or 0.0)):
            return None
        return soonest

    @property
    def holds_until(self) -> int | None:
        """The last month with the verdict of today, or a better one; None: all of them."""
        today = self.steps[0].verdict
        for before, step in pairwise(self.steps):
            if step.verdict > today:
                return before.month
        return None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Where the verdict becomes another one, soonest first."""
        pairs = pairwise(self.steps)
        return tuple([Turn.of(was, step) for was, step in pairs if step.verdict != was.verdict])


def runway(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    years: float,
    every: int = 3,
    season_pct: float | None = None,
    check: Check = lambda: None,
) -> Runway:
    """The years ahead of a scenario by its own growth, in every profile of its load that is known.

    Args:
        years: to look ahead; `every`: months between two steps.
        season_pct: how much more each user does in the season of the year that is worst; None: as
            the scenario has it.
        check: called before each prediction; what it raises ends the work.
    """
    (found,) = runways(
        scenario, knowledge, years=(years,), every=every, season_pct=season_pct, check=check
    )
    return found


def runways(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    years: Sequence[float],
    every: int = 3,
    season_pct: float | None = None,
    check: Check = lambda: None,
) -> tuple[Runway, ...]:
    """The `runway` to each of several ends, soonest first, for the work of the last one."""
    ends = [_months(each, every) for each in sorted(years)]
    months = sorted({month for each in ends for month in each})
    season = scenario.growth.season_pct if season_pct is None else season_pct
    window = window_of(scenario.maintenance)
    steps, tracks = [], _Tracks(scenario.policy)
    chips: tuple[Chip, ...] = ()
    for month in months:
        there = grown(scenario, month / MONTHS_OF_A_YEAR)
        found = {}
        for profile, busy, running in _profiles(there, season, window):
            check()
            found[profile] = evaluate(busy, knowledge, window=running)
        chips = chips or found[USUAL].chips
        steps.append(_worst_step([_step(month, there, *each) for each in found.items()]))
        tracks.add(month, found)
    plan, users_pct = scenario.growth, scenario.maintenance.users_pct
    return tuple(
        Runway(
            plan,
            tuple([step for step in steps if step.month in each]),
            tracks.crossings(each),
            season,
            window,
            users_pct,
            chips,
        )
        for each in ends
    )


def first_crossing(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    years: float,
    every: int = 3,
    after: float = 0.0,
    check: Check = lambda: None,
) -> Crossing | None:
    """The `first` of the `runway`, and nothing else of it.

    Numbers rise with the load: where nothing shrinks, the end is looked at first, and then the
    middle of what is left, so that few months are.

    Args:
        after: years until which nothing passes its limit, as is known already.
    """
    known = int(after * MONTHS_OF_A_YEAR // every) * every
    months = [each for each in _months(years, every) if each >= known]
    window, growth = window_of(scenario.maintenance), scenario.growth
    seen = dict[int, dict[str, Prediction]]()

    def is_over(month: int) -> bool:
        there = grown(scenario, month / MONTHS_OF_A_YEAR)
        found = seen[month] = {}
        for profile, busy, running in _profiles(there, growth.season_pct, window):
            check()
            found[profile] = evaluate(busy, knowledge, window=running)
        return _Tracks(scenario.policy).add(month, found)

    if min(growth.users_pct, growth.mail_pct, growth.load_pct) < 0:
        next(filter(is_over, months), None)
    elif is_over(months[-1]):
        bisect_left(months[:-1], True, key=is_over)
    tracks = _Tracks(scenario.policy)
    for month in sorted(seen):
        if tracks.add(month, seen[month]):
            break
    passed = [each for each in tracks.crossings() if each.month is not None]
    return passed[0] if passed else None


def _months(years: float, every: int) -> list[int]:
    last = round(max(years, 0.0) * MONTHS_OF_A_YEAR)
    return sorted({*range(0, last + 1, max(every, 1)), last})


class _Tracks:
    """Every number with a limit, month by month."""

    def __init__(self, policy: Policy) -> None:
        self._limits = {name: _limit(policy, name) for name in (*NUMBERS, ROOM)}
        self._months = list[int]()
        self._tracks = dict[Key, list[Quantity | None]]()
        self._where = dict[Key, list[tuple[str, str]]]()
        """Of each, month by month, the item and the mode: of a kind of loss these may be others."""

    def add(self, month: int, found: Mapping[str, Prediction]) -> bool:
        """Takes in the predictions of a month by profile; whether a number is over its limit."""
        is_over, place = False, len(self._months)
        self._months.append(month)
        for key, track in self._tracks.items():
            track.append(None)
            self._where[key].append(self._where[key][-1])
        for profile, prediction in found.items():
            for part, where, number in (*_numbers(prediction), *self._in_losses(prediction)):
                key = (*part, profile)
                track = self._tracks.setdefault(key, [])
                at = self._where.setdefault(key, [])
                track += [None] * (place + 1 - len(track))
                at += [where] * (place + 1 - len(at))
                track[place], at[place] = number, where
                is_over |= number.value is not None and number.value > self._limits[part[0]]
        return is_over

    def _in_losses(self, prediction: Prediction) -> Iterator[Tracked]:
        """What is nearest its limit after the loss of a controller, a cluster partner or a group,
        as far as that is to be survived: one number of each resource and kind of loss."""
        for each in prediction.after_losses():
            name = _name_of(each, prediction)
            if each.rule or each.stranded or is_vague(each) or not name:
                continue
            kind, _, _ = each.mode.partition(" ")
            number = quantity_of(each).times(self._limits[name] / each.limit)
            yield (name, "", kind), (each.subject, each.mode), number

    def crossings(self, months: Sequence[int] | None = None) -> tuple[Crossing, ...]:
        """What passes its limit first of each resource, soonest first.

        Args:
            months: of those that were taken in, by default all.
        """
        asked = self._months if months is None else months
        places = [self._months.index(month) for month in asked]
        crossings = []
        for key, track in self._tracks.items():
            told, limit = [track[place] for place in places], self._limits[key[0]]
            over = (n for n, each in zip(places, told, strict=True) if _is_over(each, limit))
            where = self._where[key][next(over, places[-1])]
            crossings.append(_crossing(key, where, asked, told, limit))
        return tuple(_first_of_each(crossings))


Tracked = tuple[tuple[str, str, str], tuple[str, str], Quantity]
"""Name of a number, its item and mode as it is followed; the item and mode it is of now."""

Key = tuple[str, str, str, str]
"""Name of a number, its item, the mode and the profile that it is of."""


def _profiles(
    there: Scenario, season_pct: float | None, window: Window | None
) -> Iterator[tuple[str, Scenario, Window | None]]:
    """The profiles that are known, with what is predicted of each."""
    yield USUAL, there, None
    if season_pct:
        yield SEASON, busier(there, 1.0 + season_pct / 100.0), None
    if window is not None:
        yield WINDOW, there, window


def _worst_step(steps: Sequence[Step]) -> Step:
    """The highest of all numbers, and the worst verdict."""
    worst = max(steps, key=lambda step: step.verdict)
    return replace(
        worst,
        quantities={
            name: _highest([each.quantities[name] for each in steps]) for name in worst.quantities
        },
        in_failure={
            name: _highest([each.in_failure[name] for each in steps]) for name in worst.in_failure
        },
    )


def with_growth(
    scenario: Scenario,
    *,
    users_pct: float | None = None,
    mail_pct: float | None = None,
    load_pct: float | None = None,
) -> Scenario:
    """The scenario with other rates, those that aren't None."""
    given = {"users_pct": users_pct, "mail_pct": mail_pct, "load_pct": load_pct}
    rates = {name: rate for name, rate in given.items() if rate is not None}
    return replace(scenario, growth=replace(scenario.growth, **rates)) if rates else scenario


def _step(month: int, scenario: Scenario, profile: str, prediction: Prediction) -> Step:
    normal: dict[str, Quantity] = {}
    for name, (table, field) in NUMBERS.items():
        part = getattr(prediction, table)
        normal[name] = _highest([part.quantity(id, field) for id in part.ids])
    failure = {
        name: _highest([getattr(mode, name) for mode in _hosts(prediction)]) for name in IN_FAILURES
    }
    users = active_users(scenario.vms)
    return Step(
        month=month,
        users=users.mail + users.chat,
        verdict=prediction.verdict,
        quantities=normal,
        in_failure=failure,
        shown=prediction.shown,
        cause=deciding(prediction),
        why=prediction.why.clause,
        profile=profile,
    )


def _hosts(prediction: Prediction) -> list[FailureMode]:
    return [mode for mode in prediction.failures if mode.host]


def _highest(numbers: Sequence[Quantity]) -> Quantity:
    known = [each for each in numbers if each.value is not None]
    return max(known, key=lambda each: each.value or 0.0, default=NO_DATA)


def _numbers(prediction: Prediction) -> Iterator[Tracked]:
    """Every number that has a limit, by its name, what it is of, and in which mode."""
    for name, (table, field) in NUMBERS.items():
        part = getattr(prediction, table)
        for id in part.ids:
            yield (name, id, NORMAL), (id, NORMAL), part.quantity(id, field)
    for mode in _hosts(prediction):
        where = mode.host, mode.mode.id
        for name in IN_FAILURES:
            yield (name, *where), where, getattr(mode, name)
        count = float(len(mode.not_restarted))
        yield (ROOM, *where), where, _exactly(mode.cpu_pct, count)


def _name_of(binding: Binding, prediction: Prediction) -> str:
    """The number of `NUMBERS` that is near its limit; empty for none of them."""
    for name, (table, field) in NUMBERS.items():
        if field == binding.resource and binding.subject in getattr(prediction, table).ids:
            return name
    return ""


def _is_over(number: Quantity | None, limit: float) -> bool:
    return number is not None and number.value is not None and number.value > limit


def _exactly(like: Quantity, value: float) -> Quantity:
    """A count that is exact, with the basis of another number."""
    return replace(like, value=value, low=value, high=value)


def _limit(policy: Policy, name: str) -> float:
    """The limit of an average; of VMs without room none at all."""
    if name == ROOM:
        return 0.5
    field = NUMBERS[name][1] if name != "vm_cpu_pct" else "vm_cpu_pct"
    return average_limit(policy, field)


def _crossing(
    key: Key,
    where: tuple[str, str],
    months: Sequence[int],
    track: Sequence[Quantity | None],
    limit: float,
) -> Crossing:
    (name, _, _, profile), (subject, mode) = key, where
    value = [None if each is None else each.value for each in track]
    low = [None if each is None else each.low for each in track]
    high = [None if each is None else each.high for each in track]
    resource = _RESOURCES.get(name) or (name if name == ROOM else PREDICTED[name].resource)
    return Crossing(
        resource=resource,
        number=name,
        subject=subject,
        mode=mode,
        month=crossed(months, value, limit),
        low=crossed(months, high, limit),
        high=crossed(months, low, limit),
        track=tuple([each or NO_DATA for each in track]),
        limit=limit,
        profile=profile,
    )


def crossed(months: Sequence[int], values: Sequence[float | None], limit: float) -> float | None:
    """The month in which a number passes its limit, straight between two of them.

    >>> crossed([0, 12], [60.0, 84.0], 70.0), crossed([0, 12], [80.0, 90.0], 70.0)
    (5.0, 0.0)
    >>> crossed([0, 12], [60.0, 65.0], 70.0) is None
    True
    """
    before: tuple[float, float] | None = None
    for month, value in zip(months, values, strict=True):
        if value is None:
            before = None
            continue
        if value > limit:
            if before is None:
                return float(month)
            then, was = before
            return then + (month - then) * (limit - was) / (value - was)
        before = (float(month), value)
    return None


def _first_of_each(crossings: Sequence[Crossing]) -> Iterator[Crossing]:
    """Of each resource, in normal operation and in failures, the first to pass, else the fullest;
    restarts that always find room are not listed."""
    best: dict[tuple[str, bool], Crossing] = {}
    for each in crossings:
        if not (each.now or each.end):
            continue
        key = (each.resource, each.mode == NORMAL)
        if key not in best or _urgency(each) < _urgency(best[key]):
            best[key] = each
    yield from sorted(best.values(), key=_urgency)


def _urgency(each: Crossing) -> tuple[float, float, float]:
    never = float("inf")
    load = (each.end if each.end is not None else each.now or 0.0) / each.limit
    return (
        never if each.month is None else ranked(each.month),
        never if each.low is None else ranked(each.low),
        -ranked(load),
    )
