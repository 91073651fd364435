"""The step of the history that changes the personal library, which lies outside of the project."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QUndoCommand

from app.language import tr
from app.session import Session
from db.errors import StoreError
from models.catalog.catalog import Catalog


class ChangeLibrary(QUndoCommand):
    """Puts entries into the library and takes others out; undone by the reverse.

    Only the entries that it speaks of are touched: what another window keeps there stays. The file
    may be gone or locked when a step is undone: that is said, and the library stays as it is.
    """

    def __init__(self, session: Session, path: Path, before: Catalog, after: Catalog) -> None:
        super().__init__()
        self._session = session
        self._path = path
        self._before = before
        self._after = after
        self.problem: StoreError | None = None
        self._is_void = False

    def redo(self) -> None:
        self._put(self._after, instead_of=self._before)

    def undo(self) -> None:
        self._put(self._before, instead_of=self._after)

    def give_up(self) -> None:
        """What could not be done is neither undone nor redone."""
        self._is_void = True

    def _put(self, entries: Catalog, *, instead_of: Catalog) -> None:
        from db.library import extend_library

        if self._is_void:
            return
        try:
            library = extend_library(self._path, entries, without=instead_of)
        except StoreError as error:
            self.problem = error
            self._session.message.emit(tr("Your library stays as it was: {error}.", error=error))
        else:
            self.problem = None
            self._session.set_library(library)
