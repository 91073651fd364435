"""Keeps a copy of unsaved work, so that a program that dies takes little of it along."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from app import __version__
from app.language import local, tr
from app.recovery import Slot, Slots
from app.session import Session
from app.work import Context, Worker, pause
from db.errors import StoreError
from db.recovery import Origin, write_copy
from models.catalog.catalog import Catalog
from models.project.catalog_use import with_used_rows
from models.project.project import Project

DELAY_MS = 2000
"""From the first edit that is not in the copy until it is written. Further edits don't put it off:
what is lost is at most this and the time it takes to write."""


class Autosave(QObject):
    """Writes the project into the slot of this program while it has changes, and clears it after.

    The slot is made with the first copy. `origin` says where the project belongs.
    """

    def __init__(
        self,
        session: Session,
        slots: Slots,
        worker: Worker,
        origin: Callable[[], Origin],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._slots = slots
        self._worker = worker
        self._origin = origin
        self._slot: Slot | None = None
        self._token = 0
        self._is_writing = False
        self._has_complained = False
        self._timer = pause(self, DELAY_MS, self.write)
        session.project_changed.connect(self._changed)
        session.file_changed.connect(self._changed)

    @property
    def path(self) -> Path | None:
        """Where the copy is or will be."""
        return None if self._slot is None else self._slot.path

    def adopt(self, slot: Slot) -> None:
        """Goes on with a copy that was found: it stays until the work in it has been saved."""
        self._drop()
        self._slot = slot
        self._changed()

    def write(self) -> None:
        """Writes the copy now, or once the one before is written."""
        self._timer.stop()
        if self._is_writing:
            self._timer.start()
            return
        self._slot = self._slot or self._slots.fresh()
        if self._slot is None:
            self._complain()
            return
        session = self._session
        task = partial(_write, self._slot, session.project, session.catalog, self._origin())
        self._is_writing = True
        self._token = self._worker.start(task, self._written, self._failed)

    def close(self) -> None:
        """The program ends in order: nothing is left to be recovered."""
        self._session.project_changed.disconnect(self._changed)
        self._session.file_changed.disconnect(self._changed)
        self._drop()

    def _changed(self, _project: object = None) -> None:
        if not self._session.is_modified:
            self._clear()
        elif not self._timer.isActive():
            self._timer.start()

    def _drop(self) -> None:
        self._clear()
        if self._slot is not None:
            self._slot.release()
            self._slot = None

    def _clear(self) -> None:
        self._timer.stop()
        self._worker.cancel(self._token)
        self._is_writing = False
        if self._slot is not None:
            try:
                self._slot.clear()
            except StoreError as error:
                self._session.message.emit(
                    tr("A copy of unsaved work is left over: {error}.", error=error)
                )

    def _written(self, _nothing: object) -> None:
        self._is_writing = self._has_complained = False

    def _failed(self, error: Exception) -> None:
        self._is_writing = False
        if not isinstance(error, StoreError):
            raise error
        self._complain(f": {local(error.sentence)}")

    def _complain(self, reason: str = "") -> None:
        """Once, not every few seconds."""
        if not self._has_complained:
            self._has_complained = True
            self._session.message.emit(
                tr(
                    "No copy of unsaved work can be kept{reason}. Save the project yourself.",
                    reason=reason,
                )
            )


def _write(
    slot: Slot,
    project: Project,
    catalog: Catalog,
    origin: Origin,
    context: Context,
) -> None:
    """Runs in the background. A copy that is no longer wanted is not written."""
    complete = with_used_rows(project, catalog)
    with slot.guard:
        context.check()
        write_copy(slot.path, complete, origin, program_version=__version__)
