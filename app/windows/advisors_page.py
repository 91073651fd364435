"""The *Advisors*: what each topic finds in the scenario in view, and the page of the chosen one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QWidget,
)

from app.cli_advise import knowledge
from app.language import local, tr
from app.session import Session
from app.widgets.parts import in_column, in_row, styled, wrapped
from app.widgets.sections.view import CALCULATING, SectionsView
from app.windows.advisor_page import AdvisorPage
from app.windows.dialogs import Dialogs
from app.windows.pages import Page
from app.work import Context, OneTask, Worker, pause, raise_own, reason
from models.advise.advice import CitedKnowledge
from models.advise.overview import Glance, glance
from models.advise.topics import TOPICS
from models.scenario.scenario import Scenario
from models.tell.advice import overview_section

OVERVIEW = "overview"
LIST_PX = 210
REST_MS = 300
"""After the last edit before the scenario is looked at again."""


def looked_over(
    scenario: Scenario, known: CitedKnowledge, context: Context | None = None
) -> tuple[Glance, ...]:
    """What every topic finds in a scenario."""
    check = (lambda: None) if context is None else context.check
    return tuple(glance(topic, scenario, known, check) for topic in TOPICS.values())


class AdvisorsPage(Page):
    """What all of them find first; topics on the left, the chosen one beside them."""

    def __init__(
        self,
        dialogs: Dialogs,
        session: Session,
        worker: Worker | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Advisors"), parent)
        self._dialogs, self._session = dialogs, session
        self._worker = worker
        self._work = OneTask(worker or Worker(parent=self))
        self._of: Scenario | None = None
        self._rest = pause(self, REST_MS, self._follow)
        self.topics = QListWidget(self)
        self.topics.setAccessibleName(tr("Topics"))
        self._add(OVERVIEW, tr("Overview"), tr("What each topic finds in this scenario"))
        for topic in TOPICS.values():
            self._add(topic.id, local(topic.title), local(topic.about))
        self.topics.setFixedWidth(LIST_PX)
        self.topics.setWordWrap(True)
        self.pages = QStackedWidget(self)
        self._make_overview()
        self._shown: dict[str, AdvisorPage] = {}
        in_row(self).put(self.topics, (self.pages, 1))
        self.topics.currentItemChanged.connect(self._chosen)
        self.topics.setCurrentRow(0)
        session.project_changed.connect(self._edited)

    def _add(self, id: str, title: str, about: str) -> None:
        item = QListWidgetItem(title)
        item.setToolTip(about)
        item.setData(Qt.ItemDataRole.UserRole, id)
        self.topics.addItem(item)

    def _make_overview(self) -> None:
        self.overview = QWidget(self)
        self.state = styled(wrapped(CALCULATING, self), "muted")
        self.found = SectionsView(tr("What each topic finds"), self)
        self.found.chosen.connect(self.page)
        in_column(self.overview).put(self.state, (self.found, 1))
        self.pages.addWidget(self.overview)

    def page(self, id: str) -> AdvisorPage:
        """The page of a topic, shown."""
        self._show_topic(id)
        return self._shown[id]

    def show_overview(self) -> None:
        """What each topic finds in the scenario in view."""
        self._show_topic(OVERVIEW)

    def _show_topic(self, id: str) -> None:
        for row in range(self.topics.count()):
            if self.topics.item(row).data(Qt.ItemDataRole.UserRole) == id:
                self.topics.setCurrentRow(row)

    def _chosen(self, item: QListWidgetItem | None, _before: object = None) -> None:
        if item is None:
            return
        id = item.data(Qt.ItemDataRole.UserRole)
        if id == OVERVIEW:
            self.pages.setCurrentWidget(self.overview)
        elif id not in self._shown:
            page = AdvisorPage(TOPICS[id], self._dialogs, self._session, self._worker, self)
            page.done.connect(self.leave)
            self._shown[id] = page
            self.pages.addWidget(page)
        if id != OVERVIEW:
            self.pages.setCurrentWidget(self._shown[id])
        self._follow()

    # ------------------------------------------------------------------ the scenario in view

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop_looking()

    def _edited(self, _project: object) -> None:
        if self.isVisible():
            self._rest.start()

    def _follow(self) -> None:
        """What is in sight goes with the scenario in view."""
        self._rest.stop()
        if not self.isVisible():
            return
        page = self.pages.currentWidget()
        if isinstance(page, AdvisorPage):
            self._stop_looking()
            page.follow()
        elif self._session.scenario is not self._of:
            self._of = self._session.scenario
            self.state.setText(CALCULATING)
            self.state.show()
            self.found.setEnabled(False)
            known = replace(knowledge(), catalog=self._session.catalog)
            self._work.start(partial(looked_over, self._of, known), self._told, self._failed)

    def _stop_looking(self) -> None:
        if self._work.is_running:
            self._work.cancel()
            self._of = None

    def _told(self, glances: tuple[Glance, ...]) -> None:
        self.state.hide()
        self.found.setEnabled(True)
        self.found.show_sections((overview_section("", glances),))

    def _failed(self, error: Exception) -> None:
        self.state.setText(f"{reason(error)}.")
        raise_own(error)

    def holds_work(self) -> str:
        """Figures that somebody entered and that went nowhere."""
        held = [local(page.topic.title) for page in self._shown.values() if page.is_held]
        if not held:
            return ""
        return tr(
            "“Advisors” has figures for {topics} that are neither in the proposal nor on the "
            "board.",
            topics=", ".join(held),
        )

    def leave(self) -> None:
        """Nobody waits for users any more."""
        for page in self._shown.values():
            page.put_back.hide()
        super().leave()

    def give_up(self) -> None:
        self._stop_looking()
        self._rest.stop()
        for page in self._shown.values():
            page.stop()
