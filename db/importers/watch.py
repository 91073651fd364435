"""What a reader may take: time, and until somebody cancels."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, thread_time

from db.aside import Aside, Limits
from db.errors import StoreError
from models.base.texts import say

SECONDS = 30.0
"""Of the processor: a slow drive, and others who work here too, are free."""
PATIENCE = 4.0
"""Seconds by the clock for each of those, after which it ends in any case."""


class Cancelled(Exception):
    """Whoever asked for the import doesn't want it any more."""


def too_slow(seconds: float) -> str:
    """Why a file is not read to its end."""
    return say("takes more than {seconds} seconds to read", seconds=f"{seconds:.0f}")


class Watch:
    """Checked by readers every few hundred rows.

    Args:
        seconds: after which reading ends with a `StoreError`; of the processor by `clock`, which
            is that of the thread that checks.
        is_cancelled: asked at every check.
        report: told how much of the work is done, 0 to 1.
    """

    def __init__(
        self,
        seconds: float = SECONDS,
        is_cancelled: Callable[[], bool] = lambda: False,
        report: Callable[[float], None] = lambda _: None,
        clock: Callable[[], float] = thread_time,
    ) -> None:
        self._clock = clock
        self._seconds = seconds
        self._end, self._latest = clock() + seconds, monotonic() + PATIENCE * seconds
        self._is_cancelled = is_cancelled
        self.report = report
        self._asides: dict[str, Aside] = {}

    def check(self, name: str) -> None:
        """Raises:
        StoreError: the time is over; about the file of this name.
        Cancelled: somebody cancelled.
        """
        if self._is_cancelled():
            raise Cancelled
        if self._clock() > self._end or monotonic() > self._latest:
            raise StoreError(too_slow(self._seconds), name)

    def aside(self, module: str, limits: Limits) -> Aside:
        """The process beside this one that reads with `module`, for as long as the watch lasts."""
        found = self._asides.get(module)
        if found is None or not found.is_there:
            found = self._asides[module] = Aside(module, limits)
        return found

    def rest(self) -> None:
        """Ends the processes beside this one; who asks after that gets new ones."""
        while self._asides:
            self._asides.popitem()[1].close()
