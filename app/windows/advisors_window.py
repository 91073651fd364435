"""The window of the *Advisors*: topics, and the page of the chosen one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QWidget,
)

from app.language import local, tr
from app.session import Session
from app.settings import Settings
from app.windows.advisor_page import AdvisorPage
from app.windows.dialogs import Dialogs, without_icons
from models.advise.topics import TOPICS

SIZE = (1480, 860)


class AdvisorsWindow(QDialog):
    """Stands beside the project: topics on the left, the chosen one beside them."""

    def __init__(
        self,
        settings: Settings,
        dialogs: Dialogs,
        session: Session | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Advisors \N{EN DASH} Headroom"))
        self._settings, self._dialogs, self._session = settings, dialogs, session
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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.topics)
        row.addWidget(self.pages, 1)
        self.topics.currentItemChanged.connect(self._chosen)
        self.topics.setCurrentRow(0)
        without_icons(self)
        self._restore()

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
            page.done.connect(self.accept)
            self._shown[id] = page
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(self._shown[id])

    def _restore(self) -> None:
        geometry = self._settings.state("advisors")
        if geometry is None or not self.restoreGeometry(geometry):
            room = self.screen().availableGeometry().size()
            self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height()))

    def done(self, result: int) -> None:
        """However it is closed, it comes by here."""
        self._settings.set_state("advisors", self.saveGeometry())
        for page in self._shown.values():
            page.stop()
        super().done(result)
