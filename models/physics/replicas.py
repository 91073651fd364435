"""Domino clusters as rows: whose changes go to whom, and who takes whose users over."""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.physics.columns import filled


@record
class Replicas:
    """Who keeps replicas of whose databases, a row for each pair.

    Copies of a server's databases are spread evenly over its partners.

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

        Σ share·figure, in the unit of `figures`. Valid for copies of each database that are
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

    def mean_of_senders(self, copies: FloatArray) -> FloatArray:
        """Further copies [1] of what each receiver takes, 1 where it takes nothing, (n,).

        Σ share·copies/Σ share. Valid and from where `received` is.

        Args:
            copies: of each sender's databases, (n,).

        >>> three = Replicas(np.array([2, 2]), np.array([0, 1]), np.array([1.0, 0.5]), size=3)
        >>> three.mean_of_senders(np.array([2.0, 5.0, 1.0])).tolist()
        [1.0, 1.0, 3.0]
        """
        total, weighed = np.zeros((2, self.size))
        np.add.at(total, self.receiver, self.share)
        np.add.at(weighed, self.receiver, self.share * copies[self.sender])
        return np.divide(weighed, total, out=np.ones(self.size), where=total > 0)

    def heirs(self, running: BoolArray) -> IntArray:
        """How many receivers run that take over the users of each sender, (n,); rows of one
        scenario."""
        return np.bincount(self.sender[running[self.receiver]], minlength=self.size)

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
        heirs = self.heirs(running)
        pairs = np.flatnonzero(open_to & running[self.sender] & (users[self.sender] > 0))
        sender = self.sender[pairs]
        brought = users[sender] / heirs[sender]
        order = np.argsort(-brought, kind="stable")[::-1]
        most[self.receiver[pairs[order]]] = brought[order]
        lost[self.receiver[pairs[order]]] = sender[order]
        return most, lost
