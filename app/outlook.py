"""How far the verdict holds and what would mend it, worked out once the hands are at rest.

Both try many variants on the model, which takes longer than a frame: they are worked out in a
thread of the pool, and what belongs to another scenario than the one in view is never shown.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from app.language import tr
from app.session import Session, View
from app.work import Context, OneTask, Worker, pause, raise_own, reason
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario

if TYPE_CHECKING:
    # What works it out is needed once the window stands.
    from models.predict.prediction import FailureMode
    from models.single_changes.fixes import Fixes
    from models.studies.flip import Flips

REST_MS = 300
"""Pause after the last change before anything is worked out."""
MOST_KEPT = 8


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What was found about one scenario with one catalog.

    `besides`: the failure that is worse than what the verdict speaks of; None for none.
    """

    scenario: Scenario
    catalog: Catalog
    flips: Flips
    fixes: Fixes
    besides: FailureMode | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One scenario to look into; owns no Qt object."""

    scenario: Scenario
    knowledge: Knowledge
    prediction: Prediction

    def __call__(self, context: Context) -> Outlook:
        from models.resilience.mode_words import worst_beyond_verdict
        from models.resilience.study import study_failures
        from models.single_changes.fixes import fixes
        from models.studies.flip import flips

        at = self.scenario, self.knowledge
        besides = worst_beyond_verdict(study_failures(*at, check=context.check))
        found = fixes(*at, self.prediction, check=context.check)
        return Outlook(
            self.scenario, self.knowledge.catalog, flips(*at, check=context.check), found, besides
        )


class OutlookRun(QObject):
    """Keeps the outlook of the scenario in view up to date.

    Signals:
        changed: `outlook` or `is_calculating` is another one.
    """

    changed = Signal()

    def __init__(self, session: Session, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._work = OneTask(worker)
        self._outlook: Outlook | None = None
        self._known: OrderedDict[int, Outlook] = OrderedDict()
        self._rest = pause(self, REST_MS, self.begin)
        session.view_changed.connect(self._view_changed)
        self._look_up(session.view)

    @property
    def outlook(self) -> Outlook | None:
        """Of the stored scenario in view and its catalog; None while it isn't known."""
        return self._outlook

    @property
    def is_calculating(self) -> bool:
        return self._work.is_running or self._rest.isActive()

    def begin(self) -> None:
        """Starts now; later where something is still being dragged."""
        self.cancel()
        view = self._session.view
        if view.is_dragged or QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._rest.start()
            return
        session = self._session
        task = Task(session.studied, session.knowledge, view.prediction)
        self._work.start(task, self._done, self._failed)
        self.changed.emit()

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self._rest.stop()
        self._work.cancel()

    def forget(self) -> None:
        """Another project is open: what was found about the one before is of no use."""
        known = self._known.get(id(self._session.studied))
        self._known.clear()
        if known is not None:
            self._known[id(self._session.studied)] = known

    def _view_changed(self, view: View) -> None:
        if self._outlook is not None and self._is_true(self._outlook):
            return
        if view.is_dragged:
            self._step_back()
        else:
            self._look_up(view)

    def _is_true(self, outlook: Outlook) -> bool:
        session = self._session
        return outlook.scenario is session.studied and outlook.catalog is session.catalog

    def _step_back(self) -> None:
        """Something is being dragged, whose frames need the processor: what was begun waits."""
        if self._work.is_running:
            self.cancel()
            self._rest.start()

    def _look_up(self, _view: View) -> None:
        """What is known of this scenario already, or the wait for it."""
        self.cancel()
        held = self._known.get(id(self._session.studied))
        self._outlook = held if held is not None and self._is_true(held) else None
        if self._outlook is None:
            self._rest.start()
        self.changed.emit()

    def _done(self, found: Outlook) -> None:
        if not self._is_true(found):
            return
        self._outlook = found
        self._known[id(found.scenario)] = found
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        self.changed.emit()

    def _failed(self, error: Exception) -> None:
        """A scenario that can't be varied has no outlook; its verdict stands without one."""
        self._session.message.emit(
            tr("How far the verdict holds could not be worked out: {error}", error=reason(error))
        )
        self.changed.emit()
        raise_own(error)
