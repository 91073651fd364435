"""A list to filter by, which says by itself what it filters; long lists are searched by typing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.widgets.fields.choice import Choice, ChoiceField


class Filter(ChoiceField):
    """Texts with the values that they stand for; one of them is always chosen.

    Signals:
        picked: the chosen value, by the user or by `choose`.
    """

    picked = Signal(object)

    def __init__(self, name: str, width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(name)
        self.setMinimumContentsLength(width)
        self._values: tuple[object, ...] = ()
        self.committed.connect(self._commit)

    def fill(self, choices: Sequence[tuple[str, object]]) -> None:
        """Offers these; what was chosen stays chosen if it is among them. Tells nobody."""
        before = self.value
        self._values = tuple(value for _, value in choices)
        self.offer([Choice(value, text) for text, value in choices])
        if choices:
            self.show_value(before if before in self._values else self._values[0])
        self.hold_whole()
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(text) for text, _ in choices), default=0)
        self.view().setMinimumWidth(min(widest + 40, 560))

    def choose(self, value: object) -> None:
        """Chooses a value, if it is on offer."""
        if value in self._values and value != self.value:
            self._commit(value)

    def _commit(self, value: object) -> None:
        self.show_value(value)
        self.picked.emit(value)
