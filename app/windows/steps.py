"""Long work in the window's own thread, in steps between which events are heard."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer


class Steps(QObject):
    """Goes from one `yield` of a generator to the next whenever no event waits."""

    def __init__(self, steps: Iterator[None], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = steps
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        self._timer.start(0)

    def _go_on(self) -> None:
        if next(self._steps, self) is self:
            self._timer.stop()
