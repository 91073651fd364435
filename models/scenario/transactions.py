"""Transactions a minute of a mail server in production, to be set beside those of its console.

A console counts transactions of Notes clients and servers (``Server.Trans.PerMinute``). Users of
browsers and of chat are in another count, and a benchmark's transactions were never published with
the runs that this model stands on: of these there is no data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.base.quantities import Basis, FloatArray, Quantity
from models.base.texts import say

TRANSACTIONS, PER_MINUTE = "transactions_per_min", say("1/min")
"""Its name among predicted numbers, and its unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Transactions a minute of a user, as production servers have it.

    Attributes:
        per_user: geometric mean over servers [1/min].
        half_width: of the nominal 90 % interval of one more server, in ln: t·s·√(1 + 1/n).
        evidence: ids of the figures.
    """

    per_user: float
    half_width: float
    evidence: tuple[str, ...]

    def ends(self, users: FloatArray) -> FloatArray:
        """Value, low and high end for so many users [1/min], (3, n).

        users·rate, and that over and times e^half width. Valid for mail by Notes clients in a
        working hour; agents, replication and compaction of nights make many times as much.
        Source: the servers of `evidence`.

        >>> PER_ACTIVE.ends(np.array([100.0])).round().tolist()
        [[815.0], [397.0], [1674.0]]
        """
        factor = np.exp(self.half_width * np.array([[0.0], [-1.0], [1.0]]))
        found: FloatArray = self.per_user * factor * users
        return found

    def of(self, users: float) -> Quantity:
        """The same of one server."""
        value, low, high = self.ends(np.array([users]))[:, 0].tolist()
        return Quantity(value, low, high, Basis.TRANSFERRED, self.evidence)


PER_ACTIVE = Rate(
    per_user=8.15,
    half_width=0.72,
    evidence=(
        *("field/a/transactions-now", "field/a/active-15-min"),
        *("field/b/transactions-now", "field/b/active-15-min"),
        *("field/e/transactions-shift", "field/e/active-share", "field/e/registered-users"),
    ),
)
"""Of users with a transaction within 15 minutes: 9.26 and 9.19 on two servers of 9.0.1 on a Monday
afternoon, 6.37 on one of R5 in a shift of 8 hours."""

PER_CONNECTED = Rate(
    per_user=4.99,
    half_width=0.85,
    evidence=(
        *("field/a/transactions-now", "field/a/connected"),
        *("field/b/transactions-now", "field/b/connected"),
        *("field/c/transactions-mean", "field/c/connected"),
        *("field/d/transactions-mean", "field/d/connected"),
    ),
)
"""Of users with a session: 6.17 and 7.00 on the same two, 3.81 and 3.77 in the mean of a day on two
of 6.5 to 7."""
