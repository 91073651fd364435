"""The years ahead, told once: what runs out when, today and the last year side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from models.base.quantities import Quantity
from models.base.texts import Text, joined, opening, say, say_many
from models.judgement.sentence import gone_text
from models.predict.predicted import head_of, unit_of
from models.scenario.maintenance import TASKS, Window
from models.scenario.scenario import Growth, Scenario
from models.scenario.wording import (
    NO_DATA_TEXT,
    exact_text,
    input_text,
    number,
    value_text,
    with_unit,
)
from models.studies.runway import (
    MONTHS_OF_A_YEAR,
    NORMAL,
    NUMBERS,
    ROOM,
    SEASON,
    USUAL,
    WINDOW,
    Crossing,
    Runway,
    Step,
)
from models.tell.blocks import Block, Cell, Column, Curve, Paragraph, Section, Table, TimePlot

NOTE = say(
    "Each step is a full prediction of the design as it has grown. The interval of a month comes "
    "from the interval of the number: the earliest is when its high end passes the limit, the "
    "latest when its low end does."
)
RESOURCES = {
    "cpu": "CPU",
    "ram": "RAM",
    "iops": say("drives"),
    "space": say("disk space"),
    "network": say("network"),
    "response": say("response time"),
    ROOM: say("room for restarted VMs"),
}

PROFILES = {SEASON: say("in the season"), WINDOW: say("in the maintenance window")}


def growth_sections(found: Runway, scenario: Scenario) -> tuple[Section, ...]:
    """The plan, what runs out, and today beside the last step; empty without a plan."""
    if len(found.steps) < 2:
        return ()
    if found.steps[0].shown.verdict is None:
        nothing = say("Nothing runs yet, so there is nothing that could run out.")
        return (Section(say("In the years ahead"), (Paragraph(nothing),)),)
    names = {item.id: item.name for item in scenario.items()}
    blocks: list[Block] = [Paragraph(told_text(found, scenario))]
    blocks.append(Paragraph(profiles_text(found)))
    blocks.append(_crossings(found, names.get))
    blocks.append(_side_by_side(found))
    blocks += [_plot(found), Paragraph(NOTE)]
    return (Section(say("In the years ahead"), tuple(blocks)),)


def told_text(found: Runway, scenario: Scenario) -> Text:
    """The plan, and what comes of it."""
    names = {item.id: item.name for item in scenario.items()}
    return joined(" ", (plan_text(found), opening(outlook_text(found, names.get))))


def plan_text(found: Runway) -> Text:
    """What is planned, in a sentence."""
    months = found.steps[-1].month
    return say(
        "Planned for {time}: {rates}.",
        time=month_text(months),
        rates=rates_text(found.growth),
    )


def rates_text(growth: Growth) -> Text:
    """The rates of a plan: ``users +10 %, mail files +20 % a year``."""
    rates = (
        (say("users"), growth.users_pct),
        (say("mail files"), growth.mail_pct),
        (say("load per user"), growth.load_pct),
    )
    parts = [joined(" ", (what, _signed(rate))) for what, rate in rates if rate] or [
        say("no growth")
    ]
    return (
        say("{rates} a year", rates=joined(", ", parts))
        if any(rate for _, rate in rates)
        else joined("", parts)
    )


def profiles_text(found: Runway) -> Text:
    """The profiles of the load that are judged, the worst of which decides, and which of them isn't
    known."""
    parts: list[str] = []
    if found.season_pct is None and found.window is None:
        return say(
            "The days that the scenario describes are judged. Neither a seasonal peak nor a "
            "maintenance window is stated: either may be worse."
        )
    parts.append(say("The worst of these decides: the days that the scenario describes"))
    if found.season_pct is not None:
        share = with_unit(exact_text(found.season_pct), "%")
        parts.append(say("the busiest season, with {share} more work of each user", share=share))
    if found.window is not None:
        parts.append(_window_text(found.window, found.users_pct))
    text = joined("", (joined("; ", parts), "."))
    if found.season_pct is None:
        return joined(" ", (text, say("A seasonal peak isn’t stated.")))
    if found.window is None:
        return joined(" ", (text, say("A maintenance window isn’t stated.")))
    return text


def _window_text(window: Window, users_pct: float | None) -> Text:
    """What runs in it."""
    tasks = joined(", ", [TASKS[task] for task in window.counted])
    users = (
        say("all work of users, as nobody says how much there is")
        if users_pct is None
        else say("{share} of users’ work", share=with_unit(exact_text(users_pct), "%"))
    )
    amounts = [
        NO_DATA_TEXT if math.isnan(value) else with_unit(number(value), unit)
        for value, unit in ((window.mhz, "MHz"), (window.iops, "IOPS"))
    ]
    text = say(
        "the maintenance window, with {tasks} at once on every Domino server ({cpu}, {io}) beside "
        "{users}",
        tasks=tasks,
        cpu=amounts[0],
        io=amounts[1],
        users=users,
    )
    if not window.unstated:
        return text
    missing = joined(", ", [TASKS[task] for task in window.unstated])
    return say("{text}; not stated and not counted: {tasks}", text=text, tasks=missing)


def growth_text(scenario: Scenario) -> Text:
    """What grows, and what is counted in at once, as a clause.

    >>> growth_text(Scenario(name="x", growth=Growth(years=3, users_pct=5)))
    'users +5\u202f% a year, for 3 years'
    """
    growth, at_once = scenario.growth, scenario.policy.mail_growth_pct
    parts = []
    if growth.years:
        time = month_text(growth.years * MONTHS_OF_A_YEAR)
        parts.append(say("{rates}, for {time}", rates=rates_text(growth), time=time))
    if at_once:
        share = with_unit(exact_text(at_once), "%")
        parts.append(say("mail files larger by {share} from the first day", share=share))
    return joined("; ", parts) if parts else say("none: users and mail files stay as they are")


def _signed(rate: float) -> Text:
    sign = "+" if rate > 0 else "\N{MINUS SIGN}"
    return joined("", (sign, with_unit(exact_text(abs(rate)), "%")))


def outlook_text(found: Runway, name_of: Callable[[str], str | None]) -> Text:
    """What runs out first and when, and how long today's verdict holds."""
    first, doubtful = found.first, found.doubtful
    if first is None and doubtful is not None and found.holds_until is None:
        return _doubt_text(found, doubtful, name_of)
    return joined(" ", (*_first_texts(found, name_of), opening(_verdict_text(found))))


def _doubt_text(found: Runway, doubtful: Crossing, name_of: Callable[[str], str | None]) -> Text:
    """Of a verdict that stays, what alone could be over its limit."""
    return say(
        "for {time} the verdict stays “{verdict}”: no number is expected to pass its limit, only "
        "at the far end of its range would {what} ({of}) do so, {when}.",
        time=month_text(found.steps[-1].month),
        verdict=found.steps[0].shown.words,
        what=RESOURCES[doubtful.resource],
        of=where_text(doubtful, name_of),
        when=_since(doubtful.low or 0.0),
    )


def _verdict_text(found: Runway) -> Text | str:
    """How long today's verdict holds, and what makes it another one."""
    today, until = found.steps[0].shown.words, found.holds_until
    if until is None:
        return say("the verdict stays “{verdict}”.", verdict=today)
    worse = next(step for step in found.steps if step.month > until)
    return say(
        "the verdict is “{verdict}” until month {until} and “{worse}” from month {then}: {why}.",
        verdict=today,
        until=number(until),
        worse=worse.shown.words,
        then=number(worse.month),
        why=worse.why,
    )


def _first_texts(found: Runway, name_of: Callable[[str], str | None]) -> Iterator[Text]:
    first, doubtful = found.first, found.doubtful
    end = month_text(found.steps[-1].month)
    if first is None:
        yield say("nothing passes a limit within {time}.", time=end)
    elif not first.month:
        yield say(
            "{what} ({of}) is over its limit from the first day.",
            what=opening(RESOURCES[first.resource]),
            of=where_text(first, name_of),
        )
    else:
        yield _passing_text(first, first.month, name_of)
        if doubtful is not None:
            yield say(
                "At the far end of its range {what} ({of}) would be over its limit sooner, {when}.",
                what=RESOURCES[doubtful.resource],
                of=where_text(doubtful, name_of),
                when=_since(doubtful.low or 0.0),
            )


def _passing_text(first: Crossing, month: float, name_of: Callable[[str], str | None]) -> Text:
    return say(
        "first to pass its limit is {what}, {of}, after {time} ({range}).",
        what=RESOURCES[first.resource],
        of=where_text(first, name_of),
        time=month_text(month),
        range=_range(first),
    )


def where_text(each: Crossing, name_of: Callable[[str], str | None]) -> Text:
    """Where a number passes its limit: an item, or what is lost, and in which profile."""
    name = name_of(each.subject) or each.subject
    where = joined("", (name,))
    if each.loss is not None:
        loss, id = each.loss
        gone = gone_text(loss, name_of(id) or id)
        where = say("with {host} lost", host=gone)
        if id != each.subject:
            where = joined(", ", (name, where))
    elif each.mode != NORMAL:
        where = say("with {host} lost", host=name)
    if each.profile == USUAL:
        return where
    return say("{where}, {when}", where=where, when=PROFILES[each.profile])


def month_text(month: float) -> Text:
    """Months in words, whole years as such.

    >>> month_text(36.0), month_text(5.4), month_text(0.2), month_text(12)
    ('3 years', '5 months', '0 months', '1 year')
    """
    whole = round(month)
    if whole and whole % MONTHS_OF_A_YEAR == 0:
        return say_many("{count} year", "{count} years", whole // MONTHS_OF_A_YEAR)
    return say_many("{count} month", "{count} months", whole)


def ahead_text(years: float) -> Text:
    """When that is, by the month.

    >>> ahead_text(0.0), ahead_text(2.25), ahead_text(1.0), ahead_text(0.5)
    ('today', 'in 2 years and 3 months', 'in 1 year', 'in 6 months')
    """
    whole, months = divmod(round(years * MONTHS_OF_A_YEAR), MONTHS_OF_A_YEAR)
    if not whole:
        return say_many("in {count} month", "in {count} months", months) if months else say("today")
    text = say_many("in {count} year", "in {count} years", whole)
    if not months:
        return text
    return joined(" ", (text, say_many("and {count} month", "and {count} months", months)))


def _range(each: Crossing) -> Text:
    early = NO_DATA_TEXT if each.low is None else number(round(each.low))
    if each.high is None:
        return say("from month {early} on", early=early)
    late = number(round(each.high))
    if early == late:
        return say("in month {month}", month=late)
    return say("month {early} to {late}", early=early, late=late)


def _since(month: float) -> Text:
    """When the high end of an interval passes the limit, where the number itself doesn't."""
    early = round(month)
    return say("from month {early} on", early=number(early)) if early else say("already today")


def _crossings(found: Runway, name_of: Callable[[str], str | None]) -> Table:
    columns = (
        Column(say("Runs out")),
        Column(say("Where"), wide=True),
        Column(say("Today"), numeric=True),
        Column(say("At the end"), numeric=True),
        Column(say("Limit"), numeric=True),
        Column(say("Month"), numeric=True),
    )
    rows = tuple(_row(each, name_of) for each in found.crossings)
    return Table(columns, rows, subjects=tuple(each.subject for each in found.crossings))


def _row(each: Crossing, name_of: Callable[[str], str | None]) -> tuple[Cell, ...]:
    month: Text | str = say("not within these years")
    if each.month is not None:
        range = _range(each)
        exact = number(round(each.month))
        month = exact if each.low == each.high else joined("\n", (exact, range))
    elif each.low is not None:
        far = say("at the far end of its range {when}", when=_since(each.low))
        month = joined("\n", (month, far))
    limit = (
        say("none")
        if each.resource == ROOM
        else with_unit(input_text(each.limit), _unit(each.number))
    )
    return (
        opening(RESOURCES[each.resource]),
        where_text(each, name_of),
        _value(each, each.today),
        _value(each, each.last),
        limit,
        month,
    )


def _value(each: Crossing, found: Quantity) -> str:
    if each.resource == ROOM and found.value is not None:
        return with_unit(number(found.value), "VMs")
    return value_text(found, _unit(each.number), limit=each.limit)


def _unit(name: str) -> str:
    return unit_of(NUMBERS[name][1]) if name in NUMBERS else unit_of(name)


MOST_MOMENTS = 6
"""Columns of years that a page has room for."""


def _side_by_side(found: Runway) -> Table:
    """A row for each number and a column for today, each year and the end."""
    whole = [
        step
        for step in found.steps
        if step.month % MONTHS_OF_A_YEAR == 0 or step is found.steps[-1]
    ]
    most = min(len(whole), MOST_MOMENTS)
    shown = [whole[round(n * (len(whole) - 1) / max(most - 1, 1))] for n in range(most)]
    heads = (
        say("Users"),
        *(step_head(name) for name in NUMBERS if name != "vm_cpu_pct"),
        say("CPU, worst host lost"),
        say("RAM, worst host lost"),
        say("Verdict"),
    )
    columns = (
        Column(say("Sized for"), wide=True),
        *(Column(_when(step), numeric=True) for step in shown),
    )
    cells = zip(*map(_step_cells, shown), strict=True)
    return Table(columns, tuple((head, *row) for head, row in zip(heads, cells, strict=True)))


def _when(step: Step) -> Text:
    return month_text(step.month) if step.month else say("today")


def step_head(name: str) -> str:
    """What a number of the steps is called, with its unit."""
    field = NUMBERS[name][1]
    return joined(", ", (head_of(field), unit_of(field)))


def _step_cells(step: Step) -> tuple[Cell, ...]:
    """As the heads of the rows have it."""
    numbers = [step.quantities[name] for name in NUMBERS if name != "vm_cpu_pct"]
    numbers += [step.in_failure["cpu_pct"], step.in_failure["ram_pct"]]
    verdict = step.shown
    if step.profile != USUAL:
        words = say("{verdict} {when}", verdict=verdict.words, when=PROFILES[step.profile])
        verdict = replace(verdict, words=words)
    return (number(round(step.users)), *map(value_text, numbers), verdict)


def _plot(found: Runway) -> TimePlot:
    """Shares of each limit over the months, the limit at 100."""
    limits = {each.number: each.limit for each in found.crossings if each.mode == NORMAL}
    curves = tuple(
        Curve(
            RESOURCES[resource],
            tuple(100.0 * (step.normal[name] or 0.0) / limits[name] for step in found.steps),
        )
        for name, resource in _CURVES
        if name in limits and all(step.normal[name] is not None for step in found.steps)
    )
    return TimePlot(
        x=tuple(float(step.month) for step in found.steps),
        x_label=say("months from today"),
        y_label=say("% of the limit"),
        curves=curves,
        limit=100.0,
        alt=say("Shares of the limits over the months to come."),
    )


_CURVES = (
    ("vm_cpu_pct", "cpu"),
    ("ram_pct", "ram"),
    ("iops_pct", "iops"),
    ("space_pct", "space"),
    ("response_ms", "response"),
)
