"""A study of the scenario in view that takes longer than a frame, kept up to date while it is seen.

It is worked out in a thread of the pool once the hands are at rest; what belongs to another
scenario than the one in view is never shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.session import Session, View
from app.work import Context, OneTask, Worker, pause, raise_own, reason
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.scenario.scenario import Scenario

REST_MS = 120
"""Pause after the last change before anything is worked out."""

Study = Callable[[Scenario, Knowledge, Context], Any]


class Background(QObject):
    """One study, what came of it, and whether it is under way.

    Args:
        of_today: it looks ahead itself: it is of the scenario as it stands today, whatever years
            the window looks ahead.

    Signals:
        changed: `value`, `problem` or `is_calculating` is another one.
        progressed: the share that is done, of studies that say it.
    """

    changed = Signal()
    progressed = Signal(float)

    def __init__(
        self,
        session: Session,
        worker: Worker,
        study: Study,
        parent: QObject | None = None,
        *,
        of_today: bool = False,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._study = study
        self._of_today = of_today
        self._work = OneTask(worker)
        self._is_wanted = False
        self._ground: tuple[Scenario, Catalog] | None = None
        self._value: Any = None
        self.problem = ""
        self._rest = pause(self, REST_MS, self._begin)
        session.view_changed.connect(self._view_changed)

    @property
    def value(self) -> Any:
        """What came of the study of the scenario in view; None while it isn't known."""
        return self._value if self.is_true else None

    @property
    def is_true(self) -> bool:
        """It was worked out for the scenario in view, and for its years."""
        return self._ground is not None and (
            self._ground[0] is self._studied and self._ground[1] is self._session.catalog
        )

    @property
    def _studied(self) -> Scenario:
        return self._session.scenario if self._of_today else self._session.studied

    @property
    def is_calculating(self) -> bool:
        return self._work.is_running or self._rest.isActive()

    def want(self, is_wanted: bool) -> None:
        """Whether somebody looks at it; while nobody does, nothing is worked out."""
        self._is_wanted = is_wanted
        if not is_wanted:
            self._stop()
        elif not self.is_true and not self.is_calculating:
            self._begin()

    def study(self, study: Study) -> None:
        """Studies something else of the same scenario."""
        self._study = study
        self._ground = None
        self._stop()
        if self._is_wanted:
            self._begin()

    def _stop(self) -> None:
        """Nobody waits for it any more."""
        self._rest.stop()
        self._work.cancel()

    def _view_changed(self, view: View) -> None:
        if self.is_true or not self._is_wanted:
            return
        self._stop()
        self._rest.start()
        if not view.is_dragged:
            self.changed.emit()

    def _begin(self) -> None:
        self._rest.stop()
        session = self._session
        if session.view.is_dragged:
            self._rest.start()
            return
        task = Task(self._study, self._studied, session.knowledge)
        self._work.start(task, self._done, self._failed, self.progressed.emit)
        self.changed.emit()

    def _done(self, found: Found) -> None:
        self._ground, self._value, self.problem = found.ground, found.value, ""
        self.changed.emit()

    def _failed(self, error: Exception) -> None:
        """A scenario that can't be studied says why; its verdict stands without the study."""
        self._ground, self._value = (self._studied, self._session.catalog), None
        self.problem = reason(error)
        self.changed.emit()
        raise_own(error)


class StudyPanel(QWidget):
    """Shows a study of the scenario in view; behind another tab it waits until it is seen."""

    def __init__(
        self,
        session: Session,
        worker: Worker | None,
        study: Study,
        parent: QWidget | None,
        *,
        of_today: bool = False,
    ) -> None:
        super().__init__(parent)
        self._session, self._of_today = session, of_today
        worker = worker or Worker(parent=self)
        self._background = Background(session, worker, study, self, of_today=of_today)
        self._background.changed.connect(self._refresh)
        session.view_changed.connect(self._view_changed)

    @property
    def is_calculating(self) -> bool:
        return self._background.is_calculating

    def show_view(self, view: View) -> None:
        """Shows what is known of the scenario in this view."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_view(self._session.view)
        self._background.want(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._background.want(False)

    def _refresh(self) -> None:
        if self.isVisible():
            self.show_view(self._session.view)

    def _view_changed(self, view: View) -> None:
        if self.isVisible():
            self.show_view(view)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What came of a study, and of which scenario it speaks."""

    ground: tuple[Scenario, Catalog]
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One study of one scenario; owns no Qt object."""

    study: Study
    scenario: Scenario
    knowledge: Knowledge

    def __call__(self, context: Context) -> Found:
        context.check()
        value = self.study(self.scenario, self.knowledge, context)
        return Found((self.scenario, self.knowledge.catalog), value)
