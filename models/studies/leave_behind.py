"""A table of answers to take along: users, mail size, growth, years and hosts lost.

A document that is left with a customer has no model in it. It has this table, each row of which is
a full prediction (`models.whatif`), and goes straight between two rows, so that its sliders answer
as the program would have, or worse, never better. How far off it is between rows is measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from models.base.fields import Grows, bounds_of
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.evidence.knowledge import Knowledge
from models.physics.scenario_to_arrays import to_arrays
from models.scenario.growth import growing, grown, with_users
from models.scenario.scenario import Scenario, Workload
from models.whatif import Ends, WhatIf, what_if

USERS = (0.5, 4.0)
"""Least and most users, as factors on today's, the growth of all years in it."""
MAIL = (0.5, 4.0)
YEARS = 5
NUMBERS = ("response_ms", "cpu_pct", "ram_pct", "utilisation_pct")
MARGIN = 1.25
"""On the largest error that was measured, for places where it wasn't."""
MANY_VMS = 400
"""From so many VMs on, fewer steps are worked out: what takes a minute nobody waits for."""

STEPS: tuple[tuple[int, int, int], ...] = (
    (100, 14, 8),
    (60, 10, 4),
    (40, 8, 2),
    (26, 6, 1),
    (20, 4, 1),
)
"""Steps of users, steps of mail files, and hosts that can be lost: the finest of which no more is
worked out than somebody waits for."""
_MOST_ROWS = 10_000
_MOST_VMS = 300_000
"""VMs, and what a row takes besides, times rows."""
_COARSE = 1.15
"""Two steps of users before those between them."""
_CLOSE_PCT = 1.0
"""So much may be wrong between two steps before there is another."""
_CLOSEST_PCT = 0.2
_AT_ONCE = 8
"""Steps of users that are put in between before it is looked anew where."""
_SAME = 1e-9
_ONE_OF = 11
"""Of so many places one is compared: all would take as long as the table itself."""
_MOST_BENDS = 60
"""Places that are compared because numbers bend there most."""


Rows = tuple[IntArray, FloatArray, BoolArray]
"""Verdicts, numbers, and which of them are partial."""


@dataclass(frozen=True, slots=True)
class Error:
    """How far an answer between rows was off at most, `MARGIN` included [% of the program's].

    Attributes:
        above: that it was too high; `below`: that going straight was too low, by which answers are
            raised.
    """

    above: float
    below: float


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Predictions over a grid.

    Attributes:
        users, mail: factors on today's users and mail files, growth in it, ascending.
        lost: ids of the hosts that are down, an option each; the first is none.
        plane: of each year, counted from today, the plane that holds its answers: what else is
            planned for the year is in it.
        mail_pct: growth of mail files a year that `mail` has to have in it; 0 where planes have.
        verdicts: codes, (planes, lost, users, mail).
        values: of `NUMBERS`, of the item nearest to its limit; NaN for no data, (4, planes, …).
        partial: whether an item has no number there that has one today, (4, planes, …).
        errors: one of each of `NUMBERS`, found at so many `places` between the rows, `worse` of
            which had a verdict worse than the program's; better is none.
    """

    users: tuple[float, ...]
    mail: tuple[float, ...]
    lost: tuple[tuple[str, ...], ...]
    plane: tuple[int, ...]
    mail_pct: float
    verdicts: IntArray
    values: FloatArray
    partial: BoolArray
    errors: tuple[Error, ...]
    places: int
    worse: int

    def at(self, users: float, mail: float, lost: int, year: int) -> tuple[int, FloatArray] | None:
        """Code of the verdict and `NUMBERS` of a question, as the document answers it.

        The worst verdict of the rows around it; numbers straight between them, raised by what that
        was too low at most, and never above the highest of them.

        Args:
            users, mail: factors, the growth of the years in both; None outside of the table.
        """
        for value, steps in ((users, self.users), (mail, self.mail)):
            if not steps[0] * (1.0 - _SAME) <= value <= steps[-1] * (1.0 + _SAME):
                return None
        rows = (self.plane[year], lost)
        verdict, values = _between(
            (users, mail), (self.users, self.mail), self.verdicts[rows], self.values[:, *rows]
        )
        there, highest = values
        raised = there * (1.0 + np.array([each.below for each in self.errors]) / 100.0)
        exact = _is_step(users, self.users) and _is_step(mail, self.mail)
        return verdict, there if exact else np.minimum(raised, highest)


def answers(
    scenario: Scenario, knowledge: Knowledge, *, check: Callable[[], None] = lambda: None
) -> Answers | None:
    """The table of a scenario as it is today; None where nothing runs.

    Args:
        check: called between steps; what it raises ends the work.
    """
    if not scenario.vms or not scenario.hosts:
        return None
    plan, years = scenario.growth, range(YEARS + 1)
    others = [name for name in growing(Grows.MAIL) if name != "mail_file_mb"]
    is_only_files = not any(getattr(vm.workload, name) for vm in scenario.vms for name in others)
    mail_pct = plan.mail_pct if is_only_files else 0.0
    in_planes = replace(plan, users_pct=0.0, mail_pct=plan.mail_pct - mail_pct)
    changes = bool(in_planes.mail_pct or in_planes.load_pct)
    plane = tuple(years) if changes else (0,) * len(years)
    still = replace(scenario, growth=in_planes)
    planes = [grown(still, float(year)) for year in sorted(set(plane))]
    most, mails, losses = _steps(scenario, len(planes))
    grid = _Grid.of(scenario, knowledge, losses, check)
    mail = _axis(MAIL, (MAIL[1] / MAIL[0]) ** (1 / mails), mail_pct)
    users, rows = grid.filled(planes, _axis(USERS, _COARSE, plan.users_pct), mail, most)
    table = Answers(
        users,
        mail,
        tuple(tuple(scenario.hosts[at].id for at in hosts) for hosts in grid.lost),
        plane,
        mail_pct,
        *rows,
        (Error(0.0, 0.0),) * len(NUMBERS),
        places=0,
        worse=0,
    )
    return grid.measured(table, planes)


def _steps(scenario: Scenario, planes: int) -> tuple[int, int, int]:
    for users, mails, losses in STEPS:
        rows = users * mails * planes * (min(losses, len(scenario.hosts)) + 2)
        if rows <= _MOST_ROWS and rows * (len(scenario.vms) + 20) <= _MOST_VMS:
            break
    return users, mails, losses


def _axis(ends: tuple[float, float], ratio: float, growth_pct: float) -> tuple[float, ...]:
    """Steps about a ratio apart, with today's and those of the planned years."""
    planned = [(1.0 + growth_pct / 100.0) ** year for year in range(YEARS + 1)]
    count = math.ceil(math.log(ends[1] / ends[0]) / math.log(ratio)) + 1
    exact = {*ends, *(each for each in planned if ends[0] <= each <= ends[1])}
    between = np.geomspace(*ends, count).round(3).tolist()
    close = _CLOSE_PCT / 100.0
    far = [each for each in between if all(abs(each - other) > close * each for other in exact)]
    return tuple(sorted({*exact, *far}))


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """How rows are worked out: which hosts are lost, (options, h), and which items have a number
    today, by number."""

    knowledge: Knowledge
    lost: tuple[tuple[int, ...], ...]
    down: BoolArray
    today: tuple[BoolArray, ...]
    check: Callable[[], None]

    @classmethod
    def of(
        cls, scenario: Scenario, knowledge: Knowledge, losses: int, check: Callable[[], None]
    ) -> _Grid:
        as_is = what_if(scenario, knowledge, factor=[1.0])
        busiest = np.argsort(-np.nan_to_num(as_is.host_cpu_pct.value[0]), kind="stable").tolist()
        hosts = busiest[: losses if len(busiest) > 1 else 0]
        lost = [(), *((each,) for each in sorted(hosts))]
        if len(hosts) > 1 and len(busiest) > 2:
            lost.append(tuple(sorted(busiest[:2])))
        down = np.zeros((len(lost), len(scenario.hosts)), dtype=np.bool_)
        for row, each in enumerate(lost):
            down[row, list(each)] = True
        today = tuple(np.isfinite(ends.value[0]) for ends in _tables(as_is))
        return cls(knowledge, tuple(lost), down, today, check)

    def rows(self, plane: Scenario, users: float, mail: Sequence[float]) -> Rows:
        """Verdicts (lost, mail), numbers and what is partial (4, lost, mail), all in one batch."""
        self.check()
        there = with_users(plane, users)
        size = to_arrays(there, self.knowledge.catalog).vms.mail_file_mb
        most = bounds_of(Workload, "mail_file_mb").le or np.inf
        shape = len(self.lost), len(mail)
        found = what_if(
            there,
            self.knowledge,
            mail_file_mb=np.minimum(np.tile(mail, shape[0])[:, None] * size, most),
            hosts_down=np.repeat(self.down, shape[1], axis=0),
        )
        verdicts = found.verdict.astype(np.int64).reshape(shape)
        # What fails in normal operation is no better with a host less.
        verdicts = np.maximum(verdicts, verdicts[:1])
        numbers = [_worst(ends, has) for ends, has in zip(_tables(found), self.today, strict=True)]
        values = np.stack([value.reshape(shape) for value, _ in numbers])
        return verdicts, values, np.stack([partial.reshape(shape) for _, partial in numbers])

    def filled(
        self,
        planes: Sequence[Scenario],
        coarse: Sequence[float],
        mail: Sequence[float],
        most: int,
    ) -> tuple[tuple[float, ...], Rows]:
        """Steps of users, at most so many, closest where numbers bend and verdicts turn; and their
        rows, (planes, lost, users, mail), numbers first."""
        known = dict[float, Rows]()
        more = list(coarse)
        while True:
            known |= {each: self._of_users(planes, each, mail) for each in more}
            users = tuple(sorted(known))
            verdicts, values, partial = zip(*(known[each] for each in users), strict=True)
            rows = np.stack(verdicts, -2), np.stack(values, -2), np.stack(partial, -2)
            wrong = _wrong_pct(users, rows)
            cells = np.argsort(-wrong, kind="stable")[: max(min(_AT_ONCE, most - len(users)), 0)]
            more = [
                round((users[at] + users[at + 1]) / 2.0, 5)
                for at in cells
                if wrong[at] > _CLOSE_PCT
            ]
            if not more:
                return users, rows

    def _of_users(self, planes: Sequence[Scenario], users: float, mail: Sequence[float]) -> Rows:
        found = [self.rows(each, users, mail) for each in planes]
        verdicts, values, partial = zip(*found, strict=True)
        return np.stack(verdicts), np.stack(values, axis=1), np.stack(partial, axis=1)

    def measured(self, table: Answers, planes: Sequence[Scenario]) -> Answers:
        """The table with its errors: in the middle between steps of users, of mail and of both."""
        above, below = np.zeros((2, len(NUMBERS)))
        places = worse = 0
        axes = (table.users, table.mail)
        for plane, scenario in enumerate(planes):
            for users, mail in _places(table):
                codes, values, _ = self.rows(scenario, users, mail)
                for lost, m in np.ndindex(codes.shape):
                    asked, rows = (users, mail[m]), table.verdicts[plane, lost]
                    found, (there, _) = _between(asked, axes, rows, table.values[:, plane, lost])
                    if found < codes[lost, m]:  # Worse than at the steps around it: so are they.
                        after = [
                            _around(a, axis)[-1][0] for a, axis in zip(asked, axes, strict=True)
                        ]
                        rows[*after] = codes[lost, m]
                    there, own = np.where(there > 0, there, np.nan), values[:, lost, m]
                    off = (there / np.where(own > 0, own, np.nan) - 1.0) * 100.0
                    above, below = np.fmax(above, off), np.fmax(below, -off)
                    places += 1
                    worse += int(found > codes[lost, m])
        # What is raised by the one is too high by both.
        errors = tuple(
            Error(MARGIN * float(a + b), MARGIN * float(b))
            for a, b in zip(above, below, strict=True)
        )
        return replace(table, errors=errors, places=places, worse=worse)


def _places(table: Answers) -> Iterator[tuple[float, tuple[float, ...]]]:
    """Users, and several sizes of mail files, none of which is a row of the table: some of all, and
    those where numbers bend most."""
    users, mail = _middles(table.users), _middles(table.mail)
    bends = _bends(table.users, table.values)
    least = float(np.sort(bends, axis=None)[-_MOST_BENDS:][0])
    for i, each in enumerate(users):
        sharp = np.flatnonzero(bends[i] >= max(least, _SAME)).tolist()
        near = {m for at in sharp for m in (table.mail[at], *mail[max(at - 1, 0) : at + 1])}
        yield each, tuple({*near, *(*table.mail, *mail)[i % _ONE_OF :: _ONE_OF]})
    for i, each in enumerate(table.users):
        yield each, mail[i % _ONE_OF :: _ONE_OF]


def _bends(users: Sequence[float], values: FloatArray) -> FloatArray:
    """By what share a straight line between two steps of users is off at most if numbers bend one
    way, (users − 1, mail): h·(s₊ − s)·(s − s₋)/(s₊ − s₋), of slopes s in a cell and beside it."""
    wide = np.diff(users)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.nan_to_num(np.diff(values, axis=-2) / wide, posinf=0.0, neginf=0.0)
        ends = np.concatenate([slope[..., :1, :], slope, slope[..., -1:, :]], axis=-2)
        after, before = ends[..., 2:, :] - slope, slope - ends[..., :-2, :]
        off = np.abs(wide * after * before / (after + before) / values[..., :-1, :])
    return np.asarray(np.nan_to_num(off, posinf=0.0).max(axis=(0, 1, 2)))


def _wrong_pct(users: Sequence[float], rows: Rows) -> FloatArray:
    """How wrong the table may be between two steps of users, (users − 1,) [%]: what bends are off,
    and half their distance where a verdict turns or a number comes or goes."""
    verdicts, values, _ = rows
    turns = np.any(np.diff(verdicts, axis=-2) != 0, axis=(0, 1, 3))
    turns |= np.any(np.diff(np.isnan(values), axis=-2), axis=(0, 1, 2, 4))
    apart = 100.0 * np.diff(users) / np.array(users[:-1])
    off = 100.0 * _bends(users, values).max(axis=-1)
    return np.where(apart > _CLOSEST_PCT, np.maximum(off, turns * apart / 2.0), 0.0)


def _middles(steps: Sequence[float]) -> tuple[float, ...]:
    return tuple((a + b) / 2.0 for a, b in pairwise(steps))


def _is_step(value: float, steps: Sequence[float]) -> bool:
    return any(abs(value - each) <= _SAME * each for each in steps)


def _between(
    asked: tuple[float, float],
    axes: tuple[Sequence[float], Sequence[float]],
    verdicts: IntArray,
    values: FloatArray,
) -> tuple[int, tuple[FloatArray, FloatArray]]:
    """The worst verdict of the rows around a question, numbers straight between them, and the
    highest of theirs, (4,) each; NaN where one has none."""
    corners = [_around(value, steps) for value, steps in zip(asked, axes, strict=True)]
    verdict, there, highest = 0, np.zeros(len(values)), np.zeros(len(values))
    for u, users in corners[0]:
        for m, mail in corners[1]:
            verdict = max(verdict, int(verdicts[u, m]))
            there = there + users * mail * values[:, u, m]
            highest = np.maximum(highest, values[:, u, m])
    return verdict, (there, highest)


def _around(value: float, steps: Sequence[float]) -> tuple[tuple[int, float], ...]:
    """The steps around a value, with their weights; one where it is one."""
    after = int(np.searchsorted(steps, value * (1.0 - _SAME)))
    if abs(steps[after] - value) <= _SAME * value:
        return ((after, 1.0),)
    share = (value - steps[after - 1]) / (steps[after] - steps[after - 1])
    return (after - 1, 1.0 - share), (after, share)


def _tables(found: WhatIf) -> tuple[Ends, ...]:
    return (
        found.vm_response_ms,
        found.host_cpu_pct,
        found.host_ram_pct,
        found.pool_utilisation_pct,
    )


def _worst(ends: Ends, today: BoolArray) -> tuple[FloatArray, BoolArray]:
    """The highest of each row, NaN where there is none, and whether one is missing."""
    known = np.isfinite(ends.value)
    worst = np.where(known, ends.value, -np.inf).max(axis=1, initial=-np.inf)
    return np.where(np.isfinite(worst), worst, np.nan), np.asarray(np.any(today & ~known, axis=1))
