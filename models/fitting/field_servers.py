"""Production servers and makers' sizes against what is said of them without them.

No benchmark is behind these figures: servers of customers, measured by others, and sizes that a
maker recommends. Each server is predicted by the others before it is counted with them: cores and
I/Os of two servers of 2018 by one another, I/Os of two of release 6.5 likewise, transactions of
each by all others. Makers' sizes are predicted by the servers of 2018, of which they know nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from models.base.texts import say
from models.evidence.calibration import Calibration, rounded
from models.evidence.profiles import PROFILES
from models.evidence.rows import EvidenceRow, by_id, figure
from models.fitting.transfers import TransferCheck
from models.scenario.owners import ACTIVE_OF_REGISTERED
from models.scenario.scenario import Profile
from models.scenario.transactions import TRANSACTIONS

FIELD, VENDOR = "field", "vendor"
LIMIT = 0.70
"""Share of its cores that a server of the maker's size is taken to be busy."""

OTHER_SERVER, BOTH_SERVERS = say("the other field server"), say("both field servers")
OTHERS = say("the other field servers")
STUDENT = {1: 6.314, 2: 2.920}
"""95th percentile of Student's t by degrees of freedom, for intervals of 90 %."""


def field_checks(
    rows: Sequence[EvidenceRow], calibration: Calibration
) -> tuple[TransferCheck, ...]:
    """Cores, I/Os and transactions of each field server by the others, and the maker's sizes by
    those of 2018.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    figures = by_id(rows)
    found = [
        *_servers(figures, "cpus", "cores"),
        *_servers(figures, "iops", "iops"),
        *_of_release_6(figures),
        *_transactions(_per_active(figures)),
        *_transactions(_per_connected(figures)),
        *_sizes(figures, calibration),
    ]
    return tuple(map(rounded, found))


def _servers(figures: dict[str, EvidenceRow], what: str, quantity: str) -> list[TransferCheck]:
    work = PROFILES[Profile.BROWSER]
    half = work.iops_half_width if what == "iops" else work.cores_half_width
    half = math.hypot(half, 0.0 if what == "iops" else work.machine_half_width)
    found = []
    for server, other in (("a", "b"), ("b", "a")):
        owners = figure(figures, f"field/{server}/home-users")
        ids = [f"field/{{}}/{what}-{when}" for when in ("mean", "now")]
        there = math.sqrt(math.prod(figure(figures, id.format(other)) for id in ids))
        if what == "cpus":
            there *= owners / figure(figures, f"field/{other}/home-users")
        found += [
            TransferCheck(
                family=FIELD,
                quantity=quantity,
                by=OTHER_SERVER,
                evidence=id.format(server),
                measured=figure(figures, id.format(server)),
                predicted=there,
                low=there * math.exp(-half),
                high=there * math.exp(half),
            )
            for id in ids
        ]
    return found


def _of_release_6(figures: Mapping[str, EvidenceRow]) -> list[TransferCheck]:
    """I/Os a second of a registered user on two servers of 6.5, each by the other."""
    half, found = PROFILES[Profile.MAIL].iops_half_width, []
    for server, other in (("c", "d"), ("d", "c")):
        id, there = f"field/{server}/iops", figure(figures, f"field/{other}/iops")
        found.append(
            TransferCheck(
                family=FIELD,
                quantity="iops",
                by=OTHER_SERVER,
                evidence=id,
                measured=figure(figures, id),
                predicted=there,
                low=there * math.exp(-half),
                high=there * math.exp(half),
            )
        )
    return found


SHIFT_MIN = 8 * 60.0
"""Length of field-e's prime shift, which its source doesn't print; another of the maker has it."""


def _per_active(figures: Mapping[str, EvidenceRow]) -> dict[str, float]:
    """Transactions a minute of a user active in 15 minutes, by the id of the figure."""
    share = figure(figures, "field/e/active-share") / 100.0
    active = share * figure(figures, "field/e/registered-users")
    now = {f"field/{s}/transactions-now": f"field/{s}/active-15-min" for s in ("a", "b")}
    shift = "field/e/transactions-shift"
    return {id: figure(figures, id) / figure(figures, users) for id, users in now.items()} | {
        shift: figure(figures, shift) / SHIFT_MIN / active
    }


def _per_connected(figures: Mapping[str, EvidenceRow]) -> dict[str, float]:
    """The same of a connected user on servers whose means of a day are known."""
    found = {}
    for server in ("c", "d"):
        id = f"field/{server}/transactions-mean"
        found[id] = 60.0 * figure(figures, id) / figure(figures, f"field/{server}/connected")
    for server in ("a", "b"):
        # Of these the working hour alone is known by connected users.
        id = f"field/{server}/connected"
        found[id] = figure(figures, f"field/{server}/transactions-now") / figure(figures, id)
    return found


def _transactions(rates: Mapping[str, float]) -> list[TransferCheck]:
    """Each server's rate by the geometric mean of the others: e^(t·s·√(1 + 1/n)) either way."""
    found = []
    for id, measured in rates.items():
        others = np.log([rate for other, rate in rates.items() if other != id])
        spread = float(others.std(ddof=1)) * math.sqrt(1.0 + 1.0 / len(others))
        half, middle = STUDENT[len(others) - 1] * spread, math.exp(float(others.mean()))
        found.append(
            TransferCheck(
                family=FIELD,
                quantity=TRANSACTIONS,
                by=OTHERS,
                evidence=id,
                measured=measured,
                predicted=middle,
                low=middle * math.exp(-half),
                high=middle * math.exp(half),
            )
        )
    return found


def _sizes(figures: dict[str, EvidenceRow], calibration: Calibration) -> list[TransferCheck]:
    """HCL's cores for 10, 100 and 1,000 users, at 70 %, by the field servers' line."""
    work, found = PROFILES[Profile.BROWSER], []
    each = calibration.constants.mail85.cpu_core_pct_per_user.value / 100.0
    half = math.hypot(work.cores_half_width, work.machine_half_width)
    for users in (10, 100, 1000):
        other = work.server_cores + work.user_cores * users / 1000.0
        own = users * ACTIVE_OF_REGISTERED * each
        value = (other + own) / LIMIT
        id = f"field/hcl/cores-{users}"
        found.append(
            TransferCheck(
                family=VENDOR,
                quantity="cores",
                by=BOTH_SERVERS,
                evidence=id,
                measured=figure(figures, id),
                predicted=value,
                low=(other * math.exp(-half) + own) / LIMIT,
                high=(other * math.exp(half) + own) / LIMIT,
            )
        )
    return found
