"""What was changed of the scenario in view since a proposal about it was exported."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.language import local, tr
from app.selection import Selection
from app.session import Session
from app.since import kept_of, since_kept
from app.widgets.fields.choice import Dropdown
from app.widgets.parts import STRETCH, in_column, in_row
from app.widgets.sections.view import SectionsPanel
from app.windows.pages import Page
from app.work import Context, Worker
from models.base.dates import date_text, moment
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.project.project import SIGNED
from models.scenario.scenario import Scenario
from models.signing.signed import SignedScenario
from models.tell.blocks import Section
from models.tell.since import NEVER, since_sections


class ChangedPage(Page):
    """Then and now side by side; of several proposals the last one, unless another is chosen."""

    def __init__(
        self,
        session: Session,
        selection: Selection,
        worker: Worker,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Changed since signed"), parent)
        self._session = session
        self._kept: tuple[SignedScenario, ...] = ()
        self._seen: object = None
        self.which = Dropdown(self)
        self.which.setAccessibleName(tr("Proposal"))
        self.panel = SectionsPanel(
            session,
            worker,
            _told_since(None),
            name=self.windowTitle(),
            icon="history",
            nothing=local(NEVER),
            selection=selection,
            of_today=True,
            parent=self,
        )
        words = QLabel(tr("Since the proposal of"), self)
        words.setBuddy(self.which)
        self.head = QWidget(self)
        in_row(self.head, around=(10, 4, 10, 0)).put(words, self.which, (STRETCH, 1))
        in_column(self, gap=2).put(self.head, (self.panel, 1))
        self.which.currentIndexChanged.connect(self._choose)
        session.project_changed.connect(self._list)
        session.file_changed.connect(self._list)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._list()

    def _list(self, _project: object = None) -> None:
        """The proposals about the scenario in view, where others are kept than were listed."""
        project = self._session.project
        records = [each.records_of(SIGNED) for each in project.entries]
        seen = (self._session.place, records)
        if not self.isVisible() or seen == self._seen:
            return
        self._seen, self._kept = seen, kept_of(project, project.active)
        with QSignalBlocker(self.which):
            self.which.clear()
            for kept in self._kept:
                self.which.addItem(local(date_text(moment(kept.stated.at))))
        self.which.hold_whole()
        self.head.setVisible(bool(self._kept))
        self._choose(0)

    def _choose(self, at: int) -> None:
        kept = self._kept[at] if 0 <= at < len(self._kept) else None
        self.panel.take(_told_since(kept))

    def give_up(self) -> None:
        self.panel.give_up()


def _told_since(kept: SignedScenario | None) -> partial[tuple[Section, ...]]:
    return partial(told_since, kept)


def told_since(
    kept: SignedScenario | None,
    scenario: Scenario,
    knowledge: Knowledge,
    context: Context,
) -> tuple[Section, ...]:
    """Runs in the background; nothing where nothing is kept."""
    if kept is None:
        return ()
    context.check()
    prediction = evaluate(scenario, knowledge)
    context.check()
    return since_sections(since_kept(kept, scenario, prediction, knowledge.catalog))
