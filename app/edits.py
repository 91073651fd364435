"""The one undo command: a project before, a project after, and the words for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from models.project.project import Project

MERGE_ID = 1


class ReplaceProject(QUndoCommand):
    """Replaces the whole project value; two references are all it costs.

    Edits with the same non-empty `merge_key` become one step, and no step at all when they end
    where they began.
    """

    def __init__(
        self,
        before: Project,
        after: Project,
        text: str,
        apply: Callable[[Project], None],
        *,
        merge_key: str = "",
    ) -> None:
        super().__init__(text)
        self._before = before
        self._after = after
        self._apply = apply
        self._merge_key = merge_key

    @property
    def before(self) -> Project:
        """The project before the step, and before all that was merged into it."""
        return self._before

    @property
    def merge_key(self) -> str:
        return self._merge_key

    def redo(self) -> None:
        self._apply(self._after)

    def undo(self) -> None:
        self._apply(self._before)

    def id(self) -> int:
        return MERGE_ID if self._merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ReplaceProject) or other._merge_key != self._merge_key:
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(self._after == self._before)
        return True
