"""What is selected, shared by board, inspector and findings."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from models.scenario.scenario import Scenario


class Selection(QObject):
    """The ids of the selected items of the scenario in view, and the current one.

    Signals:
        changed: the set of ids or the current id is another one.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: tuple[str, ...] = ()
        self._current: str | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The selected ids, in the order they were selected."""
        return self._ids

    @property
    def current(self) -> str | None:
        """The id that keyboard and inspector are at; selected unless None."""
        return self._current

    def __contains__(self, id: str) -> bool:
        return id in self._ids

    def set(self, ids: Iterable[str], current: str | None = None) -> None:
        """Selects exactly these; `current` is the last of them unless said."""
        chosen = tuple(dict.fromkeys(ids))
        if current not in chosen:
            current = chosen[-1] if chosen else None
        if (chosen, current) != (self._ids, self._current):
            self._ids, self._current = chosen, current
            self.changed.emit()

    def select(self, id: str) -> None:
        self.set((id,))

    def toggle(self, id: str) -> None:
        if id in self._ids:
            self.set(each for each in self._ids if each != id)
        else:
            self.set((*self._ids, id), id)

    def clear(self) -> None:
        self.set(())

    def keep(self, scenario: Scenario) -> None:
        """Forgets what `scenario` does not have."""
        known = {item.id for item in scenario.items()}
        self.set((id for id in self._ids if id in known), self._current)
