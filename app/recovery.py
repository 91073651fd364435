"""Which copies of unsaved work there are, and whose: one slot for each running program.

A slot is a copy with a lock beside it. The lock tells a copy in use from one whose program ended
without its farewell.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from PySide6.QtCore import QLockFile

from db.project import ENDING
from db.recovery import copies_in, read_origin, remove_copy

LOCK = ".lock"


class Slot:
    """One copy and the right to write it.

    Attributes:
        guard: held while the copy is written or removed; both happen in threads.
    """

    def __init__(self, path: Path, lock: QLockFile) -> None:
        self.path = path
        self.guard = threading.Lock()
        self._lock = lock

    @classmethod
    def taken(cls, path: Path) -> Slot | None:
        """The slot of this copy; None while another program has it."""
        lock = QLockFile(str(path.with_suffix(LOCK)))
        lock.setStaleLockTime(0)  # a lock is stale when its program is gone, not when it is old
        return cls(path, lock) if lock.tryLock(0) else None

    def clear(self) -> None:
        """Removes the copy; what is just being written to it is waited for.

        Raises:
            StoreError: it can't be removed.
        """
        with self.guard:
            remove_copy(self.path)

    def release(self) -> None:
        """Leaves the copy as it is, for whoever comes next."""
        self._lock.unlock()


class Slots:
    """The folder of all copies of this user."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fresh(self) -> Slot | None:
        """A slot with nothing in it yet; None where the folder can't be made."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            return None
        return Slot.taken(self._folder / f"{os.urandom(8).hex()}{ENDING}")

    def abandoned(self) -> list[Slot]:
        """Copies of programs that have ended, not answered for yet, the newest first.

        They are taken: no other program offers them as long as this one does. Locks of programs
        that left no copy are removed.
        """
        for lock in self._folder.glob(f"*{LOCK}"):
            if not lock.with_suffix(ENDING).exists():
                alone = Slot.taken(lock)
                if alone is not None:
                    alone.release()
        paths = [path for path in copies_in(self._folder) if not read_origin(path).is_settled]
        return [slot for path in paths if (slot := Slot.taken(path)) is not None]

    def kept(self) -> list[Path]:
        """Copies for which the answer was "not now", the newest first."""
        return [path for path in copies_in(self._folder) if read_origin(path).is_settled]
