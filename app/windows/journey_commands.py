"""Owner of the Go menu: to a stage of the journey, and a page into a window of its own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.windows.journey import BOARD, JOURNEY, START, JourneyBar
from app.windows.menus import ActionBook
from app.windows.pages import PageStack

ON_BOARD = (
    *("view.zoom", "view.fold", "view.unfold", "view.toggle", "view.charts_over"),
    *("editing.add", "own.add_server", "own.add_array", "own.add_workload"),
)
"""Acts, by the beginning of their ids, after which the board is seen: it is what they act on."""


class JourneyCommands(QObject):
    """Owner of the Go menu.

    Args:
        start: opens the start page.
        board: brings the board into sight, whatever covers it.
    """

    def __init__(
        self,
        bar: JourneyBar,
        stack: PageStack,
        start: Callable[[], None],
        board: Callable[[], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._stack, self._start, self._board = stack, start, board
        bar.chosen.connect(self.go)

    def set_actions(self, actions: ActionBook) -> None:
        for spec in actions:
            if spec.id.startswith(ON_BOARD):
                actions[spec.id].triggered.connect(self._in_front)

    def go(self, name: str) -> None:
        """To a stage."""
        if name == START:
            self._start()
        else:
            self._stack.bring_stage(next(each for each in JOURNEY if each.name == name))

    def files(self) -> None:
        self.go("files")

    def board(self) -> None:
        self._board()

    def _in_front(self) -> None:
        self._stack.bring(BOARD)

    def options(self) -> None:
        self.go("options")

    def years(self) -> None:
        self.go("years")

    def advice(self) -> None:
        self.go("advice")

    def proposal(self) -> None:
        self.go("proposal")

    def tear_off(self) -> None:
        self._stack.tear_off()
