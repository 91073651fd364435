"""Asks for numbers when the hand rests: a hand on its way over ten hosts asks for none of them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from app.language import local
from app.session import Session
from app.widgets.board.scene import Carry
from app.work import pause
from models.predict.prediction import Shown
from models.scenario.scenario import Scenario

REST_MS = 30
VMS_PER_MS = 100
"""A large estate takes longer to paint and to work out: a hand that rests for no more than one of
its frames is still on its way."""

STILL_PX = 3.0
"""A hand that moves less than this still rests."""


class Rest(QObject):
    """What the hand would do, and whether its numbers are there yet.

    Until they are, the session says that what it shows is about to be replaced.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.wanted: Scenario | None = None
        """The scenario whose numbers are to be shown."""
        self._place = (0.0, 0.0)
        self._timer = pause(self, REST_MS, self._ask)

    @property
    def is_waiting(self) -> bool:
        """Numbers are wanted that are not shown yet."""
        return self.wanted is not None and self._session.view.today is not self.wanted

    @property
    def outcome(self) -> str:
        """The verdict on what is wanted, in words; nothing until its numbers are there."""
        shown = self._shown()
        return "" if shown is None else local(shown.words)

    def _shown(self) -> Shown | None:
        view = self._session.view
        is_there = self.wanted is not None and view.today is self.wanted
        return view.prediction.shown if is_there else None

    def told(self, carry: Carry) -> Carry:
        """What is carried, with what is known of a drop."""
        if (carry.is_waiting, carry.outcome) == (self.is_waiting, self.outcome):
            return carry
        shown = self._shown()
        verdict = None if shown is None else shown.verdict
        return replace(carry, is_waiting=self.is_waiting, outcome=self.outcome, verdict=verdict)

    def want(self, scenario: Scenario) -> None:
        """Asks for the numbers of `scenario` unless something else is wanted before."""
        self.wanted = scenario
        self._session.expect_preview()
        self._begin()

    def moved(self, x: float, y: float) -> None:
        """The hand is on its way: it will rest later."""
        if abs(x - self._place[0]) + abs(y - self._place[1]) >= STILL_PX:
            self._place = (x, y)
            self._session.moved.emit()
            if self._timer.isActive():
                self._begin()

    def _begin(self) -> None:
        """The hand rests from now on."""
        self._timer.start(REST_MS + len(self._session.scenario.vms) // VMS_PER_MS)

    def want_nothing(self) -> None:
        """What is stored is shown again when the hand rests; until then it may want more."""
        if self.wanted is not None or self._session.view.is_dragged:
            self.wanted = None
            self._session.expect_preview()
            self._begin()

    def forget(self) -> None:
        """Nothing is wanted; what is stored is shown again at once."""
        self._timer.stop()
        self.wanted = None
        self._session.clear_preview()

    def _ask(self) -> None:
        if self.wanted is not None:
            self._session.preview(self.wanted)
        else:
            self._session.clear_preview()
