"""Who a design is for and who made it: asked once, when a project is first saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPushButton, QWidget

from app.language import tr
from app.session import Session
from app.settings import Settings
from app.widgets.labels import OneLine, Sign
from app.widgets.parts import in_row
from app.windows.files import FileCommands
from models.project.project import Entry

ICON, FIELD_LETTERS = 20, 10


class PeopleBar(QFrame):
    """A strip above the window's content with two fields, while something in them is missing. It
    blocks nothing, and whoever leaves it is not asked again for this project."""

    def __init__(
        self, session: Session, files: FileCommands, settings: Settings, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "notice")
        self._session, self._files, self._settings = session, files, settings
        self.customer, self.author = QLineEdit(self), QLineEdit(self)
        for field in (self.customer, self.author):
            field.setAcceptDrops(False)  # What is dropped on a window is for the window.
        self.take = QPushButton(tr("Take"), self)
        self.skip = QPushButton(tr("Not now"), self)
        self._lay_out()
        self.take.clicked.connect(self._take)
        self.skip.clicked.connect(self.hide)
        self.customer.returnPressed.connect(self._take)
        self.author.returnPressed.connect(self._take)
        files.first_saved.connect(self.ask)
        files.opened.connect(self.hide)
        self.hide()

    def ask(self) -> None:
        """Shows itself where the scenario in view lacks one of the two."""
        scenario = self._session.scenario
        if scenario.customer and scenario.author:
            return
        for parts, said, proposed in (
            (self._of_customer, scenario.customer, ""),
            (self._of_author, scenario.author, self._settings.author),
        ):
            for part in parts:
                part.setVisible(not said)
            parts[1].setText(said or proposed)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _take(self) -> None:
        """Names them in every scenario that lacks one, as one step, and saves that."""
        customer, author = self.customer.text().strip(), self.author.text().strip()
        self.hide()
        if author:
            self._settings.author = author
        project = self._session.project
        named = replace(project, entries=tuple(_named(project.entries, customer, author)))
        if named != project:
            self._session.edit_project(named, tr("Name customer and author"))
            self._files.save()

    def _lay_out(self) -> None:
        row = in_row(self, gap=10, around=(12, 6, 8, 6)).put(
            Sign("file-text", "accent", self, side=ICON),
            (OneLine(tr("For the cover of the proposal:"), self), 1),
        )
        self._of_customer = QLabel(tr("Customer"), self), self.customer
        self._of_author = QLabel(tr("Prepared by"), self), self.author
        for label, field in (self._of_customer, self._of_author):
            label.setBuddy(field)
            field.setAccessibleName(label.text())
            field.setMinimumWidth(self.fontMetrics().averageCharWidth() * FIELD_LETTERS)
            row.addWidget(label)
            row.addWidget(field, 1)
        self.take.setProperty("role", "primary")
        row.addWidget(self.take)
        row.addWidget(self.skip)


def _named(entries: Iterable[Entry], customer: str, author: str) -> Iterable[Entry]:
    for entry in entries:
        scenario = entry.scenario
        told = replace(
            scenario,
            customer=scenario.customer or customer,
            author=scenario.author or author,
        )
        yield replace(entry, scenario=told) if told != scenario else entry
