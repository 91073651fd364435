"""Domino clusters as rows: whose changes go to whom, and who takes whose users over."""

from __future__ import annotations

import numpy as np

from models.physics.columns import filled
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record


@record
class Replicas:
    """Who keeps replicas of whose databases, a row for each pair.

    A server's databases have one further copy, spread evenly over its partners.

    Attributes:
        receiver, sender: rows of the VMs; `share`: of the sender's databases.
        size: rows of the VMs among which they are.
    """

    receiver: IntArray
    sender: IntArray
    share: FloatArray
    size: int

    def received(self, figures: FloatArray) -> FloatArray:
        """The receivers' shares of the senders' `figures`, summed, in every copy of the rows, (n,).

        Σ share·figure, in the unit of `figures`. Valid for one further copy of each database,
        spread evenly. Source: docs/families.md, "C".

        >>> pair = np.array([1, 0]), np.array([0, 1]), np.ones(2)
        >>> Replicas(*pair, size=2).received(np.array([3.0, 5.0, 0.0, 7.0])).tolist()
        [5.0, 3.0, 7.0, 0.0]
        """
        found = np.zeros(len(figures))
        copies = np.arange(len(figures) // self.size)[:, None] * self.size
        np.add.at(found, copies + self.receiver, figures[copies + self.sender] * self.share)
        return found

    def pushing(self, running: BoolArray) -> BoolArray:
        """Senders of which a receiver runs, in every copy of the rows, (n,)."""
        found = np.zeros(len(running), dtype=np.bool_)
        copies = np.arange(len(running) // self.size)[:, None] * self.size
        found[(copies + self.sender)[running[copies + self.receiver]]] = True
        return found

    def inherited(self, users: FloatArray, running: BoolArray) -> tuple[FloatArray, IntArray]:
        """Most users that one sender that is lost leaves each receiver, and which, −1 for none.

        A lost server's users go in equal parts to those that run and hold its replicas; rows of one
        scenario, (n,) each.

        users/heirs [active users]. Valid and from where `received` is; clients that choose by load
        aren't in it.

        >>> trio = Replicas(np.array([1, 2, 0]), np.array([0, 0, 1]), np.ones(3), size=3)
        >>> most, lost = trio.inherited(np.array([30.0, 8.0, 5.0]), np.ones(3, dtype=np.bool_))
        >>> most.tolist(), lost.tolist()
        ([8.0, 15.0, 15.0], [1, 0, 0])
        """
        most, lost = np.zeros(self.size), filled(self.size, -1, np.int64)
        open_to = running[self.receiver]
        heirs = np.bincount(self.sender[open_to], minlength=self.size)
        pairs = np.flatnonzero(open_to & running[self.sender] & (users[self.sender] > 0))
        sender = self.sender[pairs]
        brought = users[sender] / heirs[sender]
        order = np.argsort(-brought, kind="stable")[::-1]
        most[self.receiver[pairs[order]]] = brought[order]
        lost[self.receiver[pairs[order]]] = sender[order]
        return most, lost
