"""A table of answers to take along: users, mail size, hosts lost and years, worked out beforehand.

A document that is left with a customer has no model in it. It has this table, each row of which is
a full prediction (`models.whatif`), so that four sliders answer as the program would have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from models.base.quantities import NO_DATA, Basis, FloatArray, Quantity
from models.evidence.knowledge import Knowledge
from models.scenario.growth import with_more
from models.scenario.scenario import Scenario
from models.whatif import Ends, WhatIf, what_if

USERS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.75, 2.0)
MAIL = (0.5, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
MOST_LOST = 2
MANY_VMS = 400
"""From so many VMs on, fewer steps are worked out: what takes a minute nobody waits for."""

NUMBERS = ("response_ms", "cpu_pct", "ram_pct", "utilisation_pct")


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Predictions over a grid; rows in the order of the axes, the last axis fastest.

    Attributes:
        users, mail: factors on today's users and mail files; `lost`: hosts that are down;
            `years`: of the planned growth.
        verdicts: code of the verdict, a row an answer.
        numbers: of `NUMBERS`, that of the item nearest to its limit, a row an answer.
    """

    users: tuple[float, ...]
    mail: tuple[float, ...]
    lost: tuple[int, ...]
    years: tuple[int, ...]
    verdicts: tuple[int, ...]
    numbers: tuple[tuple[Quantity, ...], ...]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        return len(self.users), len(self.mail), len(self.lost), len(self.years)


def answers(
    futures: Sequence[Scenario],
    knowledge: Knowledge,
    *,
    check: Callable[[], None] = lambda: None,
) -> Answers | None:
    """The table of a scenario; None where nothing runs.

    Args:
        futures: the scenario today, and as it is after each planned year.
        check: called between steps; what it raises ends the work.
    """
    scenario = futures[0]
    if not scenario.vms or not scenario.hosts:
        return None
    is_large = len(scenario.vms) >= MANY_VMS
    users = USERS[1::2] if is_large else USERS
    mail = MAIL[1::2] if is_large else MAIL
    years = tuple(range(len(futures)))
    lost = tuple(range(min(MOST_LOST, len(scenario.hosts) - 1) + 1))
    shape = (len(users), len(mail), len(lost), len(years))
    rows: dict[tuple[int, ...], tuple[int, tuple[Quantity, ...]]] = {}
    for m, size in enumerate(mail):
        for y, year in enumerate(futures):
            check()
            there = with_more(year, size, "mail_file_mb")
            found = _batch(there, knowledge, users, lost)
            for place, answer in enumerate(_answers(found)):
                u, down = divmod(place, len(lost))
                verdict, numbers = answer
                if down:  # What fails in normal operation is no better with a host less.
                    verdict = max(verdict, rows[u, m, down - 1, y][0])
                rows[u, m, down, y] = verdict, numbers
    ordered = [rows[at] for at in np.ndindex(*shape)]
    return Answers(
        users, mail, lost, years, tuple(v for v, _ in ordered), tuple(n for _, n in ordered)
    )


def _batch(
    scenario: Scenario,
    knowledge: Knowledge,
    users: Sequence[float],
    lost: Sequence[int],
) -> WhatIf:
    """Users outside, hosts lost inside; the busiest hosts are lost first."""
    own = np.array([vm.workload.active_users for vm in scenario.vms])
    factors = np.repeat(np.asarray(users), len(lost))
    as_is = what_if(scenario, knowledge, factor=[1.0])
    busiest = np.argsort(-np.nan_to_num(as_is.host_cpu_pct.value[0]), kind="stable")
    down = np.zeros((len(factors), len(scenario.hosts)), dtype=np.bool_)
    for row, count in enumerate(np.tile(np.asarray(lost), len(users))):
        down[row, busiest[:count]] = True
    return what_if(
        scenario,
        knowledge,
        users=factors[:, None] * own,
        hosts_down=down,
    )


def _answers(found: WhatIf) -> Iterator[tuple[int, tuple[Quantity, ...]]]:
    tables = (
        found.vm_response_ms,
        found.host_cpu_pct,
        found.host_ram_pct,
        found.pool_utilisation_pct,
    )
    for row in range(len(found)):
        yield int(found.verdict[row]), tuple(_worst(ends, row) for ends in tables)


def _worst(ends: Ends, row: int) -> Quantity:
    """The highest of a row; no data where there is none."""
    values: FloatArray = ends.value[row]
    if not values.size or np.isnan(values).all():
        return NO_DATA
    at = int(np.nanargmax(values))
    low, high = float(ends.low[row, at]), float(ends.high[row, at])
    return Quantity(float(values[at]), low, high, Basis.EXTRAPOLATED)
