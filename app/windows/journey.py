"""The way from a customer's files to a proposal, as a slim bar: one stage a tab."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QTabBar, QWidget

from app.language import tr

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
        "years",
        tr("Years"),
        tr("When each number passes its limit as the design grows, and how likely it is to last."),
        (PageName("years", tr("The years ahead")),),
    ),
    Stage(
        "advice",
        tr("Advisors"),
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
        (
            PageName("proposal", tr("Proposal")),
            PageName("changed", tr("Changed since signed")),
            PageName("history", tr("History")),
        ),
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
