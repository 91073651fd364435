"""The validation in the background: started when someone looks, kept for the session."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.calibrated import shipped_calibration, shipped_evidence
from app.work import Context, OneTask, Task, Worker, raise_own, reason
from models.fitting.point_errors import doubted_points, unprinted_points
from models.fitting.validation import HeldOutPoint, Validation, validate
from resources.catalog_files import load_catalog


@dataclass(frozen=True, slots=True)
class Held:
    """The held-out predictions, and the cells that are shown beside them but never counted."""

    validation: Validation
    doubted: tuple[HeldOutPoint, ...]
    unprinted: tuple[HeldOutPoint, ...] = ()


def calculate(context: Context) -> Held:
    """Refits the model with points held out; ends between two fits when nobody waits any more."""

    def tick(share: float) -> None:
        context.check()
        context.report(share)

    validation = validate(shipped_evidence(), load_catalog(), tick)
    calibration = shipped_calibration()
    unprinted = unprinted_points(calibration, shipped_evidence())
    return Held(validation, doubted_points(calibration), unprinted)


class AccuracyRun(QObject):
    """Calculates the accuracy once and keeps it.

    Signals:
        changed: calculating, done, failed or given up.
        progressed: the share that is done.
    """

    changed = Signal()
    progressed = Signal(float)

    def __init__(
        self, worker: Worker, task: Task = calculate, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._work = OneTask(worker)
        self._task = task
        self.result: Held | None = None
        self.problem = ""

    @property
    def is_running(self) -> bool:
        return self._work.is_running

    def start(self) -> None:
        """Begins, unless it is under way or done."""
        if self.is_running or self.result is not None:
            return
        self.problem = ""
        self._work.start(self._task, self._done, self._failed, self.progressed.emit)
        self.changed.emit()

    def cancel(self) -> None:
        """Gives up what is under way; a result that is there stays."""
        if self.is_running:
            self._work.cancel()
            self.changed.emit()

    def _done(self, held: Held) -> None:
        self.result = held
        self.changed.emit()

    def _failed(self, error: Exception) -> None:
        self.problem = reason(error)
        self.changed.emit()
        raise_own(error)
