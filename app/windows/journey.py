"""The way from a customer's files to a proposal, as a slim bar: one stage a tab."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QTabBar, QWidget

from app.language import tr

if TYPE_CHECKING:
    from app.windows.menus import ActionBook
    from app.windows.pages import PageStack

START, BOARD = "start", "board"


@dataclass(frozen=True, slots=True)
class PageName:
    """A page: what its owner is called, and its title in the row of its stage."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the way, and its pages; start page and board have none."""

    name: str
    words: str
    tip: str
    pages: tuple[PageName, ...] = ()


JOURNEY = (
    Stage(START, tr("Start"), tr("Examples, totals and files.")),
    Stage(
        "files",
        tr("Files"),
        tr("Files of a customer, tables, and scenarios of Headroom."),
        (PageName("files", tr("Import")),),
    ),
    Stage(BOARD, tr("Board"), tr("What stands where, and how it fares.")),
    Stage(
        "options",
        tr("Options"),
        tr("What to buy, what else would do, and where the VMs had better stand."),
        (
            PageName("recommend", tr("Recommend")),
            PageName("compare", tr("Compare")),
            PageName("arrange", tr("Arrange")),
        ),
    ),
    Stage(
        "advice",
        tr("Advice"),
        tr("What documents teach, what this customer measured, and how right the model is."),
        (
            PageName("advisors", tr("Advisors")),
            PageName("site", tr("Customer’s measurements")),
            PageName("evidence", tr("Evidence")),
        ),
    ),
    Stage(
        "proposal",
        tr("Proposal"),
        tr("What is given to the customer, and how it came about."),
        (PageName("proposal", tr("Proposal")), PageName("history", tr("History"))),
    ),
)


def stage_of(page: str) -> Stage:
    """The stage that a page is of."""
    for stage in JOURNEY:
        if stage.name == page or page in {each.name for each in stage.pages}:
            return stage
    raise KeyError(page)


class JourneyBar(QTabBar):
    """The stages; the one in front is marked.

    Signals:
        chosen: name of the stage to go to.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "journey")
        self.setAccessibleName(tr("Journey"))
        self.setExpanding(False)
        for number, stage in enumerate(JOURNEY, start=1):
            at = self.addTab(stage.words)
            self.setTabToolTip(at, f"{stage.tip} (Ctrl+{number})")
        self.mark(BOARD)
        self.currentChanged.connect(self._choose)
        self.tabBarClicked.connect(self._choose)

    def mark(self, name: str) -> None:
        """Shows which stage is in front."""
        with QSignalBlocker(self):
            self.setCurrentIndex([each.name for each in JOURNEY].index(name))

    def _choose(self, at: int) -> None:
        if at >= 0:
            self.chosen.emit(JOURNEY[at].name)


ON_BOARD = (
    *("view.zoom", "view.fold", "view.unfold", "view.toggle", "view.charts_over"),
    *("editing.add", "own.add_server", "own.add_array", "own.add_workload"),
)
"""Acts, by the beginning of their ids, after which the board is seen: it is what they act on."""


class JourneyCommands(QObject):
    """Owner of the Go menu.

    Args:
        start: opens the start page.
    """

    def __init__(
        self, bar: JourneyBar, stack: PageStack, start: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._stack, self._start = stack, start
        bar.chosen.connect(self.go)

    def set_actions(self, actions: ActionBook) -> None:
        for spec in actions:
            if spec.id.startswith(ON_BOARD):
                actions[spec.id].triggered.connect(self.board)

    def go(self, name: str) -> None:
        """To a stage."""
        if name == START:
            self._start()
        else:
            self._stack.bring_stage(next(each for each in JOURNEY if each.name == name))

    def files(self) -> None:
        self.go("files")

    def board(self) -> None:
        self.go(BOARD)

    def options(self) -> None:
        self.go("options")

    def advice(self) -> None:
        self.go("advice")

    def proposal(self) -> None:
        self.go("proposal")

    def tear_off(self) -> None:
        self._stack.tear_off()
