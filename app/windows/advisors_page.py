"""The *Advisors*: topics, and the page of the chosen one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QWidget,
)

from app.language import local, tr
from app.session import Session
from app.widgets.parts import in_row
from app.windows.advisor_page import AdvisorPage
from app.windows.dialogs import Dialogs
from app.windows.pages import Page
from models.advise.topics import TOPICS


class AdvisorsPage(Page):
    """Topics on the left, the chosen one beside them."""

    def __init__(
        self,
        dialogs: Dialogs,
        session: Session | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Advisors"), parent)
        self._dialogs, self._session = dialogs, session
        self.topics = QListWidget(self)
        self.topics.setAccessibleName(tr("Topics"))
        for topic in TOPICS.values():
            item = QListWidgetItem(local(topic.title))
            item.setToolTip(local(topic.about))
            item.setData(Qt.ItemDataRole.UserRole, topic.id)
            self.topics.addItem(item)
        self.topics.setFixedWidth(210)
        self.topics.setWordWrap(True)
        self.pages = QStackedWidget(self)
        self._shown: dict[str, AdvisorPage] = {}
        in_row(self).put(self.topics, (self.pages, 1))
        self.topics.currentItemChanged.connect(self._chosen)
        self.topics.setCurrentRow(0)

    def page(self, id: str) -> AdvisorPage:
        """The page of a topic, shown."""
        for row in range(self.topics.count()):
            if self.topics.item(row).data(Qt.ItemDataRole.UserRole) == id:
                self.topics.setCurrentRow(row)
        return self._shown[id]

    def _chosen(self, item: QListWidgetItem | None, _before: object = None) -> None:
        if item is None:
            return
        id = item.data(Qt.ItemDataRole.UserRole)
        if id not in self._shown:
            page = AdvisorPage(TOPICS[id], self._dialogs, self._session, self)
            page.done.connect(self.leave)
            self._shown[id] = page
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(self._shown[id])

    def leave(self) -> None:
        """Nobody waits for users any more."""
        for page in self._shown.values():
            page.put_back.hide()
        super().leave()

    def give_up(self) -> None:
        for page in self._shown.values():
            page.stop()
